//! What is hidden is hidden in every reader: visibility becomes scale, by steps between all and nothing.
//!
//! A node that is rigid hands what it shows to a child, which is scaled. A mesh with a skin hangs on joints of its own:
//! one that is scaled, below the lowest node that carries all of its joints, and below that copies of the nodes between.
//! Scaled to nothing it is one point. Joints below each bone would not do: they leave a triangle between three bones.

use std::collections::{BTreeMap, BTreeSet};

use galvani_scene::{Clip, Curve, Extras, Fact, Id, Mesh, Node, Scene, Skin, Track};
use glam::Vec3;

use crate::Visibility;
use crate::node::common;

/// Makes hidden what is hidden sometimes.
pub(crate) fn hide(scene: &mut Scene, how: Visibility) {
    let hidden: Vec<usize> = (0..scene.nodes.len()).filter(|node| is_hidden(scene, *node)).collect();
    for index in hidden {
        let skin = scene.nodes.get(index).and_then(|node| node.skin);
        let shower = if skin.is_some() { index } else { split(scene, index, "shown") };
        if how == Visibility::Joints {
            let scaled = skin.map_or(shower, |skin| own_joints(scene, shower, skin));
            scale(scene, shower, scaled);
        }
    }
}

/// Whether a node shows something that is not always seen.
fn is_hidden(scene: &Scene, index: usize) -> bool {
    let Some(node) = scene.nodes.get(index) else { return false };
    let shows = node.light.is_some() || shown(scene, index).next().is_some();
    let hides = |track: &Track| matches!(track, Track::Visibility(_, curve) if curve.values.contains(&false));
    let of_node = |track: &&Track| track.node() == Some(Id::new(index));
    let mut tracks = scene.clips.iter().flat_map(|clip| &clip.tracks).filter(of_node);
    shows && (!node.visible || tracks.any(hides))
}

/// Every mesh that a node shows, in any state.
pub(crate) fn shown(scene: &Scene, index: usize) -> impl Iterator<Item = Id<Mesh>> {
    let own = scene.nodes.get(index).and_then(|node| node.mesh);
    let others = scene.variants.iter().flat_map(|variant| &variant.shows);
    let others = others.filter(move |(node, _)| node.index() == index).filter_map(|(_, mesh)| *mesh);
    own.into_iter().chain(others)
}

/// Hands what a node shows, and whether it is seen, to a new child.
pub(crate) fn split(scene: &mut Scene, index: usize, word: &str) -> usize {
    let new = scene.nodes.len();
    let Some(node) = scene.nodes.get_mut(index) else { return index };
    let child = Node {
        name: format!("{}_{word}", node.name),
        parent: Some(Id::new(index)),
        visible: std::mem::replace(&mut node.visible, true),
        mesh: node.mesh.take(),
        skin: node.skin.take(),
        light: node.light.take(),
        extras: made(),
        ..Node::default()
    };
    scene.nodes.push(child);
    hand_over(scene, Id::new(index), Id::new(new));
    new
}

/// Makes another node the one that variants and tracks of visibility mean.
pub(crate) fn hand_over(scene: &mut Scene, old: Id<Node>, new: Id<Node>) {
    for (node, _) in scene.variants.iter_mut().flat_map(|variant| &mut variant.shows) {
        *node = if *node == old { new } else { *node };
    }
    for track in scene.clips.iter_mut().flat_map(|clip| &mut clip.tracks) {
        if let Track::Visibility(node, _) = track {
            *node = if *node == old { new } else { *node };
        }
    }
}

/// What tells nodes that are only there for glTF's sake.
pub(crate) fn made() -> Extras {
    Extras::from([("made".to_owned(), Fact::Flag(true))])
}

/// Hangs a node's mesh on joints of its own; the one to scale.
fn own_joints(scene: &mut Scene, index: usize, skin: Id<Skin>) -> usize {
    let Some(Skin { name, joints }) = skin.of(&scene.skins).cloned() else { return index };
    let nodes: BTreeSet<usize> = used(scene, index)
        .iter()
        .filter_map(|joint| joints.get(*joint))
        .map(|joint| joint.node.index())
        .collect();
    let top = common(scene, nodes.iter().copied());
    let owner = scene.nodes.get(index).map(|node| node.name.clone()).unwrap_or_default();
    let scaled = scene.nodes.len();
    scene.nodes.push(Node {
        name: format!("{owner}_shown"),
        parent: top.map(Id::new),
        extras: made(),
        ..Node::default()
    });
    let copies = copies(scene, &nodes, top, &owner, Id::new(scaled));
    let own = |node: Id<Node>| {
        if top == Some(node.index()) { Some(Id::new(scaled)) } else { copies.get(&node).copied() }
    };
    let mut joints = joints;
    for joint in &mut joints {
        joint.node = own(joint.node).unwrap_or(joint.node);
    }
    let new = Id::new(scene.skins.len());
    scene.skins.push(Skin { name, joints });
    if let Some(node) = scene.nodes.get_mut(index) {
        node.skin = Some(new);
    }
    scaled
}

/// The joints that pull at anything that a node shows.
fn used(scene: &Scene, index: usize) -> BTreeSet<usize> {
    let meshes = shown(scene, index).filter_map(|mesh| mesh.of(&scene.meshes));
    let primitives = meshes.flat_map(|mesh| &mesh.primitives);
    primitives.flat_map(|primitive| primitive.influences.pulls()).map(|pull| pull.joint).collect()
}

/// Copies, with all that moves them, of the nodes from `top` down to some; below the joint that is scaled.
fn copies(
    scene: &mut Scene,
    nodes: &BTreeSet<usize>,
    top: Option<usize>,
    owner: &str,
    scaled: Id<Node>,
) -> BTreeMap<Id<Node>, Id<Node>> {
    let chain = |node: usize| std::iter::once(node).chain(scene.ancestors(node));
    let below = |node: &usize| chain(*node).take_while(|above| Some(*above) != top).collect::<Vec<_>>();
    let below: BTreeSet<usize> = nodes.iter().flat_map(below).collect();
    let mut copies: BTreeMap<Id<Node>, Id<Node>> = BTreeMap::new();
    for index in below {
        let Some(Node { name, parent, translation, rotation, scale, .. }) = scene.nodes.get(index) else {
            continue;
        };
        let parent = parent.and_then(|parent| copies.get(&parent).copied()).or(Some(scaled));
        let name = format!("{name}_of_{owner}");
        let (translation, rotation, scale) = (*translation, *rotation, *scale);
        copies.insert(Id::new(index), Id::new(scene.nodes.len()));
        scene.nodes.push(Node {
            name,
            parent,
            translation,
            rotation,
            scale,
            extras: made(),
            ..Node::default()
        });
    }
    for clip in &mut scene.clips {
        let moves = |track: &&Track| !matches!(track, Track::Visibility(..));
        let on_copy = |track: &Track| Some(track.clone().on(*copies.get(&track.node()?)?));
        let tracks: Vec<Track> = clip.tracks.iter().filter(moves).filter_map(on_copy).collect();
        clip.tracks.extend(tracks);
    }
    copies
}

/// Scales a node by whether another is seen: in every clip, since some players leave things as the last clip did.
fn scale(scene: &mut Scene, seen: usize, scaled: usize) {
    let at_rest = scene.nodes.get_mut(seen).is_none_or(|node| std::mem::replace(&mut node.visible, true));
    if let Some(node) = scene.nodes.get_mut(scaled) {
        node.scale = size(at_rest);
    }
    for clip in scene.clips.iter_mut().filter(|clip| !clip.tracks.is_empty()) {
        let curve = take_visibility(clip, seen).unwrap_or_else(|| Curve::still(at_rest));
        let sizes = curve.values.into_iter().map(size).collect();
        clip.tracks.push(Track::Scale(Id::new(scaled), Curve::step(curve.times, sizes)));
    }
}

fn take_visibility(clip: &mut Clip, node: usize) -> Option<Curve<bool>> {
    let is_its = |track: &Track| matches!(track, Track::Visibility(of, _) if of.index() == node);
    let place = clip.tracks.iter().position(is_its)?;
    match clip.tracks.remove(place) {
        Track::Visibility(_, curve) => Some(curve),
        _ => None,
    }
}

fn size(is_seen: bool) -> Vec3 {
    if is_seen { Vec3::ONE } else { Vec3::ZERO }
}
