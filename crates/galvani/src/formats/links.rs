//! What lies beside a document, in its folder or its archive: some files say only together what is right.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use super::{Archive, Member, Opened};

/// Finds neighbours by name.
pub trait Links: fmt::Debug {
    /// The bytes of the neighbour of that name, in any case of letters; of several the first.
    fn find(&self, name: &str) -> Option<Cow<'_, [u8]>>;
    /// Whether there is such a neighbour.
    fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }
}

/// Nothing lies beside what comes from nowhere.
impl Links for () {
    fn find(&self, _name: &str) -> Option<Cow<'_, [u8]>> {
        None
    }
}

impl<L: Links + ?Sized> Links for &L {
    fn find(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        (**self).find(name)
    }

    fn has(&self, name: &str) -> bool {
        (**self).has(name)
    }
}

/// Where a document stands: what it is called, and what lies beside it.
#[derive(Debug, Clone, Copy)]
pub struct Site<'a> {
    /// Its name in its folder or archive.
    pub name: &'a str,
    /// Its neighbours.
    pub links: &'a dyn Links,
}

impl<'a> Site<'a> {
    /// Where bytes stand that come from nowhere.
    pub const NOWHERE: Site<'static> = Site { name: "", links: &() };

    /// The bytes of the neighbour that differs from the document in its extension only.
    pub fn twin(&self, extension: &str) -> Option<Cow<'a, [u8]>> {
        let stem = self.name.rsplit_once('.').map_or(self.name, |(stem, _)| stem);
        self.links.find(&format!("{stem}.{extension}"))
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
    /// What is open; without members nothing is found.
    pub fn new(opened: Opened) -> Self {
        let names = opened.document.as_archive().map(names).unwrap_or_default();
        ArchiveLinks { opened, names }
    }
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
}

impl Links for MemberLinks<'_> {
    fn find(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let index = self.names.get(&name.to_lowercase())?;
        self.archive.member(*index).map(Cow::Borrowed)
    }
}

impl Links for ArchiveLinks {
    fn find(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let index = self.names.get(&name.to_lowercase())?;
        self.opened.document.as_archive()?.member(*index).map(Cow::Borrowed)
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
    }

    #[test]
    fn a_twin_has_the_same_stem() {
        let twin = |name: &str| String::from_utf8(Site { name, links: &Echo }.twin("wea")?.into_owned()).ok();
        for (name, wanted) in
            [("tank.msh", "tank.wea"), ("a.b.MSH", "a.b.wea"), ("unit", "unit.wea"), (".msh", ".wea")]
        {
            assert_eq!(twin(name).as_deref(), Some(wanted));
        }
        assert_eq!(Site::NOWHERE.twin("wea"), None);
    }
}
