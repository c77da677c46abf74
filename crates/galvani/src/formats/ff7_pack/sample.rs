//! Poses of a pack, for `sample`.

use galvani_core::{Path, Report, SampleError};
use galvani_ff7::pack::codec::{FrameRef, Frames, angle};
use galvani_ff7::pack::edit::{NO_BONE, NO_ENTRY, NO_FRAME, NO_SKELETON, NOT_AN_ANIMATION, guesses};
use galvani_ff7::pack::rotation::{self, Vertical};
use galvani_ff7::pack::{Role, survey};
use galvani_ff7::pose::{Matrix, Pose, Rig, weapon};
use glam::Vec3;

use super::{Moves, place};
use crate::formats::pose::{from_rows, from_wxyz};
use crate::formats::sampling::{as_time, single};
use crate::formats::select::Candidates;
use crate::formats::{
    self, Angles, ClipLabel, NodePose, PoseKind, PoseSource, Samples, Sampling, Selector, Space, Y,
};

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
    let mut poses = Vec::new();
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
        take(&frames, i, wanted, &placed, &mut poses)?;
    }
    Ok(Samples { poses, notes })
}

/// The frames wanted of one entry.
fn take(
    frames: &Frames,
    clip: usize,
    wanted: &Sampling,
    placed: &Placed<'_>,
    poses: &mut Vec<formats::Pose>,
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
            poses.push(frame_pose(clip, number, frame, &bones, wanted.y, &places));
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

fn frame_pose(
    clip: usize,
    number: usize,
    frame: FrameRef<'_>,
    bones: &[usize],
    y: Y,
    places: &[Matrix],
) -> formats::Pose {
    let vertical = match y {
        Y::Stored => Vertical::Stored,
        Y::Reversed => Vertical::Reversed,
    };
    let bone = |&bone: &usize| Some(bone_pose(bone, *frame.bones.get(bone)?, places.get(bone)));
    formats::Pose {
        clip: Some(ClipLabel { index: Some(clip), name: None }),
        time: Some(as_time(number)),
        nodes: bones.iter().filter_map(bone).collect(),
        kind: PoseKind::Packed { position: vertical.of(frame.position).map(i32::from) },
    }
}

/// A rotation in every form there is.
fn bone_pose(bone: usize, raw: [i16; 3], place: Option<&Matrix>) -> NodePose {
    let angles = Angles {
        raw,
        int: raw.map(rotation::int),
        float: raw.map(rotation::float),
        angle: raw.map(angle),
        degrees: raw.map(|raw| single(rotation::degrees(raw))),
    };
    let matrix = place.map(from_rows);
    NodePose {
        index: bone,
        id: i64::try_from(bone).unwrap_or(i64::MAX),
        name: None,
        position: matrix.map(|matrix| matrix.w_axis.truncate()),
        translation: Vec3::ZERO,
        rotation: from_wxyz(rotation::from_raw(raw).map(single)),
        scale: Vec3::ONE,
        matrix,
        source: PoseSource::Angles(angles),
    }
}
