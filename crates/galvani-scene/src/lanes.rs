//! Lists of vectors, one list per component, each under its name: ready for wide lanes.

use glam::{Affine3A, Mat3A, Quat, Vec2, Vec3, Vec3A, Vec4};

use crate::UvTransform;

/// How many values are worked on at once; lists are filled up to a multiple of it.
pub const LANES: usize = 8;

/// Declares a list of values of a type: its components, where the value has each, and the value made of them again.
macro_rules! lanes {
    ($(
        $(#[$doc:meta])*
        $name:ident of $value:ty { $($part:ident: $($field:ident).+),* } = $made:expr;
    )*) => { $(
        $(#[$doc])*
        ///
        /// Each component is as long as the list, filled up to a multiple of [`LANES`].
        #[derive(Debug, Clone, PartialEq)]
        #[allow(missing_docs, reason = "components are what they are called")]
        pub struct $name {
            $(pub $part: Vec<f32>,)*
        }

        impl $name {
            /// As many of the same, and more of it to fill up.
            pub fn filled(value: $value, count: usize) -> Self {
                let count = count.next_multiple_of(LANES);
                $name { $($part: vec![value.$($field).+; count],)* }
            }

            /// One of them.
            pub fn get(&self, index: usize) -> $value {
                $(let $part = self.$part[index];)*
                $made
            }

            /// Changes one of them.
            pub fn set(&mut self, index: usize, value: $value) {
                $(self.$part[index] = value.$($field).+;)*
            }

            /// Takes all values of another list; nothing is allocated if this one is as long.
            pub fn copy_from(&mut self, other: &Self) {
                $(self.$part.clone_from(&other.$part);)*
            }
        }
    )* };
}

lanes! {
    /// Places, or scales.
    Vectors of Vec3 { x: x, y: y, z: z } = Vec3::new(x, y, z);

    /// Rotations.
    Rotations of Quat { x: x, y: y, z: z, w: w } = Quat::from_xyzw(x, y, z, w);

    /// Colours, linear.
    Colors of Vec4 { red: x, green: y, blue: z, alpha: w } = Vec4::new(red, green, blue, alpha);

    /// What is done to texture coordinates.
    UvTransforms of UvTransform {
        offset_x: offset.x, offset_y: offset.y, rotation: rotation, scale_x: scale.x, scale_y: scale.y
    } = UvTransform { offset: Vec2::new(offset_x, offset_y), rotation, scale: Vec2::new(scale_x, scale_y) };

    /// Affine matrices: x, y and z of what becomes of each axis, and where the origin goes.
    Matrices of Affine3A {
        x_axis_x: matrix3.x_axis.x, x_axis_y: matrix3.x_axis.y, x_axis_z: matrix3.x_axis.z,
        y_axis_x: matrix3.y_axis.x, y_axis_y: matrix3.y_axis.y, y_axis_z: matrix3.y_axis.z,
        z_axis_x: matrix3.z_axis.x, z_axis_y: matrix3.z_axis.y, z_axis_z: matrix3.z_axis.z,
        origin_x: translation.x, origin_y: translation.y, origin_z: translation.z
    } = Affine3A {
        matrix3: Mat3A::from_cols(
            Vec3A::new(x_axis_x, x_axis_y, x_axis_z),
            Vec3A::new(y_axis_x, y_axis_y, y_axis_z),
            Vec3A::new(z_axis_x, z_axis_y, z_axis_z),
        ),
        translation: Vec3A::new(origin_x, origin_y, origin_z),
    };
}

impl Matrices {
    /// As many that change nothing.
    pub fn identity(count: usize) -> Self {
        Matrices::filled(Affine3A::IDENTITY, count)
    }

    /// One of them.
    pub fn matrix(&self, index: usize) -> Affine3A {
        self.get(index)
    }

    /// Changes one of them.
    pub fn set_matrix(&mut self, index: usize, matrix: Affine3A) {
        self.set(index, matrix);
    }
}
