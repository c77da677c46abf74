//! Motions: those that were merely sampled anew have their own keys again; of the others the keys that were changed are found.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use galvani_core::{Diagnostic, Path};
use glam::{Quat, Vec3};

use super::curve::{Changed, Joining, at_keys, between_keys, farthest, refitted, unexplained};
use super::{Measure, NOT_TAKEN, OFF_GRID, OTHER_KEYS, Trip, name, seen, tint};
use crate::{Blend, Clip, Curve, Interp, Node, Track};

pub(super) fn all(trip: &mut Trip<'_>) -> Result<(), Box<Diagnostic>> {
    let (base, found) = (trip.base, trip.found);
    let pairs = pairs(trip);
    for (i, (old, new)) in base.clips.iter().zip(&pairs).enumerate() {
        let Some(new) = new.map(|new| &found.clips[new]) else {
            if !old.tracks.is_empty() {
                trip.tell(&NOT_TAKEN, "clips", format!("`{}` is gone", old.name));
            }
            continue;
        };
        if !name::take(&mut trip.made.clips[i].name, &new.name) {
            trip.tell(&NOT_TAKEN, "clips", format!("`{}` has no name any more", old.name));
        }
        seen::in_clip(trip, old, new);
        let came = came(new);
        for (at, track) in old.tracks.iter().enumerate() {
            if let Some(made) = of_track(trip, (i, old), &came, track)? {
                trip.made.clips[i].tracks[at] = made;
            }
        }
        new_motions(trip, old, &came);
        if (new.duration - old.duration).abs() > FRAME {
            let said = format!("`{}` takes {} s instead of {} s", old.name, new.duration, old.duration);
            trip.tell(&NOT_TAKEN, "clips", said);
        }
    }
    let left = found.clips.iter().enumerate().filter(|(i, _)| !pairs.contains(&Some(*i)));
    for (_, clip) in left.filter(|(_, clip)| !clip.tracks.is_empty()) {
        trip.tell(&NOT_TAKEN, "clips", format!("`{}` is new", clip.name));
    }
    tint::all(trip, &pairs);
    Ok(())
}

/// Whether a clip that came back is one that went out.
type SameClip<'r> = dyn Fn(&Clip, &Clip) -> bool + 'r;

/// Which clip came back of each that went out: by number and name, or by name. Programs drop the number; so of those that are left
/// the ones belong together in which everything moves alike, and of two that are left alone each is the other.
fn pairs(trip: &Trip<'_>) -> Vec<Option<usize>> {
    let (old, new) = (&trip.base.clips, &trip.found.clips);
    let mut pairs: Vec<Option<usize>> = vec![None; old.len()];
    let mut left: Vec<usize> = (0..new.len()).collect();
    let rules: [&SameClip<'_>; 3] = [
        &|old, new| new.index == old.index && new.name == old.name,
        &|old, new| new.name == old.name,
        &|old, new| !old.tracks.is_empty() && moves_alike(trip, old, new),
    ];
    for rule in rules {
        for (old, pair) in old.iter().zip(&mut pairs).filter(|(_, pair)| pair.is_none()) {
            let at = left.iter().position(|at| rule(old, &new[*at]));
            *pair = at.map(|at| left.remove(at));
        }
    }
    left.retain(|at| !new[*at].tracks.is_empty());
    let mut alone = old.iter().zip(&mut pairs).filter(|(old, pair)| pair.is_none() && !old.tracks.is_empty());
    if let (Some((_, pair)), None, [only]) = (alone.next(), alone.next(), left.as_slice()) {
        *pair = Some(*only);
    }
    pairs
}

/// How far programs move the end of a clip that they sample anew: to a frame of theirs, in seconds.
const FRAME: f32 = 0.05;

/// Tells of nodes that move in a clip in which they did not. Programs write what does not move as well: at rest.
fn new_motions(trip: &mut Trip<'_>, clip: &Clip, came: &Came<'_>) {
    let had: BTreeSet<(usize, &str)> =
        clip.tracks.iter().filter_map(|it| Some((it.node()?.index(), it.word()))).collect();
    let mut new = Vec::new();
    for ((there, word), track) in came {
        let rest = match trip.came.get(there) {
            Some(node) if !had.contains(&(*node, word)) => &trip.base.nodes[*node],
            // Other states and levels of detail stand still.
            None if trip.levels.contains_key(there) => &trip.found.nodes[*there],
            _ => continue,
        };
        let tolerances = trip.tolerances;
        let moves = match track {
            Track::Translation(_, curve) => leaves(curve, rest.translation, tolerances.length),
            Track::Rotation(_, curve) => leaves(curve, rest.rotation, tolerances.angle),
            Track::Scale(_, curve) => leaves(curve, rest.scale, tolerances.part),
            _ => false,
        };
        if moves {
            new.push(format!("`{}` did not move in `{}`", rest.name, clip.name));
        }
    }
    for said in new {
        trip.tell(&NOT_TAKEN, "clips", said);
    }
}

/// Whether a curve leaves a value.
fn leaves<V: Blend>(curve: &Curve<V>, rest: V, tolerance: f32) -> bool {
    // What is no number is near nothing.
    curve.values.iter().map(|value| value.distance(rest)).any(|off| off.is_nan() || off > tolerance)
}

/// Whether every node moves in one clip as in the other.
fn moves_alike(trip: &Trip<'_>, old: &Clip, new: &Clip) -> bool {
    let came = came(new);
    old.tracks.iter().all(|track| {
        let moved = Moved::new(trip, &came, track);
        moved.is_none_or(|moved| moved.off() <= moved.measure().tolerance(trip.tolerances))
    })
}

/// The tracks of a clip that came back, by their nodes and what they move.
type Came<'s> = BTreeMap<(usize, &'static str), &'s Track>;

fn came(clip: &Clip) -> Came<'_> {
    clip.tracks.iter().filter_map(|it| Some(((it.node()?.index(), it.word()), it))).collect()
}

/// How a node moved when it went out, and when it came back.
enum Moved<'s> {
    Places(&'s Curve<Vec3>, Cow<'s, Curve<Vec3>>),
    Sizes(&'s Curve<Vec3>, Cow<'s, Curve<Vec3>>),
    Turns(&'s Curve<Quat>, Cow<'s, Curve<Quat>>),
}

impl<'s> Moved<'s> {
    /// Nothing if the track moves no node, or its node did not come back.
    fn new(trip: &Trip<'_>, came: &Came<'s>, track: &'s Track) -> Option<Self> {
        let there = trip.nodes[track.node()?.index()]?;
        let rest: &Node = &trip.found.nodes[there];
        let came = came.get(&(there, track.word())).copied();
        Some(match (track, came) {
            (Track::Translation(_, old), Some(Track::Translation(_, new))) => {
                Moved::Places(old, Cow::Borrowed(new))
            }
            (Track::Translation(_, old), _) => Moved::Places(old, still(old, rest.translation)),
            (Track::Scale(_, old), Some(Track::Scale(_, new))) => Moved::Sizes(old, Cow::Borrowed(new)),
            (Track::Scale(_, old), _) => Moved::Sizes(old, still(old, rest.scale)),
            (Track::Rotation(_, old), Some(Track::Rotation(_, new))) => Moved::Turns(old, Cow::Borrowed(new)),
            (Track::Rotation(_, old), _) => Moved::Turns(old, still(old, rest.rotation)),
            _ => return None,
        })
    }

    fn measure(&self) -> Measure {
        match self {
            Moved::Places(..) => Measure::Place,
            Moved::Sizes(..) => Measure::Part,
            Moved::Turns(..) => Measure::Turn,
        }
    }

    /// How far what came back is from what went out.
    fn off(&self) -> f32 {
        match self {
            Moved::Places(old, new) | Moved::Sizes(old, new) => {
                farthest(old, &sampled(new), Joining::STRAIGHT)
            }
            Moved::Turns(old, new) => farthest(old, &sampled(new), Joining::BY_PARTS),
        }
    }
}

fn sampled<V: Copy>(curve: &Curve<V>) -> Vec<(f32, V)> {
    curve.times.iter().copied().zip(curve.values.iter().copied()).collect()
}

/// What no track moves stays at rest, all the time.
fn still<V: Copy>(old: &Curve<V>, rest: V) -> Cow<'_, Curve<V>> {
    Cow::Owned(Curve::linear(old.times.clone(), vec![rest; old.times.len()]))
}

/// The track with what was changed; nothing if it moves no node, or as it did.
fn of_track<'s>(
    trip: &mut Trip<'s>,
    clip: (usize, &Clip),
    came: &Came<'s>,
    track: &'s Track,
) -> Result<Option<Track>, Box<Diagnostic>> {
    let (Some(node), Some(moved)) = (track.node(), Moved::new(trip, came, track)) else { return Ok(None) };
    let name = trip.base.nodes[node.index()].name.as_str();
    let mut motion = Motion { trip, measure: moved.measure(), clip, node: name };
    Ok(match &moved {
        Moved::Places(old, new) => {
            motion.changed(old, new, Joining::STRAIGHT)?.map(|it| Track::Translation(node, it))
        }
        Moved::Sizes(old, new) => {
            motion.changed(old, new, Joining::STRAIGHT)?.map(|it| Track::Scale(node, it))
        }
        Moved::Turns(old, new) => {
            motion.changed(old, new, Joining::BY_PARTS)?.map(|it| Track::Rotation(node, it))
        }
    })
}

/// A motion that came back.
struct Motion<'t, 's, 'n> {
    trip: &'t mut Trip<'s>,
    measure: Measure,
    clip: (usize, &'n Clip),
    node: &'n str,
}

impl Motion<'_, '_, '_> {
    /// The curve with the keys that were changed; nothing if none was.
    fn changed<V: Blend + PartialEq>(
        &mut self,
        old: &Curve<V>,
        new: &Curve<V>,
        way: Joining<V>,
    ) -> Result<Option<Curve<V>>, Box<Diagnostic>> {
        if old == new {
            return Ok(None);
        }
        let samples = sampled(new);
        let tolerance = self.measure.tolerance(self.trip.tolerances);
        let off = farthest(old, &samples, way);
        if off <= tolerance {
            if sampled(old) != samples || new.interp == Interp::Linear {
                self.trip.resampled.add(self.measure, off);
            }
            self.compare_ways(old, new, way);
            return Ok(None);
        }
        let has_tangents = old.interp.has_tangents();
        let found = if has_tangents {
            at_keys(old, &samples, tolerance)
        } else {
            refitted(old, &samples, (tolerance, way)).ok_or_else(|| self.refusal())?
        };
        let Changed { curve, is_off_grid } = found;
        let left = unexplained(&curve, &samples, (tolerance, way)).filter(|_| has_tangents);
        if let Some(left) = left {
            let said = format!("{} is {left:.1e} off between its keys", self.said());
            self.trip.tell(&NOT_TAKEN, "clips", said);
        }
        if curve.values == old.values {
            let offs = if has_tangents { &mut self.trip.smoothed } else { &mut self.trip.resampled };
            offs.add(self.measure, off);
            return Ok(None);
        }
        if is_off_grid {
            let said = self.said();
            self.trip.tell(&OFF_GRID, "clips", said);
        }
        Ok(Some(curve))
    }

    /// Tells that a motion goes from key to key in another way, if it still has its own keys and is not what programs make that sample
    /// it.
    fn compare_ways<V: Blend>(&mut self, old: &Curve<V>, new: &Curve<V>, way: Joining<V>) {
        let Some(off) = between_keys(old, new, way) else { return };
        let is_other = off > self.measure.tolerance(self.trip.tolerances);
        if new.interp != Interp::Linear && (new.interp != old.interp || is_other) {
            let said = format!("{} goes from key to key in another way, {off:.1e} off", self.said());
            self.trip.tell(&NOT_TAKEN, "clips", said);
        }
    }

    fn said(&self) -> String {
        format!("`{}` in `{}`", self.node, self.clip.1.name)
    }

    fn refusal(&self) -> Box<Diagnostic> {
        Box::new(OTHER_KEYS.at(Path::named("clips").index(self.clip.0)).saying(self.said()))
    }
}
