//! Atomic writing: whoever looks sees the old file or the new one, never a part.

use std::ffi::{OsStr, OsString};
use std::io::{self, Write};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use cap_std::fs::File;

use super::disk::{Call, Dir, Stepping, step};
use super::keep::{self, Old};

/// How the names of files in the making start and end.
pub(super) const UNFINISHED: (&str, &str) = (".galvani-", ".tmp");

/// A file that is written whole, but is not in its place yet. Dropped, it leaves no trace.
#[derive(Debug)]
pub(super) struct Pending {
    dir: Dir,
    file: File,
    /// Its name for the time being, where the system has no nameless files.
    listed: Option<Listed>,
}

impl Pending {
    /// Writes the bytes into a folder, with the attributes of the old file, and makes sure that they are on the disk.
    pub(super) fn new(dir: &Dir, bytes: &[u8], old: Option<&Old>) -> io::Result<Self> {
        let mut pending = Pending::begin(dir, old)?;
        pending.write_all(bytes)?;
        pending.seal()?;
        Ok(pending)
    }

    /// Makes a file without bytes in a folder, with the attributes of the old one.
    pub(super) fn begin(dir: &Dir, old: Option<&Old>) -> io::Result<Self> {
        let (file, listed) = match dir.create_nameless()? {
            Some(file) => (file, None),
            None => Listed::create(dir).map(|(file, listed)| (file, Some(listed)))?,
        };
        let pending = Pending { dir: dir.clone(), file, listed };
        // Before the bytes: whom the old file was hidden from does not see the new one either.
        if let Some(old) = old {
            keep::attributes(&pending.file, old)?;
        }
        Ok(pending)
    }

    /// Makes sure that all that was written is on the disk.
    pub(super) fn seal(&self) -> io::Result<()> {
        step(Call::Sync)?;
        self.file.sync_all()
    }

    /// Gives the new file its name, if nothing has it.
    pub(super) fn commit_new(self, name: &OsStr) -> io::Result<()> {
        let mut files = files();
        match &self.listed {
            None => self.dir.link(&self.file, name)?,
            Some(listed) => {
                self.dir.rename(&listed.name, name)?;
                files.forget(&listed.name);
            }
        }
        files.placed += 1;
        drop(files);
        self.dir.sync();
        Ok(())
    }

    /// Puts the new file in the place of the old one.
    pub(super) fn commit(mut self, name: &OsStr) -> io::Result<()> {
        let mut files = files();
        let listed = match self.listed.take() {
            Some(listed) => listed,
            None => Listed::link(&mut files, &self.dir, &self.file)?,
        };
        if let Err(error) = self.dir.replace(&listed.name, name) {
            drop(files);
            return Err(error);
        }
        files.forget(&listed.name);
        files.placed += 1;
        drop(files);
        self.dir.sync();
        Ok(())
    }
}

impl Write for Pending {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        Stepping(&self.file).write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// What this process is making, and what it made.
#[derive(Debug)]
struct Files {
    /// Folders and names of files in the making. A name is here before the file is.
    unfinished: Vec<(Dir, OsString)>,
    /// How many files are in their places.
    placed: usize,
}

impl Files {
    fn forget(&mut self, name: &OsStr) {
        self.unfinished.retain(|(_, one)| one != name);
    }
}

static FILES: Mutex<Files> = Mutex::new(Files { unfinished: Vec::new(), placed: 0 });

/// As long as this is held no file is made and none takes its place.
fn files() -> MutexGuard<'static, Files> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file on the list of those in the making. Dropped, the file is gone, if it is still on the list.
#[derive(Debug)]
struct Listed {
    dir: Dir,
    name: OsString,
}

impl Listed {
    /// Makes a file under a name that nothing else has.
    fn create(dir: &Dir) -> io::Result<(File, Self)> {
        let mut files = files();
        Self::with_free_name(&mut files, dir, |name| dir.create(name))
    }

    /// Gives a nameless file a name that nothing else has.
    fn link(files: &mut Files, dir: &Dir, file: &File) -> io::Result<Self> {
        Self::with_free_name(files, dir, |name| dir.link(file, name)).map(|((), listed)| listed)
    }

    fn with_free_name<T>(
        files: &mut Files,
        dir: &Dir,
        make: impl Fn(&OsStr) -> io::Result<T>,
    ) -> io::Result<(T, Self)> {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        loop {
            let number = NUMBER.fetch_add(1, Ordering::Relaxed);
            let name = format!("{}{}-{number}{}", UNFINISHED.0, std::process::id(), UNFINISHED.1);
            let name = OsString::from(name);
            files.unfinished.push((dir.clone(), name.clone()));
            match make(&name) {
                Ok(made) => return Ok((made, Listed { dir: dir.clone(), name })),
                Err(error) => {
                    files.forget(&name);
                    // A process of the same number was killed here.
                    if error.kind() != io::ErrorKind::AlreadyExists {
                        return Err(error);
                    }
                }
            }
        }
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        let mut files = files();
        if files.unfinished.iter().any(|(_, name)| *name == self.name) {
            let _: io::Result<()> = self.dir.remove(&self.name);
            files.forget(&self.name);
        }
    }
}

/// The end of all writing: as long as this lives no file is made and none takes its place.
#[derive(Debug)]
pub struct Stopped(MutexGuard<'static, Files>);

impl Stopped {
    /// How many files this process put in their places.
    pub fn placed(&self) -> usize {
        self.0.placed
    }
}

/// How many files this process put in their places.
pub fn placed() -> usize {
    files().placed
}

/// Takes away what is in the making. For a process that was told to stop.
pub fn stop() -> Stopped {
    let mut files = files();
    for (dir, name) in std::mem::take(&mut files.unfinished) {
        let _: io::Result<()> = dir.remove(&name);
    }
    Stopped(files)
}
