//! Clips.

use galvani_core::Path;
use glam::Quat;

use super::{EMPTY, Found, NOT_FINITE, NOT_UNIT, STEPS, TIMES, TWICE, every, is_unit};
use crate::clip::of_curve;
use crate::{Blend, Clip, Curve, Interp, Scene, Track};

pub(super) fn check(scene: &Scene, found: &mut Found) {
    let mut moved = Moved::new(scene);
    for (i, clip) in scene.clips.iter().enumerate() {
        let path = Path::named("clips").index(i);
        if !(0.0..=f32::MAX).contains(&clip.duration) {
            found.report.push(TIMES.at(path).saying(format!("{} seconds long", clip.duration)));
        }
        moved.forget();
        for (j, track) in clip.tracks.iter().enumerate() {
            let path = || path.field("tracks").index(j);
            if moved.is_again(track) {
                found.report.push(TWICE.at(path()).saying(format!("another track of {}", track.word())));
            }
            of_track(scene, track, &path, found);
            of_times(clip, track.times(), &path, found);
        }
        let events: Vec<f32> = clip.events.iter().map(|event| event.time).collect();
        if !events.is_sorted() || !events.iter().all(|time| (0.0..=clip.duration).contains(time)) {
            found.report.push(TIMES.at(path.field("events")).saying(format!("{events:?}")));
        }
    }
}

/// What a clip has moved so far: a bit for each kind of track, of each node and material. What is not there is
/// [`super::MISSING`] already.
struct Moved {
    nodes: Vec<u16>,
    materials: Vec<u16>,
}

impl Moved {
    fn new(scene: &Scene) -> Self {
        Moved { nodes: vec![0; scene.nodes.len()], materials: vec![0; scene.materials.len()] }
    }

    fn forget(&mut self) {
        self.nodes.fill(0);
        self.materials.fill(0);
    }

    /// Whether a track moves what another has moved before it.
    fn is_again(&mut self, track: &Track) -> bool {
        let kind = match track {
            Track::Translation(..) | Track::Color(..) => 1,
            Track::Rotation(..) | Track::Alpha(..) => 1 << 1,
            Track::Scale(..) | Track::Texture(..) => 1 << 2,
            Track::Visibility(..) | Track::UvOffset(..) => 1 << 3,
            Track::UvRotation(..) => 1 << 4,
            Track::UvScale(..) => 1 << 5,
        };
        let node = track.node().and_then(|node| self.nodes.get_mut(node.index()));
        let material = track.material().and_then(|material| self.materials.get_mut(material.index()));
        node.or(material).is_some_and(|kinds| {
            let before = *kinds;
            *kinds |= kind;
            before == *kinds
        })
    }
}

fn of_track(scene: &Scene, track: &Track, path: &impl Fn() -> Path, found: &mut Found) {
    found.named(track.node(), &scene.nodes, path);
    found.named(track.material(), &scene.materials, path);
    of_curve!(track, curve => of_keys(curve, path, found));
    match track {
        Track::Rotation(_, curve) => of_rotations(curve, path, found),
        Track::Texture(_, curve) => {
            curve.values.iter().for_each(|image| found.named(*image, &scene.images, path));
        }
        _ => of_curve!(track, curve => of_values(curve, path, found)),
    }
    let has_none_between = matches!(track, Track::Visibility(..) | Track::Texture(..));
    if has_none_between && track.interp() != Interp::Step {
        found.report.push(STEPS.at(path()).saying(format!("{:?}", track.interp())));
    }
}

fn of_keys<V>(curve: &Curve<V>, path: &impl Fn() -> Path, found: &mut Found) {
    if curve.times.is_empty() {
        found.report.push(EMPTY.at(path()).saying("no keys"));
    }
    found.count(curve.values.len(), curve.times.len(), || path().field("values"));
    let wanted = if curve.interp.has_tangents() { curve.times.len() } else { 0 };
    found.count(curve.tangents.len(), wanted, || path().field("tangents"));
}

fn of_values<V: Blend>(curve: &Curve<V>, path: &impl Fn() -> Path, found: &mut Found) {
    let are_finite = |values: &[V]| every(values, |value| value.is_finite());
    if !are_finite(&curve.values) || !are_finite(curve.tangents.as_flattened()) {
        found.report.push(NOT_FINITE.at(path()));
    }
}

/// What is of length 1 is also finite.
fn of_rotations(curve: &Curve<Quat>, path: &impl Fn() -> Path, found: &mut Found) {
    let are_units = |values: &[Quat]| every(values, |value| is_unit(value.to_array()));
    if are_units(&curve.values) && are_units(curve.tangents.as_flattened()) {
        return;
    }
    of_values(curve, path, found);
    let mut values = curve.values.iter().chain(curve.tangents.as_flattened());
    let wrong = values.find(|value| !is_unit(value.to_array())).unwrap_or(&Quat::IDENTITY);
    found.report.push(NOT_UNIT.at(path()).saying(format!("{wrong:?}")));
}

fn of_times(clip: &Clip, times: &[f32], path: &impl Fn() -> Path, found: &mut Found) {
    let ends = times.first().zip(times.last());
    let inside = ends.is_none_or(|(first, last)| *first >= 0.0 && *last <= clip.duration);
    let rise = every(times.iter().zip(times.iter().skip(1)), |(a, b)| a < b);
    if !inside || !rise {
        let said = format!("0 to {} and rising wanted, {times:?} found", clip.duration);
        found.report.push(TIMES.at(path().field("times")).saying(said));
    }
}
