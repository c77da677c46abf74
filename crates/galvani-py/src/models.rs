//! Models as glTF, and back.

use std::path::PathBuf;
use std::sync::Arc;

use galvani::convert::{self, ModelTarget, ModelWish, Restored, Writing};
use galvani::formats::{Format, Site};
use galvani::fs::{Overwrite, Tree};
use galvani::{Path, Report, budget, codes};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};

use crate::document::{self, Document};
use crate::failure::Failure;
use crate::options;
use crate::place::{MadeFiles, Place};
use crate::value::{Finding, findings};

/// A document as a `.glb`: see its method.
pub(crate) fn to_glb<'py>(
    document: &Document,
    py: Python<'py>,
    findings: Option<&Bound<'py, PyList>>,
    settings: Option<&Bound<'py, PyDict>>,
) -> PyResult<Bound<'py, PyBytes>> {
    let info = document.now().opened().format.info();
    let settings = options::settings(settings, &[info.lifting, Writing::SETTINGS])?;
    let (bytes, report) = document.work(py, move |held, site| {
        let meter = document.options.read.budget.meter(&budget::CONVERTING, held.bytes.len());
        let made = convert::glb(held.opened(), site, &settings, &meter)?;
        let mut report = held.opened().report.clone();
        report.append(made.report);
        Ok((made.files, report))
    })?;
    tell(findings, document.findings(&report))?;
    Ok(PyBytes::new(py, &bytes))
}

/// Puts findings into a list, if somebody wants them.
fn tell(list: Option<&Bound<'_, PyList>>, all: Vec<Finding>) -> PyResult<()> {
    list.map_or(Ok(()), |list| all.into_iter().try_for_each(|one| list.append(Bound::new(list.py(), one)?)))
}

/// The files of a model that was made, its own first.
#[pyclass(frozen, module = "galvani")]
#[derive(Debug)]
pub(crate) struct Model {
    format: &'static dyn Format,
    own: String,
    names: Vec<String>,
    made: Arc<MadeFiles>,
    report: Report,
}

#[pymethods]
impl Model {
    /// The id of its format.
    #[getter]
    fn format(&self) -> &'static str {
        self.format.info().id
    }

    /// Its files by their names, its own first.
    #[getter]
    fn files<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let files = PyDict::new(py);
        for name in &self.names {
            let bytes = self.made.0.get(name).map_or(&[][..], Vec::as_slice);
            files.set_item(name, PyBytes::new(py, bytes))?;
        }
        Ok(files)
    }

    /// What did not go into it, and what is worth knowing.
    #[getter]
    fn findings(&self) -> Vec<Finding> {
        findings(&self.own, &self.report)
    }

    /// Its own file, open among the others.
    fn open(&self, py: Python<'_>) -> PyResult<Document> {
        let place = Place::nowhere(Some(self.own.clone()), Vec::new()).beside(Arc::clone(&self.made));
        let bytes = self.made.0.get(&self.own).cloned().unwrap_or_default();
        let made = py.detach(|| Document::new(place, bytes, Some(self.format), Vec::new(), Arc::default()));
        made.map_err(|failure| failure.of(py, &self.own))
    }

    /// Writes all its files into a folder, each whole or not at all. What exists there and differs is replaced with
    /// `force` only.
    #[pyo3(signature = (folder, *, force=false))]
    fn save(&self, py: Python<'_>, folder: PathBuf, force: bool) -> PyResult<()> {
        let force = if force { galvani::fs::Force::Yes } else { galvani::fs::Force::No };
        let overwrite = Overwrite { force, ..Overwrite::default() };
        let saved = py.detach(|| {
            let tree = Tree::new(&folder);
            let files = self.names.iter().filter_map(|name| self.made.0.get_key_value(name));
            files
                .map(|(name, bytes)| tree.write_file(name, bytes, &overwrite))
                .try_for_each(|one| one.map(|_| ()))
        });
        saved.map_err(|error| Failure::from(error).of(py, &self.own))
    }

    fn __repr__(&self) -> String {
        format!("<Model {}: {}>", self.format.info().id, self.names.join(", "))
    }
}

/// A model of a game, of a glTF: a document, a path or bytes.
///
/// A glTF that was made by `to_glb` becomes the model again that it was made of, with what was changed; with `base`, that
/// model, also after other programs wrote it. Anything else becomes a new model of the kind that `to` names, as
/// `galvani convert` does: `msh`, `mdx:800`, `ff7` and so on. `like` is a model whose structure is taken, `stem` what the
/// files are called by; options are those of `galvani convert`.
///
/// >>> walker = galvani.open(galvani.samples()['walker.msh'], name='walker.msh')
/// >>> back = galvani.from_gltf(walker.to_glb())
/// >>> back.files['walker.msh'] == walker.write()
/// True
/// >>> windmill = galvani.open(galvani.samples()['windmill.glb'])
/// >>> list(galvani.from_gltf(windmill, 'mdx:800', stem='mill').files)[0]
/// 'mill.mdx'
#[pyfunction]
#[pyo3(signature = (gltf, to=None, *, base=None, like=None, stem=None, **settings))]
pub(crate) fn from_gltf(
    gltf: &Bound<'_, PyAny>,
    to: Option<&str>,
    base: Option<&Bound<'_, PyAny>>,
    like: Option<&Bound<'_, PyAny>>,
    stem: Option<&str>,
    settings: Option<&Bound<'_, PyDict>>,
) -> PyResult<Model> {
    let py = gltf.py();
    let own = document::given(gltf)?;
    let base = base.map(document::given).transpose()?;
    let like = like.map(document::given).transpose()?;
    let own = own.get();
    let (based, liked) = (base.as_ref().map(Bound::get), like.as_ref().map(Bound::get));
    let (base, like) = (based.map(Document::now), liked.map(Document::now));
    let target = to.map(wanted).transpose()?;
    let info = own.now().opened().format.info();
    let settings = options::settings(settings, &[info.lifting, Writing::SETTINGS])?;
    let made = own.work(py, |held, site| {
        let opened = held.opened();
        let of_base = || base.as_ref().and_then(|base| of_format(base.opened().format));
        let target = target.or_else(of_base).or_else(|| ModelTarget::of_origin(opened));
        let target = target.ok_or_else(|| {
            codes::NO_WAY_BACK.at(Path::root()).saying("it was made of no model; say what it is to become")
        })?;
        let meter = own.options.read.budget.meter(&budget::CONVERTING, held.bytes.len());
        let make = |base: Option<(&galvani::formats::Opened, &Site<'_>)>| {
            let wish = ModelWish { stem, base, like: like.as_ref().map(|like| like.opened()) };
            convert::model(opened, site, target, &wish, (&settings, &meter))
        };
        Ok(match (based, &base) {
            (Some(document), Some(held)) => {
                document.place.at(&document.options, |place| make(Some((held.opened(), place))))??
            }
            _ => make(None)?,
        })
    })?;
    let Restored { format, files, report } = made;
    let names: Vec<String> = files.iter().map(|(name, _)| name.clone()).collect();
    let own = names.first().cloned().unwrap_or_default();
    Ok(Model { format, own, names, made: Arc::new(MadeFiles(files.into_iter().collect())), report })
}

/// The kind of model that a word names.
fn wanted(word: &str) -> Result<ModelTarget, Failure> {
    ModelTarget::by_word(word).or_else(|| ModelTarget::by_extension(word)).ok_or_else(|| {
        let all: Vec<&str> = ModelTarget::all().map(|target| target.word).collect();
        Failure::usage(format!("`{word}` is no kind of model; kinds: {}", all.join(", ")))
    })
}

/// The kind of a model that is there.
fn of_format(format: &dyn Format) -> Option<ModelTarget> {
    ModelTarget::all().find(|target| target.format.info().id == format.info().id)
}
