//! glTF behind the common door.

mod folder;
mod lift;
mod outline;
mod sample;
mod tables;

pub(crate) use lift::named_pictures;

use std::borrow::Cow;

use galvani_core::map::{FieldValue, MapRow};
use galvani_core::{Exhausted, FileMap, LiftError, Path, ReadError, Report, SampleError, WriteError, room};
use galvani_gltf::document::{self, Address, address, check};
use galvani_gltf::{Document, import};
use galvani_scene::Scene;
use serde_json::{Value, json};

use super::setting::settings;
use super::{
    Animated, ClipSpan, Comparable, Folder, Format, Info, Likelihood, Model, OpenOptions, Opened, Outline,
    Packing, Reference, Referring, Role, Samples, Sampling, Settings, Site, Space, Tabular, has_extension,
};

/// A model that every program reads.
#[derive(Debug)]
pub(super) struct Gltf;

static INFO: Info = Info {
    id: "gltf",
    name: "glTF 2.0 model",
    extensions: &["glb", "gltf"],
    codes: &[check::ALL, import::ALL, sample::ALL],
    sampling: Posing::SETTINGS,
    ..Info::PLAIN
};

/// How far from either end of a text its mark is looked for.
const NEAR: usize = 1 << 16;

/// Whether a file begins as a text of glTF does: an object that speaks of its asset.
fn is_text(file: &[u8]) -> bool {
    let text = file.strip_prefix(&document::BYTE_ORDER_MARK).unwrap_or(file);
    let (front, back) = (text.get(..NEAR).unwrap_or(text), text.get(text.len().saturating_sub(NEAR)..));
    let has = |part: &[u8], mark: &[u8]| part.windows(mark.len()).any(|window| window == mark);
    let is_named = |part: &[u8]| has(part, b"\"asset\"") && has(part, b"\"version\"");
    text.trim_ascii_start().starts_with(b"{") && (is_named(front) || back.is_some_and(is_named))
}

impl Format for Gltf {
    fn info(&self) -> &'static Info {
        &INFO
    }

    fn recognise(&self, file: &[u8], name: Option<&str>) -> Likelihood {
        let marked = Likelihood::by_magic(document::is_marked(file), has_extension(name, &INFO));
        marked.max(Likelihood::by_shape(is_text(file), false))
    }

    /// With the files that hold its bytes, as far as they lie beside it.
    fn read_at(&self, file: &[u8], options: &OpenOptions, site: &Site<'_>) -> Result<Opened, ReadError> {
        let mut read = document::read(file, &options.read)?;
        let found = |name: &str| match site.links.find(name) {
            Some(bytes) => Ok(Some(room::copied(&bytes)?)),
            None => Ok(None),
        };
        read.document.fetch(found)?;
        Ok(Opened::new(&Gltf, read))
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
        check::files(self, |name| site.links.has(name), &mut report);
        report
    }

    fn write(&self) -> Result<Vec<u8>, WriteError> {
        document::write(self)
    }

    fn outline(&self, _map: &FileMap, _site: &Site<'_>) -> Outline {
        outline::outline(self)
    }

    fn summary(&self) -> String {
        outline::summary(self)
    }

    fn folder(&self) -> Result<Folder, Exhausted> {
        folder::unpack(self)
    }

    fn comparable(&self) -> Result<Comparable<'_>, Exhausted> {
        folder::comparable(self)
    }

    fn file_len(&self) -> Result<usize, Exhausted> {
        Ok(Document::file_len(self))
    }

    /// Values of the text as what they are, those without a path of their own with their names.
    fn decoded(&self, row: &MapRow<'_>) -> Option<Value> {
        let FieldValue::Text(text) = &row.value else { return None };
        if row.path.first().is_some_and(|(name, _)| name == "text") {
            return None;
        }
        let alone = || serde_json::from_slice(text).ok();
        let named = || {
            let object = [b"{", *text, b"}"].concat();
            serde_json::from_slice(&object).ok()
        };
        alone().or_else(named)
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

impl Referring for Document {
    /// The files beside it that hold its bytes and pictures.
    fn references(&self, _name: &str) -> Vec<Reference> {
        let Ok(view) = self.view() else { return Vec::new() };
        let buffers = view
            .buffers
            .iter()
            .enumerate()
            .map(|(i, buffer)| (view.buffers.path(i), Role::Part, buffer.uri.clone()));
        let images = view
            .images
            .iter()
            .enumerate()
            .map(|(i, image)| (view.images.path(i), Role::Texture, image.uri.clone()));
        let reference = |(path, role, uri): (Path, Role, Option<Cow<'_, str>>)| match address(&uri?) {
            Address::File(name) => Some(Reference::new(path, role, name)),
            Address::Inline(_) | Address::Elsewhere => None,
        };
        buffers.chain(images).filter_map(reference).collect()
    }
}

impl Animated for Document {
    fn clips(&self) -> Result<Vec<ClipSpan>, SampleError> {
        sample::clips(self)
    }

    fn sample<'a>(&'a self, wanted: &'a Sampling) -> Result<Samples<'a>, SampleError> {
        wanted.settings.only::<SampleError>(Posing::SETTINGS)?;
        sample::run(self, wanted, Posing::from_settings(&wanted.settings).space)
    }
}

impl Model for Document {
    /// With the pictures that it carries and names, as far as they are found.
    fn lift(&self, settings: &Settings, site: &Site<'_>) -> Result<(Scene, Report), LiftError> {
        settings.only::<LiftError>(&[])?;
        lift::run(self, site)
    }
}

settings! {
    /// How models are posed.
    pub struct Posing {
        /// Relative to what matrices and places are.
        space: Space = Space::Model, "relative to the parent or to the model [default: model]";
    }
}

/// A number as JSON, so that a value that is none is told.
pub(super) fn number(number: f32) -> Value {
    if number.is_finite() { json!(number) } else { json!(number.to_string()) }
}
