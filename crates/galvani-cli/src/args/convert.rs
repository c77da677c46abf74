//! The words of `convert`.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use galvani::convert::{ModelTarget, Target};
use galvani::formats::{FORMATS, Format, Gathering};

use super::{Encoding, Flags, Inputs, Modelling, Picturing};

#[derive(Debug, Args)]
pub(crate) struct Convert {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// The file to write, `-` for standard output; a folder for several inputs; a new .lgp for a model of FF7
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// What to write; OUT's extension says it too
    #[arg(long, value_name = "FORMAT", value_parser = kind())]
    pub(crate) to: Option<OutputKind>,
    /// A folder or archive in which textures and materials are looked for first; may be repeated
    #[arg(long, value_name = "DIR")]
    pub(crate) textures: Vec<PathBuf>,
    /// Write what was converted, and everything that the new files do not say, to FILE as JSON
    #[arg(long, value_name = "FILE")]
    pub(crate) report: Option<PathBuf>,
    /// Make a picture, or a new model, as this file was made
    #[arg(long, value_name = "FILE")]
    pub(crate) like: Option<OsString>,
    /// glTF into a model: the file that it was made of, which says what the glTF does not
    #[arg(long, value_name = "FILE", conflicts_with = "like")]
    pub(crate) base: Option<OsString>,
    #[command(flatten)]
    pub(crate) modelling: Flags<Modelling>,
    #[command(flatten)]
    pub(crate) picturing: Flags<Picturing>,
    #[command(flatten)]
    pub(crate) encoding: Flags<Encoding>,
}

/// What `convert` writes.
#[derive(Debug, Clone, Copy)]
pub(crate) enum OutputKind {
    /// A model in one file.
    Glb,
    /// A model with its bytes and pictures beside it.
    Gltf,
    /// A picture.
    Picture(Target),
    /// A game's own model, of a glTF or any other model.
    Back(ModelTarget),
}

/// The words for models, which are their extensions.
const GLB: &str = galvani::gltf::WORDS[0];
const GLTF: &str = galvani::gltf::WORDS[1];
const MODELS: [(&str, OutputKind); 2] = [(GLB, OutputKind::Glb), (GLTF, OutputKind::Gltf)];

fn kind() -> impl TypedValueParser<Value = OutputKind> {
    let pictures = Target::all().into_iter().map(|target| target.word());
    let own = ModelTarget::all().map(|target| target.word.to_owned());
    let models = MODELS.iter().map(|(word, _)| (*word).to_owned()).chain(own);
    PossibleValuesParser::new(models.chain(pictures)).map(|word| {
        let picture = Target::by_word(&word).map(OutputKind::Picture);
        picture.or_else(|| OutputKind::model(&word)).unwrap_or(OutputKind::Glb)
    })
}

impl OutputKind {
    /// Whether it is a file that means something alone: not a `.gltf`, and no model of several files, as archives gather them.
    pub(crate) fn is_one_file(self) -> bool {
        let mut all = FORMATS.iter().filter_map(|format| format.info().gathering);
        match self {
            OutputKind::Back(target) => !all.any(|gathering| gathering.words.contains(&target.word)),
            OutputKind::Gltf => false,
            OutputKind::Glb | OutputKind::Picture(_) => true,
        }
    }

    /// Its extension.
    pub(crate) fn extension(self) -> &'static str {
        match self {
            OutputKind::Glb => GLB,
            OutputKind::Gltf => GLTF,
            OutputKind::Picture(target) => target.extension(),
            OutputKind::Back(target) => {
                let info = target.format.info();
                info.extensions.first().copied().unwrap_or(info.id)
            }
        }
    }

    fn by_extension(extension: &str) -> Option<Self> {
        OutputKind::model(extension).or_else(|| Target::by_extension(extension).map(OutputKind::Picture))
    }

    fn model(word: &str) -> Option<Self> {
        let model = MODELS.iter().find(|(own, _)| own.eq_ignore_ascii_case(word)).map(|(_, kind)| *kind);
        let own = || ModelTarget::by_word(word).or_else(|| ModelTarget::by_extension(word));
        model.or_else(|| own().map(OutputKind::Back))
    }
}

impl Convert {
    /// What to write: as `--to` says, or OUT's extension; into a folder models.
    pub(crate) fn kind(&self, is_folder: bool) -> Option<OutputKind> {
        if self.to.is_some() {
            return self.to;
        }
        if is_folder {
            return Some(OutputKind::Glb);
        }
        let held = self.gathering().and_then(|gathering| gathering.words.first());
        let held = held.and_then(|word| ModelTarget::by_word(word)).map(OutputKind::Back);
        held.or_else(|| self.extension().and_then(OutputKind::by_extension))
    }

    /// Whether OUT says that it is a folder: it is one, or ends like one.
    pub(crate) fn names_folder(&self) -> bool {
        let ends = self.output.to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR]);
        ends || self.output.is_dir()
    }

    /// Whether OUT may be a folder if several files go there: it has no extension, and is no stream.
    pub(crate) fn may_be_folder(&self) -> bool {
        self.output.extension().is_none() && self.output != Path::new("-")
    }

    /// Whether a model of several files is wanted.
    pub(crate) fn is_of_several(&self) -> bool {
        matches!(self.to, Some(kind @ OutputKind::Back(_)) if !kind.is_one_file())
    }

    /// How the archive is made that OUT is by its extension.
    pub(crate) fn gathering(&self) -> Option<Gathering> {
        let extension = self.extension()?.to_lowercase();
        let of = |format: &&&dyn Format| format.info().extensions.contains(&extension.as_str());
        FORMATS.iter().filter(of).find_map(|format| format.info().gathering)
    }

    fn extension(&self) -> Option<&str> {
        self.output.extension().and_then(OsStr::to_str)
    }
}
