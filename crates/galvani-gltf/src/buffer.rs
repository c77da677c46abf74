//! The numbers of a scene as bytes: one buffer, a view per kind of use and per picture, an accessor per list. A list
//! that is there already is not written again.

use std::collections::BTreeMap;

use glam::{Vec2, Vec3};
use zerocopy::IntoBytes;

use crate::frame::pad;
use crate::schema::{Accessor, Buffer, BufferView};
use crate::unique::Places;

const FLOAT: u32 = 5126;
const U8: u32 = 5121;
const U16: u32 = 5123;
const U32: u32 = 5125;
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;
/// The highest word; some readers take it for a restart.
const RESTART: u32 = 0xFFFF;

/// What a view is for. Lists of one use lie in one view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
enum Use {
    /// Indices of triangles.
    Indices,
    /// Colours, tangents and weights.
    Vec4,
    /// Positions and normals.
    Vec3,
    /// Texture coordinates.
    Vec2,
    /// Joints of vertices, a byte each.
    Joints8,
    /// Joints of vertices, two bytes each.
    Joints16,
    /// Matrices of skins.
    Matrices,
    /// Times of keys.
    Times,
    /// Values of keys.
    Values,
}

impl Use {
    fn target(self) -> Option<u32> {
        match self {
            Use::Indices => Some(ELEMENT_ARRAY_BUFFER),
            Use::Matrices | Use::Times | Use::Values => None,
            _ => Some(ARRAY_BUFFER),
        }
    }

    fn stride(self) -> Option<usize> {
        match self {
            Use::Vec4 => Some(16),
            Use::Vec3 => Some(12),
            Use::Vec2 | Use::Joints16 => Some(8),
            Use::Joints8 => Some(4),
            Use::Indices | Use::Matrices | Use::Times | Use::Values => None,
        }
    }
}

/// Bytes in the making.
#[derive(Debug, Default)]
pub(crate) struct Bytes {
    views: BTreeMap<Use, Vec<u8>>,
    accessors: Vec<Accessor>,
    /// What each of them is for.
    uses: Vec<Use>,
    /// Lists that are there already, by their bytes.
    known: Places,
    /// The times that were written last: most tracks have those of the track before them.
    last_times: Option<usize>,
    /// Pictures; their views come behind all others.
    pictures: Vec<Vec<u8>>,
}

/// Everything that the JSON says about the bytes, and the bytes.
pub(crate) struct Done {
    pub(crate) accessors: Vec<Accessor>,
    pub(crate) buffer_views: Vec<BufferView>,
    pub(crate) buffers: Vec<Buffer>,
    pub(crate) bin: Bin,
    /// The view of the first picture.
    pub(crate) first_picture: usize,
}

/// What a list is.
#[derive(Clone, Copy)]
struct ListKind {
    used: Use,
    component_type: u32,
    form: &'static str,
}

impl Bytes {
    /// Positions, with their box.
    pub(crate) fn positions(&mut self, positions: &[Vec3]) -> usize {
        let rows = positions.iter().map(Vec3::to_array);
        self.floats(Use::Vec3, rows.clone(), || bounds(&rows))
    }

    /// Normals.
    pub(crate) fn normals(&mut self, normals: &[Vec3]) -> usize {
        self.floats(Use::Vec3, normals.iter().map(Vec3::to_array), no_bounds)
    }

    /// Texture coordinates.
    pub(crate) fn uvs(&mut self, uvs: impl ExactSizeIterator<Item = Vec2>) -> usize {
        self.floats(Use::Vec2, uvs.map(|uv| uv.to_array()), no_bounds)
    }

    /// Colours, tangents or weights.
    pub(crate) fn fours(&mut self, rows: impl ExactSizeIterator<Item = [f32; 4]>) -> usize {
        self.floats(Use::Vec4, rows, no_bounds)
    }

    /// Joints of vertices, in a byte each where they fit.
    pub(crate) fn joints(&mut self, rows: &[[u16; 4]]) -> usize {
        let joints = rows.as_flattened();
        let short: Option<Vec<u8>> = joints.iter().map(|joint| u8::try_from(*joint).ok()).collect();
        let (used, component_type) = if short.is_some() { (Use::Joints8, U8) } else { (Use::Joints16, U16) };
        let kind = ListKind { used, component_type, form: "VEC4" };
        self.list(kind, rows.len(), no_bounds, |view| match &short {
            Some(short) => view.extend_from_slice(short),
            None => extend(view, joints.iter().map(|joint| [joint.to_le_bytes()])),
        })
    }

    /// Indices, in two bytes where they fit.
    pub(crate) fn indices(&mut self, indices: &[u32]) -> usize {
        let is_short = indices.iter().fold(0, |greatest, index| greatest.max(*index)) < RESTART;
        let short = |index: &u32| u16::try_from(*index).unwrap_or_default();
        let component_type = if is_short { U16 } else { U32 };
        let kind = ListKind { used: Use::Indices, component_type, form: "SCALAR" };
        self.list(kind, indices.len(), no_bounds, |view| {
            if is_short {
                extend(view, indices.iter().map(|index| [short(index).to_le_bytes()]));
            } else {
                extend(view, indices.iter().map(|index| [index.to_le_bytes()]));
            }
        })
    }

    /// Times of keys.
    pub(crate) fn times(&mut self, times: &[f32]) -> usize {
        if let Some(last) = self.last_times.filter(|last| self.are_times(*last, times)) {
            return last;
        }
        let rows = times.iter().map(|time| [*time]);
        let place = self.floats(Use::Times, rows.clone(), || bounds(&rows));
        self.last_times = Some(place);
        place
    }

    /// Whether an accessor is of exactly these times.
    fn are_times(&self, accessor: usize, times: &[f32]) -> bool {
        let there = self.accessors.get(accessor).filter(|accessor| accessor.count == times.len());
        let view = self.views.get(&Use::Times).map_or(&[][..], Vec::as_slice);
        let Some(bytes) = there.and_then(|accessor| view.get(accessor.byte_offset..)) else { return false };
        if cfg!(target_endian = "little") {
            return bytes.starts_with(times.as_bytes());
        }
        bytes.as_chunks().0.iter().zip(times).all(|(there, time)| *there == time.to_le_bytes())
    }

    /// Matrices of joints, column by column.
    pub(crate) fn matrices(&mut self, rows: impl ExactSizeIterator<Item = [f32; 16]>) -> usize {
        self.floats(Use::Matrices, rows, no_bounds)
    }

    /// Values of keys, of one to four numbers.
    pub(crate) fn values<const N: usize>(&mut self, rows: impl ExactSizeIterator<Item = [f32; N]>) -> usize {
        self.floats(Use::Values, rows, no_bounds)
    }

    /// Values of keys that are yes or no.
    pub(crate) fn flags(&mut self, flags: &[bool]) -> usize {
        let kind = ListKind { used: Use::Values, component_type: U8, form: "SCALAR" };
        self.list(kind, flags.len(), no_bounds, |view| view.extend(flags.iter().map(|flag| u8::from(*flag))))
    }

    /// Makes room for values of keys, of so many tracks.
    pub(crate) fn expect_values(&mut self, len: usize, tracks: usize) {
        self.views.entry(Use::Values).or_default().reserve(len);
        self.accessors.reserve(tracks);
        self.uses.reserve(tracks);
        self.known.reserve(tracks);
    }

    /// A picture as a file; its number among the pictures.
    pub(crate) fn picture(&mut self, file: Vec<u8>) -> usize {
        self.pictures.push(file);
        self.pictures.len().saturating_sub(1)
    }

    fn floats<const N: usize>(
        &mut self,
        used: Use,
        rows: impl ExactSizeIterator<Item = [f32; N]>,
        bounds: impl FnOnce() -> (Vec<f64>, Vec<f64>),
    ) -> usize {
        let form = match N {
            1 => "SCALAR",
            2 => "VEC2",
            3 => "VEC3",
            4 => "VEC4",
            _ => "MAT4",
        };
        let kind = ListKind { used, component_type: FLOAT, form };
        self.list(kind, rows.len(), bounds, |view| extend(view, rows.map(|row| row.map(f32::to_le_bytes))))
    }

    /// Writes a list at the end of its view, and takes it back if it is there already.
    fn list(
        &mut self,
        kind: ListKind,
        count: usize,
        bounds: impl FnOnce() -> (Vec<f64>, Vec<f64>),
        write: impl FnOnce(&mut Vec<u8>),
    ) -> usize {
        let view = self.views.entry(kind.used).or_default();
        let byte_offset = view.len();
        write(view);
        let bytes = view.get(byte_offset..).unwrap_or_default();
        let end = self.accessors.len();
        let is_same = |place: usize| {
            let there = self.uses.get(place).zip(self.accessors.get(place));
            there.is_some_and(|there| is_same(there, kind, view, bytes))
        };
        let place = self.known.place_of(bytes, end, is_same);
        if place < end {
            view.truncate(byte_offset);
            return place;
        }
        pad(view, 0);
        let ListKind { used, component_type, form } = kind;
        let (min, max) = bounds();
        let accessor = Accessor { buffer_view: 0, byte_offset, component_type, count, form, min, max };
        self.accessors.push(accessor);
        self.uses.push(used);
        place
    }

    /// The views one behind the other.
    pub(crate) fn finish(mut self) -> Done {
        self.views.retain(|_, view| !view.is_empty());
        let places: BTreeMap<Use, usize> = self.views.keys().copied().zip(0..).collect();
        let mut bin = Bin::default();
        let mut buffer_views = Vec::new();
        for (used, bytes) in self.views {
            buffer_views.push(bin.view(bytes, used.stride(), used.target()));
        }
        let first_picture = buffer_views.len();
        for bytes in self.pictures {
            buffer_views.push(bin.view(bytes, None, None));
        }
        for (accessor, used) in self.accessors.iter_mut().zip(&self.uses) {
            accessor.buffer_view = places.get(used).copied().unwrap_or_default();
        }
        let buffers = if bin.len == 0 { vec![] } else { vec![Buffer { uri: None, byte_length: bin.len }] };
        Done { accessors: self.accessors, buffer_views, buffers, bin, first_picture }
    }
}

/// Whether a list is there as it would be written, its bytes being the last of its view.
fn is_same((used, there): (&Use, &Accessor), kind: ListKind, view: &[u8], bytes: &[u8]) -> bool {
    let end = there.byte_offset.saturating_add(bytes.len());
    (*used, there.component_type, there.form) == (kind.used, kind.component_type, kind.form)
        && view.get(there.byte_offset..end) == Some(bytes)
}

/// Appends rows of words.
fn extend<const N: usize, const B: usize>(
    bytes: &mut Vec<u8>,
    rows: impl ExactSizeIterator<Item = [[u8; B]; N]>,
) {
    let start = bytes.len();
    let row_len = N.saturating_mul(B);
    bytes.resize(start.saturating_add(rows.len().saturating_mul(row_len)), 0);
    let (words, _) = bytes.get_mut(start..).unwrap_or_default().as_chunks_mut::<B>();
    let (places, _) = words.as_chunks_mut::<N>();
    for (place, row) in places.iter_mut().zip(rows) {
        *place = row;
    }
}

/// The bytes of a buffer, piece by piece: they are put together once, where they are to be.
#[derive(Debug, Default)]
pub(crate) struct Bin {
    pieces: Vec<Vec<u8>>,
    len: usize,
}

impl Bin {
    /// Appends bytes as a view.
    fn view(&mut self, mut bytes: Vec<u8>, byte_stride: Option<usize>, target: Option<u32>) -> BufferView {
        let (byte_offset, byte_length) = (self.len, bytes.len());
        pad(&mut bytes, 0);
        self.len = self.len.saturating_add(bytes.len());
        self.pieces.push(bytes);
        BufferView { buffer: 0, byte_offset, byte_length, byte_stride, target }
    }

    /// How many bytes.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Appends all of them.
    pub(crate) fn write(&self, to: &mut Vec<u8>) {
        to.reserve_exact(self.len);
        self.pieces.iter().for_each(|piece| to.extend_from_slice(piece));
    }
}

fn no_bounds() -> (Vec<f64>, Vec<f64>) {
    (Vec::new(), Vec::new())
}

/// Lowest and highest of each component.
fn bounds<const N: usize>(rows: &(impl Iterator<Item = [f32; N]> + Clone)) -> (Vec<f64>, Vec<f64>) {
    let (mut least, mut most) = ([f32::INFINITY; N], [f32::NEG_INFINITY; N]);
    for row in rows.clone() {
        for ((least, most), part) in least.iter_mut().zip(&mut most).zip(row) {
            (*least, *most) = (least.min(part), most.max(part));
        }
    }
    (least.map(f64::from).to_vec(), most.map(f64::from).to_vec())
}
