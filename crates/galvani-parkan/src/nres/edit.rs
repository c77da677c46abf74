//! Edits: each keeps offsets, padding and sort table in step and leaves the bytes of all others as they are.

use std::collections::BTreeSet;

use galvani_core::archive::{self, dropped_bytes, entry_at, no_entry, users, zeroed_name};
use galvani_core::{EditError, Exhausted, Report, room};

use super::{ALIGN, Block, Document, Entry, HEADER_LEN, Name, Payload, RECORD_LEN, check, padding, sorted};

/// What a new entry is, beside its bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewEntry {
    /// FourCC, or the number of a stream.
    pub type_id: u32,
    /// Count of elements, or flags.
    pub attr1: u32,
    /// Second count, or a version.
    pub attr2: u32,
    /// Size of an element, or 1.
    pub attr3: u32,
    /// Its name.
    pub name: Name,
}

/// A plain field of an entry.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Attribute {
    /// FourCC, or the number of a stream.
    TypeId,
    /// Count of elements, or flags.
    Attr1,
    /// Second count, or a version.
    Attr2,
    /// Size of an element, or 1.
    Attr3,
}

impl Document {
    /// Adds an entry before the one at `index`, or at the end; its bytes follow those of the entry before it.
    pub fn insert(&mut self, index: usize, entry: NewEntry, bytes: Vec<u8>) -> Result<(), EditError> {
        if index > self.entries.len() {
            return Err(no_entry(index, self.entries.len(), &check::NO_ENTRY));
        }
        let before = index.checked_sub(1).and_then(|i| self.entries.get(i));
        let block = match before.map(|entry| entry.payload) {
            None => 0,
            Some(Payload::Held { block, .. }) => block.saturating_add(1),
            Some(Payload::Outside { .. }) => self.blocks.len(),
        };
        let payload = Payload::Held { block, start: 0, len: bytes.len() };
        self.ask(None)?;
        self.edit().insert(block, bytes);
        let NewEntry { type_id, attr1, attr2, attr3, name } = entry;
        self.entries.insert(index, Entry { type_id, attr1, attr2, attr3, name, payload, sort_index: 0 });
        self.edit().order_empty();
        self.rebuild_sort_table();
        Ok(())
    }

    /// Adds an entry at the end.
    pub fn push(&mut self, entry: NewEntry, bytes: Vec<u8>) -> Result<(), EditError> {
        self.insert(self.entries.len(), entry, bytes)
    }

    /// Removes an entry and the bytes that only it had.
    pub fn remove(&mut self, index: usize) -> Result<(), EditError> {
        self.entry(index)?;
        self.ask(Some(index))?;
        let entry = self.entries.remove(index);
        if let Payload::Held { block, .. } = entry.payload {
            self.edit().settle(block);
        }
        self.edit().order_empty();
        self.rebuild_sort_table();
        Ok(())
    }

    /// Gives an entry other bytes. One that shared bytes gets its own; the others keep theirs.
    pub fn replace(&mut self, index: usize, bytes: Vec<u8>) -> Result<(), EditError> {
        let len = bytes.len();
        let whole = |block| Payload::Held { block, start: 0, len };
        let payload = self.entry(index)?.payload;
        self.ask(Some(index))?;
        match payload {
            Payload::Held { block, .. } if users(&self.entries, block).len() == 1 => {
                self.edit().resize(block, bytes);
                self.set_payload(index, whole(block));
            }
            Payload::Held { block, .. } => {
                let own = block.saturating_add(1);
                self.edit().insert(own, bytes);
                self.set_payload(index, whole(own));
                self.edit().settle(block);
            }
            Payload::Outside { .. } => {
                let own = self.blocks.len();
                self.edit().insert(own, bytes);
                self.set_payload(index, whole(own));
            }
        }
        self.edit().order_empty();
        Ok(())
    }

    /// Gives entries other bytes, which they share.
    pub fn replace_shared(&mut self, indices: &[usize], bytes: Vec<u8>) -> Result<(), EditError> {
        let Some((&first, others)) = indices.split_first() else { return Ok(()) };
        others.iter().try_for_each(|&other| self.entry(other).map(drop))?;
        // Nothing of what follows the first fails: their bytes only go.
        self.replace(first, bytes)?;
        let Some(shared) = self.entries.get(first).map(|entry| entry.payload) else { return Ok(()) };
        let mut left = BTreeSet::new();
        for &other in others {
            let Some(entry) = self.entries.get_mut(other) else { continue };
            if let Payload::Held { block, .. } = std::mem::replace(&mut entry.payload, shared) {
                left.insert(block);
            }
        }
        // From the last on, so that none moves before its turn.
        left.into_iter().rev().for_each(|block| self.edit().settle(block));
        self.edit().order_empty();
        Ok(())
    }

    /// Gives an entry another name.
    pub fn rename(&mut self, index: usize, name: Name) -> Result<(), EditError> {
        self.entry(index)?;
        self.ask(None)?;
        if let Some(entry) = self.entries.get_mut(index) {
            entry.name = name;
        }
        self.rebuild_sort_table();
        Ok(())
    }

    /// Moves an entry to another place in the directory. The payloads follow if they are in directory order.
    pub fn reorder(&mut self, from: usize, to: usize) -> Result<(), EditError> {
        self.entry(from)?;
        self.entry(to)?;
        self.ask(None)?;
        let follows = self.has_canonical_layout();
        let entry = self.entries.remove(from);
        self.entries.insert(to, entry);
        if follows {
            let block = self.blocks.remove(from);
            self.blocks.insert(to, block);
            for (i, entry) in self.entries.iter_mut().enumerate() {
                if let Payload::Held { block, .. } = &mut entry.payload {
                    *block = i;
                }
            }
        }
        self.edit().order_empty();
        self.rebuild_sort_table();
        Ok(())
    }

    /// Sets a plain field of an entry.
    pub fn set(&mut self, index: usize, attribute: Attribute, value: u32) -> Result<(), EditError> {
        self.entry(index)?;
        if let Some(entry) = self.entries.get_mut(index) {
            *match attribute {
                Attribute::TypeId => &mut entry.type_id,
                Attribute::Attr1 => &mut entry.attr1,
                Attribute::Attr2 => &mut entry.attr2,
                Attribute::Attr3 => &mut entry.attr3,
            } = value;
        }
        Ok(())
    }

    /// Lists the entries by name again.
    pub fn rebuild_sort_table(&mut self) {
        let table = sorted(&self.entries);
        for (entry, index) in self.entries.iter_mut().zip(table) {
            entry.sort_index = index;
        }
    }

    /// Lays the archive out as the game's own writer does: payloads in directory order, each padded with
    /// zeros to a multiple of 8, names zero-filled, nothing else. The report says what was dropped.
    pub fn make_canonical(&mut self) -> Result<Report, EditError> {
        self.allow_unsharing()?;
        let mut report = Report::default();
        let foreign = self.layout().gaps().map(|(_, gap)| gap).chain([self.tail.as_slice()]);
        report.extend(dropped_bytes(foreign, &check::LOST_BYTES));
        for (i, entry) in self.entries.iter().enumerate() {
            report.extend(zeroed_name(i, entry, &check::LOST_BYTES));
        }
        let mut blocks = room::with_capacity(self.entries.len())?;
        let mut payloads = room::with_capacity(self.entries.len())?;
        for (i, entry) in self.entries.iter().enumerate() {
            let Some(bytes) = self.payload(i) else {
                payloads.push(entry.payload);
                continue;
            };
            payloads.push(Payload::Held { block: blocks.len(), start: 0, len: bytes.len() });
            blocks.push(Block { bytes: room::copied(bytes)?, gap: vec![0; padding(bytes.len())] });
        }
        for (entry, payload) in self.entries.iter_mut().zip(payloads) {
            entry.payload = payload;
            entry.name = entry.name.zero_filled();
        }
        self.blocks = blocks;
        self.lead.clear();
        self.tail.clear();
        self.rebuild_sort_table();
        Ok(report)
    }

    /// Refuses where overlapping payloads with bytes of their own would be out of proportion.
    fn allow_unsharing(&self) -> Result<(), EditError> {
        let held = |i: usize| self.payload(i).map_or(0, <[u8]>::len);
        let wanted = (0..self.entries.len()).map(held).fold(0, usize::saturating_add);
        let records = self.entries.len().saturating_mul(RECORD_LEN);
        let has = self.directory_offset().saturating_add(records);
        archive::allow_unsharing("payloads", has, wanted, &check::TOO_LARGE)
    }

    /// The entry at an index, or a refusal.
    pub fn entry(&self, index: usize) -> Result<&Entry, EditError> {
        entry_at(&self.entries, index, &check::NO_ENTRY)
    }

    fn set_payload(&mut self, index: usize, payload: Payload) {
        if let Some(entry) = self.entries.get_mut(index) {
            entry.payload = payload;
        }
    }

    /// A copy, if there is room for one.
    pub fn copied(&self) -> Result<Self, Exhausted> {
        Ok(Document {
            version: self.version,
            lead: room::copied(&self.lead)?,
            blocks: archive::copied(&self.blocks)?,
            entries: room::collected(self.entries.iter().cloned())?,
            tail: room::copied(&self.tail)?,
        })
    }

    /// Asks for all the room that an edit of this entry, or of a new one, takes before anything changes.
    fn ask(&mut self, entry: Option<usize>) -> Result<(), Exhausted> {
        room::reserve(&mut self.entries, 1)?;
        let shared = match entry.and_then(|entry| self.entries.get(entry)).map(|entry| entry.payload) {
            Some(Payload::Held { block, .. }) => self.blocks.get(block).map_or(0, |block| block.bytes.len()),
            _ => 0,
        };
        self.edit().ask(shared)
    }

    /// The payloads, to be edited with their entries.
    fn edit(&mut self) -> archive::Edit<'_, Entry> {
        let Document { lead, blocks, entries, .. } = self;
        archive::Edit { start: HEADER_LEN, align: ALIGN, lead, blocks, entries }
    }
}
