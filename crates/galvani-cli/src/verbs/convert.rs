//! `convert`: from one format to another.

use std::path::Path;

use galvani::convert::Target;
use galvani::formats::{Opened, Setting, Settings};
use galvani::fs::{Extraction, FreeNames, Input, SaveError, Source};
use galvani::image::{self, Image};
use galvani::{Diagnostic, Meter, Report, budget, codes, convert};
use serde_json::{Value, json};

use crate::args::{Common, Convert, OutputKind};
use crate::batch::{Batch, Known, Row};
use crate::failure::{Failure, warn};
use crate::out::Output;
use crate::results::{self, Results, so_far, writing};
use crate::surroundings::Surroundings;
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
    let like = args.like.as_ref().map(|file| galvani::open(file, &common.options())).transpose()?;
    let meant = like.as_ref().filter(|_| is_folder && args.to.is_none());
    let meant = meant.and_then(|like| Target::from_format(like.format)).map(OutputKind::Picture);
    let Some(kind) = meant.or_else(|| args.kind()) else {
        let found = format!("`{}`: to what? end it in .glb or .png, or say --to", args.output.display());
        return Err(Failure::Usage(found));
    };
    let batch = Batch::new(&args.inputs.inputs, common);
    let batch = if is_folder { batch.into_members(common) } else { batch }.by_path();
    if !is_folder && batch.len() > 1 {
        let found = format!("{} files into one; name a folder with -o DIR/", batch.len());
        return Err(Failure::Usage(found));
    }
    let job = Job { args, common, kind, like: like.as_ref() };
    let (mut target, mut results) = (Goal::new(args, kind, common), Results::default());
    let show = |row: Option<Row<Option<Done>>>| {
        let Some(Row { path, result, .. }) = row else { return };
        let written = result.and_then(|done| done.map(|done| target.write(done, common)).transpose());
        match written {
            Ok(Some(written)) => results.add(show(&path, &written, args, common)),
            Ok(None) => {}
            Err(failure) => results.refuse(&path, &failure),
        }
    };
    batch.stream(common, |_, input| job.row(input), |row| row.result.is_err(), show);
    if is_folder && !common.json && !results.is_empty() {
        out::text(&format!("{}\n", so_far().closing()));
    }
    if args.output == Path::new("-") && !results.has_refused() {
        return Ok(0);
    }
    let nothing = match kind {
        OutputKind::Glb => "nothing to convert: no input is a model, from which a .glb is made",
        OutputKind::Picture(_) => "nothing to convert: no input is a texture or a picture",
    };
    Ok(results.finish(nothing, common))
}

/// What is done to every input.
struct Job<'a> {
    args: &'a Convert,
    common: &'a Common,
    kind: OutputKind,
    like: Option<&'a Opened>,
}

impl Job<'_> {
    fn row(&self, input: &Input) -> Option<Row<Option<Done>>> {
        if let OutputKind::Picture(target) = self.kind
            && let Ok(source) = input.source(&self.common.options())
            && image::is_picture(&source.bytes, source.name.as_deref())
        {
            let path = input.shown.clone();
            return Some(Row { path, format: None, result: self.repainted(&source, target).map(Some) });
        }
        Row::new(input, self.common, |opened, known| {
            self.converted(&opened, known, input).or_else(|failure| skip(failure, input.explicit))
        })
    }

    /// A picture of no game as a file of another kind.
    fn repainted(&self, source: &Source, target: Target) -> Result<Done, Failure> {
        let meter = self.meter(source.bytes.len());
        let image = image::from_file_within(&source.bytes, &meter)?;
        let (bytes, report) = self.encoded(&image, target, &meter)?;
        Ok(Done { stem: stem(source), before: source.bytes.len(), bytes, report })
    }

    fn converted(&self, opened: &Opened, known: &Known, input: &Input) -> Result<Option<Done>, Failure> {
        let stem = stem(&known.source);
        // A folder has files of many formats; what is said to some is not meant for the others.
        let meant = |settings: &Settings, own: &[Setting]| {
            if input.explicit { settings.clone() } else { settings.among(own) }
        };
        let info = opened.format.info();
        let meter = self.meter(known.source.bytes.len());
        let (bytes, lost) = match self.kind {
            OutputKind::Glb => {
                let around = Surroundings::new(input, &[], self.common)?;
                let lifting = meant(&self.args.lifting.0, info.lifting);
                around.at(known, |site| convert::glb(opened, site, &lifting, &meter))?
            }
            OutputKind::Picture(target) => {
                let picturing = meant(&self.args.picturing.0, info.picturing);
                let image = convert::image(opened, &picturing, &meter)?;
                self.encoded(&image, target, &meter)?
            }
        };
        let mut report = opened.report.clone();
        report.append(lost);
        Ok(Some(Done { stem, before: known.source.bytes.len(), bytes, report }))
    }

    fn encoded(&self, image: &Image, target: Target, meter: &Meter) -> Result<(Vec<u8>, Report), Failure> {
        Ok(convert::picture(image, target, &self.args.encoding.0, self.like, meter)?)
    }

    /// What converting an input of so many bytes may take.
    fn meter(&self, len: usize) -> Meter {
        self.common.options().read.budget.meter(&budget::CONVERTING, len)
    }
}

/// The name of an input, without what archives stand before it and without its extension.
fn stem(source: &Source) -> String {
    let name = source.name.as_deref().unwrap_or("model");
    let name = name.rsplit(['/', '\\']).next().unwrap_or(name);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem).to_owned()
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
enum Goal<'a> {
    File(&'a Path, Result<Output, SaveError>),
    Folder(Extraction, FreeNames, &'static str),
}

impl<'a> Goal<'a> {
    fn new(args: &'a Convert, kind: OutputKind, common: &Common) -> Self {
        if args.is_folder() {
            return Goal::Folder(Extraction::new(&args.output), FreeNames::default(), kind.extension());
        }
        Goal::File(&args.output, Output::new(&args.output, common))
    }

    fn write(&mut self, mut done: Done, common: &Common) -> Result<(String, Done), Failure> {
        // One file may be a pipe, for as long as that takes.
        let _no_stop_between = matches!(self, Goal::Folder(..)).then(writing);
        let (file, notes) = self.file(&done, common)?;
        for note in notes {
            done.report.push(note);
        }
        so_far().wrote(&file);
        Ok((file, done))
    }

    fn file(&mut self, done: &Done, common: &Common) -> Result<(String, Vec<Diagnostic>), Failure> {
        match self {
            Goal::File(file, output) => {
                let notes = output.as_ref().map_err(Clone::clone)?.write(&done.bytes)?;
                Ok((file.display().to_string(), notes))
            }
            Goal::Folder(folder, taken, extension) => {
                let name = taken.take_with(&done.stem, &format!(".{extension}"));
                let saved = folder.write_member(&name, &done.bytes, &common.overwrite())?;
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
