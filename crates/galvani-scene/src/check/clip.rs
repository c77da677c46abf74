//! Clips.

use std::collections::BTreeSet;

use galvani_core::Path;

use super::{EMPTY, Found, NOT_FINITE, NOT_UNIT, STEPS, TIMES, TWICE, is_unit};
use crate::clip::of_curve;
use crate::{Blend, Clip, Curve, Interp, Scene, Track};

pub(super) fn check(scene: &Scene, found: &mut Found) {
    for (i, clip) in scene.clips.iter().enumerate() {
        let path = Path::named("clips").index(i);
        if !(0.0..=f32::MAX).contains(&clip.duration) {
            found.report.push(TIMES.at(path).saying(format!("{} seconds long", clip.duration)));
        }
        let mut moved = BTreeSet::new();
        for (j, track) in clip.tracks.iter().enumerate() {
            let path = path.field("tracks").index(j);
            if !moved.insert((track.node(), track.material(), track.word())) {
                found.report.push(TWICE.at(path).saying(format!("another track of {}", track.word())));
            }
            of_track(scene, track, path, found);
            of_times(clip, track.times(), path.field("times"), found);
        }
        let events: Vec<f32> = clip.events.iter().map(|event| event.time).collect();
        if !events.is_sorted() || !events.iter().all(|time| (0.0..=clip.duration).contains(time)) {
            found.report.push(TIMES.at(path.field("events")).saying(format!("{events:?}")));
        }
    }
}

fn of_track(scene: &Scene, track: &Track, path: Path, found: &mut Found) {
    found.named(track.node(), &scene.nodes, path);
    found.named(track.material(), &scene.materials, path);
    of_curve!(track, curve => of_curve(curve, path, found));
    match track {
        Track::Rotation(_, curve) => {
            let tangents = curve.tangents.as_flattened();
            if let Some(wrong) = curve.values.iter().chain(tangents).find(|value| !is_unit(value.to_array()))
            {
                found.report.push(NOT_UNIT.at(path).saying(format!("{wrong:?}")));
            }
        }
        Track::Texture(_, curve) => {
            curve.values.iter().for_each(|image| found.named(*image, &scene.images, path));
        }
        _ => {}
    }
    let has_none_between = matches!(track, Track::Visibility(..) | Track::Texture(..));
    if has_none_between && track.interp() != Interp::Step {
        found.report.push(STEPS.at(path).saying(format!("{:?}", track.interp())));
    }
}

fn of_curve<V: Blend>(curve: &Curve<V>, path: Path, found: &mut Found) {
    if curve.times.is_empty() {
        found.report.push(EMPTY.at(path).saying("no keys"));
    }
    found.count(curve.values.len(), curve.times.len(), path.field("values"));
    let wanted = if curve.interp.has_tangents() { curve.times.len() } else { 0 };
    found.count(curve.tangents.len(), wanted, path.field("tangents"));
    let mut values = curve.values.iter().chain(curve.tangents.as_flattened());
    if !values.all(|value| value.is_finite()) {
        found.report.push(NOT_FINITE.at(path));
    }
}

fn of_times(clip: &Clip, times: &[f32], path: Path, found: &mut Found) {
    let inside = times.iter().all(|time| (0.0..=clip.duration).contains(time));
    if !inside || !times.is_sorted_by(|a, b| a < b) {
        let said = format!("0 to {} and rising wanted, {times:?} found", clip.duration);
        found.report.push(TIMES.at(path).saying(said));
    }
}
