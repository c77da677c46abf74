//! Texture animations: pictures that are moved, then turned and stretched about their middle
//! (docs/formats/mdx.md#scene-uvs).

use galvani_core::LiftError;
use galvani_scene::{Curve, Interp};
use glam::{Quat, Vec2, Vec3};

use super::clip::{FINE, stops};
use super::spend::{Measure, Spent};

/// The middle of a picture.
const MIDDLE: Vec2 = Vec2::splat(0.5);

/// How unlike two stretches must be to shear what is turned between them.
const UNEVEN: f32 = 1e-6;

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
    rotation: Option<Curve<Quat>>,
    scale: Option<&Curve<Vec3>>,
    duration: f32,
    tolerance: f32,
    spent: &mut Spent,
) -> Result<Moved, LiftError> {
    let scale = scale.map(flat);
    if rotation.is_none() && scale.is_none() {
        return Ok(Moved { offset: translation.map(flat), ..Moved::default() });
    }
    let angle = rotation.map(|turn| angles(turn, tolerance, spent)).transpose()?;
    let times = [
        translation.map(|curve| (&curve.times[..], curve.interp)),
        angle.as_ref().map(|curve| (&curve.times[..], curve.interp)),
        scale.as_ref().map(|curve| (&curve.times[..], curve.interp)),
    ];
    let stops = stops(times.into_iter().flatten(), duration);
    let offset = spent.baked(&stops, (Measure::Part, FINE), 1, |time| {
        let moved = translation.and_then(|curve| curve.at(time)).unwrap_or_default().truncate();
        let angle = angle.as_ref().and_then(|curve| curve.at(time)).unwrap_or_default();
        let scale = scale.as_ref().and_then(|curve| curve.at(time)).unwrap_or(Vec2::ONE);
        Vec2::from_angle(angle).rotate(moved - MIDDLE) * scale + MIDDLE
    })?;
    let is_uneven = scale.iter().flat_map(|curve| &curve.values).any(|by| (by.x - by.y).abs() > UNEVEN);
    let is_turned = angle.iter().flat_map(|curve| &curve.values).any(|angle| angle.abs() > UNEVEN);
    // The scene turns the other way round.
    let rotation =
        angle.map(|curve| Curve { values: curve.values.iter().map(|angle| -angle).collect(), ..curve });
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

/// How far about the picture's own axis a curve turns, always the shorter way from key to key.
fn angles(turn: Curve<Quat>, tolerance: f32, spent: &mut Spent) -> Result<Curve<f32>, LiftError> {
    let turn = if turn.interp.has_tangents() {
        spent.baked(&turn.times, (Measure::Angle, tolerance), 1, |time| turn.at(time).unwrap_or_default())?
    } else {
        turn
    };
    let mut before = 0.0;
    let angle = |turn: &Quat| {
        let angle = 2.0 * turn.z.atan2(turn.w);
        let whole = std::f32::consts::TAU;
        before = angle + ((before - angle) / whole).round() * whole;
        before
    };
    let values = turn.values.iter().map(angle).collect();
    let interp = if turn.interp == Interp::Step { Interp::Step } else { Interp::Linear };
    Ok(Curve { times: turn.times, values, tangents: Vec::new(), interp })
}
