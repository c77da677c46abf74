//! MSH behind the common door.

mod edit;
mod folder;
mod outline;
mod packed;
mod query;
mod sample;

use galvani_core::map::Row;
use galvani_core::{EditError, LiftError, ReadError, ReadOptions, Report, SampleError, WriteError};
use galvani_parkan::msh::sample::Root;
use galvani_parkan::msh::{self, Document, check};
use galvani_parkan::nres::Archive;
use galvani_scene::Scene;
use serde_json::Value;

use super::{
    Folder, Format, Info, LiftOptions, Likelihood, Member, Opened, Outline, Plane, Ray, Samples, Sampling,
    Shown, Site, Table, has_extension,
};

/// The model of Parkan: Iron Strategy.
#[derive(Debug)]
pub(super) struct Msh;

static INFO: Info = Info {
    id: "msh",
    name: "MSH model (Parkan: Iron Strategy)",
    extensions: &["msh"],
    topics: &[msh::TOPIC],
    codes: &[
        check::ALL,
        msh::edit::ALL,
        msh::build::ALL,
        msh::sample::ALL,
        msh::draw::ALL,
        msh::pick::ALL,
        msh::lift::ALL,
    ],
    operations: edit::OPERATIONS,
};

/// Streams of terrain; an archive that has one is no model, whatever its name.
const TERRAIN: [u32; 3] = [11, 14, 21];

impl Format for Msh {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn recognise(&self, file: &[u8], name: Option<&str>) -> Likelihood {
        let Ok(archive) = Archive::open(file) else { return Likelihood::No };
        let has = |stream: u32| archive.find_type(stream).is_some();
        let named = has_extension(name, &INFO) && has(1);
        if !TERRAIN.into_iter().any(has) && (named || [1, 2, 3].into_iter().all(has)) {
            Likelihood::ByMagic
        } else {
            Likelihood::No
        }
    }

    fn open(&self, file: &[u8], options: &ReadOptions) -> Result<Opened, ReadError> {
        Ok(Opened::new(&Msh, msh::read(file, options)?))
    }

    fn pack(&self, folder: &Folder) -> Result<Vec<u8>, WriteError> {
        folder::pack(folder)
    }
}

impl super::Document for Document {
    fn check(&self) -> Report {
        check(self)
    }

    fn check_links(&self, site: &Site<'_>) -> Report {
        let mut report = Report::default();
        if let Some(table) = site.twin("wea") {
            check::materials(&self.model(), &table, &mut report);
        }
        report
    }

    fn write(&self) -> Result<Vec<u8>, WriteError> {
        msh::write(self)
    }

    fn make_canonical(&mut self) -> Result<Report, EditError> {
        self.archive.make_canonical()
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

    fn decoded(&self, row: &Row<'_>) -> Option<Value> {
        packed::of_row(row, self.reading)
    }

    fn sample(&self, wanted: &Sampling) -> Result<Samples, SampleError> {
        sample::run(self, wanted)
    }

    fn lift(&self, options: LiftOptions) -> Result<(Scene, Report), LiftError> {
        let LiftOptions { lod, group, frame_rate, clear_root } = options;
        let root = if clear_root { Root::Clear } else { Root::Keep };
        let frame_rate = frame_rate.unwrap_or(msh::lift::FRAME_RATE);
        msh::lift::lift(&self.model(), msh::lift::Options { lod, group, frame_rate, root })
    }

    fn members(&self) -> Option<Vec<Member>> {
        super::Document::members(&self.archive)
    }

    fn member(&self, index: usize) -> Option<&[u8]> {
        self.archive.payload(index)
    }

    fn set_member(&mut self, index: usize, bytes: Vec<u8>) -> Result<(), EditError> {
        self.archive.replace(index, bytes)
    }

    fn draw(&self, scene: &Shown, planes: &[Plane]) -> Result<Table, SampleError> {
        query::draw(self, scene, planes)
    }

    fn pick(&self, scene: &Shown, ray: Ray) -> Result<Table, SampleError> {
        query::pick(self, scene, ray)
    }
}
