//! `validate`: which findings count, and where they are.

use serde_json::Value;

use crate::common::archive::{DATA_OFFSET, SORT_INDEX, archive, poke, record};
use crate::common::{Desk, codes, paths};

/// A warning (sort table) and a note (payload off the multiples of 8), no error.
fn odd() -> Vec<u8> {
    let mut file = archive(&[("a", b"1234567"), ("b", b"12345678")]);
    let (first, second) = (record(&file, 0), record(&file, 1));
    poke(&mut file, first + SORT_INDEX, 1);
    poke(&mut file, second + SORT_INDEX, 0);
    poke(&mut file, second + DATA_OFFSET, 23);
    file
}

fn check(flags: &[&str]) -> (u8, Value) {
    let desk = Desk::new().with("odd.rlb", odd());
    let (code, json) = desk.json(&[&["validate", "odd.rlb", "--json"], flags].concat());
    (code, json["files"][0].clone())
}

#[test]
fn warnings_and_notes_do_not_fail_by_themselves() {
    let (code, row) = check(&[]);
    assert_eq!((code, &row["errors"], &row["warnings"]), (0, &0.into(), &1.into()));
    assert_eq!(codes(&row)[..2], ["nres.sort-table-order", "nres.payload-unaligned"]);
}

#[test]
fn deny_warnings_fails_on_warnings() {
    assert_eq!(check(&["--deny", "warnings"]).0, 1);
    assert_eq!(check(&["--deny", "warnings", "--allow", "nres.sort-table-order"]).0, 0);
}

#[test]
fn deny_notes_fails_on_notes_and_on_warnings() {
    let silenced = ["--deny", "notes", "--allow", "nres.payload-unaligned", "--allow", "nres.padding"];
    assert_eq!(check(&["--deny", "notes"]).0, 1);
    assert_eq!(check(&["--deny", "notes", "--allow", "nres.sort-table-order"]).0, 1);
    assert_eq!(check(&silenced).0, 1);
    let all =
        [&silenced[..], &["--allow", "nres.sort-table-order", "--allow", "nres.unindexed-region"]].concat();
    let (code, row) = check(&all);
    assert_eq!((code, codes(&row)), (0, vec![]));
}

#[test]
fn deny_fails_on_a_code_by_name() {
    assert_eq!(check(&["--deny", "nres.payload-unaligned"]).0, 1);
    assert_eq!(check(&["--deny", "nres.sort-table-order"]).0, 1);
    assert_eq!(check(&["--deny", "nres.sort-table-broken"]).0, 0);
}

#[test]
fn allow_takes_findings_out_of_the_counts() {
    let (_, row) = check(&["--allow", "nres.sort-table-order"]);
    assert_eq!(row["warnings"], 0);
    assert!(!codes(&row).contains(&"nres.sort-table-order"));
}

#[test]
fn an_allowed_error_is_no_failure() {
    let mut file = archive(&[("a", b"x")]);
    file[4] = 9;
    let desk = Desk::new().with("v.rlb", file);
    assert_eq!(desk.run(&["validate", "v.rlb"]).code, 1);
    assert_eq!(desk.run(&["validate", "v.rlb", "--allow", "nres.version"]).code, 0);
}

#[test]
fn allowing_its_finding_does_not_make_a_file_readable() {
    let desk = Desk::new().with("cut.rlb", &archive(&[("a", b"x")])[..20]);
    assert_eq!(desk.run(&["validate", "cut.rlb", "--allow", "nres.directory-end"]).code, 3);
}

#[test]
fn folded_findings_are_counted_each() {
    let mut file = archive(&[("a", b"1"), ("b", b"2"), ("c", b"3")]);
    for i in 0..3 {
        let place = record(&file, i) + DATA_OFFSET;
        poke(&mut file, place, 2);
    }
    let (_, json) = Desk::new().with("a.rlb", file).json(&["validate", "a.rlb", "--json"]);
    let row = &json["files"][0];
    assert_eq!(row["errors"], 3);
    let folded = &row["diagnostics"][0];
    assert_eq!((&folded["count"], &folded["path"]), (&3.into(), &"entries[0].data_offset".into()));
    assert_eq!(folded["more"].as_array().unwrap().len(), 2);
}

#[test]
fn rows_are_sorted_by_path_whatever_the_order_of_the_words() {
    let file = archive(&[("a", b"")]);
    let desk =
        Desk::new().with("b.rlb", &file).with("a.rlb", &file).with("c/z.rlb", &file).with("B.rlb", &file);
    let (_, json) = desk.json(&["validate", "c", "b.rlb", "missing", "B.rlb", "a.rlb", "--json"]);
    assert_eq!(paths(&json), ["B.rlb", "a.rlb", "b.rlb", "c/z.rlb", "missing"]);
}

#[test]
fn a_finding_has_an_offset_or_a_path() {
    let desk = Desk::new();
    for (name, bytes) in crate::common::listings() {
        desk.put(&format!("{name}.rlb"), bytes);
    }
    let (_, json) = desk.json(&["validate", "*.rlb", "missing", "--json"]);
    let rows = json["files"].as_array().unwrap();
    let findings: Vec<&Value> = rows.iter().flat_map(|row| row["diagnostics"].as_array().unwrap()).collect();
    assert!(findings.iter().any(|finding| finding["offset"].is_null()), "no finding without an offset");
    assert!(findings.iter().any(|finding| finding["offset"].is_u64()), "no finding with an offset");
    for finding in findings {
        assert!(!finding["path"].as_str().unwrap().is_empty(), "{finding}");
    }
}

#[test]
fn a_message_is_a_whole_sentence_and_the_title_the_codes_own() {
    let mut file = archive(&[("a", b"x")]);
    file[4] = 9;
    let (_, json) = Desk::new().with("v.rlb", file).json(&["validate", "v.rlb", "missing", "--json"]);
    let said = |row: usize| {
        let finding = &json["files"][row]["diagnostics"][0];
        (finding["title"].as_str().unwrap(), finding["message"].as_str().unwrap())
    };
    assert_eq!(said(1), ("the version is not 0x100", "The version is not 0x100: 0x100 wanted, 0x109 found."));
    let nowhere = "there is no such file, folder or archive member";
    assert_eq!(said(0), (nowhere, "There is no such file, folder or archive member: `missing`."));
}

#[test]
fn github_annotations_escape_what_they_must() {
    let mut file = archive(&[("a", b"x")]);
    file[4] = 9;
    let desk = Desk::new().with("50%,a.rlb", file);
    let done = desk.run(&["validate", "50%,a.rlb", "--github"]);
    let wanted = "::error file=50%25%2Ca.rlb,title=nres.version::\
                  The version is not 0x100: 0x100 wanted, 0x109 found (header.version at 0x00000004).\n";
    assert_eq!((done.code, done.text()), (1, wanted));
}
