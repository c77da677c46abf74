//! Values over time.

use glam::{Quat, Vec2, Vec3, Vec4};

use crate::{Id, SceneImage};

/// Values at times. Before the first and behind the last key it stands still.
#[derive(Debug, Clone, PartialEq)]
pub struct Curve<V> {
    /// Rising, in seconds.
    pub times: Vec<f32>,
    /// One per time.
    pub values: Vec<V>,
    /// How the curve arrives at each key and how it leaves, if [`Interp`] asks for it.
    pub tangents: Vec<[V; 2]>,
    /// How values lie between two keys.
    pub interp: Interp,
}

/// How values lie between two keys.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Interp {
    /// The first key's, until the second comes.
    Step,
    /// On a straight line; rotations on the shorter arc.
    Linear,
    /// On the cubic with these slopes at its ends, the way between two keys being 1 long whatever it takes; rotations
    /// as `squad`.
    Hermite,
    /// On the cubic with these control points; rotations as `squad`.
    Bezier,
}

impl Interp {
    /// Whether it asks for tangents.
    pub fn has_tangents(self) -> bool {
        matches!(self, Interp::Hermite | Interp::Bezier)
    }
}

impl<V> Curve<V> {
    /// Values that hold until the next comes.
    pub fn step(times: Vec<f32>, values: Vec<V>) -> Self {
        Curve { times, values, tangents: Vec::new(), interp: Interp::Step }
    }

    /// Values on straight lines.
    pub fn linear(times: Vec<f32>, values: Vec<V>) -> Self {
        Curve { times, values, tangents: Vec::new(), interp: Interp::Linear }
    }

    /// One value from the start on.
    pub fn still(value: V) -> Self {
        Curve::step(vec![0.0], vec![value])
    }
}

impl<V: Blend> Curve<V> {
    /// Its value at a time; nothing if it has no keys.
    pub fn at(&self, time: f32) -> Option<V> {
        self.at_near(time, &mut 0)
    }

    /// The same, searched first near the key that was found last.
    pub(crate) fn at_near(&self, time: f32, near: &mut usize) -> Option<V> {
        let last = self.times.len().min(self.values.len()).checked_sub(1)?;
        let key = key_before(&self.times[..=last], time, *near);
        *near = key.unwrap_or(0);
        match key {
            None => Some(self.values[0]),
            Some(key) if key == last => Some(self.values[last]),
            Some(key) => Some(self.between(key, time)),
        }
    }

    /// Between a key and the next.
    fn between(&self, key: usize, time: f32) -> V {
        let (a, b) = (self.values[key], self.values[key + 1]);
        let (from, to) = (f64::from(self.times[key]), f64::from(self.times[key + 1]));
        let part = galvani_core::maths::single((f64::from(time) - from) / (to - from));
        let tangents = self.tangents.get(key).zip(self.tangents.get(key + 1));
        match (self.interp, tangents) {
            (Interp::Step, _) => a,
            (Interp::Hermite, Some((&[_, leaving], &[arriving, _]))) => {
                V::hermite([a, leaving, arriving, b], part)
            }
            (Interp::Bezier, Some((&[_, leaving], &[arriving, _]))) => {
                V::bezier([a, leaving, arriving, b], part)
            }
            _ => V::linear(a, b, part),
        }
    }
}

/// The last key at or before a time, of times that rise. In playback it is the one found last, or the next.
fn key_before(times: &[f32], time: f32, near: usize) -> Option<usize> {
    let is_here = |key: usize| {
        times.get(key).is_some_and(|at| *at <= time) && times.get(key + 1).is_none_or(|next| time < *next)
    };
    if let Some(found) = [near, near + 1].into_iter().find(|key| is_here(*key)) {
        return Some(found);
    }
    times.partition_point(|at| *at <= time).checked_sub(1)
}

/// What keys hold and how two are blended.
pub trait Blend: Copy {
    /// A part of the straight way from one to another.
    fn linear(a: Self, b: Self, part: f32) -> Self;

    /// A part of the cubic way from the first to the last, with the slopes between them.
    fn hermite(keys: [Self; 4], part: f32) -> Self;

    /// A part of the cubic way from the first to the last, with the control points between them.
    fn bezier(keys: [Self; 4], part: f32) -> Self;

    /// How far two are apart: a length, or the angle of a turn in radians.
    fn distance(self, other: Self) -> f32;

    /// Whether every part of it is a number.
    fn is_finite(self) -> bool;
}

/// Values whose parts are blended one by one.
macro_rules! blend_by_parts {
    ($($value:ty, $distance:expr, $nothing:expr;)*) => { $(
        impl Blend for $value {
            fn linear(a: Self, b: Self, part: f32) -> Self {
                a + (b - a) * part
            }

            fn hermite([a, leaving, arriving, b]: [Self; 4], t: f32) -> Self {
                let (square, cube) = (t * t, t * t * t);
                a * (2.0 * cube - 3.0 * square + 1.0)
                    + leaving * (cube - 2.0 * square + t)
                    + arriving * (cube - square)
                    + b * (3.0 * square - 2.0 * cube)
            }

            fn bezier([a, leaving, arriving, b]: [Self; 4], t: f32) -> Self {
                let rest = 1.0 - t;
                a * (rest * rest * rest)
                    + leaving * (3.0 * t * rest * rest)
                    + arriving * (3.0 * t * t * rest)
                    + b * (t * t * t)
            }

            fn distance(self, other: Self) -> f32 {
                let distance: fn(Self, Self) -> f32 = $distance;
                distance(self, other)
            }

            fn is_finite(self) -> bool {
                // A number times 0 is 0, anything else is not; so no part needs a branch of its own.
                let nothing: fn(Self) -> f32 = $nothing;
                nothing(self) == 0.0
            }
        }
    )* };
}

blend_by_parts! {
    f32, |a, b| (a - b).abs(), |a| a * 0.0;
    Vec2, Vec2::distance, |a| a.dot(Vec2::ZERO);
    Vec3, Vec3::distance, |a| a.dot(Vec3::ZERO);
    Vec4, Vec4::distance, |a| a.dot(Vec4::ZERO);
}

impl Blend for Quat {
    fn linear(a: Self, b: Self, part: f32) -> Self {
        let b = if a.dot(b) < 0.0 { -b } else { b };
        let arc = arc(a, b);
        let sine = arc.sin();
        if sine < NEAR {
            return a * (1.0 - part) + b * part;
        }
        a * (((1.0 - part) * arc).sin() / sine) + b * ((part * arc).sin() / sine)
    }

    fn hermite([a, leaving, arriving, b]: [Self; 4], part: f32) -> Self {
        let [outer, inner] = [Blend::linear(a, b, part), Blend::linear(leaving, arriving, part)];
        Blend::linear(outer, inner, 2.0 * part * (1.0 - part))
    }

    fn bezier(keys: [Self; 4], part: f32) -> Self {
        Blend::hermite(keys, part)
    }

    fn distance(self, other: Self) -> f32 {
        let other = if self.dot(other) < 0.0 { -other } else { other };
        2.0 * arc(self, other)
    }

    fn is_finite(self) -> bool {
        Quat::is_finite(self)
    }
}

/// The sine of an arc below which its ends are blended in a straight line.
const NEAR: f32 = 1e-6;

/// The angle between two quaternions, from both diagonals: exact where its cosine has no digits left.
fn arc(a: Quat, b: Quat) -> f32 {
    2.0 * (a - b).length().atan2((a + b).length())
}

/// Values that nothing lies between.
macro_rules! blend_by_steps {
    ($($value:ty),*) => { $(
        impl Blend for $value {
            fn linear(a: Self, _: Self, _: f32) -> Self {
                a
            }

            fn hermite([a, ..]: [Self; 4], _: f32) -> Self {
                a
            }

            fn bezier([a, ..]: [Self; 4], _: f32) -> Self {
                a
            }

            fn distance(self, other: Self) -> f32 {
                f32::from(u16::from(self != other))
            }

            fn is_finite(self) -> bool {
                true
            }
        }
    )* };
}

blend_by_steps!(bool, Option<Id<SceneImage>>);
