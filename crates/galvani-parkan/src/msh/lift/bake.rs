//! Motions of which only the engine knows where they go: keys of their own, as few as the tolerance allows.
//!
//! Between two whole frames the engine stays on one pair of keys, on whose line it may be before the first or behind the
//! second; at a whole frame it may jump. It is on the new pair at an even frame and still on the old one at an odd one.

use galvani_core::{LiftError, Path, SampleError, room};
use galvani_scene::{Blend, Curve, Track};
use glam::{Quat, Vec3};

use super::clip::{Run, moving, seconds};
use super::{BAKED, LOST_MOTION, Lift, nearest, turned};
use crate::msh::animation::time_of;
use crate::msh::engine;
use crate::msh::sample::{DecodedKey, LocalPose, key};

/// Radians of an arc in a frame above which nobody could see where it goes: only its ends count.
const FAST: f32 = 8.0;

/// Keys of rotations that every node may have, and more for each of its frames.
const MOST_KEYS: usize = 1024;
const KEYS_A_FRAME: usize = 8;

/// Nearer than this single precision does not come.
const FINEST: f32 = 1e-6;

/// The tracks of a node, with a finding on how many keys they have and how far they are off.
pub(super) fn tracks(lift: &mut Lift<'_, '_>, node: usize, run: &Run) -> Result<Vec<Track>, LiftError> {
    let mut baking = Baking::default();
    let mut before: Option<Pair> = None;
    for (frame, &word) in (0..).zip(&run.words) {
        let Some(pair) = Pair::find(lift, word, run.fallback) else { return Ok(Vec::new()) };
        baking.join(lift, node, frame, before, pair)?;
        let is_last = usize::try_from(frame).is_ok_and(|frame| frame.saturating_add(1) == run.words.len());
        if !is_last {
            baking.within(lift, frame, pair, run.words.len())?;
        }
        before = Some(pair);
    }
    let Baking { places, turns, error } = baking;
    let (places, turns) = (places.curve(), turns.curve());
    let said = format!(
        "{} keys of places, {} of rotations, off by {error:.1e} radians at most",
        places.times.len(),
        turns.times.len()
    );
    lift.report.push(BAKED.at(Path::named("nodes").index(node).field("map_start")).saying(said));
    Ok(moving(node, places, turns))
}

/// The keys between which the engine is during a frame.
#[derive(Clone, Copy)]
struct Pair {
    at: DecodedKey,
    /// None where the first stands by itself.
    next: Option<DecodedKey>,
}

impl Pair {
    fn find(lift: &mut Lift<'_, '_>, word: u16, fallback: u16) -> Option<Self> {
        let decoded = |index: u16| key(lift.model, index.into(), || Path::named("frame_map"));
        let pair = if word < fallback {
            decoded(word).and_then(|at| Ok(Pair { at, next: Some(decoded(word.saturating_add(1))?) }))
        } else {
            decoded(fallback).map(|at| Pair { at, next: None })
        };
        let told = |error: SampleError| LOST_MOTION.at(Path::named("frame_map")).saying(error.to_string());
        pair.map_err(|error| lift.report.push(told(error))).ok()
    }

    /// What the engine shows at a time, were it on this pair.
    #[allow(clippy::float_cmp, reason = "the engine compares so, without an epsilon")]
    fn pose(&self, time: f32) -> LocalPose {
        let (at, Some(next)) = (self.at, self.next) else { return self.at.pose };
        if time == at.time {
            return at.pose;
        }
        if time == next.time {
            return next.pose;
        }
        let alpha = (time - at.time) / (next.time - at.time);
        LocalPose {
            position: engine::lerp(at.pose.position, next.pose.position, alpha),
            rotation: engine::slerp(at.pose.rotation, next.pose.rotation, alpha),
        }
    }

    /// Radians in a frame, of the quaternion.
    fn speed(&self) -> f32 {
        let Some(next) = self.next else { return 0.0 };
        let [a, b] = [self.at.pose.rotation, next.pose.rotation].map(quat);
        a.distance(b) / 2.0 / (next.time - self.at.time).abs()
    }
}

fn quat(rotation: engine::Quaternion) -> Quat {
    turned(nearest(rotation).unwrap_or_else(|nearest| nearest))
}

/// Keys so far.
#[derive(Default)]
struct Baking {
    places: Keys<Vec3>,
    turns: Keys<Quat>,
    error: f32,
}

impl Baking {
    /// Goes over from one pair to another at a whole frame.
    fn join(
        &mut self,
        lift: &mut Lift<'_, '_>,
        node: usize,
        frame: u32,
        before: Option<Pair>,
        pair: Pair,
    ) -> Result<(), LiftError> {
        let time = time_of(frame);
        let (new_place, new_turn) = lift.placed(node, pair.pose(time));
        let at = seconds(lift, time);
        let Some(before) = before else {
            self.places.push(at, new_place)?;
            return self.turns.push(at, new_turn);
        };
        let (old_place, old_turn) = lift.placed(node, before.pose(time));
        let is_last = frame.saturating_add(1) >= lift.model.frame_count();
        let (old, new) = match frame % 2 {
            0 => (at.next_down(), Some(at)),
            _ => (at, (!is_last).then(|| at.next_up())),
        };
        self.places.jump(at, (old, old_place), new.map(|new| (new, new_place)))?;
        self.turns.jump(at, (old, old_turn), new.map(|new| (new, new_turn)))
    }

    /// Follows a pair through a frame, its end not among it. Places are on a line.
    fn within(
        &mut self,
        lift: &Lift<'_, '_>,
        frame: u32,
        pair: Pair,
        frames: usize,
    ) -> Result<(), LiftError> {
        let most = frames.saturating_mul(KEYS_A_FRAME).saturating_add(MOST_KEYS);
        // A speed that is no number is no answer either.
        let is_seen = (0.0..=FAST).contains(&pair.speed());
        if !is_seen || self.turns.times.len() > most {
            self.error = std::f32::consts::PI;
            return Ok(());
        }
        let stops = [time_of(frame), time_of(frame.saturating_add(1))];
        let tolerance = (lift.options.tolerance * lift.share).max(FINEST);
        let baked = galvani_scene::bake(&stops, tolerance, |time| quat(pair.pose(time).rotation));
        self.error = self.error.max(baked.error);
        let inner = baked.curve.times.len().saturating_sub(2);
        for (time, turn) in baked.curve.times.into_iter().zip(baked.curve.values).skip(1).take(inner) {
            self.turns.push(seconds(lift, time), turn)?;
        }
        Ok(())
    }
}

/// A curve that grows.
struct Keys<V> {
    times: Vec<f32>,
    values: Vec<V>,
}

impl<V> Default for Keys<V> {
    fn default() -> Self {
        Keys { times: Vec::new(), values: Vec::new() }
    }
}

impl<V: Side> Keys<V> {
    /// Adds a key. What stands still needs but two, and what comes too soon for single precision replaces the last.
    fn push(&mut self, time: f32, value: V) -> Result<(), LiftError> {
        let value = self.values.last().map_or(value, |last| value.beside(*last));
        let stands = matches!(self.values.as_slice(), [.., a, b] if *a == value && *b == value);
        let is_late = self.times.last().is_none_or(|last| time > *last);
        if let (Some(at), Some(last)) = (self.times.last_mut(), self.values.last_mut())
            && (stands || !is_late)
        {
            (*at, *last) = (at.max(time), value);
            return Ok(());
        }
        room::push(&mut self.times, time)?;
        Ok(room::push(&mut self.values, value)?)
    }

    /// Adds the end of one line and the start of another, or what they have in common.
    fn jump(&mut self, at: f32, old: (f32, V), new: Option<(f32, V)>) -> Result<(), LiftError> {
        match new {
            Some((_, value)) if value.beside(old.1) == old.1 => self.push(at, value),
            Some((time, value)) => {
                self.push(old.0, old.1)?;
                self.push(time, value)
            }
            None => self.push(old.0, old.1),
        }
    }

    fn curve(self) -> Curve<V> {
        Curve::linear(self.times, self.values)
    }
}

/// Values of which another may be the same.
trait Side: Copy + PartialEq {
    /// The same value on the side of another.
    fn beside(self, other: Self) -> Self;
}

impl Side for Vec3 {
    fn beside(self, _other: Self) -> Self {
        self
    }
}

impl Side for Quat {
    fn beside(self, other: Self) -> Self {
        if self.dot(other) < 0.0 { -self } else { self }
    }
}
