//! What is wrong with keys, nodes and chunks, put right where that takes no guess.
//!
//! Nothing else changes, and what was not wrong shows what it showed.

use galvani_core::{Exhausted, room};
use glam::DQuat;

use super::track::pick;
use crate::check::{RIBBON_BLOCK, emitter_size, is_odd_length, kind_bit};
use crate::model::Block2;
use crate::track::{Floats, Track, TrackValue, floats};
use crate::wire::Vec3;
use crate::{Content, Document, quaternion};

/// Puts the keys of every track in the order of their times, those of one time as they stand. Says how many tracks
/// changed.
pub fn sort_keys(document: &mut Document) -> Result<usize, Exhausted> {
    change(document, |track| {
        if track.times.is_sorted() {
            return Ok(false);
        }
        let mut order: Vec<usize> = room::collected(0..track.times.len())?;
        order.sort_by_key(|key| track.times.get(*key));
        pick(track, &order)?;
        Ok(true)
    })
}

/// Drops keys that say again what the key before them says of the same time. The curve arrives at the one that stays as
/// it arrived at the first of them, and leaves it as it left the last. Says how many tracks changed. Events stay: one
/// that happens twice may be meant to.
pub fn drop_repeated_keys(document: &mut Document) -> Result<usize, Exhausted> {
    change(document, |track| {
        let is_again = |key: usize| {
            let before = key.checked_sub(1);
            before.is_some_and(|before| {
                track.times.get(before) == track.times.get(key) && track.words(before) == track.words(key)
            })
        };
        let keys = 0..track.times.len();
        if track.value == TrackValue::Moment || !keys.clone().any(is_again) {
            return Ok(false);
        }
        let firsts: Vec<usize> = room::collected(keys.clone().filter(|key| !is_again(*key)))?;
        let lasts: Vec<usize> = room::collected(keys.filter(|key| !is_again(key.saturating_add(1))))?;
        let mut behind = track.clone();
        pick(&mut behind, &lasts)?;
        pick(track, &firsts)?;
        track.out_tangents = behind.out_tangents;
        Ok(true)
    })
}

/// Gives rotations the length 1 that are further from it than `check` lets pass. Says how many tracks changed. One
/// without a length, or of numbers that are none, stays: nobody knows where it points.
pub fn normalise_rotations(document: &mut Document) -> Result<usize, Exhausted> {
    change(document, |track| {
        let value = track.value;
        let mut has_changed = false;
        if value.is_rotation() {
            for words in track.values.chunks_exact_mut(value.words()) {
                has_changed |= normalised(value, words);
            }
        }
        Ok(has_changed)
    })
}

fn normalised(value: TrackValue, words: &mut [u32]) -> bool {
    let Some(Floats::Rotation(rotation)) = floats(value, words).filter(|_| is_odd_length(value, words))
    else {
        return false;
    };
    let wide = DQuat::from_array(rotation.to_array().map(f64::from));
    if !wide.length().is_normal() {
        return false;
    }
    let unit = wide.normalize().as_quat();
    match value {
        TrackValue::Packed => words.copy_from_slice(&quaternion::words(quaternion::encode(unit))),
        _ => words.copy_from_slice(&unit.to_array().map(f32::to_bits)),
    }
    true
}

/// Changes tracks, and says how many did.
fn change(
    document: &mut Document,
    mut change: impl FnMut(&mut Track) -> Result<bool, Exhausted>,
) -> Result<usize, Exhausted> {
    room::probe(document.keys_len())?;
    let (mut count, mut outcome) = (0_usize, Ok(()));
    document.change_tracks(|track| {
        if outcome.is_ok() {
            match change(track) {
                Ok(has_changed) => count = count.saturating_add(usize::from(has_changed)),
                Err(refused) => outcome = Err(refused),
            }
        }
        true
    });
    outcome.map(|()| count)
}

/// Makes as many pivots as there are nodes: those that are missing at the origin, about which such nodes turn anyway,
/// those behind the last node gone. Says whether anything changed: not where the nodes are not numbered 0, 1, 2 and so
/// on, for pivots go by these numbers.
pub fn match_pivots(document: &mut Document) -> Result<bool, Exhausted> {
    let nodes = document.nodes();
    let wanted = nodes.len();
    let is_within = |id: i32| usize::try_from(id).is_ok_and(|id| id < wanted);
    let are_numbered = nodes.iter().all(|placed| is_within(placed.node.fixed.object_id.get()));
    let found = document.pivots().len();
    if !are_numbered || wanted == found {
        return Ok(false);
    }
    let mut missing = wanted.saturating_sub(found);
    let mut surplus = found.saturating_sub(wanted);
    let chunks = document.chunks.iter_mut().rev().filter_map(|chunk| match &mut chunk.content {
        Content::Pivots(rows) => Some(rows),
        _ => None,
    });
    let mut has_any = false;
    for rows in chunks {
        has_any = true;
        room::reserve(rows, missing)?;
        rows.resize(rows.len().saturating_add(missing), origin());
        missing = 0;
        let gone = surplus.min(rows.len());
        rows.truncate(rows.len().saturating_sub(gone));
        surplus = surplus.saturating_sub(gone);
    }
    if !has_any {
        super::put_chunk(document, *b"PIVT", Content::Pivots(room::filled(origin(), missing)?));
    }
    Ok(true)
}

fn origin() -> Vec3 {
    Vec3 { x: 0.0.into(), y: 0.0.into(), z: 0.0.into() }
}

/// Drops chunks that have no bytes, and says how many.
pub fn drop_empty_chunks(document: &mut Document) -> usize {
    let before = document.chunks.len();
    document.chunks.retain(|chunk| match &chunk.content {
        Content::Raw(raw) => !raw.bytes.is_empty() || raw.damage.is_some(),
        content => !content.is_empty() || !content.has_no_bytes(),
    });
    before.saturating_sub(document.chunks.len())
}

/// Sets the flag by which each node says what it belongs to. Says how many changed.
pub fn set_kind_flags(document: &mut Document) -> usize {
    let family = document.family();
    let bits: Vec<u32> =
        document.nodes().iter().map(|placed| kind_bit(family, placed.kind).unwrap_or(0)).collect();
    let (mut bits, mut count) = (bits.into_iter(), 0_usize);
    document.change_nodes(|node| {
        let flags = node.fixed.flags.get();
        let wanted = flags | bits.next().unwrap_or(0);
        count = count.saturating_add(usize::from(wanted != flags));
        node.fixed.flags.set(wanted);
    });
    count
}

/// Sets the second size of emitters and ribbons of WoW to that of their blocks. Says how many changed.
pub fn set_emitter_sizes(document: &mut Document) -> usize {
    let mut count: usize = 0;
    let mut set = |size: u32, wanted: u32| {
        count = count.saturating_add(usize::from(size != wanted));
        wanted
    };
    for chunk in &mut document.chunks {
        match &mut chunk.content {
            Content::Emitters2(records) => {
                for (_, emitter) in records.typed_mut() {
                    let wanted = emitter_size(&emitter.block);
                    if let Block2::Wow { fixed, .. } = &mut emitter.block {
                        fixed.emitter_size = set(fixed.emitter_size.get(), wanted).into();
                    }
                }
            }
            Content::Ribbons(records) => {
                for (_, ribbon) in records.typed_mut() {
                    ribbon.emitter_size = ribbon.emitter_size.map(|size| set(size, RIBBON_BLOCK));
                }
            }
            _ => {}
        }
    }
    count
}
