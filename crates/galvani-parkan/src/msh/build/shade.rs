//! Normals of vertices, and vertices doubled where they need two.

use std::collections::BTreeMap;

use super::plan::{GeometryPlan, Normals};
use super::vector::{Vector, cross, minus, plus, unit, wide};
use crate::msh::values;

/// The normal of a vertex whose triangles have none: up.
const NO_NORMAL: [f32; 3] = [0.0, 0.0, 1.0];

/// A vertex of the plan under a normal.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Vertex {
    /// Its index in the plan.
    pub(super) source: usize,
    pub(super) normal: [i8; 3],
}

/// Vertices with their normals, and the triangles of each part between them.
#[derive(Debug)]
pub(super) struct Shaded {
    pub(super) vertices: Vec<Vertex>,
    pub(super) parts: Vec<Vec<[usize; 3]>>,
}

/// Gives every vertex its normal.
pub(super) fn shade(geometry: &GeometryPlan) -> Shaded {
    match &geometry.normals {
        Normals::Given(normals) => kept(geometry, normals),
        Normals::Smooth => kept(geometry, &smooth(geometry)),
        Normals::Flat => flat(geometry),
    }
}

/// The vertices of the plan as they are.
fn kept(geometry: &GeometryPlan, normals: &[[f32; 3]]) -> Shaded {
    let vertex = |(source, normal): (usize, &[f32; 3])| Vertex { source, normal: pack(*normal) };
    Shaded { vertices: normals.iter().enumerate().map(vertex).collect(), parts: triangles(geometry) }
}

fn smooth(geometry: &GeometryPlan) -> Vec<[f32; 3]> {
    let mut sums: Vec<Vector> = vec![[0.0; 3]; geometry.positions.len()];
    for triangle in triangles(geometry).iter().flatten() {
        let normal = normal(geometry, *triangle);
        for &vertex in triangle {
            if let Some(sum) = sums.get_mut(vertex) {
                *sum = plus(*sum, normal);
            }
        }
    }
    sums.into_iter().map(|sum| unit(sum).unwrap_or(NO_NORMAL)).collect()
}

fn flat(geometry: &GeometryPlan) -> Shaded {
    let mut known: BTreeMap<(usize, [i8; 3]), usize> = BTreeMap::new();
    let mut vertices: Vec<Vertex> = Vec::new();
    let mut parts = triangles(geometry);
    for triangle in parts.iter_mut().flatten() {
        let normal = pack(unit(normal(geometry, *triangle)).unwrap_or(NO_NORMAL));
        for vertex in triangle {
            *vertex = *known.entry((*vertex, normal)).or_insert_with(|| {
                vertices.push(Vertex { source: *vertex, normal });
                vertices.len().saturating_sub(1)
            });
        }
    }
    Shaded { vertices, parts }
}

/// The triangles of each part.
pub(super) fn triangles(geometry: &GeometryPlan) -> Vec<Vec<[usize; 3]>> {
    let index = |vertex: u32| usize::try_from(vertex).unwrap_or(usize::MAX);
    let part = |part: &super::PartPlan| part.triangles.iter().map(|face| face.vertices.map(index)).collect();
    geometry.parts.iter().map(part).collect()
}

/// Twice the area of a triangle, along its normal.
fn normal(geometry: &GeometryPlan, triangle: [usize; 3]) -> Vector {
    let corner = |vertex: usize| wide(geometry.positions.get(vertex).copied().unwrap_or_default());
    let [a, b, c] = triangle.map(corner);
    cross(minus(b, a), minus(c, a))
}

fn pack(normal: [f32; 3]) -> [i8; 3] {
    normal.map(values::pack_normal)
}
