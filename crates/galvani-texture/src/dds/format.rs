//! What pixels are: a name or a number in the header, and what it stands for (docs/formats/dds.md#formats).

use galvani_core::record::Tag;
use zerocopy::little_endian::U32;

use super::plain::Plain;
use super::{Dx10, Header};
use crate::bc::Coding;

/// Flags of the pixels' description.
mod flag {
    pub(super) const ALPHA_PIXELS: u32 = 0x1;
    pub(super) const ALPHA: u32 = 0x2;
    pub(super) const FOUR_CC: u32 = 0x4;
    pub(super) const RGB: u32 = 0x40;
    pub(super) const LUMINANCE: u32 = 0x2_0000;
}

/// What pixels are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// Blocks of four by four.
    Blocks(Coding),
    /// Blocks of numbers beyond 8 bits. Kept, not decoded.
    Wide,
    /// Each by itself.
    Plain(Plain),
}

impl Format {
    /// Bytes of a picture.
    pub fn len(self, width: u32, height: u32) -> u64 {
        match self {
            Format::Blocks(coding) => coding.len(width, height),
            Format::Wide => Coding::Bc7.len(width, height),
            Format::Plain(plain) => {
                let bytes = u64::from(width).saturating_mul(height.into());
                bytes.saturating_mul(plain.bytes().into())
            }
        }
    }

    /// A short name for people.
    pub fn name(self) -> String {
        match self {
            Format::Blocks(Coding::Bc1 { .. }) => "BC1".to_owned(),
            Format::Blocks(Coding::Bc2) => "BC2".to_owned(),
            Format::Blocks(Coding::Bc3) => "BC3".to_owned(),
            Format::Blocks(Coding::Bc4 { signed }) => signed_name("BC4", signed),
            Format::Blocks(Coding::Bc5 { signed }) => signed_name("BC5", signed),
            Format::Blocks(Coding::Bc7) => "BC7".to_owned(),
            Format::Wide => "BC6H".to_owned(),
            Format::Plain(plain) => format!("{} bits", u32::from(plain.bytes()).saturating_mul(8)),
        }
    }
}

fn signed_name(name: &str, signed: bool) -> String {
    if signed { format!("{name} signed") } else { name.to_owned() }
}

/// How a file describes its pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PixelFormat {
    /// What counts of the rest.
    pub flags: u32,
    /// The name.
    pub four_cc: [u8; 4],
    /// Bits of a pixel.
    pub bits: u32,
    /// Where red, green, blue and alpha stand in it.
    pub masks: [u32; 4],
    /// The number of the second header.
    pub dxgi: Option<u32>,
}

impl PixelFormat {
    /// Two colours a block, with alpha that is there or not.
    pub const BC1: PixelFormat = PixelFormat::named(*b"DXT1");
    /// The same with alpha.
    pub const BC3: PixelFormat = PixelFormat::named(*b"DXT5");
    /// The best blocks, which only newer programs read.
    pub const BC7: PixelFormat = PixelFormat { dxgi: Some(98), ..PixelFormat::named(*b"DX10") };
    /// Blue, green, red and alpha, a byte each.
    pub const PLAIN: PixelFormat = PixelFormat {
        flags: flag::RGB | flag::ALPHA_PIXELS,
        four_cc: [0; 4],
        bits: 32,
        masks: [0x00ff_0000, 0x0000_ff00, 0x0000_00ff, 0xff00_0000],
        dxgi: None,
    };

    const fn named(four_cc: [u8; 4]) -> Self {
        PixelFormat { flags: flag::FOUR_CC, four_cc, bits: 0, masks: [0; 4], dxgi: None }
    }

    pub(super) fn from_header(header: &Header, dx10: Option<&Dx10>) -> Self {
        PixelFormat {
            flags: header.pixel_flags.get(),
            four_cc: header.four_cc.0.get().to_le_bytes(),
            bits: header.pixel_bits.get(),
            masks: header.masks.map(U32::get),
            dxgi: dx10.map(|dx10| dx10.format.get()),
        }
    }

    pub(super) fn store(&self, header: &mut Header) {
        header.pixel_flags = self.flags.into();
        header.four_cc = Tag(u32::from_le_bytes(self.four_cc).into());
        header.pixel_bits = self.bits.into();
        header.masks = self.masks.map(U32::new);
    }

    /// Whether a second header follows the first.
    pub(super) fn has_second_header(&self) -> bool {
        self.is_named() && &self.four_cc == b"DX10"
    }

    /// Whether colours were multiplied by alpha before they were stored.
    pub fn is_premultiplied(&self) -> bool {
        self.is_named() && matches!(&self.four_cc, b"DXT2" | b"DXT4")
    }

    /// What pixels are, if anybody knows.
    pub fn format(&self) -> Option<Format> {
        if let Some(dxgi) = self.dxgi {
            return by_number(dxgi);
        }
        if self.is_named() {
            return by_name(self.four_cc).map(Format::Blocks);
        }
        let [red, green, blue, alpha] = self.masks;
        let alpha = if self.has(flag::ALPHA_PIXELS | flag::ALPHA) { alpha } else { 0 };
        let masks = if self.has(flag::LUMINANCE) {
            [red, red, red, alpha]
        } else if self.has(flag::RGB) {
            [red, green, blue, alpha]
        } else if self.has(flag::ALPHA) {
            [0, 0, 0, alpha]
        } else {
            return None;
        };
        Plain::new(self.bits, masks).map(Format::Plain)
    }

    fn is_named(&self) -> bool {
        self.has(flag::FOUR_CC)
    }

    fn has(&self, flags: u32) -> bool {
        self.flags & flags != 0
    }
}

fn by_name(four_cc: [u8; 4]) -> Option<Coding> {
    Some(match &four_cc {
        b"DXT1" => Coding::Bc1 { cutout: true },
        b"DXT2" | b"DXT3" => Coding::Bc2,
        b"DXT4" | b"DXT5" => Coding::Bc3,
        b"ATI1" | b"BC4U" => Coding::Bc4 { signed: false },
        b"BC4S" => Coding::Bc4 { signed: true },
        b"ATI2" | b"BC5U" => Coding::Bc5 { signed: false },
        b"BC5S" => Coding::Bc5 { signed: true },
        _ => return None,
    })
}

/// The numbers of Direct3D, as far as their values have 8 bits or fewer, and their blocks.
fn by_number(dxgi: u32) -> Option<Format> {
    let blocks = |coding| Some(Format::Blocks(coding));
    let plain = |bits, masks| Plain::new(bits, masks).map(Format::Plain);
    match dxgi {
        27..=29 => plain(32, [0xff, 0xff00, 0xff_0000, 0xff00_0000]),
        48 | 49 => plain(16, [0xff, 0xff00, 0, 0]),
        60 | 61 => plain(8, [0xff, 0, 0, 0]),
        65 => plain(8, [0, 0, 0, 0xff]),
        70..=72 => blocks(Coding::Bc1 { cutout: true }),
        73..=75 => blocks(Coding::Bc2),
        76..=78 => blocks(Coding::Bc3),
        79 | 80 => blocks(Coding::Bc4 { signed: false }),
        81 => blocks(Coding::Bc4 { signed: true }),
        82 | 83 => blocks(Coding::Bc5 { signed: false }),
        84 => blocks(Coding::Bc5 { signed: true }),
        85 => plain(16, [0xf800, 0x7e0, 0x1f, 0]),
        86 => plain(16, [0x7c00, 0x3e0, 0x1f, 0x8000]),
        87 | 90 | 91 => plain(32, [0xff_0000, 0xff00, 0xff, 0xff00_0000]),
        88 | 92 | 93 => plain(32, [0xff_0000, 0xff00, 0xff, 0]),
        94..=96 => Some(Format::Wide),
        97..=99 => blocks(Coding::Bc7),
        115 => plain(16, [0xf00, 0xf0, 0xf, 0xf000]),
        _ => None,
    }
}
