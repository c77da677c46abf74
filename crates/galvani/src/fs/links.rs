//! What lies beside files: the other files of their folders.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use galvani_core::Limits;
use walkdir::WalkDir;

use super::read;
use super::tree::{Follow, Tree};
use crate::formats::Links;

/// Folders on disk, each listed once with its links and once without, when somebody first asks for a neighbour in it.
#[derive(Debug, Default)]
pub struct Folders {
    listings: Mutex<BTreeMap<(PathBuf, bool), Arc<Listing>>>,
}

/// Names in lower case, each with the first file that has it.
type Listing = BTreeMap<String, PathBuf>;

impl Folders {
    /// What lies beside a file.
    pub(super) fn beside<'a>(&'a self, file: &Path, follow: Follow, limits: Limits) -> Neighbours<'a> {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        Neighbours { folders: self, folder: folder.unwrap_or(Path::new(".")).to_path_buf(), follow, limits }
    }

    fn listing(&self, folder: &Path, follow: Follow) -> Arc<Listing> {
        let mut listings = self.listings.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (folder.to_path_buf(), follow == Follow::Yes);
        let listing = listings.entry(key).or_insert_with(|| Arc::new(list(folder, follow)));
        Arc::clone(listing)
    }
}

fn list(folder: &Path, follow: Follow) -> Listing {
    let mut names = Listing::new();
    for file in WalkDir::new(folder).min_depth(1).max_depth(1).sort_by_file_name().into_iter().flatten() {
        let is_file = if follow == Follow::Yes { file.path().is_file() } else { file.file_type().is_file() };
        if is_file {
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
    /// Whether a link to a file counts as one.
    follow: Follow,
    limits: Limits,
}

impl Links for Neighbours<'_> {
    /// A neighbour that cannot be read is none.
    fn find(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let listing = self.folders.listing(&self.folder, self.follow);
        let file = listing.get(&name.to_lowercase())?;
        let bytes = match self.follow {
            Follow::Yes => read(file, &self.limits),
            Follow::No => Tree::new(&self.folder).read(Path::new(file.file_name()?), &self.limits)?,
        };
        bytes.ok().map(Cow::Owned)
    }

    fn has(&self, name: &str) -> bool {
        self.folders.listing(&self.folder, self.follow).contains_key(&name.to_lowercase())
    }
}
