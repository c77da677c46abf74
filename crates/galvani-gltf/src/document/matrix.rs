//! Matrices as a place, a turn and a size.

use glam::{Affine3A, Mat4, Quat, Vec3, Vec4};

/// How far a matrix may be from what it is taken apart into, in parts of its largest number.
const TOLERANCE: f32 = 1e-4;

/// The parts of a matrix, column by column; nothing if they do not make it.
pub(crate) fn taken_apart(columns: &[f32; 16]) -> Option<(Vec3, Quat, Vec3)> {
    let matrix = Mat4::from_cols_array(columns);
    if matrix.row(3) != Vec4::W || !matrix.is_finite() {
        return None;
    }
    let (scale, rotation, translation) = Affine3A::from_mat4(matrix).to_scale_rotation_translation();
    let made = Mat4::from_scale_rotation_translation(scale, rotation, translation);
    let largest = columns.iter().fold(0.0_f32, |most, part| most.max(part.abs()));
    (made.abs_diff_eq(matrix, largest * TOLERANCE)).then_some((translation, rotation, scale))
}

/// The same as nearly as it can be said.
pub(crate) fn nearest(columns: &[f32; 16]) -> (Vec3, Quat, Vec3) {
    let matrix = Affine3A::from_mat4(Mat4::from_cols_array(columns));
    let (scale, rotation, translation) = matrix.to_scale_rotation_translation();
    let rotation = rotation.normalize();
    (translation, if rotation.is_finite() { rotation } else { Quat::IDENTITY }, scale)
}
