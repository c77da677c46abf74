//! Pictures of models: what [`galvani_render`] draws, of whatever model a document is.
//!
//! ```
//! # let samples = galvani::samples::all();
//! # let file = &samples.iter().find(|sample| sample.name == "lantern.mdx").unwrap().bytes[..];
//! use galvani::formats::{self, Settings, Site};
//! use galvani::pictures::{self, Direction, Lens, Meter, Moves, Shot, Stage, Wear};
//!
//! let opened = formats::by_id("mdx").unwrap().open(file, &galvani::OpenOptions::default())?;
//! let meter = Meter::unlimited();
//! let (scene, _) = pictures::scene(&opened, &Site::NOWHERE, &Settings::default(), &meter)?;
//! let clip = pictures::clip(&scene, None, &mut Default::default())?;
//! let stage = Stage::new(&scene, &Wear::default(), &meter)?;
//! let eye = stage.eye(&stage.stances(clip), (Direction::USUAL, Lens::Perspective, 1.0), (1.0, Moves::Model));
//! let picture = stage.picture(&stage.stance(clip, 0.0), &Shot::new(96, 96, eye), &meter)?;
//! assert!(pictures::png(&picture.image)?.starts_with(b"\x89PNG"));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use galvani_core::{Path, Report};
use galvani_scene::{Clip, Scene};

use crate::convert::{self, ConvertError};
use crate::formats::select::Candidates;
use crate::formats::{Opened, RequestError, Selector, Settings, Site};
use crate::{budget, codes};

pub use galvani_render::*;

/// What is said about models that has no place here: pictures are drawn as the game draws them, and follow each other as they are
/// asked to.
pub const LEFT_OUT: &[&str] = &["additive", "fps", "tolerance", "variants"];

/// A model where it stands, to be drawn, and what is not seen of it. What it takes is charged first.
pub fn scene(
    opened: &Opened,
    site: &Site<'_>,
    settings: &Settings,
    meter: &Meter,
) -> Result<(Scene, Report), ConvertError> {
    budget::charge_scene(meter, opened.map.len())?;
    let model = opened.as_model()?;
    let known = opened.format.info().lifting;
    settings.only::<RequestError>(known)?;
    let mut settings = settings.clone();
    if let Some(additive) = known.iter().find(|setting| setting.name == "additive")
        && let Some(plain) = additive.kind.value("plain")
    {
        settings.set(additive.name, plain);
    }
    let (mut scene, report) = model.lift(&settings, site)?;
    site.stem().clone_into(&mut scene.name);
    let mut seen = Report::default();
    // Other programs blend in one way; here it is done as the game does it.
    let lost = report.findings().iter().filter(|found| !found.code.name.ends_with(".lost-blending"));
    lost.for_each(|found| seen.push(found.clone()));
    seen.locate(&opened.map);
    Ok((scene, seen))
}

/// A texture as a picture: as it is, or as large as fits into that size. What it takes is charged first.
pub fn texture(
    opened: &Opened,
    size: Option<(u32, u32)>,
    background: Background,
    meter: &Meter,
) -> Result<Image, ConvertError> {
    let image = convert::image(opened, &Settings::default(), meter)?;
    let size = size.unwrap_or((image.width, image.height));
    Ok(flat(&image, size, background, meter)?)
}

/// The clip that is meant: without a word the one in which the model stands, or the first; none if there are none.
pub fn clip<'s>(
    scene: &'s Scene,
    wanted: Option<&Selector>,
    notes: &mut Report,
) -> Result<Option<&'s Clip>, ConvertError> {
    let Some(wanted) = wanted else {
        let stands = |clip: &&Clip| clip.name.to_lowercase().starts_with("stand");
        return Ok(scene.clips.iter().find(stands).or(scene.clips.first()));
    };
    let names = scene.clips.iter().map(|clip| clip.name.as_str());
    let candidates = Candidates::named("clip", Path::named("clips"), &codes::CLIP_NOT_FOUND, names);
    let index = candidates.one::<RequestError>(wanted, notes)?;
    Ok(scene.clips.get(index))
}
