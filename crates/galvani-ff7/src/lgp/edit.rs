//! Edits: each keeps offsets, lookup and conflict table in step and leaves the bytes of all others as they are.

use std::collections::{BTreeMap, BTreeSet};

use galvani_core::archive::{self, Entry as _, Extent, dropped_bytes, entry_at, users, zeroed_name};
use galvani_core::{EditError, Exhausted, Path, Report, room};

use super::layout::{record, terminator};
use super::lookup::rank;
use super::{
    Block, CHECK, Conflict, Document, Entry, MAGIC, Name, RecordPlace, TERMINATOR, build_lookup, check,
};

type Groups = Option<Vec<Vec<Conflict>>>;

impl Document {
    /// Adds an entry behind those of its slot and says where. Its record follows that of the entry before it.
    pub fn add(&mut self, name: Name, bytes: &[u8]) -> Result<usize, EditError> {
        self.allow_name(name, None)?;
        let plain = self.has_canonical_layout();
        let index = self.place_of(name, None);
        let conflicts = self.renumbered(|i| Some(if i >= index { i.saturating_add(1) } else { i }))?;
        let before = index.checked_sub(1).and_then(|i| self.entries.get(i));
        let block = match before.map(Entry::extent) {
            None => 0,
            Some(Some(Extent { block, .. })) => block.saturating_add(1),
            Some(None) => self.blocks.len(),
        };
        let block = self.before_cut(block);
        let record = record(name, bytes)?;
        self.ask(None)?;
        self.edit().insert(block, record);
        let place = RecordPlace::Held { block, start: 0, len: bytes.len() };
        self.entries.insert(index, Entry { name, check: CHECK, conflict: 0, place });
        self.conflicts = conflicts;
        self.settle_layout(plain);
        self.rebuild_lookup();
        Ok(index)
    }

    /// Removes an entry, its rows of the conflict table and the bytes that only it had.
    pub fn remove(&mut self, index: usize) -> Result<(), EditError> {
        self.entry(index)?;
        let plain = self.has_canonical_layout();
        let conflicts = self.renumbered(|i| match i.cmp(&index) {
            std::cmp::Ordering::Less => Some(i),
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Greater => i.checked_sub(1),
        })?;
        self.ask(Some(index))?;
        let entry = self.entries.remove(index);
        if let Some(Extent { block, .. }) = entry.extent() {
            self.edit().settle(block);
        }
        self.conflicts = conflicts;
        self.settle_layout(plain);
        self.rebuild_lookup();
        Ok(())
    }

    /// Gives an entry other bytes. One that shared its record gets its own; the others keep theirs.
    pub fn replace(&mut self, index: usize, bytes: &[u8]) -> Result<(), EditError> {
        let plain = self.has_canonical_layout();
        let entry = self.entry(index)?;
        let name = self.record_name(index).unwrap_or(entry.name);
        let len = bytes.len();
        let whole = |block| RecordPlace::Held { block, start: 0, len };
        let (extent, record) = (entry.extent(), record(name, bytes)?);
        self.ask(Some(index))?;
        match extent {
            Some(Extent { block, .. }) if users(&self.entries, block).len() == 1 => {
                self.edit().resize(block, record);
                self.set_place(index, whole(block));
            }
            Some(Extent { block, .. }) => {
                let own = self.before_cut(block.saturating_add(1));
                self.edit().insert(own, record);
                self.set_place(index, whole(own));
                self.edit().settle(if own > block { block } else { block.saturating_add(1) });
            }
            None => {
                let own = self.before_cut(self.blocks.len());
                self.edit().insert(own, record);
                self.set_place(index, whole(own));
            }
        }
        self.settle_layout(plain);
        Ok(())
    }

    /// Gives entries other bytes, which they share with their record.
    pub fn replace_shared(&mut self, indices: &[usize], bytes: &[u8]) -> Result<(), EditError> {
        let Some((&first, others)) = indices.split_first() else { return Ok(()) };
        others.iter().try_for_each(|&other| self.entry(other).map(drop))?;
        let plain = self.has_canonical_layout();
        // Nothing of what follows the first fails: their bytes only go.
        self.replace(first, bytes)?;
        let Some(shared) = self.entries.get(first).map(|entry| entry.place) else { return Ok(()) };
        let mut left = BTreeSet::new();
        for &other in others {
            let Some(entry) = self.entries.get_mut(other) else { continue };
            left.extend(entry.extent().map(|extent| extent.block));
            entry.place = shared;
        }
        // From the last on, so that none moves before its turn.
        left.into_iter().rev().for_each(|block| self.edit().settle(block));
        self.settle_layout(plain);
        Ok(())
    }

    /// Gives an entry another name, and its record too if that had the same and is its own. An entry whose
    /// slot changes goes behind those of the new one; says where it is.
    pub fn rename(&mut self, index: usize, name: Name) -> Result<usize, EditError> {
        let old = self.entry(index)?.name;
        let plain = self.has_canonical_layout();
        self.allow_name(name, Some(index))?;
        let stays = rank(old.text()) == rank(name.text());
        let to = if stays { index } else { self.place_of(name, Some(index)) };
        let conflicts = self.renumbered(|i| Some(moved(i, index, to)))?;
        self.ask(None)?;
        self.rename_record(index, old, name);
        let mut entry = self.entries.remove(index);
        entry.name = name;
        self.entries.insert(to, entry);
        self.conflicts = conflicts;
        self.settle_layout(plain);
        self.rebuild_lookup();
        Ok(to)
    }

    /// Computes the lookup table again.
    pub fn rebuild_lookup(&mut self) {
        self.lookup = build_lookup(self.entries.iter().map(|entry| entry.name.text()));
    }

    /// Lays the archive out plainly: the table of contents grouped by slot, the records in its order with
    /// nothing between them, the lookup table computed, the terminator behind them. Shared records stay
    /// shared. The report says what was dropped.
    pub fn make_canonical(&mut self) -> Result<Report, EditError> {
        self.allow_unsharing()?;
        let mut order: Vec<usize> = room::collected(0..self.entries.len())?;
        order.sort_by_key(|&i| self.entries.get(i).map(|entry| rank(entry.name.text())));
        let mut places = room::filled(0, order.len())?;
        for (to, &from) in order.iter().enumerate() {
            if let Some(place) = places.get_mut(from) {
                *place = to;
            }
        }
        let conflicts = self.renumbered(|i| Some(places.get(i).copied().unwrap_or(i)))?;
        let report = self.losses();
        let mut entries = room::with_capacity(order.len())?;
        let mut blocks: Vec<Block> = room::with_capacity(order.len())?;
        let mut homes: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for entry in order.into_iter().filter_map(|i| self.entries.get(i)) {
            let mut entry = entry.clone();
            if let Some(Extent { block, start, end }) = entry.extent() {
                let home = homes.entry((block, start)).or_insert(blocks.len());
                if *home == blocks.len() {
                    let bytes = archive::bytes_at(&self.blocks, Extent { block, start, end });
                    blocks.push(Block { bytes: room::copied(bytes.unwrap_or_default())?, gap: Vec::new() });
                }
                entry.move_to(*home, 0);
            }
            entry.name = entry.name.zero_filled();
            entry.check = CHECK;
            if conflicts.is_none() {
                entry.conflict = 0;
            }
            entries.push(entry);
        }
        (self.magic, self.entries, self.blocks) = (MAGIC, entries, blocks);
        self.conflicts = Some(conflicts.unwrap_or_default());
        self.lead.clear();
        self.tail = Some(Vec::new());
        self.rebuild_lookup();
        Ok(report)
    }

    /// What the canonical form drops or sets.
    fn losses(&self) -> Report {
        let mut report = Report::default();
        let foreign = self.layout().gaps().map(|(_, gap)| gap).chain(self.tail.as_deref());
        report.extend(dropped_bytes(foreign, &check::LOST_BYTES));
        if self.magic != MAGIC {
            let path = Path::named("header").field("creator");
            report.push(check::LOST_BYTES.at(path).saying("the first 12 bytes became those of the game"));
        }
        for (i, entry) in self.entries.iter().enumerate() {
            let row = Path::named("entries").index(i);
            report.extend(zeroed_name(i, entry, &check::LOST_BYTES));
            if entry.check != CHECK {
                let found = format!("{} became {CHECK}", entry.check);
                report.push(check::LOST_BYTES.at(row.field("check")).saying(found));
            }
            if self.conflicts.is_none() && entry.conflict != 0 {
                let found = format!("{} became 0, for there is no such group", entry.conflict);
                report.push(check::LOST_BYTES.at(row.field("conflict")).saying(found));
            }
        }
        report
    }

    /// Refuses where overlapping records with bytes of their own would be out of proportion.
    fn allow_unsharing(&self) -> Result<(), EditError> {
        let mut extents = room::collected(self.entries.iter().filter_map(Entry::extent))?;
        extents.sort_unstable();
        extents.dedup();
        let len = |extent: &Extent| extent.end.saturating_sub(extent.start);
        let wanted = extents.iter().map(len).fold(0, usize::saturating_add);
        let has = self.file_len(&self.positions());
        archive::allow_unsharing("records", has, wanted, &check::TOO_LARGE)
    }

    /// The entry at an index, or a refusal.
    pub fn entry(&self, index: usize) -> Result<&Entry, EditError> {
        entry_at(&self.entries, index, &check::NO_ENTRY)
    }

    /// Refuses a name that another entry has.
    fn allow_name(&self, name: Name, own: Option<usize>) -> Result<(), EditError> {
        let same = |entry: &Entry| entry.name.text().eq_ignore_ascii_case(name.text());
        match self.entries.iter().enumerate().find(|(i, entry)| Some(*i) != own && same(entry)) {
            Some((i, _)) => {
                let found = format!("`{name}` is entry {i}");
                Err(check::NAME_TAKEN.at(Path::named("entries").index(i).field("name")).saying(found).into())
            }
            None => Ok(()),
        }
    }

    /// Where an entry of that name belongs, another left out: behind the last of its slot, or before the first
    /// of a later one.
    fn place_of(&self, name: Name, without: Option<usize>) -> usize {
        let own = rank(name.text());
        let others = self.entries.iter().enumerate().filter(|(i, _)| Some(*i) != without);
        let (mut behind, mut before, mut count) = (None, None, 0_usize);
        for (place, (_, entry)) in others.enumerate() {
            let rank = rank(entry.name.text());
            if rank == own {
                behind = place.checked_add(1);
            } else if rank > own && before.is_none() {
                before = Some(place);
            }
            count = count.saturating_add(1);
        }
        behind.or(before).unwrap_or(count)
    }

    /// The conflict table with every entry's new index; rows of entries that go away leave it, and rows of
    /// entries that are not there stay as they are.
    fn renumbered(&self, to: impl Fn(usize) -> Option<usize>) -> Result<Groups, EditError> {
        let Some(groups) = &self.conflicts else { return Ok(None) };
        let mut renumbered =
            room::try_collected(groups.iter().map(|rows| room::collected(rows.iter().cloned())))?;
        for (g, rows) in renumbered.iter_mut().enumerate() {
            let mut fits = Ok(());
            rows.retain_mut(|row| {
                let index = usize::from(row.entry_index);
                if index >= self.entries.len() {
                    return true;
                }
                let Some(new) = to(index) else { return false };
                match u16::try_from(new) {
                    Ok(new) => row.entry_index = new,
                    Err(_) => fits = Err(new),
                }
                true
            });
            if let Err(new) = fits {
                let found = format!("entry {new}, where 65535 is the last that the conflict table can name");
                return Err(check::TOO_LARGE.at(Path::named("groups").index(g)).saying(found).into());
            }
        }
        Ok(Some(renumbered))
    }

    /// Renames a record that has its entry's name and no other entry.
    fn rename_record(&mut self, index: usize, old: Name, new: Name) {
        let same = self.record_name(index).is_some_and(|name| name.text().eq_ignore_ascii_case(old.text()));
        let extent = self.entries.get(index).and_then(Entry::extent);
        let Some(Extent { block, start, .. }) = extent.filter(|_| same) else { return };
        if users(&self.entries, block).len() == 1
            && let Some(block) = self.blocks.get_mut(block)
            && let Some(bytes) = block.bytes.get_mut(start..start.saturating_add(new.0.len()))
        {
            bytes.copy_from_slice(&new.0);
        }
    }

    fn set_place(&mut self, index: usize, place: RecordPlace) {
        if let Some(entry) = self.entries.get_mut(index) {
            entry.place = place;
        }
    }

    /// The place of a new block that was to stand at `index`: never behind a record that wants more bytes than the file
    /// has, or that would take them for its own.
    fn before_cut(&self, index: usize) -> usize {
        let is_cut = |entry: &&Entry| matches!(entry.place, RecordPlace::Cut { .. });
        let cut = self.entries.iter().filter(is_cut).filter_map(Entry::extent).map(|extent| extent.block);
        cut.min().map_or(index, |cut| cut.min(index))
    }

    /// Asks for all the room that an edit of this entry, or of a new one, takes before anything changes.
    fn ask(&mut self, entry: Option<usize>) -> Result<(), Exhausted> {
        room::reserve(&mut self.entries, 1)?;
        let block = entry.and_then(|entry| self.entries.get(entry)?.extent()).map(|extent| extent.block);
        let shared = block.and_then(|block| self.blocks.get(block)).map_or(0, |block| block.bytes.len());
        let tail = self.tail.as_ref().map_or(0, Vec::len).saturating_mul(2);
        self.edit().ask(shared.saturating_add(tail))
    }

    /// The records, to be edited with their entries.
    fn edit(&mut self) -> archive::Edit<'_, Entry> {
        let start = self.records_offset();
        let Document { lead, blocks, entries, .. } = self;
        archive::Edit { start, align: 1, lead, blocks, entries }
    }

    /// Puts records that were in the order of the table of contents in order again, and finds the end.
    fn settle_layout(&mut self, was_plain: bool) {
        if was_plain && !self.has_canonical_layout() {
            let mut homes: BTreeMap<usize, usize> = BTreeMap::new();
            let mut blocks = Vec::with_capacity(self.blocks.len());
            for entry in &mut self.entries {
                let Some(Extent { block, start, .. }) = entry.extent() else { continue };
                let home = *homes.entry(block).or_insert_with(|| {
                    blocks.push(self.blocks.get_mut(block).map(std::mem::take).unwrap_or_default());
                    blocks.len().saturating_sub(1)
                });
                entry.move_to(home, start);
            }
            self.blocks = blocks;
        }
        self.settle_end();
    }

    /// Finds the terminator again where other bytes came to stand behind the last record, as reading does.
    pub(super) fn settle_end(&mut self) {
        let tail = self.tail.take();
        let count = self.blocks.len();
        let mut records = self.edit();
        let last = records.gap_before(count);
        if let Some(tail) = tail {
            last.extend(TERMINATOR);
            last.extend(tail);
        }
        // Most gaps are empty: then the terminator is where it was.
        let at = if last.starts_with(&TERMINATOR) { Some(0) } else { terminator(last) };
        if let Some(at) = at {
            let behind = last.split_off(at.saturating_add(TERMINATOR.len()));
            last.truncate(at);
            self.tail = Some(behind);
        }
    }
}

/// Where entry `i` is after the one at `from` went to `to`.
fn moved(i: usize, from: usize, to: usize) -> usize {
    if i == from {
        to
    } else if from < i && i <= to {
        i.saturating_sub(1)
    } else if to <= i && i < from {
        i.saturating_add(1)
    } else {
        i
    }
}
