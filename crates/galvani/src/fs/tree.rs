//! A folder that somebody named, and what is below it, reached without following a link.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Component, Path as FilePath, PathBuf};
use std::sync::OnceLock;

use cap_std::fs::Metadata;
use galvani_core::{Limits, Path};

use super::disk::{Call, Dir, Stepping, step};
use super::place::{FileSlot, GrowingFile, Overwrite, SaveError, Saved};
use super::{OpenError, read_all, unreadable};
use crate::codes;

/// Whether links below a named folder are followed.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Follow {
    /// They may lead anywhere, so they are passed over or refused.
    #[default]
    No,
    /// Somebody knows where they lead.
    Yes,
}

/// A folder that somebody named. Once opened it is held open: whoever swaps folders and links changes nothing about it.
#[derive(Debug)]
pub struct Tree {
    path: PathBuf,
    dir: OnceLock<Dir>,
}

impl Tree {
    /// The folder need not be there yet.
    pub fn new(path: &FilePath) -> Self {
        Tree { path: path.to_path_buf(), dir: OnceLock::new() }
    }

    /// Whether there is anything in it.
    pub fn is_occupied(&self) -> bool {
        self.open().is_ok_and(Dir::is_occupied)
    }

    fn open(&self) -> io::Result<&Dir> {
        match self.dir.get() {
            Some(dir) => Ok(dir),
            None => Dir::open(&self.path).map(|dir| self.dir.get_or_init(|| dir)),
        }
    }

    fn make(&self) -> io::Result<&Dir> {
        if self.dir.get().is_none() && !self.path.as_os_str().is_empty() {
            step(Call::Make)?;
            fs::create_dir_all(&self.path)?;
        }
        self.open()
    }

    /// Writes a file, and the folders on the way to it; `/` is between their names. What exists and differs stays,
    /// unless it is forced to give way; what is no plain file and no link always stays.
    pub fn write_file(&self, name: &str, bytes: &[u8], overwrite: &Overwrite) -> Result<Saved, SaveError> {
        self.slot(name)?.put_below(bytes, overwrite)
    }

    /// Begins a file that is written piece by piece, and makes the folders on the way to it. What exists stays, unless it
    /// is forced to give way.
    pub fn grow_file(&self, name: &str, overwrite: &Overwrite) -> Result<GrowingFile, SaveError> {
        self.slot(name)?.grow(overwrite)
    }

    /// A plain file below this folder, open for reading; `None` if nothing has that name.
    pub fn open_file(&self, name: &str) -> Result<Option<fs::File>, OpenError> {
        let path = self.path.join(name);
        if !self.path.exists() {
            return Ok(None);
        }
        let Some(place) = self.find(FilePath::new(name))? else { return Ok(None) };
        match place.open_plain() {
            Ok(Some(file)) => Ok(Some(file.into_std())),
            Ok(None) => Err(not_plain(&path)),
            Err(error) => Err(unreadable(&path, &error)),
        }
    }

    /// The place of a file; the folders on the way to it are made.
    fn slot(&self, name: &str) -> Result<FileSlot, SaveError> {
        let path = self.path.join(name);
        let io = |error: io::Error| SaveError::io(&path, &error);
        let mut dir = self.make().map_err(io)?.clone();
        let (folders, name) =
            parts(FilePath::new(name)).ok_or_else(|| SaveError::new(&codes::OUTSIDE, &path))?;
        for folder in folders {
            dir.make(folder).map_err(io)?;
            dir = match dir.enter(folder) {
                Ok(inner) => inner,
                Err(error) => return Err(in_the_way(&dir, folder, &path).unwrap_or_else(|| io(error))),
            };
        }
        Ok(FileSlot::new(dir, name.to_owned(), path))
    }

    /// Whether [`Tree::write_file`] would write a file.
    pub fn allow(&self, name: &str, bytes: &[u8], overwrite: &Overwrite) -> Result<(), SaveError> {
        if !self.path.exists() {
            return Ok(());
        }
        let place = self.find(FilePath::new(name)).map_err(|error| SaveError { cause: error.cause })?;
        place.map_or(Ok(()), |place| place.in_the_way(bytes, overwrite).map(drop))
    }

    /// The whole of a plain file below this folder; `None` if nothing has that name.
    pub(super) fn read(&self, name: &FilePath, limits: &Limits) -> Option<Result<Vec<u8>, OpenError>> {
        let path = self.path.join(name);
        let unread = |error: io::Error| unreadable(&path, &error);
        match self.find(name) {
            Ok(place) => place.map(|place| match place.open_plain() {
                Ok(Some(file)) => read_all(Stepping(&file), limits).map_err(unread).flatten(),
                Ok(None) => Err(not_plain(&path)),
                Err(error) => Err(unread(error)),
            }),
            Err(error) => Some(Err(error)),
        }
    }

    /// The place of something below this folder; `None` if nothing has that name.
    pub(super) fn find(&self, name: &FilePath) -> Result<Option<FileSlot>, OpenError> {
        let path = self.path.join(name);
        let unread = |error: io::Error| unreadable(&path, &error);
        let Some((folders, name)) = parts(name) else {
            return Err(codes::OUTSIDE.at(Path::root()).saying(format!("`{}`", path.display())).into());
        };
        let mut dir = self.open().map_err(unread)?.clone();
        for folder in folders {
            match dir.look(folder).map_err(unread)? {
                None => return Ok(None),
                Some(found) if found.is_dir() => {}
                Some(found) if found.is_file() => return Ok(None),
                Some(_) => return Err(not_plain(&path)),
            }
            dir = dir.enter(folder).map_err(unread)?;
        }
        let found = dir.look(name).map_err(unread)?;
        Ok(found.map(|_| FileSlot::new(dir, name.to_owned(), path.clone())))
    }
}

fn not_plain(path: &FilePath) -> OpenError {
    codes::NOT_PLAIN.at(Path::root()).saying(format!("`{}`", path.display())).into()
}

/// What has the name of a folder and is none.
fn in_the_way(dir: &Dir, name: &OsStr, path: &FilePath) -> Option<SaveError> {
    let is_none = |found: Metadata| !found.is_dir();
    dir.look(name).ok()?.is_some_and(is_none).then(|| SaveError::new(&codes::NOT_PLAIN, path))
}

/// The folders that a relative path leads through, and the name at its end; `None` if it would leave its folder.
fn parts(path: &FilePath) -> Option<(Vec<&OsStr>, &OsStr)> {
    let parts = path.components().map(|part| match part {
        Component::Normal(name) => Some(name),
        _ => None,
    });
    let mut parts = parts.collect::<Option<Vec<_>>>()?;
    let name = parts.pop()?;
    Some((parts, name))
}
