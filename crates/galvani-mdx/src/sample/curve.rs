//! The keys of a track that count in a window, and what lies between them
//! (docs/notes/mdx-runtime.md#keys, #curves).
//!
//! In single precision, since that is what keys have and what poses are drawn with. The editor cuts and joins
//! curves instead, where errors would add up: its own arithmetic has double precision.

use std::sync::Arc;

use glam::{Quat, Vec2, Vec3};

use super::window::Window;
use crate::track::{Floats, Shape, Track, TrackValue, floats};
use galvani_core::maths::single;

/// Rotations whose cosine is as near to 1 as this are blended in a straight line
/// (docs/notes/mdx-runtime.md#slerp).
const NEAR: f32 = 1e-6;

/// What keys hold and how two are blended.
pub(crate) trait Animated: Copy {
    /// A value from the words of the file.
    fn read(value: TrackValue, words: &[u32]) -> Option<Self>;

    fn linear(a: Self, b: Self, u: f32) -> Self;

    fn hermite(a: Self, leaving: Self, arriving: Self, b: Self, u: f32) -> Self;

    fn bezier(a: Self, leaving: Self, arriving: Self, b: Self, u: f32) -> Self;
}

/// The keys of a track, decoded and in order of time; of one time as they are stored.
#[derive(Debug, PartialEq)]
pub(crate) struct Keys<T> {
    pub(crate) times: Vec<i32>,
    pub(crate) values: Vec<T>,
    /// How the curve arrives at each key and how it leaves; nothing where there are no tangents.
    pub(crate) tangents: Vec<(T, T)>,
}

impl<T: Animated> Keys<T> {
    /// The keys of a track; none of a document put together with fewer values than times.
    pub(super) fn from_track(track: &Track) -> Option<Self> {
        let mut order: Vec<usize> = (0..track.times.len()).collect();
        if !track.times.is_sorted() {
            order.sort_by_key(|key| track.times.get(*key));
        }
        let value = |words| T::read(track.value, words);
        let tangents = order.iter().map(|key| {
            let (arriving, leaving) = track.tangents(*key)?;
            Some((value(arriving)?, value(leaving)?))
        });
        Some(Keys {
            times: order.iter().filter_map(|key| track.times.get(*key).copied()).collect(),
            values: order.iter().map(|key| value(track.words(*key)?)).collect::<Option<_>>()?,
            tangents: tangents.collect::<Option<_>>().unwrap_or_default(),
        })
    }
}

/// The keys of a track that count in a window; there is at least one.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Curve<T> {
    keys: Arc<Keys<T>>,
    first: usize,
    end: usize,
    shape: Shape,
    /// What a window that wraps adds to the time of its first key.
    lap: Option<f64>,
}

impl<T: Animated> Curve<T> {
    /// The curve of a track; nothing if no key of it counts.
    pub(super) fn from_keys(keys: &Arc<Keys<T>>, shape: Shape, window: &Window, wraps: bool) -> Option<Self> {
        let first = keys.times.partition_point(|time| f64::from(*time) < window.start);
        let end = keys.times.partition_point(|time| f64::from(*time) <= window.end());
        // A document put together without tangents has a straight way.
        let shape = match shape {
            Shape::Hermite | Shape::Bezier | Shape::Squad if keys.tangents.is_empty() => Shape::Linear,
            shape => shape,
        };
        let lap = wraps.then_some(window.length);
        (first < end).then(|| Curve { keys: Arc::clone(keys), first, end, shape, lap })
    }

    /// The curve of a track that runs by a global sequence: a first key behind its end holds always.
    pub(super) fn of_global(keys: &Arc<Keys<T>>, shape: Shape, window: &Window, wraps: bool) -> Option<Self> {
        Curve::from_keys(keys, shape, window, wraps).or_else(|| {
            let is_beyond = f64::from(*keys.times.first()?) > window.end();
            let keys = Arc::clone(keys);
            is_beyond.then_some(Curve { keys, first: 0, end: 1, shape: Shape::Step, lap: None })
        })
    }

    /// Its value at a moment of the timeline. `passed` is how many keys lay behind the last time: where time
    /// goes on as it does in playback, the next one is found at once.
    pub(super) fn at(&self, time: f64, passed: &mut usize) -> Option<T> {
        let times = self.keys.times.get(self.first..self.end)?;
        let count = count_passed(times, time, *passed);
        *passed = count;
        let last = times.len().checked_sub(1)?;
        match (count.checked_sub(1), self.lap) {
            // One key is its value always.
            _ if last == 0 => self.held(0),
            (Some(a), _) if a < last => self.between(a, a.saturating_add(1), time, 0.0),
            (Some(_), None) => self.held(last),
            (None, None) => self.held(0),
            (Some(_), Some(lap)) => self.between(last, 0, time, lap),
            (None, Some(lap)) => self.between(last, 0, time + lap, lap),
        }
    }

    /// The value of a key.
    fn held(&self, key: usize) -> Option<T> {
        self.keys.values.get(self.first.saturating_add(key)).copied()
    }

    /// Between two keys, the second of which stands `lap` later than it says.
    fn between(&self, a: usize, b: usize, time: f64, lap: f64) -> Option<T> {
        let (at_a, at_b) = (self.held(a)?, self.held(b)?);
        let [a, b] = [a, b].map(|key| self.first.saturating_add(key));
        let (from, to) = (f64::from(*self.keys.times.get(a)?), f64::from(*self.keys.times.get(b)?) + lap);
        let span = to - from;
        // On a key nothing of the next one counts, whatever that is.
        if self.shape == Shape::Step || span <= 0.0 || time <= from {
            return Some(at_a);
        }
        let u = single((time - from) / span);
        Some(match self.shape {
            Shape::Step => at_a,
            Shape::Linear => T::linear(at_a, at_b, u),
            Shape::Hermite | Shape::Squad | Shape::Bezier => {
                let tangents = (*self.keys.tangents.get(a)?, *self.keys.tangents.get(b)?);
                let ((_, leaving), (arriving, _)) = tangents;
                let blend = if self.shape == Shape::Bezier { T::bezier } else { T::hermite };
                blend(at_a, leaving, arriving, at_b, u)
            }
        })
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
            fn read(value: TrackValue, words: &[u32]) -> Option<Self> {
                match floats(value, words)? {
                    $form => Some($made),
                    _ => None,
                }
            }

            fn linear(a: Self, b: Self, u: f32) -> Self {
                a * (1.0 - u) + b * u
            }

            fn hermite(a: Self, leaving: Self, arriving: Self, b: Self, u: f32) -> Self {
                let [wa, wl, wr, wb] = hermite(u);
                a * wa + leaving * wl + arriving * wr + b * wb
            }

            fn bezier(a: Self, leaving: Self, arriving: Self, b: Self, u: f32) -> Self {
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
    fn read(value: TrackValue, words: &[u32]) -> Option<Self> {
        words.first().copied().filter(|_| value == TrackValue::Number)
    }

    fn linear(a: Self, _: Self, _: f32) -> Self {
        a
    }

    fn hermite(a: Self, _: Self, _: Self, _: Self, _: f32) -> Self {
        a
    }

    fn bezier(a: Self, _: Self, _: Self, _: Self, _: f32) -> Self {
        a
    }
}

impl Animated for Quat {
    /// Of length 1; none where there is no direction.
    fn read(value: TrackValue, words: &[u32]) -> Option<Self> {
        match floats(value, words)? {
            Floats::Rotation(rotation) => Some(unit(rotation)),
            _ => None,
        }
    }

    fn linear(a: Self, b: Self, u: f32) -> Self {
        slerp(a, b, u)
    }

    /// Squad (docs/notes/mdx-runtime.md#squad).
    fn hermite(a: Self, leaving: Self, arriving: Self, b: Self, u: f32) -> Self {
        slerp(slerp(a, b, u), slerp(leaving, arriving, u), 2.0 * u * (1.0 - u))
    }

    fn bezier(a: Self, leaving: Self, arriving: Self, b: Self, u: f32) -> Self {
        Quat::hermite(a, leaving, arriving, b, u)
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

/// Between two rotations the shorter way round. Neither `glam`'s nor the core's: where it goes straight is what readers of the
/// format agree on (docs/notes/mdx-runtime.md#slerp), and all of it is of single precision as they have it.
pub(super) fn slerp(a: Quat, b: Quat, u: f32) -> Quat {
    let dot = a.dot(b);
    let b = if dot < 0.0 { -b } else { b };
    let cosine = dot.abs();
    let (of_a, of_b) = if 1.0 - cosine <= NEAR {
        (1.0 - u, u)
    } else {
        let angle = cosine.acos();
        let scale = angle.sin().recip();
        (((1.0 - u) * angle).sin() * scale, (u * angle).sin() * scale)
    };
    (a * of_a + b * of_b).normalize()
}
