//! `render`: models as pictures.

use std::collections::BTreeSet;
use std::path::Path;

use galvani::formats::{Opened, Site};
use galvani::fs::{FreeNames, Input, SaveError, Tree, safe_name};
use galvani::pictures::{self, Background, Moves, Sheet, SheetCell};
use galvani::render::text::counted;
use galvani::scene::Scene;
use galvani::{Diagnostic, Report};
use serde_json::Value;

use crate::args::{Common, PictureKind, Render};
use crate::batch::{Batch, Known, Row};
use crate::failure::{Failure, warn};
use crate::out::Output;
use crate::results::{self, Results, so_far, writing};
use crate::verbs::convert::{advised, beside, skip, stem};
use crate::verbs::film::{Camera, Model, meter};
use crate::{Outcome, out};

/// A model that was drawn, but not written yet.
struct Done {
    stem: String,
    bytes: Vec<u8>,
    report: Report,
}

/// A model on a sheet of many.
struct Drawn {
    cell: SheetCell,
    report: Report,
}

const NOTHING: &str = "nothing to draw: no input is a model";

/// Sizes of pictures: of one, of one of a folder, and of one on a sheet.
const SINGLE: (u32, u32) = (512, 512);
const SEVERAL: (u32, u32) = (256, 256);
const SMALL: (u32, u32) = (160, 160);

/// How many moments of a clip a sheet shows.
const MOMENTS: usize = 6;

pub(crate) fn run(args: &Render, common: &Common) -> Outcome {
    let batch = Batch::new(&args.inputs.inputs, common);
    let is_archive = args.names_folder() || args.sheet;
    let batch = if is_archive { batch.into_members(common) } else { batch }.by_path();
    let names = batch.inputs().iter().map(|input| input.shown.to_lowercase()).collect();
    let job = Job { args, common, names };
    if args.sheet {
        return job.sheet(&batch);
    }
    let is_folder = args.names_folder();
    let kind = if is_folder { Some(args.to.unwrap_or(PictureKind::Png)) } else { args.kind() };
    let Some(kind) = kind else {
        let found = format!("`{}`: to what? end it in .png, .gif or .apng", args.output.display());
        return Err(Failure::Usage(found));
    };
    if !is_folder && batch.len() > 1 {
        let found = format!("{} files into one; name a folder with -o DIR/, or say --sheet", batch.len());
        return Err(Failure::Usage(found));
    }
    if kind != PictureKind::Png && args.time.is_some() {
        return Err(Failure::Usage("pictures that move show the whole clip, not one --time".to_owned()));
    }
    let size = args.size.unwrap_or(if is_folder { SEVERAL } else { SINGLE });
    let mut goal = Goal::new(args, is_folder, common);
    let mut results = Results::default();
    let show = |row: Option<Row<Option<Done>>>| {
        let Some(Row { path, result, .. }) = row else { return };
        let written = result.and_then(|done| done.map(|done| goal.write(done, kind, common)).transpose());
        match written {
            Ok(Some((file, bytes, report))) => {
                results.add(tell(&path, &file, bytes, &report, (args, common)));
            }
            Ok(None) => {}
            Err(failure) => results.refuse(&path, &failure),
        }
    };
    let work = |_: usize, input: &Input| {
        job.row(input, |opened, known| job.picture(opened, known, input, (kind, size)))
    };
    batch.stream(common, work, |row| row.result.is_err(), show);
    if is_folder && !common.json && !results.is_empty() {
        out::text(&format!("{}\n", so_far().closing()));
    }
    if args.output == Path::new("-") && !results.has_refused() && !results.is_empty() {
        return Ok(0);
    }
    Ok(results.finish(NOTHING, common))
}

/// What is done to every input.
struct Job<'a> {
    args: &'a Render,
    common: &'a Common,
    /// What all inputs are called, in lower case.
    names: BTreeSet<String>,
}

impl Job<'_> {
    fn row<T>(
        &self,
        input: &Input,
        work: impl FnOnce(&Opened, &Known) -> Result<Option<T>, Failure>,
    ) -> Option<Row<Option<T>>> {
        Row::new(input, self.common, |opened, known| {
            let done = work(&opened, known).map_err(|failure| advised(failure, &opened));
            done.or_else(|failure| skip(failure, input.explicit))
        })
    }

    /// The model of an input, if it is none that is drawn anyway.
    fn model(&self, opened: &Opened, known: &Known, input: &Input) -> Result<Option<Model>, Failure> {
        let is_piece = |site: &Site<'_>| {
            let whole = opened.as_model().ok().and_then(|model| model.belongs_to(site));
            whole.is_some_and(|whole| !input.explicit || self.names.contains(&beside(&input.shown, &whole)))
        };
        Model::new(opened, (known, input), &self.args.looking, is_piece, self.common)
    }

    fn moves(&self) -> Moves {
        if self.args.turntable { Moves::Around } else { Moves::Model }
    }

    /// A model as a file.
    fn picture(
        &self,
        opened: &Opened,
        known: &Known,
        input: &Input,
        (kind, size): (PictureKind, (u32, u32)),
    ) -> Result<Option<Done>, Failure> {
        let Some(Model { scene, mut report }) = self.model(opened, known, input)? else { return Ok(None) };
        let meter = meter(known.source.bytes.len(), self.common);
        let time = self.args.time.unwrap_or(0.0);
        let moves = if kind == PictureKind::Png { Moves::Model } else { self.moves() };
        let camera = Camera::new(&scene, &self.args.looking, (size, time, moves), (&mut report, &meter))?;
        let bytes = match kind {
            PictureKind::Png => pictures::png(&camera.still(time, &mut report, &meter)?)?,
            PictureKind::Gif => pictures::gif(&camera.film(self.args.fps, &mut report, &meter)?)?,
            PictureKind::Apng => pictures::apng(&camera.film(self.args.fps, &mut report, &meter)?)?,
        };
        Ok(Some(Done { stem: stem(&known.source), bytes, report }))
    }

    /// One picture of many.
    fn sheet(&self, batch: &Batch) -> Outcome {
        let (args, common) = (self.args, self.common);
        let background = args.looking.background.unwrap_or(Background::Transparent);
        if args.names_folder() || args.kind() != Some(PictureKind::Png) {
            return Err(Failure::Usage("a sheet is one picture: name it with -o OUT.png".to_owned()));
        }
        let output = Output::new(&args.output, common)?;
        let mut results = Results::default();
        let meter = meter(0, common);
        let (mut cells, mut report, mut rows) = (Vec::new(), Report::default(), None);
        if let [input] = batch.inputs()
            && input.explicit
        {
            let row = self.row(input, |opened, known| self.clips(opened, known, input));
            match row.map(|row| row.result) {
                Some(Ok(Some((all, notes)))) => {
                    report.append(notes);
                    rows = Some(all);
                }
                Some(Err(failure)) => results.refuse(&input.shown, &failure),
                Some(Ok(None)) | None => {}
            }
        } else {
            let show = |row: Option<Row<Option<Drawn>>>| match row.map(|row| (row.path, row.result)) {
                Some((_, Ok(Some(Drawn { cell, report: notes })))) => {
                    report.append(notes);
                    cells.push(cell);
                }
                Some((path, Err(failure))) => results.refuse(&path, &failure),
                Some((_, Ok(None))) | None => {}
            };
            let work =
                |_: usize, input: &Input| self.row(input, |opened, known| self.cell(opened, known, input));
            batch.stream(common, work, |row| row.result.is_err(), show);
        }
        let sheet = if let Some(rows) = rows {
            Sheet { rows, background }
        } else {
            let columns = Sheet::columns(cells.len());
            Sheet::in_columns(cells, columns, background)
        };
        if !sheet.rows.is_empty() {
            let bytes = pictures::png(&sheet.image(&meter)?)?;
            for note in output.write(&bytes)? {
                report.push(note);
            }
            let file = args.output.display().to_string();
            so_far().wrote(&file);
            let words: Vec<_> = args.inputs.inputs.iter().map(|word| word.to_string_lossy()).collect();
            results.add(tell(&words.join(" "), &file, bytes.len(), &report, (args, common)));
            if args.output == Path::new("-") && !results.has_refused() {
                return Ok(0);
            }
        }
        Ok(results.finish(NOTHING, common))
    }

    /// All clips of a model, a row for each.
    #[allow(clippy::type_complexity, reason = "what a sheet is made of")]
    fn clips(
        &self,
        opened: &Opened,
        known: &Known,
        input: &Input,
    ) -> Result<Option<(Vec<(String, Vec<SheetCell>)>, Report)>, Failure> {
        let Some(Model { scene, mut report }) = self.model(opened, known, input)? else { return Ok(None) };
        let meter = meter(known.source.bytes.len(), self.common);
        let looking = &self.args.looking;
        let (size, mut rows) = (self.args.size.unwrap_or(SMALL), Vec::new());
        let title = format!("{}: {}", scene.name, counts(&scene));
        if scene.clips.is_empty() {
            let camera = Camera::of(&scene, None, looking, (size, 0.0, Moves::Model), &meter)?;
            let image = camera.still(0.0, &mut report, &meter)?;
            rows.push((title, vec![SheetCell { image, lines: Vec::new() }]));
            return Ok(Some((rows, report)));
        }
        for (i, clip) in scene.clips.iter().enumerate() {
            let camera = Camera::of(&scene, Some(clip), looking, (size, 0.0, Moves::Model), &meter)?;
            // What begins again ends where it began.
            let ends = clip.looping == galvani::scene::Looping::Hold && clip.duration > 0.0;
            let parts = if ends { MOMENTS - 1 } else { MOMENTS };
            let count = if clip.duration > 0.0 { MOMENTS } else { 1 };
            let mut cells = Vec::new();
            for moment in 0..count {
                let part = u16::try_from(moment).map_or(0.0, f32::from)
                    / u16::try_from(parts).map_or(1.0, f32::from);
                let time = clip.duration * part;
                let image = camera.still(time, &mut report, &meter)?;
                cells.push(SheetCell { image, lines: vec![format!("{time:.2} s")] });
            }
            let name = format!("{}  {:.2} s", clip.name, clip.duration);
            rows.push((if i == 0 { format!("{title}; {name}") } else { name }, cells));
        }
        Ok(Some((rows, report)))
    }

    /// A model with its name and what it holds.
    fn cell(&self, opened: &Opened, known: &Known, input: &Input) -> Result<Option<Drawn>, Failure> {
        let Some(Model { scene, mut report }) = self.model(opened, known, input)? else { return Ok(None) };
        let meter = meter(known.source.bytes.len(), self.common);
        let (size, time) = (self.args.size.unwrap_or(SMALL), self.args.time.unwrap_or(0.0));
        let looking = &self.args.looking;
        let camera = Camera::new(&scene, looking, (size, time, Moves::Model), (&mut report, &meter))?;
        let image = camera.still(time, &mut report, &meter)?;
        let clips = counted(scene.clips.len() as u64, "clip");
        let lines = vec![stem(&known.source), triangles(&scene), clips];
        Ok(Some(Drawn { cell: SheetCell { image, lines }, report }))
    }
}

fn triangles(scene: &Scene) -> String {
    let all = scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
    let count: usize = all.map(|primitive| primitive.indices.len() / 3).sum();
    counted(count as u64, "triangle")
}

fn counts(scene: &Scene) -> String {
    let clips = counted(scene.clips.len() as u64, "clip");
    format!("{}, {}, {clips}", counted(scene.nodes.len() as u64, "node"), triangles(scene))
}

/// Where pictures go: into one file, or into a folder under names of their own.
enum Goal<'a> {
    File(&'a Path, Result<Output, SaveError>),
    Folder(Tree, FreeNames),
}

impl<'a> Goal<'a> {
    fn new(args: &'a Render, is_folder: bool, common: &Common) -> Self {
        if is_folder {
            return Goal::Folder(Tree::new(&args.output), FreeNames::default());
        }
        Goal::File(&args.output, Output::new(&args.output, common))
    }

    /// Writes a picture: which file, how many bytes, and what is worth knowing.
    fn write(
        &mut self,
        done: Done,
        kind: PictureKind,
        common: &Common,
    ) -> Result<(String, usize, Report), Failure> {
        // One file may be a pipe, for as long as that takes.
        let _no_stop_between = matches!(self, Goal::Folder(..)).then(writing);
        let Done { stem, bytes, mut report } = done;
        let (file, notes): (String, Vec<Diagnostic>) = match self {
            Goal::File(file, output) => {
                (file.display().to_string(), output.as_ref().map_err(Clone::clone)?.write(&bytes)?)
            }
            Goal::Folder(folder, taken) => {
                let safe = safe_name(&stem);
                let end = format!(".{}", kind.extension());
                let name = taken.take_with(if safe.is_empty() { "_" } else { &safe }, &end);
                let saved = folder.write_file(&name, &bytes, &common.overwrite())?;
                (saved.path.display().to_string(), saved.notes)
            }
        };
        for note in notes {
            report.push(note);
        }
        so_far().wrote(&file);
        Ok((file, bytes.len(), report))
    }
}

/// Tells people; gives the row for machines.
fn tell(path: &str, file: &str, bytes: usize, report: &Report, (args, common): (&Render, &Common)) -> Value {
    warn(report.findings(), path);
    if !common.json && args.output != Path::new("-") {
        out::text(&format!("{file}: {bytes} bytes\n"));
        so_far().announced(file);
    }
    results::file(path, file, bytes, report)
}
