//! Sampling against the slow reference: models made to trip samplers, at moments all over their windows.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]

mod common;

use common::animated::{Animated, animated};
use common::slow;
use galvani_mdx::glam::{Affine3A, EulerRot, Quat};
use galvani_mdx::sample::{
    Clip, Crossing, Cursor, Edges, Events, Influences, Moment, Pose, Rig, Sampled, Skin, Skinned, Window,
};
use galvani_mdx::track::Floats;
use galvani_mdx::{Document, Family};
use proptest::prelude::*;

/// How far numbers of single precision may be from the reference's, as a part of what they are made of.
const OFF: f64 = 2e-4;

const EDGES: [(Edges, slow::Edges); 3] =
    [(Edges::Auto, slow::Edges::ByFlag), (Edges::Wrap, slow::Edges::Wrap), (Edges::Hold, slow::Edges::Hold)];

/// Every sequence of a model, and none.
fn sequences(document: &Document) -> Vec<Option<usize>> {
    (0..document.sequences().len()).map(Some).chain([None]).collect()
}

/// Moments on the ends of a window, on keys, beside keys, between, before and behind.
fn moments(document: &Document, sequence: Option<usize>) -> Vec<f64> {
    let Some(row) = sequence.map(|index| document.sequences()[index]) else { return vec![0.0, 55.5, 1e4] };
    let window = Window::of(row);
    let mut times = vec![0.0, window.length, window.length - 0.25, -1.0, window.length * 2.0 + 3.5, 1e7];
    document.each_track(|_, track| {
        for key in track.times.iter().take(3) {
            let time = f64::from(*key) - window.start;
            times.extend([time, time + 0.5, time - 1.0]);
        }
    });
    times.sort_by(f64::total_cmp);
    times.dedup();
    // Not in order, so that cursors are asked for what they do not expect.
    let half = times.split_off(times.len() / 2);
    times.into_iter().step_by(2).chain(half.into_iter().rev().step_by(3)).collect()
}

fn wide<const N: usize>(numbers: [f32; N]) -> Vec<f64> {
    numbers.into_iter().map(f64::from).collect()
}

fn assert_near(ours: &[f64], theirs: &[f64], size: f64, what: &str) {
    assert_eq!(ours.len(), theirs.len(), "{what}");
    for (a, b) in ours.iter().zip(theirs) {
        assert!((a - b).abs() <= OFF * size.max(1.0), "{what}: {ours:?}, the reference has {theirs:?}");
    }
}

/// Rotations are the same with either sign.
fn assert_turned(ours: Vec<f64>, theirs: &[f64], what: &str) {
    let dot: f64 = ours.iter().zip(theirs).map(|(a, b)| a * b).sum();
    let ours: Vec<f64> = if dot < 0.0 { ours.into_iter().map(|number| -number).collect() } else { ours };
    assert_near(&ours, theirs, 1.0, what);
}

/// The numbers of a sampled property, whatever it is.
fn numbers(value: Sampled) -> Vec<f64> {
    match value {
        Sampled::Index(index) => vec![f64::from(u32::try_from(index).unwrap())],
        Sampled::Floats(floats) => floats.as_slice().iter().map(|number| f64::from(*number)).collect(),
    }
}

fn rows(matrix: &Affine3A) -> Vec<f64> {
    let columns = matrix.to_cols_array_2d();
    (0..3).flat_map(|row| columns.map(|column| f64::from(column[row]))).collect()
}

fn families() -> impl Strategy<Value = Animated> {
    prop_oneof![animated(Family::Warcraft), animated(Family::Wow)]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn every_property_is_what_the_reference_says(model in families()) {
        let document = &model.document;
        for sequence in sequences(document) {
            for (edges, slow_edges) in EDGES {
                let clip = Clip::new(document, sequence, edges).unwrap();
                let (mut cursor, mut values) = (Cursor::default(), Vec::new());
                for time in moments(document, sequence) {
                    let global = time * 0.75 + 11.0;
                    clip.values(Moment { time, global }, &mut cursor, &mut values);
                    let wanted = slow::tracks(document, sequence, slow::Moment { time, global }, slow_edges);
                    prop_assert_eq!(clip.properties().len(), wanted.len());
                    for ((property, value), (path, wanted)) in clip.properties().iter().zip(&values).zip(wanted) {
                        let what = format!("{path} of {sequence:?} at {time}, {edges:?}");
                        prop_assert_eq!(property.path.to_string(), path);
                        prop_assert_eq!(property.has_keys(), wanted.is_some(), "{}", what);
                        match (value, wanted) {
                            (value, None) => prop_assert_eq!(*value, property.rest),
                            (Sampled::Floats(Floats::Four(turn)), Some(wanted)) => {
                                assert_turned(wide(*turn), &wanted, &what);
                            }
                            (value, Some(wanted)) => assert_near(&numbers(*value), &wanted, 100.0, &what),
                        }
                    }
                }
            }
        }
    }

    #[test]
    fn nodes_stand_where_the_reference_puts_them(model in families(), seen in any::<bool>()) {
        let document = &model.document;
        let camera = seen.then(|| Quat::from_euler(EulerRot::XYZ, 0.4, -1.1, 2.0));
        let slow_camera = camera.map(|turn| turn.to_array().map(f64::from));
        let rig = Rig::new(document);
        for sequence in sequences(document) {
            let clip = Clip::new(document, sequence, Edges::Auto).unwrap();
            let (mut cursor, mut pose) = (Cursor::default(), Pose::default());
            for time in moments(document, sequence).into_iter().step_by(3) {
                clip.nodes(Moment { time, global: time }, &mut cursor, &mut pose.locals);
                rig.place(&mut pose, camera);
                let wanted = slow::pose(document, sequence, slow::Moment { time, global: time }, slow::Edges::ByFlag, slow_camera);
                prop_assert_eq!(wanted.len(), pose.world.len());
                for (i, wanted) in wanted.iter().enumerate() {
                    let what = format!("node {i} of {sequence:?} at {time}");
                    let local = pose.locals[i];
                    assert_near(&wide(local.translation.to_array()), &wanted.translation, 100.0, &what);
                    assert_turned(wide(local.rotation.to_array()), &wanted.rotation, &what);
                    assert_near(&wide(local.scale.to_array()), &wanted.scale, 3.0, &what);
                    let matrix = wanted.matrix[..3].as_flattened();
                    let size = matrix.iter().fold(300.0, |size: f64, number| size.max(number.abs()));
                    assert_near(&rows(&pose.world[i]), matrix, size, &what);
                }
            }
        }
    }

    #[test]
    fn vertices_follow_their_nodes(model in families()) {
        let document = &model.document;
        let rig = Rig::new(document);
        let clip = Clip::new(document, Some(0), Edges::Auto).unwrap();
        let (mut cursor, mut pose, mut out) = (Cursor::default(), Pose::default(), Skinned::default());
        for time in moments(document, Some(0)).into_iter().step_by(9) {
            let moment = slow::Moment { time, global: 0.0 };
            clip.nodes(Moment { time, global: 0.0 }, &mut cursor, &mut pose.locals);
            rig.place(&mut pose, None);
            let nodes = slow::pose(document, Some(0), moment, slow::Edges::ByFlag, None);
            for influences in [Influences::Game, Influences::Listed] {
                for (i, skin) in Skin::all(document, &rig, influences).iter().enumerate() {
                    skin.apply(&pose.world, &mut out);
                    let wanted = match influences {
                        Influences::Game => slow::skin(document, i, &nodes),
                        Influences::Listed => slow::listed_skin(document, i, &nodes),
                    };
                    prop_assert_eq!(out.positions.len(), wanted.len());
                    for (ours, wanted) in out.positions.iter().zip(&wanted) {
                        let size = wanted.iter().fold(3000.0, |size: f64, number| size.max(number.abs()));
                        let what = format!("a vertex of geoset {i} at {time}, {influences:?}");
                        assert_near(&wide(ours.to_array()), wanted, size, &what);
                    }
                }
            }
        }
    }

    #[test]
    fn events_are_told_as_the_reference_tells_them(model in families(), steps in prop::collection::vec(0.0..700.0_f64, 1..6)) {
        let document = &model.document;
        for sequence in 0..document.sequences().len() {
            let events = Events::of(document, Window::of(document.sequences()[sequence]));
            let mut from = -1.0;
            for step in &steps {
                let to = f64::max(from, 0.0) + step.floor();
                let mut told = Vec::new();
                events.crossed(from, to, |crossing| told.push(crossing));
                told.sort_by_key(|crossing| (crossing.event, crossing.time));
                let mut wanted: Vec<Crossing> = Vec::new();
                for (event, time, count) in slow::events(document, sequence, from, to) {
                    let time = time.to_string().parse().unwrap();
                    wanted.push(Crossing { event, time, count });
                }
                wanted.sort_by_key(|crossing| (crossing.event, crossing.time));
                prop_assert_eq!(merged(told), merged(wanted), "sequence {} from {} to {}", sequence, from, to);
                from = to;
            }
        }
    }
}

/// An event may have one moment twice; then it counts twice.
fn merged(crossings: Vec<Crossing>) -> Vec<Crossing> {
    let mut sums: Vec<Crossing> = Vec::new();
    for crossing in crossings {
        match sums.last_mut() {
            Some(last) if (last.event, last.time) == (crossing.event, crossing.time) => {
                last.count += crossing.count
            }
            _ => sums.push(crossing),
        }
    }
    sums
}
