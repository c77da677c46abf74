//! Pictures as PNG files, those that follow each other as well.

use galvani_core::{Image, Path, room};
use png::{BitDepth, ColorType, Encoder, EncodingError};

use crate::check::{ENCODING, RenderError};

/// A picture as a PNG file: without alpha if all of it is opaque.
pub fn png(image: &Image) -> Result<Vec<u8>, RenderError> {
    written(&[(image, 0)], image.width, image.height)
}

/// Pictures of one size that follow each other for ever, each shown until a time in milliseconds from the first.
pub fn apng(frames: &[(Image, u32)]) -> Result<Vec<u8>, RenderError> {
    let (width, height) = frames.first().map_or((0, 0), |(image, _)| (image.width, image.height));
    let frames: Vec<(&Image, u32)> = frames.iter().map(|(image, end)| (image, *end)).collect();
    written(&frames, width, height)
}

fn written(frames: &[(&Image, u32)], width: u32, height: u32) -> Result<Vec<u8>, RenderError> {
    let is_opaque = frames.iter().all(|(image, _)| image.rgba.iter().all(|pixel| pixel[3] == u8::MAX));
    // The encoder holds rows twice, and what it makes of them is no larger.
    room::probe((width as usize).saturating_mul(height as usize).saturating_mul(8))?;
    let mut file = Vec::new();
    let mut encoder = Encoder::new(&mut file, width, height);
    encoder.set_color(if is_opaque { ColorType::Rgb } else { ColorType::Rgba });
    encoder.set_depth(BitDepth::Eight);
    if frames.len() > 1 {
        encoder.set_animated(frames.len() as u32, 0).map_err(wrong)?;
    }
    let mut writer = encoder.write_header().map_err(wrong)?;
    let mut start = 0;
    for (image, end) in frames {
        if frames.len() > 1 {
            let shown = end.saturating_sub(start).min(u32::from(u16::MAX)) as u16;
            writer.set_frame_delay(shown, 1000).map_err(wrong)?;
            start = *end;
        }
        if is_opaque {
            let mut rgb = room::with_capacity(image.rgba.len() * 3)?;
            rgb.extend(image.rgba.iter().flat_map(|[r, g, b, _]| [*r, *g, *b]));
            writer.write_image_data(&rgb).map_err(wrong)?;
        } else {
            writer.write_image_data(image.rgba.as_flattened()).map_err(wrong)?;
        }
    }
    writer.finish().map_err(wrong)?;
    Ok(file)
}

#[allow(clippy::needless_pass_by_value, reason = "as `map_err` gives it")]
fn wrong(error: EncodingError) -> RenderError {
    ENCODING.at(Path::root()).saying(error.to_string()).into()
}
