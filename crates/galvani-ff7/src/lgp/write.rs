//! [`Document`] → bytes.

use galvani_core::record::Text;
use galvani_core::{Path, WriteError, Writer};
use zerocopy::little_endian::{U16, U32};

use super::layout::{offset, record_len};
use super::{Conflict, Document, Entry, RECORD_LEN, RecordPlace, TERMINATOR, check, wire};

/// Writes an archive from its document alone.
pub fn write(document: &Document) -> Result<Vec<u8>, WriteError> {
    let positions = document.positions();
    let len = document.file_len(&positions);
    let count = u32::try_from(document.entries.len());
    let (Ok(count), Ok(_)) = (count, u32::try_from(len)) else {
        let found = format!("{} entries, {len} bytes", document.entries.len());
        return Err(check::TOO_LARGE.at(Path::named("header")).saying(found).into());
    };
    let frame = Frame { tables: document.conflicts_offset(), records: document.records_offset(), len };
    let mut w = Writer::with_capacity(len)?;
    w.bytes(&document.magic);
    w.record(&U32::new(count));
    for (i, entry) in document.entries.iter().enumerate() {
        w.record(&row(document, i, entry, &positions, &frame)?);
    }
    for slot in document.lookup.iter() {
        w.record(&wire::Slot { first: U16::new(slot.first), count: U16::new(slot.count) });
    }
    if let Some(groups) = &document.conflicts {
        conflicts(&mut w, groups)?;
    }
    w.bytes(&document.lead);
    for block in &document.blocks {
        w.bytes(&block.bytes);
        w.bytes(&block.gap);
    }
    if let Some(tail) = &document.tail {
        w.bytes(&TERMINATOR);
        w.bytes(tail);
    }
    Ok(w.finish())
}

/// Where the parts of the file begin.
struct Frame {
    /// The conflict table.
    tables: usize,
    /// What is behind it.
    records: usize,
    /// Bytes of the file.
    len: usize,
}

fn row(
    document: &Document,
    i: usize,
    entry: &Entry,
    positions: &[usize],
    &Frame { tables, records, len: file_len }: &Frame,
) -> Result<wire::Entry, WriteError> {
    let at = offset(entry, positions);
    let lost = || WriteError::from(check::RECORD_LOST.at(Path::named("records").index(i)));
    let stray = |found: String| {
        WriteError::from(
            check::RECORD_STRAY.at(Path::named("entries").index(i).field("offset")).saying(found),
        )
    };
    let size = document.record(i).map(|(_, size)| size);
    match entry.place {
        RecordPlace::Held { len, .. } => {
            document.payload(i).ok_or_else(lost)?;
            if size != u32::try_from(len).ok() {
                return Err(lost());
            }
        }
        RecordPlace::Cut { size: wanted, .. } => {
            if size != Some(wanted) {
                return Err(lost());
            }
            let end = usize::try_from(wanted).ok().and_then(|len| at.checked_add(record_len(len)));
            if end.is_some_and(|end| end <= file_len) {
                return Err(stray(format!("{wanted} bytes at 0x{at:x}; the file has {file_len}")));
            }
        }
        RecordPlace::Outside { offset } => {
            let in_file = at.checked_add(RECORD_LEN).is_some_and(|end| end <= file_len);
            if (at >= records && in_file) || (tables..records).contains(&at) {
                return Err(stray(format!(
                    "a record at 0x{offset:x}; records lie in 0x{records:x}..0x{file_len:x}"
                )));
            }
        }
    }
    Ok(wire::Entry {
        name: Text(entry.name.0),
        offset: U32::new(u32::try_from(at).map_err(|_| lost())?),
        check: entry.check,
        conflict: U16::new(entry.conflict),
    })
}

fn conflicts(w: &mut Writer, groups: &[Vec<Conflict>]) -> Result<(), WriteError> {
    let short = |len: usize, path: Path| {
        let many = || WriteError::from(check::TOO_LARGE.at(path).saying(format!("{len} rows, 65535 fit")));
        u16::try_from(len).map(U16::new).map_err(|_| many())
    };
    w.record(&short(groups.len(), Path::named("conflicts"))?);
    for (i, rows) in groups.iter().enumerate() {
        w.record(&short(rows.len(), Path::named("groups").index(i))?);
        for Conflict { directory, entry_index } in rows {
            let toc_index = U16::new(*entry_index);
            w.record(&wire::Conflict { directory: Text(*directory), toc_index });
        }
    }
    Ok(())
}
