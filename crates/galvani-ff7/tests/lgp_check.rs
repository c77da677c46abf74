//! Every case of `testdata/lgp` with its report beside it, and every code with a case.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

mod lgp_common;

use std::collections::BTreeSet;

use galvani_core::{EditError, Read, Report, Strictness};
use galvani_ff7::lgp::{Document, Name, RecordPlace, check, read, write};
use galvani_testkit::{
    assemble_file, codes_are_sound, every_code_is_provoked, located, report_text, snapshot_beside,
};
use lgp_common::{case, cases, document, name};

#[test]
fn every_case_has_the_report_beside_it() {
    insta::glob!("../../../testdata/lgp", "*/build.txt", |listing| {
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
    let reports = cases().into_iter().map(|(_, file)| outcome(&file, Strictness::Tolerant));
    every_code_is_provoked(check::ALL, reports, codes_of_edits());
}

/// The codes that only edits and wrongly made documents meet.
fn codes_of_edits() -> Vec<&'static str> {
    let code = |error: EditError| error.cause.code.name;
    let lost = document(&case("layout")).make_canonical().unwrap();
    let mut torn = document(&case("worked-example"));
    torn.entries[1].place = RecordPlace::Held { block: 1, start: 1, len: 8 };
    let mut stray = document(&case("worked-example"));
    stray.entries[1].place = RecordPlace::Outside { offset: 3700 };
    vec![
        code(Document::default().remove(0).unwrap_err()),
        code(Name::new(b"").unwrap_err()),
        code(Name::new(&[b'x'; 20]).unwrap_err()),
        code(document(&case("worked-example")).add(name("RTAA"), b"").unwrap_err()),
        code(crowd(200).make_canonical().unwrap_err()),
        lost.findings()[0].code.name,
        write(&torn).unwrap_err().cause.code.name,
        write(&stray).unwrap_err().cause.code.name,
    ]
}

/// An archive of many entries whose records all lie in the same bytes.
fn crowd(count: usize) -> Document {
    let mut crowd = Document::default();
    crowd.add(name("first"), &vec![1; 64 * count]).unwrap();
    for i in 1..count {
        let entry = galvani_ff7::lgp::Entry {
            name: name(&format!("other{i}")),
            place: RecordPlace::Held { block: 0, start: i, len: 64 * count - i },
            ..crowd.entries[0].clone()
        };
        crowd.entries.push(entry);
    }
    crowd
}

#[test]
fn every_code_has_the_formats_name_and_says_what_and_what_to_do() {
    codes_are_sound("lgp", check::ALL);
}

#[test]
fn a_good_archive_has_no_findings() {
    for good in ["worked-example", "empty", "conflicts"] {
        assert_eq!(outcome(&case(good), Strictness::Strict).findings(), [], "{good}");
    }
}

#[test]
fn a_check_changes_nothing_and_says_the_same_twice() {
    let hostile = document(&case("hostile"));
    let before = hostile.clone();
    assert_eq!(check(&hostile), check(&hostile));
    assert_eq!(hostile, before);
}

#[test]
fn findings_go_where_the_edit_that_mends_them_was_made() {
    let names = |document: &Document| -> BTreeSet<&str> {
        check(document).findings().iter().map(|finding| finding.code.name).collect()
    };
    let mut mended = document(&case("lookup"));
    mended.rebuild_lookup();
    assert_eq!(names(&mended), BTreeSet::new());
    for odd in ["toc-order", "layout", "record-overlap", "no-terminator", "check-byte", "magic"] {
        let mut mended = document(&case(odd));
        mended.make_canonical().unwrap();
        assert_eq!(names(&mended), BTreeSet::new(), "{odd}");
    }
    let mut mended = document(&case("record-cut"));
    mended.replace(2, b"whole").unwrap();
    assert_eq!(names(&mended), BTreeSet::new());
}
