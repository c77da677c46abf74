//! Bytes → [`Document`].

use galvani_core::archive::{self, place_in_file};
use galvani_core::record::FieldKind;
use galvani_core::{Exhausted, FileMap, Path, Read, ReadError, ReadOptions, Report, room};

use super::{Archive, Document, Entry, HEADER_LEN, Name, Payload, check, is_padding, wire};

/// Reads an archive. What is odd is kept and left to [`check`](super::check()); under strictness a
/// record without payload, a wrong version or bytes behind the directory end the reading.
pub fn read(file: &[u8], options: &ReadOptions) -> Result<Read<Document>, ReadError> {
    let archive = Archive::open(file)?;
    let mut document = Document::default();
    take(&mut document, file, &archive, options)?;
    let map = payload_map(file.len(), &archive, &document);
    Ok(Read { document, map, report: Report::default(), readings: Vec::new() })
}

/// Reads an archive into a document that is there, as [`read`] does but without a map.
///
/// What the document held is gone, its buffers are used again: a second archive of the same shape
/// allocates nothing. On an error the document is as it was if the directory was not found, what reading
/// without strictness gives where strictness ended it, and of no use where there was no room.
pub fn read_into(document: &mut Document, file: &[u8], options: &ReadOptions) -> Result<(), ReadError> {
    take(document, file, &Archive::open(file)?, options)
}

/// Fills a document and ends at its damage if strictness says so.
fn take(
    document: &mut Document,
    file: &[u8],
    archive: &Archive<'_>,
    options: &ReadOptions,
) -> Result<(), ReadError> {
    fill(document, file, archive)?;
    let damage = |report: &mut Report| check::damage(document, report);
    options.strictness.enforce(damage, || payload_map(file.len(), archive, document))
}

/// Makes a document the value of an archive, in the buffers that it has.
///
/// The directory itself is sorted by place and back again, so that no list is needed beside it;
/// meanwhile `sort_index` is the place in the directory.
pub(crate) fn fill(document: &mut Document, file: &[u8], archive: &Archive<'_>) -> Result<(), Exhausted> {
    let mut entries = std::mem::take(&mut document.entries);
    entries.clear();
    room::reserve_exact(&mut entries, archive.entries().len())?;
    entries.extend((0..).zip(archive.entries()).map(|(i, record)| entry(archive, record, i)));
    entries.sort_unstable_by_key(|entry| (place_in_file(entry), entry.sort_index));
    let payloads = HEADER_LEN..archive.directory_offset();
    archive::fill(&mut document.lead, &mut document.blocks, &mut entries, file, payloads)?;
    entries.sort_unstable_by_key(|entry| entry.sort_index);
    for (entry, record) in entries.iter_mut().zip(archive.entries()) {
        entry.sort_index = record.sort_index.get();
    }
    document.entries = entries;
    document.version = archive.header().version.get();
    room::copy_into(archive.tail(), &mut document.tail)
}

/// A record whose payload is still counted from the start of the file.
fn entry(archive: &Archive<'_>, record: &wire::Entry, sort_index: u32) -> Entry {
    let payload = match archive.payload_range(record) {
        Some((start, end)) => Payload::Held { block: 0, start, len: end.saturating_sub(start) },
        None => Payload::Outside { offset: record.data_offset.get(), size: record.size.get() },
    };
    Entry {
        type_id: record.type_id.0.get(),
        attr1: record.attr1.get(),
        attr2: record.attr2.get(),
        attr3: record.attr3.get(),
        name: Name(record.name.0),
        payload,
        sort_index,
    }
}

/// Which bytes are what, payloads as such.
fn payload_map(len: usize, archive: &Archive<'_>, document: &Document) -> FileMap {
    map(len, archive, document, |map, i, start, len| {
        map.run(Path::named("payloads").index(i), start, len, FieldKind::Payload);
    })
}

/// Which bytes are what; `claim` says so of each payload that is in the archive.
pub(crate) fn map(
    len: usize,
    archive: &Archive<'_>,
    document: &Document,
    mut claim: impl FnMut(&mut FileMap, usize, usize, usize),
) -> FileMap {
    let (tail, payloads) = (document.tail.len(), document.entries.len());
    // Most payloads have padding behind them; header, directory and tail come on top.
    let mut map = FileMap::new(len).with_room(payloads.saturating_mul(2).saturating_add(3));
    map.record::<wire::Header>(Path::named("header"), 0);
    map.table::<wire::Entry>(Path::named("entries"), archive.directory_offset(), payloads);
    if tail > 0 {
        map.run(Path::named("tail"), len.saturating_sub(tail), tail, FieldKind::Raw);
    }
    for (i, record) in archive.entries().iter().enumerate() {
        if let Some((start, end)) = archive.payload_range(record) {
            claim(&mut map, i, start, end.saturating_sub(start));
        }
    }
    for (i, (start, gap)) in document.layout().gaps().enumerate() {
        let kind = if is_padding(start, gap) { FieldKind::Padding } else { FieldKind::Raw };
        map.run(Path::named("gaps").index(i), start, gap.len(), kind);
    }
    map
}
