//! Straight lines in place of any motion, as few as a tolerance allows.

use crate::{Blend, Curve};

/// Into how many parts a line is cut to see how far it is from the motion.
const PROBES: u16 = 8;

/// How much nearer than the tolerance a line must be where it is probed, since between it may be farther.
const CARE: f32 = 0.8;

/// How often a line is halved at most; what is no line then is taken for a jump.
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

/// The part of a tolerance that each motion of a model may take, since what one is off moves all that hangs on it. For each
/// node, parents first: its parent, and how many motions of its own may be off.
pub fn share(nodes: impl IntoIterator<Item = (Option<usize>, usize)>) -> f32 {
    let (mut sums, mut deepest) = (Vec::<usize>::new(), 1);
    for (parent, own) in nodes {
        let above = parent.and_then(|parent| sums.get(parent)).copied().unwrap_or_default();
        let sum = above.saturating_add(own);
        deepest = deepest.max(sum);
        sums.push(sum);
    }
    f32::from(u16::try_from(deepest).unwrap_or(u16::MAX)).recip()
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
        let error = farthest([from, to], [a, b], motion);
        let middle = (cut.middle)(from, to);
        if error <= cut.tolerance * CARE || middle <= from || middle >= to {
            self.error = self.error.max(error);
            self.push(to, b);
            return;
        }
        if cut.depth == 0 {
            return self.jump([from, to], [a, b], motion);
        }
        let finer = Cut { depth: cut.depth - 1, ..*cut };
        self.line(from, middle, &finer, motion);
        self.line(middle, to, &finer, motion);
    }

    /// Adds what is no line between two times: a jump between two neighbouring times, and lines before and behind it.
    fn jump(&mut self, [from, to]: [f32; 2], ends: [V; 2], motion: &mut impl FnMut(f32) -> V) {
        let ([mut low, mut high], [mut a, mut b]) = ([from, to], ends);
        loop {
            let middle = low + (high - low) * 0.5;
            if middle <= low || middle >= high {
                break;
            }
            let value = motion(middle);
            if a.distance(value) > value.distance(b) {
                (high, b) = (middle, value);
            } else {
                (low, a) = (middle, value);
            }
        }
        let [first, last] = ends;
        for (times, values) in [([from, low], [first, a]), ([high, to], [b, last])] {
            self.error = self.error.max(farthest(times, values, motion));
        }
        if low > from {
            self.push(low, a);
        }
        self.push(high, b);
        if high < to {
            self.push(to, last);
        }
    }

    fn push(&mut self, time: f32, value: V) {
        self.curve.times.push(time);
        self.curve.values.push(value);
    }
}

/// How far a motion is from a line at most, where it is looked at; between neighbouring times there is nothing to look at.
fn farthest<V: Blend>([from, to]: [f32; 2], [a, b]: [V; 2], motion: &mut impl FnMut(f32) -> V) -> f32 {
    if from.next_up() >= to {
        return 0.0;
    }
    let probe = |i: u16| {
        let part = f32::from(i) / f32::from(PROBES);
        V::linear(a, b, part).distance(motion(from + (to - from) * part))
    };
    (1..PROBES).map(probe).fold(0.0, f32::max)
}
