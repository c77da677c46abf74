//! Slerp without inverse functions: what depends on the keys alone is worked out beforehand.
//!
//! Between quaternions an angle `a` apart, the weight of one at a part `t` of the way is `sin(t a) / sin(a)`. With
//! `sin(x) = x P(x²)` that is `t P(t² a²) / P(a²)`: a polynomial of the square of the angle, times a ratio. Square and
//! ratio lie beside the keys. Equal keys have the square 0 and the ratio 1, and nothing is divided by what may be 0.

use fearless_simd::prelude::*;
use glam::{DQuat, Quat};

/// `sin(x) / x` as a polynomial of `x²` for angles up to a quarter turn, which is half a turn of what is rotated. Found by
/// least squares weighted anew until the largest relative error was least: 6.1e-9.
pub(super) const P: [f32; 4] = [-0.166_666_59, 0.008_333_066, -0.000_198_096_03, 2.605_780_6e-6];

/// The same polynomial.
fn sine(square: f64) -> f64 {
    let [a, b, c, d] = P.map(f64::from);
    1.0 + square * (a + square * (b + square * (c + square * d)))
}

/// What lies between two keys on their shorter arc: the square of the angle between them, and the ratio.
pub(super) fn between(a: Quat, b: Quat) -> [f32; 2] {
    let (a, b) = (unit(a), unit(b));
    // From both diagonals, exact where the cosine has no digits left.
    let (low, high) = ((a - b).length(), (a + b).length());
    let angle = 2.0 * arc_tangent(low.min(high) / low.max(high));
    let square = angle * angle;
    [single(square), single(1.0 / sine(square))]
}

/// The angle of a slope of at most 1, of operations that every machine rounds alike; `atan` is not one of them.
fn arc_tangent(slope: f64) -> f64 {
    // An eighth of the angle is small enough for nine terms of the series.
    let half = |slope: f64| slope / (1.0 + (1.0 + slope * slope).sqrt());
    let eighth = half(half(half(slope)));
    let square = eighth * eighth;
    let term = |sum: f64, odd: f64| odd.recip() - square * sum;
    8.0 * eighth * [17.0, 15.0, 13.0, 11.0, 9.0, 7.0, 5.0, 3.0, 1.0].into_iter().fold(0.0, term)
}

/// The quaternion with which the shorter arc from another begins and ends: it or its opposite.
pub(super) fn nearer(from: Quat, to: Quat) -> Quat {
    if from.as_dquat().dot(to.as_dquat()) < 0.0 { -to } else { to }
}

/// A quaternion of length 1; what has no length turns nothing.
pub(super) fn unit(quat: Quat) -> DQuat {
    let quat = quat.as_dquat();
    let length = quat.length();
    if length > 0.0 && length.is_finite() { quat * (1.0 / length) } else { DQuat::IDENTITY }
}

fn single(value: f64) -> f32 {
    galvani_core::maths::single(value)
}

/// The weights of both ends at a part of the way.
#[inline(always)]
pub(super) fn weights<S: Simd>(simd: S, square: S::f32s, ratio: S::f32s, part: S::f32s) -> [S::f32s; 2] {
    let rest = S::f32s::splat(simd, 1.0) - part;
    [weight(simd, square, ratio, rest), weight(simd, square, ratio, part)]
}

#[inline(always)]
fn weight<S: Simd>(simd: S, square: S::f32s, ratio: S::f32s, part: S::f32s) -> S::f32s {
    let at = part * part * square;
    let mut sine = at * P[3];
    sine = (sine + S::f32s::splat(simd, P[2])) * at;
    sine = (sine + S::f32s::splat(simd, P[1])) * at;
    sine = (sine + S::f32s::splat(simd, P[0])) * at;
    (sine + S::f32s::splat(simd, 1.0)) * (part * ratio)
}

/// The square of an angle up to a quarter turn as a polynomial of the square of its chord, but for the first term, which
/// is 1. Found as [`P`] was; the largest relative error is 3.0e-7, and weights hardly know.
pub(super) const CHORD: [f32; 6] =
    [0.083_324_32, 0.011_193_962, 0.001_536_171_3, 0.000_653_186_76, -0.000_155_400_83, 0.000_070_439_84];

/// The square of the angle between two quaternions on their shorter arc and the ratio, of the cosine between them, which
/// is not below 0.
#[inline(always)]
pub(super) fn of_cosine<S: Simd>(simd: S, cosine: S::f32s) -> [S::f32s; 2] {
    let one = S::f32s::splat(simd, 1.0);
    // The square of the chord.
    let chord = one - cosine.min(one);
    let chord = chord + chord;
    let mut square = chord * CHORD[5];
    square = (square + S::f32s::splat(simd, CHORD[4])) * chord;
    square = (square + S::f32s::splat(simd, CHORD[3])) * chord;
    square = (square + S::f32s::splat(simd, CHORD[2])) * chord;
    square = (square + S::f32s::splat(simd, CHORD[1])) * chord;
    square = (square + S::f32s::splat(simd, CHORD[0])) * chord;
    let square = (square + one) * chord;
    let ratio = one / weight(simd, square, one, one);
    [square, ratio]
}
