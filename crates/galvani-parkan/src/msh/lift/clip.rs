//! The timeline as a clip: keys where the engine has keys, or as many as it takes where only those are true to it.

use galvani_core::maths::single;
use galvani_core::{LiftError, Path, room};
use galvani_scene::{Clip, Curve, Extras, Fact, Id, Origin, Track, Values};
use glam::{Quat, Vec3};

use super::{ENTANGLED, LOST_MOTION, Lift, TIMELINE, bake, origin, whole};
use crate::msh::animation::{self, MOST_FRAMES};
use crate::msh::check::budget::Budget;
use crate::msh::sample::{self, LocalPose};
use crate::msh::{NONE, engine};

/// Adds the clip, if anything moves.
pub(super) fn timeline(lift: &mut Lift<'_, '_>) -> Result<(), LiftError> {
    let words = lift.model.frame_map.as_ref().map_or(0, |map| map.rows.len());
    let mut budget = Budget::over(words);
    let mut tracks = Vec::new();
    for node in 0..lift.model.node_count() {
        let Some(run) = run(lift, node, &mut budget)? else {
            let record = lift.model.nodes.as_ref().and_then(|nodes| nodes.rows.get(node));
            if let Some(key) = record.map(|record| record.fallback_key.get().into()) {
                origin::of_still(lift, node, key);
            }
            continue;
        };
        tracks.extend(if let Some(keys) = plain(lift, &run)? {
            let tracks = curves(lift, node, &keys)?;
            let first = run.words.first().copied().unwrap_or_default();
            origin::of_keys(lift, node, first.into()..=run.fallback.into(), &tracks);
            tracks
        } else {
            let lists = [Values::Places(0, node), Values::Turns(0, node)];
            lift.scene.origins.extend(lists.map(Origin::fixed));
            bake::tracks(lift, node, &run)?
        });
    }
    if !tracks.is_empty() {
        let last = lift.model.frame_count().saturating_sub(1);
        let duration = seconds(lift, animation::time_of(last));
        let frames = Fact::Int(whole(lift.model.frame_count()));
        let extras = Extras::from([("frames".to_owned(), frames)]);
        lift.scene.clips.push(Clip {
            name: TIMELINE.to_owned(),
            duration,
            tracks,
            extras,
            ..Clip::default()
        });
    }
    Ok(())
}

/// The words of a node that moves.
pub(super) struct Run {
    /// The key that each frame names.
    pub(super) words: Vec<u16>,
    /// The key that counts where a word is not below it.
    pub(super) fallback: u16,
}

/// The words of a node; `None` where the engine always shows the same, or would read past its tables.
fn run(lift: &mut Lift<'_, '_>, node: usize, budget: &mut Budget) -> Result<Option<Run>, LiftError> {
    let model = lift.model;
    let path = Path::named("nodes").index(node).field("map_start");
    let Some(record) = model.nodes.as_ref().and_then(|nodes| nodes.rows.get(node)) else { return Ok(None) };
    let (start, fallback) = (record.map_start.get(), record.fallback_key.get());
    if start == NONE || model.is_still() {
        return Ok(None);
    }
    let words = model.frame_map.as_ref().map_or(&[][..], |map| map.rows);
    let (frames, keys) = (model.frame_count(), model.keys.as_ref().map_or(0, |keys| keys.rows.len()));
    let first = usize::from(start);
    let end = first.saturating_add(usize::try_from(frames).unwrap_or(usize::MAX));
    let Some(run) = words.get(first..end).filter(|_| usize::from(fallback) < keys) else {
        let found = format!("words {first} to {end} of {}, key {fallback} of {keys}", words.len());
        lift.report.push(LOST_MOTION.at(path).saying(found));
        return Ok(None);
    };
    if frames > MOST_FRAMES || !budget.pays(run.len()) {
        return Err(ENTANGLED.at(path).saying(format!("{frames} frames")).into());
    }
    let words: Vec<u16> = room::collected(run.iter().map(|word| word.key.get()))?;
    Ok(words.iter().any(|&key| key < fallback).then_some(Run { words, fallback }))
}

/// A time in frames, and how the node stands then.
type TimedPose = (f32, LocalPose);

/// The keys themselves, if straight lines between them are what the engine shows: their times are whole
/// frames that rise from 0 and end on the timeline, and each frame's word is the last key at or before it.
#[allow(clippy::float_cmp, reason = "whole frames are exact")]
fn plain(lift: &Lift<'_, '_>, run: &Run) -> Result<Option<Vec<TimedPose>>, LiftError> {
    let fallback = run.fallback;
    let Some(&first) = run.words.first().filter(|&&first| first < fallback) else { return Ok(None) };
    let rows =
        (usize::from(first)..=usize::from(fallback)).flat_map(|key| sample::key(lift.model, key, Path::root));
    let keys: Vec<TimedPose> = room::collected(rows.map(|key| (key.time, key.pose)))?;
    let starts = keys.first().is_some_and(|(time, _)| *time == 0.0);
    let rises = keys.is_sorted_by(|(a, _), (b, _)| a < b) && keys.iter().all(|(time, _)| time.fract() == 0.0);
    let ends = keys.last().and_then(|(time, _)| animation::whole(*time));
    let ends = ends.and_then(|last| usize::try_from(last).ok()).is_some_and(|last| last < run.words.len());
    if !(starts && rises && ends) {
        return Ok(None);
    }
    let mut at = 0_usize;
    for (frame, &word) in (0..).zip(&run.words) {
        let time = animation::time_of(frame);
        while keys.get(at.saturating_add(1)).is_some_and(|(next, _)| *next <= time) {
            at = at.saturating_add(1);
        }
        if usize::from(word.min(fallback)) != usize::from(first).saturating_add(at) {
            return Ok(None);
        }
    }
    Ok(Some(keys))
}

/// The curves of a node; none for what stays as it is.
fn curves(lift: &mut Lift<'_, '_>, node: usize, keys: &[TimedPose]) -> Result<Vec<Track>, LiftError> {
    let mut times = room::with_capacity(keys.len())?;
    let (mut places, mut turns) = (room::with_capacity(keys.len())?, room::with_capacity(keys.len())?);
    // A rotation and its negative turn alike. Each is taken on the side of the one before it, because some
    // readers know no shorter arc; what the engine itself compares decides, so that half turns go its way.
    let (mut before, mut side) = (engine::IDENTITY, 1.0);
    for &(time, pose) in keys {
        let (place, turn) = lift.placed(node, pose);
        let dot: f32 = before.0.iter().zip(pose.rotation.0).map(|(a, b)| a * b).sum();
        side = if dot < 0.0 { -side } else { side };
        before = pose.rotation;
        times.push(seconds(lift, time));
        places.push(place);
        turns.push(turn * side);
    }
    let turned = room::copied(&times)?;
    Ok(moving(node, Curve::linear(times, places), Curve::linear(turned, turns)))
}

/// The tracks of a node; none for what stays as it is.
pub(super) fn moving(node: usize, places: Curve<Vec3>, turns: Curve<Quat>) -> Vec<Track> {
    let id = Id::new(node);
    let mut tracks = Vec::new();
    if is_changing(places.values.iter().map(Vec3::to_array)) {
        tracks.push(Track::Translation(id, places));
    }
    if is_changing(turns.values.iter().map(Quat::to_array)) {
        tracks.push(Track::Rotation(id, turns));
    }
    tracks
}

fn is_changing<const N: usize>(values: impl Iterator<Item = [f32; N]>) -> bool {
    let mut bits = values.map(|value| value.map(f32::to_bits));
    let first = bits.next();
    bits.any(|other| Some(other) != first)
}

/// A time in frames as seconds.
pub(super) fn seconds(lift: &Lift<'_, '_>, frames: f32) -> f32 {
    in_seconds(frames, lift.options.frame_rate)
}

pub(super) fn in_seconds(frames: f32, frame_rate: f32) -> f32 {
    single(f64::from(frames) / f64::from(frame_rate))
}
