//! Exit codes: 0 done, 1 refused, 2 usage, 3 unreadable; of several inputs the highest.

use crate::common::archive::{DATA_OFFSET, archive, poke, record};
use crate::common::{Desk, paths};

fn desk() -> Desk {
    let good = archive(&[("a.txt", b"xyz"), ("b.txt", b"12345678")]);
    let mut damaged = good.clone();
    let place = record(&good, 0) + DATA_OFFSET;
    poke(&mut damaged, place, 1);
    let desk = Desk::new().with("good.rlb", &good).with("damaged.rlb", damaged).with("cut.rlb", &good[..40]);
    desk.with("alien.bin", b"what is this?").with("empty", b"").with("folder/manifest.json", b"{}")
}

#[test]
fn each_verb_says_how_it_went() {
    let cases: [(u8, &[&str]); 48] = [
        (0, &["validate", "good.rlb"]),
        (1, &["validate", "damaged.rlb"]),
        (3, &["validate", "cut.rlb"]),
        (3, &["validate", "alien.bin"]),
        (3, &["validate", "empty"]),
        (3, &["validate", "missing"]),
        (3, &["validate", "damaged.rlb", "--strict"]),
        (2, &["validate"]),
        (2, &["validate", "good.rlb", "--deny", "no.such-code"]),
        (2, &["validate", "good.rlb", "--json", "--github"]),
        (0, &["info", "good.rlb"]),
        (0, &["info", "damaged.rlb"]),
        (3, &["info", "cut.rlb"]),
        (3, &["info", "damaged.rlb", "--strict"]),
        (2, &["info", "good.rlb", "--reading", "guessed"]),
        (2, &["info", "good.rlb", "--reading", "nothing=observed"]),
        (2, &["info", "good.rlb", "--format", "zip"]),
        (0, &["info", "good.rlb", "--reading", "documented"]),
        (0, &["dump", "good.rlb"]),
        (3, &["dump", "cut.rlb"]),
        (0, &["list", "good.rlb"]),
        (3, &["list", "alien.bin"]),
        (0, &["diff", "good.rlb", "damaged.rlb"]),
        (1, &["diff", "good.rlb", "damaged.rlb", "--exit-code"]),
        (0, &["diff", "good.rlb", "good.rlb", "--exit-code"]),
        (3, &["diff", "good.rlb", "cut.rlb"]),
        (2, &["diff", "good.rlb"]),
        (2, &["diff", "folder", "good.rlb"]),
        (2, &["diff", "-", "-"]),
        (0, &["extract", "good.rlb", "-o", "out"]),
        (1, &["extract", "damaged.rlb", "-o", "out"]),
        (3, &["extract", "cut.rlb", "-o", "out"]),
        (3, &["extract", "good.rlb/nothing", "-o", "out"]),
        (2, &["extract", "good.rlb"]),
        (0, &["rewrite", "damaged.rlb", "-o", "o.rlb"]),
        (3, &["rewrite", "cut.rlb", "-o", "o.rlb"]),
        (1, &["rewrite", "good.rlb", "-o", "no/such/folder/o.rlb"]),
        (2, &["rewrite", "good.rlb"]),
        (2, &["rewrite", "good.rlb", "-o", "o.rlb", "--in-place"]),
        (0, &["unpack", "damaged.rlb", "-o", "u"]),
        (3, &["unpack", "cut.rlb", "-o", "u"]),
        (3, &["pack", "folder", "-o", "o.rlb"]),
        (3, &["pack", "missing", "-o", "o.rlb"]),
        (0, &["edit", "good.rlb", "rename", "a.txt", "c.txt", "-o", "o.rlb"]),
        (1, &["edit", "good.rlb", "rename", "nobody", "c.txt", "-o", "o.rlb"]),
        (2, &["edit", "good.rlb", "-o", "o.rlb"]),
        (2, &["fly", "good.rlb"]),
        (2, &["info", "good.rlb", "--keep-going", "--fail-fast"]),
    ];
    for (code, words) in cases {
        let done = desk().run(words);
        assert_eq!(done.code, code, "{words:?}: {}{}", String::from_utf8_lossy(&done.stdout), done.stderr);
        assert!(code < 2 || !done.stderr.is_empty() || words[0] == "validate", "{words:?} says nothing");
    }
}

#[test]
fn of_several_inputs_the_highest_counts() {
    let desk = desk();
    for verb in ["validate", "info", "list", "dump"] {
        assert_eq!(desk.run(&[verb, "cut.rlb", "good.rlb", "damaged.rlb"]).code, 3, "{verb}");
    }
    assert_eq!(desk.run(&["validate", "good.rlb", "damaged.rlb", "good.rlb"]).code, 1);
    assert_eq!(desk.run(&["extract", "damaged.rlb", "good.rlb", "-o", "out"]).code, 1);
    assert_eq!(desk.run(&["extract", "cut.rlb", "damaged.rlb", "-o", "out"]).code, 3);
}

#[test]
fn the_others_are_still_looked_at_after_a_failure() {
    let (code, json) = desk().json(&["info", "cut.rlb", "good.rlb", "--json"]);
    assert_eq!((code, paths(&json)), (3, vec!["cut.rlb", "good.rlb"]));
}

#[test]
fn fail_fast_stops_at_the_first_failure() {
    let desk = desk();
    let mut command = desk.command();
    command.env("RAYON_NUM_THREADS", "1");
    command.args(["validate", "good.rlb", "cut.rlb", "damaged.rlb", "--fail-fast", "--json"]);
    let output = command.output().unwrap();
    let json: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((output.status.code(), paths(&json)), (Some(3), vec!["cut.rlb", "good.rlb"]));
}

#[test]
fn fail_fast_does_not_call_the_rest_unknown() {
    let desk = desk();
    let mut command = desk.command();
    command.env("RAYON_NUM_THREADS", "1");
    command.args(["validate", "cut.rlb", "good.rlb", "good.rlb", "--fail-fast"]);
    let output = command.output().unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.ends_with("1 file checked: 2 errors, 0 warnings, 0 notes\n"), "{text}");
}

#[test]
fn extract_stops_at_the_first_failure_when_asked() {
    let desk = desk();
    let done = desk.run(&["extract", "cut.rlb", "good.rlb", "-o", "out", "--fail-fast"]);
    assert_eq!((done.code, desk.path("out").exists()), (3, false));
}

#[test]
fn strict_gives_up_with_json() {
    let (code, json) = desk().json(&["validate", "damaged.rlb", "--strict", "--json"]);
    let row = &json["files"][0];
    assert_eq!((code, &row["readable"]), (3, &false.into()));
    assert_eq!(row["diagnostics"][0]["code"], "nres.payload-before-data");
}

#[test]
fn a_usage_error_leaves_standard_output_empty() {
    for words in [&["edit", "good.rlb", "fly", "-o", "o.rlb", "--json"][..], &["info", "--json"]] {
        let done = desk().run(words);
        assert_eq!((done.code, done.text()), (2, ""), "{words:?}");
    }
}
