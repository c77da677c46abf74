//! Rows of a query, in one shape for every format: shown as a table to people and as JSON to machines.

use galvani_core::text;
use serde_json::{Value, json};

/// A list of rows with the same columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Its key in JSON.
    pub key: &'static str,
    /// Names of the columns.
    pub columns: &'static [&'static str],
    /// Columns that a row of JSON leaves out where they are null.
    pub optional: &'static [&'static str],
    /// Values, one per column. A missing one is null.
    pub rows: Vec<Vec<Value>>,
}

impl Table {
    /// An array of objects.
    pub fn to_json(&self) -> Value {
        let row = |row: &Vec<Value>| {
            let shown = |(name, value): &(&&str, &Value)| !value.is_null() || !self.optional.contains(name);
            let cells = self.columns.iter().zip(row).filter(shown);
            Value::Object(cells.map(|(&name, value)| (name.to_owned(), value.clone())).collect())
        };
        self.rows.iter().map(row).collect()
    }
}

/// A type id: its FourCC, or the number.
pub fn tag_value(id: u32) -> Value {
    text::four_cc(id).map_or(json!(id), Value::String)
}

/// Text from a file, and the raw bytes in hex where they say more.
pub fn text_value(room: &[u8]) -> (Value, Value) {
    let hex = if text::says_all(room) { Value::Null } else { json!(text::hex(room)) };
    (json!(text::shown(room)), hex)
}
