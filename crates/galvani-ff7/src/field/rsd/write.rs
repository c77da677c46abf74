//! [`Document`] → bytes.

use galvani_core::{WriteError, room};

use super::Document;

/// Writes a resource: its text.
pub fn write(document: &Document) -> Result<Vec<u8>, WriteError> {
    Ok(room::copied(&document.text)?)
}
