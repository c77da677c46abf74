//! Keys and the frames that lead to them.

use std::ops::Range;

use galvani_core::{Path, Report};
use zerocopy::little_endian::F32;

use super::budget::Budget;
use super::{
    ENTANGLED, FALLBACK_ORDER, FALLBACK_RANGE, FRAME_COUNT, FRAME_COUNT_ZERO, KEY_TIME_FRACTION, KEY_TIMES,
    MAP_BLOCKS, MAP_KEY, MAP_PAST_FALLBACK, MAP_RANGE, MAP_WORD, NOT_FINITE, ROTATION_LENGTH, STATIC_MODEL,
    STATIC_NODE, TRACK_SHORT, TRACK_START,
};
use crate::msh::{ModelView, NONE, StreamTable, values, wire};

/// Tracks, times, frames.
pub fn animation(model: &ModelView<'_>, report: &mut Report) {
    let keys = model.keys.as_ref().map(|keys| keys.rows);
    if let Some(keys) = keys {
        numbers(keys, report);
    }
    if let Some(map) = model.frame_map.as_ref().filter(|map| map.stream.attr[1] == 0) {
        let path = Path::named("entries").index(map.stream.entry).field("attr2");
        report.push(FRAME_COUNT_ZERO.at(path).saying("at least 1 frame wanted, 0 found"));
    }
    let Some(nodes) = model.nodes.as_ref().map(|nodes| nodes.rows) else { return };
    let tracks: Vec<Track> = tracks(nodes).collect();
    for track in &tracks {
        nothing_named(track, model, report);
    }
    if let Some(keys) = keys {
        for (before, track) in std::iter::once(None).chain(tracks.iter().map(Some)).zip(&tracks) {
            track_rules(track, before, keys, report);
        }
        rising(&tracks, keys, report);
    }
    if let Some(map) = &model.frame_map {
        timeline(&tracks, keys, map, report);
        blocks(&tracks, map, report);
        words(&tracks, keys.unwrap_or_default(), map, report);
    }
}

/// The keys of a node: those behind the node before it, up to its fallback.
#[derive(Debug, Clone, Copy)]
pub(super) struct Track {
    /// The node.
    pub(super) node: usize,
    /// Its first key.
    pub(super) start: usize,
    /// Its last key, which is also the one for frames off the map.
    pub(super) fallback: usize,
    /// Its first word in the frame map.
    pub(super) map_start: Option<usize>,
}

impl Track {
    /// How many keys it has; none if the fallbacks do not rise.
    fn len(&self) -> usize {
        self.fallback.saturating_add(1).saturating_sub(self.start)
    }

    /// Its keys, if all of them are there.
    fn keys_of<'a>(&self, keys: &'a [wire::Key]) -> Option<&'a [wire::Key]> {
        keys.get(self.start..=self.fallback).filter(|keys| !keys.is_empty())
    }
}

/// The track of every node.
pub(super) fn tracks(nodes: &[wire::Node]) -> impl Iterator<Item = Track> {
    let mut start = 0;
    nodes.iter().enumerate().map(move |(i, node)| {
        let fallback = usize::from(node.fallback_key.get());
        let map_start = Some(node.map_start.get()).filter(|&start| start != NONE).map(usize::from);
        let track = Track { node: i, start, fallback, map_start };
        start = fallback.saturating_add(1);
        track
    })
}

/// A fallback or frames of a stream that is not there. 0xFFFF names nothing.
fn nothing_named(track: &Track, model: &ModelView<'_>, report: &mut Report) {
    let path = |field| Path::named("nodes").index(track.node).field(field);
    if model.keys.is_none() && track.fallback != usize::from(NONE) {
        let found = format!("0xFFFF wanted without stream 8, {} found", track.fallback);
        report.push(FALLBACK_RANGE.at(path("fallback_key")).saying(found));
    }
    if let (None, Some(start)) = (&model.frame_map, track.map_start) {
        let found = format!("0xFFFF wanted without stream 19, {start} found");
        report.push(MAP_RANGE.at(path("map_start")).saying(found));
    }
}

/// What holds of each key alone.
fn numbers(keys: &[wire::Key], report: &mut Report) {
    // Most keys are sound, and one look that never stops is faster than five for each that may.
    if keys.iter().fold(true, |sound, key| sound & is_sound(key)) {
        return;
    }
    for (i, key) in keys.iter().enumerate() {
        let path = |field| Path::named("keys").index(i).field(field);
        let time = key.time.get();
        if !time.is_finite() {
            report.push(NOT_FINITE.at(path("time")).saying(format!("a number wanted, {time} found")));
        } else if !is_frame(time) {
            let found = format!("a whole frame from 0 on wanted, {time} found");
            report.push(KEY_TIME_FRACTION.at(path("time")).saying(found));
        }
        if let Some(length) = values::odd_length(key) {
            let found = format!("a length of 1 wanted, {length} found");
            report.push(ROTATION_LENGTH.at(Path::named("keys").index(i)).saying(found));
        }
        if let Some(found) = key.position.map(F32::get).into_iter().find(|value| !value.is_finite()) {
            report.push(NOT_FINITE.at(path("position")).saying(format!("a number wanted, {found} found")));
        }
    }
}

/// Whether nothing can be said about a key alone; of a few sound ones nobody knows before all is worked out.
fn is_sound(key: &wire::Key) -> bool {
    let is_finite = key.position.iter().fold(true, |finite, part| finite & part.get().is_finite());
    let time = key.time.get();
    is_finite & time.is_finite() & is_frame(time) & values::is_surely_unit(key)
}

/// Whether a finite time is a whole frame from 0 on. From 2²³ on every number is whole; below, adding as much leaves no room for
/// parts. A call for the parts of every key's time is what most of these rules would cost.
#[allow(clippy::float_cmp, reason = "what is added and taken away again is the same or not")]
fn is_frame(time: f32) -> bool {
    const WHOLE: f32 = 8_388_608.0;
    time >= WHOLE || (time >= 0.0 && (time + WHOLE) - WHOLE == time)
}

fn track_rules(track: &Track, before: Option<&Track>, keys: &[wire::Key], report: &mut Report) {
    let path = |field| Path::named("nodes").index(track.node).field(field);
    let fallback = track.fallback;
    if let Some(before) = before.filter(|before| before.fallback >= fallback) {
        let found = format!("a key behind {} wanted, {fallback} found", before.fallback);
        report.push(FALLBACK_ORDER.at(path("fallback_key")).saying(found));
    }
    if fallback >= keys.len() {
        let found = format!("a key below {} wanted, {fallback} found", keys.len());
        report.push(FALLBACK_RANGE.at(path("fallback_key")).saying(found));
        return;
    }
    let len = track.len();
    if track.map_start.is_some() && len < 2 {
        report.push(TRACK_SHORT.at(path("map_start")).saying(format!("at least 2 keys wanted, {len} found")));
    } else if track.map_start.is_none() && len > 1 {
        report.push(STATIC_NODE.at(path("map_start")).saying(format!("1 key wanted, {len} found")));
    }
    if let Some(first) = track.keys_of(keys).and_then(<[wire::Key]>::first)
        && first.time.get() != 0.0
    {
        let path = Path::named("keys").index(track.start).field("time");
        report.push(TRACK_START.at(path).saying(format!("0 wanted, {} found", first.time.get())));
    }
}

/// Times rise inside every track. Tracks may overlap in a damaged file: each pair of keys is looked at once.
fn rising(tracks: &[Track], keys: &[wire::Key], report: &mut Report) {
    let mut opening = vec![0_i64; keys.len()];
    for track in tracks.iter().filter(|track| track.start < track.fallback && track.fallback < keys.len()) {
        for (place, step) in [(track.start, 1), (track.fallback, -1)] {
            if let Some(opening) = opening.get_mut(place) {
                *opening = opening.saturating_add(step);
            }
        }
    }
    let mut open = 0_i64;
    for ((i, pair), opening) in (1..).zip(keys.windows(2)).zip(opening) {
        open = open.saturating_add(opening);
        if let [a, b] = pair
            && open > 0
            && !rises(a, b)
        {
            let found = format!("a time after {} wanted, {} found", a.time.get(), b.time.get());
            report.push(KEY_TIMES.at(Path::named("keys").index(i).field("time")).saying(found));
        }
    }
}

fn rises(a: &wire::Key, b: &wire::Key) -> bool {
    a.time.get() < b.time.get()
}

/// How many frames there are.
fn timeline(
    tracks: &[Track],
    keys: Option<&[wire::Key]>,
    map: &StreamTable<'_, wire::MapWord>,
    report: &mut Report,
) {
    let (frames, words) = (map.stream.attr[1], map.rows.len());
    let path = |field| Path::named("entries").index(map.stream.entry).field(field);
    if tracks.iter().all(|track| track.map_start.is_none()) {
        if words > 0 {
            report.push(STATIC_MODEL.at(path("size")).saying(format!("0 words wanted, {words} found")));
        }
        if frames > 1 {
            report.push(STATIC_MODEL.at(path("attr2")).saying(format!("1 frame wanted, {frames} found")));
        }
        return;
    }
    let end = |track: &Track| Some(f64::from(keys?.get(track.fallback)?.time.get()));
    let last = tracks
        .iter()
        .filter_map(end)
        .filter(|time| time.is_finite())
        .fold(None, |last, time| Some(last.map_or(time, |last: f64| last.max(time))));
    if let Some(wanted) =
        last.map(|last| last + 1.0).filter(|wanted| wanted.total_cmp(&f64::from(frames)).is_ne())
    {
        let finding = FRAME_COUNT.at(path("attr2")).saying(format!("{wanted} frames wanted, {frames} found"));
        // Past the last key every frame shows it, as the engine does past the end.
        let is_longer = f64::from(frames) > wanted;
        report.push(if is_longer { finding.as_note() } else { finding });
    }
}

/// Every node with frames has as many words as there are frames, one node behind the other.
fn blocks(tracks: &[Track], map: &StreamTable<'_, wire::MapWord>, report: &mut Report) {
    let frames = usize::try_from(map.stream.attr[1]).unwrap_or(usize::MAX);
    let words = map.rows.len();
    let mut wanted: usize = 0;
    let mut any = false;
    for (track, start) in tracks.iter().filter_map(|track| Some((track, track.map_start?))) {
        let path = Path::named("nodes").index(track.node).field("map_start");
        let end = start.saturating_add(frames);
        if end > words {
            report
                .push(MAP_RANGE.at(path).saying(format!("an end within {words} words wanted, {end} found")));
        }
        if start != wanted {
            report.push(MAP_BLOCKS.at(path).saying(format!("word {wanted} wanted, {start} found")));
        }
        wanted = wanted.saturating_add(frames);
        any = true;
    }
    if any && wanted != words {
        let path = Path::named("entries").index(map.stream.entry).field("size");
        report.push(MAP_BLOCKS.at(path).saying(format!("{wanted} words wanted, {words} found")));
    }
}

/// Every word of every node's frames.
fn words(tracks: &[Track], keys: &[wire::Key], map: &StreamTable<'_, wire::MapWord>, report: &mut Report) {
    let frames = usize::try_from(map.stream.attr[1]).unwrap_or(usize::MAX);
    let mut budget = Budget::over(map.rows.len().saturating_add(keys.len()));
    for (track, start) in tracks.iter().filter_map(|track| Some((track, track.map_start?))) {
        let end = start.saturating_add(frames);
        let Some(block) = map.rows.get(start..end) else { continue };
        if !budget.pays(block.len().saturating_add(track.len().min(keys.len()))) {
            let path = Path::named("nodes").index(track.node).field("map_start");
            report.push(ENTANGLED.at(path).saying("frames of other nodes wanted elsewhere, found here"));
            return;
        }
        if track.fallback >= keys.len() {
            dangling(track, keys.len(), block, start..end, report);
        } else {
            canonical(track, keys, block, start, report);
        }
    }
}

/// A frame between two keys needs both. Only a fallback that is not there lets a frame lead to the last key.
fn dangling(track: &Track, keys: usize, block: &[wire::MapWord], places: Range<usize>, report: &mut Report) {
    for (place, word) in places.zip(block) {
        let key = usize::from(word.key.get());
        if key < track.fallback && key.saturating_add(1) >= keys {
            let found = format!("a key below {} wanted, {key} found", keys.saturating_sub(1));
            report.push(MAP_KEY.at(Path::named("frame_map").index(place)).saying(found));
        }
    }
}

/// A frame leads to the last key that is not later, and to the fallback from its time on.
fn canonical(track: &Track, keys: &[wire::Key], block: &[wire::MapWord], start: usize, report: &mut Report) {
    let Some(own) = track.keys_of(keys).filter(|own| own.is_sorted_by(rises)) else { return };
    let time = |key: usize| own.get(key).map_or(f64::INFINITY, |key| f64::from(key.time.get()));
    let last = own.len().saturating_sub(1);
    let mut segment: usize = 0;
    for ((frame, place), word) in (0_u32..).zip(start..).zip(block) {
        while segment < last && time(segment.saturating_add(1)) <= f64::from(frame) {
            segment = segment.saturating_add(1);
        }
        let early = f64::from(frame) < time(0);
        let wanted = if early { track.fallback } else { track.start.saturating_add(segment) };
        let found = usize::from(word.key.get());
        if found != wanted {
            let past = found > track.fallback && wanted == track.fallback;
            let code = if past { &MAP_PAST_FALLBACK } else { &MAP_WORD };
            let found =
                format!("key {wanted} wanted for frame {frame} of node {}, {found} found", track.node);
            let finding = code.at(Path::named("frame_map").index(place)).saying(found);
            // The engine takes every word from the fallback on for the fallback.
            report.push(if past { finding.pedantic() } else { finding });
        }
    }
}

#[cfg(test)]
mod tests {
    use super::is_frame;

    #[test]
    fn frames_are_whole_and_not_negative() {
        let sparse = (0..=f32::MAX.to_bits()).step_by(40_009).flat_map(|bits| [bits, bits | 1 << 31]);
        let near = [0.0_f32, -0.0, 1.0, 2.5, 8_388_607.0, 8_388_607.5, 8_388_608.0, 8_388_609.0, 1e-30];
        for time in sparse.map(f32::from_bits).chain(near).flat_map(|time| [time, time.trunc()]) {
            assert_eq!(is_frame(time), time >= 0.0 && time.fract() == 0.0, "{time}");
        }
    }
}
