//! Whole tracks in time: retime, trim, reverse, and maps built again.

use galvani_core::maths::single;
use galvani_core::{EditError, Path, room};

use super::pose::{self, finite};
use super::{COLLAPSED, Document, RANGE, VALUE, change, editable, frame, rising};
use crate::msh::animation::{self, AnimKey, Layout, frames_fit};
use crate::msh::streams::{KEYS, NODES};

/// Moves every key of a node to `time * scale + offset`, rounded to the nearest frame, halves away from zero.
///
/// Of keys that fall on one frame the one nearest to it stays, the earlier of two equally near ones; the
/// first and the last key always stay. If the first leaves frame 0, a copy of it holds its pose from there. A
/// node of one key is left as it is.
pub fn retime(document: &mut Document, node: usize, scale: f32, offset: f32) -> Result<(), EditError> {
    finite("scale and offset", [scale, offset])?;
    if scale <= 0.0 {
        let found = format!("a scale of {scale} does not keep the order of keys");
        let refusal = VALUE.at(Path::named("scale")).saying(found);
        return Err(refusal.advising("scale by more than 0, and reverse the track").into());
    }
    change(document, node, |anim, keys| {
        let [first, .., _] = keys.as_slice() else { return Ok(()) };
        rising(anim, node, keys)?;
        let first = *first;
        let exact = |key: &AnimKey| f64::from(key.time) * f64::from(scale) + f64::from(offset);
        let placed: Vec<Placed> = room::try_collected(keys.iter().map(|key| Placed::new(*key, exact(key))))?;
        *keys = thinned(&placed, node)?;
        if keys.first().is_some_and(|key| key.time > 0.0) {
            room::reserve(keys, 1)?;
            keys.insert(0, AnimKey { time: 0.0, ..first });
        }
        Ok(())
    })
}

/// A key on its new frame.
struct Placed {
    key: AnimKey,
    /// How far the frame is from where the key belongs.
    off: f64,
}

impl Placed {
    fn new(key: AnimKey, exact: f64) -> Result<Self, EditError> {
        let nearest = exact.round();
        let time = frame(single(nearest))?;
        Ok(Placed { key: AnimKey { time, ..key }, off: (exact - nearest).abs() })
    }
}

/// One key per frame.
fn thinned(placed: &[Placed], node: usize) -> Result<Vec<AnimKey>, EditError> {
    let last = placed.len().saturating_sub(1);
    let mut kept: Vec<(usize, &Placed)> = room::with_capacity(placed.len())?;
    for (i, new) in placed.iter().enumerate() {
        match kept.last_mut() {
            Some((first, there)) if there.key.time >= new.key.time => {
                if *first == 0 && i == last {
                    let found = format!("all {} keys would fall on frame {}", placed.len(), new.key.time);
                    return Err(COLLAPSED.at(Path::named("nodes").index(node)).saying(found).into());
                }
                if i == last || (*first > 0 && new.off < there.off) {
                    (*first, *there) = (i, new);
                }
            }
            _ => kept.push((i, new)),
        }
    }
    Ok(room::collected(kept.into_iter().map(|(_, placed)| placed.key))?)
}

/// Keeps the frames from `first` to `last`, both included, and moves them to frame 0.
///
/// Where no key stands on an end, one is put there with the pose the keys show, so that the rest looks as
/// before but for rounding. Past the node's last key its pose holds, so no key is put there; what is left of
/// a track may be one key, and the node then static. A node of one key is left as it is.
pub fn trim(document: &mut Document, node: usize, first: f32, last: f32) -> Result<(), EditError> {
    let (first, last, reading) = (frame(first)?, frame(last)?, document.reading);
    if last < first {
        let found = format!("frames {first} to {last}");
        return Err(RANGE.at(Path::named("last")).saying(found).into());
    }
    change(document, node, |anim, keys| {
        let [_, .., end] = keys.as_slice() else { return Ok(()) };
        rising(anim, node, keys)?;
        let last = last.min(end.time);
        let inner = keys.iter().filter(|key| key.time > first && key.time < last).copied();
        let ends = |time: f32| pose::key(keys, time, reading);
        let behind = ends(last).filter(|_| last > first);
        let kept = ends(first).into_iter().chain(inner).chain(behind);
        let kept = room::collected(kept.map(|key| AnimKey { time: key.time - first, ..key }))?;
        *keys = kept;
        Ok(())
    })
}

/// Plays a track backwards: its keys in reverse order, over the same frames.
pub fn reverse(document: &mut Document, node: usize) -> Result<(), EditError> {
    change(document, node, |anim, keys| {
        let [first, .., last] = keys.as_slice() else { return Ok(()) };
        rising(anim, node, keys)?;
        let sum = first.time + last.time;
        *keys = room::collected(keys.iter().rev().map(|key| AnimKey { time: sum - key.time, ..*key }))?;
        Ok(())
    })
}

/// Builds every map from its keys and puts them one behind the other in the order of the nodes. Nodes of one
/// key lose theirs, nodes of several get one; the timeline becomes as long as the keys reach, those of nodes
/// without frames included. Keys stay as they are; a model without any stays without. Maps that are damaged are
/// no hindrance.
pub fn rebuild_maps(document: &mut Document) -> Result<(), EditError> {
    let model = editable(document, &[NODES, KEYS])?;
    if model.is_still() {
        return Ok(());
    }
    let mut anim = animation::read_keys(&model)?;
    for (node, track) in anim.tracks.iter().enumerate().filter(|(_, track)| track.keys.len() > 1) {
        rising(&anim, node, &track.keys)?;
    }
    for track in &mut anim.tracks {
        track.has_map = track.keys.len() > 1;
    }
    let frame_count = anim.needed_frames();
    frames_fit(anim.tracks.iter().filter(|track| track.has_map).count(), frame_count)?;
    anim.frame_count = frame_count;
    for track in &mut anim.tracks {
        track.rebuild_map(frame_count)?;
    }
    animation::write(&anim, document, Layout::Canonical)
}
