//! The pose between keys, in the engine's arithmetic.

use galvani_core::{EditError, Path, Reading};

use super::{VALUE, no_node};
use crate::msh::animation::{AnimKey, AnimModel, single};
use crate::msh::values;

/// Below this distance of the dot product from 1 the engine takes plain weights.
const NEARLY_SAME: f32 = 9.9999997e-6;

/// Where a node is, relative to its parent.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pose {
    pub(super) position: [f32; 3],
    /// w, x, y, z.
    pub(super) rotation: [f32; 4],
}

/// The pose of a track at a time, as a map built from its keys shows it. The keys rise.
pub(super) fn at(keys: &[AnimKey], time: f32, reading: Reading) -> Option<Pose> {
    Some(match segment(keys, time)? {
        (key, None) => of(key, reading),
        (a, Some(b)) => between(a, b, time, reading),
    })
}

/// The same as a key on that time; one that stands there keeps its bits.
pub(super) fn key(keys: &[AnimKey], time: f32, reading: Reading) -> Option<AnimKey> {
    let (a, b) = segment(keys, time)?;
    Some(match b {
        None => AnimKey { time, ..*a },
        Some(b) => packed(between(a, b, time, reading), time, reading),
    })
}

/// What the engine shows of a node at a time, through the map of the file, as a key on frame 0.
#[allow(clippy::float_cmp, reason = "the engine compares so")]
pub(super) fn shown(
    anim: &AnimModel,
    node: usize,
    time: f32,
    reading: Reading,
) -> Result<AnimKey, EditError> {
    let track = anim.tracks.get(node).ok_or_else(|| no_node(node, anim.tracks.len()))?;
    let fallback = track.keys.last().copied().unwrap_or_default();
    let last = i32::try_from(track.keys.len()).unwrap_or(i32::MAX).saturating_sub(1);
    let word = frame_index(time).and_then(|frame| track.frame_map.get(frame)).filter(|&&word| word < last);
    let shown = match word.filter(|_| track.has_map) {
        None => fallback,
        Some(&word) => {
            let (a, b) = (pool_key(anim, node, word), pool_key(anim, node, word.saturating_add(1)));
            let (Some(a), Some(b)) = (a, b) else { return Ok(AnimKey { time: 0.0, ..fallback }) };
            if time == a.time {
                *a
            } else if time == b.time {
                *b
            } else {
                packed(between(a, b, time, reading), time, reading)
            }
        }
    };
    Ok(AnimKey { time: 0.0, ..shown })
}

/// A key of the pool, counted from a node's first.
fn pool_key(anim: &AnimModel, node: usize, local: i32) -> Option<&AnimKey> {
    let at = i64::try_from(anim.first_key(node)).ok()?.checked_add(i64::from(local))?;
    anim.tracks.iter().flat_map(|track| &track.keys).nth(usize::try_from(at).ok()?)
}

/// The frame of a time: `time - 0.5` rounded, halves to even.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::as_conversions,
    reason = "a negative or non-finite value saturates to 0, which is what times from 0 on give"
)]
fn frame_index(time: f32) -> Option<usize> {
    usize::try_from((time - 0.5).round_ties_even() as u64).ok()
}

/// The key that shows at a time, and the next one if the time lies between them.
fn segment(keys: &[AnimKey], time: f32) -> Option<(&AnimKey, Option<&AnimKey>)> {
    let next = keys.partition_point(|key| key.time <= time);
    let before = next.checked_sub(1).and_then(|i| keys.get(i));
    Some(match (before, keys.get(next)) {
        (Some(a), Some(b)) if a.time < time => (a, Some(b)),
        (Some(a), Some(_)) => (a, None),
        // Before the first key the engine shows the last, too.
        _ => (keys.last()?, None),
    })
}

fn of(key: &AnimKey, reading: Reading) -> Pose {
    Pose { position: key.position, rotation: key.wxyz(reading) }
}

/// The pose between two keys.
pub(super) fn between(a: &AnimKey, b: &AnimKey, time: f32, reading: Reading) -> Pose {
    let alpha = (time - a.time) / (b.time - a.time);
    let lerp = |(a, b): (f32, f32)| a + (b - a) * alpha;
    let [[ax, ay, az], [bx, by, bz]] = [a.position, b.position];
    Pose {
        position: [(ax, bx), (ay, by), (az, bz)].map(lerp),
        rotation: slerp(a.wxyz(reading), b.wxyz(reading), alpha),
    }
}

/// Interpolates w, x, y, z by the shorter arc. The result is not normalised.
fn slerp(a: [f32; 4], b: [f32; 4], alpha: f32) -> [f32; 4] {
    let [aw, ax, ay, az] = a;
    let [bw, bx, by, bz] = b;
    let dot = aw * bw + ax * bx + ay * by + az * bz;
    let (dot, sign) = if dot < 0.0 { (-dot, -1.0) } else { (dot, 1.0) };
    let (wa, wb) = if 1.0 - dot <= NEARLY_SAME {
        (1.0 - alpha, alpha)
    } else {
        let theta = single(f64::from(dot).acos());
        let wb = single(f64::from(alpha * theta).sin()) * (1.0 / single(f64::from(theta).sin()));
        (single(f64::from(alpha * theta).cos()) - wb * dot, wb)
    };
    let wb = wb * sign;
    [(aw, bw), (ax, bx), (ay, by), (az, bz)].map(|(a, b)| wa * a + wb * b)
}

fn packed(pose: Pose, time: f32, reading: Reading) -> AnimKey {
    AnimKey { position: pose.position, time, rotation: values::pack_rotation(pose.rotation, reading) }
}

/// Refuses a number that is not finite.
pub(super) fn finite<const N: usize>(name: &'static str, numbers: [f32; N]) -> Result<[f32; N], EditError> {
    match numbers.iter().find(|number| !number.is_finite()) {
        Some(number) => Err(VALUE.at(Path::of(name)).saying(format!("{number} is not finite")).into()),
        None => Ok(numbers),
    }
}
