//! Edits of a texture: each changes nothing when it is refused.

use galvani_core::{EditError, Exhausted, Image, Path, Report, room};

use super::encode::{encode, smaller};
use super::levels::full_count;
use super::{Colour, DecodeOptions, Document, MIP_FLAG, Match, Page, Rect, TexmPart, check};

/// How many levels a texture is to have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Levels {
    /// As many as it has.
    Same,
    /// All down to a single pixel.
    Full,
    /// So many.
    Count(u32),
}

/// A plain word of the header.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Field {
    /// `flags_10`.
    Flags10,
    /// `flags_14`.
    Flags14,
    /// `unknown_18`.
    Unknown18,
}

/// Gives the texture another picture of any size; the format stays, and smaller levels are made of it. The picture
/// that the texture shows leaves it as it is.
pub fn replace_image(
    document: &mut Document,
    image: &Image,
    how: Match,
    look: &DecodeOptions,
) -> Result<(), EditError> {
    whole(document, &[TexmPart::Palette])?;
    counted(image)?;
    let header = &document.header;
    let same_size = (header.width.get(), header.height.get()) == (image.width, image.height);
    let old = document.level(0).filter(|_| same_size);
    let pixels = encode(document, image, old, how, look)?;
    if old == Some(pixels.as_slice()) {
        return Ok(());
    }
    let mut made = with_pixels(document, pixels)?;
    (made.header.width, made.header.height) = (image.width.into(), image.height.into());
    let most = full_count(image.width, image.height);
    set_count(&mut made, document.header.mip_count.get().clamp(1, most));
    fill_levels(&mut made)?;
    *document = made;
    Ok(())
}

/// Gives one level another picture of its size.
pub fn set_mip(
    document: &mut Document,
    level: usize,
    image: &Image,
    how: Match,
    look: &DecodeOptions,
) -> Result<(), EditError> {
    let path = Path::named(TexmPart::Pixels.name()).index(level);
    let Some([width, height]) = document.level_size(level) else {
        let found = format!("level {level} of {}", document.header.mip_count);
        return Err(check::NO_LEVEL.at(path).saying(found).into());
    };
    counted(image)?;
    if [width, height] != [image.width, image.height] {
        let found = format!("{width} × {height} wanted, {} × {} given", image.width, image.height);
        return Err(check::SIZE.at(path).saying(found).into());
    }
    let Some(range) = document.level_range(level) else {
        return Err(check::LEVEL_MISSING.at(path).saying(format!("level {level} ends early")).into());
    };
    let pixels = encode(document, image, document.level(level), how, look)?;
    if let Some(place) = document.pixels.get_mut(range).filter(|place| place.len() == pixels.len()) {
        place.copy_from_slice(&pixels);
    }
    Ok(())
}

/// Makes the smaller levels anew from the first, as the game's own are made.
pub fn rebuild_mips(document: &mut Document, levels: Levels) -> Result<(), EditError> {
    let header = &document.header;
    let most = full_count(header.width.get(), header.height.get());
    let count = match levels {
        Levels::Same => header.mip_count.get().clamp(1, most),
        Levels::Full => most,
        Levels::Count(count) => count,
    };
    let path = Path::named("header").field("mip_count");
    if !(1..=most).contains(&count) {
        let found = format!("1 to {most} levels wanted, {count} given");
        return Err(check::NO_LEVEL.at(path).saying(found).into());
    }
    let Some(first) = document.level(0).filter(|first| !first.is_empty()) else {
        return Err(check::LEVEL_MISSING.at(Path::named(TexmPart::Pixels.name()).index(0)).into());
    };
    let mut made = with_pixels(document, room::copied(first)?)?;
    set_count(&mut made, count);
    fill_levels(&mut made)?;
    *document = made;
    Ok(())
}

/// Sets a plain word of the header.
pub fn set_field(document: &mut Document, field: Field, value: u32) {
    let header = &mut document.header;
    *match field {
        Field::Flags10 => &mut header.flags_10,
        Field::Flags14 => &mut header.flags_14,
        Field::Unknown18 => &mut header.unknown_18,
    } = value.into();
}

/// Gives a palette another colour at an index; its byte without meaning stays.
pub fn set_colour(document: &mut Document, index: u8, [red, green, blue]: [u8; 3]) -> Result<(), EditError> {
    let path = Path::named(TexmPart::Palette.name()).index(index.into());
    let Some(colour) = document.palette.get_mut(usize::from(index)) else {
        let found = format!("colour {index} of {}", document.palette.len());
        return Err(check::NO_COLOUR.at(path).saying(found).into());
    };
    let Colour { bgrx: [.., x] } = *colour;
    colour.bgrx = [blue, green, red, x];
    Ok(())
}

/// Gives the texture rectangles, or takes them away.
pub fn set_page(document: &mut Document, rects: Option<Vec<Rect>>) -> Result<(), EditError> {
    whole(document, &[TexmPart::Palette, TexmPart::Pixels, TexmPart::Page])?;
    super::decode::known_format(document).map_err(super::encode::refused)?;
    let page = match rects {
        Some(rects) => {
            let count = u32::try_from(rects.len());
            let too_many = |_| EditError::from(check::COUNT.at(Path::named(TexmPart::Page.name())));
            Some(Page { count: count.map_err(too_many)?, rects })
        }
        None => None,
    };
    document.page = page;
    Ok(())
}

/// Drops what stands behind the last part. A file that ends early, or whose format nobody knows, has no such form.
pub fn make_canonical(document: &mut Document) -> Result<Report, EditError> {
    whole(document, &[TexmPart::Palette, TexmPart::Pixels, TexmPart::Page])?;
    super::decode::known_format(document).map_err(super::encode::refused)?;
    let mut cost = Report::default();
    if !document.rest.is_empty() {
        let dropped = format!("{} bytes dropped", document.rest.len());
        cost.push(check::REST.at(Path::named("rest")).saying(dropped));
        document.rest.clear();
    }
    Ok(cost)
}

/// Makes the smaller levels that the header counts.
pub(super) fn fill_levels(document: &mut Document) -> Result<(), EditError> {
    // Levels are made of the first one, which stays where it is.
    let count = usize::try_from(document.header.mip_count.get()).unwrap_or(0);
    let mut levels = Vec::new();
    for level in 1..count {
        room::append(&mut levels, &smaller(document, level)?)?;
    }
    room::append(&mut document.pixels, &levels)?;
    Ok(())
}

/// The texture with other pixels.
fn with_pixels(document: &Document, pixels: Vec<u8>) -> Result<Document, Exhausted> {
    let page = document
        .page
        .as_ref()
        .map(|page| Ok::<_, Exhausted>(Page { count: page.count, rects: room::copied(&page.rects)? }));
    Ok(Document {
        header: document.header,
        palette: room::copied(&document.palette)?,
        pixels,
        page: page.transpose()?,
        rest: room::copied(&document.rest)?,
    })
}

/// Counts levels; the flag that says whether there are smaller ones follows if it was right.
fn set_count(document: &mut Document, count: u32) {
    let header = &mut document.header;
    if header.flags_10.get() == mip_flag(header.mip_count.get()) {
        header.flags_10 = mip_flag(count).into();
    }
    header.mip_count = count.into();
}

/// What `flags_10` is with so many levels.
pub(super) fn mip_flag(count: u32) -> u32 {
    if count > 1 { MIP_FLAG } else { 0 }
}

/// Refuses where one of these parts ends early.
fn whole(document: &Document, parts: &[TexmPart]) -> Result<(), EditError> {
    match document.cut().filter(|part| parts.contains(part)) {
        Some(part) => Err(check::LEVEL_MISSING.at(Path::named(part.name())).into()),
        None => Ok(()),
    }
}

/// Refuses a picture that has not as many pixels as its size says, or none.
pub(super) fn counted(image: &Image) -> Result<(), EditError> {
    let wanted = u64::from(image.width).saturating_mul(image.height.into());
    let found = image.rgba.len();
    if wanted > 0 && u64::try_from(found) == Ok(wanted) {
        return Ok(());
    }
    let said = format!("{} × {}: {wanted} pixels wanted, {found} found", image.width, image.height);
    Err(check::SIZE.at(Path::named("header").field("width")).saying(said).into())
}
