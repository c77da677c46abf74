//! Every case of `testdata/nres` with its report beside it, and every code with a case.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

mod common;

use std::collections::BTreeSet;

use common::{cases, document, named};
use galvani_core::{EditError, Read, Report, Strictness};
use galvani_parkan::nres::{Attribute, Document, Name, Payload, check, read, write};
use galvani_testkit::{
    assemble_file, codes_are_sound, every_code_is_provoked, located, report_text, snapshot_beside,
};

#[test]
fn every_case_has_the_report_beside_it() {
    insta::glob!("../../../testdata/nres", "*/build.txt", |listing| {
        let file = assemble_file(listing);
        let say = |found: &Read<Document>| ("reads\n".to_owned(), located(found, check));
        snapshot_beside!(listing, report_text(&file, read, say));
    });
}

/// Everything that is wrong with a file.
fn outcome(file: &[u8], strictness: Strictness) -> Report {
    galvani_testkit::outcome(file, strictness, read, check)
}

#[test]
fn every_code_is_provoked_by_a_case_or_an_edit() {
    let reports = cases::all().into_iter().map(|(_, file)| outcome(&file, Strictness::Tolerant));
    every_code_is_provoked(check::ALL, reports, codes_of_edits());
}

/// The codes that only edits and wrongly made documents meet.
fn codes_of_edits() -> Vec<&'static str> {
    let code = |error: EditError| error.cause.code.name;
    let mut dropping = document(&cases::case("unindexed"));
    let lost = dropping.make_canonical().unwrap();
    let mut torn = document(&cases::case("worked-example"));
    torn.entries[1].payload = Payload::Held { block: 1, start: 1, len: 8 };
    let mut stray = document(&cases::case("worked-example"));
    stray.entries[1].payload = Payload::Outside { offset: 16, size: 8 };
    vec![
        code(Document::default().remove(0).unwrap_err()),
        code(Name::new(b"").unwrap_err()),
        code(Name::new(&[b'x'; 36]).unwrap_err()),
        code(crowd(100).make_canonical().unwrap_err()),
        lost.findings()[0].code.name,
        write(&torn).unwrap_err().cause.code.name,
        write(&stray).unwrap_err().cause.code.name,
    ]
}

/// An archive of many entries that all claim the same bytes.
fn crowd(count: usize) -> Document {
    let mut crowd = Document::default();
    crowd.push(named("first"), vec![1; 64 * count]).unwrap();
    for _ in 1..count {
        crowd.push(named("other"), vec![]).unwrap();
    }
    for entry in &mut crowd.entries {
        entry.payload = Payload::Held { block: 0, start: 0, len: 64 * count };
    }
    crowd
}

#[test]
fn every_code_has_the_formats_name_and_says_what_and_what_to_do() {
    codes_are_sound("nres", check::ALL);
}

#[test]
fn a_good_archive_has_no_findings() {
    for case in ["worked-example", "empty", "nested"] {
        assert_eq!(outcome(&cases::case(case), Strictness::Strict).findings(), [], "{case}");
    }
}

#[test]
fn a_check_changes_nothing_and_says_the_same_twice() {
    let hostile = document(&cases::case("hostile"));
    let before = hostile.clone();
    assert_eq!(check(&hostile), check(&hostile));
    assert_eq!(hostile, before);
}

#[test]
fn findings_go_where_the_edit_that_mends_them_was_made() {
    let mut mended = document(&cases::case("hostile"));
    let names = |document: &Document| -> BTreeSet<&str> {
        check(document).findings().iter().map(|finding| finding.code.name).collect()
    };
    mended.rebuild_sort_table();
    assert!(!names(&mended).contains(check::SORT_TABLE_BROKEN.name));
    mended.make_canonical().unwrap();
    mended.rename(0, Name::new(b"a").unwrap()).unwrap();
    mended.rename(1, Name::new(b"b").unwrap()).unwrap();
    mended.remove(2).unwrap();
    mended.set(0, Attribute::TypeId, 1).unwrap();
    assert_eq!(names(&mended), BTreeSet::from([check::VERSION_UNKNOWN.name]));
}
