//! Where payloads lie.

use galvani_core::archive::{self, Extent, Layout};

use super::{Document, Entry, HEADER_LEN, Method, Payload, RECORD_LEN, TRAILER, TRAILER_LEN};

impl archive::Entry for Entry {
    fn name(&self) -> &[u8] {
        &self.name.0
    }

    fn extent(&self) -> Option<Extent> {
        match self.payload {
            Payload::Held { block, start, len, .. } => {
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

/// Where payloads may lie.
#[derive(Debug, Clone, Copy)]
pub(super) struct Room {
    /// Where the table ends.
    pub(super) start: usize,
    /// Where the trailer begins, or the end of the file.
    pub(super) end: usize,
    /// What places are counted from.
    pub(super) overlay: Option<u32>,
}

impl Room {
    /// The payload that a record names, counted from the start of the file, if it lies here.
    pub(super) fn payload(self, flags: u16, offset: u32, size: u32) -> Option<Payload> {
        let offset = offset.checked_add(self.overlay.unwrap_or(0))?;
        let start = usize::try_from(offset).ok().filter(|&start| start >= self.start)?;
        let end = start.checked_add(usize::try_from(size).ok()?)?;
        // One of the game's own entries counts a byte too many.
        let beyond = self.overlay.is_none()
            && Method::from_flags(flags) == Some(Method::Deflate)
            && end.checked_sub(1) == Some(self.end)
            && start < self.end;
        let end = if beyond { self.end } else { end };
        let len = end.checked_sub(start)?;
        (end <= self.end).then_some(Payload::Held { block: 0, start, len, beyond })
    }
}

/// Where the payloads of so many entries may begin.
pub(super) fn table_end(entries: usize) -> usize {
    entries.saturating_mul(RECORD_LEN).saturating_add(HEADER_LEN)
}

impl Document {
    /// Where the payloads lie.
    pub(super) fn layout(&self) -> Layout<'_> {
        Layout { start: table_end(self.entries.len()), lead: &self.lead, blocks: &self.blocks }
    }

    /// Where payloads may lie.
    pub(super) fn room(&self) -> Room {
        let layout = self.layout();
        Room { start: layout.start, end: layout.end(), overlay: self.overlay }
    }

    /// The offset of every block, and last that of what follows them.
    pub(super) fn positions(&self) -> Vec<usize> {
        self.layout().positions()
    }

    /// Bytes of the file.
    pub(super) fn file_len(&self) -> usize {
        self.layout().end().saturating_add(if self.overlay.is_some() { TRAILER_LEN } else { 0 })
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

    /// Whether payloads lie in the order of the table, with nothing between them and nothing behind.
    pub fn has_canonical_layout(&self) -> bool {
        let whole = |(i, entry): (usize, &Entry)| match entry.payload {
            Payload::Held { block, start, len, beyond } => {
                let bytes = self.blocks.get(i).map(|block| block.bytes.len());
                block == i && start == 0 && !beyond && bytes == Some(len)
            }
            Payload::Outside { .. } => false,
        };
        self.lead.is_empty()
            && self.overlay.is_none()
            && self.blocks.len() == self.entries.len()
            && self.entries.iter().enumerate().all(whole)
            && self.blocks.iter().all(|block| block.gap.is_empty())
    }

    /// Whether the payloads end in what a reader takes for a trailer.
    pub(super) fn ends_like_a_trailer(&self) -> bool {
        let parts = self.blocks.iter().rev().flat_map(|block| [&block.gap, &block.bytes]);
        let backwards = parts.chain([&self.lead]).flat_map(|part| part.iter().rev());
        let mut last: Vec<u8> = backwards.take(TRAILER_LEN).copied().collect();
        last.reverse();
        last.len() == TRAILER_LEN && last.starts_with(&TRAILER)
    }
}
