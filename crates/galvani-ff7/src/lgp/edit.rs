//! Edits: each keeps offsets, lookup and conflict table in step and leaves the bytes of all others as they are.

use std::collections::BTreeMap;

use galvani_core::{EditError, Path, Report};

use super::layout::{Range, clusters, record, terminator};
use super::lookup::rank;
use super::{Block, CHECK, Conflict, Document, Entry, MAGIC, Name, Place, TERMINATOR, build_lookup, check};

/// How much larger than itself an archive may become when overlapping records get their own bytes: a small
/// file of many claims on the same bytes must not fill the memory.
const UNSHARING_FACTOR: usize = 16;

type Groups = Option<Vec<Vec<Conflict>>>;

impl Document {
    /// Adds an entry behind those of its slot and says where. Its record follows that of the entry before it.
    pub fn add(&mut self, name: Name, bytes: &[u8]) -> Result<usize, EditError> {
        self.allow_name(name, None)?;
        let plain = self.has_canonical_layout();
        let index = self.place_of(name, None);
        let conflicts = self.renumbered(|i| Some(if i >= index { i.saturating_add(1) } else { i }))?;
        let before = index.checked_sub(1).and_then(|i| self.entries.get(i));
        let block = match before.map(Entry::range) {
            None => 0,
            Some(Some((block, ..))) => block.saturating_add(1),
            Some(None) => self.blocks.len(),
        };
        let block = self.before_cut(block);
        self.insert_block(block, record(name, bytes));
        let place = Place::Held { block, start: 0, len: bytes.len() };
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
        let entry = self.entries.remove(index);
        if let Some((block, ..)) = entry.range() {
            self.settle(block);
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
        let whole = |block| Place::Held { block, start: 0, len };
        match entry.range() {
            Some((block, ..)) if self.users(block).len() == 1 => {
                if let Some(block) = self.blocks.get_mut(block) {
                    block.bytes = record(name, bytes);
                }
                self.set_place(index, whole(block));
            }
            Some((block, ..)) => {
                let own = self.before_cut(block.saturating_add(1));
                self.insert_block(own, record(name, bytes));
                self.set_place(index, whole(own));
                self.settle(if own > block { block } else { block.saturating_add(1) });
            }
            None => {
                let own = self.before_cut(self.blocks.len());
                self.insert_block(own, record(name, bytes));
                self.set_place(index, whole(own));
            }
        }
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
        let mut order: Vec<usize> = (0..self.entries.len()).collect();
        order.sort_by_key(|&i| self.entries.get(i).map(|entry| rank(entry.name.text())));
        let mut places = vec![0; order.len()];
        for (to, &from) in order.iter().enumerate() {
            if let Some(place) = places.get_mut(from) {
                *place = to;
            }
        }
        let conflicts = self.renumbered(|i| Some(places.get(i).copied().unwrap_or(i)))?;
        let report = self.losses();
        let mut entries = Vec::with_capacity(order.len());
        let mut blocks: Vec<Block> = Vec::new();
        let mut homes: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for entry in order.into_iter().filter_map(|i| self.entries.get(i)) {
            let mut entry = entry.clone();
            if let Some((block, start, end)) = entry.range() {
                let home = *homes.entry((block, start)).or_insert_with(|| {
                    let bytes = self.blocks.get(block).and_then(|block| block.bytes.get(start..end));
                    blocks.push(Block { bytes: bytes.unwrap_or_default().to_vec(), gap: Vec::new() });
                    blocks.len().saturating_sub(1)
                });
                entry.place.move_to(home, 0);
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
        let positions = self.positions();
        let foreign = self.gaps(&positions).map(|(_, gap)| gap).chain(self.tail.as_deref());
        let dropped: usize = foreign.filter(|gap| gap.iter().any(|&byte| byte != 0)).map(<[u8]>::len).sum();
        if dropped > 0 {
            report.push(check::LOST_BYTES.at(Path::root()).saying(format!("{dropped} bytes dropped")));
        }
        if self.magic != MAGIC {
            let path = Path::of("header").field("creator");
            report.push(check::LOST_BYTES.at(path).saying("the first 12 bytes became those of the game"));
        }
        for (i, entry) in self.entries.iter().enumerate() {
            let row = Path::of("entries").index(i);
            if entry.name != entry.name.zero_filled() {
                let found = format!("bytes behind the NUL of `{}` zeroed", entry.name);
                report.push(check::LOST_BYTES.at(row.field("name")).saying(found));
            }
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
        let mut ranges: Vec<_> = self.entries.iter().filter_map(Entry::range).collect();
        ranges.sort_unstable();
        ranges.dedup();
        let wanted =
            ranges.iter().map(|(_, start, end)| end.saturating_sub(*start)).fold(0, usize::saturating_add);
        let has = self.file_len(&self.positions());
        if wanted > has.saturating_mul(UNSHARING_FACTOR) {
            let found = format!("overlapping records of {has} bytes would become {wanted} bytes");
            return Err(check::TOO_LARGE.at(Path::of("records")).saying(found).into());
        }
        Ok(())
    }

    /// The entry at an index, or a refusal.
    pub fn entry(&self, index: usize) -> Result<&Entry, EditError> {
        self.entries.get(index).ok_or_else(|| {
            let found = format!("entry {index} of {}", self.entries.len());
            check::NO_ENTRY.at(Path::of("entries").index(index)).saying(found).into()
        })
    }

    /// Refuses a name that another entry has.
    fn allow_name(&self, name: Name, own: Option<usize>) -> Result<(), EditError> {
        let same = |entry: &Entry| entry.name.text().eq_ignore_ascii_case(name.text());
        match self.entries.iter().enumerate().find(|(i, entry)| Some(*i) != own && same(entry)) {
            Some((i, _)) => {
                let found = format!("`{name}` is entry {i}");
                Err(check::NAME_TAKEN.at(Path::of("entries").index(i).field("name")).saying(found).into())
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
        let mut renumbered = groups.clone();
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
                return Err(check::TOO_LARGE.at(Path::of("groups").index(g)).saying(found).into());
            }
        }
        Ok(Some(renumbered))
    }

    /// Renames a record that has its entry's name and no other entry.
    fn rename_record(&mut self, index: usize, old: Name, new: Name) {
        let same = self.record_name(index).is_some_and(|name| name.text().eq_ignore_ascii_case(old.text()));
        let range = self.entries.get(index).and_then(Entry::range);
        let Some((block, start, _)) = range.filter(|_| same) else { return };
        if self.users(block).len() == 1
            && let Some(block) = self.blocks.get_mut(block)
            && let Some(bytes) = block.bytes.get_mut(start..start.saturating_add(new.0.len()))
        {
            bytes.copy_from_slice(&new.0);
        }
    }

    fn set_place(&mut self, index: usize, place: Place) {
        if let Some(entry) = self.entries.get_mut(index) {
            entry.place = place;
        }
    }

    /// The ranges of a block that entries use.
    fn users(&self, block: usize) -> Vec<Range> {
        let range = |(i, entry): (usize, &Entry)| {
            let (own, start, end) = entry.range()?;
            (own == block).then_some(Range { start, end, entry: i })
        };
        self.entries.iter().enumerate().filter_map(range).collect()
    }

    /// The place of a new block that was to stand at `index`: never behind a record that wants more bytes than the file
    /// has, or that would take them for its own.
    fn before_cut(&self, index: usize) -> usize {
        let is_cut = |entry: &&Entry| matches!(entry.place, Place::Cut { .. });
        let cut = self.entries.iter().filter(is_cut).filter_map(Entry::range).map(|(block, ..)| block);
        cut.min().map_or(index, |cut| cut.min(index))
    }

    fn insert_block(&mut self, index: usize, bytes: Vec<u8>) {
        self.move_blocks(index, |block| block.saturating_add(1));
        self.blocks.insert(index.min(self.blocks.len()), Block { bytes, gap: Vec::new() });
    }

    /// Tells the entries where the blocks from `first` on will be.
    fn move_blocks(&mut self, first: usize, to: impl Fn(usize) -> usize) {
        for entry in &mut self.entries {
            if let Some((block, start, _)) = entry.range()
                && block >= first
            {
                entry.place.move_to(to(block), start);
            }
        }
    }

    /// Drops from a block what no entry uses any more. What other records have between them falls away too,
    /// so one block may become several, or none.
    fn settle(&mut self, index: usize) {
        let mut users = self.users(index);
        let runs = clusters(&mut users);
        if index >= self.blocks.len() {
            return;
        }
        let old = self.blocks.remove(index);
        self.move_blocks(index.saturating_add(1), |block| block.saturating_add(runs.len()).saturating_sub(1));
        for (i, run) in (index..).zip(&runs) {
            let first = run.iter().map(|range| range.start).min().unwrap_or(0);
            let last = run.iter().map(|range| range.end).max().unwrap_or(0);
            for range in *run {
                if let Some(entry) = self.entries.get_mut(range.entry) {
                    entry.place.move_to(i, range.start.saturating_sub(first));
                }
            }
            let bytes = old.bytes.get(first..last).unwrap_or_default().to_vec();
            self.blocks.insert(i, Block { bytes, gap: Vec::new() });
        }
        self.gap_before(index.saturating_add(runs.len())).extend(old.gap);
    }

    /// Puts records that were in the order of the table of contents in order again, and finds the end.
    fn settle_layout(&mut self, was_plain: bool) {
        if was_plain && !self.has_canonical_layout() {
            let mut homes: BTreeMap<usize, usize> = BTreeMap::new();
            let mut blocks = Vec::with_capacity(self.blocks.len());
            for entry in &mut self.entries {
                let Some((block, start, _)) = entry.range() else { continue };
                let home = *homes.entry(block).or_insert_with(|| {
                    blocks.push(self.blocks.get_mut(block).map(std::mem::take).unwrap_or_default());
                    blocks.len().saturating_sub(1)
                });
                entry.place.move_to(home, start);
            }
            self.blocks = blocks;
        }
        self.settle_end();
    }

    /// Finds the terminator again where other bytes came to stand behind the last record, as reading does.
    fn settle_end(&mut self) {
        let tail = self.tail.take();
        let last = self.gap_before(self.blocks.len());
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

    /// The gap that stands before the block at `index`.
    fn gap_before(&mut self, index: usize) -> &mut Vec<u8> {
        match index.checked_sub(1).and_then(|i| self.blocks.get_mut(i)) {
            Some(block) => &mut block.gap,
            None => &mut self.lead,
        }
    }
}

impl Place {
    /// The same record elsewhere.
    fn move_to(&mut self, to: usize, at: usize) {
        match self {
            Place::Held { block, start, .. } | Place::Cut { block, start, .. } => (*block, *start) = (to, at),
            Place::Outside { .. } => {}
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
