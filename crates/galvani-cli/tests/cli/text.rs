//! What people read: the text of every verb.

use insta::assert_snapshot;

use crate::common::archive::{DATA_OFFSET, archive, archive_raw, poke, record};
use crate::common::{Desk, Done};

/// Three entries, one of them an archive, as the game would write them.
fn good() -> Vec<u8> {
    let inner = archive(&[("deep.txt", b"deep")]);
    archive(&[("b.txt", b"xyz"), ("A.txt", b"12345678"), ("in.rlb", &inner)])
}

fn desk() -> Desk {
    let mut damaged = good();
    let place = record(&damaged, 0) + DATA_OFFSET;
    poke(&mut damaged, place, 0xffff_0000);
    damaged.extend(b"behind");
    Desk::new().with("good.rlb", good()).with("damaged.rlb", damaged).with("cut.rlb", &good()[..40])
}

fn run(words: &[&str]) -> Done {
    desk().run(&[words, &["--color", "never"]].concat())
}

#[test]
fn the_help_of_the_command() {
    assert_snapshot!(run(&["--help"]).all());
}

#[test]
fn the_help_of_every_verb() {
    let verbs = [
        "info",
        "validate",
        "dump",
        "diff",
        "list",
        "extract",
        "rewrite",
        "unpack",
        "pack",
        "edit",
        "sample",
        "draw",
        "pick",
        "convert",
        "samples",
        "completions",
        "man",
    ];
    for verb in verbs {
        assert_snapshot!(format!("help_of_{verb}"), run(&[verb, "--help"]).all());
    }
}

#[test]
fn info_shows_counts_and_members() {
    assert_snapshot!(run(&["info", "good.rlb"]).all());
}

#[test]
fn info_of_a_damaged_file_points_at_validate() {
    assert_snapshot!(run(&["info", "damaged.rlb"]).all());
}

#[test]
fn info_of_several_names_the_one_that_does_not_read() {
    assert_snapshot!(run(&["info", "cut.rlb", "good.rlb"]).all());
}

#[test]
fn validate_says_that_a_good_file_is_good() {
    assert_snapshot!(run(&["validate", "good.rlb"]).all());
}

#[test]
fn validate_shows_good_members_when_asked() {
    assert_snapshot!(run(&["validate", "good.rlb", "--verbose"]).all());
}

#[test]
fn validate_shows_what_is_wrong_where_and_what_to_do() {
    assert_snapshot!(run(&["validate", "damaged.rlb", "cut.rlb", "missing.rlb"]).all());
}

#[test]
fn validate_folds_repeats() {
    let names: Vec<String> = (0..20).map(|i| format!("n{i:02}")).collect();
    let entries: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b"12345678"[..])).collect();
    let mut file = archive(&entries);
    for i in 0..20 {
        let place = record(&file, i) + DATA_OFFSET;
        poke(&mut file, place, 1);
    }
    let desk = Desk::new().with("many.rlb", file);
    assert_snapshot!(desk.run(&["validate", "many.rlb", "--color", "never"]).all());
}

#[test]
fn validate_writes_annotations_for_github() {
    assert_snapshot!(run(&["validate", "damaged.rlb", "--github"]).all());
}

#[test]
fn dump_shows_every_field_with_its_offset() {
    assert_snapshot!(run(&["dump", "good.rlb"]).all());
}

#[test]
fn list_shows_the_members() {
    assert_snapshot!(run(&["list", "good.rlb"]).all());
}

#[test]
fn list_of_several_archives_names_each() {
    let desk = desk().with("none.rlb", archive(&[]));
    assert_snapshot!(desk.run(&["list", "good.rlb", "none.rlb", "--color", "never"]).all());
}

#[test]
fn diff_names_what_differs() {
    assert_snapshot!(run(&["diff", "good.rlb", "damaged.rlb"]).all());
}

#[test]
fn diff_says_that_equal_files_are_equal() {
    assert_snapshot!(run(&["diff", "good.rlb", "good.rlb"]).all());
}

#[test]
fn extract_names_what_it_wrote() {
    assert_snapshot!(run(&["extract", "good.rlb", "-o", "out"]).all());
}

#[test]
fn extract_names_what_it_could_not_write() {
    assert_snapshot!(run(&["extract", "damaged.rlb", "-o", "out"]).all());
}

#[test]
fn rewrite_tells_the_sizes() {
    assert_snapshot!(run(&["rewrite", "good.rlb", "-o", "same.rlb"]).all());
}

#[test]
fn rewrite_tells_what_the_canonical_form_cost() {
    assert_snapshot!(run(&["rewrite", "damaged.rlb", "--canonical", "-o", "out.rlb"]).all());
}

#[test]
fn unpack_and_pack_tell_what_they_wrote() {
    let desk = desk();
    let unpacked = desk.run(&["unpack", "good.rlb", "-o", "folder"]).all();
    let packed = desk.run(&["pack", "folder", "-o", "same.rlb"]).all();
    assert_snapshot!(format!("{unpacked}\n{packed}"));
}

#[test]
fn the_manifest_of_a_good_archive_leaves_out_what_is_computed() {
    let desk = desk();
    desk.run(&["unpack", "good.rlb", "-o", "folder"]);
    assert_snapshot!(String::from_utf8(desk.read("folder/manifest.json")).unwrap());
}

#[test]
fn the_manifest_of_an_odd_archive_spells_everything_out() {
    let desk = desk();
    desk.run(&["unpack", "damaged.rlb", "-o", "folder"]);
    assert_snapshot!(String::from_utf8(desk.read("folder/manifest.json")).unwrap());
}

#[test]
fn edit_tells_what_it_did() {
    assert_snapshot!(run(&["edit", "good.rlb", "remove", "b.txt", "-o", "out.rlb"]).all());
}

#[test]
fn edit_lists_every_operation() {
    assert_snapshot!(run(&["edit", "--list"]).all());
}

#[test]
fn edit_says_why_it_refuses() {
    assert_snapshot!(run(&["edit", "good.rlb", "rename", "b.txt", "", "-o", "out.rlb"]).all());
}

#[test]
fn edit_explains_wrong_words() {
    let words: [&[&str]; 4] = [
        &["edit", "good.rlb", "paint", "-o", "out.rlb"],
        &["edit", "good.rlb", "rename", "b.txt", "-o", "out.rlb"],
        &["edit", "good.rlb", "set", "b.txt", "colour", "1", "-o", "out.rlb"],
        &["edit", "good.rlb", "rename", "b.txt", "c.txt"],
    ];
    assert_snapshot!(words.map(|words| run(words).all()).join("\n"));
}

#[test]
fn samples_tells_what_it_wrote() {
    assert_snapshot!(run(&["samples", "here"]).all());
}

#[test]
fn an_unknown_file_is_refused_with_advice() {
    let desk = Desk::new().with("alien.bin", b"what is this?");
    assert_snapshot!(desk.run(&["info", "alien.bin", "--color", "never"]).all());
}

#[test]
fn a_terminal_does_not_obey_names_from_a_file() {
    let evil = archive_raw(&[(b"\x1b[31mred", b"")]);
    let file = archive_raw(&[(b"\x1b[2J.rlb", &evil), (b"\x1b]0;title\x07", b"x")]);
    let desk = Desk::new().with("evil.rlb", file);
    for verb in ["validate", "info", "list", "dump"] {
        let words = [verb, "evil.rlb", "evil.rlb/#0", "--color", "always"];
        let done = desk.run(&words);
        for escape in ["\x1b[31mred", "\x1b[2J", "\x1b]0", "\x07"] {
            assert!(!done.text().contains(escape), "{verb} lets {escape:?} through");
        }
        assert!(done.text().contains("\x1b["), "{verb} has colours of its own");
    }
}
