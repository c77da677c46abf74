//! The registry: the one place that knows which formats there are.

mod ability;
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
#[cfg(feature = "texture")]
pub mod blp;
#[cfg_attr(
    not(all(feature = "parkan", feature = "ff7", feature = "texture", feature = "gltf")),
    allow(dead_code, reason = "each family takes what it needs")
)]
mod comparable;
#[cfg(feature = "texture")]
pub mod dds;
mod encoding;
#[cfg(feature = "ff7")]
pub mod ff7_a;
#[cfg(feature = "ff7")]
mod ff7_field;
#[cfg(feature = "ff7")]
pub mod ff7_hrc;
#[cfg(feature = "ff7")]
pub mod ff7_model;
#[cfg(feature = "ff7")]
mod ff7_p;
#[cfg(feature = "ff7")]
pub mod ff7_pack;
#[cfg(feature = "ff7")]
pub mod ff7_rsd;
#[cfg(feature = "ff7")]
mod ff7_skeleton;
#[cfg(feature = "ff7")]
pub mod ff7_tex;
#[cfg(feature = "gltf")]
pub mod gltf;
#[cfg(feature = "ff7")]
mod lgp;
pub(crate) mod links;
mod lowering;
#[cfg(feature = "parkan")]
mod mat0;
#[cfg(feature = "mdx")]
mod mdl;
#[cfg(feature = "mdx")]
pub mod mdx;
#[cfg_attr(
    not(all(feature = "parkan", feature = "ff7", feature = "mdx")),
    allow(dead_code, unused_imports, unused_macros, reason = "each family takes what it needs")
)]
pub(crate) mod mend;
#[cfg(feature = "parkan")]
pub mod msh;
#[cfg(feature = "parkan")]
mod nres;
#[cfg_attr(
    not(all(feature = "parkan", feature = "ff7", feature = "mdx")),
    allow(dead_code, unused_imports, unused_macros, reason = "each family takes what it needs")
)]
pub(crate) mod operation;
mod outline;
#[cfg(feature = "texture")]
mod pictures;
mod playing;
mod pose;
mod query;
pub(crate) mod recognition;
#[cfg(any(feature = "parkan", feature = "ff7", feature = "mdx", feature = "texture"))]
#[cfg_attr(
    not(any(feature = "parkan", feature = "ff7", feature = "texture")),
    allow(dead_code, reason = "MDX needs fields only, not whole records")
)]
mod records;
#[cfg_attr(not(feature = "mdx"), allow(dead_code, reason = "only MDX names files by paths"))]
mod reference;
pub mod resolve;
#[cfg(feature = "parkan")]
pub mod rsli;
mod sampling;
#[cfg(any(feature = "parkan", feature = "ff7", feature = "texture"))]
#[cfg_attr(not(feature = "ff7"), allow(dead_code, reason = "each family takes what it needs"))]
mod sections;
#[cfg_attr(
    not(all(feature = "parkan", feature = "ff7", feature = "mdx")),
    allow(dead_code, reason = "each family takes what it needs")
)]
pub(crate) mod select;
#[cfg_attr(
    not(all(feature = "parkan", feature = "ff7", feature = "mdx")),
    allow(unused_imports, unused_macros, reason = "each family takes what it needs")
)]
pub(crate) mod setting;
#[cfg_attr(
    not(all(feature = "parkan", feature = "ff7", feature = "mdx", feature = "gltf")),
    allow(dead_code, reason = "each family takes what it needs")
)]
mod tabular;
#[cfg(feature = "parkan")]
pub mod texm;
#[cfg(any(feature = "parkan", feature = "ff7", feature = "mdx"))]
mod texts;
mod values;
#[cfg(feature = "parkan")]
mod wear;

use std::any::Any;
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;

use galvani_core::budget::is_exhaustion;
use galvani_core::map::MapRow;
use galvani_core::{
    Budget, Code, Codec, Diagnostic, EditError, Exhausted, FileMap, Meter, Path, Read, ReadError,
    ReadOptions, Report, Scrutiny, Verdict, WriteError, room,
};

use crate::diff::Change;
use crate::{budget, codes};

pub use ability::{Animated, Archive, Declared, Drawn, Member, Model, Picture, Referring, RequestError};
pub use argument::{
    ArgumentKind, ArgumentValue, ClipSelector, Each, File, Indices, NamedFile, Thing, Within,
};
pub use comparable::Comparable;
pub(crate) use comparable::{List, NamedContent, Records};
pub use encoding::{Encoded, Encoding, MadePixels, PixelRoom, Wish};
#[cfg(feature = "gltf")]
pub(crate) use gltf::named_pictures as gltf_pictures;
pub use links::{ArchiveLinks, Around, Links, MOST_NAMES, MemberLinks, Shelf, Site};
pub use lowering::{LowerRequest, Lowering, Transcribe};
pub use mend::{Consent, Mend, mends_of};
pub use operation::{Arg, Files, Operation, Step, StepError};
pub use outline::{
    Audience, Cell, Column, Fact, Flags, ListStyle, MEMBER, Outline, OutlineCount, Section, Span, Unknown,
};
#[cfg(feature = "texture")]
pub use pictures::AlphaBits;
pub use playing::{Playback, PlayedEvent, PlayedMoment};
pub use pose::{
    Angles, ClipLabel, ClipSpan, NodePose, Pose, PoseBranch, PoseKind, PoseProperty, PoseSource,
    PropertyValue,
};
pub use query::{DrawCall, DrawView, EdgeNeighbour, Plane, Ray, RayHit, SlotChoice};
pub use reference::{Reference, Role};
pub use sampling::{EdgesOption, RestOption, RootOption, Samples, Sampling, Space, Times, Y};
pub use select::Selector;
pub use setting::{Setting, Settings};
pub use tabular::{ClipRow, LayerRow, NodeRow, SectionRow, TableRow, Tabular, TimeUnit, TrackRow, Variety};
pub(crate) use values::{tag_value, text_value};

/// Every format there is; of equally likely ones the first counts.
pub static FORMATS: &[&dyn Format] = &[
    #[cfg(feature = "parkan")]
    &msh::Msh,
    #[cfg(feature = "parkan")]
    &nres::Nres,
    #[cfg(feature = "parkan")]
    &rsli::Rsli,
    #[cfg(feature = "parkan")]
    &texm::Texm,
    #[cfg(feature = "ff7")]
    &ff7_pack::Pack,
    #[cfg(feature = "ff7")]
    &ff7_skeleton::BattleSkeleton,
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
    #[cfg(feature = "mdx")]
    &mdl::Mdl,
    #[cfg(feature = "texture")]
    &blp::Blp,
    #[cfg(feature = "texture")]
    &dds::Dds,
    #[cfg(feature = "gltf")]
    &gltf::Gltf,
    // These two have no mark of their own: whatever else a file may be, it is that.
    #[cfg(feature = "parkan")]
    &mat0::Mat0,
    #[cfg(feature = "parkan")]
    &wear::Wear,
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
    /// Whether its files are archives, and say so by their first bytes.
    pub is_archive: bool,
    /// Topics on which its documentation and real files disagree.
    pub topics: &'static [&'static str],
    /// Everything that can be wrong with it or its edits: tables of codes.
    pub codes: &'static [&'static [&'static Code]],
    /// Everything that can be done to its documents.
    pub operations: &'static [Operation],
    /// What can be done about what is wrong with them, in the order in which it is done.
    pub mends: &'static [Mend],
    /// What it may be told about reading it, beside what every format is.
    pub reading: &'static [Setting],
    /// What may be said about its poses.
    pub sampling: &'static [Setting],
    /// What may be said about playing it.
    pub playing: &'static [Setting],
    /// What may be said about its models as scenes.
    pub lifting: &'static [Setting],
    /// What may be said about its pictures.
    pub picturing: &'static [Setting],
    /// How pictures become files of it, if they can.
    pub encoding: Option<&'static Encoding>,
    /// What the way back from a scene takes, if there is one.
    pub way_back: Option<WayBack>,
    /// How scenes become files of it, if they can.
    pub lowering: Option<Lowering>,
    /// How its files are folded, if their values do not stand in bytes of their own.
    pub folding: Option<Folding>,
    /// How new archives of it are made of models, if they can be.
    pub gathering: Option<Gathering>,
}

/// Makes an archive of files with their names.
pub type Gather = fn(&[(String, Vec<u8>)]) -> Result<Vec<u8>, EditError>;

/// How a new archive is made of the files of a model.
#[derive(Debug, Clone, Copy)]
pub struct Gathering {
    /// What models it holds, by the words for them, the usual ones first.
    pub words: &'static [&'static str],
    /// The archive of files with their names.
    pub gather: Gather,
}

/// How files are folded in which a value is told by others: by how it differs from them, by bits.
#[derive(Debug, Clone, Copy)]
pub struct Folding {
    /// The file with every value in bytes of its own, if all of it comes back from that.
    pub unfold: fn(&dyn Document) -> Result<Option<Unfolded>, Exhausted>,
    /// The file again; nothing if it is none.
    pub fold: fn(&[u8]) -> Folded,
}

/// A file that was folded; nothing if it is none.
pub type Folded = Result<Option<Vec<u8>>, Exhausted>;

/// A file that is unfolded.
#[derive(Debug)]
pub struct Unfolded {
    /// All of it.
    pub bytes: Vec<u8>,
    /// Where its tables begin, and bytes from a row to the next.
    pub tables: Vec<(Path, usize, usize)>,
}

/// Gives the node of a number another name.
pub type Rename = fn(&mut dyn Document, usize, &[u8]) -> Result<(), EditError>;

/// What the way back from a scene takes.
#[derive(Debug, Clone, Copy)]
pub struct WayBack {
    /// What models of this kind are called by whoever wants one.
    pub word: &'static str,
    /// How the values of scenes lie in its files.
    pub codecs: &'static [Codec],
    /// Extensions of those of its files that go by the model's name.
    pub namesakes: &'static [&'static str],
    /// Gives a node another name where its file says how long that is.
    pub rename: Option<Rename>,
    /// Words that mean something else than a name in its files.
    pub reserved: &'static [&'static str],
}

#[cfg(any(feature = "parkan", feature = "ff7", feature = "mdx"))]
impl WayBack {
    /// That of models which are called by a word, and have these codecs.
    const fn new(word: &'static str, codecs: &'static [Codec]) -> Self {
        WayBack { word, codecs, namesakes: &[], rename: None, reserved: &[] }
    }
}

#[cfg(any(feature = "parkan", feature = "ff7", feature = "mdx", feature = "texture", feature = "gltf"))]
impl Info {
    /// What a format says nothing else about.
    const PLAIN: Info = Info {
        id: "",
        name: "",
        extensions: &[],
        is_archive: false,
        topics: &[],
        codes: &[],
        operations: &[],
        mends: &[],
        reading: &[],
        sampling: &[],
        playing: &[],
        lifting: &[],
        picturing: &[],
        encoding: None,
        way_back: None,
        lowering: None,
        folding: None,
        gathering: None,
    };
}

/// How to open files: what every reader may be told, and what only some formats may.
#[derive(Debug, Clone, Default)]
pub struct OpenOptions {
    /// Readings, strictness, limits.
    pub read: ReadOptions,
    /// Options of formats. Those of others are passed over: a folder has files of many.
    pub settings: Settings,
}

impl From<ReadOptions> for OpenOptions {
    fn from(read: ReadOptions) -> Self {
        OpenOptions { read, settings: Settings::default() }
    }
}

/// A format: recognised, opened, built from a folder.
pub trait Format: Sync {
    /// What it is called and can do.
    fn info(&self) -> &'static Info;
    /// How likely it is that these bytes, perhaps of that name, are this format. Cheap.
    fn recognise(&self, file: &[u8], name: Option<&str>) -> Likelihood;
    /// How likely it is that a member is this format of which its archive says so much.
    fn recognise_declared(&self, _declared: Declared) -> Likelihood {
        Likelihood::No
    }
    /// Reads a document where it stands: what lies beside it may say what its own bytes do not. Whoever calls this has
    /// charged what it takes.
    fn read_at(&self, file: &[u8], options: &OpenOptions, site: &Site<'_>) -> Result<Opened, ReadError>;
    /// The same as an operation of its own, which is charged first.
    fn open_at(&self, file: &[u8], options: &OpenOptions, site: &Site<'_>) -> Result<Opened, ReadError> {
        budget::charge_reading(&options.read.budget.meter(&budget::READING, file.len()), file.len())?;
        self.read_at(file, options, site)
    }
    /// Reads a document that comes from nowhere.
    fn open(&self, file: &[u8], options: &OpenOptions) -> Result<Opened, ReadError> {
        self.open_at(file, options, &Site::NOWHERE)
    }
    /// Builds a file from what [`Document::unpack`] gave, edited or not. Whoever calls this has charged the folder itself.
    fn pack_within(&self, folder: &Packing<'_>) -> Result<Vec<u8>, WriteError>;
    /// The same as an operation of its own, which is charged first.
    fn pack(&self, folder: &Folder) -> Result<Vec<u8>, WriteError> {
        let meter = Budget::default().meter(&budget::PACKING, folder.size());
        budget::charge_packing(&meter, folder)?;
        self.pack_within(&Packing { folder, meter: &meter })
    }
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

#[cfg(any(feature = "parkan", feature = "ff7", feature = "mdx", feature = "texture", feature = "gltf"))]
impl Likelihood {
    /// Of a file that says so itself, or else has the name.
    fn by_magic(is_marked: bool, is_named: bool) -> Self {
        if is_marked { Likelihood::ByMagic } else { Likelihood::by_name(is_named) }
    }

    /// Of a file whose counts and offsets fit, or else has the name.
    #[cfg(any(feature = "parkan", feature = "ff7", feature = "mdx", feature = "gltf"))]
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
    #[cfg(any(feature = "parkan", feature = "ff7", feature = "mdx", feature = "texture", feature = "gltf"))]
    fn new<D: Document + 'static>(format: &'static dyn Format, read: Read<D>) -> Self {
        let Read { document, map, report, readings } = read;
        Opened { format, document: Box::new(document), map, report, readings }
    }

    /// The document as the type that its family's crate gives it; `None` if it is of another format.
    pub fn downcast<D: Document>(&self) -> Option<&D> {
        let document: &dyn Any = &*self.document;
        document.downcast_ref()
    }

    /// The same, to keep.
    pub fn into_document<D: Document>(self) -> Option<D> {
        let document: Box<dyn Any> = self.document;
        document.downcast().ok().map(|document| *document)
    }

    /// What it holds, for people and machines.
    pub fn outline(&self, site: &Site<'_>) -> Outline {
        self.document.outline(&self.map, site)
    }

    /// Its members, or why it has none.
    pub fn as_archive(&self) -> Result<&dyn Archive, RequestError> {
        self.document.as_archive().ok_or_else(|| self.lacks(&codes::NO_ARCHIVE).into())
    }

    /// Its poses, or why it has none.
    pub fn as_animated(&self) -> Result<&dyn Animated, RequestError> {
        self.document.as_animated().ok_or_else(|| self.lacks(&codes::NO_POSES).into())
    }

    /// Its model, or why it has none.
    pub fn as_model(&self) -> Result<&dyn Model, RequestError> {
        self.document.as_model().ok_or_else(|| self.lacks(&codes::NO_SCENE).into())
    }

    /// What draws and picks it, or why nothing does.
    pub fn as_drawn(&self) -> Result<&dyn Drawn, RequestError> {
        self.document.as_drawn().ok_or_else(|| self.lacks(&codes::NO_GEOMETRY).into())
    }

    /// Its picture, or why it has none.
    pub fn as_picture(&self) -> Result<&dyn Picture, RequestError> {
        self.document.as_picture().ok_or_else(|| self.lacks(&codes::NO_IMAGE).into())
    }

    /// Why nobody can use it for something: what it is instead, and who could.
    fn lacks(&self, code: &'static Code) -> Diagnostic {
        let info = self.format.info();
        let why = code.at(Path::root()).saying(format!("it is of the format {}, {}", info.id, info.name));
        let members = match self.document.as_archive() {
            Some(_) => "; a member of the archive may be: ARCHIVE/NAME",
            None => "",
        };
        let help = format!("{}{members}", why.help);
        why.advising(help)
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
        if scrutiny == Scrutiny::Pedantic {
            report.append(resolve::missing(self, site, &OpenOptions::default()));
        }
        let mut report = report.seen(scrutiny);
        report.locate(&self.map);
        report
    }
}

/// What every document can do, whatever its format.
pub trait Document: Any + fmt::Debug + Send + Sync {
    /// Everything that is wrong with it.
    fn check(&self) -> Report;
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
    /// What it holds, for people and machines; the map of the file that it was read from, and where that stands, may
    /// say more of it.
    fn outline(&self, map: &FileMap, site: &Site<'_>) -> Outline;
    /// What tells most of it in a line, without decoding anything: an archive of thousands asks each of its members.
    fn summary(&self) -> String;
    /// Everything it holds, as named values and files, if there is room for that.
    fn unpack(&self) -> Result<Folder, Exhausted> {
        self.room_for_folder()?;
        self.folder()
    }
    /// The same for comparing: in words where the folder has what only builds the file, and of long lists nothing but how
    /// their items are made.
    fn comparable(&self) -> Result<Comparable<'_>, Exhausted> {
        self.folder_in_words().map(Comparable::from)
    }
    /// What [`unpack`](Document::unpack) gives, made of pieces most of which cannot say whether there is room for them.
    fn folder(&self) -> Result<Folder, Exhausted>;
    /// The same in words, where all of it is small enough to be compared so.
    fn folder_in_words(&self) -> Result<Folder, Exhausted> {
        self.folder()
    }
    /// Fails where there is no room for its folder.
    fn room_for_folder(&self) -> Result<(), Exhausted> {
        room::probe(self.file_len()?.saturating_mul(budget::FOLDED))
    }
    /// Bytes of its file; none where it cannot be written.
    fn file_len(&self) -> Result<usize, Exhausted> {
        match self.write() {
            Ok(file) => Ok(file.len()),
            Err(error) if is_exhaustion(&error.cause) => Err(Exhausted { cause: error.cause }),
            Err(_) => Ok(0),
        }
    }
    /// The file with what is under a cipher in the clear: what the rows of its map describe.
    fn in_the_clear<'a>(&self, file: &'a [u8]) -> Result<Cow<'a, [u8]>, Exhausted> {
        Ok(Cow::Borrowed(file))
    }
    /// What a value of its file stands for, where that is not the number itself.
    fn decoded(&self, _row: &MapRow<'_>) -> Option<serde_json::Value> {
        None
    }
    /// Tells what differs from another document of its format, where that is better said than by the folder's values; says
    /// whether it is.
    fn compare(&self, _other: &dyn Document, _tell: &mut dyn FnMut(Change)) -> Result<bool, Exhausted> {
        Ok(false)
    }
    /// The document of another form that it is the text of: what is asked of that is asked of this.
    fn stands_for(&self) -> Option<&dyn Document> {
        None
    }
    /// The same, to change it.
    fn stands_for_mut(&mut self) -> Option<&mut dyn Document> {
        None
    }
    /// Another one of it to change, if it stands for another form.
    fn text_copied(&self) -> Option<Result<Box<dyn Document>, Exhausted>> {
        None
    }
    /// Its members, if it is an archive.
    fn as_archive(&self) -> Option<&dyn Archive> {
        None
    }
    /// The same, to change them.
    fn as_archive_mut(&mut self) -> Option<&mut dyn Archive> {
        None
    }
    /// Its poses, if it moves.
    fn as_animated(&self) -> Option<&dyn Animated> {
        None
    }
    /// Its model, if it is one.
    fn as_model(&self) -> Option<&dyn Model> {
        None
    }
    /// What it names, if it names other files.
    fn as_referring(&self) -> Option<&dyn Referring> {
        None
    }
    /// What its engine draws and picks, if that is known.
    fn as_drawn(&self) -> Option<&dyn Drawn> {
        None
    }
    /// What it says of itself in tables over many documents.
    fn as_tabular(&self) -> Option<&dyn Tabular> {
        None
    }
    /// Its picture, if it is one.
    fn as_picture(&self) -> Option<&dyn Picture> {
        None
    }
}

/// A file taken apart: a manifest of named values, and the bytes that are nobody's fields.
#[derive(Debug, Clone, PartialEq)]
pub struct Folder {
    /// Named values; `format` says which format they build.
    pub manifest: serde_json::Value,
    /// Relative path with `/`, and bytes.
    pub files: BTreeMap<String, Vec<u8>>,
}

#[cfg(any(feature = "parkan", feature = "ff7", feature = "mdx", feature = "texture", feature = "gltf"))]
impl Folder {
    /// The manifest as its format has it; what is of another type is refused with its place.
    fn manifest_as<M: serde::de::DeserializeOwned>(&self) -> Result<M, WriteError> {
        serde_path_to_error::deserialize(&self.manifest).map_err(|error| {
            let (place, why) = (error.path().to_string(), error.inner());
            let said = if place == "." { why.to_string() } else { format!("{place}: {why}") };
            codes::MANIFEST.at(Path::named("manifest")).saying(said).into()
        })
    }
}

impl Folder {
    /// How many bytes it has: its files, and its manifest as short as it can be written.
    pub fn size(&self) -> usize {
        let files = self.files.values().map(Vec::len).fold(0, usize::saturating_add);
        files.saturating_add(self.manifest_size())
    }

    /// About how many bytes its manifest has.
    pub(crate) fn manifest_size(&self) -> usize {
        written(&self.manifest)
    }
}

/// About how many bytes a value has as JSON.
fn written(value: &serde_json::Value) -> usize {
    use serde_json::Value::{Array, Object, String};
    let inside = match value {
        String(text) => text.len(),
        Array(values) => values.iter().map(written).fold(0, usize::saturating_add),
        Object(values) => values
            .iter()
            .fold(0, |sum: usize, (key, value)| sum.saturating_add(key.len()).saturating_add(written(value))),
        _ => 0,
    };
    inside.saturating_add(2)
}

/// A folder that a file is built from, and what that may take. However often its manifest names a file, each copy is charged.
#[derive(Debug, Clone, Copy)]
pub struct Packing<'a> {
    /// The folder.
    pub folder: &'a Folder,
    /// What is left of the budget.
    pub meter: &'a Meter,
}

impl Deref for Packing<'_> {
    type Target = Folder;

    fn deref(&self) -> &Folder {
        self.folder
    }
}

#[cfg(any(feature = "parkan", feature = "ff7", feature = "mdx", feature = "texture", feature = "gltf"))]
impl<'a> Packing<'a> {
    /// A file that the manifest names, to be looked at.
    fn file(&self, name: &str) -> Result<&'a [u8], WriteError> {
        let found = self.folder.files.get(name).map(Vec::as_slice);
        found.ok_or_else(|| {
            let said = format!("no file `{name}` in the folder");
            codes::MANIFEST.at(Path::named("manifest")).saying(said).into()
        })
    }

    /// The bytes of a file, which become part of what is built.
    fn part(&self, name: &str) -> Result<&'a [u8], WriteError> {
        let bytes = self.file(name)?;
        self.charge(bytes.len())?;
        Ok(bytes)
    }

    /// A copy of a file.
    fn copied(&self, name: &str) -> Result<Vec<u8>, WriteError> {
        Ok(room::copied(self.part(name)?)?)
    }

    /// A file of values as text.
    fn text(&self, name: &str) -> Result<&'a [u8], WriteError> {
        let text = self.file(name)?;
        self.charge_text(text)?;
        Ok(text)
    }

    /// Charges what becomes of a text.
    fn charge_text(&self, text: &[u8]) -> Result<(), Exhausted> {
        budget::charge_folder(self.meter, text.len())
    }

    /// Charges so many bytes of what is built.
    fn charge(&self, len: usize) -> Result<(), Exhausted> {
        self.meter.memory(len)?;
        self.meter.work(len)
    }
}

/// Why what a folder builds does not read: there is no room for it, or the folder is wrong as `wrong` tells.
#[cfg(any(feature = "parkan", feature = "ff7"))]
pub(crate) fn unreadable(cause: Diagnostic, wrong: impl FnOnce(String) -> WriteError) -> WriteError {
    if is_exhaustion(&cause) { cause.into() } else { wrong(cause.to_string()) }
}

/// Where a record shows what packed numbers stand for; no value of its own.
pub(crate) const DECODED: &str = "decoded";

/// The format with that id.
pub fn by_id(id: &str) -> Option<&'static dyn Format> {
    FORMATS.iter().copied().find(|format| format.info().id == id)
}

/// The likeliest format: by magic, then by shape, then by name.
pub fn recognise(file: &[u8], name: Option<&str>) -> Option<&'static dyn Format> {
    recognise_at(file, name, None)
}

/// The same where an archive may say what its member is.
pub fn recognise_at(
    file: &[u8],
    name: Option<&str>,
    declared: Option<Declared>,
) -> Option<&'static dyn Format> {
    likeliest(file, name, declared, Likelihood::ByName)
}

/// The likeliest format of a file that nobody pointed at: its name alone proves nothing.
pub fn recognise_content(file: &[u8], name: Option<&str>) -> Option<&'static dyn Format> {
    likeliest(file, name, None, Likelihood::ByShape)
}

/// The likeliest format of a member that nobody pointed at.
pub fn recognise_member(file: &[u8], member: &Member) -> Option<&'static dyn Format> {
    likeliest(file, Some(&member.shown()), member.declared, Likelihood::ByShape)
}

fn likeliest(
    file: &[u8],
    name: Option<&str>,
    declared: Option<Declared>,
    at_least: Likelihood,
) -> Option<&'static dyn Format> {
    let mut best = None;
    for &format in FORMATS {
        let said = declared.map_or(Likelihood::No, |declared| format.recognise_declared(declared));
        let likelihood = format.recognise(file, name).max(said);
        if likelihood >= at_least && best.is_none_or(|(most, _)| likelihood > most) {
            best = Some((likelihood, format));
        }
    }
    best.map(|(_, format)| format)
}

/// Whether a file's name ends in one of a format's extensions.
#[cfg(any(feature = "parkan", feature = "ff7", feature = "mdx", feature = "texture", feature = "gltf"))]
fn has_extension(name: Option<&str>, info: &Info) -> bool {
    let extension =
        name.and_then(|name| name.rsplit_once('.')).map(|(_, extension)| extension.to_lowercase());
    extension.is_some_and(|extension| info.extensions.contains(&extension.as_str()))
}
