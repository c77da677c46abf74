//! How surfaces move: nothing of that goes back, so that a change is told.

use super::curve::apart;
use super::look::COLOR;
use super::{ABSENT, Measure, NOT_TAKEN, Trip};
use crate::{Blend, Clip, Curve, Id, Material, Scene, SceneImage, Track};

/// Tells what of how surfaces move in clips is another, given which clip came back of each. Programs write it only if they are told to.
pub(super) fn all(trip: &mut Trip<'_>, pairs: &[Option<usize>]) {
    let (base, found) = (trip.base, trip.found);
    let moves = |scene: &Scene| scene.clips.iter().any(|clip| tints(clip).next().is_some());
    if moves(base) && !moves(found) {
        trip.tell(&ABSENT, "clips", "how surfaces move".to_owned());
        return;
    }
    for (old, new) in base.clips.iter().zip(pairs) {
        if let Some(new) = new.and_then(|new| found.clips.get(new)) {
            of_clip(trip, old, new);
        }
    }
}

/// The tracks of a clip that change surfaces.
fn tints(clip: &Clip) -> impl Iterator<Item = &Track> {
    clip.tracks.iter().filter(|track| track.material().is_some())
}

fn of_clip(trip: &mut Trip<'_>, old: &Clip, new: &Clip) {
    let mut left: Vec<&Track> = tints(new).collect();
    let mut others = Vec::new();
    for track in tints(old) {
        match left.iter().position(|it| is_of(trip, track, it) && off(trip, track, it).is_none()) {
            Some(at) => drop(left.remove(at)),
            None => others.push(track),
        }
    }
    // What the extras say goes by numbers that other programs do not follow, and nobody changes it.
    others.retain(|track| {
        let at = left.iter().position(|it| it == track);
        at.map(|at| left.remove(at)).is_none()
    });
    for track in others {
        let name = named(trip.base, track);
        let said = format!("the {} of `{name}` in `{}`", track.word(), old.name);
        let said = match left.iter().position(|it| is_of(trip, track, it)) {
            Some(at) => {
                let off = off(trip, track, left.remove(at));
                format!("{said}, {}", off.unwrap_or_default())
            }
            None => format!("{said} is gone"),
        };
        trip.tell(&NOT_TAKEN, "clips", said);
    }
    for track in left.into_iter().filter(|track| !rests(trip.found, track)) {
        let said = format!("the {} of `{}` in `{}` is new", track.word(), named(trip.found, track), old.name);
        trip.tell(&NOT_TAKEN, "clips", said);
    }
}

fn material<'s>(scene: &'s Scene, track: &Track) -> Option<&'s Material> {
    track.material().and_then(|material| material.find_in(&scene.materials))
}

fn named<'s>(scene: &'s Scene, track: &Track) -> &'s str {
    material(scene, track).map_or("", |it| it.name.as_str())
}

/// Whether a track that came back changes the same of the same surface.
fn is_of(trip: &Trip<'_>, old: &Track, new: &Track) -> bool {
    let came = trip.surfaces.get(named(trip.base, old));
    old.word() == new.word() && came.is_some_and(|came| came == named(trip.found, new))
}

/// By how much two tracks of one kind differ, if that is more than is allowed; what is less counts as sampled anew.
fn off(trip: &mut Trip<'_>, old: &Track, new: &Track) -> Option<String> {
    let part = trip.tolerances.part;
    let (off, most) = match (old, new) {
        (Track::Color(_, old), Track::Color(_, new)) => (apart(old, new), COLOR),
        (Track::Alpha(_, old), Track::Alpha(_, new)) => (apart(old, new), COLOR),
        (Track::UvRotation(_, old), Track::UvRotation(_, new)) => (apart(old, new), part),
        (Track::UvOffset(_, old), Track::UvOffset(_, new))
        | (Track::UvScale(_, old), Track::UvScale(_, new)) => (apart(old, new), part),
        (Track::Texture(_, old), Track::Texture(_, new)) => return shown(trip, old, new),
        _ => return Some("of another kind".to_owned()),
    };
    // What is no number is near nothing.
    if off.is_nan() || off > most {
        return Some(format!("{off:.1e} off"));
    }
    if old.times() != new.times() {
        trip.resampled.add(Measure::Part, off);
    }
    None
}

/// For how long another picture is shown.
fn shown(
    trip: &Trip<'_>,
    old: &Curve<Option<Id<SceneImage>>>,
    new: &Curve<Option<Id<SceneImage>>>,
) -> Option<String> {
    let mut times: Vec<f32> = old.times.iter().chain(&new.times).copied().collect();
    times.sort_by(f32::total_cmp);
    times.dedup();
    let is_other = |time: f32| match (old.at(time).flatten(), new.at(time).flatten()) {
        (Some(old), Some(new)) => !trip.pictures.is_same(old.index(), new.index()),
        (old, new) => old != new,
    };
    let spans = times.windows(2).filter(|span| is_other(span[0])).map(|span| span[1] - span[0]);
    let long: f32 = spans.sum();
    let is_end_other = times.last().is_some_and(|last| is_other(*last));
    (is_end_other || long > trip.tolerances.moment).then(|| format!("for {long} s"))
}

/// Whether a track only says what is so at rest, as programs write it that write everything.
fn rests(scene: &Scene, track: &Track) -> bool {
    fn stays<V: Blend>(curve: &Curve<V>, rest: V) -> bool {
        curve.values.iter().all(|value| value.distance(rest) <= COLOR)
    }
    let Some(of) = material(scene, track) else { return false };
    let transform = of.texture.as_ref().map(|texture| texture.transform).unwrap_or_default();
    match track {
        Track::Color(_, curve) => stays(curve, of.base_color.truncate()),
        Track::Alpha(_, curve) => stays(curve, of.base_color.w),
        Track::UvOffset(_, curve) => stays(curve, transform.offset),
        Track::UvRotation(_, curve) => stays(curve, transform.rotation),
        Track::UvScale(_, curve) => stays(curve, transform.scale),
        _ => false,
    }
}
