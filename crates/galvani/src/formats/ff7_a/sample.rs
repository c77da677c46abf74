//! Poses of an animation, for `sample`.

use std::ops::Range;

use galvani_core::{Path, Report, SampleError};
use galvani_ff7::field::a::check::{NO_BONE, NO_FRAME};
use galvani_ff7::field::a::sample::rotation;
use galvani_ff7::field::a::{Document, Frame};
use glam::Vec3;

use crate::codes;
use crate::formats::pose::from_wxyz;
use crate::formats::sampling::{as_time, single};
use crate::formats::select::Candidates;
use crate::formats::{ClipLabel, NodePose, Pose, PoseKind, PoseSource, Samples, Sampling, Selector, Y};

/// The samples by frame; without a frame all of them. Bone 0 is the root.
pub(super) fn run(document: &Document, wanted: &Sampling) -> Result<Samples, SampleError> {
    wanted.only(&["--clip", "--node", "--y"])?;
    // The only animation there is may be asked for by its index.
    if let Some(clip) = &wanted.clip {
        let only = Candidates::nameless("clip", Path::of("frames"), &codes::NO_CLIPS, 1);
        only.one::<SampleError>(clip, &mut Report::default())?;
    }
    let bones = bones(document, wanted.node.as_ref())?;
    let count = document.frames.len();
    let mut numbers = Vec::new();
    for &time in &wanted.times {
        numbers.push(frame_number(time, count)?);
    }
    numbers.sort_unstable();
    numbers.dedup();
    if wanted.times.is_empty() {
        numbers.extend(0..count);
    }
    let pose = |number: usize| {
        Some(frame_pose(document, number, document.frames.get(number)?, bones.clone(), wanted.y))
    };
    Ok(Samples { poses: numbers.into_iter().filter_map(pose).collect(), notes: Report::default() })
}

fn bones(document: &Document, wanted: Option<&Selector>) -> Result<Range<usize>, SampleError> {
    // As many as are there, however many the header counts.
    let count = document.frames.get(0).map_or(0, |frame| frame.bones.len()).saturating_add(1);
    match wanted {
        None | Some(Selector::All) => Ok(0..count),
        Some(wanted) => {
            let bones = Candidates::nameless("bone", Path::of("frames"), &NO_BONE, count);
            let bone = bones.one::<SampleError>(wanted, &mut Report::default())?;
            Ok(bone..bone.saturating_add(1))
        }
    }
}

/// A whole frame that is there.
fn frame_number(time: f64, count: usize) -> Result<usize, SampleError> {
    // A whole number is written without a point.
    let number = time.to_string().parse().ok().filter(|&frame| frame < count);
    let refused = || NO_FRAME.at(Path::of("frames")).saying(format!("frame {time} of {count}"));
    number.ok_or_else(|| refused().into())
}

fn frame_pose(document: &Document, number: usize, frame: Frame<'_>, bones: Range<usize>, y: Y) -> Pose {
    let turned = |degrees: [f32; 3]| from_wxyz(rotation(degrees, document.rotation_order).map(single));
    let bone = |bone: usize| {
        let degrees = frame.degrees(bone)?;
        Some(NodePose {
            index: bone,
            id: i64::try_from(bone).unwrap_or(i64::MAX),
            name: None,
            position: None,
            translation: Vec3::ZERO,
            rotation: turned(degrees),
            scale: Vec3::ONE,
            matrix: None,
            source: PoseSource::Degrees(degrees),
        })
    };
    let [px, py, pz] = frame.position;
    let up = match y {
        Y::Stored => py,
        Y::Reversed => -py,
    };
    Pose {
        clip: Some(ClipLabel { index: Some(0), name: None }),
        time: Some(as_time(number)),
        nodes: bones.filter_map(bone).collect(),
        kind: PoseKind::Degrees { position: Vec3::new(px, up, pz), rotation: turned(frame.rotation) },
    }
}
