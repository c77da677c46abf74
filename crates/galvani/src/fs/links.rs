//! What lies beside files: the other files of their folders.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use galvani_core::{Exhausted, Limits};
use walkdir::WalkDir;

use super::read;
use super::tree::{Follow, Tree};
use crate::formats::links::with_extension;
use crate::formats::{ArchiveLinks, Links, OpenOptions};

/// Folders on disk, each listed once with its links and once without, when somebody first asks for a neighbour in it.
#[derive(Debug, Default)]
pub struct Folders {
    listings: Mutex<BTreeMap<(PathBuf, bool), Arc<Listing>>>,
    libraries: Mutex<BTreeMap<PathBuf, Option<Arc<ArchiveLinks>>>>,
}

/// Names in lower case, each with the first file or folder that has it.
#[derive(Debug, Default)]
struct Listing {
    files: BTreeMap<String, PathBuf>,
    folders: BTreeMap<String, PathBuf>,
}

impl Folders {
    /// What lies beside a file.
    pub(super) fn beside<'a>(&'a self, file: &Path, follow: Follow, limits: Limits) -> Neighbours<'a> {
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty());
        self.inside(folder.unwrap_or(Path::new(".")), follow, limits)
    }

    /// What lies in a folder and below it.
    pub(super) fn inside<'a>(&'a self, folder: &Path, follow: Follow, limits: Limits) -> Neighbours<'a> {
        Neighbours { folders: self, folder: folder.to_path_buf(), follow, limits }
    }

    /// An archive, opened once for all who ask for it.
    pub(super) fn library(
        &self,
        file: PathBuf,
        open: impl FnOnce() -> Result<Option<ArchiveLinks>, Exhausted>,
    ) -> Result<Option<Arc<ArchiveLinks>>, Exhausted> {
        let mut libraries = self.libraries.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(known) = libraries.get(&file) {
            return Ok(known.clone());
        }
        let opened = open()?.map(Arc::new);
        libraries.insert(file, opened.clone());
        Ok(opened)
    }

    fn listing(&self, folder: &Path, follow: Follow) -> Arc<Listing> {
        let mut listings = self.listings.lock().unwrap_or_else(PoisonError::into_inner);
        let key = (folder.to_path_buf(), follow == Follow::Yes);
        let listing = listings.entry(key).or_insert_with(|| Arc::new(list(folder, follow)));
        Arc::clone(listing)
    }
}

fn list(folder: &Path, follow: Follow) -> Listing {
    let mut listing = Listing::default();
    for file in WalkDir::new(folder).min_depth(1).max_depth(1).sort_by_file_name().into_iter().flatten() {
        let name = file.file_name().to_string_lossy().to_lowercase();
        let (is_file, is_folder) = match follow {
            Follow::Yes => (file.path().is_file(), file.path().is_dir()),
            Follow::No => (file.file_type().is_file(), file.file_type().is_dir()),
        };
        if is_file {
            listing.files.entry(name).or_insert(file.into_path());
        } else if is_folder {
            listing.folders.entry(name).or_insert(file.into_path());
        }
    }
    listing
}

/// The files of one folder and, by paths with `/`, those below it.
#[derive(Debug)]
pub(super) struct Neighbours<'a> {
    folders: &'a Folders,
    folder: PathBuf,
    /// Whether a link to a file counts as one.
    follow: Follow,
    limits: Limits,
}

impl Neighbours<'_> {
    /// The file that a name or path leads to. Steps upwards lead nowhere.
    fn file(&self, name: &str) -> Option<PathBuf> {
        let mut folder = self.folder.clone();
        let (above, name) = name.rsplit_once('/').unwrap_or(("", name));
        for part in above.split('/').filter(|part| !part.is_empty()) {
            let listing = self.folders.listing(&folder, self.follow);
            folder.clone_from(listing.folders.get(&part.to_lowercase())?);
        }
        self.folders.listing(&folder, self.follow).files.get(&name.to_lowercase()).cloned()
    }
}

impl Links for Neighbours<'_> {
    /// A neighbour that cannot be read is none.
    fn find(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let file = self.file(name)?;
        let bytes = match self.follow {
            Follow::Yes => read(&file, &self.limits),
            Follow::No => {
                Tree::new(&self.folder).read(file.strip_prefix(&self.folder).ok()?, &self.limits)?
            }
        };
        bytes.ok().map(Cow::Owned)
    }

    fn has(&self, name: &str) -> bool {
        self.file(name).is_some()
    }

    fn library(&self, name: &str, options: &OpenOptions) -> Result<Option<Arc<ArchiveLinks>>, Exhausted> {
        let Some(file) = self.file(name) else { return Ok(None) };
        self.folders.library(file, || {
            self.find(name).map_or(Ok(None), |bytes| ArchiveLinks::read(&bytes, name, options))
        })
    }

    fn names(&self, extension: &str) -> Vec<String> {
        with_extension(&self.folders.listing(&self.folder, self.follow).files, extension)
    }
}
