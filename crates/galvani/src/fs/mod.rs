//! The only place that opens files: reading whole ones, writing them atomically, finding inputs.
#![allow(clippy::disallowed_methods, reason = "this is where files are opened and written")]

mod disk;
#[cfg(test)]
mod faults;
mod folder;
mod inputs;
mod keep;
mod links;
mod open;
mod pattern;
mod place;
mod shelves;
mod spool;
mod tree;
mod write;

use std::io::{self, Read};
use std::path::Path as FilePath;

use galvani_core::{Diagnostic, Limits, Path, room};

pub use folder::{
    Extraction, FreeNames, MANIFEST, files_in, read_folder, safe_name, safe_path, write_folder,
};
pub use inputs::{Input, Source, expand};
pub use keep::FileId;
pub use links::Folders;
pub use open::open;
pub use place::{FileSlot, Force, GrowingFile, HeldFile, Output, Overwrite, SaveError, Saved};
pub use shelves::SearchRoot;
pub use spool::{Spool, Spooled};
pub use tree::{Follow, Tree};
pub use write::{Stopped, placed, stop};

use crate::codes;

/// Why there are no bytes.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{cause}")]
pub struct OpenError {
    /// What happened.
    pub cause: Box<Diagnostic>,
}

impl From<crate::formats::RequestError> for OpenError {
    fn from(error: crate::formats::RequestError) -> Self {
        OpenError { cause: error.cause }
    }
}

impl From<galvani_core::Exhausted> for OpenError {
    fn from(end: galvani_core::Exhausted) -> Self {
        OpenError { cause: end.cause }
    }
}

impl From<Diagnostic> for OpenError {
    fn from(cause: Diagnostic) -> Self {
        OpenError { cause: Box::new(cause) }
    }
}

/// A whole file.
pub fn read(path: &FilePath, limits: &Limits) -> Result<Vec<u8>, OpenError> {
    let file = std::fs::File::open(path).map_err(|error| unreadable(path, &error))?;
    read_all(disk::Stepping(&file), limits).map_err(|error| unreadable(path, &error))?
}

/// A whole plain file below a folder, without following a link on the way.
pub fn read_below(folder: &FilePath, name: &str, limits: &Limits) -> Result<Vec<u8>, OpenError> {
    let none =
        || Err(codes::NOT_FOUND.at(Path::root()).saying(format!("`{}`", folder.join(name).display())).into());
    Tree::new(folder).read(FilePath::new(name), limits).unwrap_or_else(none)
}

/// Everything that standard input gives.
pub fn read_stdin(limits: &Limits) -> Result<Vec<u8>, OpenError> {
    read_all(io::stdin().lock(), limits).map_err(|error| unreadable(FilePath::new("-"), &error))?
}

/// Bytes that are read at once at least.
const LEAST_READ: usize = 1 << 16;

/// The outer result is the disk's, the inner one the limit's.
fn read_all(input: impl Read, limits: &Limits) -> io::Result<Result<Vec<u8>, OpenError>> {
    let mut input = input.take(limits.bytes.saturating_add(1));
    let mut bytes: Vec<u8> = Vec::new();
    loop {
        // Room is asked for before it is needed: reading itself takes what it wants.
        let more = bytes.len().max(LEAST_READ);
        if let Err(end) = room::reserve_exact(&mut bytes, more) {
            return Ok(Err(end.into()));
        }
        let wanted = u64::try_from(more).unwrap_or(u64::MAX);
        let read = input.by_ref().take(wanted).read_to_end(&mut bytes)?;
        if read < more {
            break;
        }
    }
    if u64::try_from(bytes.len()).is_ok_and(|len| len > limits.bytes) {
        let found = codes::TOO_LARGE.at(Path::root()).saying(format!("more than {} bytes", limits.bytes));
        return Ok(Err(found.into()));
    }
    Ok(Ok(bytes))
}

fn unreadable(path: &FilePath, error: &io::Error) -> OpenError {
    let code = if error.kind() == io::ErrorKind::NotFound { &codes::NOT_FOUND } else { &codes::UNREADABLE };
    code.at(Path::root()).saying(format!("{}: {error}", path.display())).into()
}
