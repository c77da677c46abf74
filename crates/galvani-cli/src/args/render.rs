//! The words of `render` and `show`.

use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValuesParser, TypedValueParser};
use clap::{Args, ValueEnum};
use galvani::pictures::{Background, Direction, Lens, MOST_SIDE, Marks};

use super::{Flags, Inputs, Staging};

#[derive(Debug, Args)]
pub(crate) struct Render {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// The picture to write: .png, or .gif or .apng, which move; `-` for a PNG on standard output; a folder for several inputs
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
    /// What to write into a folder, one for each model [default: png]
    #[arg(long, value_name = "KIND", value_parser = kind())]
    pub(crate) to: Option<PictureKind>,
    /// Width and height in pixels, 1 to 8192 [default: 512x512; 256x256 into a folder, 160x160 on a sheet; of a texture
    /// its own]
    #[arg(long, value_name = "WxH", value_parser = size)]
    pub(crate) size: Option<(u32, u32)>,
    /// Pictures a second of those that move
    #[arg(long, value_name = "NUMBER", default_value = "15")]
    pub(crate) fps: f32,
    /// When, in seconds from the start of the clip [default: 0]
    #[arg(long, value_name = "SECONDS", allow_hyphen_values = true, value_parser = seconds)]
    pub(crate) time: Option<f32>,
    /// Go once around the model
    #[arg(long)]
    pub(crate) turntable: bool,
    /// One picture of many: all clips of one model, or all models
    #[arg(long)]
    pub(crate) sheet: bool,
    #[command(flatten)]
    pub(crate) looking: Looking,
}

#[derive(Debug, Args)]
pub(crate) struct Show {
    /// A model or archive member
    #[arg(value_name = "IN")]
    pub(crate) input: OsString,
    /// Pictures a second, as far as the terminal keeps up
    #[arg(long, value_name = "NUMBER", default_value = "15")]
    pub(crate) fps: f32,
    /// How the terminal shows pictures [default: the best that it says it can]
    #[arg(long, value_name = "HOW")]
    pub(crate) graphics: Option<Graphics>,
    #[command(flatten)]
    pub(crate) looking: Looking,
}

/// How a terminal shows pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum Graphics {
    /// Its own pixels, as kitty has them
    Kitty,
    /// Its own pixels, as old DEC terminals had them
    Sixel,
    /// Characters of two colours
    Blocks,
}

/// How a model is looked at.
#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools, reason = "flags are bools")]
pub(crate) struct Looking {
    /// The clip that is shown [default: Stand, else the first]
    #[arg(long, value_name = "INDEX|NAME", allow_negative_numbers = true)]
    pub(crate) clip: Option<String>,
    /// From where: front, back, left, right, top, iso, or two angles in degrees [default: 35,20]
    #[arg(long, value_name = "V", allow_hyphen_values = true, value_parser = direction)]
    pub(crate) view: Option<Direction>,
    /// How much larger than what fits
    #[arg(long, value_name = "NUMBER", default_value = "1", value_parser = zoom)]
    pub(crate) zoom: f64,
    /// What must fit: the whole clip, so that nothing jumps, or the pose that is shown first
    #[arg(long, value_name = "WHAT", default_value = "clip")]
    pub(crate) fit: FitTo,
    /// Far things look as large as near ones
    #[arg(long)]
    pub(crate) parallel: bool,
    /// What is behind: transparent, or a colour #RRGGBB [default: transparent; show: #202428]
    #[arg(long, value_name = "COLOUR", value_parser = background)]
    pub(crate) background: Option<Background>,
    /// Draw the skeleton; `--skeleton` alone means the same here
    #[arg(long = super::SHOWN_SKELETON)]
    pub(crate) show_skeleton: bool,
    /// Write what nodes are called
    #[arg(long)]
    pub(crate) names: bool,
    /// Draw the sides of triangles
    #[arg(long)]
    pub(crate) wire: bool,
    /// Draw the box that holds the model
    #[arg(long)]
    pub(crate) bounds: bool,
    /// Draw the axes: x red, y green, z blue
    #[arg(long)]
    pub(crate) axes: bool,
    /// Draw squares on the ground
    #[arg(long)]
    pub(crate) grid: bool,
    /// A folder or archive in which textures and materials are looked for first; may be repeated
    #[arg(long, value_name = "DIR")]
    pub(crate) textures: Vec<PathBuf>,
    #[command(flatten)]
    pub(crate) staging: Flags<Staging>,
}

/// What must fit into a picture.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub(crate) enum FitTo {
    /// Everything that the clip shows
    Clip,
    /// The pose that is shown first
    Pose,
}

/// A file of pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum PictureKind {
    /// One that stands still.
    Png,
    /// One that moves, of few colours.
    Gif,
    /// One that moves.
    Apng,
}

impl PictureKind {
    const ALL: [(&str, PictureKind); 3] =
        [("png", PictureKind::Png), ("gif", PictureKind::Gif), ("apng", PictureKind::Apng)];

    /// Its extension.
    pub(crate) fn extension(self) -> &'static str {
        PictureKind::ALL.iter().find(|(_, kind)| *kind == self).map_or("png", |(word, _)| word)
    }

    /// Of an extension or a word.
    fn by_word(word: &str) -> Option<Self> {
        PictureKind::ALL.iter().find(|(own, _)| own.eq_ignore_ascii_case(word)).map(|(_, kind)| *kind)
    }
}

fn kind() -> impl TypedValueParser<Value = PictureKind> {
    let words = PossibleValuesParser::new(PictureKind::ALL.iter().map(|(word, _)| *word));
    words.map(|word| PictureKind::by_word(&word).unwrap_or(PictureKind::Png))
}

impl Render {
    /// What the file is that OUT names; nothing if its extension says none.
    pub(crate) fn kind(&self) -> Option<PictureKind> {
        if self.output == Path::new("-") {
            return Some(self.to.unwrap_or(PictureKind::Png));
        }
        let extension = self.output.extension().and_then(OsStr::to_str);
        extension.and_then(PictureKind::by_word)
    }

    /// Whether OUT says that it is a folder: it is one, ends like one, or has no extension.
    pub(crate) fn names_folder(&self) -> bool {
        let ends = self.output.to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR]);
        let is_bare = self.output.extension().is_none() && self.output != Path::new("-");
        ends || is_bare || self.output.is_dir()
    }
}

impl Looking {
    pub(crate) fn marks(&self) -> Marks {
        let Looking { show_skeleton: skeleton, names, wire, bounds, axes, grid, .. } = *self;
        Marks { skeleton, names, wire, bounds, axes, grid }
    }

    pub(crate) fn lens(&self) -> Lens {
        if self.parallel { Lens::Parallel } else { Lens::Perspective }
    }
}

fn size(word: &str) -> Result<(u32, u32), String> {
    let side = |word: &str| word.parse().ok().filter(|side| (1..=MOST_SIDE).contains(side));
    let both = word.split_once(['x', 'X', '×']).unwrap_or((word, word));
    let found = side(both.0).zip(side(both.1));
    found.ok_or_else(|| {
        format!("`{word}`: width and height of 1 to {MOST_SIDE} pixels are wanted, as 512x384")
    })
}

fn seconds(word: &str) -> Result<f32, String> {
    let found = super::unguarded(word).parse().ok().filter(|time: &f32| time.is_finite());
    found.ok_or_else(|| format!("`{word}`: a number of seconds is wanted"))
}

fn direction(word: &str) -> Result<Direction, String> {
    super::unguarded(word).parse().map_err(|error: galvani::pictures::RenderError| error.cause.sentence())
}

fn zoom(word: &str) -> Result<f64, String> {
    let found = word.parse().ok().filter(|zoom| (1e-3..=1e3).contains(zoom));
    found.ok_or_else(|| format!("`{word}`: 0.001 to 1000 is wanted"))
}

fn background(word: &str) -> Result<Background, String> {
    if word.eq_ignore_ascii_case("transparent") || word.eq_ignore_ascii_case("none") {
        return Ok(Background::Transparent);
    }
    let hex = word.strip_prefix('#').unwrap_or(word);
    let number = u32::from_str_radix(hex, 16).ok().filter(|_| hex.len() == 6);
    let [_, r, g, b] =
        number.ok_or_else(|| format!("`{word}`: transparent or #RRGGBB is wanted"))?.to_be_bytes();
    Ok(Background::Plain([r, g, b]))
}
