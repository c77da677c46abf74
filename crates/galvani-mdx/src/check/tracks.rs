//! Tracks and their keys.

use std::collections::BTreeSet;

use galvani_core::{Path, Report};

use super::summary::Summary;
use super::{
    GLOBAL_RANGE, GLOBAL_UNUSED, KEY_NEGATIVE, KEY_NOT_FINITE, KEY_ORDER, KEY_REPEATED, ROTATION,
    TRACK_EMPTY, TRACK_FORM, TRACK_OUTSIDE, TRACK_REPEATED,
};
use crate::Document;
use crate::track::{Floats, Form, Track, Value, floats};

/// How far the square of a rotation's length may be from 1.
const TOLERANCE: f32 = 0.02;

pub(super) fn tracks(document: &Document, summary: &Summary<'_>, report: &mut Report) {
    let mut used = BTreeSet::new();
    // The record whose tracks pass by, and those that did.
    let (mut owner, mut before) = (Path::root(), Vec::new());
    document.each_track(|path, track| {
        used.insert(track.global);
        let record = path.parent();
        if record != owner {
            owner = record;
            before.clear();
        }
        if before.contains(&track.tag) {
            report.push(TRACK_REPEATED.at(path));
        }
        before.push(track.tag);
        head(path, track, summary, report);
        times(path, track, report);
        values(path, track, report);
        outside(path, track, summary, report);
    });
    // A track that could not be read may run by any of them.
    let all_known = summary.is_sound();
    for (i, _) in (0_i32..).zip(&summary.globals).filter(|(i, _)| all_known && !used.contains(i)) {
        let path = Path::of("GLBS").index(usize::try_from(i).unwrap_or(0));
        report.push(GLOBAL_UNUSED.at(path));
    }
}

fn head(path: Path, track: &Track, summary: &Summary<'_>, report: &mut Report) {
    let is_there = usize::try_from(track.global).is_ok_and(|id| id < summary.globals.len());
    if track.global != -1 && !is_there && summary.is_whole(&[b"GLBS"]) {
        let found = format!("-1 or one of {} wanted, {} found", summary.globals.len(), track.global);
        report.push(GLOBAL_RANGE.at(path.field("global")).saying(found));
    }
    if track.form != Form::Generic && track.value != Value::Moment {
        report.push(TRACK_FORM.at(path).saying(format!("the {} form", track.form.word())));
    }
    if track.times.is_empty() {
        report.push(TRACK_EMPTY.at(path));
    }
}

/// One finding per kind of disorder, at the first key that has it.
fn times(path: Path, track: &Track, report: &mut Report) {
    let at = |i: usize| path.field("keys").index(i).field("time");
    if let Some((i, time)) = track.times.iter().enumerate().find(|(_, time)| **time < 0) {
        report.push(KEY_NEGATIVE.at(at(i)).saying(format!("{time} ms")));
    }
    let pairs = || (1..).zip(track.times.iter().zip(track.times.iter().skip(1)));
    if let Some((i, (before, time))) = pairs().find(|(_, (before, time))| time < before) {
        report.push(KEY_ORDER.at(at(i)).saying(format!("{time} ms behind {before} ms")));
    }
    if let Some((i, (_, time))) = pairs().find(|(_, (before, time))| time == before) {
        report.push(KEY_REPEATED.at(at(i)).saying(format!("{time} ms again")));
    }
}

fn values(path: Path, track: &Track, report: &mut Report) {
    let words = track.value.words();
    if words == 0 || track.value == Value::Number {
        return;
    }
    let key = |i: usize| path.field("keys").index(i);
    let all =
        [("value", &track.values), ("in_tangent", &track.in_tangents), ("out_tangent", &track.out_tangents)];
    if track.value != Value::Packed {
        let finite = |value: &[u32]| value.iter().all(|word| f32::from_bits(*word).is_finite());
        for (name, list) in all {
            if let Some((i, value)) = list.chunks_exact(words).enumerate().find(|(_, value)| !finite(value)) {
                let shown = value.iter().map(|word| f32::from_bits(*word)).collect::<Vec<_>>();
                report.push(KEY_NOT_FINITE.at(key(i).field(name)).saying(format!("{shown:?}")));
            }
        }
    }
    if track.value.is_rotation() {
        let length = |value: &[u32]| match floats(track.value, value) {
            Some(Floats::Four(four)) => four.iter().map(|part| part * part).sum::<f32>(),
            _ => 1.0,
        };
        let odd = |value: &[u32]| (length(value) - 1.0).abs() > TOLERANCE;
        let rows = track.values.chunks_exact(words).enumerate();
        if let Some((i, value)) = { rows }.find(|(_, value)| odd(value)) {
            let found = format!("1 wanted, {} found", length(value).sqrt());
            report.push(ROTATION.at(key(i).field("value")).saying(found));
        }
    }
}

/// A track that runs by the sequences and has no key in any of them.
fn outside(path: Path, track: &Track, summary: &Summary<'_>, report: &mut Report) {
    if track.global != -1 || track.times.is_empty() || summary.windows.is_empty() {
        return;
    }
    let is_inside = |time: &i32| {
        let time = i64::from(*time);
        let after = summary.windows.partition_point(|(start, _)| *start <= time);
        let window = after.checked_sub(1).and_then(|i| summary.windows.get(i));
        window.is_some_and(|(_, end)| time <= *end)
    };
    if !track.times.iter().any(is_inside) {
        report.push(TRACK_OUTSIDE.at(path).saying(format!("{} keys", track.times.len())));
    }
}
