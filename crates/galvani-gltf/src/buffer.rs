//! The numbers of a scene as bytes: one buffer, a view per kind of use, an accessor per list.

use std::collections::BTreeMap;

use crate::glb::pad;
use crate::schema::{Accessor, Buffer, BufferView};

const FLOAT: u32 = 5126;
const U16: u32 = 5123;
const U32: u32 = 5125;
const ARRAY_BUFFER: u32 = 34962;
const ELEMENT_ARRAY_BUFFER: u32 = 34963;
/// The highest word; some readers take it for a restart.
const RESTART: u32 = 0xFFFF;

/// What a view is for. Lists of one use lie in one view.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Use {
    /// Indices of triangles.
    Indices,
    /// Positions and normals.
    Vec3,
    /// Texture coordinates.
    Vec2,
    /// Times and values of curves.
    Curves,
}

impl Use {
    fn target(self) -> Option<u32> {
        match self {
            Use::Indices => Some(ELEMENT_ARRAY_BUFFER),
            Use::Vec3 | Use::Vec2 => Some(ARRAY_BUFFER),
            Use::Curves => None,
        }
    }

    fn stride(self) -> Option<usize> {
        match self {
            Use::Vec3 => Some(12),
            Use::Vec2 => Some(8),
            Use::Indices | Use::Curves => None,
        }
    }
}

/// Bytes in the making.
#[derive(Debug, Default)]
pub(crate) struct Bytes {
    views: BTreeMap<Use, Vec<u8>>,
    accessors: Vec<(Use, Accessor)>,
    /// Times that are there already, as bits, and where.
    times: BTreeMap<Vec<u32>, usize>,
}

/// Everything that the JSON says about the bytes, and the bytes.
pub(crate) struct Done {
    pub(crate) accessors: Vec<Accessor>,
    pub(crate) buffer_views: Vec<BufferView>,
    pub(crate) buffers: Vec<Buffer>,
    pub(crate) bin: Vec<u8>,
}

impl Bytes {
    /// Positions, with their box.
    pub(crate) fn positions(&mut self, positions: &[[f32; 3]]) -> usize {
        let (min, max) = bounds(positions);
        self.floats(Use::Vec3, "VEC3", positions, min, max)
    }

    /// Normals; none make no accessor.
    pub(crate) fn normals(&mut self, normals: &[[f32; 3]]) -> Option<usize> {
        (!normals.is_empty()).then(|| self.floats(Use::Vec3, "VEC3", normals, vec![], vec![]))
    }

    /// Texture coordinates; none make no accessor.
    pub(crate) fn uvs(&mut self, uvs: &[[f32; 2]]) -> Option<usize> {
        (!uvs.is_empty()).then(|| self.floats(Use::Vec2, "VEC2", uvs, vec![], vec![]))
    }

    /// Times of keys, once for all curves that share them.
    pub(crate) fn times(&mut self, times: &[f32]) -> usize {
        let bits: Vec<u32> = times.iter().map(|time| time.to_bits()).collect();
        if let Some(&known) = self.times.get(&bits) {
            return known;
        }
        let rows: Vec<[f32; 1]> = times.iter().map(|&time| [time]).collect();
        let (min, max) = bounds(&rows);
        let new = self.floats(Use::Curves, "SCALAR", &rows, min, max);
        self.times.insert(bits, new);
        new
    }

    /// Translations of keys.
    pub(crate) fn translations(&mut self, values: &[[f32; 3]]) -> usize {
        self.floats(Use::Curves, "VEC3", values, vec![], vec![])
    }

    /// Rotations of keys.
    pub(crate) fn rotations(&mut self, values: &[[f32; 4]]) -> usize {
        self.floats(Use::Curves, "VEC4", values, vec![], vec![])
    }

    /// Indices, in two bytes where they fit.
    pub(crate) fn indices(&mut self, indices: &[u32]) -> usize {
        let fit = indices.iter().all(|&index| index < RESTART);
        let short: Vec<u16> =
            indices.iter().filter(|_| fit).filter_map(|&index| u16::try_from(index).ok()).collect();
        let bytes: Vec<u8> = if fit {
            short.iter().flat_map(|index| index.to_le_bytes()).collect()
        } else {
            indices.iter().flat_map(|index| index.to_le_bytes()).collect()
        };
        let component_type = if fit { U16 } else { U32 };
        self.list(Use::Indices, component_type, "SCALAR", indices.len(), &bytes, (vec![], vec![]))
    }

    fn floats<const N: usize>(
        &mut self,
        used: Use,
        kind: &'static str,
        rows: &[[f32; N]],
        min: Vec<f64>,
        max: Vec<f64>,
    ) -> usize {
        let bytes: Vec<u8> = rows.iter().flatten().flat_map(|number| number.to_le_bytes()).collect();
        self.list(used, FLOAT, kind, rows.len(), &bytes, (min, max))
    }

    fn list(
        &mut self,
        used: Use,
        component_type: u32,
        kind: &'static str,
        count: usize,
        bytes: &[u8],
        (min, max): (Vec<f64>, Vec<f64>),
    ) -> usize {
        let view = self.views.entry(used).or_default();
        let byte_offset = view.len();
        view.extend(bytes);
        pad(view, 0);
        let accessor = Accessor { buffer_view: 0, byte_offset, component_type, count, kind, min, max };
        self.accessors.push((used, accessor));
        self.accessors.len().saturating_sub(1)
    }

    /// The views one behind the other.
    pub(crate) fn finish(self) -> Done {
        let places: BTreeMap<Use, usize> = self.views.keys().copied().zip(0..).collect();
        let mut bin = Vec::new();
        let mut buffer_views = Vec::new();
        for (used, bytes) in &self.views {
            buffer_views.push(BufferView {
                buffer: 0,
                byte_offset: bin.len(),
                byte_length: bytes.len(),
                byte_stride: used.stride(),
                target: used.target(),
            });
            bin.extend(bytes);
        }
        let place = |used: Use| places.get(&used).copied().unwrap_or_default();
        let accessors = self
            .accessors
            .into_iter()
            .map(|(used, accessor)| Accessor { buffer_view: place(used), ..accessor })
            .collect();
        let buffers = if bin.is_empty() { vec![] } else { vec![Buffer { byte_length: bin.len() }] };
        Done { accessors, buffer_views, buffers, bin }
    }
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
