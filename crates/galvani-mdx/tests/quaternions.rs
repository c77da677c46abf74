//! Packed rotations: what decodes comes back from encoding.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

use galvani_mdx::glam::Quat;
use galvani_mdx::quaternion::{decode, encode, from_words, words};
use proptest::prelude::*;

/// The word of three integers, put together as docs/formats/mdx-tracks.md#quaternion says.
fn packed(x: i64, y: i64, z: i64) -> i64 {
    (x << 42) | ((y & 0x1f_ffff) << 21) | (z & 0x1f_ffff)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]

    #[test]
    fn every_word_comes_back(x in -2_097_152_i64..2_097_152, y in -1_048_576_i64..1_048_576, z in -1_048_576_i64..1_048_576) {
        let word = packed(x, y, z);
        prop_assert_eq!(encode(decode(word)), word);
        prop_assert_eq!(from_words(words(word)), word);
    }

    #[test]
    fn any_bits_come_back(word: i64) {
        prop_assert_eq!(encode(decode(word)), word);
    }

    #[test]
    fn rotations_are_told_to_a_step(parts in prop::array::uniform4(-1.0_f32..1.0)) {
        let length = parts.iter().map(|part| part * part).sum::<f32>().sqrt();
        prop_assume!(length > 0.1);
        let unit = parts.map(|part| part / length);
        let back = decode(encode(Quat::from_array(unit))).to_array();
        let sign = if unit[3] < 0.0 { -1.0 } else { 1.0 };
        prop_assert!(back[3] >= 0.0);
        for i in 0..3 {
            prop_assert!((back[i] - unit[i] * sign).abs() <= 1.0 / 1_048_576.0, "{back:?} {unit:?}");
        }
        // Near w = 0 one step of x, y and z is many of w.
        prop_assert!((back[3] - unit[3].abs()).abs() < 0.003, "{back:?} {unit:?}");
    }
}

#[test]
fn opposite_quaternions_are_one_rotation() {
    let quarter = Quat::from_xyzw(0.0, 0.0, 0.6, 0.8);
    assert_eq!(encode(quarter), encode(-quarter));
}

#[test]
fn a_component_alone_of_length_one_has_no_w() {
    let word = packed(-2_097_152, 0, 0);
    assert_eq!(decode(word).to_array().map(f32::to_bits), [-1.0_f32, 0.0, 0.0, 0.0].map(f32::to_bits));
}
