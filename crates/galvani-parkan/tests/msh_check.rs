//! Every case of `testdata/msh` with its report beside it, and every code with a case.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

#[path = "common/msh.rs"]
mod common;

use std::collections::BTreeSet;

use common::{case, cases, found, reading, strictly, table};
use galvani_core::{Reading, Readings, Report, Severity, Strictness, WantedReading};
use galvani_parkan::msh::{check, read, view};
use galvani_testkit::{assemble_file, report_text, snapshot_beside};

#[test]
fn every_case_has_the_report_beside_it() {
    insta::glob!("../../../testdata/msh", "*/build.txt", |listing| {
        let file = assemble_file(listing);
        let table = table(&listing.parent().unwrap().file_name().unwrap().to_string_lossy());
        let text = report_text(&file, read, |found| {
            let verdict = &found.readings[0];
            let said = format!("reads as {}: {}\n", verdict.taken, verdict.why);
            (said, common::report_beside(found, &file, table.as_deref()))
        });
        snapshot_beside!(listing, text);
    });
}

/// Everything found in a file.
fn outcome(file: &[u8]) -> Report {
    outcome_beside(file, None)
}

/// The same, held also against a material table.
fn outcome_beside(file: &[u8], table: Option<&[u8]>) -> Report {
    match read(file, &strictly(Strictness::Tolerant)) {
        Ok(found) => common::report_beside(&found, file, table),
        Err(error) => error.into_report(),
    }
}

#[test]
fn every_code_is_provoked_by_a_case() {
    let mut provoked = BTreeSet::new();
    for (case, file) in cases() {
        provoked.extend(
            outcome_beside(&file, table(&case).as_deref()).findings().iter().map(|finding| finding.code.name),
        );
    }
    provoked.retain(|name| name.starts_with("msh."));
    let all: BTreeSet<&str> = check::ALL.iter().map(|code| code.name).collect();
    assert_eq!(provoked, all);
}

#[test]
fn every_code_has_the_formats_name_and_says_what_and_what_to_do() {
    let names: BTreeSet<&str> = check::ALL.iter().map(|code| code.name).collect();
    assert_eq!(names.len(), check::ALL.len(), "a name is there twice");
    for code in check::ALL {
        assert!(code.name.starts_with("msh."), "{}", code.name);
        assert!(!code.summary.is_empty() && !code.help.is_empty(), "{}", code.name);
    }
}

#[test]
fn a_good_model_has_no_findings_in_either_form() {
    assert_eq!(outcome(&case("plain")).findings(), []);
    let documented = outcome(&case("documented"));
    let worse: Vec<_> = documented.findings().iter().filter(|it| it.severity > Severity::Note).collect();
    assert_eq!(worse, Vec::<&galvani_core::Diagnostic>::new());
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
fn a_model_in_borrowed_bytes_is_told_the_same_as_a_document() {
    for (case, file) in cases() {
        let Ok(model) = view(&file, &Readings::default()) else { continue };
        let document = found(&file, WantedReading::Auto).document;
        let mut whole = galvani_parkan::nres::check(&document.archive);
        whole.append(check::model(&model));
        assert_eq!(whole, check(&document), "{case}");
    }
}

#[test]
fn a_check_is_the_sum_of_its_four_parts() {
    for (case, file) in cases() {
        let Ok(model) = view(&file, &Readings::default()) else { continue };
        let mut report = Report::default();
        check::structure(&model, &mut report);
        check::ranges(&model, &mut report);
        check::animation(&model, &mut report);
        check::geometry(&model, &mut report);
        assert_eq!(report, check::model(&model), "{case}");
    }
}

#[test]
fn rules_of_the_observed_reading_are_silent_under_the_documented_one() {
    let only_observed = [
        &check::VARIANT_ORDER,
        &check::COCKPIT,
        &check::VERTEX_COUNT,
        &check::NAME_COUNT,
        &check::NAME_UNTERMINATED,
        &check::LIGHTMAP_PAIR,
    ];
    let mut seen = BTreeSet::new();
    for (case, file) in cases() {
        for way in [Reading::Observed, Reading::Documented] {
            let Ok(found) = read(&file, &reading(way)) else { continue };
            let report = check(&found.document);
            for finding in report.findings().iter().filter(|it| only_observed.contains(&it.code)) {
                assert_eq!(way, Reading::Observed, "{case}: {finding}");
                seen.insert(finding.code.name);
            }
        }
    }
    assert_eq!(seen.len(), only_observed.len());
}

#[test]
fn materials_are_held_against_the_rows_beside_the_model_as_observed_only() {
    let file = case("material-row");
    for (way, rows, wanted) in [
        (Reading::Observed, 2, 1),
        (Reading::Observed, 3, 0),
        (Reading::Observed, 0, 0),
        (Reading::Observed, 1, 1),
        (Reading::Documented, 1, 0),
    ] {
        let mut report = Report::default();
        check::materials(&found(&file, way).document.model(), format!("{rows}\n").as_bytes(), &mut report);
        assert_eq!(report.tally(Severity::Warning), wanted, "{rows} rows as {}", way.word());
    }
}

#[test]
fn what_strictness_stops_at_is_what_cannot_be_read() {
    for (name, code) in [
        ("rest-bytes", &check::REST),
        ("bounds-short", &check::BOUNDS_SHORT),
        ("label-cut", &check::LABEL_CUT),
        ("hallways-size", &check::HALLWAYS_SIZE),
        ("truncated", &check::TRUNCATED),
        ("frame", &check::FRAME),
    ] {
        let error = read(&case(name), &strictly(Strictness::Strict)).unwrap_err();
        assert_eq!(error.cause.code, code, "{error}");
        assert!(error.cause.offset.is_some(), "{error}");
    }
    for name in ["plain", "parent-cycle", "vertex-range", "legacy-nodes"] {
        assert!(read(&case(name), &strictly(Strictness::Strict)).is_ok(), "{name}");
    }
}

#[test]
fn a_box_around_the_model_with_or_without_the_travel_of_its_root_is_good() {
    let mut file = case("plain");
    let key = usize::try_from(
        found(&file, WantedReading::Auto).map.offset_of(&galvani_core::Path::named("keys").index(0)).unwrap(),
    );
    let at = key.unwrap();
    file[at..at + 4].copy_from_slice(&5.0_f32.to_le_bytes());
    assert_eq!(outcome(&file).findings(), []);
}

#[test]
fn what_does_no_harm_is_no_warning() {
    let mut unsorted = case("plain");
    let last = unsorted.len() - 4;
    unsorted[last] = 0;
    let report = outcome(&unsorted);
    let [found] = report.findings() else { panic!("{report:?}") };
    assert_eq!((found.code.name, found.severity), ("nres.sort-table-broken", Severity::Note));
    let mut longer = found_document(&case("plain"));
    let mut anim = galvani_parkan::msh::animation::read(&longer.model()).unwrap();
    anim.set_frame_count(9).unwrap();
    let layout = galvani_parkan::msh::animation::Layout::Canonical;
    galvani_parkan::msh::animation::write(&anim, &mut longer, layout).unwrap();
    let report = check(&longer);
    let [found] = report.findings() else { panic!("{report:?}") };
    assert_eq!((found.code, found.severity), (&check::FRAME_COUNT, Severity::Note));
    let past = outcome(&case("map-words"));
    let past = past.findings().iter().find(|found| found.code == &check::MAP_PAST_FALLBACK).unwrap();
    assert!(past.pedantic);
}

fn found_document(file: &[u8]) -> galvani_parkan::msh::Document {
    found(file, WantedReading::Auto).document
}
