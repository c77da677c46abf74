//! Poses of an animation, for `sample`.

use std::ops::Range;

use galvani_core::{Path, Report, SampleError};
use galvani_ff7::field::a::check::{NO_BONE, NO_FRAME};
use galvani_ff7::field::a::sample::rotation;
use galvani_ff7::field::a::{Document, Frame};
use serde_json::{Value, json};

use crate::codes;
use crate::formats::sampling::single;
use crate::formats::select::Candidates;
use crate::formats::{Samples, Sampling, Selector, Y};
use crate::render::json::float;

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
    let row =
        |number: usize| Some(row(document, number, document.frames.get(number)?, bones.clone(), wanted.y));
    Ok(numbers.into_iter().filter_map(row).collect::<Vec<_>>().into())
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

fn row(document: &Document, number: usize, frame: Frame<'_>, bones: Range<usize>, y: Y) -> Value {
    let turned =
        |degrees: [f32; 3]| rotation(degrees, document.rotation_order).map(|part| float(single(part)));
    let bone = |bone: usize| {
        let degrees = frame.degrees(bone)?;
        Some(json!({"bone": bone, "degrees": degrees.map(float), "rotation": turned(degrees)}))
    };
    let [px, py, pz] = frame.position;
    let up = match y {
        Y::Stored => py,
        Y::Reversed => -py,
    };
    let position = [px, up, pz].map(float);
    json!({
        "clip": 0,
        "frame": number,
        "position": position,
        "rotation_root": turned(frame.rotation),
        "bones": bones.filter_map(bone).collect::<Vec<_>>(),
    })
}
