//! Every case of `testdata/gltf` with its report beside it, and every code with a case; no damage loses a byte.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a failed test")]

use galvani_core::{Report, Strictness};
use galvani_gltf::document::{Document, check, read, write};
use galvani_testkit::{Subject, snapshot_beside, truncations, word_damage};

const SUBJECT: Subject<Document> = Subject { id: "gltf", read, write, check, codes: check::ALL };

#[test]
fn every_case_reports_what_stands_beside_it() {
    insta::glob!("../../..", "testdata/gltf/*/build.txt", |listing| {
        snapshot_beside!(listing, SUBJECT.report_text(listing));
    });
}

#[test]
fn every_code_is_provoked() {
    // Who looks for files beside the document is another; see below.
    SUBJECT.every_code_is_provoked(&["gltf.missing-file"]);
}

#[test]
fn files_that_are_not_there_are_missed() {
    let document = SUBJECT.document(&SUBJECT.case("buffers"));
    let mut report = Report::default();
    check::files(&document, |name| name != "beside.bin", &mut report);
    let found: Vec<_> = report.findings().iter().map(|one| (one.code.name, one.path.to_string())).collect();
    assert_eq!(found, [("gltf.missing-file", "buffers[5].uri".to_owned())]);
    let mut report = Report::default();
    check::files(&document, |_| true, &mut report);
    assert!(report.findings().is_empty());
}

#[test]
fn every_case_comes_back_byte_for_byte() {
    for (name, file) in SUBJECT.cases() {
        let reads = SUBJECT.obeys(&file, Strictness::Tolerant);
        assert!(reads || !SUBJECT.obeys(&file, Strictness::Strict), "{name}: strictness read more");
    }
}

#[test]
fn cut_files_are_read_or_refused() {
    for (_, file) in SUBJECT.cases() {
        for cut in truncations(&file).step_by(3) {
            SUBJECT.obeys(cut, Strictness::Tolerant);
        }
    }
}

#[test]
fn damaged_words_are_read_or_refused() {
    for name in ["plain", "sparse", "joints"] {
        word_damage(&SUBJECT.case(name), |at, damaged| {
            if at % 5 == 0 {
                SUBJECT.obeys(damaged, Strictness::Tolerant);
            }
        });
    }
}

#[test]
fn damaged_letters_are_read_or_refused() {
    for (_, file) in SUBJECT.cases() {
        for at in (0..file.len()).step_by(3) {
            for byte in *b"9\"{]" {
                let mut damaged = file.clone();
                damaged[at] = byte;
                SUBJECT.obeys(&damaged, Strictness::Tolerant);
            }
        }
    }
}
