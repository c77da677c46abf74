//! Pictures on surfaces, in several sizes.

use galvani_core::{Exhausted, Image, Meter, room};
use galvani_scene::{Filter, Wrap};
use glam::Vec4;

use crate::slope::{LANES, lanes};

/// A picture and what it becomes when it is looked at from afar, each half as large as the one before.
#[derive(Debug)]
pub(crate) struct Paint {
    levels: Vec<Image>,
}

impl Paint {
    /// Of a picture; nothing if it has no pixels, or not as many as it says.
    pub(crate) fn new(image: &Image, meter: &Meter) -> Result<Option<Self>, Exhausted> {
        let count = u64::from(image.width) * u64::from(image.height);
        if count == 0 || u64::try_from(image.rgba.len()) != Ok(count) {
            return Ok(None);
        }
        // All smaller ones together are a third of it.
        let bytes = count.saturating_mul(16) / 3;
        meter.result(&format!("{} × {} pixels in all sizes", image.width, image.height), bytes)?;
        let whole = Image { width: image.width, height: image.height, rgba: room::copied(&image.rgba)? };
        let mut levels = vec![whole];
        while let Some(last) = levels.last()
            && (last.width > 1 || last.height > 1)
        {
            levels.push(halved(last)?);
        }
        Ok(Some(Paint { levels }))
    }

    /// Pixels in a row of the whole picture, and rows.
    pub(crate) fn size(&self) -> [f32; 2] {
        self.levels.first().map_or([1.0; 2], |whole| [whole.width as f32, whole.height as f32])
    }

    /// The level whose pixels are about as large as samples, from the square of how many pixels of the picture lie between two.
    #[inline]
    pub(crate) fn level(&self, square: f32) -> usize {
        if square.is_nan() || square <= 2.0 {
            return 0;
        }
        // Half the exponent of two is the logarithm of the root; the square of the root of two rounds it.
        let exponent = ((square * 2.0).to_bits() >> 23) as usize;
        ((exponent.saturating_sub(127)) >> 1).min(self.levels.len() - 1)
    }

    /// The picture at places side by side, 0 to 1 being all of it; only those that are seen are looked at.
    #[inline]
    pub(crate) fn four(
        &self,
        level: usize,
        [u, v]: [Vec4; 2],
        (wrap, filter): ([Wrap; 2], Filter),
        seen: u32,
    ) -> [[u8; 4]; LANES] {
        let image = &self.levels[level];
        let x = fold(u, wrap[0]) * Vec4::splat(image.width as f32);
        let y = fold(v, wrap[1]) * Vec4::splat(image.height as f32);
        let mut pixels = [[0; 4]; LANES];
        if filter == Filter::Nearest && level == 0 {
            let (last_x, last_y) = (image.width as i32 - 1, image.height as i32 - 1);
            for lane in lanes(seen) {
                let (x, y) = ((x[lane] as i32).clamp(0, last_x), (y[lane] as i32).clamp(0, last_y));
                pixels[lane] = image.rgba[y as usize * image.width as usize + x as usize];
            }
            return pixels;
        }
        let (x, y) = ((x * Vec4::splat(256.0)).to_array(), (y * Vec4::splat(256.0)).to_array());
        for lane in lanes(seen) {
            // In steps of a 256th of a pixel, from the middle of the first.
            pixels[lane] = mixed(image, [x[lane] as i32 - 128, y[lane] as i32 - 128], wrap);
        }
        pixels
    }
}

/// What lies between four pixels.
#[inline]
fn mixed(image: &Image, [x, y]: [i32; 2], wrap: [Wrap; 2]) -> [u8; 4] {
    let row = |y: i32| y as usize * image.width as usize;
    let (left, right) = both(x >> 8, image.width as i32, wrap[0]);
    let (above, below) = both(y >> 8, image.height as i32, wrap[1]);
    let (left, right, above, below) = (left as usize, right as usize, row(above), row(below));
    let (part_x, part_y) = ((x & 255) as u64, (y & 255) as u64);
    let (rest_x, rest_y) = (256 - part_x, 256 - part_y);
    let pixels = &image.rgba;
    // Red and blue, green and alpha: two sums in a word, both half of what is cut off too large.
    let (mut even, mut odd) = (HALVES, HALVES);
    for (pixel, weight) in [
        (pixels[above + left], rest_x * rest_y),
        (pixels[above + right], part_x * rest_y),
        (pixels[below + left], rest_x * part_y),
        (pixels[below + right], part_x * part_y),
    ] {
        let bits = u64::from(u32::from_le_bytes(pixel));
        even += ((bits & 0xff) | (bits & 0xff_0000) << 16) * weight;
        odd += ((bits >> 8 & 0xff) | (bits & 0xff00_0000) << 8) * weight;
    }
    [(even >> 16) as u8, (odd >> 16) as u8, (even >> 48) as u8, (odd >> 48) as u8]
}

/// Half of 65536, in either half of a word.
const HALVES: u64 = 1 << 15 | 1 << 47;

/// Where places lie within the picture, whatever is beyond its edges.
#[inline]
fn fold(at: Vec4, wrap: Wrap) -> Vec4 {
    match wrap {
        Wrap::Repeat => at - at.floor(),
        Wrap::Clamp => {
            let at = Vec4::select(at.cmplt(Vec4::ZERO), Vec4::ZERO, at);
            Vec4::select(at.cmpgt(Vec4::ONE), Vec4::ONE, at)
        }
        Wrap::Mirror => {
            let two = Vec4::splat(2.0);
            let twice = at - (at * Vec4::splat(0.5)).floor() * two;
            Vec4::select(twice.cmpgt(Vec4::ONE), two - twice, twice)
        }
    }
}

/// A pixel of a row and the next, within it.
#[inline]
fn both(first: i32, count: i32, wrap: Wrap) -> (i32, i32) {
    let second = first + 1;
    if wrap == Wrap::Repeat {
        let first = if first < 0 { count - 1 } else { first.min(count - 1) };
        (first, if second >= count { 0 } else { second })
    } else {
        (first.clamp(0, count - 1), second.clamp(0, count - 1))
    }
}

/// Half as wide and high. What is transparent has no colour to give.
fn halved(image: &Image) -> Result<Image, Exhausted> {
    let (width, height) = ((image.width / 2).max(1), (image.height / 2).max(1));
    let mut rgba = room::with_capacity(width as usize * height as usize)?;
    let at = |x: u32, y: u32| {
        let (x, y) = (x.min(image.width - 1), y.min(image.height - 1));
        image.rgba[y as usize * image.width as usize + x as usize]
    };
    for y in 0..height {
        for x in 0..width {
            let (x, y) = (2 * x, 2 * y);
            rgba.push(mean([at(x, y), at(x + 1, y), at(x, y + 1), at(x + 1, y + 1)]));
        }
    }
    Ok(Image { width, height, rgba })
}

/// The mean of four pixels, each counting by its alpha.
fn mean(four: [[u8; 4]; 4]) -> [u8; 4] {
    let alpha: u32 = four.iter().map(|pixel| u32::from(pixel[3])).sum();
    if alpha == 0 {
        let plain = |i: usize| (four.iter().map(|pixel| u32::from(pixel[i])).sum::<u32>() + 2) / 4;
        return [plain(0) as u8, plain(1) as u8, plain(2) as u8, 0];
    }
    let channel = |i: usize| {
        let sum: u32 = four.iter().map(|pixel| u32::from(pixel[i]) * u32::from(pixel[3])).sum();
        ((sum + alpha / 2) / alpha) as u8
    };
    [channel(0), channel(1), channel(2), ((alpha + 2) / 4) as u8]
}

#[cfg(test)]
mod tests {
    use super::*;

    const A: [u8; 4] = [200, 0, 0, 255];
    const B: [u8; 4] = [0, 100, 0, 255];

    /// A picture of two pixels side by side.
    fn pair() -> Paint {
        let image = Image { width: 2, height: 1, rgba: vec![A, B] };
        Paint::new(&image, &Meter::unlimited()).unwrap().unwrap()
    }

    /// What that picture is at a place.
    fn at(u: f32, v: f32, wrap: [Wrap; 2], filter: Filter) -> [u8; 4] {
        pair().four(0, [u, v].map(Vec4::splat), (wrap, filter), 1)[0]
    }

    #[test]
    fn beyond_the_edges_is_what_the_wrap_says() {
        let at = |u: f32, wrap| at(u, 0.5, [wrap, Wrap::Repeat], Filter::Nearest);
        assert_eq!([0.1, 0.9, 1.1, -0.1].map(|u| at(u, Wrap::Repeat)), [A, B, A, B]);
        assert_eq!([0.1, 0.9, 1.1, -0.1].map(|u| at(u, Wrap::Clamp)), [A, B, B, A]);
        assert_eq!([0.1, 0.9, 1.1, -0.1].map(|u| at(u, Wrap::Mirror)), [A, B, B, A]);
        assert_eq!([1.9, 2.1, -1.9].map(|u| at(u, Wrap::Mirror)), [A, A, A]);
    }

    #[test]
    fn between_two_pixels_lies_their_mean() {
        let at = |u: f32, wrap| at(u, 0.5, [wrap, Wrap::Clamp], Filter::Linear);
        assert_eq!(at(0.25, Wrap::Repeat), A);
        assert_eq!(at(0.5, Wrap::Repeat), [100, 50, 0, 255]);
        assert_eq!(at(0.0, Wrap::Repeat), [100, 50, 0, 255]);
        assert_eq!(at(0.0, Wrap::Clamp), A);
    }

    #[test]
    fn a_place_that_is_no_number_is_some_pixel() {
        for wrap in [Wrap::Repeat, Wrap::Clamp, Wrap::Mirror] {
            for number in [f32::NAN, f32::INFINITY, -f32::INFINITY, f32::MAX, f32::MIN] {
                for filter in [Filter::Linear, Filter::Nearest] {
                    let _some = at(number, number, [wrap; 2], filter);
                }
            }
        }
    }

    #[test]
    fn sizes_halve_and_transparency_has_no_colour() {
        let clear = [9, 9, 9, 0];
        let image = Image { width: 2, height: 2, rgba: vec![A, clear, clear, A] };
        let paint = Paint::new(&image, &Meter::unlimited()).unwrap().unwrap();
        assert_eq!((paint.levels.len(), paint.levels[1].rgba[0]), (2, [200, 0, 0, 128]));
        assert_eq!(
            [0.0, 1.0, 2.1, 8.0, 1e30, f32::NAN].map(|square| paint.level(square)),
            [0, 0, 1, 1, 1, 0]
        );
    }

    #[test]
    fn what_is_no_picture_is_none() {
        let image = Image { width: 2, height: 2, rgba: vec![A] };
        assert!(Paint::new(&image, &Meter::unlimited()).unwrap().is_none());
    }
}
