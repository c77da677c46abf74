//! From one format to another: models by way of a scene, textures as pictures.

#[cfg(feature = "gltf")]
use galvani_core::Report;
use galvani_core::{Diagnostic, LiftError, WriteError};

#[cfg(feature = "gltf")]
use crate::formats::LiftOptions;
use crate::formats::Opened;
use crate::image;

/// Why there is no converted file.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{cause}")]
pub struct ConvertError {
    /// What stopped it.
    pub cause: Box<Diagnostic>,
}

impl From<LiftError> for ConvertError {
    fn from(error: LiftError) -> Self {
        ConvertError { cause: error.cause }
    }
}

impl From<WriteError> for ConvertError {
    fn from(error: WriteError) -> Self {
        ConvertError { cause: error.cause }
    }
}

/// A document as a `.glb` of that name, and what the `.glb` does not say.
#[cfg(feature = "gltf")]
pub fn glb(opened: &Opened, name: &str, options: LiftOptions) -> Result<(Vec<u8>, Report), ConvertError> {
    let lifted = opened.document.lift(options);
    let (mut scene, mut report) =
        lifted.map_err(|error| ConvertError { cause: opened.explained(error.cause) })?;
    name.clone_into(&mut scene.name);
    let generator = format!("galvani {} ({})", env!("CARGO_PKG_VERSION"), opened.format.info().id);
    report.locate(&opened.map);
    Ok((galvani_gltf::export(&scene, &generator)?, report))
}

/// A document's picture as a `.png`, as one of its palettes colours it.
pub fn png(opened: &Opened, palette: u32) -> Result<Vec<u8>, ConvertError> {
    let image = opened.document.image(palette);
    let image = image.map_err(|error| ConvertError { cause: opened.explained(error.cause) })?;
    Ok(image::to_png(&image)?)
}
