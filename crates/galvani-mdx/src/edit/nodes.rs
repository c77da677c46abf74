//! Nodes: their names and parents.

use galvani_core::{EditError, Path};

use super::{CYCLE, NO_NODE, PARENT, text};
use crate::Document;
use crate::model::Node;

/// No parent.
const NONE: i32 = -1;

/// The index of the node with a number.
pub fn node_of(document: &Document, object_id: i32) -> Result<usize, EditError> {
    let is_it = |id: i32| id == object_id;
    let found = document.nodes().iter().position(|placed| is_it(placed.node.fixed.object_id.get()));
    found.ok_or_else(|| NO_NODE.at(Path::root()).saying(format!("{object_id} is nobody's number")).into())
}

/// Gives a node another name.
pub fn rename_node(document: &mut Document, node: usize, name: &str) -> Result<(), EditError> {
    let nodes = document.nodes();
    let placed = nodes.get(node).ok_or_else(|| no_node(node, nodes.len()))?;
    let room = text(placed.path.field("node").field("name"), name)?;
    change(document, node, |node| node.fixed.name.0 = room);
    Ok(())
}

/// Hangs a node on another, or on none. Its pivot and keys stay: what it inherits changes.
pub fn reparent_node(document: &mut Document, node: usize, parent: Option<usize>) -> Result<(), EditError> {
    let nodes = document.nodes();
    let placed = nodes.get(node).ok_or_else(|| no_node(node, nodes.len()))?;
    let path = placed.path.field("node").field("parent_id");
    let own = placed.node.fixed.object_id.get();
    let mut above = NONE;
    if let Some(parent) = parent {
        let placed = nodes.get(parent).ok_or_else(|| no_node(parent, nodes.len()))?;
        above = placed.node.fixed.object_id.get();
        let same = nodes.iter().filter(|placed| placed.node.fixed.object_id.get() == above).count();
        if above < 0 || same > 1 {
            return Err(PARENT.at(path).saying(format!("{same} nodes have the number {above}")).into());
        }
    }
    // The way up is not longer than there are nodes, unless it goes in circles already.
    let mut at = Some(above);
    for _ in 0..=nodes.len() {
        if at == Some(own) {
            return Err(CYCLE.at(path).saying(format!("node {own} is above node {above}, or is it")).into());
        }
        let next = nodes.iter().find(|placed| Some(placed.node.fixed.object_id.get()) == at);
        at = next.map(|next| next.node.fixed.parent_id.get());
    }
    if at.is_some() {
        return Err(CYCLE.at(path).saying(format!("the way up from node {above} goes in circles")).into());
    }
    change(document, node, |node| node.fixed.parent_id.set(above));
    Ok(())
}

fn change(document: &mut Document, index: usize, edit: impl FnOnce(&mut Node)) {
    let (mut edit, mut at) = (Some(edit), 0_usize);
    document.change_nodes(|node| {
        let is_it = at == index;
        at = at.saturating_add(1);
        if let Some(edit) = edit.take_if(|_| is_it) {
            edit(node);
        }
    });
}

fn no_node(node: usize, count: usize) -> EditError {
    NO_NODE.at(Path::root()).saying(format!("node {node} of {count}")).into()
}
