//! Frames from degrees or quaternions: every value is brought to the grid by itself, so that no error adds up.

use galvani_core::{EditError, Path};
use glam::DQuat;

use super::codec::Frames;
use super::edit::{OTHER_ROTATIONS, PRECISION, VALUE};
use super::rotation::{self, DEGREES, TURN};
use super::{AngleKey, rotation::to_i16};

/// How fine angles have to be.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Precision {
    /// This key, whatever it costs.
    Key(AngleKey),
    /// The coarsest key that moves no angle by more than so many degrees.
    Tolerance(f64),
}

/// Where a value between two that can be said goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Rounding {
    /// To the nearer one, from the middle away from zero.
    #[default]
    Nearest,
    /// Towards minus infinity, as the format's first description has it.
    Down,
}

/// One frame as other programs have it.
#[derive(Debug, Clone, PartialEq)]
pub struct FreeFrame<R> {
    /// Where the root is, in the format's units.
    pub position: [f64; 3],
    /// The rotations, the root's first.
    pub rotations: Vec<R>,
}

/// Frames on the grid of a key.
#[derive(Debug, Clone, PartialEq)]
pub struct Quantised {
    /// The frames.
    pub frames: Frames,
    /// The key.
    pub key: AngleKey,
    /// By how many degrees an angle was moved at most.
    pub error: f64,
}

/// Frames of poses that turn by X, Y and Z in degrees.
pub fn from_degrees(
    poses: &[FreeFrame<[f64; 3]>],
    precision: Precision,
    rounding: Rounding,
) -> Result<Quantised, EditError> {
    checked(poses, |angles| angles.iter().all(|angle| (angle * TURN / DEGREES).is_finite()))?;
    let positions = positions(poses, rounding)?;
    let key = key_for(poses, precision, rounding)?;
    let mut frames = Frames::new(poses.first().map_or(0, |pose| pose.rotations.len()));
    let mut bones = Vec::new();
    for (pose, position) in poses.iter().zip(positions) {
        bones.clear();
        bones.extend(pose.rotations.iter().map(|angles| angles.map(|angle| snapped(angle, key, rounding).0)));
        frames.push(position, &bones);
    }
    Ok(Quantised { frames, key, error: largest_error(poses, key, rounding) })
}

/// Frames of poses that turn by quaternions of any length. Of the angles that say a rotation those nearest to
/// the frame before are taken.
pub fn from_quaternions(
    poses: &[FreeFrame<DQuat>],
    precision: Precision,
    rounding: Rounding,
) -> Result<Quantised, EditError> {
    checked(poses, |&turn| rotation::normalised(turn).is_some())?;
    let mut before = vec![[0.0; 3]; poses.first().map_or(0, |pose| pose.rotations.len())];
    let mut turned = Vec::with_capacity(poses.len());
    for pose in poses {
        for (before, &turn) in before.iter_mut().zip(&pose.rotations) {
            *before = rotation::euler_near(rotation::normalised(turn).unwrap_or(turn), *before);
        }
        turned.push(FreeFrame { position: pose.position, rotations: before.clone() });
    }
    from_degrees(&turned, precision, rounding)
}

/// The coarsest key of those up to another whose angles are nowhere further than this from any other.
pub(super) fn key_within(tolerance: f64, coarsest: AngleKey) -> Result<AngleKey, EditError> {
    let mut keys = AngleKey::ALL.into_iter().rev().filter(|&key| key <= coarsest);
    keys.find(|&key| half_step(key) <= tolerance)
        .ok_or_else(|| too_coarse(half_step(AngleKey::Zero), tolerance))
}

/// By how many degrees an angle is off at most that is brought to a key's grid.
pub(super) fn half_step(key: AngleKey) -> f64 {
    f64::from(key.step()) / 2.0 * DEGREES / TURN
}

fn too_coarse(error: f64, tolerance: f64) -> EditError {
    let over = error - tolerance;
    let found = format!("{error:.6} degrees off at the finest, {over:.6} more than the {tolerance} allowed");
    PRECISION.at(Path::named("tolerance")).saying(found).into()
}

fn key_for(
    poses: &[FreeFrame<[f64; 3]>],
    precision: Precision,
    rounding: Rounding,
) -> Result<AngleKey, EditError> {
    let tolerance = match precision {
        Precision::Key(key) => return Ok(key),
        Precision::Tolerance(tolerance) => tolerance,
    };
    if !(tolerance >= 0.0 && tolerance.is_finite()) {
        return Err(VALUE.at(Path::named("tolerance")).saying(format!("{tolerance} degrees")).into());
    }
    let mut error = 0.0;
    for key in AngleKey::ALL.into_iter().rev() {
        error = largest_error(poses, key, rounding);
        if error <= tolerance {
            return Ok(key);
        }
    }
    Err(too_coarse(error, tolerance))
}

fn largest_error(poses: &[FreeFrame<[f64; 3]>], key: AngleKey, rounding: Rounding) -> f64 {
    let angles = poses.iter().flat_map(|pose| pose.rotations.iter().flatten());
    angles.map(|&angle| snapped(angle, key, rounding).1).fold(0.0, f64::max)
}

/// The angle of a key that stands for a number of degrees, and how far it is from that.
fn snapped(degrees: f64, key: AngleKey, rounding: Rounding) -> (i16, f64) {
    let (units, step) = (degrees * TURN / DEGREES, f64::from(key.step()));
    let snapped = rounded(units / step, rounding) * step;
    (rotation::whole_angle(snapped), (snapped - units).abs() * DEGREES / TURN)
}

fn rounded(value: f64, rounding: Rounding) -> f64 {
    match rounding {
        Rounding::Nearest => value.round(),
        Rounding::Down => value.floor(),
    }
}

/// Refuses poses of different rotations, and rotations that are none.
fn checked<R>(poses: &[FreeFrame<R>], is_sound: impl Fn(&R) -> bool) -> Result<(), EditError> {
    let wanted = poses.first().map_or(0, |pose| pose.rotations.len());
    for (i, pose) in poses.iter().enumerate() {
        let path = Path::named("frames").index(i);
        if pose.rotations.len() != wanted {
            let found = format!("{wanted} rotations wanted, {} found", pose.rotations.len());
            return Err(OTHER_ROTATIONS.at(path).saying(found).into());
        }
        if let Some(bone) = pose.rotations.iter().position(|rotation| !is_sound(rotation)) {
            return Err(VALUE.at(path.field("bones").index(bone)).saying("no rotation").into());
        }
    }
    Ok(())
}

fn positions<R>(poses: &[FreeFrame<R>], rounding: Rounding) -> Result<Vec<[i16; 3]>, EditError> {
    let all = poses.iter().enumerate().map(|(i, pose)| {
        let [x, y, z] = pose.position.map(|value| coordinate(value, rounding));
        let place = Path::named("frames").index(i).field("position");
        match (x, y, z) {
            (Some(x), Some(y), Some(z)) => Ok([x, y, z]),
            _ => Err(outside(place, pose.position)),
        }
    });
    all.collect()
}

/// The whole number for a coordinate, if 16 bits hold it.
pub(super) fn coordinate(value: f64, rounding: Rounding) -> Option<i16> {
    let value = rounded(value, rounding);
    (f64::from(i16::MIN)..=f64::from(i16::MAX)).contains(&value).then(|| to_i16(value))
}

/// A position that 16 bits do not hold.
pub(super) fn outside(place: Path, position: [f64; 3]) -> EditError {
    let [x, y, z] = position;
    VALUE.at(place).saying(format!("{x}, {y}, {z}; from -32768 to 32767 wanted")).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pose(position: f64, angle: f64) -> FreeFrame<[f64; 3]> {
        FreeFrame { position: [position; 3], rotations: vec![[angle; 3]] }
    }

    #[test]
    fn errors_never_add_up() {
        let poses: Vec<FreeFrame<[f64; 3]>> = (0..500).map(|i| pose(0.0, f64::from(i) * 0.7)).collect();
        let made = from_degrees(&poses, Precision::Tolerance(0.2), Rounding::Nearest).unwrap();
        assert_eq!(made.key, AngleKey::Two);
        assert!(made.error <= 0.2);
        for (pose, frame) in poses.iter().zip(made.frames.iter()) {
            let off = (rotation::degrees(frame.bones[0][0]) - pose.rotations[0][0]).rem_euclid(360.0);
            assert!(off.min(360.0 - off) <= made.error + 1e-9);
        }
    }

    #[test]
    fn halves_go_away_from_zero_or_down() {
        for (value, nearest, down) in [(2.5, 3, 2), (-2.5, -3, -3), (2.4, 2, 2), (-2.4, -2, -3)] {
            assert_eq!(coordinate(value, Rounding::Nearest), Some(nearest));
            assert_eq!(coordinate(value, Rounding::Down), Some(down));
            let angle = value * DEGREES / TURN;
            assert_eq!(snapped(angle, AngleKey::Zero, Rounding::Nearest).0, nearest);
            assert_eq!(snapped(angle, AngleKey::Zero, Rounding::Down).0, down);
        }
        assert_eq!(coordinate(32767.5, Rounding::Nearest), None);
        assert_eq!(coordinate(f64::NAN, Rounding::Down), None);
    }

    #[test]
    fn the_coarsest_key_within_the_tolerance_is_taken() {
        let exact = pose(0.0, 45.0);
        let key = |pose: &FreeFrame<[f64; 3]>, tolerance| {
            from_degrees(std::slice::from_ref(pose), Precision::Tolerance(tolerance), Rounding::Nearest)
                .map(|made| made.key)
                .map_err(|error| error.to_string())
        };
        assert_eq!(key(&exact, 0.0), Ok(AngleKey::Four));
        let between = pose(0.0, 0.70);
        assert_eq!(key(&between, 0.8), Ok(AngleKey::Four));
        assert_eq!(key(&between, 0.1), Ok(AngleKey::Two));
        let told = key(&pose(0.0, 0.04), 0.01).unwrap_err();
        assert!(
            told.starts_with("tolerance: ff7-pack.precision: 0.040000 degrees off at the finest, 0.030000"),
            "{told}"
        );
        assert!(key(&exact, f64::NAN).unwrap_err().contains("ff7-pack.value"));
    }

    #[test]
    fn rotations_take_the_angles_next_to_the_frame_before() {
        let turns: Vec<FreeFrame<DQuat>> = (0..72)
            .map(|i| {
                let turn = rotation::quaternion([f64::from(i) * 10.0, 0.0, 0.0]);
                FreeFrame { position: [0.0; 3], rotations: vec![turn * -3.0] }
            })
            .collect();
        let made = from_quaternions(&turns, Precision::Key(AngleKey::Zero), Rounding::Nearest).unwrap();
        for (i, frame) in (0..).zip(made.frames.iter()) {
            let wanted = rotation::from_degrees(f64::from(i) * 10.0).unwrap();
            assert_eq!(frame.bones, [[wanted, 0, 0]], "frame {i}");
        }
        let none = [FreeFrame { position: [0.0; 3], rotations: vec![DQuat::from_array([0.0; 4])] }];
        let told = from_quaternions(&none, Precision::Key(AngleKey::Zero), Rounding::Nearest).unwrap_err();
        assert_eq!(told.cause.code.name, "ff7-pack.value");
    }
}
