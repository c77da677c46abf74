//! Poses of a pack, for `sample`.

use galvani_core::{Path, Report, SampleError};
use galvani_ff7::pack::codec::{FrameRef, Frames, angle};
use galvani_ff7::pack::edit::{NO_BONE, NO_ENTRY, NO_FRAME, NO_SKELETON, NOT_AN_ANIMATION, guesses};
use galvani_ff7::pack::rotation::{self, Vertical};
use galvani_ff7::pack::{Role, survey};
use galvani_ff7::pose::{Matrix, Pose, Rig, weapon};
use serde_json::{Map, Value, json};

use super::{Moves, place};
use crate::formats::sampling::single;
use crate::formats::select::Candidates;
use crate::formats::{Samples, Sampling, Selector, Space, Y};
use crate::render::json::float;

/// The samples, by entry and then by frame. Without a clip all animations, without a frame all frames.
pub(super) fn run(moves: &Moves, wanted: &Sampling) -> Result<Samples, SampleError> {
    wanted.only(&["--clip", "--node", "--space", "--y"])?;
    let document = &moves.document;
    let rig = match (&moves.beside.skeleton, wanted.space.unwrap_or_default()) {
        (Some(skeleton), Space::Model) => Some(Rig::new(skeleton)?),
        _ => None,
    };
    // All are those that are animations.
    let asked = wanted.clip.as_ref().filter(|clip| **clip != Selector::All);
    let entries = Candidates::nameless("entry", Path::of("entries"), &NO_ENTRY, document.entries.len());
    let clips: Vec<usize> =
        entries.every::<SampleError>(asked.unwrap_or(&Selector::All), &mut Report::default())?;
    let survey = survey(document, document.skeleton.as_ref());
    let notes = guesses(document, clips.clone());
    let mut samples = Vec::new();
    for i in clips {
        let Some((entry, surveyed)) = document.entries.get(i).zip(survey.entries.get(i)) else { continue };
        let Some(clip) = surveyed.clip() else {
            if asked.is_none() {
                continue;
            }
            let found = format!("it is {}", surveyed.kind());
            return Err(NOT_AN_ANIMATION.at(place(i)).saying(found).into());
        };
        let frames = clip.frames(entry, document.stop());
        let placed = match wanted.space.unwrap_or_default() {
            Space::Local => Placed::Nowhere,
            Space::Model => Placed::of(surveyed.role, rig.as_ref(), i)?,
        };
        take(&frames, i, wanted, &placed, &mut samples)?;
    }
    Ok(Samples { rows: samples, notes })
}

/// The frames wanted of one entry.
fn take(
    frames: &Frames,
    clip: usize,
    wanted: &Sampling,
    placed: &Placed<'_>,
    samples: &mut Vec<Value>,
) -> Result<(), SampleError> {
    let mut pose = Pose::default();
    let all = Candidates::nameless("bone", place(clip).field("bones"), &NO_BONE, frames.rotations());
    let bones: Vec<usize> =
        all.every::<SampleError>(wanted.node.as_ref().unwrap_or(&Selector::All), &mut Report::default())?;
    let mut numbers: Vec<usize> = Vec::new();
    for &time in &wanted.times {
        numbers.push(frame_number(time, frames.len(), clip)?);
    }
    numbers.sort_unstable();
    numbers.dedup();
    if wanted.times.is_empty() {
        numbers.extend(0..frames.len());
    }
    for number in numbers {
        if let Some(frame) = frames.get(number) {
            let places = placed.places(frame, &mut pose)?;
            samples.push(row(clip, number, frame, &bones, wanted.y, &places));
        }
    }
    Ok(())
}

/// A whole frame that is there.
fn frame_number(time: f64, len: usize, clip: usize) -> Result<usize, SampleError> {
    // A whole number is written without a point.
    let number = time.to_string().parse().ok().filter(|&frame| frame < len);
    number.ok_or_else(|| {
        let found = format!("frame {time} of {len}");
        NO_FRAME.at(place(clip).field("frames")).saying(found).into()
    })
}

/// How the places of a clip's bones in the model are found.
enum Placed<'r> {
    /// Nobody asks.
    Nowhere,
    /// The body's, by its skeleton.
    Body(&'r Rig),
    /// The weapon's, which stands by itself.
    Weapon,
}

impl<'r> Placed<'r> {
    fn of(role: Role, rig: Option<&'r Rig>, clip: usize) -> Result<Self, SampleError> {
        match (role, rig) {
            (Role::Weapon, _) => Ok(Placed::Weapon),
            (Role::Body, Some(rig)) => Ok(Placed::Body(rig)),
            (Role::Body, None) => Err(NO_SKELETON.at(place(clip)).into()),
        }
    }

    /// The matrices of the root and the bones.
    fn places(&self, frame: FrameRef<'_>, pose: &mut Pose) -> Result<Vec<Matrix>, SampleError> {
        match self {
            Placed::Nowhere => Ok(Vec::new()),
            Placed::Weapon => Ok(vec![weapon(frame)]),
            Placed::Body(rig) => {
                rig.pose(frame, pose)?;
                Ok(std::iter::once(pose.root()).chain(pose.bones()).collect())
            }
        }
    }
}

fn row(clip: usize, number: usize, frame: FrameRef<'_>, bones: &[usize], y: Y, places: &[Matrix]) -> Value {
    let vertical = match y {
        Y::Stored => Vertical::Stored,
        Y::Reversed => Vertical::Reversed,
    };
    let bones =
        bones.iter().filter_map(|&bone| Some(bone_row(bone, *frame.bones.get(bone)?, places.get(bone))));
    json!({
        "clip": clip,
        "frame": number,
        "position": vertical.of(frame.position),
        "bones": bones.collect::<Vec<_>>(),
    })
}

/// A rotation in every form there is.
fn bone_row(bone: usize, raw: [i16; 3], place: Option<&Matrix>) -> Value {
    let mut object = Map::new();
    let mut put = |key: &str, value: Value| drop(object.insert(key.to_owned(), value));
    put("bone", json!(bone));
    put("raw", json!(raw));
    put("int", json!(raw.map(rotation::int)));
    put("float", json!(raw.map(|raw| float(rotation::float(raw)))));
    put("angle", json!(raw.map(angle)));
    put("degrees", json!(raw.map(|raw| float(single(rotation::degrees(raw))))));
    put("rotation", json!(rotation::from_raw(raw).map(|part| float(single(part)))));
    if let Some(place) = place {
        put("matrix", place.iter().map(|&number| float(number)).collect());
    }
    Value::Object(object)
}
