//! A level of a file as a picture (docs/formats/blp.md#as-a-picture).

use galvani_core::{Diagnostic, Exhausted, Image, Path, codes, room};

use super::{Document, LevelKind, Shared};
use crate::bc;
use crate::jpeg::Stream;
use crate::mips::level_size;
use crate::numbers::{area, count, pixels_within};

codes! {
    NO_LEVEL = Error, "blp.decode-level",
        "there is no such level",
        "levels count from 0; some files have only that one";
    KIND = Error, "blp.decode-kind",
        "levels of this kind cannot be shown",
        "nobody knows such a file; its bytes are kept";
    PIXELS = Error, "blp.decode-pixels",
        "the picture has no pixels, or more than it may have",
        "a larger limit lets it through";
    SHORT = Error, "blp.decode-short",
        "the level has fewer bytes than its pixels need",
        "the file was cut short, or a size is damaged";
    STREAM = Error, "blp.decode-jpeg",
        "the JPEG stream of the level cannot be decoded",
        "its bytes are kept; give the level another picture";
}

type Outcome = Result<Image, Box<Diagnostic>>;

/// A level as a picture of at most so many pixels.
pub fn decode(document: &Document, level: usize, most: u64) -> Outcome {
    let Some(bytes) = document.found(level) else {
        let said = format!("level {level} of {}", document.stored().count());
        return Err(Box::new(NO_LEVEL.at(Path::named("levels").index(level)).saying(said)));
    };
    // Where a small level only repeats a larger one, it is that one.
    decode_beside(document, document.same_as(level), bytes, most)
}

/// A level whose bytes lie in a file beside the document, as those of `BLP0` do.
pub fn decode_beside(document: &Document, level: usize, bytes: &[u8], most: u64) -> Outcome {
    let path = Path::named("levels").index(level);
    let whole = document.header.size();
    let (width, height) = level_size(whole.0, whole.1, level);
    let refused = |width: u32, height: u32| {
        let said = format!("1 to {most} pixels wanted, {width} × {height} found");
        Err(Box::new(PIXELS.at(path).saying(said)))
    };
    let pixels = pixels_within(width, height, most).filter(|_| area(whole.0, whole.1) > 0);
    let Some(pixels) = pixels else { return refused(width, height) };
    let alpha_bits = document.header.alpha_bits();
    let wanted = wanted_len(document, level).and_then(|wanted| usize::try_from(wanted).ok());
    if let Some(wanted) = wanted.filter(|&wanted| wanted > bytes.len()) {
        let said = format!("{wanted} bytes wanted, {} found", bytes.len());
        return Err(Box::new(SHORT.at(path).saying(said)));
    }
    match (document.kind(), &document.shared) {
        (Some(LevelKind::Jpeg), Shared::Jpeg(head)) => {
            let stream = Stream { head, body: bytes };
            let frame = stream.frame().map_or((0, 0), |frame| (frame.width.into(), frame.height.into()));
            if area(frame.0, frame.1) > most {
                return refused(frame.0, frame.1);
            }
            if stream.can_hold(frame.0, frame.1) {
                room_to_decode(&stream, frame)?;
            }
            let decoded = stream.decode(whole, alpha_bits > 0);
            decoded.map_err(|error| Box::new(STREAM.at(path).saying(error)))
        }
        (Some(LevelKind::Palette), Shared::Palette(colours)) => {
            let mut table = [0; 256];
            for (place, colour) in table.iter_mut().zip(colours) {
                let [blue, green, red, _] = colour.bgrx;
                *place = u32::from_le_bytes([red, green, blue, 255]);
            }
            let (indices, alpha) = bytes.split_at_checked(pixels).unwrap_or((bytes, &[]));
            Ok(Image { width, height, rgba: indexed(&table, indices, alpha, alpha_bits)? })
        }
        (Some(LevelKind::Blocks(coding)), _) => Ok(bc::decode(coding, width, height, bytes)?),
        (Some(LevelKind::Plain), _) => {
            let all = bytes.as_chunks::<4>().0.iter().take(pixels);
            let has_alpha = alpha_bits > 0;
            let shown = |&[blue, green, red, alpha]: &[u8; 4]| {
                [red, green, blue, if has_alpha { alpha } else { 255 }]
            };
            Ok(Image { width, height, rgba: room::collected(all.map(shown))? })
        }
        _ => Err(Box::new(KIND.at(path).saying(format!("{:?} without what it needs", document.kind())))),
    }
}

/// Fails where there is no room to decode a stream: the decoder holds it, rows of values and the picture, and cannot say so
/// itself.
pub(super) fn room_to_decode(stream: &Stream<'_>, (width, height): (u32, u32)) -> Result<(), Exhausted> {
    let picture = usize::try_from(area(width, height)).unwrap_or(usize::MAX).saturating_mul(4);
    room::probe(picture.saturating_add(stream.len()).saturating_mul(2))
}

/// Indices with their alpha. Bits of alpha that nobody knows count for nothing.
///
/// A pixel is one word on the way, which is what makes this as fast as memory.
fn indexed(
    table: &[u32; 256],
    indices: &[u8],
    alpha: &[u8],
    alpha_bits: u32,
) -> Result<Vec<[u8; 4]>, Exhausted> {
    let mut rgba = room::with_capacity(indices.len())?;
    let colour = |&index: &u8| table.get(usize::from(index)).copied().unwrap_or_default();
    // What has no colour cannot be seen, whatever its alpha.
    let with = |(index, alpha): (&u8, u8)| {
        (colour(index) & u32::from_le_bytes([255, 255, 255, alpha])).to_le_bytes()
    };
    match alpha_bits {
        8 => rgba.extend(indices.iter().zip(alpha.iter().copied()).map(with)),
        4 => {
            let halves =
                alpha.iter().flat_map(|&byte| [byte & 15, byte >> 4].map(|half| half.wrapping_mul(17)));
            rgba.extend(indices.iter().zip(halves).map(with));
        }
        1 => {
            let bits = alpha
                .iter()
                .flat_map(|&byte| (0..8).map(move |i| if (byte >> i) & 1 == 1 { 255 } else { 0 }));
            rgba.extend(indices.iter().zip(bits).map(with));
        }
        _ => rgba.extend(indices.iter().map(|index| colour(index).to_le_bytes())),
    }
    Ok(rgba)
}

/// Bytes that a level of this size needs; none where that is not to be said beforehand.
pub(super) fn wanted_len(document: &Document, level: usize) -> Option<u64> {
    let (width, height) = document.header.size();
    let (width, height) = level_size(width, height, level);
    let pixels = area(width, height);
    match document.kind()? {
        LevelKind::Jpeg => None,
        LevelKind::Palette => Some(pixels.saturating_add(alpha_len(pixels, document.header.alpha_bits()))),
        LevelKind::Blocks(coding) => Some(coding.len(width, height)),
        LevelKind::Plain => Some(pixels.saturating_mul(4)),
    }
}

/// Bytes of an alpha plane.
fn alpha_len(pixels: u64, alpha_bits: u32) -> u64 {
    let bits = if is_plane(alpha_bits) { alpha_bits } else { 0 };
    pixels.saturating_mul(bits.into()).div_ceil(8)
}

/// Whether a palette's alpha may have so many bits.
pub(super) fn is_plane(alpha_bits: u32) -> bool {
    matches!(alpha_bits, 0 | 1 | 4 | 8)
}

/// The alpha plane of pixels, their lost bits rounded to the nearest.
pub(super) fn alpha_plane(rgba: &[[u8; 4]], alpha_bits: u32) -> Vec<u8> {
    let alphas = || rgba.iter().map(|&[.., alpha]| alpha);
    match alpha_bits {
        8 => alphas().collect(),
        4 => packed(alphas().map(|alpha| u16::from(alpha).wrapping_add(8) / 17), 4),
        1 => packed(alphas().map(|alpha| u16::from(alpha >= 128)), 1),
        _ => Vec::new(),
    }
}

/// Small numbers in bytes, the lowest bits first.
fn packed(numbers: impl Iterator<Item = u16>, bits: u32) -> Vec<u8> {
    let each = count(8_u32.checked_div(bits).unwrap_or(1));
    let numbers: Vec<u16> = numbers.collect();
    let byte = |few: &[u16]| {
        let sum = few.iter().rev().fold(0_u16, |sum, &number| sum.wrapping_shl(bits) | number);
        let [low, _] = sum.to_le_bytes();
        low
    };
    numbers.chunks(each.max(1)).map(byte).collect()
}
