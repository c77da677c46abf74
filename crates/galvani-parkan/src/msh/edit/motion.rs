//! Whole tracks in space: offset, make static, make animated.

use galvani_core::{EditError, Path};

use super::pose::{self, finite};
use super::{ANIMATED, Document, FRAME, Timing, VALUE, change, change_values, frame, no_node, store, tracks};
use crate::msh::animation::time_of;

/// Adds a translation to every key of a node. Components that are not finite stay as they are.
pub fn offset(document: &mut Document, node: usize, translation: [f32; 3]) -> Result<(), EditError> {
    finite("translation", translation)?;
    change_values(document, node, |keys| {
        for key in keys.iter_mut() {
            let moved = key.position.iter_mut().zip(translation);
            for (component, delta) in
                moved.filter(|(component, delta)| component.is_finite() && *delta != 0.0)
            {
                let sum = *component + delta;
                if !sum.is_finite() {
                    let found = format!("{component} and {delta} make no finite number");
                    return Err(VALUE.at(Path::named("translation")).saying(found).into());
                }
                *component = sum;
            }
        }
        Ok(())
    })
}

/// Leaves a node one key, on frame 0, with the pose that the engine shows at a time, which may lie between
/// frames. A pose that is a key's keeps its bits.
pub fn make_static(document: &mut Document, node: usize, time: f32) -> Result<(), EditError> {
    if !(time >= 0.0 && time.is_finite()) {
        return Err(VALUE.at(Path::named("time")).saying(format!("{time} is no time from 0 on")).into());
    }
    let anim = tracks(document)?;
    let track = anim.tracks.get(node).ok_or_else(|| no_node(node, anim.tracks.len()))?;
    let key = pose::shown(&anim, node, time, document.reading)?;
    if track.keys == [key] && !track.has_map {
        return Ok(());
    }
    store(document, anim, node, vec![key], Timing::New)
}

/// Gives a node of one key two, both with its pose: on frame 0 and on the last, which is that of the model if
/// not given.
pub fn make_animated(document: &mut Document, node: usize, last: Option<f32>) -> Result<(), EditError> {
    let given = last.map(frame).transpose()?;
    change(document, node, |anim, keys| {
        let last = given.unwrap_or_else(|| time_of(anim.frame_count.saturating_sub(1)));
        let [key] = keys.as_slice() else {
            let found = format!("{} keys", keys.len());
            return Err(ANIMATED.at(Path::named("nodes").index(node)).saying(found).into());
        };
        if last < 1.0 {
            let found = "the last frame must be 1 or later: a model without animation has only frame 0";
            let refusal = FRAME.at(Path::named("last")).saying(found);
            return Err(refusal.advising("insert a key on the frame that is to be the last").into());
        }
        let [mut first, mut second] = [*key; 2];
        (first.time, second.time) = (0.0, frame(last)?);
        *keys = vec![first, second];
        Ok(())
    })
}
