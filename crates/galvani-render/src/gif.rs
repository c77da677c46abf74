//! Pictures that follow each other as a GIF file: 255 colours of all of them together, and nothing.

use galvani_core::{Image, Path, room};
use gif::{DisposalMethod, Encoder, EncodingError, Frame, Repeat};

use crate::check::{ENCODING, RenderError};
use crate::palette::{Palette, THERE};

/// Pictures of one size that follow each other for ever, each shown until a time in milliseconds from the first.
pub fn gif(frames: &[(Image, u32)]) -> Result<Vec<u8>, RenderError> {
    let (width, height) = frames.first().map_or((0, 0), |(image, _)| (image.width, image.height));
    let [wide, high] = [width, height].map(|side| u16::try_from(side).unwrap_or(u16::MAX));
    let palette = Palette::new(frames)?;
    let is_opaque = frames.iter().all(|(image, _)| image.rgba.iter().all(|pixel| pixel[3] >= THERE));
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, wide, high, &palette.colors).map_err(wrong)?;
    encoder.set_repeat(Repeat::Infinite).map_err(wrong)?;
    let (mut start, mut before): (u32, Option<Vec<u8>>) = (0, None);
    for (image, end) in frames {
        let mut pixels = room::with_capacity(image.rgba.len())?;
        pixels.extend(image.rgba.iter().map(|pixel| palette.index(*pixel)));
        // What is opaque stays until it changes; what may be nothing is drawn anew.
        let is_new = |i: usize| match &before {
            Some(before) if is_opaque => before[i] != pixels[i],
            None if is_opaque => true,
            _ => pixels[i] != palette.nothing,
        };
        let (left, top, columns, rows) = bounds(width as usize, height as usize, is_new);
        let cut = |row: usize| {
            let from = (top + row) * width as usize + left;
            pixels[from..from + columns].to_vec()
        };
        // Hundredths of a second, of which none is lost on the way.
        let delay = ((end + 5) / 10).saturating_sub((start + 5) / 10).min(u32::from(u16::MAX)) as u16;
        let frame = Frame {
            delay,
            dispose: if is_opaque { DisposalMethod::Keep } else { DisposalMethod::Background },
            transparent: (!is_opaque).then_some(palette.nothing),
            left: left as u16,
            top: top as u16,
            width: columns as u16,
            height: rows as u16,
            buffer: (0..rows).flat_map(cut).collect::<Vec<u8>>().into(),
            ..Frame::default()
        };
        encoder.write_frame(&frame).map_err(wrong)?;
        (start, before) = (*end, Some(pixels));
    }
    drop(encoder);
    Ok(file)
}

#[allow(clippy::needless_pass_by_value, reason = "as `map_err` gives it")]
fn wrong(error: EncodingError) -> RenderError {
    ENCODING.at(Path::root()).saying(error.to_string()).into()
}

/// The least box that holds all of these pixels: left, top, width and height; one pixel if there are none.
fn bounds(width: usize, height: usize, holds: impl Fn(usize) -> bool) -> (usize, usize, usize, usize) {
    let (mut left, mut top, mut right, mut bottom) = (width, height, 0, 0);
    for y in 0..height {
        for x in (0..width).filter(|x| holds(y * width + x)) {
            (left, right) = (left.min(x), right.max(x + 1));
            (top, bottom) = (top.min(y), y + 1);
        }
    }
    if right == 0 { (0, 0, 1, 1) } else { (left, top, right - left, bottom - top) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_least_box_holds_what_is_new() {
        let new = [7, 13];
        assert_eq!(bounds(5, 4, |i| new.contains(&i)), (2, 1, 2, 2));
        assert_eq!(bounds(5, 4, |_| false), (0, 0, 1, 1));
    }
}
