//! The pose between keys, in the engine's arithmetic.

use galvani_core::{EditError, Path, Reading};

use super::{VALUE, no_node};
use crate::msh::animation::{AnimKey, AnimModel};
use crate::msh::sample::LocalPose;
use crate::msh::{engine, values};

/// The pose of a track at a time, as a map built from its keys shows it. The keys rise.
pub(super) fn at(keys: &[AnimKey], time: f32, reading: Reading) -> Option<LocalPose> {
    Some(match segment(keys, time)? {
        (key, None) => pose_of_key(key, reading),
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
    let frame = usize::try_from(engine::frame(time)).ok();
    let word = frame.and_then(|frame| track.frame_map.get(frame)).filter(|&&word| word < last);
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

fn pose_of_key(key: &AnimKey, reading: Reading) -> LocalPose {
    LocalPose { position: key.position, rotation: key.wxyz(reading) }
}

/// The pose between two keys.
pub(super) fn between(a: &AnimKey, b: &AnimKey, time: f32, reading: Reading) -> LocalPose {
    let alpha = (time - a.time) / (b.time - a.time);
    LocalPose {
        position: engine::lerp(a.position, b.position, alpha),
        rotation: engine::slerp(a.wxyz(reading), b.wxyz(reading), alpha),
    }
}

fn packed(pose: LocalPose, time: f32, reading: Reading) -> AnimKey {
    AnimKey { position: pose.position, time, rotation: values::pack_rotation(pose.rotation, reading) }
}

/// Refuses a number that is not finite.
pub(super) fn finite<const N: usize>(name: &'static str, numbers: [f32; N]) -> Result<[f32; N], EditError> {
    match numbers.iter().find(|number| !number.is_finite()) {
        Some(number) => Err(VALUE.at(Path::named(name)).saying(format!("{number} is not finite")).into()),
        None => Ok(numbers),
    }
}
