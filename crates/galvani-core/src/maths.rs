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

/// `sin(x) / x` but for its first term, which is 1, as a polynomial of `x²` for angles up to [`WIDEST`]. Found by exchanging the
/// angles of largest error until all were alike; the largest relative error is 6.9e-14.
const SINE: [f64; 6] = [
    -0.166_666_666_665_044_76,
    0.008_333_333_321_079_103,
    -0.000_198_412_667_280_623_87,
    2.755_695_296_582_193e-6,
    -2.503_019_109_071_946e-8,
    1.540_944_261_116_743e-10,
];

/// The widest angle that [`sines`] knows: a quarter turn, rounded to a number of single precision, is a little more than itself.
pub const WIDEST: f64 = 1.5709;

/// How far from itself a sine of [`sines`] may be, as a part of it: its error, and all that rounding and the platform's own add.
const OFF: f64 = 1.0 / 4_398_046_511_104.0;

/// What a quarter turn is longer than the nearest number of double precision.
const QUARTER_REST: f64 = 6.123_233_995_736_766e-17;

/// The sines of two angles from 0 to [`WIDEST`], each within 2^-42 of itself: side by side, and without calling anything.
#[inline]
pub fn sines(angles: [f64; 2]) -> [f64; 2] {
    let squares = angles.map(|angle| angle * angle);
    let [first, rest @ ..] = SINE;
    let sum = rest.iter().rfold([0.0; 2], |[a, b], term| [(a + term) * squares[0], (b + term) * squares[1]]);
    let [a, b] = [(sum[0] + first) * squares[0], (sum[1] + first) * squares[1]];
    [angles[0] * (1.0 + a), angles[1] * (1.0 + b)]
}

/// Sine and cosine of an angle in double precision, narrowed: bit for bit those of the platform, which are seldom called.
#[inline]
pub fn single_sin_cos(angle: f32) -> (f32, f32) {
    let wide = f64::from(angle);
    if (0.0..=WIDEST).contains(&wide) {
        let [sine, cosine] = sines([wide, std::f64::consts::FRAC_PI_2 - wide + QUARTER_REST]);
        if let (Some(sine), Some(cosine)) = (surely_single(sine), surely_single(cosine)) {
            return (sine, cosine);
        }
    }
    let (sine, cosine) = wide.sin_cos();
    (single(sine), single(cosine))
}

/// The sines of two angles: of double precision, narrowed.
#[inline]
pub fn single_sines(angles: [f32; 2]) -> [f32; 2] {
    let wide = angles.map(f64::from);
    let are_known = wide.iter().fold(true, |known, angle| known & (0.0..=WIDEST).contains(angle));
    (if are_known { sines(wide) } else { wide.map(f64::sin) }).map(single)
}

/// The nearest number of single precision, if it is that of everything within [`OFF`].
#[inline]
fn surely_single(number: f64) -> Option<f32> {
    let (low, high) = (single(number * (1.0 - OFF)), single(number * (1.0 + OFF)));
    (low.to_bits() == high.to_bits()).then_some(low)
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
    fn sines_are_near_and_narrowed_they_are_the_platforms() {
        let widest = single(WIDEST).to_bits();
        let angles = (0..=widest)
            .step_by(997)
            .chain(widest - 50_000..=widest + 9)
            .chain([1 << 31, f32::NAN.to_bits()]);
        for angle in angles.map(f32::from_bits).chain([-0.5, 2.0, 1e30, f32::INFINITY]) {
            let wide = f64::from(angle);
            let (sine, cosine) = single_sin_cos(angle);
            let wanted = (single(wide.sin()), single(wide.cos()));
            let bits = |(sine, cosine): (f32, f32)| [sine.to_bits(), cosine.to_bits()];
            assert_eq!(bits((sine, cosine)), bits(wanted), "{angle}");
            if (0.0..=WIDEST).contains(&wide) {
                let [found, same] = sines([wide, wide]);
                assert_eq!(found.to_bits(), same.to_bits());
                assert!((found - wide.sin()).abs() <= wide.sin().abs() * OFF, "{angle}: {found}");
            }
            let both = single_sines([angle, 1.0]).map(f64::from);
            let is_same = both[0].is_nan() || (both[0] - wide.sin()).abs() <= 1e-7;
            assert!(is_same && (both[1] - 1.0_f64.sin()).abs() <= 1e-7, "{angle}: {both:?}");
        }
    }

    #[test]
    fn a_number_is_narrowed_to_the_nearest() {
        assert_eq!(single(0.1).to_bits(), 0.1_f32.to_bits());
        assert!(single(1e300).is_infinite());
    }
}
