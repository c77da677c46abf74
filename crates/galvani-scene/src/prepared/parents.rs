//! From the parents' spaces to the model's.

use fearless_simd::{Level, dispatch, f32x4, prelude::*};

use super::clip::SameLevel;
use super::matrices::{Columns, ModelMatrices};
use super::pose::{JointPoses, PoseBlock};
use super::time::load;
use super::{BLOCK, Row};
use crate::Scene;

/// Which joint hangs on which.
#[derive(Debug, Clone, PartialEq)]
pub struct PreparedSkeleton {
    pub(super) level: SameLevel,
    /// For each joint one before it, or [`NONE`].
    parents: Vec<u32>,
}

/// No parent.
const NONE: u32 = u32::MAX;

impl PreparedSkeleton {
    /// The nodes of a scene whose [check](crate::check()) finds no error.
    pub fn new(scene: &Scene) -> Self {
        PreparedSkeleton::with_level(Level::new(), scene)
    }

    /// The same with instructions that somebody chose. What comes of it is the same.
    pub fn with_level(level: Level, scene: &Scene) -> Self {
        let parent = |(i, node): (usize, &crate::Node)| {
            let parent = node.parent.map(crate::Id::index).filter(|parent| *parent < i);
            parent.and_then(|parent| u32::try_from(parent).ok()).unwrap_or(NONE)
        };
        PreparedSkeleton {
            level: SameLevel(level),
            parents: scene.nodes.iter().enumerate().map(parent).collect(),
        }
    }

    /// How many joints.
    pub fn joint_count(&self) -> usize {
        self.parents.len()
    }

    /// What a joint hangs on.
    pub fn parent(&self, joint: usize) -> Option<usize> {
        usize::try_from(self.parents[joint]).ok().filter(|parent| *parent < joint)
    }

    /// The matrices of all joints in the model's space. Nothing is allocated if there is one for each.
    pub fn to_model(&self, pose: &JointPoses, into: &mut ModelMatrices) {
        into.matrices.resize(self.parents.len(), Columns([0.0; 16]));
        dispatch!(self.level.0, simd => place(simd, &self.parents, &pose.blocks, &mut into.matrices));
    }
}

/// Column after column of sixteen matrices, each of four numbers.
#[repr(C, align(64))]
struct Locals([[[f32; 4]; BLOCK]; 4]);

#[inline(always)]
fn place<S: Simd>(simd: S, parents: &[u32], blocks: &[PoseBlock], into: &mut [Columns]) {
    let mut locals = Locals([[[0.0; 4]; BLOCK]; 4]);
    for (i, block) in blocks.iter().enumerate() {
        columns(simd, block, &mut locals);
        let first = i * BLOCK;
        for joint in first..into.len().min(first + BLOCK) {
            let [x, y, z, origin] = &locals.0;
            let at = joint - first;
            let mut local = Columns([0.0; 16]);
            for (to, from) in local.0.as_chunks_mut::<4>().0.iter_mut().zip([x, y, z, origin]) {
                *to = from[at];
            }
            let parent = usize::try_from(parents[joint]).unwrap_or(usize::MAX);
            into[joint] = match into.get(parent) {
                Some(parent) => product(simd, parent, &local),
                None => local,
            };
        }
    }
}

/// A matrix in the space of another.
#[inline(always)]
pub(super) fn product<S: Simd>(simd: S, Columns(parent): &Columns, Columns(local): &Columns) -> Columns {
    let x = f32x4::from_slice(simd, &parent[..4]);
    let y = f32x4::from_slice(simd, &parent[4..8]);
    let z = f32x4::from_slice(simd, &parent[8..12]);
    let origin = f32x4::from_slice(simd, &parent[12..]);
    let mut made = Columns([0.0; 16]);
    for at in [0, 4, 8, 12] {
        let mut column = x * local[at] + y * local[at + 1] + z * local[at + 2];
        if at == 12 {
            column += origin;
        }
        column.store_slice(&mut made.0[at..at + 4]);
    }
    made
}

/// The matrices of a block's joints in their parents' spaces.
#[inline(always)]
fn columns<S: Simd>(simd: S, block: &PoseBlock, into: &mut Locals) {
    let mut rows = Rows([[0.0; BLOCK]; 12]);
    for at in (0..BLOCK).step_by(S::f32s::LEN) {
        let [x, y, z] = load_three(simd, &block.rotation[..3], at);
        let w = load(simd, &block.rotation[3], at);
        let [sx, sy, sz] = load_three(simd, &block.scale, at);
        let one = S::f32s::splat(simd, 1.0);
        let [x2, y2, z2] = [x + x, y + y, z + z];
        let [xx, yy, zz] = [x * x2, y * y2, z * z2];
        let [xy, xz, yz] = [x * y2, x * z2, y * z2];
        let [wx, wy, wz] = [w * x2, w * y2, w * z2];
        let made = [
            [(one - (yy + zz)) * sx, (xy + wz) * sx, (xz - wy) * sx],
            [(xy - wz) * sy, (one - (xx + zz)) * sy, (yz + wx) * sy],
            [(xz + wy) * sz, (yz - wx) * sz, (one - (xx + yy)) * sz],
            load_three(simd, &block.translation, at),
        ];
        for (row, made) in rows.0.iter_mut().zip(made.as_flattened()) {
            made.store_slice(&mut row[at..at + S::f32s::LEN]);
        }
    }
    let (rows, _) = rows.0.as_chunks::<3>();
    for (i, (column, [x, y, z])) in into.0.iter_mut().zip(rows).enumerate() {
        let last = f32x4::splat(simd, if i == 3 { 1.0 } else { 0.0 });
        for at in (0..BLOCK).step_by(4) {
            let x = f32x4::from_slice(simd, &x[at..at + 4]);
            let y = f32x4::from_slice(simd, &y[at..at + 4]);
            let z = f32x4::from_slice(simd, &z[at..at + 4]);
            let four = [x, y, z, last];
            f32x4::store_four_interleaved(four, column[at..at + 4].as_flattened_mut());
        }
    }
}

/// Three rows at a place.
#[inline(always)]
fn load_three<S: Simd>(simd: S, rows: &[Row], at: usize) -> [S::f32s; 3] {
    [load(simd, &rows[0], at), load(simd, &rows[1], at), load(simd, &rows[2], at)]
}

/// What becomes of each axis and of the origin, number after number.
#[repr(C, align(64))]
pub(super) struct Rows(pub(super) [Row; 12]);
