//! Straight lines in place of any motion, as few as a tolerance allows.

use crate::{Blend, Curve};

/// Into how many parts a line is cut to see how far it is from the motion.
const PROBES: u16 = 8;

/// How much nearer than the tolerance a line must be where it is probed, since between it may be farther.
const CARE: f32 = 0.8;

/// How often a line is halved at most; a jump would be halved for ever.
const DEPTH: u32 = 16;

/// A motion on straight lines.
#[derive(Debug, Clone, PartialEq)]
pub struct Baked<V> {
    /// The lines.
    pub curve: Curve<V>,
    /// How far the motion is from them at most, where it was probed: a length, or an angle in radians.
    pub error: f32,
}

/// A motion on straight lines that are no farther from it than the tolerance. `stops` are times that rise at which
/// there are keys in any case: the ends, and wherever the motion has a corner.
pub fn bake<V: Blend>(stops: &[f32], tolerance: f32, motion: impl FnMut(f32) -> V) -> Baked<V> {
    bake_on(stops, tolerance, |from, to| from + (to - from) * 0.5, motion)
}

/// The same with keys only where `middle` cuts the way between two: on a grid, say. Where it gives one of the ends, nothing
/// is cut any more.
pub fn bake_on<V: Blend>(
    stops: &[f32],
    tolerance: f32,
    middle: fn(f32, f32) -> f32,
    mut motion: impl FnMut(f32) -> V,
) -> Baked<V> {
    let mut baked = Baked { curve: Curve::linear(Vec::new(), Vec::new()), error: 0.0 };
    let Some(&first) = stops.first() else { return baked };
    baked.push(first, motion(first));
    for pair in stops.windows(2) {
        baked.line(pair[0], pair[1], &Cut { tolerance, middle, depth: DEPTH }, &mut motion);
    }
    baked
}

/// How lines are cut.
#[derive(Clone, Copy)]
struct Cut {
    tolerance: f32,
    middle: fn(f32, f32) -> f32,
    depth: u32,
}

impl<V: Blend> Baked<V> {
    /// Adds lines from the last key to a time.
    fn line(&mut self, from: f32, to: f32, cut: &Cut, motion: &mut impl FnMut(f32) -> V) {
        let (Some(&a), b) = (self.curve.values.last(), motion(to)) else { return };
        let probe = |i: u16| {
            let part = f32::from(i) / f32::from(PROBES);
            V::linear(a, b, part).distance(motion(from + (to - from) * part))
        };
        let error = (1..PROBES).map(probe).fold(0.0, f32::max);
        let middle = (cut.middle)(from, to);
        if error <= cut.tolerance * CARE || cut.depth == 0 || middle <= from || middle >= to {
            self.error = self.error.max(error);
            self.push(to, b);
            return;
        }
        let finer = Cut { depth: cut.depth - 1, ..*cut };
        self.line(from, middle, &finer, motion);
        self.line(middle, to, &finer, motion);
    }

    fn push(&mut self, time: f32, value: V) {
        self.curve.times.push(time);
        self.curve.values.push(value);
    }
}
