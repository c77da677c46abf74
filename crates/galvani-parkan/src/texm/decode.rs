//! A texture as a picture of 8 bits per channel (docs/formats/texm.md#as-a-picture).

use galvani_core::image::MOST_PIXELS;
use galvani_core::{Diagnostic, Image, Path, room};

use super::{Document, Format, PALETTE_LEN, TexmPart, check};

/// How a texture is looked at.
#[derive(Debug, Clone)]
pub struct DecodeOptions {
    /// What becomes of alpha.
    pub surface: Surface,
    /// The colours of indices that the texture has no palette for; shades of grey if nobody knows them.
    pub palette: Option<Vec<[u8; 4]>>,
    /// Most pixels of a picture.
    pub most_pixels: u64,
}

impl Default for DecodeOptions {
    fn default() -> Self {
        DecodeOptions { surface: Surface::File, palette: None, most_pixels: MOST_PIXELS }
    }
}

/// What becomes of alpha.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Surface {
    /// As the file says: alpha where pixels have it, and index 0 transparent where the header's flags want alpha.
    #[default]
    File,
    /// Index 0 is transparent whatever the flags, as fonts are drawn.
    Alpha,
    /// None, as the skins of machines and buildings are drawn, whose alpha is gloss.
    Opaque,
}

/// The picture of a level.
pub fn decode(document: &Document, level: usize, look: &DecodeOptions) -> Result<Image, Box<Diagnostic>> {
    let format = known_format(document)?;
    let [width, height] = allowed_size(document, level, look)?;
    let Some(bytes) = document.level(level) else {
        let path = Path::named(TexmPart::Pixels.name()).index(level);
        return Err(Box::new(check::LEVEL_MISSING.at(path).saying(format!("level {level} ends early"))));
    };
    let mut rgba: Vec<[u8; 4]> = match format {
        Format::Indexed | Format::External => {
            let colours = colours(document, format, look)?;
            let shown = |&index: &u8| colours.get(usize::from(index)).copied().unwrap_or_default();
            room::collected(bytes.iter().map(shown))?
        }
        // The two formats that most textures have, without going through their bits.
        Format::Rgb888 => room::collected(
            bytes.as_chunks().0.iter().map(|&[blue, green, red, _]| [red, green, blue, 0xff]),
        )?,
        Format::Argb8888 => room::collected(
            bytes.as_chunks().0.iter().map(|&[blue, green, red, alpha]| [red, green, blue, alpha]),
        )?,
        _ => {
            room::collected(bytes.chunks_exact(format.pixel_bytes()).map(|pixel| format.rgba(value(pixel))))?
        }
    };
    if look.surface == Surface::Opaque {
        for [_, _, _, alpha] in &mut rgba {
            *alpha = 0xff;
        }
    }
    Ok(Image { width, height, rgba })
}

/// What each index shows, before a surface takes its alpha.
pub(super) fn colours(
    document: &Document,
    format: Format,
    look: &DecodeOptions,
) -> Result<Vec<[u8; 4]>, Box<Diagnostic>> {
    let mut colours: Vec<[u8; 4]> = match (format, &look.palette) {
        (Format::External, Some(palette)) => palette.clone(),
        (Format::External, None) => (0..=u8::MAX).map(|grey| [grey, grey, grey, 0xff]).collect(),
        _ if document.palette.len() < PALETTE_LEN => {
            let found = format!("{PALETTE_LEN} colours wanted, {} found", document.palette.len());
            return Err(Box::new(
                check::LEVEL_MISSING.at(Path::named(TexmPart::Palette.name())).saying(found),
            ));
        }
        _ => {
            let shown =
                |&super::Colour { bgrx: [blue, green, red, _] }: &super::Colour| [red, green, blue, 0xff];
            document.palette.iter().map(shown).collect()
        }
    };
    let is_keyed = match look.surface {
        Surface::File => document.has_alpha_surface(),
        Surface::Alpha => true,
        Surface::Opaque => false,
    };
    if is_keyed && let Some([_, _, _, alpha]) = colours.first_mut() {
        *alpha = 0;
    }
    Ok(colours)
}

/// The format, if anybody knows it.
pub(super) fn known_format(document: &Document) -> Result<Format, Box<Diagnostic>> {
    document.format().ok_or_else(|| Box::new(check::unknown_format(document)))
}

/// The size of a level that is not larger than allowed.
fn allowed_size(
    document: &Document,
    level: usize,
    look: &DecodeOptions,
) -> Result<[u32; 2], Box<Diagnostic>> {
    let header = &document.header;
    let Some([width, height]) = document.level_size(level) else {
        let found = format!("level {level} of {}", header.mip_count);
        return Err(Box::new(
            check::NO_LEVEL.at(Path::named(TexmPart::Pixels.name()).index(level)).saying(found),
        ));
    };
    let pixels = u64::from(width).saturating_mul(height.into());
    let path = Path::named("header").field("width");
    if pixels == 0 {
        return Err(Box::new(check::EMPTY.at(path).saying(format!("{width} × {height}"))));
    }
    if pixels > look.most_pixels {
        let found = format!("{width} × {height}, {} pixels at most", look.most_pixels);
        return Err(Box::new(check::PIXEL_LIMIT.at(path).saying(found)));
    }
    Ok([width, height])
}

/// The number that a pixel's bytes are.
pub(super) fn value(pixel: &[u8]) -> u32 {
    pixel.iter().rev().fold(0, |value, &byte| (value << 8) | u32::from(byte))
}
