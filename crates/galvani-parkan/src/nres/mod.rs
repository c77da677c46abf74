//! NRes: the game's archive, and the container of its models.
//!
//! ```text
//! 0x00            header, 16 bytes
//! 0x10            payloads, each at a multiple of 8, zeros between them
//! total - 64*n    directory, n records of 64 bytes, up to the end of the file
//! ```
//!
//! `sort_index` of record *i* is no property of entry *i*: it is slot *i* of a table that lists the
//! entries by name, letters folded to lower case, equal names in directory order.
//!
//! A [`Document`] holds the payloads as [`Block`]s in file order with the bytes between them. Payloads
//! that overlap share a block, so that an archive costs no more memory than its file.

pub mod check;
mod edit;
mod layout;
mod name;
mod open;
mod read;
pub mod wire;
mod write;

pub use check::check;
pub use edit::{Attribute, NewEntry};
pub use galvani_core::archive::Block;
pub use layout::{is_padding, padding};
pub use name::{NAME_LEN, Name, sorted};
pub use open::Archive;
pub(crate) use read::{fill, map};
pub use read::{read, read_into};
pub use write::write;

use galvani_core::archive::{self, Entry as _};

/// The first bytes of every archive.
pub const MAGIC: [u8; 4] = *b"NRes";

/// The only version the game accepts.
pub const VERSION: u32 = 0x100;

/// Payloads start at multiples of this.
pub const ALIGN: usize = 8;

/// Bytes of the header, where the payloads may begin.
pub const HEADER_LEN: usize = size_of::<wire::Header>();

/// Bytes of a record of the directory.
pub const RECORD_LEN: usize = size_of::<wire::Entry>();

/// An archive as a value: no offsets, every byte accounted for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// Version, 0x100 in every game file.
    pub version: u32,
    /// Bytes between the header and the first block. Kept, not understood.
    pub lead: Vec<u8>,
    /// The payloads in file order.
    pub blocks: Vec<Block>,
    /// The directory.
    pub entries: Vec<Entry>,
    /// Bytes behind the directory, where the game wants the file to end.
    pub tail: Vec<u8>,
}

/// One record of the directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// FourCC, or the number of a stream.
    pub type_id: u32,
    /// Count of elements, or flags.
    pub attr1: u32,
    /// Second count, or a version.
    pub attr2: u32,
    /// Size of an element, or 1.
    pub attr3: u32,
    /// Name with whatever stands behind its NUL.
    pub name: Name,
    /// Where the bytes are.
    pub payload: Payload,
    /// This slot of the sort table: the entry whose name is at this place in order.
    pub sort_index: u32,
}

/// Where the bytes of an entry are.
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
    /// The empty archive: 16 bytes.
    fn default() -> Self {
        Document {
            version: VERSION,
            lead: Vec::new(),
            blocks: Vec::new(),
            entries: Vec::new(),
            tail: Vec::new(),
        }
    }
}

impl Document {
    /// The bytes of an entry; `None` if there is no such entry or its payload is not in the archive.
    pub fn payload(&self, entry: usize) -> Option<&[u8]> {
        archive::bytes_at(&self.blocks, self.entries.get(entry)?.extent()?)
    }

    /// The first entry of that name, in any case of letters.
    pub fn find(&self, name: &[u8]) -> Option<usize> {
        archive::find(&self.entries, name)
    }

    /// The first entry of that type.
    pub fn find_type(&self, type_id: u32) -> Option<usize> {
        self.entries.iter().position(|entry| entry.type_id == type_id)
    }
}
