//! The words of the command line.

mod convert;
mod edit;
mod play;
mod render;
mod settings;
mod survey;
mod validate;

use std::ffi::OsString;
use std::path::PathBuf;
use std::str::FromStr;

use anstream::ColorChoice;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{Args, Parser, Subcommand};
use galvani::formats::{self, FORMATS, Format, Plane, Ray, RootOption, Times};
use galvani::fs::{Follow, Force, Overwrite};
use galvani::{Budget, OpenOptions, ReadOptions, Readings, Strictness, WantedReading};

pub(crate) use convert::{Convert, OutputKind};
pub(crate) use edit::{Edit, Fix, Rewrite, Target};
pub(crate) use play::Play;
pub(crate) use render::{FitTo, Graphics, Looking, PictureKind, Render, Show};
pub(crate) use settings::{Encoding, Flags, Modelling, Picturing, Playing, Posing, Staging};
pub(crate) use survey::Survey;
pub(crate) use validate::Validate;

use crate::out;
use crate::verbs::query;

/// Brings the models and animations of old games back to life.
#[derive(Debug, Parser)]
#[command(name = "galvani", version, arg_required_else_help = true, after_help = EXAMPLES)]
pub(crate) struct Cli {
    #[command(flatten)]
    pub(crate) common: Common,
    #[command(subcommand)]
    pub(crate) verb: Verb,
}

const EXAMPLES: &str = "\
Examples:
  galvani list units.rlb                     what an archive holds
  galvani validate 'Parkan - Iron Strategy'  every file below a folder, on all cores
  galvani extract units.rlb/TANK.MSH -o out  one member
  galvani edit units.rlb rename TANK.MSH TANK2.MSH --in-place
  galvani fix models -o mended               what can be put right without a guess
  galvani rewrite units.rlb -o same.rlb      byte for byte the same
  galvani sample walker.msh --time 0..8:0.5  where every node is, as the engine has it
  galvani play lantern.mdx --clip Stand --then Walk --at 1500 --time 2000
  galvani convert units.rlb/TANK.MSH -o tank.glb  for Blender, engines and viewers
  galvani render units.rlb/TANK.MSH -o tank.gif   a picture, or one that moves
  galvani view units.rlb/TANK.MSH            in the browser, to be played and edited

Archives are folders: ARCHIVE/NAME (any case of letters) or ARCHIVE/#INDEX.
Exit codes: 0 done, 1 refused (validate: errors found), 2 usage, 3 unreadable.";

/// What every verb understands.
#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools, reason = "flags are bools")]
pub(crate) struct Common {
    /// Machine-readable output
    #[arg(long, global = true)]
    pub(crate) json: bool,
    /// Which account of a format to follow: documented, observed or auto; also TOPIC=VALUE
    #[arg(long, global = true, value_name = "[TOPIC=]VALUE", value_parser = reading)]
    pub(crate) reading: Vec<(Option<String>, WantedReading)>,
    /// Stop at the first part that cannot be read instead of keeping it raw
    #[arg(long, global = true)]
    pub(crate) strict: bool,
    /// Take the input to be of this format
    #[arg(long, global = true, value_name = "ID", value_parser = format_id())]
    pub(crate) format: Option<String>,
    /// Go on with the other inputs after one failed (the default)
    #[arg(long, global = true)]
    pub(crate) keep_going: bool,
    /// Stop at the first input that fails
    #[arg(long, global = true, conflicts_with = "keep_going")]
    pub(crate) fail_fast: bool,
    /// Overwrite files that exist and differ, and read-only ones
    #[arg(long, global = true)]
    pub(crate) force: bool,
    /// Follow links below folders, and names that lead out of the folder of a recipe or of what `pack` reads
    #[arg(long, global = true)]
    pub(crate) follow: bool,
    /// How much memory an operation may take, instead of a multiple of its input: 500M, 2G
    #[arg(long, global = true, value_name = "BYTES", value_parser = amount)]
    pub(crate) limit_memory: Option<u64>,
    /// How many steps an operation may take, instead of a multiple of its input; one is about a byte looked at
    #[arg(long, global = true, value_name = "STEPS", value_parser = amount)]
    pub(crate) limit_work: Option<u64>,
    #[command(flatten)]
    pub(crate) reading_settings: Flags<settings::Reading>,
    /// Colours: auto, always or never
    #[arg(long, global = true, value_name = "WHEN", default_value = "auto", value_parser = color())]
    pub(crate) color: ColorChoice,
}

impl Common {
    /// The library's options.
    pub(crate) fn options(&self) -> OpenOptions {
        let mut readings = Readings::default();
        for (topic, reading) in &self.reading {
            match topic {
                Some(topic) => readings.topics.push((topic.clone(), *reading)),
                None => readings.all = *reading,
            }
        }
        let strictness = if self.strict { Strictness::Strict } else { Strictness::Tolerant };
        let budget = Budget { memory: self.limit_memory, work: self.limit_work };
        let read = ReadOptions { readings, strictness, budget, ..ReadOptions::default() };
        OpenOptions { read, settings: self.reading_settings.0.clone() }
    }

    /// Whether links below folders are followed.
    pub(crate) fn follow(&self) -> Follow {
        if self.follow { Follow::Yes } else { Follow::No }
    }

    /// What may be overwritten, beside what was read.
    pub(crate) fn overwrite(&self) -> Overwrite {
        let force = if self.force { Force::Yes } else { Force::No };
        Overwrite { force, ..out::spared().clone() }
    }

    /// The format asked for.
    pub(crate) fn forced(&self) -> Option<&'static dyn Format> {
        self.format.as_deref().and_then(formats::by_id)
    }
}

fn reading(word: &str) -> Result<(Option<String>, WantedReading), String> {
    match word.split_once('=') {
        None => Ok((None, word.parse()?)),
        Some((topic, value)) => {
            let topics: Vec<&str> = FORMATS.iter().flat_map(|format| format.info().topics).copied().collect();
            if !topics.contains(&topic) {
                return Err(format!("`{topic}` is no topic; topics: {}", topics.join(", ")));
            }
            Ok((Some(topic.to_owned()), value.parse()?))
        }
    }
}

/// A number, with a letter behind it for thousands of thousands.
fn amount(word: &str) -> Result<u64, String> {
    let units = [('K', 1 << 10), ('M', 1 << 20), ('G', 1 << 30), ('T', 1 << 40)];
    let (digits, unit) = units
        .iter()
        .find_map(|(letter, unit)| Some((word.strip_suffix([*letter, letter.to_ascii_lowercase()])?, *unit)))
        .unwrap_or((word, 1));
    let number = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(unit));
    number
        .ok_or_else(|| format!("`{word}` is no amount: a whole number, perhaps with K, M, G or T behind it"))
}

fn format_id() -> PossibleValuesParser {
    PossibleValuesParser::new(FORMATS.iter().map(|format| {
        let info = format.info();
        PossibleValue::new(info.id).help(info.name)
    }))
}

fn color() -> impl TypedValueParser<Value = ColorChoice> {
    PossibleValuesParser::new(["auto", "always", "never"]).map(|word| match word.as_str() {
        "always" => ColorChoice::Always,
        "never" => ColorChoice::Never,
        _ => ColorChoice::Auto,
    })
}

#[derive(Debug, Subcommand)]
pub(crate) enum Verb {
    /// Show what files are and hold, and which readings were taken
    Info(Info),
    /// Check files and everything in them
    Validate(Validate),
    /// Show every field with its offset
    Dump(Inputs),
    /// Show what differs between two files, by name
    Diff(Diff),
    /// List the members of archives
    List(List),
    /// Write members of an archive into a folder
    Extract(Extract),
    /// Read a file and write it again, from its document alone
    Rewrite(Rewrite),
    /// Take a file apart into a folder of named values and payloads
    Unpack(Unpack),
    /// Build a file from what `unpack` wrote
    Pack(Pack),
    /// Change a file
    Edit(Edit),
    /// Mend what is wrong with files, as far as that takes no guess
    Fix(Fix),
    /// Show where the nodes of a model are at a time, as its engine samples them
    Sample(Sample),
    /// Play a model as its engine does: what it shows at a time, and the events that it passed
    Play(Play),
    /// Show what is drawn of a model, draw call by draw call
    Draw(Draw),
    /// Show what a ray meets first on a model
    Pick(Pick),
    /// Convert models to glTF for Blender, engines and viewers, textures to pictures and back
    Convert(Convert),
    /// Draw models as pictures, still or moving, and sheets of them
    Render(Render),
    /// Play a model in the terminal
    Show(Show),
    /// Show models in the browser, to be played, inspected and edited
    View(View),
    /// Make tables of many files: Parquet, for whatever asks questions of tables
    Survey(Survey),
    /// Write the sample files that ship with galvani
    Samples(Samples),
    /// Print shell completions
    Completions(Completions),
    /// Print the manual, or write a page per verb into a folder
    Man(Man),
}

/// Everywhere `--skeleton` names a file of FF7; where models are drawn, alone, it means this.
pub(crate) const SHOWN_SKELETON: &str = "show-skeleton";

/// The words of a command line as they are meant.
pub(crate) fn meant(words: impl Iterator<Item = OsString>) -> impl Iterator<Item = OsString> {
    let mut is_drawing = false;
    words.map(move |word| {
        is_drawing |= ["render", "show"].iter().any(|verb| word == *verb);
        if is_drawing && word == "--skeleton" { format!("--{SHOWN_SKELETON}").into() } else { guarded(word) }
    })
}

/// What keeps a list of numbers from being taken for a flag.
const GUARD: char = ' ';

/// A word of the command line, guarded if it is a list of numbers that begins with a minus: -1,2,3. (One number
/// alone needs no guard.)
fn guarded(word: OsString) -> OsString {
    let is_list = word.to_str().is_some_and(|text| {
        let begins = text
            .strip_prefix('-')
            .is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit() || c == '.'));
        begins && text.contains(',')
    });
    if is_list { OsString::from_iter([OsString::from(GUARD.to_string()), word]) } else { word }
}

/// The word without its guard.
pub(crate) fn unguarded(word: &str) -> &str {
    word.strip_prefix(GUARD).filter(|rest| rest.starts_with('-')).unwrap_or(word)
}

/// Files, folders, globs and archive members.
#[derive(Debug, Args)]
pub(crate) struct Inputs {
    /// Files, folders, globs, archive members; `-` for standard input
    #[arg(required = true, value_name = "IN", allow_negative_numbers = true)]
    pub(crate) inputs: Vec<OsString>,
}

#[derive(Debug, Args)]
pub(crate) struct Info {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// Show what each account of a format makes of the file, which was taken and why
    #[arg(long)]
    pub(crate) readings: bool,
    /// Show a small picture of each model, on a terminal
    #[arg(long)]
    pub(crate) picture: bool,
    /// A folder or archive in which textures and materials are looked for first; may be repeated
    #[arg(long, value_name = "DIR")]
    pub(crate) textures: Vec<PathBuf>,
}

#[derive(Debug, Args)]
pub(crate) struct List {
    #[command(flatten)]
    pub(crate) inputs: Inputs,
    /// List the textures and materials that models name instead, and where they are; in DIR they are looked for first
    #[arg(long, value_name = "DIR", num_args = 0..=1, require_equals = true, default_missing_value = "")]
    pub(crate) textures: Vec<OsString>,
}

#[derive(Debug, Args)]
pub(crate) struct Diff {
    /// The first file or archive member
    pub(crate) a: OsString,
    /// The second
    pub(crate) b: OsString,
    /// Exit with 1 if they differ
    #[arg(long)]
    pub(crate) exit_code: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Extract {
    /// ARCHIVE for all members, ARCHIVE/MEMBER for some
    #[arg(required = true, value_name = "ARCHIVE[/MEMBER]")]
    pub(crate) inputs: Vec<OsString>,
    /// The folder to write into; nothing is written outside it
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct Unpack {
    /// A file or archive member; `-` for standard input
    #[arg(value_name = "IN")]
    pub(crate) input: OsString,
    /// The folder to write; without --force it must be empty or not there yet
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct Pack {
    /// A folder that `unpack` wrote
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
    /// The file to write; `-` for standard output
    #[arg(short, long, value_name = "OUT")]
    pub(crate) output: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct Sample {
    /// A file or archive member; `-` for standard input
    #[arg(value_name = "IN")]
    pub(crate) input: OsString,
    /// A time in frames (MDX: milliseconds), or a range with both its ends; without it, the pose of rest, or
    /// every frame of a clip
    #[arg(
        long,
        visible_alias = "frame",
        value_name = "T|A..B[:STEP]",
        allow_hyphen_values = true,
        value_parser = Times::from_str
    )]
    pub(crate) time: Vec<Times>,
    /// Only this animation, where a file holds several
    #[arg(long, value_name = "INDEX|NAME", allow_negative_numbers = true)]
    pub(crate) clip: Option<String>,
    /// Only this node; a bone of an FF7 skeleton, 0 being the root; MDX: the node's own number, or its name
    #[arg(long, visible_alias = "bone", value_name = "INDEX|NAME", allow_negative_numbers = true)]
    pub(crate) node: Option<String>,
    #[command(flatten)]
    pub(crate) posing: Flags<Posing>,
}

fn root() -> impl TypedValueParser<Value = RootOption> {
    let words = PossibleValuesParser::new(["keep", "clear"]);
    words.map(|word| if word == "clear" { RootOption::Clear } else { RootOption::Keep })
}

#[derive(Debug, Args)]
pub(crate) struct View {
    /// Files, folders, globs, archive members; the first is shown. The page may write these files and no others
    #[arg(value_name = "IN", allow_negative_numbers = true)]
    pub(crate) inputs: Vec<OsString>,
    /// The port, of this machine alone; 0 for any that is free
    #[arg(long, value_name = "N", default_value = "0")]
    pub(crate) port: u16,
    /// Print the address and open no browser
    #[arg(long)]
    pub(crate) no_open: bool,
}

#[derive(Debug, Args)]
pub(crate) struct Samples {
    /// The folder to write into
    #[arg(value_name = "DIR")]
    pub(crate) folder: PathBuf,
}

#[derive(Debug, Args)]
pub(crate) struct Completions {
    /// The shell
    pub(crate) shell: clap_complete::Shell,
}

#[derive(Debug, Args)]
pub(crate) struct Man {
    /// Write a page per verb into this folder
    #[arg(short, long, value_name = "DIR")]
    pub(crate) output: Option<PathBuf>,
}

/// A model at a time, and which part of it counts.
#[derive(Debug, Args)]
pub(crate) struct Posed {
    /// A model or archive member; `-` for standard input
    #[arg(value_name = "IN")]
    pub(crate) input: OsString,
    /// Level 0 to 2, as observed the damage state; -1 for the current one, 0 in a file
    #[arg(
        long,
        value_name = "L",
        default_value = "0",
        allow_negative_numbers = true,
        value_parser = clap::value_parser!(i8).range(-1..3)
    )]
    pub(crate) lod: i8,
    /// Group 0 to 4, as observed the level of detail; -1 for the current one, 0 in a file
    #[arg(
        long,
        value_name = "G",
        default_value = "0",
        allow_negative_numbers = true,
        value_parser = clap::value_parser!(i8).range(-1..5)
    )]
    pub(crate) group: i8,
    /// When, in frames
    #[arg(long, value_name = "T", default_value = "0", allow_hyphen_values = true)]
    pub(crate) time: f32,
    /// The translation of the first node: kept, or cleared as the engine does
    #[arg(long, value_name = "HOW", default_value = "keep", value_parser = root())]
    pub(crate) root: RootOption,
    /// Only what has one of these flags: of batches for draw, of triangles for pick
    #[arg(
        long,
        value_name = "FLAGS",
        default_value = "0",
        hide_default_value = true,
        value_parser = query::flags
    )]
    pub(crate) mask: u32,
    /// Only what has none of these flags
    #[arg(
        long,
        value_name = "FLAGS",
        default_value = "0",
        hide_default_value = true,
        value_parser = query::flags
    )]
    pub(crate) without: u32,
}

#[derive(Debug, Args)]
pub(crate) struct Draw {
    #[command(flatten)]
    pub(crate) posed: Posed,
    /// Leave out what lies behind one of these planes: where NX·x + NY·y + NZ·z + D is below 0
    #[arg(long, value_name = "NX,NY,NZ,D[;…]", allow_hyphen_values = true, value_parser = query::planes)]
    pub(crate) planes: Vec<Vec<Plane>>,
}

#[derive(Debug, Args)]
pub(crate) struct Pick {
    #[command(flatten)]
    pub(crate) posed: Posed,
    /// Where the ray starts and where it goes
    #[arg(long, value_name = "OX,OY,OZ,DX,DY,DZ", allow_hyphen_values = true, value_parser = query::ray)]
    pub(crate) ray: Ray,
}
