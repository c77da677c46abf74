//! `convert`: from one format to another.

use std::path::Path;

use galvani::formats::{Opened, Setting, Settings};
use galvani::fs::{Extraction, FreeNames, Input, SaveError};
use galvani::{Diagnostic, Report, codes, convert};
use serde_json::{Value, json};

use crate::args::{Common, Convert, Kind};
use crate::batch::{Batch, Known, Row};
use crate::failure::{Failure, warn};
use crate::out::Output;
use crate::results::{self, Results, so_far, writing};
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
    let batch = Batch::new(&args.inputs.inputs, common).by_path();
    if !is_folder && batch.len() > 1 {
        let found = format!("{} files into one; name a folder with -o DIR/", batch.len());
        return Err(Failure::Usage(found));
    }
    let look = |_: usize, input: &Input| {
        Row::new(input, common, |opened, known| {
            done(&opened, known, args, kind, input.explicit).or_else(|failure| skip(failure, input.explicit))
        })
    };
    let (mut target, mut results) = (Target::new(args, kind, common), Results::default());
    let show = |row: Option<Row<Option<Done>>>| {
        let Some(Row { path, result, .. }) = row else { return };
        let written = result.and_then(|done| done.map(|done| target.write(done, common)).transpose());
        match written {
            Ok(Some(written)) => results.add(show(&path, &written, args, common)),
            Ok(None) => {}
            Err(failure) => results.refuse(&path, &failure),
        }
    };
    batch.stream(common, look, |row| row.result.is_err(), show);
    if is_folder && !common.json && !results.is_empty() {
        out::text(&format!("{}\n", so_far().closing()));
    }
    if args.output == Path::new("-") && !results.has_refused() {
        return Ok(0);
    }
    let nothing = match kind {
        Kind::Glb => "nothing to convert: no input is an MSH model, from which a .glb is made",
        Kind::Png => "nothing to convert: no input is an FF7 texture, from which a .png is made",
    };
    Ok(results.finish(nothing, common))
}

fn done(
    opened: &Opened,
    known: &Known,
    args: &Convert,
    kind: Kind,
    is_named: bool,
) -> Result<Option<Done>, Failure> {
    let name = known.source.name.as_deref().unwrap_or("model");
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned();
    // A folder has files of many formats; what is said to some is not meant for the others.
    let meant =
        |settings: &Settings, own: &[Setting]| if is_named { settings.clone() } else { settings.of(own) };
    let info = opened.format.info();
    let (bytes, lost) = match kind {
        Kind::Glb => convert::glb(opened, &stem, &meant(&args.lifting.0, info.lifting))?,
        Kind::Png => (convert::png(opened, &meant(&args.picturing.0, info.picturing))?, Report::default()),
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
    File(&'a Path, Result<Output, SaveError>),
    Folder(Extraction, FreeNames, &'static str),
}

impl<'a> Target<'a> {
    fn new(args: &'a Convert, kind: Kind, common: &Common) -> Self {
        if args.is_folder() {
            return Target::Folder(Extraction::new(&args.output), FreeNames::default(), kind.word());
        }
        Target::File(&args.output, Output::new(&args.output, common))
    }

    fn write(&mut self, mut done: Done, common: &Common) -> Result<(String, Done), Failure> {
        // One file may be a pipe, for as long as that takes.
        let _no_stop_between = matches!(self, Target::Folder(..)).then(writing);
        let (file, notes) = self.file(&done, common)?;
        for note in notes {
            done.report.push(note);
        }
        so_far().wrote(&file);
        Ok((file, done))
    }

    fn file(&mut self, done: &Done, common: &Common) -> Result<(String, Vec<Diagnostic>), Failure> {
        match self {
            Target::File(file, output) => {
                let notes = output.as_ref().map_err(Clone::clone)?.put(&done.bytes)?;
                Ok((file.display().to_string(), notes))
            }
            Target::Folder(folder, taken, extension) => {
                let name = taken.take_with(&done.stem, &format!(".{extension}"));
                let saved = folder.put(&name, &done.bytes, &common.overwrite())?;
                Ok((saved.path.display().to_string(), saved.notes))
            }
        }
    }
}

/// Tells people; gives the row for machines.
fn show(path: &str, (file, done): &(String, Done), args: &Convert, common: &Common) -> Value {
    warn(done.report.findings(), path);
    let (before, after) = (done.before, done.bytes.len());
    if !common.json && args.output != Path::new("-") {
        out::text(&format!("{file}: {before} → {after} bytes\n"));
        so_far().told(file);
    }
    let mut row = results::file(path, file, after, &done.report);
    row["before"] = json!(before);
    row
}
