//! Motions: those that were merely sampled anew have their own keys again; of the others the keys that were changed are found.

use std::collections::BTreeMap;

use galvani_core::{Diagnostic, Path};
use glam::{Quat, Vec3};

use super::{NOT_TAKEN, OFF_GRID, OTHER_KEYS, Trip};
use crate::{Blend, Clip, Curve, Node, Track};

/// Seconds within which two times are the same.
const MOMENT: f32 = 5e-4;

/// How much farther than the tolerance a motion may be from the keys that were found for it: each is as far off itself.
const SLACK: f32 = 4.0;

pub(super) fn all(trip: &mut Trip<'_>) -> Result<(), Box<Diagnostic>> {
    let (base, found) = (trip.base, trip.found);
    let mut left: Vec<&Clip> = found.clips.iter().collect();
    for (i, old) in base.clips.iter().enumerate() {
        let by_index = left.iter().position(|new| new.index == old.index && new.name == old.name);
        let at = by_index.or_else(|| left.iter().position(|new| new.name == old.name));
        let Some(new) = at.map(|at| left.remove(at)) else {
            if !old.tracks.is_empty() {
                trip.tell(&NOT_TAKEN, "clips", format!("`{}` is gone", old.name));
            }
            continue;
        };
        let came: Came<'_> =
            new.tracks.iter().filter_map(|it| Some(((it.node()?.index(), it.word()), it))).collect();
        for (at, track) in old.tracks.iter().enumerate() {
            if let Some(made) = of_track(trip, (i, old), &came, track)? {
                trip.made.clips[i].tracks[at] = made;
            }
        }
    }
    for clip in left.iter().filter(|clip| !clip.tracks.is_empty()) {
        trip.tell(&NOT_TAKEN, "clips", format!("`{}` is new", clip.name));
    }
    Ok(())
}

/// The tracks of a clip that came back, by their nodes and what they move.
type Came<'s> = BTreeMap<(usize, &'static str), &'s Track>;

/// The track with what was changed; nothing if it moves no node, or as it did.
fn of_track(
    trip: &mut Trip<'_>,
    (index, old): (usize, &Clip),
    came: &Came<'_>,
    track: &Track,
) -> Result<Option<Track>, Box<Diagnostic>> {
    let Some(node) = track.node() else { return Ok(None) };
    let Some(there) = trip.nodes[node.index()] else { return Ok(None) };
    let rest = &trip.found.nodes[there];
    let came = came.get(&(there, track.word())).copied();
    let tolerances = trip.tolerances;
    let mut motion = Motion { trip, clip: (index, &old.name), node: &rest.name };
    Ok(match (track, came) {
        (Track::Translation(id, before), came) => {
            let after = samples(
                came,
                rest,
                |it| match it {
                    Track::Translation(_, curve) => Some(curve),
                    _ => None,
                },
                |rest| rest.translation,
            );
            motion
                .changed(before, &after, (tolerances.length, by_parts))?
                .map(|it| Track::Translation(*id, it))
        }
        (Track::Scale(id, before), came) => {
            let after = samples(
                came,
                rest,
                |it| match it {
                    Track::Scale(_, curve) => Some(curve),
                    _ => None,
                },
                |rest| rest.scale,
            );
            motion.changed(before, &after, (tolerances.part, by_parts))?.map(|it| Track::Scale(*id, it))
        }
        (Track::Rotation(id, before), came) => {
            let after = samples(
                came,
                rest,
                |it| match it {
                    Track::Rotation(_, curve) => Some(curve),
                    _ => None,
                },
                |rest| rest.rotation,
            );
            motion.changed(before, &after, (tolerances.angle, nlerp))?.map(|it| Track::Rotation(*id, it))
        }
        _ => None,
    })
}

/// Times and values that came back; without any, what is there at rest.
fn samples<V: Copy>(
    came: Option<&Track>,
    rest: &Node,
    curve: impl Fn(&Track) -> Option<&Curve<V>>,
    still: impl Fn(&Node) -> V,
) -> Vec<(f32, V)> {
    match came.and_then(curve) {
        Some(curve) => curve.times.iter().copied().zip(curve.values.iter().copied()).collect(),
        None => vec![(0.0, still(rest))],
    }
}

/// Another way between two values than a scene's: some programs blend the parts of rotations one by one.
type Between<V> = fn(V, V, f32) -> V;

fn by_parts(a: Vec3, b: Vec3, part: f32) -> Vec3 {
    Blend::linear(a, b, part)
}

fn nlerp(a: Quat, b: Quat, part: f32) -> Quat {
    let b = if a.dot(b) < 0.0 { -b } else { b };
    (a + (b - a) * part).normalize()
}

/// A motion that came back.
struct Motion<'t, 's, 'n> {
    trip: &'t mut Trip<'s>,
    clip: (usize, &'n str),
    node: &'n str,
}

impl Motion<'_, '_, '_> {
    /// The curve with the keys that were changed; nothing if none was.
    fn changed<V: Blend + PartialEq>(
        &mut self,
        old: &Curve<V>,
        samples: &[(f32, V)],
        (tolerance, between): (f32, Between<V>),
    ) -> Result<Option<Curve<V>>, Box<Diagnostic>> {
        let is_as = |curve: &Curve<V>, (time, value): &(f32, V), far: f32| {
            let near = |other: V| other.distance(*value) <= far;
            let straight = straight(curve, *time, between);
            let sides = [*time, *time - MOMENT, *time + MOMENT];
            sides.iter().any(|time| curve.at(*time).is_some_and(near)) || straight.is_some_and(near)
        };
        let is_same_list = old.times.len() == samples.len()
            && old
                .times
                .iter()
                .zip(&old.values)
                .zip(samples)
                .all(|((time, value), new)| (*time, *value) == *new);
        if is_same_list {
            return Ok(None);
        }
        if samples.iter().all(|sample| is_as(old, sample, tolerance)) {
            self.trip.resampled += 1;
            return Ok(None);
        }
        if old.interp.has_tangents() {
            return Ok(self.of_keys(old, samples, tolerance));
        }
        let changed: Vec<f32> =
            samples.iter().filter(|sample| !is_as(old, sample, tolerance)).map(|it| it.0).collect();
        let mut made = old.clone();
        let mut is_off_grid = false;
        for key in 0..old.times.len() {
            let [from, at, to] = around(&old.times, key);
            if !changed.iter().any(|time| (from - MOMENT..=to + MOMENT).contains(time)) {
                continue;
            }
            let exact = samples.iter().find(|(time, _)| (time - at).abs() < MOMENT);
            is_off_grid |= exact.is_none();
            let value = exact.map(|sample| sample.1).or_else(|| beyond(&made, key, samples));
            if let Some(value) = value.filter(|value| value.distance(old.values[key]) > tolerance) {
                made.values[key] = value;
            }
        }
        if !samples.iter().all(|sample| is_as(&made, sample, tolerance * SLACK)) {
            let path = Path::named("clips").index(self.clip.0);
            let said = format!("`{}` in `{}`", self.node, self.clip.1);
            return Err(Box::new(OTHER_KEYS.at(path).saying(said)));
        }
        if is_off_grid {
            self.trip.tell(&OFF_GRID, "clips", format!("`{}` in `{}`", self.node, self.clip.1));
        }
        Ok(Some(made))
    }
}

impl Motion<'_, '_, '_> {
    /// The same of a curve with tangents, which some programs replace by their own: only what it is at its keys counts. Where no
    /// sample stands at a key, what lies between two may be off by a part of the way to the next key.
    fn of_keys<V: Blend + PartialEq>(
        &mut self,
        old: &Curve<V>,
        samples: &[(f32, V)],
        tolerance: f32,
    ) -> Option<Curve<V>> {
        let (times, values) = samples.iter().copied().unzip();
        let came = Curve::linear(times, values);
        let (mut made, mut is_off_grid) = (old.clone(), false);
        for (key, (&time, &before)) in old.times.iter().zip(&old.values).enumerate() {
            let exact = samples.iter().find(|(at, _)| (at - time).abs() < MOMENT);
            let beside = [key.checked_sub(1), key.checked_add(1)].into_iter().flatten();
            let ways = beside.filter_map(|other| Some(old.values.get(other)?.distance(before)));
            let unsure = if exact.is_some() { 0.0 } else { UNSURE * ways.fold(0.0, f32::max) };
            let value = exact.map(|sample| sample.1).or_else(|| came.at(time));
            if let Some(value) = value.filter(|value| value.distance(before) > tolerance + unsure) {
                made.values[key] = value;
                is_off_grid |= exact.is_none();
            }
        }
        if made.values == old.values {
            self.trip.resampled += 1;
            return None;
        }
        if is_off_grid {
            self.trip.tell(&OFF_GRID, "clips", format!("`{}` in `{}`", self.node, self.clip.1));
        }
        Some(made)
    }
}

/// How much of the way to the next key a curve with tangents may be off between two samples.
const UNSURE: f32 = 0.1;

/// The times of a key and of those beside it.
fn around(times: &[f32], key: usize) -> [f32; 3] {
    let at = times[key];
    let before = key.checked_sub(1).map_or(f32::NEG_INFINITY, |before| times[before]);
    [before, at, times.get(key + 1).copied().unwrap_or(f32::INFINITY)]
}

/// The value that a key must have for the last sample before it to be what it is, or else the first behind it.
fn beyond<V: Blend>(curve: &Curve<V>, key: usize, samples: &[(f32, V)]) -> Option<V> {
    let [from, at, to] = around(&curve.times, key);
    let before = samples.iter().rev().find(|(time, _)| from < *time && *time < at);
    if let Some((time, value)) = before.filter(|_| key > 0) {
        return Some(V::linear(curve.values[key - 1], *value, (at - from) / (time - from)));
    }
    let (time, value) = samples.iter().find(|(time, _)| at < *time && *time < to)?;
    let next = curve.values.get(key + 1)?;
    Some(V::linear(*next, *value, (to - at) / (to - time)))
}

/// A value between two keys, whatever the way between them is said to be.
fn straight<V: Blend>(curve: &Curve<V>, time: f32, between: Between<V>) -> Option<V> {
    let behind = curve.times.partition_point(|at| *at <= time);
    let key = behind.checked_sub(1)?;
    let (from, to) = (curve.times.get(key)?, curve.times.get(behind)?);
    Some(between(*curve.values.get(key)?, *curve.values.get(behind)?, (time - from) / (to - from)))
}
