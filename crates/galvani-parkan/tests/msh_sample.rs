//! Poses, bit for bit, beside a reference that rests alone on
//! docs/formats/msh-animation.md#sampling, #slerp, #matrix, #blending and #composition.
#![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]
#![allow(clippy::float_cmp, reason = "every bit counts")]

#[path = "common/msh_reference.rs"]
mod msh_reference;
#[path = "common/msh_sampling.rs"]
mod msh_sampling;

use std::collections::BTreeSet;

use galvani_core::SampleError;
use galvani_core::maths::Wxyz;
use galvani_parkan::msh::engine::{self, IDENTITY};
use galvani_parkan::msh::sample::{
    self, Branch, RestPose, RootTranslation, blend_pose, model_matrices, parent_of, rest_pose,
    sample_node_pose,
};
use galvani_parkan::msh::{ModelView, Stream};
use msh_reference::{Path, Stop, fistp_low, quat_interp, quat_to_matrix};
use msh_sampling::{Raw, bits, model, sound, time, wild};
use proptest::collection::vec;
use proptest::prelude::*;

fn branch(path: Path) -> Branch {
    match path {
        Path::Fallback => Branch::Fallback,
        Path::Key => Branch::Key,
        Path::Segment => Branch::Segment,
    }
}

/// What the reference stopped at, under our name.
fn stop(error: &SampleError) -> Stop {
    match error.cause.code.name {
        "msh.sample-key-outside" | "msh.sample-map-outside" => Stop::WouldReadOutOfBounds,
        "msh.sample-neither" => Stop::NeitherSide,
        "msh.sample-parent" => Stop::NoParent,
        other => unreachable!("{other}"),
    }
}

/// Times that mean something to this model, beside any others.
fn times_of(raw: &Raw, more: &[f32]) -> Vec<f32> {
    let keys = raw.keys.iter().map(|(floats, _)| floats[3]);
    let near = |time: f32| [time, time.next_up(), time.next_down(), time + 0.5, time - 0.5];
    more.iter().copied().chain(keys.flat_map(near)).collect()
}

fn nodes_agree(raw: &Raw, times: &[f32]) -> Result<(), TestCaseError> {
    let streams = raw.reference();
    let model = model(&streams);
    for time in times_of(raw, times) {
        for node in 0..raw.nodes.len() {
            let ours = sample_node_pose(&model, node, time);
            match (ours, streams.sample_node_pose(node, time)) {
                (Ok((pose, way)), Ok(wanted)) => {
                    prop_assert_eq!(way, branch(wanted.path), "node {} at {}", node, time);
                    prop_assert_eq!(bits(pose.rotation.0), bits(wanted.quat), "node {} at {}", node, time);
                    prop_assert_eq!(bits(pose.position), bits(wanted.pos), "node {} at {}", node, time);
                }
                (Err(error), Err(wanted)) => {
                    prop_assert_eq!(stop(&error), wanted);
                    let place = error.cause.path.to_string();
                    let named = ["fallback_key", "map_start", "key"];
                    prop_assert!(
                        named.iter().any(|field| place.ends_with(&format!(".{field}"))),
                        "{}",
                        place
                    );
                }
                (ours, wanted) => prop_assert!(false, "node {node} at {time}: {ours:?}, not {wanted:?}"),
            }
        }
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn a_node_is_where_the_reference_says(raw in sound(), times in vec(time(), 8)) {
        nodes_agree(&raw, &times)?;
    }

    #[test]
    fn a_node_of_a_wild_model_is_where_the_reference_says_or_nowhere(raw in wild(), times in vec(time(), 8)) {
        nodes_agree(&raw, &times)?;
    }

    #[test]
    fn a_blend_is_what_the_reference_says(
        raw in prop_oneof![sound(), wild()],
        times in vec((time(), time(), prop_oneof![-0.25..1.25_f32, time(), Just(0.0), Just(1.0)]), 6),
    ) {
        let streams = raw.reference();
        let model = model(&streams);
        for (time_a, time_b, blend) in times {
            for node in 0..raw.nodes.len() {
                let ours = blend_pose(&model, node, (time_a, time_b), blend);
                match (ours, streams.blend_pose(node, time_a, time_b, blend)) {
                    (Ok((pose, a, b)), Ok((matrix, wanted_a, wanted_b))) => {
                        prop_assert_eq!((a, b), (wanted_a.map(branch), wanted_b.map(branch)));
                        prop_assert_eq!(bits(pose.matrix()), bits(matrix), "{} {} {}", time_a, time_b, blend);
                    }
                    (Err(error), Err(wanted)) => prop_assert_eq!(stop(&error), wanted),
                    (ours, wanted) => prop_assert!(false, "{time_a} {time_b}: {ours:?}, not {wanted:?}"),
                }
            }
        }
    }

    #[test]
    fn a_model_is_posed_as_the_reference_says(
        raw in prop_oneof![3 => sound(), 1 => wild()], times in vec(time(), 4), clear in any::<bool>(),
        stray in prop_oneof![4 => Just(None), 1 => (0..6_usize, 0..9_u16).prop_map(Some)],
    ) {
        let mut raw = raw;
        if let Some((node, parent)) = stray && let Some(node) = raw.nodes.get_mut(node) {
            node[0] = parent;
        }
        let streams = raw.reference();
        let model = model(&streams);
        let root = if clear { RootTranslation::Clear } else { RootTranslation::Keep };
        for time in times {
            let ours = model_matrices(&model, root, |node| Ok(sample_node_pose(&model, node, time)?.0));
            match (ours, streams.model_matrices(time, clear)) {
                (Ok(ours), Ok(wanted)) => {
                    let bits_of = |all: Vec<engine::Matrix>| all.into_iter().map(bits).collect::<Vec<_>>();
                    let [ours, wanted] = [ours, wanted].map(bits_of);
                    prop_assert_eq!(ours, wanted);
                }
                (Err(error), Err(wanted)) => prop_assert_eq!(stop(&error), wanted),
                (ours, wanted) => prop_assert!(false, "at {time}: {ours:?}, not {wanted:?}"),
            }
        }
    }

    #[test]
    fn a_frame_is_what_whole_numbers_say(number in any::<u32>(), time in time()) {
        for time in [time, f32::from_bits(number)] {
            prop_assert_eq!(engine::frame(time), fistp_low(time - 0.5), "{}", time);
        }
    }
}

const HALF: f32 = std::f32::consts::FRAC_1_SQRT_2;

#[test]
fn slerp_gives_the_vectors_of_the_facts() {
    let cases: [([f32; 4], f32, [f64; 4]); 2] = [
        ([HALF, 0.0, 0.0, HALF], 0.5, [0.923_879_53, 0.0, 0.0, 0.382_683_43]),
        ([-HALF, 0.0, 0.0, -HALF], 0.25, [0.980_785_28, 0.0, 0.0, 0.195_090_32]),
    ];
    for (to, alpha, wanted) in cases {
        for out in [engine::slerp(IDENTITY, Wxyz(to), alpha).0, quat_interp(IDENTITY.0, to, alpha)] {
            assert!(out.iter().zip(wanted).all(|(a, b)| (f64::from(*a) - b).abs() < 1e-7), "{out:?}");
        }
    }
}

#[test]
fn slerp_is_not_normalised_and_near_rotations_take_plain_weights() {
    let near = Wxyz([1.0, 1e-3, 0.0, 0.0]);
    assert_eq!(engine::slerp(IDENTITY, near, 0.5), Wxyz([1.0, 5e-4, 0.0, 0.0]));
    let half = Wxyz([0.5, 0.0, 0.0, 0.0]);
    // The angle between 1 and a half is taken to be 60 degrees: both weights are 1/√3.
    let Wxyz([w, ..]) = engine::slerp(IDENTITY, half, 0.5);
    assert!((w - 1.5 / 3.0_f32.sqrt()).abs() < 1e-6, "{w}");
}

#[test]
fn the_matrix_of_the_facts_takes_x_to_minus_y() {
    let wanted = [[0.0, 1.0, 0.0], [-1.0, 0.0, 0.0], [0.0, 0.0, 1.0]];
    let quarter = Wxyz([HALF, 0.0, 0.0, HALF]);
    for matrix in [engine::matrix(quarter, [0.0; 3]), quat_to_matrix(quarter.0)] {
        for (row, wanted) in matrix.chunks_exact(4).zip(wanted) {
            assert!(row.iter().zip(wanted).all(|(a, b): (&f32, f32)| (a - b).abs() < 2e-7), "{matrix:?}");
        }
    }
    let [x, y, z] = engine::transform(&engine::matrix(quarter, [0.0; 3]), [1.0, 0.0, 0.0]);
    assert!(x.abs() < 2e-7 && (y + 1.0).abs() < 2e-7 && z == 0.0);
}

#[test]
fn the_translation_stands_in_3_7_and_11() {
    let matrix = engine::matrix(IDENTITY, [5.0, 6.0, 7.0]);
    let wanted = [1.0, 0.0, 0.0, 5.0, 0.0, 1.0, 0.0, 6.0, 0.0, 0.0, 1.0, 7.0, 0.0, 0.0, 0.0, 1.0];
    assert_eq!(bits(matrix), bits(wanted));
}

/// One node whose key `k` is at `10 k` on x and at time `k`; the map is given, the fallback is the last key.
fn stairs(words: &[u16], fallback: u16) -> Raw {
    let key = |k: u16| ([f32::from(k) * 10.0, 0.0, 0.0, f32::from(k)], [0, 0, 0, 32767]);
    let frame_count = u32::try_from(words.len()).unwrap();
    let nodes = vec![[0xFFFF, 0, fallback]];
    Raw {
        nodes,
        keys: (0..=fallback).map(key).collect(),
        words: words.to_vec(),
        frame_count,
        observed: false,
    }
}

fn x_at(raw: &Raw, time: f32) -> (f32, Branch) {
    let streams = raw.reference();
    let (pose, branch) = sample_node_pose(&model(&streams), 0, time).unwrap();
    (pose.position[0], branch)
}

#[test]
fn the_frames_of_a_hand_made_map_are_half_even() {
    let mut raw = stairs(&[0, 1, 2, 3], 6);
    for (k, (floats, _)) in raw.keys.iter_mut().enumerate() {
        // Every key far from all times asked for: a segment's pose is its own line, whatever the time.
        let step = u8::try_from(k).unwrap();
        *floats = [f32::from(step / 2) * 100.0, 0.0, 0.0, 1000.0 + f32::from(step)];
    }
    raw.words = vec![0, 2, 4, 0];
    let frames = [0.0, 0.5, 1.0, 1.5, 2.0, 3.0].map(|time| x_at(&raw, time).0);
    assert_eq!(frames, [0.0, 0.0, 0.0, 100.0, 200.0, 200.0]);
    let floors = [0.0_f32, 0.5, 1.0, 1.5, 2.0, 3.0].map(f32::floor);
    assert_ne!(floors.map(|floor| x_at(&raw, floor + 0.25).0), frames);
}

#[test]
fn times_outside_the_timeline_are_the_last_key() {
    let raw = stairs(&[0, 1, 2, 3], 4);
    for time in [-1e-6, -0.25, -0.5, -3.0, 4.0, 4.5, 5.0, 1e9, -1e9] {
        assert_eq!(x_at(&raw, time), (40.0, Branch::Fallback), "{time}");
    }
    assert_eq!(x_at(&raw, -1e-45).1, Branch::Segment, "too small to move away from -0.5");
    assert_eq!(x_at(&raw, -0.0), (0.0, Branch::Key));
    assert_eq!(x_at(&raw, 3.0), (30.0, Branch::Key), "frame 2, whose next key is at 3");
    assert_eq!(x_at(&raw, f32::INFINITY).1, Branch::Segment, "frame 0");
    assert!(x_at(&raw, f32::NAN).0.is_nan());
}

/// 32-bit sums: where an absurd frame count lets a frame before 0 pass, words before the run are read.
#[test]
fn a_frame_before_zero_leads_back_where_the_frame_count_lets_it() {
    let mut raw = stairs(&[3, 2, 1, 0], 5);
    raw.frame_count = u32::MAX;
    raw.nodes[0][1] = 2;
    assert_eq!(x_at(&raw, -1.5), (-15.0, Branch::Segment));
    let streams = raw.reference();
    let error = sample_node_pose(&model(&streams), 0, -3.0).unwrap_err();
    assert_eq!(error.cause.code.name, "msh.sample-map-outside");
}

/// Two rotations at right angles are as near as their opposites: the engine flips only what is nearer.
#[test]
fn a_blend_at_right_angles_is_not_flipped() {
    let mut raw = stairs(&[0, 1], 2);
    for (k, rotation) in [[0, 0, 0, 32767], [32767, 0, 0, 0], [0, 0, 0, 32767]].into_iter().enumerate() {
        raw.keys[k].1 = rotation;
    }
    let streams = raw.reference();
    let (pose, ..) = blend_pose(&model(&streams), 0, (0.0, 1.0), 0.25).unwrap();
    let Wxyz([w, x, y, z]) = pose.rotation;
    let eighth = std::f32::consts::FRAC_PI_8;
    assert!((w - eighth.cos()).abs() < 1e-6 && (x - eighth.sin()).abs() < 1e-6, "{:?}", pose.rotation);
    assert_eq!((y, z), (0.0, 0.0));
    assert_eq!(bits(pose.matrix()), bits(streams.blend_pose(0, 0.0, 1.0, 0.25).unwrap().0));
}

#[test]
fn the_rest_pose_is_frame_0_or_the_fallback() {
    let streams = stairs(&[0, 1], 2).reference();
    let model = model(&streams);
    let x =
        |rest: RestPose| rest_pose(&model, 0, rest).map(|(pose, branch)| (pose.position[0], branch)).unwrap();
    assert_eq!(x(RestPose::Frame0), (0.0, Branch::Key));
    assert_eq!(x(RestPose::Fallback), (20.0, Branch::Fallback));
}

/// Every code, by the smallest model that provokes it, with the place it names.
#[test]
fn every_refusal_has_a_model_that_provokes_it() {
    let at = |raw: &Raw, time: f32| {
        let streams = raw.reference();
        sample_node_pose(&model(&streams), 0, time).unwrap_err()
    };
    let mut found = Vec::new();
    let good = stairs(&[0], 1);

    let mut no_fallback = good.clone();
    no_fallback.nodes[0][2] = 2;
    found.push((at(&no_fallback, 9.0), "nodes[0].fallback_key"));
    let mut no_key = good.clone();
    (no_key.nodes[0][2], no_key.words[0]) = (9, 7);
    found.push((at(&no_key, 0.0), "frame_map[0].key"));
    let mut no_next = good.clone();
    (no_next.nodes[0][2], no_next.words[0]) = (9, 1);
    found.push((at(&no_next, 0.0), "frame_map[0].key"));
    let mut no_word = good.clone();
    no_word.nodes[0][1] = 1;
    found.push((at(&no_word, 0.0), "nodes[0].map_start"));

    let streams = good.reference();
    let model_of_good = model(&streams);
    found.push((sample_node_pose(&model_of_good, 3, 0.0).unwrap_err(), "nodes[3]"));
    found.push((blend_pose(&model_of_good, 0, (-1.0, 5.0), 0.0).unwrap_err(), "nodes[0]"));
    let mut orphan = good.clone();
    orphan.nodes[0][0] = 0;
    let streams = orphan.reference();
    found.push((parent_of(&model(&streams), 0).unwrap_err(), "nodes[0].parent"));
    let legacy = Stream { entry: 0, type_id: 1, attr: [0, 0, 24], bytes: &[0; 24] };
    let legacy = ModelView::new([legacy].into_iter(), galvani_core::Reading::Documented);
    found.push((sample_node_pose(&legacy, 0, 0.0).unwrap_err(), "nodes"));

    for (error, place) in &found {
        assert_eq!(error.cause.path.to_string(), *place, "{error}");
    }
    let provoked: BTreeSet<&str> = found.iter().map(|(error, _)| error.cause.code.name).collect();
    let all: BTreeSet<&str> = sample::ALL.iter().map(|code| code.name).collect();
    assert_eq!(provoked, all);
}

#[test]
fn a_key_without_a_next_is_fine_exactly_on_its_time() {
    let mut raw = stairs(&[0], 1);
    (raw.nodes[0][2], raw.words[0]) = (9, 1);
    assert_eq!(x_at(&raw, 1.0), (10.0, Branch::Key));
}
