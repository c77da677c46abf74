//! MDX models behind the common door.

mod edit;
mod folder;
mod outline;
mod parts;
mod sample;
mod select;

use galvani_core::{ReadError, ReadOptions, Report, SampleError, WriteError};
use galvani_mdx::{Document, INHERIT, MAGIC, SEQS, TRACKS, check};

use super::{Folder, Format, Info, Likelihood, Opened, Outline, Part, Samples, Sampling, has_extension};

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
};

impl Format for Mdx {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn recognise(&self, file: &[u8], name: Option<&str>) -> Likelihood {
        Likelihood::by_magic(file.starts_with(&MAGIC), has_extension(name, &INFO))
    }

    fn open(&self, file: &[u8], options: &ReadOptions) -> Result<Opened, ReadError> {
        Ok(Opened::new(&Mdx, galvani_mdx::read(file, options)?))
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

    fn outline(&self) -> Outline {
        outline::outline(self)
    }

    fn summary(&self) -> String {
        outline::summary(self)
    }

    fn unpack(&self) -> Folder {
        folder::unpack(self)
    }

    fn parts(&self) -> Option<Vec<Part>> {
        Some(parts::parts(self))
    }

    fn sample(&self, wanted: &Sampling) -> Result<Samples, SampleError> {
        sample::run(self, wanted)
    }
}
