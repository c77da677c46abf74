//! Lists of vectors, one list per component, ready for wide lanes.

use glam::{Affine3A, Mat3A, Vec3A};

/// How many values are worked on at once; lists are filled up to a multiple of it.
pub const LANES: usize = 8;

/// A list of vectors of `N` components: one list per component.
#[derive(Debug, Clone, PartialEq)]
pub struct Lanes<const N: usize> {
    /// The components, each as long as all of them, filled up to a multiple of [`LANES`].
    pub parts: [Vec<f32>; N],
}

/// Affine matrices: three components each of the x, y and z axis and of the translation.
pub type Matrices = Lanes<12>;

impl<const N: usize> Lanes<N> {
    /// As many of the same, and more of it to fill up.
    pub fn filled(value: [f32; N], count: usize) -> Self {
        let count = count.next_multiple_of(LANES);
        Lanes { parts: value.map(|part| vec![part; count]) }
    }

    /// One of them.
    pub fn get(&self, index: usize) -> [f32; N] {
        self.parts.each_ref().map(|part| part[index])
    }

    /// Changes one of them.
    pub fn set(&mut self, index: usize, value: [f32; N]) {
        for (part, value) in self.parts.iter_mut().zip(value) {
            part[index] = value;
        }
    }

    /// Takes all values of another list; nothing is allocated if this one is as long.
    pub fn copy_from(&mut self, other: &Self) {
        for (part, other) in self.parts.iter_mut().zip(&other.parts) {
            part.clone_from(other);
        }
    }
}

impl Matrices {
    /// As many that change nothing.
    pub fn identity(count: usize) -> Self {
        Lanes::filled(Affine3A::IDENTITY.to_cols_array(), count)
    }

    /// One of them.
    pub fn matrix(&self, index: usize) -> Affine3A {
        let [xx, xy, xz, yx, yy, yz, zx, zy, zz, x, y, z] = self.get(index);
        let axes = [Vec3A::new(xx, xy, xz), Vec3A::new(yx, yy, yz), Vec3A::new(zx, zy, zz)];
        let [x_axis, y_axis, z_axis] = axes;
        Affine3A { matrix3: Mat3A::from_cols(x_axis, y_axis, z_axis), translation: Vec3A::new(x, y, z) }
    }

    /// Changes one of them.
    pub fn set_matrix(&mut self, index: usize, matrix: Affine3A) {
        self.set(index, matrix.to_cols_array());
    }
}
