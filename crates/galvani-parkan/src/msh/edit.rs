//! Edits of a model: each keeps the streams in step, leaves what it does not mean as it is, and changes
//! nothing when it is refused.
//!
//! A key is named by its node and its place among the node's keys; [`key_at`] finds it by its frame. An edit
//! that changes the times of a node's keys gives that node the form of the game's files: two keys or more and
//! a map built from them, or one key at frame 0 and no map. Keys are put on whole frames only: the engine
//! finds a key by its frame and would run past one that stands between two. The first key stays on frame 0:
//! before it the engine shows the last.
//!
//! The timeline gets as long as the last key reaches and one frame more, as soon as an edit changes how far that
//! is; until then its length stays what the file says.
//!
//! A model without keys has the pose of one key per node. The first edit that changes a key gives it those keys
//! and a timeline, streams 8 and 19, in the form of its reading.

mod batches;
mod keys;
mod mend;
mod motion;
mod nodes;
mod pose;
mod reduce;
mod timing;
mod tree;

use galvani_core::{EditError, Exhausted, Path, codes, room};
use zerocopy::IntoBytes;

pub use batches::{set_batch_flags, set_material};
pub use keys::{Rotation, delete_key, insert_key, key_at, move_key, set_key};
pub use mend::{mend_maps, mend_model_box, mend_slot_boxes};
pub use motion::{make_animated, make_static, offset};
pub use nodes::{rename, reparent, set_label, set_node_flags, set_slot};
pub use reduce::reduce;
pub use timing::{rebuild_maps, retime, reverse, trim};
pub use tree::{add_node, remove_node};

use super::animation::{self, AnimKey, AnimModel, Layout, MOST_FRAMES, frames_fit, held};
use super::streams::{FRAME_MAP, KEYS, NODES};
use super::{Document, ModelView};

codes! {
    LEGACY_NODES = Error, "msh.edit-legacy-nodes",
        "the nodes are of the older form, which nobody knows",
        "only materials of such a model can be changed";
    STREAM_OUTSIDE = Error, "msh.edit-stream-outside",
        "a stream to be edited lies outside the file",
        "the directory is damaged; its findings say where";
    FALLBACK_ORDER = Error, "msh.edit-fallback-order",
        "the last keys of the nodes do not rise, so nobody knows whose key is whose",
        "the node table is damaged; its findings say where";
    KEYS_OUTSIDE = Error, "msh.edit-keys-outside",
        "a node's keys reach past stream 8",
        "the node table or stream 8 is damaged; its findings say where";
    MAP_OUTSIDE = Error, "msh.edit-map-outside",
        "a node's frame map reaches past stream 19",
        "the node table or stream 19 is damaged; `rebuild-maps` builds every map from its keys";
    MAP_SHARED = Error, "msh.edit-map-shared",
        "frame maps share words and could not stand apart",
        "no game model does this; `rebuild-maps` gives every animated node a map of its own";
    TRACK_COUNT = Error, "msh.edit-track-count",
        "there is not one track per node",
        "give every node a track";
    MAP_LENGTH = Error, "msh.edit-map-length",
        "a frame map does not have one word per frame",
        "build the map from the keys";
    NO_NODE = Error, "msh.edit-no-node",
        "there is no such node",
        "the outline lists the nodes";
    NO_KEY = Error, "msh.edit-no-key",
        "there is no such key",
        "the dump of its fields lists the keys; insert one first";
    NO_BATCH = Error, "msh.edit-no-batch",
        "there is no such batch",
        "the dump of its fields lists the batches";
    LAST_KEY = Error, "msh.edit-last-key",
        "a node needs at least one key",
        "change the key instead";
    FRAME = Error, "msh.edit-frame",
        "a key must stand on a whole frame, 0 or later",
        "give a whole number";
    KEY_THERE = Error, "msh.edit-key-there",
        "a key stands on this frame already",
        "change that key, or move it away first";
    TIMES = Error, "msh.edit-times",
        "the times of the node's keys do not rise from 0 on",
        "move or delete the keys that are out of order first";
    FIRST_KEY = Error, "msh.edit-first-key",
        "the first key must stay on frame 0, or the engine shows the last one before it",
        "insert a key on frame 0 first";
    COLLAPSED = Error, "msh.edit-collapsed",
        "all keys would fall on one frame",
        "scale by more, or make the node static";
    TOO_MANY_KEYS = Error, "msh.edit-too-many-keys",
        "more keys than an index of 16 bits can name",
        "reduce or delete keys first";
    TOO_MANY_FRAMES = Error, "msh.edit-too-many-frames",
        "more frames than a time can tell apart",
        "shorten the animation";
    MAP_FULL = Error, "msh.edit-map-full",
        "a frame map would start beyond what an index of 16 bits can name",
        "shorten the animation, or make nodes static";
    VALUE = Error, "msh.edit-value",
        "a number is not one that can be stored",
        "give a finite number in range";
    RANGE = Error, "msh.edit-range",
        "the range ends before it begins",
        "give the first frame, then the last";
    ANIMATED = Error, "msh.edit-animated",
        "the node has more than one key already",
        "make it static first, or insert keys";
    NAME = Error, "msh.edit-name",
        "a name has no NUL inside",
        "give another name";
    NAME_LONG = Error, "msh.edit-name-long",
        "a name is longer than 31 bytes",
        "give a shorter name";
    NO_NAMES = Error, "msh.edit-no-names",
        "stream 9 has no name for this node",
        "edit the label instead, or read the model as documented";
    LABELS_DAMAGED = Error, "msh.edit-labels-damaged",
        "stream 10 has no label for this node",
        "the stream is damaged; its findings say where";
    PARENT = Error, "msh.edit-parent",
        "a parent must stand before its child",
        "choose a node of a lower index";
    CYCLE = Error, "msh.edit-cycle",
        "the node would be its own ancestor",
        "reparent the nodes above it first";
    CHILDREN = Error, "msh.edit-children",
        "other nodes hang on the node",
        "remove or reparent them first";
    TOO_MANY_NODES = Error, "msh.edit-too-many-nodes",
        "more nodes than an index of 16 bits can name",
        "remove one first";
    NO_SLOT = Error, "msh.edit-no-slot",
        "there is no such slot, or no such level or group",
        "levels are 0 to 2, groups 0 to 4; the dump of its fields lists the slots";
    FLAGS = Error, "msh.edit-flags",
        "the flags do not fit their field",
        "the reading says how wide it is: 32 bits observed, 16 bits documented";
    ROTATION_NORMALISED = Note, "msh.rotation-normalised",
        "a rotation was not of length 1 and was normalised",
        "give w, x, y, z of length 1 to have them stored as they are";
    MATERIAL = Error, "msh.edit-material",
        "the material does not fit its field",
        "the reading says how wide it is: 8 bits observed, 16 bits documented";
}

/// A model whose streams to be edited can be had.
fn editable<'a>(document: &'a Document, streams: &[u32]) -> Result<ModelView<'a>, EditError> {
    for &stream in streams {
        held(document, stream)?;
    }
    let model = document.model();
    animation::known_nodes(&model)?;
    Ok(model)
}

/// The tracks of a model that can be edited.
fn tracks(document: &Document) -> Result<AnimModel, EditError> {
    animation::read(&editable(document, &[NODES, KEYS, FRAME_MAP])?)
}

/// Changes the keys of one node, and what follows from that: its map, the timeline, the places of all later
/// keys.
fn change<T>(
    document: &mut Document,
    node: usize,
    change: impl FnOnce(&AnimModel, &mut Vec<AnimKey>) -> Result<T, EditError>,
) -> Result<T, EditError> {
    let anim = tracks(document)?;
    let old = &anim.tracks.get(node).ok_or_else(|| no_node(node, anim.tracks.len()))?.keys;
    let mut keys = room::copied(old)?;
    let made = change(&anim, &mut keys)?;
    if keys != *old {
        let [new, before] = [&keys, old].map(|keys| keys.iter().map(|key| key.time.to_bits()));
        let timing = if new.eq(before) { Timing::Same } else { Timing::New };
        store(document, anim, node, keys, timing)?;
    }
    Ok(made)
}

/// Changes values of a node's keys where they stand. Nothing else is looked at, so damage elsewhere is no
/// hindrance: not in the frame map, nor in nodes from the second behind this one on.
fn change_values(
    document: &mut Document,
    node: usize,
    change_keys: impl FnOnce(&mut [AnimKey]) -> Result<(), EditError>,
) -> Result<(), EditError> {
    let model = editable(document, &[NODES, KEYS])?;
    let Some(table) = &model.keys else { return change(document, node, |_, keys| change_keys(keys)) };
    let first = animation::own_range(&model, node)?.start;
    let old = animation::keys_of(&model, node)?;
    let mut keys = room::copied(&old)?;
    change_keys(&mut keys)?;
    if keys == old {
        return Ok(());
    }
    let mut rows = room::copied(table.rows)?;
    rows.iter_mut().skip(first).zip(&keys).for_each(|(row, key)| *row = key.into());
    let bytes = joined(&[rows.as_bytes(), table.rest])?;
    document.set_stream(KEYS, bytes, [None; 3])
}

/// The keys of one node.
fn own_keys(document: &Document, node: usize) -> Result<Vec<AnimKey>, EditError> {
    animation::keys_of(&editable(document, &[NODES, KEYS])?, node)
}

/// Whether keys stand where they stood.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Timing {
    /// They do: maps stay as they are.
    Same,
    /// They do not: the node's map follows from its keys.
    New,
}

/// Gives a node other keys.
fn store(
    document: &mut Document,
    mut anim: AnimModel,
    node: usize,
    mut keys: Vec<AnimKey>,
    timing: Timing,
) -> Result<(), EditError> {
    if timing == Timing::New {
        settle_times(&anim, node, &mut keys)?;
    }
    let needed = anim.needed_frames();
    if let Some(track) = anim.tracks.get_mut(node) {
        track.has_map = if timing == Timing::New { keys.len() > 1 } else { track.has_map };
        track.keys = keys;
    }
    if timing == Timing::New {
        settle_maps(&mut anim, node, needed)?;
    }
    animation::write(&anim, document, Layout::Keep)
}

/// One key stands on frame 0; several rise, from where they began before or from frame 0, or more of them than
/// before.
fn settle_times(anim: &AnimModel, node: usize, keys: &mut [AnimKey]) -> Result<(), EditError> {
    if let [key] = keys {
        key.time = 0.0;
        return Ok(());
    }
    let Some(first) = keys.first() else {
        return Err(LAST_KEY.at(Path::named("nodes").index(node)).into());
    };
    let before = anim.tracks.get(node).map_or(&[][..], |track| &track.keys);
    if disorder(keys) >= disorder(before) {
        rising(anim, node, keys)?;
    }
    let began = anim.tracks.get(node).and_then(|track| track.keys.first()).map(|key| key.time.to_bits());
    if first.time > 0.0 && began != Some(first.time.to_bits()) {
        let found = format!("frame 0 wanted, frame {} found", first.time);
        return Err(FIRST_KEY.at(time_place(anim, node, 0)).saying(found).into());
    }
    Ok(())
}

/// How many keys do not stand behind the one before them: an edit that leaves fewer mends the track.
fn disorder(keys: &[AnimKey]) -> usize {
    let before = std::iter::once(-1.0).chain(keys.iter().map(|key| key.time));
    keys.iter().zip(before).filter(|(key, before)| !follows(key, *before)).count()
}

fn follows(key: &AnimKey, before: f32) -> bool {
    key.time > before && key.time >= 0.0 && key.time.is_finite()
}

/// Refuses keys whose times do not rise from 0 on.
fn rising(anim: &AnimModel, node: usize, keys: &[AnimKey]) -> Result<(), EditError> {
    let mut before = -1.0;
    for (i, key) in keys.iter().enumerate() {
        if !follows(key, before) {
            let found = format!("frame {} after {before}", key.time);
            return Err(TIMES.at(time_place(anim, node, i)).saying(found).into());
        }
        before = key.time;
    }
    Ok(())
}

/// Sets the timeline's length and builds the node's map; those of the others are only cut or prolonged.
fn settle_maps(anim: &mut AnimModel, node: usize, needed_before: u32) -> Result<(), EditError> {
    let needed = anim.needed_frames();
    let own = anim.tracks.get(node).filter(|track| track.has_map);
    let own = own
        .and_then(|track| animation::whole(track.keys.last()?.time))
        .map_or(0, |last| last.saturating_add(1));
    let stays = needed == needed_before && own <= anim.frame_count;
    let frame_count = if stays { anim.frame_count } else { needed.max(shown_frames(anim, node)) };
    let mapped = anim.tracks.iter().filter(|track| track.has_map).count();
    frames_fit(mapped, frame_count)?;
    anim.set_frame_count(frame_count)?;
    if let Some(track) = anim.tracks.get_mut(node) {
        track.rebuild_map(frame_count)?;
    }
    Ok(())
}

/// Frames up to the last on which the map of another node shows something else than the engine shows past the
/// end: cutting them off would change what that node does.
fn shown_frames(anim: &AnimModel, node: usize) -> u32 {
    let others = anim.tracks.iter().enumerate().filter(|(i, track)| *i != node && track.has_map);
    let frames = others.map(|(_, track)| {
        let fallback = i32::try_from(track.keys.len()).unwrap_or(i32::MAX).saturating_sub(1);
        let last = track.frame_map.iter().rposition(|word| *word < fallback);
        last.map_or(0, |last| last.saturating_add(1))
    });
    frames.max().map_or(0, |frames| u32::try_from(frames).unwrap_or(u32::MAX))
}

/// Several runs of bytes as one.
fn joined(parts: &[&[u8]]) -> Result<Vec<u8>, Exhausted> {
    let len = parts.iter().map(|part| part.len()).fold(0, usize::saturating_add);
    let mut bytes = room::with_capacity(len)?;
    for part in parts {
        bytes.extend_from_slice(part);
    }
    Ok(bytes)
}

/// A frame on which a key may stand.
fn frame(frame: f32) -> Result<f32, EditError> {
    let place = Path::named("frame");
    if f64::from(frame) >= f64::from(MOST_FRAMES) {
        let found = format!("frame {frame}, the last is {}", MOST_FRAMES.saturating_sub(1));
        return Err(TOO_MANY_FRAMES.at(place).saying(found).into());
    }
    if frame >= 0.0 && frame.fract() == 0.0 {
        // -0 is written as 0.
        return Ok(frame.abs());
    }
    Err(FRAME.at(place).saying(format!("frame {frame}")).into())
}

/// Where the time of a node's key stands.
fn time_place(anim: &AnimModel, node: usize, key: usize) -> Path {
    Path::named("keys").index(anim.first_key(node).saturating_add(key)).field("time")
}

pub(super) fn no_node(node: usize, count: usize) -> EditError {
    NO_NODE.at(Path::named("nodes").index(node)).saying(format!("node {node} of {count}")).into()
}
