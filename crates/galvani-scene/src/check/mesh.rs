//! Meshes and skins.

use std::collections::BTreeSet;

use galvani_core::Path;
use glam::{Vec2, Vec3, Vec4};

use super::{EMPTY, Found, MISSING, TRIANGLES, TWICE, WEIGHTS};
use crate::{Influences, Primitive, Scene};

/// How far the weights of a vertex may be from 1 together: what four times eight bits cannot say better.
const WEIGHT_TOLERANCE: f32 = 1e-2;

pub(super) fn check(scene: &Scene, found: &mut Found) {
    for (i, mesh) in scene.meshes.iter().enumerate() {
        let path = Path::named("meshes").index(i);
        if mesh.primitives.is_empty() {
            found.report.push(EMPTY.at(path).saying("no primitives"));
        }
        for (j, primitive) in mesh.primitives.iter().enumerate() {
            let path = path.field("primitives").index(j);
            found.named(primitive.material, &scene.materials, || path.field("material"));
            of_primitive(primitive, path, found);
        }
    }
    for (i, skin) in scene.skins.iter().enumerate() {
        let path = Path::named("skins").index(i);
        if skin.joints.is_empty() {
            found.report.push(EMPTY.at(path).saying("no joints"));
        }
        let mut known = BTreeSet::new();
        for (j, joint) in skin.joints.iter().enumerate() {
            let path = path.field("joints").index(j);
            found.named(joint.node, &scene.nodes, || path);
            found.finite([joint.inverse_bind.to_cols_array()], || path.field("inverse_bind"));
            if !known.insert(joint.node) {
                found.report.push(TWICE.at(path).saying(format!("node {:?} is a joint twice", joint.node)));
            }
        }
    }
    worn(scene, found);
}

/// Every mesh that a node shows with a skin fits it.
fn worn(scene: &Scene, found: &mut Found) {
    let other = scene.variants.iter().flat_map(|variant| &variant.shows);
    let other = other.filter_map(|(node, mesh)| Some((*node, (*mesh)?)));
    let own = scene.nodes.iter().enumerate().filter_map(|(i, node)| Some((crate::Id::new(i), node.mesh?)));
    let pairs: BTreeSet<_> = own.chain(other).collect();
    for (node, mesh) in pairs {
        let skin = node.find_in(&scene.nodes).and_then(|node| node.skin?.find_in(&scene.skins));
        let Some((skin, shown)) = skin.zip(mesh.find_in(&scene.meshes)) else { continue };
        for (j, primitive) in shown.primitives.iter().enumerate() {
            let path =
                Path::named("meshes").index(mesh.index()).field("primitives").index(j).field("influences");
            found.count(primitive.influences.len(), primitive.positions.len(), || path);
            let most = primitive.influences.pulls().iter().map(|pull| pull.joint).max().unwrap_or(0);
            if most >= skin.joints.len() {
                let said = format!("joint {most} of {}", skin.joints.len());
                found.report.push(MISSING.at(path).saying(said));
            }
        }
    }
}

fn of_primitive(primitive: &Primitive, path: Path, found: &mut Found) {
    let Primitive { material: _, positions, normals, tangents, uvs, colors, influences, indices } = primitive;
    let count = positions.len();
    if positions.is_empty() || indices.is_empty() {
        let said = format!("{count} vertices, {} indices", indices.len());
        found.report.push(EMPTY.at(path).saying(said));
    }
    let outside = indices.iter().any(|index| usize::try_from(*index).is_ok_and(|index| index >= count));
    if outside || !indices.len().is_multiple_of(3) {
        let most = indices.iter().max().copied().unwrap_or_default();
        let said = format!("{} indices up to {most}, {count} vertices", indices.len());
        found.report.push(TRIANGLES.at(path.field("indices")).saying(said));
    }
    let mut per_vertex = |name: &'static str, len: usize| {
        if len > 0 {
            found.count(len, count, || path.field(name));
        }
    };
    per_vertex("normals", normals.len());
    per_vertex("tangents", tangents.len());
    per_vertex("colors", colors.len());
    per_vertex("influences", influences.len());
    for (set, uvs) in uvs.iter().enumerate() {
        let path = path.field("uvs").index(set);
        found.count(uvs.len(), count, || path);
        found.finite(uvs.iter().map(Vec2::to_array), || path);
    }
    found.finite(positions.iter().map(Vec3::to_array), || path.field("positions"));
    found.unit(normals.iter().map(Vec3::to_array), || path.field("normals"));
    found.unit(tangents.iter().map(|tangent| tangent.truncate().to_array()), || path.field("tangents"));
    found.within(colors.iter().map(Vec4::to_array), || path.field("colors"));
    weights(influences, path.field("influences"), found);
}

fn weights(influences: &Influences, path: Path, found: &mut Found) {
    for pulls in influences.iter() {
        let sum: f32 = pulls.iter().map(|pull| pull.weight).sum();
        let sound = pulls.iter().all(|pull| pull.weight >= 0.0) && (sum - 1.0).abs() <= WEIGHT_TOLERANCE;
        if !sound {
            found.report.push(WEIGHTS.at(path).saying(format!("{} weights make {sum}", pulls.len())));
        }
    }
}
