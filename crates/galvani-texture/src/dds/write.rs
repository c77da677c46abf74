//! [`Document`] → bytes.

use galvani_core::{Path, WriteError, Writer};

use super::{Document, Dx10, HEADER_LEN, check};

/// Writes a file from its document alone.
pub fn write(document: &Document) -> Result<Vec<u8>, WriteError> {
    let wanted = document.pixel_format().has_second_header();
    if wanted != document.dx10.is_some() {
        let said = format!("a second header: {wanted} by the first, {} here", document.dx10.is_some());
        return Err(check::SECOND_HEADER.at(Path::named("dx10")).saying(said).into());
    }
    let len = HEADER_LEN.saturating_add(size_of::<Dx10>()).saturating_add(document.data.len());
    let mut w = Writer::with_capacity(len)?;
    w.record(&document.header);
    if let Some(dx10) = &document.dx10 {
        w.record(dx10);
    }
    w.bytes(&document.data);
    Ok(w.finish())
}
