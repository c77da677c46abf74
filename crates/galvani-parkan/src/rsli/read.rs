//! Bytes → [`Document`].

use galvani_core::archive::{self, place_in_file};
use galvani_core::record::FieldKind;
use galvani_core::{Exhausted, FileMap, Path, Read, ReadError, ReadOptions, Reader, Report, room, text};
use zerocopy::little_endian::U32;
use zerocopy::{FromBytes, IntoBytes};

use super::layout::{Room, table_end};
use super::{
    Document, Entry, HEADER_LEN, MAGIC, Name, Payload, TRAILER, TRAILER_LEN, VERSION, check, cipher, wire,
};

/// Whether a file starts as archives do.
pub fn is_marked(file: &[u8]) -> bool {
    file.strip_prefix(&MAGIC).is_some_and(|rest| rest.starts_with(&VERSION))
}

/// Reads an archive. What is odd is kept and left to [`check`](super::check()); under strictness a payload that
/// cannot be had or unpacked ends the reading.
pub fn read(file: &[u8], options: &ReadOptions) -> Result<Read<Document>, ReadError> {
    let open = Open::new(file)?;
    let document = open.document()?;
    let map = open.map(&document);
    options.strictness.enforce(|report| check::damage(&document, report), || map.clone())?;
    Ok(Read { document, map, report: Report::default(), readings: Vec::new() })
}

/// The file with its table in the clear: what the records of its map describe.
pub fn in_the_clear(file: &[u8]) -> Result<Vec<u8>, Exhausted> {
    let mut clear = room::copied(file)?;
    if let Ok(open) = Open::new(file)
        && let Some(table) = clear.get_mut(HEADER_LEN..table_end(open.records.len()))
    {
        table.copy_from_slice(open.records.as_bytes());
    }
    Ok(clear)
}

/// A file of which the parts are known.
struct Open<'a> {
    file: &'a [u8],
    header: &'a wire::Header,
    records: Vec<wire::Entry>,
    /// Where payloads may lie.
    room: Room,
}

impl<'a> Open<'a> {
    /// Finds the table. Fails only where nobody could know where it is.
    fn new(file: &'a [u8]) -> Result<Self, ReadError> {
        let mut r = Reader::new(file, &check::BYTES);
        let header: &wire::Header = r.record("header")?;
        let at = |field| Path::named("header").field(field);
        if header.magic.0 != MAGIC {
            let found = format!("`NL` wanted, {} found", text::hex(&header.magic.0));
            return Err(check::MAGIC_WRONG.at(at("magic")).offset(0).saying(found).into());
        }
        let count = header.entry_count.get();
        let Ok(count) = usize::try_from(count) else {
            let found = format!("{count} entries");
            return Err(check::ENTRY_COUNT.at(at("entry_count")).offset(4).saying(found).into());
        };
        let mut records = room::copied(r.table::<wire::Entry>("entries", count)?)?;
        cipher::apply(table_key(header.seed.get()), records.as_mut_bytes());
        let trailer =
            r.rest().last_chunk::<TRAILER_LEN>().and_then(|bytes| wire::Trailer::read_from_bytes(bytes).ok());
        let overlay =
            trailer.filter(|trailer| trailer.magic.0 == TRAILER).map(|trailer| trailer.overlay.get());
        let end = file.len().saturating_sub(if overlay.is_some() { TRAILER_LEN } else { 0 });
        let room = Room { start: table_end(count), end, overlay };
        Ok(Open { file, header, records, room })
    }

    fn document(&self) -> Result<Document, Exhausted> {
        let mut entries = room::collected(self.records.iter().map(|record| self.entry(record)))?;
        let mut document = Document {
            version: self.header.version,
            count_again: self.header.count_again.get(),
            unknown_08: self.header.unknown_08.0,
            presorted: self.header.presorted.get(),
            unpacked_total: self.header.unpacked_total.get(),
            seed: self.header.seed.get(),
            unknown_18: self.header.unknown_18.map(U32::get),
            overlay: self.room.overlay,
            ..Document::default()
        };
        let mut by_place: Vec<&mut Entry> = room::collected(entries.iter_mut())?;
        by_place.sort_by_key(|entry| place_in_file(*entry));
        let room = self.room.start..self.room.end;
        archive::fill(&mut document.lead, &mut document.blocks, &mut by_place, self.file, room)?;
        document.entries = entries;
        Ok(document)
    }

    /// A record whose payload is still counted from the start of the file.
    fn entry(&self, record: &wire::Entry) -> Entry {
        let (offset, size) = (record.data_offset.get(), record.packed_size.get());
        let held = self.room.payload(record.flags.get(), offset, size);
        let outside = Payload::Outside { offset, size };
        Entry {
            name: Name(record.name.0),
            unknown_0c: record.unknown_0c.0,
            flags: record.flags.get(),
            sort_index: record.sort_index.get(),
            unpacked_size: record.unpacked_size.get(),
            payload: held.unwrap_or(outside),
        }
    }

    fn map(&self, document: &Document) -> FileMap {
        let count = self.records.len();
        let mut map = FileMap::new(self.file.len()).with_room(count.saturating_add(3));
        map.record::<wire::Header>(Path::named("header"), 0);
        map.table::<wire::Entry>(Path::named("entries"), HEADER_LEN, count);
        if document.overlay.is_some() {
            map.record::<wire::Trailer>(Path::named("trailer"), self.room.end);
        }
        for (i, (entry, offset)) in document.entries.iter().zip(document.offsets()).enumerate() {
            if let Payload::Held { len, .. } = entry.payload {
                map.run(Path::named("payloads").index(i), offset, len, FieldKind::Payload);
            }
        }
        for (i, (start, gap)) in document.layout().gaps().enumerate() {
            map.run(Path::named("gaps").index(i), start, gap.len(), FieldKind::Raw);
        }
        map
    }
}

/// The key of a table: the low half of its seed.
pub(super) fn table_key(seed: u32) -> u16 {
    let [low, high, ..] = seed.to_le_bytes();
    u16::from_le_bytes([low, high])
}
