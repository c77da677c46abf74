//! `render`: models as pictures, and textures.

use std::collections::BTreeSet;
use std::path::Path;

use galvani::formats::{Opened, Settings, Site};
use galvani::fs::{FreeNames, Input, SaveError, Tree, safe_name};
use galvani::image::Image;
use galvani::pictures::{self, Background, Moves, Sheet, SheetCell};
use galvani::render::{self, text::counted};
use galvani::scene::Scene;
use galvani::{Diagnostic, Meter, Report, codes};
use serde_json::{Value, json};

use crate::args::{Common, PictureKind, Render};
use crate::batch::{Batch, Known, Row};
use crate::failure::{Failure, warn};
use crate::out::Output;
use crate::results::{self, Results, so_far, writing};
use crate::verbs::convert::{advised, beside, skip, stem};
use crate::verbs::film::{self, Camera, Model, meter};
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

const NOTHING: &str = "nothing to draw: no input is a model or a texture";

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
    let job = Job { args, common, names, draws_textures: false };
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
    let mut goal = Goal::new(args, is_folder, common);
    let mut results = Results::default();
    job.draw(&batch, (kind, is_folder), &mut goal, &mut results);
    if results.is_empty() {
        Job { draws_textures: true, ..job }.draw(&batch, (kind, is_folder), &mut goal, &mut results);
    }
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
    /// Whether textures are drawn that nobody named: below folders and in archives they belong to models, if there are some.
    draws_textures: bool,
}

impl Job<'_> {
    /// A file for every input.
    fn draw(
        &self,
        batch: &Batch,
        (kind, is_folder): (PictureKind, bool),
        goal: &mut Goal<'_>,
        results: &mut Results,
    ) {
        let (args, common) = (self.args, self.common);
        let size = args.size.unwrap_or(if is_folder { SEVERAL } else { SINGLE });
        let show = |row: Option<Row<Option<Done>>>| {
            let Some(Row { path, result, .. }) = row else { return };
            let written = result.and_then(|done| done.map(|done| goal.write(done, kind, common)).transpose());
            match written {
                Ok(Some((file, bytes, report))) => {
                    warn(report.findings(), &path);
                    results.add(self.tell(&path, &file, (bytes, &report)));
                }
                Ok(None) => {}
                Err(failure) => results.refuse(&path, &failure),
            }
        };
        let work = |_: usize, input: &Input| {
            self.row(input, |opened, known| self.picture(opened, known, input, (kind, size)))
        };
        batch.stream(common, work, |row| row.result.is_err(), show);
    }

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

    /// The texture of an input in that size or its own, if it is one that is drawn and leads to no model.
    fn texture(
        &self,
        opened: &Opened,
        known: &Known,
        input: &Input,
        (size, meter): (Option<(u32, u32)>, &Meter),
    ) -> Result<Option<Image>, Failure> {
        if opened.as_picture().is_err() || !(input.explicit || self.draws_textures) {
            return Ok(None);
        }
        match self.model(opened, known, input) {
            Err(Failure::Found(_, found)) if found.code == &codes::NO_SCENE => {
                film::texture(opened, size, &self.args.looking, meter).map(Some)
            }
            _ => Ok(None),
        }
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
        let meter = meter(known.source.bytes.len(), self.common);
        let stem = stem(&known.source);
        if let Some(image) = self.texture(opened, known, input, (self.args.size, &meter))? {
            let bytes = match kind {
                PictureKind::Png => pictures::png(&image)?,
                PictureKind::Gif => pictures::gif(&[(image, 0)])?,
                PictureKind::Apng => pictures::apng(&[(image, 0)])?,
            };
            return Ok(Some(Done { stem, bytes, report: opened.report.clone() }));
        }
        let Some(Model { scene, mut report }) = self.model(opened, known, input)? else { return Ok(None) };
        let time = self.args.time.unwrap_or(0.0);
        let moves = if kind == PictureKind::Png { Moves::Model } else { self.moves() };
        let camera = Camera::new(&scene, &self.args.looking, (size, time, moves), (&mut report, &meter))?;
        let bytes = match kind {
            PictureKind::Png => pictures::png(&camera.still(time, &mut report, &meter)?)?,
            PictureKind::Gif => pictures::gif(&camera.film(self.args.fps, &mut report, &meter)?)?,
            PictureKind::Apng => pictures::apng(&camera.film(self.args.fps, &mut report, &meter)?)?,
        };
        Ok(Some(Done { stem, bytes, report }))
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
        let (rows, found) = match batch.inputs() {
            [input] if input.explicit => self.rows(input, &mut results),
            _ => self.cells(batch, &mut results),
        };
        if !rows.is_empty() {
            let bytes = pictures::png(&Sheet { rows, background }.image(&meter(0, common))?)?;
            let mut notes = Report::default();
            output.write(&bytes)?.into_iter().for_each(|note| notes.push(note));
            let file = args.output.display().to_string();
            so_far().wrote(&file);
            let words: Vec<_> = args.inputs.inputs.iter().map(|word| word.to_string_lossy()).collect();
            let words = words.join(" ");
            warn(notes.findings(), &words);
            let row = self.tell(&words, &file, (bytes.len(), &notes));
            results.add(with_findings(row, &found));
            if args.output == Path::new("-") && !results.has_refused() {
                return Ok(0);
            }
        }
        Ok(results.finish(NOTHING, common))
    }

    /// The rows of a sheet of one model: its clips.
    fn rows(&self, input: &Input, results: &mut Results) -> (SheetRows, Vec<Found>) {
        let row = self.row(input, |opened, known| self.clips(opened, known, input));
        match row.map(|row| row.result) {
            Some(Ok(Some((rows, report)))) => (rows, vec![Found { path: input.shown.clone(), report }]),
            Some(Err(failure)) => {
                results.refuse(&input.shown, &failure);
                Default::default()
            }
            Some(Ok(None)) | None => Default::default(),
        }
    }

    /// The rows of a sheet of many models, or of textures where there are none.
    fn cells(&self, batch: &Batch, results: &mut Results) -> (SheetRows, Vec<Found>) {
        let (mut cells, mut found) = (Vec::new(), Vec::new());
        let show = |row: Option<Row<Option<Drawn>>>| match row.map(|row| (row.path, row.result)) {
            Some((path, Ok(Some(Drawn { cell, report })))) => {
                found.push(Found { path, report });
                cells.push(cell);
            }
            Some((path, Err(failure))) => results.refuse(&path, &failure),
            Some((_, Ok(None))) | None => {}
        };
        let work = |_: usize, input: &Input| self.row(input, |opened, known| self.cell(opened, known, input));
        batch.stream(self.common, work, |row| row.result.is_err(), show);
        if cells.is_empty() && results.is_empty() && !self.draws_textures {
            let Job { args, common, .. } = *self;
            let job = Job { args, common, names: self.names.clone(), draws_textures: true };
            return job.cells(batch, results);
        }
        let columns = Sheet::columns(cells.len());
        (Sheet::in_columns(cells, columns, Background::Transparent).rows, found)
    }

    /// All clips of a model, a row for each.
    fn clips(
        &self,
        opened: &Opened,
        known: &Known,
        input: &Input,
    ) -> Result<Option<(SheetRows, Report)>, Failure> {
        let meter = meter(known.source.bytes.len(), self.common);
        let looking = &self.args.looking;
        let (size, mut rows) = (self.args.size.unwrap_or(SMALL), Vec::new());
        if let Some(image) = self.texture(opened, known, input, (Some(size), &meter))? {
            let title = format!("{}: {}", stem(&known.source), pixels(opened));
            let cell = SheetCell { image, lines: Vec::new() };
            return Ok(Some((vec![(title, vec![cell])], opened.report.clone())));
        }
        let Some(Model { scene, mut report }) = self.model(opened, known, input)? else { return Ok(None) };
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

    /// A model or texture with its name and what it holds.
    fn cell(&self, opened: &Opened, known: &Known, input: &Input) -> Result<Option<Drawn>, Failure> {
        let meter = meter(known.source.bytes.len(), self.common);
        let (size, time) = (self.args.size.unwrap_or(SMALL), self.args.time.unwrap_or(0.0));
        if let Some(image) = self.texture(opened, known, input, (Some(size), &meter))? {
            let lines = vec![stem(&known.source), pixels(opened)];
            return Ok(Some(Drawn { cell: SheetCell { image, lines }, report: opened.report.clone() }));
        }
        let Some(Model { scene, mut report }) = self.model(opened, known, input)? else { return Ok(None) };
        let looking = &self.args.looking;
        let camera = Camera::new(&scene, looking, (size, time, Moves::Model), (&mut report, &meter))?;
        let image = camera.still(time, &mut report, &meter)?;
        let clips = counted(scene.clips.len() as u64, "clip");
        let lines = vec![stem(&known.source), triangles(&scene), clips];
        Ok(Some(Drawn { cell: SheetCell { image, lines }, report }))
    }

    /// Tells people of a file; gives the row for machines.
    fn tell(&self, path: &str, file: &str, (bytes, report): (usize, &Report)) -> Value {
        if !self.common.json && self.args.output != Path::new("-") {
            out::text(&format!("{file}: {bytes} bytes\n"));
            so_far().announced(file);
        }
        results::file(path, file, bytes, report)
    }
}

/// What stands above each row of a sheet, and what is in it.
type SheetRows = Vec<(String, Vec<SheetCell>)>;

/// What was found of a model on a sheet.
struct Found {
    path: String,
    report: Report,
}

/// Tells people what was found of the models on a sheet; puts it into the row for machines.
fn with_findings(mut row: Value, found: &[Found]) -> Value {
    for Found { path, report } in found {
        warn(report.findings(), path);
        let Some(list) = row["findings"].as_array_mut() else { continue };
        list.extend(report.findings().iter().map(|found| {
            let mut told = render::json::diagnostic(found);
            told["model"] = json!(path);
            told
        }));
    }
    row
}

/// The size of a texture.
fn pixels(opened: &Opened) -> String {
    let picture = opened.as_picture().ok();
    let (width, height) = picture.and_then(|picture| picture.size(&Settings::default())).unwrap_or_default();
    format!("{width} × {height}")
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
