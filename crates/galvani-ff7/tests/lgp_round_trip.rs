//! Laws over generated archive files: what reads is written back byte for byte, and every byte is known.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

mod lgp_common;

use galvani_core::{ReadOptions, Severity, Strictness};
use galvani_ff7::lgp::{Archive, Document, check, read, write};
use galvani_testkit::{findings_are_placed, options, reads_or_refuses, round_trips};
use lgp_common::document;
use lgp_common::raw::{RawArchive, canonical};
use lgp_common::strategy::archive;
use proptest::prelude::*;

/// Everything that must hold for one archive, however odd.
fn obeys_the_laws(raw: &RawArchive) {
    let file = raw.bytes();
    let found = round_trips(&file, |file| read(file, &ReadOptions::default()), write);
    let opened = Archive::open(&file).unwrap();
    for (i, row) in raw.rows.iter().enumerate() {
        let entry = &found.document.entries[i];
        assert_eq!((entry.name.0, entry.check, entry.conflict), (row.name, row.check, row.conflict));
        let wanted = raw.payload(i);
        assert_eq!(found.document.payload(i), wanted.as_deref());
        assert_eq!(opened.payload(i), wanted.as_deref());
    }
    assert_eq!(held(&found.document) + opened.records_offset(), file.len(), "every byte is there once");

    let report = findings_are_placed(&found, file.len(), check);
    let strict = options(Strictness::Strict);
    let damaged = raw.magic != *b"\0\0SQUARESOFT"
        || raw.records() == raw.tables()
        || (0..raw.rows.len()).any(|i| raw.payload(i).is_none());
    let read_strictly = reads_or_refuses("lgp", &file, |file| read(file, &strict), write);
    assert_eq!(read_strictly.is_none(), damaged, "strictness stops at damage and at nothing else");
    assert!(!damaged || report.tally(Severity::Error) > 0, "what strictness stops at is an error");
}

/// Bytes that a document holds behind its tables.
fn held(document: &Document) -> usize {
    let blocks: usize = document.blocks.iter().map(|block| block.bytes.len() + block.gap.len()).sum();
    document.lead.len() + blocks + document.tail.as_ref().map_or(0, |tail| tail.len() + 14)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn every_archive_that_reads_is_written_back_the_same(raw in archive(12)) {
        obeys_the_laws(&raw);
    }

    #[test]
    fn the_canonical_form_has_the_same_files_by_slot_and_stays_as_it_is(raw in archive(12)) {
        let mut once = document(&raw.bytes());
        once.make_canonical().unwrap();
        let mut files: Vec<_> =
            (0..raw.rows.len()).map(|i| (i, raw.rows[i].name, raw.payload(i))).collect();
        files.sort_by_key(|(i, name, _)| {
            (lgp_common::raw::slot(lgp_common::raw::before_nul(name)).unwrap_or(900), *i)
        });
        for (entry, (_, name, bytes)) in files.iter().enumerate() {
            prop_assert_eq!(once.entries[entry].name.0, lgp_common::raw::zero_filled(*name));
            prop_assert_eq!(once.payload(entry), bytes.as_deref());
        }
        let mut twice = once.clone();
        prop_assert_eq!(twice.make_canonical().unwrap().findings().len(), 0);
        prop_assert_eq!(&twice, &once);
        if files.iter().all(|(_, _, bytes)| bytes.is_some()) {
            prop_assert!(once.has_canonical_layout());
            prop_assert_eq!(&document(&write(&once).unwrap()), &once);
        }
    }

    #[test]
    fn plain_files_become_what_the_writer_of_the_facts_writes(
        files in prop::collection::btree_map(lgp_common::strategy::short_name(), any::<Vec<u8>>(), 0..12),
    ) {
        let mut built = Document::default();
        let mut plain = Vec::new();
        for (name, bytes) in files {
            let lower = name.to_ascii_lowercase();
            if built.find(&name).is_none() {
                built.add(galvani_ff7::lgp::Name::new(&lower).unwrap(), &bytes).unwrap();
                plain.push((lgp_common::raw::room(&lower), bytes));
            }
        }
        prop_assert_eq!(write(&built).unwrap(), canonical(&plain));
        prop_assert!(built.has_canonical_layout());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 4, max_shrink_iters: 100, ..ProptestConfig::default() })]

    #[test]
    fn large_archives_are_written_back_the_same(raw in archive(2000)) {
        let file = raw.bytes();
        round_trips(&file, |file| read(file, &ReadOptions::default()), write);
    }
}
