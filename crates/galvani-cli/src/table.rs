//! Tables for people.

use comfy_table::presets::NOTHING;
use comfy_table::{Cell, CellAlignment, Table};
use galvani::formats;
pub(crate) use galvani::render::text::printable;
use serde_json::Value;

/// A table of an outline, without the columns that are empty throughout.
pub(crate) fn outline(table: &formats::Table) -> String {
    let used =
        |column: usize| table.rows.iter().any(|row| row.get(column).is_some_and(|cell| !cell.is_null()));
    let columns: Vec<usize> = (0..table.columns.len()).filter(|&column| used(column)).collect();
    let names = columns.iter().map(|&column| table.columns[column]);
    let mut shown = Table::new();
    shown.load_style(NOTHING).set_header(names);
    for row in &table.rows {
        shown.add_row(columns.iter().map(|&column| cell(&row[column])));
    }
    format!("{shown}\n")
}

fn cell(value: &Value) -> Cell {
    match value {
        Value::String(text) => Cell::new(printable(text)),
        Value::Null => Cell::new("–"),
        // What a list holds is for machines; people want to know how long it is.
        Value::Array(items) => Cell::new(items.len()).set_alignment(CellAlignment::Right),
        Value::Object(parts) => {
            let part =
                |(name, value): (&String, &Value)| (!value.is_null()).then(|| format!("{name} {value}"));
            Cell::new(parts.iter().filter_map(part).collect::<Vec<_>>().join(", "))
        }
        number => Cell::new(number).set_alignment(CellAlignment::Right),
    }
}
