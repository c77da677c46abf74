//! Each edit does what it says and nothing else, in both families; each refusal has its code.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a failed test")]

mod common;

use std::collections::BTreeSet;

use common::make::{Kind, Make};
use common::raw::{Bytes, bytes, chunk, file, modl_wow, sized, vers};
use common::refused::{ambiguous, bound, disordered, names_nobody, repeated, shares_no_node};
use common::{case, found, reading};
use galvani_core::history::History;
use galvani_core::{EditError, ReadOptions, Reading};
use galvani_mdx::edit::{self, Interpolation, Keys, SequenceField, TrackRef};
use galvani_mdx::track::Form;
use galvani_mdx::{Content, Document, Track, check, read, write};

const BOTH: [&str; 2] = ["plain-warcraft", "plain-wow"];

fn model(name: &str) -> Document {
    found(&case(name)).document
}

fn name(track: &str) -> TrackRef {
    track.parse().unwrap()
}

fn track<'a>(document: &'a Document, wanted: &str) -> Option<&'a Track> {
    let mut at = None;
    document.each_track(|path, track| {
        if TrackRef::from(path) == name(wanted) {
            at = Some(track);
        }
    });
    at
}

fn times(document: &Document, wanted: &str) -> Vec<i32> {
    track(document, wanted).unwrap().times.clone()
}

fn floats(document: &Document, wanted: &str, key: usize) -> Vec<f32> {
    track(document, wanted).unwrap().floats(key).unwrap().as_slice().to_vec()
}

fn windows(document: &Document) -> Vec<(String, i64, i64)> {
    let shown = |name: &[u8]| galvani_core::text::shown(name).into_owned();
    document.sequences().iter().map(|row| (shown(row.name()), row.start(), row.end())).collect()
}

/// The tags of chunks whose bytes differ, after holding the written file against the document.
fn touched(before: &Document, after: &Document) -> Vec<String> {
    let file = write(after).unwrap();
    let again = read(&file, &ReadOptions::default()).unwrap().document;
    assert_eq!(again.chunks, after.chunks, "it reads as another document");
    let bytes = |document: &Document| -> Vec<(String, Vec<u8>)> {
        let one = |chunk: &galvani_mdx::Chunk| {
            let alone = Document { chunks: vec![chunk.clone()], ..document.clone() };
            (String::from_utf8_lossy(&chunk.tag).into_owned(), write(&alone).unwrap())
        };
        document.chunks.iter().map(one).collect()
    };
    let (old, new) = (bytes(before), bytes(after));
    new.into_iter().filter(|chunk| !old.contains(chunk)).map(|(tag, _)| tag).collect()
}

#[test]
fn a_sequence_is_added_behind_the_others_with_bounds_of_the_model() {
    for file in BOTH {
        let before = model(file);
        let mut after = before.clone();
        let count = before.sequences().len();
        assert_eq!(edit::add_sequence(&mut after, "Attack", 5000, 6000).unwrap(), count);
        assert_eq!(windows(&after)[count], ("Attack".to_owned(), 5000, 6000));
        assert_eq!(touched(&before, &after), ["SEQS", "GEOS"], "{file}");
        assert!(!check(&after).findings().iter().any(|finding| finding.code.name == "mdx.extent-count"));
    }
}

#[test]
fn the_first_sequence_gets_a_chunk_where_it_belongs() {
    for file in BOTH {
        let mut document = model(file);
        document.chunks.retain(|chunk| chunk.tag != *b"SEQS");
        edit::add_sequence(&mut document, "Stand", 0, 10).unwrap();
        assert_eq!(document.chunks[2].tag, *b"SEQS", "{file}");
        assert_eq!(document.sequences().len(), 1);
    }
}

#[test]
fn a_sequence_is_removed_with_its_bounds_and_keys() {
    for file in BOTH {
        let before = model(file);
        let mut kept = before.clone();
        assert_eq!(edit::remove_sequence(&mut kept, 1, Keys::Keep).unwrap(), 0);
        assert_eq!(windows(&kept), windows(&before)[..1]);
        assert_eq!(touched(&before, &kept), ["SEQS", "GEOS"]);
        let mut dropped = before.clone();
        let count = edit::remove_sequence(&mut dropped, 1, Keys::Drop).unwrap();
        assert!(count > 0, "{file}");
        let (_, start, end) = windows(&before)[1].clone();
        dropped.each_track(|path, track| {
            let inside = |time: &i32| (start..=end).contains(&i64::from(*time));
            assert!(track.global != -1 || !track.times.iter().any(inside), "{file}: {path}");
            assert!(!track.times.is_empty(), "{file}: {path}");
        });
        touched(&before, &dropped);
    }
}

#[test]
fn a_track_of_which_all_keys_go_goes_too() {
    let mut document = model("plain-warcraft");
    edit::remove_sequence(&mut document, 1, Keys::Drop).unwrap();
    assert_eq!(track(&document, "GEOA[0].KGAO"), None);
    assert_eq!(times(&document, "EVTS[0].KEVT"), [10]);
}

#[test]
fn a_sequence_is_renamed_in_its_room_alone() {
    for file in BOTH {
        let before = model(file);
        let mut after = before.clone();
        edit::rename_sequence(&mut after, 1, "Dissipate").unwrap();
        assert_eq!(windows(&after)[1].0, "Dissipate");
        assert_eq!(touched(&before, &after), ["SEQS"]);
        let (old, new) = (write(&before).unwrap(), write(&after).unwrap());
        let differ: Vec<usize> = (0..old.len()).filter(|i| old[*i] != new[*i]).collect();
        assert!(differ.last().unwrap() - differ[0] < 80);
    }
}

#[test]
fn documented_sequences_have_numbers_and_keep_the_rest() {
    let file = case("sequences-documented");
    let mut document = read(&file, &reading(Reading::Documented)).unwrap().document;
    let before = document.clone();
    edit::rename_sequence(&mut document, 0, "4.1").unwrap();
    let row = |document: &Document, i: usize| match &document.sequences()[i] {
        galvani_mdx::Sequence::Wow(row) => row.documented(),
        galvani_mdx::Sequence::Warcraft(_) => panic!(),
    };
    assert_eq!((row(&document, 0).anim_id.get(), row(&document, 0).sub_id.get()), (4, 1));
    assert_eq!(row(&document, 0).unknown_10, row(&before, 0).unknown_10);
    let new = edit::add_sequence(&mut document, "7", 90000, 91000).unwrap();
    assert_eq!((row(&document, new).anim_id.get(), row(&document, new).start.get()), (7, 90000));
    let Some(Content::Model(model)) = document.chunks.get(1).map(|chunk| &chunk.content) else { panic!() };
    assert_eq!(row(&document, new).min, model.fixed.min);
    assert_eq!(code(edit::rename_sequence(&mut document, 0, "Stand")), "mdx.edit-ids");
}

#[test]
fn a_sequence_moves_with_its_keys_and_events() {
    for file in BOTH {
        let before = model(file);
        let mut after = before.clone();
        let (_, start, end) = windows(&before)[1].clone();
        edit::move_sequence(&mut after, 1, start + 7000).unwrap();
        assert_eq!(windows(&after)[1], ("Death".to_owned(), start + 7000, end + 7000));
        assert_eq!(windows(&after)[0], windows(&before)[0]);
        let wanted = |track: &Track| -> Vec<i32> {
            let moves = |time: &i32| track.global == -1 && (start..=end).contains(&i64::from(*time));
            track.times.iter().map(|time| if moves(time) { time + 7000 } else { *time }).collect()
        };
        let mut all = Vec::new();
        before.each_track(|_, track| all.push(wanted(track)));
        let mut moved = Vec::new();
        after.each_track(|_, track| moved.push(track.times.clone()));
        assert_eq!(moved, all, "{file}");
        edit::move_sequence(&mut after, 1, start).unwrap();
        assert_eq!(after, before, "{file}");
    }
}

#[test]
fn keys_that_move_past_others_stay_in_order() {
    let mut document = model("plain-warcraft");
    edit::move_sequence(&mut document, 0, 3000).unwrap();
    assert_eq!(times(&document, "EVTS[0].KEVT"), [1500, 3010]);
    assert_eq!(times(&document, "BONE[0].KGRT"), [3000, 4000]);
    assert_eq!(times(&document, "TXAN[0].KTAT"), [0, 500], "a global sequence has its own clock");
}

#[test]
fn a_sequence_is_retimed_and_what_follows_keeps_its_distance() {
    for file in BOTH {
        let before = model(file);
        let mut after = before.clone();
        let old = windows(&before);
        edit::retime_sequence(&mut after, 0, 2.0).unwrap();
        let len = old[0].2 - old[0].1;
        assert_eq!(windows(&after)[0], (old[0].0.clone(), old[0].1, old[0].2 + len));
        assert_eq!(windows(&after)[1], (old[1].0.clone(), old[1].1 + len, old[1].2 + len));
        edit::retime_sequence(&mut after, 0, 0.5).unwrap();
        assert_eq!(after, before, "{file}");
    }
    let mut document = model("plain-warcraft");
    edit::retime_sequence(&mut document, 0, 2.0).unwrap();
    assert_eq!(times(&document, "EVTS[0].KEVT"), [20, 2500]);
    assert_eq!(times(&document, "BONE[0].KGTR"), [0, 2000]);
    assert_eq!(times(&document, "GEOA[0].KGAO"), [2100, 3000]);
}

#[test]
fn a_key_shows_what_the_curve_showed() {
    let before = model("plain-warcraft");
    let mut after = before.clone();
    assert_eq!(edit::insert_key(&mut after, &name("BONE[0].node.KGTR"), 250, None).unwrap().key, 1);
    assert_eq!(times(&after, "BONE[0].KGTR"), [0, 250, 1000]);
    assert_eq!(floats(&after, "BONE[0].KGTR", 1), [0.15625, 0.0, 0.0]);
    assert_eq!(touched(&before, &after), ["BONE"]);
    edit::insert_key(&mut after, &name("MTLS[0].LAYS[0].KMTA"), 500, None).unwrap();
    assert_eq!(floats(&after, "MTLS[0].LAYS[0].KMTA", 1), [0.75]);
    edit::insert_key(&mut after, &name("EVTS[0].KEVT"), 500, None).unwrap();
    assert_eq!(times(&after, "EVTS[0].KEVT"), [10, 500, 1500]);
}

#[test]
fn a_rotation_is_inserted_in_both_forms() {
    for file in BOTH {
        let mut document = model(file);
        let rotation = name("BONE[0].KGRT");
        let [first, last] = times(&document, "BONE[0].KGRT")[..2] else { panic!() };
        let old = floats(&document, "BONE[0].KGRT", 1);
        let inserted = edit::insert_key(&mut document, &rotation, first + 1, None).unwrap();
        assert!(inserted.off < 1e-5, "{file}: {inserted:?}");
        assert_eq!(times(&document, "BONE[0].KGRT")[..3], [first, first + 1, last]);
        let length = edit::set_key(&mut document, &rotation, first + 1, &[0.0, 0.0, 3.0, 4.0]).unwrap();
        assert_eq!(length, Some(5.0), "{file}: it was normalised");
        let unit = edit::set_key(&mut document, &rotation, first + 1, &[0.0, 0.0, 0.6, 0.8]).unwrap();
        assert_eq!(unit, None);
        let set = floats(&document, "BONE[0].KGRT", 1);
        assert!(set.iter().zip([0.0, 0.0, 0.6, 0.8]).all(|(a, b)| (a - b).abs() < 1e-5), "{file}: {set:?}");
        edit::delete_key(&mut document, &rotation, first + 1).unwrap();
        assert_eq!(floats(&document, "BONE[0].KGRT", 1), old);
    }
}

#[test]
fn the_last_key_takes_its_track_along() {
    for file in BOTH {
        let before = model(file);
        let mut after = before.clone();
        for time in times(&before, "MTLS[0].LAYS[0].KMTA") {
            edit::delete_key(&mut after, &name("MTLS[0].LAYS[0].KMTA"), time).unwrap();
        }
        assert_eq!(track(&after, "MTLS[0].LAYS[0].KMTA"), None);
        assert_eq!(touched(&before, &after), ["MTLS"]);
    }
}

#[test]
fn a_key_moves_past_others_and_stays_what_it_is() {
    for file in BOTH {
        let before = model(file);
        let mut after = before.clone();
        let track_name = "BONE[0].KGRT";
        let old = times(&before, track_name);
        let value = floats(&before, track_name, 0);
        edit::move_key(&mut after, &name(track_name), old[0], old[1] + 1).unwrap();
        assert_eq!(times(&after, track_name)[..2], [old[1], old[1] + 1], "{file}");
        assert_eq!(floats(&after, track_name, 1), value);
        assert_eq!(touched(&before, &after), ["BONE"]);
        edit::move_key(&mut after, &name(track_name), old[1] + 1, old[0]).unwrap();
        assert_eq!(after, before);
        edit::move_key(&mut after, &name(track_name), old[0], old[0]).unwrap();
        assert_eq!(after, before);
    }
}

/// The tracks of a record, by their names.
fn tracks_of(document: &Document, record: &str) -> Vec<String> {
    let all = edit::tracks(document).into_iter().map(|track| track.to_string());
    all.filter_map(|track| Some(track.strip_prefix(record)?.strip_prefix('.')?.to_owned())).collect()
}

#[test]
fn a_track_is_added_in_the_observed_form_where_it_belongs() {
    for file in BOTH {
        let before = model(file);
        let mut after = before.clone();
        let moving = name("BONE[0].KGRT");
        edit::remove_track(&mut after, &moving).unwrap();
        assert_eq!(touched(&before, &after), ["BONE"]);
        for other in ["BONE[0].KGSC", "BONE[0].KGTR"] {
            if track(&after, other).is_none() {
                edit::add_track(&mut after, &name(other), Interpolation::Linear, 0, &[1.0; 3]).unwrap();
            }
        }
        assert_eq!(tracks_of(&after, "BONE[0]"), ["KGTR", "KGSC"], "{file}");
        edit::add_track(&mut after, &moving, Interpolation::Bezier, 500, &[0.0, 0.0, 3.0, 4.0]).unwrap();
        assert_eq!(tracks_of(&after, "BONE[0]"), ["KGTR", "KGRT", "KGSC"], "{file}");
        let made = track(&after, "BONE[0].KGRT").unwrap();
        assert_eq!((made.form, made.interpolation, made.global), (Form::Generic, 3, -1));
        assert_eq!(made.times, [500]);
        assert_eq!((&made.in_tangents, &made.out_tangents), (&made.values, &made.values));
        assert!((floats(&after, "BONE[0].KGRT", 0)[2] - 0.6).abs() < 1e-5, "{file}");
        assert_eq!(touched(&before, &after), ["BONE"]);
        edit::insert_key(&mut after, &moving, 900, None).unwrap();
        assert_eq!(times(&after, "BONE[0].KGRT"), [500, 900]);
    }
}

#[test]
fn a_record_without_tracks_gets_its_first() {
    for file in BOTH {
        let before = model(file);
        let mut after = before.clone();
        let kinds = tracks_of(&before, "BONE[0]");
        for kind in &kinds {
            edit::remove_track(&mut after, &name(&format!("BONE[0].{kind}"))).unwrap();
        }
        assert_eq!(tracks_of(&after, "BONE[0]"), [""; 0]);
        touched(&before, &after);
        edit::add_track(&mut after, &name("BONE[0].node.KGTR"), Interpolation::Hermite, 0, &[1.0, 2.0, 3.0])
            .unwrap();
        assert_eq!(floats(&after, "BONE[0].KGTR", 0), [1.0, 2.0, 3.0]);
        assert_eq!(track(&after, "BONE[0].KGTR").unwrap().in_tangents, [0; 3]);
        assert_eq!(touched(&before, &after), ["BONE"], "{file}");
    }
}

#[test]
fn a_documented_model_gets_a_documented_track() {
    let file = case("track-documented");
    let before = read(&file, &reading(Reading::Documented)).unwrap().document;
    let mut after = before.clone();
    let all = edit::tracks(&before);
    let record = all[0].to_string().rsplit_once('.').unwrap().0.to_owned();
    for track in all.iter().filter(|track| track.to_string().starts_with(&record)) {
        edit::remove_track(&mut after, track).unwrap();
    }
    let first = &all[0];
    let zeros = |document: &Document| {
        let width = track(document, &first.to_string()).unwrap().value.words();
        vec![0.5; if width == 2 { 4 } else { width }]
    };
    let refused = edit::add_track(&mut after, first, Interpolation::Hermite, 0, &zeros(&before));
    assert_eq!(code(refused), "mdx.edit-interpolation");
    edit::add_track(&mut after, first, Interpolation::Linear, 0, &zeros(&before)).unwrap();
    let made = track(&after, &first.to_string()).unwrap();
    assert_eq!((made.form, made.interpolation), (Form::Documented, 1));
    for options in [reading(Reading::Documented), ReadOptions::default()] {
        let again = read(&write(&after).unwrap(), &options).unwrap().document;
        assert_eq!(again.chunks, after.chunks);
    }
}

#[test]
fn a_model_that_is_documented_by_evidence_alone_gets_the_track_of_real_files() {
    let before = model_of(&case("track-documented"));
    assert_eq!(before.tracks, Reading::Documented);
    let mut after = before.clone();
    let all = edit::tracks(&before);
    let record = all[0].to_string().rsplit_once('.').unwrap().0.to_owned();
    for track in all.iter().filter(|track| track.to_string().starts_with(&record)) {
        edit::remove_track(&mut after, track).unwrap();
    }
    let width = track(&before, &all[0].to_string()).unwrap().value.words();
    edit::add_track(&mut after, &all[0], Interpolation::Linear, 0, &vec![0.5; width]).unwrap();
    assert_eq!(track(&after, &all[0].to_string()).unwrap().form, Form::Generic);
}

#[test]
fn a_new_track_has_the_form_of_the_others() {
    let bare = bytes().tag("KMTA").u32(2).i32(5).f32s(&[1.]).i32(9).f32s(&[2.]);
    let layer = |tracks: &Bytes| sized(bytes().u32(0).u32(0).i32(0).i32(-1).i32(0).f32s(&[1.]).raw(tracks));
    let layers = [layer(&bare), layer(&bare), layer(&bare), layer(&bytes())].concat();
    let material = sized(bytes().i32(0).u32(4).raw(layers));
    let materials = chunk("MTLS", bytes().u32(1).u32(0).raw(material));
    let mut document = model_of(&file(&[vers(1300), modl_wow(), materials]));
    let last = name("MTLS[0].LAYS[3].KMTA");
    edit::add_track(&mut document, &last, Interpolation::Linear, 7, &[0.5]).unwrap();
    let again = model_of(&write(&document).unwrap());
    assert_eq!(track(&again, "MTLS[0].LAYS[3].KMTA").unwrap().form, Form::Documented);
    assert_eq!(again.chunks, document.chunks);
}

#[test]
fn sequences_that_start_before_0_are_moved_and_retimed_and_have_keys_there() {
    let before = model("sequence-negative");
    let mut after = before.clone();
    let alpha = name("MTLS[0].LAYS[0].KMTA");
    edit::move_key(&mut after, &alpha, -100, -150).unwrap();
    assert_eq!(code(edit::move_key(&mut after, &alpha, -150, -168)), "mdx.edit-time");
    edit::retime_sequence(&mut after, 0, 2.0).unwrap();
    assert_eq!(windows(&after)[0], ("Stand".to_owned(), -167, -167 + 2 * 1167));
    assert_eq!(times(&after, "MTLS[0].LAYS[0].KMTA"), [-133, 2167]);
    assert_eq!(model_of(&write(&after).unwrap()).chunks, after.chunks);
    let mut moved = before.clone();
    edit::move_sequence(&mut moved, 0, -5000).unwrap();
    assert_eq!(windows(&moved)[0], ("Stand".to_owned(), -5000, -5000 + 1167));
    let again = model_of(&write(&moved).unwrap());
    assert_eq!(windows(&again), windows(&moved));
}

#[test]
fn a_sequence_of_no_length_is_not_told_to_take_another_factor() {
    let mut document = model("sequence-empty");
    let empty = windows(&document).iter().position(|(_, start, end)| start == end).unwrap();
    let refused = edit::retime_sequence(&mut document, empty, 2.0).unwrap_err();
    assert!(refused.cause.help.contains("no factor"), "{}", refused.cause.help);
}

fn model_of(file: &[u8]) -> Document {
    read(file, &ReadOptions::default()).unwrap().document
}

#[test]
fn events_and_indices_have_steps_alone() {
    for file in BOTH {
        let before = model(file);
        let mut after = before.clone();
        let texture = name("MTLS[0].LAYS[0].KMTF");
        edit::remove_track(&mut after, &texture).unwrap();
        let line = edit::add_track(&mut after, &texture, Interpolation::Linear, 0, &[1.0]);
        assert_eq!(code(line), "mdx.edit-interpolation");
        edit::add_track(&mut after, &texture, Interpolation::Step, 0, &[1.0]).unwrap();
        assert_eq!(track(&after, "MTLS[0].LAYS[0].KMTF").unwrap().values, [1]);
        assert_eq!(tracks_of(&after, "MTLS[0].LAYS[0]")[0], "KMTF");
        assert_eq!(touched(&before, &after), ["MTLS"], "{file}");
    }
    let moments = name("EVTS[0].KEVT");
    let mut warcraft = model("plain-warcraft");
    edit::remove_track(&mut warcraft, &moments).unwrap();
    assert_eq!(times(&warcraft, "EVTS[0].KEVT"), [0; 0], "nothing would tell that it is missing");
    touched(&model("plain-warcraft"), &warcraft);
    let mut wow = model("plain-wow");
    edit::remove_track(&mut wow, &moments).unwrap();
    assert_eq!(track(&wow, "EVTS[0].KEVT"), None);
    edit::add_track(&mut wow, &moments, Interpolation::Step, 70, &[]).unwrap();
    assert_eq!(times(&wow, "EVTS[0].KEVT"), [70]);
    touched(&model("plain-wow"), &wow);
}

#[test]
fn textures_of_a_layer_have_tracks_of_their_own_from_1100_on() {
    let mut added = 0;
    for seed in 0..40 {
        let before = found(&Make::new(Kind { wow: false, version: 1100 }, seed, 3).model()).document;
        let mut after = before.clone();
        let textures = edit::tracks(&before).into_iter().filter(|track| track.to_string().ends_with("KMTF"));
        for track in textures {
            let _ = edit::remove_track(&mut after, &track);
        }
        let room = "MTLS[0].LAYS[0].textures[0].KMTF";
        if edit::add_track(&mut after, &name(room), Interpolation::Step, 5, &[0.0]).is_ok() {
            added += 1;
            assert_eq!(times(&after, room), [5]);
            touched(&before, &after);
            let layer = name("MTLS[0].LAYS[0].KMTF");
            let refused = edit::add_track(&mut after, &layer, Interpolation::Step, 5, &[0.0]);
            assert_eq!(code(refused), "mdx.edit-track-owner");
        }
    }
    assert!(added > 0);
}

#[test]
fn a_set_key_takes_the_points_of_a_bezier_along() {
    let mut document = model("plain-warcraft");
    let scale = name("BONE[0].KGSC");
    edit::set_key(&mut document, &scale, 0, &[3.0, 1.0, 1.0]).unwrap();
    let made = track(&document, "BONE[0].KGSC").unwrap();
    assert_eq!(made.values, made.in_tangents);
    assert_eq!(made.values, [3.0_f32, 1.0, 1.0].map(f32::to_bits));
    edit::set_tangents(&mut document, &scale, 0, &[1.0, 2.0, 3.0], &[4.0, 5.0, 6.0]).unwrap();
    let made = track(&document, "BONE[0].KGSC").unwrap();
    assert_eq!(made.in_tangents, [1.0_f32, 2.0, 3.0].map(f32::to_bits));
    assert_eq!(made.out_tangents, [4.0_f32, 5.0, 6.0].map(f32::to_bits));
}

#[test]
fn an_index_is_set_and_held() {
    for file in BOTH {
        let mut document = model(file);
        let texture = name("MTLS[0].LAYS[0].KMTF");
        let before = track(&document, "MTLS[0].LAYS[0].KMTF").unwrap().clone();
        edit::insert_key(&mut document, &texture, 900, None).unwrap();
        let made = track(&document, "MTLS[0].LAYS[0].KMTF").unwrap();
        assert_eq!(made.values.last(), before.values.last());
        assert_eq!(made.form, before.form);
        edit::set_key(&mut document, &texture, 900, &[0.0]).unwrap();
        assert_eq!(track(&document, "MTLS[0].LAYS[0].KMTF").unwrap().values.last(), Some(&0));
    }
}

#[test]
fn what_is_seen_or_not_is_never_half_seen() {
    let mut document = model("plain-warcraft");
    let seen = name("ATCH[0].KATV");
    edit::set_interpolation(&mut document, &seen, Interpolation::Linear, 0.0).unwrap();
    edit::insert_key(&mut document, &seen, 1000, Some(&[0.0])).unwrap();
    edit::insert_key(&mut document, &seen, 500, None).unwrap();
    assert_eq!(track(&document, "ATCH[0].KATV").unwrap().interpolation, 1);
    assert_eq!(floats(&document, "ATCH[0].KATV", 1), [1.0]);
}

#[test]
fn an_insertion_is_reduced_away() {
    let before = model("plain-warcraft");
    for (track, time) in [("BONE[0].KGTR", 300), ("BONE[0].KGRT", 300), ("MTLS[0].LAYS[0].KMTA", 300)] {
        let mut after = before.clone();
        edit::insert_key(&mut after, &name(track), time, None).unwrap();
        assert_eq!(edit::reduce(&mut after, &name(track), 1e-5).unwrap(), 1, "{track}");
        assert_eq!(times(&after, track), times(&before, track));
        assert_eq!(edit::reduce(&mut after, &name(track), 1e9).unwrap(), 0, "the ends stay");
    }
}

#[test]
fn splines_change_into_each_other_and_back() {
    let before = model("plain-warcraft");
    let mut after = before.clone();
    let moving = name("BONE[0].KGTR");
    edit::set_tangents(&mut after, &moving, 0, &[0.0; 3], &[3.0, 6.0, 9.0]).unwrap();
    let tangents = after.clone();
    let changed = edit::set_interpolation(&mut after, &moving, Interpolation::Bezier, 0.0).unwrap();
    assert!(changed.is_exact, "{changed:?}");
    let made = track(&after, "BONE[0].KGTR").unwrap();
    assert_eq!(made.out_tangents[..3], [1.0_f32, 2.0, 3.0].map(f32::to_bits));
    edit::set_interpolation(&mut after, &moving, Interpolation::Hermite, 0.0).unwrap();
    assert_eq!(after, tangents);
    let changed = edit::set_interpolation(&mut after, &moving, Interpolation::Linear, 0.01).unwrap();
    assert!(!changed.is_exact && changed.off <= 0.01 && changed.keys > 2, "{changed:?}");
    assert_eq!(track(&after, "BONE[0].KGTR").unwrap().interpolation, 1);
    touched(&before, &after);
}

#[test]
fn steps_become_lines_by_a_key_before_each_change() {
    for file in BOTH {
        let mut document = model(file);
        let alpha = name("MTLS[0].LAYS[0].KMTA");
        edit::set_interpolation(&mut document, &alpha, Interpolation::Step, 0.1).unwrap();
        let changed = edit::set_interpolation(&mut document, &alpha, Interpolation::Linear, 0.0).unwrap();
        assert!(changed.is_exact, "{file}: {changed:?}");
    }
}

#[test]
fn textures_are_set_added_and_removed_and_their_users_follow() {
    for file in BOTH {
        let before = model(file);
        let mut after = before.clone();
        edit::set_texture(&mut after, 1, "b.blp").unwrap();
        assert!(after.textures()[1].path.0.starts_with(b"b.blp\0"));
        assert_eq!(after.textures()[1].replaceable_id.get(), 0);
        edit::set_texture_replaceable(&mut after, 1, 11).unwrap();
        assert_eq!(after.textures()[1].replaceable_id.get(), 11);
        assert_eq!(touched(&before, &after), ["TEXS"]);
        edit::set_texture_flags(&mut after, 1, 2).unwrap();
        assert_eq!(after.textures()[1].flags.get(), 2);
        assert_eq!(touched(&before, &after), ["TEXS"]);
        assert_eq!(edit::add_texture(&mut after, "c.blp", 0, 3).unwrap(), 2);
        edit::remove_texture(&mut after, 2, None).unwrap();
        let two = after.clone();
        edit::remove_texture(&mut after, 0, Some(1)).unwrap();
        assert_eq!(after.textures(), [two.textures()[1]]);
        assert_eq!(track(&after, "MTLS[0].LAYS[0].KMTF").unwrap().values, [0]);
        let used = |finding: &&galvani_core::Diagnostic| finding.code.name == "mdx.texture-range";
        assert_eq!(check(&after).findings().iter().find(used), None, "{file}");
        touched(&before, &after);
    }
    let mut document = model("plain-wow");
    document.chunks.retain(|chunk| chunk.tag != *b"TEXS");
    assert_eq!(edit::add_texture(&mut document, "c.blp", 0, 0).unwrap(), 0);
    let place = |tag| document.chunks.iter().position(|chunk| chunk.tag == tag).unwrap();
    assert_eq!(place(*b"TEXS"), place(*b"MTLS") + 1);
}

#[test]
fn nodes_are_renamed_and_hung_elsewhere() {
    for file in BOTH {
        let before = model(file);
        let mut after = before.clone();
        let node = edit::node_of(&before, 1).unwrap();
        edit::rename_node(&mut after, node, "Lantern").unwrap();
        assert!(after.nodes()[node].node.fixed.name.0.starts_with(b"Lantern\0"));
        assert_eq!(touched(&before, &after).len(), 1);
        edit::reparent_node(&mut after, node, None).unwrap();
        assert_eq!(after.nodes()[node].node.fixed.parent_id.get(), -1);
        let root = edit::node_of(&before, 0).unwrap();
        edit::reparent_node(&mut after, node, Some(root)).unwrap();
        assert_eq!(after.nodes()[node].node.fixed.parent_id.get(), 0);
    }
}

#[test]
fn layers_get_another_alpha_and_filter() {
    for file in BOTH {
        let before = model(file);
        let mut after = before.clone();
        edit::set_layer_alpha(&mut after, 1, 0, 0.25).unwrap();
        edit::set_layer_filter(&mut after, 1, 0, 3).unwrap();
        assert_eq!(touched(&before, &after), ["MTLS"]);
        let (old, new) = (write(&before).unwrap(), write(&after).unwrap());
        assert_eq!(old.len(), new.len());
        assert!((0..old.len()).filter(|i| old[*i] != new[*i]).count() <= 8);
    }
}

#[test]
fn edits_are_undone() {
    let mut history = History::new(model("plain-wow"));
    let before = history.now().clone();
    history.edit(|document| edit::retime_sequence(document, 0, 3.0)).unwrap();
    history.edit(|document| edit::rename_node(document, 0, "Base")).unwrap();
    assert!(history.edit(|document| edit::rename_node(document, 99, "Base")).is_err());
    assert_eq!(history.undo_steps(), 2);
    assert!(history.undo() && history.undo());
    assert_eq!(*history.now(), before);
}

#[test]
fn every_track_can_be_named() {
    for file in BOTH {
        let document = model(file);
        for track in edit::tracks(&document) {
            assert_eq!(name(&track.to_string()), track);
        }
    }
    assert_eq!(name("BONE[0].node.KGTR.keys[3].time"), name("BONE[0].KGTR"));
}

fn code<T: std::fmt::Debug>(outcome: Result<T, EditError>) -> &'static str {
    outcome.unwrap_err().cause.code.name
}

#[test]
fn damage_refuses_only_what_it_can_matter_to() {
    let done = |file: &str, edit: &dyn Fn(&mut Document) -> Result<(), EditError>| {
        let mut document = model(file);
        edit(&mut document).map_err(|error| error.cause.code.name)
    };
    let damaged = Err("mdx.edit-damaged");
    let moved = |d: &mut Document| edit::move_sequence(d, 0, 90000);
    let stretched = |d: &mut Document| edit::retime_sequence(d, 0, 2.0);
    let dropped = |d: &mut Document| edit::remove_sequence(d, 0, Keys::Drop).map(drop);
    let added = |d: &mut Document| edit::add_sequence(d, "Walk", 90000, 91000).map(drop);
    let textured = |d: &mut Document| edit::add_texture(d, "new.blp", 0, 0).map(drop);
    let untextured = |d: &mut Document| edit::remove_texture(d, 0, Some(1));
    // A geoset has neither keys nor sequences nor textures, and three bytes behind the last chunk hold nothing.
    for file in ["truncated", "sub-chunk", "trailing-bytes"] {
        for edit in
            [&moved as &dyn Fn(&mut Document) -> _, &stretched, &dropped, &added, &textured, &untextured]
        {
            assert_eq!(done(file, edit), Ok(()), "{file}");
        }
    }
    // A material has keys and textures, but is no sequence.
    for file in ["record-size", "layer-size"] {
        assert_eq!(
            (done(file, &moved), done(file, &stretched), done(file, &dropped)),
            (damaged, damaged, damaged)
        );
        assert_eq!(
            (done(file, &added), done(file, &textured), done(file, &untextured)),
            (Ok(()), Ok(()), damaged)
        );
    }
    // All that stands behind a chunk that is too long is lost with it.
    assert_eq!((done("chunk-overrun", &moved), done("chunk-overrun", &textured)), (damaged, damaged));
    assert_eq!(done("chunk-overrun", &added), Ok(()));
    // What is left of a record that was cut off its chunk.
    let mut left = model("trailing-bytes");
    left.tail.bytes = b"\x01\0\0\0KGTR".to_vec();
    assert_eq!(code(edit::move_sequence(&mut left, 0, 90000)), "mdx.edit-damaged");
    // Sequences that could not be read may be anywhere.
    assert_eq!(done("seqs-size", &added), damaged);
}

#[test]
fn every_refusal_has_its_code_and_changes_nothing() {
    let mut seen = BTreeSet::new();
    let mut refuse = |file: &str, edit: &dyn Fn(&mut Document) -> &'static str, wanted: &'static str| {
        let before = model(file);
        let mut after = before.clone();
        assert_eq!(edit(&mut after), wanted);
        assert_eq!(after, before, "{wanted}");
        seen.insert(wanted);
    };
    let plain = "plain-warcraft";
    let bone = name("BONE[0].KGTR");
    refuse("record-size", &|d| code(edit::move_sequence(d, 0, 90000)), "mdx.edit-damaged");
    refuse(plain, &|d| code(edit::rename_node(d, 0, &"x".repeat(80))), "mdx.edit-name");
    refuse(plain, &|d| code(edit::rename_sequence(d, 9, "x")), "mdx.edit-no-sequence");
    refuse(
        "sequence-count",
        &|d| code(edit::add_sequence(d, "Walk", 1 << 30, (1 << 30) + 9)),
        "mdx.edit-sequence-count",
    );
    refuse(plain, &|d| code(edit::add_sequence(d, "Walk", 9, 9)), "mdx.edit-window");
    refuse(plain, &|d| code(edit::add_sequence(d, "Walk", 900, 9000)), "mdx.edit-meets");
    refuse("sequence-overlap", &|d| code(edit::retime_sequence(d, 0, 2.0)), "mdx.edit-shared");
    refuse(
        plain,
        &|d| {
            let mut kept = d.clone();
            edit::remove_sequence(&mut kept, 1, Keys::Keep).unwrap();
            code(edit::move_sequence(&mut kept, 0, 1100))
        },
        "mdx.edit-foreign-keys",
    );
    refuse(plain, &|d| code(edit::retime_sequence(d, 0, f64::NAN)), "mdx.edit-factor");
    refuse(
        plain,
        &|d| {
            let mut more = d.clone();
            edit::insert_key(&mut more, &name("BONE[0].KGTR"), 1, None).unwrap();
            code(edit::retime_sequence(&mut more, 0, 0.1))
        },
        "mdx.edit-collapsed",
    );
    refuse(plain, &|_| code("BONE[0]".parse::<TrackRef>()), "mdx.edit-track-name");
    refuse(plain, &|d| code(edit::reduce(d, &name("BONE[7].KGTR"), 0.1)), "mdx.edit-no-track");
    refuse("track-repeated", &|d| code(repeated(d)), "mdx.edit-track-repeated");
    refuse("key-order", &|d| code(disordered(d)), "mdx.edit-key-order");
    refuse(plain, &|d| code(edit::insert_key(d, &bone, 1000, None)), "mdx.edit-key-there");
    refuse(plain, &|d| code(edit::move_key(d, &bone, 0, 1000)), "mdx.edit-key-there");
    refuse(plain, &|d| code(edit::move_key(d, &bone, 1, 2)), "mdx.edit-no-key");
    refuse(plain, &|d| code(edit::move_key(d, &bone, 0, -1)), "mdx.edit-time");
    let add = |d: &mut Document, track: &str| {
        code(edit::add_track(d, &name(track), Interpolation::Linear, 0, &[0.0; 3]))
    };
    refuse(plain, &|d| add(d, "BONE[0].KGTR"), "mdx.edit-track-there");
    refuse(plain, &|d| add(d, "BONE[0].KMTA"), "mdx.edit-track-owner");
    refuse(plain, &|d| add(d, "MTLS[1].LAYS[0].KFC3"), "mdx.edit-track-owner");
    refuse(plain, &|d| add(d, "BONE[9].KGTR"), "mdx.edit-no-record");
    refuse(plain, &|d| add(d, "VERS[0].KGTR"), "mdx.edit-no-record");
    refuse(plain, &|d| code(edit::remove_track(d, &name("BONE[9].KGTR"))), "mdx.edit-no-track");
    refuse(plain, &|d| code(edit::set_texture_flags(d, 0, 4)), "mdx.edit-value");
    refuse(plain, &|d| code(edit::set_texture_flags(d, 9, 1)), "mdx.edit-no-texture");
    refuse(plain, &|d| code(edit::delete_key(d, &bone, 1001)), "mdx.edit-no-key");
    refuse(plain, &|d| code(edit::insert_key(d, &bone, 1500, None)), "mdx.edit-no-curve");
    let alpha = name("MTLS[0].LAYS[0].KMTA");
    refuse(plain, &|d| code(edit::set_tangents(d, &alpha, 0, &[0.0], &[0.0])), "mdx.edit-no-tangents");
    refuse(plain, &|d| code(edit::insert_key(d, &bone, -5, None)), "mdx.edit-time");
    refuse(plain, &|d| code(edit::set_key(d, &bone, 0, &[f64::NAN, 0.0, 0.0])), "mdx.edit-value");
    refuse(plain, &|d| code(edit::set_key(d, &bone, 0, &[0.0])), "mdx.edit-value-count");
    let textures = name("MTLS[0].LAYS[0].KMTF");
    refuse(
        plain,
        &|d| code(edit::set_interpolation(d, &textures, Interpolation::Bezier, 0.1)),
        "mdx.edit-interpolation",
    );
    refuse(plain, &|d| code(edit::reduce(d, &bone, -1.0)), "mdx.edit-tolerance");
    refuse(
        plain,
        &|d| {
            let mut long = d.clone();
            edit::retime_sequence(&mut long, 0, 2e6).unwrap();
            code(edit::set_interpolation(&mut long, &name("BONE[0].KGTR"), Interpolation::Step, 0.0))
        },
        "mdx.edit-too-many-keys",
    );
    refuse(plain, &|d| code(edit::set_texture(d, 9, "x")), "mdx.edit-no-texture");
    refuse(plain, &|d| code(edit::set_attachment_path(d, 99, "x")), "mdx.edit-no-record");
    refuse(plain, &|d| code(edit::set_emitter_path(d, 99, "x")), "mdx.edit-no-record");
    refuse(plain, &|d| code(edit::remove_texture(d, 0, None)), "mdx.edit-texture-used");
    refuse(plain, &|d| code(edit::reparent_node(d, 99, None)), "mdx.edit-no-node");
    refuse("node-repeated", &|d| code(ambiguous(d)), "mdx.edit-parent");
    refuse(plain, &|d| code(edit::reparent_node(d, 0, Some(1))), "mdx.edit-cycle");
    refuse(plain, &|d| code(edit::set_layer_alpha(d, 0, 9, 0.5)), "mdx.edit-no-layer");
    refuse(plain, &|d| code(edit::set_layer_filter(d, 0, 0, 7)), "mdx.edit-filter");
    let field = SequenceField::Replay;
    refuse(plain, &|d| code(edit::set_sequence(d, 0, field, &[1.0, 2.0])), "mdx.edit-sequence-field");
    refuse(plain, &|d| code(shares_no_node(d)), "mdx.edit-no-shared-node");
    refuse("node-id", &|d| code(names_nobody(&mut d.clone())), "mdx.edit-missing-node");
    refuse("node-id", &|d| code(bound(&mut d.clone())), "mdx.edit-bind-poses");
    let mut all: BTreeSet<&str> = edit::ALL.iter().map(|code| code.name).collect();
    // That one is refused where sequences have numbers.
    all.remove("mdx.edit-ids");
    // That one refuses nothing: it says how far a curve moved.
    all.remove("mdx.edit-inexact");
    // That one says what was not copied.
    all.remove("mdx.edit-not-copied");
    // Nor does that one, of a rotation whose length is not 1.
    all.remove("mdx.rotation-normalised");
    assert_eq!(seen, all);
}
