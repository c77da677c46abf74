//! A level of a file as a picture.

use galvani_core::{Diagnostic, Image, Path, codes};

use super::{Document, Format};
use crate::bc;
use crate::numbers::pixels_within;

codes! {
    FORMAT = Error, "dds.decode-format",
        "pixels of this kind cannot be shown",
        "blocks of BC1 to BC5 and BC7 can, and plain pixels of 8 to 32 bits";
    NO_LEVEL = Error, "dds.decode-level",
        "there is no such level",
        "layers, levels and slices count from 0";
    CUT = Error, "dds.decode-cut",
        "the file ends inside the level",
        "the file was cut short, or a size is damaged";
    PIXELS = Error, "dds.decode-pixels",
        "the picture has more pixels than it may have",
        "a larger limit lets it through";
}

/// Which of a file's pictures.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ImageIndex {
    /// Which picture or face.
    pub layer: u64,
    /// How often halved.
    pub level: usize,
    /// Which slice of a volume.
    pub slice: u32,
}

/// A picture of the file, of at most so many pixels.
pub fn decode(document: &Document, spot: ImageIndex, most: u64) -> Result<Image, Box<Diagnostic>> {
    let Some(shape) = document.shape() else { return Err(unknown(document)) };
    let (width, height, depth) = shape.size(spot.level);
    let Some(range) = shape.range(spot.layer, spot.level).filter(|_| spot.slice < depth) else {
        let said = format!(
            "layer {}, level {}, slice {} of {} layers, {} levels, {depth} slices",
            spot.layer, spot.level, spot.slice, shape.layers, shape.levels
        );
        return Err(Box::new(NO_LEVEL.at(path(spot)).saying(said)));
    };
    if pixels_within(width, height, most).is_none() {
        let said = format!("at most {most} pixels wanted, {width} × {height} found");
        return Err(Box::new(PIXELS.at(path(spot)).saying(said)));
    }
    let wanted = range.end;
    let slice = document.data.get(range).and_then(|level| {
        let len = usize::try_from(shape.format.len(width, height)).ok()?;
        level.chunks_exact(len).nth(usize::try_from(spot.slice).ok()?)
    });
    let Some(bytes) = slice else {
        let said = format!("{wanted} bytes behind the header wanted, {} found", document.data.len());
        return Err(Box::new(CUT.at(path(spot)).saying(said)));
    };
    Ok(match shape.format {
        Format::Plain(plain) => Image { width, height, rgba: plain.decode(bytes)? },
        Format::Blocks(coding) => bc::decode(coding, width, height, bytes)?,
        Format::Wide => return Err(unknown(document)),
    })
}

fn unknown(document: &Document) -> Box<Diagnostic> {
    let (header, pixels) = (&document.header, document.pixel_format());
    let (width, height, name) = (header.width, header.height, pixels.four_cc.escape_ascii());
    let said = match pixels.dxgi {
        Some(number) => format!("{width} × {height} of number {number} found"),
        None => format!("{width} × {height} of `{name}` and {} bits found", pixels.bits),
    };
    Box::new(FORMAT.at(Path::named("header").field("four_cc")).saying(said))
}

/// The path of a level.
pub(super) fn path(spot: ImageIndex) -> Path {
    let layer = usize::try_from(spot.layer).unwrap_or(usize::MAX);
    Path::named("layers").index(layer).field("levels").index(spot.level)
}
