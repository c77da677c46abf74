//! LGP archives on the command line: listed, extracted, edited, checked.

use std::path::Path;

use crate::common::{Desk, codes};

/// A case of `testdata/lgp`, assembled.
fn case(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/lgp");
    galvani_testkit::assemble_file(&folder.join(name).join("build.txt"))
}

fn desk() -> Desk {
    Desk::new().with("battle.lgp", case("worked-example")).with("new.bin", b"new bytes")
}

/// What `extract` finds under a name.
fn bytes_of(desk: &Desk, member: &str) -> Vec<u8> {
    let (code, json) = desk.json(&["extract", member, "-o", "out", "--json"]);
    assert_eq!(code, 0, "{json:#}");
    desk.read(json["files"][0]["output"].as_str().unwrap())
}

#[test]
fn an_archive_lists_its_files() {
    let (code, json) = desk().json(&["list", "battle.lgp", "--json"]);
    let wanted = serde_json::json!([
        {"index": 0, "name": "a.txt", "size": 5, "offset": 3699, "format": null, "summary": null},
        {"index": 1, "name": "rtaa", "size": 8, "offset": 3728, "format": null, "summary": null},
        {"index": 2, "name": "rtda", "size": 0, "offset": 3760, "format": null, "summary": null},
    ]);
    assert_eq!((code, &json["files"][0]["members"]), (0, &wanted));
}

#[test]
fn a_list_tells_folders_and_other_names() {
    let desk = Desk::new().with("a.lgp", case("conflicts")).with("b.lgp", case("record-shared"));
    let row = |file: &str, i: usize| desk.json(&["list", file, "--json"]).1["files"][0]["members"][i].clone();
    assert_eq!(row("a.lgp", 1)["directory"], "data/battle");
    assert_eq!(row("b.lgp", 2)["record_name"], "rtaa");
}

#[test]
fn a_file_is_found_by_name_in_any_case_and_by_index() {
    for name in ["battle.lgp/rtaa", "battle.lgp/RTAA", "battle.lgp/#1", "battle.lgp/rta*"] {
        assert_eq!(bytes_of(&desk(), name), b"skeleton", "{name}");
    }
}

#[test]
fn of_two_files_of_one_name_the_first_is_taken_with_a_note() {
    let desk = Desk::new().with("a.lgp", case("duplicate"));
    assert_eq!(bytes_of(&desk, "a.lgp/ABC"), b"one");
    let (code, json) = desk.json(&["edit", "a.lgp", "remove", "abc", "-o", "b.lgp", "--json"]);
    assert_eq!(code, 0, "{json:#}");
    assert!(json.to_string().contains("file.ambiguous-name"), "{json:#}");
    assert_eq!(bytes_of(&desk, "b.lgp/abc"), b"two");
}

#[test]
fn edits_leave_an_archive_without_findings() {
    let desk = desk();
    let words =
        ["edit", "battle.lgp", "add", "rtab", "new.bin", "rename", "a.txt", "zz.txt", "remove", "rtda"];
    let done = desk.run(&[&words[..], &["replace", "rtaa", "new.bin", "--in-place"]].concat());
    assert_eq!(done.code, 0, "{}", done.all());
    let (code, json) = desk.json(&["validate", "battle.lgp", "--deny", "notes", "--json"]);
    assert_eq!((code, codes(&json["files"][0]).len()), (0, 0), "{json:#}");
    assert_eq!(bytes_of(&desk, "battle.lgp/rtab"), b"new bytes");
    assert_eq!(bytes_of(&desk, "battle.lgp/#2"), b"alpha");
}

#[test]
fn odd_archives_come_back_and_mend() {
    for name in ["layout", "toc-order", "lookup", "record-cut", "hostile", "conflict-table"] {
        let desk = Desk::new().with("odd.lgp", case(name));
        assert_eq!(desk.run(&["rewrite", "odd.lgp", "-o", "same.lgp"]).code, 0, "{name}");
        assert!(desk.read("same.lgp") == case(name), "{name}");
        assert_eq!(desk.run(&["unpack", "odd.lgp", "-o", "folder"]).code, 0, "{name}");
        assert_eq!(desk.run(&["pack", "folder", "-o", "packed.lgp"]).code, 0, "{name}");
        assert!(desk.read("packed.lgp") == case(name), "{name}");
    }
    let desk = Desk::new().with("odd.lgp", case("toc-order"));
    assert_eq!(desk.run(&["validate", "odd.lgp", "--deny", "warnings"]).code, 1);
    assert_eq!(desk.run(&["rewrite", "odd.lgp", "--canonical", "--in-place"]).code, 0);
    assert_eq!(desk.run(&["validate", "odd.lgp", "--deny", "warnings"]).code, 0);
}

#[test]
fn what_cannot_be_read_ends_with_three() {
    let desk = Desk::new().with("cut.lgp", case("truncated")).with("odd.lgp", case("record-cut"));
    assert_eq!(desk.run(&["validate", "cut.lgp"]).code, 3);
    assert_eq!(desk.run(&["validate", "odd.lgp"]).code, 1);
    assert_eq!(desk.run(&["validate", "odd.lgp", "--strict"]).code, 3);
    let (code, json) = desk.json(&["edit", "odd.lgp", "add", "zz", "cut.lgp", "-o", "x.lgp", "--json"]);
    assert_eq!(code, 0, "more bytes, but not as many as the cut record wants: {json:#}");
}
