//! TGA, a picture to be taken in: decoded, never written (docs/formats/dds.md#tga).

use std::borrow::Cow;

use galvani_core::diag::ByteCodes;
use galvani_core::{Diagnostic, Exhausted, Image, Path, Reader, codes, record, room};
use zerocopy::little_endian::U16;

use crate::numbers::pixels_within;

codes! {
    TRUNCATED = Error, "tga.truncated",
        "the bytes end inside the picture",
        "the file was cut short";
    TYPE = Error, "tga.type",
        "a picture of this type is not known",
        "types 1, 2 and 3 are plain, 9, 10 and 11 the same in runs";
    DEPTH = Error, "tga.depth",
        "pixels of so many bits are not known",
        "indices and grey have 8 bits, colours 15, 16, 24 or 32";
    PIXELS = Error, "tga.pixels",
        "the picture has no pixels, or more than it may have",
        "give it a size of at least one pixel, or allow more";
    INDEX = Error, "tga.index",
        "a pixel has an index beyond the colour map",
        "the file is damaged";
    RUN = Error, "tga.run",
        "a run leads beyond the picture",
        "the file is damaged";
}

static BYTES: ByteCodes = ByteCodes { truncated: &TRUNCATED };

record! {
    /// What stands before the id, the colour map and the pixels.
    pub struct Header: 18 {
        /// Bytes of the id behind the header.
        pub id_len: u8,
        /// Whether there is a colour map.
        pub has_map: u8,
        /// Which of the types, below.
        pub kind: u8,
        /// The index of the first colour of the map.
        pub map_first: U16,
        /// Colours in the map.
        pub map_len: U16,
        /// Bits of one of them.
        pub map_bits: u8,
        /// Where the picture stands on a screen: pixels from the left.
        pub left: U16,
        /// And rows from the bottom.
        pub bottom: U16,
        /// Pixels in a row.
        pub width: U16,
        /// Rows.
        pub height: U16,
        /// Bits of a pixel.
        pub bits: u8,
        /// Bits of alpha, and from which corner rows and pixels come.
        pub descriptor: u8,
    }
}

/// Of the descriptor: how many bits of a pixel are alpha.
const ALPHA_BITS: u8 = 0x0f;
/// Of the descriptor: the first pixel of a row is its last.
const FROM_RIGHT: u8 = 0x10;
/// Of the descriptor: the first row is the top one.
const FROM_TOP: u8 = 0x20;
/// Of the type: pixels come in runs.
const RUNS: u8 = 8;

/// What a pixel is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum PixelContent {
    Mapped,
    Colour,
    Grey,
}

/// The picture of a TGA file, of at most so many pixels.
pub fn decode(file: &[u8], most: u64) -> Result<Image, Box<Diagnostic>> {
    let mut r = Reader::new(file, &BYTES);
    let header: Header = *r.record("header")?;
    let content = content(&header)?;
    let (width, height) = (u32::from(header.width.get()), u32::from(header.height.get()));
    let Some(count) = pixels_within(width, height, most) else {
        let said = format!("1 to {most} pixels wanted, {width} × {height} found");
        return Err(Box::new(PIXELS.at(Path::named("header").field("width")).offset(12).saying(said)));
    };
    r.bytes("id", header.id_len.into())?;
    let map = colour_map(&mut r, &header, content)?;
    let stride = usize::from(header.bits).div_ceil(8).max(1);
    let is_packed = header.kind & RUNS != 0;
    // A run of 128 pixels has at least a byte of its own and one pixel: no picture is larger than its bytes allow.
    let room = r.remaining().checked_div(stride).unwrap_or(0);
    if is_packed && room.saturating_mul(128) < count {
        r.bytes("pixels", count.div_ceil(128).saturating_mul(stride.saturating_add(1)))?;
    }
    let raw = if is_packed {
        Cow::Owned(unpacked(&mut r, count, stride)?)
    } else {
        Cow::Borrowed(r.bytes("pixels", count.saturating_mul(stride))?)
    };
    let mut rgba: Vec<[u8; 4]> = match (content, stride) {
        (PixelContent::Mapped, _) => {
            let indices = raw.iter().enumerate();
            room::try_collected(indices.map(|(i, &index)| mapped(&map, &header, index, i)))?
        }
        (PixelContent::Grey, _) => room::collected(raw.iter().map(|&grey| [grey, grey, grey, 255]))?,
        (PixelContent::Colour, 4) => {
            room::collected(raw.as_chunks::<4>().0.iter().map(|&[b, g, r, a]| [r, g, b, a]))?
        }
        (PixelContent::Colour, 3) => {
            room::collected(raw.as_chunks::<3>().0.iter().map(|&[b, g, r]| [r, g, b, 255]))?
        }
        (PixelContent::Colour, _) => room::collected(raw.chunks_exact(stride).map(colour))?,
    };
    if !has_alpha(&header, content, &rgba) {
        for [.., alpha] in &mut rgba {
            *alpha = 255;
        }
    }
    Ok(turned(Image { width, height, rgba }, header.descriptor)?)
}

/// Width and height of a TGA file's picture.
pub fn size(file: &[u8]) -> Option<(u32, u32)> {
    let header: Header = *Reader::new(file, &BYTES).record("header").ok()?;
    Some((header.width.get().into(), header.height.get().into()))
}

/// Whether bytes begin as a TGA file does that can be decoded. There is no magic.
pub fn is_shaped(file: &[u8]) -> bool {
    let mut r = Reader::new(file, &BYTES);
    let Ok(header) = r.record::<Header>("header") else { return false };
    header.has_map <= 1 && header.width.get() > 0 && header.height.get() > 0 && content(header).is_ok()
}

fn content(header: &Header) -> Result<PixelContent, Box<Diagnostic>> {
    let path = Path::named("header");
    let content = match header.kind & !RUNS {
        1 if header.has_map == 1 => PixelContent::Mapped,
        2 => PixelContent::Colour,
        3 => PixelContent::Grey,
        _ => {
            let said = format!("1 to 3 or 9 to 11 wanted, {} found", header.kind);
            return Err(Box::new(TYPE.at(path.field("kind")).offset(2).saying(said)));
        }
    };
    let is_known = match content {
        PixelContent::Mapped => header.bits == 8 && is_colour(header.map_bits),
        PixelContent::Grey => header.bits == 8,
        PixelContent::Colour => is_colour(header.bits),
    };
    if is_known {
        return Ok(content);
    }
    let said = format!("{} bits for a pixel and {} for a colour found", header.bits, header.map_bits);
    Err(Box::new(DEPTH.at(path.field("bits")).offset(16).saying(said)))
}

fn is_colour(bits: u8) -> bool {
    matches!(bits, 15 | 16 | 24 | 32)
}

fn colour_map(
    r: &mut Reader<'_>,
    header: &Header,
    content: PixelContent,
) -> Result<Vec<[u8; 4]>, Box<Diagnostic>> {
    if header.has_map != 1 {
        return Ok(Vec::new());
    }
    let stride = usize::from(header.map_bits).div_ceil(8);
    let bytes = r.bytes("map", usize::from(header.map_len.get()).saturating_mul(stride))?;
    if content != PixelContent::Mapped {
        return Ok(Vec::new());
    }
    let mut map: Vec<[u8; 4]> = bytes.chunks_exact(stride.max(1)).map(colour).collect();
    if header.map_bits != 32 {
        for [.., alpha] in &mut map {
            *alpha = 255;
        }
    }
    Ok(map)
}

fn mapped(map: &[[u8; 4]], header: &Header, index: u8, at: usize) -> Result<[u8; 4], Box<Diagnostic>> {
    let place = usize::from(index).checked_sub(header.map_first.get().into());
    if let Some(colour) = place.and_then(|place| map.get(place)) {
        return Ok(*colour);
    }
    let said = format!("one of {} from {} on wanted, {index} found", map.len(), header.map_first);
    Err(Box::new(INDEX.at(Path::named("pixels").index(at)).saying(said)))
}

/// Runs: a byte says how many pixels follow, its high bit that they are all alike.
fn unpacked(r: &mut Reader<'_>, count: usize, stride: usize) -> Result<Vec<u8>, Box<Diagnostic>> {
    let wanted = count.saturating_mul(stride);
    let mut raw = room::with_capacity(wanted)?;
    while raw.len() < wanted {
        let at = r.offset();
        let &[head] = r.bytes("run", 1)? else { break };
        let pixels = usize::from(head & 0x7f).saturating_add(1);
        if raw.len().saturating_add(pixels.saturating_mul(stride)) > wanted {
            let left = wanted.saturating_sub(raw.len()).checked_div(stride).unwrap_or(0);
            let said = format!("at most {left} pixels wanted, {pixels} found");
            return Err(Box::new(RUN.at(Path::named("pixels")).offset(at).saying(said)));
        }
        if head & 0x80 != 0 {
            let pixel = r.bytes("run", stride)?;
            (0..pixels).for_each(|_| raw.extend_from_slice(pixel));
        } else {
            raw.extend_from_slice(r.bytes("run", pixels.saturating_mul(stride))?);
        }
    }
    Ok(raw)
}

/// A colour of two, three or four bytes; of two, five bits for each channel and one of alpha.
fn colour(bytes: &[u8]) -> [u8; 4] {
    match *bytes {
        [blue, green, red, alpha] => [red, green, blue, alpha],
        [blue, green, red] => [red, green, blue, 255],
        [low, high] => {
            let value = u16::from_le_bytes([low, high]);
            let five = |shift: u32| {
                let [bits, ..] = (value >> shift).to_le_bytes();
                let bits = bits & 31;
                (bits << 3) | (bits >> 2)
            };
            [five(10), five(5), five(0), if value & 0x8000 != 0 { 255 } else { 0 }]
        }
        _ => [0; 4],
    }
}

/// Whether what stands in the place of alpha is alpha: the descriptor says so, or a picture of 32 bits has some
/// although it does not, as several tools write them.
fn has_alpha(header: &Header, content: PixelContent, rgba: &[[u8; 4]]) -> bool {
    let said = header.descriptor & ALPHA_BITS != 0;
    match (content, header.bits) {
        (PixelContent::Mapped, _) => header.map_bits == 32,
        (PixelContent::Colour, 32) => said || rgba.iter().any(|&[.., alpha]| alpha != 0),
        (PixelContent::Colour, 16) => said,
        _ => false,
    }
}

/// The picture with its first row at the top and its first pixels on the left.
fn turned(mut image: Image, descriptor: u8) -> Result<Image, Exhausted> {
    let row_len = usize::try_from(image.width).unwrap_or(usize::MAX);
    if descriptor & FROM_RIGHT != 0 {
        image.rgba.chunks_mut(row_len.max(1)).for_each(<[[u8; 4]]>::reverse);
    }
    if descriptor & FROM_TOP == 0 {
        let mut rgba = room::with_capacity(image.rgba.len())?;
        image.rgba.chunks(row_len.max(1)).rev().for_each(|row| rgba.extend_from_slice(row));
        image.rgba = rgba;
    }
    Ok(image)
}
