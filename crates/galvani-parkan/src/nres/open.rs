//! An archive over borrowed bytes: its frame checked, nothing copied.

use std::sync::OnceLock;

use galvani_core::{Path, ReadError, Reader, Report, text};

use super::{HEADER_LEN, MAGIC, RECORD_LEN, check, name, wire};

/// A directory over borrowed bytes, for looking things up without reading the whole archive.
#[derive(Debug, Clone)]
pub struct Archive<'a> {
    file: &'a [u8],
    header: &'a wire::Header,
    entries: &'a [wire::Entry],
    directory: usize,
    tail: &'a [u8],
    /// Whether the sort table can be searched; looked at once, on the first search.
    searchable: OnceLock<bool>,
}

impl<'a> Archive<'a> {
    /// Finds the directory. Fails only where nobody could know where it is.
    pub fn open(file: &'a [u8]) -> Result<Self, ReadError> {
        let mut r = Reader::new(file, &check::BYTES);
        let at = |field| Path::named("header").field(field);
        let header: &wire::Header = r.record("header")?;
        if header.magic.0.get().to_le_bytes() != MAGIC {
            let found = text::hex(&header.magic.0.get().to_le_bytes());
            return Err(check::MAGIC
                .at(at("magic"))
                .offset(0)
                .saying(format!("`NRes` wanted, {found} found"))
                .into());
        }
        let count = header.entry_count.get();
        let Ok(count) = usize::try_from(count) else {
            return Err(check::ENTRY_COUNT
                .at(at("entry_count"))
                .offset(8)
                .saying(format!("{count} entries"))
                .into());
        };
        let total = usize::try_from(header.total_size.get()).unwrap_or(usize::MAX);
        if total > file.len() {
            let sizes = format!("{total} bytes in the header, {} in the file", file.len());
            let mut before = Report::default();
            before.push(check::TOTAL_SIZE.at(at("total_size")).offset(12).saying(sizes));
            let found = format!("the directory ends at {total} bytes, the file at {}", file.len());
            let cause = Box::new(check::DIRECTORY_END.at(at("total_size")).offset(12).saying(found));
            return Err(ReadError { cause, before });
        }
        let directory = count.checked_mul(RECORD_LEN).and_then(|len| total.checked_sub(len));
        let Some(directory) = directory.filter(|&start| start >= HEADER_LEN) else {
            let found =
                format!("{count} records of 64 bytes do not fit between the header and {total} bytes");
            return Err(check::DIRECTORY_START.at(at("entry_count")).offset(8).saying(found).into());
        };
        r.seek("entries", directory)?;
        let entries = r.table("entries", count)?;
        Ok(Archive { file, header, entries, directory, tail: r.rest(), searchable: OnceLock::new() })
    }

    /// The header.
    pub fn header(&self) -> &'a wire::Header {
        self.header
    }

    /// The directory's records.
    pub fn entries(&self) -> &'a [wire::Entry] {
        self.entries
    }

    /// Where the directory starts, and so where the payloads end.
    pub fn directory_offset(&self) -> usize {
        self.directory
    }

    /// Bytes behind the directory.
    pub fn tail(&self) -> &'a [u8] {
        self.tail
    }

    /// The bytes of an entry; `None` if they are not among the payloads.
    pub fn payload(&self, entry: usize) -> Option<&'a [u8]> {
        let (start, end) = self.payload_range(self.entries.get(entry)?)?;
        self.file.get(start..end)
    }

    /// First byte and end of a record's payload, if it lies among the payloads.
    pub(super) fn payload_range(&self, entry: &wire::Entry) -> Option<(usize, usize)> {
        let start = usize::try_from(entry.data_offset.get()).ok()?;
        let end = start.checked_add(usize::try_from(entry.size.get()).ok()?)?;
        (start >= HEADER_LEN && end <= self.directory).then_some((start, end))
    }

    /// The first entry of that name in any case of letters: through the sort table, or entry by entry
    /// where the table is bad.
    pub fn find(&self, name: &[u8]) -> Option<usize> {
        let order = |entry: usize| name::folded_cmp(self.name(entry), name);
        if !*self.searchable.get_or_init(|| self.table_is_good()) {
            return (0..self.entries.len()).find(|&entry| order(entry).is_eq());
        }
        let first = self.entries.partition_point(|slot| order(slot_entry(slot)).is_lt());
        let equal = self.entries.iter().skip(first).map(slot_entry).take_while(|&entry| order(entry).is_eq());
        equal.min()
    }

    /// The first entry of that type.
    pub fn find_type(&self, type_id: u32) -> Option<usize> {
        self.entries.iter().position(|entry| entry.type_id.0.get() == type_id)
    }

    /// Whether every entry has a slot and the names rise over the slots.
    fn table_is_good(&self) -> bool {
        let mut seen = vec![false; self.entries.len()];
        let all_there = self
            .entries
            .iter()
            .all(|slot| seen.get_mut(slot_entry(slot)).is_some_and(|seen| !std::mem::replace(seen, true)));
        let name = |slot| self.name(slot_entry(slot));
        all_there && self.entries.is_sorted_by(|a, b| name::folded_cmp(name(a), name(b)).is_le())
    }

    fn name(&self, entry: usize) -> &'a [u8] {
        self.entries.get(entry).map_or(&[], |entry| text::before_nul(&entry.name.0))
    }
}

fn slot_entry(slot: &wire::Entry) -> usize {
    usize::try_from(slot.sort_index.get()).unwrap_or(usize::MAX)
}
