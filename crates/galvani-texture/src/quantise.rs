//! Pictures of many colours as indices of few.

use std::collections::{BTreeMap, BTreeSet};

use color_quant::NeuQuant;
use galvani_core::Image;

use crate::numbers::count;

/// Colours of a palette at most: what an index of one byte can name.
pub const MOST_COLOURS: usize = 256;

/// One in so many pixels that the quantiser learns from: all of them, for the best palette.
const SAMPLES: i32 = 1;

/// What to do about colours that a palette does not have.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Dither {
    /// The nearest for each pixel by itself.
    #[default]
    None,
    /// The nearest, what is missing being handed on to the pixels around (Floyd and Steinberg).
    Diffuse,
}

/// The palette of a picture: its own colours where there are at most 256, else as many that come near them all.
/// Alpha does not count.
pub fn palette(image: &Image) -> Vec<[u8; 3]> {
    let mut own = BTreeSet::new();
    for &[red, green, blue, _] in &image.rgba {
        own.insert([red, green, blue]);
        if own.len() > MOST_COLOURS {
            return quantised(image);
        }
    }
    own.into_iter().collect()
}

fn quantised(image: &Image) -> Vec<[u8; 3]> {
    let opaque: Vec<[u8; 4]> =
        image.rgba.iter().map(|&[red, green, blue, _]| [red, green, blue, 255]).collect();
    let map = NeuQuant::new(SAMPLES, MOST_COLOURS, opaque.as_flattened()).color_map_rgb();
    let mut colours = map.as_chunks::<3>().0.to_vec();
    colours.sort_unstable();
    colours.dedup();
    colours
}

/// The index of every pixel in a palette.
pub fn indices(image: &Image, palette: &[[u8; 3]], dither: Dither) -> Vec<u8> {
    let mut known = BTreeMap::new();
    let mut index = |colour: [u8; 3]| *known.entry(colour).or_insert_with(|| nearest(palette, colour));
    match dither {
        Dither::None => image.rgba.iter().map(|&[red, green, blue, _]| index([red, green, blue])).collect(),
        Dither::Diffuse => diffused(image, palette, index),
    }
}

/// The index whose colour comes nearest; of several the first.
fn nearest(palette: &[[u8; 3]], wanted: [u8; 3]) -> u8 {
    let distance = |colour: &[u8; 3]| {
        let squares = colour.iter().zip(wanted).map(|(&a, b)| u32::from(a.abs_diff(b)).saturating_pow(2));
        squares.sum::<u32>()
    };
    let all = (0..=u8::MAX).zip(palette);
    all.min_by_key(|(_, colour)| distance(colour)).map_or(0, |(index, _)| index)
}

/// What a pixel is to show more than it has, by channel, in sixteenths.
type Debt = [i32; 3];

fn diffused(image: &Image, palette: &[[u8; 3]], mut index: impl FnMut([u8; 3]) -> u8) -> Vec<u8> {
    let row_len = count(image.width);
    let mut indices = Vec::with_capacity(image.rgba.len());
    // One more on either side, so that edges need no rule of their own.
    let room = row_len.saturating_add(2);
    let (mut here, mut below) = (vec![Debt::default(); room], vec![Debt::default(); room]);
    for row in image.rgba.chunks(row_len.max(1)) {
        for (x, &pixel) in (1_usize..).zip(row) {
            let wanted = indebted(pixel, here.get(x).copied().unwrap_or_default());
            let found = index(wanted);
            indices.push(found);
            let shown = palette.get(usize::from(found)).copied().unwrap_or_default();
            let owe = |row: &mut [Debt], at: usize, share: i32| {
                let debts = row.get_mut(at).into_iter().flatten();
                for ((debt, wanted), shown) in debts.zip(wanted).zip(shown) {
                    let missing = i32::from(wanted).saturating_sub(shown.into());
                    *debt = debt.saturating_add(missing.saturating_mul(share));
                }
            };
            owe(&mut here, x.saturating_add(1), 7);
            owe(&mut below, x.saturating_sub(1), 3);
            owe(&mut below, x, 5);
            owe(&mut below, x.saturating_add(1), 1);
        }
        here.fill(Debt::default());
        std::mem::swap(&mut here, &mut below);
    }
    indices
}

fn indebted([red, green, blue, _]: [u8; 4], [r, g, b]: Debt) -> [u8; 3] {
    let paid = |value: u8, debt: i32| {
        let sum = i32::from(value).saturating_add(debt.saturating_add(8).div_euclid(16));
        u8::try_from(sum.clamp(0, 255)).unwrap_or(u8::MAX)
    };
    [paid(red, r), paid(green, g), paid(blue, b)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(image: &Image, dither: Dither) -> Vec<[u8; 3]> {
        let palette = palette(image);
        indices(image, &palette, dither).iter().map(|&index| palette[usize::from(index)]).collect()
    }

    #[test]
    fn few_colours_are_kept_exactly_whatever_their_alpha() {
        let rgba: Vec<[u8; 4]> = (0..=255).map(|i| [i, 255 - i, i / 2, i]).collect();
        let image = Image { width: 16, height: 16, rgba };
        let wanted: Vec<[u8; 3]> = image.rgba.iter().map(|&[r, g, b, _]| [r, g, b]).collect();
        assert_eq!(shown(&image, Dither::None), wanted);
        assert_eq!(shown(&image, Dither::Diffuse), wanted);
    }

    #[test]
    fn dithering_keeps_the_mean_that_the_nearest_colour_loses() {
        let image = Image { width: 32, height: 32, rgba: vec![[64, 64, 64, 255]; 1024] };
        let palette = [[0; 3], [255; 3]];
        let mean = |dither| {
            let shown = indices(&image, &palette, dither)
                .iter()
                .map(|&index| usize::from(index) * 255)
                .sum::<usize>();
            shown / 1024
        };
        assert_eq!(mean(Dither::None), 0);
        assert!(mean(Dither::Diffuse).abs_diff(64) < 3, "{}", mean(Dither::Diffuse));
    }
}
