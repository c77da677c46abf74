//! A texture as a folder: the headers in the manifest, levels as pictures and as they are stored.
//!
//! A level whose picture says all of its bytes is that picture alone. Of all others the stored bytes count, unless the
//! picture beside them was changed.

use std::collections::BTreeMap;

use galvani_core::budget::unless_exhausted;
use galvani_core::record::Record;
use galvani_core::{Exhausted, Image, WriteError, room};
use galvani_texture::dds::{self, Document, Dx10, Format, Header, ImageIndex, edit};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use zerocopy::{FromBytes, IntoBytes};

use crate::formats::pictures::{self, MOST, Show, wrong};
use crate::formats::{Folder, Packing, records, sections};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    format: String,
    header: Value,
    /// The second header.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    dx10: Option<Value>,
    levels: Vec<Row>,
    /// What follows the last level, or stands in its place.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rest: Option<String>,
}

/// A level: its stored bytes, its picture, or both.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Row {
    layer: u64,
    level: usize,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    picture: Option<String>,
}

const FORMAT: &str = "dds";

/// How many levels are files of their own. A file of single pixels may have millions; the rest is one.
const MOST_LEVELS: usize = 1024;

/// Takes a texture apart.
pub(super) fn unpack(document: &Document, show: Show) -> Result<Folder, Exhausted> {
    let mut files = BTreeMap::new();
    let mut levels = Vec::new();
    let mut taken: usize = 0;
    if let Some(shape) = document.shape() {
        let spots = (0..shape.layers).flat_map(|layer| (0..shape.levels).map(move |level| (layer, level)));
        for (layer, level) in spots.take(MOST_LEVELS) {
            let Some(stored) = document.level(layer, level).filter(|stored| !stored.is_empty()) else {
                break;
            };
            taken = taken.saturating_add(stored.len());
            let name = format!("levels/{layer}-{level:02}");
            let is_flat = show == Show::Pictures && shape.size(level).2 == 1;
            let spot = ImageIndex { layer, level, slice: 0 };
            let image = if is_flat { unless_exhausted(dds::decode(document, spot, MOST))? } else { None };
            let (mut picture, mut is_said) = (None, false);
            if let Some(image) = &image {
                picture = pictures::add_picture(&mut files, format!("{name}.png"), image)?;
                is_said = picture.is_some() && says_all(document, stored, image)?;
            }
            let file =
                if is_said { None } else { pictures::keep(&mut files, format!("{name}.bin"), stored)? };
            levels.push(Row { layer, level, file, picture });
        }
    }
    let rest = document.data.get(taken..).unwrap_or_default();
    let manifest = Manifest {
        format: FORMAT.to_owned(),
        header: records::record_to_json(document.header.as_bytes(), Header::FIELDS),
        dx10: document.dx10.map(|dx10| records::record_to_json(dx10.as_bytes(), Dx10::FIELDS)),
        levels,
        rest: pictures::keep(&mut files, sections::REST.to_owned(), rest)?,
    };
    Ok(Folder { manifest: serde_json::to_value(manifest).unwrap_or(Value::Null), files })
}

/// Whether a level's bytes are just what its picture becomes.
fn says_all(document: &Document, stored: &[u8], image: &Image) -> Result<bool, Exhausted> {
    if !matches!(document.pixel_format().format(), Some(Format::Plain(_))) {
        return Ok(false);
    }
    let made = unless_exhausted(dds::encode_level(document, image).map_err(|error| error.cause))?;
    Ok(made.is_some_and(|made| made == stored))
}

/// The file that a folder describes.
pub(super) fn pack(folder: &Packing<'_>) -> Result<Vec<u8>, WriteError> {
    let manifest: Manifest = folder.manifest_as()?;
    if manifest.format != FORMAT {
        return Err(wrong(format!("format: `{FORMAT}` is wanted")));
    }
    let mut document = Document {
        header: record(&manifest.header, "header")?,
        dx10: manifest.dx10.as_ref().map(|dx10| record(dx10, "dx10")).transpose()?,
        data: Vec::new(),
    };
    for row in &manifest.levels {
        let bytes = match (&row.file, &row.picture) {
            (Some(file), _) => {
                room::append(&mut document.data, folder.part(file)?)?;
                continue;
            }
            (None, Some(name)) => {
                let image = pictures::picture(folder, name)?;
                let image = image.ok_or_else(|| wrong(format!("no file `{name}` in the folder")))?;
                dds::encode_level(&document, &image).map_err(pictures::changed)?
            }
            (None, None) => return Err(wrong("levels: a file or a picture is wanted".to_owned())),
        };
        room::append(&mut document.data, &bytes)?;
    }
    if let Some(rest) = &manifest.rest {
        room::append(&mut document.data, folder.part(rest)?)?;
    }
    for Row { layer, level, picture, .. } in &manifest.levels {
        let Some(name) = picture else { continue };
        let Some(image) = pictures::picture(folder, name)? else { continue };
        let spot = ImageIndex { layer: *layer, level: *level, slice: 0 };
        let shown = unless_exhausted(dds::decode(&document, spot, MOST))?;
        if shown.is_some_and(|shown| shown != image) {
            edit::set_mip(&mut document, *layer, *level, &image).map_err(pictures::changed)?;
        }
    }
    dds::write(&document)
}

fn record<T: Record + FromBytes>(value: &Value, part: &str) -> Result<T, WriteError> {
    let place = |error: String| wrong(format!("{part}: {error}"));
    let bytes = records::record_from_json(value, T::FIELDS).map_err(place)?;
    T::read_from_bytes(&bytes).map_err(|error| place(error.to_string()))
}
