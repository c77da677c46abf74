//! The frame rate by a whole factor.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

#[path = "common/rows.rs"]
#[allow(dead_code, unreachable_pub, reason = "each test file uses its part of this")]
mod common;

use common::{Row, any_rows, entry, modulo, pack, rows_of};
use galvani_core::Meter;
use galvani_ff7::pack::edit::{self, Edge};
use galvani_ff7::pack::rotation::{self};
use galvani_ff7::pack::{AngleKey, Document};
use galvani_ff7::skeleton;
use glam::DQuat;
use proptest::prelude::*;

fn half_turn() -> Vec<Row> {
    vec![([0, 0, 0], vec![[0, 2032, 0]]), ([10, -5, 3], vec![[0, -2032, 0]])]
}

fn resampled(rows: &[Row], key: AngleKey, factor: u32, edge: Edge, tolerance: f64) -> Document {
    let mut document = pack(vec![entry(rows, key)]);
    edit::resample(&mut document, &[0], factor, edge, tolerance, None, &Meter::unlimited()).unwrap();
    document
}

#[test]
fn a_one_shot_ends_with_its_last_frame() {
    let document = resampled(&half_turn(), AngleKey::Four, 4, Edge::Once, 0.05);
    let row = |x, y, z, turn| ([x, y, z], vec![[0, turn, 0]]);
    let wanted = [
        row(0, 0, 0, 2032),
        row(3, -1, 1, 2040),
        row(5, -3, 2, 2048),
        row(8, -4, 2, 2056),
        row(10, -5, 3, 2064),
    ];
    assert_eq!(rows_of(&document, 0), wanted);
    assert_eq!(document.entries[0], entry(&wanted, AngleKey::Zero));
}

#[test]
fn a_loop_ends_on_its_way_back_to_the_first_frame() {
    let document = resampled(&half_turn(), AngleKey::Four, 2, Edge::Loop, 0.05);
    let turns: Vec<i16> = rows_of(&document, 0).iter().map(|row| row.1[0][1]).collect();
    assert_eq!(turns, [2032, 2048, 2064, 2048]);
    assert_eq!(document.entries[0].dw_frames, 4);
}

#[test]
fn the_tolerance_says_how_coarse_the_frames_between_may_be() {
    for (tolerance, own, wanted) in [
        (0.05, AngleKey::Four, AngleKey::Zero),
        (0.2, AngleKey::Four, AngleKey::Two),
        (0.75, AngleKey::Four, AngleKey::Four),
        (0.75, AngleKey::Two, AngleKey::Two),
    ] {
        let document = resampled(&half_turn(), own, 4, Edge::Once, tolerance);
        assert_eq!(edit::frames_of(&document, 0).unwrap().1.key, wanted);
    }
}

/// Frames that turn by more than a short code says.
fn spin(count: i16) -> Vec<Row> {
    (0..count).map(|i| ([0; 3], vec![[i.wrapping_mul(604), 4, 0]; 20])).collect()
}

#[test]
fn what_would_grow_too_long_takes_the_coarsest_key_that_holds_the_tolerance_and_says_so() {
    let rows = spin(300);
    let made = |tolerance: f64| {
        let mut document = pack(vec![entry(&rows[..2], AngleKey::Two), entry(&rows, AngleKey::Two)]);
        let report =
            edit::resample(&mut document, &[0, 1], 8, Edge::Once, tolerance, None, &Meter::unlimited());
        let told = report.map(|report| report.findings().iter().map(ToString::to_string).collect::<Vec<_>>());
        (document, told.map_err(|error| error.to_string()))
    };
    let (document, told) = made(0.75);
    let key = |entry: usize| edit::frames_of(&document, entry).unwrap().1.key;
    assert_eq!((key(0), key(1)), (AngleKey::Two, AngleKey::Four), "only the one that is too long");
    let [told] = told.unwrap().try_into().unwrap();
    assert!(told.starts_with("entries[1].b_key: ff7-pack.coarser: at key 2 "), "{told}");
    assert!(told.ends_with("at key 4, which it has now, angles are up to 0.703 degrees off"), "{told}");
    for (before, after) in rows.iter().zip(rows_of(&document, 1).iter().step_by(8)) {
        assert_eq!(before.0, after.0);
        for (before, after) in before.1.iter().flatten().zip(after.1.iter().flatten()) {
            let off = before.wrapping_sub(*after).rem_euclid(4096);
            assert!(off.min(4096 - off) <= 8, "{before} became {after}");
        }
    }
    let (document, told) = made(0.2);
    assert!(told.unwrap_err().starts_with("entries[1]: ff7-pack.too-long: "), "key 4 is too coarse");
    assert_eq!(document.entries[1], entry(&rows, AngleKey::Two));
}

/// A chain of two bones on the root.
fn chain() -> skeleton::Document {
    let bone = |parent| skeleton::Bone { parent, length: -10.0, has_model: 1 };
    skeleton::Document { bones: vec![bone(-1), bone(0)], ..Default::default() }
}

/// Rotations as seen from outside.
fn added_up(bones: &[[i16; 3]], is_model: bool) -> Vec<DQuat> {
    let mut all: Vec<DQuat> = Vec::new();
    for &bone in bones {
        let own = rotation::from_raw(bone);
        let parent = all.last().copied().filter(|_| is_model);
        all.push(parent.map_or(own, |parent| parent * own));
    }
    all
}

/// How far apart two rotations are, in degrees.
fn apart(a: DQuat, b: DQuat) -> f64 {
    let DQuat { x, y, z, w } = a.conjugate() * b;
    2.0 * (x * x + y * y + z * z).sqrt().atan2(w.abs()).to_degrees()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn frames_that_were_there_stay_and_others_lie_between_them(
        rows in any_rows(3, AngleKey::Two), factor in 2..6_usize, is_loop in any::<bool>(), is_model in any::<bool>()
    ) {
        let edge = if is_loop { Edge::Loop } else { Edge::Once };
        let mut document = pack(vec![entry(&rows, AngleKey::Two)]);
        let skeleton = is_model.then(chain);
        let whole = u32::try_from(factor).unwrap();
        edit::resample(&mut document, &[0], whole, edge, 0.05, skeleton.as_ref(), &Meter::unlimited()).unwrap();
        let after = rows_of(&document, 0);
        let wanted = rows.len() * factor - if is_loop { 0 } else { factor - 1 };
        prop_assert_eq!(after.len(), wanted);
        prop_assert_eq!(document.entries[0].dw_frames, u32::try_from(wanted).unwrap());
        let kept: Vec<Row> = after.iter().step_by(factor).cloned().collect();
        prop_assert_eq!(kept, modulo(&rows));
        for (i, row) in after.iter().enumerate() {
            let (from, to) = (&rows[i / factor], &rows[(i / factor + 1) % rows.len()]);
            let part = f64::from(u32::try_from(i % factor).unwrap()) / f64::from(whole);
            for axis in 0..3 {
                let [from, to] = [from, to].map(|row| f64::from(row.0[axis]));
                let way = if i % factor == 0 { from } else { from + (to - from) * part };
                prop_assert!((f64::from(row.0[axis]) - way).abs() <= 0.5);
            }
            if i % factor == 0 {
                continue;
            }
            let [from, to, now] = [from, to, row].map(|row| added_up(&row.1, is_model));
            for bone in 0..3 {
                let way = rotation::slerp(from[bone], to[bone], part);
                // Three roundings a bone, half a unit each.
                prop_assert!(apart(way, now[bone]) < 0.14 * 3.0);
            }
        }
    }
}
