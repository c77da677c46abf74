//! MSH: models of Parkan: Iron Strategy.
//!
//! A model is an NRes archive of streams, told apart by their type numbers. Nodes (1) choose slots (2) by level and
//! group; a slot is a range of triangles (7) and of batches (13); a batch is a range of indices (6) into positions,
//! normals and texture coordinates (3, 4, 5). Nodes are posed by keys (8) through a map from frames to keys (19).
//!
//! A [`Document`] keeps the archive as it is and looks at it through a [`ModelView`], typed slices over its bytes: nothing
//! is lost on the way, and reading costs a copy. The same [`ModelView`] looks at borrowed files.

pub mod animation;
pub mod build;
pub mod check;
pub mod draw;
pub mod edit;
pub mod engine;
pub mod fields;
pub mod flags;
pub mod lift;
pub mod loader;
pub mod lower;
mod model;
pub mod node_test;
pub mod pick;
pub mod play;
mod read;
pub mod sample;
pub mod streams;
pub mod values;
pub mod wire;

use galvani_core::record::Record;
use galvani_core::{EditError, Reading, WriteError, room};
use zerocopy::IntoBytes;

pub use check::check;
pub use lower::lower;
pub use model::{Label, Labels, ModelView, Stream, StreamTable};
pub use read::{TOPIC, read, read_into, view};

use crate::nres::{self, Attribute, Name, NewEntry};

/// An index that stands for nothing.
pub const NONE: u16 = 0xFFFF;

/// A model as a value: its archive, and how the streams are read.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Document {
    /// The streams, with every byte of the file.
    pub archive: nres::Document,
    /// Documented or observed.
    pub reading: Reading,
}

impl Document {
    /// The streams, typed.
    pub fn model(&self) -> ModelView<'_> {
        let streams = self.archive.entries.iter().enumerate().filter_map(|(i, entry)| {
            let attr = [entry.attr1, entry.attr2, entry.attr3];
            Some(Stream { entry: i, type_id: entry.type_id, attr, bytes: self.archive.payload(i)? })
        });
        let mut model = ModelView::new(streams, self.reading);
        let lost =
            |(i, entry): (usize, &nres::Entry)| self.archive.payload(i).is_none().then_some(entry.type_id);
        model.outside = self.archive.entries.iter().enumerate().filter_map(lost).collect();
        model
    }
}

impl Document {
    /// The first stream of that number, which is the one that counts.
    pub fn find(&self, stream: u32) -> Option<usize> {
        self.archive.find_type(stream)
    }

    /// Gives a stream other bytes; one that is missing is added where the game's files have it. Attributes that
    /// are given are set.
    pub fn set_stream(
        &mut self,
        stream: u32,
        bytes: Vec<u8>,
        attr: [Option<u32>; 3],
    ) -> Result<(), EditError> {
        let index = match self.find(stream) {
            Some(index) => {
                self.archive.replace(index, bytes)?;
                index
            }
            None => self.add(stream, bytes)?,
        };
        for (attribute, value) in [Attribute::Attr1, Attribute::Attr2, Attribute::Attr3].into_iter().zip(attr)
        {
            if let Some(value) = value {
                self.archive.set(index, attribute, value)?;
            }
        }
        Ok(())
    }

    /// Gives a stream other records and counts them in `attr1`.
    pub fn put_rows<T: Record>(&mut self, stream: u32, rows: &[T]) -> Result<(), EditError> {
        let count = u32::try_from(rows.len()).unwrap_or(u32::MAX);
        self.set_stream(stream, room::copied(rows.as_bytes())?, [Some(count), None, None])
    }

    /// Adds a stream behind those that stand before it in the game's files, under the name the others have.
    fn add(&mut self, stream: u32, bytes: Vec<u8>) -> Result<usize, EditError> {
        let place = |id: u32| streams::ALL.iter().position(|spec| spec.id == id).unwrap_or(usize::MAX);
        let before = |entry: &nres::Entry| place(entry.type_id) < place(stream);
        let index = self.archive.entries.iter().rposition(before).map_or(0, |last| last.saturating_add(1));
        let name = match self.archive.entries.first() {
            Some(entry) => entry.name,
            None => Name::new(b"model")?,
        };
        let spec = streams::by_id(stream);
        let attr = |known: Option<Option<u32>>| known.flatten().unwrap_or(0);
        let (attr2, attr3) = (attr(spec.map(|spec| spec.attr2)), attr(spec.map(|spec| spec.attr3)));
        let entry = NewEntry { type_id: stream, attr1: 0, attr2, attr3, name };
        self.archive.insert(index, entry, bytes)?;
        Ok(index)
    }
}

/// Writes a model from its document alone.
pub fn write(document: &Document) -> Result<Vec<u8>, WriteError> {
    nres::write(&document.archive)
}
