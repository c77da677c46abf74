//! Pictures as the game shows them, in the numbers that they have (docs/formats/mdx.md#scene-pictures).

use galvani_core::{Exhausted, Image, image, room};

/// Pixels of a side of the glow that a team has.
const GLOW: u8 = 64;

/// How much of a pixel's brightness red, green and blue are, in parts of 10000.
const LUMINANCE: [u32; 3] = [2126, 7152, 722];

/// A picture over a colour, by its alpha times another; none of the colour shines through what is left.
pub(super) fn over(image: &Image, color: [u8; 3], alpha: u8) -> Result<Image, Exhausted> {
    each(image, |[red, green, blue, own]| {
        let part = scaled(own, alpha);
        let [r, g, b] = [(red, color[0]), (green, color[1]), (blue, color[2])]
            .map(|(above, below)| mixed(below, above, part));
        [r, g, b, u8::MAX]
    })
}

/// A picture that is added to what is behind it: its brightness becomes its alpha.
pub(super) fn added(picture: &Image) -> Result<Image, Exhausted> {
    each(picture, image::added)
}

/// A picture that is multiplied with what is behind it: its darkness becomes its alpha.
pub(super) fn multiplied(image: &Image) -> Result<Image, Exhausted> {
    each(image, |[red, green, blue, _]| {
        let parts = [red, green, blue].into_iter().zip(LUMINANCE);
        let bright: u32 = parts.map(|(part, weight)| u32::from(part) * weight).sum();
        [0, 0, 0, u8::MAX - divided(bright, 10_000)]
    })
}

/// A picture whose colours are the team's where another one's alpha says so.
pub(super) fn masked(image: &Image, mask: &Image, team: [u8; 3]) -> Result<Image, Exhausted> {
    let mut made = each(image, |pixel| pixel)?;
    let (wide, high) = (image.width.max(1), image.height.max(1));
    for (i, pixel) in (0_u32..).zip(&mut made.rgba) {
        let near = |at: u32, of: u32, len: u32| u64::from(at) * u64::from(len) / u64::from(of);
        let (x, y) = (near(i % wide, wide, mask.width), near(i / wide, high, mask.height));
        let place = usize::try_from(y * u64::from(mask.width) + x).unwrap_or(usize::MAX);
        let [.., part] = mask.rgba.get(place).copied().unwrap_or([0; 4]);
        for (own, team) in pixel.iter_mut().zip(team) {
            *own = mixed(*own, scaled(*own, team), part);
        }
    }
    Ok(made)
}

/// Directions of which only two parts are stored: the third is what makes their length 1.
pub(super) fn directions(image: &Image) -> Result<Image, Exhausted> {
    each(image, |[x, y, _, _]| {
        let [a, b] = [x, y].map(|part| i32::from(part) * 2 - 255);
        let rest = (255 * 255 - a * a - b * b).max(0).isqrt();
        [x, y, u8::try_from(i32::midpoint(rest, 255)).unwrap_or(u8::MAX), u8::MAX]
    })
}

/// A spot of a colour that fades towards its edge, on black.
pub(super) fn glow(color: [u8; 3]) -> Image {
    let off = |at: u8| (2 * i32::from(at) + 1 - i32::from(GLOW)).pow(2);
    let edge = i32::from(GLOW).pow(2);
    let pixel = |x: u8, y: u8| {
        let bright = u8::try_from((edge - off(x) - off(y)).max(0) * 255 / edge).unwrap_or(u8::MAX);
        let [r, g, b] = color.map(|part| scaled(part, bright));
        [r, g, b, u8::MAX]
    };
    let rgba = (0..GLOW).flat_map(|y| (0..GLOW).map(move |x| pixel(x, y))).collect();
    Image { width: GLOW.into(), height: GLOW.into(), rgba }
}

fn each(image: &Image, pixel: impl Fn([u8; 4]) -> [u8; 4]) -> Result<Image, Exhausted> {
    let rgba = room::collected(image.rgba.iter().map(|one| pixel(*one)))?;
    Ok(Image { width: image.width, height: image.height, rgba })
}

/// A byte times a part of 255.
fn scaled(byte: u8, part: u8) -> u8 {
    divided(u32::from(byte) * u32::from(part), 255)
}

/// So much of the second that it covers the first.
fn mixed(below: u8, above: u8, part: u8) -> u8 {
    let rest = u32::from(u8::MAX - part);
    divided(u32::from(above) * u32::from(part) + u32::from(below) * rest, 255)
}

/// A quotient to the nearest, at most 255; nothing of nothing is nothing.
fn divided(number: u32, by: u32) -> u8 {
    let whole = number.saturating_add(by / 2).checked_div(by).unwrap_or(0);
    u8::try_from(whole).unwrap_or(u8::MAX)
}
