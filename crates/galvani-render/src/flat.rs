//! Pictures that are no models: textures, as they are or as large as fits.

use galvani_core::{Exhausted, Image, Meter, Path, room};

use crate::MOST_SIDE;
use crate::check::{NOTHING, RenderError, SIZE};
use crate::stage::Background;

/// A picture in the middle of one of another size, as large as fits. What it takes is charged first.
pub fn flat(
    image: &Image,
    (width, height): (u32, u32),
    background: Background,
    meter: &Meter,
) -> Result<Image, RenderError> {
    let count = u64::from(image.width) * u64::from(image.height);
    if count == 0 || u64::try_from(image.rgba.len()) != Ok(count) {
        return Err(NOTHING.at(Path::root()).into());
    }
    let is_usual = (1..=MOST_SIDE).contains(&width) && (1..=MOST_SIDE).contains(&height);
    if !is_usual && (width, height) != (image.width, image.height) {
        return Err(SIZE.at(Path::root()).saying(format!("{width} × {height} pixels")).into());
    }
    let pixels = u64::from(width) * u64::from(height);
    meter.result(&format!("a picture of {width} × {height} pixels"), pixels * 4)?;
    let under = match background {
        Background::Transparent => [0; 4],
        Background::Plain([r, g, b]) => [r, g, b, u8::MAX],
    };
    let mut rgba = room::filled(under, pixels as usize)?;
    let (wide, high) = fitting((image.width, image.height), (width, height));
    let (left, top) = ((width - wide) as usize / 2, (height - high) as usize / 2);
    let (columns, rows) = (shares(image.width, wide)?, shares(image.height, high)?);
    for (line, rows) in rgba.chunks_exact_mut(width as usize).skip(top).zip(&rows) {
        for (pixel, columns) in line.iter_mut().skip(left).zip(&columns) {
            *pixel = over(mean(image, *columns, *rows), *pixel);
        }
    }
    Ok(Image { width, height, rgba })
}

/// The largest size of that shape which fits.
fn fitting((width, height): (u32, u32), most: (u32, u32)) -> (u32, u32) {
    let [w, h, most_w, most_h] = [width, height, most.0, most.1].map(u64::from);
    let side = |of: u64, times: u64, by: u64| ((of * times + by / 2) / by).max(1) as u32;
    if w * most_h <= h * most_w { (side(w, most_h, h), most.1) } else { (most.0, side(h, most_w, w)) }
}

/// The first pixel that each of so many stands for, and the one behind its last.
fn shares(of: u32, count: u32) -> Result<Vec<(usize, usize)>, Exhausted> {
    let (of, count) = (u64::from(of), u64::from(count));
    let mut shares = room::with_capacity(count as usize)?;
    shares.extend((0..count).map(|i| ((i * of / count) as usize, ((i + 1) * of).div_ceil(count) as usize)));
    if of < count {
        // Enlarged pixels keep their edges.
        for (first, end) in &mut shares {
            *end = *first + 1;
        }
    }
    Ok(shares)
}

/// The mean of some pixels, each counting by its alpha.
fn mean(image: &Image, columns: (usize, usize), rows: (usize, usize)) -> [u8; 4] {
    let (mut colors, mut alphas, mut count) = ([0_u64; 3], 0_u64, 0_u64);
    for row in image.rgba.chunks_exact(image.width as usize).take(rows.1).skip(rows.0) {
        for [r, g, b, a] in &row[columns.0..columns.1] {
            let alpha = u64::from(*a);
            for (sum, channel) in colors.iter_mut().zip([r, g, b]) {
                *sum += u64::from(*channel) * alpha;
            }
            (alphas, count) = (alphas + alpha, count + 1);
        }
    }
    if count == 1 {
        return image.rgba[rows.0 * image.width as usize + columns.0];
    }
    let [r, g, b] = colors.map(|sum| (sum + alphas / 2).checked_div(alphas).unwrap_or(0) as u8);
    [r, g, b, ((alphas + count / 2) / count) as u8]
}

/// A pixel before another, which is opaque or nothing.
fn over(pixel: [u8; 4], under: [u8; 4]) -> [u8; 4] {
    let [_, _, _, alpha] = pixel.map(u32::from);
    if under[3] == 0 {
        return pixel;
    }
    let mix =
        |i: usize| ((u32::from(pixel[i]) * alpha + u32::from(under[i]) * (255 - alpha) + 127) / 255) as u8;
    [mix(0), mix(1), mix(2), under[3]]
}

#[cfg(test)]
mod tests {
    use super::*;

    const RED: [u8; 4] = [200, 0, 0, 255];
    const CLEAR: [u8; 4] = [9, 9, 9, 0];

    /// A picture of two pixels side by side, in that size.
    fn pair(size: (u32, u32), background: Background) -> Vec<[u8; 4]> {
        let image = Image { width: 2, height: 1, rgba: vec![RED, CLEAR] };
        flat(&image, size, background, &Meter::unlimited()).unwrap().rgba
    }

    #[test]
    fn in_its_own_size_it_is_what_it_was() {
        assert_eq!(pair((2, 1), Background::Transparent), [RED, CLEAR]);
        assert_eq!(pair((2, 1), Background::Plain([1, 2, 3])), [RED, [1, 2, 3, 255]]);
    }

    #[test]
    fn it_stands_in_the_middle_and_its_pixels_have_edges() {
        let large = pair((4, 4), Background::Transparent);
        let row = [RED, RED, CLEAR, CLEAR];
        assert_eq!(large, [[[0; 4]; 4], row, row, [[0; 4]; 4]].concat());
    }

    #[test]
    fn what_is_transparent_has_no_colour_to_give() {
        assert_eq!(pair((1, 1), Background::Transparent), [[200, 0, 0, 128]]);
        assert_eq!(pair((1, 1), Background::Plain([0, 100, 0])), [[100, 50, 0, 255]]);
    }

    #[test]
    fn shapes_are_kept() {
        let of = [fitting((2, 1), (100, 100)), fitting((3, 9), (30, 30)), fitting((1000, 1), (10, 10))];
        assert_eq!(of, [(100, 50), (10, 30), (10, 1)]);
    }

    #[test]
    fn sizes_of_nothing_and_pictures_of_nothing_are_refused() {
        let of = |image: &Image, size| {
            flat(image, size, Background::Transparent, &Meter::unlimited())
                .map_err(|error| error.cause.code.name)
        };
        let one = Image { width: 1, height: 1, rgba: vec![RED] };
        assert_eq!(of(&one, (0, 1)), Err("render.size"));
        assert_eq!(of(&one, (1, 8193)), Err("render.size"));
        assert_eq!(of(&Image { width: 0, height: 1, rgba: Vec::new() }, (1, 1)), Err("render.nothing"));
        assert_eq!(of(&Image { width: 9, ..one }, (1, 1)), Err("render.nothing"));
    }
}
