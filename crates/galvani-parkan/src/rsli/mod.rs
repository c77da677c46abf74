//! RsLi: an archive whose table is under a cipher and whose payloads are packed (docs/formats/rsli.md#header).
//!
//! ```text
//! 0x00          header, 32 bytes
//! 0x20          table, n records of 32 bytes, under the header's key
//! 0x20 + 32*n   payloads, each packed by a method of its own
//! end - 6       perhaps a trailer with what all places are counted from
//! ```
//!
//! `sort_index` of record *i* is slot *i* of a table that lists the entries by name, and also the key of payload *i*
//! where its method has one.
//!
//! A [`Document`] holds the packed payloads as [`Block`]s in file order; [`Document::content`] unpacks one.

pub mod check;
pub mod cipher;
pub mod codec;
mod content;
mod edit;
mod layout;
mod name;
mod read;
pub mod wire;
mod write;

pub use check::check;
pub use codec::Method;
pub use content::MOST_CONTENT;
pub use edit::NewEntry;
pub use galvani_core::archive::Block;
pub use name::{NAME_LEN, Name, sorted};
pub use read::{in_the_clear, is_marked, read};
pub use write::write;

use galvani_core::archive::{self, Entry as _};

/// The first bytes of every archive.
pub const MAGIC: [u8; 2] = *b"NL";

/// What follows them; the game accepts nothing else.
pub const VERSION: [u8; 2] = [0, 1];

/// The word that says that the sort table can be used as it stands.
pub const PRESORTED: u16 = 0xabba;

/// The first bytes of a trailer.
pub const TRAILER: [u8; 2] = *b"AO";

/// Bytes of the header, where the table begins.
pub const HEADER_LEN: usize = size_of::<wire::Header>();

/// Bytes of a record of the table.
pub const RECORD_LEN: usize = size_of::<wire::Entry>();

/// Bytes of a trailer.
pub const TRAILER_LEN: usize = size_of::<wire::Trailer>();

/// An archive as a value: no offsets, every byte accounted for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// What follows the magic: 0 and 1.
    pub version: [u8; 2],
    /// The number of entries as the header has it a second time.
    pub count_again: i16,
    /// Unknown.
    pub unknown_08: [u8; 6],
    /// 0xABBA where the sort table can be used as it stands; otherwise the game builds its own.
    pub presorted: u16,
    /// Bytes of all contents, as the header has it.
    pub unpacked_total: u32,
    /// The table's key, of which the low half counts.
    pub seed: u32,
    /// 0 in the game's files.
    pub unknown_18: [u32; 2],
    /// Bytes between the table and the first block. Kept, not understood.
    pub lead: Vec<u8>,
    /// The packed payloads in file order.
    pub blocks: Vec<Block>,
    /// The table.
    pub entries: Vec<Entry>,
    /// What all places are counted from, if a trailer says so.
    pub overlay: Option<u32>,
}

/// One record of the table.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Name with whatever stands behind its NUL.
    pub name: Name,
    /// Unknown; the game does not look at it.
    pub unknown_0c: [u8; 4],
    /// How the payload is packed, and more.
    pub flags: u16,
    /// This slot of the sort table: the entry whose name is at this place in order.
    pub sort_index: i16,
    /// Bytes of the content.
    pub unpacked_size: u32,
    /// Where the packed bytes are.
    pub payload: Payload,
}

/// Where the packed bytes of an entry are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Payload {
    /// In a block: all of it, unless payloads overlap.
    Held {
        /// Index in [`Document::blocks`].
        block: usize,
        /// First byte in the block.
        start: usize,
        /// Bytes.
        len: usize,
        /// Whether the record counts one byte more, behind the end of the file, as one of the game's does.
        beyond: bool,
    },
    /// Not among the payloads: the record as it stands, kept and of no use.
    Outside {
        /// Offset in the record.
        offset: u32,
        /// Size in the record.
        size: u32,
    },
}

impl Default for Document {
    /// The empty archive: 32 bytes.
    fn default() -> Self {
        Document {
            version: VERSION,
            count_again: 0,
            unknown_08: [0; 6],
            presorted: PRESORTED,
            unpacked_total: 0,
            seed: 0,
            unknown_18: [0; 2],
            lead: Vec::new(),
            blocks: Vec::new(),
            entries: Vec::new(),
            overlay: None,
        }
    }
}

impl Entry {
    /// How its payload is packed, if anybody knows.
    pub fn method(&self) -> Option<Method> {
        Method::from_flags(self.flags)
    }
}

impl Document {
    /// The packed bytes of an entry; `None` if there is no such entry or its payload is not in the archive.
    pub fn packed(&self, entry: usize) -> Option<&[u8]> {
        archive::bytes_at(&self.blocks, self.entries.get(entry)?.extent()?)
    }

    /// The first entry of that name, in any case of letters.
    pub fn find(&self, name: &[u8]) -> Option<usize> {
        archive::find(&self.entries, name)
    }

    /// Whether the sort table can be used as it stands.
    pub fn is_presorted(&self) -> bool {
        self.presorted == PRESORTED
    }

    /// The sort table that the game searches and deciphers by: the archive's, or what the game builds itself.
    pub fn sort_table(&self) -> Vec<i16> {
        if self.is_presorted() {
            return self.entries.iter().map(|entry| entry.sort_index).collect();
        }
        sorted(&self.entries)
    }

    /// The key of every entry's payload: its slot of the sort table.
    pub fn keys(&self) -> Vec<u16> {
        self.sort_table().into_iter().map(i16::cast_unsigned).collect()
    }
}
