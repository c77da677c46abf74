//! Laws over generated archive files: what reads is written back byte for byte, and every byte is known.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

mod common;

use common::document;
use common::model::Model;
use common::raw::{RawArchive, RawRecord, canonical, number, room};
use common::strategy::archive;
use galvani_core::record::FieldKind;
use galvani_core::{Read, ReadOptions, Severity, Strictness};
use galvani_parkan::nres::{Document, check, read, write};
use galvani_testkit::{findings_are_placed, options, reads_or_refuses, round_trips};
use proptest::prelude::*;

fn round_trip(file: &[u8]) -> Read<Document> {
    round_trips(file, |file| read(file, &ReadOptions::default()), write)
}

/// Everything that must hold for one archive, however odd.
fn obeys_the_laws(raw: &RawArchive) {
    let file = raw.bytes();
    let found = round_trip(&file);
    assert_eq!(Model::of_document(&found.document), Model::of_raw(raw));
    assert_eq!((found.document.version, &found.document.tail), (raw.version, &raw.tail));
    assert_eq!(unowned_bytes(&found, file.len()), raw.unclaimed(), "payloads and gaps");

    let report = findings_are_placed(&found, file.len(), check);
    let strict = options(Strictness::Strict);
    let damaged = raw.version != 0x100
        || !raw.tail.is_empty()
        || (0..raw.records.len()).any(|i| raw.payload(i).is_none());
    let read_strictly = reads_or_refuses("nres", &file, |file| read(file, &strict), write);
    assert_eq!(read_strictly.is_none(), damaged, "strictness stops at damage and at nothing else");
    assert!(!damaged || report.tally(Severity::Error) > 0, "what strictness stops at is an error");
}

/// For each byte between header and directory, whether the map says that no entry owns it.
fn unowned_bytes(found: &Read<Document>, len: usize) -> Vec<bool> {
    let mut unowned = vec![false; len];
    for region in found.map.regions() {
        if region.path.to_string().starts_with("gaps[") {
            unowned[region.start..region.start + region.len].fill(true);
        }
    }
    let end = len - found.document.tail.len() - 64 * found.document.entries.len();
    unowned[16..end].to_vec()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    #[test]
    fn every_archive_that_reads_is_written_back_the_same(raw in archive(12)) {
        obeys_the_laws(&raw);
    }

    #[test]
    fn an_archive_costs_no_more_memory_than_its_file(raw in archive(12)) {
        let document = document(&raw.bytes());
        let held: usize = document.blocks.iter().map(|block| block.bytes.len() + block.gap.len()).sum();
        prop_assert_eq!(held + document.lead.len(), raw.data.len());
    }

    #[test]
    fn the_canonical_form_is_what_the_writer_of_the_facts_writes(raw in archive(12)) {
        let raw = raw.without_strays();
        let mut document = document(&raw.bytes());
        document.make_canonical().unwrap();
        let plain = Model::of_raw(&raw).plain().unwrap();
        prop_assert_eq!(write(&document).unwrap(), canonical(raw.version, &plain));
        prop_assert!(document.has_canonical_layout());
    }

    #[test]
    fn the_canonical_form_stays_as_it_is(raw in archive(12)) {
        let mut once = document(&raw.bytes());
        once.make_canonical().unwrap();
        let mut twice = once.clone();
        let lost = twice.make_canonical().unwrap();
        prop_assert_eq!(lost.findings().len(), 0);
        prop_assert_eq!(twice, once);
    }

    #[test]
    fn what_the_canonical_form_loses_is_reported(raw in archive(12)) {
        let mut document = document(&raw.bytes());
        let unclaimed = raw.unclaimed().into_iter().zip(&raw.data);
        let foreign = unclaimed.filter(|(unclaimed, _)| *unclaimed).map(|(_, byte)| byte).chain(&raw.tail);
        let name_tails = raw.records.iter().flat_map(|record| {
            record.name.iter().skip_while(|&&byte| byte != 0)
        });
        let loses = foreign.chain(name_tails).any(|&byte| byte != 0);
        let report = document.make_canonical().unwrap();
        prop_assert_eq!(report.tally(Severity::Warning) > 0, loses, "{:?}", report);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 6, max_shrink_iters: 200, ..ProptestConfig::default() })]

    #[test]
    fn large_archives_obey_the_same_laws(raw in archive(3000)) {
        obeys_the_laws(&raw);
    }
}

/// The laws at the ends of the range, where a generator may not go.
#[test]
fn archives_of_no_entry_and_of_three_thousand_obey_the_laws() {
    let none = RawArchive { version: 0x100, data: vec![], records: vec![], tail: vec![] };
    obeys_the_laws(&none);
    let record = |i: usize| RawRecord {
        type_id: 1,
        attr1: 0,
        attr2: 0,
        size: 5,
        attr3: 1,
        name: room(format!("e{:04}", (i * 7919) % 3000).as_bytes()),
        data_offset: number(16 + 8 * i),
        sort_index: 0,
    };
    let mut many = RawArchive {
        version: 0x100,
        data: vec![7; 8 * 3000],
        records: (0..3000).map(record).collect(),
        tail: vec![],
    };
    many.sort();
    obeys_the_laws(&many);
}

#[test]
fn padding_is_told_from_other_bytes_in_the_map() {
    let found = round_trip(&common::cases::case("unindexed"));
    let mut kinds = Vec::new();
    found.map.rows(&common::cases::case("unindexed"), |row| {
        if row.path.to_string().starts_with("gaps") {
            kinds.push((row.offset, row.len, row.kind));
        }
    });
    assert_eq!(kinds, [(0x10, 16, FieldKind::Raw), (0x23, 5, FieldKind::Raw)]);
    let found = round_trip(&common::cases::case("worked-example"));
    let padding = found.map.regions().find(|region| region.path.to_string() == "gaps[0]").unwrap();
    assert_eq!(padding.shape, galvani_core::map::Shape::Run(FieldKind::Padding));
}
