//! Tracks → streams 1, 8 and 19 of a document.
//!
//! Keys stand in one pool in the order of the nodes. Whatever nobody owns stays: keys behind the last node's,
//! words between runs, bytes behind the last whole record, and every field of a node but `map_start` and
//! `fallback_key`.

use galvani_core::{EditError, Exhausted, Path, Writer, room};
use zerocopy::IntoBytes;
use zerocopy::little_endian::U16;

use super::{AnimModel, LAST_MAP_START, MOST_FRAMES, MOST_KEYS, NodeAnimTrack, number};
use crate::msh::edit::{
    LAST_KEY, MAP_FULL, MAP_LENGTH, STREAM_OUTSIDE, TOO_MANY_FRAMES, TOO_MANY_KEYS, TRACK_COUNT,
};
use crate::msh::streams::{FRAME_MAP, KEYS, NODES};
use crate::msh::{Document, ModelView, NONE, wire};

/// `attr3` of stream 8 in every game model, though its records have 24 bytes.
const KEYS_ATTR3: u32 = 4;
/// `attr3` of stream 19.
const MAP_ATTR3: u32 = 2;

/// Where the runs of the frame map go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Layout {
    /// Where they are, if they are as many and as long as before and share no word. Else in the order of the
    /// nodes, one behind the other, and behind them the words that no run had.
    Keep,
    /// In the order of the nodes, one behind the other, and nothing else.
    Canonical,
}

/// Gives a document these tracks. A stream whose bytes would stay the same is not touched; whatever is
/// refused changes nothing. The document must have as many nodes as there are tracks, and no keys or ones
/// that can be read; streams 8 and 19 that it has not are added.
pub fn write(anim: &AnimModel, document: &mut Document, layout: Layout) -> Result<(), EditError> {
    for stream in [NODES, KEYS] {
        held(document, stream)?;
    }
    let model = document.model();
    if layout == Layout::Keep {
        held(document, FRAME_MAP)?;
        super::read(&model)?;
    }
    let base = Base::from_model(&model)?;
    fits(anim, &base)?;
    let keys = keys(anim, &base)?;
    let map = map(anim, &base, layout)?;
    let nodes = nodes(anim, &base, &map.starts)?;
    let changed = |new: &[u8], old: Option<&[u8]>| new != old.unwrap_or_default();
    let nodes_changed = changed(&nodes, model.nodes.as_ref().map(|table| table.stream.bytes));
    let keys_changed = changed(&keys, model.keys.as_ref().map(|table| table.stream.bytes));
    let map_changed = changed(&map.bytes, model.frame_map.as_ref().map(|table| table.stream.bytes))
        || anim.frame_count != base.frame_count;
    let mut made = Document { archive: document.archive.copied()?, reading: document.reading };
    if nodes_changed {
        made.set_stream(NODES, nodes, [None; 3])?;
    }
    if keys_changed {
        let count = keys.len().checked_div(size_of::<wire::Key>()).unwrap_or(0);
        made.set_stream(KEYS, keys, [u32::try_from(count).ok(), None, Some(KEYS_ATTR3)])?;
    }
    if map_changed {
        let count = map.bytes.len().checked_div(size_of::<wire::MapWord>()).unwrap_or(0);
        let attr = [u32::try_from(count).ok(), Some(anim.frame_count), Some(MAP_ATTR3)];
        made.set_stream(FRAME_MAP, map.bytes, attr)?;
    }
    *document = made;
    Ok(())
}

/// Refuses a stream whose directory record leads out of the archive: its bytes cannot be had, so not be kept.
pub(in crate::msh) fn held(document: &Document, stream: u32) -> Result<(), EditError> {
    match document.find(stream) {
        Some(entry) if document.archive.payload(entry).is_none() => {
            let found = format!("the bytes of stream {stream} are not in the file");
            Err(STREAM_OUTSIDE.at(Path::named("streams").index(entry)).saying(found).into())
        }
        _ => Ok(()),
    }
}

/// What the document has before.
struct Base<'a> {
    nodes: &'a [wire::Node],
    nodes_rest: &'a [u8],
    /// Where each node's keys begin; empty without keys.
    first_keys: Vec<usize>,
    /// Keys behind the last node's.
    spare_keys: &'a [wire::Key],
    keys_rest: &'a [u8],
    words: &'a [wire::MapWord],
    words_rest: &'a [u8],
    frame_count: u32,
}

impl<'a> Base<'a> {
    fn from_model(model: &ModelView<'a>) -> Result<Self, EditError> {
        let (mut first_keys, mut spare_keys, mut keys_rest) = (Vec::new(), &[][..], &[][..]);
        if let Some(keys) = &model.keys {
            let tracks = super::read_keys(model)?.tracks;
            let mut first = 0_usize;
            for track in tracks {
                first_keys.push(first);
                first = first.saturating_add(track.keys.len());
            }
            spare_keys = keys.rows.get(first..).unwrap_or_default();
            keys_rest = keys.rest;
        }
        let nodes = model.nodes.as_ref();
        let map = model.frame_map.as_ref();
        Ok(Base {
            nodes: nodes.map_or(&[], |table| table.rows),
            nodes_rest: nodes.map_or(&[], |table| table.rest),
            first_keys,
            spare_keys,
            keys_rest,
            words: map.map_or(&[], |table| table.rows),
            words_rest: map.map_or(&[], |table| table.rest),
            frame_count: model.frame_count(),
        })
    }

    /// Where each node's run starts.
    fn runs(&self) -> impl Iterator<Item = Option<usize>> {
        let known = !self.first_keys.is_empty();
        self.nodes.iter().map(move |node| {
            let start = node.map_start.get();
            (known && start != NONE).then_some(usize::from(start))
        })
    }

    /// Whether the runs can stay where they are.
    fn can_keep(&self, anim: &AnimModel) -> Result<bool, Exhausted> {
        let same = self.runs().zip(&anim.tracks).all(|(run, track)| run.is_some() == track.has_map);
        let len = usize::try_from(self.frame_count).unwrap_or(usize::MAX);
        let mut starts: Vec<usize> = room::collected(self.runs().flatten())?;
        starts.sort_unstable();
        let apart = starts.array_windows().all(|[a, b]| b.saturating_sub(*a) >= len);
        Ok(same && apart && self.frame_count == anim.frame_count)
    }

    /// Words that no run has.
    fn spare_words(&self) -> Result<Vec<u8>, Exhausted> {
        let len = usize::try_from(self.frame_count).unwrap_or(usize::MAX);
        let mut owned = room::filled(false, self.words.len())?;
        for start in self.runs().flatten() {
            owned.iter_mut().skip(start).take(len).for_each(|word| *word = true);
        }
        let spare = self.words.iter().zip(owned).filter(|(_, owned)| !owned);
        room::collected(spare.flat_map(|(word, _)| word.key.to_bytes()))
    }
}

/// Every limit of the format.
fn fits(anim: &AnimModel, base: &Base<'_>) -> Result<(), EditError> {
    let nodes = Path::named("nodes");
    if anim.tracks.len() != base.nodes.len() {
        let found = format!("{} tracks for {} nodes", anim.tracks.len(), base.nodes.len());
        return Err(TRACK_COUNT.at(nodes).saying(found).into());
    }
    let count = anim.first_key(anim.tracks.len());
    if count > MOST_KEYS {
        let found = format!("at most {MOST_KEYS} keys fit, {count} wanted");
        return Err(TOO_MANY_KEYS.at(Path::named("keys")).saying(found).into());
    }
    let mapped = anim.tracks.iter().filter(|track| track.has_map).count();
    frames_fit(mapped, anim.frame_count)?;
    for (i, track) in anim.tracks.iter().enumerate() {
        if track.keys.is_empty() {
            return Err(LAST_KEY.at(nodes.index(i)).into());
        }
        let len = u32::try_from(track.frame_map.len()).ok();
        if track.has_map && len != Some(anim.frame_count) {
            let found = format!("{} words for {} frames", track.frame_map.len(), anim.frame_count);
            return Err(MAP_LENGTH.at(nodes.index(i).field("map_start")).saying(found).into());
        }
    }
    Ok(())
}

/// Refuses more frames than a timeline has, and more runs than the map's starts can reach.
pub(in crate::msh) fn frames_fit(mapped: usize, frame_count: u32) -> Result<(), EditError> {
    let place = Path::named("frame_map");
    if mapped > 0 && frame_count > MOST_FRAMES {
        let found = format!("at most {MOST_FRAMES} frames fit, {frame_count} wanted");
        return Err(TOO_MANY_FRAMES.at(place).saying(found).into());
    }
    let len = usize::try_from(frame_count).unwrap_or(usize::MAX);
    let last = len.saturating_mul(mapped.saturating_sub(1));
    if last > LAST_MAP_START {
        let found = format!(
            "{mapped} animated nodes of {frame_count} frames: the last run would start at {last}, \
             {LAST_MAP_START} is the last place"
        );
        return Err(MAP_FULL.at(place).saying(found).into());
    }
    Ok(())
}

fn keys(anim: &AnimModel, base: &Base<'_>) -> Result<Vec<u8>, Exhausted> {
    let own = anim.first_key(anim.tracks.len()).saturating_add(base.spare_keys.len());
    let len = own.saturating_mul(size_of::<wire::Key>()).saturating_add(base.keys_rest.len());
    let mut w = Writer::with_capacity(len)?;
    anim.tracks.iter().flat_map(|track| &track.keys).for_each(|key| w.record(&wire::Key::from(key)));
    w.record(base.spare_keys);
    w.bytes(base.keys_rest);
    Ok(w.finish())
}

struct Map {
    bytes: Vec<u8>,
    /// Where each node's run starts.
    starts: Vec<u16>,
}

fn map(anim: &AnimModel, base: &Base<'_>, layout: Layout) -> Result<Map, EditError> {
    let len = usize::try_from(anim.frame_count).unwrap_or(usize::MAX);
    let keep = layout == Layout::Keep && base.can_keep(anim)?;
    let firsts = first_keys(anim)?;
    let mut words = if keep { room::copied(base.words)? } else { Vec::new() };
    let mut starts = room::with_capacity(anim.tracks.len())?;
    for ((i, track), run) in anim.tracks.iter().enumerate().zip(base.runs()) {
        if !track.has_map {
            starts.push(NONE);
            continue;
        }
        let start = run.filter(|_| keep).unwrap_or(words.len());
        starts.push(
            u16::try_from(start).ok().filter(|&start| start != NONE).ok_or_else(|| map_full(i, start))?,
        );
        let end = words.len().max(start.saturating_add(len));
        let more = end.saturating_sub(words.len());
        room::reserve(&mut words, more)?;
        words.resize(end, wire::MapWord { key: U16::new(0) });
        let own = words.iter_mut().skip(start);
        own.zip(shifted(anim, base, &firsts, i)).for_each(|(word, key)| word.key = U16::new(key));
    }
    let mut bytes = room::copied(words.as_bytes())?;
    if layout == Layout::Keep {
        if !keep {
            room::append(&mut bytes, &base.spare_words()?)?;
        }
        room::append(&mut bytes, base.words_rest)?;
    }
    Ok(Map { bytes, starts })
}

fn map_full(node: usize, start: usize) -> EditError {
    let found = format!("a run would start at word {start}, {LAST_MAP_START} is the last place");
    MAP_FULL.at(Path::named("nodes").index(node).field("map_start")).saying(found).into()
}

/// Where each track's keys begin in the new pool.
fn first_keys(anim: &AnimModel) -> Result<Vec<usize>, Exhausted> {
    let begin = |next: &mut usize, track: &NodeAnimTrack| {
        let first = *next;
        *next = first.saturating_add(track.keys.len());
        Some(first)
    };
    room::collected(anim.tracks.iter().scan(0, begin))
}

/// A node's map as indices into the new pool.
fn shifted(anim: &AnimModel, base: &Base<'_>, firsts: &[usize], node: usize) -> impl Iterator<Item = u16> {
    let first = firsts.get(node).copied().unwrap_or(0);
    let map = anim.tracks.get(node).map_or(&[][..], |track| &track.frame_map);
    let word = move |&local: &i32| match usize::try_from(local) {
        Ok(own) => first.saturating_add(own),
        Err(_) => foreign(anim, base, firsts, node, local),
    };
    map.iter().map(word).map(|key| u16::try_from(key).unwrap_or(u16::MAX))
}

/// The key of an earlier node that a damaged map names, wherever it is now; the last of that node if it is
/// gone.
fn foreign(anim: &AnimModel, base: &Base<'_>, firsts: &[usize], node: usize, local: i32) -> usize {
    let first = base.first_keys.get(node).map_or(0, |&first| number(first));
    let old = usize::try_from(first.saturating_add(local)).unwrap_or(0);
    let owner = base.first_keys.partition_point(|&first| first <= old).saturating_sub(1);
    let at = old.saturating_sub(base.first_keys.get(owner).copied().unwrap_or(0));
    let last = anim.tracks.get(owner).map_or(0, |track| track.keys.len().saturating_sub(1));
    firsts.get(owner).copied().unwrap_or(0).saturating_add(at.min(last))
}

fn nodes(anim: &AnimModel, base: &Base<'_>, starts: &[u16]) -> Result<Vec<u8>, Exhausted> {
    let mut rows = room::copied(base.nodes)?;
    let mut next = 0_usize;
    for ((row, track), start) in rows.iter_mut().zip(&anim.tracks).zip(starts) {
        next = next.saturating_add(track.keys.len());
        row.fallback_key = U16::new(u16::try_from(next.saturating_sub(1)).unwrap_or(u16::MAX));
        row.map_start = U16::new(*start);
    }
    let mut bytes = room::with_capacity(rows.as_bytes().len().saturating_add(base.nodes_rest.len()))?;
    bytes.extend_from_slice(rows.as_bytes());
    bytes.extend_from_slice(base.nodes_rest);
    Ok(bytes)
}
