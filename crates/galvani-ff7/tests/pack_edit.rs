//! Edits of packs: each by example to the byte, random ones against plain lists, and undo.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

#[path = "common/rows.rs"]
#[allow(dead_code, unreachable_pub, reason = "each test file uses its part of this")]
mod common;

use common::{Row, Style, any_animation, any_rows, entry, frames, modulo, pack, payload, rows_of, stream};
use galvani_core::history::History;
use galvani_core::{EditError, Meter, ReadOptions, Reading, Severity};
use galvani_ff7::pack::quantise::{Precision, Rounding};
use galvani_ff7::pack::{AngleKey, Document, EMPTY_PAYLOAD, Entry, Role, check, edit, read, survey, write};
use proptest::prelude::*;

/// Four frames of two rotations at key 2.
fn walk() -> Vec<Row> {
    vec![
        ([0, -466, 0], vec![[0, 0, 0], [100, -200, 2044]]),
        ([1, -460, 10], vec![[0, 4, 0], [104, -220, -2048]]),
        ([2, -400, 20], vec![[0, 8, 0], [108, -240, -2000]]),
        ([3, -300, 30], vec![[0, 1024, 0], [112, -260, -1996]]),
    ]
}

fn swing() -> Vec<Row> {
    vec![([5, 5, 5], vec![[16, 32, 48]]), ([6, 5, 5], vec![[32, 32, 48]])]
}

/// The walk, an empty slot, the walk backwards, and a weapon with what another tool left behind its stream.
fn example() -> Document {
    let back: Vec<Row> = walk().into_iter().rev().collect();
    let mut weapon = entry(&swing(), AngleKey::Four);
    weapon.payload.extend([0, 0, 0, 0, 31, 0, 0, 0, 8]);
    let weapon = Entry::new(1, 2, weapon.payload);
    pack(vec![
        entry(&walk(), AngleKey::Two),
        Entry::new(2, 1, EMPTY_PAYLOAD.to_vec()),
        entry(&back, AngleKey::Two),
        weapon,
    ])
}

/// Makes an edit of entry 0; it must hold these rows at this key afterwards, and nothing else may change.
fn makes(edit: impl FnOnce(&mut Document) -> Result<(), EditError>, key: AngleKey, wanted: &[Row]) {
    let before = example();
    let mut after = before.clone();
    edit(&mut after).unwrap();
    assert_eq!(rows_of(&after, 0), modulo(wanted));
    assert_eq!(after.entries[0], entry(wanted, key), "the bytes");
    assert_eq!(after.entries[1..], before.entries[1..], "the other entries");
    let findings = check(&after, None);
    assert_eq!(findings.tally(Severity::Error), 0, "{findings:?}");
    let file = write(&after).unwrap();
    assert_eq!(read(&file, &ReadOptions::default()).unwrap().document, after);
}

fn picked(order: &[usize]) -> Vec<Row> {
    order.iter().map(|&frame| walk()[frame].clone()).collect()
}

#[test]
fn frames_are_inserted_deleted_moved_copied_trimmed_and_reversed() {
    makes(|it| edit::insert_frame(it, 0, 0), AngleKey::Two, &picked(&[0, 0, 1, 2, 3]));
    makes(|it| edit::insert_frame(it, 0, 2), AngleKey::Two, &picked(&[0, 1, 2, 2, 3]));
    makes(|it| edit::insert_frame(it, 0, 4), AngleKey::Two, &picked(&[0, 1, 2, 3, 3]));
    makes(|it| edit::delete_frames(it, 0, 1, 2), AngleKey::Two, &picked(&[0, 3]));
    makes(|it| edit::move_frames(it, 0, 0, 1, 2), AngleKey::Two, &picked(&[2, 3, 0, 1]));
    makes(|it| edit::move_frames(it, 0, 2, 3, 0), AngleKey::Two, &picked(&[2, 3, 0, 1]));
    makes(|it| edit::copy_frames(it, 0, 1, 2, 0, 0), AngleKey::Two, &picked(&[1, 2, 0, 1, 2, 3]));
    makes(|it| edit::copy_frames(it, 2, 0, 0, 0, 4), AngleKey::Two, &picked(&[0, 1, 2, 3, 3]));
    makes(|it| edit::trim(it, 0, 1, 2), AngleKey::Two, &picked(&[1, 2]));
    makes(|it| edit::reverse(it, 0), AngleKey::Two, &picked(&[3, 2, 1, 0]));
}

#[test]
fn frames_between_two_go_the_short_way() {
    let mut wanted = walk();
    // A third and two thirds of the way; Z crosses the half turn at ±2048, 18.7 units a third.
    wanted[1] = ([1, -411, 10], vec![[0, 340, 0], [104, -220, -2032]]);
    wanted[2] = ([2, -355, 20], vec![[0, 684, 0], [108, -240, -2016]]);
    makes(|it| edit::blend_frames(it, 0, 0, 3), AngleKey::Two, &wanted);
}

#[test]
fn an_edit_that_changes_nothing_leaves_the_bytes_alone() {
    let mut document = example();
    document.entries[0] = Entry::new(2, 7, payload(&walk(), AngleKey::Two, Style::Long));
    let before = document.clone();
    edit::move_frames(&mut document, 0, 1, 2, 1).unwrap();
    edit::trim(&mut document, 0, 0, 3).unwrap();
    edit::blend_frames(&mut document, 0, 1, 2).unwrap();
    edit::offset_rotation(&mut document, 0, 1, [360.0, 0.0, -720.0]).unwrap();
    edit::scale_rotation(&mut document, 0, 1, 1.0).unwrap();
    edit::offset_position(&mut document, 0, [0.0; 3]).unwrap();
    edit::set_position(&mut document, 0, 0, [0, -466, 0]).unwrap();
    edit::quantise(&mut document, 0, Precision::Key(AngleKey::Two), Rounding::Nearest).unwrap();
    edit::clear(&mut document, 1).unwrap();
    assert_eq!(document, before);
}

#[test]
fn single_values_are_set() {
    let mut wanted = walk();
    wanted[1].0 = [9, 8, 7];
    makes(|it| edit::set_position(it, 0, 1, [9, 8, 7]), AngleKey::Two, &wanted);
    let mut wanted = walk();
    wanted[3].1[1] = [1024, -512, 4];
    let degrees = [90.0, 315.0, 0.4];
    makes(|it| edit::set_rotation(it, 0, 3, 1, degrees), AngleKey::Zero, &{
        wanted[3].1[1][2] = 5;
        wanted
    });
}

#[test]
fn bones_and_the_root_are_offset_and_scaled() {
    let moved = |change: &dyn Fn(&mut Row)| {
        let mut rows = walk();
        rows.iter_mut().for_each(change);
        rows
    };
    let wanted = moved(&|row| row.1[1] = row.1[1].map(|raw| raw.wrapping_add(1024)));
    makes(|it| edit::offset_rotation(it, 0, 1, [90.0; 3]), AngleKey::Two, &wanted);
    let wanted = moved(&|row| row.1[0][0] += 1);
    makes(|it| edit::offset_rotation(it, 0, 0, [0.1, 0.0, 0.0]), AngleKey::Zero, &wanted);
    let wanted = moved(&|row| row.0 = [row.0[0] + 1, row.0[1] - 2, row.0[2]]);
    makes(|it| edit::offset_position(it, 0, [0.5, -1.5, 0.4]), AngleKey::Two, &wanted);
    let wanted = moved(&|row| row.0 = row.0.map(|value| value * 3));
    makes(|it| edit::scale_position(it, 0, 3.0), AngleKey::Two, &wanted);
    // Twice as far from the first frame on; the half turn is no border.
    let mut wanted = walk();
    for (row, z) in wanted.iter_mut().zip([2044, 2052, 2148, 2156]) {
        row.1[1] = [100 + 2 * (row.1[1][0] - 100), -200 + 2 * (row.1[1][1] + 200), z];
    }
    makes(|it| edit::scale_rotation(it, 0, 1, 2.0), AngleKey::Two, &wanted);
}

#[test]
fn precision_can_be_changed() {
    makes(
        |it| edit::quantise(it, 0, Precision::Key(AngleKey::Zero), Rounding::Nearest).map(|_| ()),
        AngleKey::Zero,
        &walk(),
    );
    let mut wanted = walk();
    wanted[0].1 = vec![[0, 0, 0], [96, -208, 2048]];
    wanted[1].1 = vec![[0, 0, 0], [112, -224, 2048]];
    wanted[2].1 = vec![[0, 16, 0], [112, -240, -2000]];
    wanted[3].1 = vec![[0, 1024, 0], [112, -256, -2000]];
    let mut document = example();
    let (key, error) =
        edit::quantise(&mut document, 0, Precision::Tolerance(0.75), Rounding::Nearest).unwrap();
    assert_eq!((key, error), (AngleKey::Four, 8.0 * 360.0 / 4096.0));
    assert_eq!(document.entries[0], entry(&wanted, AngleKey::Four));
    let mut down = example();
    let made = edit::quantise(&mut down, 0, Precision::Key(AngleKey::Four), Rounding::Down).unwrap();
    assert_eq!(made, (AngleKey::Four, 12.0 * 360.0 / 4096.0));
    assert_eq!(rows_of(&down, 0)[0].1[1], [96, 4096 - 208, 2032]);
    let kept = edit::quantise(&mut document, 2, Precision::Tolerance(0.0), Rounding::Nearest).unwrap();
    assert_eq!(kept, (AngleKey::Two, 0.0));
}

#[test]
fn what_other_tools_left_behind_a_stream_stays_behind_it() {
    let mut document = example();
    edit::reverse(&mut document, 3).unwrap();
    let rows: Vec<Row> = swing().into_iter().rev().collect();
    let mut wanted = payload(&rows, AngleKey::Four, Style::Short);
    let end = 5 + stream(&rows, AngleKey::Four, Style::Short).len();
    assert_eq!(end, document.entries[3].payload.len() - 11, "two bytes of padding, and nine more");
    wanted.truncate(end);
    wanted.extend([0, 0, 0, 0, 0, 0, 31, 0, 0, 0, 8]);
    assert_eq!(document.entries[3], Entry::new(1, 2, wanted));
}

#[test]
fn entries_are_replaced_added_cleared_and_removed() {
    let mut document = example();
    edit::replace(&mut document, 1, payload(&walk(), AngleKey::Two, Style::Long)).unwrap();
    assert_eq!(document.entries[1], Entry::new(2, 4, payload(&walk(), AngleKey::Two, Style::Long)));
    edit::replace_frames(&mut document, 1, &frames(&picked(&[1])), AngleKey::Zero).unwrap();
    assert_eq!(document.entries[1], entry(&picked(&[1]), AngleKey::Zero));
    edit::clear(&mut document, 1).unwrap();
    assert_eq!(document, example());

    let body = edit::new_entry(&frames(&walk()), AngleKey::Two).unwrap();
    let weapon = edit::new_entry(&frames(&swing()), AngleKey::Four).unwrap();
    assert_eq!(edit::add(&mut document, Role::Body, body.clone()).unwrap(), 3);
    assert_eq!(edit::add(&mut document, Role::Weapon, weapon.clone()).unwrap(), 5);
    assert_eq!((&document.entries[3], &document.entries[5]), (&body, &weapon));
    assert_eq!(survey(&document, None).border(), 4);
    assert_eq!(edit::remove(&mut document, 5).unwrap(), weapon);
    assert_eq!(edit::remove(&mut document, 3).unwrap(), body);
    assert_eq!(document, example());
}

#[test]
fn a_slot_cleared_under_the_documented_walk_has_the_bytes_that_it_steps_over() {
    let mut document = Document { walk: Reading::Documented, ..pack(vec![entry(&walk(), AngleKey::Two); 2]) };
    edit::clear(&mut document, 0).unwrap();
    assert_eq!((document.entries[0].dw_chunk_size, document.entries[0].payload.len()), (4, 8));
    let file = write(&document).unwrap();
    assert_eq!(read(&file, &ReadOptions::default()).unwrap().document, document);
}

#[test]
fn a_missing_frame_count_is_put_in() {
    let mut rows = walk();
    rows[0].0 = [2, -84, 7];
    let stream = stream(&rows, AngleKey::Four, Style::Short);
    let mut frog = u16::try_from(stream.len()).unwrap().to_le_bytes().to_vec();
    frog.push(4);
    frog.extend(stream);
    frog.resize(frog.len().next_multiple_of(4), 0);
    let mut document = pack(vec![Entry::new(2, 1, frog), entry(&walk(), AngleKey::Two)]);
    assert_eq!(survey(&document, None).entries[0].kind(), "damaged");
    assert_eq!(edit::repair(&mut document, 0).unwrap().0, 4);
    assert_eq!(document.entries[0], entry(&rows, AngleKey::Four));
}

#[test]
fn a_frame_that_is_not_whole_is_dropped() {
    let mut cut = payload(&walk(), AngleKey::Two, Style::Short);
    let size = stream(&walk(), AngleKey::Two, Style::Short).len() - 1;
    cut[2..4].copy_from_slice(&u16::try_from(size).unwrap().to_le_bytes());
    cut.truncate(5 + size);
    let mut document = pack(vec![Entry::new(2, 4, cut), entry(&walk(), AngleKey::Two)]);
    assert_eq!(edit::repair(&mut document, 0).unwrap().0, 3);
    assert_eq!(document.entries[0], entry(&picked(&[0, 1, 2]), AngleKey::Two));
}

#[test]
fn a_wrong_frame_count_is_set() {
    let mut document = example();
    let right = document.clone();
    document.entries[0].payload[0] = 9;
    document.entries[0].dw_frames = 9;
    edit::repair(&mut document, 0).unwrap();
    assert_eq!(document, right);
}

#[test]
fn what_repair_writes_is_padded_as_the_game_pads() {
    // Another tool's bytes stand behind the stream.
    let mut document = example();
    document.entries[3].payload[0] = 9;
    let (_, report) = edit::repair(&mut document, 3).unwrap();
    assert_eq!(document.entries[3], entry(&swing(), AngleKey::Four));
    let told: Vec<String> = report.findings().iter().map(ToString::to_string).collect();
    assert_eq!(told, ["entries[3].trailing: ff7-pack.lost-bytes: 9 of 11 bytes behind the stream"]);
    // The file ends with the stream.
    let mut document = pack(vec![entry(&walk(), AngleKey::Two)]);
    let right = document.clone();
    let end = 5 + stream(&walk(), AngleKey::Two, Style::Short).len();
    let bare = &mut document.entries[0];
    bare.payload.truncate(end);
    bare.payload[0] = 9;
    *bare = Entry::new(2, 4, bare.payload.clone());
    assert!(edit::repair(&mut document, 0).unwrap().1.findings().is_empty());
    assert_eq!(document, right);
}

#[test]
fn canonical_is_short_and_says_what_it_dropped() {
    let mut document = example();
    document.entries[0] = Entry::new(2, 9, payload(&walk(), AngleKey::Zero, Style::Long));
    let mut damaged = entry(&walk(), AngleKey::Two);
    damaged.payload[0] = 77;
    document.entries.insert(1, damaged.clone());
    let before = write(&document).unwrap().len();
    let report = edit::make_canonical(&mut document).unwrap();
    assert_eq!(document.entries[0], entry(&walk(), AngleKey::Two));
    assert_eq!((&document.entries[1], &document.entries[2]), (&damaged, &example().entries[1]));
    assert_eq!(document.entries[4], entry(&swing(), AngleKey::Four));
    let after = write(&document).unwrap().len();
    let told: Vec<String> = report.findings().iter().map(ToString::to_string).collect();
    assert_eq!(
        told,
        [
            "entries[4].trailing: ff7-pack.lost-bytes: 9 of 11 bytes behind the stream".to_owned(),
            format!("file: ff7-pack.saved: {before} bytes before, {after} bytes after"),
        ]
    );
}

#[test]
fn one_entry_can_be_made_canonical() {
    let mut document = example();
    document.entries[2] = Entry::new(2, 1, payload(&walk(), AngleKey::Zero, Style::Long));
    let report = edit::canonical_entry(&mut document, 2).unwrap();
    assert_eq!(document.entries[2], entry(&walk(), AngleKey::Two));
    assert_eq!(document.entries[3], example().entries[3]);
    assert_eq!(report.findings().len(), 1);
}

#[test]
fn undo_brings_the_bytes_back() {
    let mut history = History::new(example());
    let first = write(history.now()).unwrap();
    history.edit(|it| edit::reverse(it, 0)).unwrap();
    history
        .edit(|it| edit::resample(it, &[0, 3], 2, edit::Edge::Loop, 0.05, None, &Meter::unlimited()))
        .unwrap();
    history.edit(|it| edit::clear(it, 2)).unwrap();
    history.edit(edit::make_canonical).unwrap();
    let last = write(history.now()).unwrap();
    while history.undo() {}
    assert_eq!(write(history.now()).unwrap(), first);
    while history.redo() {}
    assert_eq!(write(history.now()).unwrap(), last);
}

/// An edit of frames that a list can follow.
#[derive(Debug, Clone)]
enum Op {
    Insert(usize),
    Delete(usize, usize),
    Move(usize, usize, usize),
    Copy(usize, usize, usize),
    Trim(usize, usize),
    Reverse,
    Position(usize, [i16; 3]),
    Turn(usize, i16),
}

fn op() -> impl Strategy<Value = Op> {
    let at = || 0..9_usize;
    prop_oneof![
        at().prop_map(Op::Insert),
        (at(), at()).prop_map(|(first, last)| Op::Delete(first, last)),
        (at(), at(), at()).prop_map(|(first, last, to)| Op::Move(first, last, to)),
        (at(), at(), at()).prop_map(|(first, last, to)| Op::Copy(first, last, to)),
        (0..2_usize, at()).prop_map(|(first, last)| Op::Trim(first, last)),
        Just(Op::Reverse),
        (at(), any::<[i16; 3]>()).prop_map(|(frame, position)| Op::Position(frame, position)),
        (0..4_usize, any::<i16>()).prop_map(|(bone, raw)| Op::Turn(bone, raw)),
    ]
}

fn make(op: &Op, document: &mut Document) -> Result<(), EditError> {
    match *op {
        Op::Insert(at) => edit::insert_frame(document, 0, at),
        Op::Delete(first, last) => edit::delete_frames(document, 0, first, last),
        Op::Move(first, last, to) => edit::move_frames(document, 0, first, last, to),
        Op::Copy(first, last, to) => edit::copy_frames(document, 0, first, last, 0, to),
        Op::Trim(first, last) => edit::trim(document, 0, first, last),
        Op::Reverse => edit::reverse(document, 0),
        Op::Position(frame, position) => edit::set_position(document, 0, frame, position),
        Op::Turn(bone, raw) => {
            edit::offset_rotation(document, 0, bone, [f64::from(raw) * 360.0 / 4096.0, 0.0, 0.0])
        }
    }
}

/// The same to a list; `None` if it cannot be done.
fn expected(op: &Op, mut rows: Vec<Row>) -> Option<Vec<Row>> {
    let count = rows.len();
    let fits = |first: usize, last: usize| (first <= last && last < count).then_some(first..=last);
    match *op {
        Op::Insert(at) => {
            let copied = rows.get(at).or(rows.last()).cloned()?;
            (at <= count).then(|| rows.insert(at, copied))?;
        }
        Op::Delete(first, last) => drop(rows.drain(fits(first, last)?)),
        Op::Move(first, last, to) => {
            let moved: Vec<Row> = rows.drain(fits(first, last)?).collect();
            (to <= rows.len()).then(|| rows.splice(to..to, moved))?;
        }
        Op::Copy(first, last, to) => {
            let copied = rows[fits(first, last)?].to_vec();
            (to <= count).then(|| rows.splice(to..to, copied))?;
        }
        Op::Trim(first, last) => rows = rows[fits(first, last)?].to_vec(),
        Op::Reverse => rows.reverse(),
        Op::Position(frame, position) => rows.get_mut(frame)?.0 = position,
        Op::Turn(bone, raw) => {
            for row in &mut rows {
                let x = &mut row.1.get_mut(bone)?[0];
                *x = x.wrapping_add(raw);
            }
        }
    }
    (!rows.is_empty()).then_some(rows)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..ProptestConfig::default() })]

    #[test]
    fn edits_do_what_they_do_to_a_list((key, rows) in any_animation(), ops in proptest::collection::vec(op(), 1..6)) {
        let (mut rows, mut document) = (rows.clone(), pack(vec![entry(&rows, key), entry(&rows, key)]));
        let other = document.entries[1].clone();
        for op in &ops {
            let before = document.clone();
            let made = make(op, &mut document);
            let wanted = expected(op, rows.clone());
            prop_assert_eq!(made.is_ok(), wanted.is_some(), "{:?} gave {:?}", op, made);
            if made.is_err() {
                prop_assert_eq!(&document, &before, "{:?} was refused", op);
            }
            rows = wanted.unwrap_or(rows);
            prop_assert_eq!(rows_of(&document, 0), modulo(&rows), "after {:?}", op);
            prop_assert_eq!(check(&document, None).tally(Severity::Error), 0);
            prop_assert_eq!(&document.entries[1], &other);
        }
    }

    #[test]
    fn canonical_keeps_everything_and_is_short(
        (key, rows) in any_animation(), tail in proptest::collection::vec(any::<u8>(), 0..9), long in any::<bool>()
    ) {
        let style = if long { Style::Long } else { Style::Short };
        let mut bytes = payload(&rows, key, style);
        bytes.extend(tail);
        let rotations = u32::try_from(rows[0].1.len()).unwrap();
        let mut document = pack(vec![Entry::new(rotations, 1, bytes)]);
        let before = write(&document).unwrap().len();
        edit::make_canonical(&mut document).unwrap();
        prop_assert_eq!(rows_of(&document, 0), modulo(&rows));
        prop_assert!(write(&document).unwrap().len() <= before);
        let once = document.clone();
        let report = edit::make_canonical(&mut document).unwrap();
        prop_assert_eq!(report.tally(Severity::Warning), 0);
        prop_assert_eq!(document, once);
    }

    #[test]
    fn no_angle_moves_further_than_allowed(rows in any_rows(2, AngleKey::Zero), tolerance in 0.0..1.0) {
        let mut document = pack(vec![entry(&rows, AngleKey::Zero)]);
        let (key, error) = edit::quantise(&mut document, 0, Precision::Tolerance(tolerance), Rounding::Nearest).unwrap();
        prop_assert!(error <= tolerance);
        let (frames, clip) = edit::frames_of(&document, 0).unwrap();
        prop_assert_eq!(clip.key, key);
        for (frame, (position, bones)) in frames.iter().zip(&rows) {
            prop_assert_eq!(frame.position, *position);
            for (now, then) in frame.bones.iter().flatten().zip(bones.iter().flatten()) {
                let off = i32::from(*now) - i32::from(*then);
                let off = (off + 2048).rem_euclid(4096) - 2048;
                prop_assert!(f64::from(off.abs()) * 360.0 / 4096.0 <= error);
            }
        }
    }
}
