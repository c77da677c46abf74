//! Nodes: the first scene, and one more for each other state and level of detail.

use std::collections::BTreeMap;

use galvani_core::Path;
use galvani_scene::{Id, Mesh, Node, Scene, Skin, Track, Variant};
use glam::{Quat, Vec3};
use serde_json::json;

use crate::export::Writer;
use crate::hide::{made, split};
use crate::names::Names;
use crate::{AT_REST, Extension, LOST_LIGHT, Visibility, extras, mesh, schema};

/// Writes all nodes; the roots of the first scene, or nothing for a scene without nodes, which some readers refuse.
pub(crate) fn write(writer: &mut Writer<'_>) -> Option<Vec<usize>> {
    let scene = writer.scene;
    if scene.nodes.is_empty() {
        return None;
    }
    let roots = tree(writer, None);
    if writer.options.uses(Extension::Lod) {
        levels(writer);
    }
    let mut names = Names::default();
    names.give(&scene.name, "scene");
    for variant in &scene.variants {
        let level = variant.state == 0 && writer.options.uses(Extension::Lod);
        if !level {
            writer.report.push(AT_REST.at(Path::named("variants")));
            let nodes = tree(writer, Some(variant));
            let name = names.give(&format!("{}{}", scene.name, suffix(variant)), "variant");
            writer.root.scenes.push(schema::Scene { name, nodes, extras: schema::Extras::new() });
        }
    }
    Some(roots)
}

/// What the names of a variant's nodes end in.
fn suffix(variant: &Variant) -> String {
    let name = if variant.name.is_empty() { format!("state{}", variant.state) } else { variant.name.clone() };
    let state = if variant.state == 0 { String::new() } else { format!("_{name}") };
    format!("{state}_LOD{}", variant.level)
}

/// Writes all nodes as they are, or as a variant shows them; the roots.
fn tree(writer: &mut Writer<'_>, variant: Option<&Variant>) -> Vec<usize> {
    let scene = writer.scene;
    let first = writer.root.nodes.len();
    let at = |index: usize| first.saturating_add(index);
    for (i, node) in scene.nodes.iter().enumerate() {
        let written = one(writer, i, node, variant);
        writer.root.nodes.push(written);
    }
    for (i, node) in scene.nodes.iter().enumerate() {
        if let Some(parent) = node.parent.and_then(|parent| writer.root.nodes.get_mut(at(parent.index()))) {
            parent.children.push(at(i));
        }
    }
    let roots = scene.nodes.iter().enumerate().filter(|(_, node)| node.parent.is_none());
    let (meshes, mut roots): (Vec<_>, Vec<_>) = roots.partition(|(_, node)| node.skin.is_some());
    let mut roots: Vec<usize> = roots.drain(..).map(|(i, _)| at(i)).collect();
    skins(writer, first, variant, &mut roots);
    roots.extend(meshes.into_iter().map(|(i, _)| at(i)));
    roots.sort_unstable();
    roots
}

/// Writes the skins of a tree that begins at `first`, and one root for all of it where the joints of a skin have none.
fn skins(writer: &mut Writer<'_>, first: usize, variant: Option<&Variant>, roots: &mut Vec<usize>) {
    let scene = writer.scene;
    let mut above = None;
    let mut places = BTreeMap::new();
    for (id, skin) in skins_used(scene, variant) {
        let top = common(scene, skin.joints.iter().map(|joint| joint.node.index()));
        let top = top.map_or_else(
            || *above.get_or_insert_with(|| root_of_all(writer, roots)),
            |top| first.saturating_add(top),
        );
        places.insert(id, mesh::skin(writer, skin, first, top));
    }
    for (node, written) in scene.nodes.iter().zip(writer.root.nodes.iter_mut().skip(first)) {
        written.skin =
            node.skin.filter(|_| written.mesh.is_some()).and_then(|skin| places.get(&skin).copied());
    }
}

/// Puts a node above all roots.
fn root_of_all(writer: &mut Writer<'_>, roots: &mut Vec<usize>) -> usize {
    let name = writer.node_names.give(&format!("{}_root", writer.scene.name), "root");
    let new = writer.root.nodes.len();
    let children = std::mem::replace(roots, vec![new]);
    let extras = extras::scalars(&made());
    writer.root.nodes.push(schema::Node { name, children, extras, ..schema::Node::default() });
    new
}

/// The skins of what is shown.
fn skins_used<'s>(scene: &'s Scene, variant: Option<&Variant>) -> BTreeMap<Id<Skin>, &'s Skin> {
    let nodes = scene.nodes.iter().enumerate();
    let worn = nodes.filter(|(i, node)| shows(*i, node, variant).is_some()).filter_map(|(_, node)| node.skin);
    worn.filter_map(|skin| Some((skin, skin.of(&scene.skins)?))).collect()
}

/// What a node shows, perhaps in a variant.
fn shows(index: usize, node: &Node, variant: Option<&Variant>) -> Option<Id<Mesh>> {
    let instead = variant.and_then(|variant| variant.shows.iter().find(|(of, _)| of.index() == index));
    instead.map_or(node.mesh, |(_, mesh)| *mesh)
}

fn one(writer: &mut Writer<'_>, index: usize, node: &Node, variant: Option<&Variant>) -> schema::Node {
    let tail = variant.map(suffix).unwrap_or_default();
    let name = if node.name.is_empty() { format!("node_{index}") } else { node.name.clone() };
    let name = writer.node_names.give(&format!("{name}{tail}"), "node");
    let mut extras = extras::scalars(&node.extras);
    if variant.is_none() && name != node.name && !node.name.is_empty() {
        extras.insert(format!("{}name", extras::PREFIX), json!(node.name));
    }
    let sockets = writer.scene.sockets.iter().filter(|socket| socket.node.index() == index);
    let sockets: Vec<&str> = sockets.map(|socket| socket.name.as_str()).collect();
    if !sockets.is_empty() {
        extras.insert(format!("{}socket", extras::PREFIX), json!(sockets.join(", ")));
    }
    let is_skinned = node.skin.is_some();
    let mesh = shows(index, node, variant).and_then(|mesh| mesh::place(writer, mesh, is_skinned));
    schema::Node {
        name,
        children: Vec::new(),
        translation: (node.translation != Vec3::ZERO).then(|| node.translation.to_array()),
        rotation: (node.rotation != Quat::IDENTITY).then(|| node.rotation.to_array()),
        scale: (node.scale != Vec3::ONE).then(|| node.scale.to_array()),
        mesh,
        skin: None,
        camera: node.camera.map(Id::index),
        extensions: extensions(writer, index, node),
        extras,
    }
}

fn extensions(writer: &mut Writer<'_>, index: usize, node: &Node) -> schema::Extras {
    let mut extensions = schema::Extras::new();
    match node.light {
        Some(light) if writer.options.uses(Extension::Lights) => {
            let name = writer.extension("KHR_lights_punctual");
            extensions.insert(name, json!({"light": light.index()}));
        }
        Some(light) => writer.report.push(LOST_LIGHT.at(Path::named("lights").index(light.index()))),
        None => {}
    }
    if writer.options.visibility == Visibility::Extension && hides(writer.scene, index) {
        let name = writer.extension("KHR_node_visibility");
        extensions.insert(name, json!({"visible": node.visible}));
    }
    extensions
}

/// Whether a node is not always seen.
fn hides(scene: &Scene, index: usize) -> bool {
    let tracks = scene.clips.iter().flat_map(|clip| &clip.tracks);
    let mut tracks = tracks.filter(|track| matches!(track, Track::Visibility(..)));
    let of_node = tracks.any(|track| track.node() == Some(Id::new(index)));
    of_node || scene.nodes.get(index).is_some_and(|node| !node.visible)
}

/// Writes what nodes show at coarser levels, as nodes that stand in no scene.
fn levels(writer: &mut Writer<'_>) {
    for index in 0..writer.scene.nodes.len() {
        let mut ids = Vec::new();
        for (level, mesh) in coarser(writer.scene, index) {
            let Some(finest) = writer.root.nodes.get(index) else { continue };
            let (name, skin) = (finest.name.trim_end_matches("_LOD0").to_owned(), finest.skin);
            let name = writer.node_names.give(&format!("{name}_LOD{level}"), "level");
            let mesh = mesh::place(writer, mesh, skin.is_some());
            ids.push(writer.root.nodes.len());
            writer.root.nodes.push(schema::Node { name, mesh, skin, ..schema::Node::default() });
        }
        if !ids.is_empty() {
            let name = writer.extension("MSFT_lod");
            if let Some(node) = writer.root.nodes.get_mut(index) {
                node.extensions.insert(name, json!({"ids": ids}));
            }
        }
    }
}

/// What a node shows at coarser levels, finest first.
fn coarser(scene: &Scene, index: usize) -> Vec<(u32, Id<Mesh>)> {
    let levels = scene.variants.iter().filter(|variant| variant.state == 0);
    let mut found: Vec<_> = levels
        .filter_map(|variant| {
            let (_, mesh) = variant.shows.iter().find(|(of, _)| of.index() == index)?;
            Some((variant.level, (*mesh)?))
        })
        .collect();
    found.sort_unstable();
    found
}

/// Hands what has coarser levels to nodes without children, since a level stands in for all that hangs on a node.
pub(crate) fn split_levels(scene: &mut Scene) {
    for index in 0..scene.nodes.len() {
        let rigid = scene.nodes.get(index).is_some_and(|node| node.skin.is_none() && node.mesh.is_some());
        if rigid && !coarser(scene, index).is_empty() {
            split(scene, index, "LOD0");
        }
    }
}

/// The lowest node that is or carries all of these.
pub(crate) fn common(scene: &Scene, mut nodes: impl Iterator<Item = usize>) -> Option<usize> {
    let chain = |node: usize| std::iter::once(node).chain(scene.ancestors(node));
    let mut shared: Vec<usize> = chain(nodes.next()?).collect();
    for node in nodes {
        let other: Vec<usize> = chain(node).collect();
        // Both fall: parents stand before children.
        shared.retain(|above| other.binary_search_by(|probe| above.cmp(probe)).is_ok());
    }
    shared.first().copied()
}
