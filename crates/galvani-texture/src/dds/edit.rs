//! Edits of a DDS file: each changes nothing when it is refused.

use galvani_core::budget::is_exhaustion;
use galvani_core::{Diagnostic, EditError, Image, Path, Report, codes, room};

use super::decode::path;
use super::new::{ENCODING, encode_level, encoded, joined};
use super::{Document, Format, HEADER_SIZE, ImageIndex, PIXEL_SIZE, Shape, check, decode, flag};
use crate::mips::{Mips, chain};
use crate::numbers::room_to_encode;

codes! {
    FORMAT = Error, "dds.edit-format",
        "pixels of this kind cannot be made",
        "blocks of BC1 to BC5 and BC7 can, and plain pixels of 8 to 32 bits";
    SIZE = Error, "dds.edit-size",
        "the picture does not have the size that it must have",
        "layers of one file are alike, and each level is half as large as the one before";
    LEVEL = Error, "dds.edit-level",
        "there is no such level, or the file ends inside it",
        "give the file a whole picture first";
    VOLUME = Error, "dds.edit-volume",
        "slices of a volume cannot be replaced",
        "take the file apart into pictures and make a new one";
}

/// Gives a layer another picture and its smaller levels; what pixels are stays. The only layer of a file may change
/// its size. Without a word on levels there are as many as before: one, or all.
///
/// A picture that the layer shows already leaves it as it is.
pub fn replace_image(
    document: &mut Document,
    layer: u64,
    image: &Image,
    mips: Option<Mips>,
) -> Result<(), EditError> {
    let shape = flat(document)?;
    no_layer(&shape, layer)?;
    let had = if shape.levels > 1 { Mips::Full } else { Mips::One };
    let mips = mips.unwrap_or(had);
    if mips == had && shows(document, ImageIndex { layer, ..ImageIndex::default() }, image)? {
        return Ok(());
    }
    let levels = encoded(document, image, mips)?;
    if shape.layers == 1 {
        let data = joined(&levels, document.rest())?;
        (document.header.width, document.header.height) = (image.width.into(), image.height.into());
        document.data = data;
        document.count_levels(levels.len());
        return Ok(());
    }
    if (image.width, image.height) != (shape.width, shape.height) || mips != had {
        return Err(wrong_size(
            ImageIndex { layer, ..ImageIndex::default() },
            (shape.width, shape.height),
            image,
        ));
    }
    let places: Option<Vec<_>> =
        (0..shape.levels).map(|level| place(document, &shape, layer, level)).collect();
    let places = places.ok_or_else(|| missing(ImageIndex { layer, ..ImageIndex::default() }, &shape))?;
    for (place, level) in places.into_iter().zip(&levels) {
        if let Some(to) = document.data.get_mut(place) {
            to.copy_from_slice(level);
        }
    }
    Ok(())
}

/// Gives one level another picture of the level's size. A picture that it shows already leaves it as it is.
pub fn set_mip(document: &mut Document, layer: u64, level: usize, image: &Image) -> Result<(), EditError> {
    let shape = flat(document)?;
    let spot = ImageIndex { layer, level, slice: 0 };
    let place = place(document, &shape, layer, level).ok_or_else(|| missing(spot, &shape))?;
    let (width, height, _) = shape.size(level);
    if (image.width, image.height) != (width, height) {
        return Err(wrong_size(spot, (width, height), image));
    }
    if shows(document, spot, image)? {
        return Ok(());
    }
    // A picture that has too few pixels for its size is refused there.
    let levels = joined(&encoded(document, image, Mips::One)?, &[])?;
    if let Some(to) = document.data.get_mut(place).filter(|to| to.len() == levels.len()) {
        to.copy_from_slice(&levels);
    }
    Ok(())
}

/// Makes every level but the largest anew from it, in every layer, down to a single pixel.
pub fn rebuild_mips(document: &mut Document) -> Result<(), EditError> {
    let shape = flat(document)?;
    let mut data = room::with_capacity(document.data.len())?;
    let mut count = 1;
    for layer in 0..shape.layers {
        let spot = ImageIndex { layer, ..ImageIndex::default() };
        let largest = document.level(layer, 0).ok_or_else(|| missing(spot, &shape))?;
        let image = decode(document, spot, u64::MAX).map_err(|cause| EditError { cause })?;
        room::append(&mut data, largest)?;
        room_to_encode(&image, ENCODING)?;
        let levels = chain(image, usize::MAX);
        count = levels.len();
        for level in levels.iter().skip(1) {
            room::append(&mut data, &encode_level(document, level)?)?;
        }
    }
    room::append(&mut data, document.rest())?;
    document.data = data;
    document.count_levels(count);
    Ok(())
}

/// Drops what follows the last level and says in the headers what is so. A file without all its levels has no such
/// form.
pub fn make_canonical(document: &mut Document) -> Result<Report, EditError> {
    let mut damage = Report::default();
    check::damage(document, &mut damage);
    if let Some(first) = damage.findings().first() {
        return Err(Diagnostic::clone(first).into());
    }
    let Some(shape) = document.shape() else { return Ok(Report::default()) };
    let mut cost = Report::default();
    let rest = document.rest().len();
    if rest > 0 {
        cost.push(check::REST.at(Path::named("rest")).saying(format!("{rest} bytes dropped")));
        document.data.truncate(document.data.len().saturating_sub(rest));
    }
    let before = document.header;
    (document.header.size, document.header.pixel_size) = (HEADER_SIZE.into(), PIXEL_SIZE.into());
    document.header.mip_count = u32::try_from(shape.levels).unwrap_or(u32::MAX).into();
    document.header.flags = (document.header.flags.get() | flag::REQUIRED).into();
    document.say_pitch();
    if document.header != before {
        let said = format!("{} levels, flags 0x{:x}", document.header.mip_count, document.header.flags);
        cost.push(check::FLAGS.at(Path::named("header").field("flags")).saying(said));
    }
    Ok(cost)
}

/// Bytes of a row, or of the first level where that is compressed; none if nobody knows or they do not fit.
pub(super) fn pitch(document: &Document) -> Option<u32> {
    let shape = document.shape()?;
    match shape.format {
        Format::Plain(plain) => shape.width.checked_mul(plain.bytes().into()),
        Format::Blocks(_) | Format::Wide => u32::try_from(shape.format.len(shape.width, shape.height)).ok(),
    }
}

/// What the file holds, if that is pictures which can be made.
fn flat(document: &Document) -> Result<Shape, EditError> {
    let Some(shape) = document.shape().filter(|shape| shape.format != Format::Wide) else {
        let said = format!("`{}` found", document.pixel_format().four_cc.escape_ascii());
        return Err(FORMAT.at(Path::named("header").field("four_cc")).saying(said).into());
    };
    if document.is_volume() {
        let said = format!("{} slices", shape.depth);
        return Err(VOLUME.at(Path::named("header").field("depth")).saying(said).into());
    }
    Ok(shape)
}

/// Whether a level shows just this.
fn shows(document: &Document, spot: ImageIndex, image: &Image) -> Result<bool, EditError> {
    let pixels = u64::try_from(image.rgba.len()).unwrap_or(u64::MAX);
    match decode(document, spot, pixels) {
        Ok(shown) => Ok(shown == *image),
        Err(cause) if is_exhaustion(&cause) => Err(EditError { cause }),
        Err(_) => Ok(false),
    }
}

/// Where a level lies, if the file has all of it.
fn place(document: &Document, shape: &Shape, layer: u64, level: usize) -> Option<std::ops::Range<usize>> {
    shape.range(layer, level).filter(|range| range.end <= document.data.len())
}

fn no_layer(shape: &Shape, layer: u64) -> Result<(), EditError> {
    if layer < shape.layers {
        return Ok(());
    }
    Err(missing(ImageIndex { layer, ..ImageIndex::default() }, shape))
}

fn missing(spot: ImageIndex, shape: &Shape) -> EditError {
    let ImageIndex { layer, level, .. } = spot;
    let said = format!("layer {layer}, level {level} of {} layers, {} levels", shape.layers, shape.levels);
    LEVEL.at(path(spot)).saying(said).into()
}

fn wrong_size(spot: ImageIndex, (width, height): (u32, u32), image: &Image) -> EditError {
    let said = format!("{width} × {height} wanted, {} × {} found", image.width, image.height);
    SIZE.at(path(spot)).saying(said).into()
}
