//! How unlike two pictures are.

use super::Image;

/// What differs between two pictures of one size.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Difference {
    /// Pixels that are not the same.
    pub pixels: usize,
    /// The most that a channel is off.
    pub most: u8,
    /// Peak signal-to-noise ratio over all four channels, in decibels; infinite where nothing differs.
    pub psnr: f64,
}

/// What differs, or none where the sizes do.
pub fn difference(a: &Image, b: &Image) -> Option<Difference> {
    if (a.width, a.height, a.rgba.len()) != (b.width, b.height, b.rgba.len()) {
        return None;
    }
    let (mut pixels, mut most, mut squares) = (0_usize, 0, 0_u64);
    for (a, b) in a.rgba.iter().zip(&b.rgba).filter(|(a, b)| a != b) {
        pixels = pixels.saturating_add(1);
        for off in a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)) {
            most = most.max(off);
            squares = squares.saturating_add(u64::from(off).saturating_mul(off.into()));
        }
    }
    let values = a.rgba.len().saturating_mul(4);
    Some(Difference { pixels, most, psnr: psnr(squares, values) })
}

#[allow(clippy::cast_precision_loss, clippy::as_conversions, reason = "a ratio shown with two digits")]
fn psnr(squares: u64, values: usize) -> f64 {
    if squares == 0 {
        return f64::INFINITY;
    }
    let mean = squares as f64 / values as f64;
    10.0 * (255.0 * 255.0 / mean).log10()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_channel_off_by_one_is_one_pixel() {
        let a = Image { width: 2, height: 1, rgba: vec![[9, 9, 9, 9], [0, 0, 0, 0]] };
        let mut b = a.clone();
        assert_eq!(difference(&a, &b).map(|found| (found.pixels, found.most)), Some((0, 0)));
        assert!(difference(&a, &b).is_some_and(|found| found.psnr.is_infinite()));
        b.rgba[1][2] = 1;
        let found = difference(&a, &b).unwrap();
        assert_eq!((found.pixels, found.most), (1, 1));
        assert!((found.psnr - 10.0 * (255.0_f64 * 255.0 * 8.0).log10()).abs() < 1e-9);
        b.width = 1;
        assert_eq!(difference(&a, &b), None);
    }
}
