//! Archives are folders: members by name, by index, nested, replaced in place.

use crate::common::archive::archive;
use crate::common::{Desk, codes, paths};

/// `outer.rlb` holds `Mid.RLB`, which holds `in.rlb`, which holds `deep.txt`.
fn nest() -> Vec<u8> {
    let inner = archive(&[("deep.txt", b"deep"), ("twin", b"first"), ("TWIN", b"second")]);
    let middle = archive(&[("in.rlb", &inner), ("note.txt", b"a note")]);
    archive(&[("first.txt", b"1st"), ("Mid.RLB", &middle), ("last.txt", b"last")])
}

fn desk() -> Desk {
    Desk::new().with("outer.rlb", nest())
}

/// What `extract` finds under a name.
fn bytes_of(desk: &Desk, member: &str) -> Vec<u8> {
    let (code, json) = desk.json(&["extract", member, "-o", "out", "--json"]);
    assert_eq!(code, 0, "{json:#}");
    desk.read(json["files"][0]["output"].as_str().unwrap())
}

#[test]
fn a_member_is_found_in_any_case_of_letters() {
    for name in ["outer.rlb/last.txt", "outer.rlb/LAST.TXT", "outer.rlb/Last.Txt", "outer.rlb//last.txt"] {
        assert_eq!(bytes_of(&desk(), name), b"last", "{name}");
    }
}

#[test]
fn a_member_is_found_by_its_index() {
    assert_eq!(bytes_of(&desk(), "outer.rlb/#2"), b"last");
}

#[test]
fn a_member_of_a_member_is_found() {
    for name in
        ["outer.rlb/mid.rlb/in.rlb/#0", "outer.rlb/#1/#0/DEEP.txt", "outer.rlb/Mid.RLB/in.rlb/deep.txt"]
    {
        assert_eq!(bytes_of(&desk(), name), b"deep", "{name}");
    }
}

#[test]
fn a_name_that_is_an_index_of_nothing_is_not_found() {
    for name in ["outer.rlb/#3", "outer.rlb/#-1", "outer.rlb/#", "outer.rlb/nobody", "outer.rlb/last.txt/x"] {
        let (code, json) = desk().json(&["extract", name, "-o", "out", "--json"]);
        assert_eq!((code, json["refused"].as_array().unwrap().len()), (3, 1), "{name}");
        assert_eq!(json["refused"][0]["path"], name);
    }
}

#[test]
fn a_member_that_is_called_like_an_index_is_found_by_it() {
    let desk = Desk::new().with("a.rlb", archive(&[("x", b"zero"), ("#7", b"one")]));
    assert_eq!(bytes_of(&desk, "a.rlb/#7"), b"one");
    assert_eq!(bytes_of(&desk, "a.rlb/#1"), b"one");
}

#[test]
fn a_member_with_a_slash_in_its_name_is_found() {
    let desk = Desk::new().with("a.rlb", archive(&[("dir/x.txt", b"slashed")]));
    assert_eq!(bytes_of(&desk, "a.rlb/dir/x.txt"), b"slashed");
}

#[test]
fn of_duplicates_the_first_is_taken_with_a_note() {
    let same = archive(&[("t", b"")]);
    let desk = Desk::new().with("a.rlb", archive(&[("same", &same), ("SAME", b"other")]));
    let (code, json) = desk.json(&["validate", "a.rlb/same", "--json"]);
    let row = &json["files"][0];
    assert_eq!((code, codes(row), &row["notes"]), (0, vec!["file.ambiguous-name"], &1.into()));
    let info = desk.run(&["info", "a.rlb/Same"]);
    assert!(info.text().contains("Several have this name: 2 have it, #0 is taken."), "{}", info.text());
}

#[test]
fn a_glob_names_members() {
    let (code, json) = desk().json(&["extract", "outer.rlb/*.TXT", "-o", "out", "--json"]);
    assert_eq!((code, paths(&json)), (0, vec!["outer.rlb/first.txt", "outer.rlb/last.txt"]));
}

#[test]
fn an_archive_adds_a_row_for_every_recognised_member() {
    let (code, json) = desk().json(&["validate", "outer.rlb", "--json"]);
    let wanted = vec!["outer.rlb", "outer.rlb/Mid.RLB", "outer.rlb/Mid.RLB/in.rlb"];
    assert_eq!((code, paths(&json)), (0, wanted));
    assert!(json["files"].as_array().unwrap().iter().all(|row| row["format"] == "nres"));
}

#[test]
fn a_damaged_member_has_offsets_of_its_own() {
    let mut inner = archive(&[("deep.txt", b"deep")]);
    inner[4] = 7;
    let desk = Desk::new().with("a.rlb", archive(&[("pad", &[7; 64]), ("in.rlb", &inner)]));
    let (code, json) = desk.json(&["validate", "a.rlb", "--json"]);
    assert_eq!((code, paths(&json)), (1, vec!["a.rlb", "a.rlb/in.rlb"]));
    let (outer, inner) = (&json["files"][0], &json["files"][1]);
    assert_eq!((codes(outer), codes(inner)), (vec![], vec!["nres.version"]));
    assert_eq!((&inner["diagnostics"][0]["offset"], &inner["errors"]), (&4.into(), &1.into()));
}

#[test]
fn replacing_in_place_changes_the_member_and_nothing_else() {
    let desk = desk().with("bystander.rlb", nest());
    let done = desk.run(&["edit", "outer.rlb/mid.rlb/#0", "rename", "deep.txt", "shallow.txt", "--in-place"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let inner = archive(&[("shallow.txt", b"deep"), ("twin", b"first"), ("TWIN", b"second")]);
    let middle = archive(&[("in.rlb", &inner), ("note.txt", b"a note")]);
    let wanted = archive(&[("first.txt", b"1st"), ("Mid.RLB", &middle), ("last.txt", b"last")]);
    assert!(desk.read("outer.rlb") == wanted, "other bytes changed as well");
    assert_eq!(desk.files(), ["bystander.rlb", "outer.rlb"]);
    assert!(desk.read("bystander.rlb") == nest());
}

#[test]
fn a_member_that_grows_in_place_moves_what_follows() {
    let desk = desk().with("long.txt", b"much longer than before");
    let done = desk.run(&["edit", "outer.rlb/Mid.RLB", "replace", "note.txt", "long.txt", "--in-place"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let inner = archive(&[("deep.txt", b"deep"), ("twin", b"first"), ("TWIN", b"second")]);
    let middle = archive(&[("in.rlb", &inner), ("note.txt", b"much longer than before")]);
    let wanted = archive(&[("first.txt", b"1st"), ("Mid.RLB", &middle), ("last.txt", b"last")]);
    assert!(desk.read("outer.rlb") == wanted);
}

#[test]
fn rewriting_a_member_in_place_leaves_the_archive_as_it_is() {
    let desk = desk();
    assert_eq!(desk.run(&["rewrite", "outer.rlb/mid.rlb", "--in-place"]).code, 0);
    assert!(desk.read("outer.rlb") == nest());
}

#[test]
fn archives_nested_too_deep_are_named_and_not_followed() {
    let mut file = archive(&[("end", b"")]);
    for _ in 0..12 {
        file = archive(&[("x.rlb", &file)]);
    }
    let desk = Desk::new().with("deep.rlb", file);
    let (code, json) = desk.json(&["validate", "deep.rlb", "--json"]);
    let rows = json["files"].as_array().unwrap();
    assert_eq!((code, rows.len()), (1, 9));
    assert_eq!(codes(rows.last().unwrap()), ["file.too-deep"]);
    let path = format!("deep.rlb{}", "/x.rlb".repeat(11));
    let (code, json) = desk.json(&["info", &path, "--json"]);
    assert_eq!((code, codes(&json["files"][0])), (3, vec!["file.too-deep"]));
}
