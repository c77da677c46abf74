//! Edits: each keeps places, counts, sort table and keys in step and leaves the contents of all others as they are.

use std::collections::BTreeSet;

use galvani_core::archive::{self, Entry as _, dropped_bytes, entry_at, no_entry, users, zeroed_name};
use galvani_core::budget::unless_exhausted;
use galvani_core::{EditError, Exhausted, Path, Report, room};

use super::codec::{METHOD_BITS, pack, pack_plain};
use super::layout::table_end;
use super::{Block, Document, Entry, MOST_CONTENT, Method, Name, Payload, check, cipher, name};

/// What a new entry is, beside its content.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NewEntry {
    /// Its name.
    pub name: Name,
    /// How its content is packed.
    pub method: Method,
    /// Its other flags.
    pub flags: u16,
    /// Four bytes that the game does not look at.
    pub unknown_0c: [u8; 4],
}

impl NewEntry {
    /// An entry of that name, packed in that way.
    pub fn new(name: Name, method: Method) -> Self {
        NewEntry { name, method, flags: 0, unknown_0c: [0; 4] }
    }
}

/// Which counts of the header were right before an edit, and so follow it.
#[derive(Clone, Copy)]
struct Right {
    count: bool,
    total: bool,
}

impl Document {
    /// Adds an entry before the one at `index`, or at the end; its payload follows that of the entry before it.
    pub fn insert(&mut self, index: usize, entry: NewEntry, content: &[u8]) -> Result<(), EditError> {
        if index > self.entries.len() {
            return Err(no_entry(index, self.entries.len(), &check::NO_ENTRY));
        }
        allow_count(self.entries.len().saturating_add(1))?;
        let unpacked_size = size_of_content(index, content)?;
        self.allow_new_keys()?;
        let right = self.right();
        let mut keys = self.keys();
        let before = index.checked_sub(1).and_then(|i| self.entries.get(i));
        let block = match before.map(Entry::extent) {
            None => 0,
            Some(Some(extent)) => extent.block.saturating_add(1),
            Some(None) => self.blocks.len(),
        };
        let NewEntry { name, method, flags, unknown_0c } = entry;
        let mut packed = pack_plain(method, content)?;
        self.ask(None)?;
        self.edit().insert(block, Vec::new());
        let flags = flags & !METHOD_BITS | method.bits();
        let payload = Payload::Held { block, start: 0, len: 0, beyond: false };
        self.entries.insert(index, Entry { name, unknown_0c, flags, sort_index: 0, unpacked_size, payload });
        keys.insert(index, 0);
        self.follow_names(&keys);
        if method.is_ciphered() {
            cipher::apply(self.keys().get(index).copied().unwrap_or(0), &mut packed);
        }
        self.set_packed(index, packed);
        self.settle(right);
        Ok(())
    }

    /// Adds an entry at the end.
    pub fn push(&mut self, entry: NewEntry, content: &[u8]) -> Result<(), EditError> {
        self.insert(self.entries.len(), entry, content)
    }

    /// Removes an entry and the bytes that only it had.
    pub fn remove(&mut self, index: usize) -> Result<(), EditError> {
        self.entry(index)?;
        self.allow_new_keys()?;
        let right = self.right();
        let mut keys = self.keys();
        self.ask(Some(index))?;
        let entry = self.entries.remove(index);
        keys.remove(index);
        if let Some(extent) = entry.extent() {
            self.edit().settle(extent.block);
        }
        self.follow_names(&keys);
        self.settle(right);
        Ok(())
    }

    /// Gives an entry another content, packed as the old one was. The same content leaves it as it is.
    pub fn replace(&mut self, index: usize, content: &[u8]) -> Result<(), EditError> {
        let method = self.method_of(index)?;
        if unless_exhausted(self.content(index))?.is_some_and(|old| old == content) {
            return Ok(());
        }
        self.repack(index, method, content)
    }

    /// Gives entries another content. Those that are packed in the same way, without a cipher, share it.
    pub fn replace_shared(&mut self, indices: &[usize], content: &[u8]) -> Result<(), EditError> {
        let Some((&first, others)) = indices.split_first() else { return Ok(()) };
        let method = self.method_of(first)?;
        let is_alike =
            |other: &usize| self.method_of(*other).is_ok_and(|own| own == method && !own.is_ciphered());
        let (alike, unlike): (Vec<usize>, Vec<usize>) = others.iter().partition(|other| is_alike(other));
        unlike.into_iter().try_for_each(|other| self.replace(other, content))?;
        self.replace(first, content)?;
        let (right, Some(shared)) = (self.right(), self.entries.get(first).cloned()) else { return Ok(()) };
        let mut left = BTreeSet::new();
        for other in alike {
            let Some(entry) = self.entries.get_mut(other) else { continue };
            left.extend(
                entry.extent().map(|extent| extent.block).filter(|_| entry.payload != shared.payload),
            );
            (entry.payload, entry.unpacked_size) = (shared.payload, shared.unpacked_size);
        }
        // From the last on, so that none moves before its turn.
        left.into_iter().rev().for_each(|block| self.edit().settle(block));
        self.settle(right);
        Ok(())
    }

    /// Packs the content of an entry in another way.
    pub fn set_method(&mut self, index: usize, method: Method) -> Result<(), EditError> {
        if self.method_of(index)? == method {
            return Ok(());
        }
        let content = self.content(index).map_err(|cause| EditError { cause })?;
        self.repack(index, method, &content)
    }

    /// Gives an entry packed bytes as they are, and the size of what they hold.
    pub fn replace_packed(
        &mut self,
        index: usize,
        packed: Vec<u8>,
        unpacked_size: u32,
    ) -> Result<(), EditError> {
        self.entry(index)?;
        let right = self.right();
        self.ask(Some(index))?;
        self.set_packed(index, packed);
        self.with_entry(index, |entry| entry.unpacked_size = unpacked_size);
        self.settle(right);
        Ok(())
    }

    /// Gives an entry another name.
    pub fn rename(&mut self, index: usize, name: Name) -> Result<(), EditError> {
        self.entry(index)?;
        self.allow_new_keys()?;
        let (right, keys) = (self.right(), self.keys());
        self.ask(None)?;
        self.with_entry(index, |entry| entry.name = name);
        self.follow_names(&keys);
        self.settle(right);
        Ok(())
    }

    /// Moves an entry to another place in the table. The payloads follow if they are in its order.
    pub fn reorder(&mut self, from: usize, to: usize) -> Result<(), EditError> {
        self.entry(from)?;
        self.entry(to)?;
        self.allow_new_keys()?;
        let (right, mut keys, follows) = (self.right(), self.keys(), self.has_canonical_layout());
        self.ask(None)?;
        let (entry, key) = (self.entries.remove(from), keys.remove(from));
        self.entries.insert(to, entry);
        keys.insert(to, key);
        if follows {
            let block = self.blocks.remove(from);
            self.blocks.insert(to, block);
            for (i, entry) in self.entries.iter_mut().enumerate() {
                entry.move_to(i, 0);
            }
        }
        self.follow_names(&keys);
        self.settle(right);
        Ok(())
    }

    /// Sets the flags of an entry but for those that say how it is packed.
    pub fn set_flags(&mut self, index: usize, flags: u16) -> Result<(), EditError> {
        self.entry(index)?;
        self.with_entry(index, |entry| entry.flags = (flags & !METHOD_BITS) | (entry.flags & METHOD_BITS));
        Ok(())
    }

    /// Sets the four bytes of an entry that the game does not look at.
    pub fn set_unknown(&mut self, index: usize, bytes: [u8; 4]) -> Result<(), EditError> {
        self.entry(index)?;
        self.with_entry(index, |entry| entry.unknown_0c = bytes);
        Ok(())
    }

    /// Lists the entries by name again, and says that the list can be used.
    pub fn rebuild_sort_table(&mut self) -> Result<(), EditError> {
        self.allow_new_keys()?;
        let (right, keys) = (self.right(), self.keys());
        self.ask(None)?;
        self.presorted = super::PRESORTED;
        self.follow_names(&keys);
        self.settle(right);
        Ok(())
    }

    /// Lays the archive out plainly: payloads in the order of the table with nothing between them and nothing behind,
    /// names zero-filled, counts and sort table right. The report says what was dropped.
    pub fn make_canonical(&mut self) -> Result<Report, EditError> {
        let held = |i: usize| self.packed(i).map_or(0, <[u8]>::len);
        let wanted = (0..self.entries.len()).map(held).fold(0, usize::saturating_add);
        archive::allow_unsharing("payloads", self.file_len(), wanted, &check::TOO_LARGE)?;
        let mut report = Report::default();
        report.extend(dropped_bytes(self.layout().gaps().map(|(_, gap)| gap), &check::LOST_BYTES));
        for (i, entry) in self.entries.iter().enumerate() {
            report.extend(zeroed_name(i, entry, &check::LOST_BYTES));
        }
        let keys = self.keys();
        let mut blocks = room::with_capacity(self.entries.len())?;
        let mut payloads = room::with_capacity(self.entries.len())?;
        for (i, entry) in self.entries.iter().enumerate() {
            let Some(bytes) = self.packed(i) else {
                payloads.push(entry.payload);
                continue;
            };
            let payload = Payload::Held { block: blocks.len(), start: 0, len: bytes.len(), beyond: false };
            payloads.push(payload);
            blocks.push(Block { bytes: room::copied(bytes)?, gap: Vec::new() });
        }
        self.ask(None)?;
        for (entry, payload) in self.entries.iter_mut().zip(payloads) {
            entry.payload = payload;
            entry.name = entry.name.zero_filled();
        }
        self.blocks = blocks;
        self.lead.clear();
        self.overlay = None;
        self.presorted = super::PRESORTED;
        self.follow_names(&keys);
        self.settle(Right { count: true, total: true });
        Ok(report)
    }

    /// The entry at an index, or a refusal.
    pub fn entry(&self, index: usize) -> Result<&Entry, EditError> {
        entry_at(&self.entries, index, &check::NO_ENTRY)
    }

    /// The sum of the contents' sizes, as a header has it.
    pub fn content_total(&self) -> u32 {
        self.entries.iter().fold(0, |sum, entry| sum.wrapping_add(entry.unpacked_size))
    }

    fn method_of(&self, index: usize) -> Result<Method, EditError> {
        let entry = self.entry(index)?;
        let refusal = || super::content::unknown_method(Path::named("entries").index(index), entry).into();
        entry.method().ok_or_else(refusal)
    }

    fn repack(&mut self, index: usize, method: Method, content: &[u8]) -> Result<(), EditError> {
        let unpacked_size = size_of_content(index, content)?;
        let right = self.right();
        let key = self.keys().get(index).copied().unwrap_or(0);
        let packed = pack(method, key, content)?;
        self.ask(Some(index))?;
        self.set_packed(index, packed);
        self.with_entry(index, |entry| {
            entry.unpacked_size = unpacked_size;
            entry.flags = (entry.flags & !METHOD_BITS) | method.bits();
        });
        self.settle(right);
        Ok(())
    }

    /// Gives an entry other packed bytes. One that shared bytes gets its own; the others keep theirs.
    fn set_packed(&mut self, index: usize, packed: Vec<u8>) {
        let len = packed.len();
        let whole = |block| Payload::Held { block, start: 0, len, beyond: false };
        let block = self.entries.get(index).and_then(Entry::extent).map(|extent| extent.block);
        match block {
            Some(block) if users(&self.entries, block).len() == 1 => {
                self.edit().resize(block, packed);
                self.with_entry(index, |entry| entry.payload = whole(block));
            }
            Some(block) => {
                let own = block.saturating_add(1);
                self.edit().insert(own, packed);
                self.with_entry(index, |entry| entry.payload = whole(own));
                self.edit().settle(block);
            }
            None => {
                let own = self.blocks.len();
                self.edit().insert(own, packed);
                self.with_entry(index, |entry| entry.payload = whole(own));
            }
        }
    }

    /// Lists the entries by name again where the archive's own table counts, and puts payloads under the cipher under
    /// their new keys; `old` are those that they are under.
    fn follow_names(&mut self, old: &[u16]) {
        if self.is_presorted() {
            let table = name::sorted(&self.entries);
            for (entry, index) in self.entries.iter_mut().zip(table) {
                entry.sort_index = index;
            }
        }
        let is_ciphered = |entry: &Entry| entry.method().is_some_and(Method::is_ciphered);
        let changed: Vec<(usize, u16, u16)> = (self.entries.iter().zip(self.keys()).zip(old).enumerate())
            .filter(|(_, ((entry, key), old))| is_ciphered(entry) && key != *old)
            .map(|(i, ((_, key), &old))| (i, old, key))
            .collect();
        for (i, old, key) in changed {
            if let Some(packed) = self.packed(i) {
                // Every edit asks for the room of this before it begins.
                let mut packed = packed.to_vec();
                cipher::apply(old, &mut packed);
                cipher::apply(key, &mut packed);
                self.set_packed(i, packed);
            }
        }
    }

    /// Refuses where payloads that get other keys share bytes, and bytes of their own would be out of proportion.
    fn allow_new_keys(&self) -> Result<(), EditError> {
        archive::allow_unsharing("payloads", self.file_len(), self.ciphered_len(), &check::TOO_LARGE)
    }

    /// A copy, if there is room for one.
    pub fn copied(&self) -> Result<Self, Exhausted> {
        let Document { version, count_again, unknown_08, presorted, .. } = *self;
        let Document { unpacked_total, seed, unknown_18, overlay, .. } = *self;
        let lead = room::copied(&self.lead)?;
        let blocks = archive::copied(&self.blocks)?;
        let entries = room::collected(self.entries.iter().cloned())?;
        Ok(Document {
            version,
            count_again,
            unknown_08,
            presorted,
            unpacked_total,
            seed,
            unknown_18,
            lead,
            blocks,
            entries,
            overlay,
        })
    }

    /// Asks for all the room that an edit of this entry, or of a new one, takes before anything changes; payloads under the
    /// cipher may get other keys.
    fn ask(&mut self, entry: Option<usize>) -> Result<(), Exhausted> {
        room::reserve(&mut self.entries, 1)?;
        let block = entry.and_then(|entry| self.entries.get(entry)?.extent()).map(|extent| extent.block);
        let shared = block.and_then(|block| self.blocks.get(block)).map_or(0, |block| block.bytes.len());
        let ciphered = self.ciphered_len();
        self.edit().ask(shared.saturating_add(ciphered))
    }

    /// Bytes of all payloads under the cipher.
    fn ciphered_len(&self) -> usize {
        let ciphered = |(i, entry): (usize, &Entry)| {
            let is_ciphered = entry.method().is_some_and(Method::is_ciphered);
            self.packed(i).filter(|_| is_ciphered).map(<[u8]>::len)
        };
        self.entries.iter().enumerate().filter_map(ciphered).fold(0, usize::saturating_add)
    }

    fn right(&self) -> Right {
        Right {
            count: usize::try_from(self.count_again) == Ok(self.entries.len()),
            total: self.unpacked_total == self.content_total(),
        }
    }

    /// What every edit ends with: counts that were right stay right, and what is written reads as what is meant.
    fn settle(&mut self, right: Right) {
        if right.count {
            self.count_again = i16::try_from(self.entries.len()).unwrap_or(i16::MAX);
        }
        if right.total {
            self.unpacked_total = self.content_total();
        }
        self.edit().order_empty();
        let offsets = self.offsets();
        if let Some(overlay) = self.overlay.and_then(|overlay| usize::try_from(overlay).ok()) {
            let is_held = |entry: &Entry| matches!(entry.payload, Payload::Held { .. });
            let is_before = |(entry, offset): (&Entry, &usize)| is_held(entry) && *offset < overlay;
            // Places are counted from the start of the file then, which the game takes as well.
            if self.entries.iter().zip(&offsets).any(is_before) {
                self.overlay = Some(0);
            }
        } else if self.ends_like_a_trailer() {
            self.overlay = Some(0);
        }
        let (end, has_trailer) = (self.layout().end(), self.overlay.is_some());
        for (entry, offset) in self.entries.iter_mut().zip(offsets) {
            if let Payload::Held { len, beyond, .. } = &mut entry.payload {
                *beyond &= !has_trailer && offset.saturating_add(*len) == end;
            }
        }
    }

    fn with_entry(&mut self, index: usize, change: impl FnOnce(&mut Entry)) {
        if let Some(entry) = self.entries.get_mut(index) {
            change(entry);
        }
    }

    /// The payloads, to be edited with their entries.
    fn edit(&mut self) -> archive::Edit<'_, Entry> {
        let start = table_end(self.entries.len());
        let Document { lead, blocks, entries, .. } = self;
        archive::Edit { start, align: 1, lead, blocks, entries }
    }
}

/// The size of a content for its record, or a refusal.
fn size_of_content(index: usize, content: &[u8]) -> Result<u32, EditError> {
    let size = u32::try_from(content.len()).ok().filter(|_| content.len() <= MOST_CONTENT);
    size.ok_or_else(|| {
        let found = format!("{} bytes, {MOST_CONTENT} at most", content.len());
        check::CONTENT_LIMIT.at(Path::named("entries").index(index)).saying(found).into()
    })
}

/// Refuses more entries than a header can count.
fn allow_count(count: usize) -> Result<(), EditError> {
    if i16::try_from(count).is_ok() {
        return Ok(());
    }
    let found = format!("{count} entries, {} at most", i16::MAX);
    Err(check::TOO_LARGE.at(Path::named("header").field("entry_count")).saying(found).into())
}
