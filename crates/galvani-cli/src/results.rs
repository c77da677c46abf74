//! What a verb that writes files has to say: what was written, what refused, what could not be read.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use galvani::{Diagnostic, Report, render};
use serde_json::{Value, json};

use crate::args::Common;
use crate::failure::{Failure, REFUSED, UNREADABLE};
use crate::out;

/// The results of a batch.
#[derive(Default)]
pub(crate) struct Results {
    files: Vec<Value>,
    refused: Vec<Value>,
    code: u8,
}

impl Results {
    /// A file that was written, as a row that [`file`] begins.
    pub(crate) fn add(&mut self, row: Value) {
        self.files.push(row);
    }

    /// An input that refused or could not be read, said to people at once.
    pub(crate) fn refuse(&mut self, path: &str, failure: &Failure) {
        self.code = self.code.max(failure.exit());
        self.refused.extend(failure.report().findings().iter().map(|found| refusal(path, found)));
        so_far().count(failure);
        failure.tell_of(path);
    }

    /// How many files were written and inputs refused.
    pub(crate) fn len(&self) -> usize {
        self.files.len() + self.refused.len()
    }

    /// Whether there was nothing to do.
    pub(crate) fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Whether anything refused or could not be read.
    pub(crate) fn has_refused(&self) -> bool {
        !self.refused.is_empty()
    }

    /// All that happened, as a file for machines.
    pub(crate) fn as_file(&self) -> Vec<u8> {
        format!("{:#}\n", json!({"files": self.files, "refused": self.refused})).into_bytes()
    }

    /// Says to machines all that happened, to people that nothing did; the exit code.
    pub(crate) fn finish(self, nothing: &str, common: &Common) -> u8 {
        if self.is_empty() {
            out::error(&format!("{nothing}\n"));
        }
        let code = if self.is_empty() { REFUSED } else { self.code };
        if common.json {
            out::json(&json!({"files": self.files, "refused": self.refused}));
        }
        code
    }
}

/// The row of a file that was written.
pub(crate) fn file(path: &str, output: &str, bytes: usize, findings: &Report) -> Value {
    let findings: Vec<Value> = findings.findings().iter().map(render::json::diagnostic).collect();
    json!({"path": path, "output": output, "bytes": bytes, "findings": findings})
}

/// The row of what refused; the place inside it is its own, the path being that of the input.
pub(crate) fn refusal(path: &str, found: &Diagnostic) -> Value {
    json!({
        "path": path, "code": found.code.name, "title": found.code.summary, "message": found.sentence(),
        "help": found.help, "place": found.path.to_string(), "offset": found.offset,
    })
}

/// What a batch did so far, for whoever interrupts it.
#[derive(Default)]
pub(crate) struct SoFar {
    written: u64,
    refused: u64,
    unreadable: u64,
    /// Files that are there, but nobody was told yet.
    untold: Vec<String>,
    /// Whether nothing is really written.
    dry: bool,
}

impl SoFar {
    const fn new() -> Self {
        SoFar { written: 0, refused: 0, unreadable: 0, untold: Vec::new(), dry: false }
    }

    fn count(&mut self, failure: &Failure) {
        let count = if failure.exit() == UNREADABLE { &mut self.unreadable } else { &mut self.refused };
        *count = count.saturating_add(1);
    }

    /// A file is there.
    pub(crate) fn wrote(&mut self, output: &str) {
        self.written = self.written.saturating_add(1);
        self.untold.push(output.to_owned());
    }

    /// A file would be there.
    pub(crate) fn would_write(&mut self) {
        self.written = self.written.saturating_add(1);
        self.dry = true;
    }

    /// Somebody was told of a file.
    pub(crate) fn announced(&mut self, output: &str) {
        self.untold.retain(|one| one != output);
    }

    /// `465 written, 18 refused, 0 unreadable`.
    pub(crate) fn closing(&self) -> String {
        let written = if self.dry { "to be written" } else { "written" };
        format!("{} {written}, {} refused, {} unreadable", self.written, self.refused, self.unreadable)
    }
}

static SO_FAR: Mutex<SoFar> = Mutex::new(SoFar::new());

/// What this process did so far.
pub(crate) fn so_far() -> MutexGuard<'static, SoFar> {
    SO_FAR.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Held by everybody who writes a file and says so; whoever stops the program waits for all of them.
static WRITING: RwLock<()> = RwLock::new(());

/// Keeps the program from being stopped between a file and the note that it is there.
pub(crate) fn writing() -> RwLockReadGuard<'static, ()> {
    WRITING.read().unwrap_or_else(PoisonError::into_inner)
}

/// Waits for everybody who writes; as long as the guard is held nobody begins.
pub(crate) fn writers() -> RwLockWriteGuard<'static, ()> {
    WRITING.write().unwrap_or_else(PoisonError::into_inner)
}

/// Says what was written before somebody interrupted.
pub(crate) fn tell_interrupted() {
    let so_far = so_far();
    if so_far.written > 0 || so_far.refused > 0 || so_far.unreadable > 0 {
        so_far.untold.iter().for_each(|output| out::error(&format!("{output}: written\n")));
        out::error(&format!("interrupted: {}\n", so_far.closing()));
    }
}

/// Set once it is known that one file is to be written, and which.
static SINGLE: AtomicBool = AtomicBool::new(false);

/// One file is to be written, which somebody named.
pub(crate) fn writes_one_file() {
    SINGLE.store(true, Ordering::Relaxed);
}

/// Whether one file is to be written, which somebody named.
pub(crate) fn is_single() -> bool {
    SINGLE.load(Ordering::Relaxed)
}
