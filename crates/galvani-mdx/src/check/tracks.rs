//! Tracks and their keys.

use galvani_core::{Path, Report};

use super::summary::Summary;
use super::{
    GLOBAL_RANGE, GLOBAL_UNUSED, KEY_NEGATIVE, KEY_NOT_FINITE, KEY_ORDER, KEY_REPEATED, ROTATION,
    SEQUENCE_UNUSED, TRACK_EMPTY, TRACK_FORM, TRACK_OUTSIDE, TRACK_REPEATED,
};
use crate::track::{Floats, Form, Track, TrackValue, floats};
use crate::visit::At;
use crate::{Document, Sequence};

/// How far the square of a rotation's length may be from 1.
const TOLERANCE: f32 = 0.02;

pub(super) fn tracks(document: &Document, summary: &Summary<'_>, report: &mut Report) {
    let mut used = vec![false; summary.globals.len()];
    // Kinds of tracks that a record has: a few, however many tracks there are.
    let mut kinds: Vec<[u8; 4]> = Vec::new();
    document.each_tracks(|at, tracks| {
        kinds.clear();
        for track in tracks {
            if let Some(used) = usize::try_from(track.global).ok().and_then(|global| used.get_mut(global)) {
                *used = true;
            }
            let at = || at().field(track.name());
            if kinds.contains(&track.tag) {
                report.push(TRACK_REPEATED.at(at()));
            } else {
                kinds.push(track.tag);
            }
            head(&at, track, summary, report);
            times(&at, track, summary, report);
            values(&at, track, report);
            outside(&at, track, summary, report);
        }
    });
    // A track that could not be read may run by any of them.
    let all_known = summary.is_sound();
    let unused = if all_known { unused_sequences(document) } else { Vec::new() };
    for i in unused {
        report.push(SEQUENCE_UNUSED.at(Path::named("SEQS").index(i)).pedantic());
    }
    for (i, _) in used.iter().enumerate().filter(|(_, used)| all_known && !**used) {
        report.push(GLOBAL_UNUSED.at(Path::named("GLBS").index(i)));
    }
}

/// More sequences than that are not looked through for some that nobody uses: the client takes as many
/// (docs/formats/mdx-records.md#seqs).
const MOST_SEQUENCES: usize = 255;

/// The sequences that no key lies in, if keys lie in others. Those that end before they start are none of them.
pub(crate) fn unused_sequences(document: &Document) -> Vec<usize> {
    let windows: Vec<(i64, i64)> = document.sequences().into_iter().map(Sequence::window).collect();
    if windows.len() > MOST_SEQUENCES {
        return Vec::new();
    }
    let is_any = |(_, (start, end)): &(usize, (i64, i64))| start <= end;
    let mut unused: Vec<(usize, (i64, i64))> = windows.into_iter().enumerate().filter(is_any).collect();
    let all = unused.len();
    document.each_track(|_, track| {
        if unused.is_empty() || track.global != -1 || track.times.is_empty() {
            return;
        }
        let is_sorted = track.times.is_sorted();
        unused.retain(|(_, (start, end))| {
            let is_inside = |time: &i32| (*start..=*end).contains(&i64::from(*time));
            if !is_sorted {
                return !track.times.iter().any(is_inside);
            }
            let first = track.times.partition_point(|time| i64::from(*time) < *start);
            !track.times.get(first).is_some_and(is_inside)
        });
    });
    if unused.len() == all {
        return Vec::new();
    }
    unused.into_iter().map(|(i, _)| i).collect()
}

fn head(at: At<'_>, track: &Track, summary: &Summary<'_>, report: &mut Report) {
    let is_there = usize::try_from(track.global).is_ok_and(|id| id < summary.globals.len());
    if track.global != -1 && !is_there && summary.is_whole(&[b"GLBS"]) {
        let found = format!("-1 or one of {} wanted, {} found", summary.globals.len(), track.global);
        report.push(GLOBAL_RANGE.at(at().field("global")).saying(found));
    }
    if track.form != Form::Generic && track.value != TrackValue::Moment {
        report.push(TRACK_FORM.at(at()).saying(format!("the {} form", track.form.word())));
    }
    if track.times.is_empty() {
        report.push(TRACK_EMPTY.at(at()));
    }
}

/// One finding per kind of disorder, at the first key that has it.
fn times(at: At<'_>, track: &Track, summary: &Summary<'_>, report: &mut Report) {
    // Most tracks are sound, and one look that never stops is faster than three that may.
    let later = track.times.get(1..).unwrap_or_default();
    let pairs = || track.times.iter().zip(later);
    let disorder = pairs().fold(0, |any, (before, time)| any | u32::from(time <= before));
    if disorder == 0 && track.times.first().is_none_or(|time| *time >= 0) {
        return;
    }
    let key = |i: usize| at().field("keys").index(i).field("time");
    // A sequence may begin before 0; a global one never does.
    let is_reached = |time: i32| track.global == -1 && is_inside(summary, time);
    let negative = |time: i32| time < 0 && !is_reached(time);
    if let Some((i, time)) = track.times.iter().enumerate().find(|(_, time)| negative(**time)) {
        report.push(KEY_NEGATIVE.at(key(i)).saying(format!("{time} ms")));
    }
    let pairs = || (1..).zip(pairs());
    if let Some((i, (before, time))) = pairs().find(|(_, (before, time))| time < before) {
        report.push(KEY_ORDER.at(key(i)).saying(format!("{time} ms behind {before} ms")));
    }
    let repeated = || pairs().filter(|(_, (before, time))| time == before);
    // Which of two values counts nobody can say; which of two of the same nobody asks.
    let differs = repeated().find(|(i, _)| !is_copy(track, *i));
    if let Some((i, (_, time))) = differs {
        report.push(KEY_REPEATED.at(key(i)).saying(format!("{time} ms again, with another value")));
    } else if let Some((i, (_, time))) = repeated().next() {
        report
            .push(KEY_REPEATED.at(key(i)).saying(format!("{time} ms again, with the same value")).as_note());
    }
}

/// Whether a key says the same as the one before it.
fn is_copy(track: &Track, i: usize) -> bool {
    let before = i.saturating_sub(1);
    track.words(i) == track.words(before) && track.tangents(i) == track.tangents(before)
}

fn values(at: At<'_>, track: &Track, report: &mut Report) {
    let words = track.value.words();
    if words == 0 || track.value == TrackValue::Number {
        return;
    }
    let key = |i: usize| at().field("keys").index(i);
    let all =
        [("value", &track.values), ("in_tangent", &track.in_tangents), ("out_tangent", &track.out_tangents)];
    if track.value != TrackValue::Packed {
        for (name, list) in all.into_iter().filter(|(_, list)| !finite(list)) {
            if let Some((i, value)) = list.chunks_exact(words).enumerate().find(|(_, value)| !finite(value)) {
                let shown = value.iter().map(|word| f32::from_bits(*word)).collect::<Vec<_>>();
                report.push(KEY_NOT_FINITE.at(key(i).field(name)).saying(format!("{shown:?}")));
            }
        }
    }
    if track.value.is_rotation() {
        let quaternions = track.values.as_chunks::<4>().0.iter().map(|words| words.map(f32::from_bits));
        let any_odd = || quaternions.fold(false, |any, four| any | is_odd(square(four)));
        if track.value == TrackValue::Quaternion && !any_odd() {
            return;
        }
        let rows = track.values.chunks_exact(words).enumerate();
        if let Some((i, value)) = { rows }.find(|(_, value)| is_odd_length(track.value, value)) {
            let found = format!("1 wanted, {} found", square_of(track.value, value).sqrt());
            report.push(ROTATION.at(key(i).field("value")).saying(found));
        }
    }
}

/// Whether the words of a value are a rotation of another length than 1.
pub(crate) fn is_odd_length(value: TrackValue, words: &[u32]) -> bool {
    is_odd(square_of(value, words))
}

/// The square of a rotation's length; of anything else 1.
fn square_of(value: TrackValue, words: &[u32]) -> f32 {
    match floats(value, words) {
        Some(Floats::Rotation(rotation)) => square(rotation.to_array()),
        _ => 1.0,
    }
}

fn square([a, b, c, d]: [f32; 4]) -> f32 {
    a * a + b * b + c * c + d * d
}

fn is_odd(square: f32) -> bool {
    (square - 1.0).abs() > TOLERANCE
}

/// Whether every word is a finite float. One more in an exponent of all ones, and in no other, reaches the sign;
/// seen so and without an early end, many words are looked at together.
fn finite(words: &[u32]) -> bool {
    const SIGN: u32 = 1 << 31;
    const ONE_MORE: u32 = 1 << (f32::MANTISSA_DIGITS - 1);
    words.iter().fold(0, |all, word| all | (word & !SIGN).wrapping_add(ONE_MORE)) & SIGN == 0
}

/// A track that runs by the sequences and has no key in any of them.
fn outside(at: At<'_>, track: &Track, summary: &Summary<'_>, report: &mut Report) {
    if track.global != -1 || track.times.is_empty() || summary.windows.is_empty() {
        return;
    }
    if !track.times.iter().any(|time| is_inside(summary, *time)) {
        report.push(TRACK_OUTSIDE.at(at()).saying(format!("{} keys", track.times.len())));
    }
}

/// Whether a moment lies in a sequence.
fn is_inside(summary: &Summary<'_>, time: i32) -> bool {
    let time = i64::from(time);
    let after = summary.windows.partition_point(|(start, _)| *start <= time);
    let window = after.checked_sub(1).and_then(|i| summary.windows.get(i));
    window.is_some_and(|(_, end)| time <= *end)
}
