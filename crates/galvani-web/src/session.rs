//! Everything that is open, and what can be asked about it. What is told is JSON, as the command prints it where it does.

use galvani::formats::{Format, OpenOptions, Sampling, Selector, Settings, Step, Times, resolve};
use galvani::pictures::{Direction, Lens, Moves, Shot, Stage, Wear};
use galvani::render::json as told;
use galvani::{Report, budget, contents, convert, diff, nested, pictures, render, samples};
use serde_json::{Value, json};

use crate::file::File;
use crate::refusal::Refusal;
use crate::shelf::Dropped;
use crate::show::Asked;
use crate::{describe, film, forms, inspect, place, solid, tracks};

/// The files on the shelf, and those that are open.
#[derive(Debug, Default)]
pub struct Session {
    shelf: Dropped,
    files: Vec<Option<File>>,
}

/// Something that is made of a file, and what that cost.
#[derive(Debug)]
pub struct Made {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// What it does not say.
    pub report: Report,
}

impl Session {
    /// Puts a file on the shelf.
    pub fn put(&mut self, path: &str, bytes: &[u8]) {
        self.shelf.put(path, bytes);
    }

    /// Puts the samples that ship with galvani on the shelf, and says what they show.
    pub fn put_samples(&mut self) -> Value {
        let row = |sample: samples::Sample| {
            self.shelf.put_sample(&sample.name, &sample.bytes);
            json!({"path": sample.name, "about": sample.about, "size": sample.bytes.len()})
        };
        samples::all().into_iter().map(row).collect()
    }

    /// Takes everything off the shelf, and closes what is open.
    pub fn clear(&mut self) {
        self.shelf.clear();
        self.files.clear();
    }

    /// The files on the shelf.
    pub fn paths(&self) -> Value {
        self.shelf.paths().map(|(path, size)| json!({"path": path, "size": size})).collect()
    }

    /// Opens a file or a member of an archive. What does not read is open, too: its bytes and findings can be looked at.
    pub fn open(&mut self, path: &str, reading: &str) -> Result<usize, Refusal> {
        let mut options = OpenOptions::default();
        options.read.readings.all = reading.parse().map_err(Refusal::request)?;
        let file = File::open(&self.shelf, path, options)?;
        self.files.push(Some(file));
        Ok(self.files.len() - 1)
    }

    /// Closes a file.
    pub fn close(&mut self, handle: usize) {
        if let Some(file) = self.files.get_mut(handle) {
            *file = None;
        }
    }

    fn file(&self, handle: usize) -> Result<&File, Refusal> {
        let file = self.files.get(handle).and_then(Option::as_ref);
        file.ok_or_else(|| Refusal::request(format!("nothing is open as {handle}")))
    }

    fn file_mut(&mut self, handle: usize) -> Result<(&mut File, &Dropped), Refusal> {
        let file = self.files.get_mut(handle).and_then(Option::as_mut);
        let file = file.ok_or_else(|| Refusal::request(format!("nothing is open as {handle}")))?;
        Ok((file, &self.shelf))
    }

    /// What a file is, what can be done with it, and how often that was.
    pub fn about(&self, handle: usize) -> Result<Value, Refusal> {
        let file = self.file(handle)?;
        let info = file.format.map(Format::info);
        let document = file.opened.as_ref().map(|opened| &opened.document);
        let (undo, redo) = file.history.steps();
        Ok(json!({
            "path": file.path,
            "name": file.placed.name,
            "format": info.map(|info| info.id),
            "format_name": info.map(|info| info.name),
            "size": file.bytes().len(),
            "is_read": document.is_some(),
            "is_archive": document.is_some_and(|document| document.as_archive().is_some()),
            "is_animated": document.is_some_and(|document| document.as_animated().is_some()),
            "is_model": document.is_some_and(|document| document.as_model().is_some()),
            "is_picture": document.is_some_and(|document| document.as_picture().is_some()),
            "topics": info.map(|info| info.topics),
            "is_member": file.placed.inside.is_some(),
            "undo": undo,
            "redo": redo,
        }))
    }

    /// What a file holds, as `info` tells it.
    pub fn info(&self, handle: usize) -> Result<String, Refusal> {
        let file = self.file(handle)?;
        let opened = file.opened()?;
        let told = file.at(&self.shelf, |site| {
            let mut outline = contents::outline(opened, &file.options, site);
            let named = resolve::references(opened, site, &file.options);
            outline.sections.extend((!named.is_empty()).then(|| resolve::section(&named)));
            serde_json::to_string(&told::info(&file.path, opened, outline, site))
        });
        told.map_err(|error| Refusal::request(error.to_string()))
    }

    /// What is wrong with a file, as `validate` tells it, and which node of the file each finding is about.
    pub fn findings(&self, handle: usize) -> Result<Value, Refusal> {
        let file = self.file(handle)?;
        let found = file.findings(&self.shelf);
        let mut report = Value::Object(told::report(&found));
        let rows = report["diagnostics"].as_array_mut().into_iter().flatten();
        for (row, finding) in rows.zip(found.findings()) {
            let node = file.opened.as_ref().and_then(|opened| place::node(opened, &finding.path.to_string()));
            row["node"] = json!(node);
        }
        Ok(report)
    }

    /// The members of an archive: how each is addressed, and how large it is.
    pub fn members(&self, handle: usize) -> Result<Value, Refusal> {
        let file = self.file(handle)?;
        let archive = file.opened()?.as_archive()?;
        let row = |(i, label): (usize, String)| {
            let size = archive.member(i).map(<[u8]>::len);
            json!({"path": format!("{}/{label}", file.path), "name": label, "size": size})
        };
        Ok(nested::labels(archive).into_iter().enumerate().map(row).collect())
    }

    /// The parts of a file, in order.
    pub fn parts(&self, handle: usize) -> Result<Vec<inspect::Part>, Refusal> {
        Ok(inspect::parts(self.file(handle)?.opened()?))
    }

    /// The values of a part from a record on.
    pub fn values(&self, handle: usize, part: usize, first: usize) -> Result<Vec<Value>, Refusal> {
        let file = self.file(handle)?;
        let opened = file.opened()?;
        let clear = opened.document.in_the_clear(file.bytes())?;
        Ok(inspect::values(opened, &clear, part, first))
    }

    /// The value that has a byte.
    pub fn value_at(&self, handle: usize, offset: usize) -> Result<Option<Value>, Refusal> {
        let file = self.file(handle)?;
        let opened = file.opened()?;
        let clear = opened.document.in_the_clear(file.bytes())?;
        Ok(inspect::at(opened, &clear, offset))
    }

    /// Some of a file's bytes, in the clear where they are under a cipher.
    pub fn bytes(&self, handle: usize, start: usize, len: usize) -> Result<Vec<u8>, Refusal> {
        let file = self.file(handle)?;
        let some = |bytes: &[u8]| {
            let end = start.saturating_add(len).min(bytes.len());
            bytes.get(start..end).unwrap_or_default().to_vec()
        };
        match file.opened() {
            Ok(opened) => Ok(some(&opened.document.in_the_clear(file.bytes())?)),
            Err(_) => Ok(some(file.bytes())),
        }
    }

    /// What is drawn of a model: a description, and the block that its numbers lie in.
    pub fn scene(&mut self, handle: usize, settings: &Value) -> Result<(Value, Vec<u8>), Refusal> {
        let (file, shelf) = self.file_mut(handle)?;
        let declared = file.opened()?.format.info().lifting;
        let words: Vec<(&str, &str)> = settings
            .as_object()
            .into_iter()
            .flatten()
            .filter_map(|(name, word)| Some((name.as_str(), word.as_str()?)))
            .collect();
        let settings = Settings::from_words(declared, &words)?;
        let show = file.show(shelf, &settings)?;
        let (description, block) = describe::describe(show);
        let mut description =
            serde_json::to_value(description).map_err(|error| Refusal::request(error.to_string()))?;
        description["report"] = Value::Object(told::report(&show.report));
        Ok((description, block))
    }

    /// The numbers of a moment of a model whose scene was asked for.
    pub fn frame(&mut self, handle: usize, asked: Asked) -> Result<&[f32], Refusal> {
        let file = self.files.get_mut(handle).and_then(Option::as_mut);
        let file = file.ok_or_else(|| Refusal::request(format!("nothing is open as {handle}")))?;
        let (Some(opened), Some(show)) = (&file.opened, &mut file.show) else {
            return Err(Refusal::request("the scene was not asked for"));
        };
        Ok(show.frame(opened, asked))
    }

    /// Where the nodes are at a time, as `sample` tells it.
    pub fn poses(&self, handle: usize, clip: Option<&str>, time: f64) -> Result<Value, Refusal> {
        let file = self.file(handle)?;
        let animated = file.opened()?.as_animated()?;
        let wanted =
            Sampling { times: Times::at(time), clip: clip.map(Selector::new), ..Sampling::default() };
        let mut rows = Vec::new();
        for pose in animated.sample(&wanted)?.poses {
            rows.extend(render::pose::rows(&pose?));
        }
        Ok(json!({"samples": rows}))
    }

    /// What keys move, and the keys.
    pub fn timeline(&self, handle: usize) -> Result<tracks::Timeline, Refusal> {
        tracks::timeline(self.file(handle)?.opened()?)
    }

    /// The operations of a file's format, as forms.
    pub fn operations(&self, handle: usize) -> Result<Value, Refusal> {
        Ok(forms::forms(self.file(handle)?.opened()?.format))
    }

    /// Does steps, all or none; tells what they cost.
    pub fn edit(&mut self, handle: usize, steps: &Value) -> Result<Value, Refusal> {
        let (file, shelf) = self.file_mut(handle)?;
        let format = file.opened()?.format;
        let steps = steps.as_array().ok_or_else(|| Refusal::request("a list of steps is wanted"))?;
        let steps = steps.iter().map(|step| forms::step(format, step, shelf));
        let steps = steps.collect::<Result<Vec<Step>, Refusal>>()?;
        let costs = file.edit(shelf, &steps)?;
        Ok(Value::Object(told::report(&costs)))
    }

    /// Takes the last edit back; false if there is none.
    pub fn undo(&mut self, handle: usize) -> Result<bool, Refusal> {
        let (file, shelf) = self.file_mut(handle)?;
        Ok(file.undo(shelf))
    }

    /// Makes the edit that was taken back last again; false if there is none.
    pub fn redo(&mut self, handle: usize) -> Result<bool, Refusal> {
        let (file, shelf) = self.file_mut(handle)?;
        Ok(file.redo(shelf))
    }

    /// The file to be saved, which for a member of an archive is the archive.
    pub fn whole(&self, handle: usize) -> Result<Vec<u8>, Refusal> {
        self.file(handle)?.whole(&self.shelf)
    }

    /// A model as one file of glTF, and what that does not say.
    pub fn glb(&self, handle: usize) -> Result<Made, Refusal> {
        let file = self.file(handle)?;
        let (opened, meter) = (file.opened()?, file.meter(&budget::CONVERTING));
        let made = file.at(&self.shelf, |site| convert::glb(opened, site, &Settings::default(), &meter))?;
        Ok(Made { bytes: made.files, report: made.report })
    }

    /// A small picture as PNG: of a picture itself, of a model as it is usually looked at.
    pub fn thumbnail(&self, handle: usize, side: u32) -> Result<Vec<u8>, Refusal> {
        let file = self.file(handle)?;
        let (opened, meter) = (file.opened()?, file.meter(&budget::RENDERING));
        if opened.document.as_picture().is_some() {
            let image = convert::image(opened, &Settings::default(), &meter)?;
            return Ok(pictures::png(&image)?);
        }
        let made =
            file.at(&self.shelf, |site| pictures::scene(opened, site, &Settings::default(), &meter))?;
        let scene = made.0;
        let clip = pictures::clip(&scene, None, &mut Report::default())?;
        let stage = Stage::new(&scene, &Wear::default(), &meter)?;
        let stances = stage.stances(clip);
        let eye = stage.eye(&stances, (Direction::USUAL, Lens::Perspective, 1.0), (1.0, Moves::Model));
        let picture = stage.picture(&stage.stance(clip, 0.0), &Shot::new(side, side, eye), &meter)?;
        Ok(pictures::png(&picture.image)?)
    }

    /// How a model may be shown, as forms.
    pub fn lifting(&self, handle: usize) -> Result<Value, Refusal> {
        Ok(forms::settings(self.file(handle)?.opened()?.format))
    }

    /// What rays and bodies meet, and the block that its numbers lie in.
    pub fn solids(&self, handle: usize) -> Result<(Value, Vec<u8>), Refusal> {
        let file = self.file(handle)?;
        let solids = solid::solids(file.opened()?, &file.meter(&budget::RENDERING))?;
        Ok(describe::solids(&solids))
    }

    /// A clip of a model whose scene was asked for, as a picture that moves.
    pub fn film(&self, handle: usize, asked: &Value) -> Result<Made, Refusal> {
        let file = self.file(handle)?;
        let show = file.show.as_ref().ok_or_else(|| Refusal::request("the scene was not asked for"))?;
        film::film(&show.scene, asked, &file.meter(&budget::RENDERING))
    }

    /// What differs between two open files, as `diff` tells it.
    pub fn diff(&self, a: usize, b: usize) -> Result<Value, Refusal> {
        let (a, b) = (self.file(a)?, self.file(b)?);
        Ok(told::diff(&diff::diff(a.opened()?, b.opened()?, &a.options)?))
    }
}
