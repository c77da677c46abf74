//! The same arithmetic, joint after joint, without lanes or cursors: what everything faster is held against.
//!
//! It is slow and obvious. The results of the other functions here are these to the last bit.

use glam::{Quat, Vec3};

use super::arc::P;
use super::clip::{Channel, PreparedClip};
use super::matrices::{Columns, ModelMatrices};
use super::pose::LocalPose;
use super::skeleton::PreparedSkeleton;
use super::time::Times;
use super::{BLOCK, sample};

/// What [`PreparedSampler::sample`](super::PreparedSampler::sample) does.
pub fn sample(clip: &PreparedClip, time: f32, into: &mut LocalPose) {
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
pub fn to_model(skeleton: &PreparedSkeleton, pose: &LocalPose, into: &mut ModelMatrices) {
    for joint in 0..skeleton.joint_count() {
        let local = local(pose, joint);
        let made = skeleton.parent(joint).map_or(local, |parent| product(into.columns(parent), &local));
        into.matrices[joint] = Columns(made);
    }
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
    let weight = |part: f32| {
        let at = part * part * square;
        let [a, b, c, d] = P;
        let sine = (((at * d + c) * at + b) * at + a) * at;
        (sine + 1.0) * (part * ratio)
    };
    let (left, right) = (weight(1.0 - part), weight(part));
    Quat::from_array(std::array::from_fn(|i| from[i] * left + to[i] * right))
}

fn line(from: f32, to: f32, part: f32) -> f32 {
    (to - from) * part + from
}

/// A joint's matrix in its parent's space.
fn local(pose: &LocalPose, joint: usize) -> [f32; 16] {
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
