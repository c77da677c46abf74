//! `survey`: tables over many files.

#[cfg(feature = "survey")]
mod tables;

use crate::Outcome;
use crate::args::{Common, Survey};

#[cfg(feature = "survey")]
pub(crate) use tables::run;

/// What this command was built without.
#[cfg(not(feature = "survey"))]
pub(crate) fn run(_: &Survey, _: &Common) -> Outcome {
    let how = "this command was built without `survey`; `cargo install galvani-cli --features survey` builds one with it";
    Err(crate::failure::Failure::Usage(how.to_owned()))
}
