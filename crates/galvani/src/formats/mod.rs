//! The registry: the one place that knows which formats there are.

#[cfg(any(feature = "parkan", feature = "ff7"))]
#[cfg_attr(
    not(all(feature = "parkan", feature = "ff7")),
    allow(dead_code, reason = "each family takes what it needs")
)]
mod archive;
#[cfg_attr(
    not(all(feature = "parkan", feature = "ff7", feature = "mdx")),
    allow(dead_code, unused_imports, unused_macros, reason = "each family takes what it needs")
)]
pub(crate) mod argument;
#[cfg(feature = "ff7")]
mod ff7_a;
#[cfg(feature = "ff7")]
mod ff7_hrc;
#[cfg(feature = "ff7")]
mod ff7_model;
#[cfg(feature = "ff7")]
mod ff7_p;
#[cfg(feature = "ff7")]
mod ff7_pack;
#[cfg(feature = "ff7")]
mod ff7_rsd;
#[cfg(feature = "ff7")]
mod ff7_skeleton;
#[cfg(feature = "ff7")]
mod ff7_tex;
#[cfg(feature = "ff7")]
mod ff7_text;
#[cfg(feature = "ff7")]
mod lgp;
mod links;
#[cfg(feature = "mdx")]
mod mdx;
#[cfg(feature = "parkan")]
mod msh;
#[cfg(feature = "parkan")]
mod nres;
#[cfg_attr(
    not(all(feature = "parkan", feature = "ff7", feature = "mdx")),
    allow(dead_code, unused_imports, unused_macros, reason = "each family takes what it needs")
)]
pub(crate) mod operation;
mod outline;
mod pose;
mod query;
#[cfg(any(feature = "parkan", feature = "ff7", feature = "mdx"))]
#[cfg_attr(
    not(any(feature = "parkan", feature = "ff7")),
    allow(dead_code, reason = "MDX needs fields only, not whole records")
)]
mod records;
mod rows;
mod sampling;
#[cfg(feature = "ff7")]
mod sections;
#[cfg_attr(
    not(all(feature = "parkan", feature = "ff7", feature = "mdx")),
    allow(dead_code, reason = "each family takes what it needs")
)]
pub(crate) mod select;

use std::any::Any;
use std::collections::BTreeMap;
use std::fmt;

use galvani_core::map::Row;
use galvani_core::{
    Code, Diagnostic, EditError, FileMap, LiftError, Path, Read, ReadError, ReadOptions, Report, SampleError,
    Scrutiny, Verdict, WriteError,
};
use galvani_scene::Scene;

use crate::codes;
use crate::diff::Change;
use crate::image::Image;

pub use argument::{Indices, Kind, Thing, Value};
pub use links::{Archive, Links, Members, Site};
pub use operation::{Arg, Operation, Step, StepError};
pub use outline::{
    Audience, Cell, Column, Count, Fact, Flags, Look, MEMBER, Outline, Section, Span, Unknown,
};
pub use pose::{
    Angles, Branch, ClipLabel, NodePose, Pose, PoseKind, PoseSource, Property, PropertyValue, Samples,
};
pub use query::{Plane, Ray, Shown};
pub use rows::{Table, tag_value, text_value};
pub use sampling::{Edges, Rest, Root, Sampling, Space, Y};
pub use select::Selector;

/// Every format there is; of equally likely ones the first counts.
pub static FORMATS: &[&dyn Format] = &[
    #[cfg(feature = "parkan")]
    &msh::Msh,
    #[cfg(feature = "parkan")]
    &nres::Nres,
    #[cfg(feature = "ff7")]
    &ff7_pack::Pack,
    #[cfg(feature = "ff7")]
    &ff7_skeleton::Skeleton,
    #[cfg(feature = "ff7")]
    &lgp::Lgp,
    #[cfg(feature = "ff7")]
    &ff7_p::P,
    #[cfg(feature = "ff7")]
    &ff7_tex::Tex,
    #[cfg(feature = "ff7")]
    &ff7_hrc::Hrc,
    #[cfg(feature = "ff7")]
    &ff7_rsd::Rsd,
    #[cfg(feature = "ff7")]
    &ff7_a::Animation,
    #[cfg(feature = "mdx")]
    &mdx::Mdx,
];

/// What a format is called and can do.
#[derive(Debug)]
pub struct Info {
    /// The id on the command line, in JSON and before every code.
    pub id: &'static str,
    /// What people call it.
    pub name: &'static str,
    /// Extensions of its files, lower case, without a dot.
    pub extensions: &'static [&'static str],
    /// Topics on which its documentation and real files disagree.
    pub topics: &'static [&'static str],
    /// Everything that can be wrong with it or its edits: tables of codes.
    pub codes: &'static [&'static [&'static Code]],
    /// Everything `edit` can do to it.
    pub operations: &'static [Operation],
}

/// A format: recognised, opened, built from a folder.
pub trait Format: Sync {
    /// What it is called and can do.
    fn info(&self) -> &'static Info;
    /// How likely it is that these bytes, perhaps of that name, are this format. Cheap.
    fn recognise(&self, file: &[u8], name: Option<&str>) -> Likelihood;
    /// Reads a document.
    fn open(&self, file: &[u8], options: &ReadOptions) -> Result<Opened, ReadError>;
    /// Reads a document where it stands: what lies beside it may say what its own bytes do not.
    fn open_at(&self, file: &[u8], options: &ReadOptions, site: &Site<'_>) -> Result<Opened, ReadError> {
        let mut opened = self.open(file, options)?;
        opened.document.meet(site);
        Ok(opened)
    }
    /// Builds a file from what [`Document::unpack`] gave, edited or not.
    fn pack(&self, folder: &Folder) -> Result<Vec<u8>, WriteError>;
}

impl fmt::Debug for dyn Format {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Format({})", self.info().id)
    }
}

/// How sure one can be of a format. Ordered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Likelihood {
    /// It is something else.
    No,
    /// Only the name speaks for it.
    ByName,
    /// Counts and offsets fit.
    ByShape,
    /// It says so itself.
    ByMagic,
}

#[cfg(any(feature = "parkan", feature = "ff7", feature = "mdx"))]
impl Likelihood {
    /// Of a file that says so itself, or else has the name.
    fn by_magic(is_marked: bool, is_named: bool) -> Self {
        if is_marked { Likelihood::ByMagic } else { Likelihood::by_name(is_named) }
    }

    /// Of a file whose counts and offsets fit, or else has the name.
    #[cfg(feature = "ff7")]
    fn by_shape(is_shaped: bool, is_named: bool) -> Self {
        if is_shaped { Likelihood::ByShape } else { Likelihood::by_name(is_named) }
    }

    fn by_name(is_named: bool) -> Self {
        if is_named { Likelihood::ByName } else { Likelihood::No }
    }
}

/// A document that was read, and what is known about its file.
#[derive(Debug)]
pub struct Opened {
    /// Its format.
    pub format: &'static dyn Format,
    /// The document.
    pub document: Box<dyn Document>,
    /// Which bytes of the file are what.
    pub map: FileMap,
    /// What reading found.
    pub report: Report,
    /// Which readings were taken, and why.
    pub readings: Vec<Verdict>,
}

impl Opened {
    #[cfg(any(feature = "parkan", feature = "ff7", feature = "mdx"))]
    fn new<D: Document + 'static>(format: &'static dyn Format, read: Read<D>) -> Self {
        let Read { document, map, report, readings } = read;
        Opened { format, document: Box::new(document), map, report, readings }
    }

    /// Why a verb has no use for it, with what it is instead of what the verb needs.
    #[must_use]
    pub fn cannot(&self, why: Diagnostic) -> Diagnostic {
        let info = self.format.info();
        let why = why.saying(format!("it is of the format {}, {}", info.id, info.name));
        let members = if self.document.members().is_some() {
            "; a member of the archive is named ARCHIVE/NAME, `list` shows them"
        } else {
            ""
        };
        let help = format!("{}{members}", why.help);
        why.advising(help)
    }

    /// The same for errors that a format gives where it has no answer of its own.
    pub(crate) fn explained(&self, cause: Box<Diagnostic>) -> Box<Diagnostic> {
        let lacking = [&codes::NO_SCENE, &codes::NO_IMAGE, &codes::NO_GEOMETRY, &codes::NO_POSES];
        let says_nothing = cause.message == cause.code.summary;
        if says_nothing && lacking.contains(&cause.code) { Box::new(self.cannot(*cause)) } else { cause }
    }

    /// Poses as its engine samples them; see [`Document::sample`].
    pub fn sample(&self, wanted: &Sampling) -> Result<Samples, SampleError> {
        self.document.sample(wanted).map_err(|error| SampleError { cause: self.explained(error.cause) })
    }

    /// What is drawn of it; see [`Document::draw`].
    pub fn draw(&self, view: &Shown, planes: &[Plane]) -> Result<Table, SampleError> {
        self.document.draw(view, planes).map_err(|error| SampleError { cause: self.explained(error.cause) })
    }

    /// What a ray meets first; see [`Document::pick`].
    pub fn pick(&self, view: &Shown, ray: Ray) -> Result<Table, SampleError> {
        self.document.pick(view, ray).map_err(|error| SampleError { cause: self.explained(error.cause) })
    }

    /// What is wrong, with places in the file as it was read.
    pub fn check(&self) -> Report {
        self.check_at(&Site::NOWHERE, Scrutiny::Usual)
    }

    /// The same, held also against what lies beside it, and looked at as closely as one likes.
    pub fn check_at(&self, site: &Site<'_>, scrutiny: Scrutiny) -> Report {
        let mut report = self.report.clone();
        report.append(self.document.check());
        report.append(self.document.check_links(site));
        let mut report = report.seen(scrutiny);
        report.locate(&self.map);
        report
    }
}

/// What every document can do, whatever its format.
pub trait Document: Any + fmt::Debug + Send + Sync {
    /// Everything that is wrong with it.
    fn check(&self) -> Report;
    /// Learns from what lies beside it what helps to understand it; see [`Format::open_at`].
    fn meet(&mut self, _site: &Site<'_>) {}
    /// What is wrong between it and what lies beside it. No neighbour, no rule.
    fn check_links(&self, _site: &Site<'_>) -> Report {
        Report::default()
    }
    /// Its bytes, from the document alone.
    fn write(&self) -> Result<Vec<u8>, WriteError>;
    /// Brings it into the form the game's own tools write; the report says what that cost. Unless a format says
    /// otherwise nothing is known that they would write differently.
    fn make_canonical(&mut self) -> Result<Report, EditError> {
        Ok(Report::default())
    }
    /// What it holds, for people and machines.
    fn outline(&self) -> Outline;
    /// What tells most of it in a line, without decoding anything: an archive of thousands asks each of its members.
    fn summary(&self) -> String;
    /// Everything it holds, as named values and files.
    fn unpack(&self) -> Folder;
    /// The same as parts that have names, for `diff`; `None` where the values of [`unpack`](Document::unpack) have
    /// names enough.
    fn parts(&self) -> Option<Vec<Part>> {
        None
    }
    /// What a value of its file stands for, where that is not the number itself.
    fn decoded(&self, _row: &Row<'_>) -> Option<serde_json::Value> {
        None
    }
    /// What differs from another document of its format, where that is better said than by the folder's values.
    fn compare(&self, _other: &dyn Document) -> Option<Vec<Change>> {
        None
    }
    /// Poses as its engine samples them.
    fn sample(&self, _wanted: &Sampling) -> Result<Samples, SampleError> {
        Err(codes::NO_POSES.at(Path::root()).into())
    }
    /// The model it holds, as a scene, and what the scene does not say.
    fn lift(&self, _options: LiftOptions) -> Result<(Scene, Report), LiftError> {
        Err(codes::NO_SCENE.at(Path::root()).into())
    }
    /// The picture it holds, as one of its palettes colours it.
    fn image(&self, _palette: u32) -> Result<Image, LiftError> {
        Err(codes::NO_IMAGE.at(Path::root()).into())
    }
    /// The members of an archive; `None` for what is no archive.
    fn members(&self) -> Option<Vec<Member>> {
        None
    }
    /// The bytes of a member.
    fn member(&self, _index: usize) -> Option<&[u8]> {
        None
    }
    /// Gives a member other bytes.
    fn set_member(&mut self, _index: usize, _bytes: Vec<u8>) -> Result<(), EditError> {
        Err(codes::NO_ARCHIVE.at(Path::root()).into())
    }
    /// What is drawn of it: one row per draw call. Planes hide what lies behind them.
    fn draw(&self, _view: &Shown, _planes: &[Plane]) -> Result<Table, SampleError> {
        Err(codes::NO_GEOMETRY.at(Path::root()).into())
    }
    /// What a ray meets first: one row, or none.
    fn pick(&self, _view: &Shown, _ray: Ray) -> Result<Table, SampleError> {
        Err(codes::NO_GEOMETRY.at(Path::root()).into())
    }
}

/// Which of several looks of a model to lift, and how fast it plays.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct LiftOptions {
    /// MSH: first index of the slots, the damage state.
    pub lod: u8,
    /// MSH: second index of the slots, the level of detail.
    pub group: u8,
    /// Frames a second where the file does not say; the format's own default otherwise.
    pub frame_rate: Option<f32>,
    /// MSH: leave out the translation of the first node, as the engine does.
    pub clear_root: bool,
}

/// A member of an archive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// Its name as it stands in the archive, up to the NUL.
    pub name: Vec<u8>,
}

impl Member {
    /// The name as people read it.
    pub fn shown(&self) -> String {
        galvani_core::text::shown(&self.name).into_owned()
    }
}

/// A part of a document by its name.
#[derive(Debug, Clone, PartialEq)]
pub struct Part {
    /// What it is one of; nothing for what there is one of.
    pub group: &'static str,
    /// Its name; of several alike each has one of its own.
    pub name: String,
    /// Its fields in file order: path inside it, value.
    pub fields: Vec<(String, serde_json::Value)>,
}

/// A file taken apart: a manifest of named values, and the bytes that are nobody's fields.
#[derive(Debug, Clone, PartialEq)]
pub struct Folder {
    /// Named values; `format` says which format they build.
    pub manifest: serde_json::Value,
    /// Relative path with `/`, and bytes.
    pub files: BTreeMap<String, Vec<u8>>,
}

/// Where a record shows what packed numbers stand for; no value of its own.
pub(crate) const DECODED: &str = "decoded";

/// The format with that id.
pub fn by_id(id: &str) -> Option<&'static dyn Format> {
    FORMATS.iter().copied().find(|format| format.info().id == id)
}

/// The likeliest format: by magic, then by shape, then by name.
pub fn recognise(file: &[u8], name: Option<&str>) -> Option<&'static dyn Format> {
    likeliest(file, name, Likelihood::ByName)
}

/// The likeliest format of a file that nobody pointed at: its name alone proves nothing.
pub fn recognise_content(file: &[u8], name: Option<&str>) -> Option<&'static dyn Format> {
    likeliest(file, name, Likelihood::ByShape)
}

fn likeliest(file: &[u8], name: Option<&str>, at_least: Likelihood) -> Option<&'static dyn Format> {
    let mut best = None;
    for &format in FORMATS {
        let likelihood = format.recognise(file, name);
        if likelihood >= at_least && best.is_none_or(|(most, _)| likelihood > most) {
            best = Some((likelihood, format));
        }
    }
    best.map(|(_, format)| format)
}

/// Whether a file's name ends in one of a format's extensions.
#[cfg(any(feature = "parkan", feature = "ff7", feature = "mdx"))]
fn has_extension(name: Option<&str>, info: &Info) -> bool {
    let extension =
        name.and_then(|name| name.rsplit_once('.')).map(|(_, extension)| extension.to_lowercase());
    extension.is_some_and(|extension| info.extensions.contains(&extension.as_str()))
}
