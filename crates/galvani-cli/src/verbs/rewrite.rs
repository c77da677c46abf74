//! `rewrite`: read, and write from the document alone.

use std::path::Path;

use galvani::render;
use serde_json::json;

use super::{outcome, put};
use crate::args::{Common, Rewrite};
use crate::batch::single;
use crate::failure::warn;
use crate::table::printable;
use crate::{Outcome, out};

pub(crate) fn run(args: &Rewrite, common: &Common) -> Outcome {
    let (input, known) = single(&args.input, common)?;
    let mut opened = known.open(&input, common)?;
    let before = known.source.bytes.len();
    drop(known);
    let mut costs = opened.report;
    if args.canonical {
        costs.append(opened.document.make_canonical()?);
    }
    let bytes = opened.document.write()?;
    let after = bytes.len();
    warn(costs.findings(), &input.shown);
    let report = outcome(opened.format, &bytes, costs, common);
    let written = put(args.target.output.as_deref(), &input, bytes, common)?;
    if args.target.output.as_deref() == Some(Path::new("-")) {
        return Ok(0);
    }
    if common.json {
        let report = render::json::report(&report);
        out::json(&json!({
            "path": input.shown, "written": written, "before": before, "after": after, "report": report,
        }));
    } else {
        out::text(&format!("{}: {before} → {after} bytes\n", printable(&written)));
    }
    Ok(0)
}
