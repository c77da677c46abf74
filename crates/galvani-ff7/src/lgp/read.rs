//! Bytes → [`Document`].

use galvani_core::archive::{self, place_in_file};
use galvani_core::record::FieldKind;
use galvani_core::{Exhausted, FileMap, Path, Read, ReadError, ReadOptions, Report, room};

use super::open::Found;
use super::{
    Archive, Conflict, Document, Entry, Name, RECORD_LEN, RecordPlace, SLOTS, Slot, TERMINATOR, check, wire,
};

/// Reads an archive. What is odd is kept and left to [`check`](super::check()); under strictness a wrong
/// magic, a conflict table that does not end and an entry without its record end the reading.
pub fn read(file: &[u8], options: &ReadOptions) -> Result<Read<Document>, ReadError> {
    let archive = Archive::open(file)?;
    let document = document(file, &archive)?;
    let map = map(file.len(), &archive, &document);
    options.strictness.enforce(|report| check::damage(&document, report), || map.clone())?;
    Ok(Read { document, map, report: Report::default(), readings: Vec::new() })
}

fn document(file: &[u8], archive: &Archive<'_>) -> Result<Document, Exhausted> {
    let mut entries: Vec<Entry> = room::collected(archive.entries().iter().map(|row| entry(archive, row)))?;
    let mut sorted: Vec<&mut Entry> = room::collected(entries.iter_mut())?;
    sorted.sort_by_key(place_in_file);
    let (mut lead, mut blocks) = (Vec::new(), Vec::new());
    archive::fill(&mut lead, &mut blocks, &mut sorted, file, archive.records_offset()..file.len())?;
    let groups = |groups: &[&[wire::Conflict]]| room::try_collected(groups.iter().map(|rows| group(rows)));
    let conflicts = archive.conflicts().map(groups).transpose()?;
    let lookup = lookup(archive);
    let mut document =
        Document { magic: magic(archive), entries, lookup, conflicts, lead, blocks, tail: None };
    document.settle_end();
    Ok(document)
}

fn magic(archive: &Archive<'_>) -> [u8; 12] {
    let wire::Header { zeros, creator, .. } = archive.header();
    let mut magic = [0; 12];
    for (to, from) in magic.iter_mut().zip(zeros.iter().chain(&creator.0)) {
        *to = *from;
    }
    magic
}

fn lookup(archive: &Archive<'_>) -> Box<[Slot; SLOTS]> {
    let mut lookup = Box::new([Slot::default(); SLOTS]);
    for (slot, found) in lookup.iter_mut().zip(archive.lookup()) {
        *slot = Slot { first: found.first.get(), count: found.count.get() };
    }
    lookup
}

fn group(rows: &[wire::Conflict]) -> Result<Vec<Conflict>, Exhausted> {
    let row =
        |row: &wire::Conflict| Conflict { directory: row.directory.0, entry_index: row.toc_index.get() };
    room::collected(rows.iter().map(row))
}

/// A row whose record is still counted from the start of the file.
fn entry(archive: &Archive<'_>, row: &wire::Entry) -> Entry {
    let place = match archive.record(row) {
        Some(Found { start, end: Some(end), .. }) => {
            let len = end.saturating_sub(start).saturating_sub(RECORD_LEN);
            RecordPlace::Held { block: 0, start, len }
        }
        Some(Found { start, size, end: None }) => RecordPlace::Cut { block: 0, start, size },
        None => RecordPlace::Outside { offset: row.offset.get() },
    };
    Entry { name: Name(row.name.0), check: row.check, conflict: row.conflict.get(), place }
}

/// Which bytes are what.
fn map(len: usize, archive: &Archive<'_>, document: &Document) -> FileMap {
    let mut map = FileMap::new(len);
    map.record::<wire::Header>(Path::named("header"), 0);
    map.table::<wire::Entry>(Path::named("entries"), super::HEADER_LEN, document.entries.len());
    let conflicts = archive.conflicts_offset();
    map.table::<wire::Slot>(Path::named("lookup"), conflicts.saturating_sub(super::LOOKUP_LEN), SLOTS);
    match &document.conflicts {
        Some(groups) => map_conflicts(&mut map, conflicts, groups),
        None => map.run(Path::named("conflicts"), conflicts, 0, FieldKind::Raw),
    }
    map_records(&mut map, archive);
    let end = document.layout().end();
    let terminator = if document.tail.is_some() { TERMINATOR.len() } else { 0 };
    map.run(Path::named("terminator"), end, terminator, FieldKind::Text);
    if let Some(tail) = document.tail.as_ref().filter(|tail| !tail.is_empty()) {
        map.run(Path::named("tail"), len.saturating_sub(tail.len()), tail.len(), FieldKind::Raw);
    }
    for (i, (start, gap)) in document.layout().gaps().enumerate() {
        let kind = if gap.iter().all(|&byte| byte == 0) { FieldKind::Padding } else { FieldKind::Raw };
        map.run(Path::named("gaps").index(i), start, gap.len(), kind);
    }
    map
}

fn map_conflicts(map: &mut FileMap, start: usize, groups: &[Vec<Conflict>]) {
    map.record::<wire::Conflicts>(Path::named("conflicts"), start);
    let mut at = start.saturating_add(size_of::<wire::Conflicts>());
    for (i, rows) in groups.iter().enumerate() {
        let path = Path::named("groups").index(i);
        map.record::<wire::Group>(path, at);
        at = at.saturating_add(size_of::<wire::Group>());
        if !rows.is_empty() {
            map.table::<wire::Conflict>(path.field("rows"), at, rows.len());
            at = at.saturating_add(rows.len().saturating_mul(super::CONFLICT_LEN));
        }
    }
}

/// Every record under the index of its entry; the bytes of a shared one under that of its first.
fn map_records(map: &mut FileMap, archive: &Archive<'_>) {
    let records =
        || archive.entries().iter().enumerate().filter_map(|(i, row)| Some((i, archive.record(row)?)));
    let mut firsts: Vec<(usize, usize)> = records().map(|(i, found)| (found.start, i)).collect();
    firsts.sort_unstable();
    firsts.dedup_by_key(|(start, _)| *start);
    for (i, found) in records() {
        map.record::<wire::Record>(Path::named("records").index(i), found.start);
        let first = firsts.binary_search(&(found.start, i)).is_ok();
        if let Some(end) = found.end.filter(|_| first) {
            let start = found.start.saturating_add(RECORD_LEN);
            map.run(Path::named("payloads").index(i), start, end.saturating_sub(start), FieldKind::Payload);
        }
    }
}
