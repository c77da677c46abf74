//! Rotations of WoW: three components of a quaternion in 64 bits (docs/formats/mdx-tracks.md#quaternion).

use galvani_core::maths::single;
use glam::Quat;

/// One step of x.
const X_STEP: f64 = 1.0 / 2_097_152.0;

/// One step of y and z.
const YZ_STEP: f64 = 1.0 / 1_048_576.0;

/// Below this the square of w counts as nothing.
const NOTHING: f64 = 1.0 / 1_048_576.0;

/// A rotation from its 64 bits: 22 bits of x, 21 of y, 21 of z; w is not negative.
pub fn decode(word: i64) -> Quat {
    let [x, y, z] = parts(word);
    let (x, y, z) = (f64::from(x) * X_STEP, f64::from(y) * YZ_STEP, f64::from(z) * YZ_STEP);
    let square = 1.0 - (x * x + y * y + z * z);
    let w = if square >= NOTHING { square.sqrt() } else { 0.0 };
    Quat::from_array([x, y, z, w].map(single))
}

/// The 64 bits of a rotation: turned so that w is not negative, then cut towards zero.
/// Components out of range take the nearest that can be said; what is not a number is zero.
pub fn encode(rotation: Quat) -> i64 {
    let [x, y, z, w] = rotation.to_array();
    let sign = if w < 0.0 { -1.0 } else { 1.0 };
    let [x, y, z] = [x, y, z].map(|component| f64::from(component) * sign);
    pack([cut(x / X_STEP, 22), cut(y / YZ_STEP, 21), cut(z / YZ_STEP, 21)])
}

/// The two halves of the bits, low first, as they lie in the file.
pub fn words(word: i64) -> [u32; 2] {
    let [a, b, c, d, e, f, g, h] = word.to_le_bytes();
    [u32::from_le_bytes([a, b, c, d]), u32::from_le_bytes([e, f, g, h])]
}

/// The bits of two halves, low first.
pub fn from_words([low, high]: [u32; 2]) -> i64 {
    let ([a, b, c, d], [e, f, g, h]) = (low.to_le_bytes(), high.to_le_bytes());
    i64::from_le_bytes([a, b, c, d, e, f, g, h])
}

/// x, y and z as the integers that the bits hold.
fn parts(word: i64) -> [i32; 3] {
    let field = |left: u32, right: u32| i32::try_from((word << left) >> right).unwrap_or(0);
    [field(0, 42), field(22, 43), field(43, 43)]
}

fn pack([x, y, z]: [i32; 3]) -> i64 {
    let low21 = |value: i32| i64::from(value) & 0x1f_ffff;
    (i64::from(x) << 42) | (low21(y) << 21) | low21(z)
}

/// A number cut towards zero that fits so many bits with a sign.
fn cut(value: f64, bits: u32) -> i32 {
    let limit = 1_i32.checked_shl(bits.saturating_sub(1)).unwrap_or(i32::MAX);
    let (least, most) = (f64::from(limit.saturating_neg()), f64::from(limit.saturating_sub(1)));
    integer(value.clamp(least, most))
}

/// A number in the range of `i32`, cut towards zero; 0 for what is not a number.
#[allow(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    reason = "the one conversion of floats to integers: it cuts, and it saturates"
)]
fn integer(value: f64) -> i32 {
    value as i32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_rotation_is_all_zero_bits() {
        assert_eq!(decode(0).to_array().map(f32::to_bits), [0.0_f32, 0.0, 0.0, 1.0].map(f32::to_bits));
        assert_eq!(encode(Quat::from_xyzw(0.0, 0.0, 0.0, 1.0)), 0);
        assert_eq!(encode(Quat::from_xyzw(0.0, 0.0, 0.0, -1.0)), 0);
    }

    #[test]
    fn components_lie_where_the_facts_say() {
        let word = (1_i64 << 42) | (3 << 21) | 5;
        for (word, wanted) in [(word, [1, 3, 5]), (-1, [-1, -1, -1])] {
            let found = decode(word).as_dquat();
            assert_eq!(parts(word), wanted);
            assert_eq!([found.x / X_STEP, found.y / YZ_STEP, found.z / YZ_STEP].map(integer), wanted);
        }
    }

    #[test]
    fn the_largest_words_come_back() {
        for parts in [[-2_097_152, 0, 0], [2_097_151, 0, 0], [0, -1_048_576, 0], [0, 0, 1_048_575]] {
            let word = pack(parts);
            assert_eq!(encode(decode(word)), word, "{parts:?}");
            assert_eq!(from_words(words(word)), word);
        }
    }

    #[test]
    fn what_is_no_number_or_too_large_is_still_a_word() {
        assert_eq!(encode(Quat::NAN), 0);
        assert_eq!(parts(encode(Quat::from_xyzw(9.0, -9.0, 9.0, 0.0))), [2_097_151, -1_048_576, 1_048_575]);
    }
}
