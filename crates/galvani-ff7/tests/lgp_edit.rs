//! Each edit by example and in crowds: what it changes, and that it changes nothing else.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a failed test")]

mod lgp_common;

use galvani_core::EditError;
use galvani_ff7::lgp::{Document, Name, RecordPlace, Slot, TERMINATOR, check, is_grouped, write};
use lgp_common::raw::{before_nul, room, slot, zero_filled};
use lgp_common::strategy::{archive, short_name};
use lgp_common::{case, document, name};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

/// `a.txt` at 0xe73, `rtaa` at 0xe90, `rtda` at 0xeb0, the end at 0xec8.
fn example() -> Document {
    document(&case("worked-example"))
}

/// Where the two, written, differ.
fn changed(before: &Document, after: &Document) -> Vec<usize> {
    galvani_testkit::differences(&write(before).unwrap(), &write(after).unwrap())
}

fn names(document: &Document) -> Vec<String> {
    document.entries.iter().map(|entry| entry.name.to_string()).collect()
}

/// The written document reads back as itself.
fn comes_back(document: &Document) {
    assert_eq!(&lgp_common::document(&write(document).unwrap()), document);
}

fn is_good(document: &Document) {
    assert_eq!(check(document).findings(), []);
    comes_back(document);
}

fn refusal<T: std::fmt::Debug>(result: Result<T, EditError>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn replacing_with_as_many_bytes_changes_exactly_those() {
    let mut edited = example();
    edited.replace(1, b"skelETON").unwrap();
    assert_eq!(changed(&example(), &edited), [0xeac, 0xead, 0xeae, 0xeaf]);
}

#[test]
fn replacing_with_other_bytes_changes_a_size_and_the_offsets_behind_it() {
    for len in 0..40 {
        let mut edited = example();
        edited.replace(1, &vec![7; len]).unwrap();
        assert_eq!(edited.offsets(), [0xe73, 0xe90, 0xe90 + 24 + len]);
        assert_eq!((&edited.blocks[0], &edited.blocks[2]), (&example().blocks[0], &example().blocks[2]));
        assert_eq!((edited.lookup.clone(), edited.entries.len()), (example().lookup, 3));
        is_good(&edited);
    }
}

#[test]
fn replacing_keeps_gaps_and_the_order_of_records() {
    let before = document(&case("layout"));
    let mut edited = before.clone();
    edited.replace(0, b"much longer than alpha").unwrap();
    assert_eq!((&edited.lead, &edited.tail), (&before.lead, &before.tail));
    for (block, old) in edited.blocks.iter().zip(&before.blocks) {
        assert_eq!(block.gap, old.gap);
    }
    assert_eq!(edited.payload(0), Some(&b"much longer than alpha"[..]));
    assert_eq!(edited.payload(1), before.payload(1));
    comes_back(&edited);
}

#[test]
fn replacing_one_of_several_with_one_record_leaves_the_others_theirs() {
    for index in [1, 2] {
        let mut edited = document(&case("record-shared"));
        edited.replace(index, b"own").unwrap();
        assert_eq!(edited.payload(index), Some(&b"own"[..]));
        assert_eq!(edited.payload(3 - index), Some(&b"skeleton"[..]));
        comes_back(&edited);
    }
}

#[test]
fn replacing_what_has_no_record_gives_it_one() {
    let mut edited = document(&case("record-outside"));
    assert_eq!(write(&edited).unwrap(), case("record-outside"));
    for index in 0..3 {
        edited.replace(index, b"here").unwrap();
    }
    assert_eq!(edited.record_name(1), Some(name("rtaa")));
    comes_back(&edited);
}

#[test]
fn an_added_entry_goes_behind_those_of_its_slot() {
    let mut edited = example();
    assert_eq!(edited.add(name("rtca"), b"new").unwrap(), 3);
    assert_eq!(edited.add(name("B.TXT"), b"bb").unwrap(), 1);
    assert_eq!(edited.add(name("zz"), b"last").unwrap(), 5);
    assert_eq!(names(&edited), ["a.txt", "B.TXT", "rtaa", "rtda", "rtca", "zz"]);
    assert_eq!(edited.lookup[530], Slot { first: 3, count: 3 });
    assert!(edited.has_canonical_layout());
    is_good(&edited);
}

#[test]
fn an_added_entry_without_a_slot_stands_last() {
    let mut edited = example();
    assert_eq!(edited.add(name("é"), b"").unwrap(), 3);
    assert_eq!(edited.add(name("zz"), b"").unwrap(), 3);
    assert_eq!(names(&edited), ["a.txt", "rtaa", "rtda", "zz", "é"]);
    comes_back(&edited);
}

#[test]
fn what_is_added_and_removed_again_leaves_no_trace() {
    for guest in ["0a", "rtzz", "zz", "é", "a.bin"] {
        for mut edited in [example(), document(&case("layout")), document(&case("conflicts"))] {
            let before = edited.clone();
            let index = edited.add(name(guest), b"some bytes").unwrap();
            edited.remove(index).unwrap();
            assert_eq!(edited, before, "{guest}");
        }
    }
}

#[test]
fn removing_takes_the_row_the_record_and_the_slot() {
    let mut edited = example();
    edited.remove(1).unwrap();
    assert_eq!(names(&edited), ["a.txt", "rtda"]);
    assert_eq!(edited.lookup[530], Slot { first: 2, count: 1 });
    assert_eq!(write(&edited).unwrap().len(), case("worked-example").len() - 27 - 24 - 8);
    is_good(&edited);
    edited.remove(1).unwrap();
    edited.remove(0).unwrap();
    assert_eq!(edited, Document::default());
}

#[test]
fn removing_keeps_the_bytes_that_no_entry_owned() {
    let mut edited = document(&case("layout"));
    for _ in 0..3 {
        edited.remove(0).unwrap();
    }
    assert_eq!(edited.lead, b"lead!\0\0\0\xde\xad");
    assert_eq!(edited.tail.as_deref(), Some(&b"more"[..]));
    comes_back(&edited);
}

#[test]
fn removing_from_overlapping_records_drops_only_what_nobody_else_has() {
    let mut edited = document(&case("record-overlap"));
    edited.remove(0).unwrap();
    assert_eq!(edited.payload(0), Some(&b"tail"[..]));
    assert_eq!(edited.blocks[0].bytes.len(), 28);
    is_good(&edited);
}

#[test]
fn renaming_within_a_slot_changes_both_names_alone() {
    let mut edited = example();
    assert_eq!(edited.rename(1, name("rtab")).unwrap(), 1);
    assert_eq!(changed(&example(), &edited), [0x2b + 3, 0xe90 + 3]);
    is_good(&edited);
}

#[test]
fn renaming_to_another_slot_moves_the_row_and_its_record() {
    let mut edited = example();
    assert_eq!(edited.rename(0, name("zz.txt")).unwrap(), 2);
    assert_eq!(names(&edited), ["rtaa", "rtda", "zz.txt"]);
    assert_eq!(edited.payload(2), Some(&b"alpha"[..]));
    assert_eq!(edited.record_name(2), Some(name("zz.txt")));
    assert!(edited.has_canonical_layout());
    assert_eq!((edited.lookup[530], edited.lookup[0]), (Slot { first: 1, count: 2 }, Slot::default()));
    is_good(&edited);
    assert_eq!(edited.rename(2, name("a.txt")).unwrap(), 0);
    assert_eq!(edited, example());
}

#[test]
fn renaming_leaves_a_record_of_another_name_or_of_several_entries_its_name() {
    let mut edited = document(&case("record-shared"));
    edited.rename(1, name("rtxx")).unwrap();
    assert_eq!(edited.record_name(1), Some(name("rtaa")));
    edited.rename(1, name("RTXX")).unwrap();
    comes_back(&edited);
}

#[test]
fn the_conflict_table_follows_its_entries() {
    let rows = |document: &Document| -> Vec<u16> {
        document.conflicts.as_ref().unwrap()[0].iter().map(|row| row.entry_index).collect()
    };
    let mut edited = document(&case("conflicts"));
    edited.add(name("aa"), b"before").unwrap();
    assert_eq!(rows(&edited), [1, 2]);
    is_good(&edited);
    edited.rename(0, name("zz")).unwrap();
    assert_eq!(rows(&edited), [0, 1]);
    is_good(&edited);
    edited.remove(0).unwrap();
    assert_eq!(rows(&edited), [0]);
    is_good(&edited);
    let mut edited = document(&case("conflicts"));
    edited.entries.rotate_right(1);
    for row in &mut edited.conflicts.as_mut().unwrap()[0] {
        row.entry_index += 1;
    }
    edited.make_canonical().unwrap();
    assert_eq!(edited, document(&case("conflicts")));
}

#[test]
fn rebuilding_the_lookup_table_changes_its_slots_alone() {
    let before = document(&case("lookup"));
    let mut edited = before.clone();
    edited.rebuild_lookup();
    assert_eq!(changed(&before, &edited), [0x8a9, 0xe6d, 0xe6f]);
    is_good(&edited);
}

#[test]
fn the_canonical_form_groups_rows_and_says_what_it_drops() {
    let told = |name: &str| -> Vec<String> {
        let report = document(&case(name)).make_canonical().unwrap();
        report.findings().iter().map(ToString::to_string).collect()
    };
    assert_eq!(told("worked-example"), [""; 0]);
    assert_eq!(told("toc-order"), [""; 0]);
    assert_eq!(told("layout"), ["file: lgp.lost-bytes: 11 bytes dropped"]);
    assert_eq!(told("names"), ["entries[2].name: lgp.lost-bytes: bytes behind the NUL of `ac` zeroed"]);
    assert_eq!(told("check-byte"), ["entries[1].check: lgp.lost-bytes: 3 became 14"]);
    let mut edited = document(&case("toc-order"));
    edited.make_canonical().unwrap();
    assert_eq!(names(&edited), ["abc", "abd", "cd"]);
    is_good(&edited);
}

#[test]
fn the_end_is_found_again_where_the_last_record_goes_away() {
    let mut edited = Document { tail: None, ..example() };
    edited.blocks[1].gap = b"FINAL FANTASY7x".to_vec();
    edited.remove(2).unwrap();
    assert_eq!((edited.blocks[1].gap.len(), edited.tail.as_deref()), (0, Some(&b"x"[..])));
    comes_back(&edited);
}

#[test]
fn what_is_not_there_or_taken_is_refused_and_nothing_changes() {
    let mut edited = example();
    let wanted = "entries[3]: lgp.no-entry: entry 3 of 3";
    assert_eq!(refusal(edited.remove(3)), wanted);
    assert_eq!(refusal(edited.replace(3, b"")), wanted);
    assert_eq!(refusal(edited.rename(3, name("x"))), wanted);
    let taken = "entries[1].name: lgp.name-taken: `RTAA` is entry 1";
    assert_eq!(refusal(edited.add(name("RTAA"), b"")), taken);
    assert_eq!(refusal(edited.rename(0, name("RTAA"))), taken);
    assert_eq!(edited, example());
}

#[test]
fn a_name_has_one_to_nineteen_bytes_and_no_nul() {
    let refusal = |text: &[u8]| Name::new(text).unwrap_err().to_string();
    assert_eq!(Name::new(&[b'x'; 19]).unwrap().text(), [b'x'; 19]);
    assert_eq!(refusal(&[b'x'; 20]), "name: lgp.name-too-long: 20 bytes, 19 fit beside the NUL");
    assert_eq!(refusal(b""), "name: lgp.name-refused: `` is empty or has a NUL inside");
    assert_eq!(refusal(b"a\0b"), "name: lgp.name-refused: `a` is empty or has a NUL inside");
}

#[test]
fn a_record_that_is_cut_short_is_no_reason_to_refuse_edits_of_others() {
    // The last record misses bytes, and with them the end of the archive.
    let mut whole = example();
    whole.replace(2, &[1; 60]).unwrap();
    let file = write(&whole).unwrap();
    let cut = document(&file[..file.len() - TERMINATOR.len() - 3]);
    let last = cut.entries.len() - 1;
    assert!(matches!(cut.entries[last].place, RecordPlace::Cut { .. }));
    let mut edited = cut.clone();
    let added = edited.add(name("zzzz"), &[7; 100]).unwrap();
    edited.replace(0, &[8; 200]).unwrap();
    let again = document(&write(&edited).unwrap());
    assert_eq!((again.payload(added), again.payload(0)), (Some(&[7; 100][..]), Some(&[8; 200][..])));
    assert_eq!(again.payload(1), cut.payload(1));
    let RecordPlace::Cut { block, size, .. } = again.entries[last].place else { panic!("no longer cut") };
    let RecordPlace::Cut { block: old, size: wanted, .. } = cut.entries[last].place else {
        panic!("not cut")
    };
    assert_eq!((size, &again.blocks[block].bytes), (wanted, &cut.blocks[old].bytes));
}

#[test]
fn a_document_put_together_wrongly_is_not_written() {
    for place in [
        RecordPlace::Held { block: 3, start: 0, len: 0 },
        RecordPlace::Held { block: 1, start: 0, len: 7 },
        RecordPlace::Held { block: 1, start: usize::MAX, len: 1 },
        RecordPlace::Cut { block: 1, start: 0, size: 7 },
    ] {
        let mut torn = example();
        torn.entries[1].place = place;
        let error = write(&torn).unwrap_err();
        assert_eq!(error.cause.code, &check::RECORD_LOST, "{place:?}");
        assert_eq!(error.cause.path.to_string(), "records[1]");
    }
    let mut whole = example();
    whole.entries[1].place = RecordPlace::Cut { block: 1, start: 0, size: 8 };
    assert_eq!(write(&whole).unwrap_err().cause.code, &check::RECORD_STRAY);
}

/// One edit; places are settled when it is made.
#[derive(Debug, Clone)]
enum Edit {
    Add(Vec<u8>, Vec<u8>),
    Remove(Index),
    Replace(Index, Vec<u8>),
    Rename(Index, Vec<u8>),
    RebuildLookup,
    MakeCanonical,
}

fn edit() -> impl Strategy<Value = Edit> {
    let bytes = || vec(any::<u8>(), 0..20);
    prop_oneof![
        4 => (short_name(), bytes()).prop_map(|(name, bytes)| Edit::Add(name, bytes)),
        3 => any::<Index>().prop_map(Edit::Remove),
        4 => (any::<Index>(), bytes()).prop_map(|(i, bytes)| Edit::Replace(i, bytes)),
        3 => (any::<Index>(), short_name()).prop_map(|(i, name)| Edit::Rename(i, name)),
        1 => Just(Edit::RebuildLookup),
        1 => Just(Edit::MakeCanonical),
    ]
}

/// The name's room and the bytes of every entry, in order.
type Model = Vec<([u8; 20], Option<Vec<u8>>)>;

fn model(document: &Document) -> Model {
    let bytes = |i| document.payload(i).map(<[u8]>::to_vec);
    document.entries.iter().enumerate().map(|(i, entry)| (entry.name.0, bytes(i))).collect()
}

fn rank(name: &[u8; 20]) -> usize {
    slot(before_nul(name)).unwrap_or(900)
}

/// Where a name belongs in a list: behind the last of its slot, or before the first of a later one.
fn place(list: &Model, name: &[u8; 20]) -> usize {
    match list.iter().rposition(|(other, _)| rank(other) == rank(name)) {
        Some(last) => last + 1,
        None => list.iter().position(|(other, _)| rank(other) > rank(name)).unwrap_or(list.len()),
    }
}

fn is_taken(list: &Model, name: &[u8], own: Option<usize>) -> bool {
    let same = |(i, (other, _)): (usize, &([u8; 20], _))| {
        Some(i) != own && before_nul(other).eq_ignore_ascii_case(name)
    };
    list.iter().enumerate().any(same)
}

/// Makes an edit on a plain list and on the document; both refuse the same.
fn apply(edit: &Edit, list: &mut Model, document: &mut Document) {
    let count = list.len();
    match edit {
        Edit::Add(name, bytes) => {
            let outcome = document.add(Name::new(name).unwrap(), bytes);
            assert_eq!(outcome.is_err(), is_taken(list, name, None));
            if let Ok(at) = outcome {
                assert_eq!(at, place(list, &room(name)));
                list.insert(at, (room(name), Some(bytes.clone())));
            }
        }
        Edit::RebuildLookup => document.rebuild_lookup(),
        Edit::MakeCanonical => {
            document.make_canonical().unwrap();
            for (name, _) in list.iter_mut() {
                *name = zero_filled(*name);
            }
            list.sort_by_key(|(name, _)| rank(name));
        }
        _ if count == 0 => {}
        Edit::Remove(at) => {
            list.remove(at.index(count));
            document.remove(at.index(count)).unwrap();
        }
        Edit::Replace(at, bytes) => {
            list[at.index(count)].1 = Some(bytes.clone());
            document.replace(at.index(count), bytes).unwrap();
        }
        Edit::Rename(at, name) => {
            let from = at.index(count);
            let outcome = document.rename(from, Name::new(name).unwrap());
            assert_eq!(outcome.is_err(), is_taken(list, name, Some(from)));
            if let Ok(to) = outcome {
                let (old, bytes) = list.remove(from);
                let wanted = if rank(&old) == rank(&room(name)) { from } else { place(list, &room(name)) };
                assert_eq!(to, wanted);
                list.insert(to, (room(name), bytes));
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn an_archive_holds_after_edits_what_a_list_holds(raw in archive(8), edits in vec(edit(), 1..12)) {
        let mut document = document(&raw.bytes());
        let mut list = model(&document);
        let was_grouped = is_grouped(document.entries.iter().map(|entry| entry.name.text()));
        for edit in &edits {
            apply(edit, &mut list, &mut document);
            prop_assert_eq!(&model(&document), &list, "{:?}", edit);
            if was_grouped {
                prop_assert!(is_grouped(document.entries.iter().map(|entry| entry.name.text())));
            }
            if list.iter().all(|(_, bytes)| bytes.is_some()) && document.conflicts.is_some() {
                let again = lgp_common::document(&write(&document).unwrap());
                prop_assert_eq!(&again, &document);
            }
        }
    }
}
