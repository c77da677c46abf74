//! glTF 2.0 as it lies in a file: a text of JSON, alone (`.gltf`) or in a frame with bytes behind it (`.glb`).
//!
//! A [`Document`] is over its bytes: the text is kept as it is and looked at through a [`View`], so that whatever is
//! not understood stays, in its place. [`Data`] finds the bytes that lists of numbers lie in and decodes them.

mod accessor;
mod buffers;
pub mod check;
pub(crate) mod json;
mod map;
pub(crate) mod matrix;
mod meshopt;
pub(crate) mod names;
mod parse;
mod read;
mod uri;
pub mod view;
mod write;

use std::collections::BTreeMap;

use galvani_core::{Exhausted, ReadError};

pub use accessor::Items;
pub use buffers::Data;
pub use check::check;
pub use json::{Json, JsonKind, JsonValue};
pub use read::{is_marked, read};
pub use uri::{Address, Inline, address};
pub use view::View;
pub use write::write;

use view::typed::ReadFindings;

/// A file of glTF.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    json: Json,
    /// What the text stands in.
    pub frame: Frame,
    /// Files that lie beside it and hold its bytes, by the addresses that it has for them. No part of it.
    pub beside: BTreeMap<String, Vec<u8>>,
}

/// What a text stands in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Frame {
    /// Nothing: the file is the text, perhaps behind a byte order mark.
    Text {
        /// There is one.
        has_mark: bool,
    },
    /// A `.glb`.
    Binary(Binary),
}

/// What a `.glb` has beside its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Binary {
    /// How long the file says that it is.
    pub stated_len: u32,
    /// How long it says that its text is.
    pub stated_text_len: u32,
    /// Zeros behind the text, where there should be blanks.
    pub zeros: usize,
    /// Chunks behind the text.
    pub chunks: Vec<Chunk>,
    /// Bytes behind the last chunk. Kept, not understood.
    pub trailing: Vec<u8>,
}

/// A chunk of a `.glb`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Chunk {
    /// What it is: `BIN` and a zero, or something else.
    pub kind: [u8; 4],
    /// How long the file says that it is.
    pub stated_len: u32,
    /// Its bytes, as many as there are.
    pub bytes: Vec<u8>,
}

/// The kind of a chunk of bytes.
pub const BIN: [u8; 4] = *b"BIN\0";
/// The kind of the chunk that is the text.
pub const JSON: [u8; 4] = *b"JSON";
/// What a `.glb` begins with.
pub const MAGIC: [u8; 4] = *b"glTF";
/// The only version of the frame that there is.
pub const VERSION: u32 = 2;
/// Bytes before the first chunk.
pub const HEADER_LEN: usize = 12;
/// Bytes before what a chunk holds.
pub const CHUNK_HEAD_LEN: usize = 8;
/// What some editors put before a text.
pub const BYTE_ORDER_MARK: [u8; 3] = [0xEF, 0xBB, 0xBF];

impl Document {
    /// Reads a file; what lies beside it is not looked for. For the map of its bytes see [`read`].
    pub fn read(file: &[u8]) -> Result<Self, ReadError> {
        read::document(file)
    }

    /// The text.
    pub fn json(&self) -> &Json {
        &self.json
    }

    /// What the text says.
    pub fn view(&self) -> Result<View<'_>, Exhausted> {
        View::new(&self.json, &mut ReadFindings::nobody())
    }

    /// Where the text begins in the file.
    pub fn text_start(&self) -> usize {
        match self.frame {
            Frame::Text { has_mark: false } => 0,
            Frame::Text { has_mark: true } => BYTE_ORDER_MARK.len(),
            Frame::Binary(_) => HEADER_LEN.saturating_add(CHUNK_HEAD_LEN),
        }
    }

    /// How long its file is.
    pub fn file_len(&self) -> usize {
        let Frame::Binary(binary) = &self.frame else {
            return self.text_start().saturating_add(self.json.text().len());
        };
        let chunks = binary.chunks.iter().map(|chunk| chunk.bytes.len().saturating_add(CHUNK_HEAD_LEN));
        let parts = [self.text_start(), self.json.text().len(), binary.zeros, binary.trailing.len()];
        parts.into_iter().chain(chunks).fold(0, usize::saturating_add)
    }

    /// The bytes that a `.glb` carries: its second chunk, if that is of them.
    pub fn bin(&self) -> Option<&Chunk> {
        match &self.frame {
            Frame::Binary(binary) => binary.chunks.first().filter(|chunk| chunk.kind == BIN),
            Frame::Text { .. } => None,
        }
    }

    /// Looks for the files that hold its bytes; `find` is asked for each by its name, `/` between folders.
    pub fn fetch(
        &mut self,
        mut find: impl FnMut(&str) -> Result<Option<Vec<u8>>, Exhausted>,
    ) -> Result<(), Exhausted> {
        let mut found = BTreeMap::new();
        for buffer in self.view()?.buffers.iter() {
            let Some(uri) = &buffer.uri else { continue };
            if let Address::File(name) = address(uri)
                && !found.contains_key(&**uri)
                && let Some(bytes) = find(&name)?
            {
                found.insert(uri.clone().into_owned(), bytes);
            }
        }
        self.beside = found;
        Ok(())
    }
}
