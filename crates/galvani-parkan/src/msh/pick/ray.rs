//! A ray, and what it may meet and does meet.

use zerocopy::little_endian::F32;

use crate::msh::build::vector::{Vector, cross, dot, length, minus, plus, wide};
use crate::msh::draw::{SLACK, World, times};
use crate::msh::wire;

/// How far outside a triangle, for its size, a ray may pass: between two triangles with a common edge nothing
/// slips through.
const EDGE: f64 = 1e-9;

/// A ray in the world.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Ray {
    /// Where it starts.
    pub origin: [f32; 3],
    /// Where it goes, of any length but 0.
    pub direction: [f32; 3],
}

/// A ray in double precision, its direction of length 1.
#[derive(Debug, Clone, Copy)]
pub(super) struct Sight {
    origin: Vector,
    direction: Vector,
}

/// Where a ray met a triangle.
#[derive(Debug, Clone, Copy)]
pub(super) struct Met {
    pub(super) distance: f64,
    pub(super) barycentrics: [f64; 3],
}

impl Sight {
    /// `None` for a ray that leads nowhere.
    pub(super) fn new(ray: &Ray) -> Option<Self> {
        let (origin, direction) = (wide(ray.origin), wide(ray.direction));
        let long = length(direction);
        let sound = long > 0.0 && long.is_finite() && origin.iter().all(|number| number.is_finite());
        sound.then(|| Sight { origin, direction: times(direction, 1.0 / long) })
    }

    /// The point of the ray at a distance.
    pub(super) fn at(&self, distance: f64) -> Vector {
        plus(self.origin, times(self.direction, distance))
    }

    /// Where the ray meets a triangle, from either side; `None` for one without area or seen from its edge.
    pub(super) fn meet(&self, [a, b, c]: [Vector; 3]) -> Option<Met> {
        let (ab, ac) = (minus(b, a), minus(c, a));
        let across = cross(self.direction, ac);
        let volume = dot(ab, across);
        if volume == 0.0 {
            return None;
        }
        let from = minus(self.origin, a);
        let v = dot(from, across) / volume;
        let turned = cross(from, ab);
        let w = dot(self.direction, turned) / volume;
        let u = 1.0 - v - w;
        let distance = dot(ac, turned) / volume;
        let inside = [u, v, w].iter().all(|&weight| weight >= -EDGE);
        (inside && distance >= 0.0 && distance.is_finite())
            .then_some(Met { distance, barycentrics: [u, v, w] })
    }

    /// Whether a ray up to a distance may meet what a slot's sphere and box surround. Numbers that are none
    /// rule nothing out.
    pub(super) fn may_meet(&self, world: &World, slot: &wire::Slot, reach: f64) -> bool {
        let center = world.affine.point(wide(slot.sphere_center.map(F32::get)));
        let radius = f64::from(slot.sphere_radius.get()).abs() * world.stretch;
        let (min, max) = (wide(slot.aabb_min.map(F32::get)), wide(slot.aabb_max.map(F32::get)));
        !self.misses_ball(center, radius, reach) && !self.misses_box(world, min, max, reach)
    }

    fn misses_ball(&self, center: Vector, radius: f64, reach: f64) -> bool {
        let to = minus(center, self.origin);
        let along = dot(to, self.direction);
        let radius = radius + SLACK * (radius + length(to) + length(center));
        let aside = length(minus(to, times(self.direction, along)));
        aside > radius || along < -radius || along - radius > reach
    }

    /// The box between pairs of planes, in the node's space; distances along the ray are the same there.
    fn misses_box(&self, world: &World, min: Vector, max: Vector, reach: f64) -> bool {
        let Some((origin, direction)) = world.seen_from_node(self.origin, self.direction) else {
            return false;
        };
        let size = min.iter().chain(&max).chain(&origin).fold(0.0, |size: f64, side| size.max(side.abs()));
        let slack = SLACK * size;
        if !min.iter().chain(&max).all(|side| side.is_finite()) {
            return false;
        }
        let (mut near, mut far) = (0.0_f64, reach);
        for (((from, to), start), step) in min.into_iter().zip(max).zip(origin).zip(direction) {
            let (low, high) = (from.min(to) - slack, from.max(to) + slack);
            let (enter, leave) = ((low - start) / step, (high - start) / step);
            near = near.max(enter.min(leave));
            far = far.min(enter.max(leave));
        }
        near > far
    }
}
