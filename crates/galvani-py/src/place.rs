//! Where a document stands: a file, a member of an archive, or bytes from nowhere; and what lies around it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;

use galvani::OpenOptions;
use galvani::formats::{Around, Declared, Links, Shelf, Site};
use galvani::fs::{Folders, Input, OpenError, SearchRoot};

use crate::document::Held;

/// What bytes from nowhere are called where something has to be.
const NOWHERE: &str = "<bytes>";

/// Where a document stands.
#[derive(Debug)]
pub(crate) struct Place {
    /// Its name, by which it may be recognised.
    pub(crate) name: String,
    /// How it is addressed.
    pub(crate) shown: String,
    /// What its archive says it is.
    pub(crate) declared: Option<Declared>,
    /// Folders and archives in which what it names is looked for first.
    pub(crate) textures: Vec<PathBuf>,
    home: Home,
}

/// What it lies in.
#[derive(Debug)]
enum Home {
    /// Nothing.
    Nowhere,
    /// A folder or archive on disk.
    Disk(Box<Input>),
    /// An archive that is open.
    Archive(Arc<Held>, Arc<Place>),
    /// Among files that were made together.
    Files(Arc<MadeFiles>),
}

/// Files by their names.
#[derive(Debug)]
pub(crate) struct MadeFiles(pub(crate) BTreeMap<String, Vec<u8>>);

impl Links for MadeFiles {
    fn find(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let found = self.0.iter().find(|(own, _)| own.eq_ignore_ascii_case(name))?;
        Some(Cow::Borrowed(found.1))
    }

    fn names(&self, extension: &str) -> Vec<String> {
        let names = self.0.keys().map(|name| name.to_lowercase());
        names.filter(|name| name.rsplit_once('.').is_some_and(|(_, end)| end == extension)).collect()
    }
}

impl Place {
    /// Of bytes, perhaps with a name.
    pub(crate) fn nowhere(name: Option<String>, textures: Vec<PathBuf>) -> Self {
        let shown = name.clone().unwrap_or_else(|| NOWHERE.to_owned());
        let name = name.unwrap_or_default();
        Place { name, shown, declared: None, textures, home: Home::Nowhere }
    }

    /// Of an input of that name.
    pub(crate) fn on_disk(
        input: Input,
        name: String,
        declared: Option<Declared>,
        textures: Vec<PathBuf>,
    ) -> Self {
        Place { name, shown: input.shown.clone(), declared, textures, home: Home::Disk(Box::new(input)) }
    }

    /// Of a member of an archive that stands there itself.
    pub(crate) fn member(
        (archive, above): (&Arc<Held>, &Arc<Place>),
        (label, name): (&str, String),
        declared: Option<Declared>,
    ) -> Self {
        let home = Home::Archive(Arc::clone(archive), Arc::clone(above));
        let shown = format!("{}/{label}", above.shown);
        Place { name, shown, declared, textures: above.textures.clone(), home }
    }

    /// The same beside other files.
    pub(crate) fn beside(self, files: Arc<MadeFiles>) -> Self {
        Place { home: Home::Files(files), ..self }
    }

    /// Does something where the document stands.
    pub(crate) fn at<T>(
        &self,
        options: &OpenOptions,
        work: impl FnOnce(&Site<'_>) -> T,
    ) -> Result<T, OpenError> {
        let mut work = Some(work);
        let mut done = None;
        self.visit(options, &mut |site| done = work.take().map(|work| work(site)))?;
        // Whoever visits is told of one site.
        done.ok_or_else(|| {
            galvani::codes::NOT_FOUND.at(galvani::Path::root()).saying(self.shown.clone()).into()
        })
    }

    /// The same for archives in archives, each of which is another site.
    fn visit(&self, options: &OpenOptions, tell: &mut dyn FnMut(&Site<'_>)) -> Result<(), OpenError> {
        // What lies in folders may change at any time, so that nothing of it is kept.
        let folders = Folders::default();
        let named = self.textures.iter().map(|path| SearchRoot::open(path, &folders, options));
        let named = named.collect::<Result<Vec<_>, _>>()?;
        let first: Vec<Shelf<'_>> = named.iter().map(SearchRoot::shelf).collect();
        let site = Site { declared: self.declared, ..Site::named(&self.name, &()) };
        match &self.home {
            Home::Nowhere => {
                tell(&Site { around: Around { first: &first, after: &[] }, ..site });
                Ok(())
            }
            Home::Files(files) => {
                tell(&Site { links: &**files, around: Around { first: &first, after: &[] }, ..site });
                Ok(())
            }
            Home::Disk(input) => {
                let parents = input.parents(&folders, options);
                let after: Vec<Shelf<'_>> = parents.iter().map(SearchRoot::shelf).collect();
                let links = input.links(&folders, options);
                let around = Around { first: &first, after: &after };
                tell(&Site { links: &*links, home: input.home_label(), around, ..site });
                Ok(())
            }
            Home::Archive(archive, above) => above.visit(options, &mut |outer| {
                let own = Shelf { label: outer.home, links: outer.links };
                let after: Vec<Shelf<'_>> =
                    std::iter::once(own).chain(outer.around.after.iter().copied()).collect();
                let around = Around { first: outer.around.first, after: &after };
                tell(&Site { links: &archive.links, home: &above.shown, around, ..site });
            }),
        }
    }
}
