//! FF7 battle animation packs behind the common door.

mod animation;
mod compare;
mod edit;
mod folder;
mod pairs;
mod sample;

use std::any::Any;

use galvani_core::{EditError, Path, ReadError, ReadOptions, Report, SampleError, WriteError};
use galvani_ff7::names::File;
use galvani_ff7::pack::codec::{Frames, Stop};
use galvani_ff7::pack::{
    self, Bones, Clip, Content, Document, Entry, Role, Skeleton, Survey, Surveyed, Word, check, survey,
};
use serde_json::{Value, json};

use super::ff7_model::{Beside, holds};
use super::{
    Folder, Format, Info, Likelihood, Member, Opened, Outline, Samples, Sampling, Site, Step, Table,
    has_extension,
};
use crate::diff::Change;

/// The animations of a model in battle.
#[derive(Debug)]
pub(super) struct Pack;

static INFO: Info = Info {
    id: "ff7-pack",
    name: "battle animation pack (Final Fantasy VII)",
    extensions: &["a00"],
    topics: &[pack::WALK, pack::FRAMES],
    codes: &[check::ALL, pack::edit::ALL],
    operations: edit::OPERATIONS,
};

impl Format for Pack {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn recognise(&self, file: &[u8], name: Option<&str>) -> Likelihood {
        Likelihood::by_shape(
            pack::is_shaped(file),
            has_extension(name, &INFO) || holds(name, |file| file == File::Pack),
        )
    }

    fn open(&self, file: &[u8], options: &ReadOptions) -> Result<Opened, ReadError> {
        self.open_at(file, options, &Site::NOWHERE)
    }

    fn open_at(&self, file: &[u8], options: &ReadOptions, site: &Site<'_>) -> Result<Opened, ReadError> {
        let beside = Beside::of(site).told(options);
        let skeleton = beside.skeleton.as_ref().map(Into::into);
        let read = pack::read_beside(file, options, skeleton.as_ref())?;
        Ok(Opened::new(&Pack, read.map(|document| Moves { document, beside })))
    }

    fn pack(&self, folder: &Folder) -> Result<Vec<u8>, WriteError> {
        folder::pack(folder)
    }
}

/// A pack and what lies beside it.
#[derive(Debug)]
struct Moves {
    document: Document,
    beside: Beside,
}

impl super::Document for Moves {
    fn check(&self) -> Report {
        check(&self.document, self.document.skeleton.as_ref())
    }

    fn check_links(&self, _site: &Site<'_>) -> Report {
        let mut report = Report::default();
        check::skeleton_bones(&self.document, &mut report);
        report
    }

    fn write(&self) -> Result<Vec<u8>, WriteError> {
        pack::write(&self.document)
    }

    fn make_canonical(&mut self) -> Result<Report, EditError> {
        pack::edit::make_canonical(&mut self.document)
    }

    fn outline(&self) -> Outline {
        let document = &self.document;
        let survey = survey(document, document.skeleton.as_ref());
        let entries = || document.entries.iter().zip(&survey.entries);
        let of_kind = |kind: &str| count(entries().filter(|(_, entry)| entry.kind() == kind).count());
        let frames = entries().filter_map(|(_, entry)| Some(entry.clip()?.engine.frames)).sum();
        Outline {
            counts: vec![
                ("entries", count(document.entries.len())),
                ("body", of_kind("body")),
                ("weapon", of_kind("weapon")),
                ("empty", of_kind("empty")),
                ("damaged", of_kind("damaged")),
                ("frames", count(frames)),
                ("rest_bytes", count(document.rest.len())),
            ],
            facts: vec![("skeleton", bones(&survey)), ("model", self.beside.to_json())],
            tables: vec![entries_table(entries())],
            unknown: Vec::new(),
        }
    }

    fn unpack(&self) -> Folder {
        folder::unpack(&self.document)
    }

    fn edit(&mut self, step: &Step) -> Result<Report, EditError> {
        edit::run(self, step)
    }

    fn compare(&self, other: &dyn super::Document) -> Option<Vec<Change>> {
        let other: &dyn Any = other;
        other.downcast_ref::<Moves>().map(|other| compare::changes(&self.document, &other.document))
    }

    fn sample(&self, wanted: &Sampling) -> Result<Samples, SampleError> {
        sample::run(self, wanted)
    }

    fn members(&self) -> Option<Vec<Member>> {
        let name = |i: usize| Member { name: i.to_string().into_bytes() };
        Some((0..self.document.entries.len()).map(name).collect())
    }

    fn member(&self, index: usize) -> Option<&[u8]> {
        self.document.entries.get(index).map(|entry| entry.payload.as_slice())
    }

    fn set_member(&mut self, index: usize, bytes: Vec<u8>) -> Result<(), EditError> {
        pack::edit::replace(&mut self.document, index, bytes)
    }
}

/// How many bones there are, and who says so.
fn bones(survey: &Survey) -> Value {
    let first = survey.entries.iter().filter(|entry| entry.role == Role::Body).find_map(Surveyed::clip);
    let taken = first.map(|clip| clip.rotations.saturating_sub(1));
    let (bones, said_by) = match survey.bones {
        Bones::Known(Skeleton { bones, word: Word::Told, .. }) => (Some(bones), "whoever asks"),
        Bones::Known(Skeleton { bones, word: Word::Beside, .. }) => (Some(bones), "the skeleton beside it"),
        Bones::Own => (taken, "the pack"),
        Bones::Nobody => (taken, "nobody: a guess"),
    };
    json!({"bones": bones, "said_by": said_by})
}

fn entries_table<'a>(entries: impl Iterator<Item = (&'a Entry, &'a Surveyed)>) -> Table {
    let mut rows = Frames::default();
    let rows = entries.enumerate().map(|(i, (entry, surveyed))| {
        let clip = surveyed.clip();
        let of =
            |value: fn(&Clip, &Entry) -> usize| clip.map_or(Value::Null, |clip| json!(value(clip, entry)));
        vec![
            json!(i),
            json!(i.to_string()),
            json!(surveyed.kind()),
            of(|clip, _| clip.rotations),
            frame_counts(entry, clip, &mut rows),
            clip.map_or(Value::Null, |clip| json!(clip.key.byte())),
            of(|clip, _| clip.engine.bit),
            of(Clip::slack_bits),
            of(|clip, entry| clip.trailing(entry).len()),
            json!(entry.payload.len()),
            damage(surveyed),
        ]
    });
    Table {
        key: "entries",
        columns: &[
            "index",
            "name",
            "kind",
            "rotations",
            "frames",
            "key",
            "stream_bits",
            "slack_bits",
            "trailing_bytes",
            "size",
            "damage",
        ],
        optional: &["damage"],
        rows: rows.collect(),
    }
}

/// What everyone says about the number of frames.
fn frame_counts(entry: &Entry, clip: Option<&Clip>, rows: &mut Frames) -> Value {
    json!({
        "engine": clip.map(|clip| clip.engine.frames),
        "printed": clip.map(|clip| clip.stream(entry).end(Stop::Printed, rows).frames),
        "sFrames": clip.and_then(|clip| clip.header.s_frames()),
        "dwFrames": entry.dw_frames,
    })
}

/// What is wrong with an entry: its code without the format's name.
fn damage(surveyed: &Surveyed) -> Value {
    match &surveyed.content {
        Content::Damaged { why, .. } => json!(why.code().name.trim_start_matches("ff7-pack.")),
        Content::Empty | Content::Animation(_) => Value::Null,
    }
}

fn count(len: usize) -> u64 {
    u64::try_from(len).unwrap_or(u64::MAX)
}

/// Where an entry is, for findings.
fn place(entry: usize) -> Path {
    Path::of("entries").index(entry)
}
