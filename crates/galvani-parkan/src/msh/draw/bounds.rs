//! What surrounds a node, and whether planes leave any of it.

use zerocopy::little_endian::F32;

use super::affine::{Affine, World, times};
use crate::msh::build::vector::{Vector, dot, length, minus, plus, wide};
use crate::msh::engine::Matrix;
use crate::msh::wire;

/// A plane of the world as x, y, z, d: what has `x·px + y·py + z·pz + d` below 0 is outside.
pub type Plane = [f32; 4];

/// How far outside, for the numbers it is computed from, a thing must be to be gone: rounding hides nothing.
pub(in crate::msh) const SLACK: f64 = 1e-6;

/// A centre and a radius.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sphere {
    /// The centre.
    pub center: [f32; 3],
    /// The radius.
    pub radius: f32,
}

/// What surrounds a node.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bounds {
    /// Of the slot that it shows, in the node's space.
    Slot {
        /// The slot.
        slot: u16,
        /// Least coordinates of the box.
        min: [f32; 3],
        /// Greatest coordinates of the box.
        max: [f32; 3],
        /// The sphere.
        sphere: Sphere,
    },
    /// Of the whole model, in the model's space: the node shows no slot.
    Model {
        /// Eight corners.
        hull: [[f32; 3]; 8],
        /// The sphere.
        sphere: Sphere,
        /// Ends of the capsule's axis.
        capsule: [[f32; 3]; 2],
        /// Radius of the capsule.
        capsule_radius: f32,
    },
}

impl Bounds {
    pub(super) fn of_slot(slot: u16, record: &wire::Slot) -> Self {
        Bounds::Slot {
            slot,
            min: record.aabb_min.map(F32::get),
            max: record.aabb_max.map(F32::get),
            sphere: Sphere { center: record.sphere_center.map(F32::get), radius: record.sphere_radius.get() },
        }
    }

    pub(super) fn of_model(bounds: &wire::Bounds) -> Self {
        Bounds::Model {
            hull: bounds.hull.map(|corner| corner.map(F32::get)),
            sphere: Sphere { center: bounds.sphere_center.map(F32::get), radius: bounds.sphere_radius.get() },
            capsule: [bounds.capsule_a, bounds.capsule_b].map(|end| end.map(F32::get)),
            capsule_radius: bounds.capsule_radius.get(),
        }
    }

    /// Whether planes leave any of it, under the node's matrix in the model's space and the model's
    /// placement. The model's own bounds need no node's matrix.
    ///
    /// It is gone only if one of its shapes lies behind one plane. Radii grow with the longest axis. Numbers
    /// that are none hide nothing.
    pub fn is_visible(&self, node: &Matrix, placement: &Matrix, planes: &[Plane]) -> bool {
        let placement = Affine::new(placement);
        let node = match self {
            Bounds::Slot { .. } => node,
            Bounds::Model { .. } => &super::IDENTITY,
        };
        self.is_seen(&World::new(&placement, node), planes)
    }

    pub(super) fn is_seen(&self, world: &World, planes: &[Plane]) -> bool {
        !planes.iter().any(|plane| self.is_behind(world, plane.map(f64::from)))
    }

    fn is_behind(&self, world: &World, [x, y, z, offset]: [f64; 4]) -> bool {
        let plane = Side { normal: [x, y, z], offset };
        match *self {
            Bounds::Slot { min, max, sphere, .. } => {
                plane.has_behind_box(world, wide(min), wide(max)) || plane.has_behind_ball(world, sphere)
            }
            Bounds::Model { hull, sphere, capsule, capsule_radius } => {
                let end = |center: [f32; 3]| Sphere { center, radius: capsule_radius };
                hull.iter().all(|&corner| plane.has_behind(world.affine.point(wide(corner)), 0.0))
                    || plane.has_behind_ball(world, sphere)
                    || capsule.iter().all(|&center| plane.has_behind_ball(world, end(center)))
            }
        }
    }
}

/// A plane in double precision.
#[derive(Debug, Clone, Copy)]
struct Side {
    normal: Vector,
    offset: f64,
}

impl Side {
    /// Whether all that reaches so far towards the plane is behind it.
    fn has_behind(&self, point: Vector, reach: f64) -> bool {
        let size = dot(self.normal.map(f64::abs), point.map(f64::abs)) + self.offset.abs() + reach;
        dot(self.normal, point) + self.offset + reach < -SLACK * size
    }

    fn has_behind_ball(&self, world: &World, ball: Sphere) -> bool {
        let reach = f64::from(ball.radius).abs() * world.stretch * length(self.normal);
        self.has_behind(world.affine.point(wide(ball.center)), reach)
    }

    /// A box by its centre and how far its half sides reach towards the plane.
    fn has_behind_box(&self, world: &World, min: Vector, max: Vector) -> bool {
        let half = times(minus(max, min), 0.5).map(f64::abs);
        let along = world.affine.axes.map(|axis| dot(self.normal, axis).abs());
        self.has_behind(world.affine.point(times(plus(min, max), 0.5)), dot(along, half))
    }
}
