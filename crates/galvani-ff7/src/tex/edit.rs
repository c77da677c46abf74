//! Edits of a texture: each changes nothing when it is refused.

use galvani_core::image::Match;
use galvani_core::{EditError, Path, Report, codes};

use super::encode;
use super::{Document, Image, TexPart, check};

codes! {
    COLOURS = Error, "ff7-tex.edit-colours",
        "the picture has colours that the texture does not have",
        "take the nearest ones with `match-image`, or make a new palette with `new-image`";
    TOO_MANY_COLOURS = Error, "ff7-tex.edit-too-many-colours",
        "a palette has 256 colours at most, and all palettes of a texture have as many",
        "give it fewer colours, or 32 bits per pixel";
    SIZE = Error, "ff7-tex.edit-size",
        "a texture cannot have this size",
        "give it at least one pixel, and one index for every pixel";
    CUT = Error, "ff7-tex.edit-cut",
        "the file ends early, so what follows cannot be changed",
        "its findings say where";
}

/// Gives the texture another picture, as one of its palettes shows it; format and palettes stay.
pub fn replace_image(
    document: &mut Document,
    palette: usize,
    image: &Image,
    how: Match,
) -> Result<(), EditError> {
    let cut = document.cut();
    if cut == Some(TexPart::Palette) {
        return Err(CUT.at(Path::named(TexPart::Palette.name())).into());
    }
    super::size::counted(image)?;
    encode::replace(document, palette, image, how)?;
    // Pixels that were cut short are whole now; colour keys stand behind them and stay as they are.
    if cut == Some(TexPart::Pixels) {
        document.rest.clear();
    }
    Ok(())
}

/// Drops what stands behind the last part. A file that ends early has no such form.
pub fn make_canonical(document: &mut Document) -> Result<Report, EditError> {
    if let Some(part) = document.cut().filter(|_| !document.lacks_colour_keys()) {
        return Err(CUT.at(Path::named(part.name())).into());
    }
    let mut cost = Report::default();
    if !document.rest.is_empty() {
        let dropped = format!("{} bytes dropped", document.rest.len());
        cost.push(check::REST.at(Path::named("rest")).saying(dropped));
        document.rest.clear();
    }
    Ok(cost)
}
