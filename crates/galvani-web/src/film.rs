//! A clip as a picture that moves, drawn by our own renderer: the page's own pictures are of whatever graphics card there is.

use galvani::pictures::{self, Direction, Lens, Moves, Moving, Shot, Stage, Wear};
use galvani::scene::{Id, Scene};
use galvani::{Meter, Report};
use serde::Deserialize;
use serde_json::Value;

use crate::refusal::Refusal;
use crate::session::Made;

/// What is asked for.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Asked {
    kind: Kind,
    /// A clip of the scene; none, the model at rest.
    clip: Option<usize>,
    /// Pictures a second.
    fps: f32,
    /// Sides, in pixels.
    size: u32,
    /// Where from, in degrees.
    azimuth: f64,
    elevation: f64,
    is_flat: bool,
    /// Whether the eye goes around it.
    turns: bool,
    state: u32,
    level: u32,
    look: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Gif,
    Apng,
}

/// The film of a clip, as a file.
pub(crate) fn film(scene: &Scene, asked: &Value, meter: &Meter) -> Result<Made, Refusal> {
    let asked = Asked::deserialize(asked).map_err(|error| Refusal::request(error.to_string()))?;
    let clip = asked.clip.and_then(|clip| scene.clips.get(clip));
    let look = asked.look.filter(|look| *look < scene.looks.len()).map(Id::new);
    let stage = Stage::new(scene, &Wear { look, state: asked.state, level: asked.level }, meter)?;
    let moves = if asked.turns { Moves::Around } else { Moves::Model };
    let lens = if asked.is_flat { Lens::Parallel } else { Lens::Perspective };
    let elevation = asked.elevation.clamp(-90.0, 90.0);
    let direction = Direction { azimuth: asked.azimuth, elevation };
    let eye = stage.eye(&stage.stances(clip), (direction, lens, 1.0), (1.0, moves));
    let frames = Moving { clip, fps: asked.fps, moves }.frames()?;
    let size = asked.size;
    let (images, report): (_, Report) =
        stage.film(clip, &frames, |frame| Shot::new(size, size, eye.around(frame.turn)), meter)?;
    let bytes = match asked.kind {
        Kind::Gif => pictures::gif(&images)?,
        Kind::Apng => pictures::apng(&images)?,
    };
    Ok(Made { bytes, report })
}
