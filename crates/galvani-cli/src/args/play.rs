//! The words of `play`.

use std::ffi::OsString;
use std::str::FromStr;

use clap::Args;
use galvani::formats::Times;

use super::{Flags, Playing};

#[derive(Debug, Args)]
pub(crate) struct Play {
    /// A model or archive member; `-` for standard input
    #[arg(value_name = "IN")]
    pub(crate) input: OsString,
    /// What plays from the beginning: an animation by its name, of whose variations chance takes one after the other, or
    /// one sequence by its whole name or index
    #[arg(long, value_name = "NAME|#INDEX", allow_negative_numbers = true)]
    pub(crate) clip: String,
    /// What plays then; may be repeated
    #[arg(long, value_name = "NAME|#INDEX", allow_negative_numbers = true)]
    pub(crate) then: Vec<String>,
    /// When that begins, the first --at being for the first --then; without it, when what plays has come to its end once
    #[arg(long, value_name = "MS", requires = "then", allow_hyphen_values = true)]
    pub(crate) at: Vec<f64>,
    /// When to look, in milliseconds since the beginning, or a range with both its ends
    #[arg(long, value_name = "T|A..B[:STEP]", required = true, allow_hyphen_values = true, value_parser = Times::from_str)]
    pub(crate) time: Vec<Times>,
    /// What chance begins with: the same number makes the same choices
    #[arg(long, value_name = "N", default_value_t = 0)]
    pub(crate) seed: u64,
    /// Only this node, by its own number or its name
    #[arg(long, value_name = "INDEX|NAME", allow_negative_numbers = true)]
    pub(crate) node: Option<String>,
    #[command(flatten)]
    pub(crate) playing: Flags<Playing>,
}
