//! The files that the command was given, and those beside them that they name.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};
use std::time::SystemTime;

use galvani::Exhausted;
use galvani::formats::{ArchiveLinks, Around, Links, OpenOptions, Settings, Shelf, Site};
use galvani::fs::{Folders, Force, Input, Overwrite, SaveError, expand};
use serde_json::{Value, json};

use crate::args::Common;
use crate::batch::Known;
use crate::failure::Failure;

/// The folders that files lie in, each listed once.
static FOLDERS: LazyLock<Folders> = LazyLock::new(Folders::default);

/// Everything that the page may see.
#[derive(Debug)]
pub(crate) struct Given {
    files: Vec<Served>,
    /// What is shown first: a file, or a member of one.
    first: Option<String>,
    options: OpenOptions,
}

/// A file that the page may see.
#[derive(Debug)]
struct Served {
    /// What the page calls it.
    path: String,
    /// The input that it is, or that it lies beside.
    input: Input,
    /// What it is called where it lies beside one.
    beside: Option<String>,
    /// The bytes that the page has: only these are replaced.
    known: Mutex<Option<Vec<u8>>>,
}

/// Why a file is not read or written.
#[derive(Debug)]
pub(crate) enum Refused {
    /// The command was not given it.
    NotGiven,
    /// It may be read, not written.
    ReadOnly,
    /// The disk or another program stands in the way.
    Failed(String),
}

/// Which file it is and when it changed.
pub(crate) type Stamp = Option<(SystemTime, u64)>;

impl Given {
    /// What the words of the command name.
    pub(crate) fn new(words: &[OsString], common: &Common) -> Result<Self, Failure> {
        let options = common.options();
        let mut given = Given { files: Vec::new(), first: None, options };
        for word in words {
            let inputs = expand(std::slice::from_ref(word), common.follow(), &given.options);
            for input in inputs.into_iter().map(Input::without_links) {
                given.add(input, common)?;
            }
        }
        Ok(given)
    }

    fn add(&mut self, input: Input, common: &Common) -> Result<(), Failure> {
        let Some((file, chain)) = input.home() else {
            // Why it is not there.
            return input.source(&self.options).map(drop).map_err(Into::into);
        };
        let path = called(&input, file);
        let inside = if chain.is_empty() { None } else { input.shown.strip_prefix(&*file.to_string_lossy()) };
        let shown = format!("{path}{}", inside.unwrap_or_default());
        self.first.get_or_insert(shown);
        let named = if input.folder.is_none() { self.named_by(&input, common) } else { BTreeSet::new() };
        // Of a member it is the archive that is given.
        let file = OsString::from(file);
        let own = if chain.is_empty() {
            Some(input)
        } else {
            expand(&[file], common.follow(), &self.options).pop()
        };
        let Some(own) = own.map(Input::without_links) else { return Ok(()) };
        for name in named {
            let word = own.home().map(|(file, _)| OsString::from(file)).unwrap_or_default();
            let beside = expand(&[word], common.follow(), &self.options).pop().map(Input::without_links);
            if let Some(input) = beside {
                self.push(Served { path: name.clone(), input, beside: Some(name), known: Mutex::default() });
            }
        }
        self.push(Served { path, input: own, beside: None, known: Mutex::default() });
        Ok(())
    }

    /// Of two files of one name what was given counts, or else the first.
    fn push(&mut self, file: Served) {
        let same = self.files.iter_mut().find(|other| other.path.eq_ignore_ascii_case(&file.path));
        match same {
            None => self.files.push(file),
            Some(other) if other.beside.is_some() && file.beside.is_none() => *other = file,
            Some(_) => {}
        }
    }

    /// What a model is made of beside its own file.
    fn named_by(&self, input: &Input, common: &Common) -> BTreeSet<String> {
        let Ok(Some(known)) = Known::new(input, common) else { return BTreeSet::new() };
        let Some(home) = input.home().map(|(file, _)| OsString::from(file)) else { return BTreeSet::new() };
        let beside = expand(&[home], common.follow(), &self.options).pop().map(Input::without_links);
        let Some(beside) = beside else { return BTreeSet::new() };
        let folder = Recording { links: beside.links(&FOLDERS, &self.options), found: RefCell::default() };
        let shelf = [Shelf { label: "", links: &folder }];
        let own = input.links(&FOLDERS, &self.options);
        let is_member = input.home().is_some_and(|(_, chain)| !chain.is_empty());
        let links: &dyn Links = if is_member { &*own } else { &folder };
        let site = Site { around: Around { first: &[], after: &shelf }, ..known.site(links) };
        if let Ok(opened) = known.format.open_at(&known.source.bytes, &self.options, &site)
            && let Some(model) = opened.document.as_model()
        {
            // What it is not made of, it does without.
            let _ = model.lift(&Settings::default(), &site);
        }
        folder.found.into_inner()
    }

    /// What the page may see, and what it shows first.
    pub(crate) fn list(&self) -> Value {
        let row = |file: &Served| json!({"path": file.path, "is_given": file.beside.is_none()});
        json!({"files": self.files.iter().map(row).collect::<Vec<_>>(), "first": self.first})
    }

    fn file(&self, path: &str) -> Result<&Served, Refused> {
        self.files.iter().find(|file| file.path == path).ok_or(Refused::NotGiven)
    }

    /// The bytes of a file.
    pub(crate) fn read(&self, path: &str) -> Result<Vec<u8>, Refused> {
        let file = self.file(path)?;
        let bytes = file.read(&self.options)?;
        *file.known.lock().unwrap_or_else(PoisonError::into_inner) = Some(bytes.clone());
        Ok(bytes)
    }

    /// Replaces a file that was given, if it is still what the page was told that it is.
    pub(crate) fn write(&self, path: &str, bytes: &[u8]) -> Result<(), Refused> {
        let file = self.file(path)?;
        if file.beside.is_some() {
            return Err(Refused::ReadOnly);
        }
        let mut known = file.known.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(read) = &*known else {
            return Err(Refused::Failed("the file was not read before".to_owned()));
        };
        let overwrite = Overwrite { force: Force::No, ..Overwrite::default() };
        let held = file.input.hold().map_err(|error| failed(&error))?;
        held.replace(read, bytes, &overwrite).map_err(|error| failed(&error))?;
        *known = Some(bytes.to_vec());
        Ok(())
    }

    /// How each file that was given stands on the disk.
    pub(crate) fn stamps(&self) -> Vec<Stamp> {
        self.files.iter().map(Served::stamp).collect()
    }

    /// The paths of files that changed between two looks, unless the page itself changed them.
    pub(crate) fn changed(&self, before: &[Stamp], after: &[Stamp]) -> Vec<&str> {
        let pairs = self.files.iter().zip(before.iter().zip(after));
        let changed = pairs.filter(|(_, (before, after))| before != after).map(|(file, _)| file);
        changed.filter(|file| !file.is_known(&self.options)).map(|file| file.path.as_str()).collect()
    }
}

fn failed(error: &SaveError) -> Refused {
    Refused::Failed(error.to_string())
}

impl Served {
    fn read(&self, options: &OpenOptions) -> Result<Vec<u8>, Refused> {
        match &self.beside {
            None => self
                .input
                .source(options)
                .map(|source| source.bytes)
                .map_err(|error| Refused::Failed(error.to_string())),
            Some(name) => {
                let links = self.input.links(&FOLDERS, options);
                links.find(name).map(Cow::into_owned).ok_or(Refused::NotGiven)
            }
        }
    }

    fn stamp(&self) -> Stamp {
        let (file, _) = self.input.home().filter(|_| self.beside.is_none())?;
        let found = file.metadata().ok()?;
        Some((found.modified().ok()?, found.len()))
    }

    /// Whether the page has what is on the disk.
    fn is_known(&self, options: &OpenOptions) -> bool {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let on_disk = self.read(options).ok();
        known.is_some() && *known == on_disk
    }
}

/// What the page calls a file: its name, below a folder that was named with the way from there.
fn called(input: &Input, file: &Path) -> String {
    let name =
        |path: &Path| path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let below = input.folder.as_ref().and_then(|folder| {
        let way = file.strip_prefix(folder).ok()?;
        Some(Path::new(&name(folder)).join(way))
    });
    below
        .unwrap_or_else(|| PathBuf::from(name(file)))
        .to_string_lossy()
        .replace('\\', "/")
        .trim_start_matches('/')
        .to_owned()
}

/// Neighbours, and which of them were found.
#[derive(Debug)]
struct Recording<'a> {
    links: Box<dyn Links + 'a>,
    found: RefCell<BTreeSet<String>>,
}

impl Links for Recording<'_> {
    fn find(&self, name: &str) -> Option<Cow<'_, [u8]>> {
        let found = self.links.find(name)?;
        self.found.borrow_mut().insert(name.to_owned());
        Some(found)
    }

    fn has(&self, name: &str) -> bool {
        self.links.has(name)
    }

    fn library(&self, name: &str, options: &OpenOptions) -> Result<Option<Arc<ArchiveLinks>>, Exhausted> {
        let found = self.links.library(name, options);
        if matches!(found, Ok(Some(_))) {
            self.found.borrow_mut().insert(name.to_owned());
        }
        found
    }

    fn names(&self, extension: &str) -> Vec<String> {
        self.links.names(extension)
    }
}
