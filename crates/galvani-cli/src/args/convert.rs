//! The words of `convert`.

use std::path::PathBuf;

use clap::Args;

use super::{Flags, Inputs, Lifting, Picturing};

#[derive(Debug, Args)]
pub(crate) struct Convert {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// The file to write, `-` for standard output; a folder for several inputs
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// What to write; OUT's extension says it too
    #[arg(long, value_name = "FORMAT", value_parser = ["glb", "png"])]
    pub(crate) to: Option<String>,
    #[command(flatten)]
    pub(crate) lifting: Flags<Lifting>,
    #[command(flatten)]
    pub(crate) picturing: Flags<Picturing>,
}

/// What `convert` writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    /// A scene.
    Glb,
    /// A picture.
    Png,
}

impl Kind {
    /// Its extension, and its word after `--to`.
    pub(crate) fn word(self) -> &'static str {
        match self {
            Kind::Glb => "glb",
            Kind::Png => "png",
        }
    }
}

impl Convert {
    /// What to write: as `--to` says, or OUT's extension; into a folder models.
    pub(crate) fn kind(&self) -> Option<Kind> {
        let said = self.to.as_deref();
        let named = || self.output.extension().and_then(|extension| extension.to_str());
        let by = |word: &str| {
            [Kind::Glb, Kind::Png].into_iter().find(|kind| kind.word().eq_ignore_ascii_case(word))
        };
        let named = || named().and_then(by).filter(|_| !self.is_folder());
        said.and_then(by).or_else(named).or(self.is_folder().then_some(Kind::Glb))
    }

    /// Whether OUT is a folder: it is one, ends like one, or there are several inputs and no file of that
    /// name.
    pub(crate) fn is_folder(&self) -> bool {
        let ends = self.output.to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR]);
        ends || self.output.is_dir() || (self.inputs.inputs.len() > 1 && self.output.extension().is_none())
    }
}
