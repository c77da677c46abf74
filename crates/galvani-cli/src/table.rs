//! Tables for people, no wider than their terminal.

use comfy_table::presets::NOTHING;
use comfy_table::{Cell, CellAlignment, ContentArrangement, Table};
use galvani::formats::{self, Audience, Column, ListStyle, Section};
pub(crate) use galvani::render::text::printable;
use serde_json::Value;
use unicode_width::UnicodeWidthStr;

use crate::{tree, width};

/// What people who ask for that much see of a section: its title and its rows; nothing of an empty one.
pub(crate) fn section(section: &Section, audience: Audience) -> Option<String> {
    let title = section.title.filter(|_| audience.wants(section.audience) && !section.rows.is_empty())?;
    let bold = anstyle::Style::new().bold();
    let rows = match &section.look {
        ListStyle::Line { columns } => line(section, columns),
        _ => rows(section),
    };
    Some(format!("{bold}{title}{bold:#}\n{rows}"))
}

/// A list, one row each, whatever look it has elsewhere.
pub(crate) fn listed(section: &Section) -> String {
    rows(section)
}

/// All rows of a section, one behind the other.
fn line(section: &Section, columns: &[usize]) -> String {
    let row = |row: &Vec<formats::Cell>| {
        let words = columns.iter().filter_map(|&column| row.get(column)).map(formats::Cell::words);
        words.filter(|words| !words.is_empty()).collect::<Vec<_>>().join(" ")
    };
    let rows: Vec<String> = section.rows.iter().map(row).collect();
    format!("{}\n", width::wrapped(&format!(" {}", rows.join(", ")), width::columns(), " "))
}

/// The rows of a section as a table, without the columns that say nothing throughout.
fn rows(section: &Section) -> String {
    let (order, tree) = match &section.look {
        ListStyle::Tree { column, parents } => (tree::drawn(parents), Some(*column)),
        _ => ((0..section.rows.len()).map(|row| (row, String::new())).collect(), None),
    };
    let words = |row: usize, i: usize, column: &Column| {
        let cell = section.rows.get(row).and_then(|row| row.get(i))?;
        (!(column.is_quiet && cell.is_idle())).then(|| (cell.words(), cell.is_number()))
    };
    let says = |&(i, column): &(usize, &Column)| {
        let says = |row: usize| words(row, i, column).is_some_and(|(words, _)| !words.is_empty());
        column.title.is_some() && (0..section.rows.len()).any(says)
    };
    let columns: Vec<(usize, &Column)> = section.columns.iter().enumerate().filter(says).collect();
    let titles: Vec<&str> = columns.iter().filter_map(|(_, column)| column.title).collect();
    let row = |(row, before): (usize, String)| -> Vec<(String, bool)> {
        let cell = |&(i, column): &(usize, &Column)| match words(row, i, column).unwrap_or_default() {
            (words, _) if tree == Some(i) => {
                (width::shortened(&format!("{before}{words}"), width::columns() / 2), false)
            }
            cell => cell,
        };
        columns.iter().map(cell).collect()
    };
    let (mut order, mut text) = (order.into_iter(), String::new());
    loop {
        let mut lines: Vec<Vec<(String, bool)>> = order.by_ref().take(ROWS).map(&row).collect();
        if lines.is_empty() && !text.is_empty() {
            return text;
        }
        if section.look == ListStyle::Members {
            cut_last(&titles, &mut lines);
        }
        let mut table = layout();
        table.set_header(&titles);
        for line in lines {
            table.add_row(line.into_iter().map(|(words, is_number)| {
                let cell = Cell::new(words);
                if is_number { cell.set_alignment(CellAlignment::Right) } else { cell }
            }));
        }
        text += &table.trim_fmt();
        text.push('\n');
    }
}

/// Rows after which a table begins anew: laid out, they take many times their room.
const ROWS: usize = 4096;

/// Keeps each row to a line, as long as that leaves something of its last cell.
fn cut_last(titles: &[&str], lines: &mut [Vec<(String, bool)>]) {
    const LEAST: usize = 12;
    const GAP: usize = 2;
    let widest = |i: usize, title: &str| {
        let cells = lines.iter().filter_map(|line| line.get(i)).map(|(words, _)| words.width());
        cells.chain([title.width()]).max().unwrap_or(0).saturating_add(GAP)
    };
    let others = titles.iter().enumerate().take(titles.len().saturating_sub(1));
    let used = others.fold(GAP, |used, (i, title)| used.saturating_add(widest(i, title)));
    let room = width::columns().saturating_sub(used);
    if room >= LEAST {
        for (words, _) in lines.iter_mut().filter_map(|line| line.last_mut()) {
            *words = width::shortened(words, room);
        }
    }
}

fn layout() -> Table {
    let mut table = Table::new();
    let columns = u16::try_from(width::columns()).unwrap_or(u16::MAX);
    table.load_style(NOTHING).set_content_arrangement(ContentArrangement::Dynamic).set_width(columns);
    table
}

/// The rows of a query, without the columns that are empty throughout.
pub(crate) fn outline(table: &galvani::render::table::TextTable) -> String {
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
