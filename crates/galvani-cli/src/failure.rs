//! Why a verb stopped, and the exit code that says so.

use galvani::convert::ConvertError;
use galvani::diff::DiffError;
use galvani::formats::RequestError;
use galvani::fs::{OpenError, SaveError};
use galvani::nested::ReplaceError;
use galvani::pictures::RenderError;
use galvani::{
    Blame, Diagnostic, EditError, Exhausted, Path, Report, SampleError, Severity, WriteError, codes, render,
};
use serde_json::json;

use crate::args::Common;
use crate::out;
use crate::table::printable;

/// A readable file refuses the operation, or its result cannot be written.
pub(crate) const REFUSED: u8 = 1;
/// The words of the command make no sense.
pub(crate) const USAGE: u8 = 2;
/// The input cannot be read.
pub(crate) const UNREADABLE: u8 = 3;

/// Why a verb stopped.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Something is wrong with a file.
    Found(u8, Box<Diagnostic>),
    /// An input does not read; its path, because the finding only knows places inside it.
    Unread(String, Box<Diagnostic>),
    /// Nobody knows the operation that is asked for.
    Operation(String),
    /// Something else is wrong with the command.
    Usage(String),
}

impl Failure {
    pub(crate) fn unwritable(what: impl std::fmt::Display) -> Self {
        Failure::Found(REFUSED, Box::new(codes::UNWRITABLE.at(Path::root()).saying(what.to_string())))
    }

    pub(crate) fn unknown_format(path: &str) -> Self {
        let found = codes::UNKNOWN_FORMAT.at(Path::root()).offset(0);
        let found = found.advising("if you know better, say so with --format");
        Failure::Unread(path.to_owned(), Box::new(found))
    }

    pub(crate) fn empty(path: &str) -> Self {
        Failure::Unread(path.to_owned(), Box::new(codes::EMPTY.at(Path::root())))
    }

    pub(crate) fn exit(&self) -> u8 {
        match self {
            Failure::Found(_, found) | Failure::Unread(_, found) if found.code.blame == Blame::Request => {
                USAGE
            }
            Failure::Found(_, found) | Failure::Unread(_, found) if codes::is_exhaustion(found.code) => {
                REFUSED
            }
            Failure::Found(exit, _) => *exit,
            Failure::Unread(..) => UNREADABLE,
            Failure::Operation(_) | Failure::Usage(_) => USAGE,
        }
    }

    /// The same as a report, for rows of files.
    pub(crate) fn report(&self) -> Report {
        let mut report = Report::default();
        match self {
            Failure::Found(_, found) | Failure::Unread(_, found) => report.push((**found).clone()),
            Failure::Operation(message) => {
                report.push(codes::NO_OPERATION.at(Path::root()).saying(message.clone()));
            }
            Failure::Usage(message) => report.push(codes::USAGE.at(Path::root()).saying(message.clone())),
        }
        report
    }

    /// Says what happened, to machines on standard output if they asked, to people on standard error.
    pub(crate) fn show(&self, common: &Common) -> u8 {
        match self {
            Failure::Found(_, found) if common.json => {
                out::json(&json!({"error": render::json::diagnostic(found)}));
            }
            Failure::Unread(path, found) if common.json => {
                out::json(&json!({"error": render::json::diagnostic(found), "file": path}));
            }
            _ => {}
        }
        self.tell();
        self.exit()
    }

    /// Says what happened to which input, to people.
    pub(crate) fn tell_of(&self, path: &str) {
        match self {
            Failure::Operation(message) | Failure::Usage(message) => {
                out::error(&format!("error: {}: {message}\n", printable(path)));
            }
            Failure::Found(_, found) => {
                out::error(&format!("{}:\n{}", printable(path), render::text::diagnostic(found, None)));
            }
            Failure::Unread(..) => self.tell(),
        }
    }

    /// Says what happened, to people.
    pub(crate) fn tell(&self) {
        match self {
            Failure::Operation(message) | Failure::Usage(message) => {
                out::error(&format!("error: {message}\n"));
            }
            Failure::Found(_, found) => out::error(&render::text::diagnostic(found, None)),
            Failure::Unread(path, found) => {
                out::error(&format!("{}:\n{}", printable(path), render::text::diagnostic(found, None)));
            }
        }
    }
}

impl From<Exhausted> for Failure {
    fn from(end: Exhausted) -> Self {
        Failure::Found(REFUSED, end.cause)
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Self {
        Failure::Found(UNREADABLE, error.cause)
    }
}

impl From<WriteError> for Failure {
    fn from(error: WriteError) -> Self {
        Failure::Found(REFUSED, error.cause)
    }
}

impl From<EditError> for Failure {
    fn from(error: EditError) -> Self {
        Failure::Found(REFUSED, error.cause)
    }
}

impl From<SampleError> for Failure {
    fn from(error: SampleError) -> Self {
        Failure::Found(REFUSED, error.cause)
    }
}

/// A document lacks what the verb needs.
impl From<RequestError> for Failure {
    fn from(error: RequestError) -> Self {
        Failure::Found(REFUSED, error.cause)
    }
}

impl From<DiffError> for Failure {
    fn from(error: DiffError) -> Self {
        Failure::Found(REFUSED, error.cause)
    }
}

impl From<ConvertError> for Failure {
    fn from(error: ConvertError) -> Self {
        Failure::Found(REFUSED, error.cause)
    }
}

impl From<RenderError> for Failure {
    fn from(error: RenderError) -> Self {
        Failure::Found(REFUSED, error.cause)
    }
}

impl From<ReplaceError> for Failure {
    fn from(error: ReplaceError) -> Self {
        match error {
            ReplaceError::Lost(cause) => Failure::Found(UNREADABLE, cause),
            ReplaceError::Refused(error) => error.into(),
            ReplaceError::Write(error) => error.into(),
        }
    }
}

impl From<SaveError> for Failure {
    fn from(error: SaveError) -> Self {
        Failure::Found(REFUSED, error.cause)
    }
}

/// Findings of an operation that went through, for people.
pub(crate) fn warn(findings: &[Diagnostic], path: &str) {
    for finding in findings {
        if finding.severity > Severity::Note || finding.code == &codes::AMBIGUOUS {
            tell(finding, path);
        }
    }
}

/// One finding, for people: what was done otherwise than asked is told, also where it is but a note.
pub(crate) fn tell(finding: &Diagnostic, path: &str) {
    out::error(&format!("{}:\n{}", printable(path), render::text::diagnostic(finding, None)));
}
