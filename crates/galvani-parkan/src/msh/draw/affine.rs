//! Where a node stands in the world, in double precision.

use crate::msh::build::vector::{Vector, cross, dot, minus, plus};
use crate::msh::engine::Matrix;

/// A map of points: three axes and an origin.
#[derive(Debug, Clone, Copy)]
pub(in crate::msh) struct Affine {
    pub(in crate::msh) axes: [Vector; 3],
    origin: Vector,
}

impl Affine {
    /// A matrix without its last row.
    pub(in crate::msh) fn new(matrix: &Matrix) -> Self {
        let [ax, bx, cx, x, ay, by, cy, y, az, bz, cz, z, ..] = matrix.map(f64::from);
        Affine { axes: [[ax, ay, az], [bx, by, bz], [cx, cy, cz]], origin: [x, y, z] }
    }

    pub(in crate::msh) fn point(&self, point: Vector) -> Vector {
        plus(self.direction(point), self.origin)
    }

    pub(in crate::msh) fn direction(&self, [x, y, z]: Vector) -> Vector {
        let [a, b, c] = self.axes;
        plus(plus(times(a, x), times(b, y)), times(c, z))
    }

    /// How much longer it makes a vector at most: its longest axis where the axes are at right angles, and no
    /// less than that where they are not.
    fn stretch(&self) -> f64 {
        let row = |axis: Vector| self.axes.iter().map(|&other| dot(axis, other).abs()).sum::<f64>();
        let [a, b, c] = self.axes.map(row);
        a.max(b).max(c).sqrt()
    }
}

/// A node in the world: its own matrix, then the placement of the whole model.
#[derive(Debug, Clone, Copy)]
pub(in crate::msh) struct World {
    pub(in crate::msh) affine: Affine,
    /// What radii are multiplied by.
    pub(in crate::msh) stretch: f64,
}

impl World {
    pub(in crate::msh) fn new(placement: &Affine, node: &Matrix) -> Self {
        let inner = Affine::new(node);
        let axes = inner.axes.map(|axis| placement.direction(axis));
        let affine = Affine { axes, origin: placement.point(inner.origin) };
        World { affine, stretch: placement.stretch() * inner.stretch() }
    }

    /// A point and a direction of the world as the node sees them; `None` if the node is flat.
    pub(in crate::msh) fn seen_from_node(
        &self,
        origin: Vector,
        direction: Vector,
    ) -> Option<(Vector, Vector)> {
        let [a, b, c] = self.affine.axes;
        let rows = [cross(b, c), cross(c, a), cross(a, b)];
        let volume = dot(a, cross(b, c));
        let from = minus(origin, self.affine.origin);
        let into = |vector: Vector| rows.map(|row| dot(row, vector) / volume);
        let (origin, direction) = (into(from), into(direction));
        let finite = origin.iter().chain(&direction).all(|number| number.is_finite());
        finite.then_some((origin, direction))
    }
}

pub(in crate::msh) fn times([x, y, z]: Vector, by: f64) -> Vector {
    [x * by, y * by, z * by]
}
