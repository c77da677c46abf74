//! Tags and texts of files as JSON.

use galvani_core::text;
use serde_json::{Value, json};

/// A type id: its FourCC, or the number.
pub(crate) fn tag_value(id: u32) -> Value {
    text::four_cc(id).map_or(json!(id), Value::String)
}

/// Text from a file, and the raw bytes in hex where they say more.
pub(crate) fn text_value(room: &[u8]) -> (Value, Value) {
    let hex = if text::says_all(room) { Value::Null } else { json!(text::hex(room)) };
    (json!(text::shown(room)), hex)
}
