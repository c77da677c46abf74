//! `samples`: the files that ship with galvani.

use galvani::fs::Tree;
use galvani::samples::all;
use serde_json::json;

use crate::args::{Common, Samples};
use crate::failure::warn;
use crate::{Outcome, out};

pub(crate) fn run(args: &Samples, common: &Common) -> Outcome {
    let (tree, mut files) = (Tree::new(&args.folder), Vec::new());
    for sample in all() {
        let saved = tree.write_file(&sample.name, &sample.bytes, &common.overwrite())?;
        let path = saved.path;
        warn(&saved.notes, &path.to_string_lossy());
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
