//! What is hidden is hidden in every reader: visibility becomes scale, by steps between all and nothing.
//!
//! A node that is rigid hands what it shows to a child, which is scaled. A mesh with a skin hangs on joints of its own:
//! one that is scaled, below the lowest node that carries all of its joints, and below that copies of the nodes between.
//! Scaled to nothing it is one point. A joint below each bone would not do: it leaves a triangle between three bones.

use std::collections::{BTreeMap, BTreeSet};

use galvani_core::{Path, WriteError};
use galvani_scene::{Clip, Curve, Extras, Fact, Id, Mesh, Node, Scene, Skin, Track};
use glam::Vec3;

use crate::node::common;
use crate::{TOO_LARGE, Visibility};

/// The most nodes and tracks that are copied; no model of a game comes near it.
const MOST_COPIES: usize = 1 << 20;

/// Nodes that stand in for others: what variants and tracks of visibility said of the old is meant of the new.
pub(crate) type HandedOver = BTreeMap<Id<Node>, Id<Node>>;

/// Makes hidden what is hidden sometimes.
pub(crate) fn hide(scene: &mut Scene, how: Visibility) -> Result<(), WriteError> {
    let shown = shown_meshes(scene);
    let mut handed = HandedOver::new();
    let mut scaled = BTreeMap::new();
    let mut copies = BTreeMap::new();
    for index in hidden_nodes(scene, &shown) {
        let skin = scene.nodes.get(index).and_then(|node| node.skin);
        let shower = if skin.is_some() { index } else { split(scene, index, "shown", &mut handed) };
        if how == Visibility::Joints {
            let meshes = shown.get(&index).map_or(&[][..], Vec::as_slice);
            let joint = skin.map_or(shower, |skin| add_joints(scene, shower, skin, meshes, &mut copies));
            scaled.insert(Id::new(shower), Id::new(joint));
        }
    }
    hand_over(scene, &handed);
    copy_tracks(scene, &copies)?;
    scale_hidden(scene, &scaled);
    Ok(())
}

/// Every mesh that a node shows in any state, by node.
pub(crate) fn shown_meshes(scene: &Scene) -> BTreeMap<usize, Vec<Id<Mesh>>> {
    let own = scene.nodes.iter().enumerate().filter_map(|(i, node)| Some((i, node.mesh?)));
    let others = scene.variants.iter().flat_map(|variant| &variant.shows);
    let others = others.filter_map(|(node, mesh)| Some((node.index(), (*mesh)?)));
    let mut shown: BTreeMap<usize, Vec<Id<Mesh>>> = BTreeMap::new();
    for (node, mesh) in own.chain(others) {
        shown.entry(node).or_default().push(mesh);
    }
    shown
}

/// Whether something is not always seen.
pub(crate) fn hides(scene: &Scene) -> bool {
    !hidden_nodes(scene, &shown_meshes(scene)).is_empty()
}

/// Nodes that show something, in any state.
pub(crate) fn showing(scene: &Scene) -> BTreeSet<Id<Node>> {
    let lamps = scene.nodes.iter().enumerate().filter(|(_, node)| node.light.is_some()).map(|(i, _)| i);
    shown_meshes(scene).into_keys().chain(lamps).map(Id::new).collect()
}

/// Nodes that show something that is not always seen.
fn hidden_nodes(scene: &Scene, shown: &BTreeMap<usize, Vec<Id<Mesh>>>) -> Vec<usize> {
    let hides = |track: &Track| match track {
        Track::Visibility(node, curve) if curve.values.contains(&false) => Some(*node),
        _ => None,
    };
    let hiding: BTreeSet<Id<Node>> =
        scene.clips.iter().flat_map(|clip| &clip.tracks).filter_map(hides).collect();
    let is_hidden = |(i, node): &(usize, &Node)| {
        let shows = node.light.is_some() || shown.contains_key(i);
        shows && (!node.visible || hiding.contains(&Id::new(*i)))
    };
    scene.nodes.iter().enumerate().filter(is_hidden).map(|(i, _)| i).collect()
}

/// Hands what a node shows, and whether it is seen, to a new child.
pub(crate) fn split(scene: &mut Scene, index: usize, word: &str, handed: &mut HandedOver) -> usize {
    let new = scene.nodes.len();
    let Some(node) = scene.nodes.get_mut(index) else { return index };
    let child = Node {
        name: format!("{}_{word}", node.name),
        parent: Some(Id::new(index)),
        visible: std::mem::replace(&mut node.visible, true),
        mesh: node.mesh.take(),
        skin: node.skin.take(),
        light: node.light.take(),
        extras: made_extras(),
        ..Node::default()
    };
    scene.nodes.push(child);
    handed.insert(Id::new(index), Id::new(new));
    new
}

/// Lets variants and tracks of visibility mean the new nodes.
pub(crate) fn hand_over(scene: &mut Scene, handed: &HandedOver) {
    for (node, _) in scene.variants.iter_mut().flat_map(|variant| &mut variant.shows) {
        *node = handed.get(node).copied().unwrap_or(*node);
    }
    for track in scene.clips.iter_mut().flat_map(|clip| &mut clip.tracks) {
        if let Track::Visibility(node, _) = track {
            *node = handed.get(node).copied().unwrap_or(*node);
        }
    }
}

/// What tells nodes that are only there for glTF's sake.
pub(crate) fn made_extras() -> Extras {
    Extras::from([("made".to_owned(), Fact::Flag(true))])
}

/// The same of a joint that stands in for a node, which counts as what pulls.
fn stand_in(node: Option<&Node>) -> Extras {
    let mut extras = made_extras();
    let number = node.and_then(|node| node.extras.get("id"));
    extras.extend(number.map(|number| ("of".to_owned(), number.clone())));
    extras
}

/// Nodes, and their copies.
type Copies = BTreeMap<Id<Node>, Vec<Id<Node>>>;

/// Hangs the meshes of a node on joints of their own; the one to scale.
fn add_joints(
    scene: &mut Scene,
    index: usize,
    skin: Id<Skin>,
    meshes: &[Id<Mesh>],
    copies: &mut Copies,
) -> usize {
    let Some(Skin { name, mut joints }) = skin.find_in(&scene.skins).cloned() else { return index };
    let pulling = used_joints(scene, meshes).into_iter().filter_map(|joint| joints.get(joint));
    let nodes: Vec<usize> = pulling.map(|joint| joint.node.index()).collect();
    let top = common(scene, nodes.iter().copied());
    let owner = scene.nodes.get(index).map(|node| node.name.clone()).unwrap_or_default();
    let scaled = Id::new(scene.nodes.len());
    let (name_of_scaled, parent) = (format!("{owner}_shown"), top.map(Id::new));
    let extras = stand_in(top.and_then(|top| scene.nodes.get(top)));
    scene.nodes.push(Node { name: name_of_scaled, parent, extras, ..Node::default() });
    let mut own: BTreeMap<Id<Node>, Id<Node>> = BTreeMap::new();
    for old in nodes_below(scene, &nodes, top) {
        let Some(node) = scene.nodes.get(old) else { continue };
        let parent = node.parent.and_then(|parent| own.get(&parent).copied()).or(Some(scaled));
        let (name, extras) = (format!("{}_of_{owner}", node.name), stand_in(Some(node)));
        let (translation, rotation, scale) = (node.translation, node.rotation, node.scale);
        let new = Id::new(scene.nodes.len());
        own.insert(Id::new(old), new);
        copies.entry(Id::new(old)).or_default().push(new);
        scene.nodes.push(Node { name, parent, translation, rotation, scale, extras, ..Node::default() });
    }
    own.extend(top.map(|top| (Id::new(top), scaled)));
    for joint in &mut joints {
        joint.node = own.get(&joint.node).copied().unwrap_or(joint.node);
    }
    if let Some(node) = scene.nodes.get_mut(index) {
        node.skin = Some(Id::new(scene.skins.len()));
    }
    scene.skins.push(Skin { name, joints });
    scaled.index()
}

/// The joints that pull at any of these meshes.
fn used_joints(scene: &Scene, meshes: &[Id<Mesh>]) -> BTreeSet<usize> {
    let meshes = meshes.iter().filter_map(|mesh| mesh.find_in(&scene.meshes));
    let primitives = meshes.flat_map(|mesh| &mesh.primitives);
    primitives.flat_map(|primitive| primitive.influences.pulls()).map(|pull| pull.joint).collect()
}

/// The nodes from below `top` down to these, parents first.
fn nodes_below(scene: &Scene, nodes: &[usize], top: Option<usize>) -> BTreeSet<usize> {
    let mut below = BTreeSet::new();
    for node in nodes {
        let chain = std::iter::once(*node).chain(scene.ancestors(*node));
        for above in chain.take_while(|above| Some(*above) != top) {
            if !below.insert(above) {
                break;
            }
        }
    }
    below
}

/// Lets copies move as their originals do.
fn copy_tracks(scene: &mut Scene, copies: &Copies) -> Result<(), WriteError> {
    let mut count = copies.values().map(Vec::len).fold(0, usize::saturating_add);
    for clip in &mut scene.clips {
        let mut tracks = Vec::new();
        for track in clip.tracks.iter().filter(|track| !matches!(track, Track::Visibility(..))) {
            let nodes = track.node().and_then(|node| copies.get(&node)).map_or(&[][..], Vec::as_slice);
            count = count.saturating_add(nodes.len());
            if count > MOST_COPIES {
                let said = format!("{MOST_COPIES} joints and tracks at most hide things");
                return Err(TOO_LARGE.at(Path::named("clips")).saying(said).into());
            }
            tracks.extend(nodes.iter().map(|node| track.clone().on(*node)));
        }
        clip.tracks.extend(tracks);
    }
    Ok(())
}

/// Scales nodes by whether others are seen: in every clip, since some players leave things as the last clip did.
fn scale_hidden(scene: &mut Scene, scaled: &BTreeMap<Id<Node>, Id<Node>>) {
    let mut at_rest = BTreeMap::new();
    for (seen, scaled) in scaled {
        let node = scene.nodes.get_mut(seen.index());
        let is_seen = node.is_none_or(|node| std::mem::replace(&mut node.visible, true));
        at_rest.insert(*seen, is_seen);
        if let Some(node) = scene.nodes.get_mut(scaled.index()) {
            node.scale = size(is_seen);
        }
    }
    for clip in scene.clips.iter_mut().filter(|clip| !clip.tracks.is_empty()) {
        let mut curves = take_visibility(clip, scaled);
        for (seen, scaled) in scaled {
            let still = || Curve::still(at_rest.get(seen).copied().unwrap_or(true));
            let curve = curves.remove(seen).unwrap_or_else(still);
            let sizes = curve.values.into_iter().map(size).collect();
            clip.tracks.push(Track::Scale(*scaled, Curve::step(curve.times, sizes)));
        }
    }
}

/// Takes the tracks of visibility of some nodes out of a clip.
fn take_visibility<T>(clip: &mut Clip, of: &BTreeMap<Id<Node>, T>) -> BTreeMap<Id<Node>, Curve<bool>> {
    let is_taken = |track: &mut Track| matches!(track, Track::Visibility(node, _) if of.contains_key(node));
    let taken = clip.tracks.extract_if(.., is_taken);
    let curve = |track| match track {
        Track::Visibility(node, curve) => Some((node, curve)),
        _ => None,
    };
    taken.filter_map(curve).collect()
}

fn size(is_seen: bool) -> Vec3 {
    if is_seen { Vec3::ONE } else { Vec3::ZERO }
}
