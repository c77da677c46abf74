//! What files that are texts have in common behind the common door.

use std::collections::BTreeMap;

use galvani_core::{Path, WriteError};
use serde_json::{Value, json};

use super::{Folder, Packing};
use crate::codes;

/// A text as a folder: the text, in a file of its own.
pub(super) fn unpack(format: &str, file: &str, text: &[u8]) -> Folder {
    let files = BTreeMap::from([(file.to_owned(), text.to_vec())]);
    Folder { manifest: json!({"format": format, "text": file}), files }
}

/// The text of such a folder.
pub(super) fn pack(format: &str, folder: &Packing<'_>) -> Result<Vec<u8>, WriteError> {
    let wrong =
        |message: String| WriteError::from(codes::MANIFEST.at(Path::named("manifest")).saying(message));
    if folder.manifest.get("format").and_then(Value::as_str) != Some(format) {
        return Err(wrong(format!("format: `{format}` is wanted")));
    }
    let Some(file) = folder.manifest.get("text").and_then(Value::as_str) else {
        return Err(wrong("text: the name of a file is wanted".to_owned()));
    };
    folder.copied(file)
}
