//! An archive over borrowed bytes: its frame checked, nothing copied.

use galvani_core::{Exhausted, ReadError, Reader, room, text};

use super::{HEADER_LEN, LOOKUP_LEN, RECORD_LEN, ROW_LEN, SLOTS, Slot, check, slot_of, wire};

/// A table of contents over borrowed bytes, for looking things up without reading the whole archive.
#[derive(Debug, Clone)]
pub struct Archive<'a> {
    file: &'a [u8],
    header: &'a wire::Header,
    entries: &'a [wire::Entry],
    lookup: &'a [wire::Slot],
    /// Rows of every group; `None` where the table does not end before the records.
    conflicts: Option<Vec<&'a [wire::Conflict]>>,
    /// Where records may begin.
    records: usize,
}

/// A record among the others.
#[derive(Debug, Clone, Copy)]
pub(super) struct Found {
    /// Its first byte.
    pub(super) start: usize,
    /// Bytes of the file, as it says.
    pub(super) size: u32,
    /// Behind its last byte, if that is in the archive.
    pub(super) end: Option<usize>,
}

impl<'a> Archive<'a> {
    /// Finds the tables. Fails only where nobody could know where they are.
    pub fn open(file: &'a [u8]) -> Result<Self, ReadError> {
        let mut r = Reader::new(file, &check::BYTES);
        let header: &wire::Header = r.record("header")?;
        let count = usize::try_from(header.file_count.get()).unwrap_or(usize::MAX);
        let entries: &[wire::Entry] = r.table("entries", count)?;
        let lookup = r.table("lookup", SLOTS)?;
        let tables = r.offset();
        // Whatever an entry points at from here on is a record, and no part of the conflict table.
        let offsets = entries.iter().filter_map(|entry| usize::try_from(entry.offset.get()).ok());
        let first = offsets.filter(|&offset| offset >= tables).min().unwrap_or(file.len());
        let between = file.get(tables..first.min(file.len())).unwrap_or_default();
        let (conflicts, len) = conflicts(between)?.unzip();
        let records = tables.saturating_add(len.unwrap_or(0));
        Ok(Archive { file, header, entries, lookup, conflicts, records })
    }

    /// The header.
    pub fn header(&self) -> &'a wire::Header {
        self.header
    }

    /// The table of contents.
    pub fn entries(&self) -> &'a [wire::Entry] {
        self.entries
    }

    /// The lookup table.
    pub fn lookup(&self) -> &'a [wire::Slot] {
        self.lookup
    }

    /// The rows of every group of the conflict table; `None` where the table cannot be read.
    pub fn conflicts(&self) -> Option<&[&'a [wire::Conflict]]> {
        self.conflicts.as_deref()
    }

    /// Where the tables end and records may begin.
    pub fn records_offset(&self) -> usize {
        self.records
    }

    /// Where the conflict table begins.
    pub(super) fn conflicts_offset(&self) -> usize {
        HEADER_LEN.saturating_add(self.entries.len().saturating_mul(ROW_LEN)).saturating_add(LOOKUP_LEN)
    }

    /// The bytes of an entry's file; `None` if the archive does not have all of them.
    pub fn payload(&self, entry: usize) -> Option<&'a [u8]> {
        let found = self.record(self.entries.get(entry)?)?;
        self.file.get(found.start.checked_add(RECORD_LEN)?..found.end?)
    }

    /// The name in an entry's record, up to its NUL.
    pub fn record_name(&self, entry: usize) -> Option<&'a [u8]> {
        let start = self.record(self.entries.get(entry)?)?.start;
        self.file.get(start..start.checked_add(super::NAME_LEN)?).map(text::before_nul)
    }

    /// The record of an entry, if one is where its row says.
    pub(super) fn record(&self, entry: &wire::Entry) -> Option<Found> {
        let start = usize::try_from(entry.offset.get()).ok().filter(|&start| start >= self.records)?;
        let (_, size) = super::layout::header(self.file, start)?;
        let end = usize::try_from(size)
            .ok()
            .and_then(|size| start.checked_add(RECORD_LEN)?.checked_add(size))
            .filter(|&end| end <= self.file.len());
        Some(Found { start, size, end })
    }

    /// The entry of that name in any case of letters: through the lookup table as the game does, or row by
    /// row where the table does not list it.
    pub fn find(&self, name: &[u8]) -> Option<usize> {
        self.find_listed(name).or_else(|| self.entries.iter().position(is_named(name)))
    }

    /// The entry of that name as the game finds it: among the rows that the slot of its first two characters
    /// names.
    pub fn find_listed(&self, name: &[u8]) -> Option<usize> {
        let slot = self.lookup.get(slot_of(name)?)?;
        let rows = Slot { first: slot.first.get(), count: slot.count.get() }.rows();
        let start = rows.start;
        let listed = self.entries.get(start..rows.end.min(self.entries.len()))?;
        listed.iter().position(is_named(name))?.checked_add(start)
    }
}

/// Whether an entry has that name. The name's own end is known, so that of the room is not looked for; and of names that are listed
/// together most differ in the last letter.
fn is_named(name: &[u8]) -> impl Fn(&wire::Entry) -> bool {
    let (len, has_nul) = (name.len(), name.contains(&0));
    let last = name.last().map(u8::to_ascii_lowercase);
    move |entry| {
        let room = &entry.name.0;
        let text = room.get(..len).filter(|text| text.last().map(u8::to_ascii_lowercase) == last);
        text.is_some_and(|text| text.eq_ignore_ascii_case(name))
            && room.get(len).is_none_or(|&end| end == 0)
            && !has_nul
    }
}

/// The rows of every group of a conflict table, and its bytes.
type ConflictTable<'a> = (Vec<&'a [wire::Conflict]>, usize);

/// The groups of a conflict table and its bytes; `None` if it does not end.
fn conflicts(bytes: &[u8]) -> Result<Option<ConflictTable<'_>>, Exhausted> {
    let mut r = Reader::new(bytes, &check::BYTES);
    let Ok(head) = r.record::<wire::Conflicts>("conflicts") else { return Ok(None) };
    let count = usize::from(head.group_count.get());
    // A group has at least the bytes of its count.
    if count.saturating_mul(size_of::<wire::Group>()) > r.remaining() {
        return Ok(None);
    }
    let mut groups = room::with_capacity(count)?;
    for _ in 0..count {
        let Ok(group) = r.record::<wire::Group>("groups") else { return Ok(None) };
        let Ok(rows) = r.table("rows", group.row_count.get().into()) else { return Ok(None) };
        groups.push(rows);
    }
    Ok(Some((groups, r.offset())))
}
