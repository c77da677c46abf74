//! Sampling against the slow reference: models made to trip samplers, at moments all over their windows.
#![allow(clippy::float_cmp, reason = "where it is used the same numbers must come out")]
#![allow(clippy::cast_precision_loss, reason = "counts are small")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]

mod common;

use common::animated::{Animated, animated};
use common::slow;
use galvani_mdx::glam::{Affine3A, EulerRot, Quat, Vec3};
use galvani_mdx::model::Sequences;
use galvani_mdx::sample::{
    Clip, ClockTimes, Crossing, Cursor, Events, GeosetSkin, Influences, Local, Poses, Rig, Sampled, Skinned,
    Window, WindowEdges,
};
use galvani_mdx::track::{Floats, Form, TrackValue};
use galvani_mdx::{Content, Document, Family, Track};
use proptest::prelude::*;
use zerocopy::little_endian::U32;

/// How far numbers of single precision may be from the reference's, as a part of what they are made of.
const OFF: f64 = 2e-4;

const EDGES: [(WindowEdges, slow::Edges); 3] = [
    (WindowEdges::Auto, slow::Edges::ByFlag),
    (WindowEdges::Wrap, slow::Edges::Wrap),
    (WindowEdges::Hold, slow::Edges::Hold),
];

/// Every sequence of a model, and none.
fn sequences(document: &Document) -> Vec<Option<usize>> {
    (0..document.sequences().len()).map(Some).chain([None]).collect()
}

/// Moments on the ends of a window, on keys, beside keys, between, before and behind.
fn moments(document: &Document, sequence: Option<usize>) -> Vec<f64> {
    let Some(row) = sequence.map(|index| document.sequences()[index]) else { return vec![0.0, 55.5, 1e4] };
    let window = Window::from_sequence(row);
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
                    clip.values(ClockTimes { time, global }, &mut cursor, &mut values);
                    slow::was_doubtful();
                    let wanted = slow::tracks(document, sequence, slow::Moment { time, global }, slow_edges);
                    let is_doubtful = slow::was_doubtful();
                    prop_assert_eq!(clip.properties().len(), wanted.len());
                    for (i, (path, wanted)) in wanted.into_iter().enumerate() {
                        let (property, value) = (&clip.properties()[i], &values[i]);
                        let what = format!("{path} of {sequence:?} at {time}, {edges:?}");
                        prop_assert_eq!(property.path.to_string(), path);
                        prop_assert_eq!(clip.has_keys(i), wanted.is_some(), "{}", what);
                        match (value, wanted) {
                            (value, None) => prop_assert_eq!(*value, property.rest),
                            (Sampled::Floats(Floats::Rotation(_)), _) if is_doubtful => {}
                            (Sampled::Floats(Floats::Rotation(turn)), Some(wanted)) => {
                                assert_turned(wide(turn.to_array()), &wanted, &what);
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
            let clip = Clip::new(document, sequence, WindowEdges::Auto).unwrap();
            let (mut cursor, mut pose) = (Cursor::default(), Poses::default());
            for time in moments(document, sequence).into_iter().step_by(3) {
                clip.nodes(ClockTimes { time, global: time }, &mut cursor, &mut pose.local);
                rig.place(&mut pose, camera);
                slow::was_doubtful();
                let wanted = slow::pose(document, sequence, slow::Moment { time, global: time }, slow::Edges::ByFlag, slow_camera);
                if slow::was_doubtful() {
                    continue;
                }
                prop_assert_eq!(wanted.len(), pose.model.len());
                for (i, wanted) in wanted.iter().enumerate() {
                    let what = format!("node {i} of {sequence:?} at {time}");
                    let local = pose.local[i];
                    assert_near(&wide(local.translation.to_array()), &wanted.translation, 100.0, &what);
                    assert_turned(wide(local.rotation.to_array()), &wanted.rotation, &what);
                    assert_near(&wide(local.scale.to_array()), &wanted.scale, 3.0, &what);
                    let matrix = wanted.matrix[..3].as_flattened();
                    let size = matrix.iter().fold(300.0, |size: f64, number| size.max(number.abs()));
                    assert_near(&rows(&pose.model[i]), matrix, size, &what);
                }
            }
        }
    }

    #[test]
    fn vertices_follow_their_nodes(model in families()) {
        let document = &model.document;
        let rig = Rig::new(document);
        let clip = Clip::new(document, Some(0), WindowEdges::Auto).unwrap();
        let (mut cursor, mut pose, mut out) = (Cursor::default(), Poses::default(), Skinned::default());
        for time in moments(document, Some(0)).into_iter().step_by(9) {
            let moment = slow::Moment { time, global: 0.0 };
            clip.nodes(ClockTimes { time, global: 0.0 }, &mut cursor, &mut pose.local);
            rig.place(&mut pose, None);
            slow::was_doubtful();
            let nodes = slow::pose(document, Some(0), moment, slow::Edges::ByFlag, None);
            if slow::was_doubtful() {
                continue;
            }
            for influences in [Influences::Game, Influences::Listed] {
                for (i, skin) in GeosetSkin::all(document, &rig, influences).iter().enumerate() {
                    skin.apply(&pose.model, &mut out);
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
            let events = Events::in_window(document, Window::from_sequence(document.sequences()[sequence]));
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

/// A bone with one track of four keys in a window from 0 to 300, its second way shaped by these tangents.
fn one_track(
    tag: [u8; 4],
    value: TrackValue,
    interpolation: u32,
    keys: &[[f32; 4]],
    tangents: &[[f32; 4]],
) -> Document {
    let mut document = common::found(&common::case("plain-warcraft")).document;
    let words = |list: &[[f32; 4]]| -> Vec<u32> {
        list.iter().flat_map(|key| key.iter().take(value.words())).map(|number| number.to_bits()).collect()
    };
    let track = Track {
        interpolation,
        times: (0..4).map(|key| key * 100).collect(),
        values: words(keys),
        in_tangents: words(tangents),
        out_tangents: words(tangents),
        ..Track::new(tag, Form::Generic, value)
    };
    for chunk in &mut document.chunks {
        match &mut chunk.content {
            Content::Bones(rows) => {
                rows.typed_mut().next().unwrap().1.node.tracks = vec![track.clone()];
            }
            Content::Sequences(Sequences::Warcraft(rows)) => {
                (rows[0].start, rows[0].end) = (U32::new(0), U32::new(300));
            }
            _ => {}
        }
    }
    document
}

fn first_local(document: &Document, time: f64) -> Local {
    let clip = Clip::new(document, Some(0), WindowEdges::Hold).unwrap();
    let (mut cursor, mut locals) = (Cursor::default(), Vec::new());
    clip.nodes(ClockTimes { time, global: 0.0 }, &mut cursor, &mut locals);
    locals[0]
}

#[test]
fn hermite_with_the_slopes_of_a_cubic_is_that_cubic() {
    // x = u³ − 2u over keys a unit apart: slopes 3u² − 2, as tangents over the whole way from key to key.
    let cubic = |u: f32| u * u * u - 2.0 * u;
    let at = |of: &dyn Fn(f32) -> f32| [0.0, 1.0, 2.0, 3.0].map(|u| [of(u), 0.0, 0.0, 0.0]);
    let document = one_track(*b"KGTR", TrackValue::Vector, 2, &at(&cubic), &at(&|u| 3.0 * u * u - 2.0));
    for time in [0.0_f32, 33.0, 150.0, 210.5, 299.0] {
        let found = first_local(&document, f64::from(time)).translation.x;
        assert!((found - cubic(time / 100.0)).abs() < 1e-4, "{found} at {time}");
    }
}

#[test]
fn squad_about_one_axis_is_a_blend_of_half_angles() {
    let turn = |angle: f32| Quat::from_rotation_y(angle).to_array();
    let angles = [0.1_f32, 0.9, 0.4, 1.2];
    let inner = [0.3_f32, 0.7, 0.2, 1.0];
    let document = one_track(*b"KGRT", TrackValue::Quaternion, 3, &angles.map(turn), &inner.map(turn));
    for (key, u) in [(0, 0.25_f32), (1, 0.5), (2, 0.875)] {
        let mix = |list: &[f32; 4]| list[key] * (1.0 - u) + list[key + 1] * u;
        let blend = 2.0 * u * (1.0 - u);
        let wanted = Quat::from_rotation_y(mix(&angles) * (1.0 - blend) + mix(&inner) * blend);
        let found = first_local(&document, f64::from(u) * 100.0 + key as f64 * 100.0).rotation;
        assert!(found.angle_between(wanted) < 1e-3, "{found} at key {key} and {u}");
    }
}

#[test]
fn on_a_key_nothing_of_the_next_one_counts() {
    for interpolation in 1..=3 {
        let keys = [[1.0, 2.0, 3.0, 0.0], [f32::NAN, f32::INFINITY, 3.0, 0.0], [0.0; 4], [f32::NAN; 4]];
        let document = one_track(*b"KGTR", TrackValue::Vector, interpolation, &keys, &keys);
        assert_eq!(first_local(&document, 0.0).translation.to_array(), [1.0, 2.0, 3.0]);
        assert_eq!(first_local(&document, 200.0).translation.to_array(), [0.0; 3]);
        // What is no number stays none.
        assert!(first_local(&document, 100.0).translation.x.is_nan());
        assert!(first_local(&document, 50.0).translation.x.is_nan());
        let document = one_track(*b"KGRT", TrackValue::Quaternion, interpolation, &keys, &keys);
        for time in [0.0, 70.0, 250.0] {
            assert!((first_local(&document, time).rotation.length() - 1.0).abs() < 1e-5);
        }
    }
}

#[test]
fn of_an_interpolation_that_nobody_knows_no_key_counts() {
    let keys = [[5.0; 4]; 4];
    let document = one_track(*b"KGTR", TrackValue::Vector, 7, &keys, &keys);
    assert_eq!(first_local(&document, 50.0), Local::IDENTITY);
    let clip = Clip::new(&document, Some(0), WindowEdges::Auto).unwrap();
    let property = clip.properties().iter().position(|property| property.tag == *b"KGTR").unwrap();
    assert!(!clip.has_keys(property));
}

#[test]
fn what_is_shown_is_shown_with_as_many_numbers_as_it_has() {
    for (value, count) in [(TrackValue::Float, 1), (TrackValue::Pair, 2), (TrackValue::Vector, 3)] {
        let mut document = one_track(*b"KGTR", TrackValue::Vector, 1, &[[5.0; 4]; 4], &[]);
        for chunk in &mut document.chunks {
            if let Content::GeosetAnimations(rows) = &mut chunk.content {
                let row = rows.typed_mut().next().unwrap().1;
                row.tracks = vec![Track::new(*b"KGAO", Form::Documented, value)];
            }
        }
        let clip = Clip::new(&document, Some(0), WindowEdges::Auto).unwrap();
        let alpha = clip.properties().iter().find(|property| property.tag == *b"KGAO").unwrap();
        assert_eq!(numbers(alpha.rest), vec![1.0; count]);
    }
}

#[test]
fn of_two_tracks_of_a_kind_the_first_counts() {
    let mut document = one_track(*b"KGTR", TrackValue::Vector, 1, &[[5.0; 4]; 4], &[]);
    for chunk in &mut document.chunks {
        if let Content::Bones(rows) = &mut chunk.content {
            let tracks = &mut rows.typed_mut().next().unwrap().1.node.tracks;
            let mut others = ["KGRT", "KGSC", "KGTR"].map(|_| tracks[0].clone());
            others[0].tag = *b"KGSC";
            others[1].tag = *b"KGSC";
            for track in &mut others {
                track.values.fill(3.0_f32.to_bits());
            }
            others[1].values.fill(4.0_f32.to_bits());
            tracks.extend(others);
        }
    }
    let local = first_local(&document, 50.0);
    assert_eq!((local.translation.to_array(), local.scale.to_array()), ([5.0; 3], [3.0; 3]));
}

#[test]
fn normals_turn_with_their_nodes_and_keep_their_length() {
    let turn = Quat::from_rotation_x(1.2);
    let document = one_track(*b"KGRT", TrackValue::Quaternion, 1, &[turn.to_array(); 4], &[]);
    let rig = Rig::new(&document);
    let (mut poses, mut out) = (Poses::default(), Skinned::default());
    let clip = Clip::new(&document, Some(0), WindowEdges::Auto).unwrap();
    clip.pose(&rig, ClockTimes { time: 0.0, global: 0.0 }, None, &mut Cursor::default(), &mut poses);
    let skins = GeosetSkin::all(&document, &rig, Influences::Game);
    let Content::Geosets(rows) = &document.chunks.iter().find(|chunk| chunk.tag == *b"GEOS").unwrap().content
    else {
        panic!("no geosets")
    };
    let geoset = rows.typed().next().unwrap().1;
    skins[0].apply(&poses.model, &mut out);
    assert!(!out.normals.is_empty());
    for (normal, stored) in out.normals.iter().zip(&geoset.normals) {
        let stored = Vec3::new(stored.x.get(), stored.y.get(), stored.z.get());
        assert!((*normal - turn * stored).length() < 1e-5, "{normal} of {stored}");
        assert!((normal.length() - 1.0).abs() < 1e-5);
    }
}

/// An event may have one moment twice; then it counts twice.
fn merged(crossings: Vec<Crossing>) -> Vec<Crossing> {
    let mut sums: Vec<Crossing> = Vec::new();
    for crossing in crossings {
        match sums.last_mut() {
            Some(last) if (last.event, last.time) == (crossing.event, crossing.time) => {
                last.count += crossing.count;
            }
            _ => sums.push(crossing),
        }
    }
    sums
}

#[test]
fn a_sequence_that_starts_before_0_plays_from_there() {
    let document = common::found(&common::case("sequence-negative")).document;
    let window = Window::from_sequence(document.sequences()[0]);
    assert_eq!((window.start, window.length), (-167.0, 1167.0));
    let clip = Clip::new(&document, Some(0), WindowEdges::Hold).unwrap();
    let alpha = clip.properties().iter().position(|found| found.path.to_string() == "MTLS[0].LAYS[0].KMTA");
    let at = |time: f64| {
        let (mut cursor, mut values) = (Cursor::default(), Vec::new());
        cursor.fit(&clip);
        clip.values(ClockTimes { time, global: 0.0 }, &mut cursor, &mut values);
        values[alpha.unwrap()]
    };
    // From 1 at -100 to 0.5 at 1000.
    assert_eq!(at(0.0), Sampled::Floats(Floats::One(1.0)));
    assert_eq!(at(167.0 + 450.0), Sampled::Floats(Floats::One(0.75)));
}
