//! Arithmetic that is nobody's in particular. Where an engine's last bits count, its format has functions of its own.

use glam::{DQuat, Quat};

/// The nearest number of single precision; infinite if there is none.
#[allow(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    reason = "the one narrowing of floats: `as` rounds to the nearest"
)]
pub fn single(number: f64) -> f32 {
    number as f32
}

/// A count as a number among others of single precision; beyond 2^24 the nearest that there is.
#[allow(
    clippy::as_conversions,
    clippy::cast_precision_loss,
    reason = "counts of files are small; what is rounded is told apart by nobody"
)]
pub fn single_count(count: usize) -> f32 {
    count as f32
}

/// A rotation as a format has it that puts the real part first; `glam` has it last.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Wxyz<F>(pub [F; 4]);

impl From<Wxyz<f32>> for Quat {
    fn from(Wxyz([w, x, y, z]): Wxyz<f32>) -> Self {
        Quat::from_xyzw(x, y, z, w)
    }
}

impl From<Wxyz<f64>> for DQuat {
    fn from(Wxyz([w, x, y, z]): Wxyz<f64>) -> Self {
        DQuat::from_xyzw(x, y, z, w)
    }
}

/// The sine of an arc below which its ends are blended in a straight line.
const NEAR: f64 = 1e-9;

/// The unit quaternion a part of the way from one to another by the shorter arc; beyond both ends on the same way.
pub fn slerp(from: DQuat, to: DQuat, part: f64) -> DQuat {
    let to = if from.dot(to) < 0.0 { -to } else { to };
    // The arc from both diagonals: exact where its cosine has no digits left.
    let arc = 2.0 * (from - to).length().atan2((from + to).length());
    let sine = arc.sin();
    let (one, other) = if sine <= NEAR {
        (1.0 - part, part)
    } else {
        (((1.0 - part) * arc).sin() / sine, (part * arc).sin() / sine)
    };
    let made = from * one + to * other;
    let length = made.length();
    if length > 0.0 && length.is_finite() { made / length } else { from }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_real_part_that_comes_first_goes_last() {
        assert_eq!(Quat::from(Wxyz([1.0, 2.0, 3.0, 4.0])), Quat::from_xyzw(2.0, 3.0, 4.0, 1.0));
        assert_eq!(DQuat::from(Wxyz([1.0, 2.0, 3.0, 4.0])), DQuat::from_xyzw(2.0, 3.0, 4.0, 1.0));
    }

    /// A turn about one axis.
    fn turn(degrees: f64) -> DQuat {
        DQuat::from_rotation_y(degrees.to_radians())
    }

    fn is_near(a: DQuat, b: DQuat) -> bool {
        a.to_array().iter().zip(b.to_array()).all(|(a, b)| (a - b).abs() < 1e-12)
    }

    #[test]
    fn a_part_of_the_way_is_that_part_of_the_angle() {
        assert!(is_near(slerp(turn(10.0), turn(90.0), 0.25), turn(30.0)));
        assert!(is_near(slerp(turn(10.0), turn(90.0), 2.0), turn(170.0)));
        assert!(is_near(slerp(turn(10.0), -turn(90.0), 0.5), turn(50.0)));
        assert!(is_near(slerp(turn(10.0), turn(10.0), 0.5), turn(10.0)));
        assert!(is_near(slerp(turn(10.0), turn(10.000_000_1), 0.5), turn(10.000_000_05)));
    }

    #[test]
    fn a_number_is_narrowed_to_the_nearest() {
        assert_eq!(single(0.1).to_bits(), 0.1_f32.to_bits());
        assert!(single(1e300).is_infinite());
    }
}
