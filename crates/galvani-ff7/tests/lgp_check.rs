//! Every case of `testdata/lgp` with its report beside it, and every code with a case.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

mod lgp_common;

use std::collections::BTreeSet;

use galvani_core::{EditError, Read, Report, Strictness};
use galvani_ff7::lgp::{Document, Name, Place, check, read, write};
use galvani_testkit::{assemble_file, located, snapshot_beside, told};
use lgp_common::{case, cases, document, name, options};

#[test]
fn every_case_has_the_report_beside_it() {
    insta::glob!("../../../testdata/lgp", "*/build.txt", |listing| {
        let file = assemble_file(listing);
        let say = |found: &Read<Document>| ("reads\n".to_owned(), located(found, check));
        snapshot_beside!(listing, told(&file, read, say));
    });
}

/// Everything that is wrong with a file.
fn outcome(file: &[u8], strictness: Strictness) -> Report {
    match read(file, &options(strictness)) {
        Ok(found) => located(&found, check),
        Err(error) => error.into_report(),
    }
}

#[test]
fn every_code_is_provoked_by_a_case_or_an_edit() {
    let mut provoked = BTreeSet::new();
    for (_, file) in cases() {
        provoked
            .extend(outcome(&file, Strictness::Tolerant).findings().iter().map(|finding| finding.code.name));
    }
    provoked.extend(codes_of_edits());
    let all: BTreeSet<&str> = check::ALL.iter().map(|code| code.name).collect();
    assert_eq!(provoked, all);
}

/// The codes that only edits and wrongly made documents meet.
fn codes_of_edits() -> Vec<&'static str> {
    let code = |error: EditError| error.cause.code.name;
    let lost = document(&case("layout")).make_canonical().unwrap();
    let mut torn = document(&case("worked-example"));
    torn.entries[1].place = Place::Held { block: 1, start: 1, len: 8 };
    let mut stray = document(&case("worked-example"));
    stray.entries[1].place = Place::Outside { offset: 3700 };
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
            place: Place::Held { block: 0, start: i, len: 64 * count - i },
            ..crowd.entries[0].clone()
        };
        crowd.entries.push(entry);
    }
    crowd
}

#[test]
fn every_code_has_the_formats_name_and_says_what_and_what_to_do() {
    let names: BTreeSet<&str> = check::ALL.iter().map(|code| code.name).collect();
    assert_eq!(names.len(), check::ALL.len(), "a name is there twice");
    for code in check::ALL {
        assert!(code.name.starts_with("lgp."), "{}", code.name);
        assert!(!code.summary.is_empty() && !code.help.is_empty(), "{}", code.name);
    }
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
