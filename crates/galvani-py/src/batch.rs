//! Many files at once, on all cores; and two, held against each other.

use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use galvani::formats::{self, Format};
use galvani::fs::{Follow, Input, expand};
use galvani::nested::{self, Checked};
use galvani::render::json;
use galvani::{Diagnostic, OpenOptions, Path, Scrutiny, Severity, codes, diff};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList, PyString};

use crate::document::{self, Document, by_id};
use crate::failure::Failure;
use crate::options::{self, Reading};
use crate::place::Place;
use crate::value::{Finding, findings, python};

/// A file or member that was checked.
#[pyclass(frozen, module = "galvani")]
#[derive(Debug)]
pub(crate) struct Verdict {
    row: Checked,
}

#[pymethods]
impl Verdict {
    /// Where it is: a path, with members behind their archive.
    #[getter]
    fn path(&self) -> &str {
        &self.row.path
    }

    /// The id of its format, if any was recognised.
    #[getter]
    fn format(&self) -> Option<&str> {
        self.row.format
    }

    /// Whether it can be read at all.
    #[getter]
    fn readable(&self) -> bool {
        self.row.readable
    }

    /// How many errors there are.
    #[getter]
    fn errors(&self) -> u64 {
        self.row.report.tally(Severity::Error)
    }

    /// How many warnings there are.
    #[getter]
    fn warnings(&self) -> u64 {
        self.row.report.tally(Severity::Warning)
    }

    /// What is wrong with it.
    #[getter]
    fn findings(&self) -> Vec<Finding> {
        findings(&self.row.path, &self.row.report)
    }

    /// The same as the command prints it as JSON.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python(py, &json::checked(&self.row))
    }

    fn __repr__(&self) -> String {
        format!("<Verdict on {}: {} errors, {} warnings>", self.row.path, self.errors(), self.warnings())
    }
}

/// How long a batch works before Python is asked whether it is to go on.
const BREATH: Duration = Duration::from_millis(50);

/// What checking wants to know.
struct Job {
    inputs: Vec<Input>,
    options: OpenOptions,
    format: Option<&'static dyn Format>,
    textures: Vec<PathBuf>,
    scrutiny: Scrutiny,
    /// Whether no more is wanted.
    stop: AtomicBool,
}

/// What came of one input: its place in the order, and its rows; none of a folder's file of no known format.
type Told = (usize, Vec<Checked>);

impl Job {
    fn check(&self, index: usize, input: Input) -> Told {
        let shown = input.shown.clone();
        let rows = self.rows(input);
        (index, rows.unwrap_or_else(|cause| vec![Checked::unreadable(shown, *cause)]))
    }

    fn rows(&self, input: Input) -> Result<Vec<Checked>, Box<Diagnostic>> {
        let (shown, explicit) = (input.shown.clone(), input.explicit);
        let source = input.source(&self.options).map_err(|error| error.cause)?;
        if source.bytes.is_empty() && explicit {
            return Err(Box::new(codes::EMPTY.at(Path::root())));
        }
        let name = source.name.as_deref();
        let format = if explicit {
            self.format.or_else(|| formats::recognise_at(&source.bytes, name, source.declared))
        } else {
            let is_wanted =
                |format: &&dyn Format| self.format.is_none_or(|wanted| wanted.info().id == format.info().id);
            formats::recognise_content(&source.bytes, name).filter(is_wanted)
        };
        let Some(format) = format else {
            let unknown = || Box::new(codes::UNKNOWN_FORMAT.at(Path::root()).offset(0));
            return if explicit { Err(unknown()) } else { Ok(Vec::new()) };
        };
        let name = source.name.unwrap_or_default();
        let place = Place::on_disk(input, name, source.declared, self.textures.clone());
        let mut rows = Vec::new();
        let looked = place.at(&self.options, |site| {
            nested::check_each(&shown, site, format, &source.bytes, &self.options, self.scrutiny, |row| {
                rows.push(if row.path == shown { row.with_notes(&source.notes) } else { row });
            });
        });
        looked.map_err(|error| error.cause)?;
        Ok(rows)
    }
}

/// Checks many files on all cores: paths of files, folders, globs and members of archives, one row for each file and each
/// member of an archive, by path.
///
/// `progress` is called with how many are done and how many there are; what it raises ends the batch, as Ctrl-C does.
///
/// >>> import pathlib, tempfile
/// >>> with tempfile.TemporaryDirectory() as folder:
/// ...     for name in ('lantern.mdx', 'walker.msh'):
/// ...         _ = pathlib.Path(folder, name).write_bytes(galvani.samples()[name])
/// ...     [(row.format, row.errors) for row in galvani.validate_many([folder])]
/// [('mdx', 0), ('msh', 0)]
#[pyfunction]
#[pyo3(signature = (paths, *, progress=None, pedantic=false, format=None, reading=None, strict=false, textures=Vec::new(), limit_memory=None, limit_work=None, **settings))]
#[pyo3(
    text_signature = "(paths, *, progress=None, pedantic=False, format=None, reading='auto', strict=False, textures=(), limit_memory=None, limit_work=None, **settings)"
)]
pub(crate) fn validate_many(
    py: Python<'_>,
    paths: &Bound<'_, PyAny>,
    progress: Option<&Bound<'_, PyAny>>,
    pedantic: bool,
    format: Option<&str>,
    reading: Option<&Bound<'_, PyAny>>,
    strict: bool,
    textures: Vec<PathBuf>,
    limit_memory: Option<u64>,
    limit_work: Option<u64>,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<Vec<Verdict>> {
    let is_one = paths.is_instance_of::<PyString>() || paths.hasattr("__fspath__")?;
    let words: Vec<OsString> = if is_one {
        vec![options::path(paths)?]
    } else {
        paths.try_iter()?.map(|path| options::path(&path?)).collect::<PyResult<_>>()?
    };
    let options = Reading { strict, limit_memory, limit_work }.options(reading, settings)?;
    let scrutiny = if pedantic { Scrutiny::Pedantic } else { Scrutiny::Usual };
    let format = format.map(by_id).transpose()?;
    let job = py.detach(|| {
        let mut inputs = expand(&words, Follow::No, &options);
        inputs.sort_by(|a, b| a.shown.cmp(&b.shown));
        Job { inputs, options, format, textures, scrutiny, stop: AtomicBool::new(false) }
    });
    let mut rows = run(py, job, progress)?;
    rows.sort_by_key(|(index, _)| *index);
    let mut all: Vec<Checked> = rows.into_iter().flat_map(|(_, rows)| rows).collect();
    all.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(all.into_iter().map(|row| Verdict { row }).collect())
}

/// Does the work on other threads; this one tells of it and listens. What is being done when it ends is finished by those
/// threads, and nobody waits for that.
fn run(py: Python<'_>, mut job: Job, progress: Option<&Bound<'_, PyAny>>) -> PyResult<Vec<Told>> {
    let queue = std::mem::take(&mut job.inputs).into_iter().enumerate();
    let total = queue.len();
    let (queue, job) = (Arc::new(Mutex::new(queue)), Arc::new(job));
    let (tell, told) = mpsc::channel();
    let cores = thread::available_parallelism().map_or(1, usize::from);
    for _ in 0..cores.min(total) {
        let (queue, job, tell) = (Arc::clone(&queue), Arc::clone(&job), tell.clone());
        let work = move || {
            while !job.stop.load(Ordering::Relaxed) {
                let next = queue.lock().unwrap_or_else(PoisonError::into_inner).next();
                let Some((index, input)) = next else { break };
                if tell.send(job.check(index, input)).is_err() {
                    break;
                }
            }
        };
        thread::Builder::new().spawn(work).map_err(PyErr::from)?;
    }
    drop(tell);
    let (mut all, mut told) = (Vec::new(), told);
    let ended = loop {
        let (received, back) = py.detach(move || (told.recv_timeout(BREATH), told));
        told = back;
        match received {
            Ok(one) => all.push(one),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break Ok(all),
        }
        let asked = py.check_signals().and_then(|()| match progress {
            Some(progress) => progress.call1((all.len(), total)).map(|_| ()),
            None => Ok(()),
        });
        if let Err(error) = asked {
            break Err(error);
        }
    };
    job.stop.store(true, Ordering::Relaxed);
    ended
}

/// What differs between two documents, paths or bytes, by name: rows as `galvani diff` prints them as JSON. Equal files have none.
///
/// >>> old = galvani.samples()['lantern.mdx']
/// >>> new = galvani.open(old, name='lantern.mdx')
/// >>> new.edit('rename-sequence', 'Stand', 'Wait')
/// []
/// >>> [(row['old'], row['new']) for row in galvani.diff(old, new)]
/// [('Stand', 'Wait')]
#[pyfunction]
#[pyo3(name = "diff")]
pub(crate) fn difference<'py>(a: &Bound<'py, PyAny>, b: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyList>> {
    let py = a.py();
    let (a, b) = (document::given(a)?, document::given(b)?);
    let (first, second) = (a.get().now(), b.get().now());
    let rows = py.detach(|| {
        let (a, b) = (first.opened(), second.opened());
        if a.format.info().id == b.format.info().id && first.bytes == second.bytes {
            return Ok(Vec::new());
        }
        Ok(diff::diff(a, b, &OpenOptions::default())?.iter().map(json::change).collect())
    });
    let shown = |document: &Bound<'_, Document>| document.get().place.shown.clone();
    let rows: Vec<serde_json::Value> =
        rows.map_err(|failure: Failure| failure.of(py, &format!("{} and {}", shown(&a), shown(&b))))?;
    let list = PyList::empty(py);
    rows.iter().try_for_each(|row| list.append(python(py, row)?))?;
    Ok(list)
}
