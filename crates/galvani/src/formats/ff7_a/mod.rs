//! Animations of FF7 field models behind the common door.

mod edit;
mod folder;
mod sample;
mod tables;

use galvani_core::{
    EditError, Exhausted, FileMap, LiftError, Path, ReadError, Report, SampleError, WriteError,
};
use galvani_ff7::field::a::{self, Document, check};
use galvani_scene::Scene;

use super::outline::in_a_line;
use super::setting::settings;
use super::{
    Animated, Cell, ClipSpan, Comparable, Fact, Folder, Format, Info, Likelihood, Model, OpenOptions, Opened,
    Outline, OutlineCount, Packing, Samples, Sampling, Settings, Site, Span, Tabular, Y, ff7_field,
    has_extension,
};
use crate::codes;

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
    sampling: Posing::SETTINGS,
    ..Info::PLAIN
};

impl Format for Animation {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn recognise(&self, file: &[u8], name: Option<&str>) -> Likelihood {
        Likelihood::by_shape(a::is_shaped(file), has_extension(name, &INFO))
    }

    fn read_at(&self, file: &[u8], options: &OpenOptions, _site: &Site<'_>) -> Result<Opened, ReadError> {
        Ok(Opened::new(&Animation, a::read(file, &options.read)?))
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
        a::write(self)
    }

    fn make_canonical(&mut self) -> Result<Report, EditError> {
        Ok(a::edit::make_canonical(self))
    }

    fn outline(&self, _map: &FileMap, _site: &Site<'_>) -> Outline {
        let header = vec![
            Cell::part("rotation_order", Cell::from(self.rotation_order.to_vec())),
            Cell::part("run_time", Cell::from(self.run_time.to_vec())),
        ];
        let length = Cell::Span(span(self)).words();
        let timing = vec![Cell::part("frames_per_second", a::FRAME_RATE)];
        Outline {
            counts: vec![
                OutlineCount::new("frames", "frame", self.frames.len()),
                bones(self),
                OutlineCount {
                    count: self.missing.into(),
                    ..OutlineCount::new("missing_frames", "missing frame", 0)
                },
                OutlineCount::new("rest_bytes", "byte behind the last frame", self.rest.len())
                    .many("bytes behind the last frame"),
            ],
            facts: vec![
                Fact::people("length", format!("{length} at {} frames a second", a::FRAME_RATE).into()),
                Fact::machines("duration", Cell::Span(span(self))),
                Fact::machines("timing", Cell::Parts(timing)),
                Fact::machines("header", Cell::Parts(header)),
            ],
            sections: Vec::new(),
            unknown: Vec::new(),
        }
    }

    fn summary(&self) -> String {
        let counts = in_a_line(&[OutlineCount::new("frames", "frame", self.frames.len()), bones(self)]);
        format!("{}, {counts}", Cell::Span(span(self)).words())
    }

    fn folder(&self) -> Result<Folder, Exhausted> {
        folder::unpack(self)
    }

    fn comparable(&self) -> Result<Comparable<'_>, Exhausted> {
        folder::comparable(self)
    }

    fn as_tabular(&self) -> Option<&dyn Tabular> {
        Some(self)
    }

    fn as_animated(&self) -> Option<&dyn Animated> {
        Some(self)
    }

    fn as_model(&self) -> Option<&dyn Model> {
        Some(self)
    }
}

/// It moves a model, and is none by itself.
impl Model for Document {
    fn lift(&self, settings: &Settings, site: &Site<'_>) -> Result<(Scene, Report), LiftError> {
        settings.only::<LiftError>(&[])?;
        let said = match ff7_field::moved_by(self, site) {
            Some(skeleton) => format!("the model is that of the skeleton, `{skeleton}`"),
            None => format!("no skeleton of {} bones lies beside it", self.frames.bones()),
        };
        Err(codes::NO_SCENE.at(Path::root()).saying(said).into())
    }

    fn belongs_to(&self, site: &Site<'_>) -> Option<String> {
        ff7_field::moved_by(self, site)
    }
}

impl Animated for Document {
    fn clips(&self) -> Result<Vec<ClipSpan>, SampleError> {
        Ok(sample::clips(self))
    }

    fn sample<'a>(&'a self, wanted: &'a Sampling) -> Result<Samples<'a>, SampleError> {
        wanted.settings.only::<SampleError>(Posing::SETTINGS)?;
        sample::run(self, wanted, Posing::from_settings(&wanted.settings).y)
    }
}

settings! {
    /// How frames are shown.
    pub struct Posing {
        /// Which way up positions are.
        y: Y = Y::Stored, "the sign of Y in positions, as stored or reversed [default: stored]";
    }
}

fn bones(document: &Document) -> OutlineCount {
    OutlineCount { count: document.frames.bones().into(), ..OutlineCount::new("bones", "bone", 0) }
}

/// How long it plays.
fn span(document: &Document) -> Span {
    Span::frames(document.frames.len(), a::FRAME_RATE)
}
