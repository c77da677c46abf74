//! Vertices and normals bent by joints.

use fearless_simd::{Level, dispatch, f32x4, f32x16, prelude::*};
use glam::Mat4;

use super::clip::SameLevel;
use super::matrices::{Columns, ModelMatrices};
use super::parents::{Rows, product};
use super::pose::put;
use super::time::load;
use super::{BLOCK, Row, blocks};
use crate::{Primitive, Pull, Skin};

/// The joints of a skin, ready to become a palette: what each does to the vertices that it holds.
#[derive(Debug, Clone, PartialEq)]
pub struct PreparedSkin {
    level: SameLevel,
    joints: Vec<usize>,
    inverse_binds: Vec<Columns>,
}

impl PreparedSkin {
    /// A skin of a scene.
    pub fn new(skin: &Skin) -> Self {
        PreparedSkin::with_level(Level::new(), skin)
    }

    /// The same with instructions that somebody chose. What comes of it is the same.
    pub fn with_level(level: Level, skin: &Skin) -> Self {
        let columns = |joint: &crate::Joint| Columns(Mat4::from(joint.inverse_bind).to_cols_array());
        PreparedSkin {
            level: SameLevel(level),
            joints: skin.joints.iter().map(|joint| joint.node.index()).collect(),
            inverse_binds: skin.joints.iter().map(columns).collect(),
        }
    }

    /// How many joints.
    pub fn joint_count(&self) -> usize {
        self.joints.len()
    }

    /// What each joint does to the vertices that it holds, from the places of the nodes in the model. Nothing is
    /// allocated if there is a matrix for each.
    pub fn palette(&self, models: &ModelMatrices, into: &mut ModelMatrices) {
        into.matrices.resize(self.joints.len(), Columns([0.0; 16]));
        dispatch!(self.level.0, simd => self.fill(simd, models, into));
    }

    #[inline(always)]
    fn fill<S: Simd>(&self, simd: S, models: &ModelMatrices, into: &mut ModelMatrices) {
        for ((into, &joint), bind) in into.matrices.iter_mut().zip(&self.joints).zip(&self.inverse_binds) {
            *into = product(simd, &models.matrices[joint], bind);
        }
    }
}

/// Vertices and normals of a primitive with what pulls at them, sixteen to a block.
#[derive(Debug, Clone, PartialEq)]
pub struct PreparedMesh {
    level: SameLevel,
    pub(super) vertices: usize,
    pub(super) blocks: Vec<VertexBlock>,
    /// Vertex after vertex, four at a time; what is missing pulls with nothing.
    pub(super) pulls: Vec<[Pulling; 4]>,
    /// Where those of each vertex end.
    pub(super) ends: Vec<u32>,
    has_normals: bool,
}

/// A joint of the skin, and how much it pulls.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub(super) struct Pulling {
    pub(super) joint: u32,
    pub(super) weight: f32,
}

/// Sixteen vertices at rest.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(64))]
pub(super) struct VertexBlock {
    pub(super) position: [Row; 3],
    pub(super) normal: [Row; 3],
}

impl PreparedMesh {
    /// A primitive of a scene.
    pub fn new(primitive: &Primitive) -> Self {
        PreparedMesh::with_level(Level::new(), primitive)
    }

    /// The same with instructions that somebody chose. What comes of it is the same.
    pub fn with_level(level: Level, primitive: &Primitive) -> Self {
        let vertices = primitive.positions.len().min(primitive.influences.len());
        let still = VertexBlock { position: [[0.0; BLOCK]; 3], normal: [[0.0; BLOCK]; 3] };
        let mut made = PreparedMesh {
            level: SameLevel(level),
            vertices,
            blocks: vec![still; blocks(vertices)],
            pulls: Vec::new(),
            ends: Vec::new(),
            has_normals: !primitive.normals.is_empty(),
        };
        for (i, position) in primitive.positions.iter().take(vertices).enumerate() {
            put(&mut made.blocks[i / BLOCK].position, i, position.to_array());
        }
        for (i, normal) in primitive.normals.iter().take(vertices).enumerate() {
            put(&mut made.blocks[i / BLOCK].normal, i, normal.to_array());
        }
        let number = |count: usize| u32::try_from(count).unwrap_or(u32::MAX);
        for pulls in primitive.influences.iter().take(vertices) {
            made.pulls.extend(pulls.chunks(4).map(|pulls| {
                let pull = |pull: &Pull| Pulling { joint: number(pull.joint), weight: pull.weight };
                std::array::from_fn(|i| pulls.get(i).map(pull).unwrap_or_default())
            }));
            made.ends.push(number(made.pulls.len()));
        }
        made
    }

    /// How many vertices.
    pub fn vertex_count(&self) -> usize {
        self.vertices
    }

    /// How many fours of pulls a vertex has that begin there.
    pub(super) fn pull_count(&self, first: u32, vertex: usize) -> usize {
        count(self.ends[vertex] - first)
    }

    /// Where the vertices are in the model's space, and their normals, of length 1: upright on the surface, however its
    /// joints stretch it. Where they leave nothing of it they stay as they are. As many as there is room for; normals may
    /// have none.
    pub fn skin(&self, palette: &ModelMatrices, positions: &mut [[f32; 3]], normals: &mut [[f32; 3]]) {
        dispatch!(self.level.0, simd => {
            if self.has_normals && !normals.is_empty() {
                self.bend::<_, true>(simd, &palette.matrices, positions, normals);
            } else {
                self.bend::<_, false>(simd, &palette.matrices, positions, normals);
            }
        });
    }

    #[inline(always)]
    fn bend<S: Simd, const NORMALS: bool>(
        &self,
        simd: S,
        palette: &[Columns],
        positions: &mut [[f32; 3]],
        normals: &mut [[f32; 3]],
    ) {
        let mut columns = [Columns([0.0; 16]); BLOCK];
        let mut rows = [const { Rows([[0.0; BLOCK]; 12]) }; STAGE];
        let mut bent = Bent([[0.0; BLOCK]; 6]);
        let mut pulls = self.pulls.as_slice();
        let mut ends = self.ends.chunks(BLOCK);
        let mut before = 0;
        for (i, blocks) in self.blocks.chunks(STAGE).enumerate() {
            for (rows, ends) in rows[..blocks.len()].iter_mut().zip(&mut ends) {
                for (vertex, &end) in ends.iter().enumerate() {
                    let (own, rest) = pulls.split_at(count(end - before));
                    (pulls, before) = (rest, end);
                    pull(simd, palette, own).store_slice(&mut columns[vertex].0);
                }
                in_rows(simd, &columns, rows);
            }
            for (j, (block, rows)) in blocks.iter().zip(&rows).enumerate() {
                for at in (0..BLOCK).step_by(S::f32s::LEN) {
                    place(simd, rows, block, &mut bent, at);
                    if NORMALS {
                        stand(simd, rows, block, &mut bent, at);
                    }
                }
                let first = (i * STAGE + j) * BLOCK;
                let end = self.vertices.min(first + BLOCK);
                let [x, y, z, a, b, c] = &bent.0;
                if let Some(into) = positions.get_mut(first..end.min(positions.len())) {
                    scatter(simd, [x, y, z], into);
                }
                if NORMALS && let Some(into) = normals.get_mut(first..end.min(normals.len())) {
                    scatter(simd, [a, b, c], into);
                }
            }
        }
    }
}

/// How many blocks are pulled before any is bent: what was written in parts is not yet there to be read whole.
const STAGE: usize = 4;

#[allow(clippy::as_conversions, reason = "an index of memory that is there")]
fn count(number: u32) -> usize {
    number as usize
}

/// Positions and normals.
#[repr(C, align(64))]
struct Bent([Row; 6]);

/// The matrices of joints, each as much as it pulls.
#[inline(always)]
fn pull<S: Simd>(simd: S, palette: &[Columns], pulls: &[[Pulling; 4]]) -> f32x16<S> {
    let mut sum = f32x16::splat(simd, 0.0);
    for [a, b, c, d] in pulls {
        sum += pulled(simd, palette, a);
        sum += pulled(simd, palette, b);
        sum += pulled(simd, palette, c);
        sum += pulled(simd, palette, d);
    }
    sum
}

#[inline(always)]
fn pulled<S: Simd>(simd: S, palette: &[Columns], Pulling { joint, weight }: &Pulling) -> f32x16<S> {
    f32x16::from_slice(simd, &palette[count(*joint)].0) * *weight
}

/// Columns vertex by vertex as rows of vertices.
#[inline(always)]
fn in_rows<S: Simd>(simd: S, columns: &[Columns; BLOCK], rows: &mut Rows) {
    let (rows, _) = rows.0.as_chunks_mut::<3>();
    for (i, [x, y, z]) in rows.iter_mut().enumerate() {
        for at in (0..BLOCK).step_by(4) {
            let a = f32x4::from_slice(simd, &columns[at].0[4 * i..4 * i + 4]);
            let b = f32x4::from_slice(simd, &columns[at + 1].0[4 * i..4 * i + 4]);
            let c = f32x4::from_slice(simd, &columns[at + 2].0[4 * i..4 * i + 4]);
            let d = f32x4::from_slice(simd, &columns[at + 3].0[4 * i..4 * i + 4]);
            let (even, odd) = (a.zip_low(c), b.zip_low(d));
            even.zip_low(odd).store_slice(&mut x[at..at + 4]);
            even.zip_high(odd).store_slice(&mut y[at..at + 4]);
            let (even, odd) = (a.zip_high(c), b.zip_high(d));
            even.zip_low(odd).store_slice(&mut z[at..at + 4]);
        }
    }
}

/// Vertices in their places.
#[inline(always)]
fn place<S: Simd>(simd: S, Rows(rows): &Rows, block: &VertexBlock, into: &mut Bent, at: usize) {
    let x = load(simd, &block.position[0], at);
    let y = load(simd, &block.position[1], at);
    let z = load(simd, &block.position[2], at);
    for i in 0..3 {
        let place = load(simd, &rows[i], at) * x
            + load(simd, &rows[3 + i], at) * y
            + load(simd, &rows[6 + i], at) * z
            + load(simd, &rows[9 + i], at);
        place.store_slice(&mut into.0[i][at..at + S::f32s::LEN]);
    }
}

/// Normals upright on what is bent: by the cofactors of the matrix, which are there even where it leaves nothing along
/// one axis, and point inwards where it mirrors.
#[inline(always)]
fn stand<S: Simd>(simd: S, Rows(rows): &Rows, block: &VertexBlock, into: &mut Bent, at: usize) {
    let x = [load(simd, &rows[0], at), load(simd, &rows[1], at), load(simd, &rows[2], at)];
    let y = [load(simd, &rows[3], at), load(simd, &rows[4], at), load(simd, &rows[5], at)];
    let z = [load(simd, &rows[6], at), load(simd, &rows[7], at), load(simd, &rows[8], at)];
    let (a, b, c) = (cross::<S>(y, z), cross::<S>(z, x), cross::<S>(x, y));
    let nothing = S::f32s::splat(simd, 0.0);
    let is_mirrored = (x[0] * a[0] + x[1] * a[1] + x[2] * a[2]).simd_lt(nothing);
    let rest = [
        load(simd, &block.normal[0], at),
        load(simd, &block.normal[1], at),
        load(simd, &block.normal[2], at),
    ];
    let mut normal = rest;
    for i in 0..3 {
        normal[i] = a[i] * rest[0] + b[i] * rest[1] + c[i] * rest[2];
    }
    let square = normal[0] * normal[0] + normal[1] * normal[1] + normal[2] * normal[2];
    let is_there = square.simd_gt(S::f32s::splat(simd, LEAST));
    let one = S::f32s::splat(simd, 1.0);
    let length = is_there.select(square, one).sqrt();
    let factor = one / is_mirrored.select(-length, length);
    for i in 0..3 {
        let normal = is_there.select(normal[i] * factor, rest[i]);
        normal.store_slice(&mut into.0[3 + i][at..at + S::f32s::LEN]);
    }
}

/// The least square of a length that still has all its digits.
pub(super) const LEAST: f32 = f32::MIN_POSITIVE;

#[inline(always)]
fn cross<S: Simd>(a: [S::f32s; 3], b: [S::f32s; 3]) -> [S::f32s; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

/// Rows as vectors.
#[inline(always)]
fn scatter<S: Simd>(simd: S, [x, y, z]: [&Row; 3], into: &mut [[f32; 3]]) {
    for (at, into) in (0..BLOCK).step_by(4).zip(into.chunks_mut(4)) {
        let x = f32x4::from_slice(simd, &x[at..at + 4]);
        let y = f32x4::from_slice(simd, &y[at..at + 4]);
        let z = f32x4::from_slice(simd, &z[at..at + 4]);
        let (even, odd) = (x.zip_low(z), y.zip_low(z));
        let (low, next) = (even.zip_low(odd), even.zip_high(odd));
        let (even, odd) = (x.zip_high(z), y.zip_high(z));
        let (high, last) = (even.zip_low(odd), even.zip_high(odd));
        match into.as_flattened_mut().as_mut_array::<12>() {
            // Each over a number that the next has to say.
            Some(into) => {
                low.store_slice(&mut into[..4]);
                next.store_slice(&mut into[3..7]);
                high.store_slice(&mut into[6..10]);
                into[9..].copy_from_slice(&last.to_array()[..3]);
            }
            None => {
                for (into, from) in into.iter_mut().zip([low, next, high, last]) {
                    into.copy_from_slice(&from.to_array()[..3]);
                }
            }
        }
    }
}
