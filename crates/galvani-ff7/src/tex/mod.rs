//! Textures: `ac` to `al` of battle.lgp, `.tex` of field models, `.t00` … of magic.lgp.
//!
//! ```text
//! 0x00  header, 236 bytes
//! 0xEC  palette    palette_entries × 4 (B, G, R, A)
//!       pixels     width × height × bytes_per_pixel
//!       colour keys, one byte per palette, if the header says so and the file does not end before
//! ```
//! A file may end early: what is there stays what it is, and the rest is missing.

pub mod check;
pub mod decode;
pub mod edit;
mod encode;
mod new;
mod read;
mod size;
pub mod wire;
mod write;

pub use check::check;
pub use encode::pixels;
pub use galvani_core::Image;
pub use galvani_core::image::Match;
pub use read::{is_shaped, read};
pub use wire::{Colour, ColourKey, Header};
pub use write::write;

/// Bytes of the header.
pub const HEADER_LEN: usize = size_of::<Header>();

/// The only version there is.
pub const VERSION: u32 = 1;

/// Most bytes of a pixel.
pub const MOST_PIXEL_BYTES: u32 = 4;

/// The alpha in a palette that stands for the header's.
pub const REFERENCE: u8 = 0xfe;

/// A texture as a value: every byte of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The header, with the counts as the file has them.
    pub header: Header,
    /// Colours of all palettes, one palette after the other.
    pub palette: Vec<Colour>,
    /// Pixels row by row: indices, or colours as the header's masks say.
    pub pixels: Vec<u8>,
    /// Whether index 0 is transparent, by palette.
    pub colour_keys: Vec<ColourKey>,
    /// Bytes behind all that. Kept, not understood.
    pub rest: Vec<u8>,
}

impl Document {
    /// A document of which only the header is known.
    pub fn with_header(header: Header) -> Self {
        let (palette, pixels, colour_keys, rest) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Document { header, palette, pixels, colour_keys, rest }
    }

    /// Whether pixels are indices.
    pub fn is_paletted(&self) -> bool {
        self.header.has_palette.get() != 0
    }

    /// Colours of one palette: as the header says, or what is there for each.
    pub fn palette_len(&self) -> usize {
        let [said, again, palettes] =
            [&self.header.colours, &self.header.colours_again, &self.header.palettes]
                .map(|word| usize::try_from(word.get()).unwrap_or(usize::MAX));
        let fits = |&len: &usize| len > 0 && len <= self.palette.len();
        let shared = self.palette.len().checked_div(palettes).unwrap_or(self.palette.len());
        [said, again].into_iter().find(fits).unwrap_or(shared)
    }

    /// The colours of a palette.
    pub fn palette(&self, index: usize) -> Option<&[Colour]> {
        let len = self.palette_len();
        let start = index.checked_mul(len)?;
        self.palette.get(start..start.checked_add(len)?).filter(|colours| !colours.is_empty())
    }

    /// Whether index 0 of a palette is transparent.
    pub fn is_keyed(&self, palette: usize) -> bool {
        let flag = self.header.colour_key.get() != 0;
        match self.colour_keys.get(palette) {
            Some(key) => flag && key.transparent != 0,
            None => flag,
        }
    }

    /// The first part that is cut short.
    pub fn cut(&self) -> Option<TexPart> {
        let wanted = wanted(&self.header);
        let short = |found: usize, wanted: u128| u128::try_from(found).is_ok_and(|found| found < wanted);
        let pixels = self.pixels.len().checked_div(wanted.stride).unwrap_or(0);
        if short(self.palette.len(), wanted.colours.into()) {
            Some(TexPart::Palette)
        } else if short(pixels, wanted.pixels) {
            Some(TexPart::Pixels)
        } else {
            short(self.colour_keys.len(), wanted.keys.into()).then_some(TexPart::ColourKeys)
        }
    }

    /// Whether only the colour keys are missing, as in some of the game's files.
    pub fn lacks_colour_keys(&self) -> bool {
        self.colour_keys.is_empty() && self.cut() == Some(TexPart::ColourKeys)
    }
}

/// A part of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TexPart {
    /// Colours.
    Palette,
    /// Pixels.
    Pixels,
    /// One byte per palette.
    ColourKeys,
}

impl TexPart {
    /// Its path.
    pub fn name(self) -> &'static str {
        match self {
            TexPart::Palette => "palette",
            TexPart::Pixels => "pixels",
            TexPart::ColourKeys => "colour_keys",
        }
    }
}

/// How many records each part wants.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Wanted {
    pub(crate) colours: u32,
    /// Two words multiplied; 0 where a pixel has no bytes.
    pub(crate) pixels: u128,
    /// Bytes of a pixel, at least 1.
    pub(crate) stride: usize,
    pub(crate) keys: u32,
}

pub(crate) fn wanted(header: &Header) -> Wanted {
    let stride = header.bytes_per_pixel.get();
    let pixels = u128::from(header.width.get()).saturating_mul(header.height.get().into());
    let pixels = if stride == 0 { 0 } else { pixels };
    let keys = if header.has_colour_keys.get() == 0 { 0 } else { header.palettes.get() };
    let stride = usize::try_from(stride.max(1)).unwrap_or(usize::MAX);
    Wanted { colours: header.palette_entries.get(), pixels, stride, keys }
}
