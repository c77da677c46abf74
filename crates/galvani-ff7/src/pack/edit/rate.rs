//! The frame rate by a whole factor.

use galvani_core::{EditError, Path};

use super::between::{self, Way};
use super::{Document, FACTOR, Frames, SKELETON, Sound, fits, place, put, surveyed_sound};
use crate::pack::quantise::key_within;
use crate::pack::{Key, survey};
use crate::skeleton;

/// What follows the last frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Edge {
    /// The first one: N frames become N · factor.
    Loop,
    /// Nothing: N frames become N · factor − (factor − 1).
    Once,
}

/// Plays animations in so many times as many frames: those that were there stay as they are, with others
/// between them. Positions go along a line, rotations by the shorter arc: each in the space of its parent, or
/// with a skeleton in that of the model, as seen from outside. A weapon has no parents.
///
/// Frames between are stored at the coarsest key, not above the entry's own, whose half step is within
/// `tolerance` degrees: 0.05 means key 0, 0.2 key 2, 0.75 key 4. Both frame counts follow. All entries are
/// changed, or none.
pub fn resample(
    document: &mut Document,
    entries: &[usize],
    factor: u32,
    edge: Edge,
    tolerance: f64,
    skeleton: Option<&skeleton::Document>,
) -> Result<(), EditError> {
    let steps = usize::try_from(factor).unwrap_or(usize::MAX);
    if steps < 2 {
        return Err(FACTOR.at(Path::of("factor")).saying(format!("2 or more wanted, {factor} found")).into());
    }
    let survey = survey(document, document.skeleton.as_ref());
    let made: Result<Vec<_>, EditError> = entries
        .iter()
        .map(|&entry| {
            let sound = surveyed_sound(document, &survey, entry)?;
            let key = key_within(tolerance, sound.clip.key)?;
            let frames = resampled(&sound, steps, edge, key, skeleton)?;
            Ok((entry, sound.with(&frames, Some(key))?))
        })
        .collect();
    for (entry, made) in made? {
        put(document, entry, made);
    }
    Ok(())
}

fn resampled(
    sound: &Sound<'_>,
    steps: usize,
    edge: Edge,
    key: Key,
    skeleton: Option<&skeleton::Document>,
) -> Result<Frames, EditError> {
    let old = &sound.frames;
    let more = old.len().saturating_mul(steps);
    let count = match edge {
        Edge::Loop => more,
        Edge::Once => more.saturating_sub(steps.saturating_sub(1)),
    };
    fits(sound.index, old.rotations(), count, key)?;
    let parents = parents(sound, skeleton)?;
    let mut frames = Frames::new(old.rotations());
    for (i, frame) in old.iter().enumerate() {
        frames.push(frame.position, frame.bones);
        let next = old.get(i.saturating_add(1)).or_else(|| old.get(0).filter(|_| edge == Edge::Loop));
        if let Some(next) = next {
            between::walk(&mut frames, &Way::new(frame, next, &parents), steps, key);
        }
    }
    Ok(frames)
}

/// For each rotation the one it follows, if the skeleton says so: bones without a parent follow the root.
fn parents(
    sound: &Sound<'_>,
    skeleton: Option<&skeleton::Document>,
) -> Result<Vec<Option<usize>>, EditError> {
    let rotations = sound.clip.rotations;
    let Some(skeleton) = skeleton.filter(|_| rotations != 1) else { return Ok(vec![None; rotations]) };
    let refused = |found: String| SKELETON.at(place(sound.index)).saying(found);
    let bones = skeleton.bones.len();
    if bones.saturating_add(1) != rotations {
        return Err(refused(format!("{bones} bones for {rotations} rotations")).into());
    }
    let mut slots = vec![None];
    for (bone, parent) in skeleton.parents().into_iter().enumerate() {
        match parent {
            skeleton::Parent::Root => slots.push(Some(0)),
            skeleton::Parent::Bone(parent) if parent < bone => slots.push(Some(parent.saturating_add(1))),
            _ => return Err(refused(format!("the parent of bone {bone} does not stand before it")).into()),
        }
    }
    Ok(slots)
}
