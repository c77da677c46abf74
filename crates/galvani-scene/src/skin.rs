//! Meshes bent by joints.

use glam::{Affine3A, Mat3A, Vec3, Vec3A};

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

/// The normals of the vertices in the model's space, of length 1: upright on the surface, however its joints stretch it.
/// Where they leave nothing of it they stay as they are.
pub fn skinned_normals(primitive: &Primitive, palette: &Matrices, into: &mut [Vec3]) {
    let vertices = primitive.normals.iter().zip(primitive.influences.iter()).zip(into);
    for ((normal, pulls), out) in vertices {
        let bent = |joint| palette.matrix(joint).matrix3;
        let sum = pulls.iter().fold(Mat3A::ZERO, |sum, pull| sum + bent(pull.joint) * pull.weight);
        *out = upright(sum, *normal).normalize_or(*normal);
    }
}

/// What becomes of a normal where a matrix bends the surface: the inverse of its transpose, but for the length. That is
/// its cofactors, which are there even where it leaves nothing along one axis.
fn upright(Mat3A { x_axis, y_axis, z_axis }: Mat3A, normal: Vec3) -> Vec3 {
    let sides = [y_axis.cross(z_axis), z_axis.cross(x_axis), x_axis.cross(y_axis)];
    // Mirrored, the cofactors point inwards.
    let side = x_axis.dot(sides[0]).signum();
    let [x, y, z] = sides;
    Vec3::from(x * normal.x + y * normal.y + z * normal.z) * side
}
