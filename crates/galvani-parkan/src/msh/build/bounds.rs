//! Boxes, spheres and cylinders around points.

use galvani_core::maths::single;
use zerocopy::little_endian::F32;

use super::plan::{COCKPIT_FLAG, NodePlan, Plan};
use super::tracks::Tracks;
use super::vector::{RigidTransform, Vector, minus, narrow_up, wide};
use crate::msh::{engine, values, wire};

/// A box around points: exactly their least and greatest coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::msh) struct Box3 {
    pub(in crate::msh) min: [f32; 3],
    pub(in crate::msh) max: [f32; 3],
}

impl Box3 {
    /// `None` around nothing.
    pub(in crate::msh) fn around(points: &[[f32; 3]]) -> Option<Self> {
        let first = *points.first()?;
        let mut found = Box3 { min: first, max: first };
        for point in points {
            for ((value, min), max) in point.iter().zip(&mut found.min).zip(&mut found.max) {
                // Not `f32::min`, which may give either zero when both come.
                if value < min {
                    *min = *value;
                }
                if value > max {
                    *max = *value;
                }
            }
        }
        Some(found)
    }

    pub(in crate::msh) fn centre(&self) -> [f32; 3] {
        let (min, max) = (wide(self.min), wide(self.max));
        let [x, y, z] = minus(max, min).map(|side| side / 2.0);
        [single(min[0] + x), single(min[1] + y), single(min[2] + z)]
    }

    pub(in crate::msh) fn volume(&self) -> f32 {
        single(minus(wide(self.max), wide(self.min)).iter().product())
    }

    /// The corners: x changes fastest, then y, then z, lower before higher.
    fn corners(&self) -> [[f32; 3]; 8] {
        let ([ax, ay, az], [bx, by, bz]) = (self.min, self.max);
        [
            [ax, ay, az],
            [bx, ay, az],
            [ax, by, az],
            [bx, by, az],
            [ax, ay, bz],
            [bx, ay, bz],
            [ax, by, bz],
            [bx, by, bz],
        ]
    }
}

/// The least radius around a centre that no point is outside of.
pub(in crate::msh) fn radius(centre: [f32; 3], points: &[[f32; 3]]) -> f32 {
    farthest(points, |point| minus(wide(point), wide(centre)))
}

/// The same around a vertical axis.
fn radius_xy(centre: [f32; 3], points: &[[f32; 3]]) -> f32 {
    farthest(points, |point| {
        let [x, y, _] = minus(wide(point), wide(centre));
        [x, y, 0.0]
    })
}

fn farthest(points: &[[f32; 3]], from: impl Fn([f32; 3]) -> Vector) -> f32 {
    let square = |&point: &[f32; 3]| from(point).iter().map(|side| side * side).sum::<f64>();
    narrow_up(points.iter().map(square).fold(0.0, f64::max).sqrt())
}

/// Bounds of the whole model: of its intact, finest geometry as the first frame poses it, in the model's
/// space. What is only seen from the cockpit does not count.
pub(super) fn of_model(plan: &Plan, tracks: &Tracks, flags: impl Fn(&NodePlan) -> u16) -> wire::Bounds {
    let mut poses: Vec<RigidTransform> = Vec::with_capacity(plan.nodes.len());
    let mut points = Vec::new();
    for (node, run) in plan.nodes.iter().zip(&tracks.runs) {
        let local = tracks.keys.get(run.first_key).map_or_else(identity, |key| rest(key, plan));
        let pose = match node.parent.and_then(|parent| poses.get(parent)) {
            Some(parent) => parent.then(&local),
            None => local,
        };
        poses.push(pose);
        let [[finest, ..], ..] = &node.slots;
        if let Some(geometry) = finest.as_ref().filter(|_| flags(node) & COCKPIT_FLAG == 0) {
            let used = geometry.parts.iter().flat_map(|part| &part.triangles).flat_map(|face| face.vertices);
            let mut used: Vec<usize> = used.filter_map(|vertex| usize::try_from(vertex).ok()).collect();
            used.sort_unstable();
            used.dedup();
            let posed = |vertex: usize| Some(pose.apply(wide(*geometry.positions.get(vertex)?)).map(single));
            points.extend(used.into_iter().filter_map(posed));
        }
    }
    around(&points)
}

fn identity() -> RigidTransform {
    RigidTransform::new(engine::IDENTITY, [0.0; 3])
}

fn rest(key: &wire::Key, plan: &Plan) -> RigidTransform {
    RigidTransform::new(values::rotation(key, plan.reading), key.position.map(F32::get))
}

/// Bounds around points.
pub(in crate::msh) fn around(points: &[[f32; 3]]) -> wire::Bounds {
    let extent = Box3::around(points).unwrap_or(Box3 { min: [0.0; 3], max: [0.0; 3] });
    let centre = extent.centre();
    let [x, y, _] = centre;
    wire::Bounds {
        hull: extent.corners().map(|corner| corner.map(F32::new)),
        sphere_center: centre.map(F32::new),
        sphere_radius: F32::new(radius(centre, points)),
        capsule_a: [x, y, extent.min[2]].map(F32::new),
        capsule_b: [x, y, extent.max[2]].map(F32::new),
        capsule_radius: F32::new(radius_xy(centre, points)),
    }
}
