//! `rewrite`, `unpack`, `pack` and `samples`: no byte is lost.

use std::path::Path;

use crate::common::archive::archive;
use crate::common::{Desk, listings};

/// Listings that read, with their bytes.
fn readable() -> Vec<(String, Vec<u8>)> {
    let desk = Desk::new();
    let good = |bytes: &[u8]| desk.run_with(&["info", "-", "--format", "nres"], bytes).code == 0;
    let cases: Vec<_> = listings().into_iter().filter(|(_, bytes)| good(bytes)).collect();
    assert!(cases.len() > 8, "only {} listings read", cases.len());
    cases
}

#[test]
fn every_readable_file_is_rewritten_byte_for_byte() {
    for (name, bytes) in readable() {
        let desk = Desk::new().with("in.rlb", &bytes);
        let done = desk.run(&["rewrite", "in.rlb", "-o", "out.rlb"]);
        assert_eq!(done.code, 0, "{name}: {}", done.stderr);
        assert!(desk.read("out.rlb") == bytes, "{name} changed");
    }
}

#[test]
fn every_readable_file_survives_unpack_and_pack() {
    for (name, bytes) in readable() {
        let desk = Desk::new().with("in.rlb", &bytes);
        assert_eq!(desk.run(&["unpack", "in.rlb", "-o", "folder"]).code, 0, "{name}");
        assert_eq!(desk.run(&["pack", "folder", "-o", "out.rlb"]).code, 0, "{name}");
        assert!(desk.read("out.rlb") == bytes, "{name} changed");
    }
}

#[test]
fn rewriting_in_place_keeps_the_file() {
    for (name, bytes) in readable() {
        let desk = Desk::new().with("in.rlb", &bytes);
        assert_eq!(desk.run(&["rewrite", "in.rlb", "--in-place"]).code, 0, "{name}");
        assert!(desk.read("in.rlb") == bytes && desk.files() == ["in.rlb"], "{name}");
    }
}

/// docs/formats/nres.md#canonical, by hand: header, payloads in directory order with zeros to a multiple of
/// 8, records.
#[test]
fn the_canonical_form_is_the_layout_of_the_games_own_writer() {
    let listing = "\
        tag NRes\nu32 0x100\ni32 3\nu32 @end\n\
        bytes ee ee ee\nlabel second\nbytes 31 32\nlabel first\nbytes 61 62 63 64 65\nzero 11\nlabel none\n\
        tag DATA\nu32 0 0 5 1\ntext 36 \"B_1\"\nu32 @first 7\n\
        tag DATA\nu32 0 0 2 1\ntext 8 \"bb\"\nbytes cc\nzero 27\nu32 @second 7\n\
        tag DATA\nu32 0 0 0 1\ntext 36 \"a\"\nu32 @none 7\n\
        label end\nbytes ff ff";
    let desk = Desk::new().with("odd.rlb", galvani_testkit::assemble(listing));
    let done = desk.run(&["rewrite", "odd.rlb", "--canonical", "-o", "out.rlb"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let wanted = archive(&[("B_1", b"abcde"), ("bb", b"12"), ("a", b"")]);
    assert!(desk.read("out.rlb") == wanted);
    assert!(done.stderr.contains("nres.lost-bytes"), "what was dropped is said: {}", done.stderr);
}

/// The example of docs/formats/nres.md#worked-example: 224 bytes, sort table 1 2 0.
#[test]
fn the_worked_example_is_canonical_already() {
    let (_, example) = listings().into_iter().find(|(name, _)| name == "worked-example").unwrap();
    let desk = Desk::new().with("in.rlb", &example);
    assert_eq!(desk.run(&["rewrite", "in.rlb", "--canonical", "-o", "out.rlb"]).code, 0);
    assert_eq!((desk.read("out.rlb").len(), desk.read("out.rlb") == example), (224, true));
}

#[test]
fn the_canonical_form_has_nothing_left_to_say() {
    for (name, bytes) in readable() {
        let desk = Desk::new().with("in.rlb", &bytes);
        if desk.run(&["rewrite", "in.rlb", "--canonical", "-o", "out.rlb"]).code != 0 {
            continue;
        }
        let once = desk.read("out.rlb");
        assert_eq!(desk.run(&["rewrite", "out.rlb", "--canonical", "--in-place"]).code, 0, "{name}");
        assert!(desk.read("out.rlb") == once, "{name}: a second time changes something");
    }
}

#[test]
fn unpacking_over_an_older_folder_gives_the_newer_file() {
    let (old, new) = (archive(&[("a", b"1"), ("b", b"2")]), archive(&[("a", b"3")]));
    let desk = Desk::new().with("old.rlb", old).with("new.rlb", &new);
    desk.run(&["unpack", "old.rlb", "-o", "folder"]);
    assert_eq!(desk.run(&["unpack", "new.rlb", "-o", "folder", "--force"]).code, 0);
    assert_eq!(desk.run(&["pack", "folder", "-o", "out.rlb"]).code, 0);
    assert!(desk.read("out.rlb") == new);
}

#[test]
fn an_edited_payload_finds_its_way_into_the_file() {
    let desk = Desk::new().with("in.rlb", archive(&[("a", b"old"), ("b", b"same")]));
    desk.run(&["unpack", "in.rlb", "-o", "folder"]);
    desk.put("folder/payloads/0000-a", b"new and longer");
    assert_eq!(desk.run(&["pack", "folder", "-o", "out.rlb"]).code, 0);
    assert!(desk.read("out.rlb") == archive(&[("a", b"new and longer"), ("b", b"same")]));
}

#[test]
fn a_folder_that_says_nonsense_builds_nothing() {
    let manifests = ["", "{", "[]", "{}", r#"{"format": "zip"}"#, r#"{"format": "nres"}"#, "\u{feff}{}"];
    for manifest in manifests {
        let desk = Desk::new().with("folder/manifest.json", manifest);
        let (code, json) = desk.json(&["pack", "folder", "-o", "out.rlb", "--json"]);
        assert_eq!((code, &json["error"]["code"]), (3, &"file.manifest".into()), "{manifest}");
        assert!(!desk.path("out.rlb").exists());
    }
}

#[test]
fn the_committed_samples_are_what_the_command_writes() {
    let desk = Desk::new();
    assert_eq!(desk.run(&["samples", "samples"]).code, 0);
    let committed = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let written = desk.files();
    assert!(!written.is_empty());
    for file in &written {
        let name = file.strip_prefix("samples/").unwrap();
        let old = std::fs::read(committed.join(name)).unwrap_or_else(|_| panic!("{name} is not committed"));
        assert!(desk.read(file) == old, "{name} is out of date: `galvani samples samples` writes it again");
    }
    let desk = Desk::new();
    let copied = desk.bash(&format!("cp -r '{}' samples", committed.display()));
    assert_eq!(copied.code, 0, "{}", copied.stderr);
    let is_sample = |name: &String| Path::new(name).extension().is_none_or(|extension| extension != "md");
    let names: Vec<String> = desk.files().into_iter().filter(is_sample).collect();
    assert_eq!(names, written);
}

#[test]
fn the_samples_have_nothing_wrong_with_them() {
    let desk = Desk::new();
    desk.run(&["samples", "samples"]);
    // The lantern's variations are chosen by rarity and frequency, of which every use is noted.
    let noted = ["--allow", "mdx.sequence-fields"];
    let done = desk.run(&[&["validate", "samples", "--deny", "notes"], &noted[..]].concat());
    assert_eq!(done.code, 0, "{}", done.text());
}

#[test]
fn a_folder_that_is_not_empty_is_unpacked_into_only_by_force() {
    let desk = Desk::new().with("a.rlb", archive(&[("a", b"1")])).with("mine/letter.txt", b"dear");
    let (code, json) = desk.json(&["unpack", "a.rlb", "-o", "mine", "--json"]);
    assert_eq!((code, &json["error"]["code"]), (1, &"file.folder-not-empty".into()));
    assert_eq!(desk.files(), ["a.rlb", "mine/letter.txt"]);
    assert_eq!(desk.run(&["unpack", "a.rlb", "-o", "mine", "--force"]).code, 0);
    assert_eq!(desk.read("mine/letter.txt"), b"dear");
    std::fs::create_dir(desk.path("empty")).unwrap();
    assert_eq!(desk.run(&["unpack", "a.rlb", "-o", "empty"]).code, 0);
}
