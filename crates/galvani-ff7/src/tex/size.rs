//! Sizes of pictures against the pixels that are there.

use galvani_core::{EditError, Image, Path};

use super::edit::SIZE;

/// Refuses a picture that has not as many pixels as its size says, or none.
pub(super) fn counted(image: &Image) -> Result<(), EditError> {
    fits(image.width, image.height, image.rgba.len())
}

/// Refuses a size that is not that of so many pixels, or of none.
pub(super) fn fits(width: u32, height: u32, found: usize) -> Result<(), EditError> {
    let wanted = u64::from(width).saturating_mul(height.into());
    if wanted > 0 && u64::try_from(found) == Ok(wanted) {
        return Ok(());
    }
    let said = format!("{width} × {height}: {wanted} pixels wanted, {found} found");
    Err(SIZE.at(Path::named("pixels")).saying(said).into())
}
