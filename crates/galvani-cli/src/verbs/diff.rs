//! `diff`: what differs between two files, by name.

use std::fmt::Write;

use galvani::diff::{Change, diff};
use galvani::render::json;
use serde_json::Value;

use crate::args::{Common, Diff};
use crate::batch::single;
use crate::failure::{Failure, REFUSED, warn};
use crate::table::printable;
use crate::{Outcome, out};

pub(crate) fn run(args: &Diff, common: &Common) -> Outcome {
    if [&args.a, &args.b].into_iter().all(|word| word == "-") {
        let help = "`-` and `-`: standard input can be read only once; give one of the two as a file";
        return Err(Failure::Usage(help.to_owned()));
    }
    let (from, a) = single(&args.a, common)?;
    let (to, b) = single(&args.b, common)?;
    for (known, path) in [(&a, &args.a), (&b, &args.b)] {
        warn(&known.source.notes, &path.to_string_lossy());
    }
    let changes = diff(&a.open(&from, common)?, &b.open(&to, common)?, &common.options())?;
    if common.json {
        out::json(&json::diff(&changes));
    } else {
        out::text(&text(&changes));
    }
    Ok(if args.exit_code && !changes.is_empty() { REFUSED } else { 0 })
}

fn text(changes: &[Change]) -> String {
    if changes.is_empty() {
        return "equal\n".to_owned();
    }
    let (old, new) = (anstyle::AnsiColor::Red.on_default(), anstyle::AnsiColor::Green.on_default());
    let mut out = String::new();
    for change in changes {
        if let Some(summary) = &change.summary {
            let _ = writeln!(out, "{}: {}", printable(&change.path), printable(summary));
            continue;
        }
        let distance =
            change.distance.map(|distance| format!("  (by {})", rounded(distance))).unwrap_or_default();
        let (a, b) = (shown(&change.old), shown(&change.new));
        // What differs further behind than people read differs all the same.
        let (a, b) = if a == b { (change.old.to_string(), change.new.to_string()) } else { (a, b) };
        let _ = writeln!(out, "{}{distance}", printable(&change.path));
        let _ = writeln!(out, "  {old}- {}{old:#}", printable(&a));
        let _ = writeln!(out, "  {new}+ {}{new:#}", printable(&b));
    }
    out
}

/// A value with numbers as short as people read them.
fn shown(value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        Value::Number(number) if number.is_f64() => rounded(number.as_f64().unwrap_or_default()),
        Value::Array(items) if items.iter().all(Value::is_number) => {
            items.iter().map(shown).collect::<Vec<_>>().join(" ")
        }
        Value::Object(fields) if !fields.values().any(Value::is_object) => {
            let field = |(name, value): (&String, &Value)| format!("{name} {}", shown(value));
            fields.iter().map(field).collect::<Vec<_>>().join(", ")
        }
        other => other.to_string(),
    }
}

/// A number in six digits at most.
fn rounded(number: f64) -> String {
    let short: f64 = format!("{number:.5e}").parse().unwrap_or(number);
    if (1e-4..1e15).contains(&short.abs()) || short == 0.0 { short.to_string() } else { format!("{short:e}") }
}
