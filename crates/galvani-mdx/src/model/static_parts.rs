//! VERS, MODL, SEQS, GLBS and CAMS: parts without a node
//! (docs/formats/mdx-records.md#vers, #modl, #seqs, #glbs, #cams).

use galvani_core::Reading;
use galvani_core::record::Record;
use zerocopy::little_endian::U32;

use super::Write;
use crate::chunk::{Counted, EachText, Layout, OwnLayout, Table, counted, exactly, multiple_of};
use crate::cursor::{Cursor, Outcome, ReadPart};
use crate::out::Out;
use crate::track::{Owner, Track, tracks, write_all};
use crate::visit::{Visit, texts_of, visit};
use crate::{Family, MODEL_WARCRAFT, MODEL_WOW, check, wire};

/// VERS.
impl Layout<u32> for OwnLayout {
    fn read(c: &mut Cursor<'_, '_>) -> Outcome<u32> {
        exactly(c, &check::CHUNK_SIZE, size_of::<wire::Version>())?;
        Ok(c.fixed::<wire::Version>()?.version.get())
    }

    fn write(version: &u32, out: &mut Out) {
        out.u32(*version);
    }

    fn len(_: &u32) -> usize {
        1
    }
}

/// MODL: what the model says of itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct ModelChunk {
    /// Name and bounds.
    pub fixed: wire::Model,
    /// Where the families differ.
    pub end: ModelEnd,
}

/// The end of MODL.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum ModelEnd {
    /// In Warcraft III.
    Warcraft(wire::ModelWarcraft),
    /// In WoW.
    Wow(wire::ModelWow),
}

impl Layout<Box<ModelChunk>> for OwnLayout {
    fn read(c: &mut Cursor<'_, '_>) -> Outcome<Box<ModelChunk>> {
        let family = c.context.family;
        exactly(c, &check::CHUNK_SIZE, if family == Family::Wow { MODEL_WOW } else { MODEL_WARCRAFT })?;
        let fixed = c.fixed()?;
        let end = match family {
            Family::Warcraft => ModelEnd::Warcraft(c.fixed()?),
            Family::Wow => ModelEnd::Wow(c.fixed()?),
        };
        Ok(Box::new(ModelChunk { fixed, end }))
    }

    fn write(model: &Box<ModelChunk>, out: &mut Out) {
        out.record(&model.fixed);
        match &model.end {
            ModelEnd::Warcraft(end) => out.record(end),
            ModelEnd::Wow(end) => out.record(end),
        }
    }

    fn len(_: &Box<ModelChunk>) -> usize {
        1
    }

    fn texts<'a>(model: &'a Box<ModelChunk>, each: EachText<'_, 'a>) {
        texts_of(&model.fixed, &mut |field, room| each(None, field, room));
    }
}

/// SEQS: when on the model's timeline which animation plays.
#[derive(Debug, Clone, PartialEq)]
pub enum Sequences {
    /// In Warcraft III.
    Warcraft(Vec<wire::SequenceWarcraft>),
    /// In WoW, behind their count.
    Wow(Vec<wire::SequenceWow>),
}

impl Sequences {
    /// How many there are.
    pub fn len(&self) -> usize {
        match self {
            Sequences::Warcraft(rows) => rows.len(),
            Sequences::Wow(rows) => rows.len(),
        }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl wire::SequenceWow {
    /// The same bytes as the 0.9.0 document names them.
    pub fn documented(&self) -> wire::SequenceDocumented {
        zerocopy::transmute!(*self)
    }
}

impl Layout<Sequences> for OwnLayout {
    fn read(c: &mut Cursor<'_, '_>) -> Outcome<Sequences> {
        match c.context.family {
            Family::Warcraft => {
                let count = multiple_of(c, &check::SEQS_SIZE, size_of::<wire::SequenceWarcraft>())?;
                Ok(Sequences::Warcraft(c.table("", count)?))
            }
            Family::Wow => {
                // Even without bytes: the client reads the count in any case.
                let count = counted(c, &check::SEQS_SIZE, size_of::<wire::SequenceWow>())?;
                let rows = c.table("", count)?;
                if c.context.seqs == Reading::Documented && count > 0 {
                    c.rename_table(wire::SequenceDocumented::FIELDS);
                }
                Ok(Sequences::Wow(rows))
            }
        }
    }

    fn write(sequences: &Sequences, out: &mut Out) {
        match sequences {
            Sequences::Warcraft(rows) => Table::write(rows, out),
            Sequences::Wow(rows) => Counted::write(rows, out),
        }
    }

    fn len(sequences: &Sequences) -> usize {
        sequences.len()
    }

    fn texts<'a>(sequences: &'a Sequences, each: EachText<'_, 'a>) {
        match sequences {
            Sequences::Warcraft(rows) => Table::texts(rows, each),
            Sequences::Wow(rows) => Counted::texts(rows, each),
        }
    }
}

/// GLBS.
impl Layout<Vec<U32>> for OwnLayout {
    fn read(c: &mut Cursor<'_, '_>) -> Outcome<Vec<U32>> {
        let lengths: Vec<wire::Number> = Table::read(c)?;
        Ok(lengths.into_iter().map(|length| length.value).collect())
    }

    fn write(lengths: &Vec<U32>, out: &mut Out) {
        out.record(lengths.as_slice());
    }

    fn len(lengths: &Vec<U32>) -> usize {
        lengths.len()
    }
}

/// A camera.
#[derive(Debug, Clone, PartialEq)]
pub struct Camera {
    /// Where it stands and looks.
    pub fixed: wire::Camera,
    /// How that changes.
    pub tracks: Vec<Track>,
}

impl ReadPart for Camera {
    const LEAST: usize = 120;

    fn read(c: &mut Cursor<'_, '_>) -> Outcome<Self> {
        Ok(Camera { fixed: c.fixed()?, tracks: tracks(c, Owner::Camera)? })
    }
}

impl Write for Camera {
    fn write(&self, out: &mut Out) {
        out.sized(|out| {
            out.record(&self.fixed);
            write_all(&self.tracks, out);
        });
    }
}

impl Visit for Camera {
    visit!(tracks: Camera);
    visit!(texts: fixed);
}
