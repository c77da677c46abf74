//! A texture as a folder: the header and the rectangles in the manifest, the palette as a list, every level as it is
//! stored and as a PNG to look at.
//!
//! A PNG that was changed takes the place of the level beside it.

use std::collections::BTreeMap;

use galvani_core::budget::unless_exhausted;
use galvani_core::record::Record;
use galvani_core::{EditError, Exhausted, Meter, ReadOptions, WriteError, room};
use galvani_parkan::texm::{self, Colour, DecodeOptions, Document, Header, Match, Page, Rect, decode, edit};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use zerocopy::IntoBytes;

use crate::formats::archive::{Files, expect_format, wrong};
use crate::formats::{Folder, Packing, records, sections, unreadable};
use crate::{budget, image};

/// Levels that are looked at one by one: all there can be.
pub(super) const MOST_LEVELS: usize = 32;

const PALETTE: &str = "palette.json";

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    format: String,
    header: Value,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    palette: Option<String>,
    levels: Vec<LevelRow>,
    /// Pixels behind the last whole level.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    more_levels: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    page: Option<PageRow>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rest: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct LevelRow {
    stored: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    picture: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct PageRow {
    /// Where it is not the number of rectangles.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    count: Option<u32>,
    rects: Vec<Value>,
}

/// Whether a folder shows pictures, or only what is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Show {
    /// Everything, to be looked at and changed.
    Pictures,
    /// Only the bytes, to be compared.
    Bytes,
}

/// Takes a texture apart.
pub(super) fn unpack(document: &Document, show: Show) -> Result<Folder, Exhausted> {
    let mut files = BTreeMap::new();
    let mut file = |name: &str, bytes: Vec<u8>| {
        files.insert(name.to_owned(), bytes);
        name.to_owned()
    };
    let palette = (!document.palette.is_empty()).then(|| {
        let list = sections::list(document.palette.as_bytes(), Colour::FIELDS, size_of::<Colour>());
        file(PALETTE, list)
    });
    let rest = (!document.rest.is_empty()).then(|| file(sections::REST, document.rest.clone()));
    let (levels, taken) = levels(document, show, &mut files)?;
    let more = document.pixels.get(taken..).filter(|more| !more.is_empty());
    let more_levels = more.map(|more| {
        files.insert("more_levels.bin".to_owned(), more.to_vec());
        "more_levels.bin".to_owned()
    });
    let manifest = Manifest {
        format: "texm".to_owned(),
        header: records::record_to_json(document.header.as_bytes(), Header::FIELDS),
        palette,
        levels,
        more_levels,
        page: document.page.as_ref().map(page_row),
        rest,
    };
    Ok(Folder { manifest: serde_json::to_value(manifest).unwrap_or_default(), files })
}

/// The whole levels, and how many bytes they take.
fn levels(document: &Document, show: Show, files: &mut Files) -> Result<(Vec<LevelRow>, usize), Exhausted> {
    let (mut rows, mut taken) = (Vec::new(), 0_usize);
    for level in 0..MOST_LEVELS {
        let Some(bytes) = document.level(level).filter(|bytes| !bytes.is_empty()) else { break };
        let stored = format!("levels/{level:02}.bin");
        files.insert(stored.clone(), bytes.to_vec());
        taken = taken.saturating_add(bytes.len());
        let shown = match show {
            Show::Pictures => unless_exhausted(decode(document, level, &DecodeOptions::default()))?,
            Show::Bytes => None,
        };
        let png = shown.map(|shown| unless_exhausted(image::to_png(&shown).map_err(|error| error.cause)));
        let picture = png.transpose()?.flatten().map(|png| {
            let name = format!("levels/{level:02}.png");
            files.insert(name.clone(), png);
            name
        });
        rows.push(LevelRow { stored, picture });
    }
    Ok((rows, taken))
}

fn page_row(page: &Page) -> PageRow {
    let is_right = usize::try_from(page.count) == Ok(page.rects.len());
    let rect = |rect: &Rect| records::record_to_json(rect.as_bytes(), Rect::FIELDS);
    PageRow { count: (!is_right).then_some(page.count), rects: page.rects.iter().map(rect).collect() }
}

/// The file that a folder describes.
pub(super) fn pack(folder: &Packing<'_>) -> Result<Vec<u8>, WriteError> {
    let manifest: Manifest = folder.manifest_as()?;
    expect_format("texm", &manifest.format)?;
    let mut document = Document::with_header(records::typed("header", &manifest.header)?);
    if let Some(file) = &manifest.palette {
        let rows: Vec<Value> =
            serde_json::from_slice(folder.text(file)?).map_err(|error| wrong(format!("palette: {error}")))?;
        document.palette = records::typed_list("palette", &rows)?;
    }
    for row in &manifest.levels {
        room::append(&mut document.pixels, folder.part(&row.stored)?)?;
    }
    if let Some(file) = &manifest.more_levels {
        room::append(&mut document.pixels, folder.part(file)?)?;
    }
    if let Some(PageRow { count, rects }) = &manifest.page {
        let rects: Vec<Rect> = records::typed_list("page.rects", rects)?;
        let count = count.unwrap_or_else(|| u32::try_from(rects.len()).unwrap_or(u32::MAX));
        document.page = Some(Page { count, rects });
    }
    if let Some(file) = &manifest.rest {
        document.rest = folder.copied(file)?;
    }
    // Sizes that are off would give one part's bytes to another.
    let file = texm::write(&document)?;
    texm::read(&file, &ReadOptions::default()).map_err(|error| unreadable(*error.cause, wrong))?;
    for (level, row) in manifest.levels.iter().enumerate() {
        if let Some(picture) = &row.picture {
            // One that is only there to be looked at may be taken away.
            let png = folder.files.get(picture);
            png.map_or(Ok(()), |png| repaint(&mut document, level, png, folder.meter))?;
        }
    }
    texm::write(&document)
}

/// Gives a level its picture, if that is another one than it shows.
fn repaint(document: &mut Document, level: usize, png: &[u8], meter: &Meter) -> Result<(), WriteError> {
    let refused = |error: EditError| WriteError { cause: error.cause };
    let (look, picture) = (DecodeOptions::default(), image::from_file_within(png, meter).map_err(refused)?);
    budget::charge_encoding(meter, picture.width, picture.height)?;
    if unless_exhausted(decode(document, level, &look))?.is_some_and(|shown| shown == picture) {
        return Ok(());
    }
    edit::set_mip(document, level, &picture, Match::Nearest, &look).map_err(refused)
}
