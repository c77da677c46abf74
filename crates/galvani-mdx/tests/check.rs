//! Every case of `testdata/mdx` with its report beside it, and every code with a case.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

mod common;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use common::{case, cases, codes, found, report, strictly};
use galvani_core::{Path, Read, Report, Severity, Strictness};
use galvani_mdx::{Content, Document, check, read, write};
use galvani_testkit::{assemble_file, report_text, snapshot_beside};

#[test]
fn every_case_has_the_report_beside_it() {
    insta::glob!("../../../testdata/mdx", "*/build.txt", |listing| {
        let file = assemble_file(listing);
        snapshot_beside!(listing, report_text(&file, read, |found| (shown(found), report(found))));
    });
}

/// What a file was read as.
fn shown(found: &Read<Document>) -> String {
    let Document { family_verdict, version, .. } = &found.document;
    let mut text = format!("reads as {} {version}, by {}\n", family_verdict.family, family_verdict.by.word());
    for verdict in &found.readings {
        writeln!(text, "{}: {}: {}", verdict.topic, verdict.taken, verdict.why).unwrap();
    }
    text
}

/// Everything found in a file.
fn outcome(file: &[u8]) -> Report {
    match read(file, &strictly(Strictness::Tolerant)) {
        Ok(found) => report(&found),
        Err(error) => error.into_report(),
    }
}

#[test]
fn every_code_is_provoked_by_a_case() {
    let mut provoked = BTreeSet::new();
    for (_, file) in cases() {
        provoked.extend(outcome(&file).findings().iter().map(|finding| finding.code.name));
    }
    provoked.insert(lists_apart());
    // Nobody has four gigabytes for a test.
    provoked.insert(check::TOO_LARGE.name);
    let all: BTreeSet<&str> = check::ALL.iter().map(|code| code.name).collect();
    assert_eq!(provoked, all);
}

/// The code of a document that was put together wrongly.
fn lists_apart() -> &'static str {
    let mut document = found(&case("plain-warcraft")).document;
    for chunk in &mut document.chunks {
        if let Content::Bones(records) = &mut chunk.content {
            records.typed_mut().for_each(|(_, bone)| bone.node.tracks[0].times.push(7));
        }
    }
    write(&document).unwrap_err().cause.code.name
}

#[test]
fn every_code_has_the_formats_name_and_says_what_and_what_to_do() {
    let names: BTreeSet<&str> = check::ALL.iter().map(|code| code.name).collect();
    assert_eq!(names.len(), check::ALL.len(), "a name is there twice");
    for code in check::ALL {
        assert!(code.name.starts_with("mdx."), "{}", code.name);
        assert!(!code.summary.is_empty() && !code.help.is_empty(), "{}", code.name);
    }
}

#[test]
fn sound_models_of_every_layout_have_no_findings() {
    for name in ["plain-warcraft", "plain-wow", "plain-1500", "plain-900"] {
        assert_eq!(codes(&case(name)), Vec::<&str>::new(), "{name}");
        assert!(read(&case(name), &strictly(Strictness::Strict)).is_ok(), "{name}");
    }
}

#[test]
fn a_check_changes_nothing_and_says_the_same_twice() {
    for (case, file) in cases() {
        let Ok(found) = read(&file, &strictly(Strictness::Tolerant)) else { continue };
        let before = found.document.clone();
        assert_eq!(check(&found.document), check(&found.document), "{case}");
        assert_eq!(found.document, before, "{case}");
    }
}

#[test]
fn strictness_stops_at_what_cannot_be_read_and_at_nothing_else() {
    for (case, file) in cases() {
        let Ok(found) = read(&file, &strictly(Strictness::Tolerant)) else { continue };
        let strict = read(&file, &strictly(Strictness::Strict));
        let raw = report(&found).findings().iter().any(|finding| {
            let is_raw = finding.message.contains(" at +0x");
            let is_doubtful = [&check::INTERPOLATION, &check::RECORD_COUNT].contains(&finding.code);
            finding.severity == Severity::Error && (is_raw || is_doubtful)
        });
        assert_eq!(strict.is_err(), raw, "{case}");
        if let Err(error) = strict {
            assert!(error.cause.offset.is_some(), "{case}: {error}");
        }
    }
}

#[test]
fn an_unknown_chunk_without_bytes_is_both() {
    let file = [case("plain-warcraft"), b"MDVI\0\0\0\0".to_vec()].concat();
    let told = codes(&file);
    assert!(told.contains(&check::CHUNK_EMPTY.name) && told.contains(&check::CHUNK_UNKNOWN.name), "{told:?}");
    // A known one is only empty.
    let file = [case("plain-warcraft"), b"FAFX\0\0\0\0".to_vec()].concat();
    let told = codes(&file);
    assert!(
        told.contains(&check::CHUNK_EMPTY.name) && !told.contains(&check::CHUNK_UNKNOWN.name),
        "{told:?}"
    );
}

#[test]
fn a_sequence_that_starts_before_0_is_no_trouble() {
    assert_eq!(codes(&case("sequence-negative")), Vec::<&str>::new());
    let found = found(&case("sequence-negative"));
    let row = found.document.sequences()[0];
    assert_eq!((row.window(), row.written()), ((-167, 1000), (4_294_967_129, 1000)));
}

#[test]
fn a_window_that_lies_before_0_altogether_is_in_order() {
    let mut file = case("sequence-negative");
    let end = Path::named("SEQS").index(0).field("end");
    let at = usize::try_from(found(&file).map.offset_of(&end).unwrap()).unwrap();
    file[at..][..4].copy_from_slice(&(-20_i32).to_le_bytes());
    assert_eq!(found(&file).document.sequences()[0].window(), (-167, -20));
    assert!(!codes(&file).contains(&"mdx.sequence-reversed"));
}
