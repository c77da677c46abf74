//! `samples`: the files that ship with galvani.

use galvani::fs::write_atomic;
use galvani::samples::all;
use serde_json::json;

use crate::args::{Common, Samples};
use crate::failure::Failure;
use crate::{Outcome, out};

pub(crate) fn run(args: &Samples, common: &Common) -> Outcome {
    let io = |error: std::io::Error| Failure::unwritable(format!("{}: {error}", args.folder.display()));
    std::fs::create_dir_all(&args.folder).map_err(io)?;
    let mut files = Vec::new();
    for sample in all() {
        let path = args.folder.join(sample.name);
        write_atomic(&path, &sample.bytes).map_err(io)?;
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
