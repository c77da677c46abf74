//! When things are hidden: files hold it in ways of their own, so that a change is told.

use std::collections::{BTreeMap, BTreeSet};

use super::{Measure, NOT_TAKEN, RESAMPLED, Trip};
use crate::{Clip, Curve, Scene, Track};

/// Tells what is hidden at rest that was not, and the other way round.
pub(super) fn at_rest(trip: &mut Trip<'_>) {
    let (base, found) = (trip.base, trip.found);
    let moving: BTreeSet<usize> = base.clips.iter().flat_map(|clip| curves(clip).into_keys()).collect();
    for (node, came) in trip.nodes.clone().into_iter().enumerate() {
        let Some(new) = came.map(|came| &found.nodes[came]) else { continue };
        let old = &base.nodes[node];
        let shows = old.mesh.is_some() || old.light.is_some();
        if shows && old.visible != new.visible {
            let what = if new.visible { "seen" } else { "hidden" };
            // Of what clips hide programs write as rest what one of them shows.
            let code = if moving.contains(&node) { &RESAMPLED } else { &NOT_TAKEN };
            trip.tell(code, "nodes", format!("`{}` is {what} at rest", old.name));
        }
    }
}

/// Tells what is hidden in a clip that came back when it was not, or not when it was, and how long.
pub(super) fn in_clip(trip: &mut Trip<'_>, old: &Clip, new: &Clip) {
    if trip.tolerances.moment.is_infinite() {
        return;
    }
    let (base, found) = (trip.base, trip.found);
    let (before, after) = (curves(old), curves(new));
    for (node, came) in trip.nodes.clone().into_iter().enumerate() {
        // Of what shows nothing only extras say when it is hidden, by numbers that other programs do not keep.
        let shows = |scene: &Scene, node: usize| scene.nodes[node].mesh.is_some();
        let Some(came) = came.filter(|came| shows(base, node) && shows(found, *came)) else { continue };
        let (before, after) = (before.get(&node).copied(), after.get(&came).copied());
        if before.is_none() && after.is_none() {
            continue;
        }
        let rests = [base.nodes[node].visible, found.nodes[came].visible];
        let (most, all) = apart((before, after), rests, old.duration);
        if let Some(most) = most
            && trip.off_by(Measure::Moment, most).is_some()
        {
            let (node, clip) = (&base.nodes[node].name, &old.name);
            trip.tell(&NOT_TAKEN, "clips", format!("`{node}` is hidden otherwise in `{clip}`, for {all} s"));
        }
    }
}

fn curves(clip: &Clip) -> BTreeMap<usize, &Curve<bool>> {
    let curve = |track| match track {
        &Track::Visibility(node, ref curve) => Some((node.index(), curve)),
        _ => None,
    };
    clip.tracks.iter().filter_map(curve).collect()
}

/// For how long two curves differ, the longest time in a row and all together; nothing if they do not. What is so from the last key
/// on is so as long as the clip takes.
fn apart(
    (old, new): (Option<&Curve<bool>>, Option<&Curve<bool>>),
    rests: [bool; 2],
    duration: f32,
) -> (Option<f32>, f32) {
    let value =
        |curve: Option<&Curve<bool>>, rest: bool, time: f32| curve.and_then(|it| it.at(time)).unwrap_or(rest);
    let mut times = vec![0.0];
    times.extend([old, new].into_iter().flatten().flat_map(|curve| curve.times.iter().copied()));
    times.sort_by(f32::total_cmp);
    times.dedup();
    let ends = times.iter().skip(1).copied().chain([duration]);
    let (mut most, mut all, mut run): (Option<f32>, f32, f32) = (None, 0.0, 0.0);
    for (start, end) in times.iter().copied().zip(ends) {
        if value(old, rests[0], start) == value(new, rests[1], start) {
            run = 0.0;
            continue;
        }
        let length = (end - start).max(0.0);
        (run, all) = (run + length, all + length);
        most = Some(most.unwrap_or_default().max(run));
    }
    (most, all)
}
