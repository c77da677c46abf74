//! Blocks → pixels.
//!
//! Colours between two others are whole numbers rounded down, which is one of the ways that hardware and libraries
//! round; all are within 1 of each other (docs/formats/dds.md#rounding).

use dds::{ColorFormat, DecodeOptions, Format, ImageViewMut, Size};
use galvani_core::{Exhausted, Image, room};

use super::{Coding, blocks_across};
use crate::numbers::{count, low};

/// The pixels of a block, row by row.
type Pixels = [[u8; 4]; 16];

/// The picture that blocks show, row of blocks by row of blocks. Where blocks are missing it is transparent black.
///
/// The caller has held the size against a limit.
pub fn decode(coding: Coding, width: u32, height: u32, blocks: &[u8]) -> Result<Image, Exhausted> {
    let pixels = count(width).saturating_mul(count(height));
    let mut rgba = room::filled([0; 4], pixels)?;
    match coding {
        Coding::Bc1 { cutout } => fill(&mut rgba, width, blocks, |block| bc1(block, cutout)),
        Coding::Bc2 => fill(&mut rgba, width, blocks, bc2),
        Coding::Bc3 => fill(&mut rgba, width, blocks, bc3),
        Coding::Bc4 { signed } => fill(&mut rgba, width, blocks, |block| bc4(block, signed)),
        Coding::Bc5 { signed } => fill(&mut rgba, width, blocks, |block| bc5(block, signed)),
        Coding::Bc7 => bc7(&mut rgba, width, height, blocks),
    }
    Ok(Image { width, height, rgba })
}

/// Puts every block in its place. Pixels of a block that lie outside the picture are not shown.
fn fill<const N: usize>(rgba: &mut [[u8; 4]], width: u32, blocks: &[u8], decode: impl Fn([u8; N]) -> Pixels) {
    let row_len = count(width).max(1);
    let (blocks, _) = blocks.as_chunks::<N>();
    let bands = rgba.chunks_mut(row_len.saturating_mul(4));
    for (band, blocks) in bands.zip(blocks.chunks(blocks_across(width).max(1))) {
        let mut rows = band.chunks_mut(row_len);
        let mut rows = [rows.next(), rows.next(), rows.next(), rows.next()]
            .map(|row| row.unwrap_or_default().chunks_mut(4));
        for block in blocks {
            let pixels = decode(*block);
            let (quads, _) = pixels.as_chunks::<4>();
            for (row, quad) in rows.iter_mut().zip(quads) {
                match row.next() {
                    Some([a, b, c, d]) => [*a, *b, *c, *d] = *quad,
                    Some(edge) => edge.iter_mut().zip(quad).for_each(|(to, from)| *to = *from),
                    None => {}
                }
            }
        }
    }
}

fn bc1(block: [u8; 8], cutout: bool) -> Pixels {
    let [c0, c1, c2, c3, indices @ ..] = block;
    let (first, second) = (u16::from_le_bytes([c0, c1]), u16::from_le_bytes([c2, c3]));
    let (a, b) = (colour(first), colour(second));
    let table = if first > second {
        four(a, b)
    } else {
        [a, b, mix(a, b, 1, 1), [0, 0, 0, if cutout { 0 } else { 255 }]]
    };
    pick(table, u32::from_le_bytes(indices))
}

/// The colours of blocks that have alpha of their own: always four.
fn colours(block: [u8; 8]) -> Pixels {
    let [c0, c1, c2, c3, indices @ ..] = block;
    let (a, b) = (colour(u16::from_le_bytes([c0, c1])), colour(u16::from_le_bytes([c2, c3])));
    pick(four(a, b), u32::from_le_bytes(indices))
}

fn bc2(block: [u8; 16]) -> Pixels {
    let (alpha, rest) = halves(block);
    let mut pixels = colours(rest);
    let mut bits = u64::from_le_bytes(alpha);
    for [.., alpha] in &mut pixels {
        let [byte, ..] = bits.to_le_bytes();
        *alpha = (byte & 15).wrapping_mul(17);
        bits >>= 4;
    }
    pixels
}

fn bc3(block: [u8; 16]) -> Pixels {
    let (alpha, rest) = halves(block);
    let mut pixels = colours(rest);
    for ([.., alpha], value) in pixels.iter_mut().zip(channel(alpha, false)) {
        *alpha = value;
    }
    pixels
}

fn bc4(block: [u8; 8], signed: bool) -> Pixels {
    channel(block, signed).map(|grey| [grey, grey, grey, 255])
}

fn bc5(block: [u8; 16], signed: bool) -> Pixels {
    let (red, green) = halves(block);
    let mut pixels = channel(red, signed).map(|red| [red, 0, 0, 255]);
    for ([_, green, ..], value) in pixels.iter_mut().zip(channel(green, signed)) {
        *green = value;
    }
    pixels
}

/// The crate that encodes these blocks also decodes them, faster than one by one. It stops where they end.
fn bc7(rgba: &mut [[u8; 4]], width: u32, height: u32, mut blocks: &[u8]) {
    let size = Size::new(width, height);
    if let Some(view) = ImageViewMut::new(rgba.as_flattened_mut(), size, ColorFormat::RGBA_U8) {
        let mut options = DecodeOptions::default();
        // The caller has held the size against a limit of its own.
        options.memory_limit = usize::MAX;
        // What it did not come to stays as it is.
        let _ = dds::decode(&mut blocks, view, Format::BC7_UNORM, &options);
    }
}

fn halves(block: [u8; 16]) -> ([u8; 8], [u8; 8]) {
    let [a, b, c, d, e, f, g, h, rest @ ..] = block;
    ([a, b, c, d, e, f, g, h], rest)
}

/// Five, six and five bits as bytes, their high bits repeated below.
fn colour(packed: u16) -> [u8; 4] {
    let packed = u32::from(packed);
    let (red, green, blue) = (packed >> 11, (packed >> 5) & 63, packed & 31);
    [low((red << 3) | (red >> 2)), low((green << 2) | (green >> 4)), low((blue << 3) | (blue >> 2)), 255]
}

/// Both colours and the two between them.
fn four(a: [u8; 4], b: [u8; 4]) -> [[u8; 4]; 4] {
    [a, b, mix(a, b, 2, 1), mix(a, b, 1, 2)]
}

/// A colour between two, rounded down.
fn mix(a: [u8; 4], b: [u8; 4], of_a: u16, of_b: u16) -> [u8; 4] {
    let ([ar, ag, ab, _], [br, bg, bb, _]) = (a, b);
    let weights = of_a.wrapping_add(of_b).max(1);
    let between = |a: u8, b: u8| {
        let sum = u16::from(a).wrapping_mul(of_a).wrapping_add(u16::from(b).wrapping_mul(of_b));
        low(u32::from(sum.checked_div(weights).unwrap_or(0)))
    };
    [between(ar, br), between(ag, bg), between(ab, bb), 255]
}

/// Two bits for each pixel, the lowest first.
fn pick(table: [[u8; 4]; 4], indices: u32) -> Pixels {
    let mut rest = indices;
    std::array::from_fn(|_| {
        let index = count(rest & 3);
        rest >>= 2;
        table.get(index).copied().unwrap_or_default()
    })
}

/// The values of one channel: three bits for each pixel, behind two ends.
fn channel(block: [u8; 8], signed: bool) -> [u8; 16] {
    let [first, second, i0, i1, i2, i3, i4, i5] = block;
    let table = if signed { signed_ramp(first, second) } else { ramp(first, second) };
    let mut rest = u64::from_le_bytes([i0, i1, i2, i3, i4, i5, 0, 0]);
    std::array::from_fn(|_| {
        let [index, ..] = rest.to_le_bytes();
        rest >>= 3;
        table.get(usize::from(index & 7)).copied().unwrap_or_default()
    })
}

/// Both ends and six values between them, or four and the ends of all values.
fn ramp(first: u8, second: u8) -> [u8; 8] {
    let (a, b) = (u16::from(first), u16::from(second));
    let between = |of_a: u16, of_b: u16, all: u16| {
        let sum = a.wrapping_mul(of_a).wrapping_add(b.wrapping_mul(of_b));
        low(u32::from(sum.checked_div(all).unwrap_or(0)))
    };
    let sevenths = |of_a: u16| between(of_a, 7_u16.wrapping_sub(of_a), 7);
    let fifths = |of_a: u16| between(of_a, 5_u16.wrapping_sub(of_a), 5);
    if first > second {
        [first, second, sevenths(6), sevenths(5), sevenths(4), sevenths(3), sevenths(2), sevenths(1)]
    } else {
        [first, second, fifths(4), fifths(3), fifths(2), fifths(1), 0, 255]
    }
}

/// The same between -127 and 127, shown as 0 to 255 and rounded to the nearest.
fn signed_ramp(first: u8, second: u8) -> [u8; 8] {
    let value = |byte: u8| i32::from(byte.cast_signed()).max(-127);
    let (a, b) = (value(first), value(second));
    let between = |of_a: i32, all: i32| {
        let sum = a.wrapping_mul(of_a).wrapping_add(b.wrapping_mul(all.wrapping_sub(of_a)));
        let above = sum.wrapping_add(all.wrapping_mul(127));
        let scale = all.wrapping_mul(254);
        let shown = above.wrapping_mul(255).wrapping_add(scale / 2).checked_div(scale).unwrap_or(0);
        u8::try_from(shown).unwrap_or(u8::MAX)
    };
    let ends = [between(1, 1), between(0, 1)];
    let [first, second] = ends;
    if a > b {
        let [c, d, e, f, g, h] = [6, 5, 4, 3, 2, 1].map(|of_a| between(of_a, 7));
        [first, second, c, d, e, f, g, h]
    } else {
        let [c, d, e, f] = [4, 3, 2, 1].map(|of_a| between(of_a, 5));
        [first, second, c, d, e, f, 0, 255]
    }
}
