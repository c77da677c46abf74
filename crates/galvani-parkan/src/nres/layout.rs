//! Where payloads lie: padding, positions, the game's own layout.

use galvani_core::archive::{self, Extent, Layout};

use super::{ALIGN, Document, Entry, HEADER_LEN, Payload};

/// Zeros wanted behind `len` bytes to reach a multiple of 8.
pub fn padding(len: usize) -> usize {
    archive::padding(len, ALIGN)
}

/// Whether a gap that follows `end` is just the padding.
pub fn is_padding(end: usize, gap: &[u8]) -> bool {
    archive::is_padding(end, gap, ALIGN)
}

impl archive::Entry for Entry {
    fn name(&self) -> &[u8] {
        &self.name.0
    }

    fn extent(&self) -> Option<Extent> {
        match self.payload {
            Payload::Held { block, start, len } => {
                Some(Extent { block, start, end: start.saturating_add(len) })
            }
            Payload::Outside { .. } => None,
        }
    }

    fn move_to(&mut self, to: usize, at: usize) {
        if let Payload::Held { block, start, .. } = &mut self.payload {
            (*block, *start) = (to, at);
        }
    }
}

impl Document {
    /// Where the payloads lie.
    pub(super) fn layout(&self) -> Layout<'_> {
        Layout { start: HEADER_LEN, lead: &self.lead, blocks: &self.blocks }
    }

    /// The offset of the directory.
    pub(super) fn directory_offset(&self) -> usize {
        self.layout().end()
    }

    /// The offset of every block, and last that of the directory.
    pub(super) fn positions(&self) -> Vec<usize> {
        self.layout().positions()
    }

    /// The offset of every entry's payload: where it will be written, or what its record says.
    pub fn offsets(&self) -> Vec<usize> {
        let positions = self.positions();
        let offset = |entry: &Entry| match entry.payload {
            Payload::Held { block, start, .. } => {
                positions.get(block).map_or(0, |at| at.saturating_add(start))
            }
            Payload::Outside { offset, .. } => usize::try_from(offset).unwrap_or(usize::MAX),
        };
        self.entries.iter().map(offset).collect()
    }

    /// Whether the archive is laid out as the game's own writer does it: payloads in directory order,
    /// each padded with zeros to a multiple of 8, and nothing else.
    pub fn has_canonical_layout(&self) -> bool {
        let whole = |(i, entry): (usize, &Entry)| match entry.payload {
            Payload::Held { block, start, len } => {
                block == i && start == 0 && self.blocks.get(i).is_some_and(|block| block.bytes.len() == len)
            }
            Payload::Outside { .. } => false,
        };
        self.lead.is_empty()
            && self.tail.is_empty()
            && self.blocks.len() == self.entries.len()
            && self.entries.iter().enumerate().all(whole)
            && self.blocks.iter().all(|block| is_padding(block.bytes.len(), &block.gap))
    }
}
