//! From one format to another: models by way of a scene, textures as pictures.

#[cfg(feature = "gltf")]
use galvani_core::Report;
use galvani_core::{Diagnostic, LiftError, WriteError};

use crate::formats::{Opened, RequestError, Settings};
use crate::image;

/// Why there is no converted file.
#[derive(Debug, Clone, thiserror::Error)]
#[error("{cause}")]
pub struct ConvertError {
    /// What stopped it.
    pub cause: Box<Diagnostic>,
}

impl From<RequestError> for ConvertError {
    fn from(error: RequestError) -> Self {
        ConvertError { cause: error.cause }
    }
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
pub fn glb(opened: &Opened, name: &str, settings: &Settings) -> Result<(Vec<u8>, Report), ConvertError> {
    let (mut scene, mut report) = opened.as_model()?.lift(settings)?;
    name.clone_into(&mut scene.name);
    let generator = format!("galvani {} ({})", env!("CARGO_PKG_VERSION"), opened.format.info().id);
    report.locate(&opened.map);
    Ok((galvani_gltf::export(&scene, &generator)?, report))
}

/// A document's picture as a `.png`.
pub fn png(opened: &Opened, settings: &Settings) -> Result<Vec<u8>, ConvertError> {
    Ok(image::to_png(&opened.as_picture()?.image(settings)?)?)
}
