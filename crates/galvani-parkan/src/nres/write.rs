//! [`Document`] → bytes.

use galvani_core::record::{Tag, Text};
use galvani_core::{Path, WriteError, Writer};
use zerocopy::little_endian::{I32, U32};

use super::{Document, HEADER_LEN, MAGIC, Payload, RECORD_LEN, check, wire};

/// Writes an archive from its document alone.
pub fn write(document: &Document) -> Result<Vec<u8>, WriteError> {
    let positions = document.positions();
    let directory = positions.last().copied().unwrap_or(HEADER_LEN);
    let total = document
        .entries
        .len()
        .checked_mul(RECORD_LEN)
        .and_then(|len| directory.checked_add(len))
        .and_then(|total| u32::try_from(total).ok());
    let count = i32::try_from(document.entries.len());
    let (Some(total), Ok(count)) = (total, count) else {
        let found = format!("{} entries behind {directory} bytes", document.entries.len());
        return Err(check::TOO_LARGE.at(Path::named("header").field("total_size")).saying(found).into());
    };
    let mut w =
        Writer::with_capacity(usize::try_from(total).unwrap_or(0).saturating_add(document.tail.len()))?;
    w.record(&wire::Header {
        magic: Tag(U32::from_bytes(MAGIC)),
        version: U32::new(document.version),
        entry_count: I32::new(count),
        total_size: U32::new(total),
    });
    w.bytes(&document.lead);
    for block in &document.blocks {
        w.bytes(&block.bytes);
        w.bytes(&block.gap);
    }
    for i in 0..document.entries.len() {
        w.record(&record(document, i, &positions)?);
    }
    w.bytes(&document.tail);
    Ok(w.finish())
}

fn record(document: &Document, i: usize, positions: &[usize]) -> Result<wire::Entry, WriteError> {
    let lost = || WriteError::from(check::PAYLOAD_LOST.at(Path::named("payloads").index(i)));
    let entry = document.entries.get(i).ok_or_else(lost)?;
    let (offset, size) = match entry.payload {
        Payload::Held { block, start, len } => {
            document.payload(i).ok_or_else(lost)?;
            let offset = positions.get(block).and_then(|at| at.checked_add(start)).ok_or_else(lost)?;
            (u32::try_from(offset).map_err(|_| lost())?, u32::try_from(len).map_err(|_| lost())?)
        }
        Payload::Outside { offset, size } => {
            let directory = positions.last().copied().unwrap_or(HEADER_LEN);
            if is_inside(offset, size, directory) {
                let found = format!(
                    "{size} bytes at 0x{offset:x}; payloads lie in 0x{HEADER_LEN:x}..0x{directory:x}"
                );
                let path = Path::named("entries").index(i).field("data_offset");
                return Err(check::PAYLOAD_STRAY.at(path).saying(found).into());
            }
            (offset, size)
        }
    };
    Ok(wire::Entry {
        type_id: Tag(U32::new(entry.type_id)),
        attr1: U32::new(entry.attr1),
        attr2: U32::new(entry.attr2),
        size: U32::new(size),
        attr3: U32::new(entry.attr3),
        name: Text(entry.name.0),
        data_offset: U32::new(offset),
        sort_index: U32::new(entry.sort_index),
    })
}

/// Whether a range lies among the payloads.
fn is_inside(offset: u32, size: u32, directory: usize) -> bool {
    let start = usize::try_from(offset).unwrap_or(usize::MAX);
    let end = usize::try_from(size).ok().and_then(|size| start.checked_add(size));
    start >= HEADER_LEN && end.is_some_and(|end| end <= directory)
}
