//! Why something was not done, as the page shows it.

use galvani::convert::ConvertError;
use galvani::core::Exhausted;
use galvani::diff::DiffError;
use galvani::formats::{RequestError, StepError};
use galvani::nested::ReplaceError;
use galvani::pictures::RenderError;
use galvani::render::json::diagnostic;
use galvani::{Diagnostic, EditError, LiftError, Path, ReadError, SampleError, WriteError, codes};
use serde_json::{Value, json};

/// Why something was not done.
#[derive(Debug, Clone, PartialEq)]
pub struct Refusal {
    /// The finding, as `validate` tells it; without one, a request that makes no sense.
    pub said: Value,
}

impl Refusal {
    /// A request that makes no sense.
    pub fn request(message: impl Into<String>) -> Self {
        Refusal { said: json!({"code": null, "message": message.into(), "help": ""}) }
    }

    /// A file that is not there.
    pub(crate) fn not_found(path: &str) -> Self {
        codes::NOT_FOUND.at(Path::root()).saying(format!("`{path}`")).into()
    }
}

impl From<Diagnostic> for Refusal {
    fn from(found: Diagnostic) -> Self {
        Refusal { said: diagnostic(&found) }
    }
}

/// What stopped an operation is a finding.
macro_rules! with_cause {
    ($($error:ident)*) => { $(
        impl From<$error> for Refusal {
            fn from(error: $error) -> Self {
                (*error.cause).into()
            }
        }
    )* };
}

with_cause! { ConvertError DiffError EditError Exhausted LiftError ReadError RenderError RequestError SampleError WriteError }

impl From<StepError> for Refusal {
    fn from(error: StepError) -> Self {
        Refusal::request(error.to_string())
    }
}

impl From<ReplaceError> for Refusal {
    fn from(error: ReplaceError) -> Self {
        match error {
            ReplaceError::Lost(cause) => (*cause).into(),
            ReplaceError::Refused(error) => error.into(),
            ReplaceError::Write(error) => error.into(),
        }
    }
}
