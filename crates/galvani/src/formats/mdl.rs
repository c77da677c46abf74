//! MDL texts behind the common door: the models that they say, with everything that MDX models can.

use std::any::Any;

use galvani_core::{
    Exhausted, FileMap, LiftError, LowerError, Meter, ReadError, Report, SampleError, WriteError, room,
};
use galvani_mdx::mdl::{self, Document, check as codes};
use galvani_mdx::{Family, INHERIT};
use galvani_scene::{LoweredScene, Scene};

use super::mdx::{self, Lifting, Playing, Posing};
use super::{
    Animated, ClipSpan, Folder, Format, Info, Likelihood, LowerRequest, Lowering, Model, OpenOptions, Opened,
    Outline, Packing, Playback, PlayedMoment, Reference, Referring, Samples, Sampling, Settings, Site,
    Tabular, has_extension, texts,
};
use crate::diff::{Change, lines};

/// A model of Warcraft III as text.
#[derive(Debug)]
pub(super) struct Mdl;

/// How often the bytes of a text are held in a copy of its document, which is changed: with the model as it was and is.
const COPIED: usize = 4;

/// The kinds of texts that are made, the usual one first.
const WORDS: &[&str] = &["mdl", "mdl:800", "mdl:900", "mdl:1000", "mdl:1100"];

static INFO: Info = Info {
    id: "mdl",
    name: "MDL model (Warcraft III, text)",
    extensions: &["mdl"],
    topics: &[INHERIT],
    codes: &[codes::ALL],
    operations: mdx::OPERATIONS,
    mends: mdx::MENDS,
    sampling: Posing::SETTINGS,
    playing: Playing::SETTINGS,
    lifting: Lifting::SETTINGS,
    lowering: Some(Lowering {
        words: WORDS,
        is_of,
        pictures: "blp",
        lower: made,
        transcribe: Some(transcribed),
    }),
    ..Info::PLAIN
};

impl Format for Mdl {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn recognise(&self, file: &[u8], name: Option<&str>) -> Likelihood {
        Likelihood::by_shape(mdl::is_shaped(file), has_extension(name, &INFO))
    }

    fn read_at(&self, file: &[u8], options: &OpenOptions, _site: &Site<'_>) -> Result<Opened, ReadError> {
        Ok(Opened::new(&Mdl, mdl::read(file, &options.read)?))
    }

    fn pack_within(&self, folder: &Packing<'_>) -> Result<Vec<u8>, WriteError> {
        texts::pack(INFO.id, folder)
    }
}

impl super::Document for Document {
    fn check(&self) -> Report {
        mdl::check(self)
    }

    fn write(&self) -> Result<Vec<u8>, WriteError> {
        mdl::write(self)
    }

    fn outline(&self, map: &FileMap, site: &Site<'_>) -> Outline {
        super::Document::outline(self.model(), map, site)
    }

    fn summary(&self) -> String {
        self.model().summary()
    }

    fn folder(&self) -> Result<Folder, Exhausted> {
        Ok(texts::unpack(INFO.id, "model.mdl", self.text()))
    }

    fn compare(&self, other: &dyn super::Document, tell: &mut dyn FnMut(Change)) -> Result<bool, Exhausted> {
        let other: &dyn Any = other;
        let Some(other) = other.downcast_ref::<Document>() else { return Ok(false) };
        let mut told = false;
        let mut noticing = |change: Change| {
            told = true;
            tell(change);
        };
        super::Document::compare(self.model(), other.model(), &mut noticing)?;
        if !told {
            // They say the same in other words.
            lines(self.text(), other.text(), tell);
        }
        Ok(true)
    }

    fn stands_for(&self) -> Option<&dyn super::Document> {
        Some(self.model())
    }

    fn stands_for_mut(&mut self) -> Option<&mut dyn super::Document> {
        Some(self.model_mut())
    }

    fn text_copied(&self) -> Option<Result<Box<dyn super::Document>, Exhausted>> {
        let copied = room::probe(self.text().len().saturating_mul(COPIED));
        Some(copied.map(|()| -> Box<dyn super::Document> { Box::new(self.clone()) }))
    }

    fn as_tabular(&self) -> Option<&dyn Tabular> {
        super::Document::as_tabular(self.model())
    }

    fn as_referring(&self) -> Option<&dyn Referring> {
        Some(self)
    }

    fn as_animated(&self) -> Option<&dyn Animated> {
        Some(self)
    }

    fn as_model(&self) -> Option<&dyn Model> {
        Some(self)
    }
}

impl Referring for Document {
    fn references(&self, name: &str) -> Vec<Reference> {
        self.model().references(name)
    }
}

impl Model for Document {
    fn lift(&self, settings: &Settings, site: &Site<'_>) -> Result<(Scene, Report), LiftError> {
        self.model().lift(settings, site)
    }
}

impl Animated for Document {
    fn clips(&self) -> Result<Vec<ClipSpan>, SampleError> {
        self.model().clips()
    }

    fn sample<'a>(&'a self, wanted: &'a Sampling) -> Result<Samples<'a>, SampleError> {
        self.model().sample(wanted)
    }

    fn play(
        &self,
        wanted: &Playback,
        meter: &Meter,
        each: &mut dyn FnMut(PlayedMoment),
    ) -> Result<Report, SampleError> {
        self.model().play(wanted, meter, each)
    }
}

/// The version of a word, if it names one.
fn version(word: &str) -> Option<u32> {
    word.split_once(':').and_then(|(_, version)| version.parse().ok())
}

fn is_of(document: &dyn super::Document, word: &str) -> bool {
    let document: &dyn Any = document;
    let own: Option<&Document> = document.downcast_ref();
    own.is_some_and(|own| version(word).is_none_or(|version| version == own.model().version))
}

/// The text of a binary model. One of World of Warcraft has none, unless another version is wanted, which is made anew.
fn transcribed(document: &dyn super::Document, word: &str) -> Option<Result<Vec<u8>, WriteError>> {
    let document: &dyn Any = document;
    let model: &galvani_mdx::Document = document.downcast_ref()?;
    let is_same = model.family() == Family::Warcraft && version(word) == Some(model.version);
    (is_same || version(word).is_none()).then(|| mdl::print(model))
}

/// A scene as a binary model, and that as text.
fn made(scene: &Scene, making: &LowerRequest<'_>) -> Result<LoweredScene, LowerError> {
    let word = version(making.word).map_or_else(|| "mdx:800".to_owned(), |version| format!("mdx:{version}"));
    let like = making.like.map(|like| like.stands_for().unwrap_or(like));
    let binary = if making.word == "mdl" && like.is_some() { "mdx" } else { &word };
    let mut made = mdx::made(scene, &LowerRequest { word: binary, like, ..making.clone() })?;
    for (name, bytes) in &mut made.files {
        if let Some(stem) = name.strip_suffix(".mdx") {
            let stem = stem.to_owned();
            let model = galvani_mdx::read(bytes, &galvani_core::ReadOptions::default());
            let model = model.map_err(|error| LowerError { cause: error.cause })?;
            (*name, *bytes) = (format!("{stem}.mdl"), mdl::print(&model.document)?);
        }
    }
    Ok(made)
}
