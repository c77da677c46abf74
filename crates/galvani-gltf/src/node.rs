//! Nodes: the first scene, and one more for each other state and level of detail.

use std::collections::{BTreeMap, BTreeSet};

use galvani_core::Path;
use galvani_scene::{Id, Mesh, Node, Scene, Skin, Track, Variant};
use glam::{Quat, Vec3};
use serde_json::json;

use crate::export::Writer;
use crate::hide::{HandedOver, hand_over, made_extras, split};
use crate::names::Names;
use crate::{AT_REST, Extension, LOST_LIGHT, Visibility, extras, mesh, schema};

/// Writes all nodes; the roots of the first scene.
pub(crate) fn write(writer: &mut Writer<'_>) -> Vec<usize> {
    let scene = writer.scene;
    let asks_levels = writer.options.uses(Extension::Lod);
    let roots = write_tree(writer, None);
    if asks_levels {
        write_levels(writer);
    }
    let mut names = Names::default();
    names.give(&scene.name, "scene");
    for variant in scene.variants.iter().filter(|variant| variant.state != 0 || !asks_levels) {
        writer.report.push(AT_REST.at(Path::named("variants")));
        let nodes = write_tree(writer, Some(variant));
        let name = names.give(&format!("{}{}", scene.name, suffix(variant)), "variant");
        writer.root.scenes.push(schema::Scene { name, nodes, extras: schema::Extras::new() });
    }
    roots
}

/// What the names of a variant's nodes end in.
fn suffix(variant: &Variant) -> String {
    let name = if variant.name.is_empty() { format!("state{}", variant.state) } else { variant.name.clone() };
    let state = if variant.state == 0 { String::new() } else { format!("_{name}") };
    format!("{state}_LOD{}", variant.level)
}

/// What a tree of all nodes is written from.
struct Tree<'s> {
    /// What the names of its nodes end in.
    suffix: String,
    /// What each node shows.
    shown: Vec<Option<Id<Mesh>>>,
    /// What is put on each node.
    sockets: BTreeMap<Id<Node>, Vec<&'s str>>,
    /// Nodes that are not always seen.
    hidden: BTreeSet<Id<Node>>,
    /// Nodes that a variant has show something: nobody would see why if they were hidden there.
    seen: BTreeSet<Id<Node>>,
}

impl<'s> Tree<'s> {
    fn new(scene: &'s Scene, variant: Option<&Variant>) -> Self {
        let mut shown: Vec<Option<Id<Mesh>>> = scene.nodes.iter().map(|node| node.mesh).collect();
        for (node, mesh) in variant.iter().flat_map(|variant| &variant.shows) {
            if let Some(shown) = shown.get_mut(node.index()) {
                *shown = *mesh;
            }
        }
        let mut sockets: BTreeMap<Id<Node>, Vec<&str>> = BTreeMap::new();
        for socket in &scene.sockets {
            sockets.entry(socket.node).or_default().push(&socket.name);
        }
        let tracks = scene.clips.iter().flat_map(|clip| &clip.tracks);
        let tracks = tracks.filter(|track| matches!(track, Track::Visibility(..)));
        let mut hidden: BTreeSet<Id<Node>> = tracks.filter_map(Track::node).collect();
        let at_rest = scene.nodes.iter().enumerate().filter(|(_, node)| !node.visible);
        hidden.extend(at_rest.map(|(i, _)| Id::new(i)));
        let shows = variant.iter().flat_map(|variant| &variant.shows);
        let seen = shows.filter(|(_, mesh)| mesh.is_some()).map(|(node, _)| *node).collect();
        Tree { suffix: variant.map(suffix).unwrap_or_default(), shown, sockets, hidden, seen }
    }
}

/// Writes all nodes as they are, or as a variant shows them; the roots.
fn write_tree(writer: &mut Writer<'_>, variant: Option<&Variant>) -> Vec<usize> {
    let scene = writer.scene;
    let tree = Tree::new(scene, variant);
    let first = writer.root.nodes.len();
    let at = |index: usize| first.saturating_add(index);
    for (i, node) in scene.nodes.iter().enumerate() {
        let written = write_node(writer, i, node, &tree);
        writer.root.nodes.push(written);
    }
    for (i, node) in scene.nodes.iter().enumerate() {
        if let Some(parent) = node.parent.and_then(|parent| writer.root.nodes.get_mut(at(parent.index()))) {
            parent.children.push(at(i));
        }
    }
    let roots = scene.nodes.iter().enumerate().filter(|(_, node)| node.parent.is_none());
    let (meshes, others): (Vec<_>, Vec<_>) = roots.partition(|(_, node)| node.skin.is_some());
    let mut roots: Vec<usize> = others.into_iter().map(|(i, _)| at(i)).collect();
    write_skins(writer, first, &tree, &mut roots);
    roots.extend(meshes.into_iter().map(|(i, _)| at(i)));
    roots.sort_unstable();
    roots
}

/// Writes the skins of a tree that begins at `first`, and one root for all of it where the joints of a skin have none.
fn write_skins(writer: &mut Writer<'_>, first: usize, tree: &Tree<'_>, roots: &mut Vec<usize>) {
    let scene = writer.scene;
    let shows = scene.nodes.iter().zip(&tree.shown).filter(|(_, shown)| shown.is_some());
    let worn: BTreeSet<Id<Skin>> = shows.filter_map(|(node, _)| node.skin).collect();
    let mut above = None;
    let mut places = BTreeMap::new();
    for id in worn {
        let Some(skin) = id.find_in(&scene.skins) else { continue };
        let top = common(scene, skin.joints.iter().map(|joint| joint.node.index()));
        let top = top.map_or_else(
            || *above.get_or_insert_with(|| write_root_of_all(writer, roots)),
            |top| first.saturating_add(top),
        );
        places.insert(id, mesh::write_skin(writer, skin, first, top));
    }
    for (node, written) in scene.nodes.iter().zip(writer.root.nodes.iter_mut().skip(first)) {
        written.skin =
            node.skin.filter(|_| written.mesh.is_some()).and_then(|skin| places.get(&skin).copied());
    }
}

/// Puts a node above all roots.
fn write_root_of_all(writer: &mut Writer<'_>, roots: &mut Vec<usize>) -> usize {
    let name = writer.node_names.give(&format!("{}_root", writer.scene.name), "root");
    let new = writer.root.nodes.len();
    let children = std::mem::replace(roots, vec![new]);
    let extras = extras::scalars(&made_extras());
    writer.root.nodes.push(schema::Node { name, children, extras, ..schema::Node::default() });
    new
}

fn write_node(writer: &mut Writer<'_>, index: usize, node: &Node, tree: &Tree<'_>) -> schema::Node {
    let name = if node.name.is_empty() { format!("node_{index}") } else { node.name.clone() };
    let name = writer.node_names.give(&format!("{name}{}", tree.suffix), "node");
    let mut extras = extras::scalars(&node.extras);
    if tree.suffix.is_empty() && name != node.name && !node.name.is_empty() {
        extras.insert(format!("{}name", extras::PREFIX), json!(node.name));
    }
    if let Some(sockets) = tree.sockets.get(&Id::new(index)) {
        extras.insert(format!("{}socket", extras::PREFIX), json!(sockets.join(", ")));
    }
    let shown = tree.shown.get(index).copied().flatten();
    let is_unhidden = node.scale == Vec3::ZERO && tree.seen.contains(&Id::new(index));
    let scale = if is_unhidden { Vec3::ONE } else { node.scale };
    schema::Node {
        name,
        children: Vec::new(),
        translation: (node.translation != Vec3::ZERO).then(|| node.translation.to_array()),
        rotation: (node.rotation != Quat::IDENTITY).then(|| node.rotation.to_array()),
        scale: (scale != Vec3::ONE).then(|| scale.to_array()),
        mesh: shown.and_then(|mesh| mesh::place_of(writer, mesh, node.skin.is_some())),
        skin: None,
        camera: node.camera.map(Id::index),
        extensions: node_extensions(writer, index, node, tree),
        extras,
    }
}

fn node_extensions(writer: &mut Writer<'_>, index: usize, node: &Node, tree: &Tree<'_>) -> schema::Extras {
    let mut extensions = schema::Extras::new();
    match node.light {
        Some(light) if writer.options.uses(Extension::Lights) => {
            let name = writer.use_extension("KHR_lights_punctual");
            extensions.insert(name, json!({"light": light.index()}));
        }
        Some(light) => writer.report.push(LOST_LIGHT.at(Path::named("lights").index(light.index()))),
        None => {}
    }
    if writer.options.visibility == Visibility::Extension && tree.hidden.contains(&Id::new(index)) {
        let name = writer.use_extension("KHR_node_visibility");
        let is_seen = node.visible || tree.seen.contains(&Id::new(index));
        extensions.insert(name, json!({"visible": is_seen}));
    }
    extensions
}

/// What nodes show at coarser levels, finest first.
fn coarser_levels(scene: &Scene) -> BTreeMap<usize, Vec<(u32, Id<Mesh>)>> {
    let mut levels: BTreeMap<usize, Vec<(u32, Id<Mesh>)>> = BTreeMap::new();
    for variant in scene.variants.iter().filter(|variant| variant.state == 0) {
        for (node, mesh) in variant.shows.iter().filter_map(|(node, mesh)| Some((node, (*mesh)?))) {
            levels.entry(node.index()).or_default().push((variant.level, mesh));
        }
    }
    for levels in levels.values_mut() {
        levels.sort_unstable();
    }
    levels
}

/// Hands what has coarser levels to nodes without children, since a level stands in for all that hangs on a node.
pub(crate) fn split_levels(scene: &mut Scene) {
    let mut handed = HandedOver::new();
    for index in coarser_levels(scene).into_keys() {
        if scene.nodes.get(index).is_some_and(|node| node.skin.is_none() && node.mesh.is_some()) {
            split(scene, index, "LOD0", &mut handed);
        }
    }
    hand_over(scene, &handed);
}

/// Writes what nodes show at coarser levels, as nodes that stand in no scene.
fn write_levels(writer: &mut Writer<'_>) {
    for (index, levels) in coarser_levels(writer.scene) {
        let mut ids = Vec::new();
        for (level, mesh) in levels {
            let Some(finest) = writer.root.nodes.get(index) else { continue };
            let (name, skin) = (finest.name.trim_end_matches("_LOD0").to_owned(), finest.skin);
            let name = writer.node_names.give(&format!("{name}_LOD{level}"), "level");
            let mesh = mesh::place_of(writer, mesh, skin.is_some());
            ids.push(writer.root.nodes.len());
            writer.root.nodes.push(schema::Node { name, mesh, skin, ..schema::Node::default() });
        }
        let name = writer.use_extension("MSFT_lod");
        if let Some(node) = writer.root.nodes.get_mut(index) {
            node.extensions.insert(name, json!({"ids": ids}));
        }
    }
}

/// The lowest node that is or carries all of these.
pub(crate) fn common(scene: &Scene, mut nodes: impl Iterator<Item = usize>) -> Option<usize> {
    let parent = |node: usize| scene.ancestors(node).next();
    let mut top = nodes.next()?;
    // Every node that was walked over; all of them are or hang below `top`.
    let mut walked = BTreeSet::from([top]);
    for mut node in nodes {
        while !walked.contains(&node) {
            // Parents stand before children: the later of two is not above the other.
            if node > top {
                walked.insert(node);
                node = parent(node)?;
            } else {
                top = parent(top)?;
                walked.insert(top);
            }
        }
    }
    Some(top)
}
