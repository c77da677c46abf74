//! Sequences moved and retimed, with their keys.
//!
//! Tangents need no change: they count in parts of the way between two keys, not in milliseconds.

use galvani_core::{EditError, Path, room};

use super::sequences::{each_row, meets, window, window_of, windows};
use super::{COLLAPSED, FACTOR, FOREIGN_KEYS, SHARED, WINDOW, whole_timeline};
use crate::Document;
use crate::track::Track;

/// Puts a sequence elsewhere on the timeline, and all keys in it with it.
///
/// Refused if another sequence holds one of the keys, if the new place meets another sequence, or if there
/// are keys of something else.
pub fn move_sequence(document: &mut Document, index: usize, start: i64) -> Result<(), EditError> {
    let windows = windows(document);
    let (from, to) = window_of(&windows, index)?;
    let path = Path::named("SEQS").index(index);
    window(path, from, to)?;
    let delta = start.saturating_sub(from);
    let (first, last) = window(path, start, to.saturating_add(delta))?;
    let others = || (0..).zip(&windows).filter(|(i, _)| *i != index);
    let new = (i64::from(first), i64::from(last));
    if let Some((other, _)) = { others() }.find(|(_, (start, end))| new.0 <= *end && new.1 >= *start) {
        return Err(meets(path, new, other, &windows));
    }
    whole_timeline(document)?;
    let moves = |time: i32| (from..=to).contains(&i64::from(time));
    let mut problem: Option<EditError> = None;
    document.each_track(|place, track| {
        for &time in track.times.iter().filter(|_| track.global == -1) {
            let at = i64::from(time);
            if moves(time) {
                if let Some((other, _)) = { others() }.find(|(_, (start, end))| (*start..=*end).contains(&at))
                {
                    let found = format!("sequence {other} has the key at {time}, too");
                    problem.get_or_insert_with(|| SHARED.at(place).saying(found).into());
                }
            } else if (new.0..=new.1).contains(&at) {
                let found = format!("a key at {time}");
                problem.get_or_insert_with(|| FOREIGN_KEYS.at(place).saying(found).into());
            }
        }
    });
    problem.map_or(Ok(()), Err)?;
    let shifted = |time: i32| {
        let time = if moves(time) { i64::from(time).saturating_add(delta) } else { i64::from(time) };
        i32::try_from(time).unwrap_or(i32::MAX)
    };
    room::probe(document.keys_len())?;
    document.change_tracks(|track| {
        if track.global == -1 && track.times.iter().any(|time| moves(*time)) {
            retimed(track, shifted);
        }
        true
    });
    each_row(document, |i, row| {
        if i == index {
            row.set(first, last);
        }
    });
    Ok(())
}

/// Makes a sequence longer or shorter by a factor. Its keys keep their places in it; what follows it on the
/// timeline, sequences and keys, keeps its distance.
pub fn retime_sequence(document: &mut Document, index: usize, factor: f64) -> Result<(), EditError> {
    let windows = windows(document);
    let (from, to) = window_of(&windows, index)?;
    let path = Path::named("SEQS").index(index);
    let (first, last) = window(path, from, to)?;
    let len = last.saturating_sub(first);
    if len == 0 {
        let found = format!("from {first} to {last}");
        let help =
            "it is one moment, which no factor stretches; add a sequence with a length and remove this one";
        return Err(FACTOR.at(path).saying(found).advising(help).into());
    }
    let scaled = rounded(f64::from(len) * factor);
    let new_len = scaled.filter(|len| *len > 0).filter(|_| factor > 0.0);
    let Some(new_len) = new_len else {
        return Err(FACTOR.at(path).saying(format!("{len} ms by {factor}")).into());
    };
    let overlaps = |(start, end): &(i64, i64)| *start < to && *end > from;
    let other = windows.iter().enumerate().find(|(i, other)| *i != index && overlaps(other));
    if let Some((other, (start, end))) = other {
        let found = format!("from {from} to {to}, sequence {other} is from {start} to {end}");
        return Err(SHARED.at(path).saying(found).into());
    }
    whole_timeline(document)?;
    let delta = i64::from(new_len).saturating_sub(i64::from(len));
    let map = |time: i64| -> Option<i32> {
        let new = match time {
            time if time <= from => time,
            time if time < to => {
                let inside = i32::try_from(time.saturating_sub(from)).ok()?;
                from.saturating_add(i64::from(rounded(f64::from(inside) * factor)?.min(new_len)))
            }
            time => time.saturating_add(delta),
        };
        i32::try_from(new).ok()
    };
    let mut problem: Option<EditError> = None;
    document.each_track(|place, track| {
        if track.global != -1 {
            return;
        }
        let mut refuse = |error: EditError| {
            problem.get_or_insert(error);
        };
        for pair in track.times.windows(2) {
            if let [a, b] = *pair
                && a != b
                && map(a.into()) == map(b.into())
            {
                refuse(COLLAPSED.at(place).saying(format!("keys at {a} and {b}")).into());
            }
        }
        if let Some(time) = track.times.iter().find(|time| map(i64::from(**time)).is_none()) {
            refuse(WINDOW.at(place).saying(format!("the key at {time}")).into());
        }
    });
    problem.map_or(Ok(()), Err)?;
    let mut rows = Vec::with_capacity(windows.len());
    for (i, (start, end)) in windows.iter().enumerate() {
        let untouched = *start <= from && *end <= from;
        match (map(*start), map(*end)) {
            _ if untouched => rows.push(None),
            (Some(start), Some(end)) => rows.push(Some((start, end))),
            _ => {
                let found = format!("from {start} to {end}");
                return Err(WINDOW.at(Path::named("SEQS").index(i)).saying(found).into());
            }
        }
    }
    room::probe(document.keys_len())?;
    document.change_tracks(|track| {
        if track.global == -1 && track.times.iter().any(|time| i64::from(*time) > from) {
            retimed(track, |time| map(i64::from(time)).unwrap_or(time));
        }
        true
    });
    each_row(document, |i, row| {
        if let Some(Some((start, end))) = rows.get(i).copied() {
            row.set(start, end);
        }
    });
    Ok(())
}

/// Gives keys other times. If they were in order they are so afterwards.
fn retimed(track: &mut Track, map: impl Fn(i32) -> i32) {
    let was_sorted = track.times.is_sorted();
    track.times.iter_mut().for_each(|time| *time = map(*time));
    if !was_sorted || track.times.is_sorted() {
        return;
    }
    let mut order: Vec<usize> = (0..track.times.len()).collect();
    order.sort_by_key(|i| track.times.get(*i));
    let words = track.value.words();
    for list in [&mut track.values, &mut track.in_tangents, &mut track.out_tangents] {
        let key = |i: &usize| list.get(i.saturating_mul(words)..).and_then(|rest| rest.get(..words));
        *list = order.iter().filter_map(key).flatten().copied().collect();
    }
    track.times.sort_unstable();
}

/// The nearest whole number, if there is one on the timeline.
#[allow(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    reason = "the number was held against the range before"
)]
pub(super) fn rounded(value: f64) -> Option<i32> {
    let value = value.round();
    (f64::from(i32::MIN)..=f64::from(i32::MAX)).contains(&value).then_some(value as i32)
}
