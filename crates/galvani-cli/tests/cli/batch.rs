//! Several inputs for `edit` and `rewrite`: what is printed, written, refused and left alone.

use serde_json::{Value, json};

use crate::common::archive::{DATA_OFFSET, archive, poke, record};
use crate::common::{Desk, paths};

fn small(name: &str) -> Vec<u8> {
    archive(&[(name, b"xyz"), ("other", b"12345678")])
}

/// Three archives, of which `b` refuses what the others let be done, and a file of no known format.
fn desk() -> Desk {
    let desk = Desk::new().with("game/a.rlb", small("tank")).with("game/b.rlb", small("boat"));
    desk.with("game/deep/c.rlb", small("tank")).with("game/readme.txt", b"hello")
}

const RENAME: [&str; 3] = ["rename", "tank", "car"];

fn edit(desk: &Desk, inputs: &[&str], rest: &[&str]) -> crate::common::Done {
    desk.run(&[&["edit"], inputs, &RENAME, rest, &["--color", "never"]].concat())
}

#[test]
fn a_folder_is_edited_past_what_refuses_and_closes_with_the_counts() {
    let desk = desk();
    let done = edit(&desk, &["game"], &["--in-place"]);
    assert_eq!(done.code, 1);
    let wanted = "game/a.rlb: 1 operation, 160 → 160 bytes\n\
                  game/deep/c.rlb: 1 operation, 160 → 160 bytes\n\
                  2 written, 1 refused, 0 unreadable\n";
    assert_eq!(done.text(), wanted);
    assert!(done.stderr.starts_with("game/b.rlb:\n  error[nres.no-entry]"), "{}", done.stderr);
    assert!(desk.read("game/a.rlb") == small("car") && desk.read("game/deep/c.rlb") == small("car"));
    assert!(desk.read("game/b.rlb") == small("boat"));
}

#[test]
fn a_folder_says_only_what_the_edit_caused() {
    let mut old = small("tank");
    let place = record(&old, 1) + DATA_OFFSET;
    poke(&mut old, place, 0x00ff_ffff);
    let desk = Desk::new().with("game/old.rlb", old).with("game/good.rlb", small("tank"));
    assert_eq!(desk.run(&["validate", "game/old.rlb"]).code, 1);
    let done = edit(&desk, &["game"], &["-o", "out"]);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""), "what was there before is no news");
    desk.run(&["samples", "."]);
    let done = desk.run(&["edit", "frog", "set-length", "1", "5", "-o", "out"]);
    assert!(
        done.code == 0 && done.stderr.contains("warning[ff7-skeleton.length] bones[1]"),
        "{}",
        done.stderr
    );
}

#[test]
fn machines_get_rows_for_files_and_for_refusals() {
    let desk = desk();
    let words = [&["edit", "game", "missing.rlb"], &RENAME[..], &["-o", "out", "--json"]].concat();
    let (code, json) = desk.json(&words);
    assert_eq!((code, paths(&json)), (3, vec!["game/a.rlb", "game/deep/c.rlb"]));
    assert_eq!(json["files"][1]["output"], "out/deep/c.rlb");
    assert_eq!((&json["files"][0]["bytes"], &json["files"][0]["findings"]), (&json!(160), &json!([])));
    let refused = |row: usize, key: &str| json["refused"][row][key].as_str().unwrap().to_owned();
    assert_eq!((refused(0, "path"), refused(0, "code")), ("game/b.rlb".into(), "nres.no-entry".into()));
    assert_eq!((refused(1, "path"), refused(1, "code")), ("missing.rlb".into(), "file.not-found".into()));
    assert!(refused(0, "message").ends_with('.'), "{json:#}");
}

#[test]
fn a_dry_run_does_everything_but_write() {
    let desk = desk();
    for place in [&["--in-place"][..], &["-o", "out"], &[]] {
        let before = desk.files();
        let done = edit(&desk, &["game"], &[place, &["--dry-run"]].concat());
        assert_eq!((done.code, desk.files()), (1, before), "{place:?}");
        assert!(desk.read("game/a.rlb") == small("tank"));
        assert!(
            done.text().contains("a.rlb: 1 operation, 160 → 160 bytes (not written)\n"),
            "{}",
            done.text()
        );
        assert!(done.text().ends_with("2 to be written, 1 refused, 0 unreadable\n"), "{}", done.text());
        assert!(done.stderr.contains("nres.no-entry"), "{}", done.stderr);
    }
}

#[test]
fn several_inputs_and_globs_stand_before_the_operations() {
    let desk = desk();
    let done = edit(&desk, &["game/a.rlb", "game/*/*.rlb"], &["-o", "out"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(desk.read("out/a.rlb") == small("car") && desk.read("out/c.rlb") == small("car"));
    let done = desk.run(&["rewrite", "game/a.rlb", "game/?.rlb", "-o", "same"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(done.text().ends_with("3 written, 0 refused, 0 unreadable\n"), "{}", done.text());
    assert!(desk.read("same/b.rlb") == small("boat") && desk.path("same/a.rlb~2").exists());
}

#[test]
fn a_file_with_the_name_of_an_operation_is_an_input() {
    let desk = Desk::new().with("rename", small("tank"));
    assert_eq!(edit(&desk, &["rename"], &["-o", "x.rlb"]).code, 2, "of two words `rename` both are the file");
    assert_eq!(desk.run(&["edit", "rename", "remove", "other", "-o", "x.rlb"]).code, 0);
    let done = edit(&Desk::new(), &[], &["-o", "x.rlb"]);
    assert_eq!((done.code, done.stderr.as_str()), (2, "error: no input before the operation `rename`\n"));
}

#[test]
fn members_of_one_archive_are_all_replaced_in_it() {
    let members: Vec<(String, Vec<u8>)> = (0..8).map(|i| (format!("m{i}.rlb"), small("tank"))).collect();
    let entries: Vec<(&str, &[u8])> = members.iter().map(|(name, bytes)| (&**name, &**bytes)).collect();
    let desk = Desk::new().with("all.rlb", archive(&entries));
    assert_eq!(edit(&desk, &["all.rlb/m*"], &["--in-place"]).code, 0);
    let wanted: Vec<(&str, Vec<u8>)> = entries.iter().map(|(name, _)| (*name, small("car"))).collect();
    let wanted: Vec<(&str, &[u8])> = wanted.iter().map(|(name, bytes)| (*name, &**bytes)).collect();
    assert!(desk.read("all.rlb") == archive(&wanted));
}

#[test]
fn members_that_refuse_are_left_as_they_are_when_asked() {
    let desk = Desk::new();
    desk.run(&["samples", "."]);
    let (walker, boat) = (desk.read("walker.msh"), crate::common::model("legacy-nodes"));
    let desk = desk.with("units.rlb", archive(&[("a.msh", &walker), ("b.msh", &boat)]));
    let before = desk.read("units.rlb");
    let words = ["edit", "units.rlb", "reparent", "1", "none", "--in-place"];
    let done = desk.run(&words);
    assert_eq!(done.code, 1, "{}", done.text());
    assert!(done.stderr.starts_with("units.rlb:\n") && desk.read("units.rlb") == before, "{}", done.stderr);
    let done = desk.run(&[&words[..], &["--skip-refused"]].concat());
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(done.stderr.contains("units.rlb/b.msh: left as it is\n"), "{}", done.stderr);
    assert!(desk.read("units.rlb") != before);
    assert_eq!(desk.run(&["extract", "units.rlb/b.msh", "-o", "."]).code, 0);
    assert!(desk.read("b.msh") == boat);
    let (_, json) = desk.json(&[&words[..], &["--skip-refused", "--json"]].concat());
    let skipped = &json["files"][0]["skipped"];
    assert_eq!(skipped[0]["path"], "units.rlb/b.msh", "{json:#}");
    assert_eq!(skipped.as_array().map(Vec::len), Some(1));
}

#[test]
fn an_input_that_knows_no_such_operation_is_named() {
    let desk = desk();
    desk.run(&["samples", "."]);
    let (code, json) =
        desk.json(&[&["edit", "game/a.rlb", "boat.a"], &RENAME[..], &["-o", "out", "--json"]].concat());
    assert_eq!((code, &json["refused"][0]["path"]), (2, &Value::from("boat.a")), "{json:#}");
    assert_eq!(json["refused"][0]["code"], "file.no-operation");
    assert!(desk.read("out/a.rlb") == small("car"), "the others are edited");
}

#[test]
fn what_an_input_cannot_be_told_in_these_words_is_no_unknown_operation() {
    let desk = Desk::new();
    desk.run(&["samples", "."]);
    let words = ["edit", "lantern.mdx", "frog/zgam", "set-texture", "0", "New.blp", "-o", "out", "--json"];
    let (code, json) = desk.json(&words);
    assert_eq!((code, &json["refused"][0]["path"]), (2, &Value::from("frog/zgam")), "{json:#}");
    assert_eq!(json["refused"][0]["code"], "file.usage");
    assert_eq!(json["files"].as_array().map(Vec::len), Some(1), "the others are edited");
}

#[cfg(unix)]
#[test]
fn an_interrupted_batch_says_what_was_written() {
    let desk = Desk::new();
    for i in 0..4000 {
        desk.put(&format!("game/{i:04}.rlb"), small("tank"));
    }
    let line = "\"$galvani\" edit game rename tank car -o out > told & \
                while [ ! -s told ]; do sleep 0.01; done; kill -INT $!; wait $!; echo $?";
    let done = desk.bash(&format!("set -m; {line}"));
    assert_eq!(done.text().trim(), "130", "{}", done.stderr);
    let told = String::from_utf8(desk.read("told")).unwrap();
    let written = desk.files().iter().filter(|file| file.starts_with("out/")).count();
    assert!(0 < written && written < 4000, "{written}");
    assert!(
        done.stderr.contains(&format!("interrupted: {written} written, 0 refused, 0 unreadable\n")),
        "{}",
        done.stderr
    );
    let named = told.lines().count() + done.stderr.lines().filter(|line| line.ends_with(": written")).count();
    // The one that was just being told may be told again.
    assert!(named == written || named == written + 1, "{named} of {written} are named");
    assert!(!desk.files().iter().any(|file| file.contains(".tmp")));
}
