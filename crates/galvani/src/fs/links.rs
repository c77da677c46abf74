//! What lies beside files: the other files of their folders.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use galvani_core::Limits;
use walkdir::WalkDir;

use super::read;
use crate::formats::Links;

/// Folders on disk, each listed once, when somebody first asks for a neighbour in it.
#[derive(Debug, Default)]
pub struct Folders {
    listings: Mutex<BTreeMap<PathBuf, Arc<Listing>>>,
}

/// Names in lower case, each with the first file that has it.
type Listing = BTreeMap<String, PathBuf>;

impl Folders {
    /// What lies beside a file.
    pub(super) fn beside<'a>(&'a self, file: &Path, limits: Limits) -> Neighbours<'a> {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        Neighbours { folders: self, folder: folder.unwrap_or(Path::new(".")).to_path_buf(), limits }
    }

    fn listing(&self, folder: &Path) -> Arc<Listing> {
        let mut listings = self.listings.lock().unwrap_or_else(PoisonError::into_inner);
        let listing = listings.entry(folder.to_path_buf()).or_insert_with(|| Arc::new(list(folder)));
        Arc::clone(listing)
    }
}

fn list(folder: &Path) -> Listing {
    let mut names = Listing::new();
    for file in WalkDir::new(folder).min_depth(1).max_depth(1).sort_by_file_name().into_iter().flatten() {
        // A link to a file counts as one.
        if file.path().is_file() {
            names.entry(file.file_name().to_string_lossy().to_lowercase()).or_insert(file.into_path());
        }
    }
    names
}

/// The files of one folder.
#[derive(Debug)]
pub(super) struct Neighbours<'a> {
    folders: &'a Folders,
    folder: PathBuf,
    limits: Limits,
}

impl Links for Neighbours<'_> {
    /// A neighbour that cannot be read is none.
    fn find(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let listing = self.folders.listing(&self.folder);
        read(listing.get(&name.to_lowercase())?, &self.limits).ok().map(Cow::Owned)
    }

    fn has(&self, name: &str) -> bool {
        self.folders.listing(&self.folder).contains_key(&name.to_lowercase())
    }
}
