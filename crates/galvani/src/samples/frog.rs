//! A frog of our own, after Galvani's: seventeen bones that breathe, hop and twitch, and a spear.

mod keyframes;
mod parts;
mod skin;

use galvani_ff7::lgp;
use galvani_ff7::pack::codec::Frames;
use galvani_ff7::pack::quantise::{FreeFrame, Precision, Rounding, from_degrees};
use galvani_ff7::pack::{self, AngleKey, EMPTY_PAYLOAD, Entry, edit};
use galvani_ff7::pose::{self, BattleRig};
use galvani_ff7::skeleton::{self, Bone};

use keyframes::Moment;

/// Rotations in a frame of the body: the root and the bones.
const ROTATIONS: usize = BONES.len() + 1;

/// The bone that holds the spear at its end.
const SPEAR_ARM: usize = 8;

/// The bones: what each hangs on (−1 is the root), how long it is, and whether it has a part of its own.
const BONES: [(i32, f32, bool); 17] = [
    (-1, 34.0, true), // torso
    (0, 20.0, true),  // head
    (0, 18.0, true),  // jaw
    (0, 9.0, false),  // left shoulder
    (3, 14.0, true),
    (4, 13.0, true),
    (0, 9.0, false), // right shoulder
    (6, 14.0, true),
    (7, 13.0, true),
    (-1, 10.0, false), // left hip
    (9, 22.0, true),
    (10, 22.0, true),
    (11, 20.0, true),
    (-1, 10.0, false), // right hip
    (13, 22.0, true),
    (14, 22.0, true),
    (15, 20.0, true),
];

/// Entries of the body, and as many of the spear: breathe, hop, twitch and an empty slot.
const ENTRIES: u32 = 4;

/// A file of the frog: its name in an archive and in a folder, what it shows, and its bytes.
pub(super) type File = (&'static str, &'static str, Vec<u8>);

/// Names of the parts, each with its bone: every bone takes a name, also those without a part.
const PARTS: [(&str, &str, usize); 13] = [
    ("zgam", "an FF7 polygon file: the frog's body", 0),
    ("zgan", "the frog's head", 1),
    ("zgao", "the frog's jaw", 2),
    ("zgaq", "the frog's left upper arm", 4),
    ("zgar", "the frog's left forearm", 5),
    ("zgat", "the frog's right upper arm", 7),
    ("zgau", "the frog's right forearm", 8),
    ("zgaw", "the frog's left thigh", 10),
    ("zgax", "the frog's left shin", 11),
    ("zgay", "the frog's left foot", 12),
    ("zgba", "the frog's right thigh", 14),
    ("zgbb", "the frog's right shin", 15),
    ("zgbc", "the frog's right foot", 16),
];

/// Every file of the frog.
pub(super) fn files() -> Vec<File> {
    let mut files = vec![
        ("zgaa", "an FF7 battle skeleton: seventeen bones of a frog", skeleton()),
        ("zgac", "an FF7 texture: the frog's skin, in two palettes", skin::skin()),
    ];
    files.extend(PARTS.map(|(name, about, bone)| (name, about, parts::part(bone).unwrap_or_default())));
    files.push(("zgck", "the frog's spear", parts::spear().unwrap_or_default()));
    files.push(("zgda", "an FF7 battle animation pack: the frog breathes, hops and twitches", pack()));
    files
}

/// All of it in one archive.
pub(super) fn archive() -> Vec<u8> {
    let mut archive = lgp::Document::default();
    for (name, _, bytes) in files() {
        // The names are good and differ, so this is never refused.
        let _: Result<usize, _> = lgp::Name::new(name.as_bytes()).and_then(|name| archive.add(name, &bytes));
    }
    lgp::write(&archive).unwrap_or_default()
}

/// The skeleton's bytes.
fn skeleton() -> Vec<u8> {
    skeleton::write(&bones()).unwrap_or_default()
}

fn bones() -> skeleton::Document {
    let bone = |(parent, length, has_model): (i32, f32, bool)| Bone {
        parent,
        length: -length,
        has_model: u32::from(has_model),
    };
    skeleton::Document {
        kind: 0,
        unknown_04: 1,
        unknown_08: 1,
        bones: BONES.into_iter().map(bone).collect(),
        texture_count: 1,
        body_animation_count: ENTRIES,
        // As in the game's own files: two more than the animations before.
        weapon_animation_start: ENTRIES + 2,
        weapon_count: 1,
        weapon_animation_count: ENTRIES,
        ..skeleton::Document::default()
    }
}

/// The pack's bytes.
fn pack() -> Vec<u8> {
    body_pack().and_then(|document| pack::write(&document).ok()).unwrap_or_default()
}

fn body_pack() -> Option<pack::Document> {
    let moves = [
        (keyframes::breathe(), AngleKey::Zero),
        (keyframes::hop(), AngleKey::Four),
        (keyframes::twitch(), AngleKey::Two),
    ];
    let (mut body, mut spear) = (Vec::new(), Vec::new());
    for (moments, key) in &moves {
        let pose =
            |moment: &Moment| FreeFrame { position: moment.position, rotations: moment.angles.to_vec() };
        let frames = frames(&moments.iter().map(pose).collect::<Vec<_>>(), *key)?;
        let held = frames_of_spear(&frames, moments, *key)?;
        body.push(edit::new_entry(&frames, *key).ok()?);
        spear.push(edit::new_entry(&held, *key).ok()?);
    }
    body.push(empty(ROTATIONS));
    spear.push(empty(1));
    body.append(&mut spear);
    Some(pack::Document { entries: body, ..pack::Document::default() })
}

fn frames(poses: &[FreeFrame<[f64; 3]>], key: AngleKey) -> Option<Frames> {
    Some(from_degrees(poses, Precision::Key(key), Rounding::Nearest).ok()?.frames)
}

/// The spear stands upright where the hand is.
fn frames_of_spear(body: &Frames, moments: &[Moment], key: AngleKey) -> Option<Frames> {
    let rig = BattleRig::new(&bones()).ok()?;
    let (mut pose, mut poses) = (pose::SkeletonPose::default(), Vec::new());
    let (_, length, _) = BONES[SPEAR_ARM];
    for (frame, moment) in body.iter().zip(moments) {
        rig.pose(frame, &mut pose).ok()?;
        let arm = pose.bone(SPEAR_ARM)?;
        let end = (arm.w_axis.as_dvec4() - arm.z_axis.as_dvec4() * f64::from(length)).truncate().to_array();
        poses.push(FreeFrame { position: end, rotations: vec![[-90.0 + moment.lean, 0.0, 0.0]] });
    }
    frames(&poses, key)
}

fn empty(rotations: usize) -> Entry {
    Entry::new(u32::try_from(rotations).unwrap_or(1), 1, EMPTY_PAYLOAD.to_vec())
}
