//! Texture animations: pictures that are moved, then turned and stretched about their middle
//! (docs/formats/mdx.md#scene-uvs).

use galvani_core::LiftError;
use galvani_scene::{Curve, Interp};
use glam::{Quat, Vec2, Vec3};

use super::clip::stops;
use super::milliseconds;
use super::run::Run;
use super::spend::{Measure, Spent};

/// The middle of a picture.
const MIDDLE: Vec2 = Vec2::splat(0.5);

/// How unlike two stretches must be to shear what is turned between them.
const UNEVEN: f32 = 1e-6;

/// How far a turn's axis may be from the picture's own for the turn to be an even one about that.
const TILTED: f32 = 1e-6;

/// How a picture moves, as the scene has it.
#[derive(Debug, Default)]
pub(super) struct Moved {
    pub(super) offset: Option<Curve<Vec2>>,
    pub(super) rotation: Option<Curve<f32>>,
    pub(super) scale: Option<Curve<Vec2>>,
    /// Whether it is sheared, which the scene cannot say.
    pub(super) is_sheared: bool,
}

/// What the three tracks of a texture animation do in a clip.
pub(super) fn moved(
    translation: Option<&Curve<Vec3>>,
    rotation: Option<&Turning>,
    scale: Option<&Curve<Vec3>>,
    duration: f32,
    tolerance: f32,
    spent: &mut Spent,
) -> Result<Moved, LiftError> {
    let scale = scale.map(flat);
    if rotation.is_none() && scale.is_none() {
        return Ok(Moved { offset: translation.map(flat), ..Moved::default() });
    }
    let angle = rotation.map(|turning| &turning.angle);
    let times = [
        translation.map(|curve| (&curve.times[..], curve.interp)),
        angle.map(|curve| (&curve.times[..], curve.interp)),
        scale.as_ref().map(|curve| (&curve.times[..], curve.interp)),
    ];
    let stops = stops(times.into_iter().flatten(), duration);
    let offset = spent.baked(&stops, (Measure::Part, tolerance), 1, |time| {
        let moved = translation.and_then(|curve| curve.at(time)).unwrap_or_default().truncate();
        let angle = rotation.map_or(0.0, |turning| turning.at(time));
        let scale = scale.as_ref().and_then(|curve| curve.at(time)).unwrap_or(Vec2::ONE);
        Vec2::from_angle(angle).rotate(moved - MIDDLE) * scale + MIDDLE
    })?;
    let is_uneven = scale.iter().flat_map(|curve| &curve.values).any(|by| (by.x - by.y).abs() > UNEVEN);
    let is_turned = angle.iter().copied().flat_map(|curve| &curve.values).any(|angle| angle.abs() > UNEVEN);
    // The scene turns the other way round.
    let rotation = angle
        .map(|curve| Curve { values: curve.values.iter().map(|angle| -angle).collect(), ..curve.clone() });
    Ok(Moved { offset: Some(offset), rotation, scale, is_sheared: is_uneven && is_turned })
}

/// A curve without its third part.
fn flat(curve: &Curve<Vec3>) -> Curve<Vec2> {
    Curve {
        times: curve.times.clone(),
        values: curve.values.iter().map(|value| value.truncate()).collect(),
        tangents: curve.tangents.iter().map(|both| both.map(Vec3::truncate)).collect(),
        interp: curve.interp,
    }
}

/// How far a picture turns about its own axis.
#[derive(Debug)]
pub(super) struct Turning {
    angle: Curve<f32>,
    /// What the angle was baked from, if it was.
    source: Option<Run<Quat>>,
}

impl Turning {
    /// How a run turns a picture, always the shorter way from key to key; and whether keys lay too close together.
    pub(super) fn new(run: Run<Quat>, tolerance: f32, spent: &mut Spent) -> Result<(Self, bool), LiftError> {
        let is_tilted = |turn: Quat| turn.x.hypot(turn.y) > TILTED;
        let is_plain = match run.interp() {
            Interp::Step => true,
            Interp::Linear => !run.values().any(is_tilted),
            Interp::Hermite | Interp::Bezier => false,
        };
        if is_plain {
            let (turns, is_crowded) = run.curve(spent, tolerance)?;
            return Ok((Turning { angle: angles(turns), source: None }, is_crowded));
        }
        let motion = |time: f32| Quat::from_rotation_z(about_axis(run.at(milliseconds(time))));
        let turns = spent.baked(&run.stops(), (Measure::Angle, tolerance), 1, motion)?;
        Ok((Turning { angle: angles(turns), source: Some(run) }, false))
    }

    /// The angle of the source.
    fn at(&self, time: f32) -> f32 {
        match &self.source {
            Some(run) => about_axis(run.at(milliseconds(time))),
            None => self.angle.at(time).unwrap_or_default(),
        }
    }
}

/// How far about the picture's own axis something is turned.
fn about_axis(turn: Option<Quat>) -> f32 {
    turn.map_or(0.0, |turn| 2.0 * turn.z.atan2(turn.w))
}

/// The angles of turns that lie on straight lines.
fn angles(turns: Curve<Quat>) -> Curve<f32> {
    let mut before = 0.0;
    let angle = |turn: &Quat| {
        let angle = about_axis(Some(*turn));
        let whole = std::f32::consts::TAU;
        before = angle + ((before - angle) / whole).round() * whole;
        before
    };
    let values = turns.values.iter().map(angle).collect();
    let interp = if turns.interp == Interp::Step { Interp::Step } else { Interp::Linear };
    Curve { times: turns.times, values, tangents: Vec::new(), interp }
}
