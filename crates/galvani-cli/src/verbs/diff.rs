//! `diff`: what differs between two files, by name.

use std::fmt::Write;

use galvani::diff::{Change, diff, diff_bytes};
use galvani::render::json;

use crate::args::{Common, Diff};
use crate::batch::single;
use crate::failure::{REFUSED, warn};
use crate::table::printable;
use crate::{Outcome, out};

pub(crate) fn run(args: &Diff, common: &Common) -> Outcome {
    let (from, a) = single(&args.a, common)?;
    let (to, b) = single(&args.b, common)?;
    for (known, path) in [(&a, &args.a), (&b, &args.b)] {
        warn(&known.source.notes, &path.to_string_lossy());
    }
    let changes = if a.format.info().id == b.format.info().id {
        diff(&a.open(&from, common)?, &b.open(&to, common)?, &common.options())
    } else {
        diff_bytes(&a.source.bytes, &b.source.bytes)
    };
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
        let distance = change.distance.map(|distance| format!("  (by {distance})")).unwrap_or_default();
        let side = |value: &serde_json::Value| printable(&value.to_string());
        if let Some(summary) = &change.summary {
            let _ = writeln!(out, "{}: {}", change.path, printable(summary));
            continue;
        }
        let _ = writeln!(out, "{}{distance}", change.path);
        let _ = writeln!(out, "  {old}- {}{old:#}", side(&change.old));
        let _ = writeln!(out, "  {new}+ {}{new:#}", side(&change.new));
    }
    out
}
