//! Poses of a pack, for `sample`.

use galvani_core::maths::single;
use galvani_core::{Path, Report, SampleError};
use galvani_ff7::lift::FRAME_RATE;
use galvani_ff7::pack::codec::{FrameRef, Stop, angle};
use galvani_ff7::pack::edit::{NO_BONE, NO_ENTRY, NO_FRAME, NO_SKELETON, NOT_AN_ANIMATION, guesses};
use galvani_ff7::pack::rotation::{self, Vertical};
use galvani_ff7::pack::{Clip, Document, Entry, Role, Surveyed, survey};
use galvani_ff7::pose::{BattleRig, SkeletonPose, weapon};
use glam::{IVec3, Mat4, Vec3};

use super::{Posing, place};
use crate::formats::sampling::{self, as_time};
use crate::formats::select::Candidates;
use crate::formats::{
    self, Angles, ClipLabel, ClipSpan, NodePose, PoseKind, PoseSource, Samples, Sampling, Selector, Space, Y,
};

/// The samples, by entry and then by frame. Without a clip all animations, without a frame all frames.
pub(super) fn run<'a>(
    document: &'a Document,
    wanted: &'a Sampling,
    posing: Posing,
) -> Result<Samples<'a>, SampleError> {
    let rig = match (&document.rig, posing.space) {
        (Some(skeleton), Space::Model) => Some(BattleRig::new(skeleton)?),
        _ => None,
    };
    // All are those that are animations.
    let asked = wanted.clip.as_ref().filter(|clip| **clip != Selector::All);
    let names = (0..document.entries.len()).map(name);
    let entries = Candidates::named("entry", Path::named("entries"), &NO_ENTRY, names);
    let clips: Vec<usize> =
        entries.every::<SampleError>(asked.unwrap_or(&Selector::All), &mut Report::default())?;
    let survey = survey(document, document.skeleton.as_ref());
    let notes = guesses(document, clips.clone());
    let mut queries = Vec::new();
    for index in clips {
        let Some((entry, surveyed)) = document.entries.get(index).zip(survey.entries.get(index)) else {
            continue;
        };
        match surveyed.clip() {
            Some(clip) => queries.push(ClipQuery { index, entry, clip: clip.clone(), role: surveyed.role }),
            None if asked.is_none() => {}
            None => {
                let found = format!("it is {}", surveyed.kind());
                return Err(NOT_AN_ANIMATION.at(place(index)).saying(found).into());
            }
        }
    }
    let stop = document.stop();
    let poses =
        queries.into_iter().flat_map(move |query| match query.poses(stop, wanted, &posing, rig.as_ref()) {
            Ok(poses) => poses,
            Err(error) => Box::new(std::iter::once(Err(error))),
        });
    Ok(Samples { notes, poses: Box::new(poses) })
}

/// The animations among the entries.
pub(super) fn clips(document: &Document) -> Vec<ClipSpan> {
    let survey = survey(document, document.skeleton.as_ref());
    let all = document.entries.iter().zip(&survey.entries).enumerate();
    let clip = |(index, (entry, surveyed)): (usize, (&Entry, &Surveyed))| {
        let frames = surveyed.clip()?.frames(entry, document.stop());
        let end = as_time(frames.len().checked_sub(1)?);
        let (name, rate) = (name(index), FRAME_RATE.into());
        Some(ClipSpan { index, name, start: 0.0, end, looping: false, rate })
    };
    all.filter_map(clip).collect()
}

/// What scenes call an entry's animation.
fn name(index: usize) -> String {
    format!("animation {index}")
}

/// An entry of which frames are wanted.
struct ClipQuery<'a> {
    index: usize,
    entry: &'a Entry,
    clip: Clip,
    role: Role,
}

/// Poses of one clip.
type ClipPoses<'a> = Box<dyn Iterator<Item = Result<formats::Pose, SampleError>> + 'a>;

impl ClipQuery<'_> {
    /// The frames wanted of the entry; its frames are decoded here, and no other's.
    fn poses(
        &self,
        stop: Stop,
        wanted: &Sampling,
        posing: &Posing,
        rig: Option<&BattleRig>,
    ) -> Result<ClipPoses<'static>, SampleError> {
        let (frames, index) = (self.clip.frames(self.entry, stop), self.index);
        let placer = match posing.space {
            Space::Local => Placer::Nowhere,
            Space::Model => Placer::new(self.role, rig, index)?,
        };
        let all = Candidates::nameless("bone", place(index).field("bones"), &NO_BONE, frames.rotations());
        let bones: Vec<usize> =
            all.every::<SampleError>(wanted.node.as_ref().unwrap_or(&Selector::All), &mut Report::default())?;
        let count = frames.len();
        let missing = |time: f64| {
            let found = format!("frame {time} of {count}");
            NO_FRAME.at(place(index).field("frames")).saying(found).into()
        };
        let numbers = sampling::frames(&wanted.times, count, &missing)?;
        let (mut pose, y) = (SkeletonPose::default(), posing.y);
        Ok(Box::new(numbers.filter_map(move |number| {
            let frame = frames.get(number)?;
            let places = placer.places(frame, &mut pose);
            Some(places.map(|places| frame_pose(index, number, frame, &bones, y, &places)))
        })))
    }
}

/// How the places of a clip's bones in the model are found.
enum Placer {
    /// Nobody asks.
    Nowhere,
    /// The body's, by its skeleton.
    Body(BattleRig),
    /// The weapon's, which stands by itself.
    Weapon,
}

impl Placer {
    fn new(role: Role, rig: Option<&BattleRig>, clip: usize) -> Result<Self, SampleError> {
        match (role, rig) {
            (Role::Weapon, _) => Ok(Placer::Weapon),
            (Role::Body, Some(rig)) => Ok(Placer::Body(rig.clone())),
            (Role::Body, None) => Err(NO_SKELETON.at(place(clip)).into()),
        }
    }

    /// The matrices of the root and the bones.
    fn places(&self, frame: FrameRef<'_>, pose: &mut SkeletonPose) -> Result<Vec<Mat4>, SampleError> {
        match self {
            Placer::Nowhere => Ok(Vec::new()),
            Placer::Weapon => Ok(vec![weapon(frame)]),
            Placer::Body(rig) => {
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
    places: &[Mat4],
) -> formats::Pose {
    let vertical = match y {
        Y::Stored => Vertical::Stored,
        Y::Reversed => Vertical::Reversed,
    };
    let position = vertical.apply(frame.position).map(i32::from);
    let bone = |&bone: &usize| Some(bone_pose(bone, *frame.bones.get(bone)?, position, places.get(bone)));
    formats::Pose {
        clip: Some(ClipLabel { index: Some(clip), name: None }),
        time: Some(as_time(number)),
        nodes: bones.iter().filter_map(bone).collect(),
        kind: PoseKind::Packed { position },
    }
}

/// A rotation in every form there is.
fn bone_pose(bone: usize, raw: [i16; 3], root: [i32; 3], place: Option<&Mat4>) -> NodePose {
    let angles = Angles {
        raw,
        int: raw.map(rotation::int),
        float: raw.map(rotation::float),
        angle: raw.map(angle),
        degrees: raw.map(|raw| single(rotation::degrees(raw))),
    };
    let matrix = place.copied();
    NodePose {
        index: bone,
        id: i64::try_from(bone).unwrap_or(i64::MAX),
        name: None,
        position: matrix.map(|matrix| matrix.w_axis.truncate()),
        // How long other bones are only a skeleton says.
        translation: if bone == 0 { IVec3::from(root).as_vec3() } else { Vec3::ZERO },
        rotation: rotation::from_raw(raw).as_quat(),
        scale: Vec3::ONE,
        matrix,
        source: PoseSource::Angles(angles),
    }
}
