//! [`Document`] → bytes.

use galvani_core::{ReadOptions, Readings, WriteError, room};

use super::{Document, merge, print, read};
use crate::INHERIT;

/// Writes a text from its document alone. What was changed in the model is changed in the text, a word or a block each; where
/// the text says it in words of its own that cannot be changed so, all of it is written anew.
pub fn write(document: &Document) -> Result<Vec<u8>, WriteError> {
    let said = match &document.said {
        Some(said) if **said != document.model => said,
        _ => return Ok(room::copied(&document.text)?),
    };
    let (old, new) = (print(said)?, print(&document.model)?);
    if document.text == old {
        return Ok(new);
    }
    room::probe(document.text.len().saturating_mul(2))?;
    let merged = merge::merged(&document.text, &old, &new);
    Ok(merged.filter(|text| says(text, document)).unwrap_or(new))
}

/// Whether a text says just what a document does.
fn says(text: &[u8], document: &Document) -> bool {
    let topics = vec![(INHERIT.to_owned(), document.model.inherit.into())];
    let options =
        ReadOptions { readings: Readings { topics, ..Readings::default() }, ..ReadOptions::default() };
    let Ok(again) = read(text, &options) else { return false };
    let written = |model| crate::write(model).ok();
    written(again.document.model()) == written(&document.model)
}
