//! Textures from pictures, in the form of the game's own.

use std::collections::BTreeMap;

use galvani_core::record::Tag;
use galvani_core::{EditError, Image, Path, room};
use zerocopy::FromZeros;
use zerocopy::little_endian::U32;

use super::edit::{Levels, counted, fill_levels, mip_flag};
use super::encode::encode;
use super::levels::full_count;
use super::{Colour, DecodeOptions, Document, Format, Header, MAGIC, Match, PALETTE_LEN, check};

impl Format {
    /// The format for a picture of which nothing may be lost: with alpha if a pixel has some.
    pub fn fitting(image: &Image) -> Self {
        let is_opaque = image.rgba.iter().all(|&[.., alpha]| alpha == 0xff);
        if is_opaque { Format::Rgb888 } else { Format::Argb8888 }
    }
}

impl Document {
    /// A texture of a picture. One with a palette has the picture's own colours in the order they first appear, and so
    /// at most 256 of them.
    pub fn from_image(image: &Image, format: Format, levels: Levels, how: Match) -> Result<Self, EditError> {
        counted(image)?;
        let mut document = Document::with_header(header(image, format, levels)?);
        if format == Format::Indexed {
            document.palette = own_palette(image)?;
        }
        document.pixels = encode(&document, image, None, how, &DecodeOptions::default())?;
        fill_levels(&mut document)?;
        Ok(document)
    }

    /// A texture of a palette and an index for every pixel.
    pub fn from_indices(
        size: [u32; 2],
        palette: &[[u8; 3]],
        indices: Vec<u8>,
        levels: Levels,
    ) -> Result<Self, EditError> {
        let [width, height] = size;
        if palette.len() > PALETTE_LEN {
            return Err(too_many_colours(palette.len()));
        }
        let shown =
            |&index: &u8| palette.get(usize::from(index)).map(|&[red, green, blue]| [red, green, blue, 0xff]);
        let mut rgba = room::with_capacity(indices.len())?;
        rgba.extend(indices.iter().filter_map(shown));
        let image = Image { width, height, rgba };
        counted(&image)?;
        let mut document = Document::with_header(header(&image, Format::Indexed, levels)?);
        document.palette = filled(palette.iter().copied());
        document.pixels = indices;
        fill_levels(&mut document)?;
        Ok(document)
    }
}

fn header(image: &Image, format: Format, levels: Levels) -> Result<Header, EditError> {
    let most = full_count(image.width, image.height);
    let count = match levels {
        Levels::Same => 1,
        Levels::Full => most,
        Levels::Count(count) => count,
    };
    if !(1..=most).contains(&count) {
        let found = format!("1 to {most} levels wanted, {count} given");
        return Err(check::NO_LEVEL.at(Path::named("header").field("mip_count")).saying(found).into());
    }
    Ok(Header {
        magic: Tag(U32::from_bytes(MAGIC)),
        width: image.width.into(),
        height: image.height.into(),
        mip_count: count.into(),
        flags_10: mip_flag(count).into(),
        format: format.number().into(),
        ..Header::new_zeroed()
    })
}

fn own_palette(image: &Image) -> Result<Vec<Colour>, EditError> {
    let mut places = BTreeMap::new();
    for &[red, green, blue, _] in &image.rgba {
        let next = places.len();
        places.entry([red, green, blue]).or_insert(next);
        if places.len() > PALETTE_LEN {
            return Err(too_many_colours(places.len()));
        }
    }
    let mut colours: Vec<([u8; 3], usize)> = places.into_iter().collect();
    colours.sort_by_key(|&(_, place)| place);
    Ok(filled(colours.into_iter().map(|(colour, _)| colour)))
}

/// A whole palette, black behind the colours.
fn filled(colours: impl Iterator<Item = [u8; 3]>) -> Vec<Colour> {
    let wire = colours.map(|[red, green, blue]| Colour { bgrx: [blue, green, red, 0] });
    wire.chain(std::iter::repeat(Colour { bgrx: [0; 4] })).take(PALETTE_LEN).collect()
}

fn too_many_colours(found: usize) -> EditError {
    let said = format!("{PALETTE_LEN} wanted, at least {found} found");
    check::TOO_MANY_COLOURS.at(Path::named("palette")).saying(said).into()
}
