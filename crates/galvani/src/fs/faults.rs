//! Faults of the system, on order: every call fails in turn, stops short, or is the last of its process.

use std::cell::RefCell;
use std::fs;
use std::io;
use std::path::Path;

use galvani_core::Limits;
use tempfile::TempDir;

use super::disk::Call;
use super::{Follow, Force, Input, Output, Overwrite, SaveError, Saved, Tree, expand, read};
use crate::formats::OpenOptions;

/// What happens at a call.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Fault {
    /// It fails.
    Error(io::ErrorKind),
    /// The process ends before it: neither this call nor any other is made.
    Crash,
}

#[derive(Default)]
struct Plan {
    /// The calls so far.
    calls: Vec<Call>,
    /// At which call what happens.
    fault: Option<(usize, Fault)>,
    /// Whether every call moves one byte only.
    is_short: bool,
    /// Whether the system has no nameless files.
    is_old: bool,
}

thread_local! {
    static PLAN: RefCell<Plan> = RefCell::default();
}

pub(super) fn step(call: Call) -> io::Result<()> {
    PLAN.with_borrow_mut(|plan| {
        let number = plan.calls.len();
        plan.calls.push(call);
        match plan.fault {
            Some((at, Fault::Error(kind))) if at == number => Err(kind.into()),
            Some((at, Fault::Crash)) if at <= number => Err(io::ErrorKind::Other.into()),
            _ => Ok(()),
        }
    })
}

pub(super) fn portion(len: usize) -> usize {
    PLAN.with_borrow(|plan| if plan.is_short { len.min(1) } else { len })
}

pub(super) fn is_old_system() -> bool {
    PLAN.with_borrow(|plan| plan.is_old)
}

/// Does something under a plan; what came of it, and which calls were made.
fn under<T>(plan: Plan, act: impl FnOnce() -> T) -> (T, Vec<Call>) {
    PLAN.set(plan);
    let done = act();
    (done, PLAN.take().calls)
}

/// Does something while one call of all fails; how many there were.
pub(super) fn failing_at<T>(number: usize, act: impl FnOnce() -> T) -> (T, usize) {
    let fault = Some((number, Fault::Error(io::ErrorKind::StorageFull)));
    let (done, calls) = under(Plan { fault, ..Plan::default() }, act);
    (done, calls.len())
}

const OLD: &[u8] = b"old";
const NEW: &[u8] = b"newer";

/// A way to write a file.
struct Writer {
    name: &'static str,
    /// What it writes, below the folder that it is given.
    file: &'static str,
    /// Whether the file is there before.
    is_there: bool,
    write: fn(&Path) -> Result<Saved, SaveError>,
}

const WRITERS: [Writer; 5] = [
    Writer { name: "a new file", file: "a", is_there: false, write: named },
    Writer { name: "a named file", file: "a", is_there: true, write: named },
    Writer { name: "a new file below a folder", file: "deep/in/a", is_there: false, write: below },
    Writer { name: "a file below a folder, by force", file: "deep/in/a", is_there: true, write: below },
    Writer { name: "a file in place", file: "deep/in/a", is_there: true, write: in_place },
];

fn named(folder: &Path) -> Result<Saved, SaveError> {
    Output::new(&folder.join("a"), &Overwrite::default())?.write(NEW)
}

fn below(folder: &Path) -> Result<Saved, SaveError> {
    let overwrite = Overwrite { force: Force::Yes, ..Overwrite::default() };
    Tree::new(folder).write_file("deep/in/a", NEW, &overwrite)
}

fn in_place(folder: &Path) -> Result<Saved, SaveError> {
    let options = OpenOptions::default();
    let inputs = expand(&[folder.join("deep").into()], Follow::No, &options);
    let input = inputs.iter().find(|input| input.shown.ends_with("/a")).unwrap();
    let held = input.hold()?;
    let read = input.source(&options).map_err(|error| SaveError { cause: error.cause })?.bytes;
    held.replace(&read, NEW, &Overwrite::default())
}

/// What is left of the file, and whether anything else is left.
fn after(folder: &TempDir, way: &Writer) -> (Option<Vec<u8>>, bool) {
    let path = folder.path().join(way.file);
    let names = |folder: &Path| fs::read_dir(folder).map_or(0, |names| names.flatten().count());
    let others = names(path.parent().unwrap()) - usize::from(path.exists());
    (fs::read(&path).ok(), others > 0)
}

fn desk(way: &Writer) -> TempDir {
    let folder = TempDir::new().unwrap();
    if way.is_there {
        let path = folder.path().join(way.file);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, OLD).unwrap();
    }
    folder
}

/// Every way, on every kind of system.
fn each(mut test: impl FnMut(&Writer, &dyn Fn() -> Plan)) {
    for way in &WRITERS {
        for (is_short, is_old) in [(false, false), (false, true), (true, false), (true, true)] {
            test(way, &|| Plan { is_short, is_old, ..Plan::default() });
        }
    }
}

#[test]
fn short_reads_and_writes_change_nothing() {
    each(|way, plan| {
        let folder = desk(way);
        let (done, _) = under(plan(), || (way.write)(folder.path()));
        assert!(done.is_ok(), "{}: {done:?}", way.name);
        assert_eq!(after(&folder, way), (Some(NEW.to_vec()), false), "{}", way.name);
    });
    let file = desk(&WRITERS[1]);
    let short = Plan { is_short: true, ..Plan::default() };
    let (read, calls) = under(short, || read(&file.path().join("a"), &Limits::default()));
    assert!(read.unwrap() == OLD && calls.len() > OLD.len());
}

#[test]
fn an_error_at_any_call_leaves_the_old_file_and_nothing_else_or_the_new_one_and_no_error() {
    each(|way, plan| {
        let (_, calls) = under(plan(), || (way.write)(desk(way).path()));
        for (i, call) in calls.iter().enumerate() {
            for kind in
                [io::ErrorKind::StorageFull, io::ErrorKind::PermissionDenied, io::ErrorKind::Interrupted]
            {
                let folder = desk(way);
                let faulty = Plan { fault: Some((i, Fault::Error(kind))), ..plan() };
                let (done, _) = under(faulty, || (way.write)(folder.path()));
                let wanted = if done.is_ok() { Some(NEW) } else { way.is_there.then_some(OLD) };
                let wanted = (wanted.map(<[u8]>::to_vec), false);
                assert_eq!(after(&folder, way), wanted, "{}: {kind} at {call:?}, {done:?}", way.name);
            }
        }
    });
}

#[test]
fn a_process_that_ends_between_any_two_calls_leaves_the_old_file_or_the_new_one() {
    let mut ends = [0, 0];
    each(|way, plan| {
        let (_, calls) = under(plan(), || (way.write)(desk(way).path()));
        for i in 0..=calls.len() {
            let folder = desk(way);
            let faulty = Plan { fault: Some((i, Fault::Crash)), ..plan() };
            let _ = under(faulty, || (way.write)(folder.path()));
            let (now, others) = after(&folder, way);
            let is_new = now.as_deref() == Some(NEW);
            assert!(is_new || now.as_deref() == way.is_there.then_some(OLD), "{}: {now:?}", way.name);
            let is_last = calls.get(i) == Some(&Call::Rename);
            assert!(!others || is_last || plan().is_old, "{}: a name before the last moment", way.name);
            ends[usize::from(is_new)] += 1;
        }
    });
    assert!(ends[0] > 0 && ends[1] > 0, "{ends:?}");
}

/// What a power cut would show, no test can: the bytes are on the disk before the name leads to them.
#[test]
fn the_bytes_are_on_the_disk_before_the_name_leads_to_them() {
    each(|way, plan| {
        let (_, calls) = under(plan(), || (way.write)(desk(way).path()));
        let at = |wanted: &[Call]| calls.iter().rposition(|call| wanted.contains(call)).unwrap();
        let (written, synced) = (at(&[Call::Write]), at(&[Call::Sync]));
        let placed = at(&[Call::Link, Call::Rename]);
        assert!(written < synced && synced < placed, "{}: {calls:?}", way.name);
        assert_eq!(calls.last(), Some(&Call::SyncNames), "{}", way.name);
    });
}

#[test]
fn a_file_that_changes_while_another_is_made_for_it_stays() {
    let folder = desk(&WRITERS[1]);
    let path = folder.path().join("a");
    let output = Output::new(&path, &Overwrite::default()).unwrap();
    fs::write(&path, b"by somebody else").unwrap();
    assert_eq!(output.write(NEW).unwrap_err().cause.code.name, "file.changed");
    assert_eq!(fs::read(&path).unwrap(), b"by somebody else");
    let output = Output::new(&folder.path().join("b"), &Overwrite::default()).unwrap();
    fs::write(folder.path().join("b"), b"suddenly there").unwrap();
    assert_eq!(output.write(NEW).unwrap_err().cause.code.name, "file.changed");
}

fn input(folder: &TempDir, name: &str) -> Input {
    expand(&[folder.path().join(name).into()], Follow::No, &OpenOptions::default()).pop().unwrap()
}

#[test]
fn a_file_in_place_that_changes_after_it_was_read_stays() {
    let folder = desk(&WRITERS[1]);
    let held = input(&folder, "a").hold().unwrap();
    fs::write(folder.path().join("a"), b"by somebody else").unwrap();
    let refused = held.replace(OLD, NEW, &Overwrite::default()).unwrap_err();
    assert_eq!(refused.cause.code.name, "file.changed");
    assert_eq!(fs::read(folder.path().join("a")).unwrap(), b"by somebody else");
}

#[test]
fn a_file_that_is_held_is_waited_for_and_not_for_ever() {
    let folder = desk(&WRITERS[1]);
    let held = input(&folder, "a").hold().unwrap();
    assert_eq!(input(&folder, "a").hold().unwrap_err().cause.code.name, "file.busy");
    held.replace(OLD, NEW, &Overwrite::default()).unwrap();
    drop(held);
    let again = input(&folder, "a").hold().unwrap();
    assert_eq!(again.read(&Limits::default()).unwrap(), NEW);
}

#[test]
fn a_name_that_leads_out_of_its_folder_is_refused() {
    let folder = desk(&WRITERS[1]);
    for name in ["../a", "/a", "deep/../../a", "."] {
        let refused = Tree::new(folder.path()).write_file(name, NEW, &Overwrite::default()).unwrap_err();
        assert_eq!(refused.cause.code.name, "file.outside", "{name}");
    }
}
