//! Every animation of a pack as a clip, each with the weapon's that goes with it.

use galvani_core::Path;
use galvani_core::maths::single;
use galvani_scene::{Clip, Curve, Extras, Fact, Id, Looping, Node, Track};
use glam::{DQuat, Quat};

use super::{FRAME_RATE, LOST_ANIMATION, LOST_WEAPON, Lift, ROOT, axes, origin, turned};

use crate::pack::codec::Frames;
use crate::pack::{self, Document, EntryContent, KnownSkeleton, Role, Survey, Word, rotation};

/// Adds every sound animation of the body, and to each the weapon's of the same place.
pub(super) fn all(lift: &mut Lift<'_>) {
    let Some((file, pack)) = &lift.model.pack else { return };
    let skeleton = known(lift);
    let survey = pack::survey(pack, Some(&skeleton));
    let border = survey.border();
    for index in 0..border {
        let Some(body) = frames(lift, pack, &survey, index) else { continue };
        let fits = body.rotations() == lift.bones.len().saturating_add(1) || is_single(lift, &body);
        if !fits {
            let said = format!("{} rotations for {} bones", body.rotations(), lift.bones.len());
            lift.report.push(LOST_ANIMATION.at(Path::named("entries").index(index)).saying(said));
            continue;
        }
        let held = border.saturating_add(index);
        let weapon = frames(lift, pack, &survey, held);
        let clip = clip(lift, index, &body, weapon.as_ref());
        lift.scene.clips.push(clip);
        let bones = if is_single(lift, &body) { 0 } else { lift.bones.len() };
        lift.scene.origins.extend(origin::of_entry(file, (index, index), (0, bones), &body));
        if let (Some(frames), Some(node)) = (&weapon, lift.weapon()) {
            lift.scene.origins.extend(origin::of_entry(file, (index, held), (node.index(), 0), frames));
        }
    }
}

/// What the skeleton says of its pack.
fn known(lift: &Lift<'_>) -> KnownSkeleton {
    let skeleton = &lift.model.skeleton;
    let count = usize::try_from(skeleton.body_animation_count).ok();
    KnownSkeleton { bones: skeleton.bones.len(), body_animations: count, word: Word::Beside }
}

/// One rotation turns a skeleton of one bone.
fn is_single(lift: &Lift<'_>, frames: &Frames) -> bool {
    frames.rotations() == 1 && lift.bones.len() == 1
}

/// The frames of an entry; nothing of an empty one, and a finding for a damaged one.
fn frames(lift: &mut Lift<'_>, pack: &Document, survey: &Survey, index: usize) -> Option<Frames> {
    let (entry, surveyed) = (pack.entries.get(index)?, survey.entries.get(index)?);
    match &surveyed.content {
        EntryContent::Empty => None,
        EntryContent::Animation(clip) => {
            Some(clip.frames(entry, pack.stop())).filter(|frames| !frames.is_empty())
        }
        EntryContent::Damaged { .. } => {
            let of = if surveyed.role == Role::Weapon { "of the weapon" } else { "of the body" };
            lift.report.push(LOST_ANIMATION.at(Path::named("entries").index(index)).saying(of));
            None
        }
    }
}

fn clip(lift: &mut Lift<'_>, index: usize, body: &Frames, weapon: Option<&Frames>) -> Clip {
    let mut tracks = place(ROOT, body);
    for (bone, &node) in lift.bones.iter().enumerate() {
        // A bone that is not turned here may be in the first clip, as which it stands.
        let still = || Track::Rotation(node, Curve::still(Quat::IDENTITY));
        let turned = turns(node, body, bone.saturating_add(1)).or_else(|| is_single(lift, body).then(still));
        tracks.extend(turned);
    }
    match (weapon, lift.weapon()) {
        (Some(frames), Some(node)) => {
            tracks.extend(place(node, frames));
            tracks.push(Track::Visibility(node, Curve::still(true)));
        }
        (Some(_), None) => lift.report.push(LOST_WEAPON.at(Path::named("entries").index(index))),
        (None, _) => {}
    }
    // A weapon may move on where the body has come to rest.
    let held = weapon.filter(|_| lift.weapon().is_some()).map_or(0, Frames::len);
    let last = body.len().max(held).saturating_sub(1);
    let slot = u32::try_from(index).unwrap_or(u32::MAX);
    Clip {
        name: format!("animation {index}"),
        index: slot,
        duration: seconds(last, FRAME_RATE),
        looping: Looping::Hold,
        tracks,
        extras: Extras::from([("frames".to_owned(), Fact::Int(body.len().try_into().unwrap_or(i32::MAX)))]),
        ..Clip::default()
    }
}

/// Where the root, or a weapon, is and how it is turned.
fn place(node: Id<Node>, frames: &Frames) -> Vec<Track> {
    let values = frames.iter().map(|frame| axes(frame.position.map(f32::from))).collect();
    let translation = Track::Translation(node, Curve::linear(times(frames.len(), FRAME_RATE), values));
    std::iter::once(translation).chain(turns(node, frames, 0)).collect()
}

/// How a bone is turned; nothing if a frame has no rotation for it.
fn turns(node: Id<Node>, frames: &Frames, bone: usize) -> Option<Track> {
    let raw: Option<Vec<_>> = frames.iter().map(|frame| frame.bones.get(bone).copied()).collect();
    let values = continuous(raw?.into_iter().map(rotation::from_raw));
    Some(Track::Rotation(node, Curve::linear(times(frames.len(), FRAME_RATE), values)))
}

/// Rotations in the scene's axes, each on the side of the one before it: some readers know no shorter arc.
pub(super) fn continuous(rotations: impl Iterator<Item = DQuat>) -> Vec<Quat> {
    let mut values: Vec<Quat> = Vec::new();
    for rotation in rotations.map(turned) {
        let is_far = values.last().is_some_and(|before| before.dot(rotation) < 0.0);
        values.push(if is_far { -rotation } else { rotation });
    }
    values
}

/// The times of so many frames at a rate.
pub(super) fn times(count: usize, rate: f32) -> Vec<f32> {
    (0..count).map(|frame| seconds(frame, rate)).collect()
}

/// The time of a frame at a rate.
pub(super) fn seconds(frame: usize, rate: f32) -> f32 {
    let frame = f64::from(u32::try_from(frame).unwrap_or(u32::MAX));
    single(frame / f64::from(rate))
}
