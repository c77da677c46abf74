//! Which files a model means by the names in it, by its game's own rules (docs/formats/lookup.md#order).

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use galvani_core::budget::{Budget, unless_exhausted};
use galvani_core::{Exhausted, Image, Meter, Report};

use super::{
    ArchiveLinks, Cell, Column, Declared, Document, Links, ListStyle, OpenOptions, Opened, Reference,
    Section, Settings, Shelf, Site, recognise_at,
};
use crate::{budget, codes, image};

/// How far names of names are followed: a model, its table, a material, a picture.
const STEPS: u8 = 4;

/// Most documents that are opened on the way.
const MOST: usize = 4096;

/// A named file, and where it was looked for.
#[derive(Debug, Clone, PartialEq)]
pub struct Resolved {
    /// The file that names it.
    pub by: String,
    /// What is named.
    pub reference: Reference,
    /// Where it is, if anywhere.
    pub found: Option<FoundFile>,
    /// Every place looked at, in order.
    pub looked: Vec<String>,
}

/// Where a named file is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FoundFile {
    /// Its folder or archive, and its name there.
    pub address: String,
    /// Whether it only stands in for what was named.
    pub is_fallback: bool,
}

/// Everything that a document names, and what that names in turn.
pub fn references(opened: &Opened, site: &Site<'_>, options: &OpenOptions) -> Vec<Resolved> {
    let mut chase = Chase { site, options, seen: BTreeSet::new(), all: Vec::new() };
    chase.follow(site.name, &*opened.document, site.name, STEPS);
    chase.all
}

/// Finds and opens what documents name, for those that need more than its place.
pub(super) struct Finder<'a> {
    chase: Chase<'a>,
    /// What all pictures together may take.
    meter: Meter,
}

/// A named file that was looked for.
pub(super) struct Fetched<T> {
    /// It and where it is, unless it is nowhere or does not read.
    pub(super) found: Option<(T, FoundFile)>,
    /// What its archive says it is.
    #[cfg_attr(not(feature = "parkan"), allow(dead_code, reason = "only Parkan's archives say so"))]
    pub(super) declared: Option<Declared>,
    /// Every place looked at, in order.
    pub(super) looked: Vec<String>,
}

impl<'a> Finder<'a> {
    /// Looks from a site on.
    pub(super) fn new(site: &'a Site<'a>, options: &'a OpenOptions) -> Self {
        let chase = Chase { site, options, seen: BTreeSet::new(), all: Vec::new() };
        Finder { chase, meter: Budget::default().meter(&budget::CONVERTING, 0) }
    }

    /// What somebody makes of the bytes of a file, of which it is known what it should be, and of what its archive says.
    #[cfg(any(feature = "ff7", feature = "parkan", feature = "gltf"))]
    pub(super) fn bytes<T>(
        &self,
        reference: &Reference,
        read: impl Fn(&[u8], Option<Declared>) -> Result<Option<T>, Exhausted>,
    ) -> Result<Fetched<T>, Exhausted> {
        self.fetch(reference, |hit| hit.read(&read).unwrap_or(Ok(None)))
    }

    /// Charges a picture of so many pixels that is only there in another look.
    #[cfg(feature = "ff7")]
    pub(super) fn charge_look(&self, width: u32, height: u32) -> Result<(), Exhausted> {
        budget::charge_look(&self.meter, width, height)
    }

    /// The pixels of a picture of any kind.
    pub(super) fn picture(&self, reference: &Reference) -> Result<Fetched<Image>, Exhausted> {
        self.fetch(reference, |hit| {
            let painted = |bytes: &[u8], _: Option<Declared>| {
                let read = || image::from_file_within(bytes, &self.meter).map_err(|error| error.cause);
                image::is_picture(bytes, Some(&hit.name)).then(read)
            };
            if let Some(painted) = hit.read(painted).flatten() {
                return unless_exhausted(painted);
            }
            let Some(opened) = self.chase.open(hit)? else { return Ok(None) };
            let read = crate::convert::image(&opened, &Settings::default(), &self.meter);
            unless_exhausted(read.map_err(|error| error.cause))
        })
    }

    fn fetch<T>(
        &self,
        reference: &Reference,
        open: impl Fn(&Hit<'_>) -> Result<Option<T>, Exhausted>,
    ) -> Result<Fetched<T>, Exhausted> {
        let mut looked = Vec::new();
        let Some(hit) = self.chase.find(reference, &mut looked)? else {
            return Ok(Fetched { found: None, declared: None, looked });
        };
        let declared = hit.declared();
        let found = open(&hit)?.map(|opened| (opened, hit.found));
        Ok(Fetched { found, declared, looked })
    }
}

/// A finding for each picture, material or table that is not where the game looks.
pub(super) fn missing(opened: &Opened, site: &Site<'_>, options: &OpenOptions) -> Report {
    let mut report = Report::default();
    for resolved in references(opened, site, options) {
        let Resolved { by, reference, found, looked } = resolved;
        // The parts of a model are missed by its own rules.
        let is_missed = found.is_none_or(|found| found.is_fallback) && !reference.is_optional;
        if is_missed && reference.role != super::Role::Part {
            let of = if by == site.name { String::new() } else { format!(" of {by}") };
            let said = format!("`{}`{of} is none of {}", reference.name, looked.join(", "));
            report.push(codes::MISSING_TEXTURE.at(reference.path).saying(said).pedantic());
        }
    }
    report
}

/// The same as a list for people and machines.
pub fn section(resolved: &[Resolved]) -> Section {
    let columns = [
        Column::machines("named_by"),
        Column::machines("path"),
        Column::new("name", "name"),
        Column::new("role", "what"),
        Column::people("where"),
        Column::machines("found"),
        Column::machines("is_fallback"),
        Column::machines("looked"),
    ];
    let row = |resolved: &Resolved| {
        let Resolved { by, reference, found, looked } = resolved;
        let address = found.as_ref().map(|found| found.address.clone());
        let is_fallback = found.as_ref().is_some_and(|found| found.is_fallback);
        let told = match &address {
            Some(address) if is_fallback => format!("{address}, in its place"),
            Some(address) => address.clone(),
            None if reference.is_optional => "none; the game supplies it".to_owned(),
            None => "not found".to_owned(),
        };
        let looked = looked.iter().map(|place| Cell::text(place.clone())).collect();
        vec![
            Cell::text(by.clone()),
            Cell::text(reference.path.to_string()),
            Cell::text(reference.name.clone()),
            reference.role.word().into(),
            Cell::text(told),
            address.into(),
            Cell::Truth(is_fallback),
            Cell::List(looked),
        ]
    };
    let rows = resolved.iter().map(row).collect();
    let look = ListStyle::Tree { column: 2, parents: parents(resolved) };
    Section::new("references", "Textures and materials", &columns, rows).looking(look)
}

/// For each name the one whose file has it.
fn parents(resolved: &[Resolved]) -> Vec<Option<usize>> {
    let mut files: BTreeMap<&str, usize> = BTreeMap::new();
    let mut parents = Vec::with_capacity(resolved.len());
    for (i, one) in resolved.iter().enumerate() {
        parents.push(files.get(one.by.as_str()).copied());
        if let Some(found) = &one.found {
            files.entry(&found.address).or_insert(i);
        }
    }
    parents
}

/// A file that was found: enough to read it.
struct Hit<'a> {
    /// Where whoever asks stands.
    home: &'a dyn Links,
    shelf: Shelf<'a>,
    name: String,
    library: Option<(Arc<ArchiveLinks>, usize)>,
    found: FoundFile,
}

impl Hit<'_> {
    /// What its archive says it is.
    fn declared(&self) -> Option<Declared> {
        let (library, index) = self.library.as_ref()?;
        library.opened.document.as_archive()?.members().get(*index)?.declared
    }

    /// Does something with its bytes, and what its archive says they are; nothing if they are not there after all.
    fn read<T>(&self, act: impl FnOnce(&[u8], Option<Declared>) -> T) -> Option<T> {
        let Some((library, index)) = &self.library else {
            let bytes = self.shelf.links.find(&self.name)?;
            self.home.took(&self.name, &bytes);
            return Some(act(&bytes, None));
        };
        let bytes = library.opened.document.as_archive()?.member(*index)?;
        self.home.took(&self.name, bytes);
        Some(act(bytes, self.declared()))
    }
}

struct Chase<'a> {
    site: &'a Site<'a>,
    options: &'a OpenOptions,
    seen: BTreeSet<String>,
    all: Vec<Resolved>,
}

impl Chase<'_> {
    fn follow(&mut self, by: &str, document: &dyn Document, name: &str, steps: u8) {
        let Some(referring) = document.as_referring() else { return };
        for reference in referring.references(name) {
            let mut looked = Vec::new();
            // Who only looks takes what there is no memory for as not being there.
            let hit = self.find(&reference, &mut looked).unwrap_or_default();
            let next = hit.as_ref().filter(|hit| self.is_new(&reference, hit, steps));
            let next = next
                .and_then(|hit| Some((hit.found.address.clone(), hit.name.clone(), self.open(hit).ok()??)));
            let found = hit.map(|hit| hit.found);
            self.all.push(Resolved { by: by.to_owned(), reference, found, looked });
            if let Some((address, name, opened)) = next {
                self.seen.insert(address.clone());
                self.follow(&address, &*opened.document, &name, steps.saturating_sub(1));
            }
        }
    }

    /// Whether what was found may name more, and nobody looked into it yet.
    fn is_new(&self, reference: &Reference, hit: &Hit<'_>, steps: u8) -> bool {
        let is_open = steps > 1 && self.seen.len() < MOST;
        is_open && !reference.role.is_picture() && !self.seen.contains(&hit.found.address)
    }

    fn find(&self, reference: &Reference, looked: &mut Vec<String>) -> Result<Option<Hit<'_>>, Exhausted> {
        let own = Shelf { label: self.site.home, links: self.site.links };
        let shelves = || {
            let (first, after) = (self.site.around.first, self.site.around.after);
            first.iter().copied().chain([own]).chain(after.iter().copied())
        };
        let named = shelves().find_map(|shelf| self.on(shelf, reference, looked).transpose());
        named.or_else(|| shelves().find_map(|shelf| self.instead(shelf, reference).transpose())).transpose()
    }

    /// Looks on one shelf, under each name in turn.
    fn on<'s>(
        &'s self,
        shelf: Shelf<'s>,
        reference: &Reference,
        looked: &mut Vec<String>,
    ) -> Result<Option<Hit<'s>>, Exhausted> {
        let library = reference.library.map_or(Ok(None), |name| shelf.links.library(name, self.options))?;
        for candidate in &reference.candidates {
            if let Some(file) = reference.library {
                let address = within(shelf.label, &format!("{file}/{candidate}"));
                looked.push(address.clone());
                let member =
                    library.as_ref().and_then(|library| Some((library, library.position(candidate)?)));
                if let Some((library, index)) = member {
                    let found = FoundFile { address, is_fallback: false };
                    let library = Some((Arc::clone(library), index));
                    return Ok(Some(Hit {
                        home: self.site.links,
                        shelf,
                        name: candidate.clone(),
                        library,
                        found,
                    }));
                }
            }
            let address = within(shelf.label, candidate);
            looked.push(address.clone());
            if shelf.links.has(candidate) {
                let found = FoundFile { address, is_fallback: false };
                return Ok(Some(Hit {
                    home: self.site.links,
                    shelf,
                    name: candidate.clone(),
                    library: None,
                    found,
                }));
            }
        }
        Ok(None)
    }

    /// What the game takes where nothing has the name.
    fn instead<'s>(&'s self, shelf: Shelf<'s>, reference: &Reference) -> Result<Option<Hit<'s>>, Exhausted> {
        let file = reference.library.filter(|_| !reference.fallbacks.is_empty());
        let Some(file) = file else { return Ok(None) };
        let Some(library) = shelf.links.library(file, self.options)? else { return Ok(None) };
        let first = reference.fallbacks.iter().find_map(|&name| Some((name, library.position(name)?)));
        Ok(first.map(|(name, index)| {
            let found =
                FoundFile { address: within(shelf.label, &format!("{file}/{name}")), is_fallback: true };
            Hit {
                home: self.site.links,
                shelf,
                name: name.to_owned(),
                library: Some((library, index)),
                found,
            }
        }))
    }

    fn open(&self, hit: &Hit<'_>) -> Result<Option<Opened>, Exhausted> {
        let opened = hit.read(|bytes, declared| {
            let format = recognise_at(bytes, Some(&hit.name), declared)?;
            let site = Site { name: &hit.name, declared, ..*self.site };
            Some(format.open_at(bytes, self.options, &site).map_err(|error| error.cause))
        });
        opened.flatten().map_or(Ok(None), unless_exhausted)
    }
}

/// A name behind its folder or archive.
fn within(label: &str, name: &str) -> String {
    match label {
        "" => name.to_owned(),
        label => format!("{}/{name}", label.trim_end_matches('/')),
    }
}
