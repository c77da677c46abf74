//! The animation of a model as tracks, one per node, from and to streams 1, 8 and 19
//! (docs/formats/msh-animation.md#tracks).
//!
//! Stream 8 is one pool of keys. A node's keys end with its `fallback_key` and begin behind those of the node
//! before it. Stream 19 holds, for every node with a `map_start`, one word per frame: the key at which the
//! segment begins in which that frame lies, or the fallback.

mod write;

use galvani_core::maths::{Wxyz, single};
use std::ops::Range;

use galvani_core::{EditError, Exhausted, Path, Reading, room};
use zerocopy::little_endian::{F32, I16};

pub use write::{Layout, write};
pub(super) use write::{frames_fit, held};

use super::edit::{FALLBACK_ORDER, KEYS_OUTSIDE, LEGACY_NODES, MAP_OUTSIDE, MAP_SHARED, no_node};
use super::{ModelView, NONE, engine, values, wire};

/// Keys that all nodes may have together: an index has 16 bits, and 0xFFFF stands for nothing.
pub const MOST_KEYS: usize = 65_535;

/// Where the last run of a frame map may start: 0xFFFF stands for no map.
pub const LAST_MAP_START: usize = 65_534;

/// Frames a timeline may have: beyond, a single-precision time no longer tells half frames apart, by which
/// the engine finds its frame.
pub const MOST_FRAMES: u32 = 1 << 23;

/// The animation of a model.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct AnimModel {
    /// Frames of the timeline: `attr2` of stream 19.
    pub frame_count: u32,
    /// One per node, in the order of the nodes.
    pub tracks: Vec<NodeAnimTrack>,
}

/// The animation of a node.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct NodeAnimTrack {
    /// The node.
    pub node_index: usize,
    /// Whether the node has a run in the frame map. Without one the engine always shows the last key.
    pub has_map: bool,
    /// The node's keys; the last is the fallback.
    pub keys: Vec<AnimKey>,
    /// With a map, a key per frame, counted from the node's first: the last key or any number above it for
    /// the fallback. Damaged files may name keys of the nodes before it, by negative numbers.
    pub frame_map: Vec<i32>,
}

/// A key, as its bits.
#[derive(Debug, Clone, Copy, Default)]
pub struct AnimKey {
    /// Position.
    pub position: [f32; 3],
    /// Time in frames.
    pub time: f32,
    /// Rotation as stored; the reading says which is w.
    pub rotation: [i16; 4],
}

/// The keys of all nodes, without their maps: those are to be built again.
pub(super) fn read_keys(model: &ModelView<'_>) -> Result<AnimModel, EditError> {
    known_nodes(model)?;
    let nodes = model.nodes.as_ref().map_or(&[][..], |nodes| nodes.rows);
    let pool = model.keys.as_ref().map_or(&[][..], |keys| keys.rows);
    let mut anim = AnimModel { frame_count: model.frame_count(), tracks: room::with_capacity(nodes.len())? };
    let mut first = 0;
    for (node_index, node) in nodes.iter().enumerate() {
        let keys = own_keys(pool, first, node_index, node)?;
        first = first.saturating_add(keys.len());
        let keys = room::collected(keys.iter().map(AnimKey::from))?;
        anim.tracks.push(NodeAnimTrack { node_index, keys, ..NodeAnimTrack::default() });
    }
    Ok(anim)
}

/// Reads the tracks of a model, refusing what has no such tracks. Of a model without stream 8 these are the keys
/// that would show what it shows: one per node, where its parent is.
pub fn read(model: &ModelView<'_>) -> Result<AnimModel, EditError> {
    known_nodes(model)?;
    let nodes = model.nodes.as_ref().map_or(&[][..], |nodes| nodes.rows);
    if model.is_still() {
        return Ok(still(nodes.len(), model)?);
    }
    let words = model.frame_map.as_ref().map_or(&[][..], |map| map.rows);
    runs_fit(nodes, model.frame_count())?;
    let mut anim = read_keys(model)?;
    let mut first = 0;
    for (track, (i, node)) in anim.tracks.iter_mut().zip(nodes.iter().enumerate()) {
        let run = own_run(words, anim.frame_count, i, node)?;
        track.has_map = run.is_some();
        let words = run.unwrap_or_default().iter();
        track.frame_map = room::collected(words.map(|word| local(word.key.get(), first)))?;
        first = first.saturating_add(track.keys.len());
    }
    Ok(anim)
}

/// The keys of one node. Only what speaks of them is looked at: the fallbacks up to its own, and the next, which
/// must lie behind.
pub(super) fn keys_of(model: &ModelView<'_>, node: usize) -> Result<Vec<AnimKey>, EditError> {
    if model.is_still() && node < model.node_count() {
        return Ok(vec![still_key(model.reading)]);
    }
    let range = own_range(model, node)?;
    let pool = model.keys.as_ref().map_or(&[][..], |keys| keys.rows);
    Ok(room::collected(pool.get(range).unwrap_or_default().iter().map(AnimKey::from))?)
}

/// Where the keys of one node stand in the pool.
pub(super) fn own_range(model: &ModelView<'_>, node: usize) -> Result<Range<usize>, EditError> {
    let nodes = model.nodes.as_ref().map_or(&[][..], |nodes| nodes.rows);
    let pool = model.keys.as_ref().map_or(&[][..], |keys| keys.rows);
    let record = nodes.get(node).ok_or_else(|| no_node(node, nodes.len()))?;
    let mut first = 0;
    for (i, before) in nodes.iter().enumerate().take(node) {
        first = behind(first, i, before)?;
    }
    let end = first.saturating_add(own_keys(pool, first, node, record)?.len());
    if let Some(next) = nodes.get(node.saturating_add(1)) {
        behind(end, node.saturating_add(1), next)?;
    }
    Ok(first..end)
}

/// The tracks of a model without keys; written, they are those of the game's static models.
fn still(node_count: usize, model: &ModelView<'_>) -> Result<AnimModel, Exhausted> {
    let keys = vec![still_key(model.reading)];
    let track = |node_index| NodeAnimTrack { node_index, keys: keys.clone(), ..NodeAnimTrack::default() };
    let tracks = room::collected((0..node_count).map(track))?;
    Ok(AnimModel { frame_count: model.frame_count().max(1), tracks })
}

/// A key that shows the parent's own pose.
pub(super) fn still_key(reading: Reading) -> AnimKey {
    AnimKey { rotation: values::pack_rotation(engine::IDENTITY, reading), ..AnimKey::default() }
}

/// Refuses nodes of the older form.
pub(super) fn known_nodes(model: &ModelView<'_>) -> Result<(), EditError> {
    match model.legacy_nodes {
        None => Ok(()),
        Some(stream) => {
            let found = format!("records of 38 bytes wanted, of {} found", stream.attr[2]);
            Err(LEGACY_NODES.at(Path::named("streams").index(stream.entry)).saying(found).into())
        }
    }
}

/// Keys from the one behind the node before up to the node's fallback.
fn own_keys<'a>(
    pool: &'a [wire::Key],
    first: usize,
    node_index: usize,
    node: &wire::Node,
) -> Result<&'a [wire::Key], EditError> {
    let end = behind(first, node_index, node)?;
    pool.get(first..end).ok_or_else(|| {
        let found = format!("key {} wanted, there are {}", node.fallback_key.get(), pool.len());
        KEYS_OUTSIDE.at(Path::named("nodes").index(node_index).field("fallback_key")).saying(found).into()
    })
}

/// The key behind a node's last one, which must not stand before its first.
fn behind(first: usize, node_index: usize, node: &wire::Node) -> Result<usize, EditError> {
    let fallback = usize::from(node.fallback_key.get());
    if fallback < first {
        let place = Path::named("nodes").index(node_index).field("fallback_key");
        let found = format!("{first} or more wanted behind the keys of the node before, {fallback} found");
        return Err(FALLBACK_ORDER.at(place).saying(found).into());
    }
    Ok(fallback.saturating_add(1))
}

/// The node's words of the frame map, if it has any.
fn own_run<'a>(
    words: &'a [wire::MapWord],
    frame_count: u32,
    node_index: usize,
    node: &wire::Node,
) -> Result<Option<&'a [wire::MapWord]>, EditError> {
    let start = node.map_start.get();
    if start == NONE {
        return Ok(None);
    }
    let first = usize::from(start);
    let end = usize::try_from(frame_count).ok().and_then(|count| first.checked_add(count));
    let run = end.and_then(|end| words.get(first..end)).ok_or_else(|| {
        let place = Path::named("nodes").index(node_index).field("map_start");
        let found = format!("{frame_count} words from {start} on wanted, there are {}", words.len());
        MAP_OUTSIDE.at(place).saying(found)
    })?;
    Ok(Some(run))
}

/// Refuses runs that share words and could not stand apart. A small file of many nodes with one long run must
/// not fill the memory.
fn runs_fit(nodes: &[wire::Node], frame_count: u32) -> Result<(), EditError> {
    let mapped = nodes.iter().filter(|node| node.map_start.get() != NONE).count();
    let last = usize::try_from(frame_count).unwrap_or(usize::MAX).saturating_mul(mapped.saturating_sub(1));
    if last > LAST_MAP_START {
        let found = format!("{mapped} runs of {frame_count} words cannot stand one behind the other");
        return Err(MAP_SHARED.at(Path::named("frame_map")).saying(found).into());
    }
    Ok(())
}

/// A word of the frame map, counted from the node's first key.
fn local(word: u16, first: usize) -> i32 {
    i32::from(word).saturating_sub(i32::try_from(first).unwrap_or(i32::MAX))
}

impl AnimModel {
    /// Where a node's keys begin in stream 8.
    pub fn first_key(&self, node: usize) -> usize {
        self.tracks.iter().take(node).fold(0, |first, track| first.saturating_add(track.keys.len()))
    }

    /// Frames that the tracks need: one more than the last whole frame that any node's keys reach, those of
    /// static nodes included, as in the game's files; 1 where no node is animated. Last times that are no frames
    /// (negative, not finite, beyond [`MOST_FRAMES`]) do not count.
    pub fn needed_frames(&self) -> u32 {
        if !self.tracks.iter().any(|track| track.has_map) {
            return 1;
        }
        let lasts = self.tracks.iter().filter_map(|track| track.keys.last());
        lasts.filter_map(|key| whole(key.time)).max().map_or(1, |last| last.saturating_add(1))
    }

    /// Gives the timeline another length. Maps are cut, or go on with the fallback, as the engine does past
    /// the end.
    pub fn set_frame_count(&mut self, frame_count: u32) -> Result<(), Exhausted> {
        self.frame_count = frame_count;
        let len = usize::try_from(frame_count).unwrap_or(usize::MAX);
        for track in self.tracks.iter_mut().filter(|track| track.has_map) {
            let fallback = number(track.keys.len().saturating_sub(1));
            let more = len.saturating_sub(track.frame_map.len());
            room::reserve_exact(&mut track.frame_map, more)?;
            track.frame_map.resize(len, fallback);
        }
        Ok(())
    }
}

impl NodeAnimTrack {
    /// Builds the map from the keys: [`frame_map`] if there are two or more, none for one.
    pub fn rebuild_map(&mut self, frame_count: u32) -> Result<(), Exhausted> {
        self.has_map = self.keys.len() > 1;
        self.frame_map = if self.has_map { frame_map(&self.keys, frame_count)? } else { Vec::new() };
        Ok(())
    }
}

/// The map that the game's files have: for each frame the last key at or before it, but the fallback before
/// the first key and from the last one on.
pub fn frame_map(keys: &[AnimKey], frame_count: u32) -> Result<Vec<i32>, Exhausted> {
    let [Some(first), Some(last)] = [keys.first(), keys.last()].map(|key| key.map(|key| f64::from(key.time)))
    else {
        return Ok(Vec::new());
    };
    let fallback = number(keys.len().saturating_sub(1));
    let mut later = keys.iter().skip(1).map(|key| f64::from(key.time)).peekable();
    let mut at: i32 = 0;
    let word = |frame: u32| {
        let frame = f64::from(frame);
        if frame < first || frame >= last {
            return fallback;
        }
        while later.next_if(|&time| time <= frame).is_some() {
            at = at.saturating_add(1);
        }
        at
    };
    room::collected((0..frame_count).map(word))
}

fn number(index: usize) -> i32 {
    i32::try_from(index).unwrap_or(i32::MAX)
}

/// The whole frame at or before a time, if it is one that a timeline can have.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::as_conversions,
    reason = "in range and rounded towards zero"
)]
pub(super) fn whole(time: f32) -> Option<u32> {
    let last = MOST_FRAMES.saturating_sub(1);
    (time >= 0.0 && f64::from(time) < f64::from(MOST_FRAMES)).then_some((time as u32).min(last))
}

/// A frame as a time.
pub(super) fn time_of(frame: u32) -> f32 {
    single(f64::from(frame))
}

impl AnimKey {
    /// The rotation as w, x, y, z.
    pub fn wxyz(&self, reading: Reading) -> Wxyz<f32> {
        values::rotation(&wire::Key::from(self), reading)
    }

    fn bits(&self) -> ([u32; 3], u32, [i16; 4]) {
        (self.position.map(f32::to_bits), self.time.to_bits(), self.rotation)
    }
}

/// Keys are equal when their bits are, whatever numbers those make.
impl PartialEq for AnimKey {
    fn eq(&self, other: &Self) -> bool {
        self.bits() == other.bits()
    }
}

impl Eq for AnimKey {}

impl From<&wire::Key> for AnimKey {
    fn from(key: &wire::Key) -> Self {
        AnimKey {
            position: key.position.map(F32::get),
            time: key.time.get(),
            rotation: key.rotation.map(I16::get),
        }
    }
}

impl From<&AnimKey> for wire::Key {
    fn from(key: &AnimKey) -> Self {
        wire::Key {
            position: key.position.map(F32::new),
            time: F32::new(key.time),
            rotation: key.rotation.map(I16::new),
        }
    }
}
