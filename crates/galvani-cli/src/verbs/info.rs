//! `info`: what files are and hold.

use std::collections::BTreeMap;
use std::fmt::Write;

use galvani::formats::{Opened, Site};
use galvani::render::text::counted;
use galvani::{Scrutiny, Severity, render};
use serde_json::{Value, json};

use crate::args::{Common, Inputs};
use crate::batch::{Batch, Row, links, worst};
use crate::{out, table};

pub(crate) fn run(args: &Inputs, common: &Common) -> u8 {
    // What a row says is made where the file is open, so that no more than a few files are in memory at a time.
    let rows = Batch::new(&args.inputs, common).rows(common, |opened, known, input| {
        let links = links(input, common);
        let site = known.site(&*links);
        Ok(if common.json {
            render::json::info(&input.shown, &opened, &site)
        } else {
            text(&input.shown, &opened, &site).into()
        })
    });
    if rows.is_empty() {
        out::error("note: no file of a known format here\n");
    }
    if common.json {
        let json = |row: &Row<Value>| {
            row.result.as_ref().map_or_else(|failure| row.failure_json(failure), Clone::clone)
        };
        out::json(&json!({"files": rows.iter().map(json).collect::<Vec<_>>()}));
        return worst(&rows);
    }
    for row in &rows {
        match &row.result {
            Ok(text) => out::text(text.as_str().unwrap_or_default()),
            Err(failure) => failure.tell_of(&row.path),
        }
    }
    worst(&rows)
}

/// A fact in words: a value, or its parts that say something.
fn fact(value: &Value) -> Option<String> {
    let part = |(key, value): (&String, &Value)| match value {
        Value::Null => None,
        Value::Array(items) if items.is_empty() => None,
        Value::Array(items) => Some(format!("{} {}", items.len(), spaced(key))),
        Value::String(text) => Some(format!("{} {}", spaced(key), table::printable(text))),
        other => Some(format!("{other} {}", spaced(key))),
    };
    match value {
        Value::Object(parts) => {
            let parts: Vec<String> = parts.iter().filter_map(part).collect();
            (!parts.is_empty()).then(|| parts.join(", "))
        }
        Value::String(text) => Some(table::printable(text)),
        other => Some(other.to_string()),
    }
}

fn text(path: &str, opened: &Opened, site: &Site<'_>) -> String {
    let bold = anstyle::Style::new().bold();
    let mut out = String::new();
    let (path, name) = (table::printable(path), opened.format.info().name);
    let _ = writeln!(out, "{bold}{path}{bold:#}: {name}, {} bytes", opened.map.len());
    let report = opened.check_at(site, Scrutiny::Usual);
    for note in opened.report.findings() {
        let _ = writeln!(out, "  {}: {}", note.severity, note.sentence());
    }
    for verdict in &opened.readings {
        let _ = writeln!(out, "  reading of {}: {} ({})", verdict.topic, verdict.taken, verdict.why);
    }
    let outline = opened.document.outline();
    for (name, count) in &outline.counts {
        let _ = writeln!(out, "  {}: {count}", spaced(name));
    }
    for (name, value) in &outline.facts {
        if let Some(fact) = fact(value) {
            let _ = writeln!(out, "  {}: {fact}", spaced(name));
        }
    }
    let mut unknown: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for part in &outline.unknown {
        let (count, bytes) = unknown.entry(part.kind.to_string()).or_default();
        (*count, *bytes) = (*count + 1, *bytes + part.size);
    }
    for (kind, (count, bytes)) in unknown {
        let _ = writeln!(out, "  unknown type {kind}: {count} × kept, {}", counted(bytes, "byte"));
    }
    let (errors, warnings) = (report.tally(Severity::Error), report.tally(Severity::Warning));
    if errors + warnings > 0 {
        let (errors, warnings) = (counted(errors, "error"), counted(warnings, "warning"));
        let _ = writeln!(out, "  {errors}, {warnings}: see `galvani validate`");
    }
    for table in outline.tables.iter().filter(|table| !table.rows.is_empty()) {
        out.push_str(&table::outline(table));
    }
    out
}

fn spaced(key: &str) -> String {
    key.replace('_', " ")
}
