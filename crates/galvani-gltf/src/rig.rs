//! Skinned meshes where glTF wants them, and rigid ones as skinned.

use std::collections::{BTreeMap, BTreeSet};

use galvani_scene::{
    Id, Influences, Joint, Matrices, Mesh, Moment, Node, Primitive, Pull, Scene, Skin, Track, to_model,
};
use glam::{Affine3A, Mat3, Quat, Vec3};

use crate::hide::{HandedOver, hand_over, made_extras, shown_meshes};

/// Below this a matrix has no inverse worth the name.
const FLAT: f32 = 1e-12;

/// Skins everything rigid to its node, all with one skin. What is flat at rest stays as it is.
pub(crate) fn skin_rigid(scene: &mut Scene) {
    let mut models = Matrices::identity(scene.nodes.len());
    to_model(scene, &Moment::at_rest(scene), &mut models);
    let skin = Id::new(scene.skins.len());
    let (mut joints, mut bound, mut handed) = (Vec::new(), BTreeMap::new(), HandedOver::new());
    for index in shown_meshes(scene).into_keys() {
        let model = models.matrix(index);
        let is_flat = model.matrix3.determinant().abs() < FLAT;
        if is_flat || scene.nodes.get(index).is_none_or(|node| node.skin.is_some()) {
            continue;
        }
        let new = move_to_root(scene, index, &mut handed);
        if let Some(node) = scene.nodes.get_mut(new.index()) {
            node.skin = Some(skin);
        }
        bound.insert(new, (model, joints.len()));
        joints.push(Joint { node: Id::new(index), inverse_bind: model.inverse() });
    }
    hand_over(scene, &handed);
    bind_meshes(scene, &bound);
    if !joints.is_empty() {
        scene.skins.push(Skin { name: scene.name.clone(), joints });
    }
}

/// Binds every mesh that some nodes show to a joint each, where the node puts it at rest.
fn bind_meshes(scene: &mut Scene, bound: &BTreeMap<Id<Node>, (Affine3A, usize)>) {
    let Scene { nodes, meshes, variants, .. } = scene;
    let own = nodes.iter_mut().enumerate().filter_map(|(i, node)| Some((Id::new(i), node.mesh.as_mut()?)));
    let others = variants.iter_mut().flat_map(|variant| &mut variant.shows);
    let others = others.filter_map(|(node, mesh)| Some((*node, mesh.as_mut()?)));
    for (node, id) in own.chain(others) {
        let Some((model, joint)) = bound.get(&node) else { continue };
        let Some(new) = id.find_in(meshes).map(|mesh| bound_mesh(mesh, *model, *joint)) else { continue };
        *id = Id::new(meshes.len());
        meshes.push(new);
    }
}

/// A mesh moved to where a matrix puts it, held by one joint.
fn bound_mesh(mesh: &Mesh, model: Affine3A, joint: usize) -> Mesh {
    let turn = Mat3::from(model.matrix3).inverse().transpose();
    let primitive = |of: &Primitive| Primitive {
        positions: of.positions.iter().map(|position| model.transform_point3(*position)).collect(),
        normals: of.normals.iter().map(|normal| (turn * *normal).normalize_or(*normal)).collect(),
        tangents: of
            .tangents
            .iter()
            .map(|tangent| {
                model.transform_vector3(tangent.truncate()).normalize_or(Vec3::X).extend(tangent.w)
            })
            .collect(),
        influences: of.positions.iter().map(|_| [Pull { joint, weight: 1.0 }]).collect::<Influences>(),
        ..of.clone()
    };
    Mesh { primitives: mesh.primitives.iter().map(primitive).collect(), ..mesh.clone() }
}

/// Puts every skinned mesh on a node at the top that is nothing else, where readers want it.
pub(crate) fn move_skinned_to_roots(scene: &mut Scene) {
    let moves = |track: &Track| track.node().filter(|_| !matches!(track, Track::Visibility(..)));
    let tracks = scene.clips.iter().flat_map(|clip| &clip.tracks);
    let mut busy: BTreeSet<Id<Node>> = tracks.filter_map(moves).collect();
    busy.extend(scene.nodes.iter().filter_map(|node| node.parent));
    let mut handed = HandedOver::new();
    for index in shown_meshes(scene).into_keys() {
        let is_plain = |node: &Node| is_plain_root(node) && !busy.contains(&Id::new(index));
        let node = scene.nodes.get(index).filter(|node| node.skin.is_some());
        if node.is_some_and(|node| !is_plain(node)) {
            move_to_root(scene, index, &mut handed);
        }
    }
    hand_over(scene, &handed);
}

fn is_plain_root(node: &Node) -> bool {
    let at_origin =
        node.translation == Vec3::ZERO && node.rotation == Quat::IDENTITY && node.scale == Vec3::ONE;
    at_origin && node.parent.is_none() && node.light.is_none() && node.camera.is_none()
}

/// Hands the mesh and skin of a node to a new one at the top.
fn move_to_root(scene: &mut Scene, index: usize, handed: &mut HandedOver) -> Id<Node> {
    let new = Id::new(scene.nodes.len());
    let Some(node) = scene.nodes.get_mut(index) else { return Id::new(index) };
    let root = Node {
        name: format!("{}_mesh", node.name),
        visible: node.visible,
        mesh: node.mesh.take(),
        skin: node.skin.take(),
        extras: made_extras(),
        ..Node::default()
    };
    scene.nodes.push(root);
    handed.insert(Id::new(index), new);
    new
}
