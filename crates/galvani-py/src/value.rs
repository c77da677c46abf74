//! What the library says, as values of Python: JSON as what it stands for, findings as objects.

use galvani::render::json;
use galvani::{Diagnostic, Report};
use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString};
use serde_json::Value;

/// JSON as what Python has for it.
pub(crate) fn python<'py>(py: Python<'py>, value: &Value) -> PyResult<Bound<'py, PyAny>> {
    Ok(match value {
        Value::Null => py.None().into_bound(py),
        Value::Bool(yes) => PyBool::new(py, *yes).to_owned().into_any(),
        Value::Number(number) => match (number.as_i64(), number.as_u64()) {
            (Some(number), _) => PyInt::new(py, number).into_any(),
            (None, Some(number)) => PyInt::new(py, number).into_any(),
            (None, None) => PyFloat::new(py, number.as_f64().unwrap_or(f64::NAN)).into_any(),
        },
        Value::String(text) => PyString::new(py, text).into_any(),
        Value::Array(items) => {
            let list = PyList::empty(py);
            items.iter().try_for_each(|item| list.append(python(py, item)?))?;
            list.into_any()
        }
        Value::Object(fields) => {
            let dict = PyDict::new(py);
            fields.iter().try_for_each(|(key, value)| dict.set_item(key, python(py, value)?))?;
            dict.into_any()
        }
    })
}

/// Something that is wrong with a file, or worth knowing about what was done to it.
///
/// It is no exception: a file with findings is opened, shown and saved all the same.
///
/// >>> archive = galvani.open(galvani.samples()['depot.rlb'], name='depot.rlb')
/// >>> archive.validate()
/// []
#[pyclass(frozen, module = "galvani")]
#[derive(Debug)]
pub(crate) struct Finding {
    /// In which file or member it is.
    #[pyo3(get)]
    file: String,
    found: Diagnostic,
}

#[pymethods]
impl Finding {
    /// The stable name of what is wrong.
    #[getter]
    fn code(&self) -> &str {
        self.found.code.name
    }

    /// How bad it is: `error`, `warning` or `note`.
    #[getter]
    fn severity(&self) -> &str {
        self.found.severity.word()
    }

    /// Where in the document it is.
    #[getter]
    fn path(&self) -> String {
        self.found.path.to_string()
    }

    /// Where in the file it is, in bytes, if it stands anywhere.
    #[getter]
    fn offset(&self) -> Option<u64> {
        self.found.offset
    }

    /// What is wrong, in a sentence with its figures.
    #[getter]
    fn message(&self) -> String {
        self.found.sentence()
    }

    /// What its code says of every such finding.
    #[getter]
    fn title(&self) -> &str {
        self.found.code.summary
    }

    /// What to do about it.
    #[getter]
    fn help(&self) -> &str {
        &self.found.help
    }

    /// How often it occurs: the same at places of one kind is told once.
    #[getter]
    fn count(&self) -> u64 {
        self.found.count
    }

    /// The same as the command prints it as JSON.
    fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        python(py, &json::diagnostic(&self.found))
    }

    fn __repr__(&self) -> String {
        format!("<Finding {}: {}>", self.found.severity.word(), self.found)
    }
}

/// The findings of a report about a file.
pub(crate) fn findings(file: &str, report: &Report) -> Vec<Finding> {
    report.findings().iter().map(|found| Finding { file: file.to_owned(), found: found.clone() }).collect()
}
