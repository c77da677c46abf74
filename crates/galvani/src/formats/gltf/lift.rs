//! A file of glTF with its pictures, as a scene.

use galvani_core::budget::unless_exhausted;
use galvani_core::{Budget, Exhausted, Image, LiftError, Meter, Report};
use galvani_gltf::document::Data;
use galvani_gltf::import::{self, Options, PictureFile, pictures};
use galvani_gltf::{Document, Imported};
use galvani_scene::Scene;

use crate::formats::resolve::Finder;
use crate::formats::{OpenOptions, Reference, Role, Site};
use crate::{budget, image};

/// Decodes the pictures and imports.
pub(super) fn run(document: &Document, site: &Site<'_>) -> Result<(Scene, Report), LiftError> {
    let meter = meter(document);
    let pictures = decoded(document, site, &meter)?;
    let options = Options { pictures: &pictures, ..Options::default() };
    let Imported { scene, report, .. } = import::import(document, &options, &meter)?;
    Ok((scene, report))
}

/// What a model may take: a multiple of its files.
pub(super) fn meter(document: &Document) -> Meter {
    let beside = document.beside.values().map(Vec::len).fold(0, usize::saturating_add);
    Budget::default().meter(&budget::CONVERTING, document.file_len().saturating_add(beside))
}

/// Every picture with its name, and its pixels if it is found and reads.
pub(crate) fn named_pictures(
    document: &Document,
    site: &Site<'_>,
    meter: &Meter,
) -> Result<Vec<(String, Option<Image>)>, Exhausted> {
    let view = document.view()?;
    let names: Vec<String> = view.images.iter().map(|image| image.name.clone().into_owned()).collect();
    Ok(names.into_iter().zip(decoded(document, site, meter)?).collect())
}

/// The pixels of every picture that is found and reads.
fn decoded(document: &Document, site: &Site<'_>, meter: &Meter) -> Result<Vec<Option<Image>>, Exhausted> {
    let view = document.view()?;
    let data = Data::new(document, &view, meter)?;
    let options = OpenOptions::default();
    let finder = Finder::new(site, &options);
    let pixels = |file: &[u8]| unless_exhausted(image::of_web(file, meter).map_err(|error| error.cause));
    let mut images = Vec::new();
    for (i, picture) in pictures(&data)?.into_iter().enumerate() {
        images.push(match picture.file {
            PictureFile::Inside(file) => pixels(&file)?,
            PictureFile::Beside(name) => {
                let reference = Reference::new(view.images.path(i), Role::Texture, name);
                finder.bytes(&reference, |file, _| pixels(file))?.found.map(|(image, _)| image)
            }
            PictureFile::Nowhere(_) => None,
        });
    }
    Ok(images)
}
