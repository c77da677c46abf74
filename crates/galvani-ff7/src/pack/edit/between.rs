//! Frames between two others.

use glam::DQuat;

use super::Frames;
use crate::pack::AngleKey;
use crate::pack::codec::FrameRef;
use crate::pack::quantise::{Rounding, coordinate};
use crate::pack::rotation::{self, TURN, near, whole_angle};

/// The way from one frame to another.
pub(super) struct Interpolation<'a> {
    from: [f64; 3],
    to: [f64; 3],
    /// Both ends of each rotation, each in the space of its parent's parents.
    turns: Vec<[DQuat; 2]>,
    parents: &'a [Option<usize>],
}

impl<'a> Interpolation<'a> {
    /// The way between frames whose rotations have these parents. A rotation with one goes its way as seen
    /// from outside all its parents; without any, by itself.
    pub(super) fn new(from: FrameRef<'_>, to: FrameRef<'_>, parents: &'a [Option<usize>]) -> Self {
        let ends = added_up(from, parents).into_iter().zip(added_up(to, parents));
        Interpolation {
            from: from.position.map(f64::from),
            to: to.position.map(f64::from),
            turns: ends.map(|(from, to)| [from, to]).collect(),
            parents,
        }
    }

    fn position(&self, part: f64) -> [i16; 3] {
        let ([x, y, z], [tx, ty, tz]) = (self.from, self.to);
        [(x, tx), (y, ty), (z, tz)]
            .map(|(from, to)| coordinate(from + (to - from) * part, Rounding::Nearest).unwrap_or(0))
    }

    /// The rotations a part of the way, by the angles nearest to those before.
    fn rotations(&self, part: f64, before: &[[i16; 3]], key: AngleKey) -> Vec<[i16; 3]> {
        let turns: Vec<DQuat> =
            self.turns.iter().map(|&[from, to]| rotation::slerp(from, to, part)).collect();
        let parent = |parent: &Option<usize>| parent.and_then(|parent| turns.get(parent).copied());
        let own = turns.iter().zip(self.parents.iter().map(parent)).map(|(&turn, parent)| match parent {
            Some(parent) => parent.conjugate() * turn,
            None => turn,
        });
        own.zip(before).map(|(turn, &before)| on_grid(turn, before, key)).collect()
    }
}

/// Adds the frames of a way that is taken in so many steps, both ends left out, at a precision.
pub(super) fn walk(frames: &mut Frames, way: &Interpolation<'_>, steps: usize, key: AngleKey) {
    let count = u32::try_from(steps).unwrap_or(u32::MAX);
    for step in 1..count {
        let part = f64::from(step) / f64::from(count);
        let before = frames.len().checked_sub(1).and_then(|last| frames.get(last));
        let bones = way.rotations(part, before.map_or(&[][..], |frame| frame.bones), key);
        frames.push(way.position(part), &bones);
    }
}

/// Every rotation after those of its parents.
fn added_up(frame: FrameRef<'_>, parents: &[Option<usize>]) -> Vec<DQuat> {
    let mut all: Vec<DQuat> = Vec::with_capacity(frame.bones.len());
    for (&raw, parent) in frame.bones.iter().zip(parents) {
        let own = rotation::from_raw(raw);
        let parent = parent.and_then(|parent| all.get(parent).copied());
        all.push(parent.map_or(own, |parent| parent * own));
    }
    all
}

/// The stored angles of a rotation, next to those of the frame before.
fn on_grid(turn: DQuat, before: [i16; 3], key: AngleKey) -> [i16; 3] {
    let step = f64::from(key.step());
    let [x, y, z] = rotation::euler_near(turn, before.map(rotation::unwrapped_degrees));
    let [bx, by, bz] = before;
    [(x, bx), (y, by), (z, bz)].map(|(degrees, before)| {
        let units = degrees * TURN / rotation::DEGREES;
        near(before, whole_angle((units / step).round() * step))
    })
}
