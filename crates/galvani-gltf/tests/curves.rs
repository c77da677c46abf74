//! Curves in the file against the scene's, both in double precision.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]
#![allow(dead_code, reason = "not everything of the slow arithmetic is used here")]

#[path = "../../galvani-scene/tests/common/slow.rs"]
mod slow;

use galvani_gltf::{Options, glb};
use galvani_scene::{Clip, Curve, Id, Interp, Node, Scene, Track};
use glam::{DQuat, DVec3, Quat, Vec3};
use gltf::Gltf;
use gltf::animation::util::ReadOutputs;
use proptest::prelude::*;

/// At how many places a curve is looked at.
const DENSE: u16 = 500;

/// Ulps of the largest control value that a cubic may be off.
const ULPS: f64 = 4.0;

fn with_track(track: Track, duration: f32) -> Scene {
    let clip = Clip { name: "clip".to_owned(), duration, tracks: vec![track], ..Clip::default() };
    Scene { nodes: vec![Node::default()], clips: vec![clip], ..Scene::default() }
}

/// Times and rows of the one channel, and how it is read.
fn channel(scene: Scene) -> (Vec<f64>, Vec<[f64; 4]>, String) {
    let Gltf { document, blob } = Gltf::from_slice(&glb(scene, &Options::default()).unwrap().0).unwrap();
    let blob = blob.unwrap();
    let animation = document.animations().next().unwrap();
    let channel = animation.channels().next().unwrap();
    let reader = channel.reader(|_| Some(&blob));
    let times = reader.read_inputs().unwrap().map(f64::from).collect();
    let three = |[x, y, z]: [f32; 3]| [x, y, z, 0.0].map(f64::from);
    let rows = match reader.read_outputs().unwrap() {
        ReadOutputs::Translations(rows) => rows.map(three).collect(),
        ReadOutputs::Rotations(rows) => rows.into_f32().map(|row| row.map(f64::from)).collect(),
        _ => panic!("another channel"),
    };
    (times, rows, format!("{:?}", channel.sampler().interpolation()))
}

/// A cubic as glTF says it is read.
fn cubic(times: &[f64], rows: &[[f64; 4]], time: f64) -> DVec3 {
    let row = |row: usize| DVec3::from_slice(&rows[row][..3]);
    let key = times.iter().rposition(|at| *at <= time).unwrap_or(0);
    if time <= times[0] || key + 1 == times.len() {
        return row(3 * key + 1);
    }
    let span = times[key + 1] - times[key];
    let t = (time - times[key]) / span;
    let (t2, t3) = (t * t, t * t * t);
    row(3 * key + 1) * (2.0 * t3 - 3.0 * t2 + 1.0)
        + row(3 * key + 2) * (span * (t3 - 2.0 * t2 + t))
        + row(3 * key + 4) * (3.0 * t2 - 2.0 * t3)
        + row(3 * key + 3) * (span * (t3 - t2))
}

/// Straight lines on the sphere as glTF says they are read.
fn slerp(times: &[f64], rows: &[[f64; 4]], time: f64) -> DQuat {
    let row = |key: usize| DQuat::from_array(rows[key]);
    let key = times.iter().rposition(|at| *at <= time).unwrap_or(0);
    if time <= times[0] || key + 1 == times.len() {
        return row(key);
    }
    let (a, b) = (row(key), row(key + 1));
    let t = (time - times[key]) / (times[key + 1] - times[key]);
    // Single precision leaves the cosine of a small angle no digits.
    let angle = 2.0 * (a - b).length().atan2((a + b).length());
    if angle < 1e-9 {
        return a;
    }
    (a * ((1.0 - t) * angle).sin() + b * (t * angle).sin()) * (1.0 / angle.sin())
}

fn dense(duration: f32) -> impl Iterator<Item = f64> {
    (0..=DENSE).map(move |i| f64::from(duration) * f64::from(i) / f64::from(DENSE))
}

fn places() -> impl Strategy<Value = Vec3> {
    [-50.0..50.0_f32, -50.0..50.0, -50.0..50.0].prop_map(Vec3::from_array)
}

/// Turns so small that no two are on opposite sides, where a squad jumps.
fn turns() -> impl Strategy<Value = Quat> {
    ([-1.0..1.0_f32, -1.0..1.0, -1.0..1.0], -0.8..0.8_f32)
        .prop_map(|(axis, angle)| Quat::from_axis_angle(Vec3::from_array(axis).normalize_or(Vec3::X), angle))
}

fn times(spans: &[f32]) -> Vec<f32> {
    spans.iter().scan(0.0, |at, span| Some(std::mem::replace(at, *at + span))).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn cubics_are_the_same_to_the_last_bits(
        keys in prop::collection::vec((0.01..2.0_f32, places(), places(), places()), 2..6),
        interp in prop_oneof![Just(Interp::Hermite), Just(Interp::Bezier)],
    ) {
        let times = times(&keys.iter().map(|key| key.0).collect::<Vec<_>>());
        let duration = times[times.len() - 1];
        let curve = Curve {
            times,
            values: keys.iter().map(|key| key.1).collect(),
            tangents: keys.iter().map(|key| [key.2, key.3]).collect(),
            interp,
        };
        let controls = curve.values.iter().chain(curve.tangents.as_flattened());
        let most = controls.map(|value| value.abs().max_element()).fold(0.0, f32::max);
        let (at, rows, read) = channel(with_track(Track::Translation(Id::new(0), curve.clone()), duration));
        prop_assert_eq!(read, "CubicSpline");
        let near = ULPS * f64::from(most.next_up() - most);
        for time in dense(duration) {
            let wanted = DVec3::from_array(slow::vector(&curve, Vec3::to_array, time));
            let off = (cubic(&at, &rows, time) - wanted).abs().max_element();
            prop_assert!(off <= near, "{off} off at {time}, {near} at most");
        }
    }

    #[test]
    fn baked_turns_are_within_the_tolerance(
        keys in prop::collection::vec((0.1..2.0_f32, turns(), turns(), turns()), 2..5),
    ) {
        let times = times(&keys.iter().map(|key| key.0).collect::<Vec<_>>());
        let duration = times[times.len() - 1];
        let curve = Curve {
            times,
            values: keys.iter().map(|key| key.1).collect(),
            tangents: keys.iter().map(|key| [key.1 * key.2, key.1 * key.3]).collect(),
            interp: Interp::Bezier,
        };
        let (at, rows, read) = channel(with_track(Track::Rotation(Id::new(0), curve.clone()), duration));
        prop_assert_eq!(read, "Linear");
        let tolerance = f64::from(Options::default().tolerance);
        for time in dense(duration) {
            let (found, wanted) = (slerp(&at, &rows, time), slow::rotation(&curve, time));
            let wanted = if found.dot(wanted) < 0.0 { -wanted } else { wanted };
            let off = 4.0 * (found - wanted).length().atan2((found + wanted).length());
            prop_assert!(off <= tolerance, "{off} rad off at {time} with {} keys", at.len());
        }
    }
}

#[test]
fn a_grid_of_frames_is_kept_to_where_it_is_wanted() {
    let curve = Curve::linear(vec![0.0, 1.0], vec![Vec3::ZERO, Vec3::X]);
    let scene = with_track(Track::Translation(Id::new(0), curve), 1.0);
    let options = Options { fps: Some(4.0), ..Options::default() };
    let Gltf { document, blob } = Gltf::from_slice(&glb(scene, &options).unwrap().0).unwrap();
    let blob = blob.unwrap();
    let animation = document.animations().next().unwrap();
    let channel = animation.channels().next().unwrap();
    let times: Vec<f32> = channel.reader(|_| Some(&blob)).read_inputs().unwrap().collect();
    assert_eq!(times, [0.0, 0.25, 0.5, 0.75, 1.0]);
}

/// What a grid costs is told: how many keys there are, and how far the farthest is.
#[test]
fn what_a_grid_leaves_out_is_told() {
    let curve = Curve::linear(vec![0.0, 0.6, 1.0], vec![Vec3::ZERO, Vec3::X, Vec3::ZERO]);
    let scene = with_track(Track::Translation(Id::new(0), curve), 1.0);
    let options = Options { fps: Some(2.0), ..Options::default() };
    let report = glb(scene, &options).unwrap().1;
    let told: Vec<String> = report.findings().iter().map(ToString::to_string).collect();
    // Halfway it is at 5/6; at its key the line from there to the end is at 2/3.
    let is_told = |told: &String| {
        told.contains("gltf.on-grid") && told.contains("1 tracks have 3 keys") && told.contains("0.333333")
    };
    assert!(told.iter().any(is_told), "{told:?}");
}
