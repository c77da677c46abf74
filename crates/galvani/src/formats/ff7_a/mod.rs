//! Animations of FF7 field models behind the common door.

mod edit;
mod folder;
mod sample;

use galvani_core::{EditError, ReadError, ReadOptions, Report, SampleError, WriteError};
use galvani_ff7::field::a::{self, Document, check};
use serde_json::json;

use super::{Folder, Format, Info, Likelihood, Opened, Outline, Samples, Sampling, Step, has_extension};

/// An animation of a model on a field.
#[derive(Debug)]
pub(super) struct Animation;

static INFO: Info = Info {
    id: "ff7-a",
    name: "field animation (Final Fantasy VII)",
    extensions: &["a"],
    topics: &[],
    codes: &[check::ALL],
    operations: edit::OPERATIONS,
};

impl Format for Animation {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn recognise(&self, file: &[u8], name: Option<&str>) -> Likelihood {
        Likelihood::by_shape(a::is_shaped(file), has_extension(name, &INFO))
    }

    fn open(&self, file: &[u8], options: &ReadOptions) -> Result<Opened, ReadError> {
        Ok(Opened::new(&Animation, a::read(file, options)?))
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
        a::write(self)
    }

    fn make_canonical(&mut self) -> Result<Report, EditError> {
        Ok(a::edit::make_canonical(self))
    }

    fn outline(&self) -> Outline {
        let count = |len: usize| u64::try_from(len).unwrap_or(u64::MAX);
        Outline {
            counts: vec![
                ("frames", count(self.frames.len())),
                ("bones", u64::from(self.frames.bones())),
                ("missing_frames", u64::from(self.missing)),
                ("rest_bytes", count(self.rest.len())),
            ],
            facts: vec![
                ("timing", json!({"frames_per_second": a::FRAME_RATE})),
                ("header", json!({"rotation_order": self.rotation_order, "run_time": self.run_time})),
            ],
            tables: Vec::new(),
            unknown: Vec::new(),
        }
    }

    fn unpack(&self) -> Folder {
        folder::unpack(self)
    }

    fn edit(&mut self, step: &Step) -> Result<Report, EditError> {
        edit::run(self, step)
    }

    fn sample(&self, wanted: &Sampling) -> Result<Samples, SampleError> {
        Ok(sample::run(self, wanted)?.into())
    }
}
