//! Bytes → [`Document`].

use galvani_core::record::Kind;
use galvani_core::{FileMap, Path, Read, ReadError, ReadOptions, Report};

use super::layout::{Range, clusters, terminator};
use super::{
    Archive, Block, Conflict, Document, Entry, Name, Place, RECORD_LEN, SLOTS, Slot, TERMINATOR, check, wire,
};

/// Reads an archive. What is odd is kept and left to [`check`](super::check()); under strictness a wrong
/// magic, a conflict table that does not end and an entry without its record end the reading.
pub fn read(file: &[u8], options: &ReadOptions) -> Result<Read<Document>, ReadError> {
    let archive = Archive::open(file)?;
    let document = document(file, &archive);
    let map = map(file.len(), &archive, &document);
    options.strictness.enforce(|report| check::damage(&document, report), || map.clone())?;
    Ok(Read { document, map, report: Report::default(), readings: Vec::new() })
}

fn document(file: &[u8], archive: &Archive<'_>) -> Document {
    let mut entries: Vec<Entry> = archive.entries().iter().map(entry).collect();
    let mut ranges: Vec<Range> = Vec::with_capacity(entries.len());
    for (i, row) in archive.entries().iter().enumerate() {
        if let Some(found) = archive.record(row) {
            // Of a record that is cut only the header is known to be its own.
            let end = found.end.unwrap_or_else(|| found.start.saturating_add(RECORD_LEN));
            ranges.push(Range { start: found.start, end, entry: i });
        }
    }
    let mut lead = Vec::new();
    let mut blocks: Vec<Block> = Vec::new();
    let mut reached = archive.records_offset();
    for cluster in clusters(&mut ranges) {
        let start = cluster.iter().map(|range| range.start).min().unwrap_or(reached);
        let end = cluster.iter().map(|range| range.end).max().unwrap_or(reached);
        let gap = blocks.last_mut().map_or(&mut lead, |block| &mut block.gap);
        *gap = slice(file, reached, start);
        for range in cluster {
            if let (Some(entry), Some(row)) =
                (entries.get_mut(range.entry), archive.entries().get(range.entry))
                && let Some(found) = archive.record(row)
            {
                let (block, start) = (blocks.len(), range.start.saturating_sub(start));
                entry.place = match found.end {
                    Some(end) => {
                        let len = end.saturating_sub(found.start).saturating_sub(RECORD_LEN);
                        Place::Held { block, start, len }
                    }
                    None => Place::Cut { block, start, size: found.size },
                };
            }
        }
        blocks.push(Block { bytes: slice(file, start, end), gap: Vec::new() });
        reached = end;
    }
    let rest = file.get(reached..).unwrap_or_default();
    let (last, tail) = match terminator(rest) {
        Some(at) => {
            let tail = rest.get(at.saturating_add(TERMINATOR.len())..).unwrap_or_default();
            (rest.get(..at).unwrap_or_default(), Some(tail.to_vec()))
        }
        None => (rest, None),
    };
    let gap = blocks.last_mut().map_or(&mut lead, |block| &mut block.gap);
    *gap = last.to_vec();
    let conflicts = archive.conflicts().map(|groups| groups.iter().map(|rows| group(rows)).collect());
    Document { magic: magic(archive), entries, lookup: lookup(archive), conflicts, lead, blocks, tail }
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

fn group(rows: &[wire::Conflict]) -> Vec<Conflict> {
    let row =
        |row: &wire::Conflict| Conflict { directory: row.directory.0, entry_index: row.toc_index.get() };
    rows.iter().map(row).collect()
}

/// A row of which the record is not looked for yet.
fn entry(row: &wire::Entry) -> Entry {
    Entry {
        name: Name(row.name.0),
        check: row.check,
        conflict: row.conflict.get(),
        place: Place::Outside { offset: row.offset.get() },
    }
}

/// Which bytes are what.
fn map(len: usize, archive: &Archive<'_>, document: &Document) -> FileMap {
    let mut map = FileMap::new(len);
    map.record::<wire::Header>(Path::of("header"), 0);
    map.table::<wire::Entry>(Path::of("entries"), super::HEADER_LEN, document.entries.len());
    let conflicts = archive.conflicts_offset();
    map.table::<wire::Slot>(Path::of("lookup"), conflicts.saturating_sub(super::LOOKUP_LEN), SLOTS);
    match &document.conflicts {
        Some(groups) => map_conflicts(&mut map, conflicts, groups),
        None => map.run(Path::of("conflicts"), conflicts, 0, Kind::Raw),
    }
    map_records(&mut map, archive);
    let positions = document.positions();
    let end = positions.last().copied().unwrap_or(len);
    let terminator = if document.tail.is_some() { TERMINATOR.len() } else { 0 };
    map.run(Path::of("terminator"), end, terminator, Kind::Text);
    if let Some(tail) = document.tail.as_ref().filter(|tail| !tail.is_empty()) {
        map.run(Path::of("tail"), len.saturating_sub(tail.len()), tail.len(), Kind::Raw);
    }
    for (i, (start, gap)) in document.gaps(&positions).enumerate() {
        let kind = if gap.iter().all(|&byte| byte == 0) { Kind::Padding } else { Kind::Raw };
        map.run(Path::of("gaps").index(i), start, gap.len(), kind);
    }
    map
}

fn map_conflicts(map: &mut FileMap, start: usize, groups: &[Vec<Conflict>]) {
    map.record::<wire::Conflicts>(Path::of("conflicts"), start);
    let mut at = start.saturating_add(size_of::<wire::Conflicts>());
    for (i, rows) in groups.iter().enumerate() {
        let path = Path::of("groups").index(i);
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
        map.record::<wire::Record>(Path::of("records").index(i), found.start);
        let first = firsts.binary_search(&(found.start, i)).is_ok();
        if let Some(end) = found.end.filter(|_| first) {
            let start = found.start.saturating_add(RECORD_LEN);
            map.run(Path::of("payloads").index(i), start, end.saturating_sub(start), Kind::Payload);
        }
    }
}

fn slice(file: &[u8], start: usize, end: usize) -> Vec<u8> {
    file.get(start..end).unwrap_or_default().to_vec()
}
