//! The engine's own arithmetic on poses: single precision, rounded after each step, sums in the order w, x,
//! y, z (docs/formats/msh-animation.md#numbers).
//!
//! Angles go through double precision and are rounded; bit parity with a running game is not promised.

use galvani_core::maths::{Wxyz, single, single_sin_cos};
use glam::Vec4;

/// Rows of a matrix, one after the other; points are columns, so the translation stands in 3, 7 and 11.
pub type Matrix = [f32; 16];

/// A rotation as the engine holds it. It turns points as its conjugate: [`matrix`].
pub type Quaternion = Wxyz<f32>;

/// No rotation.
pub const IDENTITY: Quaternion = Wxyz([1.0, 0.0, 0.0, 0.0]);

/// Below this distance of the dot product from 1 the engine takes plain weights.
const NEARLY_SAME: f32 = 9.9999997e-6;

/// The frame of a time: `time - 0.5` in single precision, rounded to the nearest, halves to even, stored to 64 bits, of
/// which the low 32 count. What no 64 bits hold is 0.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::as_conversions,
    reason = "in range, so that nothing saturates; the low half is what the engine takes"
)]
pub fn frame(time: f32) -> u32 {
    let rounded = (time - 0.5).round_ties_even();
    // 2^63: what a store to 64 bits cannot hold.
    if rounded.abs() < 9_223_372_036_854_775_808.0 { rounded as i64 as u32 } else { 0 }
}

/// A value between two.
#[inline]
pub fn lerp(a: [f32; 3], b: [f32; 3], alpha: f32) -> [f32; 3] {
    let ([ax, ay, az], [bx, by, bz]) = (a, b);
    [ax + (bx - ax) * alpha, ay + (by - ay) * alpha, az + (bz - az) * alpha]
}

/// The angle between two rotations, ready for [`turn`]: worked out once, it serves every time between two keys.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Arc {
    /// The dot product, not negative.
    dot: f32,
    /// -1 where the other side of the second rotation is nearer.
    sign: f32,
    /// The angle and one over its sine; `None` where plain weights are taken.
    angle: Option<(f32, f32)>,
}

impl Arc {
    /// The arc from one rotation to another.
    pub fn between(a: Quaternion, b: Quaternion) -> Self {
        let dot = dot(a, b);
        let (dot, sign) = if dot < 0.0 { (-dot, -1.0) } else { (dot, 1.0) };
        let angle = (1.0 - dot > NEARLY_SAME || (1.0 - dot).is_nan()).then(|| {
            let theta = single(f64::from(dot).acos());
            (theta, 1.0 / single(f64::from(theta).sin()))
        });
        Arc { dot, sign, angle }
    }
}

/// A rotation on the shorter arc between two. The result is not normalised.
#[inline]
pub fn turn(a: Quaternion, b: Quaternion, arc: Arc, alpha: f32) -> Quaternion {
    let (wa, wb) = match arc.angle {
        None => (1.0 - alpha, alpha),
        Some((theta, over_sine)) => {
            let (sine, cosine) = single_sin_cos(alpha * theta);
            let wb = sine * over_sine;
            (cosine - wb * arc.dot, wb)
        }
    };
    let wb = wb * arc.sign;
    let (Wxyz([aw, ax, ay, az]), Wxyz([bw, bx, by, bz])) = (a, b);
    Wxyz([wa * aw + wb * bw, wa * ax + wb * bx, wa * ay + wb * by, wa * az + wb * bz])
}

/// A rotation between two, by the shorter arc.
pub fn slerp(a: Quaternion, b: Quaternion, alpha: f32) -> Quaternion {
    turn(a, b, Arc::between(a, b), alpha)
}

/// The second rotation, or its negative where that is nearer to the first.
pub fn nearer(a: Quaternion, b: Quaternion) -> Quaternion {
    let (Wxyz([aw, ax, ay, az]), Wxyz([bw, bx, by, bz])) = (a, b);
    let sum = Wxyz([aw + bw, ax + bx, ay + by, az + bz]);
    let difference = Wxyz([aw - bw, ax - bx, ay - by, az - bz]);
    if dot(sum, sum) < dot(difference, difference) { Wxyz([-bw, -bx, -by, -bz]) } else { b }
}

/// The matrix of a rotation and a translation. Of the rotation it is the transpose of the textbook's.
#[inline]
pub fn matrix(Wxyz([w, x, y, z]): Quaternion, [tx, ty, tz]: [f32; 3]) -> Matrix {
    [
        1.0 - 2.0 * (y * y + z * z),
        2.0 * (x * y + w * z),
        2.0 * (x * z - w * y),
        tx,
        2.0 * (x * y - w * z),
        1.0 - 2.0 * (x * x + z * z),
        2.0 * (y * z + w * x),
        ty,
        2.0 * (x * z + w * y),
        2.0 * (y * z - w * x),
        1.0 - 2.0 * (x * x + y * y),
        tz,
        0.0,
        0.0,
        0.0,
        1.0,
    ]
}

/// A child's matrix in the space of its parent's parent.
#[inline]
pub fn compose(parent: &Matrix, child: &Matrix) -> Matrix {
    let [x, y, z, w] = rows(child).map(Vec4::from_array);
    let [r0, r1, r2, r3] = rows(parent).map(|[a, b, c, d]| (x * a + y * b + z * c + w * d).to_array());
    let ([a0, a1, a2, a3], [b0, b1, b2, b3], [c0, c1, c2, c3], [d0, d1, d2, d3]) = (r0, r1, r2, r3);
    [a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3]
}

/// Where a point is after a matrix.
pub fn transform(matrix: &Matrix, [x, y, z]: [f32; 3]) -> [f32; 3] {
    let [r0, r1, r2, _] = rows(matrix);
    [r0, r1, r2].map(|[a, b, c, t]| a * x + b * y + c * z + t)
}

fn rows(matrix: &Matrix) -> [[f32; 4]; 4] {
    let [a0, a1, a2, a3, b0, b1, b2, b3, c0, c1, c2, c3, d0, d1, d2, d3] = *matrix;
    [[a0, a1, a2, a3], [b0, b1, b2, b3], [c0, c1, c2, c3], [d0, d1, d2, d3]]
}

fn dot(Wxyz([aw, ax, ay, az]): Quaternion, Wxyz([bw, bx, by, bz]): Quaternion) -> f32 {
    aw * bw + ax * bx + ay * by + az * bz
}

#[cfg(test)]
mod tests {
    use super::*;

    const HALF: f32 = std::f32::consts::FRAC_1_SQRT_2;

    fn near<const N: usize>(a: [f32; N], b: [f32; N]) -> bool {
        a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-6)
    }

    #[test]
    fn a_quarter_turn_about_z_takes_x_to_minus_y() {
        let turn = matrix(Wxyz([HALF, 0.0, 0.0, HALF]), [5.0, 6.0, 7.0]);
        assert!(near(transform(&turn, [1.0, 0.0, 0.0]), [5.0, 5.0, 7.0]));
        assert!(near([turn[3], turn[7], turn[11], turn[15]], [5.0, 6.0, 7.0, 1.0]));
    }

    #[test]
    fn slerp_gives_the_known_vectors() {
        let half = slerp(IDENTITY, Wxyz([HALF, 0.0, 0.0, HALF]), 0.5);
        assert!(near(half.0, [0.923_879_5, 0.0, 0.0, 0.382_683_43]), "{half:?}");
        let flipped = slerp(IDENTITY, Wxyz([-HALF, 0.0, 0.0, -HALF]), 0.25);
        assert!(near(flipped.0, [0.980_785_25, 0.0, 0.0, 0.195_090_32]), "{flipped:?}");
    }

    #[test]
    fn frames_are_rounded_half_to_even() {
        let frames = [0.0, 0.5, 1.0, 1.5, 2.0, 2.5, 3.0].map(frame);
        assert_eq!(frames, [0, 0, 0, 1, 2, 2, 2]);
        assert_eq!(frame(-1.0), u32::MAX - 1);
        assert_eq!([f32::NAN, f32::INFINITY, f32::NEG_INFINITY, 1e30].map(frame), [0; 4]);
        assert_eq!(frame(8_589_934_592.0), 0);
    }

    #[test]
    fn composing_is_applying_one_after_the_other() {
        let outer = matrix(Wxyz([0.6, 0.0, 0.8, 0.0]), [1.0, 2.0, 3.0]);
        let inner = matrix(Wxyz([0.8, 0.6, 0.0, 0.0]), [-1.0, 0.5, 4.0]);
        let point = [0.25, -2.0, 1.5];
        let both = transform(&compose(&outer, &inner), point);
        let steps = transform(&outer, transform(&inner, point));
        assert!(both.iter().zip(steps).all(|(a, b)| (a - b).abs() < 1e-5), "{both:?} {steps:?}");
    }
}
