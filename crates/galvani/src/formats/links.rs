//! What lies beside a document, in its folder or its archive: some files say only together what is right.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::Arc;

use galvani_core::budget::unless_exhausted;
use galvani_core::{Exhausted, Meter};

use super::{Archive, Declared, FORMATS, Format, Likelihood, Member, OpenOptions, Opened, recognise_at};

/// Finds neighbours by name.
pub trait Links: fmt::Debug {
    /// The bytes of the neighbour of that name, in any case of letters; of several the first.
    fn find(&self, name: &str) -> Option<Cow<'_, [u8]>>;
    /// Whether there is such a neighbour.
    fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }
    /// The archive of that name, opened.
    fn library(&self, name: &str, options: &OpenOptions) -> Result<Option<Arc<ArchiveLinks>>, Exhausted> {
        let Some(bytes) = self.find(name) else { return Ok(None) };
        Ok(ArchiveLinks::read(&bytes, name, options)?.map(Arc::new))
    }
    /// Is told what was read that a document here names, wherever it lies: some want to know what a model is made of.
    fn took(&self, _name: &str, _bytes: &[u8]) {}
    /// The names of neighbours with that extension, in lower case and in order; of many the first [`MOST_NAMES`].
    fn names(&self, _extension: &str) -> Vec<String> {
        Vec::new()
    }
}

/// Most names that neighbours are asked for: the largest archives of models have about four thousand of a kind.
pub const MOST_NAMES: usize = 4096;

/// Those of names in lower case that have an extension.
pub(crate) fn with_extension<V>(names: &BTreeMap<String, V>, extension: &str) -> Vec<String> {
    let has = |name: &&String| name.rsplit_once('.').is_some_and(|(_, end)| end == extension);
    names.keys().filter(has).take(MOST_NAMES).cloned().collect()
}

/// Nothing lies beside what comes from nowhere.
impl Links for () {
    fn find(&self, _name: &str) -> Option<Cow<'_, [u8]>> {
        None
    }

    fn names(&self, _extension: &str) -> Vec<String> {
        Vec::new()
    }
}

impl<L: Links + ?Sized> Links for &L {
    fn find(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        (**self).find(name)
    }

    fn has(&self, name: &str) -> bool {
        (**self).has(name)
    }

    fn library(&self, name: &str, options: &OpenOptions) -> Result<Option<Arc<ArchiveLinks>>, Exhausted> {
        (**self).library(name, options)
    }

    fn took(&self, name: &str, bytes: &[u8]) {
        (**self).took(name, bytes);
    }

    fn names(&self, extension: &str) -> Vec<String> {
        (**self).names(extension)
    }
}

impl<L: Links + ?Sized> Links for Arc<L>
where
    Arc<L>: fmt::Debug,
{
    fn find(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        (**self).find(name)
    }

    fn has(&self, name: &str) -> bool {
        (**self).has(name)
    }

    fn took(&self, name: &str, bytes: &[u8]) {
        (**self).took(name, bytes);
    }

    fn names(&self, extension: &str) -> Vec<String> {
        (**self).names(extension)
    }
}

/// A folder or archive in which files are looked for.
#[derive(Debug, Clone, Copy)]
pub struct Shelf<'a> {
    /// What people call it.
    pub label: &'a str,
    /// Its files.
    pub links: &'a dyn Links,
}

/// Where files that a document names are looked for, beside its neighbours.
#[derive(Debug, Clone, Copy, Default)]
pub struct Around<'a> {
    /// Before them: what somebody pointed at.
    pub first: &'a [Shelf<'a>],
    /// After them: what its folder or archive lies in.
    pub after: &'a [Shelf<'a>],
}

/// Where a document stands: what it is called, and what lies beside it.
#[derive(Debug, Clone, Copy)]
pub struct Site<'a> {
    /// Its name in its folder or archive.
    pub name: &'a str,
    /// Its neighbours.
    pub links: &'a dyn Links,
    /// What its archive says it is, if it is a member.
    pub declared: Option<Declared>,
    /// What people call its folder or archive.
    pub home: &'a str,
    /// Where else files that it names may be.
    pub around: Around<'a>,
}

impl<'a> Site<'a> {
    /// Where bytes stand that come from nowhere.
    pub const NOWHERE: Site<'static> =
        Site { name: "", links: &(), declared: None, home: "", around: Around { first: &[], after: &[] } };

    /// Where a file of that name stands.
    pub fn named(name: &'a str, links: &'a dyn Links) -> Self {
        Site { name, links, ..Site::NOWHERE }
    }

    /// Its name without the extension.
    pub fn stem(&self) -> &'a str {
        self.name.rsplit_once('.').map_or(self.name, |(stem, _)| stem)
    }

    /// The bytes of the neighbour that differs from the document in its extension only.
    pub fn twin(&self, extension: &str) -> Option<Cow<'a, [u8]>> {
        self.links.find(&format!("{}.{extension}", self.stem()))
    }
}

/// An open archive, its members found by name.
#[derive(Debug)]
pub struct ArchiveLinks {
    /// The archive.
    pub opened: Opened,
    /// Names in lower case, each with the first member that has it.
    names: BTreeMap<String, usize>,
}

impl ArchiveLinks {
    /// The archive that bytes of that name are; `None` if they are none that reads.
    pub(crate) fn read(bytes: &[u8], name: &str, options: &OpenOptions) -> Result<Option<Self>, Exhausted> {
        let is_marked = |format: &&dyn Format| {
            format.info().is_archive && format.recognise(bytes, None) >= Likelihood::ByMagic
        };
        let marked = FORMATS.iter().copied().find(is_marked);
        let Some(format) = marked.or_else(|| recognise_at(bytes, Some(name), None)) else { return Ok(None) };
        let opened = unless_exhausted(format.open(bytes, options).map_err(|error| error.cause))?;
        let archive = opened.filter(|opened| opened.document.as_archive().is_some());
        Ok(archive.map(ArchiveLinks::new))
    }

    /// The first member of a name, in any case of letters; `#0` is the very first.
    pub(super) fn position(&self, name: &str) -> Option<usize> {
        if name == "#0" {
            return self
                .opened
                .document
                .as_archive()
                .filter(|archive| !archive.members().is_empty())
                .map(|_| 0);
        }
        self.names.get(&name.to_lowercase()).copied()
    }

    /// What is open; without members nothing is found.
    pub fn new(opened: Opened) -> Self {
        let names = opened.document.as_archive().map(names).unwrap_or_default();
        ArchiveLinks { opened, names }
    }

    /// Whether nothing here belongs to a member of that name: what does has the same name before a dot, or the same two
    /// letters before two others, or is named by content. Others that look so count too.
    pub(crate) fn is_alone(&self, name: &str) -> bool {
        is_alone(&self.names, name)
    }
}

fn is_alone(names: &BTreeMap<String, usize>, name: &str) -> bool {
    let name = name.to_lowercase();
    let nobody = |start: String| {
        let alike = names.range(start.clone()..).take_while(|(other, _)| other.starts_with(&start));
        alike.into_iter().all(|(other, _)| *other == name)
    };
    let stem = name.rsplit_once('.').map_or(name.as_str(), |(stem, _)| stem);
    let has_bare = stem != name && names.contains_key(stem);
    let is_lettered = name.len() == 4 && name.bytes().all(|letter| letter.is_ascii_lowercase());
    let letters = name.get(..2).filter(|_| is_lettered).map(str::to_owned);
    !has_bare && nobody(format!("{stem}.")) && letters.is_none_or(nobody)
}

/// Names in lower case, each with the first member that has it.
fn names(archive: &dyn Archive) -> BTreeMap<String, usize> {
    let mut names = BTreeMap::new();
    for (i, name) in archive.members().iter().map(Member::shown).enumerate() {
        names.entry(name.to_lowercase()).or_insert(i);
    }
    names
}

/// The members of an archive that somebody else holds.
#[derive(Debug)]
pub struct MemberLinks<'a> {
    archive: &'a dyn Archive,
    names: BTreeMap<String, usize>,
}

impl<'a> MemberLinks<'a> {
    /// The members of a document.
    pub fn new(archive: &'a dyn Archive) -> Self {
        MemberLinks { archive, names: names(archive) }
    }

    /// Whether nothing here belongs to a member of that name.
    pub(crate) fn is_alone(&self, name: &str) -> bool {
        is_alone(&self.names, name)
    }
}

impl Links for MemberLinks<'_> {
    fn find(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let index = self.names.get(&name.to_lowercase())?;
        self.archive.member(*index).map(Cow::Borrowed)
    }

    fn names(&self, extension: &str) -> Vec<String> {
        with_extension(&self.names, extension)
    }
}

impl Links for ArchiveLinks {
    fn find(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let index = self.names.get(&name.to_lowercase())?;
        self.opened.document.as_archive()?.member(*index).map(Cow::Borrowed)
    }

    fn names(&self, extension: &str) -> Vec<String> {
        with_extension(&self.names, extension)
    }
}

/// Neighbours whose bytes are charged for; once nothing is left none is found, and that is remembered.
#[derive(Debug)]
pub(crate) struct Metered<'a> {
    links: &'a dyn Links,
    meter: &'a Meter,
    refused: RefCell<Option<Exhausted>>,
}

impl<'a> Metered<'a> {
    pub(crate) fn new(links: &'a dyn Links, meter: &'a Meter) -> Self {
        Metered { links, meter, refused: RefCell::new(None) }
    }

    /// Why not every neighbour was found.
    pub(crate) fn refused(self) -> Option<Exhausted> {
        self.refused.into_inner()
    }
}

impl Links for Metered<'_> {
    fn find(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let found = self.links.find(name)?;
        match self.meter.work(found.len()) {
            Ok(()) => Some(found),
            Err(refused) => {
                self.refused.replace(Some(refused));
                None
            }
        }
    }

    fn has(&self, name: &str) -> bool {
        self.links.has(name)
    }

    fn library(&self, name: &str, options: &OpenOptions) -> Result<Option<Arc<ArchiveLinks>>, Exhausted> {
        self.links.library(name, options)
    }

    fn names(&self, extension: &str) -> Vec<String> {
        self.links.names(extension)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Says which name it was asked for.
    #[derive(Debug)]
    struct Echo;

    impl Links for Echo {
        fn find(&self, name: &str) -> Option<Cow<'_, [u8]>> {
            Some(name.as_bytes().to_vec().into())
        }

        fn names(&self, _extension: &str) -> Vec<String> {
            Vec::new()
        }
    }

    #[test]
    fn a_twin_has_the_same_stem() {
        let twin = |name: &str| String::from_utf8(Site::named(name, &Echo).twin("wea")?.into_owned()).ok();
        for (name, wanted) in
            [("tank.msh", "tank.wea"), ("a.b.MSH", "a.b.wea"), ("unit", "unit.wea"), (".msh", ".wea")]
        {
            assert_eq!(twin(name).as_deref(), Some(wanted));
        }
        assert_eq!(Site::NOWHERE.twin("wea"), None);
    }
}
