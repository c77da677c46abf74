//! What formats of pictures with levels have in common behind the door.

use std::collections::{BTreeMap, BTreeSet};

use galvani_core::budget::unless_exhausted;
use galvani_core::image::MOST_PIXELS;
use galvani_core::{EditError, Exhausted, Image, Path, WriteError, room};
use galvani_texture::mips::Mips;
use galvani_texture::quantise::Dither;

use super::argument::words;
use super::outline::in_a_line;
use super::{Cell, Column, Fact, OutlineCount, Packing, Section};
use crate::{budget, codes, image};

/// Most pixels of a picture that is only looked at.
pub(super) const MOST: u64 = MOST_PIXELS;

words! { Mips { "full" => Mips::Full, "one" => Mips::One } }
words! { Dither { "none" => Dither::None, "diffuse" => Dither::Diffuse } }

/// How many bits of alpha a new file has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AlphaBits(pub u32);

words! { AlphaBits {
    "0" => AlphaBits(0), "1" => AlphaBits(1), "4" => AlphaBits(4), "8" => AlphaBits(8),
} }

/// What is told of every picture.
pub(super) fn counts(width: u32, height: u32, levels: usize) -> Vec<OutlineCount> {
    let side = |key, side: u32| OutlineCount { count: side.into(), ..OutlineCount::machines(key, 0) };
    vec![side("width", width), side("height", height), OutlineCount::new("levels", "level", levels)]
}

/// The colours that a picture uses, and whether any pixel is not wholly to be seen.
pub(super) fn colours(image: Option<&Image>) -> Vec<Fact> {
    let Some(image) = image else { return Vec::new() };
    let used: BTreeSet<&[u8; 4]> = image.rgba.iter().collect();
    let unseen = image.rgba.iter().filter(|[.., alpha]| *alpha < 255).count();
    vec![
        Fact::new("colours_used", "colours used", used.len().into()),
        Fact::new("transparent_pixels", "transparent pixels", unseen.into()),
    ]
}

/// A level in the outline.
pub(super) struct LevelRow {
    /// Of which picture of several.
    pub(super) layer: Option<u64>,
    pub(super) level: usize,
    pub(super) size: (u32, u32),
    pub(super) bytes: Option<usize>,
}

/// The list of levels.
pub(super) fn levels(rows: &[LevelRow]) -> Section {
    let columns = [
        Column::new("layer", "layer").optional(),
        Column::new("level", "#"),
        Column::new("width", "width"),
        Column::new("height", "height"),
        Column::new("bytes", "bytes"),
    ];
    let row = |row: &LevelRow| {
        let (width, height) = row.size;
        vec![row.layer.into(), row.level.into(), width.into(), height.into(), Cell::from(row.bytes)]
    };
    Section::new("levels", "Levels", &columns, rows.iter().map(row).collect())
}

/// `64 × 32 pixels as JPEG, 7 levels`.
pub(super) fn summary((width, height): (u32, u32), kind: &str, levels: usize) -> String {
    let pixels = format!("{width} × {height} pixels as {kind}");
    Cell::List(vec![pixels.into(), in_a_line(&[OutlineCount::new("levels", "level", levels)]).into()]).words()
}

/// Whether a folder shows pictures, or only what is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Show {
    /// Everything, to be looked at and changed.
    Pictures,
    /// Only the bytes, to be compared.
    Bytes,
}

/// Puts a picture into a folder; one that PNG cannot hold is left out.
pub(super) fn add_picture(
    files: &mut BTreeMap<String, Vec<u8>>,
    name: String,
    image: &Image,
) -> Result<Option<String>, Exhausted> {
    let png = unless_exhausted(image::to_png(image).map_err(|error| error.cause))?;
    Ok(png.map(|png| {
        files.insert(name.clone(), png);
        name
    }))
}

/// Puts bytes into a folder, if there are any.
pub(super) fn keep(
    files: &mut BTreeMap<String, Vec<u8>>,
    name: String,
    bytes: &[u8],
) -> Result<Option<String>, Exhausted> {
    if bytes.is_empty() {
        return Ok(None);
    }
    files.insert(name.clone(), room::copied(bytes)?);
    Ok(Some(name))
}

/// A picture of a folder; none where it is only there to be looked at and was taken away.
pub(super) fn picture(folder: &Packing<'_>, name: &str) -> Result<Option<Image>, WriteError> {
    let Some(file) = folder.files.get(name) else { return Ok(None) };
    let image = image::from_file_within(file, folder.meter).map_err(changed)?;
    budget::charge_encoding(folder.meter, image.width, image.height)?;
    Ok(Some(image))
}

/// A changed picture that the file cannot take.
pub(super) fn changed(error: EditError) -> WriteError {
    WriteError { cause: error.cause }
}

/// What is wrong with a folder.
pub(super) fn wrong(message: String) -> WriteError {
    codes::MANIFEST.at(Path::named("manifest")).saying(message).into()
}
