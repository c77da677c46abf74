//! Where records lie: positions, the bytes of a record.

use galvani_core::archive::{self, Entry as _, Extent, Layout};
use galvani_core::{Exhausted, room};

use super::{
    CONFLICT_LEN, Document, Entry, HEADER_LEN, LOOKUP_LEN, NAME_LEN, Name, RECORD_LEN, ROW_LEN, RecordPlace,
    TERMINATOR, wire,
};

/// Name and size of the record at a place, if its 24 bytes are there.
pub(super) fn header(bytes: &[u8], start: usize) -> Option<(Name, u32)> {
    let header = bytes.get(start..start.checked_add(RECORD_LEN)?)?;
    let (name, size) = header.split_first_chunk::<NAME_LEN>()?;
    Some((Name(*name), u32::from_le_bytes(*size.first_chunk()?)))
}

/// The bytes of a record. A size past 32 bits is refused where the archive is written.
pub(super) fn record(name: Name, payload: &[u8]) -> Result<Vec<u8>, Exhausted> {
    let size = u32::try_from(payload.len()).unwrap_or(u32::MAX);
    let mut record = room::with_capacity(record_len(payload.len()))?;
    record.extend_from_slice(&name.0);
    record.extend_from_slice(&size.to_le_bytes());
    record.extend_from_slice(payload);
    Ok(record)
}

/// Bytes of a record whose file has so many.
pub(super) fn record_len(len: usize) -> usize {
    RECORD_LEN.saturating_add(len)
}

impl archive::Entry for Entry {
    fn name(&self) -> &[u8] {
        &self.name.0
    }

    /// Of a record that is cut only the header is known to be its own.
    fn extent(&self) -> Option<Extent> {
        let (block, start, len) = match self.place {
            RecordPlace::Held { block, start, len } => (block, start, record_len(len)),
            RecordPlace::Cut { block, start, .. } => (block, start, RECORD_LEN),
            RecordPlace::Outside { .. } => return None,
        };
        Some(Extent { block, start, end: start.saturating_add(len) })
    }

    fn move_to(&mut self, to: usize, at: usize) {
        match &mut self.place {
            RecordPlace::Held { block, start, .. } | RecordPlace::Cut { block, start, .. } => {
                (*block, *start) = (to, at);
            }
            RecordPlace::Outside { .. } => {}
        }
    }
}

impl Document {
    /// The name and size in an entry's record.
    pub(super) fn record(&self, entry: usize) -> Option<(Name, u32)> {
        let Extent { block, start, .. } = self.entries.get(entry)?.extent()?;
        header(&self.blocks.get(block)?.bytes, start)
    }

    /// Where the conflict table begins.
    pub(super) fn conflicts_offset(&self) -> usize {
        let rows = self.entries.len().saturating_mul(ROW_LEN);
        HEADER_LEN.saturating_add(rows).saturating_add(LOOKUP_LEN)
    }

    /// Where the tables end and records may begin.
    pub(super) fn records_offset(&self) -> usize {
        let group =
            |rows: &Vec<_>| size_of::<wire::Group>().saturating_add(rows.len().saturating_mul(CONFLICT_LEN));
        let table = self.conflicts.as_ref().map_or(0, |groups| {
            groups.iter().map(group).fold(size_of::<wire::Conflicts>(), usize::saturating_add)
        });
        self.conflicts_offset().saturating_add(table)
    }

    /// Where the records lie.
    pub(super) fn layout(&self) -> Layout<'_> {
        Layout { start: self.records_offset(), lead: &self.lead, blocks: &self.blocks }
    }

    /// The offset of every block, and last that of the terminator.
    pub(super) fn positions(&self) -> Vec<usize> {
        self.layout().positions()
    }

    /// Bytes of the file.
    pub(super) fn file_len(&self, positions: &[usize]) -> usize {
        let end = self.tail.as_ref().map_or(0, |tail| TERMINATOR.len().saturating_add(tail.len()));
        positions.last().copied().unwrap_or_else(|| self.records_offset()).saturating_add(end)
    }

    /// The offset of every entry's record: where it will be written, or what its row says.
    pub fn offsets(&self) -> Vec<usize> {
        let positions = self.positions();
        self.entries.iter().map(|entry| offset(entry, &positions)).collect()
    }

    /// For each block, whether it is one record that some entry has, shared or not.
    pub fn whole_blocks(&self) -> Vec<bool> {
        let mut used = vec![false; self.blocks.len()];
        let mut torn = vec![false; self.blocks.len()];
        for entry in &self.entries {
            let Some(Extent { block, start, end }) = entry.extent() else { continue };
            let len = self.blocks.get(block).map(|block| block.bytes.len());
            let held = matches!(entry.place, RecordPlace::Held { .. });
            let mark = if held && start == 0 && Some(end) == len { &mut used } else { &mut torn };
            if let Some(mark) = mark.get_mut(block) {
                *mark = true;
            }
        }
        used.into_iter().zip(torn).map(|(used, torn)| used && !torn).collect()
    }

    /// Whether records are laid out plainly: in the order of the table of contents, a shared one where its
    /// first entry stands, nothing between them, the terminator behind them and nothing behind it.
    pub fn has_canonical_layout(&self) -> bool {
        let mut next = 0;
        for entry in &self.entries {
            let RecordPlace::Held { block, start: 0, len } = entry.place else { return false };
            let whole = self.blocks.get(block).is_some_and(|block| block.bytes.len() == record_len(len));
            if !whole || block > next {
                return false;
            }
            if block == next {
                next = next.saturating_add(1);
            }
        }
        next == self.blocks.len()
            && self.lead.is_empty()
            && self.blocks.iter().all(|block| block.gap.is_empty())
            && self.tail.as_ref().is_some_and(Vec::is_empty)
            && self.conflicts.is_some()
    }
}

/// The offset of an entry's record, given those of the blocks.
pub(super) fn offset(entry: &Entry, positions: &[usize]) -> usize {
    match entry.place {
        RecordPlace::Held { block, start, .. } | RecordPlace::Cut { block, start, .. } => {
            positions.get(block).map_or(0, |at| at.saturating_add(start))
        }
        RecordPlace::Outside { offset } => usize::try_from(offset).unwrap_or(usize::MAX),
    }
}

/// Where the terminator begins among the bytes behind the last record.
pub(super) fn terminator(bytes: &[u8]) -> Option<usize> {
    bytes.windows(TERMINATOR.len()).position(|window| window == TERMINATOR)
}
