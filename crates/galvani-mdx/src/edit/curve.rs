//! The curve between keys (docs/notes/mdx-runtime.md#curves), and how it is cut and joined.

use crate::quaternion;
pub(super) use crate::track::Shape;
use crate::track::{Track, TrackValue, floats};
use galvani_core::maths::{single, slerp};
use glam::{DQuat, Quat};

/// A value: as many of these numbers as it has, the others 0; of a rotation those of [`DQuat::to_array`].
pub(super) type Point = [f64; 4];

/// No rotation.
const IDENTITY: Point = [0.0, 0.0, 0.0, 1.0];

/// What of a key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum CurvePart {
    Value,
    In,
    Out,
}

/// A key as its words.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct KeyWords {
    pub(super) time: i32,
    words: [[u32; 4]; 3],
}

/// The keys of a track.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Curve {
    pub(super) value: TrackValue,
    pub(super) shape: Shape,
    pub(super) keys: Vec<KeyWords>,
}

/// Two keys that follow each other, as points.
#[derive(Debug, Clone, Copy)]
pub(super) struct Segment {
    pub(super) a: Point,
    pub(super) out: Point,
    pub(super) inn: Point,
    pub(super) b: Point,
    pub(super) shape: Shape,
    pub(super) turns: bool,
}

impl Curve {
    /// The curve of a track; nothing if nobody knows its interpolation.
    pub(super) fn from_track(track: &Track) -> Option<Self> {
        let shape = track.shape()?;
        let count = track.value.words();
        let four = |words: &[u32]| {
            let mut room = [0; 4];
            room.iter_mut().zip(words.iter().take(count)).for_each(|(room, word)| *room = *word);
            room
        };
        let keys = track.times.iter().enumerate().map(|(i, time)| {
            let (inn, out) = track.tangents(i).unwrap_or_default();
            KeyWords { time: *time, words: [four(track.words(i).unwrap_or_default()), four(inn), four(out)] }
        });
        Some(Curve { value: track.value, shape, keys: keys.collect() })
    }

    /// A track with these keys and the head of another.
    pub(super) fn track(&self, like: &Track, interpolation: u32) -> Track {
        let mut made = Track {
            interpolation,
            times: self.keys.iter().map(|key| key.time).collect(),
            values: Vec::new(),
            in_tangents: Vec::new(),
            out_tangents: Vec::new(),
            ..*like
        };
        let words = self.value.words();
        let list =
            |part: CurvePart| self.keys.iter().flat_map(move |key| key.words(part).into_iter().take(words));
        made.values = list(CurvePart::Value).collect();
        if made.has_tangents() {
            made.in_tangents = list(CurvePart::In).collect();
            made.out_tangents = list(CurvePart::Out).collect();
        }
        made
    }

    /// A part of a key as a point.
    pub(super) fn point(&self, key: usize, part: CurvePart) -> Point {
        self.keys.get(key).map_or([0.0; 4], |key| decode(self.value, key.words(part)))
    }

    /// Sets a part of a key.
    pub(super) fn set(&mut self, key: usize, part: CurvePart, point: Point) {
        let words = encode(self.value, point);
        if let Some(key) = self.keys.get_mut(key) {
            *key.room(part) = words;
        }
    }

    /// The way from one key to another.
    pub(super) fn segment(&self, a: usize, b: usize) -> Segment {
        Segment {
            a: self.point(a, CurvePart::Value),
            out: self.point(a, CurvePart::Out),
            inn: self.point(b, CurvePart::In),
            b: self.point(b, CurvePart::Value),
            shape: self.shape,
            turns: self.value.is_rotation(),
        }
    }

    /// A key of these points.
    pub(super) fn key(&self, time: i32, value: Point, inn: Point, out: Point) -> KeyWords {
        let words = |point| encode(self.value, point);
        let tangents = matches!(self.shape, Shape::Hermite | Shape::Bezier | Shape::Squad);
        let [inn, out] = [inn, out].map(|point| if tangents { words(point) } else { [0; 4] });
        KeyWords { time, words: [words(value), inn, out] }
    }

    /// Makes the curve arrive at a key, or leave it, standing still.
    pub(super) fn still(&mut self, key: usize, part: CurvePart) {
        let is_hermite = self.shape == Shape::Hermite;
        if let Some(key) = self.keys.get_mut(key) {
            *key.room(part) = if is_hermite { [0; 4] } else { key.words(CurvePart::Value) };
        }
    }

    /// How far two values are from each other: in units, or in radians.
    pub(super) fn distance(&self, a: Point, b: Point) -> f64 {
        if self.value.is_rotation() { angle(a, b) } else { length(minus(a, b)) }
    }

    /// The largest number of its values.
    pub(super) fn largest(&self) -> f64 {
        let values = (0..self.keys.len()).flat_map(|key| self.point(key, CurvePart::Value));
        values.map(f64::abs).fold(0.0, f64::max)
    }

    /// The first key at a time.
    pub(super) fn at(&self, time: i32) -> Option<usize> {
        self.keys.iter().position(|key| key.time == time)
    }

    pub(super) fn is_sorted(&self) -> bool {
        self.keys.is_sorted_by_key(|key| key.time)
    }
}

impl KeyWords {
    /// Whether both have the same value, bit by bit.
    pub(super) fn has_value_of(&self, other: &KeyWords) -> bool {
        self.words(CurvePart::Value) == other.words(CurvePart::Value)
    }

    /// The same at another time.
    pub(super) fn at(&self, time: i32) -> KeyWords {
        KeyWords { time, ..*self }
    }

    fn words(&self, part: CurvePart) -> [u32; 4] {
        let [value, inn, out] = self.words;
        match part {
            CurvePart::Value => value,
            CurvePart::In => inn,
            CurvePart::Out => out,
        }
    }

    fn room(&mut self, part: CurvePart) -> &mut [u32; 4] {
        let [value, inn, out] = &mut self.words;
        match part {
            CurvePart::Value => value,
            CurvePart::In => inn,
            CurvePart::Out => out,
        }
    }
}

/// A segment cut in two: how the first key leaves, the new key with its tangents, how the last key is reached.
#[derive(Debug, Clone, Copy)]
pub(super) struct Cut {
    pub(super) out: Point,
    pub(super) arriving: Point,
    pub(super) value: Point,
    pub(super) leaving: Point,
    pub(super) inn: Point,
}

impl Segment {
    /// The value at a part of the way.
    pub(super) fn at(&self, u: f64) -> Point {
        let Segment { a, out, inn, b, .. } = *self;
        let v = 1.0 - u;
        match self.shape {
            Shape::Step if u < 1.0 => a,
            Shape::Step => b,
            Shape::Linear if self.turns => turn(a, b, u),
            Shape::Linear => sum([(v, a), (u, b), (0.0, a), (0.0, a)]),
            Shape::Hermite => {
                let (square, cube) = (u * u, u * u * u);
                sum([
                    (2.0 * cube - 3.0 * square + 1.0, a),
                    (cube - 2.0 * square + u, out),
                    (cube - square, inn),
                    (3.0 * square - 2.0 * cube, b),
                ])
            }
            Shape::Bezier => {
                sum([(v * v * v, a), (3.0 * u * v * v, out), (3.0 * u * u * v, inn), (u * u * u, b)])
            }
            Shape::Squad => turn(turn(a, b, u), turn(out, inn, u), 2.0 * u * v),
        }
    }

    /// The segment cut at a part of its way: exactly, but for rotations with tangents, whose parts meet the
    /// whole at their ends and at two places between.
    pub(super) fn cut(&self, u: f64) -> Cut {
        let value = self.at(u);
        let Segment { a, out, inn, b, .. } = *self;
        let v = 1.0 - u;
        match self.shape {
            Shape::Step | Shape::Linear => Cut { out, arriving: value, value, leaving: value, inn },
            Shape::Hermite => {
                let slope = sum([
                    (6.0 * u * u - 6.0 * u, a),
                    (3.0 * u * u - 4.0 * u + 1.0, out),
                    (3.0 * u * u - 2.0 * u, inn),
                    (6.0 * u - 6.0 * u * u, b),
                ]);
                let by = |factor: f64, point: Point| point.map(|number| number * factor);
                Cut { out: by(u, out), arriving: by(u, slope), value, leaving: by(v, slope), inn: by(v, inn) }
            }
            Shape::Bezier => {
                let mix = |one: Point, other: Point| sum([(v, one), (u, other), (0.0, a), (0.0, a)]);
                let (first, middle, last) = (mix(a, out), mix(out, inn), mix(inn, b));
                let (arriving, leaving) = (mix(first, middle), mix(middle, last));
                Cut { out: first, arriving, value, leaving, inn: last }
            }
            Shape::Squad => {
                let (out, arriving) = fitted(a, value, |t| self.at(u * t));
                let (leaving, inn) = fitted(value, b, |t| self.at(u + v * t));
                Cut { out, arriving, value, leaving, inn }
            }
        }
    }
}

/// The tangents with which rotations from `a` to `b` meet a curve at a third and two thirds of the way.
pub(super) fn fitted(a: Point, b: Point, curve: impl Fn(f64) -> Point) -> (Point, Point) {
    // At a third and at two thirds the inner blend counts 2·(1/3)·(2/3) = 4/9: its inverse goes as far beyond.
    let inner = |t: f64| turn(turn(a, b, t), curve(t), 9.0 / 4.0);
    let (one, two) = (inner(1.0 / 3.0), inner(2.0 / 3.0));
    (turn(one, two, -1.0), turn(one, two, 2.0))
}

/// The words of a value as a point; rotations of length 1.
pub(super) fn decode(value: TrackValue, words: [u32; 4]) -> Point {
    if value == TrackValue::Number {
        return [f64::from(words[0]), 0.0, 0.0, 0.0];
    }
    let mut point = [0.0; 4];
    if let Some(numbers) = floats(value, words.get(..value.words()).unwrap_or_default()) {
        let numbers = numbers.as_slice().iter();
        point.iter_mut().zip(numbers).for_each(|(room, number)| *room = f64::from(*number));
    }
    if value.is_rotation() { unit(point) } else { point }
}

/// The words of a point.
pub(super) fn encode(value: TrackValue, point: Point) -> [u32; 4] {
    let [x, y, z, w] = if value.is_rotation() { unit(point) } else { point }.map(single);
    match value {
        TrackValue::Moment => [0; 4],
        TrackValue::Number => [whole(point[0]), 0, 0, 0],
        TrackValue::Packed => {
            let [low, high] = quaternion::words(quaternion::encode(Quat::from_xyzw(x, y, z, w)));
            [low, high, 0, 0]
        }
        TrackValue::Float | TrackValue::Pair | TrackValue::Vector | TrackValue::Quaternion => {
            let mut words = [x, y, z, w].map(f32::to_bits);
            words.iter_mut().skip(value.words()).for_each(|word| *word = 0);
            words
        }
    }
}

pub(super) fn sum(terms: [(f64, Point); 4]) -> Point {
    let mut total = [0.0; 4];
    for (factor, point) in terms {
        total.iter_mut().zip(point).for_each(|(total, number)| *total += factor * number);
    }
    total
}

pub(super) fn plus(a: Point, b: Point) -> Point {
    sum([(1.0, a), (1.0, b), (0.0, a), (0.0, a)])
}

pub(super) fn minus(a: Point, b: Point) -> Point {
    sum([(1.0, a), (-1.0, b), (0.0, a), (0.0, a)])
}

pub(super) fn length(point: Point) -> f64 {
    point.iter().map(|number| number * number).sum::<f64>().sqrt()
}

/// A rotation of length 1; none where there is no direction.
fn unit(point: Point) -> Point {
    let len = length(point);
    if len > 0.0 && len.is_finite() { point.map(|number| number / len) } else { IDENTITY }
}

/// One rotation after another.
pub(super) fn turned([ax, ay, az, aw]: Point, [bx, by, bz, bw]: Point) -> Point {
    [
        aw * bx + ax * bw + ay * bz - az * by,
        aw * by - ax * bz + ay * bw + az * bx,
        aw * bz + ax * by - ay * bx + az * bw,
        aw * bw - ax * bx - ay * by - az * bz,
    ]
}

/// The rotation back.
pub(super) fn inverse([x, y, z, w]: Point) -> Point {
    [-x, -y, -z, w]
}

/// The angle between two rotations.
fn angle(a: Point, b: Point) -> f64 {
    let (near, far) = (length(minus(a, b)), length(plus(a, b)));
    4.0 * near.min(far).atan2(near.max(far))
}

#[allow(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "indices were whole numbers in range before"
)]
fn whole(value: f64) -> u32 {
    value as u32
}

/// A rotation a part of the way from one to another.
fn turn(from: Point, to: Point, part: f64) -> Point {
    slerp(DQuat::from_array(from), DQuat::from_array(to), part).to_array()
}
