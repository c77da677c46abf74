//! Every case of `testdata/nres` with its report beside it, and every code with a case.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

mod common;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use common::{cases, document, named, options};
use galvani_core::{EditError, Report, Strictness};
use galvani_parkan::nres::{Attribute, Document, Name, Payload, check, read, write};
use galvani_testkit::assemble;

#[test]
fn every_case_has_the_report_beside_it() {
    insta::glob!("../../../testdata/nres", "*/build.txt", |listing| {
        let file = assemble(&std::fs::read_to_string(listing).unwrap());
        let mut settings = insta::Settings::clone_current();
        settings.set_snapshot_path(listing.parent().unwrap());
        settings.set_prepend_module_to_snapshot(false);
        settings.set_omit_expression(true);
        settings.remove_snapshot_suffix();
        settings.remove_input_file();
        settings.bind(|| insta::assert_snapshot!("report", told(&file)));
    });
}

/// What a reader of the file is told, in both strictnesses.
fn told(file: &[u8]) -> String {
    let mut text = format!("{} bytes\n\ntolerant: ", file.len());
    let (reads, report) = outcome(file, Strictness::Tolerant);
    text += if reads { "reads\n" } else { "refused\n" };
    for finding in report.findings() {
        writeln!(text, "{}: {finding}", finding.code.severity).unwrap();
        for spot in &finding.more {
            writeln!(text, "    also 0x{:08x} {}", spot.offset.unwrap(), spot.path).unwrap();
        }
        writeln!(text, "    help: {}", finding.help).unwrap();
    }
    text += "\nstrict: ";
    match read(file, &options(Strictness::Strict)) {
        Ok(_) => text += "reads\n",
        Err(error) => writeln!(text, "refused\n{}: {error}", error.cause.code.severity).unwrap(),
    }
    text
}

/// Whether a file reads, and everything that is wrong with it.
fn outcome(file: &[u8], strictness: Strictness) -> (bool, Report) {
    match read(file, &options(strictness)) {
        Ok(found) => {
            let mut report = found.report;
            report.append(check(&found.document));
            report.locate(&found.map);
            (true, report)
        }
        Err(error) => (false, error.into_report()),
    }
}

#[test]
fn every_code_is_provoked_by_a_case_or_an_edit() {
    let mut provoked = BTreeSet::new();
    for (_, file) in cases::all() {
        let (_, report) = outcome(&file, Strictness::Tolerant);
        provoked.extend(report.findings().iter().map(|finding| finding.code.name));
    }
    provoked.extend(codes_of_edits());
    let all: BTreeSet<&str> = check::ALL.iter().map(|code| code.name).collect();
    assert_eq!(provoked, all);
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
    crowd.push(named("first"), vec![1; 64 * count]);
    for _ in 1..count {
        crowd.push(named("other"), vec![]);
    }
    for entry in &mut crowd.entries {
        entry.payload = Payload::Held { block: 0, start: 0, len: 64 * count };
    }
    crowd
}

#[test]
fn every_code_has_the_formats_name_and_says_what_and_what_to_do() {
    let names: BTreeSet<&str> = check::ALL.iter().map(|code| code.name).collect();
    assert_eq!(names.len(), check::ALL.len(), "a name is there twice");
    for code in check::ALL {
        assert!(code.name.starts_with("nres."), "{}", code.name);
        assert!(!code.summary.is_empty() && !code.help.is_empty(), "{}", code.name);
    }
}

#[test]
fn a_good_archive_has_no_findings() {
    for case in ["worked-example", "empty", "nested"] {
        assert_eq!(outcome(&cases::case(case), Strictness::Strict).1.findings(), [], "{case}");
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
