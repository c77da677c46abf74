//! Texm: the texture of Parkan (docs/formats/texm.md#header).
//!
//! ```text
//! 0x00  header, 32 bytes
//! 0x20  palette, 256 colours (B, G, R, X), if pixels are indices into it
//!       pixels, level by level, each half as wide and high as the one before
//!       perhaps `Page` and rectangles, up to the end
//! ```
//! A file may end early: what is there stays what it is, and the rest is missing.

pub mod check;
mod decode;
pub mod edit;
mod encode;
mod format;
mod levels;
mod new;
mod read;
pub mod wire;
mod write;

pub use check::check;
pub use decode::{DecodeOptions, Surface, decode};
pub use encode::pixels;
pub use format::Format;
pub use galvani_core::image::Match;
pub use levels::full_count;
pub use read::{read, size};
pub use wire::{Colour, Header, Rect};
pub use write::write;

/// The four letters it begins with, which are also its type in an archive.
pub const MAGIC: [u8; 4] = *b"Texm";

/// The four letters before rectangles.
pub const PAGE: [u8; 4] = *b"Page";

/// Bytes of the header.
pub const HEADER_LEN: usize = size_of::<Header>();

/// Colours of a palette.
pub const PALETTE_LEN: usize = 256;

/// Flags of a header that give a texture a surface with alpha: at once, or because its palette fades.
pub const ALPHA_FLAGS: u32 = 0x0100_0000 | 0x0200_0000;

/// What `flags_10` is where there are smaller levels.
pub const MIP_FLAG: u32 = 32;

/// A texture as a value: every byte of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The header, with size and levels as the file has them.
    pub header: Header,
    /// The palette, if pixels are indices into it.
    pub palette: Vec<Colour>,
    /// The pixels of all levels, one level after the other.
    pub pixels: Vec<u8>,
    /// The rectangles, if there are some.
    pub page: Option<Page>,
    /// Bytes behind all that, or all where nobody knows what a pixel is. Kept, not understood.
    pub rest: Vec<u8>,
}

/// Rectangles that materials show instead of the whole.
#[derive(Debug, Clone, PartialEq)]
pub struct Page {
    /// How many there should be, as the file has it.
    pub count: u32,
    /// The rectangles.
    pub rects: Vec<Rect>,
}

impl Document {
    /// A document of which only the header is known.
    pub fn with_header(header: Header) -> Self {
        Document { header, palette: Vec::new(), pixels: Vec::new(), page: None, rest: Vec::new() }
    }

    /// What a pixel is, if anybody knows.
    pub fn format(&self) -> Option<Format> {
        Format::from_number(self.header.format.get())
    }

    /// Whether the game gives the texture a surface with alpha.
    pub fn has_alpha_surface(&self) -> bool {
        let by_format = matches!(self.format(), Some(Format::Argb4444 | Format::Argb8888));
        by_format || self.header.flags_14.get() & ALPHA_FLAGS != 0
    }

    /// The first part that is cut short.
    pub fn cut(&self) -> Option<TexmPart> {
        let format = self.format()?;
        if format == Format::Indexed && self.palette.len() < PALETTE_LEN {
            return Some(TexmPart::Palette);
        }
        if u128::try_from(self.pixels.len()).is_ok_and(|len| len < levels::wanted_bytes(&self.header, format))
        {
            return Some(TexmPart::Pixels);
        }
        let page = self.page.as_ref()?;
        let is_short = u32::try_from(page.rects.len()).is_ok_and(|len| len < page.count);
        is_short.then_some(TexmPart::Page)
    }
}

/// A part of the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TexmPart {
    /// Colours.
    Palette,
    /// Pixels.
    Pixels,
    /// Rectangles.
    Page,
}

impl TexmPart {
    /// Its path.
    pub fn name(self) -> &'static str {
        match self {
            TexmPart::Palette => "palette",
            TexmPart::Pixels => "levels",
            TexmPart::Page => "page",
        }
    }
}
