//! The files that somebody dropped: a folder that is nowhere on a disk.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use galvani::core::Exhausted;
use galvani::formats::{self, ArchiveLinks, Declared, Links, OpenOptions};
use galvani::nested;

use crate::refusal::Refusal;

/// Bytes that several things look at.
pub(crate) type Bytes = Arc<[u8]>;

/// Files by their paths, with `/`.
#[derive(Debug, Default)]
pub struct Dropped {
    /// By path in lower case.
    files: BTreeMap<String, Standing>,
    /// Archives that something was looked for in, each opened once.
    archives: RefCell<BTreeMap<String, Option<Arc<ArchiveLinks>>>>,
}

/// A file on the shelf.
#[derive(Debug)]
struct Standing {
    /// The path as it was given.
    path: String,
    bytes: Bytes,
    /// Whether it ships with galvani. What somebody drops is never made of that.
    is_sample: bool,
}

/// Where a file stands.
#[derive(Debug, Clone)]
pub(crate) enum Home {
    /// In a folder of the shelf; the topmost one has no name.
    Folder(String),
    /// In an archive, which stands somewhere itself: its members, what people call it, its place.
    Archive(Arc<ArchiveLinks>, String, Box<Home>),
}

/// A file where it stands.
#[derive(Debug, Clone)]
pub(crate) struct Placed {
    pub(crate) bytes: Bytes,
    pub(crate) name: String,
    pub(crate) declared: Option<Declared>,
    pub(crate) home: Home,
    /// Of a member of an archive on the shelf: the archive's path, and the indices that lead to the member.
    pub(crate) inside: Option<(String, Vec<usize>)>,
    /// Whether it ships with galvani.
    pub(crate) is_sample: bool,
}

impl Dropped {
    /// Puts a file on the shelf, in the place of one that has its path.
    pub fn put(&mut self, path: &str, bytes: &[u8]) {
        self.stand(path, bytes, false);
    }

    /// Puts a sample on the shelf, unless somebody's own file has its path.
    pub fn put_sample(&mut self, path: &str, bytes: &[u8]) {
        if self.files.get(&path.to_lowercase()).is_none_or(|standing| standing.is_sample) {
            self.stand(path, bytes, true);
        }
    }

    fn stand(&mut self, path: &str, bytes: &[u8], is_sample: bool) {
        let path = path.trim_start_matches('/').replace('\\', "/");
        self.archives.borrow_mut().clear();
        self.files.insert(path.to_lowercase(), Standing { path, bytes: bytes.into(), is_sample });
    }

    /// Takes everything off the shelf.
    pub fn clear(&mut self) {
        *self = Dropped::default();
    }

    /// The paths of all files and how many bytes they have, in order.
    pub fn paths(&self) -> impl Iterator<Item = (&str, usize)> {
        self.files.values().map(|standing| (standing.path.as_str(), standing.bytes.len()))
    }

    /// The bytes of a file.
    pub(crate) fn bytes(&self, path: &str) -> Option<&Bytes> {
        self.files.get(&path.to_lowercase()).map(|standing| &standing.bytes)
    }

    /// A file, or a member of an archive: `frog.lgp/zgda`, `depot.rlb/#2`.
    pub(crate) fn place(&self, path: &str, options: &OpenOptions) -> Result<Placed, Refusal> {
        let segments: Vec<&str> = path.split('/').collect();
        for taken in (1..=segments.len()).rev() {
            let (own, inside) = segments.split_at(taken);
            let own = own.join("/");
            let Some(standing) = self.files.get(&own.to_lowercase()) else { continue };
            let (folder, name) = own.rsplit_once('/').unwrap_or(("", &own));
            let placed = Placed {
                bytes: Arc::clone(&standing.bytes),
                is_sample: standing.is_sample,
                name: name.to_owned(),
                declared: None,
                home: Home::Folder(folder.to_owned()),
                inside: None,
            };
            return self.member(placed, &own, (&own, Vec::new()), inside, options);
        }
        Err(Refusal::not_found(path))
    }

    /// The member of a file that some segments lead to; the file itself, if there are none.
    fn member(
        &self,
        placed: Placed,
        label: &str,
        (file, mut chain): (&str, Vec<usize>),
        segments: &[&str],
        options: &OpenOptions,
    ) -> Result<Placed, Refusal> {
        if segments.is_empty() {
            return Ok(placed);
        }
        let archive = self.archive(label, || Some(Arc::clone(&placed.bytes)), &placed.name, options)?;
        let links = archive.ok_or_else(|| Refusal::not_found(label))?;
        let missing = || Refusal::not_found(&format!("{label}/{}", segments.join("/")));
        let archive = links.opened.as_archive()?;
        let (hits, taken) = nested::find(archive, segments).ok_or_else(missing)?;
        let index = hits.first().copied().ok_or_else(missing)?;
        archive.prepare(index)?;
        let bytes: Bytes = archive.member(index).ok_or_else(missing)?.into();
        let listed = archive.members().into_iter().nth(index).ok_or_else(missing)?;
        let (own, rest) = segments.split_at(taken);
        chain.push(index);
        let next = Placed {
            bytes,
            name: listed.shown(),
            declared: listed.declared,
            home: Home::Archive(Arc::clone(&links), label.to_owned(), Box::new(placed.home)),
            inside: Some((file.to_owned(), chain.clone())),
            is_sample: placed.is_sample,
        };
        self.member(next, &format!("{label}/{}", own.join("/")), (file, chain), rest, options)
    }

    /// The archive of a path, opened once; nothing if it is none.
    fn archive(
        &self,
        label: &str,
        bytes: impl FnOnce() -> Option<Bytes>,
        name: &str,
        options: &OpenOptions,
    ) -> Result<Option<Arc<ArchiveLinks>>, Exhausted> {
        let key = label.to_lowercase();
        if let Some(known) = self.archives.borrow().get(&key) {
            return Ok(known.clone());
        }
        let Some(bytes) = bytes() else { return Ok(None) };
        let opened = formats::recognise(&bytes, Some(name)).map(|format| format.open(&bytes, options));
        let opened = match opened {
            Some(Ok(opened)) => Some(opened),
            Some(Err(error)) if galvani::core::budget::is_exhaustion(&error.cause) => {
                return Err(Exhausted { cause: error.cause });
            }
            _ => None,
        };
        let archive = opened.filter(|opened| opened.document.as_archive().is_some());
        let links = archive.map(|opened| Arc::new(ArchiveLinks::new(opened)));
        self.archives.borrow_mut().insert(key, links.clone());
        Ok(links)
    }
}

/// The files of a folder and below it.
#[derive(Debug)]
pub(crate) struct FolderLinks<'s> {
    pub(crate) shelf: &'s Dropped,
    pub(crate) folder: &'s str,
    /// Whether samples count.
    pub(crate) samples: bool,
}

impl FolderLinks<'_> {
    fn path(&self, name: &str) -> String {
        let name = name.replace('\\', "/").to_lowercase();
        if self.folder.is_empty() { name } else { format!("{}/{name}", self.folder.to_lowercase()) }
    }

    fn bytes(&self, path: &str) -> Option<&Bytes> {
        let standing = self.shelf.files.get(path)?;
        (self.samples || !standing.is_sample).then_some(&standing.bytes)
    }
}

impl Links for FolderLinks<'_> {
    fn find(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        Some(Cow::Borrowed(self.bytes(&self.path(name))?))
    }

    fn library(&self, name: &str, options: &OpenOptions) -> Result<Option<Arc<ArchiveLinks>>, Exhausted> {
        let path = self.path(name);
        if self.bytes(&path).is_none() {
            return Ok(None);
        }
        self.shelf.archive(&path, || self.shelf.bytes(&path).cloned(), name, options)
    }

    fn names(&self, extension: &str) -> Vec<String> {
        let start = self.path("");
        let has = |name: &&str| name.rsplit_once('.').is_some_and(|(_, end)| end == extension);
        let counts = |standing: &Standing| self.samples || !standing.is_sample;
        let own = self.shelf.files.iter().filter(|(_, standing)| counts(standing));
        let own = own.filter_map(|(path, _)| path.strip_prefix(&start));
        let own = own.filter(|name| !name.contains('/')).filter(has);
        own.take(formats::MOST_NAMES).map(str::to_owned).collect()
    }
}

/// Every file by its name alone, wherever it lies: who drops a texture does not say where it belongs.
#[derive(Debug)]
pub(crate) struct AnywhereLinks<'s> {
    pub(crate) shelf: &'s Dropped,
    /// Whether samples count.
    pub(crate) samples: bool,
}

impl AnywhereLinks<'_> {
    fn path(&self, name: &str) -> Option<&str> {
        let name = name.replace('\\', "/").to_lowercase();
        let name = name.rsplit('/').next().unwrap_or_default();
        let is_it = |(path, standing): &(&String, &Standing)| {
            path.rsplit('/').next() == Some(name) && (self.samples || !standing.is_sample)
        };
        self.shelf.files.iter().find(is_it).map(|(path, _)| path.as_str())
    }
}

impl Links for AnywhereLinks<'_> {
    fn find(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        Some(Cow::Borrowed(self.shelf.bytes(self.path(name)?)?))
    }

    fn library(&self, name: &str, options: &OpenOptions) -> Result<Option<Arc<ArchiveLinks>>, Exhausted> {
        let Some(path) = self.path(name) else { return Ok(None) };
        self.shelf.archive(path, || self.shelf.bytes(path).cloned(), name, options)
    }
}
