//! What lies around an input: its neighbours, and where files that it names may be.

use std::path::PathBuf;
use std::sync::LazyLock;

use galvani::formats::{Around, Links, Shelf, Site};
use galvani::fs::{Folders, Input, SearchRoot};

use crate::args::Common;
use crate::batch::Known;
use crate::failure::Failure;

/// The folders that inputs lie in, each listed once.
static FOLDERS: LazyLock<Folders> = LazyLock::new(Folders::default);

/// What lies beside an input.
pub(crate) fn links<'a>(input: &'a Input, common: &Common) -> Box<dyn Links + 'a> {
    input.links(&FOLDERS, &common.options())
}

/// The folders and archives of `--textures`.
fn roots(textures: &[PathBuf], common: &Common) -> Result<Vec<SearchRoot<'static>>, Failure> {
    let root = |path: &PathBuf| Ok(SearchRoot::open(path, &FOLDERS, &common.options())?);
    textures.iter().map(root).collect()
}

/// What lies around an input.
pub(crate) struct Surroundings<'a> {
    home: &'a str,
    links: Box<dyn Links + 'a>,
    first: Vec<SearchRoot<'static>>,
    after: Vec<SearchRoot<'static>>,
}

impl<'a> Surroundings<'a> {
    /// Of an input, with what `--textures` names.
    pub(crate) fn new(input: &'a Input, textures: &[PathBuf], common: &Common) -> Result<Self, Failure> {
        Ok(Surroundings {
            home: input.home_label(),
            links: links(input, common),
            first: roots(textures, common)?,
            after: input.parents(&FOLDERS, &common.options()),
        })
    }

    /// Does something where the input stands.
    pub(crate) fn at<T>(&self, known: &Known, work: impl FnOnce(&Site<'_>) -> T) -> T {
        let [first, after] = [&self.first, &self.after]
            .map(|roots| roots.iter().map(SearchRoot::shelf).collect::<Vec<Shelf<'_>>>());
        let around = Around { first: &first, after: &after };
        work(&Site { home: self.home, around, ..known.site(&*self.links) })
    }
}
