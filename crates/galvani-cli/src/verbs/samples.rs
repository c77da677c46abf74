//! `samples`: the files that ship with galvani.

use galvani::fs::write_inside;
use galvani::samples::all;
use serde_json::json;

use crate::args::{Common, Samples};
use crate::{Outcome, out};

pub(crate) fn run(args: &Samples, common: &Common) -> Outcome {
    let mut files = Vec::new();
    for sample in all() {
        let path = write_inside(&args.folder, &sample.name, &sample.bytes)?;
        if !common.json {
            out::text(&format!("{}  {}\n", path.display(), sample.about));
        }
        files
            .push(json!({"file": path.to_string_lossy(), "size": sample.bytes.len(), "about": sample.about}));
    }
    if common.json {
        out::json(&json!({"files": files}));
    }
    Ok(0)
}
