//! What archives share: payloads in blocks, entries that lie in them, names of a fixed width.
//!
//! An archive's document has its payloads as [`Block`]s in file order, each with the bytes that follow it, and
//! before the first a lead. An [`Entry`] says which bytes of which block are its own. Payloads that overlap share
//! a block, so that an archive costs no more memory than its file.

mod claim;
mod edit;
mod fill;
mod layout;
mod name;
mod sort;
#[cfg(test)]
#[allow(unreachable_pub, dead_code, reason = "the macros declare for other crates")]
mod tests;

pub use claim::{Cluster, EntryClaim, claims, clusters, overlaps, users};
pub use edit::{Edit, allow_unsharing, dropped_bytes, entry_at, no_entry, zeroed_name};
pub use fill::{copied, fill, place_in_file};
pub use layout::{Layout, is_padding, padding};
pub use name::{filled_room, fmt_debug, zero_filled};
pub use sort::{Flaw, flaws};

use crate::text;

/// A run of payload bytes and what stands behind it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Block {
    /// The payload; several where they overlap.
    pub bytes: Vec<u8>,
    /// Bytes up to the next block: what aligns it, or whatever the file has.
    pub gap: Vec<u8>,
}

/// Where an entry's bytes lie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Extent {
    /// Index of the block.
    pub block: usize,
    /// First byte in the block.
    pub start: usize,
    /// Behind the last byte in the block.
    pub end: usize,
}

/// An entry of an archive.
pub trait Entry {
    /// Its name with whatever stands behind the NUL.
    fn name(&self) -> &[u8];
    /// Where its bytes lie; `None` if the archive does not have them.
    fn extent(&self) -> Option<Extent>;
    /// Says that its bytes, as many as before, lie elsewhere. An entry without bytes stays as it is.
    fn move_to(&mut self, block: usize, start: usize);
}

impl<E: Entry> Entry for &mut E {
    fn name(&self) -> &[u8] {
        E::name(self)
    }

    fn extent(&self) -> Option<Extent> {
        E::extent(self)
    }

    fn move_to(&mut self, block: usize, start: usize) {
        E::move_to(self, block, start);
    }
}

/// The bytes of an extent, if the blocks have them.
pub fn bytes_at(blocks: &[Block], extent: Extent) -> Option<&[u8]> {
    blocks.get(extent.block)?.bytes.get(extent.start..extent.end)
}

/// The first entry of that name, in any case of letters.
pub fn find<E: Entry>(entries: &[E], name: &[u8]) -> Option<usize> {
    entries.iter().position(|entry| text::before_nul(entry.name()).eq_ignore_ascii_case(name))
}
