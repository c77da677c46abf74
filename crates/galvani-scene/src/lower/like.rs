//! The structure of another model: the order of nodes and clips, and what is known of nodes, by their names.

use std::collections::BTreeMap;

use galvani_core::{Path, Report};

use super::UNLIKE;
use crate::{Extras, Id, Node, Scene};

/// What scenes say that they come from.
const FORMAT: &str = "format";

/// The scene with its nodes and clips in the order of an example, and with what the example knows of nodes of the same name. What
/// the example does not have comes behind; nothing is added, and nothing moves.
#[must_use]
pub fn like(scene: &Scene, example: &Scene) -> (Scene, Report) {
    let mut made = scene.clone();
    facts(&mut made, example);
    order_nodes(&mut made, example);
    let clips = ranks(example.clips.iter().map(|clip| &clip.name));
    made.clips.sort_by_key(|clip| rank(&clips, &clip.name));
    let nodes = ranks(scene.nodes.iter().map(|node| &node.name));
    let names = example.nodes.iter().map(|node| &node.name).filter(|name| !nodes.contains_key(&bare(name)));
    let lacking: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    let mut report = Report::default();
    if !lacking.is_empty() {
        report.push(UNLIKE.at(Path::named("nodes")).saying(lacking.join(", ")));
    }
    (made, report)
}

/// What is left of a name in every game: its letters and digits.
fn bare(name: &str) -> String {
    name.chars().filter(|it| it.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

/// The first place of every name.
fn ranks(names: impl Iterator<Item = impl AsRef<str>>) -> BTreeMap<String, usize> {
    let mut ranks = BTreeMap::new();
    for (i, name) in names.enumerate() {
        ranks.entry(bare(name.as_ref())).or_insert(i);
    }
    ranks
}

/// What is not there comes last.
fn rank(ranks: &BTreeMap<String, usize>, name: &str) -> usize {
    ranks.get(&bare(name)).copied().unwrap_or(usize::MAX)
}

/// Takes what the example knows of nodes. What a scene of another format knows of its own means nothing there.
fn facts(made: &mut Scene, example: &Scene) {
    let known: BTreeMap<String, &Node> =
        example.nodes.iter().rev().map(|node| (bare(&node.name), node)).collect();
    let is_same_format = made.extras.get(FORMAT) == example.extras.get(FORMAT);
    for node in &mut made.nodes {
        let own = if is_same_format { std::mem::take(&mut node.extras) } else { Extras::new() };
        let mut extras = known.get(&bare(&node.name)).map_or_else(Extras::new, |node| node.extras.clone());
        extras.extend(own);
        node.extras = extras;
    }
    made.extras.extend(example.extras.get(FORMAT).map(|format| (FORMAT.to_owned(), format.clone())));
}

/// Puts nodes in the order of the example's; what hangs on another stays behind that, and what the example does not have stands before
/// the first of those that hang on it.
fn order_nodes(made: &mut Scene, example: &Scene) {
    let ranks = ranks(example.nodes.iter().map(|node| &node.name));
    let mut keys: Vec<usize> = made.nodes.iter().map(|node| rank(&ranks, &node.name)).collect();
    let is_known: Vec<bool> = keys.iter().map(|key| *key != usize::MAX).collect();
    let above = |node: usize| made.nodes[node].parent.map(Id::index).filter(|above| *above < node);
    for node in (0..keys.len()).rev() {
        if let Some(above) = above(node).filter(|above| !is_known[*above]) {
            keys[above] = keys[above].min(keys[node]);
        }
    }
    for node in 0..keys.len() {
        keys[node] = keys[node].max(above(node).map_or(0, |above| keys[above]));
    }
    let mut order: Vec<usize> = (0..made.nodes.len()).collect();
    order.sort_by_key(|node| keys[*node]);
    let mut places = vec![0; order.len()];
    for (place, node) in order.iter().enumerate() {
        places[*node] = place;
    }
    let place = |node: Id<Node>| places.get(node.index()).copied().map_or(node, Id::new);
    made.nodes = order.iter().map(|node| made.nodes[*node].clone()).collect();
    made.nodes.iter_mut().for_each(|node| node.parent = node.parent.map(place));
    made.skins.iter_mut().flat_map(|skin| &mut skin.joints).for_each(|joint| joint.node = place(joint.node));
    made.sockets.iter_mut().for_each(|socket| socket.node = place(socket.node));
    for (node, _) in made.variants.iter_mut().flat_map(|variant| &mut variant.shows) {
        *node = place(*node);
    }
    for track in made.clips.iter_mut().flat_map(|clip| &mut clip.tracks) {
        if let Some(node) = track.node() {
            *track = track.clone().on(place(node));
        }
    }
}
