//! Pictures as pixels of a texture, and smaller levels from the first.

use std::collections::BTreeMap;

use galvani_core::image::{self, Lost, Match};
use galvani_core::{EditError, Image, Path, room};

use super::decode::{colours, known_format, value};
use super::levels::level_size;
use super::{DecodeOptions, Document, Format, Surface, TexmPart, check};

/// The pixels of a picture in a texture's format. A pixel that already shows its colour stays as it is, so that a
/// picture which was decoded gives the same bytes back; `old` are those before, if they have the same size.
///
/// Colours count also where alpha is 0: alpha is often gloss.
pub(super) fn encode(
    document: &Document,
    image: &Image,
    old: Option<&[u8]>,
    how: Match,
    look: &DecodeOptions,
) -> Result<Vec<u8>, EditError> {
    let format = known_format(document).map_err(refused)?;
    let stride = format.pixel_bytes();
    let mut painter = Painter::new(document, format, look)?;
    let mut lost = Lost::default();
    let mut old = old.unwrap_or_default().chunks_exact(stride);
    let mut pixels = room::with_capacity(image.rgba.len().saturating_mul(stride))?;
    for &wanted in &image.rgba {
        let before = old.next();
        if let Some(before) = before.filter(|pixel| painter.shown(value(pixel)) == wanted) {
            pixels.extend_from_slice(before);
            continue;
        }
        let mut found = painter.nearest(wanted);
        if painter.shown(found) != wanted {
            lost.count(wanted);
        }
        if let (Surface::Opaque, Some(before)) = (look.surface, before) {
            found = format.with_alpha_of(found, value(before));
        }
        pixels.extend(found.to_le_bytes().get(..stride).unwrap_or_default());
    }
    lost.refuse(how, &check::COLOURS, Path::named(TexmPart::Pixels.name()))?;
    Ok(pixels)
}

/// The pixels of a picture by the nearest colours that a texture has, whatever it shows now.
pub fn pixels(document: &Document, image: &Image) -> Result<Vec<u8>, EditError> {
    encode(document, image, None, Match::Nearest, &DecodeOptions::default())
}

/// From colours to pixels and back.
struct Painter {
    format: Format,
    colours: Vec<[u8; 4]>,
    surface: Surface,
    known: BTreeMap<[u8; 4], u32>,
}

impl Painter {
    fn new(document: &Document, format: Format, look: &DecodeOptions) -> Result<Self, EditError> {
        let colours =
            if format.is_indexed() { colours(document, format, look).map_err(refused)? } else { Vec::new() };
        Ok(Painter { format, colours, surface: look.surface, known: BTreeMap::new() })
    }

    fn shown(&self, pixel: u32) -> [u8; 4] {
        let [red, green, blue, alpha] = if self.format.is_indexed() {
            usize::try_from(pixel).ok().and_then(|index| self.colours.get(index)).copied().unwrap_or_default()
        } else {
            self.format.rgba(pixel)
        };
        [red, green, blue, if self.surface == Surface::Opaque { 0xff } else { alpha }]
    }

    fn nearest(&mut self, wanted: [u8; 4]) -> u32 {
        if !self.format.is_indexed() {
            return self.format.nearest(wanted);
        }
        let colours = &self.colours;
        *self.known.entry(wanted).or_insert_with(|| image::nearest(colours, wanted).unwrap_or(0).into())
    }
}

/// The pixels of a smaller level: of each channel as it is stored, the mean of a block of the first level, rounded
/// down (docs/formats/texm.md#levels). Indices go by their colours.
pub(super) fn smaller(document: &Document, level: usize) -> Result<Vec<u8>, EditError> {
    let format = known_format(document).map_err(refused)?;
    let first = document.level(0).unwrap_or_default();
    let look = DecodeOptions { surface: Surface::Opaque, ..DecodeOptions::default() };
    let mut painter = Painter::new(document, format, &look)?;
    let stride = format.pixel_bytes();
    let [[width, height], [from_width, from_height]] = [level, 0]
        .map(|level| level_size(&document.header, level).map(|side| usize::try_from(side).unwrap_or(0)));
    let step = u32::try_from(level).ok().and_then(|level| 1_usize.checked_shl(level)).unwrap_or(usize::MAX);
    let rows: Vec<&[u8]> = room::collected(first.chunks_exact(from_width.saturating_mul(stride).max(1)))?;
    let mut made = room::with_capacity(width.saturating_mul(height).saturating_mul(stride))?;
    for y in 0..height {
        let y = y.saturating_mul(step);
        let block = rows.get(y..y.saturating_add(step).min(from_height)).unwrap_or_default();
        for x in 0..width {
            let x = x.saturating_mul(step);
            let across =
                x.saturating_mul(stride)..x.saturating_add(step).min(from_width).saturating_mul(stride);
            let pixels = block.iter().filter_map(|row| row.get(across.clone()));
            let pixel = painter.mean(pixels.flat_map(|row| row.chunks_exact(stride)).map(value));
            made.extend(pixel.to_le_bytes().get(..stride).unwrap_or_default());
        }
    }
    Ok(made)
}

impl Painter {
    /// The mean of pixels.
    fn mean(&mut self, pixels: impl Iterator<Item = u32>) -> u32 {
        let (mut sums, mut count) = ([0_u64; 4], 0_u64);
        for pixel in pixels {
            let channels = if self.format.is_indexed() {
                self.shown(pixel).map(u32::from)
            } else {
                self.format.channels(pixel)
            };
            for (sum, channel) in sums.iter_mut().zip(channels) {
                *sum = sum.saturating_add(channel.into());
            }
            count = count.saturating_add(1);
        }
        let means = sums.map(|sum| u32::try_from(sum.checked_div(count).unwrap_or(0)).unwrap_or(0));
        if self.format.is_indexed() {
            return self.nearest(means.map(|mean| u8::try_from(mean).unwrap_or(u8::MAX)));
        }
        self.format.value(means)
    }
}

/// What cannot be decoded cannot be encoded either.
pub(super) fn refused(cause: Box<galvani_core::Diagnostic>) -> EditError {
    EditError { cause }
}
