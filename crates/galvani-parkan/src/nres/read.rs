//! Bytes → [`Document`].

use galvani_core::record::Kind;
use galvani_core::{FileMap, Path, Read, ReadError, ReadOptions, Report};

use super::layout::{Range, clusters, is_padding};
use super::{Archive, Block, Document, Entry, HEADER_LEN, Name, Payload, check, wire};

/// Reads an archive. What is odd is kept and left to [`check`](super::check()); under strictness a
/// record without payload, a wrong version or bytes behind the directory end the reading.
pub fn read(file: &[u8], options: &ReadOptions) -> Result<Read<Document>, ReadError> {
    let archive = Archive::open(file)?;
    let document = document(file, &archive);
    let map = map(file.len(), &archive, &document, |map, i, start, len| {
        map.run(Path::of("payloads").index(i), start, len, Kind::Payload);
    });
    let mut damage = Report::default();
    check::damage(&document, &mut damage);
    damage.locate(&map);
    damage.enforce(options.strictness)?;
    Ok(Read { document, map, report: Report::default(), readings: Vec::new() })
}

/// The archive as a value.
pub(crate) fn document(file: &[u8], archive: &Archive<'_>) -> Document {
    let mut entries: Vec<Entry> = archive.entries().iter().map(entry).collect();
    let mut ranges: Vec<Range> = Vec::with_capacity(entries.len());
    for (i, record) in archive.entries().iter().enumerate() {
        if let Some((start, end)) = archive.payload_range(record) {
            ranges.push(Range { start, end, entry: i });
        }
    }
    let mut lead = Vec::new();
    let mut blocks: Vec<Block> = Vec::new();
    let mut reached = HEADER_LEN;
    for cluster in clusters(&mut ranges) {
        let start = cluster.iter().map(|range| range.start).min().unwrap_or(reached);
        let end = cluster.iter().map(|range| range.end).max().unwrap_or(reached);
        let gap = blocks.last_mut().map_or(&mut lead, |block| &mut block.gap);
        *gap = slice(file, reached, start);
        for range in cluster {
            if let Some(entry) = entries.get_mut(range.entry) {
                entry.payload = Payload::Held {
                    block: blocks.len(),
                    start: range.start.saturating_sub(start),
                    len: range.end.saturating_sub(range.start),
                };
            }
        }
        blocks.push(Block { bytes: slice(file, start, end), gap: Vec::new() });
        reached = end;
    }
    let gap = blocks.last_mut().map_or(&mut lead, |block| &mut block.gap);
    *gap = slice(file, reached, archive.directory_offset());
    let version = archive.header().version.get();
    Document { version, lead, blocks, entries, tail: archive.tail().to_vec() }
}

/// A record of which the payload is not looked for yet.
fn entry(record: &wire::Entry) -> Entry {
    Entry {
        type_id: record.type_id.0.get(),
        attr1: record.attr1.get(),
        attr2: record.attr2.get(),
        attr3: record.attr3.get(),
        name: Name(record.name.0),
        payload: Payload::Outside { offset: record.data_offset.get(), size: record.size.get() },
        sort_index: record.sort_index.get(),
    }
}

/// Which bytes are what; `claim` says so of each payload that is in the archive.
pub(crate) fn map(
    len: usize,
    archive: &Archive<'_>,
    document: &Document,
    mut claim: impl FnMut(&mut FileMap, usize, usize, usize),
) -> FileMap {
    let mut map = FileMap::new(len);
    let tail = document.tail.len();
    map.record::<wire::Header>(Path::of("header"), 0);
    map.table::<wire::Entry>(Path::of("entries"), archive.directory_offset(), document.entries.len());
    if tail > 0 {
        map.run(Path::of("tail"), len.saturating_sub(tail), tail, Kind::Raw);
    }
    for (i, record) in archive.entries().iter().enumerate() {
        if let Some((start, end)) = archive.payload_range(record) {
            claim(&mut map, i, start, end.saturating_sub(start));
        }
    }
    for (i, (start, gap)) in document.gaps().enumerate() {
        let kind = if is_padding(start, gap) { Kind::Padding } else { Kind::Raw };
        map.run(Path::of("gaps").index(i), start, gap.len(), kind);
    }
    map
}

fn slice(file: &[u8], start: usize, end: usize) -> Vec<u8> {
    file.get(start..end).unwrap_or_default().to_vec()
}
