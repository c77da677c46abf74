//! What a document holds, in one shape for every format: shown as tables to people and as JSON to machines.

use galvani_core::text;
use serde_json::{Map, Value, json};

/// What a document holds.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Outline {
    /// How many of what.
    pub counts: Vec<(&'static str, u64)>,
    /// What else there is to say, each under its key.
    pub facts: Vec<(&'static str, Value)>,
    /// Lists, each under its key.
    pub tables: Vec<Table>,
    /// Parts that nobody can explain. Kept.
    pub unknown: Vec<Unknown>,
}

/// A list of rows with the same columns.
#[derive(Debug, Clone, PartialEq)]
pub struct Table {
    /// Its key in JSON and its title for people.
    pub key: &'static str,
    /// Names of the columns.
    pub columns: &'static [&'static str],
    /// Columns that a row of JSON leaves out where they are null.
    pub optional: &'static [&'static str],
    /// Values, one per column. A missing one is null.
    pub rows: Vec<Vec<Value>>,
}

/// A part that nobody can explain.
#[derive(Debug, Clone, PartialEq)]
pub struct Unknown {
    /// Its type.
    pub kind: Value,
    /// Its bytes.
    pub size: u64,
}

impl Outline {
    /// The keys of this outline in JSON.
    pub fn to_json(&self) -> Map<String, Value> {
        let mut object = Map::new();
        let counts = self.counts.iter().map(|&(name, count)| (name.to_owned(), json!(count)));
        object.insert("counts".to_owned(), counts.collect::<Map<_, _>>().into());
        object.insert("nodes".to_owned(), json!([]));
        let unknown = self.unknown.iter().map(|part| json!({"type": part.kind, "size": part.size}));
        object.insert("unknown".to_owned(), unknown.collect());
        object.extend(self.facts.iter().map(|(key, value)| ((*key).to_owned(), value.clone())));
        for table in &self.tables {
            object.insert(table.key.to_owned(), table.to_json());
        }
        object
    }
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
