//! Random edits against a list that does the same in the obvious way.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

mod common;

use common::model::Model;
use common::raw::{canonical, sort_table};
use common::strategy::{Edit, archive, edit};
use common::{document, error_count};
use galvani_core::ReadOptions;
use galvani_parkan::nres::{Document, Payload, check, read, write};
use galvani_testkit::every_byte_is_owned;
use proptest::collection::vec;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn an_archive_made_by_edits_is_its_list_and_what_the_facts_would_write(edits in vec(edit(), 0..30)) {
        let (mut made, mut model) = (Document::default(), Model::default());
        for edit in &edits {
            model.edit(edit, &mut made);
            prop_assert_eq!(&Model::of_document(&made), &model, "after {:?}", edit);
            let report = check(&made);
            prop_assert_eq!(report.findings(), [], "after {:?}", edit);
            let written = write(&made).unwrap();
            prop_assert_eq!(&written, &canonical(0x100, &model.plain().unwrap()), "after {:?}", edit);
            prop_assert_eq!(&document(&written), &made, "after {:?}", edit);
        }
    }

    #[test]
    fn edits_on_odd_archives_do_what_they_do_to_the_list(raw in archive(8), edits in vec(edit(), 0..12)) {
        let (mut edited, mut model) = (document(&raw.bytes()), Model::of_raw(&raw));
        for edit in &edits {
            model.edit(edit, &mut edited);
            prop_assert_eq!(&Model::of_document(&edited), &model, "after {:?}", edit);
            prop_assert_eq!(edited.version, raw.version);
            comes_back(&edited, &model);
        }
    }

    /// Every unindexed region stays, from its first to its last byte that is not zero, in file order;
    /// and nothing else becomes one.
    #[test]
    fn unindexed_bytes_survive_all_but_the_canonical_form(raw in archive(8), edits in vec(edit(), 0..12)) {
        let (mut edited, mut model) = (document(&raw.bytes()), Model::of_raw(&raw));
        let (regions, tail) = (unindexed(&edited), edited.tail.clone());
        for edit in edits.iter().filter(|edit| !matches!(edit, Edit::MakeCanonical)) {
            model.edit(edit, &mut edited);
            let kept = gaps(&edited);
            prop_assert!(in_order(&regions, &kept), "{:?} not in {:?} after {:?}", regions, kept, edit);
            prop_assert_eq!(not_zero(&kept), not_zero(&regions), "after {:?}", edit);
            prop_assert_eq!(&edited.tail, &tail);
        }
    }

    #[test]
    fn the_sort_table_is_right_after_every_edit_that_touches_names(raw in archive(8), edit in edit()) {
        let (mut edited, mut model) = (document(&raw.bytes()), Model::of_raw(&raw));
        let before: Vec<u32> = edited.entries.iter().map(|entry| entry.sort_index).collect();
        let done = model.edit(&edit, &mut edited);
        let table: Vec<u32> = edited.entries.iter().map(|entry| entry.sort_index).collect();
        if !done || matches!(edit, Edit::Replace(..) | Edit::Set(..)) {
            prop_assert_eq!(table, before);
        } else {
            let names: Vec<[u8; 36]> = edited.entries.iter().map(|entry| entry.name.0).collect();
            let right = sort_table(&names);
            prop_assert_eq!(table, right);
        }
    }
}

/// The written archive reads again as the same entries with the same bytes, and as the same document if no
/// record leads outside. Such a record is kept as it stands; an archive that grew around it is not written.
fn comes_back(edited: &Document, model: &Model) {
    let file = match write(edited) {
        Ok(file) => file,
        Err(error) => {
            assert_eq!(error.cause.code, &check::PAYLOAD_STRAY, "{error}");
            assert!(edited.entries.iter().any(|entry| matches!(entry.payload, Payload::Outside { .. })));
            return;
        }
    };
    let found = read(&file, &ReadOptions::default()).unwrap();
    every_byte_is_owned(&found.map, file.len());
    let mut again = Model::of_document(&found.document);
    for (again, item) in again.entries.iter_mut().zip(&model.entries) {
        if item.bytes.is_none() {
            again.bytes = None;
        }
    }
    assert_eq!(&again, model);
    if edited.entries.iter().all(|entry| matches!(entry.payload, Payload::Held { .. })) {
        assert_eq!(&found.document, edited);
        assert_eq!(error_count(&found.document), error_count(edited));
    }
}

/// The bytes between payloads, in file order.
fn gaps(document: &Document) -> Vec<Vec<u8>> {
    let behind = document.blocks.iter().map(|block| block.gap.clone());
    std::iter::once(document.lead.clone()).chain(behind).collect()
}

/// The gaps that are not all zero, without the zeros at their ends.
fn unindexed(document: &Document) -> Vec<Vec<u8>> {
    let trimmed = |gap: &Vec<u8>| {
        let first = gap.iter().position(|&byte| byte != 0)?;
        let last = gap.iter().rposition(|&byte| byte != 0)?;
        Some(gap[first..=last].to_vec())
    };
    gaps(document).iter().filter_map(trimmed).collect()
}

/// Whether every region is found in the gaps, each behind the one before.
fn in_order(regions: &[Vec<u8>], gaps: &[Vec<u8>]) -> bool {
    let mut left = regions.iter().peekable();
    for gap in gaps {
        let mut at = 0;
        while let Some(region) = left.peek() {
            let found = (at..=gap.len()).find(|&start| gap[start..].starts_with(region));
            let Some(start) = found else { break };
            at = start + region.len();
            left.next();
        }
    }
    left.peek().is_none()
}

fn not_zero(runs: &[Vec<u8>]) -> Vec<u8> {
    runs.concat().into_iter().filter(|&byte| byte != 0).collect()
}
