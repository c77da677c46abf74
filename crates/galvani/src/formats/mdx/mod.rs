//! MDX models behind the common door.

mod edit;
mod folder;
mod laid;
mod lift;
mod lower;
mod mend;
mod outline;
mod parts;
mod play;
mod references;
mod sample;
mod select;
mod tables;

pub(super) use edit::OPERATIONS;
pub(super) use lower::made;
pub(super) use mend::MENDS;

use std::any::Any;

use galvani_core::image::Additive;
use galvani_core::maths::Wxyz;
use galvani_core::{Exhausted, FileMap, LiftError, Meter, ReadError, Report, SampleError, WriteError};
use galvani_mdx::lift::{Layers, TEAMS, TOLERANCE};
use galvani_mdx::{Document, INHERIT, MAGIC, SEQS, TRACKS, check};
use galvani_scene::Scene;

use super::argument::{Argument, words};
use super::setting::settings;
use super::{
    Animated, ArgumentKind, ArgumentValue, ClipSpan, Each, EdgesOption, Folder, Format, Info, Likelihood,
    Model, NamedFile, OpenOptions, Opened, Outline, Packing, Playback, PlayedMoment, Referring, Samples,
    Sampling, Settings, Site, Space, Tabular, WayBack, has_extension,
};
use crate::diff::Change;

/// A model of Warcraft III or of World of Warcraft before it was sold.
#[derive(Debug)]
pub(super) struct Mdx;

static INFO: Info = Info {
    id: "mdx",
    name: "MDX model (Warcraft III, World of Warcraft)",
    extensions: &["mdx"],
    topics: &[SEQS, TRACKS, INHERIT],
    codes: &[
        check::ALL,
        galvani_mdx::edit::ALL,
        galvani_mdx::sample::ALL,
        galvani_mdx::lift::ALL,
        galvani_mdx::lower::ALL,
    ],
    operations: OPERATIONS,
    mends: MENDS,
    sampling: Posing::SETTINGS,
    playing: Playing::SETTINGS,
    lifting: Lifting::SETTINGS,
    way_back: Some(WayBack::new("mdx", galvani_mdx::lift::CODECS)),
    lowering: Some(lower::LOWERING),
    ..Info::PLAIN
};

impl Format for Mdx {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn recognise(&self, file: &[u8], name: Option<&str>) -> Likelihood {
        Likelihood::by_magic(file.starts_with(&MAGIC), has_extension(name, &INFO))
    }

    fn read_at(&self, file: &[u8], options: &OpenOptions, _site: &Site<'_>) -> Result<Opened, ReadError> {
        Ok(Opened::new(&Mdx, galvani_mdx::read(file, &options.read)?))
    }

    fn pack_within(&self, folder: &Packing<'_>) -> Result<Vec<u8>, WriteError> {
        folder::pack(folder)
    }
}

impl super::Document for Document {
    fn check(&self) -> Report {
        check(self)
    }

    fn write(&self) -> Result<Vec<u8>, WriteError> {
        galvani_mdx::write(self)
    }

    fn outline(&self, map: &FileMap, _site: &Site<'_>) -> Outline {
        outline::outline(self, map)
    }

    fn summary(&self) -> String {
        outline::summary(self)
    }

    fn folder(&self) -> Result<Folder, Exhausted> {
        folder::unpack(self)
    }

    fn compare(&self, other: &dyn super::Document, tell: &mut dyn FnMut(Change)) -> Result<bool, Exhausted> {
        let other: &dyn Any = other;
        let Some(other) = other.downcast_ref() else { return Ok(false) };
        parts::compare(self, other, tell)?;
        Ok(true)
    }

    fn as_tabular(&self) -> Option<&dyn Tabular> {
        Some(self)
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

impl Model for Document {
    /// With the pictures that it names, as far as they are found.
    fn lift(&self, settings: &Settings, site: &Site<'_>) -> Result<(Scene, Report), LiftError> {
        settings.only::<LiftError>(Lifting::SETTINGS)?;
        lift::run(self, Lifting::from_settings(settings), site)
    }
}

impl Animated for Document {
    fn clips(&self) -> Result<Vec<ClipSpan>, SampleError> {
        Ok(sample::clips(self))
    }

    fn sample<'a>(&'a self, wanted: &'a Sampling) -> Result<Samples<'a>, SampleError> {
        wanted.settings.only::<SampleError>(Posing::SETTINGS)?;
        sample::run(self, wanted, Posing::from_settings(&wanted.settings))
    }

    fn play(
        &self,
        wanted: &Playback,
        meter: &Meter,
        each: &mut dyn FnMut(PlayedMoment),
    ) -> Result<Report, SampleError> {
        wanted.settings.only::<SampleError>(Playing::SETTINGS)?;
        play::run(self, wanted, &Playing::from_settings(&wanted.settings), meter, each)
    }
}

settings! {
    /// How models are posed.
    pub struct Posing {
        /// Relative to what matrices and places are.
        space: Space = Space::Model, "relative to the parent or to the model [default: model]";
        /// What the clock of global sequences says, in milliseconds.
        global_time as "global-time": Option<f64> = None, "what the clock of global sequences says, in milliseconds [default: the time]";
        /// What lies outside the keys of a sequence.
        edges: Option<EdgesOption> = None, "before the first key of a sequence and behind the last, go over the seam or hold the key [default: wrap in looping sequences, hold in others]";
        /// Every animated property as well.
        tracks: bool = false, "every animated property as well";
        /// How the camera is turned, w, x, y, z; without it, nothing faces it.
        camera: Option<Wxyz<f64>> = None, "how the camera is turned, for billboards: W,X,Y,Z";
    }
}

settings! {
    /// How models are played.
    pub struct Playing {
        /// Relative to what matrices and places are.
        space: Space = Space::Model, "relative to the parent or to the model [default: model]";
        /// What lies outside the keys of a sequence.
        edges: Option<EdgesOption> = None, "before the first key of a sequence and behind the last, go over the seam or hold the key [default: wrap in looping sequences, hold in others]";
        /// Every animated property as well.
        tracks: bool = false, "every animated property as well";
        /// How the camera is turned, w, x, y, z; without it, nothing faces it.
        camera: Option<Wxyz<f64>> = None, "how the camera is turned, for billboards: W,X,Y,Z";
    }
}

impl Playing {
    /// The same as it is said of poses: the player has clocks of its own.
    fn posing(&self) -> Posing {
        let Playing { space, edges, tracks, camera } = *self;
        Posing { space, edges, tracks, camera, global_time: None }
    }
}

/// A team's colour: red, green, blue.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Team(pub [u8; 3]);

/// The number of the last team.
const LAST_TEAM: u32 = 12;

impl Argument for Team {
    const KIND: ArgumentKind = ArgumentKind::NumberOrColor(0, LAST_TEAM);

    fn from_value(value: &ArgumentValue) -> Option<Self> {
        match value {
            ArgumentValue::Number(number) => TEAMS.get(usize::try_from(*number).ok()?).copied().map(Team),
            ArgumentValue::Color(color) => Some(Team(*color)),
            _ => None,
        }
    }
}

words! { Layers { "merge" => Layers::Merge, "stack" => Layers::Stack } }

settings! {
    /// How models are shown elsewhere.
    pub struct Lifting {
        /// The team whose colour is shown.
        team: Team = Team(TEAMS[0]), "the team whose colour is shown, or the colour itself [default: 0, red]";
        /// Pictures that the game would choose, by their numbers.
        skin: Each<(u32, NamedFile)> = Each::default(), "the picture that stands in for a replaceable one, by its number (may be given several times)";
        /// What becomes of several layers.
        layers: Layers = Layers::Merge, "shows the layer of a material that shows most, or each as a surface of its own [default: merge]";
        /// What becomes of pictures that are added to what is behind them.
        additive: Additive = Additive::Bake, "what is added to what is behind it is as transparent as it is dark, or stays as it is [default: bake]";
        /// How far baked curves may be from the source.
        tolerance: f32 = TOLERANCE, "how far what a scene cannot say may be from the source: in sizes of the model, and in radians [default: 0.0001]";
        /// Whether there are the looks of the other teams.
        variants: bool = false, "writes the looks of the other teams by an extension";
    }
}
