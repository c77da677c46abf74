//! The words of `edit`, `fix` and `rewrite`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;
use clap::builder::PossibleValuesParser;
use galvani::formats::FORMATS;

/// Where results go.
#[derive(Debug, Args)]
pub(crate) struct Target {
    /// The file to write, `-` for standard output; for several inputs a folder
    #[arg(short, long, value_name = "OUT", conflicts_with = "in_place")]
    pub(crate) output: Option<PathBuf>,
    /// Replace the inputs; a member is replaced in its archive
    #[arg(long)]
    pub(crate) in_place: bool,
    /// Do everything but write
    #[arg(long)]
    pub(crate) dry_run: bool,
}

#[derive(Debug, Args)]
#[command(override_usage = "galvani rewrite [OPTIONS] <IN>... <-o OUT|--in-place>")]
pub(crate) struct Rewrite {
    /// Files, folders, globs, archive members; `-` for standard input
    #[arg(required = true, value_name = "IN")]
    pub(crate) inputs: Vec<OsString>,
    #[command(flatten)]
    pub(crate) target: Target,
    /// Bring it into the form the game's own tools write
    #[arg(long)]
    pub(crate) canonical: bool,
}

#[derive(Debug, Args)]
#[command(
    override_usage = "galvani fix [OPTIONS] <IN>... <-o OUT|--in-place|--dry-run>",
    after_help = FIX_HELP
)]
pub(crate) struct Fix {
    /// Files, folders, globs, archive members; `-` for standard input
    #[arg(value_name = "IN")]
    pub(crate) inputs: Vec<OsString>,
    #[command(flatten)]
    pub(crate) target: Target,
    /// Only what has one of these codes, also what is removed or renumbered; a glob names several, of those that are
    /// mended in any case
    #[arg(long, value_name = "CODE", num_args = 1.., allow_hyphen_values = false)]
    pub(crate) only: Vec<OsString>,
}

const FIX_HELP: &str = "\
Without --only, what needs no guess is mended. What removes or renumbers something is done only where --only names its code in
full. docs/codes.md says of every code whether it is mended, and how. Archives are mended with their members.";

#[derive(Debug, Args)]
#[command(
    override_usage = "galvani edit <IN>... OP [ARGS] [OP…] <-o OUT|--in-place>\n       galvani edit --list [FORMAT]"
)]
pub(crate) struct Edit {
    /// Files, folders, globs, archive members, `-` for standard input; then operations with their arguments. The
    /// operations begin with the first word that is the name of one and of no file
    #[arg(value_name = "IN… OP", required_unless_present = "list", allow_negative_numbers = true)]
    pub(crate) words: Vec<OsString>,
    #[command(flatten)]
    pub(crate) target: Target,
    /// Read operations from a JSON file: [{"op": "rename", "entry": "#0", "name": "NEW"}]
    #[arg(long, value_name = "FILE")]
    pub(crate) recipe: Option<PathBuf>,
    /// Leave members of an archive that refuse as they are, and name them
    #[arg(long)]
    pub(crate) skip_refused: bool,
    /// Show every operation, or those of one format
    #[arg(long, value_name = "FORMAT", num_args = 0..=1, default_missing_value = "all", value_parser = listed())]
    pub(crate) list: Option<String>,
}

fn listed() -> PossibleValuesParser {
    PossibleValuesParser::new(FORMATS.iter().map(|format| format.info().id).chain(["all"]))
}
