//! Where files that inputs name are looked for: folders and archives that somebody points at, and what an input lies in.

use std::path::{Path as FilePath, PathBuf};

use galvani_core::Path;

use super::tree::Follow;
use super::{Folders, Input, OpenError, read};
use crate::codes;
use crate::formats::{ArchiveLinks, Links, OpenOptions, Shelf};

/// A folder or archive, and what people call it.
#[derive(Debug)]
pub struct SearchRoot<'a> {
    label: String,
    links: Box<dyn Links + 'a>,
}

impl<'a> SearchRoot<'a> {
    /// A folder or an archive that somebody points at.
    pub fn open(path: &FilePath, folders: &'a Folders, options: &OpenOptions) -> Result<Self, OpenError> {
        let label = path.to_string_lossy().into_owned();
        if path.is_dir() {
            let links = folders.inside(path, Follow::Yes, options.read.limits);
            return Ok(SearchRoot { label, links: Box::new(links) });
        }
        let bytes = read(path, &options.read.limits)?;
        let archive = folders.library(path.to_path_buf(), || ArchiveLinks::read(&bytes, &label, options))?;
        let archive = archive.ok_or_else(|| codes::NO_ARCHIVE.at(Path::root()).saying(label.clone()))?;
        Ok(SearchRoot { label, links: Box::new(archive) })
    }

    /// Its files, to be looked through.
    pub fn shelf(&self) -> Shelf<'_> {
        Shelf { label: &self.label, links: &*self.links }
    }
}

impl Input {
    /// What people call the folder or archive that it is in.
    pub fn home_label(&self) -> &str {
        self.shown.rsplit_once(['/', '\\']).map_or("", |(home, _)| home)
    }

    /// What its folder or archive lies in, the nearest first: for a member the folder of the archive, and then every folder
    /// up to the one that somebody pointed at.
    pub fn parents<'a>(&self, folders: &'a Folders, options: &OpenOptions) -> Vec<SearchRoot<'a>> {
        let Some((file, chain)) = self.home() else { return Vec::new() };
        let own = file.parent().map(FilePath::to_path_buf).unwrap_or_default();
        let mut above: Vec<PathBuf> = if chain.is_empty() { Vec::new() } else { vec![own.clone()] };
        if let Some(root) = &self.folder {
            let below = own.ancestors().skip(1).take_while(|folder| folder.starts_with(root));
            above.extend(below.map(FilePath::to_path_buf));
        }
        let root = |folder: PathBuf| {
            let folder = if folder.as_os_str().is_empty() { PathBuf::from(".") } else { folder };
            let links = folders.inside(&folder, Follow::No, options.read.limits);
            SearchRoot { label: folder.to_string_lossy().into_owned(), links: Box::new(links) }
        };
        above.into_iter().map(root).collect()
    }
}
