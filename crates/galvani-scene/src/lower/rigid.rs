//! Skins taken apart: every triangle hangs on one joint.

use std::collections::BTreeMap;

use galvani_core::{Path, Report};
use glam::{Affine3A, Mat3, Vec3};

use super::{HIDDEN, ONE_JOINT};
use crate::{Id, Influences, Node, Primitive, Pull, Scene, Skin};

/// A weight from which on nothing else pulls at a vertex, as far as anybody sees.
const ALL: f32 = 0.999;

/// The same scene without skins: what they bend hangs on their joints, each triangle on the one that pulls at it most.
pub fn rigid(scene: &Scene) -> (Scene, Report) {
    let (mut made, mut report) = (scene.clone(), Report::default());
    made.skins.clear();
    let mut pieces: BTreeMap<usize, Vec<Primitive>> = BTreeMap::new();
    let mut shared = 0_usize;
    for (i, node) in scene.nodes.iter().enumerate() {
        let Some(skin) = node.skin.and_then(|skin| skin.find_in(&scene.skins)) else { continue };
        let mesh = node.mesh.and_then(|mesh| mesh.find_in(&scene.meshes));
        let own = &mut made.nodes[i];
        (own.mesh, own.skin) = (None, None);
        if !node.visible {
            report.push(HIDDEN.at(Path::named("nodes").index(i)).saying(node.name.clone()));
            continue;
        }
        for primitive in mesh.iter().flat_map(|mesh| &mesh.primitives) {
            shared += shared_vertices(&primitive.influences);
            for (joint, piece) in split(primitive, skin) {
                pieces.entry(joint.index()).or_default().push(piece);
            }
        }
    }
    for (node, pieces) in pieces {
        hang(&mut made, node, pieces);
    }
    if shared > 0 {
        report.push(ONE_JOINT.at(Path::named("skins")).saying(format!("{shared} vertices")));
    }
    (made, report)
}

/// Puts more primitives on what a node shows.
fn hang(scene: &mut Scene, node: usize, pieces: Vec<Primitive>) {
    let node = &mut scene.nodes[node];
    let mut mesh = node.mesh.and_then(|mesh| mesh.find_in(&scene.meshes)).cloned().unwrap_or_default();
    if mesh.name.is_empty() {
        mesh.name.clone_from(&node.name);
    }
    mesh.primitives.extend(pieces);
    node.mesh = Some(Id::new(scene.meshes.len()));
    scene.meshes.push(mesh);
}

fn shared_vertices(influences: &Influences) -> usize {
    influences.iter().filter(|pulls| pulls.iter().all(|pull| pull.weight < ALL)).count()
}

/// The triangles of each joint, in its space.
fn split(primitive: &Primitive, skin: &Skin) -> BTreeMap<Id<Node>, Primitive> {
    let pulls: Vec<&[Pull]> = primitive.influences.iter().collect();
    let mut triangles: BTreeMap<usize, Vec<[u32; 3]>> = BTreeMap::new();
    for triangle in primitive.indices.as_chunks::<3>().0 {
        triangles.entry(strongest(triangle, &pulls)).or_default().push(*triangle);
    }
    let mut made = BTreeMap::new();
    for (joint, triangles) in triangles {
        let Some(joint) = skin.joints.get(joint) else { continue };
        made.insert(joint.node, placed(&picked(primitive, &triangles), joint.inverse_bind));
    }
    made
}

/// The joint that pulls at a triangle most; of equals the first.
fn strongest(triangle: &[u32; 3], pulls: &[&[Pull]]) -> usize {
    let mut weights: BTreeMap<usize, f32> = BTreeMap::new();
    for corner in triangle {
        let pulls = usize::try_from(*corner).ok().and_then(|corner| pulls.get(corner)).copied();
        for pull in pulls.unwrap_or_default() {
            *weights.entry(pull.joint).or_default() += pull.weight;
        }
    }
    let more = |best: (usize, f32), (joint, weight): (usize, f32)| {
        if weight > best.1 { (joint, weight) } else { best }
    };
    weights.into_iter().fold((0, 0.0), more).0
}

/// A primitive of some triangles, with the vertices that these name.
pub(super) fn picked(primitive: &Primitive, triangles: &[[u32; 3]]) -> Primitive {
    let mut numbers: BTreeMap<u32, u32> = BTreeMap::new();
    let mut vertices: Vec<usize> = Vec::new();
    let mut indices = Vec::with_capacity(triangles.len() * 3);
    for corner in triangles.as_flattened() {
        let next = u32::try_from(vertices.len()).unwrap_or(u32::MAX);
        let number = *numbers.entry(*corner).or_insert(next);
        if number == next {
            vertices.push(usize::try_from(*corner).unwrap_or(usize::MAX));
        }
        indices.push(number);
    }
    Primitive {
        material: primitive.material,
        positions: rows_at(&primitive.positions, &vertices),
        normals: rows_at(&primitive.normals, &vertices),
        tangents: rows_at(&primitive.tangents, &vertices),
        uvs: primitive.uvs.iter().map(|set| rows_at(set, &vertices)).collect(),
        colors: rows_at(&primitive.colors, &vertices),
        influences: Influences::default(),
        indices,
    }
}

fn rows_at<T: Copy>(list: &[T], vertices: &[usize]) -> Vec<T> {
    vertices.iter().filter_map(|vertex| list.get(*vertex).copied()).collect()
}

/// A primitive in another space; one that is mirrored by it is turned inside out, so that its outside stays outside.
pub(super) fn placed(primitive: &Primitive, place: Affine3A) -> Primitive {
    let linear = Mat3::from(place.matrix3);
    let across = linear.inverse().transpose();
    let across = if across.is_finite() { across } else { Mat3::IDENTITY };
    let direction = |turn: Mat3, old: Vec3| (turn * old).normalize_or(old);
    let mut made = primitive.clone();
    made.positions.iter_mut().for_each(|it| *it = place.transform_point3(*it));
    made.normals.iter_mut().for_each(|it| *it = direction(across, *it));
    let side = if linear.determinant() < 0.0 { -1.0 } else { 1.0 };
    for tangent in &mut made.tangents {
        *tangent = direction(linear, tangent.truncate()).extend(tangent.w * side);
    }
    if side < 0.0 {
        made.indices.as_chunks_mut::<3>().0.iter_mut().for_each(|[_, b, c]| std::mem::swap(b, c));
    }
    made
}
