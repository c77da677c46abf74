//! Edits: operations by their names, all of them or none.

use galvani::edit::{self, Refusals, caused};
use galvani::formats::{FORMATS, Format, Step, StepError};
use galvani::render::json;
use galvani::{OpenOptions, Report, budget};
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyString, PyTuple};

use crate::document::{Document, by_id};
use crate::failure::Failure;
use crate::options::{operation, step};
use crate::value::{Finding, python};

/// What is to be done to documents of each format that knows all of it.
struct Plans(Vec<(&'static str, Result<Vec<Step>, Failure>)>);

impl Plans {
    /// What Python says is read once for every format.
    fn new(what: &Bound<'_, PyAny>, args: &Bound<'_, PyTuple>) -> Self {
        let all = FORMATS.iter();
        Plans(all.map(|format| (format.info().id, steps(*format, what, args))).collect())
    }

    /// The steps for a format, if it knows all of them.
    fn steps_for(&self, format: &dyn Format) -> Option<&[Step]> {
        let (_, plan) = self.0.iter().find(|(id, _)| *id == format.info().id)?;
        plan.as_deref().ok()
    }

    /// Why a format has none.
    fn refusal(self, format: &dyn Format) -> Failure {
        let own = self.0.into_iter().find(|(id, _)| *id == format.info().id);
        let unknown = || StepError::Unknown(String::new(), format.info().id).into();
        own.and_then(|(_, plan)| plan.err()).unwrap_or_else(unknown)
    }
}

/// An operation with its arguments, or a list of steps: each a name with arguments behind it, or a dict as recipes have them.
fn steps(
    format: &dyn Format,
    what: &Bound<'_, PyAny>,
    args: &Bound<'_, PyTuple>,
) -> Result<Vec<Step>, Failure> {
    if what.is_instance_of::<PyString>() {
        let args: Vec<Bound<'_, PyAny>> = args.iter().collect();
        return Ok(vec![step(format, &what.extract::<String>()?, &args)?]);
    }
    if !args.is_empty() {
        return Err(Failure::usage("a list of steps has its arguments inside"));
    }
    what.try_iter()?.map(|one| one_of_several(format, &one?)).collect()
}

fn one_of_several(format: &dyn Format, one: &Bound<'_, PyAny>) -> Result<Step, Failure> {
    let Ok(fields) = one.cast::<PyDict>() else {
        if one.is_instance_of::<PyString>() {
            return step(format, &one.extract::<String>()?, &[]);
        }
        let words: Vec<Bound<'_, PyAny>> = one.try_iter()?.collect::<PyResult<_>>()?;
        let (name, args) = words.split_first().ok_or_else(|| Failure::usage("a step without a name"))?;
        return step(format, &name.extract::<String>()?, args);
    };
    let name = fields.get_item("op")?.ok_or_else(|| Failure::usage("a step without `op`"))?;
    let name: String = name.extract()?;
    let operation = operation(format, &name)?;
    let mut args = Vec::new();
    for arg in operation.args {
        args.extend(fields.get_item(arg.name)?);
    }
    let is_known = |key: &str| key == "op" || operation.args.iter().any(|arg| arg.name == key);
    for key in fields.keys() {
        let key: String = key.extract()?;
        if !is_known(&key) {
            return Err(Failure::usage(format!("`{key}` is no argument of `{name}`")));
        }
    }
    step(format, &name, &args)
}

/// Changes a document: see its method.
pub(crate) fn edit(
    document: &Document,
    py: Python<'_>,
    operation: &Bound<'_, PyAny>,
    args: &Bound<'_, PyTuple>,
) -> PyResult<Vec<Finding>> {
    let plans = Plans::new(operation, args);
    let report = document.work(py, move |held, site| {
        let format = held.opened().format;
        let (bytes, mut costs) = edited(format, &held.bytes, site, &document.options, plans)?;
        let wrong = |bytes: &[u8]| match format.open(bytes, &document.options) {
            Ok(opened) => opened.check(),
            Err(error) => error.into_report(),
        };
        costs.append(caused(&wrong(&held.bytes), wrong(&bytes)));
        document.become_bytes(bytes, site)?;
        Ok(costs)
    })?;
    Ok(document.findings(&report))
}

/// The bytes of an edited file, and what that cost.
fn edited(
    format: &'static dyn Format,
    bytes: &[u8],
    site: &galvani::formats::Site<'_>,
    options: &OpenOptions,
    plans: Plans,
) -> Result<(Vec<u8>, Report), Failure> {
    let mut opened = format.open_at(bytes, options, site)?;
    let read = &options.read;
    if let Some(steps) = plans.steps_for(format) {
        let meter = read.budget.meter(&budget::EDITING, bytes.len());
        let (document, costs) = edit::run(opened.document, steps, read.strictness, &meter)?;
        return Ok((document.write()?, costs));
    }
    let Some(archive) = opened.document.as_archive_mut() else { return Err(plans.refusal(format)) };
    let steps = |format: &dyn Format| plans.steps_for(format);
    let done = edit::members(archive, &steps, Refusals::End, bytes.len(), options)?;
    if done.operations.is_empty() {
        return Err(plans.refusal(format));
    }
    Ok((opened.document.write()?, done.costs))
}

/// Every operation on documents of a format, as `galvani edit --list` prints them as JSON.
///
/// >>> [operation['name'] for operation in galvani.operations('wear')['operations']]
/// ['set-name', 'add-row', 'remove-row', 'renumber', 'canonical']
#[pyfunction]
pub(crate) fn operations<'py>(py: Python<'py>, format: &str) -> PyResult<Bound<'py, PyAny>> {
    python(py, &json::operations(by_id(format)?.info()))
}
