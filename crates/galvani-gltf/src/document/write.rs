//! [`Document`] → bytes.

use galvani_core::bytes::Writer;
use galvani_core::{WriteError, room};

use super::{BYTE_ORDER_MARK, Binary, Document, Frame, JSON, MAGIC, VERSION};

/// The file of a document; as it was read if nothing was changed.
pub fn write(document: &Document) -> Result<Vec<u8>, WriteError> {
    let text = document.json().text();
    match &document.frame {
        Frame::Text { has_mark: false } => Ok(room::copied(text)?),
        Frame::Text { has_mark: true } => {
            let mut w = Writer::with_capacity(text.len().saturating_add(BYTE_ORDER_MARK.len()))?;
            w.bytes(&BYTE_ORDER_MARK);
            w.bytes(text);
            Ok(w.finish())
        }
        Frame::Binary(binary) => framed(text, binary, document.file_len()),
    }
}

fn framed(text: &[u8], binary: &Binary, len: usize) -> Result<Vec<u8>, WriteError> {
    let mut w = Writer::with_capacity(len)?;
    w.bytes(&MAGIC);
    w.bytes(&VERSION.to_le_bytes());
    w.bytes(&binary.stated_len.to_le_bytes());
    w.bytes(&binary.stated_text_len.to_le_bytes());
    w.bytes(&JSON);
    w.bytes(text);
    w.bytes(&room::filled(0, binary.zeros)?);
    for chunk in &binary.chunks {
        w.bytes(&chunk.stated_len.to_le_bytes());
        w.bytes(&chunk.kind);
        w.bytes(&chunk.bytes);
    }
    w.bytes(&binary.trailing);
    Ok(w.finish())
}
