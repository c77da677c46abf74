//! Mip levels: every picture half as large as the one before, down to a single pixel.

use galvani_core::Image;

use crate::numbers::{byte, count};

/// How many levels a picture is given.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Mips {
    /// All, down to a single pixel.
    #[default]
    Full,
    /// The picture itself and no smaller one.
    One,
}

/// The size of a level.
pub fn level_size(width: u32, height: u32, level: usize) -> (u32, u32) {
    let shift = u32::try_from(level).unwrap_or(u32::MAX);
    let side = |side: u32| side.checked_shr(shift).unwrap_or(0).max(1);
    (side(width), side(height))
}

/// Levels down to a single pixel.
pub fn full_count(width: u32, height: u32) -> usize {
    count(u32::BITS.saturating_sub(width.max(height).max(1).leading_zeros()))
}

/// A picture and its smaller levels, `most` in all.
pub fn chain(image: Image, most: usize) -> Vec<Image> {
    let levels = full_count(image.width, image.height).min(most.max(1));
    let mut chain = Vec::with_capacity(levels);
    chain.push(image);
    while chain.len() < levels
        && let Some(last) = chain.last()
    {
        chain.push(halved(last));
    }
    chain
}

/// A picture half as wide and half as high, at least one pixel: the mean of two by two.
///
/// Colours count as much as they can be seen; the colour of what cannot be seen at all would else bleed into
/// the edges.
pub fn halved(image: &Image) -> Image {
    let (width, height) = level_size(image.width, image.height, 1);
    let row_len = count(image.width).max(1);
    let mut rows = image.rgba.chunks(row_len);
    let mut rgba = Vec::with_capacity(count(width).saturating_mul(count(height)));
    for _ in 0..height {
        let Some(upper) = rows.next() else { break };
        let lower = if image.height > 1 { rows.next().unwrap_or(upper) } else { upper };
        if image.width == 1 {
            rgba.extend(upper.iter().zip(lower).map(|(&a, &b)| mean([a, a, b, b])));
        } else {
            let (pairs, below) = (upper.as_chunks::<2>().0, lower.as_chunks::<2>().0);
            rgba.extend(pairs.iter().zip(below).map(|(&[a, b], &[c, d])| mean([a, b, c, d])));
        }
    }
    Image { width, height, rgba }
}

/// The mean of four pixels, colours weighed by alpha, rounded to the nearest.
fn mean(pixels: [[u8; 4]; 4]) -> [u8; 4] {
    let alphas = pixels.map(|[.., alpha]| u32::from(alpha));
    let visible: u32 = alphas.iter().sum();
    let weights = if visible == 0 { [1; 4] } else { alphas };
    let all: u32 = weights.iter().sum();
    let channel = |of: fn([u8; 4]) -> u8| {
        let weighed =
            pixels.iter().zip(weights).map(|(&pixel, weight)| u32::from(of(pixel)).wrapping_mul(weight));
        let sum: u32 = weighed.sum();
        byte(sum.wrapping_add(all / 2).checked_div(all).unwrap_or(0))
    };
    let alpha = byte(visible.wrapping_add(2) / 4);
    [channel(|[red, ..]| red), channel(|[_, green, ..]| green), channel(|[_, _, blue, _]| blue), alpha]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_end_at_a_single_pixel() {
        assert_eq!(full_count(256, 8), 9);
        assert_eq!(full_count(1, 1), 1);
        assert_eq!(full_count(5, 3), 3);
        assert_eq!(level_size(256, 8, 5), (8, 1));
        assert_eq!(level_size(256, 8, 4_000_000_000), (1, 1));
        let image = Image { width: 5, height: 3, rgba: vec![[1, 2, 3, 4]; 15] };
        let sizes: Vec<_> =
            chain(image, 16).iter().map(|level| (level.width, level.height, level.rgba.len())).collect();
        assert_eq!(sizes, [(5, 3, 15), (2, 1, 2), (1, 1, 1)]);
    }

    #[test]
    fn what_cannot_be_seen_lends_no_colour() {
        let image = Image { width: 2, height: 1, rgba: vec![[200, 100, 50, 255], [0, 255, 0, 0]] };
        assert_eq!(halved(&image).rgba, [[200, 100, 50, 128]]);
        let unseen = Image { width: 2, height: 1, rgba: vec![[200, 100, 50, 0], [100, 0, 0, 0]] };
        assert_eq!(halved(&unseen).rgba, [[150, 50, 25, 0]]);
    }

    #[test]
    fn a_level_of_one_row_or_column_is_the_mean_of_two() {
        let rgba = vec![[10, 0, 0, 255], [20, 0, 0, 255], [30, 0, 0, 255], [40, 0, 0, 255]];
        let wide = Image { width: 4, height: 1, rgba };
        assert_eq!(halved(&wide).rgba, [[15, 0, 0, 255], [35, 0, 0, 255]]);
        let high = Image { width: 1, height: 4, ..wide };
        assert_eq!(halved(&high).rgba, [[15, 0, 0, 255], [35, 0, 0, 255]]);
    }
}
