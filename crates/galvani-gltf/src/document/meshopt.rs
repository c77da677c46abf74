//! Bytes compressed by `EXT_meshopt_compression`, or by `KHR_meshopt_compression`, which came of it: what they say about
//! themselves is held against their bytes here, and `meshopt-pure` decodes them. That crate is Rust throughout, so that it
//! goes wherever this one goes, and has no `unsafe` as it is built here.

use galvani_core::{Exhausted, Meter, room};
use meshoptimizer as codec;
use meshoptimizer::IndexType;

use super::view::{MeshoptFilter, MeshoptMode};

/// What streams of each mode begin with. Later versions of attributes are `KHR_meshopt_compression`'s alone.
const ATTRIBUTES: u8 = 0xa0;
const LATER_ATTRIBUTES: u8 = 0xa1;
const TRIANGLES: u8 = 0xe1;
const INDICES: u8 = 0xd1;
/// The longest element.
const MOST_STRIDE: usize = 256;
/// The most bytes that one byte can stand for: two bits say that sixteen are as before.
const MOST_RATIO: usize = 64;
/// The same of later attributes: two bits say that a byte of 256 elements is as before.
const MOST_LATER_RATIO: usize = 1024;

/// What compressed bytes say about themselves.
#[derive(Debug, Clone, Copy)]
pub(super) struct Head {
    pub(super) mode: MeshoptMode,
    pub(super) filter: MeshoptFilter,
    pub(super) count: usize,
    pub(super) stride: usize,
    /// Whether they are of `KHR_meshopt_compression`.
    pub(super) is_later: bool,
}

impl Head {
    /// Bytes of all elements; nothing if so many cannot be in a source of that length, or no such thing can be at all.
    pub(super) fn len(self, source: usize) -> Option<usize> {
        let is_sound = match self.mode {
            MeshoptMode::Attributes => match self.filter {
                MeshoptFilter::None | MeshoptFilter::Exponential => self.stride.is_multiple_of(4),
                MeshoptFilter::Octahedral => matches!(self.stride, 4 | 8),
                MeshoptFilter::Quaternion => self.stride == 8,
                MeshoptFilter::Color => matches!(self.stride, 4 | 8) && self.is_later,
            },
            MeshoptMode::Triangles | MeshoptMode::Indices => {
                matches!(self.stride, 2 | 4)
                    && self.filter == MeshoptFilter::None
                    && (self.mode == MeshoptMode::Indices || self.count.is_multiple_of(3))
            }
        };
        let len = self.count.checked_mul(self.stride)?;
        let ratio = if self.is_later { MOST_LATER_RATIO } else { MOST_RATIO };
        let fits = len <= source.saturating_mul(ratio);
        (is_sound && fits && (1..=MOST_STRIDE).contains(&self.stride)).then_some(len)
    }

    /// The elements; nothing if the source is damaged. What they take was charged by whoever asks.
    pub(super) fn decode(self, source: &[u8], meter: &Meter) -> Result<Option<Vec<u8>>, Exhausted> {
        let Some(len) = self.len(source.len()).filter(|_| self.is_begun_by(source)) else { return Ok(None) };
        if self.mode == MeshoptMode::Attributes {
            let mut made = room::filled(0, len)?;
            return Ok(self.attributes(source, &mut made).is_ok().then_some(made));
        }
        let _held = meter.hold(len)?;
        if self.stride == 2 {
            self.indices(source, u16::to_le_bytes)
        } else {
            self.indices(source, u32::to_le_bytes)
        }
    }

    fn is_begun_by(self, source: &[u8]) -> bool {
        match (self.mode, source.first()) {
            (MeshoptMode::Attributes, Some(&first)) => {
                first == ATTRIBUTES || (first == LATER_ATTRIBUTES && self.is_later)
            }
            (MeshoptMode::Triangles, first) => first == Some(&TRIANGLES),
            (MeshoptMode::Indices, first) => first == Some(&INDICES),
            (MeshoptMode::Attributes, None) => false,
        }
    }

    fn attributes(self, source: &[u8], made: &mut [u8]) -> codec::Result<()> {
        let Head { count, stride, .. } = self;
        codec::decode_vertex_buffer(made, count, stride, source, source.len())?;
        match self.filter {
            MeshoptFilter::None => Ok(()),
            MeshoptFilter::Octahedral => codec::decode_filter_oct(made, count, stride),
            MeshoptFilter::Quaternion => codec::decode_filter_quat(made, count, stride),
            MeshoptFilter::Exponential => codec::decode_filter_exp(made, count, stride),
            MeshoptFilter::Color => codec::decode_filter_color(made, count, stride),
        }
    }

    fn indices<T: IndexType + Default, const N: usize>(
        self,
        source: &[u8],
        bytes: impl Fn(T) -> [u8; N],
    ) -> Result<Option<Vec<u8>>, Exhausted> {
        let mut made = room::filled(T::default(), self.count)?;
        let done = if self.mode == MeshoptMode::Triangles {
            codec::decode_index_buffer(&mut made, self.count, source, source.len())
        } else {
            codec::decode_index_sequence(&mut made, self.count, source, source.len())
        };
        match done {
            Ok(()) => room::collected(made.into_iter().flat_map(bytes)).map(Some),
            Err(_) => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn head(mode: MeshoptMode, count: usize, stride: usize) -> Head {
        Head { mode, filter: MeshoptFilter::None, count, stride, is_later: false }
    }

    fn decoded(head: Head, source: &[u8]) -> Option<Vec<u8>> {
        head.decode(source, &Meter::unlimited()).unwrap()
    }

    /// Elements as the specification stores them, each difference written out: no decoder had a hand in it.
    fn plain(elements: &[u8], stride: usize) -> Vec<u8> {
        let mut stream = vec![ATTRIBUTES];
        let per_block = ((8192 / stride) & !15).min(256);
        let mut last = vec![0; stride];
        for block in elements.chunks(per_block * stride) {
            let groups = (block.len() / stride).div_ceil(16);
            for (k, last) in last.iter_mut().enumerate() {
                stream.extend(vec![0xff; groups.div_ceil(4)]);
                let mut column: Vec<u8> = Vec::new();
                for byte in block.iter().skip(k).step_by(stride) {
                    let step = byte.wrapping_sub(*last).cast_signed();
                    column.push((step << 1 ^ step >> 7).cast_unsigned());
                    *last = *byte;
                }
                column.resize(groups * 16, 0);
                stream.extend(column);
            }
        }
        stream.extend(vec![0; 32_usize.saturating_sub(stride)]);
        stream.extend(vec![0; stride]);
        stream
    }

    /// The example of the specification, as the first byte of sixteen elements of which the others are 0.
    #[test]
    fn sixteen_deltas_of_four_bits_and_two_of_eight() {
        let mut stream = vec![ATTRIBUTES, 2];
        stream.extend([0x17, 0x5f, 0xf0, 0xbc, 0x77, 0xa9, 0x21, 0x00, 0x34, 0xb5]);
        stream.extend([0; 3 + 32]);
        let mut last = 0_i8;
        let steps = [-1, -4, -3, 26, -91, 0, -6, 6, -4, -4, 5, -5, 1, -1, 0, 0];
        let wanted = steps.map(|step: i8| {
            last = last.wrapping_add(step);
            [last.cast_unsigned(), 0, 0, 0]
        });
        let head = head(MeshoptMode::Attributes, 16, 4);
        assert_eq!(decoded(head, &stream).unwrap(), wanted.as_flattened());
        stream.push(0);
        assert_eq!(decoded(head, &stream), None, "something is left over");
    }

    /// Two triangles on one edge, then one far away, by hand.
    #[test]
    fn triangles_on_edges_and_written_out() {
        // 0xf0: three fresh corners (pair 0 of the table), 0x00: the latest edge and a fresh one, 0xff: written out.
        let mut source = vec![0xe1, 0xf0, 0x00, 0xff, 0xff, 10, 2, 3];
        source.extend([0; 16]);
        let head = head(MeshoptMode::Triangles, 9, 2);
        let made = decoded(head, &source).unwrap();
        let indices: Vec<u16> = made.as_chunks().0.iter().map(|word| u16::from_le_bytes(*word)).collect();
        // The latest edge of 0 1 2 is 0 2; the deltas 10, 2 and 3 are 5, 1 and -2.
        assert_eq!(indices, [0, 1, 2, 0, 2, 3, 5, 6, 4]);
        assert_eq!(decoded(head, &source[..source.len() - 1]), None);
        source.insert(8, 0);
        assert_eq!(decoded(head, &source), None, "something is left over");
    }

    #[test]
    fn indices_go_on_from_two_places() {
        let source = [0xd1, 4 << 1, (10 << 2) | 1, 2 << 1, 1 << 1, 0, 0, 0, 0];
        let made = decoded(head(MeshoptMode::Indices, 4, 4), &source).unwrap();
        let indices: Vec<u32> = made.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        assert_eq!(indices, [2, 10, 3, 2]);
        assert_eq!(
            decoded(head(MeshoptMode::Triangles, 4, 4), &source),
            None,
            "another mode, and no triangles"
        );
    }

    #[test]
    fn directions_turns_and_exponents_are_unpacked() {
        let unpacked = |filter, stride, bytes: &[u8]| {
            let head = Head { filter, ..head(MeshoptMode::Attributes, bytes.len() / stride, stride) };
            decoded(head, &plain(bytes, stride)).unwrap()
        };
        let bytes = [0, 0, 127, 9, 64, 63, 127, 0];
        assert_eq!(unpacked(MeshoptFilter::Octahedral, 4, &bytes), [0, 0, 127, 9, 91, 89, 0, 0]);
        let words = |words: [i16; 4]| words.map(i16::to_le_bytes).as_flattened().to_vec();
        let turn = unpacked(MeshoptFilter::Quaternion, 8, &words([0, 0, 0, 32767 & !3]));
        assert_eq!(turn, words([32767, 0, 0, 0]));
        let number = ((-3_i32 << 24) | 0xc).to_le_bytes();
        assert_eq!(unpacked(MeshoptFilter::Exponential, 4, &number), 1.5_f32.to_le_bytes());
    }

    /// What the extension that came later brought: a version of attributes, and colours.
    #[test]
    fn later_streams_are_only_read_where_they_belong() {
        let elements: Vec<u8> = (0..=255).flat_map(|i: u8| [i, i.wrapping_mul(7), 9, 255]).collect();
        let stream = encoded(&elements, 4, 1);
        assert_eq!(stream[0], LATER_ATTRIBUTES);
        let head = head(MeshoptMode::Attributes, 256, 4);
        assert_eq!(decoded(head, &stream), None);
        let later = Head { is_later: true, ..head };
        assert_eq!(decoded(later, &stream).unwrap(), elements);
        // Brightness 200 without any difference is grey; the highest bit that is set says how many there are.
        let grey = [200, 0, 0, 255].repeat(16);
        let color = Head { filter: MeshoptFilter::Color, count: 16, ..later };
        assert_eq!(decoded(color, &plain(&grey, 4)).unwrap(), [200, 200, 200, 255].repeat(16));
        assert_eq!(decoded(Head { is_later: false, ..color }, &plain(&grey, 4)), None);
    }

    fn encoded(elements: &[u8], stride: usize, version: i32) -> Vec<u8> {
        let count = elements.len() / stride;
        let mut stream = vec![0; codec::encode_vertex_buffer_bound(count, stride).unwrap()];
        let room = stream.len();
        let len = codec::encode_vertex_buffer_level(&mut stream, room, elements, count, stride, 2, version)
            .unwrap();
        stream.truncate(len);
        stream
    }

    /// Bytes that go on from each other, as those of real elements do, in elements of some length.
    fn elements() -> impl Strategy<Value = (usize, Vec<u8>)> {
        (1..=8_usize, 1..600_usize, any::<u32>()).prop_map(|(words, count, seed)| {
            let (stride, mut state) = (words * 4, seed);
            let mut byte = |i: usize| {
                state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
                let [.., noise] = state.to_le_bytes();
                u8::try_from(i % 251).unwrap().wrapping_add(noise >> (i % 8))
            };
            (stride, (0..count * stride).map(&mut byte).collect())
        })
    }

    proptest! {
        #[test]
        fn what_is_stored_comes_back((stride, elements) in elements(), version in 0..2) {
            let later = Head { is_later: true, ..head(MeshoptMode::Attributes, elements.len() / stride, stride) };
            prop_assert_eq!(decoded(later, &encoded(&elements, stride, version)), Some(elements.clone()));
            prop_assert_eq!(decoded(later, &plain(&elements, stride)), Some(elements));
        }

        #[test]
        fn indices_that_are_stored_come_back(indices in prop::collection::vec(0..5000_u32, 3..300)) {
            let whole = &indices[..indices.len() / 3 * 3];
            let mut stream = vec![0; codec::encode_index_buffer_bound(whole.len(), 5000).unwrap()];
            let room = stream.len();
            let len = codec::encode_index_buffer(&mut stream, room, whole, whole.len()).unwrap();
            stream.truncate(len);
            let made = decoded(head(MeshoptMode::Triangles, whole.len(), 4), &stream).unwrap();
            let made: Vec<u32> = made.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
            // Corners of a triangle may begin with another.
            let turned = |corners: &[u32; 3]| { let [a, b, c] = *corners; [[a, b, c], [b, c, a], [c, a, b]] };
            let pairs = whole.as_chunks::<3>().0.iter().zip(made.as_chunks::<3>().0);
            for (wanted, found) in pairs {
                prop_assert!(turned(wanted).contains(found), "{wanted:?} {found:?}");
            }
            let mut stream = vec![0; codec::encode_index_sequence_bound(indices.len(), 5000)];
            let room = stream.len();
            let len = codec::encode_index_sequence(&mut stream, room, &indices, indices.len()).unwrap();
            stream.truncate(len);
            let wanted: Vec<u8> = indices.iter().flat_map(|index| index.to_le_bytes()).collect();
            prop_assert_eq!(decoded(head(MeshoptMode::Indices, indices.len(), 4), &stream), Some(wanted));
        }

        /// Whatever the bytes: as many as were wanted, or none.
        #[test]
        fn damage_is_refused_or_read(
            (stride, elements) in elements(), version in 0..2, hits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 0..4),
            cut in any::<prop::sample::Index>(), is_cut: bool, mode in 0..3, filter in 0..5, count in 0..2000_usize,
        ) {
            let mut stream = encoded(&elements, stride, version);
            for (at, byte) in hits {
                let at = at.index(stream.len());
                stream[at] = byte;
            }
            if is_cut {
                stream.truncate(cut.index(stream.len()));
            }
            let mode = [MeshoptMode::Attributes, MeshoptMode::Triangles, MeshoptMode::Indices][usize::try_from(mode).unwrap()];
            let filter = [
                MeshoptFilter::None, MeshoptFilter::Octahedral, MeshoptFilter::Quaternion, MeshoptFilter::Exponential,
                MeshoptFilter::Color,
            ][usize::try_from(filter).unwrap()];
            let own = elements.len() / stride;
            for (count, stride) in [(own, stride), (count, stride), (count / 3 * 3, 4), (count, 2)] {
                let head = Head { mode, filter, count, stride, is_later: true };
                if let Some(first) = stream.first_mut().filter(|_| mode != MeshoptMode::Attributes) {
                    *first = if mode == MeshoptMode::Triangles { TRIANGLES } else { INDICES };
                }
                if let Some(made) = decoded(head, &stream) {
                    prop_assert_eq!(made.len(), count * stride);
                }
            }
        }
    }
}
