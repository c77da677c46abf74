//! A picture in the format of a texture that is there.

use std::collections::BTreeMap;

use galvani_core::image::{self, Lost, Match};
use galvani_core::{EditError, Path, room};

use super::decode::{self, Channels, colours, value};
use super::edit::{COLOURS, SIZE};
use super::{Document, Image};

/// Gives a texture another picture and keeps its format and palettes: what is seen through this palette.
///
/// A pixel that already shows the colour stays as it is, so that a picture which was decoded from the texture
/// gives the same bytes back. Pixels that cannot be seen at all match each other whatever their colour.
pub(super) fn replace(
    document: &mut Document,
    palette: usize,
    image: &Image,
    how: Match,
) -> Result<(), EditError> {
    let pixels = if document.is_paletted() {
        indices(document, palette, image, how)?
    } else {
        values(document, palette, image, how)?
    };
    let header = &mut document.header;
    let bytes = header.bytes_per_pixel.get();
    let old_pitch = header.width.get().checked_mul(bytes);
    let Some(pitch) = image.width.checked_mul(bytes) else {
        return Err(SIZE.at(Path::named("header").field("width")).saying(format!("{}", image.width)).into());
    };
    // Many files have no pitch, or one of their own.
    if Some(header.pitch.get()) == old_pitch {
        header.pitch = pitch.into();
    }
    (header.width, header.height) = (image.width.into(), image.height.into());
    document.pixels = pixels;
    Ok(())
}

/// The pixels of a picture by the nearest colours that a texture has in its first palette, whatever it shows now.
pub fn pixels(document: &Document, image: &Image) -> Result<Vec<u8>, EditError> {
    let blank = Document { pixels: Vec::new(), ..document.clone() };
    let made = if blank.is_paletted() { indices } else { values };
    made(&blank, 0, image, Match::Nearest)
}

fn indices(document: &Document, palette: usize, image: &Image, how: Match) -> Result<Vec<u8>, EditError> {
    decode::pixel_bytes(document).map_err(refused)?;
    let colours = colours(document, palette).map_err(refused)?;
    let same_size = document.header.width.get() == image.width;
    let old = document.pixels.iter().map(Some).chain(std::iter::repeat(None));
    let mut lost = Lost::default();
    let mut known = BTreeMap::new();
    let mut indices = room::with_capacity(image.rgba.len())?;
    for (&wanted, old) in image.rgba.iter().zip(old) {
        // An index beyond the palette shows nothing.
        let shown = |index: u8| colours.get(usize::from(index)).copied().unwrap_or_default();
        if let Some(&old) = old.filter(|&&index| same_size && same(shown(index), wanted)) {
            indices.push(old);
            continue;
        }
        let (index, is_right) = *known.entry(wanted).or_insert_with(|| nearest(&colours, wanted));
        if !is_right {
            lost.count(wanted);
        }
        indices.push(index);
    }
    lost.refuse(how, &COLOURS, Path::named("palette"))?;
    Ok(indices)
}

/// The index whose colour comes nearest, and whether it looks the same.
fn nearest(colours: &[[u8; 4]], wanted: [u8; 4]) -> (u8, bool) {
    let all = || (0..=u8::MAX).zip(colours.iter().copied());
    let right =
        all().find(|(_, shown)| *shown == wanted).or_else(|| all().find(|(_, shown)| same(*shown, wanted)));
    let index = right.map(|(index, _)| index).or_else(|| image::nearest(colours, wanted));
    (index.unwrap_or(0), right.is_some())
}

fn values(document: &Document, palette: usize, image: &Image, how: Match) -> Result<Vec<u8>, EditError> {
    let bytes = decode::pixel_bytes(document).map_err(refused)?;
    decode::only_palette(palette).map_err(refused)?;
    let channels = Channels::new(&document.header);
    let mut lost = Lost::default();
    let same_size = document.header.width.get() == image.width;
    let mut old = document.pixels.chunks_exact(bytes);
    let mut pixels = room::with_capacity(image.rgba.len().saturating_mul(bytes))?;
    for &wanted in &image.rgba {
        let old = old.next().filter(|old| same_size && same(channels.rgba(value(old)), wanted));
        let found = channels.value(wanted);
        if old.is_none() && !same(channels.rgba(found), wanted) {
            lost.count(wanted);
        }
        let found = found.to_le_bytes();
        pixels.extend(old.or_else(|| found.get(..bytes)).unwrap_or_default());
    }
    lost.refuse(how, &COLOURS, Path::named("pixels"))?;
    Ok(pixels)
}

/// Whether two colours look the same.
fn same(a: [u8; 4], b: [u8; 4]) -> bool {
    let ([.., a_alpha], [.., b_alpha]) = (a, b);
    a == b || (a_alpha == 0 && b_alpha == 0)
}

/// What cannot be decoded cannot be encoded either.
pub(super) fn refused(cause: Box<galvani_core::Diagnostic>) -> EditError {
    EditError { cause }
}
