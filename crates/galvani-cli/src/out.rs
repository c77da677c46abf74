//! Where words and bytes go: standard output and error, or a file.

use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};

use galvani::fs::write_atomic;
use serde_json::Value;

use crate::failure::Failure;

/// Text for people. A reader that went away (`| head`) is no failure.
pub(crate) fn text(text: &str) {
    noted(anstream::stdout().lock().write_all(text.as_bytes()));
}

/// What went wrong, for people.
pub(crate) fn error(text: &str) {
    let _: io::Result<()> = anstream::stderr().lock().write_all(text.as_bytes());
}

/// JSON for machines.
pub(crate) fn json(value: &Value) {
    let mut out = io::stdout().lock();
    let written = serde_json::to_writer_pretty(&mut out, value).map_err(io::Error::from);
    noted(written.and_then(|()| out.write_all(b"\n")));
}

/// JSON for machines that is text already.
pub(crate) fn machine_text(text: &str) {
    noted(io::stdout().lock().write_all(text.as_bytes()));
}

/// Whether everything for standard output got there, or nobody was left to read it.
pub(crate) fn is_whole() -> bool {
    noted(io::stdout().flush());
    !LOST.load(Ordering::Relaxed)
}

/// Set once words for standard output were lost.
static LOST: AtomicBool = AtomicBool::new(false);

fn noted(written: io::Result<()>) {
    if let Err(problem) = written
        && problem.kind() != io::ErrorKind::BrokenPipe
        && !LOST.swap(true, Ordering::Relaxed)
    {
        error(&format!("error: standard output: {problem}\n"));
    }
}

/// Bytes into a file, or to standard output for `-`.
pub(crate) fn bytes(target: &Path, bytes: &[u8]) -> Result<(), Failure> {
    let written = if target == Path::new("-") {
        let mut out = io::stdout().lock();
        out.write_all(bytes).and_then(|()| out.flush())
    } else {
        write_atomic(target, bytes)
    };
    written.map_err(|error| Failure::unwritable(format!("{}: {error}", target.display())))
}
