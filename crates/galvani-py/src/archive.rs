//! Archives as mappings: of names to bytes, and to documents.

use std::sync::Arc;

use galvani::formats::{self, Archive};
use galvani::{Path, codes, nested};
use pyo3::exceptions::PyKeyError;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyIterator, PyList, PyString, PyTuple};

use crate::document::{Document, Held};
use crate::failure::Failure;
use crate::options;
use crate::place::Place;

/// The members of an archive by their names.
#[pyclass(frozen, mapping, module = "galvani")]
#[derive(Debug)]
pub(crate) struct Members {
    document: Py<Document>,
    /// Whether they are documents, and not bytes.
    opened: bool,
}

/// Where a name leads to.
struct Found {
    index: usize,
    label: String,
    member: formats::Member,
}

impl Members {
    pub(crate) fn new(document: &Bound<'_, Document>, opened: bool) -> PyResult<Self> {
        document.get().work(document.py(), |held, _| Ok(held.opened().as_archive().map(|_| ())?))?;
        Ok(Members { document: document.clone().unbind(), opened })
    }

    fn held(&self) -> Arc<Held> {
        self.document.get().now()
    }

    /// All members in order.
    fn all(held: &Held) -> PyResult<Vec<Found>> {
        let archive = held.opened().as_archive().map_err(Failure::from)?;
        let rows = nested::labels(archive).into_iter().zip(archive.members()).enumerate();
        Ok(rows.map(|(index, (label, member))| Found { index, label, member }).collect())
    }

    /// The member that a name leads to: in any case of letters, or by its index as `#3`.
    fn find(held: &Held, key: &Bound<'_, PyAny>) -> PyResult<Found> {
        let missing = || PyKeyError::new_err(key.clone().unbind());
        let name: String = key.cast::<PyString>().map_err(|_| missing())?.extract()?;
        let archive = held.opened().as_archive().map_err(Failure::from)?;
        let hits = nested::find(archive, &[&name]).map(|(hits, _)| hits).unwrap_or_default();
        let index = hits.first().copied().ok_or_else(missing)?;
        Members::all(held)?.into_iter().nth(index).ok_or_else(missing)
    }

    fn labels(&self) -> PyResult<Vec<String>> {
        Ok(nested::labels(self.held().opened().as_archive().map_err(Failure::from)?))
    }

    fn value<'py>(&self, py: Python<'py>, held: &Arc<Held>, found: Found) -> PyResult<Bound<'py, PyAny>> {
        let document = self.document.get();
        let shown = format!("{}/{}", document.place.shown, found.label);
        let made = py.detach(|| {
            let bytes = member(held.opened().as_archive()?, found.index)?.to_vec();
            if !self.opened {
                return Ok(Value::Bytes(bytes));
            }
            let (name, declared) = (found.member.shown(), found.member.declared);
            let place = Place::member((held, &document.place), (&found.label, name), declared);
            let options = Arc::clone(&document.options);
            Document::new(place, bytes, None, Vec::new(), options).map(|made| Value::Document(Box::new(made)))
        });
        match made.map_err(|failure: Failure| failure.of(py, &shown))? {
            Value::Bytes(bytes) => Ok(PyBytes::new(py, &bytes).into_any()),
            Value::Document(document) => Ok(Bound::new(py, *document)?.into_any()),
        }
    }
}

/// What a member is given as.
enum Value {
    Bytes(Vec<u8>),
    Document(Box<Document>),
}

/// The bytes of a member.
fn member(archive: &dyn Archive, index: usize) -> Result<&[u8], Failure> {
    archive.prepare(index)?;
    let lost = || codes::UNREADABLE.at(Path::root()).advising(nested::LOST_HELP);
    archive.member(index).ok_or_else(|| Failure::Unread(Box::new(lost())))
}

#[pymethods]
impl Members {
    fn __len__(&self) -> PyResult<usize> {
        Ok(self.labels()?.len())
    }

    fn __contains__(&self, key: &Bound<'_, PyAny>) -> bool {
        Members::find(&self.held(), key).is_ok()
    }

    fn __getitem__<'py>(&self, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let held = self.held();
        let found = Members::find(&held, key)?;
        self.value(key.py(), &held, found)
    }

    /// Gives a member other bytes, or those of a document; this is an edit, and can be undone.
    fn __setitem__(&self, key: &Bound<'_, PyAny>, value: &Bound<'_, PyAny>) -> PyResult<()> {
        let py = key.py();
        let found = Members::find(&self.held(), key)?;
        let bytes = match (value.cast::<Document>(), options::bytes(value)?) {
            (Ok(document), _) => document.get().work(py, |held, _| Ok(held.opened().document.write()?))?,
            (_, Some(bytes)) => bytes,
            (Err(error), None) => return Err(error.into()),
        };
        let document = self.document.get();
        document.work(py, |held, site| {
            let mut opened = held.opened().format.open_at(&held.bytes, &document.options, site)?;
            let lost = || codes::NO_ARCHIVE.at(Path::root());
            opened.document.as_archive_mut().ok_or_else(lost)?.set_member(found.index, bytes)?;
            document.become_bytes(opened.document.write()?, site)
        })
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        self.keys(py)?.try_iter()
    }

    /// The names in order; of a member that its name does not lead to, its index as `#3`.
    fn keys<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        PyList::new(py, self.labels()?)
    }

    /// What the names stand for, in order.
    fn values<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let (held, list) = (self.held(), PyList::empty(py));
        for found in Members::all(&held)? {
            list.append(self.value(py, &held, found)?)?;
        }
        Ok(list)
    }

    /// Names, and what they stand for.
    fn items<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyList>> {
        let list = PyList::empty(py);
        for (key, value) in self.keys(py)?.iter().zip(self.values(py)?) {
            list.append(PyTuple::new(py, [key, value])?)?;
        }
        Ok(list)
    }

    /// What a name stands for, or something else where there is no such name.
    #[pyo3(signature = (key, default=None))]
    fn get<'py>(
        &self,
        key: &Bound<'py, PyAny>,
        default: Option<Bound<'py, PyAny>>,
    ) -> PyResult<Bound<'py, PyAny>> {
        if self.__contains__(key) {
            return self.__getitem__(key);
        }
        Ok(default.unwrap_or_else(|| key.py().None().into_bound(key.py())))
    }

    fn __repr__(&self) -> PyResult<String> {
        Ok(format!("<Members of {}: {}>", self.document.get().place.shown, self.__len__()?))
    }
}
