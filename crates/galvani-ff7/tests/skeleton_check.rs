//! Every case of `testdata/ff7-skeleton` with its report beside it, and every code with a case.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

use std::collections::BTreeSet;

use galvani_core::{Diagnostic, Report, Severity, Strictness};
use galvani_ff7::names::File;
use galvani_ff7::skeleton::{Bone, Document, check, edit, is_shaped, read, write};
use galvani_testkit::{Subject, options, snapshot_beside};

const SKELETON: Subject<Document> = Subject { id: "ff7-skeleton", read, write, check, codes: check::ALL };

fn plain() -> Document {
    SKELETON.document(&SKELETON.case("plain"))
}

fn told(report: &Report) -> Vec<String> {
    report.findings().iter().map(ToString::to_string).collect()
}

/// What the files that are there are held against.
fn files(document: &Document, there: &[File]) -> Report {
    let mut report = Report::default();
    check::files(document, &|file| there.contains(&file), &mut report);
    report
}

fn animations(document: &Document, entries: usize) -> Report {
    let mut report = Report::default();
    check::animations(document, entries, &mut report);
    report
}

/// More bones than 32 bits can count, of which most are missing.
fn too_large() -> Document {
    Document { bones: vec![Bone::default()], missing: u32::MAX, ..Document::default() }
}

#[test]
fn every_case_has_the_report_beside_it() {
    insta::glob!("../../../testdata/ff7-skeleton", "*/build.txt", |listing| {
        snapshot_beside!(listing, SKELETON.report_text(listing));
    });
}

#[test]
fn every_code_is_provoked() {
    let refused = write(&too_large()).unwrap_err();
    let (missing, animations) = (files(&plain(), &[File::Part(0)]), animations(&plain(), 1));
    SKELETON.every_code_is_provoked(&[
        refused.cause.code.name,
        missing.findings()[0].code.name,
        animations.findings()[0].code.name,
    ]);
}

#[test]
fn every_code_of_an_edit_is_provoked() {
    let mut document = SKELETON.document(&SKELETON.case("rest"));
    let refused = [
        edit::set_model(&mut document, 3, true).unwrap_err(),
        edit::reparent(&mut document, 1, Some(1)).unwrap_err(),
        edit::set_length(&mut document, 0, f32::NAN).unwrap_err(),
    ];
    let lost = edit::make_canonical(&mut document);
    let names = refused.iter().map(|error| error.cause.code.name);
    let provoked: BTreeSet<&str> = names.chain([lost.findings()[0].code.name]).collect();
    assert_eq!(provoked, edit::ALL.iter().map(|code| code.name).collect());
}

#[test]
fn a_code_of_the_case_named_after_it_is_provoked_there() {
    for (name, file) in SKELETON.cases() {
        let code = format!("ff7-skeleton.{name}");
        if check::ALL.iter().any(|it| it.name == code) {
            assert!(SKELETON.outcome(&file).findings().iter().any(|it| it.code.name == code), "{code}");
        }
    }
}

#[test]
fn good_files_have_no_findings() {
    for name in ["plain", "enemy", "location-plain"] {
        assert_eq!(SKELETON.outcome(&SKELETON.case(name)).findings(), Vec::<Diagnostic>::new(), "{name}");
    }
}

#[test]
fn strictness_stops_where_bones_are_missing_and_nowhere_else() {
    for (name, file) in SKELETON.cases() {
        let is_refused = read(&file, &options(Strictness::Strict)).is_err();
        assert_eq!(is_refused, ["truncated", "count", "count-huge"].contains(&name.as_str()), "{name}");
        let errors = SKELETON.outcome(&file).tally(Severity::Error);
        assert_eq!(errors > 0, is_refused || name == "parent", "{name}");
    }
}

#[test]
fn what_the_skeleton_counts_on_is_missed_by_name() {
    let document = plain();
    let all = [File::Pack, File::Part(0), File::Part(2), File::Texture(0), File::Texture(1), File::Weapon(0)];
    assert_eq!(told(&files(&document, &all)), Vec::<String>::new());
    for (left_out, wanted) in [
        (File::Part(2), "bones[2].has_model: ff7-skeleton.missing: part 2 is not there"),
        (File::Texture(1), "texture_count: ff7-skeleton.missing: texture 1 is not there"),
        (File::Weapon(0), "weapon_count: ff7-skeleton.missing: weapon 0 is not there"),
    ] {
        let there: Vec<File> = all.into_iter().filter(|&file| file != left_out).collect();
        assert_eq!(told(&files(&document, &there)), [wanted]);
    }
    // Alone on a desk, or with its pack, it misses nothing; neither does it miss its pack, which it does not count.
    assert_eq!(told(&files(&document, &[])), Vec::<String>::new());
    assert_eq!(told(&files(&document, &[File::Pack])), Vec::<String>::new());
    assert_eq!(told(&files(&document, &all[1..])), Vec::<String>::new());
}

#[test]
fn a_weapon_that_is_not_there_is_no_reason_to_change_anything() {
    let severity = |there: &[File]| files(&plain(), there).findings().iter().map(|it| it.severity).max();
    let [parts, textures] = [[File::Part(0), File::Part(2)], [File::Texture(0), File::Texture(1)]];
    assert_eq!(severity(&[parts, textures].concat()), Some(Severity::Note));
    assert_eq!(severity(&parts), Some(Severity::Warning));
}

#[test]
fn a_location_misses_its_pieces() {
    let document = SKELETON.document(&SKELETON.case("location-plain"));
    let report = files(&document, &[File::Part(0)]);
    let wanted = [
        "piece_count: ff7-skeleton.missing: part 1 is not there",
        "texture_count: ff7-skeleton.missing: texture 0 is not there",
    ];
    assert_eq!(told(&report), wanted);
}

#[test]
fn a_count_of_any_size_asks_for_no_more_files_than_have_names() {
    let mut document = SKELETON.document(&SKELETON.case("location-plain"));
    (document.piece_count, document.texture_count, document.weapon_count) = (u32::MAX, u32::MAX, u32::MAX);
    let report = files(&document, &[File::Part(0)]);
    let counts: Vec<u64> = report.findings().iter().map(|finding| finding.count).collect();
    assert_eq!(counts, [49, 10, 16]);
}

#[test]
fn the_entries_of_a_pack_are_those_of_the_body_and_of_the_weapon() {
    let mut document = plain();
    assert_eq!(told(&animations(&document, 94)), Vec::<String>::new());
    assert_eq!(
        told(&animations(&document, 93)),
        ["body_animation_count: ff7-skeleton.animations: 52 and 42 wanted, 93 found"]
    );
    (document.body_animation_count, document.weapon_animation_count) = (u32::MAX, u32::MAX);
    // Where so many can be counted.
    if let Ok(both) = usize::try_from(u64::from(u32::MAX) * 2) {
        assert_eq!(animations(&document, both).findings().len(), 0);
    }
    assert_eq!(animations(&document, 0).findings().len(), 1);
}

#[test]
fn more_bones_than_a_count_can_say_are_not_written() {
    let refused = write(&too_large()).unwrap_err();
    assert_eq!(refused.cause.code, &check::TOO_LARGE);
    assert_eq!(
        refused.to_string(),
        "bone_count: ff7-skeleton.too-large: 1 bones and 4294967295 missing ones"
    );
}

#[test]
fn skeletons_are_known_by_their_shape() {
    for name in ["plain", "enemy", "location-plain", "appended", "parent", "length", "limit"] {
        assert!(is_shaped(&SKELETON.case(name)), "{name}");
    }
    for name in ["truncated", "count", "count-huge", "kind", "header", "location", "no-bones", "rest"] {
        assert!(!is_shaped(&SKELETON.case(name)), "{name}");
    }
    assert!(!is_shaped(b"") && !is_shaped(&[0; 52]) && !is_shaped(&[1; 52]));
}
