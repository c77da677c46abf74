//! Nodes added and removed, with their keys, frames, names and labels.

use galvani_core::{EditError, Path, Reading, room};
use zerocopy::little_endian::U16;
use zerocopy::{FromZeros, IntoBytes};

use super::nodes::{has_node, no_nul, stored};
use super::{
    CHILDREN, Document, KEYS_OUTSIDE, LABELS_DAMAGED, MAP_OUTSIDE, MAP_SHARED, NAME_LONG, NO_NAMES, PARENT,
    TOO_MANY_KEYS, TOO_MANY_NODES, editable, joined,
};
use crate::msh::animation::{MOST_KEYS, own_range, read_keys, still_key};
use crate::msh::streams::{FRAME_MAP, KEYS, LABELS, NAMES, NODES};
use crate::msh::{ModelView, NONE, wire};

/// Streams of which a node has a part.
const PARTS: [u32; 5] = [NODES, KEYS, FRAME_MAP, NAMES, LABELS];

/// Adds a node behind the others and says its place: under a parent or none, where that is, without geometry, with one key if the
/// model has keys. Its name stands in stream 9 if the model has one and is read as observed, else in stream 10.
pub fn add_node(document: &mut Document, name: &[u8], parent: Option<usize>) -> Result<usize, EditError> {
    let model = editable(document, &PARTS)?;
    no_nul(name)?;
    let node = model.node_count();
    let place = Path::named("nodes").index(node);
    let above = match parent {
        None => NONE,
        Some(parent) => {
            has_node(&model, parent)?;
            let word = u16::try_from(parent).ok().filter(|word| *word != NONE);
            word.ok_or_else(|| PARENT.at(place.field("parent")).saying(format!("node {parent}")))?
        }
    };
    if node >= usize::from(NONE) {
        return Err(TOO_MANY_NODES.at(place).saying(format!("{node} nodes")).into());
    }
    let mut made = Document { archive: document.archive.copied()?, reading: document.reading };
    let mut row = wire::Node::new_zeroed();
    (row.parent, row.map_start, row.fallback_key) = (U16::new(above), U16::new(NONE), U16::new(NONE));
    row.slot_index = [U16::new(NONE); 15];
    if let Some(keys) = &model.keys {
        let first = read_keys(&model)?.tracks.iter().map(|track| track.keys.len()).sum::<usize>();
        if first >= MOST_KEYS {
            return Err(TOO_MANY_KEYS.at(Path::named("keys")).saying(format!("{first} keys")).into());
        }
        let (before, behind) = keys.rows.split_at_checked(first).unwrap_or((keys.rows, &[]));
        let own = wire::Key::from(&still_key(document.reading));
        let bytes = joined(&[before.as_bytes(), own.as_bytes(), behind.as_bytes(), keys.rest])?;
        made.set_stream(KEYS, bytes, [count(keys.rows.len(), 1), None, None])?;
        row.fallback_key = U16::new(u16::try_from(first).unwrap_or(NONE));
    }
    let rows = model.nodes.as_ref().map_or((&[][..], &[][..]), |nodes| (nodes.rows, nodes.rest));
    let bytes = joined(&[rows.0.as_bytes(), row.as_bytes(), rows.1])?;
    made.set_stream(NODES, bytes, [count(node, 1), None, None])?;
    let in_names = add_name(&mut made, &model, node, name)?;
    add_label(&mut made, &model, node, if in_names { &[] } else { name })?;
    *document = made;
    Ok(node)
}

/// Puts a name behind those of stream 9; whether there is one that counts.
fn add_name(made: &mut Document, model: &ModelView<'_>, node: usize, name: &[u8]) -> Result<bool, EditError> {
    let Some(names) = &model.names else { return Ok(false) };
    let counts = made.reading == Reading::Observed;
    let place = Path::named("names").index(node);
    if names.rows.len() != node {
        return Err(NO_NAMES.at(place).saying(format!("{} names for {node} nodes", names.rows.len())).into());
    }
    let mut room = [0; 32];
    if counts {
        let fits = room.split_last_mut().and_then(|(_, room)| room.get_mut(..name.len()));
        let found = || EditError::from(NAME_LONG.at(place).saying(format!("{} bytes", name.len())));
        fits.ok_or_else(found)?.copy_from_slice(name);
    }
    let bytes = joined(&[names.rows.as_bytes(), &room, names.rest])?;
    made.set_stream(NAMES, bytes, [count(node, 1), None, None])?;
    Ok(counts)
}

/// Puts a label behind those of stream 10, if there is one.
fn add_label(made: &mut Document, model: &ModelView<'_>, node: usize, label: &[u8]) -> Result<(), EditError> {
    let Some(labels) = &model.labels else { return Ok(()) };
    if labels.rows.len() != node || !labels.rest.is_empty() {
        return Err(labels_damaged(labels.rows.len(), node));
    }
    let bytes = joined(&[labels.stream.bytes, &stored(label)])?;
    made.set_stream(LABELS, bytes, [count(node, 1), None, None])
}

/// Removes a node that has no children, with its keys, its frames, its name and its label. Those behind it get lower numbers; the
/// slots that it names stay.
pub fn remove_node(document: &mut Document, node: usize) -> Result<(), EditError> {
    let model = editable(document, &PARTS)?;
    has_node(&model, node)?;
    let nodes = model.nodes.as_ref().map_or((&[][..], &[][..]), |nodes| (nodes.rows, nodes.rest));
    let is_child = |row: &wire::Node| usize::from(row.parent.get()) == node;
    if let Some(child) = nodes.0.iter().position(is_child) {
        let found = format!("node {child} hangs on it");
        return Err(CHILDREN.at(Path::named("nodes").index(node)).saying(found).into());
    }
    let mut rows = room::copied(nodes.0)?;
    let gone = rows.remove(node);
    let mut made = Document { archive: document.archive.copied()?, reading: document.reading };
    for row in &mut rows {
        lower(&mut row.parent, node, 1);
    }
    remove_keys(&mut made, &model, node, &mut rows)?;
    remove_frames(&mut made, &model, node, &gone, &mut rows)?;
    let bytes = joined(&[rows.as_bytes(), nodes.1])?;
    made.set_stream(NODES, bytes, [count(rows.len(), 0), None, None])?;
    if let Some(names) = model.names.as_ref().filter(|names| names.rows.len() > node) {
        let mut rows = room::copied(names.rows)?;
        rows.remove(node);
        made.set_stream(NAMES, joined(&[rows.as_bytes(), names.rest])?, [count(rows.len(), 0), None, None])?;
    }
    if let Some(labels) = &model.labels {
        let start = labels.rows.get(node).map(|label| label.start);
        let start = start.ok_or_else(|| labels_damaged(labels.rows.len(), node))?;
        let next = labels.rows.get(node.saturating_add(1)).map(|label| label.start);
        let all = labels.stream.bytes;
        let end = next.unwrap_or(all.len().saturating_sub(labels.rest.len()));
        let (before, behind) = (all.get(..start).unwrap_or_default(), all.get(end..).unwrap_or_default());
        made.set_stream(
            LABELS,
            joined(&[before, behind])?,
            [count(labels.rows.len().saturating_sub(1), 0), None, None],
        )?;
    }
    *document = made;
    Ok(())
}

/// Takes the keys of a node away; what names those behind them follows.
fn remove_keys(
    made: &mut Document,
    model: &ModelView<'_>,
    node: usize,
    rows: &mut [wire::Node],
) -> Result<(), EditError> {
    let Some(keys) = &model.keys else { return Ok(()) };
    let own = own_range(model, node)?;
    let len = own.len();
    let (before, behind) = (keys.rows.get(..own.start), keys.rows.get(own.end..));
    let outside = || EditError::from(KEYS_OUTSIDE.at(Path::named("nodes").index(node)));
    let (before, behind) = before.zip(behind).ok_or_else(outside)?;
    let bytes = joined(&[before.as_bytes(), behind.as_bytes(), keys.rest])?;
    made.set_stream(KEYS, bytes, [count(keys.rows.len().saturating_sub(len), 0), None, None])?;
    for row in rows {
        lower(&mut row.fallback_key, own.end.saturating_sub(1), len);
    }
    let Some(map) = &model.frame_map else { return Ok(()) };
    let mut words = room::copied(map.rows)?;
    for word in &mut words {
        lower(&mut word.key, own.end.saturating_sub(1), len);
    }
    made.set_stream(FRAME_MAP, joined(&[words.as_bytes(), map.rest])?, [None; 3])
}

/// Takes the frames of a node away, which no other may share.
fn remove_frames(
    made: &mut Document,
    model: &ModelView<'_>,
    node: usize,
    gone: &wire::Node,
    rows: &mut [wire::Node],
) -> Result<(), EditError> {
    let Some(map) = model.frame_map.as_ref().filter(|_| gone.map_start.get() != NONE) else { return Ok(()) };
    let place = Path::named("nodes").index(node).field("map_start");
    let (start, len) =
        (usize::from(gone.map_start.get()), usize::try_from(model.frame_count()).unwrap_or(usize::MAX));
    let end = start.saturating_add(len);
    let is_in = |row: &wire::Node| {
        let other = usize::from(row.map_start.get());
        row.map_start.get() != NONE && other < end && start < other.saturating_add(len)
    };
    if rows.iter().any(is_in) {
        return Err(MAP_SHARED.at(place).saying("its frames are another node's, too").into());
    }
    // The keys of the words have been followed up already.
    let words = made.find(FRAME_MAP).and_then(|entry| made.archive.payload(entry)).unwrap_or_default();
    let size = size_of::<wire::MapWord>();
    let (before, behind) = (words.get(..start.saturating_mul(size)), words.get(end.saturating_mul(size)..));
    let outside = || EditError::from(MAP_OUTSIDE.at(place).saying(format!("{} words", map.rows.len())));
    let (before, behind) = before.zip(behind).ok_or_else(outside)?;
    let bytes = joined(&[before, behind])?;
    made.set_stream(FRAME_MAP, bytes, [count(map.rows.len().saturating_sub(len), 0), None, None])?;
    for row in rows {
        lower(&mut row.map_start, start, len);
    }
    Ok(())
}

/// Lowers an index behind another by as much as is gone; 0xFFFF means nothing.
fn lower(word: &mut U16, behind: usize, by: usize) {
    let old = word.get();
    if old != NONE && usize::from(old) > behind {
        word.set(u16::try_from(usize::from(old).saturating_sub(by)).unwrap_or(NONE));
    }
}

/// What `attr1` counts.
fn count(count: usize, more: usize) -> Option<u32> {
    u32::try_from(count.saturating_add(more)).ok()
}

fn labels_damaged(found: usize, node: usize) -> EditError {
    let said = format!("label {node} wanted, {found} can be read");
    LABELS_DAMAGED.at(Path::named("labels").index(node)).saying(said).into()
}
