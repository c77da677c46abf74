//! Triangles for collision and picking: normals, and who is beyond which edge.

use std::collections::BTreeMap;

use zerocopy::little_endian::{I16, U16};

use super::index16;
use super::vector::{Vector, cross, minus, unit, wide};
use crate::msh::{NONE, values, wire};

/// The selector of an edge with nobody beyond it.
const OPEN: u16 = 3;

/// The corners of a triangle and its flags.
#[derive(Debug, Clone, Copy)]
pub(super) struct Triangle {
    pub(super) corners: [[f32; 3]; 3],
    pub(super) flags: u16,
}

impl Triangle {
    /// Twice its area, along its normal.
    pub(super) fn cross(&self) -> Vector {
        let [a, b, c] = self.corners.map(wide);
        cross(minus(b, a), minus(c, a))
    }
}

/// The faces of one slot, of which the first is face `first` of the model.
///
/// Two triangles are neighbours where they share the two positions of an edge. Where more than two meet,
/// those that run along it in opposite directions are paired in order, then what is left in order.
pub(super) fn faces(triangles: &[Triangle], first: usize) -> Vec<wire::Face> {
    let mut faces: Vec<wire::Face> = triangles.iter().map(alone).collect();
    let mut selectors = vec![[OPEN; 3]; faces.len()];
    for (a, b) in pairs(triangles) {
        for (here, there) in [(a, b), (b, a)] {
            if let Some(face) = faces.get_mut(here.face)
                && let Some(link) = face.link.get_mut(here.edge)
            {
                *link = U16::new(index16(first.saturating_add(there.face)));
            }
            if let Some(selector) = selectors.get_mut(here.face).and_then(|edges| edges.get_mut(here.edge)) {
                *selector = index16(there.edge);
            }
        }
    }
    for (face, edges) in faces.iter_mut().zip(selectors) {
        face.selectors = U16::new(values::pack_selectors(edges));
    }
    faces
}

/// A face without neighbours; a triangle without area has no normal.
fn alone(triangle: &Triangle) -> wire::Face {
    let normal = unit(triangle.cross()).unwrap_or_default();
    wire::Face {
        flags: U16::new(triangle.flags),
        link: [U16::new(NONE); 3],
        normal: normal.map(|component| I16::new(values::pack_face_normal(component))),
        selectors: U16::new(values::pack_selectors([OPEN; 3])),
    }
}

/// An edge of a face: edge `e` joins its corners `e` and `e + 1`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Side {
    face: usize,
    edge: usize,
}

/// Sides that run along one edge, by direction.
#[derive(Debug, Default)]
struct Edge {
    up: Vec<Side>,
    down: Vec<Side>,
}

/// Which sides are one edge.
fn pairs(triangles: &[Triangle]) -> Vec<(Side, Side)> {
    let mut edges: BTreeMap<(PositionBits, PositionBits), Edge> = BTreeMap::new();
    for (face, triangle) in triangles.iter().enumerate() {
        let [a, b, c] = triangle.corners.map(place);
        if a == b || b == c || c == a {
            continue;
        }
        for (edge, (from, to)) in [(a, b), (b, c), (c, a)].into_iter().enumerate() {
            let side = Side { face, edge };
            if from < to {
                edges.entry((from, to)).or_default().up.push(side);
            } else {
                edges.entry((to, from)).or_default().down.push(side);
            }
        }
    }
    edges.values().flat_map(Edge::pairs).collect()
}

impl Edge {
    fn pairs(&self) -> Vec<(Side, Side)> {
        let opposite = self.up.iter().copied().zip(self.down.iter().copied());
        let met = self.up.len().min(self.down.len());
        let left: Vec<Side> = self.up.iter().skip(met).chain(self.down.iter().skip(met)).copied().collect();
        let alike = left.chunks_exact(2).filter_map(|two| match two {
            [a, b] => Some((*a, *b)),
            _ => None,
        });
        opposite.chain(alike).collect()
    }
}

/// A position as something that can be compared: both zeros are one place.
type PositionBits = [u32; 3];

fn place(position: [f32; 3]) -> PositionBits {
    position.map(|value| (value + 0.0).to_bits())
}
