//! Two channels: *findings*, what is wrong with a file, collected; and *errors*, why an operation stopped.

mod code;
mod error;
mod report;

pub use code::{Blame, ByteCodes, Code, Severity};
pub use error::{EditError, LiftError, LowerError, ReadError, SampleError, WriteError};
pub use report::{Diagnostic, Location, Report, Scrutiny};
