//! The words of `convert`.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use galvani::convert::Target;

use super::{Encoding, Flags, Inputs, Lifting, Picturing};

#[derive(Debug, Args)]
pub(crate) struct Convert {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// The file to write, `-` for standard output; a folder for several inputs
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// What to write; OUT's extension says it too
    #[arg(long, value_name = "FORMAT", value_parser = kind())]
    pub(crate) to: Option<OutputKind>,
    /// Pictures: make it as this file was made
    #[arg(long, value_name = "FILE")]
    pub(crate) like: Option<OsString>,
    #[command(flatten)]
    pub(crate) lifting: Flags<Lifting>,
    #[command(flatten)]
    pub(crate) picturing: Flags<Picturing>,
    #[command(flatten)]
    pub(crate) encoding: Flags<Encoding>,
}

/// What `convert` writes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum OutputKind {
    /// A scene.
    Glb,
    /// A picture.
    Picture(Target),
}

/// The word for a scene, and its extension.
const GLB: &str = "glb";

fn kind() -> impl TypedValueParser<Value = OutputKind> {
    let pictures = Target::all().into_iter().map(|target| target.word());
    PossibleValuesParser::new(std::iter::once(GLB.to_owned()).chain(pictures))
        .map(|word| Target::by_word(&word).map_or(OutputKind::Glb, OutputKind::Picture))
}

impl OutputKind {
    /// Its extension.
    pub(crate) fn extension(self) -> &'static str {
        match self {
            OutputKind::Glb => GLB,
            OutputKind::Picture(target) => target.extension(),
        }
    }

    fn by_extension(extension: &str) -> Option<Self> {
        if extension.eq_ignore_ascii_case(GLB) {
            return Some(OutputKind::Glb);
        }
        Target::by_extension(extension).map(OutputKind::Picture)
    }
}

impl Convert {
    /// What to write: as `--to` says, or OUT's extension; into a folder models.
    pub(crate) fn kind(&self) -> Option<OutputKind> {
        if self.to.is_some() {
            return self.to;
        }
        if self.is_folder() {
            return Some(OutputKind::Glb);
        }
        self.output.extension().and_then(|extension| extension.to_str()).and_then(OutputKind::by_extension)
    }

    /// Whether OUT is a folder: it is one, ends like one, or there are several inputs and no file of that
    /// name.
    pub(crate) fn is_folder(&self) -> bool {
        let ends = self.output.to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR]);
        ends || self.output.is_dir() || (self.inputs.inputs.len() > 1 && self.output.extension().is_none())
    }
}
