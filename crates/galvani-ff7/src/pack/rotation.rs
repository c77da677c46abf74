//! Angles as the format counts them, as degrees, and as quaternions.
//!
//! A full turn is 4096. A rotation turns about Z first, then X, then Y: R = Ry · Rx · Rz
//! (docs/formats/ff7-skeleton.md#poses).

pub use galvani_core::maths::slerp;
use glam::DQuat;

pub use super::codec::angle;
use super::codec::reduced;

/// Units in a full turn.
pub const TURN: f64 = 4096.0;

/// Degrees in a full turn.
pub const DEGREES: f64 = 360.0;

/// How near to straight up or down a rotation counts as such: Y and Z then turn about one axis. The nearest
/// angle that the format can say is 15 times as far; a quaternion of single precision is a thousand times nearer.
const POLE: f64 = 1e-4;

/// Which way positions count upwards.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Vertical {
    /// As stored: Y points down.
    #[default]
    Stored,
    /// With Y reversed, as the format's first description wants it.
    Reversed,
}

impl Vertical {
    /// A position counted so.
    pub fn apply(self, position: [i16; 3]) -> [i32; 3] {
        let [x, y, z] = position.map(i32::from);
        match self {
            Vertical::Stored => [x, y, z],
            Vertical::Reversed => [x, y.wrapping_neg(), z],
        }
    }
}

/// The `INT` of the format's first description: a turn more if negative. Not always within one turn.
pub fn int(raw: i16) -> i32 {
    let raw = i32::from(raw);
    if raw < 0 { raw.wrapping_add(4096) } else { raw }
}

/// Its `FLOAT`: that number in degrees, in single precision.
pub fn float(raw: i16) -> f32 {
    // No INT leaves 16 bits: a turn is added to negative numbers only.
    let int = i16::try_from(int(raw)).unwrap_or(0);
    f32::from(int) / 4096.0 * 360.0
}

/// The angle in degrees, from 0 to less than 360. Exact.
pub fn degrees(raw: i16) -> f64 {
    f64::from(angle(raw)) * DEGREES / TURN
}

/// The same without leaving out whole turns. Exact.
pub fn unwrapped_degrees(raw: i16) -> f64 {
    f64::from(raw) * DEGREES / TURN
}

/// The nearest angle to a number of degrees, halves away from zero, from −2048 to 2047; `None` if it is not
/// finite.
pub fn from_degrees(degrees: f64) -> Option<i16> {
    let units = degrees * TURN / DEGREES;
    units.is_finite().then(|| whole_angle(units.round()))
}

/// Where in its turn a whole number of units stands, from −2048 to 2047.
pub(super) fn whole_angle(units: f64) -> i16 {
    reduced(to_i16(units.rem_euclid(TURN)))
}

/// The value that stands for an angle and is nearest to another value.
pub(super) fn near(value: i16, angle: i16) -> i16 {
    value.wrapping_add(reduced(angle.wrapping_sub(value)))
}

/// A number that lies between those of 16 bits, without its fraction.
#[allow(
    clippy::cast_possible_truncation,
    clippy::as_conversions,
    reason = "`as` rounds towards zero and saturates"
)]
pub(super) fn to_i16(value: f64) -> i16 {
    value as i16
}

/// The rotation of stored angles.
pub fn from_raw(raw: [i16; 3]) -> DQuat {
    quaternion(raw.map(degrees))
}

/// The rotation of X, Y and Z in degrees.
pub fn quaternion(degrees: [f64; 3]) -> DQuat {
    let [(sx, cx), (sy, cy), (sz, cz)] = degrees.map(|angle| (angle.to_radians() / 2.0).sin_cos());
    DQuat::from_xyzw(
        sx * cy * cz + cx * sy * sz,
        cx * sy * cz - sx * cy * sz,
        cx * cy * sz - sx * sy * cz,
        cx * cy * cz + sx * sy * sz,
    )
}

/// X, Y and Z in degrees of a rotation of length 1: X from −90 to 90, and Z 0 at either end of that.
pub fn euler(rotation: DQuat) -> [f64; 3] {
    let matrix = Matrix::from_quaternion(rotation);
    match matrix.pole() {
        Some((x, y)) => [x, y, 0.0].map(f64::to_degrees),
        None => matrix.angles().map(f64::to_degrees),
    }
}

/// The same rotation by the angles that are nearest to others, whole turns and the second way to say every
/// rotation included.
pub fn euler_near(rotation: DQuat, before: [f64; 3]) -> [f64; 3] {
    let matrix = Matrix::from_quaternion(rotation);
    if let Some((x, y)) = matrix.pole() {
        // Y and Z turn about one axis: Z stays what it was.
        let (x, y, [_, _, z]) = (x.to_degrees(), y.to_degrees(), before);
        return all_toward([x, if x > 0.0 { y + z } else { y - z }, z], before);
    }
    let [x, y, z] = matrix.angles().map(f64::to_degrees);
    let [one, other] = [[x, y, z], [180.0 - x, y + 180.0, z + 180.0]].map(|way| all_toward(way, before));
    if distance(other, before) < distance(one, before) { other } else { one }
}

/// The parts of R that say its angles, by row and column.
struct Matrix {
    r00: f64,
    r02: f64,
    r10: f64,
    r11: f64,
    r12: f64,
    r20: f64,
    r22: f64,
}

impl Matrix {
    fn from_quaternion(rotation: DQuat) -> Self {
        let DQuat { x, y, z, w } = rotation;
        Matrix {
            r00: 1.0 - 2.0 * (y * y + z * z),
            r02: 2.0 * (x * z + w * y),
            r10: 2.0 * (x * y + w * z),
            r11: 1.0 - 2.0 * (x * x + z * z),
            r12: 2.0 * (y * z - w * x),
            r20: 2.0 * (x * z - w * y),
            r22: 1.0 - 2.0 * (x * x + y * y),
        }
    }

    /// The cosine of X.
    fn level(&self) -> f64 {
        self.r10.hypot(self.r11)
    }

    /// asin(−r12), by an arc that stays exact near its ends.
    fn x(&self) -> f64 {
        (-self.r12).atan2(self.level())
    }

    fn angles(&self) -> [f64; 3] {
        [self.x(), self.r02.atan2(self.r22), self.r10.atan2(self.r11)]
    }

    /// X and Y with Z = 0 where Y and Z cannot be told apart.
    fn pole(&self) -> Option<(f64, f64)> {
        (self.level() < POLE).then(|| (self.x(), (-self.r20).atan2(self.r00)))
    }
}

/// Angles by whole turns as near as they get to others.
fn all_toward(angles: [f64; 3], before: [f64; 3]) -> [f64; 3] {
    let ([x, y, z], [bx, by, bz]) = (angles, before);
    let toward = |angle: f64, before: f64| angle + DEGREES * ((before - angle) / DEGREES).round();
    [toward(x, bx), toward(y, by), toward(z, bz)]
}

fn distance([x, y, z]: [f64; 3], [bx, by, bz]: [f64; 3]) -> f64 {
    (x - bx).powi(2) + (y - by).powi(2) + (z - bz).powi(2)
}

/// The same rotation at length 1; `None` if it has no length.
pub fn normalised(rotation: DQuat) -> Option<DQuat> {
    let len = rotation.length();
    (len.is_finite() && len > 0.0).then(|| rotation / len)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// How far apart two rotations are, in degrees.
    fn apart(a: DQuat, b: DQuat) -> f64 {
        let DQuat { x, y, z, w } = a.conjugate() * b;
        2.0 * (x * x + y * y + z * z).sqrt().atan2(w.abs()).to_degrees()
    }

    #[test]
    fn the_three_forms_are_the_first_descriptions() {
        for raw in i16::MIN..=i16::MAX {
            let int = int(raw);
            assert_eq!(int, if raw < 0 { i32::from(raw) + 4096 } else { i32::from(raw) });
            // 15 bits times 360 fit single precision: no step rounds.
            let exact = f64::from(int) / 4096.0 * 360.0;
            assert_eq!(f64::from(float(raw)).to_bits(), exact.to_bits());
            assert_eq!(from_degrees(degrees(raw)), Some(reduced(raw)));
            assert_eq!(from_degrees(unwrapped_degrees(raw)), Some(reduced(raw)));
        }
        assert_eq!((int(-1), int(5000), int(-5000)), (4095, 5000, -904));
        assert_eq!(from_degrees(f64::NAN), None);
    }

    #[test]
    fn a_value_near_another_stands_for_the_same_angle() {
        for value in (i16::MIN..=i16::MAX).step_by(97) {
            for wanted in (-2048..2048).step_by(61) {
                let found = near(value, wanted);
                assert_eq!(angle(found), angle(wanted));
                assert!((-2048..2048).contains(&found.wrapping_sub(value)));
            }
        }
    }

    #[test]
    fn y_can_be_reversed() {
        assert_eq!(Vertical::Stored.apply([1, -466, 3]), [1, -466, 3]);
        assert_eq!(Vertical::Reversed.apply([1, i16::MIN, 3]), [1, 32768, 3]);
    }

    #[test]
    fn quarter_turns_are_what_they_should_be() {
        let half = 0.5_f64.sqrt();
        for (degrees, wanted) in [
            ([90.0, 0.0, 0.0], [half, 0.0, 0.0, half]),
            ([0.0, 90.0, 0.0], [0.0, half, 0.0, half]),
            ([0.0, 0.0, 90.0], [0.0, 0.0, half, half]),
        ] {
            assert!(apart(quaternion(degrees), DQuat::from_array(wanted)) < 1e-9);
        }
        // Y · X · Z, Z first.
        let [x, y, z] = [[20.0, 0.0, 0.0], [0.0, 30.0, 0.0], [0.0, 0.0, 40.0]].map(quaternion);
        assert!(apart(y * x * z, quaternion([20.0, 30.0, 40.0])) < 1e-9);
    }

    #[test]
    fn the_way_between_is_the_shorter_one() {
        let [from, to] = [[0.0, 170.0, 0.0], [0.0, -170.0, 0.0]].map(quaternion);
        for (part, wanted) in [(0.0, 170.0), (0.25, 175.0), (0.5, 180.0), (1.0, 190.0)] {
            assert!(apart(slerp(from, to, part), quaternion([0.0, wanted, 0.0])) < 1e-6);
        }
        assert!(apart(slerp(from, from, 0.5), from) < 1e-9);
        assert_eq!(normalised(DQuat::from_array([0.0; 4])), None);
    }
}
