//! The boat's textures: ruled paper, and light on black.

use galvani_ff7::tex::{Colour, Document, write};

/// Pixels of a side.
const SIDE: u32 = 32;

/// Shades of each palette.
const SHADES: u8 = 16;

/// Paper with blue lines and a red margin, a little crumpled.
pub(super) fn paper() -> Vec<u8> {
    const LINE: u8 = SHADES;
    const MARGIN: u8 = SHADES + 1;
    let shade = |i: u8| [0xd8 + i, 0xe0 + i, 0xe8 + i, 0xff];
    let mut palette: Vec<Colour> = (0..SHADES).map(|i| Colour { bgra: shade(i) }).collect();
    palette.extend([[0xd8, 0xb0, 0x98, 0xff], [0x80, 0x78, 0xd8, 0xff]].map(|bgra| Colour { bgra }));
    texture(palette, |x, y| match (x, y % 6) {
        (5, _) => MARGIN,
        (_, 3) => LINE,
        _ => u8::try_from((x * 7 + y * 13 + x * y / 3) % 8 + (x + y) / 8).unwrap_or(0),
    })
}

/// Warm light, less of it towards the edge.
pub(super) fn glow() -> Vec<u8> {
    let shade = |i: u8| [i * 8, i * 13, i * 17, 0xff];
    let palette = (0..SHADES).map(|i| Colour { bgra: shade(i) }).collect();
    texture(palette, |x, y| {
        let off = |at: u32| (2 * at + 1).abs_diff(SIDE);
        let far = (off(x).pow(2) + off(y).pow(2)).min(SIDE.pow(2));
        u8::try_from((SIDE.pow(2) - far) * 15 / SIDE.pow(2)).unwrap_or(0)
    })
}

fn texture(palette: Vec<Colour>, index: impl Fn(u32, u32) -> u8) -> Vec<u8> {
    let indices = (0..SIDE * SIDE).map(|i| index(i % SIDE, i / SIDE)).collect();
    let made = Document::from_indices(SIDE, SIDE, &[palette], indices, false);
    made.ok().and_then(|made| write(&made).ok()).unwrap_or_default()
}
