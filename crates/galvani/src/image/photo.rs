//! Pictures as the web has them: JPEG and WebP.

use std::io::Cursor;

use galvani_core::image::MOST_PIXELS;
use galvani_core::{EditError, Image, Meter, Path, room};
use image_webp::WebPDecoder;
use zune_core::bytestream::ZCursor;
use zune_core::colorspace::ColorSpace;
use zune_core::options::DecoderOptions;
use zune_jpeg::JpegDecoder;

use crate::{budget, codes};

/// Longest side of a picture that is decoded.
const MOST_SIDE: usize = 65_535;

/// Whether a file begins as JPEG does.
pub(super) fn is_jpeg(file: &[u8]) -> bool {
    file.starts_with(&[0xff, 0xd8, 0xff])
}

/// Whether a file begins as WebP does.
pub(super) fn is_webp(file: &[u8]) -> bool {
    file.starts_with(b"RIFF") && file.get(8..12) == Some(b"WEBP")
}

#[allow(clippy::needless_pass_by_value, reason = "it is handed errors")]
fn wrong(said: impl ToString) -> EditError {
    codes::IMAGE.at(Path::root()).saying(said.to_string()).into()
}

/// Charges the pixels of a picture, and what decodes them holds besides.
fn charge(width: u32, height: u32, meter: &Meter) -> Result<usize, EditError> {
    let pixels = u64::from(width).saturating_mul(height.into());
    if pixels > MOST_PIXELS {
        return Err(wrong(format!("{MOST_PIXELS} pixels at most wanted, {width} × {height} found")));
    }
    budget::charge_picture(meter, width, height)?;
    let pixels = usize::try_from(pixels).unwrap_or(usize::MAX);
    room::probe(pixels.saturating_mul(8))?;
    Ok(pixels)
}

/// The picture of a JPEG file.
pub(super) fn jpeg(file: &[u8], meter: &Meter) -> Result<Image, EditError> {
    let options = DecoderOptions::default()
        .jpeg_set_out_colorspace(ColorSpace::RGBA)
        .set_max_width(MOST_SIDE)
        .set_max_height(MOST_SIDE);
    let mut decoder = JpegDecoder::new_with_options(ZCursor::new(file), options);
    decoder.decode_headers().map_err(wrong)?;
    let (width, height) = decoder.dimensions().ok_or_else(|| wrong("no picture begins"))?;
    let (width, height) = (u32::try_from(width).map_err(wrong)?, u32::try_from(height).map_err(wrong)?);
    let mut rgba = room::filled([255; 4], charge(width, height, meter)?)?;
    decoder.decode_into(rgba.as_flattened_mut()).map_err(wrong)?;
    Ok(Image { width, height, rgba })
}

/// The picture of a WebP file; of several the first.
pub(super) fn webp(file: &[u8], meter: &Meter) -> Result<Image, EditError> {
    let mut decoder = WebPDecoder::new(Cursor::new(file)).map_err(wrong)?;
    let (width, height) = decoder.dimensions();
    let pixels = charge(width, height, meter)?;
    let len =
        decoder.output_buffer_size().ok_or_else(|| wrong(format!("{width} × {height} is too large")))?;
    let mut bytes = room::filled(0, len)?;
    decoder.read_image(&mut bytes).map_err(wrong)?;
    let rgba = if decoder.has_alpha() {
        room::copied(bytes.as_chunks().0)?
    } else {
        room::collected(bytes.as_chunks().0.iter().map(|&[red, green, blue]| [red, green, blue, 255]))?
    };
    if rgba.len() == pixels {
        Ok(Image { width, height, rgba })
    } else {
        Err(wrong("it has other pixels than it says"))
    }
}
