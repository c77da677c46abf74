//! Bytes compressed by `EXT_meshopt_compression`, decoded as its specification says.

use galvani_core::{Exhausted, room};

use super::view::{MeshoptFilter, MeshoptMode};

const ATTRIBUTES: u8 = 0xa0;
const TRIANGLES: u8 = 0xe1;
const INDICES: u8 = 0xd1;
/// Elements that are stored together.
const GROUP: usize = 16;
/// The most elements between two beginnings.
const MOST_ELEMENTS: usize = 256;
/// The most bytes between two beginnings.
const MOST_BYTES: usize = 8192;
/// Bytes of the last element, at least.
const LEAST_TAIL: usize = 32;
/// The longest element.
const MOST_STRIDE: usize = 256;
/// The most bytes that one byte can stand for: a header of two bits says that sixteen are as before.
const MOST_RATIO: usize = 64;
/// Entries of a queue.
const QUEUE: usize = 16;

/// What compressed bytes say about themselves.
#[derive(Debug, Clone, Copy)]
pub(super) struct Head {
    pub(super) mode: MeshoptMode,
    pub(super) filter: MeshoptFilter,
    pub(super) count: usize,
    pub(super) stride: usize,
}

impl Head {
    /// Bytes of all elements; nothing if so many cannot be in a source of that length, or no such thing can be at all.
    pub(super) fn len(self, source: usize) -> Option<usize> {
        let is_sound = match self.mode {
            MeshoptMode::Attributes => match self.filter {
                MeshoptFilter::None | MeshoptFilter::Exponential => self.stride.is_multiple_of(4),
                MeshoptFilter::Octahedral => matches!(self.stride, 4 | 8),
                MeshoptFilter::Quaternion => self.stride == 8,
            },
            MeshoptMode::Triangles | MeshoptMode::Indices => {
                matches!(self.stride, 2 | 4)
                    && self.filter == MeshoptFilter::None
                    && (self.mode == MeshoptMode::Indices || self.count.is_multiple_of(3))
            }
        };
        let len = self.count.checked_mul(self.stride)?;
        let fits = len <= source.saturating_mul(MOST_RATIO);
        (is_sound && fits && (1..=MOST_STRIDE).contains(&self.stride)).then_some(len)
    }

    /// The elements; nothing if the source is damaged. What they take was charged by whoever asks.
    pub(super) fn decode(self, source: &[u8]) -> Result<Option<Vec<u8>>, Exhausted> {
        let Some(len) = self.len(source.len()) else { return Ok(None) };
        let mut made = room::filled(0, len)?;
        let done = match self.mode {
            MeshoptMode::Attributes => attributes(source, self.stride, &mut made),
            MeshoptMode::Triangles => triangles(source, self.stride, &mut made),
            MeshoptMode::Indices => indices(source, self.stride, &mut made),
        };
        if done.is_some() {
            filter(self.filter, self.stride, &mut made);
        }
        Ok(done.map(|()| made))
    }
}

/// Bytes from the front.
struct Input<'a>(&'a [u8]);

impl<'a> Input<'a> {
    fn take(&mut self, count: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(count)?;
        self.0 = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1)?.first().copied()
    }

    /// A number of seven bits a byte, the lowest first.
    fn number(&mut self) -> Option<u32> {
        let mut number = 0;
        for shift in (0..32).step_by(7) {
            let byte = self.byte()?;
            number |= u32::from(byte & 0x7f).wrapping_shl(shift);
            if byte < 0x80 {
                return Some(number);
            }
        }
        None
    }
}

/// What is between a header and a tail of that length, and the tail.
fn framed(source: &[u8], header: u8, tail: usize) -> Option<(Input<'_>, &[u8])> {
    let (first, rest) = source.split_first()?;
    let (body, tail) = rest.split_at_checked(rest.len().checked_sub(tail)?)?;
    (*first == header).then_some((Input(body), tail))
}

fn attributes(source: &[u8], stride: usize, made: &mut [u8]) -> Option<()> {
    let (mut body, tail) = framed(source, ATTRIBUTES, stride.max(LEAST_TAIL))?;
    let mut last = [0; MOST_STRIDE];
    last.get_mut(..stride)?.copy_from_slice(tail.get(tail.len().checked_sub(stride)?..)?);
    let elements = (MOST_BYTES.checked_div(stride)? & !(GROUP.wrapping_sub(1))).min(MOST_ELEMENTS);
    for block in made.chunks_mut(elements.checked_mul(stride)?) {
        for (k, last) in last.iter_mut().enumerate().take(stride) {
            column(&mut body, block.get_mut(k..)?, stride, last)?;
        }
    }
    body.0.is_empty().then_some(())
}

/// The first byte of each element, each the one before it and a bit.
fn column(body: &mut Input<'_>, block: &mut [u8], stride: usize, last: &mut u8) -> Option<()> {
    let groups = block.len().div_ceil(stride).div_ceil(GROUP);
    let mut places = block.iter_mut().step_by(stride);
    let headers = body.take(groups.div_ceil(4))?;
    let modes = headers.iter().flat_map(|header| [0, 2, 4, 6].map(|shift| header.wrapping_shr(shift) & 3));
    for mode in modes.take(groups) {
        let mut deltas = [0; GROUP];
        group(body, mode, &mut deltas)?;
        for (delta, place) in deltas.iter().zip(&mut places) {
            let step = delta.wrapping_shr(1) ^ (delta & 1).wrapping_neg();
            *last = last.wrapping_add(step);
            *place = *last;
        }
    }
    Some(())
}

/// Sixteen small numbers.
fn group(body: &mut Input<'_>, mode: u8, deltas: &mut [u8; GROUP]) -> Option<()> {
    let bits: u32 = match mode {
        0 => return Some(()),
        1 => 2,
        2 => 4,
        _ => {
            deltas.copy_from_slice(body.take(GROUP)?);
            return Some(());
        }
    };
    let packed = body.take(if bits == 2 { 4 } else { 8 })?;
    let sentinel = 0xff_u8.wrapping_shr(8_u32.wrapping_sub(bits));
    let shifts: &[u32] = if bits == 2 { &[6, 4, 2, 0] } else { &[4, 0] };
    let short =
        packed.iter().flat_map(|byte| shifts.iter().map(|shift| byte.wrapping_shr(*shift) & sentinel));
    for (delta, short) in deltas.iter_mut().zip(short) {
        *delta = if short == sentinel { body.byte()? } else { short };
    }
    Some(())
}

/// The last few of something, the latest first.
struct Queue<T> {
    entries: [T; QUEUE],
    next: usize,
}

impl<T: Copy + Default> Queue<T> {
    fn new() -> Self {
        Queue { entries: [T::default(); QUEUE], next: 0 }
    }

    fn push(&mut self, entry: T) {
        if let Some(place) = self.entries.get_mut(self.next % QUEUE) {
            *place = entry;
        }
        self.next = self.next.wrapping_add(1) % QUEUE;
    }

    fn latest(&self, back: u8) -> T {
        let place = self.next.wrapping_add(QUEUE).wrapping_sub(1).wrapping_sub(usize::from(back)) % QUEUE;
        self.entries.get(place).copied().unwrap_or_default()
    }
}

/// Triangles in the making.
struct Triangles<'a> {
    data: Input<'a>,
    edges: Queue<[u32; 2]>,
    vertices: Queue<u32>,
    /// The next index that was not there yet.
    next: u32,
    /// The last that was written out.
    last: u32,
}

fn triangles(source: &[u8], stride: usize, made: &mut [u8]) -> Option<()> {
    let (mut body, table) = framed(source, TRIANGLES, QUEUE)?;
    let triangle_len = stride.checked_mul(3)?;
    let codes = body.take(made.len().checked_div(triangle_len)?)?;
    let (edges, vertices) = (Queue::new(), Queue::new());
    let mut state = Triangles { data: body, edges, vertices, next: 0, last: 0 };
    for (code, place) in codes.iter().zip(made.chunks_exact_mut(triangle_len)) {
        let triangle = state.triangle(*code, table)?;
        for (index, place) in triangle.iter().zip(place.chunks_exact_mut(stride)) {
            put(place, *index)?;
        }
    }
    state.data.0.is_empty().then_some(())
}

/// Puts an index where there is room for two or four bytes.
fn put(place: &mut [u8], index: u32) -> Option<()> {
    place.copy_from_slice(index.to_le_bytes().get(..place.len())?);
    Some(())
}

impl Triangles<'_> {
    fn triangle(&mut self, code: u8, table: &[u8]) -> Option<[u32; 3]> {
        let (high, low) = (code.wrapping_shr(4), code & 15);
        if high < 15 {
            return self.on_edge(high, low);
        }
        if low < 14 {
            let pair = *table.get(usize::from(low))?;
            let is_sound = pair.wrapping_shr(4) < 15 && pair & 15 < 15;
            return is_sound.then(|| self.three(0, pair)).flatten();
        }
        let pair = self.data.byte()?;
        if pair == 0 {
            self.next = 0;
        }
        self.three(if low == 14 { 0 } else { 15 }, pair)
    }

    /// A triangle on an edge that was there before.
    fn on_edge(&mut self, edge: u8, low: u8) -> Option<[u32; 3]> {
        let [a, b] = self.edges.latest(edge);
        let c = match low {
            0 => self.fresh(),
            1..13 => self.vertices.latest(low),
            13 => self.near(u32::MAX),
            14 => self.near(1),
            _ => self.written()?,
        };
        if !matches!(low, 1..13) {
            self.vertices.push(c);
        }
        self.edges.push([c, b]);
        self.edges.push([a, c]);
        Some([a, b, c])
    }

    /// A triangle of three corners, half a byte each: 0 is a fresh one, 15 is written out, others were there before.
    fn three(&mut self, first: u8, pair: u8) -> Option<[u32; 3]> {
        let halves = [first, pair.wrapping_shr(4), pair & 15];
        // What is counted on comes before what is written out.
        let mut corners = [0; 3];
        for (corner, half) in corners.iter_mut().zip(halves) {
            *corner = match half {
                0 => self.fresh(),
                15 => 0,
                back => self.vertices.latest(back.wrapping_sub(1)),
            };
        }
        for (corner, half) in corners.iter_mut().zip(halves) {
            if half == 15 {
                *corner = self.written()?;
            }
        }
        let [a, b, c] = corners;
        for (corner, half) in corners.iter().zip(halves) {
            if matches!(half, 0 | 15) {
                self.vertices.push(*corner);
            }
        }
        for edge in [[b, a], [c, b], [a, c]] {
            self.edges.push(edge);
        }
        Some(corners)
    }

    fn fresh(&mut self) -> u32 {
        let fresh = self.next;
        self.next = self.next.wrapping_add(1);
        fresh
    }

    fn near(&mut self, step: u32) -> u32 {
        self.last = self.last.wrapping_add(step);
        self.last
    }

    fn written(&mut self) -> Option<u32> {
        let number = self.data.number()?;
        Some(self.near(number.wrapping_shr(1) ^ (number & 1).wrapping_neg()))
    }
}

fn indices(source: &[u8], stride: usize, made: &mut [u8]) -> Option<()> {
    let (mut body, _) = framed(source, INDICES, 4)?;
    let mut last = [0_u32; 2];
    for place in made.chunks_exact_mut(stride) {
        let number = body.number()?;
        let last = last.get_mut(usize::from(number & 1 == 1))?;
        let number = number.wrapping_shr(1);
        *last = last.wrapping_add(number.wrapping_shr(1) ^ (number & 1).wrapping_neg());
        put(place, *last)?;
    }
    body.0.is_empty().then_some(())
}

fn filter(filter: MeshoptFilter, stride: usize, made: &mut [u8]) {
    match (filter, stride) {
        (MeshoptFilter::None, _) => {}
        (MeshoptFilter::Octahedral, 4) => {
            for element in made.as_chunks_mut::<4>().0 {
                let [x, y, one, _] = element.map(|byte| f32::from(byte.cast_signed()));
                let [x, y, z] = unfolded(x, y, one).map(|part| byte(part * 127.0).cast_unsigned());
                *element = [x, y, z, element[3]];
            }
        }
        (MeshoptFilter::Octahedral, _) => {
            for element in made.as_chunks_mut::<8>().0 {
                let [x, y, one, w] = words(*element);
                let [x, y, z] =
                    unfolded(f32::from(x), f32::from(y), f32::from(one)).map(|part| word(part * 32767.0));
                *element = bytes([x, y, z, w]);
            }
        }
        (MeshoptFilter::Quaternion, _) => {
            for element in made.as_chunks_mut::<8>().0 {
                *element = bytes(whole(words(*element)));
            }
        }
        (MeshoptFilter::Exponential, _) => {
            for element in made.as_chunks_mut::<4>().0 {
                let number = i32::from_le_bytes(*element);
                let mantissa = f64::from(number.wrapping_shl(8).wrapping_shr(8));
                let power = f64::from(number.wrapping_shr(24)).exp2();
                *element = galvani_core::maths::single(power * mantissa).to_le_bytes();
            }
        }
    }
}

/// A direction that was folded into a square.
fn unfolded(x: f32, y: f32, one: f32) -> [f32; 3] {
    let (x, y) = (x / one, y / one);
    let z = 1.0 - x.abs() - y.abs();
    let behind = z.min(0.0);
    let (x, y) = (x - behind.copysign(x), y - behind.copysign(y));
    let len = (x * x + y * y + z * z).sqrt();
    [x / len, y / len, z / len]
}

/// A turn with its largest component, which is left out.
fn whole([x, y, z, rest]: [i16; 4]) -> [i16; 4] {
    let one = f32::from(rest | 3);
    let part = |number: i16| f32::from(number) / one * std::f32::consts::FRAC_1_SQRT_2;
    let (x, y, z) = (part(x), part(y), part(z));
    let w = (1.0 - x * x - y * y - z * z).max(0.0).sqrt();
    let [x, y, z, w] = [x, y, z, w].map(|part| word(part * 32767.0));
    match rest & 3 {
        0 => [w, x, y, z],
        1 => [z, w, x, y],
        2 => [y, z, w, x],
        _ => [x, y, z, w],
    }
}

fn words(element: [u8; 8]) -> [i16; 4] {
    let [a, b, c, d, e, f, g, h] = element;
    [[a, b], [c, d], [e, f], [g, h]].map(i16::from_le_bytes)
}

fn bytes(words: [i16; 4]) -> [u8; 8] {
    let [[a, b], [c, d], [e, f], [g, h]] = words.map(i16::to_le_bytes);
    [a, b, c, d, e, f, g, h]
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::as_conversions,
    reason = "it is clamped, and 0 if it is no number"
)]
fn word(number: f32) -> i16 {
    number.round() as i16
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::as_conversions,
    reason = "it is clamped, and 0 if it is no number"
)]
fn byte(number: f32) -> i8 {
    number.round() as i8
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The example of the specification.
    #[test]
    fn sixteen_deltas_of_four_bits_and_two_of_eight() {
        let mut input = Input(&[0x17, 0x5f, 0xf0, 0xbc, 0x77, 0xa9, 0x21, 0x00, 0x34, 0xb5]);
        let mut deltas = [0; GROUP];
        group(&mut input, 2, &mut deltas).unwrap();
        let signed = deltas.map(|delta| (delta >> 1).cast_signed() ^ -(delta & 1).cast_signed());
        assert_eq!(signed, [-1, -4, -3, 26, -91, 0, -6, 6, -4, -4, 5, -5, 1, -1, 0, 0]);
        assert!(input.0.is_empty());
    }

    #[test]
    fn numbers_of_seven_bits_a_byte() {
        let number = |bytes: &[u8]| Input(bytes).number();
        assert_eq!(number(&[0x7f]), Some(0x7f));
        assert_eq!(number(&[0x81, 0x04]), Some(0x201));
        assert_eq!(number(&[0xff, 0xff, 0xff, 0xff, 0x0f]), Some(u32::MAX));
        assert_eq!([number(&[0x80]), number(&[0xff; 6])], [None, None]);
    }

    /// Two triangles on one edge, then one far away, by hand.
    #[test]
    fn triangles_on_edges_and_written_out() {
        // 0xf0: three fresh corners (pair 0 of the table), 0x00: the latest edge and a fresh one, 0xff: written out.
        let mut source = vec![0xe1, 0xf0, 0x00, 0xff, 0xff, 10, 2, 3];
        source.extend([0; 16]);
        let head = Head { mode: MeshoptMode::Triangles, filter: MeshoptFilter::None, count: 9, stride: 2 };
        let made = head.decode(&source).unwrap().unwrap();
        let indices: Vec<u16> = made.as_chunks().0.iter().map(|word| u16::from_le_bytes(*word)).collect();
        // The latest edge of 0 1 2 is 0 2; the deltas 10, 2 and 3 are 5, 1 and -2.
        assert_eq!(indices, [0, 1, 2, 0, 2, 3, 5, 6, 4]);
        assert_eq!(head.decode(&source[..source.len() - 1]).unwrap(), None);
        source.insert(8, 0);
        assert_eq!(head.decode(&source).unwrap(), None, "something is left over");
    }

    #[test]
    fn indices_go_on_from_two_places() {
        let source = [0xd1, 4 << 1, (10 << 2) | 1, 2 << 1, 1 << 1, 0, 0, 0, 0];
        let head = Head { mode: MeshoptMode::Indices, filter: MeshoptFilter::None, count: 4, stride: 4 };
        let made = head.decode(&source).unwrap().unwrap();
        let indices: Vec<u32> = made.as_chunks().0.iter().map(|word| u32::from_le_bytes(*word)).collect();
        assert_eq!(indices, [2, 10, 3, 2]);
    }

    #[test]
    fn directions_turns_and_exponents_are_unpacked() {
        let mut bytes = [0, 0, 127, 9, 64, 63, 127, 0];
        filter(MeshoptFilter::Octahedral, 4, &mut bytes);
        assert_eq!(bytes, [0, 0, 127, 9, 91, 89, 0, 0]);
        let mut turn = super::bytes([0, 0, 0, 32767 & !3]);
        filter(MeshoptFilter::Quaternion, 8, &mut turn);
        assert_eq!(words(turn), [32767, 0, 0, 0]);
        let mut number = ((-3_i32 << 24) | 0xc).to_le_bytes();
        filter(MeshoptFilter::Exponential, 4, &mut number);
        assert_eq!(f32::from_le_bytes(number).to_bits(), 1.5_f32.to_bits());
    }
}
