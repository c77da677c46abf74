//! A picture in memory: what textures are decoded to and encoded from.

use galvani_core::{EditError, Path};

use super::edit::SIZE;

/// Red, green, blue and alpha of every pixel, row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Four bytes per pixel.
    pub rgba: Vec<[u8; 4]>,
}

impl Image {
    /// Refuses a picture that has not as many pixels as its size says, or none.
    pub(super) fn counted(&self) -> Result<(), EditError> {
        fits(self.width, self.height, self.rgba.len())
    }
}

/// Refuses a size that is not that of so many pixels, or of none.
pub(super) fn fits(width: u32, height: u32, found: usize) -> Result<(), EditError> {
    let wanted = u64::from(width).saturating_mul(height.into());
    if wanted > 0 && u64::try_from(found) == Ok(wanted) {
        return Ok(());
    }
    let said = format!("{width} × {height}: {wanted} pixels wanted, {found} found");
    Err(SIZE.at(Path::of("pixels")).saying(said).into())
}
