//! Where the levels of a picture lie.

use std::ops::Range;

use super::{Document, Format, Header};

/// Levels until every side is one pixel, whatever its size: those behind are all of one pixel.
pub(super) const MOST_SIZES: u32 = u32::BITS;

/// Levels of a picture down to a single pixel.
pub fn full_count(width: u32, height: u32) -> u32 {
    MOST_SIZES.saturating_sub(width.max(height).max(1).leading_zeros())
}

/// Width and height of a level; of a picture without pixels, none.
pub(super) fn level_size(header: &Header, level: usize) -> [u32; 2] {
    let shift = u32::try_from(level).unwrap_or(u32::MAX);
    let side = |side: u32| if side == 0 { 0 } else { side.checked_shr(shift).unwrap_or(0).max(1) };
    [side(header.width.get()), side(header.height.get())]
}

fn level_pixels(header: &Header, level: usize) -> u128 {
    let [width, height] = level_size(header, level);
    u128::from(width).saturating_mul(height.into())
}

/// Bytes of the first so many levels.
fn bytes_before(header: &Header, format: Format, level: u32) -> u128 {
    let sized = usize::try_from(level.min(MOST_SIZES)).unwrap_or(0);
    let pixels = (0..sized).map(|level| level_pixels(header, level)).fold(0, u128::saturating_add);
    let single =
        u128::from(level.saturating_sub(MOST_SIZES)).saturating_mul(level_pixels(header, usize::MAX));
    let bytes = u128::try_from(format.pixel_bytes()).unwrap_or(0);
    pixels.saturating_add(single).saturating_mul(bytes)
}

/// Bytes that all levels want.
pub(super) fn wanted_bytes(header: &Header, format: Format) -> u128 {
    bytes_before(header, format, header.mip_count.get())
}

impl Document {
    /// Width and height of a level, if the header counts it.
    pub fn level_size(&self, level: usize) -> Option<[u32; 2]> {
        let is_counted = u32::try_from(level).is_ok_and(|level| level < self.header.mip_count.get());
        is_counted.then(|| level_size(&self.header, level))
    }

    /// Where the bytes of a level lie among the pixels, if all of them are there.
    pub(super) fn level_range(&self, level: usize) -> Option<Range<usize>> {
        let number = u32::try_from(level).ok().filter(|&level| level < self.header.mip_count.get())?;
        let format = self.format()?;
        let start = usize::try_from(bytes_before(&self.header, format, number)).ok()?;
        let end = usize::try_from(bytes_before(&self.header, format, number.checked_add(1)?)).ok()?;
        (end <= self.pixels.len()).then_some(start..end)
    }

    /// The bytes of a level, if all of them are there.
    pub fn level(&self, level: usize) -> Option<&[u8]> {
        self.pixels.get(self.level_range(level)?)
    }
}
