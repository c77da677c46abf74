//! Looking entries up: through a good sort table, past a bad one, always as a plain look from the start.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

mod common;

use common::document;
use common::raw::{RawArchive, RawRecord, before_nul, folded, room};
use common::strategy::{archive, name};
use galvani_parkan::nres::Archive;
use proptest::prelude::*;

fn first_of_name(raw: &RawArchive, name: &[u8]) -> Option<usize> {
    raw.records.iter().position(|record| folded(before_nul(&record.name)) == folded(name))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 800, ..ProptestConfig::default() })]

    #[test]
    fn a_search_finds_what_a_look_from_the_start_finds(
        raw in archive(20),
        others in prop::collection::vec(name(), 10),
    ) {
        let file = raw.bytes();
        let (archive, document) = (Archive::open(&file).unwrap(), document(&file));
        let swapped = |name: &[u8; 36]| name.map(|byte| {
            if byte.is_ascii_alphabetic() { byte ^ 0x20 } else { byte }
        });
        let own = raw.records.iter().flat_map(|record| [record.name, swapped(&record.name)]);
        for name in own.chain(others) {
            let wanted = first_of_name(&raw, before_nul(&name));
            prop_assert_eq!(archive.find(before_nul(&name)), wanted);
            prop_assert_eq!(document.find(before_nul(&name)), wanted);
        }
    }

    #[test]
    fn a_search_by_type_finds_the_first(raw in archive(20)) {
        let file = raw.bytes();
        let (archive, document) = (Archive::open(&file).unwrap(), document(&file));
        for type_id in 0..5 {
            let wanted = raw.records.iter().position(|record| record.type_id == type_id);
            prop_assert_eq!(archive.find_type(type_id), wanted);
            prop_assert_eq!(document.find_type(type_id), wanted);
        }
    }

    #[test]
    fn an_opened_archive_has_the_payloads_of_its_records(raw in archive(20)) {
        let file = raw.bytes();
        let archive = Archive::open(&file).unwrap();
        for i in 0..raw.records.len() {
            prop_assert_eq!(archive.payload(i), raw.payload(i));
        }
    }
}

/// An archive of empty entries with these names and slots.
fn listed(names: &[&str], slots: &[u32]) -> Vec<u8> {
    let record = |(name, &sort_index): (&&str, &u32)| RawRecord {
        type_id: 1,
        attr1: 0,
        attr2: 0,
        size: 0,
        attr3: 0,
        name: room(name.as_bytes()),
        data_offset: 16,
        sort_index,
    };
    let records = names.iter().zip(slots).map(record).collect();
    RawArchive { version: 0x100, data: vec![], records, tail: vec![] }.bytes()
}

#[test]
fn letters_match_in_any_case_and_nothing_else_does() {
    let file = listed(&["A[1]", "a{1}"], &[0, 1]);
    let archive = Archive::open(&file).unwrap();
    assert_eq!(archive.find(b"a[1]"), Some(0));
    assert_eq!(archive.find(b"A{1}"), Some(1));
    assert_eq!(archive.find(b"A_1"), None);
    assert_eq!(archive.find(b""), None);
    assert_eq!(archive.find(b"A[1]\0"), None);
}

#[test]
fn of_equal_names_the_first_in_the_directory_is_found() {
    let names = ["x", "same", "SAME", "Same"];
    for slots in [[1, 2, 3, 0], [3, 2, 1, 0], [2, 3, 1, 0]] {
        let file = listed(&names, &slots);
        assert_eq!(Archive::open(&file).unwrap().find(b"sAmE"), Some(1), "{slots:?}");
    }
}

#[test]
fn a_table_that_names_strangers_repeats_or_is_out_of_order_is_passed_by() {
    let names = ["c", "a", "b"];
    for slots in [[9, u32::MAX, 3], [0, 0, 0], [0, 1, 2], [2, 1, 0]] {
        let file = listed(&names, &slots);
        let archive = Archive::open(&file).unwrap();
        for (i, name) in names.iter().enumerate() {
            assert_eq!(archive.find(name.as_bytes()), Some(i), "{name} by {slots:?}");
        }
        assert_eq!(archive.find(b"d"), None);
    }
}
