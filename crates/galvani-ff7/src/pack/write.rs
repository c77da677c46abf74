//! [`Document`] → bytes.

use galvani_core::{Path, WriteError, Writer};
use zerocopy::little_endian::U32;

use super::{COUNT_LEN, Document, HEADER_LEN, check, payload_len, wire};

/// Writes a pack from its document alone.
pub fn write(document: &Document) -> Result<Vec<u8>, WriteError> {
    let count = u32::try_from(document.entries.len()).ok().and_then(|len| len.checked_add(document.missing));
    let Some(count) = count else {
        let found = format!("{} entries and {} missing ones", document.entries.len(), document.missing);
        return Err(check::TOO_LARGE.at(Path::named("count")).saying(found).into());
    };
    let len = document.entries.iter().map(|entry| entry.payload.len().saturating_add(HEADER_LEN));
    let len = len.fold(COUNT_LEN.saturating_add(document.rest.len()), usize::saturating_add);
    let mut w = Writer::with_capacity(len)?;
    w.record(&U32::new(count));
    for (i, entry) in document.entries.iter().enumerate() {
        let wanted = payload_len(entry.dw_chunk_size, document.walk);
        if wanted != entry.payload.len() {
            let path = Path::named("entries").index(i).field("dw_chunk_size");
            let found =
                format!("the header steps over {wanted} bytes, the payload has {}", entry.payload.len());
            return Err(check::CHUNK_SIZE.at(path).saying(found).into());
        }
        w.record(&wire::EntryHeader {
            dw_bones: U32::new(entry.dw_bones),
            dw_frames: U32::new(entry.dw_frames),
            dw_chunk_size: U32::new(entry.dw_chunk_size),
        });
        w.bytes(&entry.payload);
    }
    w.bytes(&document.rest);
    Ok(w.finish())
}
