//! Each way an edit is refused: under its code, and with the document as it was.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

#[path = "common/rows.rs"]
#[allow(dead_code, unreachable_pub, reason = "each test file uses its part of this")]
mod common;

use std::collections::BTreeSet;

use common::{Row, Style, entry, frames, pack, payload};
use galvani_core::{EditError, Meter, Severity};
use galvani_ff7::pack::edit::{self, Edge};
use galvani_ff7::pack::quantise::{Precision, Rounding};
use galvani_ff7::pack::{AngleKey, Document, EMPTY_PAYLOAD, Entry, Role};
use galvani_ff7::skeleton;

/// So many frames in which nothing moves.
fn still(rotations: usize, count: usize) -> Vec<Row> {
    vec![([0, -466, 0], vec![[16, 32, 48]; rotations]); count]
}

/// A body of three frames, an empty slot, a damaged entry of which nothing can be had, and a weapon.
fn example() -> Document {
    let mut damaged = entry(&still(3, 3), AngleKey::Four);
    damaged.payload[4] = 3;
    pack(vec![
        entry(&still(3, 3), AngleKey::Four),
        Entry::new(3, 1, EMPTY_PAYLOAD.to_vec()),
        damaged,
        entry(&still(1, 1000), AngleKey::Four),
    ])
}

type Edit = Box<dyn Fn(&mut Document) -> Result<(), EditError>>;

fn refusals() -> Vec<(Edit, &'static str)> {
    fn edit(edit: impl Fn(&mut Document) -> Result<(), EditError> + 'static) -> Edit {
        Box::new(edit)
    }
    let rate = |entry: usize, factor: u32, tolerance: f64| {
        edit(move |it| {
            edit::resample(it, &[0, entry], factor, Edge::Loop, tolerance, None, &Meter::unlimited())
                .map(|_| ())
        })
    };
    let two_bones = |parent: i32| skeleton::Document {
        bones: vec![skeleton::Bone { parent, ..Default::default() }, skeleton::Bone::default()],
        ..Default::default()
    };
    let with_skeleton = move |skeleton: skeleton::Document| {
        edit(move |it| {
            edit::resample(it, &[0], 2, Edge::Once, 0.05, Some(&skeleton), &Meter::unlimited()).map(|_| ())
        })
    };
    vec![
        (edit(|it| edit::reverse(it, 4)), "entries[4]: ff7-pack.no-entry: entry 4 of 4"),
        (edit(|it| edit::clear(it, 4)), "entries[4]: ff7-pack.no-entry: entry 4 of 4"),
        (edit(|it| edit::remove(it, 4).map(|_| ())), "entries[4]: ff7-pack.no-entry: entry 4 of 4"),
        (edit(|it| edit::trim(it, 0, 2, 1)), "entries[0]: ff7-pack.no-frame: frames 2 to 1 of 3"),
        (edit(|it| edit::trim(it, 0, 0, 3)), "entries[0]: ff7-pack.no-frame: frames 0 to 3 of 3"),
        (
            edit(|it| edit::insert_frame(it, 0, 4)),
            "entries[0]: ff7-pack.no-frame: a place before frame 4 of 3",
        ),
        (edit(|it| edit::set_position(it, 0, 3, [0; 3])), "entries[0]: ff7-pack.no-frame: frame 3 of 3"),
        (
            edit(|it| edit::offset_rotation(it, 0, 3, [0.0; 3])),
            "entries[0]: ff7-pack.no-bone: rotation 3 of 3",
        ),
        (edit(|it| edit::reverse(it, 1)), "entries[1]: ff7-pack.not-an-animation: the entry is empty"),
        (edit(|it| edit::reverse(it, 2)), "entries[2]: ff7-pack.not-an-animation: the entry is damaged"),
        (
            edit(|it| edit::repair(it, 2).map(|_| ())),
            "entries[2]: ff7-pack.not-an-animation: no frame can be had of the entry",
        ),
        (
            edit(|it| edit::replace(it, 0, vec![0; 20])),
            "entries[0]: ff7-pack.not-an-animation: 20 bytes that are no sound animation",
        ),
        (
            edit(|it| edit::delete_frames(it, 0, 0, 2)),
            "entries[0]: ff7-pack.last-frame: all 3 frames were to go",
        ),
        (
            edit(|it| edit::set_rotation(it, 0, 0, 0, [0.0, f64::NAN, 0.0])),
            "degrees: ff7-pack.value: 0, NaN, 0 degrees",
        ),
        (
            edit(|it| edit::scale_position(it, 0, 100.0)),
            "entries[0].frames[0]: ff7-pack.value: 0, -46600, 0; from -32768 to 32767 wanted",
        ),
        (
            edit(|it| edit::scale_rotation(it, 0, 0, f64::INFINITY)),
            "factor: ff7-pack.value: inf; from -1000000 to 1000000 wanted",
        ),
        (
            edit(|it| edit::set_frames(it, 0, &frames(&[([0; 3], vec![[1; 3]; 3])]), Some(AngleKey::Two))),
            "entries[0].b_key: ff7-pack.precision: key 2 wanted, the angles need key 0",
        ),
        (
            edit(|_| edit::new_entry(&frames(&[([0; 3], Vec::new())]), AngleKey::Four).map(|_| ())),
            "entries[0]: ff7-pack.other-rotations: 1 or more wanted, 0 found",
        ),
        (
            edit(|_| edit::new_entry(&frames(&[([0; 3], vec![[4; 3]])]), AngleKey::Four).map(|_| ())),
            "entries[0].b_key: ff7-pack.precision: key 4 wanted, the angles need key 2",
        ),
        (
            rate(3, 2, 0.04),
            "tolerance: ff7-pack.precision: 0.043945 degrees off at the finest, 0.003945 more than the \
             0.04 allowed",
        ),
        (
            edit(|it| edit::copy_frames(it, 3, 0, 0, 0, 0)),
            "entries[3]: ff7-pack.other-rotations: 3 wanted, 1 found",
        ),
        (
            edit(|it| edit::replace(it, 0, payload(&still(1, 9), AngleKey::Zero, Style::Short))),
            "entries[0]: ff7-pack.other-rotations: 3 wanted, 1 found",
        ),
        (
            edit(|it| edit::add(it, Role::Body, entry(&still(1, 1), AngleKey::Zero)).map(|_| ())),
            "entries[3]: ff7-pack.other-rotations: 3 wanted, 1 found",
        ),
        (
            with_skeleton(two_bones(1)),
            "entries[0]: ff7-pack.skeleton: the parent of bone 0 does not stand before it",
        ),
        (
            with_skeleton(skeleton::Document::default()),
            "entries[0]: ff7-pack.skeleton: 0 bones for 3 rotations",
        ),
        (rate(3, 1, 0.05), "factor: ff7-pack.factor: 2 or more wanted, 1 found"),
        (rate(3, 100, 0.05), "entries[3]: ff7-pack.too-long: 100000 frames, 34465 more than 65535"),
        (
            rate(3, 1_000_000_000, 0.05),
            "entries[0]: ff7-pack.too-long: 3000000000 frames, 2999934465 more than 65535",
        ),
        (
            rate(3, 30, 0.05),
            "entries[3]: ff7-pack.too-long: 101258 bytes of stream at least, 35723 more than 65535",
        ),
        (
            edit(|it| {
                let rows: Vec<Row> = (0..4000).map(|i| ([0; 3], vec![[1000 * (i % 2); 3]; 3])).collect();
                edit::replace_frames(it, 1, &frames(&rows), AngleKey::Zero)
            }),
            "entries[1]: ff7-pack.too-long: 83999 bytes of stream, 18464 more than 65535",
        ),
        (
            edit(|it| edit::repair(it, 0).map(|_| ())),
            "entries[0]: ff7-pack.nothing-to-repair: the animation is sound",
        ),
        (
            edit(|it| edit::repair(it, 1).map(|_| ())),
            "entries[1]: ff7-pack.nothing-to-repair: the entry is empty",
        ),
        (
            edit(|it| edit::quantise(it, 0, Precision::Tolerance(-1.0), Rounding::Nearest).map(|_| ())),
            "tolerance: ff7-pack.value: -1 degrees",
        ),
    ]
}

#[test]
fn refused_edits_say_why_and_change_nothing() {
    let mut seen = BTreeSet::new();
    for (edit, wanted) in refusals() {
        let mut document = example();
        let error = edit(&mut document).expect_err(wanted);
        assert_eq!(error.to_string(), wanted);
        assert_eq!(document, example(), "{wanted}");
        seen.insert(error.cause.code.name);
    }
    let mut missing = Document { missing: 2, ..example() };
    let refused = edit::add(&mut missing, Role::Weapon, entry(&still(1, 1), AngleKey::Zero)).unwrap_err();
    assert_eq!(
        refused.to_string(),
        "count: ff7-pack.entry-count: 2 entries that the count names are missing"
    );
    assert_eq!(missing.entries, example().entries);
    seen.insert(refused.cause.code.name);
    let wrong = Entry { dw_chunk_size: 99, ..entry(&still(3, 1), AngleKey::Zero) };
    let told = edit::add(&mut example(), Role::Body, wrong).unwrap_err().to_string();
    assert!(told.starts_with("entries[3]: ff7-pack.chunk-size: the header steps over 99 bytes"), "{told}");
    // That no skeleton is at hand is for whoever looks for one: the command's tests provoke it.
    seen.insert(edit::NO_SKELETON.name);
    let all = edit::ALL.iter().filter(|code| code.severity == Severity::Error).map(|code| code.name);
    assert_eq!(seen, all.collect::<BTreeSet<_>>());
}

#[test]
fn damage_elsewhere_is_no_reason_to_refuse() {
    // Behind its last entry the file is damaged, and entry 2 is.
    let mut document = Document { missing: 2, rest: vec![1; 7], ..example() };
    edit::reverse(&mut document, 0).unwrap();
    edit::set_position(&mut document, 3, 0, [1, 2, 3]).unwrap();
    assert_eq!(edit::add(&mut document, Role::Body, entry(&still(3, 1), AngleKey::Zero)).unwrap(), 3);
    edit::remove(&mut document, 1).unwrap();
    let file = galvani_ff7::pack::write(&document).unwrap();
    let again = galvani_ff7::pack::read(&file, &galvani_core::ReadOptions::default()).unwrap().document;
    assert_eq!((again.missing, again.entries), (2, document.entries));
}

#[test]
fn an_edit_of_frames_does_not_care_about_a_count_that_it_writes_anew() {
    let right = entry(&still(3, 3), AngleKey::Four);
    let mut wrong = right.clone();
    wrong.payload[0] = 9;
    let mut none = right.clone();
    none.payload.drain(..2);
    none = Entry::new(3, 1, none.payload);
    for damaged in [wrong, none] {
        let mut document = pack(vec![damaged, right.clone()]);
        edit::set_position(&mut document, 0, 1, [7; 3]).unwrap();
        edit::set_position(&mut document, 1, 1, [7; 3]).unwrap();
        assert_eq!(document.entries[0], document.entries[1]);
    }
}

#[test]
fn a_damaged_entry_is_replaced_by_what_the_others_of_its_kind_are_like() {
    let mut document = example();
    document.entries[0].dw_bones = 7777;
    let first = entry(&still(3, 2), AngleKey::Four);
    document.entries[2] = first.clone();
    edit::replace_frames(&mut document, 0, &frames(&still(3, 2)), AngleKey::Four).unwrap();
    assert_eq!(document.entries[0], first);
    document.entries[0].dw_bones = 7777;
    edit::replace(&mut document, 0, first.payload.clone()).unwrap();
    assert_eq!(document.entries[0], first);
    document.entries[0].dw_bones = 7777;
    edit::add(&mut document, Role::Body, first).unwrap();
}
