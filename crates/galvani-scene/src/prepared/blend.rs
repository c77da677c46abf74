//! Poses made of poses.

use fearless_simd::{dispatch, prelude::*};

use super::arc::{of_cosine, weights};
use super::parents::PreparedSkeleton;
use super::pose::{JointPoses, PoseBlock};
use super::time::load;
use super::{BLOCK, Row};

/// A pose and how much it counts: not below 0.
#[derive(Debug, Clone, Copy)]
pub struct PoseLayer<'p> {
    /// The pose.
    pub pose: &'p JointPoses,
    /// How much it counts among the others.
    pub weight: f32,
}

/// Below this a sum of rotations has no direction.
pub(super) const NOTHING: f32 = 1e-12;

impl PreparedSkeleton {
    /// A part of the way from one pose to another, from 0 to 1: places and scales on lines, rotations on shorter arcs.
    pub fn blend(&self, from: &JointPoses, to: &JointPoses, part: f32, into: &mut JointPoses) {
        fit(into, from);
        dispatch!(self.level.0, simd => blend(simd, &from.blocks, &to.blocks, part, &mut into.blocks));
    }

    /// The mean of many poses. Rotations are summed, each on the side of those before it, and the sum made 1 long: of two
    /// it is the middle of the arc, elsewhere near it. Without any weight there is nothing to be mean of, and `into` stays.
    pub fn blend_many(&self, layers: &[PoseLayer<'_>], into: &mut JointPoses) {
        let sum: f32 = layers.iter().map(|layer| layer.weight).sum();
        let (Some(first), true) = (layers.first(), sum > 0.0) else { return };
        fit(into, first.pose);
        dispatch!(self.level.0, simd => blend_many(simd, layers, sum.recip(), &mut into.blocks));
    }

    /// Puts a [difference](Self::difference) on a pose, a part of it from 0 to 1.
    pub fn add(&self, difference: &JointPoses, part: f32, into: &mut JointPoses) {
        dispatch!(self.level.0, simd => add(simd, &difference.blocks, part, &mut into.blocks));
    }

    /// What has to be added to one pose for it to become another: a layer for other poses. Scales of nothing stay so.
    pub fn difference(&self, from: &JointPoses, to: &JointPoses, into: &mut JointPoses) {
        fit(into, from);
        dispatch!(self.level.0, simd => difference(simd, &from.blocks, &to.blocks, &mut into.blocks));
    }
}

/// Makes room for as many joints; nothing is allocated if there is.
fn fit(pose: &mut JointPoses, like: &JointPoses) {
    if pose.joints != like.joints {
        pose.joints = like.joints;
        pose.blocks.resize(like.blocks.len(), PoseBlock::STILL);
    }
}

#[inline(always)]
fn blend<S: Simd>(simd: S, from: &[PoseBlock], to: &[PoseBlock], part: f32, into: &mut [PoseBlock]) {
    let part = S::f32s::splat(simd, part);
    for ((from, to), into) in from.iter().zip(to).zip(into) {
        for at in (0..BLOCK).step_by(S::f32s::LEN) {
            let (a, b) = (turn(simd, &from.rotation, at), turn(simd, &to.rotation, at));
            store(arc(simd, a, b, part), &mut into.rotation, at);
            for i in 0..3 {
                let a = load(simd, &from.translation[i], at);
                let place = (load(simd, &to.translation[i], at) - a) * part + a;
                place.store_slice(&mut into.translation[i][at..at + S::f32s::LEN]);
                let a = load(simd, &from.scale[i], at);
                let scale = (load(simd, &to.scale[i], at) - a) * part + a;
                scale.store_slice(&mut into.scale[i][at..at + S::f32s::LEN]);
            }
        }
    }
}

#[inline(always)]
fn blend_many<S: Simd>(simd: S, layers: &[PoseLayer<'_>], share: f32, into: &mut [PoseBlock]) {
    let nothing = S::f32s::splat(simd, 0.0);
    for (i, into) in into.iter_mut().enumerate() {
        for at in (0..BLOCK).step_by(S::f32s::LEN) {
            let mut turned = [nothing; 4];
            let mut places = [nothing; 3];
            let mut scales = [nothing; 3];
            for PoseLayer { pose, weight } in layers {
                let Some(block) = pose.blocks.get(i) else { continue };
                let weight = S::f32s::splat(simd, weight * share);
                let turn = turn(simd, &block.rotation, at);
                let side = dot(turned, turn).simd_lt(nothing).select(-weight, weight);
                for i in 0..4 {
                    turned[i] += turn[i] * side;
                }
                for i in 0..3 {
                    places[i] += load(simd, &block.translation[i], at) * weight;
                    scales[i] += load(simd, &block.scale[i], at) * weight;
                }
            }
            // What has no direction turns nothing.
            let square = dot(turned, turned);
            let is_there = square.simd_ge(S::f32s::splat(simd, NOTHING));
            let length = is_there.select(square, S::f32s::splat(simd, 1.0)).sqrt();
            for (turned, still) in turned.iter_mut().zip([0.0, 0.0, 0.0, 1.0]) {
                *turned = is_there.select(*turned / length, S::f32s::splat(simd, still));
            }
            store(turned, &mut into.rotation, at);
            for i in 0..3 {
                places[i].store_slice(&mut into.translation[i][at..at + S::f32s::LEN]);
                scales[i].store_slice(&mut into.scale[i][at..at + S::f32s::LEN]);
            }
        }
    }
}

#[inline(always)]
fn add<S: Simd>(simd: S, difference: &[PoseBlock], part: f32, into: &mut [PoseBlock]) {
    let (one, nothing) = (S::f32s::splat(simd, 1.0), S::f32s::splat(simd, 0.0));
    let part = S::f32s::splat(simd, part);
    for (difference, into) in difference.iter().zip(into) {
        for at in (0..BLOCK).step_by(S::f32s::LEN) {
            let more = turn(simd, &difference.rotation, at);
            let more = arc(simd, [nothing, nothing, nothing, one], more, part);
            store(product(turn(simd, &into.rotation, at), more), &mut into.rotation, at);
            for i in 0..3 {
                let more = load(simd, &difference.translation[i], at);
                let place = load(simd, &into.translation[i], at) + more * part;
                place.store_slice(&mut into.translation[i][at..at + S::f32s::LEN]);
                let more = load(simd, &difference.scale[i], at);
                let scale = load(simd, &into.scale[i], at) * ((more - one) * part + one);
                scale.store_slice(&mut into.scale[i][at..at + S::f32s::LEN]);
            }
        }
    }
}

#[inline(always)]
fn difference<S: Simd>(simd: S, from: &[PoseBlock], to: &[PoseBlock], into: &mut [PoseBlock]) {
    let (one, nothing) = (S::f32s::splat(simd, 1.0), S::f32s::splat(simd, 0.0));
    for ((from, to), into) in from.iter().zip(to).zip(into) {
        for at in (0..BLOCK).step_by(S::f32s::LEN) {
            let [x, y, z, w] = turn(simd, &from.rotation, at);
            let turned = product([-x, -y, -z, w], turn(simd, &to.rotation, at));
            store(turned, &mut into.rotation, at);
            for i in 0..3 {
                let place = load(simd, &to.translation[i], at) - load(simd, &from.translation[i], at);
                place.store_slice(&mut into.translation[i][at..at + S::f32s::LEN]);
                let from = load(simd, &from.scale[i], at);
                let is_nothing = from.simd_eq(nothing);
                let scale = load(simd, &to.scale[i], at) / is_nothing.select(one, from);
                is_nothing.select(one, scale).store_slice(&mut into.scale[i][at..at + S::f32s::LEN]);
            }
        }
    }
}

/// Rotations of a block from a joint on.
#[inline(always)]
fn turn<S: Simd>(simd: S, [x, y, z, w]: &[Row; 4], at: usize) -> [S::f32s; 4] {
    [load(simd, x, at), load(simd, y, at), load(simd, z, at), load(simd, w, at)]
}

#[inline(always)]
fn store<S: Simd, F: SimdFloat<S, Element = f32>>(turned: [F; 4], into: &mut [Row; 4], at: usize) {
    for i in 0..4 {
        turned[i].store_slice(&mut into[i][at..at + F::LEN]);
    }
}

/// A part of the shorter arc between two rotations.
#[inline(always)]
fn arc<S: Simd>(simd: S, a: [S::f32s; 4], b: [S::f32s; 4], part: S::f32s) -> [S::f32s; 4] {
    let cosine = dot(a, b);
    let is_far = cosine.simd_lt(S::f32s::splat(simd, 0.0));
    let [square, ratio] = of_cosine(simd, is_far.select(-cosine, cosine));
    let [left, right] = weights(simd, square, ratio, part);
    let right = is_far.select(-right, right);
    let mut made = a;
    for i in 0..4 {
        made[i] = a[i] * left + b[i] * right;
    }
    made
}

#[inline(always)]
fn dot<S: Simd, F: SimdFloat<S, Element = f32>>(a: [F; 4], b: [F; 4]) -> F {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}

/// One rotation behind another.
#[inline(always)]
fn product<S: Simd, F: SimdFloat<S, Element = f32>>(
    [ax, ay, az, aw]: [F; 4],
    [bx, by, bz, bw]: [F; 4],
) -> [F; 4] {
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}
