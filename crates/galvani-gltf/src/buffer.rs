//! The numbers of a scene as bytes: one buffer, a view per kind of use and per picture, an accessor per list. A list
//! that is there already is not written again.

use std::collections::BTreeMap;
use std::hash::BuildHasher;

use foldhash::fast::RandomState;

use crate::frame::pad;
use crate::schema::{Accessor, Buffer, BufferView};

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
    accessors: Vec<(Use, Accessor)>,
    /// Lists that are there already, by the hash of all that they say.
    known: BTreeMap<u64, Vec<usize>>,
    hashes: RandomState,
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

/// A list to be written.
struct List {
    used: Use,
    component_type: u32,
    form: &'static str,
    count: usize,
    bytes: Vec<u8>,
}

impl Bytes {
    /// Positions, with their box.
    pub(crate) fn positions(&mut self, rows: &[[f32; 3]]) -> usize {
        self.list(floats(Use::Vec3, "VEC3", rows), || bounds(rows))
    }

    /// Normals.
    pub(crate) fn normals(&mut self, rows: &[[f32; 3]]) -> usize {
        self.list(floats(Use::Vec3, "VEC3", rows), no_bounds)
    }

    /// Texture coordinates.
    pub(crate) fn uvs(&mut self, rows: &[[f32; 2]]) -> usize {
        self.list(floats(Use::Vec2, "VEC2", rows), no_bounds)
    }

    /// Colours, tangents or weights.
    pub(crate) fn fours(&mut self, rows: &[[f32; 4]]) -> usize {
        self.list(floats(Use::Vec4, "VEC4", rows), no_bounds)
    }

    /// Joints of vertices, in a byte each where they fit.
    pub(crate) fn joints(&mut self, rows: &[[u16; 4]]) -> usize {
        let short: Option<Vec<u8>> = rows.iter().flatten().map(|joint| u8::try_from(*joint).ok()).collect();
        let long = || words(rows.as_flattened().iter().map(|joint| joint.to_le_bytes()));
        let (used, component_type) = if short.is_some() { (Use::Joints8, U8) } else { (Use::Joints16, U16) };
        let bytes = short.unwrap_or_else(long);
        self.list(List { used, component_type, form: "VEC4", count: rows.len(), bytes }, no_bounds)
    }

    /// Indices, in two bytes where they fit.
    pub(crate) fn indices(&mut self, indices: &[u32]) -> usize {
        let is_short = indices.iter().fold(0, |greatest, index| greatest.max(*index)) < RESTART;
        let short: Option<Vec<u16>> =
            is_short.then(|| indices.iter().map(|index| u16::try_from(*index).unwrap_or_default()).collect());
        let (component_type, bytes) = match short {
            Some(short) => (U16, words(short.iter().map(|index| index.to_le_bytes()))),
            None => (U32, words(indices.iter().map(|index| index.to_le_bytes()))),
        };
        let list = List { used: Use::Indices, component_type, form: "SCALAR", count: indices.len(), bytes };
        self.list(list, no_bounds)
    }

    /// Times of keys.
    pub(crate) fn times(&mut self, times: &[f32]) -> usize {
        let rows = times.as_chunks::<1>().0;
        self.list(floats(Use::Times, "SCALAR", rows), || bounds(rows))
    }

    /// Matrices of joints, column by column.
    pub(crate) fn matrices(&mut self, rows: &[[f32; 16]]) -> usize {
        self.list(floats(Use::Matrices, "MAT4", rows), no_bounds)
    }

    /// Values of keys, of one to four numbers.
    pub(crate) fn values<const N: usize>(&mut self, rows: &[[f32; N]]) -> usize {
        let form = match N {
            1 => "SCALAR",
            2 => "VEC2",
            3 => "VEC3",
            _ => "VEC4",
        };
        self.list(floats(Use::Values, form, rows), no_bounds)
    }

    /// Values of keys that are yes or no.
    pub(crate) fn flags(&mut self, flags: &[bool]) -> usize {
        let bytes = flags.iter().map(|flag| u8::from(*flag)).collect();
        let list = List { used: Use::Values, component_type: U8, form: "SCALAR", count: flags.len(), bytes };
        self.list(list, no_bounds)
    }

    /// A picture as a file; its number among the pictures.
    pub(crate) fn picture(&mut self, file: Vec<u8>) -> usize {
        self.pictures.push(file);
        self.pictures.len().saturating_sub(1)
    }

    fn list(&mut self, list: List, bounds: impl FnOnce() -> (Vec<f64>, Vec<f64>)) -> usize {
        let List { used, component_type, form, count, bytes } = list;
        let hash = self.hashes.hash_one((used, component_type, form, count, &bytes));
        let same = |place: &&usize| {
            let Some((other, accessor)) = self.accessors.get(**place) else { return false };
            let end = accessor.byte_offset.saturating_add(bytes.len());
            let there = self.views.get(other).and_then(|view| view.get(accessor.byte_offset..end));
            (*other, accessor.component_type, accessor.form) == (used, component_type, form)
                && there == Some(&bytes)
        };
        if let Some(known) = self.known.get(&hash).and_then(|places| places.iter().find(same)) {
            return *known;
        }
        let view = self.views.entry(used).or_default();
        let byte_offset = view.len();
        view.extend(&bytes);
        pad(view, 0);
        let (min, max) = bounds();
        let accessor = Accessor { buffer_view: 0, byte_offset, component_type, count, form, min, max };
        let place = self.accessors.len();
        self.accessors.push((used, accessor));
        self.known.entry(hash).or_default().push(place);
        place
    }

    /// The views one behind the other.
    pub(crate) fn finish(self) -> Done {
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
        let place = |used: Use| places.get(&used).copied().unwrap_or_default();
        let accessors = self
            .accessors
            .into_iter()
            .map(|(used, accessor)| Accessor { buffer_view: place(used), ..accessor })
            .collect();
        let buffers = if bin.len == 0 { vec![] } else { vec![Buffer { uri: None, byte_length: bin.len }] };
        Done { accessors, buffer_views, buffers, bin, first_picture }
    }
}

/// Words of a known number one behind the other.
fn words<const N: usize>(words: impl ExactSizeIterator<Item = [u8; N]>) -> Vec<u8> {
    words.collect::<Vec<[u8; N]>>().into_flattened()
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

fn floats<const N: usize>(used: Use, form: &'static str, rows: &[[f32; N]]) -> List {
    let bytes = words(rows.as_flattened().iter().map(|number| number.to_le_bytes()));
    List { used, component_type: FLOAT, form, count: rows.len(), bytes }
}

fn no_bounds() -> (Vec<f64>, Vec<f64>) {
    (Vec::new(), Vec::new())
}

/// Lowest and highest of each component.
fn bounds<const N: usize>(rows: &[[f32; N]]) -> (Vec<f64>, Vec<f64>) {
    let fold = |first: f32, pick: fn(f32, f32) -> f32| {
        let start = [first; N];
        let both = |all: [f32; N], row: &[f32; N]| {
            let mut row = row.iter();
            all.map(|a| row.next().map_or(a, |&b| pick(a, b)))
        };
        rows.iter().fold(start, both).map(f64::from).to_vec()
    };
    (fold(f32::INFINITY, f32::min), fold(f32::NEG_INFINITY, f32::max))
}
