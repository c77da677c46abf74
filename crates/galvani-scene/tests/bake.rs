//! Baked motions, looked at densely.
#![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]
#![allow(clippy::float_cmp, reason = "these numbers are exact")]

use galvani_scene::{Blend, Curve, Interp, bake};
use glam::{Quat, Vec3};
use proptest::prelude::*;

/// At how many places a baked motion is looked at.
const DENSE: u16 = 4000;

/// The largest distance between a motion and its lines.
fn worst<V: Blend>(lines: &Curve<V>, end: f32, motion: impl Fn(f32) -> V) -> f32 {
    let times = (0..=DENSE).map(|i| end * f32::from(i) / f32::from(DENSE));
    times.map(|time| lines.at(time).unwrap().distance(motion(time))).fold(0.0, f32::max)
}

/// Turns so small that no two are on opposite sides, where a squad jumps.
fn turns() -> impl Strategy<Value = Quat> {
    ([-1.0..1.0_f32, -1.0..1.0, -1.0..1.0], -0.8..0.8_f32)
        .prop_map(|(axis, angle)| Quat::from_axis_angle(Vec3::from_array(axis).normalize_or(Vec3::X), angle))
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn squads_are_baked_to_the_tolerance(
        keys in prop::collection::vec([turns(), turns(), turns()], 2..5),
        tolerance in prop_oneof![Just(1e-2_f32), Just(1e-3), Just(2e-4)],
    ) {
        let times: Vec<f32> = (0_u8..).map(f32::from).take(keys.len()).collect();
        let curve = Curve {
            times: times.clone(),
            values: keys.iter().map(|key| key[0]).collect(),
            tangents: keys.iter().map(|key| [key[0] * key[1], key[0] * key[2]]).collect(),
            interp: Interp::Hermite,
        };
        let motion = |time: f32| curve.at(time).unwrap();
        let baked = bake(&times, tolerance, motion);
        let worst = worst(&baked.curve, times[times.len() - 1], motion);
        prop_assert!(worst <= tolerance, "{worst} rad, {} keys", baked.curve.times.len());
        prop_assert!(baked.error <= tolerance);
        prop_assert!(times.iter().all(|time| baked.curve.times.contains(time)));
    }
}

#[test]
fn a_straight_motion_needs_no_more_keys() {
    let baked = bake(&[0.0, 1.0, 3.0], 1e-4, |time| Vec3::new(time, -2.0 * time, 1.0));
    assert_eq!(baked.curve.times, [0.0, 1.0, 3.0]);
}

#[test]
fn a_jump_is_as_short_as_single_precision_can_say() {
    let baked = bake(&[0.0, 1.0], 1e-4, |time: f32| if time < 0.3 { 0.0 } else { 1.0 });
    let Curve { times, values, .. } = &baked.curve;
    assert!(times.len() < 100, "{times:?}");
    let at = values.iter().position(|value| *value == 1.0).unwrap();
    assert_eq!([times[at - 1], times[at]], [0.3_f32.next_down(), 0.3]);
    assert!(baked.error == 0.0 && values[..at].iter().all(|value| *value == 0.0));
}
