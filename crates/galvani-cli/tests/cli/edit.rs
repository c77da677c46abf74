//! `edit`: every operation, several at once, recipes, refusals.

use crate::common::archive::{archive, poke, record};
use crate::common::{Desk, Done};

fn start() -> Vec<u8> {
    archive(&[("a", b"first"), ("b", b"second"), ("c", b"third")])
}

fn desk() -> Desk {
    Desk::new().with("a.rlb", start()).with("new.bin", b"new bytes")
}

/// The result of an edit that must succeed.
fn edited(words: &[&str]) -> Vec<u8> {
    let desk = desk();
    let done = desk.run(&[&["edit", "a.rlb"], words, &["-o", "out.rlb"]].concat());
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(desk.read("a.rlb") == start(), "the input was touched");
    desk.read("out.rlb")
}

#[test]
fn add_puts_an_entry_at_the_end() {
    let wanted = archive(&[("a", b"first"), ("b", b"second"), ("c", b"third"), ("aa", b"new bytes")]);
    assert!(edited(&["add", "aa", "DATA", "new.bin"]) == wanted);
}

#[test]
fn insert_puts_an_entry_before_another() {
    let wanted = archive(&[("a", b"first"), ("aa", b"new bytes"), ("b", b"second"), ("c", b"third")]);
    assert!(edited(&["insert", "1", "aa", "DATA", "new.bin"]) == wanted);
}

#[test]
fn remove_takes_an_entry_and_its_bytes() {
    let wanted = archive(&[("a", b"first"), ("c", b"third")]);
    assert!(edited(&["remove", "B"]) == wanted);
    assert!(edited(&["remove", "#1"]) == wanted);
}

#[test]
fn replace_gives_an_entry_the_bytes_of_a_file() {
    let wanted = archive(&[("a", b"first"), ("b", b"new bytes"), ("c", b"third")]);
    assert!(edited(&["replace", "b", "new.bin"]) == wanted);
}

#[test]
fn rename_gives_an_entry_another_name_and_sorts_again() {
    let wanted = archive(&[("z", b"first"), ("b", b"second"), ("c", b"third")]);
    assert!(edited(&["rename", "a", "z"]) == wanted);
    assert!(edited(&["rename", "a", "hex:7a"]) == wanted);
}

#[test]
fn move_puts_an_entry_in_another_place() {
    let wanted = archive(&[("b", b"second"), ("c", b"third"), ("a", b"first")]);
    assert!(edited(&["move", "a", "2"]) == wanted);
}

#[test]
fn set_changes_one_field_and_no_other_byte() {
    for (at, words, value) in [
        (0x00, &["retype", "b", "Texm"][..], 0x6d78_6554),
        (0x00, &["retype", "b", "19"], 19),
        (0x04, &["set", "b", "attr1", "7"], 7),
        (0x08, &["set", "b", "attr2", "0xff"], 0xff),
        (0x10, &["set", "b", "attr3", "4294967295"], 0xffff_ffff),
    ] {
        let mut wanted = start();
        let place = record(&wanted, 1) + at;
        poke(&mut wanted, place, value);
        assert!(edited(words) == wanted, "{words:?}");
    }
}

#[test]
fn rebuild_sort_table_mends_the_table_and_nothing_else() {
    let mut broken = start();
    let place = record(&broken, 1) + crate::common::archive::SORT_INDEX;
    poke(&mut broken, place, 99);
    let desk = Desk::new().with("broken.rlb", broken);
    assert_eq!(desk.run(&["edit", "broken.rlb", "rebuild-sort-table", "--in-place"]).code, 0);
    assert!(desk.read("broken.rlb") == start());
}

#[test]
fn canonical_lays_the_archive_out_as_the_game_does() {
    let mut odd = start();
    odd.extend(b"tail");
    let desk = Desk::new().with("odd.rlb", odd);
    assert_eq!(desk.run(&["edit", "odd.rlb", "canonical", "--in-place"]).code, 0);
    assert!(desk.read("odd.rlb") == start());
}

#[test]
fn several_operations_happen_in_order() {
    let wanted = archive(&[("c", b"new bytes"), ("d", b"second")]);
    let words = ["remove", "c", "rename", "b", "d", "rename", "a", "c", "replace", "c", "new.bin"];
    assert!(edited(&words) == wanted);
}

#[test]
fn a_recipe_does_the_same_as_the_words() {
    let recipe = r##"[
        {"op": "rename", "entry": "#0", "name": "z"},
        {"op": "replace", "entry": "b", "file": "new.bin"},
        {"op": "set", "entry": "c", "field": "attr1", "value": 12},
        {"op": "insert", "index": 0, "name": "top", "type": "DATA", "file": "new.bin"},
        {"op": "rebuild-sort-table"}
    ]"##;
    let desk = desk().with("recipes/edit.json", recipe).with("recipes/new.bin", b"new bytes");
    let done = desk.run(&["edit", "a.rlb", "--recipe", "recipes/edit.json", "-o", "out.rlb"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let words = [
        "rename",
        "#0",
        "z",
        "replace",
        "b",
        "new.bin",
        "set",
        "c",
        "attr1",
        "12",
        "insert",
        "0",
        "top",
        "DATA",
        "new.bin",
        "rebuild-sort-table",
    ];
    assert!(desk.read("out.rlb") == edited(&words));
}

#[test]
fn a_recipe_comes_before_the_words() {
    let desk = desk().with("r.json", r#"[{"op": "rename", "entry": "a", "name": "x"}]"#);
    let done = desk.run(&["edit", "a.rlb", "--recipe", "r.json", "rename", "x", "y", "-o", "out.rlb"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(desk.read("out.rlb") == archive(&[("y", b"first"), ("b", b"second"), ("c", b"third")]));
}

#[test]
fn a_value_of_a_wrong_type_in_a_recipe_is_refused_with_its_place() {
    let good = r#"{"op": "remove", "entry": "a"}"#;
    for (row, place) in [
        (r#"{"op": "rename", "entry": true, "name": "x"}"#, "[1].entry: "),
        (r#"{"op": "rename", "entry": "b", "name": 5}"#, "[1].name: text "),
        (r#"{"op": "rename", "entry": "b", "name": ["x"]}"#, "[1].name: text "),
        (r#"{"op": "move", "entry": "b", "index": null}"#, "[1].index: a whole number "),
        (r#"{"op": "replace", "entry": "b", "file": {"name": "missing"}}"#, "[1].file: "),
        (r#"{"op": 7}"#, "[1].op: "),
    ] {
        let desk = desk().with("r.json", format!("[{good}, {row}]"));
        let done = desk.run(&["edit", "a.rlb", "--recipe", "r.json", "-o", "out.rlb"]);
        assert_eq!((done.code, desk.path("out.rlb").exists()), (2, false), "{row}: {}", done.stderr);
        assert!(done.stderr.contains(place), "{row}: {}", done.stderr);
    }
}

#[test]
fn a_value_of_a_wrong_type_in_a_manifest_is_refused_with_its_place() {
    let desk = desk();
    assert_eq!(desk.run(&["unpack", "a.rlb", "-o", "folder"]).code, 0);
    let mut manifest: serde_json::Value = serde_json::from_slice(&desk.read("folder/manifest.json")).unwrap();
    manifest["entries"][1]["attr1"] = serde_json::json!("one");
    desk.put("folder/manifest.json", manifest.to_string());
    let done = desk.run(&["pack", "folder", "-o", "out.rlb"]);
    assert_eq!((done.code, desk.path("out.rlb").exists()), (3, false), "{}", done.stderr);
    assert!(done.stderr.contains("entries[1].attr1: invalid type: string"), "{}", done.stderr);
}

#[test]
fn a_wrong_recipe_is_a_usage_error_and_writes_nothing() {
    let recipes = [
        "",
        "{}",
        "[1]",
        "[{}]",
        r#"[{"op": "fly"}]"#,
        r#"[{"op": "rename", "entry": "a"}]"#,
        r#"[{"op": "remove", "entry": "a"}, {"op": "replace", "entry": "b", "file": "missing"}]"#,
        r#"[{"op": "move", "entry": "a", "index": -1}]"#,
    ];
    for recipe in recipes {
        let desk = desk().with("r.json", recipe);
        let done = desk.run(&["edit", "a.rlb", "--recipe", "r.json", "-o", "out.rlb"]);
        assert_eq!((done.code, desk.path("out.rlb").exists()), (2, false), "{recipe}: {}", done.stderr);
        assert!(done.stderr.starts_with("error: "), "{recipe}: {}", done.stderr);
    }
}

fn refused(words: &[&str]) -> (Desk, Done) {
    let desk = desk();
    let done = desk.run(&[&["edit", "a.rlb"], words].concat());
    (desk, done)
}

#[test]
fn a_refusal_leaves_no_output() {
    let long = "x".repeat(36);
    let refusals: [&[&str]; 7] = [
        &["remove", "nobody"],
        &["remove", "#3"],
        &["rename", "a", ""],
        &["rename", "a", &long],
        &["rename", "a", "hex:610062"],
        &["move", "a", "3"],
        &["insert", "9", "x", "DATA", "new.bin"],
    ];
    for words in refusals {
        let (desk, done) = refused(&[words, &["-o", "out.rlb"]].concat());
        assert_eq!((done.code, desk.files().len()), (1, 2), "{words:?}: {}", done.stderr);
        assert!(done.stderr.contains("error[nres."), "{}", done.stderr);
    }
}

#[test]
fn a_refusal_after_good_operations_leaves_the_input_as_it_was() {
    let (desk, done) = refused(&["remove", "a", "rename", "b", "z", "remove", "a", "--in-place"]);
    assert_eq!((done.code, desk.files().len()), (1, 2));
    assert!(desk.read("a.rlb") == start());
}

#[test]
fn words_that_make_no_sense_are_a_usage_error() {
    let wrong: [&[&str]; 8] = [
        &["fly"],
        &["rename", "a"],
        &["set", "a", "size", "4"],
        &["set", "a", "attr1", "plenty"],
        &["set", "a", "attr1", "-1"],
        &["set", "a", "attr1", "4294967296"],
        &["rename", "a", "hex:6"],
        &["replace", "a", "missing.bin"],
    ];
    for words in wrong {
        let (desk, done) = refused(&[words, &["-o", "out.rlb"]].concat());
        assert_eq!((done.code, desk.files().len()), (2, 2), "{words:?}: {}", done.stderr);
    }
}

#[test]
fn an_edit_needs_a_place_for_its_result() {
    let (_, done) = refused(&["remove", "a"]);
    assert_eq!((done.code, done.stderr.as_str()), (2, "error: where to? -o OUT or --in-place\n"));
    assert_eq!(refused(&["remove", "a", "--in-place", "-o", "x.rlb"]).1.code, 2);
}

#[test]
fn a_name_that_looks_like_a_flag_can_be_given_behind_dashes() {
    let desk = desk();
    let done = desk.run(&["edit", "a.rlb", "-o", "out.rlb", "--", "rename", "a", "--json"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(desk.read("out.rlb") == archive(&[("--json", b"first"), ("b", b"second"), ("c", b"third")]));
}

#[test]
fn an_edit_of_a_file_that_does_not_read_is_unreadable() {
    let desk = Desk::new().with("cut.rlb", &start()[..30]);
    let done = desk.run(&["edit", "cut.rlb", "remove", "#0", "--in-place"]);
    assert_eq!(done.code, 3);
    assert!(done.stderr.starts_with("cut.rlb:\n"), "{}", done.stderr);
    assert!(desk.read("cut.rlb") == start()[..30]);
}

/// What a usage error says.
fn said(words: &[&str]) -> String {
    let desk = Desk::new();
    desk.run(&["samples", "."]);
    let done = desk.run(&[&["edit"], words, &["-o", "out"]].concat());
    assert_eq!((done.code, done.text()), (2, ""), "{words:?}");
    done.stderr
}

#[test]
fn a_bad_argument_is_called_by_its_name() {
    let wrong = said(&["lantern.mdx", "retime-sequence", "0", "fast"]);
    assert_eq!(wrong, "error: `factor` of `retime-sequence` must be a number, not `fast`\n");
    let missing = said(&["lantern.mdx", "retime-sequence", "0", "rename-sequence", "0", "x"]);
    let wanted = "error: `retime-sequence` needs SEQUENCE FACTOR; `factor` is missing: the next word, \
                  `rename-sequence`, is an operation itself\n";
    assert_eq!(missing, wanted);
    let spaced = said(&["lantern.mdx", "set-key", "BONE[1].KGTR", "0", "1", "2", "3"]);
    let wanted = "error: `2` is no operation of mdx, and `set-key` takes no more than TRACK TIME VALUES; \
                  numbers of one value have commas between them: 1,2,3\n";
    assert_eq!(spaced, wanted);
    assert_eq!(
        said(&["lantern.mdx", "fly"]),
        "error: `fly` is no operation of any format; `edit --list` shows all\n"
    );
}

#[test]
fn the_list_can_be_that_of_one_format_and_shows_how_values_are_written() {
    let done = Desk::new().run(&["edit", "--list", "mdx", "--color", "never"]);
    assert!(done.code == 0 && done.text().starts_with("mdx: "), "{}", done.text());
    assert!(done.text().contains("\n  set-key TRACK TIME VALUES (1,2,3) "), "{}", done.text());
    assert!(!done.text().contains("nres"), "{}", done.text());
    let (_, json) = Desk::new().json(&["edit", "--list", "msh", "--json"]);
    assert_eq!(
        (json["formats"].as_array().unwrap().len(), &json["formats"][0]["format"]),
        (1, &"msh".into())
    );
    assert_eq!(Desk::new().run(&["edit", "--list", "doc"]).code, 2);
}

#[test]
fn the_manual_and_shells_know_the_operations() {
    let desk = Desk::new();
    assert_eq!(desk.run(&["man", "-o", "man"]).code, 0);
    let page = String::from_utf8(desk.read("man/galvani-edit.1")).unwrap();
    for page in [page.as_str(), desk.run(&["man"]).text()] {
        assert!(
            page.contains(".SH OPERATIONS\n") && page.contains("\\fBretime\\-sequence\\fR SEQUENCE FACTOR")
        );
    }
    for shell in ["bash", "zsh", "fish"] {
        let done = desk.run(&["completions", shell]);
        assert!(done.code == 0 && done.text().contains("retime-sequence"), "{shell}");
    }
    let line = "source <(\"$galvani\" completions bash); COMP_WORDS=(galvani edit x.mdx retime-s) COMP_CWORD=3; \
                _galvani galvani retime-s x.mdx; echo \"${COMPREPLY[@]}\"";
    assert_eq!(desk.bash(line).text(), "retime-sequence\n");
}
