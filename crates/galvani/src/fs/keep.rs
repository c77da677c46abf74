//! What of a file outlives its replacement: owner, mode and extended attributes. Its time is new, as its content is.

use std::io;

use cap_fs_ext::MetadataExt;
use cap_std::fs::{File, Metadata};

use super::disk::{Call, step};

/// Which file it is, whatever its names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct FileId(u64, u64);

impl FileId {
    pub(super) fn new(file: &Metadata) -> Self {
        FileId(file.dev(), file.ino())
    }
}

/// Which file it is and how it last changed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Stamp {
    pub(super) id: FileId,
    len: u64,
    modified: Option<std::time::SystemTime>,
    /// Also a change that left the size and the time as they were.
    #[cfg(unix)]
    changed: (i64, i64),
}

impl Stamp {
    pub(super) fn new(file: &Metadata) -> Self {
        Stamp {
            id: FileId::new(file),
            len: file.len(),
            modified: file.modified().ok().map(cap_std::time::SystemTime::into_std),
            #[cfg(unix)]
            changed: {
                use cap_std::fs::MetadataExt;
                (file.ctime(), file.ctime_nsec())
            },
        }
    }
}

/// A file that is there, and open if it may be read.
#[derive(Debug)]
pub(super) struct Old {
    pub(super) found: Metadata,
    pub(super) file: Option<File>,
}

/// Gives a new file the attributes of the one that it replaces, as far as the system allows.
pub(super) fn attributes(new: &File, old: &Old) -> io::Result<()> {
    step(Call::Keep)?;
    let is_owned = keep_owner(new, &old.found);
    if let Some(old) = &old.file {
        keep_extended(new, old);
    }
    // Last, because a new owner takes the rights of programs away, and only a writable file takes attributes.
    new.set_permissions(rights(&old.found, is_owned))
}

/// Only an administrator may give files away; for anybody else the owner is the same already, or cannot be.
#[cfg(unix)]
fn keep_owner(new: &File, old: &Metadata) -> bool {
    use cap_std::fs::MetadataExt;
    use std::os::unix::fs::fchown;
    let both = fchown(new, Some(old.uid()), Some(old.gid()));
    both.is_ok() || {
        let _: io::Result<()> = fchown(new, None, Some(old.gid()));
        new.metadata().is_ok_and(|now| (now.uid(), now.gid()) == (old.uid(), old.gid()))
    }
}

#[cfg(not(unix))]
fn keep_owner(_new: &File, _old: &Metadata) -> bool {
    true
}

/// The old mode. A program that runs as its owner must not become one that runs as somebody else.
#[cfg(unix)]
fn rights(old: &Metadata, is_owned: bool) -> cap_std::fs::Permissions {
    use cap_std::fs::PermissionsExt;
    let mode = old.permissions().mode();
    PermissionsExt::from_mode(if is_owned { mode } else { mode & !0o6000 })
}

#[cfg(not(unix))]
fn rights(old: &Metadata, _is_owned: bool) -> cap_std::fs::Permissions {
    old.permissions()
}

/// Extended attributes, lists of access rights among them. Some belong to the system, which keeps them to itself.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
fn keep_extended(new: &File, old: &File) {
    use rustix::fs::{XattrFlags, fgetxattr, fgetxattr_query, flistxattr, flistxattr_query, fsetxattr};
    let names = sized(flistxattr_query(old), |space| flistxattr(old, space)).unwrap_or_default();
    for name in names.split(|&byte| byte == 0).filter(|name| !name.is_empty()) {
        let value = sized(fgetxattr_query(old, name), |space| fgetxattr(old, name, space));
        let _: rustix::io::Result<()> =
            value.and_then(|value| fsetxattr(new, name, &value, XattrFlags::empty()));
    }
}

#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
fn keep_extended(_new: &File, _old: &File) {}

/// What a call gives that is first asked how much it will be.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
fn sized(
    len: rustix::io::Result<usize>,
    call: impl Fn(&mut [u8]) -> rustix::io::Result<usize>,
) -> rustix::io::Result<Vec<u8>> {
    let mut space = vec![0; len?];
    let len = call(&mut space)?;
    space.truncate(len);
    Ok(space)
}
