//! A file's bytes and what they mean, a part at a time.

use std::fmt;

use galvani::core::map::MapRow;
use galvani::formats::{Document, Opened};
use galvani::render::json::row;
use serde::Serialize;
use serde_json::{Value, json};

/// Most rows that are told at once; whoever wants more asks again.
const MOST: usize = 2000;

/// A run of bytes with one meaning: a record, a table, or bytes.
#[derive(Debug, Serialize)]
pub struct Part {
    /// Its number, in file order.
    number: usize,
    path: String,
    start: usize,
    len: usize,
    /// How many records it has.
    records: usize,
}

/// Every part of a file, in order.
pub(crate) fn parts(opened: &Opened) -> Vec<Part> {
    let regions = opened.map.in_file_order();
    let part = |number: usize| {
        let region = regions.region(number)?;
        let records = regions.records(number);
        Some(Part { number, path: shown(&region.path), start: region.start, len: region.len, records })
    };
    (0..regions.len()).filter_map(part).collect()
}

/// The values of a part from a record on.
pub(crate) fn values(opened: &Opened, clear: &[u8], part: usize, first: usize) -> Vec<Value> {
    let (regions, mut all) = (opened.map.in_file_order(), Vec::new());
    for record in first..regions.records(part) {
        if all.len() >= MOST {
            break;
        }
        regions.rows(clear, part, record, |found| all.push(told(&found, &*opened.document)));
    }
    all
}

/// The value that has a byte, and the part and record that it is in.
pub(crate) fn at(opened: &Opened, clear: &[u8], offset: usize) -> Option<Value> {
    let regions = opened.map.in_file_order();
    let holds = |start: usize, len: usize| (start..start.saturating_add(len)).contains(&offset);
    let number = (0..regions.len())
        .find(|number| regions.region(*number).is_some_and(|region| holds(region.start, region.len)))?;
    let region = regions.region(number)?;
    let stride = region.len.checked_div(regions.records(number)).unwrap_or(0).max(1);
    let record = (offset - region.start) / stride;
    let mut found = None;
    regions.rows(clear, number, record, |row| {
        if holds(row.offset, row.len) {
            found = Some(told(&row, &*opened.document));
        }
    });
    Some(json!({"part": number, "record": record, "value": found}))
}

/// A value as `dump` tells it.
fn told(found: &MapRow<'_>, document: &dyn Document) -> Value {
    serde_json::to_value(row(found, document, None)).unwrap_or_default()
}

fn shown(path: &impl fmt::Display) -> String {
    path.to_string()
}
