//! The same arithmetic, joint after joint, without lanes or cursors: what everything faster is held against.
//!
//! It is slow and obvious. The results of the other functions here are these to the last bit.

use glam::{Quat, Vec3};

use super::arc::{CHORD, P};
use super::blend::{NOTHING, PoseLayer};
use super::clip::{Channel, PreparedClip};
use super::matrices::{Columns, ModelMatrices};
use super::parents::PreparedSkeleton;
use super::pose::JointPoses;
use super::skin::{LEAST, PreparedMesh};
use super::time::Times;
use super::{BLOCK, sample};

/// What [`PreparedSampler::sample`](super::PreparedSampler::sample) does.
pub fn sample(clip: &PreparedClip, time: f32, into: &mut JointPoses) {
    let time = clip.clip.time(time);
    into.copy_from(&clip.rest);
    for joint in 0..clip.rest.joints {
        if let Some((from, to, part)) = around(clip, &clip.rotations, joint, time) {
            into.set_rotation(joint, turn(from, to, part));
        }
        if let Some(([x, y, z], [a, b, c], part)) = around(clip, &clip.translations, joint, time) {
            into.set_translation(joint, Vec3::new(line(x, a, part), line(y, b, part), line(z, c, part)));
        }
        if let Some(([x, y, z], [a, b, c], part)) = around(clip, &clip.scales, joint, time) {
            into.set_scale(joint, Vec3::new(line(x, a, part), line(y, b, part), line(z, c, part)));
        }
    }
    for track in &clip.clip.tracks {
        sample::sample_curve(track, time, &mut 0, into);
    }
}

/// What [`PreparedSkeleton::to_model`] does.
pub fn to_model(skeleton: &PreparedSkeleton, pose: &JointPoses, into: &mut ModelMatrices) {
    for joint in 0..skeleton.joint_count() {
        let local = local(pose, joint);
        let made = skeleton.parent(joint).map_or(local, |parent| product(into.columns(parent), &local));
        into.matrices[joint] = Columns(made);
    }
}

/// What [`PreparedSkeleton::blend`] does.
pub fn blend(from: &JointPoses, to: &JointPoses, part: f32, into: &mut JointPoses) {
    for joint in 0..from.joints {
        into.set_rotation(joint, arc(from.rotation(joint), to.rotation(joint), part));
        let (a, b) = (from.translation(joint), to.translation(joint));
        into.set_translation(joint, each(|i| line(a[i], b[i], part)));
        let (a, b) = (from.scale(joint), to.scale(joint));
        into.set_scale(joint, each(|i| line(a[i], b[i], part)));
    }
}

/// What [`PreparedSkeleton::blend_many`] does.
pub fn blend_many(layers: &[PoseLayer<'_>], into: &mut JointPoses) {
    let share = layers.iter().map(|layer| layer.weight).sum::<f32>().recip();
    for joint in 0..into.joints {
        let (mut turned, mut place, mut scale) = ([0.0; 4], [0.0; 3], [0.0; 3]);
        for PoseLayer { pose, weight } in layers {
            let weight = weight * share;
            let turn = pose.rotation(joint).to_array();
            let side = if dot(turned, turn) < 0.0 { -weight } else { weight };
            (0..4).for_each(|i| turned[i] += turn[i] * side);
            (0..3).for_each(|i| place[i] += pose.translation(joint)[i] * weight);
            (0..3).for_each(|i| scale[i] += pose.scale(joint)[i] * weight);
        }
        let square = dot(turned, turned);
        let made = turned.map(|part| part / square.sqrt());
        let made = if square >= NOTHING { Quat::from_array(made) } else { Quat::IDENTITY };
        into.set(joint, Vec3::from_array(place), made, Vec3::from_array(scale));
    }
}

/// What [`PreparedSkeleton::add`] does.
pub fn add(difference: &JointPoses, part: f32, into: &mut JointPoses) {
    for joint in 0..into.joints {
        let more = arc(Quat::IDENTITY, difference.rotation(joint), part);
        let turned = behind(into.rotation(joint), more);
        let (place, by) = (into.translation(joint), difference.translation(joint));
        let (scale, more) = (into.scale(joint), difference.scale(joint));
        let place = each(|i| place[i] + by[i] * part);
        into.set(joint, place, turned, each(|i| scale[i] * ((more[i] - 1.0) * part + 1.0)));
    }
}

/// What [`PreparedSkeleton::difference`] does.
pub fn difference(from: &JointPoses, to: &JointPoses, into: &mut JointPoses) {
    for joint in 0..from.joints {
        let [x, y, z, w] = from.rotation(joint).to_array();
        let turned = behind(Quat::from_xyzw(-x, -y, -z, w), to.rotation(joint));
        let (a, b) = (from.translation(joint), to.translation(joint));
        let place = each(|i| b[i] - a[i]);
        let (a, b) = (from.scale(joint), to.scale(joint));
        into.set(joint, place, turned, each(|i| if a[i] == 0.0 { 1.0 } else { b[i] / a[i] }));
    }
}

/// What [`PreparedMesh::skin`] does, all vertices and normals being asked for.
pub fn skin(
    mesh: &PreparedMesh,
    palette: &ModelMatrices,
    positions: &mut [[f32; 3]],
    normals: &mut [[f32; 3]],
) {
    let mut pulls = mesh.pulls.iter();
    let mut before = 0;
    for vertex in 0..mesh.vertices {
        let mut sum = [0.0; 16];
        for pull in pulls.by_ref().take(mesh.pull_count(before, vertex)).flatten() {
            let matrix = palette.columns(usize::try_from(pull.joint).unwrap_or(usize::MAX));
            (0..16).for_each(|i| sum[i] += matrix[i] * pull.weight);
        }
        before = mesh.ends[vertex];
        let [x, y, z, origin] = [0, 4, 8, 12].map(|at| Vec3::new(sum[at], sum[at + 1], sum[at + 2]));
        let block = &mesh.blocks[vertex / BLOCK];
        let p = block.position.map(|row| row[vertex % BLOCK]);
        positions[vertex] = std::array::from_fn(|i| x[i] * p[0] + y[i] * p[1] + z[i] * p[2] + origin[i]);

        let rest = block.normal.map(|row| row[vertex % BLOCK]);
        let (a, b, c) = (cross(y, z), cross(z, x), cross(x, y));
        let is_mirrored = x[0] * a[0] + x[1] * a[1] + x[2] * a[2] < 0.0;
        let n = each(|i| a[i] * rest[0] + b[i] * rest[1] + c[i] * rest[2]);
        let square = n[0] * n[0] + n[1] * n[1] + n[2] * n[2];
        let length = square.sqrt();
        let factor = 1.0 / if is_mirrored { -length } else { length };
        normals[vertex] = if square > LEAST { [n[0] * factor, n[1] * factor, n[2] * factor] } else { rest };
    }
}

/// A vector, number after number.
fn each(part: impl Fn(usize) -> f32) -> Vec3 {
    Vec3::from_array(std::array::from_fn(part))
}

fn cross(a: Vec3, b: Vec3) -> [f32; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

fn dot(a: [f32; 4], b: [f32; 4]) -> f32 {
    a[0] * b[0] + a[1] * b[1] + a[2] * b[2] + a[3] * b[3]
}

/// One rotation behind another.
fn behind(a: Quat, b: Quat) -> Quat {
    Quat::from_xyzw(
        a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
        a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
        a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
        a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    )
}

/// A part of the shorter arc between two rotations.
fn arc(a: Quat, b: Quat, part: f32) -> Quat {
    let (a, b) = (a.to_array(), b.to_array());
    let cosine = dot(a, b);
    let chord = 1.0 - cosine.abs().min(1.0);
    let chord = chord + chord;
    let sum = CHORD.iter().rev().fold(0.0, |sum, part| (sum + part) * chord);
    let square = (sum + 1.0) * chord;
    let ratio = 1.0 / weight(square, 1.0, 1.0);
    let (left, right) = (weight(square, ratio, 1.0 - part), weight(square, ratio, part));
    let right = if cosine < 0.0 { -right } else { right };
    Quat::from_array(std::array::from_fn(|i| a[i] * left + b[i] * right))
}

/// The weight of an end at a part of the way.
fn weight(square: f32, ratio: f32, part: f32) -> f32 {
    let at = part * part * square;
    let [a, b, c, d] = P;
    let sine = (((at * d + c) * at + b) * at + a) * at;
    (sine + 1.0) * (part * ratio)
}

/// The keys before and behind a time, and the part of the way between them; nothing if the joint's block stands still.
fn around<const KEY: usize, const PAIR: usize>(
    clip: &PreparedClip,
    channel: &Channel<KEY, PAIR>,
    joint: usize,
    time: f32,
) -> Option<([f32; KEY], [f32; KEY], f32)> {
    let (block, lane) = (joint / BLOCK, joint % BLOCK);
    for shared in &channel.shared {
        if let Some(at) = shared.blocks.iter().position(|it| *it == block) {
            let (key, part) = clip.bases[shared.base].find(time, &mut 0);
            let of = |key: usize| shared.keys[key * shared.blocks.len() + at].0.map(|row| row[lane]);
            return Some((of(key), of(key + 1), part));
        }
    }
    let own = channel.own.iter().find(|own| own.block == block)?;
    let times: Option<&Times> = clip.lane_times[own.times].lanes[lane].as_ref();
    let (key, part) = times.map_or((0, 0.0), |times| times.find(time, &mut 0));
    let key = own.first[lane] + key;
    Some((own.keys[key], own.keys[key + 1], part))
}

fn turn(from: [f32; 6], to: [f32; 6], part: f32) -> Quat {
    let [.., square, ratio] = from;
    let (left, right) = (weight(square, ratio, 1.0 - part), weight(square, ratio, part));
    Quat::from_array(std::array::from_fn(|i| from[i] * left + to[i] * right))
}

fn line(from: f32, to: f32, part: f32) -> f32 {
    (to - from) * part + from
}

/// A joint's matrix in its parent's space.
fn local(pose: &JointPoses, joint: usize) -> [f32; 16] {
    let ([x, y, z, w], s) = (pose.rotation(joint).to_array(), pose.scale(joint));
    let t = pose.translation(joint);
    let [x2, y2, z2] = [x + x, y + y, z + z];
    let [xx, yy, zz] = [x * x2, y * y2, z * z2];
    let [xy, xz, yz] = [x * y2, x * z2, y * z2];
    let [wx, wy, wz] = [w * x2, w * y2, w * z2];
    [
        (1.0 - (yy + zz)) * s.x,
        (xy + wz) * s.x,
        (xz - wy) * s.x,
        0.0,
        (xy - wz) * s.y,
        (1.0 - (xx + zz)) * s.y,
        (yz + wx) * s.y,
        0.0,
        (xz + wy) * s.z,
        (yz - wx) * s.z,
        (1.0 - (xx + yy)) * s.z,
        0.0,
        t.x,
        t.y,
        t.z,
        1.0,
    ]
}

/// A matrix in the space of another.
fn product(parent: &[f32; 16], local: &[f32; 16]) -> [f32; 16] {
    std::array::from_fn(|i| {
        let (column, row) = (i / 4 * 4, i % 4);
        let bent = parent[row] * local[column]
            + parent[4 + row] * local[column + 1]
            + parent[8 + row] * local[column + 2];
        if column == 12 { bent + parent[12 + row] } else { bent }
    })
}
