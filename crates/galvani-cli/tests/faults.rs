//! What goes wrong around a file: full disks, folders that may not be written, a process that dies.
//! The old file stays whole, or the new one is there whole.
#![cfg(unix)]
#![allow(clippy::disallowed_methods, reason = "tests look at the disk themselves")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]

mod common;

use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;

use common::Desk;
use common::archive::archive;

/// Larger than the limit of 1 KiB that stands for a full disk.
fn large() -> Vec<u8> {
    archive(&[("a.txt", &[b'a'; 9000]), ("b.txt", b"b")])
}

fn mode(desk: &Desk, name: &str) -> u32 {
    std::fs::metadata(desk.path(name)).unwrap().permissions().mode() & 0o7777
}

#[test]
fn a_disk_that_fills_up_leaves_everything_as_it_was() {
    for words in [
        "rewrite a.rlb --in-place",
        "rewrite a.rlb -o old.rlb",
        "rewrite a.rlb -o new.rlb",
        "rewrite outer.rlb/in.rlb --in-place",
        "edit a.rlb rename a.txt z.txt --in-place",
        "edit a.rlb rename a.txt z.txt -o old.rlb",
        "extract a.rlb -o .",
        "pack folder -o old.rlb",
        "unpack outer.rlb -o folder --force",
        "samples .",
        "man -o .",
    ] {
        let desk = Desk::new().with("a.rlb", large()).with("old.rlb", b"the old file");
        let desk = desk.with("outer.rlb", archive(&[("in.rlb", &large())]));
        assert_eq!(desk.run(&["unpack", "a.rlb", "-o", "folder"]).code, 0);
        let before: Vec<_> = desk.files().into_iter().map(|file| (desk.read(&file), file)).collect();
        let done = desk.bash(&format!("trap '' XFSZ; ulimit -f 1; exec \"$galvani\" {words}"));
        assert_eq!(done.code, 1, "{words}: {}", done.stderr);
        assert!(done.stderr.contains("file.unwritable"), "{words}: {}", done.stderr);
        for (bytes, file) in &before {
            assert!(desk.read(file) == *bytes, "{words} changed {file}");
        }
        let left: Vec<String> = desk.files().into_iter().filter(|file| file.contains(".tmp")).collect();
        assert!(left.is_empty(), "{words} left {left:?}");
        assert!(!desk.path("new.rlb").exists(), "{words} left a part of its output");
    }
}

#[test]
fn a_full_disk_is_told_to_machines_as_well() {
    let desk = Desk::new().with("a.rlb", large());
    let line = "trap '' XFSZ; ulimit -f 1; exec \"$galvani\" rewrite a.rlb --in-place --json";
    let done = desk.bash(&format!("{line} | cat; exit ${{PIPESTATUS[0]}}"));
    assert_eq!((done.code, &done.json()["refused"][0]["code"]), (1, &"file.unwritable".into()));
}

/// A real file system of 32 KiB, where this process may mount one. The limit on file sizes above stands
/// in for it everywhere else, so that the law itself is tested on every machine.
#[test]
fn a_real_disk_that_fills_up_leaves_everything_as_it_was() {
    let desk = Desk::new().with("a.rlb", archive(&[("a.txt", &vec![b'a'; 20_000])])).with("disk/.keep", b"");
    let mount = "mount -t tmpfs -o size=32k none disk";
    if desk.bash(&format!("unshare --mount bash -c '{mount}'")).code != 0 {
        eprintln!("SKIPPED: no file system may be mounted here; only the limit on sizes was tested");
        return;
    }
    let script = format!(
        "{mount} && cp a.rlb disk/a.rlb && \"$galvani\" edit disk/a.rlb rename a.txt z.txt --in-place; \
         code=$?; cmp a.rlb disk/a.rlb && ls -A disk; exit $code"
    );
    let done = desk.bash(&format!("unshare --mount bash -c '{script}'"));
    assert_eq!((done.code, done.text()), (1, "a.rlb\n"), "{}", done.stderr);
    assert!(done.stderr.contains("No space left"), "{}", done.stderr);
}

/// A line of bash as somebody whom permissions bind: nobody, if this is root.
fn as_nobody(desk: &Desk, line: &str) -> common::Done {
    let root = desk.bash("id -u").text().trim() == "0";
    let who = if root { "setpriv --reuid=65534 --regid=65534 --clear-groups" } else { "" };
    std::fs::set_permissions(desk.path("."), PermissionsExt::from_mode(0o755)).unwrap();
    // Copied by a process of its own: a file that a thread of ours still holds open for writing cannot be run.
    assert_eq!(desk.bash("cp \"$galvani\" galvani").code, 0);
    desk.bash(&format!("{who} ./galvani {line}"))
}

#[test]
fn a_folder_that_may_not_be_written_stays_as_it_is() {
    for words in [
        "rewrite game/a.rlb --in-place",
        "edit game/a.rlb remove a.txt --in-place",
        "rewrite game/a.rlb -o game/b.rlb",
        "extract game/a.rlb -o game",
        "extract game/a.rlb -o game/out",
        "unpack game/a.rlb -o game/folder",
        "samples game",
    ] {
        let desk = Desk::new().with("game/a.rlb", large());
        std::fs::set_permissions(desk.path("game"), PermissionsExt::from_mode(0o555)).unwrap();
        let done = as_nobody(&desk, words);
        std::fs::set_permissions(desk.path("game"), PermissionsExt::from_mode(0o755)).unwrap();
        assert_eq!(done.code, 1, "{words}: {}", done.stderr);
        assert!(done.stderr.contains("file.unwritable"), "{words}: {}", done.stderr);
        assert!(desk.read("game/a.rlb") == large() && desk.files() == ["galvani", "game/a.rlb"], "{words}");
    }
}

#[test]
fn a_file_that_may_not_be_read_is_unreadable() {
    let desk = Desk::new().with("game/secret.rlb", large()).with("game/open.rlb", large());
    std::fs::set_permissions(desk.path("game/secret.rlb"), PermissionsExt::from_mode(0o000)).unwrap();
    let done = as_nobody(&desk, "validate game --json");
    assert_eq!(done.code, 3);
    let json = done.json();
    assert_eq!(common::paths(&json), ["game/open.rlb", "game/secret.rlb"]);
    assert_eq!(common::codes(&json["files"][1]), ["file.unreadable"]);
}

#[test]
fn a_folder_that_may_not_be_entered_is_unreadable() {
    let desk = Desk::new().with("game/closed/a.rlb", large()).with("game/open.rlb", large());
    std::fs::set_permissions(desk.path("game/closed"), PermissionsExt::from_mode(0o000)).unwrap();
    let done = as_nobody(&desk, "validate game --json");
    std::fs::set_permissions(desk.path("game/closed"), PermissionsExt::from_mode(0o755)).unwrap();
    let json = done.json();
    assert_eq!((done.code, common::paths(&json)), (3, vec!["game/closed", "game/open.rlb"]));
}

#[test]
fn a_command_killed_at_any_time_leaves_one_file_or_the_other() {
    let (old, new) = (large(), archive(&[("z.txt", &[b'a'; 9000]), ("b.txt", b"b")]));
    let mut seen = [0, 0];
    for round in 0..40_u64 {
        let desk = Desk::new().with("a.rlb", &old);
        let mut command = desk.command();
        command.args(["edit", "a.rlb", "rename", "#0", "z.txt", "--in-place"]).stdout(Stdio::null());
        let mut child = command.spawn().unwrap();
        std::thread::sleep(Duration::from_micros(round * 250));
        let _ = child.kill();
        child.wait().unwrap();
        let now = desk.read("a.rlb");
        assert!(now == old || now == new, "neither the old file nor the new one after {round} rounds");
        seen[usize::from(now == new)] += 1;
    }
    assert!(seen[0] > 0, "never killed in time: {seen:?}");
}

/// The names of all signals that end a program and that it can see. Of faults of its own (SEGV and the like) it sees
/// nothing, but no file in the making has a name then.
const SIGNALS: [&str; 22] = [
    "HUP", "INT", "QUIT", "TRAP", "ABRT", "USR1", "USR2", "ALRM", "TERM", "STKFLT", "XCPU", "VTALRM", "PROF",
    "IO", "PWR", "SYS", "RTMIN", "RTMAX", "ILL", "FPE", "SEGV", "BUS",
];

#[cfg(target_os = "linux")]
#[test]
fn no_signal_leaves_a_file_in_the_making_and_the_exit_code_tells_whether_the_file_was_replaced() {
    let (old, new) = (large(), archive(&[("z.txt", &[b'a'; 9000]), ("b.txt", b"b")]));
    let mut seen = [0, 0];
    for (round, signal) in SIGNALS.iter().cycle().take(SIGNALS.len() * 6).enumerate() {
        let desk = Desk::new().with("a.rlb", &old);
        let pause = round % 40;
        let line = format!(
            "\"$galvani\" edit a.rlb rename '#0' z.txt --in-place > told & sleep 0.{pause:03}; \
             kill -{signal} $! 2> /dev/null; wait $!; echo $?"
        );
        let code: u8 = desk.bash(&line).text().trim().parse().unwrap();
        let now = desk.read("a.rlb");
        assert!(now == old || now == new, "{signal}: neither the old file nor the new one");
        seen[usize::from(now == new)] += 1;
        // Before the program listens a signal ends it, and a fault always does.
        let is_fault = ["ILL", "FPE", "SEGV", "BUS"].contains(signal);
        let is_told = if now == new { code == 0 || is_fault } else { code > 128 };
        assert!(is_told, "{signal} after 0.{pause:03} s: {code}, new: {}", now == new);
        let left: Vec<String> = desk.files().into_iter().filter(|file| file.contains(".tmp")).collect();
        assert!(left.is_empty(), "{signal} left {left:?}");
    }
    assert!(seen[0] > 0 && seen[1] > 0, "never in time, or always: {seen:?}");
}

#[test]
fn a_file_that_may_not_grow_is_an_error_of_the_write() {
    let desk = Desk::new().with("a.rlb", large());
    let done = desk.bash("ulimit -f 1; exec \"$galvani\" rewrite a.rlb --in-place");
    assert_eq!(
        (done.code, desk.read("a.rlb") == large(), desk.files().len()),
        (1, true, 1),
        "{}",
        done.stderr
    );
}

#[cfg(target_os = "linux")]
#[test]
fn lost_words_do_not_deny_that_the_file_was_replaced() {
    let desk = Desk::new().with("a.rlb", large());
    let done = desk.bash("\"$galvani\" edit a.rlb rename '#0' z.txt --in-place > /dev/full");
    assert!(done.code == 0 && done.stderr.contains("No space left"), "{}: {}", done.code, done.stderr);
    assert!(desk.read("a.rlb") != large());
}

#[test]
fn a_replaced_file_keeps_its_mode() {
    for bits in [0o600, 0o640, 0o604, 0o755, 0o666] {
        let desk = Desk::new().with("a.rlb", large());
        std::fs::set_permissions(desk.path("a.rlb"), PermissionsExt::from_mode(bits)).unwrap();
        assert_eq!(desk.run(&["rewrite", "a.rlb", "--in-place"]).code, 0);
        assert_eq!(mode(&desk, "a.rlb"), bits);
    }
}

#[test]
fn a_replaced_file_keeps_its_owner() {
    let desk = Desk::new().with("a.rlb", large());
    if std::os::unix::fs::chown(desk.path("a.rlb"), Some(12345), Some(54321)).is_err() {
        eprintln!("SKIPPED: only root gives files away; anybody else owns what is replaced already");
        return;
    }
    assert_eq!(desk.run(&["rewrite", "a.rlb", "--in-place"]).code, 0);
    let now = std::fs::metadata(desk.path("a.rlb")).unwrap();
    assert_eq!((now.uid(), now.gid()), (12345, 54321));
}

#[test]
fn new_files_obey_the_umask() {
    for (mask, bits) in [("027", 0o640), ("077", 0o600), ("002", 0o664), ("000", 0o666)] {
        let desk = Desk::new().with("a.rlb", large());
        let line = "umask MASK; \"$galvani\" rewrite a.rlb -o new.rlb && \"$galvani\" extract a.rlb -o out";
        assert_eq!(desk.bash(&line.replace("MASK", mask)).code, 0);
        assert_eq!((mode(&desk, "new.rlb"), mode(&desk, "out/b.txt")), (bits, bits), "umask {mask}");
    }
}

#[test]
fn a_link_stays_a_link_and_what_it_leads_to_is_replaced() {
    let desk = Desk::new().with("real/a.rlb", large());
    std::os::unix::fs::symlink("real/a.rlb", desk.path("link.rlb")).unwrap();
    assert_eq!(desk.run(&["edit", "link.rlb", "rename", "a.txt", "z.txt", "--in-place"]).code, 0);
    assert_eq!(std::fs::read_link(desk.path("link.rlb")).unwrap(), Path::new("real/a.rlb"));
    let new = archive(&[("z.txt", &[b'a'; 9000]), ("b.txt", b"b")]);
    assert!(desk.read("real/a.rlb") == new && desk.files() == ["link.rlb", "real/a.rlb"]);
}

#[test]
fn a_pipe_is_written_to_as_it_is() {
    let desk = Desk::new().with("a.rlb", large());
    let line =
        "mkfifo pipe && (cat pipe > out.rlb & \"$galvani\" rewrite a.rlb -o pipe; wait) && test -p pipe";
    assert_eq!(desk.bash(line).code, 0);
    assert!(desk.read("out.rlb") == large());
}
