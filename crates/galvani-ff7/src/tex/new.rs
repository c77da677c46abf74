//! Textures from pictures, in the form of the game's own.

use std::collections::BTreeMap;

use galvani_core::{EditError, Path, room};
use zerocopy::FromZeros;
use zerocopy::little_endian::U32;

use super::edit::{SIZE, TOO_MANY_COLOURS};
use super::size::{counted, fits};
use super::{Colour, Document, Header, Image, REFERENCE, VERSION};

/// Most colours of a palette: an index has eight bits.
pub(super) const MOST_COLOURS: usize = 256;

impl Document {
    /// A texture of one palette, in which the colours stand in the order they first appear. Colours that cannot be
    /// seen are one, at index 0, and the texture says that it is transparent.
    pub fn paletted(image: &Image) -> Result<Self, EditError> {
        counted(image)?;
        let is_seen = |[.., alpha]: &[u8; 4]| *alpha != 0;
        let keyed = !image.rgba.iter().all(is_seen);
        let mut colours: Vec<[u8; 4]> = if keyed { vec![[0; 4]] } else { Vec::new() };
        let mut places = BTreeMap::new();
        let mut pixels = room::with_capacity(image.rgba.len())?;
        for colour in &image.rgba {
            let place = if is_seen(colour) {
                *places.entry(*colour).or_insert_with(|| {
                    colours.push(*colour);
                    colours.len().saturating_sub(1)
                })
            } else {
                0
            };
            pixels.push(u8::try_from(place).unwrap_or(u8::MAX));
        }
        if colours.len() > MOST_COLOURS {
            let said = format!("{MOST_COLOURS} wanted, {} found", colours.len());
            return Err(TOO_MANY_COLOURS.at(Path::named("palette")).saying(said).into());
        }
        let palette =
            colours.iter().map(|&[red, green, blue, alpha]| Colour { bgra: [blue, green, red, alpha] });
        Document::from_indices(image.width, image.height, &[palette.collect()], pixels, keyed)
    }

    /// A texture of several palettes of the same length, and an index for every pixel.
    pub fn from_indices(
        width: u32,
        height: u32,
        palettes: &[Vec<Colour>],
        indices: Vec<u8>,
        keyed: bool,
    ) -> Result<Self, EditError> {
        let colours = palettes.first().map_or(0, Vec::len);
        if !(1..=MOST_COLOURS).contains(&colours) || palettes.iter().any(|palette| palette.len() != colours) {
            let said = format!("1 to {MOST_COLOURS} colours in every palette wanted");
            return Err(TOO_MANY_COLOURS.at(Path::named("palette")).saying(said).into());
        }
        fits(width, height, indices.len())?;
        let palette: Vec<Colour> = palettes.concat();
        let word = |len: usize| U32::new(u32::try_from(len).unwrap_or(u32::MAX));
        let header = Header {
            colour_key: u32::from(keyed).into(),
            palettes: word(palettes.len()),
            colours: word(colours),
            has_palette: 1.into(),
            index_bits: 8.into(),
            palette_entries: word(palette.len()),
            colours_again: word(colours),
            reference_alpha: u32::from(REFERENCE).into(),
            ..sized(width, height, 1)?
        };
        Ok(Document { palette, pixels: indices, ..Document::with_header(header) })
    }

    /// A texture of 32 bits per pixel.
    pub fn direct(image: &Image) -> Result<Self, EditError> {
        counted(image)?;
        let words = |words: [u32; 4]| words.map(U32::new);
        let header = Header {
            channel_bits: words([8; 4]),
            masks: words([0x00ff_0000, 0x0000_ff00, 0x0000_00ff, 0xff00_0000]),
            shifts: words([16, 8, 0, 24]),
            missing_bits: words([0; 4]),
            highest: words([0xff; 4]),
            ..sized(image.width, image.height, 4)?
        };
        let bgra = |&[red, green, blue, alpha]: &[u8; 4]| [blue, green, red, alpha];
        let mut pixels = room::with_capacity(image.rgba.len().saturating_mul(4))?;
        pixels.extend(image.rgba.iter().flat_map(bgra));
        Ok(Document { pixels, ..Document::with_header(header) })
    }
}

/// A header for pixels of so many bytes.
fn sized(width: u32, height: u32, bytes: u32) -> Result<Header, EditError> {
    let bits = bytes.saturating_mul(8);
    let pitch = width.checked_mul(bytes).filter(|&pitch| pitch > 0 && height > 0);
    let Some(pitch) = pitch else {
        return Err(SIZE
            .at(Path::named("header").field("width"))
            .saying(format!("{width} × {height}"))
            .into());
    };
    Ok(Header {
        version: VERSION.into(),
        min_colour_bits: 4.into(),
        max_colour_bits: 8.into(),
        max_alpha_bits: 8.into(),
        min_pixel_bits: 8.into(),
        max_pixel_bits: 32.into(),
        bit_depth: bits.into(),
        width: width.into(),
        height: height.into(),
        pitch: pitch.into(),
        bits_per_pixel: bits.into(),
        bytes_per_pixel: bytes.into(),
        ..Header::new_zeroed()
    })
}
