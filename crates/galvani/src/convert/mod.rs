//! From one format to another: models by way of a scene, textures as pictures.

#[cfg(feature = "gltf")]
mod back;
#[cfg(feature = "gltf")]
mod lower;
#[cfg(feature = "gltf")]
mod model;
#[cfg(feature = "gltf")]
mod names;
#[cfg(feature = "gltf")]
mod part;
#[cfg(feature = "gltf")]
mod pictures;

use galvani_core::{
    Diagnostic, EditError, Exhausted, LiftError, LowerError, Meter, Path, Report, WriteError,
};

use crate::formats::{Encoding, FORMATS, Format, Opened, RequestError, Settings, Wish};
use crate::image::Image;
use crate::{budget, codes, image};

#[cfg(feature = "gltf")]
pub use back::{NamedFiles, Restored, restored};
#[cfg(feature = "gltf")]
pub use lower::{ModelTarget, ModelWish, model};
#[cfg(feature = "gltf")]
pub use model::{Converted, Writing, glb, gltf};

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

impl From<LowerError> for ConvertError {
    fn from(error: LowerError) -> Self {
        ConvertError { cause: error.cause }
    }
}

impl From<EditError> for ConvertError {
    fn from(error: EditError) -> Self {
        ConvertError { cause: error.cause }
    }
}

impl From<WriteError> for ConvertError {
    fn from(error: WriteError) -> Self {
        ConvertError { cause: error.cause }
    }
}

#[cfg(feature = "render")]
impl From<galvani_render::RenderError> for ConvertError {
    fn from(error: galvani_render::RenderError) -> Self {
        ConvertError { cause: error.cause }
    }
}

impl From<Exhausted> for ConvertError {
    fn from(end: Exhausted) -> Self {
        ConvertError { cause: end.cause }
    }
}

/// The picture of a document; its pixels are charged before they are decoded.
pub fn image(opened: &Opened, settings: &Settings, meter: &Meter) -> Result<Image, ConvertError> {
    let picture = opened.as_picture()?;
    let (width, height) = picture.size(settings).unwrap_or_default();
    budget::charge_picture(meter, width, height)?;
    Ok(picture.image(settings)?)
}

/// What a picture can become.
#[derive(Debug, Clone, Copy)]
pub enum Target {
    /// A PNG file.
    Png,
    /// A file of a format that makes some.
    File {
        /// Which.
        format: &'static dyn Format,
        /// How.
        encoding: &'static Encoding,
        /// Which of its kinds; none is the usual one.
        kind: Option<&'static str>,
    },
}

impl Target {
    /// Every one.
    pub fn all() -> Vec<Target> {
        let mut all = vec![Target::Png];
        for &format in FORMATS {
            let Some(encoding) = format.info().encoding else { continue };
            let kinds = std::iter::once(None).chain(encoding.kinds.iter().copied().map(Some));
            all.extend(kinds.map(|kind| Target::File { format, encoding, kind }));
        }
        all
    }

    /// Files of that format, of the usual kind.
    pub fn from_format(format: &'static dyn Format) -> Option<Target> {
        let encoding = format.info().encoding?;
        Some(Target::File { format, encoding, kind: None })
    }

    /// The one that a word names: `png`, `blp`, `blp:palette`.
    pub fn by_word(word: &str) -> Option<Target> {
        Target::all().into_iter().find(|target| target.word().eq_ignore_ascii_case(word))
    }

    /// The usual one of an extension.
    pub fn by_extension(extension: &str) -> Option<Target> {
        let extension = extension.to_lowercase();
        Target::all().into_iter().find(|target| target.extensions().contains(&extension.as_str()))
    }

    /// Its word.
    pub fn word(&self) -> String {
        match self {
            Target::Png => "png".to_owned(),
            Target::File { format, kind: None, .. } => format.info().id.to_owned(),
            Target::File { format, kind: Some(kind), .. } => format!("{}:{kind}", format.info().id),
        }
    }

    /// The extension that new files are given.
    pub fn extension(&self) -> &'static str {
        self.extensions().first().copied().unwrap_or_default()
    }

    fn extensions(&self) -> &'static [&'static str] {
        match self {
            Target::Png => &["png"],
            Target::File { format, .. } => format.info().extensions,
        }
    }
}

/// A picture as a file, made like another one where there is an example, and what that cost. What it takes is charged
/// first.
pub fn picture(
    image: &Image,
    target: Target,
    settings: &Settings,
    like: Option<&Opened>,
    meter: &Meter,
) -> Result<(Vec<u8>, Report), ConvertError> {
    budget::charge_encoding(meter, image.width, image.height)?;
    if let Some(like) = like.map(|like| like.format.info())
        && !matches!(target, Target::File { format, .. } if format.info().id == like.id)
    {
        let said = format!("{} is wanted, {} ({}) was given", target.word(), like.id, like.name);
        return Err(RequestError::from(codes::EXAMPLE.at(Path::root()).saying(said)).into());
    }
    match target {
        Target::Png => {
            settings.only::<RequestError>(&[])?;
            Ok((image::to_png(image)?, Report::default()))
        }
        Target::File { encoding, kind, .. } => {
            settings.only::<RequestError>(encoding.settings)?;
            let wish = Wish { kind, settings, like: like.map(|like| &*like.document) };
            let made = (encoding.encode)(image, &wish)?;
            Ok((made.document.write()?, made.cost))
        }
    }
}
