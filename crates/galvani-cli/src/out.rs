//! Where words and bytes go: standard output and error, or a file.

use std::io::{self, BufWriter, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{LazyLock, Mutex, MutexGuard, PoisonError};

use galvani::Diagnostic;
use galvani::fs::{self, Input, Overwrite, SaveError};
use serde::Serialize;
use serde_json::Value;

use crate::args::Common;
use crate::failure::Failure;
use crate::results;

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

/// A list of JSON under one key, printed value by value.
pub(crate) struct JsonList {
    out: Stream,
    is_first: bool,
}

impl JsonList {
    pub(crate) fn begin(key: &str) -> Self {
        let mut out = stream(true);
        noted(write!(out, "{{\n  \"{key}\": ["));
        JsonList { out, is_first: true }
    }

    /// Prints one more value, laid out as the whole would be.
    pub(crate) fn push(&mut self, value: &impl Serialize) {
        let comma = if std::mem::take(&mut self.is_first) { "" } else { "," };
        noted(write!(self.out, "{comma}\n    "));
        let written = serde_json::to_writer_pretty(Inside(&mut self.out), value);
        noted(written.map_err(io::Error::from));
    }

    /// Prints one more value that was laid out by itself.
    pub(crate) fn push_text(&mut self, text: &str) {
        let comma = if std::mem::take(&mut self.is_first) { "" } else { "," };
        noted(
            write!(self.out, "{comma}\n    ").and_then(|()| Inside(&mut self.out).write_all(text.as_bytes())),
        );
    }

    /// Prints the end, with the members of an object beside the list.
    pub(crate) fn end(mut self, beside: &Value) {
        let close = if self.is_first { "]" } else { "\n  ]" };
        noted(self.out.write_all(close.as_bytes()));
        for (key, value) in beside.as_object().into_iter().flatten() {
            let text = format!("{value:#}").replace('\n', "\n  ");
            noted(write!(self.out, ",\n  \"{key}\": {text}"));
        }
        noted(self.out.write_all(b"\n}\n").and_then(|()| self.out.flush()));
    }
}

/// Lines within a list, which are indented. No text of JSON has a line break of its own.
struct Inside<'s>(&'s mut Stream);

impl Write for Inside<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|byte| *byte == b'\n') {
            self.0.write_all(part)?;
            if part.ends_with(b"\n") {
                self.0.write_all(b"    ")?;
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Standard output for much text that is never held all at once.
pub(crate) struct Stream(BufWriter<Box<dyn Write + Send>>);

/// Text for machines goes out as it is, that for people in the colours that their terminal has.
pub(crate) fn stream(for_machines: bool) -> Stream {
    let out: Box<dyn Write + Send> =
        if for_machines { Box::new(io::stdout()) } else { Box::new(anstream::stdout()) };
    Stream(BufWriter::with_capacity(1 << 16, out))
}

impl Stream {
    pub(crate) fn print(&mut self, bytes: &[u8]) {
        noted(self.0.write_all(bytes));
    }

    pub(crate) fn end(mut self) {
        noted(self.0.flush());
    }
}

impl Write for Stream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

/// Whether everything for standard output got there, or nobody was left to read it.
pub(crate) fn is_whole() -> bool {
    noted(io::stdout().flush());
    !LOST.load(Ordering::Relaxed)
}

/// Set once words for standard output were lost.
static LOST: AtomicBool = AtomicBool::new(false);

/// What came of writing to standard output.
pub(crate) fn noted(written: io::Result<()>) {
    if let Err(problem) = written
        && problem.kind() != io::ErrorKind::BrokenPipe
        && !LOST.swap(true, Ordering::Relaxed)
    {
        error(&format!("error: standard output: {problem}\n"));
    }
}

/// Files that this run reads and never overwrites, unless they are edited in place.
static SPARED: LazyLock<Mutex<Overwrite>> = LazyLock::new(Mutex::default);

pub(crate) fn spared() -> MutexGuard<'static, Overwrite> {
    SPARED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Never overwrites this file.
pub(crate) fn spare(path: &Path) {
    spared().spare(path);
}

/// Never overwrites the file that an input is, or is in.
pub(crate) fn spare_input(input: &Input) {
    if let Some((file, _)) = input.home() {
        spare(file);
    }
}

/// Where the bytes of a verb go: standard output for `-`, or a file. It is looked at when this is made, and what is
/// there changes only if nobody else changed it since.
pub(crate) enum Output {
    Stdout,
    File(fs::Output),
}

impl Output {
    pub(crate) fn new(target: &Path, common: &Common) -> Result<Self, SaveError> {
        if target == Path::new("-") {
            return Ok(Output::Stdout);
        }
        results::writes_one_file();
        Ok(Output::File(fs::Output::new(target, &common.overwrite())?))
    }

    /// Writes all of it; what is worth knowing about that.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<Vec<Diagnostic>, Failure> {
        match self {
            Output::File(file) => Ok(file.write(bytes)?.notes),
            Output::Stdout => stdout(bytes).map(|()| Vec::new()),
        }
    }
}

/// Bytes to standard output.
pub(crate) fn stdout(bytes: &[u8]) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let written = out.write_all(bytes).and_then(|()| out.flush());
    written.map_err(|error| Failure::unwritable(format!("-: {error}")))
}
