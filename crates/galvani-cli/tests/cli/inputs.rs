//! How inputs are named: files, folders, globs, standard input, flags on either side.

use crate::common::archive::archive;
use crate::common::{Desk, codes, paths};

fn small() -> Vec<u8> {
    archive(&[("a.txt", b"xyz")])
}

#[test]
fn flags_may_stand_before_and_after_inputs() {
    let desk = Desk::new().with("a.rlb", small());
    let before = desk.run(&["--json", "--format", "nres", "validate", "--deny", "notes", "a.rlb"]);
    let after = desk.run(&["validate", "a.rlb", "--deny", "notes", "--format", "nres", "--json"]);
    assert_eq!((before.code, before.json()), (after.code, after.json()));
    assert_eq!(paths(&before.json()), ["a.rlb"]);
}

#[test]
fn flags_may_stand_between_the_words_of_an_edit() {
    let desk = Desk::new().with("a.rlb", small());
    let done = desk.run(&["edit", "-o", "o.rlb", "a.rlb", "--json", "rename", "a.txt", "b.txt"]);
    assert_eq!((done.code, &done.json()["files"][0]["operations"][0]), (0, &"rename".into()));
}

#[test]
fn a_folder_is_searched_through_and_unknown_files_are_left_out() {
    let desk = Desk::new().with("game/z.rlb", small()).with("game/sub/a.dat", small());
    let desk = desk.with("game/readme.txt", b"hello").with("game/empty.rlb", b"");
    let (code, json) = desk.json(&["validate", "game", "--json"]);
    assert_eq!((code, paths(&json)), (0, vec!["game/sub/a.dat", "game/z.rlb"]));
    let summary = desk.run(&["validate", "game"]);
    assert_eq!(
        summary.text(),
        "2 files checked: 0 errors, 0 warnings, 0 notes; 2 of unknown format left out\n"
    );
}

#[test]
fn a_folder_without_anything_known_is_no_failure() {
    let desk = Desk::new().with("game/readme.txt", b"hello");
    for verb in ["validate", "info"] {
        let done = desk.run(&[verb, "game", "--json"]);
        assert_eq!((done.code, paths(&done.json())), (0, vec![]), "{verb}");
        assert!(done.stderr.starts_with("note: "), "{verb}: {}", done.stderr);
    }
}

#[test]
fn a_verb_that_finds_nothing_to_do_says_so() {
    let desk = Desk::new().with("game/readme.txt", b"hello");
    let verbs: [&[&str]; 6] = [
        &["list", "game"],
        &["dump", "game"],
        &["convert", "game", "-o", "out/"],
        &["rewrite", "game", "-o", "out"],
        &["edit", "game", "remove", "#0", "-o", "out"],
        &["extract", "game", "-o", "out"],
    ];
    for words in verbs {
        let done = desk.run(&[words, &["--json"]].concat());
        assert_eq!(done.code, 1, "{words:?}");
        assert!(done.stderr.starts_with(&format!("nothing to {}", words[0])), "{words:?}: {}", done.stderr);
        assert!(!done.stdout.is_empty(), "{words:?} has no JSON");
    }
}

#[test]
fn a_damaged_file_in_a_folder_is_not_left_out() {
    let desk = Desk::new().with("game/cut.rlb", &small()[..20]).with("game/good.rlb", small());
    let (code, json) = desk.json(&["info", "game", "--json"]);
    assert_eq!((code, paths(&json)), (3, vec!["game/cut.rlb", "game/good.rlb"]));
}

#[test]
fn a_glob_names_what_it_matches() {
    let desk = Desk::new().with("b.rlb", small()).with("a.rlb", small()).with("c.txt", b"no");
    let (code, json) = desk.json(&["validate", "*.rlb", "--json"]);
    assert_eq!((code, paths(&json)), (0, vec!["a.rlb", "b.rlb"]));
    let (_, json) = desk.json(&["validate", "[ab].rlb", "--json"]);
    assert_eq!(paths(&json), ["a.rlb", "b.rlb"]);
}

#[test]
fn a_glob_reaches_into_folders() {
    let desk = Desk::new().with("x/deep/b.rlb", small()).with("x/a.rlb", small());
    let (_, json) = desk.json(&["validate", "**/*.rlb", "--json"]);
    assert_eq!(paths(&json), ["x/a.rlb", "x/deep/b.rlb"]);
}

#[test]
fn a_glob_that_matches_nothing_is_not_found() {
    let (code, json) = Desk::new().json(&["validate", "*.rlb", "--json"]);
    assert_eq!((code, codes(&json["files"][0])), (3, vec!["file.not-found"]));
}

#[test]
fn an_existing_file_is_never_a_glob() {
    let desk = Desk::new().with("a[1].rlb", small()).with("a1.rlb", &small()[..20]).with("b*", small());
    let desk = desk.with("bb", &small()[..20]);
    for name in ["a[1].rlb", "b*"] {
        let (code, json) = desk.json(&["validate", name, "--json"]);
        assert_eq!((code, paths(&json)), (0, vec![name]));
    }
    let (code, json) = desk.json(&["validate", "a[1].rlb/a.txt", "--format", "nres", "--json"]);
    assert_eq!((code, paths(&json)), (3, vec!["a[1].rlb/a.txt"]));
}

#[test]
fn what_cannot_be_opened_stands_in_the_files_too() {
    let desk = Desk::new().with("good.rlb", small()).with("cut.rlb", &small()[..20]).with("alien.bin", b"?");
    let words = ["validate", "missing.rlb", "good.rlb", "cut.rlb", "alien.bin", "good.rlb/none", "--json"];
    let (code, json) = desk.json(&words);
    assert_eq!(code, 3);
    assert_eq!(paths(&json), ["alien.bin", "cut.rlb", "good.rlb", "good.rlb/none", "missing.rlb"]);
    let found: Vec<_> = json["files"].as_array().unwrap().iter().map(codes).collect();
    assert_eq!(
        found.concat(),
        ["file.unknown-format", "nres.total-size", "nres.directory-end", "file.not-found", "file.not-found"]
    );
}

#[cfg(unix)]
#[test]
fn a_loop_of_links_in_a_folder_ends() {
    let desk = Desk::new().with("game/a.rlb", small());
    std::os::unix::fs::symlink("..", desk.path("game/up")).unwrap();
    let (code, json) = desk.json(&["validate", "game", "--json"]);
    assert_eq!((code, paths(&json)), (0, vec!["game/a.rlb"]));
}

#[test]
fn a_forced_format_is_taken_at_its_word() {
    let desk = Desk::new().with("junk.bin", b"this is surely no archive");
    let (code, json) = desk.json(&["validate", "--format", "nres", "junk.bin", "--json"]);
    let row = &json["files"][0];
    assert_eq!((code, &row["format"], codes(row)), (3, &"nres".into(), vec!["nres.magic"]));
}

#[test]
fn a_forced_format_in_a_folder_leaves_other_files_out() {
    let desk = Desk::new().with("game/a.rlb", small()).with("game/junk.bin", b"junk");
    let (code, json) = desk.json(&["validate", "--format", "nres", "game", "--json"]);
    assert_eq!((code, paths(&json)), (0, vec!["game/a.rlb"]));
}

#[test]
fn a_name_alone_is_enough_where_somebody_points() {
    let desk = Desk::new().with("short.rlb", b"NR");
    let (code, json) = desk.json(&["validate", "short.rlb", "--json"]);
    assert_eq!((code, codes(&json["files"][0])), (3, vec!["nres.truncated"]));
}
