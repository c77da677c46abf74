//! MDX models behind the common door.

mod edit;
mod folder;
mod laid;
mod outline;
mod parts;
mod references;
mod sample;
mod select;

use std::any::Any;

use galvani_core::{Exhausted, FileMap, ReadError, Report, SampleError, WriteError};
use galvani_mdx::{Document, INHERIT, MAGIC, SEQS, TRACKS, check};

use super::setting::settings;
use super::{
    Animated, Edges, Folder, Format, Info, Likelihood, OpenOptions, Opened, Outline, Referring, Samples,
    Sampling, Site, Space, has_extension,
};
use crate::diff::{self, Change};

/// A model of Warcraft III or of World of Warcraft before it was sold.
#[derive(Debug)]
pub(super) struct Mdx;

static INFO: Info = Info {
    id: "mdx",
    name: "MDX model (Warcraft III, World of Warcraft)",
    extensions: &["mdx"],
    topics: &[SEQS, TRACKS, INHERIT],
    codes: &[check::ALL, galvani_mdx::edit::ALL, galvani_mdx::sample::ALL],
    operations: edit::OPERATIONS,
    sampling: Posing::SETTINGS,
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

    fn pack(&self, folder: &Folder) -> Result<Vec<u8>, WriteError> {
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

    fn compare(&self, other: &dyn super::Document) -> Result<Option<Vec<Change>>, Exhausted> {
        let other: &dyn Any = other;
        let Some(other) = other.downcast_ref() else { return Ok(None) };
        let [a, b] = parts::pair(self, other)?;
        Ok(Some(diff::by_parts(&a, &b)))
    }

    fn as_referring(&self) -> Option<&dyn Referring> {
        Some(self)
    }

    fn as_animated(&self) -> Option<&dyn Animated> {
        Some(self)
    }
}

impl Animated for Document {
    fn sample<'a>(&'a self, wanted: &'a Sampling) -> Result<Samples<'a>, SampleError> {
        wanted.settings.only::<SampleError>(Posing::SETTINGS)?;
        sample::run(self, wanted, Posing::from_settings(&wanted.settings))
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
        edges: Option<Edges> = None, "before the first key of a sequence and behind the last, go over the seam or hold the key [default: wrap in looping sequences, hold in others]";
        /// Every animated property as well.
        tracks: bool = false, "every animated property as well";
        /// How the camera is turned, w, x, y, z; without it, nothing faces it.
        camera: Option<[f64; 4]> = None, "how the camera is turned, for billboards: W,X,Y,Z";
    }
}
