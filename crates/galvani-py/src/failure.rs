//! Why something stopped, as exceptions: one family, each with its code and its place.

use galvani::convert::ConvertError;
use galvani::diff::DiffError;
use galvani::formats::{RequestError, StepError};
use galvani::fs::{OpenError, SaveError};
use galvani::pictures::RenderError;
use galvani::{
    Blame, Diagnostic, EditError, Exhausted, LiftError, Path, ReadError, SampleError, WriteError, codes,
};
use pyo3::create_exception;
use pyo3::exceptions::{PyBaseException, PyException};
use pyo3::prelude::*;

create_exception!(
    galvani,
    Error,
    PyException,
    "Why something stopped.

`code` is its stable name, `path` and `offset` say where in the file it happened, `message` what, `help` what to do \
about it, and `file` in which file.

>>> try:
...     galvani.open(b'oops')
... except galvani.Error as error:
...     print(error.code, error.file)
file.unknown-format <bytes>
"
);
create_exception!(galvani, Unreadable, Error, "A file cannot be found, or cannot be read.");
create_exception!(
    galvani,
    Refused,
    Error,
    "A readable file does not allow what is asked, or there is no room for it."
);
create_exception!(galvani, BadRequest, Error, "What is asked for makes no sense, whatever the file.");

/// Why something stopped.
#[derive(Debug)]
pub(crate) enum Failure {
    /// It cannot be read.
    Unread(Box<Diagnostic>),
    /// It does not allow what is asked, or that makes no sense.
    Refused(Box<Diagnostic>),
    /// Python said so.
    Python(PyErr),
}

impl Failure {
    /// A request of which nobody knows what it means.
    pub(crate) fn usage(said: impl Into<String>) -> Self {
        codes::USAGE.at(Path::root()).saying(said).into()
    }

    /// The exception, which says what it happened to.
    pub(crate) fn of(self, py: Python<'_>, file: &str) -> PyErr {
        let (is_unread, cause) = match self {
            Failure::Unread(cause) => (true, cause),
            Failure::Refused(cause) => (false, cause),
            Failure::Python(error) => return error,
        };
        let text = if file.is_empty() { cause.to_string() } else { format!("{file}: {cause}") };
        let error = if cause.code.blame == Blame::Request {
            BadRequest::new_err(text)
        } else if is_unread && !codes::is_exhaustion(cause.code) {
            Unreadable::new_err(text)
        } else {
            Refused::new_err(text)
        };
        match describe(error.value(py), &cause, file) {
            Ok(()) => error,
            Err(other) => other,
        }
    }
}

/// Puts what a finding says beside an exception's text.
fn describe(error: &Bound<'_, PyBaseException>, cause: &Diagnostic, file: &str) -> PyResult<()> {
    error.setattr("code", cause.code.name)?;
    error.setattr("path", cause.path.to_string())?;
    error.setattr("offset", cause.offset)?;
    error.setattr("message", cause.sentence())?;
    error.setattr("help", cause.help.as_ref())?;
    error.setattr("file", file)
}

impl From<Failure> for PyErr {
    fn from(failure: Failure) -> Self {
        Python::attach(|py| failure.of(py, ""))
    }
}

impl From<PyErr> for Failure {
    fn from(error: PyErr) -> Self {
        Failure::Python(error)
    }
}

impl From<Diagnostic> for Failure {
    fn from(cause: Diagnostic) -> Self {
        Failure::Refused(Box::new(cause))
    }
}

impl From<StepError> for Failure {
    fn from(error: StepError) -> Self {
        let code = match error {
            StepError::Unknown(..) | StepError::Stray { .. } => &codes::NO_OPERATION,
            StepError::Missing(..) | StepError::Wrong { .. } | StepError::File(_) => &codes::USAGE,
        };
        code.at(Path::root()).saying(error.to_string()).into()
    }
}

/// Errors of the library by what they say of the file.
macro_rules! causes {
    ($($variant:ident: $($error:ident)*;)*) => {
        $($(impl From<$error> for Failure {
            fn from(error: $error) -> Self {
                Failure::$variant(error.cause)
            }
        })*)*
    };
}

causes! {
    Unread: OpenError ReadError;
    Refused: ConvertError DiffError EditError Exhausted LiftError RenderError RequestError SampleError SaveError WriteError;
}
