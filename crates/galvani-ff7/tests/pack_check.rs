//! Every case of `testdata/ff7-pack` with its report beside it, and every code with a case.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

#[path = "common/pack.rs"]
mod common;

use std::collections::BTreeSet;
use std::fmt::Write as _;

use common::{case, cases, found, strictly};
use galvani_core::{Read, Reading, Report, Severity, Strictness, WantedReading};
use galvani_ff7::pack::{
    Document, Entry, EntryContent, KnownSkeleton, Surveyed, check, is_shaped, read, survey, write,
};
use galvani_testkit::{assemble_file, report_text, snapshot_beside};

#[test]
fn every_case_has_the_report_beside_it() {
    insta::glob!("../../../testdata/ff7-pack", "*/build.txt", |listing| {
        let file = assemble_file(listing);
        snapshot_beside!(
            listing,
            report_text(&file, read, |found| (walked(found), common::report(found, &file)))
        );
    });
}

/// How a file was walked, and what was found there.
fn walked(found: &Read<Document>) -> String {
    let walk = &found.readings[0];
    let mut text = format!("reads as {}: {}\n", walk.taken, walk.why);
    for (entry, surveyed) in found.document.entries.iter().zip(&survey(&found.document, None).entries) {
        writeln!(text, "{}", shown(entry, surveyed)).unwrap();
    }
    text
}

/// What an entry holds, on a line.
fn shown(entry: &Entry, surveyed: &Surveyed) -> String {
    let kind = surveyed.kind();
    match surveyed.clip() {
        Some(clip) => format!(
            "- {kind}: {} frames of {} rotations at key {}, {} bits and {} of slack, {} bytes behind them",
            clip.engine.frames,
            clip.rotations,
            clip.key,
            clip.engine.bit,
            clip.slack_bits(entry),
            clip.trailing(entry).len()
        ),
        None => format!("- {kind}: {} bytes", entry.payload.len()),
    }
}

/// Everything found in a file.
fn outcome(file: &[u8]) -> Report {
    match read(file, &strictly(Strictness::Tolerant)) {
        Ok(found) => common::report(&found, file),
        Err(error) => error.into_report(),
    }
}

/// Codes that only a document put together wrongly meets, or an edit, or one whose skeleton is known: tests of their
/// own provoke them.
const OF_WRITES: &[&str] = &["ff7-pack.chunk-size", "ff7-pack.too-large", "ff7-pack.skeleton-bones"];

#[test]
fn rotations_are_held_against_the_skeleton_where_it_is_known() {
    let (_, file) = cases().into_iter().find(|(name, _)| name == "plain").unwrap();
    let mut document = read(&file, &galvani_core::ReadOptions::default()).unwrap().document;
    let rotations = usize::try_from(document.entries[0].dw_bones).unwrap();
    for (bones, wanted) in [(rotations - 1, false), (rotations, true)] {
        document.skeleton = Some(KnownSkeleton::beside(bones, 1));
        let mut report = Report::default();
        check::skeleton_bones(&document, &mut report);
        let found = report.findings().iter().any(|finding| finding.code == &check::SKELETON_BONES);
        assert_eq!(found, wanted, "{bones} bones: {:?}", report.findings());
    }
}

#[test]
fn every_code_is_provoked_by_a_case() {
    let mut provoked: BTreeSet<&str> = OF_WRITES.iter().copied().collect();
    for (_, file) in cases() {
        provoked.extend(outcome(&file).findings().iter().map(|finding| finding.code.name));
    }
    let all: BTreeSet<&str> = check::ALL.iter().map(|code| code.name).collect();
    assert_eq!(provoked, all);
}

#[test]
fn a_code_of_the_case_named_after_it_is_provoked_there() {
    for (name, file) in cases() {
        let code = format!("ff7-pack.{name}");
        if check::ALL.iter().any(|it| it.name == code) {
            assert!(outcome(&file).findings().iter().any(|it| it.code.name == code), "{code}");
        }
    }
}

#[test]
fn a_header_that_does_not_count_its_payload_is_not_written() {
    let mut document = found(&case("plain"), WantedReading::Auto).document;
    document.entries[0].payload.push(0);
    assert_eq!(write(&document).unwrap_err().cause.code, &check::CHUNK_SIZE);
    // What one walk steps over is not what the other does.
    let mut document = found(&case("plain"), WantedReading::Auto).document;
    document.walk = Reading::Documented;
    let error = write(&document).unwrap_err();
    assert_eq!(error.cause.code, &check::CHUNK_SIZE);
    assert_eq!(error.cause.path.to_string(), "entries[1].dw_chunk_size");
}

#[test]
fn more_entries_than_a_count_can_say_are_not_written() {
    let entries = vec![Entry::new(1, 1, vec![0; 4])];
    let document = Document { entries, missing: u32::MAX, ..Document::default() };
    assert_eq!(write(&document).unwrap_err().cause.code, &check::TOO_LARGE);
}

#[test]
fn every_code_has_the_formats_name_and_says_what_and_what_to_do() {
    let names: BTreeSet<&str> = check::ALL.iter().map(|code| code.name).collect();
    assert_eq!(names.len(), check::ALL.len(), "a name is there twice");
    for code in check::ALL {
        assert!(code.name.starts_with("ff7-pack."), "{}", code.name);
        assert!(!code.summary.is_empty() && !code.help.is_empty(), "{}", code.name);
    }
}

#[test]
fn a_good_pack_has_no_findings() {
    for name in ["plain", "documented", "empty-file"] {
        let worse = outcome(&case(name)).findings().iter().filter(|it| it.severity > Severity::Note).count();
        assert_eq!(worse, 0, "{name}");
    }
    assert_eq!(outcome(&case("plain")).findings(), []);
}

#[test]
fn a_check_changes_nothing_and_says_the_same_twice() {
    for (case, file) in cases() {
        let Ok(found) = read(&file, &strictly(Strictness::Tolerant)) else { continue };
        let before = found.document.clone();
        assert_eq!(check(&found.document, None), check(&found.document, None), "{case}");
        assert_eq!(found.document, before, "{case}");
    }
}

#[test]
fn strictness_stops_at_the_first_error_and_at_nothing_else() {
    for (case, file) in cases() {
        let strict = read(&file, &strictly(Strictness::Strict));
        let report = outcome(&file);
        let first = report.findings().iter().find(|it| it.severity == Severity::Error);
        assert_eq!(strict.is_err(), first.is_some(), "{case}");
        if let (Err(error), Some(first)) = (strict, first) {
            assert_eq!((error.cause.code, error.cause.offset), (first.code, first.offset), "{case}");
        }
    }
}

#[test]
fn packs_are_known_by_their_shape() {
    for name in
        ["plain", "synthetic", "documented", "rotations", "padding", "frames-played", "pair", "block-order"]
    {
        assert!(is_shaped(&case(name)), "{name}");
    }
    for name in ["truncated", "count", "count-huge", "rest", "short", "empty-file", "no-frame-count"] {
        assert!(!is_shaped(&case(name)), "{name}");
    }
    assert!(!is_shaped(b""));
    assert!(!is_shaped(&[0; 64]));
}

#[test]
fn a_skeleton_moves_the_border_and_with_it_the_findings() {
    let document = found(&case("plain"), WantedReading::Auto).document;
    let codes = |bones, body_animations| {
        let skeleton = KnownSkeleton::beside(bones, body_animations);
        let report = check(&document, Some(&skeleton));
        report.findings().iter().map(|finding| finding.code.name).collect::<Vec<_>>()
    };
    assert_eq!(codes(1, 2), Vec::<&str>::new());
    assert_eq!(codes(1, 4), Vec::<&str>::new());
    assert_eq!(codes(1, 1), ["ff7-pack.block-order"]);
}

#[test]
fn the_broken_entry_gives_its_nine_frames() {
    let document = found(&case("no-frame-count"), WantedReading::Auto).document;
    let survey = survey(&document, None);
    assert!(matches!(survey.entries[0].content, EntryContent::Damaged { .. }));
    let clip = survey.entries[0].clip().unwrap();
    assert_eq!((clip.engine.frames, clip.engine.bit, clip.rotations), (9, 2579, 22));
    assert_eq!((clip.s_size, clip.key.byte(), document.entries[0].payload.len()), (323, 4, 328));
}
