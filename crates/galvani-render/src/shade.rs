//! How much light falls on a surface.

use glam::Vec3;

/// Where the lamp is, seen from the eye: to the left of it, and above. It moves with the eye, so that whatever is looked at is lit.
const KEY: Vec3 = Vec3::new(-0.398_014_9, 0.597_022_3, 0.696_526);

/// What comes from everywhere.
const AMBIENT: f32 = 0.34;

/// What comes from the lamp.
const DIRECT: f32 = 0.86;

/// The light on a surface, whatever the length of its normal.
#[inline]
pub(crate) fn light(normal: Vec3) -> f32 {
    let square = normal.dot(normal);
    if square.is_nan() || square <= 0.0 {
        return AMBIENT;
    }
    let towards = normal.dot(KEY) / square.sqrt();
    AMBIENT + DIRECT * towards.max(0.0)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::float_cmp, reason = "these are exact")]

    use super::*;

    #[test]
    fn what_faces_the_lamp_is_brightest() {
        assert!((KEY.length() - 1.0).abs() < 1e-6);
        assert!((light(KEY * 3.0) - AMBIENT - DIRECT).abs() < 1e-6);
        assert_eq!([light(-KEY), light(Vec3::ZERO), light(Vec3::NAN)], [AMBIENT; 3]);
        assert!(light(Vec3::Y) > light(Vec3::X));
    }
}
