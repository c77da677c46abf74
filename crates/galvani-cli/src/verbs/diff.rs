//! `diff`: what differs between two files, by name.

use std::fmt::Write;

use galvani::diff::{Change, each_change};
use galvani::render::json;
use serde_json::Value;

use crate::args::{Common, Diff};
use crate::batch::single;
use crate::failure::{Failure, REFUSED, warn};
use crate::table::printable;
use crate::{Outcome, out};

/// Text of differences that is held at most.
const HELD: usize = 4 << 20;

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
    let is_same = a.format.info().id == b.format.info().id && a.source.bytes == b.source.bytes;
    // The files are in the documents from here on.
    let a = a.into_opened(&from, common)?;
    let b = b.into_opened(&to, common)?;
    let options = common.options();
    // Nothing is printed before all was compared: half an answer is none. What is too much to be held is compared again.
    let (mut count, mut rows, mut held) = (0_u64, Rows::new(common.json), Some(String::new()));
    if !is_same {
        each_change(&a, &b, &options, &mut |change| {
            count = count.saturating_add(1);
            held = held.take().filter(|text| text.len() <= HELD);
            if let Some(text) = &mut held {
                text.push_str(&rows.row(&change));
            }
        })?;
    }
    let mut out = out::stream(common.json);
    out.print(rows.begin(count).as_bytes());
    if let Some(text) = held {
        out.print(text.as_bytes());
    } else {
        let mut rows = Rows::new(common.json);
        each_change(&a, &b, &options, &mut |change| out.print(rows.row(&change).as_bytes()))?;
    }
    out.print(rows.end(count).as_bytes());
    out.end();
    Ok(if args.exit_code && count > 0 { REFUSED } else { 0 })
}

/// Differences as they are printed.
struct Rows {
    is_json: bool,
    is_first: bool,
}

impl Rows {
    fn new(is_json: bool) -> Self {
        Rows { is_json, is_first: true }
    }

    /// What stands before so many.
    fn begin(&self, count: u64) -> String {
        match (self.is_json, count) {
            (true, _) => format!("{{\n  \"equal\": {},\n  \"changes\": [", count == 0),
            (false, 0) => "equal\n".to_owned(),
            (false, _) => String::new(),
        }
    }

    /// One more, as JSON laid out as the whole would be.
    fn row(&mut self, change: &Change) -> String {
        let comma = if std::mem::take(&mut self.is_first) { "" } else { "," };
        if self.is_json {
            format!("{comma}\n    {}", format!("{:#}", json::change(change)).replace('\n', "\n    "))
        } else {
            text(change)
        }
    }

    /// What stands behind so many.
    fn end(&self, count: u64) -> &'static str {
        match (self.is_json, count) {
            (true, 0) => "]\n}\n",
            (true, _) => "\n  ]\n}\n",
            (false, _) => "",
        }
    }
}

fn text(change: &Change) -> String {
    let (old, new) = (anstyle::AnsiColor::Red.on_default(), anstyle::AnsiColor::Green.on_default());
    let mut out = String::new();
    if let Some(summary) = &change.summary {
        let _ = writeln!(out, "{}: {}", printable(&change.path), printable(summary));
        return out;
    }
    let distance =
        change.distance.map(|distance| format!("  (by {})", rounded(distance))).unwrap_or_default();
    let (a, b) = (shown(&change.old), shown(&change.new));
    // What differs further behind than people read differs all the same.
    let (a, b) = if a == b { (change.old.to_string(), change.new.to_string()) } else { (a, b) };
    let _ = writeln!(out, "{}{distance}", printable(&change.path));
    let _ = writeln!(out, "  {old}- {}{old:#}", printable(&a));
    let _ = writeln!(out, "  {new}+ {}{new:#}", printable(&b));
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
