//! Whole frames: insert, delete, move, copy, blend, trim, reverse.

use std::ops::RangeInclusive;

use galvani_core::EditError;

use super::between::{self, Interpolation};
use super::{Document, Frames, LAST_FRAME, NO_FRAME, change, other_rotations, place, replace_entry, sound};

/// Puts a copy of the frame at `at` before it; at the end, a copy of the last one behind it.
pub fn insert_frame(document: &mut Document, entry: usize, at: usize) -> Result<(), EditError> {
    change(document, entry, |_, frames| {
        let count = frames.len();
        gap(entry, at, count)?;
        let copied = at.min(count.saturating_sub(1));
        Ok(picked(frames, (0..at).chain([copied]).chain(at..count)))
    })
}

/// Takes frames away, both ends included.
pub fn delete_frames(
    document: &mut Document,
    entry: usize,
    first: usize,
    last: usize,
) -> Result<(), EditError> {
    change(document, entry, |_, frames| {
        let range = range(entry, first, last, frames.len())?;
        if range.clone().count() == frames.len() {
            let found = format!("all {} frames were to go", frames.len());
            return Err(LAST_FRAME.at(place(entry)).saying(found).into());
        }
        Ok(picked(frames, (0..frames.len()).filter(|frame| !range.contains(frame))))
    })
}

/// Moves frames, both ends included, so that the first of them stands at `to`.
pub fn move_frames(
    document: &mut Document,
    entry: usize,
    first: usize,
    last: usize,
    to: usize,
) -> Result<(), EditError> {
    change(document, entry, |_, frames| {
        let range = range(entry, first, last, frames.len())?;
        let others: Vec<usize> = (0..frames.len()).filter(|frame| !range.contains(frame)).collect();
        gap(entry, to, others.len())?;
        let (before, after) = others.split_at_checked(to).unwrap_or_default();
        Ok(picked(frames, before.iter().copied().chain(range).chain(after.iter().copied())))
    })
}

/// Copies frames, both ends included, into the same or another entry, before its frame `at` or behind its last.
pub fn copy_frames(
    document: &mut Document,
    entry: usize,
    first: usize,
    last: usize,
    to_entry: usize,
    at: usize,
) -> Result<(), EditError> {
    let (from, to) = (sound(document, entry)?, sound(document, to_entry)?);
    if from.clip.rotations != to.clip.rotations {
        return Err(other_rotations(entry, to.clip.rotations, from.clip.rotations));
    }
    let range = range(entry, first, last, from.frames.len())?;
    gap(to_entry, at, to.frames.len())?;
    let mut frames = picked(&to.frames, 0..at);
    append(&mut frames, &from.frames, range);
    append(&mut frames, &to.frames, at..to.frames.len());
    let made = to.with(&frames, None)?;
    replace_entry(document, to_entry, made);
    Ok(())
}

/// Makes the frames between two the straight way from one to the other: positions along a line, each rotation
/// by the shorter arc, all at the entry's own precision.
pub fn blend_frames(
    document: &mut Document,
    entry: usize,
    first: usize,
    last: usize,
) -> Result<(), EditError> {
    change(document, entry, |clip, frames| {
        range(entry, first, last, frames.len())?;
        let steps = last.saturating_sub(first);
        let (Some(from), Some(to), 1..) = (frames.get(first), frames.get(last), steps) else {
            return Ok(frames.clone());
        };
        let parents = vec![None; clip.rotations];
        let mut made = picked(frames, 0..=first);
        between::walk(&mut made, &Interpolation::new(from, to, &parents), steps, clip.key);
        append(&mut made, frames, last..frames.len());
        Ok(made)
    })
}

/// Keeps only these frames, both ends included.
pub fn trim(document: &mut Document, entry: usize, first: usize, last: usize) -> Result<(), EditError> {
    change(document, entry, |_, frames| {
        let range = range(entry, first, last, frames.len())?;
        Ok(picked(frames, range))
    })
}

/// Turns the order of the frames round.
pub fn reverse(document: &mut Document, entry: usize) -> Result<(), EditError> {
    change(document, entry, |_, frames| Ok(picked(frames, (0..frames.len()).rev())))
}

/// Some of the frames, in this order.
fn picked(frames: &Frames, order: impl IntoIterator<Item = usize>) -> Frames {
    let mut made = Frames::new(frames.rotations());
    append(&mut made, frames, order);
    made
}

fn append(made: &mut Frames, frames: &Frames, order: impl IntoIterator<Item = usize>) {
    for frame in order.into_iter().filter_map(|frame| frames.get(frame)) {
        made.push(frame.position, frame.bones);
    }
}

fn range(entry: usize, first: usize, last: usize, count: usize) -> Result<RangeInclusive<usize>, EditError> {
    if first > last || last >= count {
        let found = format!("frames {first} to {last} of {count}");
        return Err(NO_FRAME.at(place(entry)).saying(found).into());
    }
    Ok(first..=last)
}

/// A place before one of the frames or behind the last.
fn gap(entry: usize, at: usize, count: usize) -> Result<(), EditError> {
    if at > count {
        let found = format!("a place before frame {at} of {count}");
        return Err(NO_FRAME.at(place(entry)).saying(found).into());
    }
    Ok(())
}
