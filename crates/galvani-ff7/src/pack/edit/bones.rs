//! Single rotations and positions: set, offset, scale, and the precision of them all.

use galvani_core::{EditError, Path};

use super::{Document, Frames, NO_BONE, NO_FRAME, VALUE, change, place, replace_entry, sound};
use crate::pack::AngleKey;
use crate::pack::quantise::{self, FreeFrame, Precision, Rounding};
use crate::pack::rotation::{self, near, unwrapped_degrees};

/// Puts the root somewhere else in one frame.
pub fn set_position(
    document: &mut Document,
    entry: usize,
    frame: usize,
    position: [i16; 3],
) -> Result<(), EditError> {
    change(document, entry, |_, frames| {
        let mut made = frames.clone();
        let (old, _) = made.get_mut(frame).ok_or_else(|| no_frame(entry, frame, frames.len()))?;
        *old = position;
        Ok(made)
    })
}

/// Turns a bone, or the root at 0, to X, Y and Z in degrees in one frame, rounded to the finest unit.
pub fn set_rotation(
    document: &mut Document,
    entry: usize,
    frame: usize,
    bone: usize,
    degrees: [f64; 3],
) -> Result<(), EditError> {
    let angles = units(degrees)?;
    change(document, entry, |_, frames| {
        let mut made = frames.clone();
        let (_, bones) = made.get_mut(frame).ok_or_else(|| no_frame(entry, frame, frames.len()))?;
        let old = bones.get_mut(bone).ok_or_else(|| no_bone(entry, bone, frames.rotations()))?;
        let ([x, y, z], [ax, ay, az]) = (*old, angles);
        *old = [near(x, ax), near(y, ay), near(z, az)];
        Ok(made)
    })
}

/// Adds degrees to X, Y and Z of a bone, or of the root at 0, in every frame, rounded to the finest unit once.
pub fn offset_rotation(
    document: &mut Document,
    entry: usize,
    bone: usize,
    degrees: [f64; 3],
) -> Result<(), EditError> {
    let [dx, dy, dz] = units(degrees)?;
    turn(document, entry, bone, |_, [x, y, z]| [x.wrapping_add(dx), y.wrapping_add(dy), z.wrapping_add(dz)])
}

/// Makes a bone, or the root at 0, turn so much more than in the first frame, or less. Whole turns count.
pub fn scale_rotation(
    document: &mut Document,
    entry: usize,
    bone: usize,
    factor: f64,
) -> Result<(), EditError> {
    finite(factor, "factor")?;
    turn(document, entry, bone, |turned, old| {
        let ([sx, sy, sz], [tx, ty, tz], [x, y, z]) = (turned.start, turned.so_far, old);
        [(sx, tx, x), (sy, ty, y), (sz, tz, z)].map(|(start, so_far, old)| {
            let units = (f64::from(so_far) * factor).round();
            near(old, start.wrapping_add(rotation::whole_angle(units)))
        })
    })
}

/// Moves the root in every frame.
pub fn offset_position(document: &mut Document, entry: usize, offset: [f64; 3]) -> Result<(), EditError> {
    let [dx, dy, dz] = offset;
    displace(document, entry, |[x, y, z]| [x + dx, y + dy, z + dz])
}

/// Multiplies every position of the root.
pub fn scale_position(document: &mut Document, entry: usize, factor: f64) -> Result<(), EditError> {
    finite(factor, "factor")?;
    displace(document, entry, |position| position.map(|value| value * factor))
}

/// Stores an animation at another precision; says which key that is, and by how many degrees an angle was
/// moved at most. Angles count from −180 degrees to 180.
pub fn quantise(
    document: &mut Document,
    entry: usize,
    precision: Precision,
    rounding: Rounding,
) -> Result<(AngleKey, f64), EditError> {
    let sound = sound(document, entry)?;
    let angles = |raw: [i16; 3]| raw.map(|raw| unwrapped_degrees(crate::pack::codec::reduced(raw)));
    let poses = sound.frames.iter().map(|frame| FreeFrame {
        position: frame.position.map(f64::from),
        rotations: frame.bones.iter().copied().map(angles).collect(),
    });
    let made = quantise::from_degrees(&poses.collect::<Vec<_>>(), precision, rounding)?;
    let changed = sound.with(&made.frames, Some(made.key))?;
    replace_entry(document, entry, changed);
    Ok((made.key, made.error))
}

/// How far a rotation has turned.
struct Turned {
    /// Where it stood in the first frame.
    start: [i16; 3],
    /// How far it went from there, whole turns included.
    so_far: [i32; 3],
}

/// Changes a rotation in every frame.
fn turn(
    document: &mut Document,
    entry: usize,
    bone: usize,
    turn: impl Fn(&Turned, [i16; 3]) -> [i16; 3],
) -> Result<(), EditError> {
    change(document, entry, |_, frames| {
        let first = frames.get(0).and_then(|frame| frame.bones.get(bone).copied());
        let start = first.ok_or_else(|| no_bone(entry, bone, frames.rotations()))?;
        let (mut turned, mut before) = (Turned { start, so_far: [0; 3] }, start);
        let mut made = frames.clone();
        for frame in 0..frames.len() {
            let Some(raw) = made.get_mut(frame).and_then(|(_, bones)| bones.get_mut(bone)) else { continue };
            let steps = turned.so_far.iter_mut().zip(raw.iter().zip(before));
            for (so_far, (now, before)) in steps {
                *so_far = so_far.saturating_add(i32::from(now.wrapping_sub(before)));
            }
            before = *raw;
            *raw = turn(&turned, before);
        }
        Ok(made)
    })
}

/// Changes the position in every frame.
fn displace(
    document: &mut Document,
    entry: usize,
    displaced: impl Fn([f64; 3]) -> [f64; 3],
) -> Result<(), EditError> {
    change(document, entry, |_, frames| {
        let mut made = Frames::new(frames.rotations());
        for (i, frame) in frames.iter().enumerate() {
            let wanted = displaced(frame.position.map(f64::from));
            match wanted.map(|value| quantise::coordinate(value, Rounding::Nearest)) {
                [Some(x), Some(y), Some(z)] => made.push([x, y, z], frame.bones),
                _ => {
                    return Err(quantise::outside(place(entry).field("frames").index(i), wanted));
                }
            }
        }
        Ok(made)
    })
}

/// The angles of degrees, to the finest unit.
fn units(degrees: [f64; 3]) -> Result<[i16; 3], EditError> {
    if let [Some(x), Some(y), Some(z)] = degrees.map(rotation::from_degrees) {
        return Ok([x, y, z]);
    }
    let [x, y, z] = degrees;
    Err(VALUE.at(Path::named("degrees")).saying(format!("{x}, {y}, {z} degrees")).into())
}

fn finite(value: f64, name: &'static str) -> Result<(), EditError> {
    // Far beyond any use, and times any turn still a number.
    if value.abs() <= 1e6 {
        return Ok(());
    }
    Err(VALUE.at(Path::named(name)).saying(format!("{value}; from -1000000 to 1000000 wanted")).into())
}

fn no_frame(entry: usize, frame: usize, count: usize) -> EditError {
    NO_FRAME.at(place(entry)).saying(format!("frame {frame} of {count}")).into()
}

fn no_bone(entry: usize, bone: usize, count: usize) -> EditError {
    NO_BONE.at(place(entry)).saying(format!("rotation {bone} of {count}")).into()
}
