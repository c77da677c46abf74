//! Pictures in memory, and as files of no game: PNG, and TGA to be taken in.

#[cfg(feature = "gltf")]
mod photo;

use std::io::Cursor;

use galvani_core::image::MOST_PIXELS;
use galvani_core::{EditError, Meter, Path, WriteError, room};

use crate::{budget, codes};

pub use galvani_core::Image;

/// What a PNG file begins with.
const PNG: &[u8] = b"\x89PNG\r\n\x1a\n";

/// Whether bytes, perhaps of that name, are a picture of no game: PNG says so itself, TGA only by its name.
pub fn is_picture(file: &[u8], name: Option<&str>) -> bool {
    let ends = |name: &str| name.to_lowercase().ends_with(".tga");
    file.starts_with(PNG) || (name.is_some_and(ends) && is_tga(file))
}

/// The picture that a PNG or TGA file holds.
pub fn from_file(file: &[u8]) -> Result<Image, EditError> {
    from_file_within(file, &Meter::unlimited())
}

/// The same within a budget: its pixels are charged before they are decoded.
pub fn from_file_within(file: &[u8], meter: &Meter) -> Result<Image, EditError> {
    #[cfg(feature = "texture")]
    if !file.starts_with(PNG) && is_tga(file) {
        let (width, height) = galvani_texture::tga::size(file).unwrap_or_default();
        budget::charge_picture(meter, width, height)?;
        return galvani_texture::tga::decode(file, MOST_PIXELS).map_err(|cause| EditError { cause });
    }
    png_within(file, meter)
}

/// The picture of a file as the web has them, such as those of glTF: PNG, JPEG or WebP. Its pixels are charged before
/// they are decoded.
#[cfg(feature = "gltf")]
pub fn of_web(file: &[u8], meter: &Meter) -> Result<Image, EditError> {
    match file {
        file if photo::is_jpeg(file) => photo::jpeg(file, meter),
        file if photo::is_webp(file) => photo::webp(file, meter),
        file => png_within(file, meter),
    }
}

/// A picture that takes the place of a texture's own: what becomes of it is charged, too.
#[cfg(any(feature = "parkan", feature = "ff7", feature = "texture"))]
pub(crate) fn replacement(file: &[u8], meter: &Meter) -> Result<Image, EditError> {
    let image = from_file_within(file, meter)?;
    budget::charge_encoding(meter, image.width, image.height)?;
    Ok(image)
}

#[cfg(feature = "texture")]
fn is_tga(file: &[u8]) -> bool {
    galvani_texture::tga::is_shaped(file)
}

#[cfg(not(feature = "texture"))]
fn is_tga(_file: &[u8]) -> bool {
    false
}

/// A picture as a PNG file of 32 bits per pixel.
pub fn to_png(image: &Image) -> Result<Vec<u8>, WriteError> {
    let wrong =
        |error: png::EncodingError| WriteError::from(codes::IMAGE.at(Path::root()).saying(error.to_string()));
    // The encoder holds the rows once more, and what it makes of them is no larger.
    room::probe(size_of_val(image.rgba.as_slice()).saturating_mul(2))?;
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, image.width, image.height);
    encoder.set_color(png::ColorType::Rgba);
    encoder.set_depth(png::BitDepth::Eight);
    let mut writer = encoder.write_header().map_err(wrong)?;
    writer.write_image_data(image.rgba.as_flattened()).map_err(wrong)?;
    writer.finish().map_err(wrong)?;
    Ok(file)
}

/// The picture that a PNG file of any kind holds.
pub fn from_png(file: &[u8]) -> Result<Image, EditError> {
    png_within(file, &Meter::unlimited())
}

fn png_within(file: &[u8], meter: &Meter) -> Result<Image, EditError> {
    let wrong = |said: String| EditError::from(codes::IMAGE.at(Path::root()).saying(said));
    let mut decoder = png::Decoder::new(Cursor::new(file));
    decoder.set_transformations(png::Transformations::normalize_to_color8() | png::Transformations::ALPHA);
    let mut reader = decoder.read_info().map_err(|error| wrong(error.to_string()))?;
    let (width, height) = (reader.info().width, reader.info().height);
    if u64::from(width).saturating_mul(height.into()) > MOST_PIXELS {
        return Err(wrong(format!("{MOST_PIXELS} pixels at most wanted, {width} × {height} found")));
    }
    let len = reader.output_buffer_size().ok_or_else(|| wrong(format!("{width} × {height} is too large")))?;
    budget::charge_picture(meter, width, height)?;
    let mut bytes = room::filled(0, len)?;
    let frame = reader.next_frame(&mut bytes).map_err(|error| wrong(error.to_string()))?;
    bytes.truncate(frame.buffer_size());
    let rgba = match frame.color_type {
        png::ColorType::Rgba => room::copied(bytes.as_chunks().0)?,
        png::ColorType::GrayscaleAlpha => {
            room::collected(bytes.as_chunks().0.iter().map(|&[grey, alpha]| [grey, grey, grey, alpha]))?
        }
        other => return Err(wrong(format!("pixels of {other:?}"))),
    };
    Ok(Image { width, height, rgba })
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a step that fails is a failed test")]
mod tests {
    use super::*;

    /// A PNG of another kind.
    fn png(kind: png::ColorType, depth: png::BitDepth, palette: &[u8], data: &[u8]) -> Vec<u8> {
        let mut file = Vec::new();
        let mut encoder = png::Encoder::new(&mut file, 2, 1);
        encoder.set_color(kind);
        encoder.set_depth(depth);
        if !palette.is_empty() {
            encoder.set_palette(palette);
        }
        encoder.write_header().unwrap().write_image_data(data).unwrap();
        file
    }

    #[test]
    fn a_picture_comes_back() {
        let rgba = (0..=255).map(|i| [i, 255 - i, i / 2, i ^ 0x55]).collect();
        let image = Image { width: 32, height: 8, rgba };
        assert_eq!(from_png(&to_png(&image).unwrap()).unwrap(), image);
    }

    #[test]
    fn every_kind_of_png_is_read() {
        use png::{BitDepth, ColorType};
        let read = |file: Vec<u8>| from_png(&file).unwrap().rgba;
        let grey = png(ColorType::Grayscale, BitDepth::Eight, &[], &[7, 9]);
        assert_eq!(read(grey), [[7, 7, 7, 255], [9, 9, 9, 255]]);
        let wide = png(ColorType::Rgb, BitDepth::Sixteen, &[], &[1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0]);
        assert_eq!(read(wide), [[1, 2, 3, 255], [4, 5, 6, 255]]);
        let indexed = png(ColorType::Indexed, BitDepth::One, &[1, 2, 3, 4, 5, 6], &[0b0100_0000]);
        assert_eq!(read(indexed), [[1, 2, 3, 255], [4, 5, 6, 255]]);
    }

    #[test]
    fn what_is_no_png_is_refused() {
        let whole = to_png(&Image { width: 1, height: 1, rgba: vec![[1; 4]] }).unwrap();
        for file in [&b""[..], b"junk", &whole[..40]] {
            assert_eq!(from_png(file).unwrap_err().cause.code, &codes::IMAGE);
        }
        let short = Image { width: 2, height: 2, rgba: vec![[1; 4]] };
        assert_eq!(to_png(&short).unwrap_err().cause.code, &codes::IMAGE);
    }
}
