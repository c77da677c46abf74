//! A frog's skin: 32 by 32 pixels with spots, in two palettes, the green of every day and that of an angry frog.

use galvani_ff7::tex::{Colour, Document, write};

/// Pixels of a side.
const SIDE: u32 = 32;

/// Shades of the skin; as many again are those of the spots.
const SHADES: u8 = 8;

/// The texture's bytes.
pub(super) fn skin() -> Vec<u8> {
    let indices = (0..SIDE * SIDE).map(|i| index(i % SIDE, i / SIDE)).collect();
    let palettes =
        [palette([0x38, 0x90, 0x30], [0x18, 0x50, 0x20]), palette([0xa0, 0x48, 0x30], [0x60, 0x10, 0x28])];
    let skin = Document::from_indices(SIDE, SIDE, &palettes, indices, false);
    skin.ok().and_then(|skin| write(&skin).ok()).unwrap_or_default()
}

/// Middle and size of every spot.
const SPOTS: [(u32, u32, u32); 6] =
    [(5, 6, 10), (16, 3, 5), (26, 9, 13), (10, 19, 8), (22, 24, 17), (30, 28, 4)];

/// Which colour a pixel has: a grain of shades, or a spot.
fn index(x: u32, y: u32) -> u8 {
    let grain = u8::try_from((x * 7 + y * 13 + x * y) % u32::from(SHADES)).unwrap_or(0);
    // The skin closes around the head, so spots do, too.
    let across = |a: u32, b: u32| a.abs_diff(b).min(SIDE - a.abs_diff(b));
    let spot = SPOTS.iter().any(|&(sx, sy, size)| across(x, sx).pow(2) + y.abs_diff(sy).pow(2) <= size);
    if spot { SHADES + grain } else { grain }
}

/// Shades of a colour, then of the spots' colour, each from red, green and blue.
fn palette(skin: [u8; 3], spots: [u8; 3]) -> Vec<Colour> {
    let shades = |[red, green, blue]: [u8; 3]| {
        (0..SHADES)
            .map(move |shade| Colour { bgra: [blue + shade * 3, green + shade * 5, red + shade * 4, 0xff] })
    };
    shades(skin).chain(shades(spots)).collect()
}
