//! Poses of an animation, for `sample`.

use std::ops::Range;

use galvani_core::{Path, Report, SampleError};
use galvani_ff7::field::a::check::{NO_BONE, NO_FRAME};
use galvani_ff7::field::a::sample::rotation;
use galvani_ff7::field::a::{Document, FRAME_RATE, Frame};
use glam::Vec3;

use crate::codes;
use crate::formats::sampling::{self, as_time};
use crate::formats::select::Candidates;
use crate::formats::{
    ClipLabel, ClipSpan, NodePose, Pose, PoseKind, PoseSource, Samples, Sampling, Selector, Y,
};

/// What the one animation goes by.
const NAME: &str = "animation 0";

/// The samples by frame; without a frame all of them. Bone 0 is the root.
pub(super) fn run<'a>(
    document: &'a Document,
    wanted: &'a Sampling,
    y: Y,
) -> Result<Samples<'a>, SampleError> {
    // The only animation there is may be asked for by its index.
    if let Some(clip) = &wanted.clip {
        let only = Candidates::named("clip", Path::named("frames"), &codes::NO_CLIPS, [NAME]);
        only.one::<SampleError>(clip, &mut Report::default())?;
    }
    let bones = bones(document, wanted.node.as_ref())?;
    let count = document.frames.len();
    let missing =
        |time: f64| NO_FRAME.at(Path::named("frames")).saying(format!("frame {time} of {count}")).into();
    let numbers = sampling::frames(&wanted.times, count, &missing)?;
    let pose = move |number: usize| {
        Some(Ok(frame_pose(document, number, document.frames.get(number)?, bones.clone(), y)))
    };
    Ok(Samples { notes: Report::default(), poses: Box::new(numbers.filter_map(pose)) })
}

/// The animation, if it has a frame.
pub(super) fn clips(document: &Document) -> Vec<ClipSpan> {
    let last = document.frames.len().checked_sub(1);
    let clip = |last| {
        let (name, rate) = (NAME.to_owned(), FRAME_RATE.into());
        ClipSpan { index: 0, name, start: 0.0, end: as_time(last), looping: false, rate }
    };
    last.map(clip).into_iter().collect()
}

fn bones(document: &Document, wanted: Option<&Selector>) -> Result<Range<usize>, SampleError> {
    // As many as are there, however many the header counts.
    let count = document.frames.get(0).map_or(0, |frame| frame.bones.len()).saturating_add(1);
    match wanted {
        None | Some(Selector::All) => Ok(0..count),
        Some(wanted) => {
            let bones = Candidates::nameless("bone", Path::named("frames"), &NO_BONE, count);
            let bone = bones.one::<SampleError>(wanted, &mut Report::default())?;
            Ok(bone..bone.saturating_add(1))
        }
    }
}

fn frame_pose(document: &Document, number: usize, frame: Frame<'_>, bones: Range<usize>, y: Y) -> Pose {
    let [px, py, pz] = frame.position;
    let up = match y {
        Y::Stored => py,
        Y::Reversed => -py,
    };
    let position = Vec3::new(px, up, pz);
    let turned = |degrees: [f32; 3]| rotation(degrees, document.rotation_order).as_quat();
    let bone = |bone: usize| {
        let degrees = frame.degrees(bone)?;
        Some(NodePose {
            index: bone,
            id: i64::try_from(bone).unwrap_or(i64::MAX),
            name: None,
            position: None,
            translation: if bone == 0 { position } else { Vec3::ZERO },
            rotation: turned(degrees),
            scale: Vec3::ONE,
            matrix: None,
            source: PoseSource::Degrees(degrees),
        })
    };
    Pose {
        clip: Some(ClipLabel { index: Some(0), name: None }),
        time: Some(as_time(number)),
        nodes: bones.filter_map(bone).collect(),
        kind: PoseKind::Degrees { position, rotation: turned(frame.rotation) },
    }
}
