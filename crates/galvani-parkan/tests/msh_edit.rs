//! Edits of models: random ones against a plain list, each by example, and each refusal.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

#[path = "common/msh_edit.rs"]
mod msh_edit;
#[path = "common/msh_edit_ops.rs"]
mod ops;
#[path = "common/raw.rs"]
#[allow(dead_code, unreachable_pub, reason = "each test file uses its part of this")]
mod raw;

use std::collections::BTreeSet;

use galvani_core::history::History;
use galvani_core::{EditError, Path, ReadOptions};
use galvani_parkan::msh::animation::{self, AnimKey};
use galvani_parkan::msh::edit::{self, Rotation};
use galvani_parkan::msh::streams::{BATCHES, FRAME_MAP, KEYS, LABELS, NAMES, NODES};
use galvani_parkan::msh::{Document, read, write};
use galvani_parkan::nres::Payload;
use galvani_testkit::every_byte_is_owned;
use msh_edit::{RawModel, RawNode, document, f32_of, model, plain_number, sample_keys};
use ops::{expected, make, op};
use proptest::collection::vec;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    /// The file after every edit is what a list of tracks, edited in the obvious way, is laid out as by hand.
    #[test]
    fn edits_do_what_they_do_to_a_list(raw in model(plain_number()), ops in vec(op(), 1..16)) {
        let (mut raw, mut edited) = (raw.clone(), raw.document());
        for op in &ops {
            let before = edited.clone();
            let made = make(op, &mut edited);
            let wanted = expected(op, &raw, &edited);
            prop_assert_eq!(made.is_ok(), wanted.is_some(), "{:?} gave {:?}", op, made);
            if let Err(error) = made {
                prop_assert!(error.cause.code.name.starts_with("msh.edit-"), "{}", error);
                prop_assert_eq!(&edited, &before, "{:?} was refused", op);
            }
            raw = wanted.unwrap_or(raw);
            let file = write(&edited).unwrap();
            prop_assert_eq!(&file, &raw.file(), "after {:?}", op);
            prop_assert_eq!(&document(&file, raw.observed), &edited, "after {:?}", op);
            every_byte_is_owned(&read(&file, &ReadOptions::default()).unwrap().map, file.len());
        }
    }

    #[test]
    fn undo_and_redo_give_the_same_documents_back(raw in model(plain_number()), ops in vec(op(), 1..12)) {
        let mut history = History::new(raw.document());
        let mut seen = vec![raw.document()];
        for op in &ops {
            if history.edit(|document| make(op, document)).is_ok() {
                seen.push(history.now().clone());
            }
            prop_assert_eq!(history.now(), seen.last().unwrap());
        }
        for wanted in seen.iter().rev().skip(1) {
            prop_assert!(history.undo());
            prop_assert_eq!(history.now(), wanted);
        }
        prop_assert!(!history.undo());
        for wanted in seen.iter().skip(1) {
            prop_assert!(history.redo());
            prop_assert_eq!(history.now(), wanted);
        }
        prop_assert!(!history.redo());
    }
}

#[test]
fn bytes_of_other_nodes_only_move() {
    let mut edited = example(&[&[0.0, 4.0], &[0.0, 2.0, 4.0], &[0.0], &[0.0, 3.0]]);
    let before = write(&edited).unwrap();
    edit::insert_key(&mut edited, 1, 1.0, None, None).unwrap();
    let after = write(&edited).unwrap();
    let bytes = |file: &[u8], table: &'static str, row: usize, len: usize| {
        let map = read(file, &ReadOptions::default()).unwrap().map;
        let at = usize::try_from(map.offset_of(&Path::named(table).index(row)).unwrap()).unwrap();
        file[at..at + len].to_vec()
    };
    for (old, new) in [(0, 0), (1, 1), (2, 2), (3, 4), (4, 5), (5, 6), (6, 7), (7, 8)] {
        assert_eq!(bytes(&before, "keys", old, 24), bytes(&after, "keys", new, 24));
    }
    let node = |file: &[u8], i: usize| bytes(file, "nodes", i, 38);
    for i in 0..4 {
        let [mut old, new] = [&before, &after].map(|file| node(file, i));
        if i > 0 {
            old[6] += 1;
        }
        assert_eq!(old, new);
    }
    assert_eq!(bytes(&before, "frame_map", 0, 10), bytes(&after, "frame_map", 0, 10));
    let last_run =
        bytes(&before, "frame_map", 10, 10).into_iter().map(|byte| if byte > 0 { byte + 1 } else { 0 });
    assert_eq!(last_run.collect::<Vec<_>>(), bytes(&after, "frame_map", 10, 10));
}

#[test]
fn a_key_is_found_by_its_frame() {
    let model = example(&[&[0.0], &[0.0, 2.0, 4.0]]);
    assert_eq!(edit::key_at(&model, 1, 4.0).unwrap(), 2);
    assert_eq!(refusal(edit::key_at(&model, 1, 3.0)), "nodes[1]: msh.edit-no-key: no key stands on frame 3");
}

#[test]
fn a_rotation_is_stored_in_the_order_of_the_reading() {
    for (observed, stored) in [(true, [0, 29308, -14654, 0]), (false, [29308, -14654, 0, 0])] {
        let mut model = example(&[&[0.0, 4.0]]);
        model.reading = document(&write(&model).unwrap(), observed).reading;
        let rotation = Rotation::Wxyz([0.0, 1.0, -0.5, 0.0]);
        edit::set_key(&mut model, 0, 1, None, Some(rotation)).unwrap();
        assert_eq!(keys(&model, 0)[1].rotation, stored);
    }
}

#[test]
fn a_rotation_is_normalised_unless_its_length_is_1_as_near_as_anybody_types() {
    let mut model = example(&[&[0.0, 4.0]]);
    for (given, stored, odd) in [
        ([0.7, 0.0, 0.0, 0.7], [23170, 0, 0, 23170], Some(0.989_949_46)),
        ([3e30, 0.0, -4e30, 0.0], [19660, 0, -26214, 0], Some(5e30)),
        ([0.8003, 0.0, 0.0, 0.6], [26223, 0, 0, 19660], None),
        ([1.0005, 0.0, 0.0, 0.0], [32767, 0, 0, 0], None),
    ] {
        let rotation = Rotation::Wxyz(given);
        assert_eq!(rotation.odd_length(), odd);
        edit::set_key(&mut model, 0, 1, None, Some(rotation)).unwrap();
        assert_eq!(keys(&model, 0)[1].rotation, stored, "{given:?}");
    }
    assert_eq!(Rotation::Raw([1; 4]).odd_length(), None);
}

#[test]
fn a_model_without_keys_gets_them_in_the_form_of_its_reading() {
    for (observed, identity) in [(true, [32767, 0, 0, 0]), (false, [0, 0, 0, 32767])] {
        let raw = RawModel { observed, ..raw_example(&[&[0.0], &[0.0, 2.0], &[0.0]]) };
        let still = document(&raw.file_without_animation(), observed);
        let mut moved = still.clone();
        assert_eq!(edit::insert_key(&mut moved, 1, 5.0, Some([1.0, 2.0, 3.0]), None).unwrap(), 1);
        assert_eq!(keys(&moved, 0), [AnimKey { rotation: identity, ..AnimKey::default() }]);
        let last = AnimKey { position: [1.0, 2.0, 3.0], time: 5.0, rotation: identity };
        assert_eq!(keys(&moved, 1), [keys(&moved, 0)[0], last]);
        let model = moved.model();
        let map = model.frame_map.as_ref().unwrap();
        assert_eq!(map.rows.iter().map(|word| word.key.get()).collect::<Vec<_>>(), [1, 1, 1, 1, 1, 2]);
        assert_eq!((model.keys.as_ref().unwrap().stream.attr, map.stream.attr), ([4, 0, 4], [6, 6, 2]));
        let wanted =
            if observed { &[1, 2, 3, 13, 8, 19, 9, 10, 77][..] } else { &[1, 2, 3, 13, 8, 19, 10, 77] };
        let order: Vec<u32> = moved.archive.entries.iter().map(|entry| entry.type_id).collect();
        assert_eq!(order, wanted);
        let mut placed = still.clone();
        edit::offset(&mut placed, 2, [0.0, 0.0, 7.0]).unwrap();
        let map = placed.model().frame_map.unwrap().stream;
        assert_eq!((map.bytes, map.attr), (&[][..], [0, 1, 2]));
        let up = AnimKey { position: [0.0, 0.0, 7.0], rotation: identity, ..AnimKey::default() };
        assert_eq!(keys(&placed, 2), [up]);
    }
}

#[test]
fn a_model_without_keys_stays_so_where_nothing_would_move() {
    let still = document(&raw_example(&[&[0.0], &[0.0]]).file_without_animation(), true);
    let edits: [Refused; 6] = [
        edit::rebuild_maps,
        |m| edit::reverse(m, 1),
        |m| edit::make_static(m, 1, 3.0),
        |m| edit::retime(m, 1, 2.0, 0.0),
        |m| edit::trim(m, 1, 0.0, 4.0),
        |m| edit::set_key(m, 1, 0, Some([0.0; 3]), Some(Rotation::Wxyz([1.0, 0.0, 0.0, 0.0]))),
    ];
    for (i, edit) in edits.into_iter().enumerate() {
        let mut edited = still.clone();
        edit(&mut edited).unwrap();
        assert_eq!(edited, still, "{i}");
    }
    let mut same = still.clone();
    assert_eq!(edit::insert_key(&mut same, 1, 0.0, None, None).unwrap(), 0);
    assert_eq!(same, still);
    edit::insert_key(&mut same, 1, 0.0, Some([1.0, 0.0, 0.0]), None).unwrap();
    assert_eq!(keys(&same, 1), [AnimKey { position: [1.0, 0.0, 0.0], ..keys(&still, 1)[0] }]);
    let refused = edit::make_animated(&mut still.clone(), 0, None).unwrap_err();
    assert_eq!(refused.cause.help, "insert a key on the frame that is to be the last");
}

#[test]
fn the_timeline_reaches_as_far_as_static_keys_do() {
    let mut model = example(&[&[0.0, 4.0], &[0.0], &[0.0, 8.0]]);
    set_floats(&mut model, 2, &[20.0], 12);
    let wanted = |model: &Document| {
        let findings = galvani_parkan::msh::check(model);
        assert!(findings.findings().iter().all(|one| one.code.name != "msh.frame-count"), "{findings:?}");
        model.model().frame_count()
    };
    edit::rebuild_maps(&mut model).unwrap();
    assert_eq!(wanted(&model), 21);
    edit::move_key(&mut model, 0, 1, 2.0).unwrap();
    assert_eq!(wanted(&model), 21);
    edit::move_key(&mut model, 2, 1, 30.0).unwrap();
    assert_eq!(wanted(&model), 31);
    edit::make_static(&mut model, 0, 0.0).unwrap();
    edit::make_static(&mut model, 2, 0.0).unwrap();
    assert_eq!(wanted(&model), 1);
}

#[test]
fn damage_elsewhere_is_no_hindrance() {
    let cases: [(&str, Damage, Refused); 8] = [
        ("a map outside, a value", |m| set_word(m, NODES, 2 * 38 + 4, 6), |m| edit::offset(m, 0, [1.0; 3])),
        ("a map outside, its rebuilding", |m| set_word(m, NODES, 2 * 38 + 4, 6), edit::rebuild_maps),
        (
            "maps that share words",
            |m| m.set_stream(FRAME_MAP, vec![0; 150_000], [None, Some(70_000), None]).unwrap(),
            edit::rebuild_maps,
        ),
        ("a frame map that is not there", |m| lose(m, FRAME_MAP), edit::rebuild_maps),
        (
            "a frame map that is not there, a value",
            |m| lose(m, FRAME_MAP),
            |m| edit::set_key(m, 2, 1, Some([1.0; 3]), None),
        ),
        (
            "the keys of the node behind the next one",
            |m| set_word(m, NODES, 2 * 38 + 6, 0),
            |m| edit::set_key(m, 0, 1, Some([1.0; 3]), None),
        ),
        ("nodes that are not there, a name", |m| lose(m, NODES), |m| edit::rename(m, 1, b"x")),
        ("nodes that are not there, a label", |m| lose(m, NODES), |m| edit::set_label(m, 1, b"x")),
    ];
    for (what, damage, edit) in cases {
        let mut model = example(&[&[0.0, 2.0, 4.0], &[0.0], &[0.0, 3.0]]);
        damage(&mut model);
        let before = model.clone();
        edit(&mut model).unwrap_or_else(|error| panic!("{what}: {error}"));
        assert_ne!(model, before, "{what}");
    }
    // Whose key it is cannot be told where the next node's fallback lies before this one's.
    let mut model = example(&[&[0.0, 2.0, 4.0], &[0.0], &[0.0, 3.0]]);
    set_word(&mut model, NODES, 38 + 6, 0);
    let refused = refusal(edit::set_key(&mut model, 0, 1, Some([1.0; 3]), None));
    assert!(refused.contains("msh.edit-fallback-order"), "{refused}");
}

#[test]
fn two_keys_out_of_order_are_mended_one_after_the_other() {
    let mut model = example(&[&[0.0, 2.0, 4.0, 6.0]]);
    set_floats(&mut model, 1, &[f32::NAN], 12);
    set_floats(&mut model, 2, &[f32::NAN], 12);
    edit::delete_key(&mut model, 0, 1).unwrap();
    edit::move_key(&mut model, 0, 1, 3.0).unwrap();
    let times: Vec<f32> = keys(&model, 0).iter().map(|key| key.time).collect();
    assert_eq!(times, [0.0, 3.0, 6.0]);
}

/// Places a stream outside the file.
fn lose(document: &mut Document, stream: u32) {
    let entry = document.find(stream).unwrap();
    document.archive.entries[entry].payload = Payload::Outside { offset: 1 << 30, size: 9 };
}

#[test]
fn setting_a_key_touches_its_bytes_only() {
    let mut edited = example(&[&[0.0, 4.0], &[0.0, 3.0]]);
    let before = write(&edited).unwrap();
    edit::set_key(&mut edited, 1, 0, Some([1.5, 2.5, 3.5]), Some(Rotation::Raw([-7; 4]))).unwrap();
    let after = write(&edited).unwrap();
    let map = read(&before, &ReadOptions::default()).unwrap().map;
    let at = usize::try_from(map.offset_of(&Path::named("keys").index(2)).unwrap()).unwrap();
    let changed: Vec<usize> = (0..before.len()).filter(|&i| before[i] != after[i]).collect();
    assert!(changed.iter().all(|i| (at..at + 24).contains(i) && !(at + 12..at + 16).contains(i)));
}

#[test]
fn an_inserted_key_changes_nothing_that_is_shown() {
    let mut edited = example(&[&[0.0, 10.0]]);
    edit::set_key(&mut edited, 0, 1, None, Some(Rotation::Wxyz([0.6, 0.8, 0.0, 0.0]))).unwrap();
    let before = keys(&edited, 0);
    assert_eq!(edit::insert_key(&mut edited, 0, 3.0, None, None).unwrap(), 1);
    for frame in 0..12 {
        let [(p, q), (r, s)] = [&before, &keys(&edited, 0)].map(|keys| sample_keys(keys, frame, true));
        assert!(p.iter().zip(r).all(|(a, b)| (a - b).abs() < 1e-5), "{p:?} {r:?}");
        assert!(q.iter().zip(s).all(|(a, b)| (a - b).abs() < 1e-4), "{q:?} {s:?}");
    }
}

#[test]
fn the_timeline_follows_the_longest_track_and_stays_otherwise() {
    let mut model = example(&[&[0.0, 10.0], &[0.0, 4.0]]);
    let frames = |model: &Document| model.model().frame_count();
    edit::insert_key(&mut model, 1, 12.0, None, None).unwrap();
    assert_eq!(frames(&model), 13);
    edit::delete_key(&mut model, 1, 2).unwrap();
    assert_eq!(frames(&model), 11);
    // A timeline that goes on behind its last key keeps its length until that key moves.
    let mut anim = animation::read(&model.model()).unwrap();
    anim.set_frame_count(20).unwrap();
    animation::write(&anim, &mut model, animation::Layout::Keep).unwrap();
    edit::insert_key(&mut model, 1, 7.0, None, None).unwrap();
    edit::set_key(&mut model, 0, 0, Some([0.0; 3]), None).unwrap();
    assert_eq!(frames(&model), 20);
    edit::move_key(&mut model, 0, 1, 9.0).unwrap();
    assert_eq!(frames(&model), 10);
}

#[test]
fn retiming_keeps_the_ends_and_the_nearest_keys() {
    let mut model = example(&[&[0.0, 1.0, 2.0, 3.0, 4.0, 7.0]]);
    let old = keys(&model, 0);
    edit::retime(&mut model, 0, 0.5, 0.0).unwrap();
    let new = keys(&model, 0);
    assert_eq!(new.iter().map(|key| key.time).collect::<Vec<_>>(), [0.0, 1.0, 2.0, 4.0]);
    let chosen: Vec<f32> = new.iter().map(|key| key.position[0]).collect();
    assert_eq!(chosen, [0, 2, 4, 5].map(|i: usize| old[i].position[0]));
    edit::retime(&mut model, 0, 1.0, 2.0).unwrap();
    let held = keys(&model, 0);
    assert_eq!(held.iter().map(|key| key.time).collect::<Vec<_>>(), [0.0, 2.0, 3.0, 4.0, 6.0]);
    assert_eq!(held[0].position.map(f32::to_bits), held[1].position.map(f32::to_bits));
}

#[test]
fn a_straight_line_needs_two_keys() {
    let times: Vec<f32> = (0..=2000).map(f32_of).collect();
    let mut model = example(&[&times]);
    let before = keys(&model, 0);
    assert_eq!(edit::reduce(&mut model, 0, 0.01, 0.001).unwrap(), 1999);
    let after = keys(&model, 0);
    assert_eq!(after, [before[0], before[2000]]);
    assert_eq!(edit::reduce(&mut model, 0, 0.01, 0.001).unwrap(), 0);
}

#[test]
fn a_bend_keeps_its_key() {
    let mut model = example(&[&[0.0, 2.0, 4.0, 6.0, 8.0]]);
    edit::set_key(&mut model, 0, 2, Some([50.0, 0.0, 0.0]), None).unwrap();
    edit::reduce(&mut model, 0, 1.0, 0.1).unwrap();
    let times: Vec<f32> = keys(&model, 0).iter().map(|key| key.time).collect();
    assert!(times.contains(&4.0) && times.len() == 5, "{times:?}");
}

#[test]
fn numbers_that_are_none_are_never_reduced_away() {
    let mut model = example(&[&[0.0, 2.0, 4.0, 6.0]]);
    set_floats(&mut model, 1, &[f32::NAN], 0);
    assert_eq!(edit::reduce(&mut model, 0, 1e9, 9.0).unwrap(), 0);
    assert!(keys(&model, 0)[1].position[0].is_nan());
}

#[test]
fn a_model_without_labels_gets_them() {
    let mut model = example(&[&[0.0], &[0.0]]);
    let labels = model.find(LABELS).unwrap();
    model.archive.remove(labels).unwrap();
    edit::set_label(&mut model, 1, b"central").unwrap();
    let stream = model.model().labels.unwrap().stream;
    assert_eq!((stream.attr, stream.bytes), ([2, 0, 0], &b"\0\0\0\0\x07\0\0\0central\0"[..]));
}

#[test]
fn a_name_leaves_no_bytes_of_the_old_one() {
    let mut model = example(&[&[0.0]]);
    edit::rename(&mut model, 0, b"a much longer name of 31 bytes.").unwrap();
    edit::rename(&mut model, 0, b"o").unwrap();
    let mut room = [0; 32];
    room[0] = b'o';
    assert_eq!(model.model().names.unwrap().stream.bytes, room);
    assert_eq!(model.model().label(0), b"label");
}

#[test]
fn a_track_out_of_order_is_mended_key_by_key() {
    let mut model = example(&[&[0.0, 2.0, 4.0]]);
    set_floats(&mut model, 1, &[f32::NAN], 12);
    assert!(edit::insert_key(&mut model, 0, 1.0, None, None).is_err());
    edit::move_key(&mut model, 0, 1, 3.0).unwrap();
    edit::insert_key(&mut model, 0, 1.0, None, None).unwrap();
    let times: Vec<f32> = keys(&model, 0).iter().map(|key| key.time).collect();
    assert_eq!(times, [0.0, 1.0, 3.0, 4.0]);
}

type Refused = fn(&mut Document) -> Result<(), EditError>;

/// An edit, and what it says instead of being made.
const REFUSALS: &[(&str, Refused)] = &[
    ("nodes[9]: msh.edit-no-node: node 9 of 3", |m| edit::reverse(m, 9)),
    ("nodes[9]: msh.edit-no-node: node 9 of 3", |m| edit::make_static(m, 9, 0.0)),
    ("nodes[9]: msh.edit-no-node: node 9 of 3", |m| edit::rename(m, 9, b"x")),
    ("nodes[9]: msh.edit-no-node: node 9 of 3", |m| edit::set_label(m, 9, b"x")),
    ("nodes[9]: msh.edit-no-node: node 9 of 3", |m| edit::reparent(m, 1, Some(9))),
    ("nodes[0]: msh.edit-no-key: key 3 of 3", |m| edit::delete_key(m, 0, 3)),
    ("batches[2]: msh.edit-no-batch: batch 2 of 1", |m| edit::set_material(m, 2, 0)),
    ("nodes[1]: msh.edit-last-key: a node needs at least one key", |m| edit::delete_key(m, 1, 0)),
    ("frame: msh.edit-frame: frame 1.5", |m| edit::move_key(m, 0, 1, 1.5).map(drop)),
    ("frame: msh.edit-frame: frame -1", |m| edit::retime(m, 0, 1.0, -1.0)),
    ("frame: msh.edit-frame: frame NaN", |m| edit::trim(m, 0, 0.0, f32::NAN)),
    ("frame: msh.edit-frame: frame -inf", |m| edit::make_animated(m, 1, Some(f32::NEG_INFINITY))),
    (
        "last: msh.edit-frame: the last frame must be 1 or later: a model without animation has only frame 0",
        |m| edit::make_animated(m, 1, Some(0.0)),
    ),
    ("keys[1].time: msh.edit-key-there: key 1 of node 0 stands on frame 2", |m| {
        edit::insert_key(m, 0, 2.0, None, None).map(drop)
    }),
    ("keys[1].time: msh.edit-key-there: key 1 of node 0 stands on frame 2", |m| {
        edit::move_key(m, 0, 0, 2.0).map(drop)
    }),
    ("keys[0].time: msh.edit-first-key: frame 0 wanted, frame 2 found", |m| edit::delete_key(m, 0, 0)),
    ("keys[0].time: msh.edit-first-key: frame 0 wanted, frame 2 found", |m| {
        edit::move_key(m, 0, 0, 9.0).map(drop)
    }),
    ("keys[3].time: msh.edit-first-key: the node's only key wanted on frame 9", |m| {
        edit::move_key(m, 1, 0, 9.0).map(drop)
    }),
    ("nodes[0]: msh.edit-collapsed: all 3 keys would fall on frame 0", |m| edit::retime(m, 0, 0.01, 0.0)),
    ("frame: msh.edit-too-many-frames: frame 8388608, the last is 8388607", |m| {
        edit::insert_key(m, 0, 8_388_608.0, None, None).map(drop)
    }),
    ("frame: msh.edit-too-many-frames: frame 2000000000, the last is 8388607", |m| {
        edit::retime(m, 0, 1e9, 0.0)
    }),
    (
        "frame_map: msh.edit-map-full: 2 animated nodes of 65536 frames: the last run would start at 65536, \
         65534 is the last place",
        |m| edit::insert_key(m, 0, 65_535.0, None, None).map(drop),
    ),
    ("position: msh.edit-value: NaN is not finite", |m| {
        edit::set_key(m, 0, 0, Some([0.0, f32::NAN, 0.0]), None)
    }),
    ("rotation: msh.edit-value: 0 0 0 0 is no rotation", |m| {
        edit::set_key(m, 0, 0, None, Some(Rotation::Wxyz([0.0; 4])))
    }),
    ("rotation: msh.edit-value: inf is not finite", |m| {
        edit::set_key(m, 0, 0, None, Some(Rotation::Wxyz([1.0, f32::INFINITY, 0.0, 0.0])))
    }),
    ("translation: msh.edit-value: inf is not finite", |m| edit::offset(m, 0, [f32::INFINITY, 0.0, 0.0])),
    (
        "translation: msh.edit-value: -340280000000000000000000000000000000000 and \
         -340280000000000000000000000000000000000 make no finite number",
        |m| {
            edit::set_key(m, 0, 2, Some([-3.4028e38; 3]), None)?;
            edit::offset(m, 0, [0.0, -3.4028e38, 0.0])
        },
    ),
    ("scale: msh.edit-value: a scale of -1 does not keep the order of keys", |m| {
        edit::retime(m, 0, -1.0, 4.0)
    }),
    ("time: msh.edit-value: -0.5 is no time from 0 on", |m| edit::make_static(m, 0, -0.5)),
    ("tolerance: msh.edit-value: 0 and -1: a tolerance is 0 or more", |m| {
        edit::reduce(m, 0, 0.0, -1.0).map(drop)
    }),
    ("last: msh.edit-range: frames 3 to 2", |m| edit::trim(m, 0, 3.0, 2.0)),
    ("nodes[0]: msh.edit-animated: 3 keys", |m| edit::make_animated(m, 0, None)),
    ("name: msh.edit-name: a name has no NUL inside", |m| edit::rename(m, 0, b"a\0b")),
    ("name: msh.edit-name: a name has no NUL inside", |m| edit::set_label(m, 0, b"\0")),
    ("names[0]: msh.edit-name-long: 32 bytes, 31 fit beside the NUL", |m| edit::rename(m, 0, &[b'x'; 32])),
    ("nodes[1].parent: msh.edit-parent: node 2 stands behind node 1 or is it", |m| {
        edit::reparent(m, 1, Some(2))
    }),
    ("nodes[1].parent: msh.edit-parent: node 1 stands behind node 1 or is it", |m| {
        edit::reparent(m, 1, Some(1))
    }),
    ("batches[0].material: msh.edit-material: material 256, the last is 255", |m| {
        edit::set_material(m, 0, 256)
    }),
];

type Damage = fn(&mut Document);

/// A damage, an edit, and what the edit says of it.
const DAMAGED: &[(&str, Damage, Refused)] = &[
    ("streams[0]: msh.edit-legacy-nodes: records of 38 bytes wanted, of 24 found", make_legacy, |m| {
        edit::reparent(m, 1, None)
    }),
    (
        "streams[4]: msh.edit-stream-outside: the bytes of stream 8 are not in the file",
        |m| m.archive.entries[4].payload = Payload::Outside { offset: 1 << 30, size: 9 },
        edit::rebuild_maps,
    ),
    (
        "nodes[2].fallback_key: msh.edit-fallback-order: 4 or more wanted behind the keys \
         of the node before, 0 found",
        |m| set_word(m, NODES, 2 * 38 + 6, 0),
        |m| edit::reverse(m, 0),
    ),
    (
        "nodes[2].fallback_key: msh.edit-keys-outside: key 6 wanted, there are 6",
        |m| set_word(m, NODES, 2 * 38 + 6, 6),
        |m| edit::reverse(m, 0),
    ),
    (
        "nodes[2].map_start: msh.edit-map-outside: 5 words from 6 on wanted, there are 10",
        |m| set_word(m, NODES, 2 * 38 + 4, 6),
        |m| edit::reverse(m, 0),
    ),
    (
        "frame_map: msh.edit-map-shared: 2 runs of 70000 words cannot stand one behind the other",
        |m| m.set_stream(FRAME_MAP, vec![0; 150_000], [None, Some(70_000), None]).unwrap(),
        |m| edit::reverse(m, 0),
    ),
    (
        "keys[2].time: msh.edit-times: frame 1 after 2",
        |m| set_floats(m, 2, &[1.0], 12),
        |m| edit::trim(m, 0, 0.0, 3.0),
    ),
    (
        "keys[0].time: msh.edit-times: frame -4 after -1",
        |m| set_floats(m, 0, &[-4.0], 12),
        edit::rebuild_maps,
    ),
    (
        "nodes[0].parent: msh.edit-parent: node 0 stands behind node 0 or is it",
        |_| {},
        |m| edit::reparent(m, 0, Some(0)),
    ),
    (
        "nodes[1].parent: msh.edit-cycle: node 1 is above node 0",
        |m| set_word(m, NODES, 2, 1),
        |m| edit::reparent(m, 1, Some(0)),
    ),
    (
        "names[2]: msh.edit-no-names: stream 9 has no name for this node",
        |m| m.set_stream(NAMES, vec![b'n'; 64], [None; 3]).unwrap(),
        |m| edit::rename(m, 2, b"x"),
    ),
    (
        "labels[2]: msh.edit-labels-damaged: label 2 wanted, 1 can be read",
        |m| m.set_stream(LABELS, vec![0, 0, 0, 0, 9, 0, 0, 0, 1], [None; 3]).unwrap(),
        |m| edit::set_label(m, 2, b"x"),
    ),
    (
        "frame_map: msh.edit-too-many-frames: at most 8388608 frames fit, 4294967295 wanted",
        |m| {
            edit::make_static(m, 0, 0.0).unwrap();
            edit::make_static(m, 2, 0.0).unwrap();
            set_attr(m, FRAME_MAP, [None, Some(u32::MAX), None]);
            // Keys within one frame need no more frames than before.
            let key = m.model().keys.unwrap().stream.bytes.to_vec();
            m.set_stream(KEYS, [&key[..24], &key[..24], &key].concat(), [None; 3]).unwrap();
            (0..3).for_each(|node| set_word(m, NODES, node * 38 + 6, u16::try_from(node).unwrap() + 2));
            set_floats(m, 1, &[0.25], 12);
            set_floats(m, 2, &[0.5], 12);
        },
        |m| edit::delete_key(m, 0, 1),
    ),
];

#[test]
fn what_cannot_be_is_refused_and_changes_nothing() {
    for (wanted, refused) in REFUSALS {
        let mut history = History::new(example(&[&[0.0, 2.0, 4.0], &[0.0], &[0.0, 3.0]]));
        let before = history.now().clone();
        assert_eq!(refusal(history.edit(*refused)), *wanted);
        assert_eq!(*history.now(), before);
        // Edits that are refused alone change nothing by themselves, either.
        if !wanted.contains("make no finite number") {
            let mut document = before.clone();
            refused(&mut document).unwrap_err();
            assert_eq!(document, before, "{wanted}");
        }
    }
}

#[test]
fn what_is_damaged_is_refused_and_stays_as_it_is() {
    for (wanted, damage, refused) in DAMAGED {
        let mut document = example(&[&[0.0, 2.0, 4.0], &[0.0], &[0.0, 3.0]]);
        damage(&mut document);
        let before = document.clone();
        assert_eq!(refusal(refused(&mut document)), *wanted);
        assert_eq!(document, before, "{wanted}");
    }
}

#[test]
fn only_materials_are_edited_where_nobody_knows_the_nodes() {
    let mut legacy = example(&[&[0.0, 2.0, 4.0], &[0.0]]);
    legacy.set_stream(BATCHES, vec![5; 60], [Some(3), None, None]).unwrap();
    make_legacy(&mut legacy);
    let before = legacy.clone();
    // Names and labels belong to nodes, of which nobody knows how many there are.
    let refusals: [Refused; 5] = [
        |m| edit::rename(m, 0, b"x"),
        |m| edit::set_label(m, 0, b"x"),
        |m| edit::reparent(m, 1, None),
        |m| edit::set_key(m, 0, 0, Some([1.0; 3]), None),
        edit::rebuild_maps,
    ];
    for refused in refusals {
        assert!(refusal(refused(&mut legacy)).contains("msh.edit-legacy-nodes"));
    }
    assert_eq!(legacy, before);
    let old = write(&legacy).unwrap();
    edit::set_material(&mut legacy, 1, 7).unwrap();
    let new = write(&legacy).unwrap();
    let changed: Vec<usize> = (0..old.len()).filter(|&i| old[i] != new[i]).collect();
    let batch = old.windows(60).position(|bytes| bytes == [5; 60]).unwrap() + 20;
    assert_eq!((old.len(), changed), (new.len(), vec![batch + 4]));
}

#[test]
fn one_key_too_many_is_refused() {
    let times: Vec<f32> = (0..40_000).map(f32_of).collect();
    let mut model = example(&[&times, &times[..25_535]]);
    let before = model.clone();
    let full = refusal(edit::insert_key(&mut model, 1, 30_000.0, None, None));
    assert_eq!(full, "keys: msh.edit-too-many-keys: at most 65535 keys fit, 65536 wanted");
    assert_eq!(model, before);
    edit::delete_key(&mut model, 0, 7).unwrap();
    edit::insert_key(&mut model, 1, 30_000.0, None, None).unwrap();
}

#[test]
fn one_node_too_many_is_refused() {
    let mut model = example(&[&[0.0]]);
    model.set_stream(NODES, vec![0; 38 * 65_535], [Some(65_535), None, None]).unwrap();
    let before = model.clone();
    let full = refusal(edit::add_node(&mut model, b"more", None));
    assert_eq!(full, "nodes[65535]: msh.edit-too-many-nodes: 65535 nodes");
    assert_eq!(model, before);
}

#[test]
fn every_code_has_a_refusal() {
    let said = REFUSALS.iter().map(|(said, _)| *said).chain(DAMAGED.iter().map(|(said, _, _)| *said));
    let mut seen: BTreeSet<&str> = said.map(|said| said.split(": ").nth(1).unwrap()).collect();
    // By `one_key_too_many_is_refused`, `one_node_too_many_is_refused` and the tests of tracks.
    seen.extend(["msh.edit-too-many-keys", "msh.edit-too-many-nodes"]);
    seen.extend(["msh.edit-track-count", "msh.edit-map-length"]);
    // By crates/galvani/tests/edits/operations.rs.
    seen.extend(["msh.edit-children", "msh.edit-no-slot", "msh.edit-flags"]);
    // A note, which the command gives.
    seen.insert(edit::ROTATION_NORMALISED.name);
    let all: BTreeSet<&str> = edit::ALL.iter().map(|code| code.name).collect();
    assert_eq!(seen, all);
}

/// A model of keys at these times on a line, one batch, and labels.
fn example(times: &[&[f32]]) -> Document {
    raw_example(times).document()
}

fn raw_example(times: &[&[f32]]) -> RawModel {
    let key =
        |time: &f32| AnimKey { position: [*time, 0.5, 1.0 - time], time: *time, rotation: [32767, 0, 0, 0] };
    let node = |times: &&[f32]| RawNode {
        flags: 1,
        parent: 0xFFFF,
        slots: [2; 15],
        keys: times.iter().map(key).collect(),
        name: b"node".to_vec(),
        label: b"label".to_vec(),
    };
    let nodes = times.iter().map(node).collect();
    RawModel { observed: true, nodes, batches: vec![[5; 20]], geometry: vec![1; 24] }
}

fn keys(document: &Document, node: usize) -> Vec<AnimKey> {
    animation::read(&document.model()).unwrap().tracks[node].keys.clone()
}

/// Nodes of 24 bytes, says the directory.
fn make_legacy(document: &mut Document) {
    set_attr(document, NODES, [None, None, Some(24)]);
}

fn set_attr(document: &mut Document, stream: u32, attr: [Option<u32>; 3]) {
    let entry = document.find(stream).unwrap();
    let bytes = document.archive.payload(entry).unwrap().to_vec();
    document.set_stream(stream, bytes, attr).unwrap();
}

fn set_bytes(document: &mut Document, stream: u32, at: usize, new: &[u8]) {
    let entry = document.find(stream).unwrap();
    let mut bytes = document.archive.payload(entry).unwrap().to_vec();
    bytes[at..at + new.len()].copy_from_slice(new);
    document.set_stream(stream, bytes, [None; 3]).unwrap();
}

fn set_word(document: &mut Document, stream: u32, at: usize, word: u16) {
    set_bytes(document, stream, at, &word.to_le_bytes());
}

fn set_floats(document: &mut Document, key: usize, floats: &[f32], at: usize) {
    let bytes: Vec<u8> = floats.iter().flat_map(|float| float.to_le_bytes()).collect();
    set_bytes(document, KEYS, key * 24 + at, &bytes);
}

fn refusal<T: std::fmt::Debug>(result: Result<T, EditError>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn a_material_goes_where_the_reading_has_it() {
    for (observed, at, value) in [(true, 4, vec![200]), (false, 2, vec![200, 0])] {
        let mut model = example(&[&[0.0]]);
        model.reading = document(&write(&model).unwrap(), observed).reading;
        edit::set_material(&mut model, 0, 200).unwrap();
        let mut wanted = [5; 20].to_vec();
        wanted.splice(at..at + value.len(), value);
        assert_eq!(model.archive.payload(model.find(BATCHES).unwrap()).unwrap(), wanted);
    }
}
