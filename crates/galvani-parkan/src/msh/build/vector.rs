//! The little vector arithmetic that building needs, in double precision.

use galvani_core::maths::{Wxyz, single};

/// A vector.
pub(in crate::msh) type Vector = [f64; 3];

/// An exact copy.
pub(in crate::msh) fn wide(point: [f32; 3]) -> Vector {
    point.map(f64::from)
}

/// The nearest in single precision that is not less.
pub(super) fn narrow_up(value: f64) -> f32 {
    let near = single(value);
    if f64::from(near) < value { near.next_up() } else { near }
}

pub(in crate::msh) fn minus([ax, ay, az]: Vector, [bx, by, bz]: Vector) -> Vector {
    [ax - bx, ay - by, az - bz]
}

pub(in crate::msh) fn plus([ax, ay, az]: Vector, [bx, by, bz]: Vector) -> Vector {
    [ax + bx, ay + by, az + bz]
}

pub(in crate::msh) fn cross([ax, ay, az]: Vector, [bx, by, bz]: Vector) -> Vector {
    [ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx]
}

pub(in crate::msh) fn dot([ax, ay, az]: Vector, [bx, by, bz]: Vector) -> f64 {
    ax * bx + ay * by + az * bz
}

pub(in crate::msh) fn length(vector: Vector) -> f64 {
    dot(vector, vector).sqrt()
}

/// The same direction with length 1; `None` if there is no direction.
pub(in crate::msh) fn unit(vector: Vector) -> Option<[f32; 3]> {
    let length = length(vector);
    (length > 0.0 && length.is_finite()).then(|| vector.map(|component| single(component / length)))
}

/// A pose: rows of a rotation and a translation; points are columns.
#[derive(Debug, Clone, Copy)]
pub(super) struct RigidTransform {
    rows: [Vector; 3],
    at: Vector,
}

impl RigidTransform {
    /// The pose of a key, by the engine's formula: its rotation acts as its conjugate.
    pub(super) fn new(rotation: Wxyz<f32>, position: [f32; 3]) -> Self {
        let [w, x, y, z] = rotation.0.map(f64::from);
        let rows = [
            [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)],
            [2.0 * (x * y - w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z + w * x)],
            [2.0 * (x * z + w * y), 2.0 * (y * z - w * x), 1.0 - 2.0 * (x * x + y * y)],
        ];
        RigidTransform { rows, at: wide(position) }
    }

    /// Where a point of this pose's space is in the space around it.
    pub(super) fn apply(&self, point: Vector) -> Vector {
        plus(self.rows.map(|row| dot(row, point)), self.at)
    }

    /// This pose, and `inner` inside it.
    pub(super) fn then(&self, inner: &RigidTransform) -> RigidTransform {
        let columns = transpose(inner.rows);
        RigidTransform {
            rows: self.rows.map(|row| columns.map(|column| dot(row, column))),
            at: self.apply(inner.at),
        }
    }
}

fn transpose([[ax, ay, az], [bx, by, bz], [cx, cy, cz]]: [Vector; 3]) -> [Vector; 3] {
    [[ax, bx, cx], [ay, by, cy], [az, bz, cz]]
}
