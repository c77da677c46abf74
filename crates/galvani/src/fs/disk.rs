//! The calls to the system that files are written with, one function each. A test may make any of them fail, stop short or
//! be the last one of a process (`faults`).

use std::ffi::{OsStr, OsString};
use std::io::{self, Read, Write};
use std::path::Path;
use std::sync::Arc;

use cap_fs_ext::{DirExt, FollowSymlinks, OpenOptionsFollowExt, OpenOptionsSyncExt};
use cap_std::ambient_authority;
use cap_std::fs::{File, Metadata, OpenOptions};

#[cfg(test)]
use super::faults;

/// What is asked of the system.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Call {
    /// Open a folder that somebody named.
    Folder,
    /// Make a folder in another.
    Make,
    /// Open a folder in another.
    Enter,
    /// Look at a name without opening it.
    Look,
    /// Open a file to read it.
    Open,
    /// Read some bytes.
    Read,
    /// Lock a file.
    Lock,
    /// Create a file.
    Create,
    /// Give a file the attributes of another.
    Keep,
    /// Write some bytes.
    Write,
    /// Bring a file to the disk.
    Sync,
    /// Give a nameless file a name.
    #[cfg_attr(not(target_os = "linux"), allow(dead_code, reason = "only Linux has nameless files"))]
    Link,
    /// Put a file in the place of another, or of none.
    Rename,
    /// Take a name away.
    Remove,
    /// Bring the names of a folder to the disk.
    SyncNames,
}

#[cfg(test)]
pub(super) use faults::{portion, step};

/// Stands before every call.
#[cfg(not(test))]
#[allow(clippy::unnecessary_wraps, reason = "in tests a call may fail before it is made")]
pub(super) fn step(_: Call) -> io::Result<()> {
    Ok(())
}

/// How many of so many bytes the next call may move.
#[cfg(not(test))]
fn portion(len: usize) -> usize {
    len
}

/// A folder that is held open: whoever moves it or puts a link in its place changes nothing about it.
#[derive(Debug, Clone)]
pub(super) struct Dir(Arc<cap_std::fs::Dir>);

impl Dir {
    /// A folder that somebody named; links on the way there are theirs.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        step(Call::Folder)?;
        let path = if path.as_os_str().is_empty() { Path::new(".") } else { path };
        Ok(Dir(Arc::new(cap_std::fs::Dir::open_ambient_dir(path, ambient_authority())?)))
    }

    /// Makes a folder in this one, if there is nothing of that name.
    pub(super) fn make(&self, name: &OsStr) -> io::Result<()> {
        step(Call::Make)?;
        match self.0.create_dir(name) {
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => Ok(()),
            made => made,
        }
    }

    /// A folder in this one. A link is none.
    pub(super) fn enter(&self, name: &OsStr) -> io::Result<Self> {
        step(Call::Enter)?;
        Ok(Dir(Arc::new(self.0.open_dir_nofollow(name)?)))
    }

    /// What has this name, links being what they are; `None` if nothing has.
    pub(super) fn look(&self, name: &OsStr) -> io::Result<Option<Metadata>> {
        step(Call::Look)?;
        match self.0.symlink_metadata(name) {
            Ok(found) => Ok(Some(found)),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Opens a file to read it. A link is none, and nobody waits for the other end of a pipe.
    pub(super) fn file(&self, name: &OsStr) -> io::Result<File> {
        step(Call::Open)?;
        let mut options = OpenOptions::new();
        options.read(true).follow(FollowSymlinks::No).nonblock(true);
        self.0.open_with(name, &options)
    }

    /// Makes a file that has a name from the start, which nobody else had.
    pub(super) fn create(&self, name: &OsStr) -> io::Result<File> {
        step(Call::Create)?;
        self.0.open_with(name, OpenOptions::new().write(true).create_new(true))
    }

    /// Makes a file without a name, which goes away with the process; `None` where the system has no such thing.
    #[cfg(target_os = "linux")]
    pub(super) fn create_nameless(&self) -> io::Result<Option<File>> {
        use rustix::fs::{Mode, OFlags, openat};
        step(Call::Create)?;
        #[cfg(test)]
        if faults::is_old_system() {
            return Ok(None);
        }
        let flags = OFlags::TMPFILE | OFlags::WRONLY | OFlags::CLOEXEC;
        let made = openat(&*self.0, ".", flags, Mode::from_raw_mode(0o666)).ok();
        let file = made.map(|made| File::from_std(made.into()));
        Ok(file.filter(|file| Path::new(&path_of(file)).exists()))
    }

    #[cfg(not(target_os = "linux"))]
    #[allow(clippy::unused_self, clippy::unnecessary_wraps, reason = "others have such files")]
    pub(super) fn create_nameless(&self) -> io::Result<Option<File>> {
        Ok(None)
    }

    /// Gives a nameless file a name that nothing else has.
    #[cfg(target_os = "linux")]
    pub(super) fn link(&self, file: &File, name: &OsStr) -> io::Result<()> {
        use rustix::fs::{AtFlags, CWD, linkat};
        step(Call::Link)?;
        Ok(linkat(CWD, path_of(file), &*self.0, name, AtFlags::SYMLINK_FOLLOW)?)
    }

    #[cfg(not(target_os = "linux"))]
    #[allow(clippy::unused_self, reason = "others have such files")]
    pub(super) fn link(&self, _file: &File, _name: &OsStr) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Gives a file another name, in the place of whatever has it.
    pub(super) fn replace(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        step(Call::Rename)?;
        self.0.rename(from, &self.0, to)
    }

    /// Gives a file another name if nothing has it.
    pub(super) fn rename(&self, from: &OsStr, to: &OsStr) -> io::Result<()> {
        #[cfg(any(target_os = "linux", target_vendor = "apple"))]
        {
            use rustix::fs::{RenameFlags, renameat_with};
            use rustix::io::Errno;
            step(Call::Rename)?;
            match renameat_with(&*self.0, from, &*self.0, to, RenameFlags::NOREPLACE) {
                // Not every file system knows how.
                Err(Errno::INVAL | Errno::NOSYS | Errno::NOTSUP) => {}
                done => return Ok(done?),
            }
        }
        if self.look(to)?.is_some() {
            return Err(io::ErrorKind::AlreadyExists.into());
        }
        self.replace(from, to)
    }

    /// Takes a file away.
    pub(super) fn remove(&self, name: &OsStr) -> io::Result<()> {
        step(Call::Remove)?;
        self.0.remove_file(name)
    }

    /// The names in this folder reach the disk. Some file systems cannot do this; the data is safe either way.
    pub(super) fn sync(&self) {
        if step(Call::SyncNames).is_ok() {
            let _: io::Result<()> = self.0.open(".").and_then(|folder| folder.sync_all());
        }
    }

    /// Whether there is anything in this folder.
    pub(super) fn is_occupied(&self) -> bool {
        self.0.entries().is_ok_and(|mut entries| entries.next().is_some())
    }
}

/// The way by which a nameless file is found.
#[cfg(target_os = "linux")]
fn path_of(file: &File) -> String {
    use std::os::fd::AsRawFd;
    format!("/proc/self/fd/{}", file.as_raw_fd())
}

/// A file that is read and written call by call.
pub(super) struct Stepping<'a, F>(pub(super) &'a F);

impl<F> Read for Stepping<'_, F>
where
    for<'f> &'f F: Read,
{
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        step(Call::Read)?;
        let len = portion(buffer.len());
        let mut file = self.0;
        file.read(buffer.get_mut(..len).unwrap_or_default())
    }
}

impl<F> Write for Stepping<'_, F>
where
    for<'f> &'f F: Write,
{
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        step(Call::Write)?;
        let len = portion(bytes.len());
        let mut file = self.0;
        file.write(bytes.get(..len).unwrap_or_default())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// The folder that a path is in, and its name there.
pub(super) fn split(path: &Path) -> io::Result<(&Path, OsString)> {
    let name = path.file_name().ok_or(io::ErrorKind::IsADirectory)?;
    Ok((path.parent().unwrap_or(Path::new("")), name.to_owned()))
}
