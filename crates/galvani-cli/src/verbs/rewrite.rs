//! `rewrite`: read, and write from the document alone.

use galvani::render;
use serde_json::json;

use super::put;
use crate::args::{Common, Rewrite};
use crate::batch::single;
use crate::failure::warn;
use crate::{Outcome, out};

pub(crate) fn run(args: &Rewrite, common: &Common) -> Outcome {
    let (input, loaded) = single(&args.input, common)?;
    let mut opened = loaded.open(common)?;
    let before = loaded.source.bytes.len();
    drop(loaded);
    if args.canonical {
        let lost = opened.document.make_canonical()?;
        opened.report.append(lost);
    }
    let bytes = opened.document.write()?;
    let after = bytes.len();
    let written = put(args.target.output.as_deref(), &input, bytes, common)?;
    warn(&opened.report, &input.shown);
    if args.target.output.as_deref() == Some(std::path::Path::new("-")) {
        return Ok(0);
    }
    if common.json {
        let report = render::json::report(&opened.report);
        out::json(
            &json!({"path": input.shown, "written": written, "before": before, "after": after, "report": report}),
        );
    } else {
        out::text(&format!("{written}: {before} → {after} bytes\n"));
    }
    Ok(0)
}
