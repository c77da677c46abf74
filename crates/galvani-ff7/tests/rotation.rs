//! Angles and rotations, both ways.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

use galvani_ff7::pack::AngleKey;
use galvani_ff7::pack::codec::reduced;
use galvani_ff7::pack::quantise::{FreeFrame, Precision, Rounding, from_quaternions};
use galvani_ff7::pack::rotation::{
    euler, euler_near, from_degrees, from_raw, normalised, quaternion, unwrapped_degrees,
};
use glam::DQuat;
use proptest::prelude::*;

/// Three roundings by half a unit at most, in degrees.
const ROUNDED: f64 = 1.5 * 360.0 / 4096.0;

/// How far apart two rotations are, in degrees.
fn apart(a: DQuat, b: DQuat) -> f64 {
    let DQuat { x, y, z, w } = a.conjugate() * b;
    2.0 * (x * x + y * y + z * z).sqrt().atan2(w.abs()).to_degrees()
}

#[test]
fn the_whole_grid_of_x_comes_back() {
    for x in 0..4096 {
        for (y, z) in [(0, 0), (1, 4095), (700, 3000), (2048, 1024), (3333, 17)] {
            let turned = from_raw([x, y, z]);
            assert!(apart(quaternion(euler(turned)), turned) < 1e-5, "{x} {y} {z}");
            let near = euler_near(turned, [x, y, z].map(unwrapped_degrees));
            assert_eq!(near.map(|angle| from_degrees(angle).unwrap()), [x, y, z].map(reduced));
        }
    }
}

#[test]
fn around_the_poles_the_angles_come_back_to_the_unit() {
    for pole in [1024, 3072] {
        for x in pole - 3..=pole + 3 {
            for y in (0..4096).step_by(31) {
                for z in (0..4096).step_by(67) {
                    let raw = [x, y, z];
                    let turned = from_raw(raw);
                    assert!(apart(quaternion(euler(turned)), turned) < 1e-5, "{raw:?}");
                    let near = euler_near(turned, raw.map(unwrapped_degrees));
                    let back = near.map(|angle| from_degrees(angle).unwrap());
                    assert_eq!(back, raw.map(reduced), "{near:?}");
                }
            }
        }
    }
}

/// Rotations as other programs have them: anywhere, or close to a pole; in single precision.
fn turn() -> impl Strategy<Value = DQuat> {
    let anywhere = any::<[i16; 4]>()
        .prop_filter_map("no rotation", |raw| normalised(DQuat::from_array(raw.map(f64::from))));
    let pole = (prop_oneof![Just(90.0), Just(270.0)], -0.2..0.2, 0.0..360.0, 0.0..360.0)
        .prop_map(|(pole, off, y, z)| quaternion([pole + off, y, z]));
    #[allow(clippy::cast_possible_truncation, reason = "single precision is wanted")]
    let single = |turn: DQuat| turn.as_quat().as_dquat();
    prop_oneof![anywhere, pole].prop_map(single)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn rotations_of_single_precision_are_kept_to_the_unit(turns in proptest::collection::vec(turn(), 1..6)) {
        let pose = |&turn: &DQuat| FreeFrame { position: [0.0; 3], rotations: vec![turn] };
        let poses: Vec<_> = turns.iter().map(pose).collect();
        let made = from_quaternions(&poses, Precision::Key(AngleKey::Zero), Rounding::Nearest).unwrap();
        for (frame, &turn) in made.frames.iter().zip(&turns) {
            let off = apart(from_raw(frame.bones[0]), normalised(turn).unwrap());
            // Near a pole single precision costs as much again.
            prop_assert!(off < 2.0 * ROUNDED, "{off}");
        }
    }
}
