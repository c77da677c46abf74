//! Matrices as graphics cards take them.

use glam::{Affine3A, Mat4};

/// Where each joint is in the model: matrices of four columns of four numbers each, as [`Mat4`] and glTF have them.
#[derive(Debug, Clone, PartialEq)]
pub struct ModelMatrices {
    pub(super) matrices: Vec<Columns>,
}

/// A matrix in a line of the cache.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(64))]
pub(super) struct Columns(pub(super) [f32; 16]);

impl ModelMatrices {
    /// So many that change nothing.
    pub fn identity(count: usize) -> Self {
        ModelMatrices { matrices: vec![Columns(Mat4::IDENTITY.to_cols_array()); count] }
    }

    /// How many.
    pub fn len(&self) -> usize {
        self.matrices.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.matrices.is_empty()
    }

    /// One of them.
    pub fn matrix(&self, index: usize) -> Mat4 {
        Mat4::from_cols_array(self.columns(index))
    }

    /// The same as an affine one.
    pub fn affine(&self, index: usize) -> Affine3A {
        Affine3A::from_mat4(self.matrix(index))
    }

    /// Its sixteen numbers, column after column.
    pub fn columns(&self, index: usize) -> &[f32; 16] {
        &self.matrices[index].0
    }

    /// Changes one of them.
    pub fn set(&mut self, index: usize, matrix: Mat4) {
        self.matrices[index] = Columns(matrix.to_cols_array());
    }

    /// The numbers of all, matrix after matrix.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[f32; 16]> {
        self.matrices.iter().map(|Columns(columns)| columns)
    }
}
