//! Edits of an animation. Frames are counted from 0, ranges have both their ends, bone 0 is the root.

use galvani_core::maths::single;
use std::ops::RangeInclusive;

use galvani_core::{EditError, Limits, Meter, Path, Report};
use glam::DQuat;

use super::check::{FACTOR, LAST_FRAME, LOST, NO_BONE, NO_FRAME, ORDER_REFUSED, TOO_LARGE, VALUE};
use super::{Document, Frame, Frames, ORDER, frame_len};
use crate::pack::edit::Edge;
use crate::pack::rotation;

/// Keeps only these frames.
pub fn trim(document: &mut Document, first: usize, last: usize) -> Result<(), EditError> {
    let range = range(document, first, last)?;
    document.frames = document.frames.picked(range)?;
    Ok(())
}

/// Takes frames away.
pub fn delete_frames(document: &mut Document, first: usize, last: usize) -> Result<(), EditError> {
    let range = range(document, first, last)?;
    let count = document.frames.len();
    if range.clone().count() == count {
        return Err(LAST_FRAME.at(frames()).saying(format!("all {count} frames were to go")).into());
    }
    document.frames = document.frames.picked((0..count).filter(|frame| !range.contains(frame)))?;
    Ok(())
}

/// Turns the order of the frames round.
pub fn reverse(document: &mut Document) -> Result<(), EditError> {
    document.frames = document.frames.picked((0..document.frames.len()).rev())?;
    Ok(())
}

/// Gives a frame another position.
pub fn set_position(document: &mut Document, frame: usize, position: [f32; 3]) -> Result<(), EditError> {
    finite(position)?;
    let count = document.frames.len();
    match document.frames.positions_mut().nth(frame) {
        Some(found) => *found = position,
        None => return Err(no_frame(frame, frame, count)),
    }
    Ok(())
}

/// Gives a bone other angles in a frame, in degrees.
pub fn set_rotation(
    document: &mut Document,
    frame: usize,
    bone: usize,
    degrees: [f32; 3],
) -> Result<(), EditError> {
    finite(degrees)?;
    range(document, frame, frame)?;
    let bones = document.frames.bones();
    let Some(found) = document.frames.rotation_mut(frame, bone) else {
        let path = frames().index(frame).field("bones").index(bone);
        return Err(NO_BONE.at(path).saying(format!("bone {bone} of {bones} and the root")).into());
    };
    *found = degrees;
    Ok(())
}

/// Moves all frames.
pub fn offset_position(document: &mut Document, by: [f32; 3]) -> Result<(), EditError> {
    finite(by)?;
    let [dx, dy, dz] = by;
    change_positions(document, |[x, y, z]| [x + dx, y + dy, z + dz])
}

/// Multiplies all positions.
pub fn scale_position(document: &mut Document, scale: f32) -> Result<(), EditError> {
    finite([scale; 3])?;
    change_positions(document, |position| position.map(|axis| axis * scale))
}

/// Plays the animation in so many times as many frames: those that were there stay as they are, with others
/// between them. Positions go along a line, rotations by the shorter arc. What that makes is charged first.
pub fn resample(document: &mut Document, factor: u32, edge: Edge, meter: &Meter) -> Result<(), EditError> {
    if factor < 2 {
        return Err(FACTOR
            .at(Path::named("factor"))
            .saying(format!("2 or more wanted, {factor} found"))
            .into());
    }
    if document.rotation_order != ORDER {
        let found = format!("{:?} found", document.rotation_order);
        return Err(ORDER_REFUSED.at(Path::named("rotation_order")).saying(found).into());
    }
    let old = &document.frames;
    let count = u64::try_from(old.len()).unwrap_or(u64::MAX).saturating_mul(u64::from(factor));
    let (bytes, most) = (count.saturating_mul(frame_len(old.bones())), Limits::default().bytes);
    let result = format!("{count} frames of {bytes} bytes");
    if bytes > most {
        let found = format!("{result}, more than {most}");
        return Err(TOO_LARGE.at(frames()).saying(found).into());
    }
    meter.result(&result, bytes)?;
    let mut made = Frames::with_room(old.bones(), count)?;
    for (i, frame) in old.iter().enumerate() {
        made.push(frame.rotation, frame.position, frame.bones);
        let next = old.get(i.saturating_add(1)).or_else(|| old.get(0).filter(|_| edge == Edge::Loop));
        if let Some(next) = next {
            walk(&mut made, frame, next, factor);
        }
    }
    document.frames = made;
    Ok(())
}

/// The form the game's own files have: nothing behind the last frame, and 0 where the game fills something in.
pub fn make_canonical(document: &mut Document) -> Report {
    let mut report = Report::default();
    if !document.rest.is_empty() {
        report.push(LOST.at(Path::named("rest")).saying(format!("{} bytes", document.rest.len())));
    }
    document.rest.clear();
    document.missing = 0;
    document.unknown_0f = 0;
    document.run_time = [0; 5];
    report
}

/// Adds the frames between two, which are `steps` apart.
fn walk(made: &mut Frames, from: Frame<'_>, to: Frame<'_>, steps: u32) {
    let way = |from: [f32; 3], to: [f32; 3]| [from, to].map(|degrees| rotation::quaternion(wide(degrees)));
    let root = way(from.rotation, to.rotation);
    let bones: Vec<[DQuat; 2]> = from.bones.iter().zip(to.bones).map(|(&from, &to)| way(from, to)).collect();
    // The angles of the frame before, so that none jumps by a turn.
    let mut before = (wide(from.rotation), from.bones.iter().map(|&bone| wide(bone)).collect::<Vec<_>>());
    for step in 1..steps {
        let part = f64::from(step) / f64::from(steps);
        let turned = |[from, to]: [DQuat; 2], before: [f64; 3]| {
            rotation::euler_near(rotation::slerp(from, to, part), before)
        };
        before.0 = turned(root, before.0);
        for (bone, &way) in before.1.iter_mut().zip(&bones) {
            *bone = turned(way, *bone);
        }
        let ([x, y, z], [tx, ty, tz]) = (wide(from.position), wide(to.position));
        let position = [(x, tx), (y, ty), (z, tz)].map(|(from, to)| from + (to - from) * part);
        let angles: Vec<[f32; 3]> = before.1.iter().map(|&bone| narrow(bone)).collect();
        made.push(narrow(before.0), narrow(position), &angles);
    }
}

fn change_positions(document: &mut Document, change: impl Fn([f32; 3]) -> [f32; 3]) -> Result<(), EditError> {
    // What was no number stays none; nothing else may become so.
    let bad = document.frames.iter().position(|frame| {
        let is_finite = |values: [f32; 3]| values.iter().all(|value| value.is_finite());
        is_finite(frame.position) && !is_finite(change(frame.position))
    });
    if let Some(frame) = bad {
        let path = frames().index(frame).field("position");
        return Err(VALUE.at(path).saying("the result is too large").into());
    }
    document.frames.positions_mut().for_each(|position| *position = change(*position));
    Ok(())
}

fn range(document: &Document, first: usize, last: usize) -> Result<RangeInclusive<usize>, EditError> {
    let count = document.frames.len();
    if first > last || last >= count {
        return Err(no_frame(first, last, count));
    }
    Ok(first..=last)
}

fn no_frame(first: usize, last: usize, count: usize) -> EditError {
    let found = if first == last { format!("frame {first}") } else { format!("frames {first} to {last}") };
    NO_FRAME.at(frames()).saying(format!("{found} of {count}")).into()
}

fn finite(values: [f32; 3]) -> Result<(), EditError> {
    match values.iter().find(|value| !value.is_finite()) {
        Some(value) => Err(VALUE.at(frames()).saying(format!("{value}")).into()),
        None => Ok(()),
    }
}

fn frames() -> Path {
    Path::named("frames")
}

fn wide(values: [f32; 3]) -> [f64; 3] {
    values.map(f64::from)
}

/// The nearest numbers of single precision.
fn narrow(values: [f64; 3]) -> [f32; 3] {
    values.map(single)
}
