//! A texture as a folder: header and tables in the manifest, levels as pictures and as they are stored.
//!
//! A level whose picture says all of its bytes is that picture alone. Of all others the stored bytes count, unless the
//! picture beside them was changed.

use std::collections::BTreeMap;

use galvani_core::archive::{Block, Extent};
use galvani_core::budget::unless_exhausted;
use galvani_core::record::Record;
use galvani_core::{Exhausted, Image, WriteError};
use galvani_texture::blp::{
    self, Colour, Document, Header, Header1, Header2, LEVELS, Level, LevelKind, Shared, edit,
};
use galvani_texture::quantise::Dither;
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
    /// What every JPEG stream begins with.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    jpeg: Option<String>,
    /// How long that would be, where the file does not have it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lost_jpeg: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    palette: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    lead: Option<String>,
    levels: Vec<Row>,
    blocks: Vec<Stored>,
}

/// A row of the tables.
#[derive(Serialize, Deserialize, Default)]
#[serde(deny_unknown_fields)]
struct Row {
    /// Of a level that is not there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    offset: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    size: Option<u32>,
    /// Of a level that is: its block, and which bytes of it where these are not all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    block: Option<usize>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    range: Option<(usize, usize)>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    picture: Option<String>,
}

/// A run of stored bytes and what follows it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stored {
    /// Nothing where a level's picture says it all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    file: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    gap: Option<String>,
}

const FORMAT: &str = "blp";
const JPEG: &str = "jpeg_header.bin";
const PALETTE: &str = "palette.json";
const LEAD: &str = "lead.bin";

/// Takes a texture apart.
pub(super) fn unpack(document: &Document, show: Show) -> Result<Folder, Exhausted> {
    let mut files = BTreeMap::new();
    let header = match &document.header {
        Header::One(header) => records::record_to_json(header.as_bytes(), Header1::FIELDS),
        Header::Two(header) => records::record_to_json(header.as_bytes(), Header2::FIELDS),
    };
    let mut manifest = Manifest {
        format: FORMAT.to_owned(),
        header,
        jpeg: None,
        lost_jpeg: None,
        palette: None,
        lead: pictures::keep(&mut files, LEAD.to_owned(), &document.lead)?,
        levels: document.levels.iter().map(|level| row(document, level)).collect(),
        blocks: Vec::new(),
    };
    match &document.shared {
        Shared::None => {}
        Shared::Lost(len) => manifest.lost_jpeg = Some(*len),
        Shared::Jpeg(head) => {
            files.insert(JPEG.to_owned(), head.clone());
            manifest.jpeg = Some(JPEG.to_owned());
        }
        Shared::Palette(colours) => {
            let list = sections::list(colours.as_bytes(), Colour::FIELDS, size_of::<Colour>());
            files.insert(PALETTE.to_owned(), list);
            manifest.palette = Some(PALETTE.to_owned());
        }
    }
    let mut said = vec![false; document.blocks.len()];
    if show == Show::Pictures {
        for level in document.stored() {
            let Some(image) = unless_exhausted(blp::decode(document, level, MOST))? else { continue };
            let Some(row) = manifest.levels.get_mut(level) else { continue };
            row.picture = pictures::add_picture(&mut files, format!("levels/{level:02}.png"), &image)?;
            let is_said = row.picture.is_some() && row.range.is_none() && says_all(document, level, &image)?;
            if let Some(said) = row.block.filter(|_| is_said).and_then(|block| said.get_mut(block)) {
                *said = true;
            }
        }
    }
    for (i, (block, said)) in document.blocks.iter().zip(said).enumerate() {
        let name = format!("levels/{i:02}.bin");
        let file = if said { None } else { pictures::keep(&mut files, name, &block.bytes)? };
        let gap = pictures::keep(&mut files, format!("gaps/{i:02}.bin"), &block.gap)?;
        manifest.blocks.push(Stored { file, gap });
    }
    Ok(Folder { manifest: serde_json::to_value(manifest).unwrap_or(Value::Null), files })
}

fn row(document: &Document, level: &Level) -> Row {
    match *level {
        Level::Absent { offset } => Row { offset: Some(offset), ..Row::default() },
        Level::Astray { offset, size } => Row { offset: Some(offset), size: Some(size), ..Row::default() },
        Level::Stored(Extent { block, start, end }) => {
            let is_all = document.blocks.get(block).is_some_and(|all| (0, all.bytes.len()) == (start, end));
            Row { block: Some(block), range: (!is_all).then_some((start, end)), ..Row::default() }
        }
    }
}

/// Whether a level's bytes are just what its picture becomes.
fn says_all(document: &Document, level: usize, image: &Image) -> Result<bool, Exhausted> {
    if !matches!(document.kind(), Some(LevelKind::Palette | LevelKind::Plain)) {
        return Ok(false);
    }
    let made = document.encoded(image, 1, Dither::None).map_err(|error| error.cause);
    Ok(unless_exhausted(made)?.is_some_and(|made| Some(&*made) == document.level(level)))
}

fn encoded(document: &Document, image: &Image) -> Result<Vec<u8>, WriteError> {
    document.encoded(image, 1, Dither::None).map_err(pictures::changed)
}

/// The file that a folder describes.
pub(super) fn pack(folder: &Packing<'_>) -> Result<Vec<u8>, WriteError> {
    let manifest: Manifest = folder.manifest_as()?;
    if manifest.format != FORMAT {
        return Err(wrong(format!("format: `{FORMAT}` is wanted")));
    }
    let named = |name: &Option<String>| name.as_ref().map_or(Ok(Vec::new()), |name| folder.copied(name));
    let mut document = Document {
        header: header(&manifest.header)?,
        levels: Vec::new(),
        shared: shared(folder, &manifest)?,
        lead: named(&manifest.lead)?,
        blocks: Vec::new(),
        beside: Vec::new(),
    };
    for (i, stored) in manifest.blocks.iter().enumerate() {
        let said = |row: &&Row| row.block == Some(i) && row.range.is_none() && row.picture.is_some();
        let bytes = match (&stored.file, manifest.levels.iter().find(said)) {
            (None, Some(Row { picture: Some(name), .. })) => {
                let image = pictures::picture(folder, name)?;
                let image = image.ok_or_else(|| wrong(format!("no file `{name}` in the folder")))?;
                encoded(&document, &image)?
            }
            _ => named(&stored.file)?,
        };
        document.blocks.push(Block { bytes, gap: named(&stored.gap)? });
    }
    document.levels =
        manifest.levels.iter().map(|row| level(row, &document.blocks)).collect::<Result<_, _>>()?;
    // Pictures that say all of a level were taken above; of the others those that differ from what is stored.
    for (level, row) in manifest.levels.iter().enumerate().take(LEVELS) {
        let Some(name) = &row.picture else { continue };
        let Some(image) = pictures::picture(folder, name)? else { continue };
        let shown = unless_exhausted(blp::decode(&document, level, MOST))?;
        if shown.is_some_and(|shown| shown != image) {
            edit::set_mip(&mut document, level, &image, None).map_err(pictures::changed)?;
        }
    }
    blp::write(&document)
}

fn header(value: &Value) -> Result<Header, WriteError> {
    let place = |error: String| wrong(format!("header: {error}"));
    if value.get("encoding").is_some() {
        let bytes = records::record_from_json(value, Header2::FIELDS).map_err(place)?;
        return Header2::read_from_bytes(&bytes).map(Header::Two).map_err(|error| place(error.to_string()));
    }
    let bytes = records::record_from_json(value, Header1::FIELDS).map_err(place)?;
    Header1::read_from_bytes(&bytes).map(Header::One).map_err(|error| place(error.to_string()))
}

fn shared(folder: &Packing<'_>, manifest: &Manifest) -> Result<Shared, WriteError> {
    match (&manifest.jpeg, manifest.lost_jpeg, &manifest.palette) {
        (Some(name), None, None) => Ok(Shared::Jpeg(folder.copied(name)?)),
        (None, Some(len), None) => Ok(Shared::Lost(len)),
        (None, None, Some(name)) => {
            let place = |error: String| wrong(format!("{name}: {error}"));
            let rows: Vec<Value> =
                serde_json::from_slice(folder.text(name)?).map_err(|error| place(error.to_string()))?;
            let colour = |row: &Value| {
                let bytes = records::record_from_json(row, Colour::FIELDS).map_err(place)?;
                Colour::read_from_bytes(&bytes).map_err(|error| place(error.to_string()))
            };
            rows.iter().map(colour).collect::<Result<_, _>>().map(Shared::Palette)
        }
        (None, None, None) => Ok(Shared::None),
        _ => Err(wrong("one of `jpeg`, `lost_jpeg` and `palette` is wanted".to_owned())),
    }
}

fn level(row: &Row, blocks: &[Block]) -> Result<Level, WriteError> {
    match *row {
        Row { block: Some(block), range, offset: None, size: None, .. } => {
            let whole = blocks.get(block).map(|block| (0, block.bytes.len()));
            let whole = whole.ok_or_else(|| wrong(format!("levels: there is no block {block}")))?;
            let (start, end) = range.unwrap_or(whole);
            Ok(Level::Stored(Extent { block, start, end }))
        }
        Row { block: None, range: None, offset: Some(offset), size: Some(size), .. } => {
            Ok(Level::Astray { offset, size })
        }
        Row { block: None, range: None, offset: Some(offset), size: None, .. } => {
            Ok(Level::Absent { offset })
        }
        _ => Err(wrong("levels: a block is wanted, or an offset".to_owned())),
    }
}
