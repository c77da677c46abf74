//! `convert`: from one format to another.

use std::collections::BTreeSet;
use std::path::Path;

use galvani::formats::{LiftOptions, Opened};
use galvani::fs::Extraction;
use galvani::{Report, codes, convert, render};
use serde_json::{Value, json};

use crate::args::{Common, Convert, Kind};
use crate::batch::{Batch, Known, Row, worst};
use crate::failure::{Failure, warn};
use crate::{Outcome, out};

/// A file that was converted, but not written yet.
struct Done {
    /// The input's own name, without its extension.
    stem: String,
    before: usize,
    bytes: Vec<u8>,
    report: Report,
}

pub(crate) fn run(args: &Convert, common: &Common) -> Outcome {
    let is_folder = args.is_folder();
    let Some(kind) = args.kind() else {
        let found = format!("`{}`: to what? end it in .glb or .png, or say --to", args.output.display());
        return Err(Failure::Usage(found));
    };
    let batch = Batch::new(&args.inputs.inputs, common);
    if !is_folder && batch.len() != 1 {
        let found = format!("{} files into one; name a folder with -o DIR/", batch.len());
        return Err(Failure::Usage(found));
    }
    let rows = batch.rows(common, |opened, known, input| {
        done(&opened, known, args, kind).or_else(|failure| skip(failure, input.explicit))
    });
    let mut target = Target::new(args, kind);
    let mut written = Vec::new();
    let mut code = worst(&rows);
    for row in rows {
        let row = target.put(row);
        if let Err(failure) = &row.result {
            code = code.max(failure.exit());
        }
        written.extend(show(&row, args, common));
    }
    if common.json && args.output != Path::new("-") {
        out::json(&json!({"files": written}));
    }
    Ok(code)
}

fn done(opened: &Opened, known: &Known, args: &Convert, kind: Kind) -> Result<Option<Done>, Failure> {
    let name = known.source.name.as_deref().unwrap_or("model");
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned();
    let options = LiftOptions {
        lod: args.lod,
        group: args.group,
        frame_rate: args.fps,
        clear_root: args.root == "clear",
    };
    let (bytes, lost) = match kind {
        Kind::Glb => convert::glb(opened, &stem, options)?,
        Kind::Png => (convert::png(opened, args.palette)?, Report::default()),
    };
    let mut report = opened.report.clone();
    report.append(lost);
    Ok(Some(Done { stem, before: known.source.bytes.len(), bytes, report }))
}

/// A folder's file without a model, or without a picture, is none of our business.
fn skip(failure: Failure, explicit: bool) -> Result<Option<Done>, Failure> {
    match &failure {
        Failure::Found(_, found)
            if !explicit && [&codes::NO_SCENE, &codes::NO_IMAGE].contains(&found.code) =>
        {
            Ok(None)
        }
        _ => Err(failure),
    }
}

/// Where files go: into one, or into a folder under names of their own with an extension.
enum Target<'a> {
    File(&'a Path),
    Folder(Extraction, BTreeSet<String>, &'static str),
}

/// An input, and what came of it: where it was written and the sizes, nothing for a file without a model.
type Written = Row<Option<(String, Done)>>;

impl<'a> Target<'a> {
    fn new(args: &'a Convert, kind: Kind) -> Self {
        if args.is_folder() {
            Target::Folder(Extraction::new(&args.output), BTreeSet::new(), kind.word())
        } else {
            Target::File(&args.output)
        }
    }

    fn put(&mut self, row: Row<Option<Done>>) -> Written {
        let Row { path, format, result } = row;
        let result = result.and_then(|done| done.map(|done| self.write(done)).transpose());
        Row { path, format, result }
    }

    fn write(&mut self, done: Done) -> Result<(String, Done), Failure> {
        match self {
            Target::File(file) => {
                out::bytes(file, &done.bytes)?;
                Ok((file.display().to_string(), done))
            }
            Target::Folder(folder, taken, extension) => {
                let numbered = (2..).map(|number: u32| format!("{}~{number}.{extension}", done.stem));
                let mut names = std::iter::once(format!("{}.{extension}", done.stem)).chain(numbered);
                let name = names.find(|name| taken.insert(name.to_lowercase())).unwrap_or_default();
                let file = folder.put(&name, &done.bytes)?;
                Ok((file.display().to_string(), done))
            }
        }
    }
}

/// Tells people, or gives the row for machines.
fn show(row: &Written, args: &Convert, common: &Common) -> Option<Value> {
    match &row.result {
        Err(failure) if common.json => Some(row.failure_json(failure)),
        Err(failure) => {
            failure.tell();
            None
        }
        Ok(None) => None,
        Ok(Some((file, done))) => {
            warn(done.report.findings(), &row.path);
            let (before, after) = (done.before, done.bytes.len());
            if !common.json && args.output != Path::new("-") {
                out::text(&format!("{file}: {before} → {after} bytes\n"));
            }
            let report = render::json::report(&done.report);
            Some(json!({
                "path": row.path, "written": file, "before": before, "after": after, "report": report,
            }))
        }
    }
}
