//! Pictures as PNG files.

use galvani_core::{Path, WriteError};
use galvani_scene::Image;

use crate::SCENE;

/// A picture as a PNG file of 32 bits per pixel.
pub(crate) fn png(pixels: &Image, path: Path) -> Result<Vec<u8>, WriteError> {
    let wrong = |error: png::EncodingError| WriteError::from(SCENE.at(path).saying(error.to_string()));
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, pixels.width, pixels.height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().map_err(wrong)?;
    writer.write_image_data(pixels.rgba.as_flattened()).map_err(wrong)?;
    writer.finish().map_err(wrong)?;
    Ok(file)
}
