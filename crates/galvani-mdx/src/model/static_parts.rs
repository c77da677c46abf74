//! MODL, SEQS and CAMS: parts without a node (docs/formats/mdx-records.md#modl, #seqs, #cams).

use galvani_core::Reading;
use galvani_core::record::Record;

use super::Write;
use crate::Family;
use crate::cursor::{Cursor, Outcome, Part};
use crate::out::Out;
use crate::track::{Owner, Track, tracks, write_all};
use crate::wire;

/// MODL: what the model says of itself.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Model {
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

impl Part for Model {
    const LEAST: usize = 372;

    fn read(c: &mut Cursor<'_, '_>) -> Outcome<Self> {
        let fixed = c.fixed()?;
        let end = match c.context.family {
            Family::Warcraft => ModelEnd::Warcraft(c.fixed()?),
            Family::Wow => ModelEnd::Wow(c.fixed()?),
        };
        Ok(Model { fixed, end })
    }
}

impl Write for Model {
    fn write(&self, out: &mut Out) {
        out.record(&self.fixed);
        match &self.end {
            ModelEnd::Warcraft(end) => out.record(end),
            ModelEnd::Wow(end) => out.record(end),
        }
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

/// The sequences of a chunk whose size was held against their stride.
pub(crate) fn sequences(c: &mut Cursor<'_, '_>, reading: Reading) -> Outcome<Sequences> {
    match c.context.family {
        Family::Warcraft => {
            let count = c.remaining().checked_div(size_of::<wire::SequenceWarcraft>()).unwrap_or(0);
            Ok(Sequences::Warcraft(c.table("", count)?))
        }
        Family::Wow => {
            let head: wire::Count = c.fixed()?;
            let count = usize::try_from(head.count.get()).unwrap_or(usize::MAX);
            let rows = c.table("", count)?;
            if reading == Reading::Documented && count > 0 {
                c.rename_table(wire::SequenceDocumented::FIELDS);
            }
            Ok(Sequences::Wow(rows))
        }
    }
}

impl Write for Sequences {
    fn write(&self, out: &mut Out) {
        match self {
            Sequences::Warcraft(rows) => out.record(rows.as_slice()),
            Sequences::Wow(rows) => {
                out.count(rows.len());
                out.record(rows.as_slice());
            }
        }
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

impl Part for Camera {
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
