//! A clip as keys on whole frames, as few as the tolerance allows.

use galvani_core::maths::{Wxyz, single};
use galvani_core::reach::furthest;
use galvani_core::{LowerError, Path, Reading, Report, room};
use galvani_scene::{Clip, Curve, Id, Node, Scene, Track};
use glam::{Quat, Vec3};

use super::{FRAMES, LOST_CLIP, LOST_REST, LOST_TRACK, OFF_GRID, Options, refused};
use crate::msh::animation::{MOST_FRAMES, time_of};
use crate::msh::build::{KeyPlan, refuse_keys, refuse_map};
use crate::msh::engine::{self, Quaternion};
use crate::msh::lift::from_axes;
use crate::msh::values;

/// How far the end of a clip may be from a frame and still be on it, in frames.
const ON_FRAME: f64 = 1e-3;

/// Nearer than this no rotation of four times sixteen bits comes, in radians, and no place of single precision, of the
/// model's size.
const FINEST_TURN: f32 = 6.2e-5;
const FINEST_PLACE: f32 = 1e-6;

/// Into how many parts a frame is cut to see how far the line is from the motion.
const PROBES: u8 = 4;

/// The keys of every node of a scene without scales, whose only clip is the one to take.
pub(super) fn tracks(
    scene: &Scene,
    options: &Options,
    report: &mut Report,
) -> Result<Vec<Vec<KeyPlan>>, LowerError> {
    // Every node has a key; with many more than fit there is no need to look at their motions.
    refuse_keys(scene.nodes.len()).map_err(refused)?;
    let size = scene.size();
    let size = if size > 0.0 { size } else { 1.0 };
    let near = Near {
        place: f64::from(options.tolerance.max(FINEST_PLACE)) * f64::from(size),
        turn: options.tolerance.max(FINEST_TURN).into(),
    };
    let Some(clip) = scene.clips.first() else {
        let rest = |node: &Node| vec![KeyPlan { time: 0, ..stored(rest(node)) }];
        return Ok(room::collected(scene.nodes.iter().map(rest))?);
    };
    let last = last_frame(clip, options)?;
    let mut timeline = Timeline { clip, fps: options.fps, last, near, ends: Vec::new() };
    let motions = motions(scene, clip, report)?;
    let mut tracks: Vec<Vec<KeyPlan>> = room::with_capacity(scene.nodes.len())?;
    let (mut count, mut moving, mut resting_elsewhere) = (0_usize, 0_usize, 0_usize);
    for (i, motion) in motions.iter().enumerate() {
        let (keys, error) = timeline.keys(motion)?;
        count = count.saturating_add(keys.len());
        refuse_keys(count).map_err(refused)?;
        if keys.len() > 1 {
            moving = moving.saturating_add(1);
            refuse_map(moving, last.saturating_add(1)).map_err(refused)?;
        }
        if !near.holds(error) {
            let said = format!("off by {:.1e} units and {:.1e} radians", error.place, error.turn);
            report.push(OFF_GRID.at(Path::named("nodes").index(i)).saying(said));
        }
        let begins = keys.first().map_or(Error::default(), |first| distance(rest(motion.node), *first));
        resting_elsewhere = resting_elsewhere.saturating_add(usize::from(!near.holds(begins)));
        tracks.push(keys);
    }
    timeline.end(&mut tracks);
    if resting_elsewhere > 0 {
        let said = format!("{resting_elsewhere} nodes");
        report.push(LOST_REST.at(Path::named("nodes")).saying(said));
    }
    if moving == 0 {
        report.push(LOST_CLIP.at(Path::named("clips")).saying(format!("nothing moves in `{}`", clip.name)));
    }
    Ok(tracks)
}

/// The frame on which a clip ends, or the first behind its end.
fn last_frame(clip: &Clip, options: &Options) -> Result<u32, LowerError> {
    let frames = f64::from(clip.duration) * f64::from(options.fps);
    let whole = if (frames - frames.round()).abs() <= ON_FRAME { frames.round() } else { frames.ceil() };
    if whole >= f64::from(MOST_FRAMES) {
        let said = format!("{whole} frames, fewer than {MOST_FRAMES} fit");
        return Err(FRAMES.at(Path::named("clips")).saying(said).into());
    }
    Ok(count(whole))
}

#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::as_conversions,
    reason = "whole and within range; `as` saturates"
)]
fn count(whole: f64) -> u32 {
    whole as u32
}

/// What moves a node.
struct Motion<'s> {
    node: &'s Node,
    places: Option<&'s Curve<Vec3>>,
    turns: Option<&'s Curve<Quat>>,
}

/// The motion of every node; what else a clip changes is told.
fn motions<'s>(scene: &'s Scene, clip: &'s Clip, report: &mut Report) -> Result<Vec<Motion<'s>>, LowerError> {
    let still = |node| Motion { node, places: None, turns: None };
    let mut motions: Vec<Motion<'_>> = room::collected(scene.nodes.iter().map(still))?;
    for (i, track) in clip.tracks.iter().enumerate() {
        let motion = track.node().and_then(|node| motions.get_mut(node.index()));
        match (track, motion) {
            (Track::Translation(_, curve), Some(motion)) => motion.places = Some(curve),
            (Track::Rotation(_, curve), Some(motion)) => motion.turns = Some(curve),
            _ => {
                let of =
                    [("node", track.node().map(Id::index)), ("material", track.material().map(Id::index))];
                let of = of.iter().find_map(|(what, index)| Some(format!("{what} {}", (*index)?)));
                let said = format!("{} of {}", track.word(), of.unwrap_or_default());
                report.push(LOST_TRACK.at(Path::named("clips").field("tracks").index(i)).saying(said));
            }
        }
    }
    Ok(motions)
}

/// A pose in the engine's axes, its rotation of length 1.
type PlaceAndTurn = ([f32; 3], Quaternion);

fn rest(node: &Node) -> PlaceAndTurn {
    pose(node.translation, node.rotation)
}

fn pose(place: Vec3, turn: Quat) -> PlaceAndTurn {
    let [x, y, z] = from_axes([turn.x, turn.y, turn.z]).map(|part| -part);
    let turn = values::normalised(Wxyz([turn.w, x, y, z]));
    let is_one = turn.0.iter().all(|part| part.is_finite());
    (from_axes(place.to_array()), if is_one { turn } else { engine::IDENTITY })
}

/// A key at frame 0 with what the file will say of a pose.
fn stored((position, turn): PlaceAndTurn) -> KeyPlan {
    let raw = values::pack_rotation(turn, Reading::Observed);
    KeyPlan { time: 0, position, rotation: values::rotation_of(raw, Reading::Observed) }
}

/// How far something is off: a length, and an angle in radians.
#[derive(Debug, Clone, Copy, Default)]
struct Error {
    place: f64,
    turn: f64,
}

/// How far something may be off.
#[derive(Debug, Clone, Copy)]
struct Near {
    place: f64,
    turn: f64,
}

impl Near {
    fn holds(self, error: Error) -> bool {
        error.place <= self.place && error.turn <= self.turn
    }
}

/// How far a key is from a pose.
fn distance((place, Wxyz(turn)): PlaceAndTurn, key: KeyPlan) -> Error {
    let length = |parts: &mut dyn Iterator<Item = f64>| parts.map(|part| part * part).sum::<f64>().sqrt();
    let both = || turn.iter().zip(key.rotation.0).map(|(a, b)| (f64::from(*a), f64::from(b)));
    let minus = length(&mut both().map(|(a, b)| a - b));
    let plus = length(&mut both().map(|(a, b)| a + b));
    Error {
        place: length(&mut place.iter().zip(key.position).map(|(a, b)| f64::from(*a) - f64::from(b))),
        // A rotation and its negative are one; between quaternions lies half the angle.
        turn: 4.0 * minus.min(plus).atan2(minus.max(plus)),
    }
}

/// What the engine shows between two keys, at a time in frames.
fn between(a: KeyPlan, b: KeyPlan, time: f32) -> KeyPlan {
    let (from, to) = (time_of(a.time), time_of(b.time));
    let part = if to > from { ((time - from) / (to - from)).clamp(0.0, 1.0) } else { 0.0 };
    KeyPlan {
        time: a.time,
        position: engine::lerp(a.position, b.position, part),
        rotation: engine::slerp(a.rotation, b.rotation, part),
    }
}

/// The frames of a clip.
struct Timeline<'s> {
    clip: &'s Clip,
    fps: f32,
    last: u32,
    near: Near,
    /// Keys at the last frame that were left out, by node: the timeline may need one of them.
    ends: Vec<Option<KeyPlan>>,
}

impl Timeline<'_> {
    /// The keys of a node, and how far they are off between frames.
    fn keys(&mut self, motion: &Motion<'_>) -> Result<(Vec<KeyPlan>, Error), LowerError> {
        let first = stored(self.at(motion, 0.0));
        self.ends.push(None);
        if motion.places.is_none() && motion.turns.is_none() {
            return Ok((vec![first], Error::default()));
        }
        let poses: Vec<PlaceAndTurn> =
            room::collected((0..=self.last).map(|frame| self.at(motion, time_of(frame))))?;
        let mut keys = vec![first];
        if !self.is_held(first, &poses) {
            self.thin(&poses, &mut keys)?;
            self.cut(&poses, &mut keys);
        }
        let error = self.error(motion, &keys);
        Ok((keys, error))
    }

    /// How a node is at a time in frames.
    fn at(&self, motion: &Motion<'_>, frames: f32) -> PlaceAndTurn {
        let time = single(f64::from(frames) / f64::from(self.fps)).min(self.clip.duration);
        let place = motion.places.and_then(|curve| curve.at(time)).unwrap_or(motion.node.translation);
        let turn = motion.turns.and_then(|curve| curve.at(time)).unwrap_or(motion.node.rotation);
        pose(place, turn)
    }

    /// Whether a key stands for all poses from its own frame on.
    fn is_held(&self, key: KeyPlan, poses: &[PlaceAndTurn]) -> bool {
        poses.iter().skip(index(key.time)).all(|pose| self.near.holds(distance(*pose, key)))
    }

    /// Adds keys up to the last frame, each as far from the one before as the tolerance allows.
    fn thin(&self, poses: &[PlaceAndTurn], keys: &mut Vec<KeyPlan>) -> Result<(), LowerError> {
        let key = |frame: usize| {
            let time = u32::try_from(frame).unwrap_or(u32::MAX);
            poses.get(frame).map(|pose| KeyPlan { time, ..stored(*pose) })
        };
        let (mut at, last) = (0, index(self.last));
        while at < last {
            let (from, limit) = (key(at), last);
            let reaches = |to: usize| self.is_straight(from?, key(to)?, poses).then_some(());
            at = furthest(at, limit, reaches).0;
            if let Some(key) = key(at) {
                room::push(keys, key)?;
            }
        }
        Ok(())
    }

    /// Whether every frame between two keys is near their line.
    fn is_straight(&self, a: KeyPlan, b: KeyPlan, poses: &[PlaceAndTurn]) -> bool {
        (a.time.saturating_add(1)..b.time).all(|frame| {
            let pose = poses.get(index(frame));
            pose.is_some_and(|pose| self.near.holds(distance(*pose, between(a, b, time_of(frame)))))
        })
    }

    /// Leaves out the last key if the one before stands for it.
    fn cut(&mut self, poses: &[PlaceAndTurn], keys: &mut Vec<KeyPlan>) {
        if let [.., before, _] = keys.as_slice()
            && self.is_held(*before, poses)
            && let Some(end) = self.ends.last_mut()
        {
            *end = keys.pop();
        }
    }

    /// Puts one of the keys at the last frame back if the timeline would end before.
    fn end(&mut self, tracks: &mut [Vec<KeyPlan>]) {
        let reached = tracks.iter().filter_map(|track| track.last()).map(|key| key.time).max();
        let left = tracks.iter_mut().zip(&self.ends).find_map(|(track, end)| Some((track, (*end)?)));
        if let Some((track, end)) = left.filter(|_| reached < Some(self.last)) {
            track.push(end);
        }
    }

    /// How far a node is off at most between its frames, and at the times of its own keys.
    fn error(&self, motion: &Motion<'_>, keys: &[KeyPlan]) -> Error {
        let mut worst = Error::default();
        let mut look = |frames: f32| {
            let reached = keys.partition_point(|key| time_of(key.time) <= frames).saturating_sub(1);
            let (Some(&a), next) = (keys.get(reached), keys.get(reached.saturating_add(1))) else { return };
            let error = distance(self.at(motion, frames), between(a, next.copied().unwrap_or(a), frames));
            worst = Error { place: worst.place.max(error.place), turn: worst.turn.max(error.turn) };
        };
        for frame in 0..self.last {
            for probe in 1..PROBES {
                look(time_of(frame) + f32::from(probe) / f32::from(PROBES));
            }
        }
        let places = motion.places.map_or(&[][..], |curve| &curve.times);
        let turns = motion.turns.map_or(&[][..], |curve| &curve.times);
        for time in places.iter().chain(turns) {
            look(single(f64::from(*time) * f64::from(self.fps)));
        }
        worst
    }
}

fn index(frame: u32) -> usize {
    usize::try_from(frame).unwrap_or(usize::MAX)
}
