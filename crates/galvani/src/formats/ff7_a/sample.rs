//! Poses of an animation, for `sample`.

use std::ops::Range;

use galvani_core::{Path, SampleError};
use galvani_ff7::field::a::check::{NO_BONE, NO_FRAME};
use galvani_ff7::field::a::sample::rotation;
use galvani_ff7::field::a::{Document, Frame};
use serde_json::{Value, json};

use crate::codes;
use crate::formats::sampling::single;
use crate::formats::{EntryRef, Sampling, Y};
use crate::render::json::float;

/// The samples by frame; without a frame all of them. Bone 0 is the root.
pub(super) fn run(document: &Document, wanted: &Sampling) -> Result<Vec<Value>, SampleError> {
    wanted.only(&["--clip", "--node", "--y"])?;
    // The only animation there is may be asked for by its index.
    if wanted.clip.as_ref().is_some_and(|clip| *clip != EntryRef::Index(0)) {
        return Err(codes::NO_CLIPS.at(Path::of("frames")).into());
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
    Ok(numbers.into_iter().filter_map(row).collect())
}

fn bones(document: &Document, wanted: Option<&EntryRef>) -> Result<Range<usize>, SampleError> {
    let bones = document.frames.bones();
    // As many as are there, however many the header counts.
    let count = document.frames.get(0).map_or(0, |frame| frame.bones.len()).saturating_add(1);
    match wanted {
        None => Ok(0..count),
        Some(EntryRef::Index(bone)) if *bone < count => Ok(*bone..bone.saturating_add(1)),
        Some(EntryRef::Index(bone)) => {
            let found = format!("bone {bone} of {bones} and the root");
            Err(NO_BONE.at(Path::of("frames")).saying(found).into())
        }
        Some(EntryRef::Name(name)) => {
            let found = format!("`{}` is no index", galvani_core::text::shown(name));
            Err(codes::NO_NAMES.at(Path::of("frames")).saying(found).into())
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
