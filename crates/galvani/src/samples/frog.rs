//! A frog of our own, after Galvani's: seventeen bones that breathe, hop and twitch, and a spear.

mod moves;

use galvani_core::Reading;
use galvani_ff7::pack::quantise::{Pose, Precision, Rounding, from_degrees};
use galvani_ff7::pack::{Document, EMPTY_PAYLOAD, Entry, Key, edit, write};

use moves::Moment;

/// Rotations in a frame of the body: the root and the bones.
const ROTATIONS: usize = 18;

/// The pack's bytes: breathe, hop, twitch and an empty slot, first of the body, then of the spear.
pub(super) fn pack() -> Vec<u8> {
    write(&document()).unwrap_or_default()
}

fn document() -> Document {
    let moves = [(moves::breathe(), Key::Zero), (moves::hop(), Key::Four), (moves::twitch(), Key::Two)];
    let mut entries = Vec::new();
    for (moments, key) in &moves {
        let body = |moment: &Moment| Pose { position: moment.position, rotations: moment.angles.to_vec() };
        entries.extend(entry(&moments.iter().map(body).collect::<Vec<_>>(), *key));
    }
    entries.push(empty(ROTATIONS));
    for (moments, key) in &moves {
        let spear = |moment: &Moment| Pose { position: moment.spear.0, rotations: vec![moment.spear.1] };
        entries.extend(entry(&moments.iter().map(spear).collect::<Vec<_>>(), *key));
    }
    entries.push(empty(1));
    Document { entries, walk: Reading::Observed, frames: Reading::Observed, ..Document::default() }
}

fn entry(poses: &[Pose<[f64; 3]>], key: Key) -> Option<Entry> {
    let made = from_degrees(poses, Precision::Key(key), Rounding::Nearest).ok()?;
    edit::new_entry(&made.frames, key).ok()
}

fn empty(rotations: usize) -> Entry {
    Entry::new(u32::try_from(rotations).unwrap_or(1), 1, EMPTY_PAYLOAD.to_vec())
}
