//! Nodes: names, labels, parents, flags, slots.

use galvani_core::{EditError, Path, Reading, room};
use zerocopy::IntoBytes;

use super::{
    CYCLE, Document, LABELS_DAMAGED, NAME, NAME_LONG, NO_NAMES, NO_SLOT, PARENT, editable, joined, no_node,
};
use crate::msh::streams::{LABELS, NAMES, NODES, SLOTS};
use crate::msh::{ModelView, NONE, wire};

/// Longest name in stream 9, whose rooms have 32 bytes and a NUL at the end.
const NAME_LEN: usize = 31;

/// Gives a node another name: in stream 9 under the observed reading, else in stream 10, where it is its
/// label.
pub fn rename(document: &mut Document, node: usize, name: &[u8]) -> Result<(), EditError> {
    if document.reading != Reading::Observed {
        return set_label(document, node, name);
    }
    let model = editable(document, &[NAMES])?;
    may_have_node(&model, node)?;
    no_nul(name)?;
    if name.len() > NAME_LEN {
        let found = format!("{} bytes, {NAME_LEN} fit beside the NUL", name.len());
        return Err(NAME_LONG.at(Path::named("names").index(node)).saying(found).into());
    }
    let missing = || EditError::from(NO_NAMES.at(Path::named("names").index(node)));
    let names = model.names.as_ref().ok_or_else(missing)?;
    let mut rows = room::copied(names.rows)?;
    let room = &mut rows.get_mut(node).ok_or_else(missing)?.name.0;
    room.fill(0);
    room.iter_mut().zip(name).for_each(|(room, byte)| *room = *byte);
    let bytes = joined(&[rows.as_bytes(), names.rest])?;
    document.set_stream(NAMES, bytes, [None; 3])
}

/// Gives a node another label in stream 10; an empty one takes no bytes. A model without that stream gets
/// one.
pub fn set_label(document: &mut Document, node: usize, label: &[u8]) -> Result<(), EditError> {
    let model = editable(document, &[LABELS])?;
    may_have_node(&model, node)?;
    no_nul(label)?;
    let Some(labels) = &model.labels else {
        has_node(&editable(document, &[NODES])?, node)?;
        let count = model.node_count();
        let labels = (0..count).flat_map(|i| stored(if i == node { label } else { &[] }));
        let bytes = room::collected(labels)?;
        return document.set_stream(LABELS, bytes, [u32::try_from(count).ok(), None, None]);
    };
    let place = Path::named("labels").index(node);
    let damaged = || {
        let found = format!("label {node} wanted, {} can be read", labels.rows.len());
        EditError::from(LABELS_DAMAGED.at(place).saying(found))
    };
    let old = labels.rows.get(node).ok_or_else(damaged)?;
    let (before, own) = labels.stream.bytes.split_at_checked(old.start).ok_or_else(damaged)?;
    let behind = own.get(HEAD_LEN.saturating_add(old.room.len())..).ok_or_else(damaged)?;
    let bytes = joined(&[before, &stored(label), behind])?;
    document.set_stream(LABELS, bytes, [None; 3])
}

/// Bytes of the length before a label.
const HEAD_LEN: usize = 4;

/// A label as stream 10 has it: its length, and if it has one, its bytes and a NUL.
pub(super) fn stored(label: &[u8]) -> Vec<u8> {
    let len = u32::try_from(label.len()).unwrap_or(u32::MAX);
    let mut bytes = len.to_le_bytes().to_vec();
    if !label.is_empty() {
        bytes.extend_from_slice(label);
        bytes.push(0);
    }
    bytes
}

/// Hangs a node under another that stands before it, or under none. Its keys stay, so it moves with the new
/// parent.
pub fn reparent(document: &mut Document, node: usize, parent: Option<usize>) -> Result<(), EditError> {
    let model = editable(document, &[NODES])?;
    has_node(&model, node)?;
    let place = Path::named("nodes").index(node).field("parent");
    if let Some(parent) = parent {
        has_node(&model, parent)?;
        if parent >= node || parent >= usize::from(NONE) {
            let found = format!("node {parent} stands behind node {node} or is it");
            return Err(PARENT.at(place).saying(found).into());
        }
        if is_above(&model, node, parent) {
            let found = format!("node {node} is above node {parent}");
            return Err(CYCLE.at(place).saying(found).into());
        }
    }
    let word = parent.map_or(NONE, |parent| u16::try_from(parent).unwrap_or(NONE));
    change_row(document, node, |row| row.parent.set(word))
}

/// Gives a node other flags.
pub fn set_node_flags(document: &mut Document, node: usize, flags: u16) -> Result<(), EditError> {
    change_row(document, node, |row| row.flags.set(flags))
}

/// Levels that a node chooses slots by, and groups.
const LEVELS: usize = 3;
const GROUPS: usize = 5;

/// Says which slot a node shows at a level and group, or that it shows none.
pub fn set_slot(
    document: &mut Document,
    node: usize,
    level: usize,
    group: usize,
    slot: Option<usize>,
) -> Result<(), EditError> {
    let model = editable(document, &[NODES, SLOTS])?;
    let place = Path::named("nodes").index(node).field("slot_index");
    if level >= LEVELS || group >= GROUPS {
        let found = format!("level {level} of {LEVELS}, group {group} of {GROUPS}");
        return Err(NO_SLOT.at(place).saying(found).into());
    }
    let count = model.slots.as_ref().map_or(0, |slots| slots.rows.len());
    if let Some(slot) = slot.filter(|slot| *slot >= count || *slot >= usize::from(NONE)) {
        return Err(NO_SLOT.at(place).saying(format!("slot {slot} of {count}")).into());
    }
    let word = slot.map_or(NONE, |slot| u16::try_from(slot).unwrap_or(NONE));
    let at = level.saturating_mul(GROUPS).saturating_add(group);
    change_row(document, node, |row| {
        row.slot_index.iter_mut().skip(at).take(1).for_each(|room| room.set(word));
    })
}

/// Changes the record of a node and nothing else.
fn change_row(
    document: &mut Document,
    node: usize,
    change: impl FnOnce(&mut wire::Node),
) -> Result<(), EditError> {
    let model = editable(document, &[NODES])?;
    has_node(&model, node)?;
    let Some(nodes) = &model.nodes else { return Err(no_node(node, 0)) };
    let mut rows = room::copied(nodes.rows)?;
    if let Some(row) = rows.get_mut(node) {
        change(row);
    }
    let bytes = joined(&[rows.as_bytes(), nodes.rest])?;
    document.set_stream(NODES, bytes, [None; 3])
}

/// Whether one node is an ancestor of another. A chain that leads in a circle or nowhere ends.
fn is_above(model: &ModelView<'_>, node: usize, below: usize) -> bool {
    let rows = model.nodes.as_ref().map_or(&[][..], |nodes| nodes.rows);
    let up = |at: &usize| rows.get(*at).map(|row| usize::from(row.parent.get()));
    std::iter::successors(Some(below), up).take(rows.len().saturating_add(1)).any(|at| at == node)
}

pub(super) fn has_node(model: &ModelView<'_>, node: usize) -> Result<(), EditError> {
    if node < model.node_count() { Ok(()) } else { Err(no_node(node, model.node_count())) }
}

/// Refuses a node that is not there, as far as anybody knows: where the nodes are lost, a name or label that is
/// there can still be changed.
fn may_have_node(model: &ModelView<'_>, node: usize) -> Result<(), EditError> {
    if model.outside.contains(&NODES) { Ok(()) } else { has_node(model, node) }
}

pub(super) fn no_nul(name: &[u8]) -> Result<(), EditError> {
    if name.contains(&0) { Err(NAME.at(Path::named("name")).into()) } else { Ok(()) }
}
