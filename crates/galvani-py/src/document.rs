//! Documents: opened, looked at, changed, written.

use std::collections::BTreeMap;
use std::path::{Path as FilePath, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use galvani::formats::{self, ArchiveLinks, Format, Opened, Settings, Site};
use galvani::fs::{Follow, Output, Overwrite, expand};
use galvani::scene::Scene;
use galvani::{Diagnostic, OpenOptions, Path, Report, codes};
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::failure::Failure;
use crate::options::{self, Reading};
use crate::place::{MadeFiles, Place};
use crate::value::{Finding, findings};

/// A file as it is now: its bytes, and the document that they are.
#[derive(Debug)]
pub(crate) struct Held {
    pub(crate) bytes: Arc<Vec<u8>>,
    pub(crate) links: ArchiveLinks,
    /// The model as it was last looked at, and how it was asked for.
    pub(crate) scene: Mutex<Option<(Settings, Arc<Scene>)>>,
}

impl Held {
    /// Opens bytes where they stand.
    fn new(
        format: &'static dyn Format,
        bytes: Arc<Vec<u8>>,
        site: &Site<'_>,
        options: &OpenOptions,
    ) -> Result<Self, Failure> {
        let opened = format.open_at(&bytes, options, site)?;
        Ok(Held { bytes, links: ArchiveLinks::new(opened), scene: Mutex::default() })
    }

    pub(crate) fn opened(&self) -> &Opened {
        &self.links.opened
    }
}

/// What a file was, is, and was before something was undone.
#[derive(Debug)]
pub(crate) struct History {
    pub(crate) before: Vec<Arc<Vec<u8>>>,
    now: Arc<Held>,
    undone: Vec<Arc<Vec<u8>>>,
}

/// A file that is open.
///
/// >>> lantern = galvani.open(galvani.samples()['lantern.mdx'], name='lantern.mdx')
/// >>> lantern.format
/// 'mdx'
/// >>> lantern.info()['counts']['nodes'] == len(lantern.info()['nodes'])
/// True
/// >>> lantern.write() == galvani.samples()['lantern.mdx']
/// True
#[pyclass(frozen, module = "galvani")]
#[derive(Debug)]
pub(crate) struct Document {
    pub(crate) place: Arc<Place>,
    pub(crate) options: Arc<OpenOptions>,
    /// What was odd about finding it.
    pub(crate) notes: Vec<Diagnostic>,
    history: Mutex<History>,
}

impl Document {
    /// Opens bytes where they stand; without a format, whatever they are taken for.
    pub(crate) fn new(
        place: Place,
        bytes: Vec<u8>,
        format: Option<&'static dyn Format>,
        notes: Vec<Diagnostic>,
        options: Arc<OpenOptions>,
    ) -> Result<Self, Failure> {
        if bytes.is_empty() {
            return Err(Failure::Unread(Box::new(codes::EMPTY.at(Path::root()))));
        }
        let named = Some(place.name.as_str()).filter(|name| !name.is_empty());
        let found = format.or_else(|| formats::recognise_at(&bytes, named, place.declared));
        let unknown = || Failure::Unread(Box::new(codes::UNKNOWN_FORMAT.at(Path::root()).offset(0)));
        let (format, bytes) = (found.ok_or_else(unknown)?, Arc::new(bytes));
        let now = place.at(&options, |site| Held::new(format, bytes, site, &options))??;
        let history = History { before: Vec::new(), now: Arc::new(now), undone: Vec::new() };
        Ok(Document { place: Arc::new(place), options, notes, history: Mutex::new(history) })
    }

    pub(crate) fn history(&self) -> MutexGuard<'_, History> {
        self.history.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The file as it is now. Whoever has it keeps it, whatever is changed meanwhile.
    pub(crate) fn now(&self) -> Arc<Held> {
        Arc::clone(&self.history().now)
    }

    /// Works on the file as it is now, where it stands, while Python goes on.
    pub(crate) fn work<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&Held, &Site<'_>) -> Result<T, Failure> + Send,
    ) -> PyResult<T> {
        let now = self.now();
        let done = py.detach(|| match self.place.at(&self.options, |site| work(&now, site)) {
            Ok(done) => done,
            Err(error) => Err(error.into()),
        });
        done.map_err(|failure| failure.of(py, &self.place.shown))
    }

    /// Makes other bytes the file, if they still are such a document.
    pub(crate) fn become_bytes(&self, bytes: Vec<u8>, site: &Site<'_>) -> Result<(), Failure> {
        let now = self.now();
        let next = Held::new(now.opened().format, Arc::new(bytes), site, &self.options)?;
        let mut history = self.history();
        let before = std::mem::replace(&mut history.now, Arc::new(next));
        history.before.push(Arc::clone(&before.bytes));
        history.undone.clear();
        Ok(())
    }

    /// Goes a step back or forth: from the end of the one list to the other.
    pub(crate) fn step(&self, py: Python<'_>, back: bool) -> PyResult<()> {
        let lacking = || PyIndexError::new_err(if back { "nothing to undo" } else { "nothing to redo" });
        let lists =
            |history: &History| if back { history.before.last() } else { history.undone.last() }.cloned();
        let wanted = lists(&self.history()).ok_or_else(lacking)?;
        let next =
            self.work(py, |held, site| Held::new(held.opened().format, wanted, site, &self.options))?;
        let mut history = self.history();
        let left = std::mem::replace(&mut history.now, Arc::new(next));
        let left = Arc::clone(&left.bytes);
        if back {
            history.before.pop();
            history.undone.push(left);
        } else {
            history.undone.pop();
            history.before.push(left);
        }
        Ok(())
    }

    /// What is to be seen of a report about it.
    pub(crate) fn findings(&self, report: &Report) -> Vec<Finding> {
        findings(&self.place.shown, report)
    }
}

/// Opens a file by its path, a member of an archive (`battle.lgp/rtda`), or bytes.
///
/// `name` says what bytes are called, by which some formats are recognised; `format` what they are, whatever they look
/// like; `reading` which account of a format is followed where its documentation and real files disagree: `auto`,
/// `documented` or `observed`, or a dict of such words by topic. `strict` refuses what is kept as it is otherwise.
/// `textures` names folders and archives in which pictures and materials are looked for first, `beside` files by their
/// names that lie beside bytes, `limit_memory` and
/// `limit_work` what an operation may take. Everything else is what formats may be told about reading, by its name on the
/// command line.
///
/// >>> walker = galvani.open(galvani.samples()['walker.msh'], name='walker.msh')
/// >>> walker.format, len(walker.clips)
/// ('msh', 1)
/// >>> galvani.open(b'nothing at all')
/// Traceback (most recent call last):
/// galvani.Unreadable: <bytes>: file.unknown-format: ...
#[pyfunction]
#[pyo3(signature = (path_or_bytes, *, name=None, format=None, reading=None, strict=false, textures=Vec::new(), beside=None, limit_memory=None, limit_work=None, **settings))]
#[pyo3(
    text_signature = "(path_or_bytes, *, name=None, format=None, reading='auto', strict=False, textures=(), beside=None, limit_memory=None, limit_work=None, **settings)"
)]
pub(crate) fn open(
    py: Python<'_>,
    path_or_bytes: &Bound<'_, PyAny>,
    name: Option<String>,
    format: Option<&str>,
    reading: Option<&Bound<'_, PyAny>>,
    strict: bool,
    textures: Vec<PathBuf>,
    beside: Option<BTreeMap<String, Bound<'_, PyAny>>>,
    limit_memory: Option<u64>,
    limit_work: Option<u64>,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<Document> {
    let reading = Reading { strict, limit_memory, limit_work }.options(reading, settings)?;
    let forced = format.map(by_id).transpose()?;
    let beside = beside.map(files).transpose()?;
    opened(py, path_or_bytes, (name, forced), (textures, beside), Arc::new(reading))
}

/// Files by their names.
fn files(beside: BTreeMap<String, Bound<'_, PyAny>>) -> PyResult<MadeFiles> {
    let wanted = || PyTypeError::new_err("bytes are wanted of what lies beside");
    let file =
        |(name, object): (String, Bound<'_, PyAny>)| Ok((name, options::bytes(&object)?.ok_or_else(wanted)?));
    Ok(MadeFiles(beside.into_iter().map(file).collect::<PyResult<_>>()?))
}

/// The format of an id.
pub(crate) fn by_id(id: &str) -> Result<&'static dyn Format, Failure> {
    formats::by_id(id).ok_or_else(|| {
        let all: Vec<&str> = formats::FORMATS.iter().map(|format| format.info().id).collect();
        Failure::usage(format!("`{id}` is no format; formats: {}", all.join(", ")))
    })
}

/// What a path or bytes are.
fn opened(
    py: Python<'_>,
    object: &Bound<'_, PyAny>,
    (name, format): (Option<String>, Option<&'static dyn Format>),
    (textures, beside): (Vec<PathBuf>, Option<MadeFiles>),
    options: Arc<OpenOptions>,
) -> PyResult<Document> {
    if let Some(bytes) = options::bytes(object)? {
        let place = Place::nowhere(name, textures);
        let place = match beside {
            Some(files) => place.beside(Arc::new(files)),
            None => place,
        };
        let shown = place.shown.clone();
        let opened = py.detach(|| Document::new(place, bytes, format, Vec::new(), options));
        return opened.map_err(|failure| failure.of(py, &shown));
    }
    let word = options::path(object)?;
    let shown = word.to_string_lossy().into_owned();
    let opened = py.detach(|| {
        let mut inputs = expand(&[word], Follow::No, &options);
        let (Some(input), true) = (inputs.pop(), inputs.is_empty()) else {
            let found = format!("`{shown}` names a folder or several files, one is wanted");
            return Err(Failure::Unread(Box::new(codes::NOT_FOUND.at(Path::root()).saying(found))));
        };
        let source = input.source(&options)?;
        let name = name.or(source.name).unwrap_or_default();
        let place = Place::on_disk(input, name, source.declared, textures);
        Document::new(place, source.bytes, format, source.notes, options)
    });
    opened.map_err(|failure| failure.of(py, &shown))
}

/// A document that was given, or what a path or bytes are that were given in its place.
pub(crate) fn given<'py>(object: &Bound<'py, PyAny>) -> PyResult<Bound<'py, Document>> {
    let py = object.py();
    match object.cast::<Document>() {
        Ok(document) => Ok(document.clone()),
        Err(_) => Bound::new(py, opened(py, object, (None, None), (Vec::new(), None), Arc::default())?),
    }
}

/// Writes bytes to a file that somebody named.
pub(crate) fn save(path: &FilePath, bytes: &[u8], force: bool) -> Result<Vec<Finding>, Failure> {
    let force = if force { galvani::fs::Force::Yes } else { galvani::fs::Force::No };
    let saved = Output::new(path, &Overwrite { force, ..Overwrite::default() })?.write(bytes)?;
    let mut report = Report::default();
    saved.notes.into_iter().for_each(|note| report.push(note));
    Ok(findings(&saved.path.to_string_lossy(), &report))
}
