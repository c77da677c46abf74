//! A model inside an archive, and inside an archive inside an archive: every verb, and in place.

use serde_json::json;

use crate::common::archive::archive;
use crate::common::model::{case, walker};
use crate::common::{Desk, paths};

/// `units.rlb` with the walking machine in it, put there by the command.
fn desk() -> Desk {
    let start = archive(&[("note.txt", b"a note"), ("zz", b"the end")]);
    let desk = Desk::new().with("walker.msh", walker()).with("units.rlb", start);
    let done =
        desk.run(&["edit", "units.rlb", "insert", "1", "walker.msh", "MESH", "walker.msh", "--in-place"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    desk
}

#[test]
fn every_verb_takes_a_model_in_an_archive() {
    let desk = desk();
    for member in ["units.rlb/walker.msh", "units.rlb/WALKER.MSH", "units.rlb/#1"] {
        let (code, json) = desk.json(&["info", member, "--json"]);
        let row = &json["files"][0];
        assert_eq!((code, &row["format"], &row["counts"]["nodes"]), (0, &json!("msh"), &json!(19)));
        assert_eq!(desk.run(&["validate", member]).code, 0);
        let (_, own) = desk.json(&["dump", "walker.msh", "--json"]);
        assert!(desk.json(&["dump", member, "--json"]).1 == own, "offsets are those of the member");
        let (code, json) = desk.json(&["diff", member, "walker.msh", "--json"]);
        assert_eq!((code, &json["equal"]), (0, &json!(true)));
        let (_, json) = desk.json(&["extract", member, "-o", "out", "--json"]);
        let file = json["files"][0]["output"].as_str().unwrap();
        assert!(desk.read(file) == walker());
        assert_eq!(desk.run(&["rewrite", member, "-o", "same.msh"]).code, 0);
        assert!(desk.read("same.msh") == walker());
        assert_eq!(desk.run(&["edit", member, "rename", "gun", "x", "-o", "x.msh"]).code, 0);
        assert!(desk.read("x.msh").len() == walker().len());
        assert_eq!(desk.run(&["list", member]).code, 0);
    }
    assert_eq!(desk.run(&["unpack", "units.rlb/walker.msh", "-o", "folder"]).code, 0);
    assert_eq!(desk.run(&["pack", "folder", "-o", "packed.msh"]).code, 0);
    assert!(desk.read("packed.msh") == walker());
}

#[test]
fn an_archive_is_checked_with_its_models() {
    let (code, json) = desk().json(&["validate", "units.rlb", "--json"]);
    assert_eq!((code, paths(&json)), (0, vec!["units.rlb", "units.rlb/walker.msh"]));
    assert_eq!((&json["files"][0]["format"], &json["files"][1]["format"]), (&json!("nres"), &json!("msh")));
    let bad = archive(&[("pad", &[7; 99]), ("bad.msh", &case("parent-cycle"))]);
    let (code, json) = Desk::new().with("a.rlb", bad).json(&["validate", "a.rlb", "--json"]);
    let finding = &json["files"][1]["diagnostics"][0];
    assert_eq!((code, &finding["offset"]), (1, &json!(0x12)), "counted from the start of the member");
}

#[test]
fn a_model_is_edited_in_place_and_nothing_else_changes() {
    let desk = desk();
    let words = ["edit", "units.rlb/walker.msh", "rename", "gun", "cannon", "delete-key", "hull", "4"];
    let done = desk.run(&[&words[..], &["--in-place"]].concat());
    assert_eq!(done.code, 0, "{}", done.stderr);
    let words = ["edit", "walker.msh", "rename", "gun", "cannon", "delete-key", "hull", "4", "-o", "own.msh"];
    assert_eq!(desk.run(&words).code, 0);
    desk.run(&["rewrite", "units.rlb/walker.msh", "-o", "member.msh"]);
    assert!(desk.read("member.msh") == desk.read("own.msh"), "the same edit of the file itself");
    desk.run(&["extract", "units.rlb", "-o", "out"]);
    assert_eq!(desk.run(&["edit", "units.rlb", "remove", "walker.msh", "--in-place"]).code, 0);
    assert!(desk.read("units.rlb") == archive(&[("note.txt", b"a note"), ("zz", b"the end")]));
}

#[test]
fn a_refused_edit_in_place_leaves_the_archive_as_it_was() {
    let desk = desk();
    let before = desk.read("units.rlb");
    let words =
        ["edit", "units.rlb/walker.msh", "rename", "gun", "x", "delete-key", "base", "0", "--in-place"];
    assert_eq!(desk.run(&words).code, 1);
    assert!(desk.read("units.rlb") == before);
}

#[test]
fn a_model_two_archives_deep_is_edited_in_place() {
    let inner = |model: &[u8]| archive(&[("a.msh", model), ("b", b"12345")]);
    let outer = |model: &[u8]| archive(&[("in.rlb", &inner(model)), ("last", b"x")]);
    let desk = Desk::new().with("a.msh", case("plain")).with("o.rlb", outer(&case("plain")));
    let edit = ["label", "base", "root", "material", "1", "4"];
    assert_eq!(desk.run(&[&["edit", "o.rlb/in.rlb/a.msh"], &edit[..], &["--in-place"]].concat()).code, 0);
    assert_eq!(desk.run(&[&["edit", "a.msh"], &edit[..], &["--in-place"]].concat()).code, 0);
    assert!(desk.read("o.rlb") == outer(&desk.read("a.msh")));
}

#[test]
fn terrain_in_an_archive_is_an_archive_and_a_model_without_extension_a_model() {
    let land = crate::common::model::with_stream(&case("plain"), 21, [0, 0, 0], b"land");
    let desk = Desk::new().with("a.rlb", archive(&[("land.msh", &land), ("unit", &case("plain"))]));
    let (_, json) = desk.json(&["info", "a.rlb/land.msh", "a.rlb/unit", "--json"]);
    assert_eq!((&json["files"][0]["format"], &json["files"][1]["format"]), (&json!("nres"), &json!("msh")));
}
