//! Models made to trip samplers: that they are, and what holds of the slow reference for all of them.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a failed test")]

mod common;

use common::animated::{self, animated};
use common::slow::{Edges, Moment, events, listed_skin, moved, pose, skin, tracks, unit};
use galvani_mdx::track::TrackValue;
use galvani_mdx::{Content, Document, Family, Held};
use proptest::prelude::*;

/// What a model has that could trip a sampler.
fn traps(document: &Document) -> Vec<(&'static str, bool)> {
    let (rows, globals, nodes) = (document.sequences(), document.globals(), document.nodes());
    let ids: Vec<i32> = nodes.iter().map(|placed| placed.node.fixed.object_id.get()).collect();
    let parents: Vec<i32> = nodes.iter().map(|placed| placed.node.fixed.parent_id.get()).collect();
    let flags = nodes.iter().fold(0, |all, placed| all | placed.node.fixed.flags.get());
    let circles = |i: usize| {
        let named = |i: usize| ids.iter().position(|id| parents[i] >= 0 && *id == parents[i]);
        std::iter::successors(named(i), |above| named(*above)).take(ids.len()).any(|above| above == i)
    };
    let mut all = vec![];
    document.each_track(|_, track| all.push(track));
    let mut geosets = vec![];
    for chunk in &document.chunks {
        if let Content::Geosets(records) = &chunk.content {
            assert!(records.items.iter().all(|item| matches!(item, Held::Typed(_))), "unreadable");
            geosets.extend(records.typed().map(|(_, geoset)| geoset));
        }
    }
    let is_id = |id: i32| usize::try_from(id).is_ok_and(|id| id < globals.len());
    let zero = |key: &[u32]| key.iter().all(|word| f32::from_bits(*word) == 0.0);
    let mut found = vec![
        ("looping", rows.iter().any(|row| row.is_looping())),
        ("once", rows.iter().any(|row| !row.is_looping())),
        ("no length", rows.iter().any(|row| row.start() == row.end())),
        ("reversed", rows.iter().any(|row| row.start() > row.end())),
        ("four", rows.len() == 4),
        ("global of no length", globals.contains(&0)),
        ("global track", all.iter().any(|track| is_id(track.global))),
        ("missing global", all.iter().any(|track| track.global >= 0 && !is_id(track.global))),
        ("global below", all.iter().any(|track| track.global < -1)),
        ("twins", ids.iter().enumerate().any(|(i, id)| ids[..i].contains(id))),
        ("below", ids.iter().any(|id| *id < 0)),
        ("missing parent", parents.iter().any(|id| *id >= 0 && !ids.contains(id))),
        (
            "forward",
            (0..ids.len()).any(|i| ids[i..].contains(&parents[i]) && !ids[..i].contains(&parents[i])),
        ),
        ("circle", (0..ids.len()).any(circles)),
        ("bits", flags & 0x7f == 0x7f),
        ("few pivots", document.pivots().len() < ids.len()),
        ("many pivots", document.pivots().len() > ids.len()),
        ("unordered", all.iter().any(|track| !track.times.is_sorted())),
        ("repeated", all.iter().any(|track| track.times.windows(2).any(|pair| pair[0] == pair[1]))),
        ("no keys", all.iter().any(|track| track.times.is_empty())),
        ("unknown", all.iter().any(|track| track.interpolation > 3)),
        ("indices", all.iter().any(|track| track.value == TrackValue::Number && track.times.len() > 1)),
        (
            "group out of range",
            geosets.iter().any(|geoset| {
                geoset.vertex_groups.iter().any(|group| usize::from(*group) >= geoset.group_sizes.len())
            }),
        ),
        ("grouped", geosets.iter().any(|geoset| geoset.matrices.len() > 3 && geoset.vertices.len() > 3)),
        ("inherit", document.inherit == galvani_core::Reading::Documented),
    ];
    for (name, tag) in [("repeated tag", b"KGTR"), ("repeated turn", b"KGRT")] {
        let many =
            |tracks: &[galvani_mdx::Track]| tracks.iter().filter(|track| track.tag == *tag).count() > 1;
        found.push((name, nodes.iter().any(|placed| many(&placed.node.tracks))));
    }
    for interpolation in 0..4 {
        let name = ["step", "linear", "hermite", "bezier"][interpolation as usize];
        found.push((name, all.iter().any(|track| track.interpolation == interpolation)));
    }
    if document.family() == Family::Warcraft {
        let has_zero = |track: &&&galvani_mdx::Track| {
            track.value == TrackValue::Quaternion && track.values.chunks(4).any(zero)
        };
        found.push(("no direction", all.iter().any(|track| has_zero(&track))));
        found.push(("skin", geosets.iter().any(|geoset| geoset.skin.is_some())));
    } else {
        found.push(("listed", geosets.iter().any(|geoset| geoset.weights.is_some())));
        let batches = |content: &Content| matches!(content, Content::Batches(list) if !list.is_empty());
        found.push(("batches", document.chunks.iter().any(|chunk| batches(&chunk.content))));
    }
    found
}

#[test]
fn made_models_have_every_trap_now_and_then() {
    for family in [Family::Warcraft, Family::Wow] {
        let mut counts: Vec<(&str, u32)> = vec![];
        for seed in 0..150 {
            let document = animated::model(family, seed, 1 + u32::try_from(seed % 7).unwrap());
            assert_eq!(document.family(), family);
            for (i, (name, is_there)) in traps(&document).into_iter().enumerate() {
                if counts.len() == i {
                    counts.push((name, 0));
                }
                counts[i].1 += u32::from(is_there);
            }
        }
        let seldom: Vec<_> = counts.iter().filter(|(_, count)| *count < 8).collect();
        assert!(seldom.is_empty(), "{family:?}: {seldom:?} of {counts:?}");
    }
}

fn either() -> impl Strategy<Value = animated::Animated> {
    prop_oneof![animated(Family::Warcraft), animated(Family::Wow)]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn poses_of_made_models_are_finite_and_sound(
        made in either(),
        time in -3000.0..3000.0_f64,
        camera in prop::array::uniform4(-1.0..1.0_f64),
    ) {
        let (document, camera) = (&made.document, unit(camera));
        let pivots = document.pivots();
        for sequence in 0..=document.sequences().len() {
            let moment = Moment { time, global: time.abs() };
            for edges in [Edges::ByFlag, Edges::Wrap, Edges::Hold] {
                let nodes = pose(document, Some(sequence), moment, edges, Some(camera));
                let placed = document.nodes();
                prop_assert_eq!(nodes.len(), placed.len());
                for (node, placed) in nodes.iter().zip(&placed) {
                    prop_assert!(node.matrix.iter().flatten().all(|cell| cell.is_finite()));
                    let length = node.rotation.iter().map(|part| part * part).sum::<f64>();
                    prop_assert!((length - 1.0).abs() < 1e-12, "{length}");
                    if placed.node.fixed.parent_id.get() >= 0 {
                        continue;
                    }
                    let id = usize::try_from(placed.node.fixed.object_id.get()).ok();
                    let pivot = id.and_then(|id| pivots.get(id));
                    let pivot = pivot.map_or([0.0; 3], |p| [p.x, p.y, p.z].map(|x| f64::from(x.get())));
                    let there = moved(&node.matrix, pivot);
                    let off = [0, 1, 2].map(|i| (there[i] - pivot[i] - node.translation[i]).abs());
                    prop_assert!(off.iter().all(|part| *part < 1e-9), "{off:?}");
                }
                for geoset in 0..8 {
                    let points = [skin(document, geoset, &nodes), listed_skin(document, geoset, &nodes)];
                    prop_assert!(points.iter().flatten().flatten().all(|part| part.is_finite()));
                    prop_assert_eq!(points[0].len(), points[1].len());
                }
            }
        }
    }

    #[test]
    fn a_round_later_all_that_loops_is_as_it_was(made in either(), time in 0_u32..3000) {
        let document = &made.document;
        for (i, row) in document.sequences().iter().enumerate() {
            let length = row.end() - row.start();
            if !row.is_looping() || length <= 0 {
                continue;
            }
            let length = f64::from(i32::try_from(length).unwrap());
            let now = Moment { time: f64::from(time), global: 5.0 };
            if now.time % length == 0.0 {
                continue; // The first end of a round shows the end's own pose, all others the start's.
            }
            let later = Moment { time: now.time + length, ..now };
            for edges in [Edges::ByFlag, Edges::Hold] {
                let [a, b] = [now, later].map(|moment| tracks(document, Some(i), moment, edges));
                prop_assert_eq!(a, b);
            }
        }
    }

    #[test]
    fn events_of_two_spans_are_those_of_both(made in either(), a in -5..900, b in 0..900, c in 0..900) {
        let [a, b, c] = [a, a + b, a + b + c].map(f64::from);
        for i in 0..made.document.sequences().len() {
            let counts = |from, to| events(&made.document, i, from, to).iter().map(|row| row.2).sum::<u64>();
            prop_assert_eq!(counts(a, b) + counts(b, c), counts(a, c));
        }
    }
}
