//! LGP: the archive of the PC version.
//!
//! ```text
//! 0x00        header, 16 bytes
//! 0x10        table of contents, n rows of 27 bytes
//!             lookup table, 900 slots of 4 bytes
//!             conflict table, 2 bytes if nothing is in it
//!             file records: 24 bytes, then the bytes of a file
//!             "FINAL FANTASY7"
//! ```
//!
//! The first two characters of a name say which slot of the lookup table lists it; the slot names a run of
//! rows. So the game finds a file only if all rows of its slot stand together.
//!
//! A [`Document`] holds the records as [`Block`]s in file order with the bytes between them. Records that
//! overlap share a block, so that an archive costs no more memory than its file.

pub mod check;
mod edit;
mod layout;
mod lookup;
mod name;
mod open;
mod read;
pub mod wire;
mod write;

pub use check::check;
pub use galvani_core::archive::Block;
pub use lookup::{SLOTS, Slot, build_lookup, is_grouped, slot_of};
pub use name::{NAME_LEN, Name};
pub use open::Archive;
pub use read::read;
pub use write::write;

use galvani_core::archive;

/// The first bytes of every archive of the game.
pub const MAGIC: [u8; 12] = *b"\0\0SQUARESOFT";

/// What stands behind the last record.
pub const TERMINATOR: [u8; 14] = *b"FINAL FANTASY7";

/// The check byte of every row of the game's archives.
pub const CHECK: u8 = 14;

/// Bytes of the header, where the table of contents begins.
pub const HEADER_LEN: usize = size_of::<wire::Header>();

/// Bytes of a row of the table of contents.
pub const ROW_LEN: usize = size_of::<wire::Entry>();

/// Bytes of the lookup table.
pub const LOOKUP_LEN: usize = SLOTS * size_of::<wire::Slot>();

/// Bytes of a record before those of its file.
pub const RECORD_LEN: usize = size_of::<wire::Record>();

/// Bytes of a row of the conflict table.
pub const CONFLICT_LEN: usize = size_of::<wire::Conflict>();

/// Longest name that other packers take.
pub const USUAL_NAME_LEN: usize = 15;

/// An archive as a value: no offsets, every byte accounted for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// The first 12 bytes: [`MAGIC`], or whatever another tool wrote.
    pub magic: [u8; 12],
    /// The table of contents.
    pub entries: Vec<Entry>,
    /// The lookup table.
    pub lookup: Box<[Slot; SLOTS]>,
    /// The conflict table; `None` where it cannot be read: its bytes are then in `lead`.
    pub conflicts: Option<Vec<Vec<Conflict>>>,
    /// Bytes between the conflict table and the first block. Kept, not understood.
    pub lead: Vec<u8>,
    /// The records in file order, each its 24 bytes and those of its file.
    pub blocks: Vec<Block>,
    /// Bytes behind the terminator; `None` where there is no terminator.
    pub tail: Option<Vec<u8>>,
}

/// One row of the table of contents.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Name with whatever stands behind its NUL.
    pub name: Name,
    /// 14 in every archive of the game.
    pub check: u8,
    /// Group of the conflict table, counted from 1; 0 for none.
    pub conflict: u16,
    /// Where the record is.
    pub place: RecordPlace,
}

/// Where the record of an entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordPlace {
    /// In a block: all of it, unless records overlap.
    Held {
        /// Index in [`Document::blocks`].
        block: usize,
        /// First byte of the record in the block.
        start: usize,
        /// Bytes of the file, as the record says; they follow its 24.
        len: usize,
    },
    /// In a block, but of more bytes than there are up to the end of the archive.
    Cut {
        /// Index in [`Document::blocks`].
        block: usize,
        /// First byte of the record in the block.
        start: usize,
        /// Bytes of the file, as the record says.
        size: u32,
    },
    /// Not among the records: the number as it stands, kept and of no use.
    Outside {
        /// Offset in the row.
        offset: u32,
    },
}

/// A row of the conflict table.
#[derive(Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The folder of the entry, with whatever stands behind its NUL.
    pub directory: [u8; DIRECTORY_LEN],
    /// The entry, by its place in the table of contents.
    pub entry_index: u16,
}

/// Bytes of a folder's room in the conflict table, the NUL included.
pub const DIRECTORY_LEN: usize = 128;

impl std::fmt::Debug for Conflict {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Conflict({:?}, {})", galvani_core::text::shown(&self.directory), self.entry_index)
    }
}

impl Default for Document {
    /// The empty archive: 3632 bytes.
    fn default() -> Self {
        Document {
            magic: MAGIC,
            entries: Vec::new(),
            lookup: Box::new([Slot::default(); SLOTS]),
            conflicts: Some(Vec::new()),
            lead: Vec::new(),
            blocks: Vec::new(),
            tail: Some(Vec::new()),
        }
    }
}

impl Document {
    /// The bytes of an entry's file; `None` if there is no such entry or the archive does not have them.
    pub fn payload(&self, entry: usize) -> Option<&[u8]> {
        match self.entries.get(entry)?.place {
            RecordPlace::Held { block, start, len } => {
                let start = start.checked_add(RECORD_LEN)?;
                self.blocks.get(block)?.bytes.get(start..start.checked_add(len)?)
            }
            RecordPlace::Cut { .. } | RecordPlace::Outside { .. } => None,
        }
    }

    /// The name in an entry's record, which need not be the entry's.
    pub fn record_name(&self, entry: usize) -> Option<Name> {
        Some(self.record(entry)?.0)
    }

    /// The first entry of that name, in any case of letters.
    pub fn find(&self, name: &[u8]) -> Option<usize> {
        archive::find(&self.entries, name)
    }
}
