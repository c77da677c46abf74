//! MSH behind the common door.

mod attire;
mod edit;
mod folder;
mod mend;
mod outline;
mod packed;
mod query;
mod sample;
mod tables;

use std::any::Any;

use galvani_core::image::Additive;
use galvani_core::map::MapRow;
use galvani_core::{
    EditError, Exhausted, FileMap, LiftError, LowerError, Meter, Path, ReadError, Report, SampleError,
    WriteError,
};
use galvani_parkan::msh::lift::Options;
use galvani_parkan::msh::{self, Document, check};
use galvani_parkan::nres;
use galvani_scene::{LoweredScene, Scene};
use serde_json::Value;

use super::argument::Within;
use super::setting::settings;
use super::{
    Animated, Archive, ClipSpan, Comparable, DrawCall, DrawView, Drawn, Folder, Format, Info, Likelihood,
    LowerRequest, Lowering, Model, OpenOptions, Opened, Outline, Packing, Plane, Ray, RayHit, Reference,
    Referring, RestOption, Role, RootOption, Samples, Sampling, Settings, Site, Space, Tabular, WayBack,
    has_extension,
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
        msh::lower::ALL,
    ],
    operations: edit::OPERATIONS,
    mends: mend::MENDS,
    sampling: Posing::SETTINGS,
    lifting: Lifting::SETTINGS,
    way_back: Some(WayBack {
        namesakes: &["wea"],
        rename: Some(|document, node, name| {
            let document: &mut dyn Any = document;
            document.downcast_mut().map_or(Ok(()), |document| msh::edit::rename(document, node, name))
        }),
        ..WayBack::new("msh", msh::lift::CODECS)
    }),
    lowering: Some(LOWERING),
    ..Info::PLAIN
};

const LOWERING: Lowering =
    Lowering { words: &["msh"], is_of: |_, _| true, pictures: "texm", lower: made, transcribe: None };

/// A model of a scene: of the clips that are wanted, the first.
fn made(scene: &Scene, making: &LowerRequest<'_>) -> Result<LoweredScene, LowerError> {
    let usual = msh::lower::Options::default();
    let clip = making.clips.as_ref().and_then(|clips| clips.first().copied());
    let (fps, tolerance) = (making.fps.unwrap_or(usual.fps), making.tolerance);
    msh::lower::lower(scene, &msh::lower::Options { clip, fps, tolerance })
}

/// Streams of terrain; an archive that has one is no model, whatever its name.
const TERRAIN: [u32; 3] = [11, 14, 21];

impl Format for Msh {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn recognise(&self, file: &[u8], name: Option<&str>) -> Likelihood {
        let Ok(archive) = nres::Archive::open(file) else { return Likelihood::No };
        let has = |stream: u32| archive.find_type(stream).is_some();
        let named = has_extension(name, &INFO) && has(1);
        if !TERRAIN.into_iter().any(has) && (named || [1, 2, 3].into_iter().all(has)) {
            Likelihood::ByMagic
        } else {
            Likelihood::No
        }
    }

    fn read_at(&self, file: &[u8], options: &OpenOptions, _site: &Site<'_>) -> Result<Opened, ReadError> {
        Ok(Opened::new(&Msh, msh::read(file, &options.read)?))
    }

    fn pack_within(&self, folder: &Packing<'_>) -> Result<Vec<u8>, WriteError> {
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

    fn outline(&self, _map: &FileMap, _site: &Site<'_>) -> Outline {
        outline::outline(self)
    }

    fn summary(&self) -> String {
        outline::summary(self)
    }

    fn folder(&self) -> Result<Folder, Exhausted> {
        Ok(folder::unpack(self))
    }

    fn comparable(&self) -> Result<Comparable<'_>, Exhausted> {
        Ok(folder::comparable(self))
    }

    fn decoded(&self, row: &MapRow<'_>) -> Option<Value> {
        packed::of_row(row, self.reading)
    }

    fn as_tabular(&self) -> Option<&dyn Tabular> {
        Some(self)
    }

    fn as_archive(&self) -> Option<&dyn Archive> {
        Some(&self.archive)
    }

    fn as_archive_mut(&mut self) -> Option<&mut dyn Archive> {
        Some(&mut self.archive)
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

    fn as_drawn(&self) -> Option<&dyn Drawn> {
        Some(self)
    }
}

impl Referring for Document {
    /// The table of its materials, which has its name.
    fn references(&self, name: &str) -> Vec<Reference> {
        let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
        let table = Reference::new(Path::named("batches"), Role::MaterialTable, format!("{stem}.wea"));
        vec![Reference { is_optional: true, ..table }]
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
}

impl Model for Document {
    /// With its materials, as far as they are found.
    fn lift(&self, settings: &Settings, site: &Site<'_>) -> Result<(Scene, Report), LiftError> {
        settings.only::<LiftError>(Lifting::SETTINGS)?;
        let Lifting { lod: Within(lod), group: Within(group), fps, root, additive, tolerance } =
            Lifting::from_settings(settings);
        let root = match root {
            RootOption::Keep => msh::sample::RootTranslation::Keep,
            RootOption::Clear => msh::sample::RootTranslation::Clear,
        };
        let slot = |index: u32| u8::try_from(index).unwrap_or(u8::MAX);
        let (lod, group) = (slot(lod), slot(group));
        let options = Options { lod, group, frame_rate: fps, root, additive, tolerance };
        let (attire, mut report) = attire::gathered(self, site)?;
        let (mut scene, lost) = msh::lift::lift(&self.model(), &attire, options)?;
        scene.pieces = self.references(site.name).into_iter().map(|table| table.name).collect();
        report.append(lost);
        Ok((scene, report))
    }
}

impl Drawn for Document {
    fn draw(&self, view: &DrawView, planes: &[Plane], meter: &Meter) -> Result<Vec<DrawCall>, SampleError> {
        query::draw(self, view, planes, meter)
    }

    fn pick(&self, view: &DrawView, ray: Ray, meter: &Meter) -> Result<Option<RayHit>, SampleError> {
        query::pick(self, view, ray, meter)
    }
}

settings! {
    /// How models are posed.
    pub struct Posing {
        /// Relative to what.
        space: Space = Space::Local, "relative to the parent or to the model [default: local]";
        /// What to do with the first node's translation.
        root: RootOption = RootOption::Keep, "keep the translation of the first node, or clear it as the engine does [default: keep]";
        /// The pose without a time.
        rest: RestOption = RestOption::Frame0, "the pose without a time: frame 0, or every node on its fallback key [default: frame0]";
        /// Another time, blended over each.
        time_b as "time-b": Option<f32> = None, "another time to blend in";
        /// How much of the other time.
        blend: Option<f32> = None, "how much of that other time: 0 is none, 1 is all";
    }
}

settings! {
    /// Which of several looks a scene is made of, and how fast it plays.
    pub struct Lifting {
        /// First index of the slots.
        lod: Within<0, 2> = Within(0), "which slots, first index, 0 to 2; as observed the damage state [default: 0]";
        /// Second index of the slots.
        group: Within<0, 4> = Within(0), "which slots, second index, 0 to 4; as observed the level of detail, 4 the cockpit [default: 0]";
        /// Frames a second, which the file does not say.
        fps: f32 = msh::lift::FRAME_RATE, "frames a second, which the file does not say [default: 15]";
        /// What to do with the first node's translation.
        root: RootOption = RootOption::Keep, "keep the translation of the first node, or clear it as the engine does [default: keep]";
        /// What becomes of materials that are added to what is behind them.
        additive: Additive = Additive::Bake, "what is added to what is behind it is as transparent as it is dark, or stays as it is [default: bake]";
        /// How far motions that have to be baked may be from the engine's, in radians.
        tolerance: f32 = Options::default().tolerance, "how far motions of maps that no game has may be from the engine's, in radians [default: 0.0001]";
    }
}
