//! A file that is open: its bytes, its document, what was done to it, and what it looks like.

use std::iter;
use std::sync::Arc;

use galvani::edit;
use galvani::formats::{self, Around, Format, OpenOptions, Opened, Settings, Shelf, Site, Step};
use galvani::{Meter, Path, Report, Scrutiny, Strictness, budget, codes, nested, pictures};

use crate::refusal::Refusal;
use crate::shelf::{AnywhereLinks, Bytes, Dropped, FolderLinks, Home, Placed};
use crate::show::Show;
use crate::states::States;

/// A file that is open.
#[derive(Debug)]
pub struct File {
    /// Where it is: a path, with members behind their archive.
    pub path: String,
    pub(crate) placed: Placed,
    pub(crate) format: Option<&'static dyn Format>,
    pub(crate) options: OpenOptions,
    /// What was done to it; the last state is what is open.
    pub(crate) history: States,
    /// The document, if it reads.
    pub(crate) opened: Option<Opened>,
    /// Why it does not read.
    unread: Report,
    /// What is drawn of it, once somebody asked for that.
    pub(crate) show: Option<Show>,
}

impl File {
    /// Opens what stands on the shelf. What does not read is open, too: its bytes and findings can be looked at.
    pub(crate) fn open(shelf: &Dropped, path: &str, options: OpenOptions) -> Result<Self, Refusal> {
        let placed = shelf.place(path, &options)?;
        let format = formats::recognise_at(&placed.bytes, Some(&placed.name), placed.declared);
        let history = States::new(Arc::clone(&placed.bytes));
        let (opened, unread, show) = (None, Report::default(), None);
        let mut file = File { path: path.to_owned(), placed, format, options, history, opened, unread, show };
        file.read(shelf);
        Ok(file)
    }

    /// The bytes as they stand.
    pub(crate) fn bytes(&self) -> &Bytes {
        self.history.now()
    }

    /// Reads its bytes.
    fn read(&mut self, shelf: &Dropped) {
        self.show = None;
        self.unread = Report::default();
        self.opened = None;
        let Some(format) = self.format else {
            return self.unread.push(codes::UNKNOWN_FORMAT.at(Path::root()));
        };
        let read = self.at(shelf, |site| format.open_at(self.bytes(), &self.options, site));
        match read {
            Ok(opened) => self.opened = Some(opened),
            Err(error) => self.unread = error.into_report(),
        }
    }

    /// The document, or why there is none.
    pub(crate) fn opened(&self) -> Result<&Opened, Refusal> {
        let why =
            || self.unread.findings().first().cloned().map_or(Refusal::not_found(&self.path), Into::into);
        self.opened.as_ref().ok_or_else(why)
    }

    /// What is wrong with it.
    pub fn findings(&self, shelf: &Dropped) -> Report {
        match &self.opened {
            Some(opened) => self.at(shelf, |site| opened.check_at(site, Scrutiny::Usual)),
            None => self.unread.clone(),
        }
    }

    /// Does something where the file stands.
    pub(crate) fn at<T>(&self, shelf: &Dropped, work: impl FnOnce(&Site<'_>) -> T) -> T {
        let samples = self.placed.is_sample;
        let anywhere = AnywhereLinks { shelf, samples };
        let everywhere = Shelf { label: "", links: &anywhere };
        let root = Site { name: &self.placed.name, declared: self.placed.declared, ..Site::NOWHERE };
        match &self.placed.home {
            Home::Folder(folder) => {
                let links = FolderLinks { shelf, folder, samples };
                let around = Around { first: &[], after: &[everywhere] };
                work(&Site { links: &links, home: folder, around, ..root })
            }
            Home::Archive(archive, label, outer) => {
                let folder = folder_of(outer);
                let links = FolderLinks { shelf, folder, samples };
                let after: Vec<Shelf<'_>> =
                    iter::once(Shelf { label: folder, links: &links }).chain([everywhere]).collect();
                let around = Around { first: &[], after: &after };
                work(&Site { links: &**archive, home: label, around, ..root })
            }
        }
    }

    /// Does steps, all or none; gives what they cost.
    pub(crate) fn edit(&mut self, shelf: &Dropped, steps: &[Step]) -> Result<Report, Refusal> {
        let format = self.opened()?.format;
        let bytes = Arc::clone(self.bytes());
        let opened = self.at(shelf, |site| format.open_at(&bytes, &self.options, site))?;
        let meter = self.options.read.budget.meter(&budget::EDITING, bytes.len());
        let (document, costs) = edit::run(opened.document, steps, Strictness::Tolerant, &meter)?;
        let made = document.write()?;
        self.history.push(made.into());
        self.read(shelf);
        Ok(costs)
    }

    /// Takes the last edit back; false if there is none.
    pub(crate) fn undo(&mut self, shelf: &Dropped) -> bool {
        let is_undone = self.history.undo();
        if is_undone {
            self.read(shelf);
        }
        is_undone
    }

    /// Makes the edit that was taken back last again; false if there is none.
    pub(crate) fn redo(&mut self, shelf: &Dropped) -> bool {
        let is_redone = self.history.redo();
        if is_redone {
            self.read(shelf);
        }
        is_redone
    }

    /// The file that is to be saved: of a member of an archive the whole archive, with everything else as it was.
    pub(crate) fn whole(&self, shelf: &Dropped) -> Result<Vec<u8>, Refusal> {
        let Some((path, chain)) = &self.placed.inside else { return Ok(self.bytes().to_vec()) };
        let archive = shelf.bytes(path).ok_or_else(|| Refusal::not_found(path))?;
        let name = path.rsplit('/').next();
        let change = (&*self.placed.bytes, self.bytes().to_vec());
        Ok(nested::replace(archive, name, chain, change, &self.options)?)
    }

    /// What is drawn of it.
    pub(crate) fn show(&mut self, shelf: &Dropped, settings: &Settings) -> Result<&mut Show, Refusal> {
        let made = self.made_show(shelf, settings)?;
        Ok(self.show.insert(made))
    }

    fn made_show(&self, shelf: &Dropped, settings: &Settings) -> Result<Show, Refusal> {
        let opened = self.opened()?;
        let meter = self.meter(&budget::RENDERING);
        let (scene, report) = self.at(shelf, |site| pictures::scene(opened, site, settings, &meter))?;
        Show::new(opened, scene, report)
    }

    /// What an operation on it may take.
    pub(crate) fn meter(&self, allowance: &galvani::core::budget::Allowance) -> Meter {
        self.options.read.budget.meter(allowance, self.bytes().len())
    }
}

/// The folder of the shelf that an archive lies in, however deep.
fn folder_of(home: &Home) -> &str {
    match home {
        Home::Folder(folder) => folder,
        Home::Archive(_, _, outer) => folder_of(outer),
    }
}
