//! `dump`: every field with its offset.

use std::fmt::Write;

use galvani::formats::Opened;
use galvani::render::json;
use serde_json::Value;

use crate::args::{Common, Inputs};
use crate::batch::{Batch, Known, worst};
use crate::failure::{REFUSED, warn};
use crate::out;
use crate::table::printable;

pub(crate) fn run(args: &Inputs, common: &Common) -> u8 {
    let batch = Batch::new(&args.inputs, common);
    let several = batch.len() > 1;
    // Rows become text where the file is open: as values they would take twenty times the room.
    let dumps = batch.rows(common, |opened, known, input| {
        warn(opened.report.findings(), &input.shown);
        let file = several.then_some(&input.shown);
        Ok(if common.json { json_rows(&opened, known, file) } else { text(&input.shown, &opened, known) })
    });
    let mut rows = Vec::new();
    for dump in &dumps {
        match &dump.result {
            Ok(text) if common.json => rows.push(text.as_str()),
            Ok(text) => out::text(text),
            Err(failure) => failure.tell_of(&dump.path),
        }
    }
    if common.json {
        rows.retain(|rows| !rows.is_empty());
        out::machine_text(&format!("[\n{}\n]\n", rows.join(",\n")));
    }
    if dumps.is_empty() {
        out::error("nothing to dump: no input is of a known format\n");
        return REFUSED;
    }
    worst(&dumps)
}

/// Rows of JSON, one a line; of several files each says which it is from.
fn json_rows(opened: &Opened, known: &Known, file: Option<&String>) -> String {
    let mut rows = String::new();
    opened.map.rows(&known.source.bytes, |row| {
        let mut row = json::row(&row, &*opened.document);
        if let (Some(file), Some(object)) = (file, row.as_object_mut()) {
            object.insert("file".to_owned(), Value::String(file.clone()));
        }
        let separator = if rows.is_empty() { "" } else { ",\n" };
        let _ = write!(rows, "{separator}  {row}");
    });
    rows
}

fn text(path: &str, opened: &Opened, known: &Known) -> String {
    let bold = anstyle::Style::new().bold();
    let mut out = format!("{bold}{}{bold:#}\n", printable(path));
    opened.map.rows(&known.source.bytes, |row| {
        let (row, offset, length) = (json::row(&row, &*opened.document), row.offset, row.len);
        let word = |key: &str| row[key].as_str().unwrap_or_default();
        let value = row["value"].as_str().map_or_else(|| row["value"].to_string(), printable);
        let decoded = row.get("decoded").map(|decoded| format!(" = {decoded}")).unwrap_or_default();
        let (path, kind) = (word("path"), word("type"));
        let _ = writeln!(out, "0x{offset:08x} {length:>6}  {path:<28} {kind:<8} {value}{decoded}");
    });
    out
}
