//! What a document says, whichever chunk and family says it.

use std::borrow::Cow;

use galvani_core::{Reading, text};

use crate::model::{ModelChunk, Node, Sequences};
use crate::wire::{SequenceWarcraft, SequenceWow, Texture, Vec3};
use crate::{Content, Document};

/// The bit of a node that keeps its parent's translation away.
const NO_TRANSLATION: u32 = 1;

/// The lower of the two bits whose names are disputed (docs/formats/mdx-records.md#node).
const DISPUTED_LOW: u32 = 2;

/// The higher of them.
const DISPUTED_HIGH: u32 = 4;

/// A sequence of either family.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Sequence<'a> {
    /// Of Warcraft III.
    Warcraft(&'a SequenceWarcraft),
    /// Of WoW.
    Wow(&'a SequenceWow),
}

impl<'a> Sequence<'a> {
    /// The room of its name. As the document of WoW has it, the first words are ids.
    pub fn name(self) -> &'a [u8; 80] {
        match self {
            Sequence::Warcraft(row) => &row.name.0,
            Sequence::Wow(row) => &row.name.0,
        }
    }

    /// Its first millisecond.
    pub fn start(self) -> i64 {
        self.window().0
    }

    /// Its last millisecond.
    pub fn end(self) -> i64 {
        self.window().1
    }

    /// Its first and its last millisecond.
    pub fn window(self) -> (i64, i64) {
        match self {
            Sequence::Warcraft(row) => window(row.start.get(), row.end.get()),
            Sequence::Wow(row) => (row.start.get().into(), row.end.get().into()),
        }
    }

    /// The same numbers as the file has them: in Warcraft III none is negative.
    pub fn written(self) -> (i64, i64) {
        match self {
            Sequence::Warcraft(row) => (row.start.get().into(), row.end.get().into()),
            Sequence::Wow(_) => self.window(),
        }
    }

    /// Its bits.
    pub fn flags(self) -> u32 {
        match self {
            Sequence::Warcraft(row) => row.flags.get(),
            Sequence::Wow(row) => row.flags.get(),
        }
    }

    /// Whether it begins anew when it ends.
    pub fn is_looping(self) -> bool {
        self.flags() & 1 == 0
    }
}

/// Characters that make a text of what might be a number: a name speaks for itself from three on.
const TEXT: usize = 3;

/// Whether a room holds a name of any length, or nothing at all.
fn is_named(room: &[u8]) -> bool {
    text::before_nul(room).iter().all(|byte| !byte.is_ascii_control())
}

/// Whether a room holds a text that ends, rather than numbers.
pub(crate) fn is_text(room: &[u8]) -> bool {
    let name = text::before_nul(room);
    let printable = name.iter().take_while(|byte| (b' '..=b'~').contains(byte)).count();
    name.len() < room.len() && printable >= TEXT
}

/// A window of Warcraft III, whose numbers have no sign. What begins where no key can lie begins before 0: −167 is
/// written as 4294967129.
fn window(start: u32, end: u32) -> (i64, i64) {
    let (signed_start, signed_end) = (start.cast_signed(), end.cast_signed());
    if signed_start >= 0 {
        return (start.into(), end.into());
    }
    (signed_start.into(), signed_end.into())
}

/// What a node takes over from its parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Inherit {
    /// Where it is.
    pub translation: bool,
    /// How it is turned.
    pub rotation: bool,
    /// How large it is.
    pub scaling: bool,
}

impl Sequences {
    /// The sequences of this chunk in order.
    pub fn rows(&self) -> Vec<Sequence<'_>> {
        match self {
            Sequences::Warcraft(rows) => rows.iter().map(Sequence::Warcraft).collect(),
            Sequences::Wow(rows) => rows.iter().map(Sequence::Wow).collect(),
        }
    }
}

impl Document {
    /// The sequences of all SEQS chunks in order.
    pub fn sequences(&self) -> Vec<Sequence<'_>> {
        let rows = self.chunks.iter().filter_map(|chunk| match &chunk.content {
            Content::Sequences(rows) => Some(rows.rows()),
            _ => None,
        });
        rows.flatten().collect()
    }

    /// What the model says of itself: the first MODL.
    pub fn model(&self) -> Option<&ModelChunk> {
        self.chunks.iter().find_map(|chunk| match &chunk.content {
            Content::Model(model) => Some(model.as_ref()),
            _ => None,
        })
    }

    /// What a sequence is called: its name, or `4.1` where it has two numbers and no text.
    pub fn sequence_name<'a>(&self, sequence: Sequence<'a>) -> Cow<'a, str> {
        match self.sequence_ids(sequence).filter(|_| !is_text(sequence.name())) {
            Some((id, sub_id)) => format!("{id}.{sub_id}").into(),
            None => text::shown(sequence.name()),
        }
    }

    /// The two numbers that stand where a name would, as the document of WoW has it.
    pub fn sequence_ids(&self, sequence: Sequence<'_>) -> Option<(u32, u32)> {
        match sequence {
            Sequence::Wow(row) if self.seqs == Reading::Documented || !is_named(&row.name.0) => {
                let row = row.documented();
                Some((row.anim_id.get(), row.sub_id.get()))
            }
            _ => None,
        }
    }

    /// Lengths of the global sequences in milliseconds.
    pub fn globals(&self) -> Vec<u32> {
        let lengths = self.chunks.iter().filter_map(|chunk| match &chunk.content {
            Content::Globals(lengths) => Some(lengths),
            _ => None,
        });
        lengths.flatten().map(|length| length.get()).collect()
    }

    /// The textures of all TEXS chunks in order.
    pub fn textures(&self) -> Vec<&Texture> {
        let rows = self.chunks.iter().filter_map(|chunk| match &chunk.content {
            Content::Textures(rows) => Some(rows),
            _ => None,
        });
        rows.flatten().collect()
    }

    /// The pivots of the nodes, by their numbers.
    pub fn pivots(&self) -> Vec<Vec3> {
        let rows = self.chunks.iter().filter_map(|chunk| match &chunk.content {
            Content::Pivots(rows) => Some(rows),
            _ => None,
        });
        rows.flatten().copied().collect()
    }

    /// What a node takes over from its parent, under the reading of its bits.
    pub fn inherits(&self, node: &Node) -> Inherit {
        let bits = node.fixed.flags.get();
        let (scaling, rotation) = match self.inherit {
            Reading::Documented => (DISPUTED_HIGH, DISPUTED_LOW),
            Reading::Observed => (DISPUTED_LOW, DISPUTED_HIGH),
        };
        Inherit {
            translation: bits & NO_TRANSLATION == 0,
            rotation: bits & rotation == 0,
            scaling: bits & scaling == 0,
        }
    }
}
