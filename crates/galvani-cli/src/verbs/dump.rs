//! `dump`: every field with its offset.

use std::fmt::Write;

use galvani::formats::Opened;
use galvani::render::json;
use serde_json::Value;

use crate::args::{Common, Inputs};
use crate::batch::{Batch, Loaded, worst};
use crate::out;
use crate::table::printable;

pub(crate) fn run(args: &Inputs, common: &Common) -> u8 {
    let dumps = Batch::new(&args.inputs, common).rows(common, |opened, loaded, _| Ok(rows(&opened, loaded)));
    let several = dumps.len() > 1;
    let mut all = Vec::new();
    for dump in &dumps {
        match &dump.result {
            Ok(rows) if common.json => {
                all.extend(rows.iter().map(|row| with_file(row, several.then_some(&dump.path))));
            }
            Ok(rows) => out::text(&text(&dump.path, rows)),
            Err(failure) => failure.tell(),
        }
    }
    if common.json {
        out::json(&Value::Array(all));
    }
    worst(&dumps)
}

fn rows(opened: &Opened, loaded: &Loaded) -> Vec<Value> {
    let mut rows = Vec::new();
    opened.map.rows(&loaded.source.bytes, |row| rows.push(json::row(&row)));
    rows
}

/// Rows of several files say which file they are from.
fn with_file(row: &Value, file: Option<&String>) -> Value {
    let mut row = row.clone();
    if let (Some(file), Some(object)) = (file, row.as_object_mut()) {
        object.insert("file".to_owned(), Value::String(file.clone()));
    }
    row
}

fn text(path: &str, rows: &[Value]) -> String {
    let bold = anstyle::Style::new().bold();
    let mut out = format!("{bold}{}{bold:#}\n", printable(path));
    for row in rows {
        let word = |key: &str| row[key].as_str().unwrap_or_default();
        let value = row["value"].as_str().map_or_else(|| row["value"].to_string(), printable);
        let number = |key: &str| row[key].as_u64().unwrap_or_default();
        let (offset, length) = (number("offset"), number("length"));
        let _ = writeln!(out, "0x{offset:08x} {length:>6}  {:<28} {:<8} {value}", word("path"), word("type"));
    }
    out
}
