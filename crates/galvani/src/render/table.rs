//! Rows with the same columns: shown as a table to people and as JSON to machines.

use serde_json::Value;

/// A list of rows with the same columns.
#[derive(Debug, Clone, PartialEq)]
pub struct TextTable {
    /// Its key in JSON.
    pub key: &'static str,
    /// Names of the columns.
    pub columns: &'static [&'static str],
    /// Columns that a row of JSON leaves out where they are null.
    pub optional: &'static [&'static str],
    /// Values, one per column. A missing one is null.
    pub rows: Vec<Vec<Value>>,
}

impl TextTable {
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
