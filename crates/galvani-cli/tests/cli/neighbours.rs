//! Links, pipes and other processes around the files that are read and written.
#![cfg(unix)]

use std::io::Write;
use std::os::unix::fs::symlink;
use std::process::Stdio;
use std::sync::atomic::{AtomicBool, Ordering};

use crate::common::archive::archive;
use crate::common::{Desk, paths, refusal};

fn small() -> Vec<u8> {
    archive(&[("x.txt", b"xyz"), ("y.bin", &[0, 255, 0])])
}

#[test]
fn a_link_below_the_folder_is_not_followed_not_even_by_force() {
    let desk = Desk::new().with("game/deep/b.rlb", small()).with("outside/.keep", b"").with("out/.keep", b"");
    symlink("../outside", desk.path("out/deep")).unwrap();
    for force in [&[][..], &["--force"]] {
        let done = desk.run(&[&["rewrite", "game", "-o", "out"], force].concat());
        assert_eq!(done.code, 1, "{}", done.stderr);
        assert!(done.stderr.contains("file.not-plain"), "{}", done.stderr);
        assert_eq!(std::fs::read_dir(desk.path("outside")).unwrap().count(), 1);
    }
}

#[test]
fn a_link_in_place_of_a_file_gives_way_by_force_and_what_it_leads_to_stays() {
    let lines = [
        ("extract a.rlb -o out", "out/x.txt", "file.not-plain"),
        ("unpack a.rlb -o out", "out/manifest.json", "file.folder-not-empty"),
        ("rewrite a.rlb -o out/", "out/a.rlb", "file.not-plain"),
    ];
    for (line, link, code) in lines {
        let words: Vec<&str> = line.split(' ').collect();
        let desk = Desk::new().with("a.rlb", small()).with("precious", b"old").with("out/z", b"");
        symlink("../precious", desk.path(link)).unwrap();
        let is_link = || std::fs::symlink_metadata(desk.path(link)).unwrap().is_symlink();
        let done = desk.run(&words);
        assert!(done.code == 1 && done.stderr.contains(code) && is_link(), "{line}: {}", done.stderr);
        let done = desk.run(&[&words[..], &["--force"]].concat());
        assert!(done.code == 0 && !is_link(), "{line}: {}", done.stderr);
        assert_eq!(desk.read("precious"), b"old", "{line}");
    }
}

#[test]
fn pipes_sockets_devices_and_folders_in_the_way_are_refused_and_not_opened() {
    let desk = Desk::new().with("a.rlb", archive(&[("x", b"1")])).with("out/.keep", b"");
    // A pipe without a reader would hold whoever opens it for ever.
    for make in ["mkfifo out/x", "mknod out/x c 1 3", "mkdir out/x", "SOCKET"] {
        if make == "SOCKET" {
            std::os::unix::net::UnixListener::bind(desk.path("out/x")).unwrap();
        } else if desk.bash(make).code != 0 {
            eprintln!("SKIPPED: {make}");
            continue;
        }
        for force in ["", "--force"] {
            let done = desk.bash(&format!("timeout 20 \"$galvani\" extract a.rlb -o out {force}"));
            assert_eq!(done.code, 1, "{make} {force}: {}", done.stderr);
            assert!(done.stderr.contains("file.not-plain"), "{make} {force}: {}", done.stderr);
        }
        desk.bash("rm -r out/x");
    }
}

/// How often something is written while somebody swaps what is there, and how many files.
const RUNS: usize = 10;
const FILES: usize = 60;

/// Writes below `out` while somebody swaps one of its files or folders for a link that leads to the same name outside.
fn swapped(desk: &Desk, line: &str, name: &str) {
    desk.put("outside/.keep", b"");
    desk.put("out/.keep", b"");
    let (words, outside) = (line.split(' ').collect::<Vec<_>>(), format!("../outside/{name}"));
    let (there, aside) = (desk.path(&format!("out/{name}")), desk.path("out/aside"));
    let done = AtomicBool::new(false);
    std::thread::scope(|threads| {
        threads.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                let _ = std::fs::rename(&there, &aside);
                let _ = symlink(&outside, &there);
                let _ = std::fs::remove_file(&there);
                let _ = std::fs::rename(&aside, &there);
                let _ = std::fs::remove_dir_all(&aside);
                let _ = std::fs::remove_file(&aside);
            }
        });
        for _ in 0..RUNS {
            let answer = desk.run(&words);
            assert!(answer.code <= 1, "{line}: {}", answer.stderr);
        }
        done.store(true, Ordering::Relaxed);
    });
    tried(&format!("{RUNS} × {FILES} files"));
    let left = |folder: &str| std::fs::read_dir(desk.path(folder)).map_or(0, Iterator::count);
    let inside = left(&format!("outside/{name}"));
    assert!(left("outside") <= 2 && inside == 0, "{line} wrote outside");
    assert!(!desk.path(&format!("outside/{name}")).is_file(), "{line} wrote outside");
}

/// An archive of so many members.
fn crowd() -> Vec<u8> {
    let names: Vec<String> = (0..FILES).map(|i| format!("{i}.txt")).collect();
    let members: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b"xyz"[..])).collect();
    archive(&members)
}

#[test]
fn nothing_leaves_the_folder_while_somebody_swaps_it_for_a_link() {
    let desk = Desk::new().with("outside/deep/.gone", b"");
    std::fs::remove_file(desk.path("outside/deep/.gone")).unwrap();
    for i in 0..FILES {
        desk.put(&format!("game/deep/{i}.rlb"), small());
    }
    swapped(&desk, "rewrite game -o out --force", "deep");
}

#[test]
fn no_member_leaves_the_folder_while_somebody_swaps_it_for_a_link() {
    let desk = Desk::new().with("a.rlb", crowd());
    swapped(&desk, "extract a.rlb -o out --force", "30.txt");
}

#[test]
fn no_part_leaves_the_folder_while_somebody_swaps_it_for_a_link() {
    let desk = Desk::new().with("a.rlb", crowd()).with("outside/payloads/.gone", b"");
    std::fs::remove_file(desk.path("outside/payloads/.gone")).unwrap();
    swapped(&desk, "unpack a.rlb -o out --force", "payloads");
}

#[test]
fn links_below_a_folder_of_inputs_are_passed_over_unless_followed() {
    let desk = Desk::new().with("game/a.rlb", small()).with("elsewhere/b.rlb", small());
    symlink("../elsewhere/b.rlb", desk.path("game/b.rlb")).unwrap();
    symlink("../elsewhere", desk.path("game/more")).unwrap();
    let (_, json) = desk.json(&["validate", "game", "--json"]);
    assert_eq!(paths(&json), ["game/a.rlb"]);
    let (_, json) = desk.json(&["validate", "game", "--follow", "--json"]);
    assert_eq!(paths(&json), ["game/a.rlb", "game/b.rlb", "game/more/b.rlb"]);
    assert_eq!(desk.run(&["edit", "game", "remove", "x.txt", "--in-place"]).code, 0);
    assert!(desk.read("elsewhere/b.rlb") == small() && desk.read("game/a.rlb") != small());
    let (code, _) = desk.json(&["validate", "game/b.rlb", "--json"]);
    assert_eq!(code, 0, "a link that somebody names is followed");
}

#[test]
fn pack_reads_plain_files_below_its_folder_unless_links_are_followed() {
    let desk = Desk::new().with("a.rlb", small()).with("secret", b"xyz");
    desk.run(&["unpack", "a.rlb", "-o", "folder"]);
    let payload = desk.files().into_iter().find(|file| file.contains("x.txt")).unwrap();
    for make in ["ln -s \"$PWD/secret\"", "mkfifo"] {
        let done = desk.bash(&format!(
            "rm {payload} && {make} {payload} && timeout 20 \"$galvani\" pack folder -o new.rlb"
        ));
        assert_eq!(done.code, 3, "{make}: {}", done.stderr);
        assert!(done.stderr.contains("file.not-plain"), "{make}: {}", done.stderr);
    }
    desk.bash(&format!("rm {payload} && ln -s \"$PWD/secret\" {payload}"));
    assert_eq!(desk.run(&["pack", "folder", "-o", "new.rlb", "--follow"]).code, 0);
    assert!(desk.read("new.rlb") == small());
    desk.bash("mv folder/payloads aside && ln -s ../aside folder/payloads");
    assert_eq!(
        desk.run(&["pack", "folder", "-o", "other.rlb"]).code,
        3,
        "nor through a folder that is a link"
    );
}

#[test]
fn a_recipe_reads_plain_files_below_its_folder_unless_links_are_followed() {
    let desk = Desk::new()
        .with("a.rlb", small())
        .with("secret", b"s")
        .with("in/plain", b"p")
        .with("in/deep/plain", b"p");
    symlink("../secret", desk.path("in/link")).unwrap();
    symlink("..", desk.path("in/up")).unwrap();
    desk.bash("mkfifo in/pipe");
    let absolute = desk.path("secret").to_string_lossy().into_owned();
    let run = |file: &str, follow: &str| {
        desk.put("in/recipe.json", format!(r#"[{{"op": "replace", "entry": "x.txt", "file": "{file}"}}]"#));
        desk.bash(&format!("timeout 20 \"$galvani\" edit a.rlb --recipe in/recipe.json -o new.rlb {follow}"))
    };
    for file in ["plain", "deep/plain"] {
        assert_eq!(run(file, "").code, 0, "{file}");
    }
    for file in ["../secret", "link", "up/secret", "pipe", &absolute] {
        let done = run(file, "");
        assert_eq!(done.code, 2, "{file}: {}", done.stderr);
    }
    for file in ["../secret", "link", "up/secret", &absolute] {
        let done = run(file, "--follow");
        assert_eq!(done.code, 0, "{file}: {}", done.stderr);
    }
}

#[test]
fn a_target_that_somebody_else_changes_meanwhile_stays() {
    // More than a pipe holds: once half of it is taken the command is reading, and has looked at its target.
    let large = archive(&[("a", &vec![b'a'; 400_000])]);
    for before in [Some(b"old"), None] {
        let desk = Desk::new();
        if let Some(before) = before {
            desk.put("out.rlb", before);
        }
        let mut command = desk.command();
        command
            .args(["rewrite", "-", "-o", "out.rlb", "--json"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped());
        let mut child = command.stderr(Stdio::null()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(&large[..200_000]).unwrap();
        desk.put("out.rlb", b"by somebody else");
        stdin.write_all(&large[200_000..]).unwrap();
        drop(stdin);
        let output = child.wait_with_output().unwrap();
        let json = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!((output.status.code(), refusal(&json)), (Some(1), &"file.changed".into()), "{json:#}");
        assert_eq!(desk.read("out.rlb"), b"by somebody else");
    }
}

/// How often something was tried: `cargo xtask strength` writes it down.
#[allow(clippy::print_stderr, reason = "whoever writes the figures down reads it")]
fn tried(trials: &str) {
    eprintln!("trials: {trials}");
}

/// Several edits of one archive at once, each of which adds an entry: whoever is told that it was done, it was done.
fn updates_are_not_lost(trials: usize) {
    const EDITS: usize = 4;
    for trial in 0..trials {
        let desk = Desk::new().with("a.rlb", small()).with("new", b"new");
        let edit = |i: usize| {
            let name = format!("e{i}");
            let words = ["edit", "a.rlb", "add", &name, "1", "new", "--in-place"];
            desk.command().args(words).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
        };
        let children: Vec<_> = (0..EDITS).map(edit).collect();
        let done = children.into_iter().map(|child| child.wait_with_output().unwrap());
        let codes: Vec<_> = done.map(|done| (done.status.code(), done.stderr)).collect();
        let (_, json) = desk.json(&["list", "a.rlb", "--json"]);
        let members = json["files"][0]["members"].as_array().unwrap();
        for (i, (code, stderr)) in codes.iter().enumerate() {
            assert_eq!(*code, Some(0), "{}", String::from_utf8_lossy(stderr));
            let name = serde_json::Value::from(format!("e{i}"));
            assert!(members.iter().any(|member| member["name"] == name), "trial {trial}: {name} is lost");
        }
        assert_eq!((members.len(), desk.files().len()), (2 + EDITS, 2), "{json:#}");
    }
    tried(&format!("{trials} × {EDITS} edits"));
}

#[test]
fn two_edits_at_once_wait_for_each_other() {
    updates_are_not_lost(15);
}

#[test]
#[ignore = "a thousand times four edits take minutes"]
fn no_update_is_lost_in_a_thousand_trials() {
    updates_are_not_lost(1000);
}

#[test]
fn members_of_one_archive_edited_by_several_at_once_are_all_edited() {
    let members: Vec<(String, Vec<u8>)> = (0..6).map(|i| (format!("m{i}.rlb"), small())).collect();
    let entries: Vec<(&str, &[u8])> = members.iter().map(|(name, bytes)| (&**name, &**bytes)).collect();
    let desk = Desk::new().with("all.rlb", archive(&entries));
    let edit = |i: usize| {
        let input = format!("all.rlb/m{i}.rlb");
        desk.command()
            .args(["edit", &input, "remove", "x.txt", "--in-place"])
            .stdout(Stdio::null())
            .spawn()
            .unwrap()
    };
    let children: Vec<_> = (0..6).map(edit).collect();
    assert!(children.into_iter().all(|mut child| child.wait().unwrap().success()));
    for i in 0..6 {
        let (_, json) = desk.json(&["list", &format!("all.rlb/m{i}.rlb"), "--json"]);
        assert_eq!(json["files"][0]["members"].as_array().unwrap().len(), 1, "m{i}");
    }
}
