//! Errors: why reading, writing or editing stopped.

use thiserror::Error;

use super::{Diagnostic, Report};

/// Reading stopped: nobody could know where the next thing is, or strictness forbade going on.
#[derive(Debug, Clone, Error)]
#[error("{cause}")]
pub struct ReadError {
    /// What stopped it.
    pub cause: Box<Diagnostic>,
    /// What was found before.
    pub before: Report,
}

impl ReadError {
    /// Everything found, with the cause last.
    pub fn into_report(self) -> Report {
        let mut report = self.before;
        report.push(*self.cause);
        report
    }
}

impl From<Diagnostic> for ReadError {
    fn from(cause: Diagnostic) -> Self {
        ReadError { cause: Box::new(cause), before: Report::default() }
    }
}

impl From<Box<Diagnostic>> for ReadError {
    fn from(cause: Box<Diagnostic>) -> Self {
        ReadError { cause, before: Report::default() }
    }
}

/// Writing stopped: a value does not fit its field.
#[derive(Debug, Clone, Error)]
#[error("{cause}")]
pub struct WriteError {
    /// What stopped it.
    pub cause: Box<Diagnostic>,
}

impl From<Diagnostic> for WriteError {
    fn from(cause: Diagnostic) -> Self {
        WriteError { cause: Box::new(cause) }
    }
}

/// An edit was refused; the document is as it was.
#[derive(Debug, Clone, Error)]
#[error("{cause}")]
pub struct EditError {
    /// Why.
    pub cause: Box<Diagnostic>,
}

impl From<Diagnostic> for EditError {
    fn from(cause: Diagnostic) -> Self {
        EditError { cause: Box::new(cause) }
    }
}

/// A pose cannot be had: the data would lead out of its tables.
#[derive(Debug, Clone, Error)]
#[error("{cause}")]
pub struct SampleError {
    /// Why.
    pub cause: Box<Diagnostic>,
}

impl From<Diagnostic> for SampleError {
    fn from(cause: Diagnostic) -> Self {
        SampleError { cause: Box::new(cause) }
    }
}

/// There is no scene to be had from a document.
#[derive(Debug, Clone, Error)]
#[error("{cause}")]
pub struct LiftError {
    /// Why.
    pub cause: Box<Diagnostic>,
}

impl From<Diagnostic> for LiftError {
    fn from(cause: Diagnostic) -> Self {
        LiftError { cause: Box::new(cause) }
    }
}

/// There is no document to be had from a scene.
#[derive(Debug, Clone, Error)]
#[error("{cause}")]
pub struct LowerError {
    /// Why.
    pub cause: Box<Diagnostic>,
}

impl From<Diagnostic> for LowerError {
    fn from(cause: Diagnostic) -> Self {
        LowerError { cause: Box::new(cause) }
    }
}

impl From<WriteError> for LowerError {
    fn from(error: WriteError) -> Self {
        LowerError { cause: error.cause }
    }
}

impl From<SampleError> for LiftError {
    fn from(error: SampleError) -> Self {
        LiftError { cause: error.cause }
    }
}
