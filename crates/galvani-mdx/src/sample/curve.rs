//! The keys of a track that count in a window, and what lies between them
//! (docs/notes/mdx-runtime.md#keys, #curves).
//!
//! In single precision, since that is what keys have and what poses are drawn with. The editor cuts and joins
//! curves instead, where errors would add up: its own arithmetic has double precision.

use std::collections::BTreeSet;
use std::sync::Arc;

use glam::{Quat, Vec2, Vec3};

use super::window::Window;
use crate::track::{Floats, Shape, Track, TrackValue, floats};
use galvani_core::maths::{single, single_sines};

/// Rotations whose cosine is as near to 1 as this are blended in a straight line
/// (docs/notes/mdx-runtime.md#slerp).
const NEAR: f32 = 1e-6;

/// What keys hold and how two are blended.
pub(crate) trait Animated: Copy {
    /// What can be worked out of two keys before a time is known.
    type Way: Copy + std::fmt::Debug + PartialEq;

    /// A value from the words of the file.
    fn read(value: TrackValue, words: &[u32]) -> Option<Self>;

    /// The way from one key to another; with tangents, those with which it leaves and arrives.
    fn way(a: Self, b: Self, tangents: Option<(Self, Self)>) -> Self::Way;

    fn linear(a: Self, b: Self, way: &Self::Way, u: f32) -> Self;

    fn hermite(a: Self, leaving: Self, arriving: Self, b: Self, way: &Self::Way, u: f32) -> Self;

    fn bezier(a: Self, leaving: Self, arriving: Self, b: Self, way: &Self::Way, u: f32) -> Self;
}

/// Times of keys that tracks share: most have those of many others.
pub(super) type SharedTimes = BTreeSet<Arc<[i32]>>;

/// The keys of a track, decoded and in order of time; of one time as they are stored.
#[derive(Debug, PartialEq)]
pub(crate) struct Keys<T: Animated> {
    pub(crate) times: Arc<[i32]>,
    pub(crate) values: Vec<T>,
    /// How the curve arrives at each key and how it leaves; nothing where there are no tangents.
    pub(crate) tangents: Vec<(T, T)>,
    /// From each key to the next.
    ways: Vec<T::Way>,
}

impl<T: Animated> Keys<T> {
    /// The keys of a track; none of a document put together with fewer values than times.
    pub(super) fn from_track(track: &Track, shared: &mut SharedTimes) -> Option<Self> {
        let mut order: Vec<usize> = (0..track.times.len()).collect();
        if !track.times.is_sorted() {
            order.sort_by_key(|key| track.times.get(*key));
        }
        let value = |words| T::read(track.value, words);
        let tangents = order.iter().map(|key| {
            let (arriving, leaving) = track.tangents(*key)?;
            Some((value(arriving)?, value(leaving)?))
        });
        let tangents: Vec<(T, T)> = tangents.collect::<Option<_>>().unwrap_or_default();
        let values: Vec<T> = order.iter().map(|key| value(track.words(*key)?)).collect::<Option<_>>()?;
        let times: Arc<[i32]> = order.iter().filter_map(|key| track.times.get(*key).copied()).collect();
        let times = shared.get(&times).cloned().unwrap_or_else(|| {
            shared.insert(Arc::clone(&times));
            times
        });
        let next = |i: usize, a: T| {
            let b = *values.get(i.saturating_add(1))?;
            Some(T::way(a, b, meeting(&tangents, i, i.saturating_add(1))))
        };
        let ways = values.iter().enumerate().map_while(|(i, a)| next(i, *a)).collect();
        Some(Keys { times, values, tangents, ways })
    }
}

/// The tangents with which a curve leaves a key and arrives at another.
fn meeting<T: Copy>(tangents: &[(T, T)], a: usize, b: usize) -> Option<(T, T)> {
    let ((_, leaving), (arriving, _)) = (*tangents.get(a)?, *tangents.get(b)?);
    Some((leaving, arriving))
}

/// Which keys of a list of times count in a window; there is at least one. Tracks that share their times and their clock share
/// this, so that a time is looked for once for all of them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct KeyRun {
    times: Arc<[i32]>,
    first: usize,
    end: usize,
    /// What a window that wraps adds to the time of its first key.
    lap: Option<f64>,
}

/// Where a time lies among keys.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum Spot {
    /// On a key, or where one holds.
    Key(usize),
    /// Between two, at a part of the way.
    Between(usize, usize, f32),
}

impl KeyRun {
    /// The keys that count in a window; nothing if none does.
    pub(super) fn new(times: &Arc<[i32]>, window: &Window, wraps: bool) -> Option<Self> {
        let first = times.partition_point(|time| f64::from(*time) < window.start);
        let end = times.partition_point(|time| f64::from(*time) <= window.end());
        let lap = wraps.then_some(window.length);
        (first < end).then(|| KeyRun { times: Arc::clone(times), first, end, lap })
    }

    /// The same by a global sequence: a first key behind its end holds always.
    pub(super) fn of_global(times: &Arc<[i32]>, window: &Window, wraps: bool) -> Option<Self> {
        KeyRun::new(times, window, wraps).or_else(|| {
            let is_beyond = f64::from(*times.first()?) > window.end();
            is_beyond.then(|| KeyRun { times: Arc::clone(times), first: 0, end: 1, lap: None })
        })
    }

    /// Where a moment of the timeline lies. `passed` is how many keys lay behind the last time: where time goes on as it does in
    /// playback, the next one is found at once.
    pub(super) fn spot(&self, time: f64, passed: &mut usize) -> Option<Spot> {
        let times = self.times.get(self.first..self.end)?;
        let count = count_passed(times, time, *passed);
        *passed = count;
        let last = times.len().checked_sub(1)?;
        match (count.checked_sub(1), self.lap) {
            // One key is its value always.
            _ if last == 0 => Some(self.key(0)),
            (Some(a), _) if a < last => self.between(a, a.saturating_add(1), time, 0.0),
            (Some(_), None) => Some(self.key(last)),
            (None, None) => Some(self.key(0)),
            (Some(_), Some(lap)) => self.between(last, 0, time, lap),
            (None, Some(lap)) => self.between(last, 0, time + lap, lap),
        }
    }

    fn key(&self, key: usize) -> Spot {
        Spot::Key(self.first.saturating_add(key))
    }

    /// Between two keys, the second of which stands `lap` later than it says.
    fn between(&self, a: usize, b: usize, time: f64, lap: f64) -> Option<Spot> {
        let [a, b] = [a, b].map(|key| self.first.saturating_add(key));
        let (from, to) = (f64::from(*self.times.get(a)?), f64::from(*self.times.get(b)?) + lap);
        let span = to - from;
        // On a key nothing of the next one counts, whatever that is.
        if span <= 0.0 || time <= from {
            return Some(Spot::Key(a));
        }
        Some(Spot::Between(a, b, single((time - from) / span)))
    }
}

/// The keys of a track and what lies between two.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Curve<T: Animated> {
    keys: Arc<Keys<T>>,
    shape: Shape,
}

impl<T: Animated> Curve<T> {
    /// The curve of a track.
    pub(super) fn new(keys: &Arc<Keys<T>>, shape: Shape) -> Self {
        // A document put together without tangents has a straight way.
        let shape = match shape {
            Shape::Hermite | Shape::Bezier | Shape::Squad if keys.tangents.is_empty() => Shape::Linear,
            shape => shape,
        };
        Curve { keys: Arc::clone(keys), shape }
    }

    /// Its value where a time lies.
    #[inline]
    pub(super) fn at(&self, spot: Spot) -> Option<T> {
        match spot {
            Spot::Between(a, b, u) if self.shape == Shape::Linear && a < b => {
                let Keys { values, ways, .. } = &*self.keys;
                Some(T::linear(*values.get(a)?, *values.get(b)?, ways.get(a)?, u))
            }
            spot => self.at_any(spot),
        }
    }

    /// The same on a key, on a curve, and over the seam of a window that wraps.
    fn at_any(&self, spot: Spot) -> Option<T> {
        let Keys { values, tangents, ways, .. } = &*self.keys;
        let (a, b, u) = match spot {
            Spot::Between(a, b, u) if self.shape != Shape::Step => (a, b, u),
            Spot::Key(key) | Spot::Between(key, ..) => return values.get(key).copied(),
        };
        let (at_a, at_b) = (*values.get(a)?, *values.get(b)?);
        let seam;
        let way = if a < b {
            ways.get(a)?
        } else {
            seam = T::way(at_a, at_b, meeting(tangents, a, b));
            &seam
        };
        if self.shape == Shape::Linear {
            return Some(T::linear(at_a, at_b, way, u));
        }
        let (leaving, arriving) = meeting(tangents, a, b)?;
        let blend = if self.shape == Shape::Bezier { T::bezier } else { T::hermite };
        Some(blend(at_a, leaving, arriving, at_b, way, u))
    }
}

/// How many keys lie at or before a time; the guess and the next number are tried first.
fn count_passed(times: &[i32], time: f64, guess: usize) -> usize {
    let is_passed = |key: usize| times.get(key).map(|key| f64::from(*key) <= time);
    let fits = |count: usize| {
        count.checked_sub(1).is_none_or(|before| is_passed(before) == Some(true))
            && is_passed(count) != Some(true)
    };
    let next = guess.saturating_add(1);
    if fits(guess) {
        guess
    } else if fits(next) {
        next
    } else {
        times.partition_point(|key| f64::from(*key) <= time)
    }
}

/// Hermite's four weights: of the first key, its tangent, the second tangent, the second key
/// (docs/notes/mdx-runtime.md#hermite).
fn hermite(u: f32) -> [f32; 4] {
    let (square, cube) = (u * u, u * u * u);
    [2.0 * cube - 3.0 * square + 1.0, cube - 2.0 * square + u, cube - square, 3.0 * square - 2.0 * cube]
}

/// Bézier's four weights, in the same order (docs/notes/mdx-runtime.md#bezier).
fn bezier(u: f32) -> [f32; 4] {
    let v = 1.0 - u;
    [v * v * v, 3.0 * u * v * v, 3.0 * u * u * v, u * u * u]
}

/// Values that can be added and scaled.
macro_rules! vector {
    ($( $type:ty, $form:pat => $made:expr; )*) => { $(
        impl Animated for $type {
            type Way = ();

            fn read(value: TrackValue, words: &[u32]) -> Option<Self> {
                match floats(value, words)? {
                    $form => Some($made),
                    _ => None,
                }
            }

            fn way(_: Self, _: Self, _: Option<(Self, Self)>) {}

            fn linear(a: Self, b: Self, (): &(), u: f32) -> Self {
                a * (1.0 - u) + b * u
            }

            fn hermite(a: Self, leaving: Self, arriving: Self, b: Self, (): &(), u: f32) -> Self {
                let [wa, wl, wr, wb] = hermite(u);
                a * wa + leaving * wl + arriving * wr + b * wb
            }

            fn bezier(a: Self, leaving: Self, arriving: Self, b: Self, (): &(), u: f32) -> Self {
                let [wa, wl, wr, wb] = bezier(u);
                a * wa + leaving * wl + arriving * wr + b * wb
            }
        }
    )* };
}
vector! {
    f32, Floats::One(number) => number;
    Vec2, Floats::Two(pair) => Vec2::from(pair);
    Vec3, Floats::Three(vector) => Vec3::from(vector);
}

/// Indices: never between two.
impl Animated for u32 {
    type Way = ();

    fn read(value: TrackValue, words: &[u32]) -> Option<Self> {
        words.first().copied().filter(|_| value == TrackValue::Number)
    }

    fn way(_: Self, _: Self, _: Option<(Self, Self)>) {}

    fn linear(a: Self, _: Self, (): &(), _: f32) -> Self {
        a
    }

    fn hermite(a: Self, _: Self, _: Self, _: Self, (): &(), _: f32) -> Self {
        a
    }

    fn bezier(a: Self, _: Self, _: Self, _: Self, (): &(), _: f32) -> Self {
        a
    }
}

/// The arcs from key to key and, with tangents, from that which leaves to that which arrives.
impl Animated for Quat {
    type Way = [RotationArc; 2];

    /// Of length 1; none where there is no direction.
    fn read(value: TrackValue, words: &[u32]) -> Option<Self> {
        match floats(value, words)? {
            Floats::Rotation(rotation) => Some(unit(rotation)),
            _ => None,
        }
    }

    fn way(a: Self, b: Self, tangents: Option<(Self, Self)>) -> [RotationArc; 2] {
        let between = |(from, to)| RotationArc::between(from, to);
        [RotationArc::between(a, b), tangents.map_or(RotationArc::STRAIGHT, between)]
    }

    fn linear(a: Self, b: Self, [arc, _]: &[RotationArc; 2], u: f32) -> Self {
        arc.turn(a, b, u)
    }

    /// Squad (docs/notes/mdx-runtime.md#squad).
    fn hermite(
        a: Self,
        leaving: Self,
        arriving: Self,
        b: Self,
        [arc, curve]: &[RotationArc; 2],
        u: f32,
    ) -> Self {
        slerp(arc.turn(a, b, u), curve.turn(leaving, arriving, u), 2.0 * u * (1.0 - u))
    }

    fn bezier(a: Self, leaving: Self, arriving: Self, b: Self, way: &[RotationArc; 2], u: f32) -> Self {
        Quat::hermite(a, leaving, arriving, b, way, u)
    }
}

/// Lengths in double precision: files hold rotations whose squares single precision does not.
fn unit(rotation: Quat) -> Quat {
    let wide = rotation.to_array().map(f64::from);
    let length = wide.iter().map(|number| number * number).sum::<f64>().sqrt();
    if length > 0.0 && length.is_finite() {
        let [x, y, z, w] = wide.map(|number| single(number / length));
        Quat::from_xyzw(x, y, z, w)
    } else {
        Quat::IDENTITY
    }
}

/// Between two rotations the shorter way round.
pub(super) fn slerp(a: Quat, b: Quat, u: f32) -> Quat {
    RotationArc::between(a, b).turn(a, b, u)
}

/// The shorter way from one rotation to another, as far as it can be worked out before its part is known. Neither `glam`'s nor the
/// core's: where it goes straight is what readers of the format agree on (docs/notes/mdx-runtime.md#slerp), and all of it is of
/// single precision as they have it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) struct RotationArc {
    /// −1 where the other side of the second rotation is nearer.
    side: f32,
    angle: f32,
    /// One by the sine of the angle; 0 where the way goes straight.
    over_sine: f32,
}

impl RotationArc {
    const STRAIGHT: RotationArc = RotationArc { side: 1.0, angle: 0.0, over_sine: 0.0 };

    fn between(a: Quat, b: Quat) -> Self {
        let dot = a.dot(b);
        let (cosine, side) = if dot < 0.0 { (-dot, -1.0) } else { (dot, 1.0) };
        if 1.0 - cosine <= NEAR {
            return RotationArc { side, ..RotationArc::STRAIGHT };
        }
        let angle = cosine.acos();
        RotationArc { side, angle, over_sine: angle.sin().recip() }
    }

    fn turn(&self, a: Quat, b: Quat, u: f32) -> Quat {
        let (of_a, of_b) = if self.over_sine == 0.0 {
            (1.0 - u, u)
        } else {
            let [of_a, of_b] = single_sines([(1.0 - u) * self.angle, u * self.angle]);
            (of_a * self.over_sine, of_b * self.over_sine)
        };
        (a * of_a + b * (of_b * self.side)).normalize()
    }
}
