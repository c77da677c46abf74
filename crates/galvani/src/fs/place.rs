//! Places for files: what may be written where, and what becomes of what is there.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path as FilePath, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use cap_fs_ext::MetadataExt;
use cap_std::fs::{File, Metadata};
use galvani_core::{Code, Diagnostic, Limits, Path};

use super::disk::{Call, Dir, Stepping, split, step};
use super::keep::{FileId, Old, Stamp};
use super::write::Pending;
use super::{OpenError, read_all};
use crate::codes;

/// Where somebody wants a file to be.
#[derive(Debug)]
pub enum Output {
    /// A pipe or a device, which is written to as it is.
    Stream(PathBuf),
    /// A file.
    File(FileSlot),
}

impl Output {
    /// Looks at what somebody named; a link is followed to its end.
    pub fn new(path: &FilePath, overwrite: &Overwrite) -> Result<Self, SaveError> {
        let is_stream = fs::metadata(path).is_ok_and(|found| !found.is_file() && !found.is_dir());
        if is_stream {
            return Ok(Output::Stream(path.to_path_buf()));
        }
        FileSlot::named(path, overwrite).map(Output::File)
    }

    /// Writes all of it.
    pub fn write(&self, bytes: &[u8]) -> Result<Saved, SaveError> {
        match self {
            Output::File(place) => place.write(bytes),
            Output::Stream(path) => {
                let written =
                    fs::File::options().write(true).open(path).and_then(|mut file| file.write_all(bytes));
                written.map_err(|error| SaveError::io(path, &error))?;
                Ok(Saved { path: path.clone(), notes: Vec::new() })
            }
        }
    }
}

/// Why a file was not written. What was there before is untouched.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{cause}")]
pub struct SaveError {
    /// What happened.
    pub cause: Box<Diagnostic>,
}

impl SaveError {
    pub(super) fn new(code: &'static Code, path: &FilePath) -> Self {
        SaveError { cause: Box::new(code.at(Path::root()).saying(format!("`{}`", path.display()))) }
    }

    pub(super) fn io(path: &FilePath, error: &io::Error) -> Self {
        let said = format!("{}: {error}", path.display());
        SaveError { cause: Box::new(codes::UNWRITABLE.at(Path::root()).saying(said)) }
    }
}

/// A file that was written.
#[derive(Debug)]
pub struct Saved {
    /// Where.
    pub path: PathBuf,
    /// What is worth knowing about it.
    pub notes: Vec<Diagnostic>,
}

/// Whether what is in the way gives way.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Force {
    /// A file that is read-only, or that nobody named and that differs, stays.
    #[default]
    No,
    /// It is replaced, and so is a link.
    Yes,
}

/// What may be overwritten.
#[derive(Debug, Clone, Default)]
pub struct Overwrite {
    /// Whether what is in the way gives way.
    pub force: Force,
    /// Files that never do: those that were read.
    pub spared: Arc<BTreeSet<FileId>>,
}

impl Overwrite {
    /// Never overwrites this file, if it is there, by whatever name.
    pub fn spare(&mut self, path: &FilePath) {
        if let Some(before) = FileSlot::behind(path).ok().and_then(|place| place.before) {
            Arc::make_mut(&mut self.spared).insert(before.id);
        }
    }

    fn allow(&self, found: &Metadata, path: &FilePath) -> Result<(), SaveError> {
        if self.spared.contains(&FileId::new(found)) {
            return Err(SaveError::new(&codes::IS_INPUT, path));
        }
        self.allow_change(found, path)
    }

    fn allow_change(&self, found: &Metadata, path: &FilePath) -> Result<(), SaveError> {
        if found.permissions().readonly() && self.force == Force::No {
            return Err(SaveError::new(&codes::READ_ONLY, path));
        }
        Ok(())
    }
}

/// What is in the way of a file that nobody named.
#[derive(Debug)]
pub(super) enum InTheWay {
    Nothing,
    /// A file with the same bytes.
    TheSame,
    /// Something that gives way.
    Yielding(Stamp),
}

/// Where a file is, or is to be: a folder that is held open, and a name in it. What was there when it was looked at is
/// what may be replaced.
#[derive(Debug)]
pub struct FileSlot {
    dir: Dir,
    name: OsString,
    path: PathBuf,
    before: Option<Stamp>,
}

impl FileSlot {
    /// A file that somebody named; a link is followed to its end.
    pub fn named(path: &FilePath, overwrite: &Overwrite) -> Result<Self, SaveError> {
        let place = FileSlot::behind(path)?;
        if let Some(found) = place.look()? {
            overwrite.allow(&found, path)?;
        }
        Ok(place)
    }

    /// The same, whatever is there.
    pub(super) fn behind(path: &FilePath) -> Result<Self, SaveError> {
        let io = |error: io::Error| SaveError::io(path, &error);
        let is_link = fs::symlink_metadata(path).is_ok_and(|found| found.is_symlink());
        let end = if is_link {
            fs::canonicalize(path).map_err(|_| SaveError::new(&codes::DEAD_LINK, path))?
        } else {
            path.to_path_buf()
        };
        let (folder, name) = split(&end).map_err(io)?;
        let mut place = FileSlot::new(Dir::open(folder).map_err(io)?, name, path.to_path_buf());
        let found = place.look()?;
        if found.as_ref().is_some_and(|found| !found.is_file()) {
            return Err(SaveError::new(&codes::NOT_PLAIN, path));
        }
        place.before = found.as_ref().map(Stamp::new);
        Ok(place)
    }

    pub(super) fn new(dir: Dir, name: OsString, path: PathBuf) -> Self {
        FileSlot { dir, name, path, before: None }
    }

    fn look(&self) -> Result<Option<Metadata>, SaveError> {
        self.dir.look(&self.name).map_err(|error| self.failed(&error))
    }

    fn failed(&self, error: &io::Error) -> SaveError {
        SaveError::io(&self.path, error)
    }

    fn refused(&self, code: &'static Code) -> SaveError {
        SaveError::new(code, &self.path)
    }

    /// What is here, if it is a plain file; whatever else it is, nothing of it is read.
    pub(super) fn open_plain(&self) -> io::Result<Option<File>> {
        // First a look: opening a device may already do something.
        if !self.dir.look(&self.name)?.is_some_and(|found| found.is_file()) {
            return Ok(None);
        }
        let file = self.dir.file(&self.name)?;
        let is_plain = file.metadata()?.is_file();
        Ok(is_plain.then_some(file))
    }

    /// Makes a file that nobody named; what is there stays if it differs, unless it is forced to give way.
    pub(super) fn put_below(mut self, bytes: &[u8], overwrite: &Overwrite) -> Result<Saved, SaveError> {
        match self.in_the_way(bytes, overwrite)? {
            InTheWay::TheSame => Ok(Saved { path: self.path, notes: Vec::new() }),
            InTheWay::Nothing => self.write(bytes),
            InTheWay::Yielding(before) => {
                self.before = Some(before);
                self.write(bytes)
            }
        }
    }

    /// What is in the way of a file that nobody named; an error if it stays.
    pub(super) fn in_the_way(&self, bytes: &[u8], overwrite: &Overwrite) -> Result<InTheWay, SaveError> {
        let Some(found) = self.look()? else { return Ok(InTheWay::Nothing) };
        if !found.is_file() && !found.is_symlink() {
            return Err(self.refused(&codes::NOT_PLAIN));
        }
        if overwrite.spared.contains(&FileId::new(&found)) {
            return Err(self.refused(&codes::IS_INPUT));
        }
        if found.is_file() && self.holds(bytes) {
            return Ok(InTheWay::TheSame);
        }
        match overwrite.force {
            Force::Yes => Ok(InTheWay::Yielding(Stamp::new(&found))),
            Force::No => Err(self.refused(if found.is_file() { &codes::EXISTS } else { &codes::NOT_PLAIN })),
        }
    }

    fn holds(&self, bytes: &[u8]) -> bool {
        let limits = Limits { bytes: u64::try_from(bytes.len()).unwrap_or(u64::MAX), ..Limits::default() };
        let file = self.open_plain().ok().flatten();
        let read = file.and_then(|file| read_all(Stepping(&file), &limits).ok()?.ok());
        read.as_deref() == Some(bytes)
    }

    /// Replaces or makes the file. If this fails, what was there before is whole and nothing else is left behind.
    pub fn write(&self, bytes: &[u8]) -> Result<Saved, SaveError> {
        let file = if self.before.is_some() { self.lock()? } else { None };
        let found = self.unchanged()?;
        // A link that gives way has no attributes of its own.
        let old = found.filter(Metadata::is_file).map(|found| Old { found, file });
        self.write_over(bytes, old.as_ref())
    }

    /// Begins a file that is written piece by piece. What is there stays unless it is forced to give way.
    pub(super) fn grow(mut self, overwrite: &Overwrite) -> Result<GrowingFile, SaveError> {
        // Nobody knows its bytes yet, so nothing is the same.
        if let Some(found) = self.look()? {
            overwrite.allow(&found, &self.path)?;
            match (found.is_file(), overwrite.force) {
                (false, _) => return Err(self.refused(&codes::NOT_PLAIN)),
                (true, Force::No) => return Err(self.refused(&codes::EXISTS)),
                (true, Force::Yes) => self.before = Some(Stamp::new(&found)),
            }
        }
        let pending = Pending::begin(&self.dir, None).map_err(|error| self.unwritten(&error))?;
        Ok(GrowingFile { pending, place: self })
    }

    /// What is here, if it is what was here when it was looked at.
    fn unchanged(&self) -> Result<Option<Metadata>, SaveError> {
        let found = self.look()?;
        if found.as_ref().map(Stamp::new) != self.before {
            return Err(self.refused(&codes::CHANGED));
        }
        Ok(found)
    }

    fn write_over(&self, bytes: &[u8], old: Option<&Old>) -> Result<Saved, SaveError> {
        self.settle(Pending::new(&self.dir, bytes, old).map_err(|error| self.unwritten(&error))?)
    }

    fn unwritten(&self, error: &io::Error) -> SaveError {
        match error.kind() {
            io::ErrorKind::AlreadyExists => self.refused(&codes::CHANGED),
            _ => self.failed(error),
        }
    }

    /// Puts a file that is written into this place.
    fn settle(&self, pending: Pending) -> Result<Saved, SaveError> {
        let io = |error: io::Error| self.unwritten(&error);
        if self.before.is_none() {
            pending.commit_new(&self.name).map_err(io)?;
            return Ok(Saved { path: self.path.clone(), notes: Vec::new() });
        }
        // Once more, because writing took its time.
        let names = self.unchanged()?.map_or(1, |found| found.nlink());
        pending.commit(&self.name).map_err(io)?;
        let note = (names > 1).then(|| {
            let said = format!("`{}` has {names} names", self.path.display());
            codes::HARD_LINKS.at(Path::root()).saying(said)
        });
        Ok(Saved { path: self.path.clone(), notes: note.into_iter().collect() })
    }

    /// Keeps others of our kind from the file that is here; `None` if it cannot be locked, or not even opened.
    fn lock(&self) -> Result<Option<File>, SaveError> {
        let end = Instant::now() + PATIENCE;
        loop {
            let Ok(file) = self.dir.file(&self.name) else { return Ok(None) };
            step(Call::Lock).map_err(|error| self.failed(&error))?;
            let file = file.into_std();
            match file.try_lock() {
                Ok(()) => {
                    let file = File::from_std(file);
                    // Whoever held it may have put another file in its place.
                    let here = self.look()?.as_ref().map(FileId::new);
                    if here.is_some() && here == file.metadata().ok().as_ref().map(FileId::new) {
                        return Ok(Some(file));
                    }
                    if here.is_none() {
                        return Ok(None);
                    }
                }
                Err(fs::TryLockError::WouldBlock) if Instant::now() > end => {
                    return Err(self.refused(&codes::BUSY));
                }
                Err(fs::TryLockError::WouldBlock) => std::thread::sleep(PAUSE),
                // Not every file system has locks.
                Err(fs::TryLockError::Error(_)) => return Ok(Some(File::from_std(file))),
            }
        }
    }
}

/// How long to wait for somebody who has the file.
const PATIENCE: Duration = if cfg!(test) { Duration::from_millis(50) } else { Duration::from_mins(1) };
/// How long to wait before asking again.
const PAUSE: Duration = Duration::from_millis(2);

/// A file that is read in order to be replaced; others of our kind wait until this is dropped.
#[derive(Debug)]
pub struct HeldFile {
    place: FileSlot,
    /// The file, locked where the system has locks.
    old: Old,
}

impl HeldFile {
    pub(super) fn new(mut place: FileSlot) -> Result<Self, SaveError> {
        let Some(file) = place.lock()? else {
            let error = place.dir.file(&place.name).err().unwrap_or(io::ErrorKind::NotFound.into());
            return Err(place.failed(&error));
        };
        let found = file.metadata().map_err(|error| place.failed(&error))?;
        if !found.is_file() {
            return Err(place.refused(&codes::NOT_PLAIN));
        }
        place.before = Some(Stamp::new(&found));
        Ok(HeldFile { place, old: Old { found, file: Some(file) } })
    }

    /// What is in it now.
    pub fn read(&self, limits: &Limits) -> Result<Vec<u8>, OpenError> {
        let unread = |error: io::Error| super::unreadable(&self.place.path, &error);
        let again = self.place.dir.file(&self.place.name).map_err(unread)?;
        read_all(Stepping(&again), limits).map_err(unread)?
    }

    /// Replaces what was read; if it is no longer that, it stays as it is.
    pub fn replace(&self, read: &[u8], bytes: &[u8], overwrite: &Overwrite) -> Result<Saved, SaveError> {
        overwrite.allow_change(&self.old.found, &self.place.path)?;
        let limits = Limits { bytes: u64::try_from(read.len()).unwrap_or(u64::MAX), ..Limits::default() };
        if self.read(&limits).ok().as_deref() != Some(read) {
            return Err(self.place.refused(&codes::CHANGED));
        }
        self.place.write_over(bytes, Some(&self.old))
    }
}

/// A file that is written piece by piece, and takes its place only when it is whole. Dropped before, it leaves no trace.
#[derive(Debug)]
pub struct GrowingFile {
    pending: Pending,
    place: FileSlot,
}

impl GrowingFile {
    /// Puts the file into its place.
    pub fn finish(self) -> Result<Saved, SaveError> {
        self.pending.seal().map_err(|error| self.place.failed(&error))?;
        self.place.settle(self.pending)
    }
}

impl Write for GrowingFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.pending.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.pending.flush()
    }
}
