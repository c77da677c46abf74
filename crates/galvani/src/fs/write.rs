//! Atomic writing: whoever looks sees the old file or the new one, never a part.

use std::collections::BTreeSet;
use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use tempfile::{Builder, NamedTempFile};

/// How the names of files in the making start and end.
pub(super) const UNFINISHED: (&str, &str) = (".galvani-", ".tmp");

/// A file that is written whole beside its target, but is not there yet. Dropped, it leaves no trace.
#[derive(Debug)]
pub struct Pending {
    file: NamedTempFile,
    target: PathBuf,
    /// Ends when the file is in its place or gone.
    listed: Listed,
}

impl Pending {
    /// Writes the bytes beside the target and makes sure that they are on the disk.
    pub fn new(target: &Path, bytes: &[u8]) -> io::Result<Self> {
        // A link stays a link: what it leads to is replaced.
        let target = fs::canonicalize(target).unwrap_or_else(|_| behind_link(target));
        let folder =
            target.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut file = builder().tempfile_in(folder)?;
        let listed = Listed::new(file.path());
        if let Ok(old) = fs::metadata(&target) {
            keep_owner(file.as_file(), &old);
            file.as_file().set_permissions(old.permissions())?;
        }
        file.write_all(bytes)?;
        file.as_file().sync_all()?;
        Ok(Pending { file, target, listed })
    }

    /// Puts the new file in the place of the old one.
    pub fn commit(self) -> io::Result<()> {
        let Pending { file, target, listed } = self;
        file.persist(&target).map_err(|error| error.error)?;
        drop(listed);
        sync_folder(target.parent().unwrap_or(Path::new("")));
        Ok(())
    }
}

/// Files in the making of this process.
static UNFINISHED_FILES: Mutex<BTreeSet<PathBuf>> = Mutex::new(BTreeSet::new());

fn unfinished() -> MutexGuard<'static, BTreeSet<PathBuf>> {
    UNFINISHED_FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file on the list of those in the making, as long as this lives.
#[derive(Debug)]
struct Listed(PathBuf);

impl Listed {
    fn new(path: &Path) -> Self {
        unfinished().insert(path.to_path_buf());
        Listed(path.to_path_buf())
    }
}

impl Drop for Listed {
    fn drop(&mut self) {
        unfinished().remove(&self.0);
    }
}

/// Takes away what is in the making. For a process that was told to stop.
pub fn remove_unfinished() {
    for path in unfinished().iter() {
        let _: io::Result<()> = fs::remove_file(path);
    }
}

/// Replaces or makes a file. If this fails, what was there before is whole and nothing else is left behind.
/// What is no ordinary file (a pipe, a device) is written to as it is.
pub fn write_atomic(target: &Path, bytes: &[u8]) -> io::Result<()> {
    if fs::metadata(target).is_ok_and(|old| !old.is_file() && !old.is_dir()) {
        return File::options().write(true).open(target)?.write_all(bytes);
    }
    Pending::new(target, bytes)?.commit()
}

/// Where a link to nothing leads, or the path itself.
fn behind_link(target: &Path) -> PathBuf {
    let folder = target.parent().unwrap_or(Path::new(""));
    fs::read_link(target).map_or_else(|_| target.to_path_buf(), |to| folder.join(to))
}

/// Names and modes of the file in the making; the mode is what anybody else's new file would have.
fn builder() -> Builder<'static, 'static> {
    let mut builder = Builder::new();
    builder.prefix(UNFINISHED.0).suffix(UNFINISHED.1);
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder
}

/// Only an administrator may give files away; for anybody else the owner is the same already.
#[cfg(unix)]
fn keep_owner(file: &File, old: &fs::Metadata) {
    use std::os::unix::fs::{MetadataExt, fchown};
    let _: io::Result<()> = fchown(file, Some(old.uid()), Some(old.gid()));
}

#[cfg(not(unix))]
fn keep_owner(_file: &File, _old: &fs::Metadata) {}

/// The rename itself reaches the disk. Some file systems cannot do this; the data is safe either way.
fn sync_folder(folder: &Path) {
    let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
    let _: io::Result<()> = File::open(folder).and_then(|folder| folder.sync_all());
}
