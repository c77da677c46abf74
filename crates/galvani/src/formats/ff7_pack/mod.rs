//! FF7 battle animation packs behind the common door.

mod animation;
mod compare;
mod edit;
mod folder;
mod pairs;
mod sample;
mod tables;

use std::any::Any;

use galvani_core::{
    EditError, Exhausted, FileMap, Path, ReadError, ReadOptions, Report, SampleError, Strictness, WriteError,
};
use galvani_ff7::names;
use galvani_ff7::pack::codec::{Frames, Stop};
use galvani_ff7::pack::{
    self, Bones, Document, Entry, EntryContent, KnownSkeleton, Role, Survey, Surveyed, Word, check, survey,
};
use galvani_ff7::skeleton;

use super::argument::File;
use super::ff7_model::{Beside, Lifting, Piece, holds};
use super::outline::in_a_line;
use super::setting::settings;
use super::{
    Animated, Archive, Cell, ClipSpan, Column, Fact, Folder, Folding, Format, Info, Likelihood, Member,
    Model, OpenOptions, Opened, Outline, OutlineCount, Packing, Samples, Sampling, Section, Site, Space,
    Span, Tabular, Unfolded, Y, has_extension,
};
use crate::codes;
use crate::diff::Change;

/// Frames a second in battle.
const FRAME_RATE: f32 = 15.0;

/// The animations of a model in battle.
#[derive(Debug)]
pub(super) struct Pack;

static INFO: Info = Info {
    id: "ff7-pack",
    name: "battle animation pack (Final Fantasy VII)",
    extensions: &["a00"],
    topics: &[pack::WALK, pack::FRAMES],
    codes: &[check::ALL, pack::edit::ALL],
    lifting: Lifting::SETTINGS,
    operations: edit::OPERATIONS,
    mends: edit::MENDS,
    reading: KnownModel::SETTINGS,
    sampling: Posing::SETTINGS,
    folding: Some(Folding { unfold, fold: pack::unfold::folded }),
    ..Info::PLAIN
};

/// A pack with its streams unfolded.
fn unfold(document: &dyn super::Document) -> Result<Option<Unfolded>, Exhausted> {
    let document: &dyn Any = document;
    let Some(document) = document.downcast_ref() else { return Ok(None) };
    let made = pack::unfold::unfolded(document)?;
    Ok(made.map(|pack::unfold::Unfolded { bytes, tables }| Unfolded { bytes, tables }))
}

impl Format for Pack {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn recognise(&self, file: &[u8], name: Option<&str>) -> Likelihood {
        Likelihood::by_shape(
            pack::is_shaped(file),
            has_extension(name, &INFO) || holds(name, |file| file == names::File::Pack),
        )
    }

    fn read_at(&self, file: &[u8], options: &OpenOptions, site: &Site<'_>) -> Result<Opened, ReadError> {
        let KnownModel { bones, skeleton } = KnownModel::from_settings(&options.settings);
        let named = skeleton.map(|File(file)| read_named_skeleton(&file)).transpose()?;
        let model = pack::ModelHints { bones, named, beside: Beside::look(site)?.skeleton };
        Ok(Opened::new(&Pack, pack::read_of(file, &options.read, model)?))
    }

    fn pack_within(&self, folder: &Packing<'_>) -> Result<Vec<u8>, WriteError> {
        folder::pack(folder)
    }
}

settings! {
    /// What somebody knows of the model that a pack moves.
    pub struct KnownModel {
        /// How many bones it has, whatever the pack says.
        bones: Option<usize> = None, "how many bones the model of an animation pack has, whatever the pack says";
        /// The file of its skeleton.
        skeleton: Option<File> = None, "the skeleton of the model of an animation pack, instead of the one beside it";
    }
}

settings! {
    /// How frames are shown.
    pub struct Posing {
        /// Relative to what.
        space: Space = Space::Local, "relative to the parent or to the model [default: local]";
        /// Which way up positions are.
        y: Y = Y::Stored, "the sign of Y in positions, as stored or reversed [default: stored]";
    }
}

/// The skeleton that somebody names; it must be one.
fn read_named_skeleton(file: &[u8]) -> Result<skeleton::Document, ReadError> {
    let strict = ReadOptions { strictness: Strictness::Strict, ..ReadOptions::default() };
    match skeleton::is_shaped(file).then(|| skeleton::read(file, &strict)) {
        Some(Ok(read)) => Ok(read.document),
        Some(Err(why)) => Err(codes::NO_SKELETON.at(Path::root()).saying(why.to_string()).into()),
        None => Err(codes::NO_SKELETON.at(Path::root()).into()),
    }
}

impl super::Document for Document {
    fn check(&self) -> Report {
        check(self, self.skeleton.as_ref())
    }

    fn check_links(&self, _site: &Site<'_>) -> Report {
        let mut report = Report::default();
        check::skeleton_bones(self, &mut report);
        report
    }

    fn write(&self) -> Result<Vec<u8>, WriteError> {
        pack::write(self)
    }

    fn make_canonical(&mut self) -> Result<Report, EditError> {
        pack::edit::make_canonical(self)
    }

    fn outline(&self, _map: &FileMap, site: &Site<'_>) -> Outline {
        let document = self;
        let survey = survey(document, document.skeleton.as_ref());
        let entries = || document.entries.iter().zip(&survey.entries);
        let of_kind = |kind: &str| entries().filter(|(_, entry)| entry.kind() == kind).count();
        let frames = entries().filter_map(|(_, entry)| Some(entry.clip()?.engine.frames)).sum();
        Outline {
            counts: vec![
                OutlineCount::new("frames", "frame", frames),
                OutlineCount::new("entries", "entry", document.entries.len()),
                OutlineCount::new("body", "body animation", of_kind("body")).many("body animations"),
                OutlineCount::new("weapon", "weapon animation", of_kind("weapon")).many("weapon animations"),
                OutlineCount::new("empty", "empty slot", of_kind("empty")).many("empty slots"),
                OutlineCount::new("damaged", "damaged entry", of_kind("damaged")).many("damaged entries"),
                OutlineCount::new("rest_bytes", "byte behind the last entry", document.rest.len())
                    .many("bytes behind the last entry"),
            ],
            facts: bones(&survey).into_iter().chain(Beside::look(site).unwrap_or_default().facts()).collect(),
            sections: entry_sections(document, entries()),
            unknown: Vec::new(),
        }
    }

    fn summary(&self) -> String {
        let used = || self.entries.iter().filter(|entry| !entry.is_empty());
        let frames = used().fold(0, |sum: u64, entry| sum.saturating_add(entry.dw_frames.into()));
        let frames = OutlineCount { count: frames, ..OutlineCount::new("frames", "frame", 0) };
        in_a_line(&[OutlineCount::new("clips", "clip", used().count()), frames])
    }

    fn folder(&self) -> Result<Folder, Exhausted> {
        Ok(folder::unpack(self))
    }

    fn compare(&self, other: &dyn super::Document, tell: &mut dyn FnMut(Change)) -> Result<bool, Exhausted> {
        let other: &dyn Any = other;
        Ok(other.downcast_ref::<Document>().map(|other| compare::compare(self, other, tell)).is_some())
    }

    fn as_tabular(&self) -> Option<&dyn Tabular> {
        Some(self)
    }

    fn as_archive(&self) -> Option<&dyn Archive> {
        Some(self)
    }

    fn as_archive_mut(&mut self) -> Option<&mut dyn Archive> {
        Some(self)
    }

    fn as_animated(&self) -> Option<&dyn Animated> {
        Some(self)
    }

    fn as_model(&self) -> Option<&dyn Model> {
        Some(self)
    }
}

/// The battle model that it is a piece of, if the skeleton lies beside it.
impl Piece for Document {}

/// Its members are the payloads of its entries, which have no names.
impl Archive for Document {
    fn members(&self) -> Vec<Member> {
        (0..self.entries.len()).map(|i| Member::named(i.to_string().into_bytes())).collect()
    }

    fn member(&self, index: usize) -> Option<&[u8]> {
        self.entries.get(index).map(|entry| entry.payload.as_slice())
    }

    fn set_member(&mut self, index: usize, bytes: Vec<u8>) -> Result<(), EditError> {
        pack::edit::replace(self, index, bytes)
    }
}

impl Animated for Document {
    fn clips(&self) -> Result<Vec<ClipSpan>, SampleError> {
        Ok(sample::clips(self))
    }

    fn sample<'a>(&'a self, wanted: &'a Sampling) -> Result<Samples<'a>, SampleError> {
        wanted.settings.only::<SampleError>(Posing::SETTINGS)?;
        sample::run(self, wanted, Posing::from_settings(&wanted.settings))
    }
}

/// How many bones there are, and who says so.
fn bones(survey: &Survey) -> [Fact; 2] {
    let first = survey.entries.iter().filter(|entry| entry.role == Role::Body).find_map(Surveyed::clip);
    let taken = first.map(|clip| clip.rotations.saturating_sub(1));
    let (bones, said_by) = match survey.bones {
        Bones::Known(KnownSkeleton { bones, word: Word::Caller, .. }) => (Some(bones), "whoever asks"),
        Bones::Known(KnownSkeleton { bones, word: Word::Beside, .. }) => {
            (Some(bones), "the skeleton beside it")
        }
        Bones::Own => (taken, "the pack"),
        Bones::Nobody => (taken, "nobody: a guess"),
    };
    let parts = vec![Cell::part("bones", bones), Cell::part("said_by", said_by)];
    let words = bones.map(|bones| format!("{bones}, said by {said_by}"));
    [Fact::machines("skeleton", Cell::Parts(parts)), Fact::people("bones", words.into())]
}

/// Entries, with their frames first: those of the rule taken, and for those who ask what everyone says.
fn entry_sections<'a>(
    document: &Document,
    entries: impl Iterator<Item = (&'a Entry, &'a Surveyed)>,
) -> Vec<Section> {
    let (mut buffer, mut counts) = (Frames::default(), Vec::new());
    let rows = entries.enumerate().map(|(i, (entry, surveyed))| {
        let clip = surveyed.clip();
        let engine = clip.map(|clip| clip.engine.frames);
        let printed = clip.map(|clip| clip.stream(entry).end(Stop::Printed, &mut buffer).frames);
        let said = [
            ("engine", Cell::from(engine)),
            ("printed", Cell::from(printed)),
            ("sFrames", Cell::from(clip.and_then(|clip| clip.header.s_frames()))),
            ("dwFrames", Cell::from(entry.dw_frames)),
        ];
        let taken = if document.stop() == Stop::Printed { printed } else { engine };
        let span = taken.map(|frames| Cell::Span(Span::frames(frames, FRAME_RATE)));
        counts.push([vec![Cell::from(i)], said.iter().map(|(_, count)| count.clone()).collect()].concat());
        vec![
            i.into(),
            taken.into(),
            span.unwrap_or_default(),
            Cell::Parts(said.map(|(name, count)| Cell::part(name, count)).to_vec()),
            Cell::text(i.to_string()),
            surveyed.kind().into(),
            clip.map(|clip| clip.rotations).into(),
            clip.map(|clip| clip.key.byte()).into(),
            clip.map(|clip| clip.engine.bit).into(),
            clip.map(|clip| clip.slack_bits(entry)).into(),
            clip.map(|clip| clip.trailing(entry).len()).into(),
            entry.payload.len().into(),
            damage(surveyed).into(),
        ]
    });
    let rows = rows.collect();
    let columns = [
        Column::new("index", "#"),
        Column::people("frames"),
        Column::new("duration", "length").optional(),
        Column::machines("frames"),
        Column::machines("name"),
        Column::new("kind", "kind"),
        Column::new("rotations", "rotations"),
        Column::new("key", "key"),
        Column::machines("stream_bits"),
        Column::machines("slack_bits"),
        Column::machines("trailing_bytes"),
        Column::new("size", "bytes"),
        Column::new("damage", "damage").optional(),
    ];
    let accounts = ["#", "engine", "printed", "sFrames", "dwFrames"].map(Column::people);
    vec![
        Section::new("entries", "Animations", &columns, rows),
        Section::of_reading("Frames as each account has them", &accounts, counts),
    ]
}

/// What is wrong with an entry: its code without the format's name.
fn damage(surveyed: &Surveyed) -> Option<&'static str> {
    match &surveyed.content {
        EntryContent::Damaged { why, .. } => Some(why.code().name.trim_start_matches("ff7-pack.")),
        EntryContent::Empty | EntryContent::Animation(_) => None,
    }
}

/// Where an entry is, for findings.
fn place(entry: usize) -> Path {
    Path::named("entries").index(entry)
}
