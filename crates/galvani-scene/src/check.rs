//! What every scene keeps to.

use std::collections::BTreeSet;

use crate::{Clip, Mesh, Node, Primitive, Scene, Track};

/// How far the length of a rotation or normal may be from 1: what sixteen bits per component cannot say
/// better.
pub const UNIT_TOLERANCE: f32 = 1e-4;

/// Everything a scene does wrong, in words; nothing for a good one.
pub fn check(scene: &Scene) -> Vec<String> {
    let mut wrong = Vec::new();
    for (i, node) in scene.nodes.iter().enumerate() {
        wrong.extend(of_node(node, i, scene).map(|what| format!("nodes[{i}]: {what}")));
    }
    for (i, mesh) in scene.meshes.iter().enumerate() {
        wrong.extend(of_mesh(mesh, scene).into_iter().map(|what| format!("meshes[{i}]: {what}")));
    }
    for (i, material) in scene.materials.iter().enumerate() {
        if !material.base_color.iter().all(|part| (0.0..=1.0).contains(part)) {
            wrong.push(format!("materials[{i}]: base colour {:?} is not in 0..1", material.base_color));
        }
    }
    for (i, clip) in scene.clips.iter().enumerate() {
        wrong.extend(of_clip(clip, scene).into_iter().map(|what| format!("clips[{i}]: {what}")));
    }
    wrong
}

fn of_node(node: &Node, index: usize, scene: &Scene) -> impl Iterator<Item = String> {
    let parent = node.parent.filter(|parent| parent.index() >= index);
    let parent = parent.map(|parent| format!("parent {parent:?} does not stand before it"));
    let mesh = node.mesh.filter(|mesh| mesh.of(&scene.meshes).is_none());
    let mesh = mesh.map(|mesh| format!("mesh {mesh:?} is not there"));
    let place = (!finite(&node.translation)).then(|| format!("translation {:?}", node.translation));
    let turn = (!unit(&node.rotation)).then(|| format!("rotation {:?} is not of length 1", node.rotation));
    [parent, mesh, place, turn].into_iter().flatten()
}

fn of_mesh(mesh: &Mesh, scene: &Scene) -> Vec<String> {
    let mut wrong = Vec::new();
    if mesh.primitives.is_empty() {
        wrong.push("no primitives".to_owned());
    }
    for (i, primitive) in mesh.primitives.iter().enumerate() {
        if let Some(material) = primitive.material.filter(|id| id.of(&scene.materials).is_none()) {
            wrong.push(format!("primitives[{i}]: material {material:?} is not there"));
        }
        wrong.extend(of_primitive(primitive).map(|what| format!("primitives[{i}]: {what}")));
    }
    wrong
}

fn of_primitive(primitive: &Primitive) -> impl Iterator<Item = &'static str> {
    let Primitive { material: _, positions, normals, uvs, indices } = primitive;
    let count = positions.len();
    let inside = |index: &u32| usize::try_from(*index).is_ok_and(|index| index < count);
    let rules = [
        (!positions.is_empty() && !indices.is_empty(), "it is empty"),
        (indices.len().is_multiple_of(3), "its indices make no whole triangles"),
        (indices.iter().all(inside), "an index names no vertex"),
        (normals.is_empty() || normals.len() == count, "not one normal per vertex"),
        (uvs.is_empty() || uvs.len() == count, "not one texture coordinate per vertex"),
        (positions.iter().all(|position| finite(position)), "a position is not finite"),
        (normals.iter().all(|normal| unit(normal)), "a normal is not of length 1"),
        (uvs.iter().all(|uv| finite(uv)), "a texture coordinate is not finite"),
    ];
    rules.into_iter().filter(|(kept, _)| !kept).map(|(_, what)| what)
}

fn of_clip(clip: &Clip, scene: &Scene) -> Vec<String> {
    let mut wrong = Vec::new();
    let mut moved = BTreeSet::new();
    for (i, track) in clip.tracks.iter().enumerate() {
        let (target, same_len, values) = match track {
            Track::Translation(_, curve) => {
                (0, curve.values.len(), curve.values.iter().all(|value| finite(value)))
            }
            Track::Rotation(_, curve) => {
                (1, curve.values.len(), curve.values.iter().all(|value| unit(value)))
            }
        };
        let times = track.times();
        let rules = [
            (track.node().of(&scene.nodes).is_some(), "its node is not there"),
            (moved.insert((track.node(), target)), "another track moves the same"),
            (!times.is_empty() && times.len() == same_len, "not one value per time, or none"),
            (values, "a value is not finite, or a rotation not of length 1"),
            (times.is_sorted_by(|a, b| a < b), "its times do not rise"),
            (times.iter().all(|time| (0.0..=clip.duration).contains(time)), "a time is outside the clip"),
        ];
        wrong.extend(rules.iter().filter(|(kept, _)| !kept).map(|(_, what)| format!("tracks[{i}]: {what}")));
    }
    wrong
}

fn finite(values: &[f32]) -> bool {
    values.iter().all(|value| value.is_finite())
}

fn unit(values: &[f32]) -> bool {
    let square: f32 = values.iter().map(|value| value * value).sum();
    (square.sqrt() - 1.0).abs() <= UNIT_TOLERANCE
}
