//! Standard streams: `-`, readers that go away, disks that are full, completions and manuals.

use std::io::Read;
use std::process::Stdio;

use crate::common::archive::archive;
use crate::common::{Desk, paths};

fn small() -> Vec<u8> {
    archive(&[("a.txt", b"xyz")])
}

/// An archive whose dump is far larger than a pipe's buffer.
fn large() -> Vec<u8> {
    let names: Vec<String> = (0..4000).map(|i| format!("entry number {i}")).collect();
    let entries: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b"12345678"[..])).collect();
    archive(&entries)
}

#[test]
fn every_reading_verb_takes_standard_input() {
    for verb in ["validate", "info", "list"] {
        let done = Desk::new().run_with(&[verb, "-", "--json"], &small());
        assert_eq!((done.code, paths(&done.json())), (0, vec!["-"]), "{verb}");
    }
    let done = Desk::new().run_with(&["dump", "-", "--json"], &small());
    assert_eq!((done.code, &done.json()[0]["path"]), (0, &"header.magic".into()));
}

#[test]
fn rewrite_goes_from_stream_to_stream() {
    let done = Desk::new().run_with(&["rewrite", "-", "-o", "-"], &small());
    assert_eq!((done.code, done.stdout, done.stderr.as_str()), (0, small(), ""));
}

#[test]
fn bytes_on_standard_output_come_without_words() {
    let desk = Desk::new().with("a.rlb", small());
    for words in [
        &["rewrite", "a.rlb", "-o", "-"][..],
        &["rewrite", "a.rlb", "-o", "-", "--json"],
        &["edit", "a.rlb", "set", "#0", "attr1", "0", "-o", "-"],
        &["edit", "a.rlb", "set", "#0", "attr1", "0", "-o", "-", "--json"],
    ] {
        let done = desk.run(words);
        assert_eq!((done.code, done.stdout), (0, small()), "{words:?}");
    }
    desk.run(&["unpack", "a.rlb", "-o", "folder"]);
    assert_eq!(desk.run(&["pack", "folder", "-o", "-"]).stdout, small());
}

#[test]
fn unpack_and_edit_take_standard_input() {
    let desk = Desk::new();
    assert_eq!(desk.run_with(&["unpack", "-", "-o", "folder"], &small()).code, 0);
    assert_eq!(desk.read("folder/payloads/0000-a.txt"), b"xyz");
    let done = desk.run_with(&["edit", "-", "rename", "a.txt", "b", "-o", "-"], &small());
    assert_eq!((done.code, done.stdout), (0, archive(&[("b", b"xyz")])));
}

#[test]
fn a_payload_may_come_from_standard_input() {
    let desk = Desk::new().with("a.rlb", small());
    let done = desk.run_with(&["edit", "a.rlb", "replace", "#0", "-", "-o", "-"], b"piped");
    assert_eq!((done.code, done.stdout), (0, archive(&[("a.txt", b"piped")])));
}

#[test]
fn standard_input_is_not_taken_for_two_things() {
    let desk = Desk::new().with("a.rlb", small());
    let twice = ["edit", "a.rlb", "replace", "#0", "-", "add", "b", "DATA", "-", "-o", "out.rlb"];
    for words in [&["edit", "-", "replace", "#0", "-", "-o", "out.rlb"][..], &twice] {
        let done = desk.run_with(words, &small());
        assert_eq!((done.code, desk.path("out.rlb").exists()), (2, false), "{words:?}: {}", done.stderr);
    }
}

#[test]
fn standard_input_cannot_be_replaced() {
    let done = Desk::new().run_with(&["rewrite", "-", "--in-place"], &small());
    assert_eq!((done.code, done.stdout.len()), (2, 0));
}

#[test]
fn standard_input_without_a_format_is_unknown() {
    for (input, code) in [(&b"what?"[..], "file.unknown-format"), (b"", "file.empty")] {
        let done = Desk::new().run_with(&["validate", "-", "--json"], input);
        assert_eq!(done.code, 3);
        assert_eq!(done.json()["files"][0]["diagnostics"][0]["code"], code);
    }
}

/// Runs a command whose reader goes away after a few bytes.
fn with_a_reader_that_leaves(words: &[&str]) -> (Option<i32>, String) {
    let desk = Desk::new().with("large.rlb", large());
    let mut command = desk.command();
    command.args(words).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut stdout = child.stdout.take().unwrap();
    stdout.read_exact(&mut [0; 8]).unwrap();
    drop(stdout);
    let output = child.wait_with_output().unwrap();
    (output.status.code(), String::from_utf8(output.stderr).unwrap())
}

#[test]
fn a_reader_that_leaves_is_no_failure() {
    for words in [&["dump", "large.rlb"][..], &["dump", "large.rlb", "--json"], &["list", "large.rlb"]] {
        assert_eq!(with_a_reader_that_leaves(words), (Some(0), String::new()), "{words:?}");
    }
}

#[test]
fn a_reader_that_leaves_before_all_bytes_are_written_is_a_failure() {
    let (code, stderr) = with_a_reader_that_leaves(&["rewrite", "large.rlb", "-o", "-"]);
    assert_eq!(code, Some(1));
    assert!(stderr.contains("file.unwritable") && !stderr.contains("panicked"), "{stderr}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_behind_standard_output_is_a_failure() {
    let desk = Desk::new().with("a.rlb", small()).with("large.rlb", large());
    for words in [
        "rewrite a.rlb -o -",
        "edit a.rlb remove '#0' -o -",
        "validate a.rlb",
        "validate a.rlb --json",
        "info a.rlb --json",
        "dump large.rlb",
        "dump large.rlb --json",
        "list a.rlb",
        "diff a.rlb a.rlb",
        "edit --list",
        "completions bash",
        "man",
    ] {
        let done = desk.bash(&format!("\"$galvani\" {words} > /dev/full"));
        assert_eq!(done.code, 1, "{words}: {}", done.stderr);
        assert!(done.stderr.contains("No space left"), "{words}: {}", done.stderr);
    }
}

#[cfg(unix)]
#[test]
fn closed_streams_make_no_panic() {
    let desk = Desk::new().with("a.rlb", small());
    for words in ["rewrite a.rlb -o -", "validate a.rlb", "info missing --json", "rewrite - -o out.rlb"] {
        // The runtime puts /dev/null in the place of a closed stream, so only a panic or a signal can tell.
        let done = desk.bash(&format!("\"$galvani\" {words} <&- >&- 2>&-"));
        assert!(done.code == 0 || done.code == 3, "{words} gave {}", done.code);
    }
    assert!(!desk.path("out.rlb").exists());
}

#[test]
fn completions_know_every_verb() {
    for shell in ["bash", "zsh", "fish"] {
        let done = Desk::new().run(&["completions", shell]);
        assert_eq!((done.code, done.stderr.as_str()), (0, ""));
        for verb in ["info", "validate", "extract", "rewrite", "unpack", "edit", "samples"] {
            assert!(done.text().contains(verb), "{shell} does not know {verb}");
        }
    }
    assert_eq!(Desk::new().run(&["completions", "cmd"]).code, 2);
}

#[cfg(unix)]
#[test]
fn bash_understands_its_completions() {
    let done = Desk::new().bash("source <(\"$galvani\" completions bash) && complete -p galvani");
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(done.text().contains("_galvani"), "{}", done.text());
}

#[test]
fn the_manual_is_one_page_or_a_page_per_verb() {
    let desk = Desk::new();
    let page = desk.run(&["man"]);
    assert!(page.code == 0 && page.text().contains(".TH galvani 1"), "{}", page.text());
    assert_eq!(desk.run(&["man", "-o", "man/man1"]).code, 0);
    let verbs = [
        "completions",
        "diff",
        "dump",
        "edit",
        "extract",
        "info",
        "list",
        "man",
        "pack",
        "rewrite",
        "samples",
        "unpack",
        "validate",
    ];
    for verb in verbs {
        let page = String::from_utf8(desk.read(&format!("man/man1/galvani-{verb}.1"))).unwrap();
        assert!(page.contains(".SH SYNOPSIS"), "{verb}: {page}");
    }
    assert_eq!(desk.read("man/man1/galvani.1"), page.stdout);
}
