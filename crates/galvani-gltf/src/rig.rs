//! Skinned meshes where glTF wants them, and rigid ones as skinned.

use galvani_scene::{
    Id, Influences, Joint, Matrices, Mesh, Moment, Node, Primitive, Pull, Scene, Skin, Track, to_model,
};
use glam::{Affine3A, Mat3, Quat, Vec3};

use crate::hide::{hand_over, made, shown};

/// Below this a matrix has no inverse worth the name.
const FLAT: f32 = 1e-12;

/// Skins everything rigid to its node, all with one skin. What is flat at rest stays as it is.
pub(crate) fn skin(scene: &mut Scene) {
    let mut models = Matrices::identity(scene.nodes.len());
    to_model(scene, &Moment::at_rest(scene), &mut models);
    let is_rigid = |index: &usize| scene.nodes.get(*index).is_some_and(|node| node.skin.is_none());
    let rigid = (0..scene.nodes.len()).filter(is_rigid).filter(|index| shown(scene, *index).next().is_some());
    let flat = |index: &usize| models.matrix(*index).matrix3.determinant().abs() < FLAT;
    let rigid: Vec<usize> = rigid.filter(|index| !flat(index)).collect();
    let skin = Id::new(scene.skins.len());
    let mut joints = Vec::new();
    for index in rigid {
        let model = models.matrix(index);
        let joint = joints.len();
        joints.push(Joint { node: Id::new(index), inverse_bind: model.inverse() });
        let new = to_root(scene, index);
        if let Some(node) = scene.nodes.get_mut(new.index()) {
            node.skin = Some(skin);
        }
        bind_shown(scene, new, |mesh| bound(mesh, model, joint));
    }
    if !joints.is_empty() {
        scene.skins.push(Skin { name: scene.name.clone(), joints });
    }
}

/// Replaces every mesh that a node shows.
fn bind_shown(scene: &mut Scene, node: Id<Node>, change: impl Fn(&Mesh) -> Mesh) {
    let Scene { nodes, meshes, variants, .. } = scene;
    let own = nodes.get_mut(node.index()).and_then(|node| node.mesh.as_mut());
    let others = variants.iter_mut().flat_map(|variant| &mut variant.shows);
    let others = others.filter(|(of, _)| *of == node).filter_map(|(_, mesh)| mesh.as_mut());
    for id in own.into_iter().chain(others) {
        let Some(new) = id.of(meshes).map(&change) else { continue };
        *id = Id::new(meshes.len());
        meshes.push(new);
    }
}

/// A mesh where its node puts it at rest, held by one joint.
fn bound(mesh: &Mesh, model: Affine3A, joint: usize) -> Mesh {
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
pub(crate) fn skinned_to_roots(scene: &mut Scene) {
    let skinned = |index: &usize| scene.nodes.get(*index).is_some_and(|node| node.skin.is_some());
    let moved: Vec<usize> =
        (0..scene.nodes.len()).filter(skinned).filter(|index| !is_plain_root(scene, *index)).collect();
    for index in moved {
        if shown(scene, index).next().is_some() {
            to_root(scene, index);
        }
    }
}

fn is_plain_root(scene: &Scene, index: usize) -> bool {
    let id = Id::new(index);
    let is_still = |track: &Track| track.node() != Some(id) || matches!(track, Track::Visibility(..));
    scene.nodes.get(index).is_some_and(|node| {
        let at_origin =
            node.translation == Vec3::ZERO && node.rotation == Quat::IDENTITY && node.scale == Vec3::ONE;
        at_origin && node.parent.is_none() && node.light.is_none() && node.camera.is_none()
    }) && !scene.nodes.iter().any(|node| node.parent == Some(id))
        && scene.clips.iter().flat_map(|clip| &clip.tracks).all(is_still)
}

/// Hands the mesh and skin of a node to a new one at the top.
fn to_root(scene: &mut Scene, index: usize) -> Id<Node> {
    let new = Id::new(scene.nodes.len());
    let Some(node) = scene.nodes.get_mut(index) else { return Id::new(index) };
    let root = Node {
        name: format!("{}_mesh", node.name),
        visible: node.visible,
        mesh: node.mesh.take(),
        skin: node.skin.take(),
        extras: made(),
        ..Node::default()
    };
    scene.nodes.push(root);
    hand_over(scene, Id::new(index), new);
    new
}
