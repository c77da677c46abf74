//! The frame rate by a whole factor.

use galvani_core::{EditError, Exhausted, Meter, Path, Report, room};

use super::between::{self, Interpolation};
use super::{
    COARSER, Document, Entry, FACTOR, Frames, SKELETON, Sound, TOO_LONG, fits, place, replace_entry,
    surveyed_sound, surveyor,
};
use crate::pack::AngleKey;
use crate::pack::codec::least_frame_bits;
use crate::pack::quantise::{half_step, key_within};
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
/// `tolerance` degrees: 0.05 means key 0, 0.2 key 2, 0.75 key 4. An animation that would be too long so takes the
/// coarsest key within the tolerance for all its frames, and the report says that. Both frame counts follow. What that
/// makes is charged first. All entries are changed, or none.
pub fn resample(
    document: &mut Document,
    entries: &[usize],
    factor: u32,
    edge: Edge,
    tolerance: f64,
    skeleton: Option<&skeleton::Document>,
    meter: &Meter,
) -> Result<Report, EditError> {
    let steps = usize::try_from(factor).unwrap_or(usize::MAX);
    if steps < 2 {
        return Err(FACTOR
            .at(Path::named("factor"))
            .saying(format!("2 or more wanted, {factor} found"))
            .into());
    }
    let mut surveyor = surveyor(document);
    let mut report = Report::default();
    let mut made = room::with_capacity(entries.len())?;
    for &entry in entries {
        let sound = surveyed_sound(document, &mut surveyor, entry)?;
        charge(&sound, steps, meter)?;
        let at = |key: AngleKey| resampled(&sound, steps, edge, key, skeleton);
        let key = key_within(tolerance, sound.clip.key)?;
        let coarsest = key_within(tolerance, AngleKey::Four)?;
        made.push((
            entry,
            match at(key) {
                Err(error) if error.cause.code == &TOO_LONG && coarsest > key => {
                    let coarser = at(coarsest)?;
                    let moved = half_step(coarsest);
                    let found = format!(
                        "at key {key} {}; at key {coarsest}, which it has now, angles are up to {moved:.3} degrees off",
                        error.cause.message
                    );
                    report.push(COARSER.at(place(entry).field("b_key")).saying(found));
                    coarser
                }
                made => made?,
            },
        ));
    }
    for (entry, made) in made {
        replace_entry(document, entry, made);
    }
    Ok(report)
}

/// Charges the frames of an entry in so many times as many, and its payload, which is no longer than a header can say.
fn charge(sound: &Sound<'_>, steps: usize, meter: &Meter) -> Result<(), Exhausted> {
    let (frames, rotations) = (sound.frames.len().saturating_mul(steps), sound.frames.rotations());
    let bits = frames.saturating_mul(least_frame_bits(rotations));
    let bytes = (bits / 8).min(usize::from(u16::MAX)).max(sound.entry.payload.len());
    let what = format!("{frames} frames of {rotations} rotations in entry {}", sound.index);
    meter.result(&what, u64::try_from(bytes).unwrap_or(u64::MAX))
}

/// The entry in so many times as many frames, at a key.
fn resampled(
    sound: &Sound<'_>,
    steps: usize,
    edge: Edge,
    key: AngleKey,
    skeleton: Option<&skeleton::Document>,
) -> Result<Entry, EditError> {
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
        let bones: Vec<[i16; 3]> = frame.bones.iter().map(|raw| raw.map(|raw| key.nearest(raw))).collect();
        frames.push(frame.position, &bones);
        let next = old.get(i.saturating_add(1)).or_else(|| old.get(0).filter(|_| edge == Edge::Loop));
        if let Some(next) = next {
            between::walk(&mut frames, &Interpolation::new(frame, next, &parents), steps, key);
        }
    }
    sound.with(&frames, Some(key))
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
