//! A model with its pictures, as a scene.

use galvani_core::budget::unless_exhausted;
use galvani_core::{Budget, Exhausted, Image, LiftError, Meter, Path, Report, room};
use galvani_mdx::Document;
use galvani_mdx::lift::{self, Options, Picture};
use galvani_scene::Scene;

use super::{Lifting, Team};
use crate::formats::resolve::Finder;
use crate::formats::{NamedFile, OpenOptions, Referring, Settings, Site, recognise_at};
use crate::{budget, codes, convert, image};

/// Finds the pictures and lifts.
pub(super) fn run(
    document: &Document,
    lifting: Lifting,
    site: &Site<'_>,
) -> Result<(Scene, Report), LiftError> {
    let Lifting { team: Team(team), skin, layers, additive, tolerance, variants: looks } = lifting;
    if !(tolerance.is_finite() && tolerance > 0.0) {
        let said = "tolerance: a number above 0 is wanted";
        return Err(codes::SETTING.at(Path::root()).saying(said).into());
    }
    let pictures = pictures(document, &skin.0, site)?;
    lift::lift(document, &pictures, &Options { team, looks, layers, additive, tolerance })
}

/// The pictures of all textures: those that were given for their numbers, and those that are found by name.
fn pictures(
    document: &Document,
    skins: &[(u32, NamedFile)],
    site: &Site<'_>,
) -> Result<Vec<Picture>, LiftError> {
    let meter = Budget::default().meter(&budget::CONVERTING, 0);
    let mut given: Vec<(u32, Image)> = Vec::new();
    for (id, file) in skins {
        let Some(image) = decoded(file, site, &meter)? else {
            let said = format!("skin: `{}` is no picture that reads", file.name);
            return Err(codes::SETTING.at(Path::root()).saying(said).into());
        };
        given.push((*id, image));
    }
    let options = OpenOptions::default();
    let finder = Finder::new(site, &options);
    let mut pictures = Vec::new();
    for (texture, reference) in document.textures().into_iter().zip(document.references(site.name)) {
        let id = texture.replaceable_id.get();
        if let Some((_, image)) = given.iter().rev().find(|(other, _)| *other == id && id != 0) {
            let image = Image { rgba: room::copied(&image.rgba)?, ..*image };
            pictures.push(Picture { image: Some(image), looked: Vec::new() });
            continue;
        }
        let fetched = finder.picture(&reference)?;
        pictures.push(Picture { image: fetched.found.map(|(image, _)| image), looked: fetched.looked });
    }
    Ok(pictures)
}

/// The picture that a file holds, if it is one that reads.
fn decoded(file: &NamedFile, site: &Site<'_>, meter: &Meter) -> Result<Option<Image>, Exhausted> {
    let name = Some(file.name.as_str());
    if image::is_picture(&file.bytes, name) {
        return unless_exhausted(image::from_file_within(&file.bytes, meter).map_err(|error| error.cause));
    }
    let Some(format) = recognise_at(&file.bytes, name, None) else { return Ok(None) };
    let opened = format.open_at(&file.bytes, &OpenOptions::default(), &Site { name: &file.name, ..*site });
    let Some(opened) = unless_exhausted(opened.map_err(|error| error.cause))? else { return Ok(None) };
    unless_exhausted(convert::image(&opened, &Settings::default(), meter).map_err(|error| error.cause))
}
