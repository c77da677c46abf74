//! What is overwritten, what only by force, and what never.

use std::path::Path;

use crate::common::archive::archive;
use crate::common::{Desk, refusal};

fn small() -> Vec<u8> {
    archive(&[("x.txt", b"xyz"), ("y.bin", &[0, 255, 0])])
}

/// A desk with something for every verb.
fn desk() -> Desk {
    let desk =
        Desk::new().with("game/a.rlb", small()).with("game/deep/b.rlb", small()).with("new.bin", b"new");
    desk.run(&["samples", "samples"]);
    desk
}

/// Verbs that name files by themselves inside a folder, and a file that each of them writes.
const FOLDERS: [(&str, &str); 8] = [
    ("extract game/a.rlb -o out", "out/x.txt"),
    ("extract game/a.rlb/x.txt -o out", "out/x.txt"),
    ("rewrite game -o out", "out/deep/b.rlb"),
    ("rewrite game/a.rlb -o out/", "out/a.rlb"),
    ("edit game remove x.txt -o out", "out/a.rlb"),
    ("convert samples/walker.msh -o out/", "out/walker.glb"),
    ("samples out", "out/walker.msh"),
    ("man -o out", "out/galvani.1"),
];

fn words(line: &str) -> Vec<&str> {
    line.split(' ').collect()
}

#[test]
fn what_a_verb_names_itself_is_overwritten_only_by_force_unless_it_is_the_same() {
    for (line, file) in FOLDERS {
        let desk = desk();
        assert!(desk.run(&words(line)).code < 2 && desk.path(file).exists(), "{line}");
        let whole = desk.read(file);
        let again = desk.run(&words(line));
        assert!(!again.stderr.contains("file.exists"), "{line}: {}", again.stderr);
        desk.put(file, b"mine");
        let done = desk.run(&words(line));
        assert_eq!(done.code, 1, "{line}: {}", done.stderr);
        assert!(done.stderr.contains("file.exists"), "{line}: {}", done.stderr);
        assert_eq!(desk.read(file), b"mine", "{line}");
        desk.run(&[&words(line)[..], &["--force"]].concat());
        assert!(desk.read(file) == whole, "{line}");
    }
}

#[test]
fn a_dry_run_says_what_would_be_in_the_way() {
    let desk = desk().with("out/a.rlb", b"mine");
    let done = desk.run(&["rewrite", "game", "-o", "out", "--dry-run"]);
    assert!(
        done.code == 1 && done.text().ends_with("1 to be written, 1 refused, 0 unreadable\n"),
        "{}",
        done.stderr
    );
    let done = desk.run(&["rewrite", "game", "-o", "out", "--dry-run", "--force"]);
    assert!(done.code == 0 && desk.read("out/a.rlb") == b"mine", "{}", done.stderr);
}

#[test]
fn a_member_that_is_in_the_way_does_not_keep_the_others_in() {
    let desk = desk().with("out/x.txt", b"mine");
    let (code, json) = desk.json(&["extract", "game/a.rlb", "-o", "out", "--json"]);
    assert_eq!((code, &json["refused"][0]["path"]), (1, &"game/a.rlb/x.txt".into()), "{json:#}");
    assert_eq!((desk.read("out/x.txt"), desk.read("out/y.bin")), (b"mine".to_vec(), vec![0, 255, 0]));
}

/// Verbs that write the file that is named.
const FILES: [&str; 4] = [
    "rewrite game/a.rlb -o target",
    "edit game/a.rlb remove x.txt -o target",
    "convert samples/walker.msh --to glb -o target",
    "pack folder -o target",
];

#[cfg(unix)]
#[test]
fn a_named_file_is_replaced_and_a_read_only_one_by_force() {
    use std::os::unix::fs::PermissionsExt;
    for line in FILES {
        let desk = desk();
        desk.run(&["unpack", "game/a.rlb", "-o", "folder"]);
        let desk = desk.with("target", b"old");
        assert_eq!(desk.run(&words(line)).code, 0, "{line}");
        assert!(desk.read("target") != b"old", "{line}");
        let desk = desk.with("target", b"old");
        std::fs::set_permissions(desk.path("target"), PermissionsExt::from_mode(0o444)).unwrap();
        let (code, json) = desk.json(&[&words(line)[..], &["--json"]].concat());
        assert_eq!((code, refusal(&json)), (1, &"file.read-only".into()), "{line}: {json:#}");
        assert_eq!(desk.read("target"), b"old", "{line}");
        assert_eq!(desk.run(&[&words(line)[..], &["--force"]].concat()).code, 0, "{line}");
        assert!(desk.read("target") != b"old", "{line}");
    }
    let desk = desk();
    std::fs::set_permissions(desk.path("game/a.rlb"), PermissionsExt::from_mode(0o444)).unwrap();
    let line = ["edit", "game/a.rlb", "remove", "x.txt", "--in-place"];
    assert_eq!((desk.run(&line).code, desk.read("game/a.rlb") == small()), (1, true));
    assert_eq!(desk.run(&[&line[..], &["--force"]].concat()).code, 0);
    assert!(desk.read("game/a.rlb") != small());
}

#[test]
fn no_verb_overwrites_what_it_reads() {
    for (line, file) in [
        ("rewrite game/a.rlb -o game/a.rlb", "game/a.rlb"),
        ("rewrite game/a.rlb -o game/../game/a.rlb", "game/a.rlb"),
        ("rewrite game/a.rlb -o game", "game/a.rlb"),
        ("rewrite game -o game", "game/a.rlb"),
        ("edit game/a.rlb remove x.txt -o game/a.rlb", "game/a.rlb"),
        ("edit game/a.rlb remove x.txt -o other.rlb", "other.rlb"),
        ("edit game/a.rlb remove x.txt -o link.rlb", "game/a.rlb"),
        ("edit game/a.rlb/in.rlb remove x.txt -o game/a.rlb", "game/a.rlb"),
        ("edit game/a.rlb replace x.txt new.bin -o new.bin", "new.bin"),
        ("edit game/a.rlb --recipe recipe.json -o recipe.json", "recipe.json"),
        ("edit game/a.rlb --recipe recipe.json -o new.bin", "new.bin"),
        ("convert samples/walker.msh --to glb -o samples/walker.msh", "samples/walker.msh"),
        ("convert walker.glb -o samples/walker.msh --base samples/walker.msh", "samples/walker.msh"),
        ("convert walker.glb --to msh -o samples/ --base samples/walker.msh", "samples/walker.msh"),
        ("convert frog.glb -o samples/frog.lgp --base samples/frog.lgp/zgaa", "samples/frog.lgp"),
        ("convert paint.png -o samples/stripes.texm --like samples/stripes.texm", "samples/stripes.texm"),
        (
            "convert walker.glb -o new.msh --base samples/walker.msh --report samples/walker.msh",
            "samples/walker.msh",
        ),
        ("pack folder -o folder/manifest.json", "folder/manifest.json"),
        ("pack folder -o folder/payloads/0000-x.txt", "folder/payloads/0000-x.txt"),
        ("extract self.rlb -o .", "self.rlb"),
    ] {
        let inner = archive(&[("x.txt", b"inner")]);
        let game = archive(&[("x.txt", b"xyz"), ("in.rlb", &inner)]);
        let recipe = br#"[{"op": "replace", "entry": "x.txt", "file": "new.bin"}]"#;
        let desk = desk().with("game/a.rlb", game).with("recipe.json", recipe);
        let desk = desk.with("self.rlb", archive(&[("self.rlb", b"me"), ("other", b"o")]));
        desk.run(&["unpack", "game/a.rlb", "-o", "folder"]);
        let made = [("samples/walker.msh", "walker.glb"), ("samples/frog.lgp/zgaa", "frog.glb")];
        for (from, to) in [&made[..], &[("samples/stripes.texm", "paint.png")]].concat() {
            if line.contains(to) {
                desk.run(&["convert", from, "-o", to]);
            }
        }
        std::fs::hard_link(desk.path("game/a.rlb"), desk.path("other.rlb")).unwrap();
        #[cfg(unix)]
        std::os::unix::fs::symlink("game/a.rlb", desk.path("link.rlb")).unwrap();
        let before = desk.read(file);
        for force in [&[][..], &["--force"]] {
            let done = desk.run(&[&words(line)[..], force].concat());
            assert_eq!(done.code, 1, "{line} {force:?}: {}", done.stderr);
            assert!(done.stderr.contains("file.is-input"), "{line} {force:?}: {}", done.stderr);
            assert!(desk.read(file) == before, "{line} {force:?} changed {file}");
        }
        if line.starts_with("extract") {
            assert_eq!(desk.read("other"), b"o", "the other members come out");
        }
    }
}

#[test]
fn an_archive_is_not_overwritten_by_its_own_manifest() {
    let desk = Desk::new().with("in/manifest.json", small());
    let done = desk.run(&["unpack", "in/manifest.json", "-o", "in", "--force"]);
    assert!(done.code == 1 && done.stderr.contains("file.is-input"), "{}", done.stderr);
    assert!(desk.read("in/manifest.json") == small());
}

#[test]
fn a_skeleton_is_an_input_too() {
    let desk = desk();
    let before = desk.read("samples/frog/zgaa");
    let line = "rewrite samples/frog/zgda --skeleton samples/frog/zgaa -o samples/frog/zgaa";
    assert_eq!(desk.run(&words(line)).code, 1);
    assert!(desk.read("samples/frog/zgaa") == before);
}

#[cfg(unix)]
#[test]
fn a_link_as_target_is_followed_to_its_end_or_refused() {
    use std::os::unix::fs::symlink;
    let desk = desk().with("real/old.rlb", b"old");
    symlink("real/old.rlb", desk.path("one")).unwrap();
    symlink("one", desk.path("two")).unwrap();
    symlink("nowhere", desk.path("dangling")).unwrap();
    symlink("round", desk.path("about")).unwrap();
    symlink("about", desk.path("round")).unwrap();
    assert_eq!(desk.run(&["rewrite", "game/a.rlb", "-o", "two"]).code, 0);
    assert!(desk.read("real/old.rlb") == small());
    assert_eq!(std::fs::read_link(desk.path("two")).unwrap(), Path::new("one"));
    for link in ["dangling", "round"] {
        let (code, json) = desk.json(&["rewrite", "game/a.rlb", "-o", link, "--json"]);
        assert_eq!((code, refusal(&json)), (1, &"file.dead-link".into()), "{link}");
    }
    assert!(!desk.path("nowhere").exists());
}

#[cfg(unix)]
#[test]
fn other_names_of_a_replaced_file_are_reported() {
    let desk = desk();
    std::fs::hard_link(desk.path("game/a.rlb"), desk.path("other.rlb")).unwrap();
    let line = ["edit", "game/a.rlb", "remove", "x.txt", "--in-place", "--json"];
    let (code, json) = desk.json(&line);
    assert_eq!((code, &json["files"][0]["findings"][0]["code"]), (0, &"file.hard-links".into()), "{json:#}");
    assert!(desk.read("other.rlb") == small() && desk.read("game/a.rlb") != small());
    let done = desk.run(&["rewrite", "game/a.rlb", "-o", "fresh.rlb"]);
    assert_eq!(done.stderr, "", "a file with one name has nothing to report");
}

#[cfg(target_os = "linux")]
#[test]
fn a_replaced_file_keeps_its_attributes_and_has_a_new_time() {
    let desk = desk();
    let path = desk.path("game/a.rlb");
    if rustix::fs::setxattr(&path, "user.origin", b"museum", rustix::fs::XattrFlags::empty()).is_err() {
        eprintln!("SKIPPED: a file system without attributes");
        return;
    }
    let old = std::time::SystemTime::UNIX_EPOCH;
    std::fs::File::options().write(true).open(&path).unwrap().set_modified(old).unwrap();
    assert_eq!(desk.run(&["edit", "game/a.rlb", "remove", "x.txt", "--in-place"]).code, 0);
    let mut value = [0; 6];
    assert_eq!(rustix::fs::getxattr(&path, "user.origin", &mut value), Ok(6));
    assert_eq!(&value, b"museum");
    let age = std::fs::metadata(&path).unwrap().modified().unwrap().elapsed().unwrap();
    assert!(age.as_secs() < 600, "{age:?}");
}
