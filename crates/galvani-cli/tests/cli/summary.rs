//! `validate` for people: summaries, severities, lists of codes and where they stand.

use crate::common::archive::{DATA_OFFSET, archive, poke, record};
use crate::common::{Desk, codes};

/// An archive with a warning (its names are not sorted) and one with three errors besides.
fn desk() -> Desk {
    let sound = archive(&[("a", b"1"), ("b", b"2"), ("c", b"3")]);
    let mut unsorted = sound.clone();
    let place = record(&unsorted, 0) + crate::common::archive::SORT_INDEX;
    poke(&mut unsorted, place, 1);
    let place = record(&unsorted, 1) + crate::common::archive::SORT_INDEX;
    poke(&mut unsorted, place, 0);
    let mut damaged = unsorted.clone();
    for i in 0..3 {
        let place = record(&damaged, i) + DATA_OFFSET;
        poke(&mut damaged, place, 2);
    }
    let desk = Desk::new().with("game/sound.rlb", sound).with("game/unsorted.rlb", unsorted);
    desk.with("game/deep/damaged.rlb", damaged)
}

/// Exit code and standard output of `validate` with these words.
fn validate(desk: &Desk, words: &[&str]) -> (u8, String) {
    let done = desk.run(&[&["validate", "--color", "never"], words].concat());
    (done.code, done.text().to_owned())
}

const TABLE: &str = "\
error    nres.payload-before-data  3 × in 1 file
warning  nres.sort-table-order     2 × in 2 files
note     nres.unindexed-region     1 × in 1 file
";

const CLOSING: &str = "3 files checked: 3 errors, 2 warnings, 1 note\n";

#[test]
fn the_end_tells_how_often_each_code_was_found_most_frequent_first() {
    let desk = desk();
    let (code, text) = validate(&desk, &["game"]);
    assert!(code == 1 && text.ends_with(&format!("{TABLE}{CLOSING}")), "{text}");
    assert!(text.starts_with("game/deep/damaged.rlb (nres) damaged"), "{text}");
}

#[test]
fn the_summary_can_be_had_alone() {
    assert_eq!(validate(&desk(), &["game", "--summary"]), (1, format!("{TABLE}{CLOSING}")));
}

#[test]
fn quiet_leaves_the_exit_code_and_what_cannot_be_read() {
    let desk = desk().with("cut.rlb", b"NRes");
    let done = desk.run(&["validate", "game", "--quiet"]);
    assert_eq!((done.code, done.text(), done.stderr.as_str()), (1, "", ""));
    let done = desk.run(&["validate", "game", "cut.rlb", "missing", "-q"]);
    assert_eq!((done.code, done.text()), (3, ""));
    let lines: Vec<&str> = done.stderr.lines().collect();
    let [cut, missing] = lines.as_slice() else { panic!("{}", done.stderr) };
    assert!(cut.starts_with("cut.rlb: The bytes end inside a field: "), "{cut}");
    assert!(missing.starts_with("missing: There is no such file"), "{missing}");
}

#[test]
fn a_severity_hides_what_is_less_bad_but_everything_counts() {
    let desk = desk();
    let (code, text) = validate(&desk, &["game", "--severity", "error"]);
    assert_eq!(code, 1);
    assert!(text.contains("nres.payload-before-data") && !text.contains("nres.sort-table-order"), "{text}");
    assert!(text.ends_with(CLOSING), "{text}");
    let words = ["validate", "game/unsorted.rlb", "--severity", "error", "--deny", "warnings", "--json"];
    let (code, json) = desk.json(&words);
    let row = &json["files"][0];
    assert_eq!((code, &row["warnings"], codes(row)), (1, &1.into(), vec![]), "hidden, counted and denied");
}

#[test]
fn globs_name_several_codes() {
    let desk = desk();
    assert_eq!(validate(&desk, &["game", "--allow", "nres.*"]).0, 0);
    assert_eq!(validate(&desk, &["game/unsorted.rlb"]).0, 0);
    assert_eq!(validate(&desk, &["game/unsorted.rlb", "--deny", "nres.sort-*"]).0, 1);
    assert_eq!(validate(&desk, &["game/unsorted.rlb", "--deny", "mdx.no-*"]).0, 0);
}

#[test]
fn a_code_that_is_none_is_refused_with_those_near_it() {
    let desk = desk();
    for (word, wanted) in [
        ("nres.sort-table-ordr", "`nres.sort-table-ordr` is no code; near it: nres.sort-table-order, "),
        ("sort-table-order", "`sort-table-order` is no code; near it: nres.sort-table-order, "),
        ("nres.sorted-*", "`nres.sorted-*` matches no code; near it: nres.sort-table-"),
    ] {
        for flag in ["--deny", "--allow"] {
            let done = desk.run(&["validate", "game", flag, word]);
            assert_eq!((done.code, done.text()), (2, ""), "{flag} {word}");
            assert!(done.stderr.contains(wanted), "{}", done.stderr);
        }
    }
}

const ALLOW: &str = "[validate]\nallow = ['nres.payload-*']\n";

#[test]
fn a_file_beside_the_files_has_the_same_lists() {
    let desk = desk().with("game/deep/galvani.toml", ALLOW);
    let (code, text) = validate(&desk, &["game", "--summary"]);
    assert_eq!((code, text.contains("payload-before-data")), (0, false), "{text}");
    desk.put("game/deep/galvani.toml", "[validate]\ndeny = ['nres.sort-*', 'warnings']\n");
    assert_eq!(validate(&desk, &["game/unsorted.rlb"]).0, 0, "it is not above that file");
    assert_eq!(validate(&desk, &["game/deep", "--allow", "nres.payload-*"]).0, 1);
}

#[test]
fn the_nearest_file_counts_up_to_the_folder_that_was_named() {
    let desk = desk().with("galvani.toml", ALLOW);
    assert_eq!(validate(&desk, &["game"]).0, 1, "above the folder that was named");
    assert_eq!(validate(&desk, &["."]).0, 0);
    assert_eq!(validate(&desk, &["game/deep/damaged.rlb"]).0, 0, "up to the current folder");
    let whole = desk.path("game/deep/damaged.rlb");
    assert_eq!(validate(&desk, &[whole.to_str().unwrap()]).0, 1, "only beside a file named from the root");
    desk.put("game/galvani.toml", "");
    assert_eq!(validate(&desk, &["."]).0, 1, "an empty one nearer by hides it");
}

#[test]
fn the_command_line_wins_over_the_file() {
    let desk =
        desk().with("game/galvani.toml", "[validate]\nallow = ['nres.sort-*']\ndeny = ['nres.payload-*']\n");
    assert_eq!(validate(&desk, &["game/unsorted.rlb"]).0, 0);
    assert_eq!(validate(&desk, &["game/unsorted.rlb", "--deny", "nres.sort-table-order"]).0, 1);
    assert_eq!(validate(&desk, &["game", "--allow", "nres.payload-*"]).0, 0);
}

#[test]
fn a_file_of_lists_that_makes_no_sense_is_a_usage_error_that_names_it() {
    for (text, wanted) in [
        ("[validate]\nallow = ['nres.sort-table-ordr']\n", "near it: nres.sort-table-order"),
        ("[validate]\nalow = []\n", "unknown field `alow`"),
        ("allow = [\n", "galvani.toml: "),
    ] {
        let done = desk().with("game/galvani.toml", text).run(&["validate", "game", "--json"]);
        assert_eq!((done.code, done.text()), (2, ""), "{text}");
        assert!(done.stderr.starts_with("error: game/galvani.toml: "), "{}", done.stderr);
        assert!(done.stderr.contains(wanted), "{}", done.stderr);
    }
}

#[test]
fn an_empty_file_is_called_empty() {
    let desk = Desk::new().with("empty.rlb", b"").with("nothing", b"");
    for name in ["empty.rlb", "nothing"] {
        let (code, json) = desk.json(&["validate", name, "--json"]);
        assert_eq!((code, codes(&json["files"][0])), (3, vec!["file.empty"]), "{name}");
        assert_eq!(json["files"][0]["diagnostics"][0]["message"], "The file has no bytes.");
    }
}
