//! Numbers of pictures: sizes as counts, sums as bytes.

use galvani_core::{Exhausted, Image, room};

/// The low byte of a number.
pub(crate) fn low(number: u32) -> u8 {
    let [low, ..] = number.to_le_bytes();
    low
}

/// A number as a byte, at most 255.
pub(crate) fn byte(number: u32) -> u8 {
    u8::try_from(number).unwrap_or(u8::MAX)
}

/// A number as a count of things in memory.
pub(crate) fn count(number: u32) -> usize {
    usize::try_from(number).unwrap_or(usize::MAX)
}

/// How many pixels a picture of this size has.
pub(crate) fn area(width: u32, height: u32) -> u64 {
    u64::from(width).saturating_mul(height.into())
}

/// How many pixels a picture of this size has, if that is at least one and no more than so many.
pub(crate) fn pixels_within(width: u32, height: u32, most: u64) -> Option<usize> {
    let area = area(width, height);
    (area > 0 && area <= most).then(|| usize::try_from(area).ok()).flatten()
}

/// Fails where there is no room for so many copies of a picture: what encoders make on their way, which cannot say so
/// themselves.
pub(crate) fn room_to_encode(image: &Image, copies: usize) -> Result<(), Exhausted> {
    room::probe(size_of_val(image.rgba.as_slice()).saturating_mul(copies))
}

/// A copy of a picture.
pub(crate) fn copied(image: &Image) -> Result<Image, Exhausted> {
    Ok(Image { width: image.width, height: image.height, rgba: room::copied(&image.rgba)? })
}

/// Whether a picture has a pixel, and as many as its size says.
pub(crate) fn is_whole(image: &Image) -> bool {
    let pixels = u64::try_from(image.rgba.len()).unwrap_or(u64::MAX);
    pixels > 0 && pixels == area(image.width, image.height)
}
