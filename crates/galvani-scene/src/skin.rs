//! Meshes bent by joints.

use glam::{Affine3A, Vec3, Vec3A};

use crate::{Id, Matrices, Node, Primitive};

/// What bends a mesh.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Skin {
    /// What it is called.
    pub name: String,
    /// Each once.
    pub joints: Vec<Joint>,
}

/// A node that pulls at vertices.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Joint {
    /// Which node.
    pub node: Id<Node>,
    /// From the model's space to the node's, as both were when the mesh was bound to it.
    pub inverse_bind: Affine3A,
}

/// What each joint of a skin does to the vertices that it holds, from the places of the nodes in the model. Nothing
/// is allocated if there is a matrix for each.
pub fn skin_palette(skin: &Skin, models: &Matrices, into: &mut Matrices) {
    for (i, joint) in skin.joints.iter().enumerate() {
        into.set_matrix(i, models.matrix(joint.node.index()) * joint.inverse_bind);
    }
}

/// Where the vertices are in the model's space.
pub fn skinned_positions(primitive: &Primitive, palette: &Matrices, into: &mut [Vec3]) {
    let vertices = primitive.positions.iter().zip(primitive.influences.iter()).zip(into);
    for ((position, pulls), out) in vertices {
        let place = |joint| palette.matrix(joint).transform_point3a(Vec3A::from(*position));
        let sum = pulls.iter().fold(Vec3A::ZERO, |sum, pull| sum + place(pull.joint) * pull.weight);
        *out = sum.into();
    }
}

/// The normals of the vertices in the model's space, turned with their joints and made of length 1 again.
pub fn skinned_normals(primitive: &Primitive, palette: &Matrices, into: &mut [Vec3]) {
    let vertices = primitive.normals.iter().zip(primitive.influences.iter()).zip(into);
    for ((normal, pulls), out) in vertices {
        let turned = |joint| palette.matrix(joint).transform_vector3a(Vec3A::from(*normal));
        let sum = pulls.iter().fold(Vec3A::ZERO, |sum, pull| sum + turned(pull.joint) * pull.weight);
        *out = Vec3::from(sum).normalize_or(*normal);
    }
}
