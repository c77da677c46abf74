//! [`Document`] → bytes.

use galvani_core::record::{Raw, Text};
use galvani_core::{Path, WriteError, Writer, room};
use zerocopy::IntoBytes;
use zerocopy::little_endian::{I16, U16, U32};

use super::read::table_key;
use super::{Document, Entry, MAGIC, Payload, TRAILER, check, cipher, wire};

/// Writes an archive from its document alone.
pub fn write(document: &Document) -> Result<Vec<u8>, WriteError> {
    let len = document.file_len();
    let count = i16::try_from(document.entries.len());
    let (Ok(count), Ok(_)) = (count, u32::try_from(len)) else {
        let found = format!("{} entries in {len} bytes", document.entries.len());
        return Err(check::TOO_LARGE.at(Path::named("header").field("entry_count")).saying(found).into());
    };
    if document.overlay.is_none() && document.ends_like_a_trailer() {
        return Err(check::TRAILER_LOOK.at(Path::named("trailer")).into());
    }
    let mut w = Writer::with_capacity(len)?;
    w.record(&wire::Header {
        magic: Text(MAGIC),
        version: document.version,
        entry_count: I16::new(count),
        count_again: I16::new(document.count_again),
        unknown_08: Raw(document.unknown_08),
        presorted: U16::new(document.presorted),
        unpacked_total: U32::new(document.unpacked_total),
        seed: U32::new(document.seed),
        unknown_18: document.unknown_18.map(U32::new),
    });
    let mut table = records(document)?;
    cipher::apply(table_key(document.seed), table.as_mut_bytes());
    w.record(table.as_slice());
    w.bytes(&document.lead);
    for block in &document.blocks {
        w.bytes(&block.bytes);
        w.bytes(&block.gap);
    }
    if let Some(overlay) = document.overlay {
        w.record(&wire::Trailer { magic: Text(TRAILER), overlay: U32::new(overlay) });
    }
    Ok(w.finish())
}

fn records(document: &Document) -> Result<Vec<wire::Entry>, WriteError> {
    let offsets = document.offsets();
    let room = document.room();
    let record = |(i, (entry, offset)): (usize, (&Entry, usize))| {
        let (data_offset, packed_size) = match entry.payload {
            Payload::Held { len, beyond, .. } => {
                document.packed(i).ok_or_else(|| lost(i))?;
                held(document, offset, len, beyond).ok_or_else(|| lost(i))?
            }
            Payload::Outside { offset, size } => {
                if room.payload(entry.flags, offset, size).is_some() {
                    let found = format!(
                        "{size} bytes at 0x{offset:x}; payloads lie in {:#x}..{:#x}",
                        room.start, room.end
                    );
                    let path = Path::named("entries").index(i).field("data_offset");
                    return Err(check::PAYLOAD_STRAY.at(path).saying(found).into());
                }
                (offset, size)
            }
        };
        Ok(wire::Entry {
            name: Text(entry.name.0),
            unknown_0c: Raw(entry.unknown_0c),
            flags: U16::new(entry.flags),
            sort_index: I16::new(entry.sort_index),
            unpacked_size: U32::new(entry.unpacked_size),
            data_offset: U32::new(data_offset),
            packed_size: U32::new(packed_size),
        })
    };
    room::try_collected(document.entries.iter().zip(offsets).enumerate().map(record))
}

/// Offset and size of a payload for its record. A byte behind the end is counted only at the end.
fn held(document: &Document, offset: usize, len: usize, beyond: bool) -> Option<(u32, u32)> {
    let data_offset = u32::try_from(offset).ok()?.checked_sub(document.overlay.unwrap_or(0))?;
    let is_last = document.overlay.is_none() && offset.checked_add(len) == Some(document.layout().end());
    if beyond && !is_last {
        return None;
    }
    Some((data_offset, u32::try_from(len).ok()?.checked_add(beyond.into())?))
}

fn lost(i: usize) -> WriteError {
    check::PAYLOAD_LOST.at(Path::named("payloads").index(i)).into()
}
