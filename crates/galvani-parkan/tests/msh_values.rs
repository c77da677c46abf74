//! Packed values both ways, every one of them.
#![allow(clippy::float_cmp, reason = "the arithmetic is fixed to the last bit")]

use galvani_core::Reading::{Documented, Observed};
use galvani_core::maths::Wxyz;
use galvani_parkan::msh::values::{
    face_normal, normal, pack_face_normal, pack_normal, pack_rotation, pack_selectors, pack_uv, rotation,
    selector, uv,
};
use galvani_parkan::msh::{NONE, wire};
use zerocopy::little_endian::{F32, I16};

fn key(raw: [i16; 4]) -> wire::Key {
    wire::Key { position: [F32::ZERO; 3], time: F32::ZERO, rotation: raw.map(I16::new) }
}

#[test]
fn every_packed_normal_is_a_127th_and_comes_back() {
    for raw in i8::MIN..=i8::MAX {
        let value = normal(raw);
        assert_eq!(value, (f32::from(raw) / 127.0).max(-1.0), "{raw}");
        assert_eq!(pack_normal(value), raw.max(-127), "{raw}");
    }
    assert_eq!((normal(-128), normal(-127), normal(127), normal(0)), (-1.0, -1.0, 1.0, 0.0));
}

#[test]
fn every_packed_texture_coordinate_comes_back_under_both_readings() {
    for raw in 0..=u16::MAX {
        let (signed, unsigned) = (uv(raw, Documented), uv(raw, Observed));
        assert_eq!(signed, f32::from(raw.cast_signed()) / 1024.0);
        assert_eq!(unsigned, f32::from(raw) / 1024.0);
        assert_eq!(unsigned - signed, if raw > 0x7fff { 64.0 } else { 0.0 });
        assert_eq!(pack_uv(signed, Documented), raw);
        assert_eq!(pack_uv(unsigned, Observed), raw);
    }
}

#[test]
fn every_component_of_a_triangles_normal_comes_back() {
    for raw in i16::MIN..=i16::MAX {
        assert_eq!(face_normal(raw), f32::from(raw) / 32767.0);
        assert_eq!(pack_face_normal(face_normal(raw)), raw.max(-32767));
    }
}

#[test]
fn every_component_of_a_rotation_comes_back_in_every_place() {
    for raw in i16::MIN..=i16::MAX {
        let value = f32::from(raw) * (1.0_f32 / 32767.0);
        for place in 0..4 {
            let mut components = [0; 4];
            components[place] = raw;
            let (seen, read) = (rotation(&key(components), Observed), rotation(&key(components), Documented));
            assert_eq!(seen.0[place], value);
            assert_eq!(read.0[(place + 1) % 4], value, "as documented, w comes last");
            components[place] = raw.max(-32767);
            assert_eq!(pack_rotation(seen, Observed), components);
            assert_eq!(pack_rotation(read, Documented), components);
        }
    }
}

#[test]
fn halves_are_rounded_away_from_zero() {
    assert_eq!((pack_normal(0.5 / 127.0), pack_normal(-0.5 / 127.0)), (1, -1));
    assert_eq!((pack_normal(2.5 / 127.0), pack_normal(-2.5 / 127.0)), (3, -3));
    assert_eq!(pack_uv(1.5 / 1024.0, Observed), 2);
    assert_eq!(pack_uv(2.5 / 1024.0, Documented), 3);
    assert_eq!(pack_uv(-2.5 / 1024.0, Documented), (-3_i16).cast_unsigned());
    assert_eq!(pack_uv(0.499 / 1024.0, Observed), 0);
}

#[test]
fn what_does_not_fit_is_clamped() {
    assert_eq!((pack_normal(7.0), pack_normal(-7.0)), (127, -127));
    assert_eq!((pack_face_normal(7.0), pack_face_normal(-7.0)), (32767, -32767));
    assert_eq!((pack_uv(99.0, Documented), pack_uv(-99.0, Documented)), (0x7fff, 0x8000));
    assert_eq!((pack_uv(99.0, Observed), pack_uv(-99.0, Observed)), (0xffff, 0));
    assert_eq!(
        pack_rotation(Wxyz([2.0, -2.0, f32::INFINITY, f32::NEG_INFINITY]), Observed),
        [32767, -32767, 32767, -32767]
    );
    assert_eq!((pack_normal(f32::NAN), pack_uv(f32::NAN, Observed)), (0, 0));
}

#[test]
fn a_selector_of_three_is_none_and_what_stands_above_does_not_count() {
    for word in 0..=u16::MAX {
        for edge in 0..3 {
            let bits = word >> (2 * edge) & 3;
            assert_eq!(selector(word, edge), if bits == 3 { NONE } else { bits });
        }
        assert_eq!(selector(word, 3), NONE);
        assert_eq!(pack_selectors([0, 1, 2].map(|edge| selector(word, edge))), word & 0x3f);
    }
}
