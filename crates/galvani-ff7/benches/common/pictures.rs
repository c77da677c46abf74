//! Pictures of any size, with palettes and without.

use galvani_ff7::tex::{Colour, Document};
use zerocopy::little_endian::U32;

/// Two palettes of 256 colours.
pub(crate) fn paletted(side: u32) -> Document {
    let palette: Vec<Colour> = (0..=255).map(|i| Colour { bgra: [i, 255 - i, i / 2, 254 + i % 2] }).collect();
    let indices = (0..side * side).map(|i| (i * 31 + i / side * 7).to_le_bytes()[0]).collect();
    Document::from_indices(side, side, &[palette.clone(), palette], indices, true).unwrap()
}

/// The same size with five, six and five bits per pixel.
pub(crate) fn direct(side: u32) -> Document {
    let mut header = paletted(side).header;
    (header.has_palette, header.palettes, header.palette_entries) = (0.into(), 0.into(), 0.into());
    (header.bytes_per_pixel, header.bits_per_pixel) = (2.into(), 16.into());
    let words = |words: [u32; 4]| words.map(U32::new);
    (header.masks, header.shifts) = (words([0xf800, 0x07e0, 0x001f, 0]), words([11, 5, 0, 0]));
    (header.channel_bits, header.highest) = (words([5, 6, 5, 0]), words([31, 63, 31, 0]));
    let pixels = (0..side * side * 2).map(|i| (i * 31 + i / side).to_le_bytes()[0]).collect();
    Document { pixels, ..Document::with_header(header) }
}
