//! Values and the bytes they are, from an assembler that knows nothing of our writer.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

mod lgp_common;

use galvani_core::ReadOptions;
use galvani_ff7::lgp::{
    Archive, Block, Conflict, Document, Entry, RecordPlace, Slot, build_lookup, is_grouped, read, slot_of,
    write,
};
use galvani_testkit::round_trips;
use lgp_common::raw::{self, record, room};
use lgp_common::{case, document, name};

fn worked_document() -> Document {
    let entry = |text: &str, block, len| Entry {
        name: name(text),
        check: 14,
        conflict: 0,
        place: RecordPlace::Held { block, start: 0, len },
    };
    let block = |text: &str, bytes: &[u8]| Block { bytes: record(room(text.as_bytes()), bytes), gap: vec![] };
    let mut lookup = Box::new([Slot::default(); 900]);
    lookup[0] = Slot { first: 1, count: 1 };
    lookup[530] = Slot { first: 2, count: 2 };
    Document {
        magic: *b"\0\0SQUARESOFT",
        entries: vec![entry("a.txt", 0, 5), entry("rtaa", 1, 8), entry("rtda", 2, 0)],
        lookup,
        conflicts: Some(vec![]),
        lead: vec![],
        blocks: vec![block("a.txt", b"alpha"), block("rtaa", b"skeleton"), block("rtda", b"")],
        tail: Some(vec![]),
    }
}

#[test]
fn the_listing_is_the_layout_of_the_facts() {
    let mut wanted = b"\0\0SQUARESOFT\x03\0\0\0".to_vec();
    for (text, offset) in [("a.txt", 3699_u32), ("rtaa", 3728), ("rtda", 3760)] {
        wanted.extend(room(text.as_bytes()));
        wanted.extend(offset.to_le_bytes());
        wanted.extend([14, 0, 0]);
    }
    wanted.extend([1, 0, 1, 0]);
    wanted.extend([0; 529 * 4]);
    wanted.extend([2, 0, 2, 0]);
    wanted.extend([0; 369 * 4]);
    wanted.extend([0, 0]);
    wanted.extend([&room(b"a.txt")[..], &[5, 0, 0, 0], b"alpha"].concat());
    wanted.extend([&room(b"rtaa")[..], &[8, 0, 0, 0], b"skeleton"].concat());
    wanted.extend([&room(b"rtda")[..], &[0, 0, 0, 0]].concat());
    wanted.extend(b"FINAL FANTASY7");
    assert_eq!(case("worked-example"), wanted);
}

#[test]
fn the_worked_example_reads_as_its_document() {
    assert_eq!(document(&case("worked-example")), worked_document());
}

#[test]
fn the_document_of_the_worked_example_writes_its_bytes() {
    assert_eq!(write(&worked_document()).unwrap(), case("worked-example"));
}

#[test]
fn the_same_archive_built_by_adding_entries_in_any_order_has_the_same_bytes() {
    let files = [("a.txt", &b"alpha"[..]), ("rtaa", b"skeleton"), ("rtda", b"")];
    for order in [[0, 1, 2], [1, 2, 0], [1, 0, 2]] {
        let mut built = Document::default();
        for (text, bytes) in order.map(|i: usize| files[i]) {
            built.add(name(text), bytes).unwrap();
        }
        assert_eq!(built, worked_document(), "{order:?}");
        assert_eq!(write(&built).unwrap(), case("worked-example"));
    }
}

#[test]
fn the_empty_archive_is_its_tables_and_its_end() {
    let file = case("empty");
    assert_eq!(file.len(), 16 + 3600 + 2 + 14);
    assert_eq!(write(&Document::default()).unwrap(), file);
    assert_eq!(document(&file), Document::default());
}

#[test]
fn conflicts_name_the_folders_of_entries() {
    let read = document(&case("conflicts"));
    let mut directory = [0; 128];
    directory[..11].copy_from_slice(b"data/battle");
    let groups = read.conflicts.unwrap();
    assert_eq!(groups[0][1], Conflict { directory, entry_index: 1 });
    assert_eq!((groups.len(), groups[0].len()), (1, 2));
    assert_eq!(read.entries[1].conflict, 1);
}

#[test]
fn a_slot_is_thirty_times_the_first_character_and_the_second_and_one() {
    assert_eq!(slot_of(b"aa"), Some(1));
    assert_eq!(slot_of(b"rtda"), Some(17 * 30 + 19 + 1));
    assert_eq!(slot_of(b"RTDA"), slot_of(b"rtda"));
    assert_eq!(slot_of(b"zz"), Some(776));
    assert_eq!(slot_of(b"09.tex"), Some(10));
    assert_eq!(slot_of(b"_-"), Some(10 * 30 + 11 + 1));
    assert_eq!(slot_of(b"b.tex"), Some(30), "a dot counts -1");
    assert_eq!(slot_of(b"a."), Some(0));
}

#[test]
fn a_name_of_other_characters_has_no_slot() {
    for odd in [&b""[..], b"a", b" a", b"a b", b"\xe9a", b"a\xe9", b".a", b".9x", b"..", b"a\0"] {
        assert_eq!(slot_of(odd), None, "{odd:?}");
    }
    assert_eq!(slot_of(b".z"), None, "-30 + 25 + 1 is no slot");
}

#[test]
fn every_pair_of_characters_has_the_slot_of_the_slow_account() {
    for first in 0..=255_u8 {
        for second in 0..=255_u8 {
            assert_eq!(slot_of(&[first, second, b'x']), raw::slot(&[first, second, b'x']));
        }
    }
}

#[test]
fn a_table_lists_the_first_run_of_a_slot() {
    let table = build_lookup(["aa", "ab1", "AB2", "cc", "ab3"]);
    assert_eq!((table[1], table[2]), (Slot { first: 1, count: 1 }, Slot { first: 2, count: 2 }));
    assert_eq!(table[2].rows(), 1..3);
    assert_eq!(table.iter().filter(|slot| **slot != Slot::default()).count(), 3);
    assert!(!is_grouped(["aa", "ab1", "AB2", "cc", "ab3"]));
    assert!(is_grouped(["cc", "aa", "ab", "é", "z"]));
}

#[test]
fn rows_that_sixteen_bits_do_not_reach_are_not_listed() {
    let names: Vec<&str> = std::iter::repeat_n("aa", 65_534).chain(["bb", "cc"]).collect();
    let table = build_lookup(names);
    assert_eq!(table[1], Slot { first: 1, count: 65_534 });
    assert_eq!(table[30 + 1 + 1], Slot { first: 65_535, count: 1 });
    assert_eq!(table[2 * 30 + 2 + 1], Slot::default());
}

#[test]
fn the_opened_archive_shows_what_the_document_holds() {
    let file = case("worked-example");
    let archive = Archive::open(&file).unwrap();
    assert_eq!((archive.entries().len(), archive.records_offset()), (3, 3699));
    assert_eq!(archive.payload(1), Some(&b"skeleton"[..]));
    assert_eq!(archive.payload(2), Some(&[][..]));
    assert_eq!(archive.payload(3), None);
    assert_eq!(archive.record_name(0), Some(&b"a.txt"[..]));
    assert_eq!((archive.find(b"RTDA"), archive.find(b"A.TXT")), (Some(2), Some(0)));
}

#[test]
fn every_byte_of_the_worked_example_has_a_name() {
    let file = case("worked-example");
    let found = round_trips(&file, |file| read(file, &ReadOptions::default()), write);
    let mut names = Vec::new();
    found.map.rows(&file, |row| names.push(format!("{:x} {}", row.offset, row.path)));
    assert_eq!(
        names[..4],
        ["0 header.zeros", "2 header.creator", "c header.file_count", "10 entries[0].name"]
    );
    assert_eq!(names.last().unwrap(), "ec8 terminator");
    for wanted in
        ["8a9 lookup[530].first", "e71 conflicts.group_count", "ea4 records[1].size", "ea8 payloads[1]"]
    {
        assert!(names.contains(&wanted.to_owned()), "{wanted}");
    }
}
