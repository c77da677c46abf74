//! The words of `validate`.

use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use galvani::Severity;

use super::Inputs;
use crate::verbs::validate::rules;

#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools, reason = "flags are bools")]
pub(crate) struct Validate {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// Fail on `warnings`, on `notes`, or on a code; a glob names several: 'mdx.no-*'
    #[arg(long, value_name = "WHAT", value_parser = rules::deny)]
    pub(crate) deny: Vec<String>,
    /// Leave out findings of this code; a glob names several
    #[arg(long, value_name = "CODE", value_parser = rules::allow)]
    pub(crate) allow: Vec<String>,
    /// Show only what is at least so bad; everything still counts
    #[arg(long, value_name = "LEAST", default_value = "note", value_parser = severity())]
    pub(crate) severity: Severity,
    /// Only how often each code was found, and in how many files
    #[arg(long, conflicts_with_all = ["json", "github", "quiet"])]
    pub(crate) summary: bool,
    /// Nothing but the exit code, and on standard error what cannot be read
    #[arg(long, short, conflicts_with_all = ["json", "github", "verbose"])]
    pub(crate) quiet: bool,
    /// GitHub workflow annotations instead of text
    #[arg(long, conflicts_with = "json")]
    pub(crate) github: bool,
    /// Also report what is harmless and common
    #[arg(long)]
    pub(crate) pedantic: bool,
    /// A folder or archive in which textures and materials are looked for first; may be repeated
    #[arg(long, value_name = "DIR", requires = "pedantic")]
    pub(crate) textures: Vec<PathBuf>,
    /// Also show members and files of folders that are in order
    #[arg(long, short)]
    pub(crate) verbose: bool,
}

fn severity() -> impl TypedValueParser<Value = Severity> {
    PossibleValuesParser::new(["error", "warning", "note"]).map(|word| match word.as_str() {
        "error" => Severity::Error,
        "warning" => Severity::Warning,
        _ => Severity::Note,
    })
}
