//! Where the vertices of a scene are, for those who ask other programs.
#![allow(dead_code, reason = "not every test uses all of it")]

use std::collections::BTreeMap;

use galvani_scene::{
    Influences, Matrices, Mesh, Node, Primitive, Pull, Scene, skin_palette, skinned_positions,
};
use glam::{Vec3, Vec3A};
use serde_json::Value;

/// The node that a mesh belongs to, whatever carries it in the file.
pub(crate) fn owner(name: &str) -> &str {
    let parts = ["_shown", "_mesh", "_LOD0"];
    parts.iter().find_map(|part| name.strip_suffix(part)).map_or(name, owner)
}

/// Where a program has the vertices of each mesh, by the node that it belongs to.
pub(crate) fn meshes(told: &Value) -> BTreeMap<&str, Vec<Vec3>> {
    let places = |list: &Value| list.as_array().unwrap().iter().map(vector).collect();
    told.as_object().unwrap().iter().map(|(name, list)| (owner(name), places(list))).collect()
}

/// Three numbers.
pub(crate) fn vector(told: &Value) -> Vec3 {
    let parts: Vec<f32> = told.as_array().unwrap().iter().map(number).collect();
    Vec3::from_slice(&parts)
}

#[allow(clippy::cast_possible_truncation, reason = "only compared")]
pub(crate) fn number(told: &Value) -> f32 {
    told.as_f64().unwrap() as f32
}

/// How far places are from the first of them: what is hidden is a point.
pub(crate) fn spread(places: &[Vec3]) -> f32 {
    places.iter().map(|place| place.distance(places[0])).fold(0.0, f32::max)
}

/// The diagonal of the box of all nodes and vertices.
pub(crate) fn size(scene: &Scene, models: &Matrices) -> f32 {
    let nodes = (0..scene.nodes.len()).map(|i| Vec3::from(models.matrix(i).translation));
    let shown = scene.nodes.iter().enumerate().filter_map(|(i, node)| Some((i, node.mesh?)));
    let places =
        shown.flat_map(|(i, mesh)| vertices(scene, i, &scene.meshes[mesh.index()], models, usize::MAX));
    let all: Vec<Vec3> = nodes.chain(places).collect();
    let low = all.iter().copied().fold(Vec3::INFINITY, Vec3::min);
    all.iter().copied().fold(Vec3::NEG_INFINITY, Vec3::max).distance(low).max(1.0)
}

/// The longest axis of all nodes, at least 1.
pub(crate) fn longest_axis(scene: &Scene, models: &Matrices) -> f32 {
    let axes = (0..scene.nodes.len()).map(|i| models.matrix(i).matrix3);
    let lengths = axes.flat_map(|it| [it.x_axis, it.y_axis, it.z_axis]).map(Vec3A::length);
    lengths.fold(1.0, f32::max)
}

/// Where the vertices of a node's mesh are for a program that takes at most so many joints for each.
pub(crate) fn vertices(
    scene: &Scene,
    node: usize,
    mesh: &Mesh,
    models: &Matrices,
    joints: usize,
) -> Vec<Vec3> {
    let Node { skin, .. } = &scene.nodes[node];
    let Some(skin) = skin.and_then(|skin| skin.find_in(&scene.skins)) else {
        let positions = mesh.primitives.iter().flat_map(|primitive| &primitive.positions);
        return positions.map(|position| models.matrix(node).transform_point3(*position)).collect();
    };
    let mut palette = Matrices::identity(skin.joints.len());
    skin_palette(skin, models, &mut palette);
    let placed = |primitive: &Primitive| {
        let influences =
            primitive.influences.iter().map(|pulls| strongest(pulls, joints)).collect::<Influences>();
        let mut places = vec![Vec3::ZERO; primitive.positions.len()];
        skinned_positions(&Primitive { influences, ..primitive.clone() }, &palette, &mut places);
        places
    };
    mesh.primitives.iter().flat_map(placed).collect()
}

fn strongest(pulls: &[Pull], count: usize) -> Vec<Pull> {
    let mut pulls = pulls.to_vec();
    pulls.sort_by(|a, b| b.weight.total_cmp(&a.weight).then(a.joint.cmp(&b.joint)));
    pulls.truncate(count);
    let sum: f32 = pulls.iter().map(|pull| pull.weight).sum();
    pulls.iter().map(|pull| Pull { weight: pull.weight / sum, ..*pull }).collect()
}
