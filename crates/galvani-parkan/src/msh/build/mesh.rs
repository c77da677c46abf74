//! Geometry as streams: vertices, indices, batches, faces and slots.

use galvani_core::maths::single;
use galvani_core::record::Raw;
use galvani_core::{Path, Reading, Report};
use zerocopy::little_endian::{F32, U16, U32};

use super::bounds::{Box3, radius};
use super::faces::{Triangle, faces};
use super::plan::{GeometryPlan, PartPlan};
use super::shade::{Vertex, shade};
use super::split::{Draw, Split, split};
use super::vector::length;
use super::{DEGENERATE, SPLIT, UNUSED_VERTICES, UV_RANGE, index16, index32};
use crate::msh::{NONE, values, wire};

/// The batch flag of what has a lightmap.
const LIGHTMAPPED: u16 = 0x2000;
/// The batch flag of a portal.
const PORTAL: u16 = 0x8;
/// Half a step of a stored texture coordinate: further off than that is not rounded, but clamped.
const HALF_UV_STEP: f32 = 1.0 / 2048.0;
/// The row of no lightmap.
const NO_LIGHTMAP: u8 = 0xFF;

/// The streams that hold geometry.
#[derive(Debug, Default)]
pub(super) struct Mesh {
    pub(super) reading: Reading,
    pub(super) slots: Vec<wire::Slot>,
    pub(super) positions: Vec<wire::Position>,
    pub(super) normals: Vec<wire::Normal>,
    pub(super) uv0: Vec<wire::Uv>,
    pub(super) lightmap_uv: Vec<wire::Uv>,
    pub(super) extra15: Vec<wire::Extra15>,
    pub(super) tangents: Vec<wire::Tangents>,
    pub(super) batches: Vec<wire::Batch>,
    pub(super) indices: Vec<wire::Index>,
    pub(super) faces: Vec<wire::Face>,
}

impl Mesh {
    /// Adds a slot of geometry that passed [`refuse`](super::refuse).
    pub(super) fn add(&mut self, geometry: &GeometryPlan, path: Path, report: &mut Report) {
        let shaded = shade(geometry);
        let split = split(shaded.vertices.len(), &shaded.parts);
        let (tri_start, batch_start) = (self.faces.len(), self.batches.len());
        let triangles = triangles(geometry, &shaded.vertices, &split);
        let points = self.add_vertices(geometry, &shaded.vertices, &split.order);
        let first_vertex = self.positions.len().saturating_sub(points.len());
        for draw in &split.draws {
            if let Some(part) = geometry.parts.get(draw.part) {
                self.add_batch(draw, part, first_vertex);
            }
        }
        self.faces.extend(faces(&triangles, tri_start));
        self.slots.push(wire::Slot {
            tri_start: U16::new(index16(tri_start)),
            tri_count: U16::new(index16(triangles.len())),
            batch_start: U16::new(index16(batch_start)),
            batch_count: U16::new(index16(split.draws.len())),
            ..bounds(&points, &triangles, self.reading)
        });
        if split.draws.len() > geometry.parts.len() {
            let said = format!("{} for {}", split.draws.len(), geometry.parts.len());
            report.push(SPLIT.at(path).saying(said));
        }
        note(geometry, &triangles, path, report);
        clamped(geometry, self.reading, path, report);
    }

    /// Adds the vertices in order; gives their positions.
    fn add_vertices(
        &mut self,
        geometry: &GeometryPlan,
        vertices: &[Vertex],
        order: &[usize],
    ) -> Vec<[f32; 3]> {
        let vertices = order.iter().filter_map(|&place| vertices.get(place));
        let reading = self.reading;
        let uv = |rows: &[[f32; 2]], source: usize| {
            let uv = rows.get(source).copied().unwrap_or_default();
            wire::Uv { uv: uv.map(|coordinate| U16::new(values::pack_uv(coordinate, reading))) }
        };
        let mut points = Vec::with_capacity(order.len());
        for &Vertex { source, normal } in vertices {
            let position = geometry.positions.get(source).copied().unwrap_or_default();
            points.push(position);
            self.positions.push(wire::Position { position: position.map(F32::new) });
            self.normals.push(wire::Normal { normal, unknown_03: 0 });
            self.uv0.push(uv(&geometry.uv, source));
            self.lightmap_uv.push(uv(&geometry.lightmap_uv, source));
            let extra15 = geometry.extra15.get(source).copied().unwrap_or_default();
            self.extra15.push(wire::Extra15 { unknown_00: Raw(extra15) });
            let straight = wire::Tangents { tangent: [0; 4], bitangent: [0; 4] };
            self.tangents.push(geometry.tangents.get(source).copied().unwrap_or(straight));
        }
        points
    }

    fn add_batch(&mut self, draw: &Draw, part: &PartPlan, first_vertex: usize) {
        let index_start = self.indices.len();
        let index =
            |&place: &usize| wire::Index { index: U16::new(index16(place.saturating_sub(draw.first))) };
        self.indices.extend(draw.triangles.iter().flatten().map(index));
        let vertex_count = draw.last.saturating_sub(draw.first).saturating_add(1);
        let observed = self.reading != Reading::Documented;
        self.batches.push(wire::Batch {
            head: if observed { observed_head(part) } else { documented_head(part) }.map(U16::new),
            index_count: U16::new(index16(self.indices.len().saturating_sub(index_start))),
            index_start: U32::new(index32(index_start)),
            word_0e: U16::new(if observed { index16(vertex_count) } else { 0 }),
            base_vertex: U32::new(index32(first_vertex.saturating_add(draw.first))),
        });
    }
}

/// Flags of 32 bits, rows of the material and lightmap tables, a node.
fn observed_head(part: &PartPlan) -> [u16; 4] {
    let flag = |wanted: bool, flag: u16| if wanted { flag } else { 0 };
    let flags = part.flags | flag(part.lightmap.is_some(), LIGHTMAPPED) | flag(part.portal.is_some(), PORTAL);
    let [material, _] = part.material.to_le_bytes();
    let rows = u16::from_le_bytes([material, part.lightmap.unwrap_or(NO_LIGHTMAP)]);
    [flags, 0, rows, part.portal.unwrap_or(NONE)]
}

/// Flags, material, and two words of which nothing is said.
fn documented_head(part: &PartPlan) -> [u16; 4] {
    [part.flags, part.material, 0, 0]
}

/// The triangles in the order they are drawn.
fn triangles(geometry: &GeometryPlan, vertices: &[Vertex], split: &Split) -> Vec<Triangle> {
    let corner = |place: usize| {
        let vertex = split.order.get(place).and_then(|&vertex| vertices.get(vertex));
        vertex.and_then(|vertex| geometry.positions.get(vertex.source)).copied().unwrap_or_default()
    };
    let flags = geometry.parts.iter().flat_map(|part| &part.triangles).map(|triangle| triangle.flags);
    let drawn = split.draws.iter().flat_map(|draw| &draw.triangles);
    drawn.zip(flags).map(|(places, flags)| Triangle { corners: places.map(corner), flags }).collect()
}

/// A slot's bounds, in the space of its node, exact for its vertices.
fn bounds(points: &[[f32; 3]], triangles: &[Triangle], reading: Reading) -> wire::Slot {
    let extent = Box3::around(points).unwrap_or(Box3 { min: [0.0; 3], max: [0.0; 3] });
    let centre = extent.centre();
    let area: f64 = triangles.iter().map(|triangle| length(triangle.cross()) / 2.0).sum();
    let tail = match reading {
        Reading::Documented => [0; 5],
        Reading::Observed => [single(area).to_bits(), extent.volume().to_bits(), 0, 0, 0],
    };
    wire::Slot {
        tri_start: U16::ZERO,
        tri_count: U16::ZERO,
        batch_start: U16::ZERO,
        batch_count: U16::ZERO,
        aabb_min: extent.min.map(F32::new),
        aabb_max: extent.max.map(F32::new),
        sphere_center: centre.map(F32::new),
        sphere_radius: F32::new(radius(centre, points)),
        tail: tail.map(U32::new),
    }
}

/// Says which texture coordinates do not fit their form.
fn clamped(geometry: &GeometryPlan, reading: Reading, path: Path, report: &mut Report) {
    // The documented form has no lightmaps.
    let lists = if reading == Reading::Documented { 1 } else { 2 };
    for (name, rows) in [("uv", &geometry.uv), ("lightmap_uv", &geometry.lightmap_uv)].into_iter().take(lists)
    {
        for (i, row) in rows.iter().enumerate() {
            let stored = row.map(|coordinate| values::uv(values::pack_uv(coordinate, reading), reading));
            if row.iter().zip(stored).any(|(wanted, stored)| (wanted - stored).abs() > HALF_UV_STEP) {
                let found = format!("{row:?} wanted, {stored:?} stored");
                report.push(UV_RANGE.at(path.field(name).index(i)).saying(found));
            }
        }
    }
}

/// Says what was left out and what is odd.
fn note(geometry: &GeometryPlan, triangles: &[Triangle], path: Path, report: &mut Report) {
    let mut used: Vec<u32> =
        geometry.parts.iter().flat_map(|part| &part.triangles).flat_map(|face| face.vertices).collect();
    used.sort_unstable();
    used.dedup();
    let unused = geometry.positions.len().saturating_sub(used.len());
    if unused > 0 {
        let found = format!("{unused} of {} vertices are left out", geometry.positions.len());
        report.push(UNUSED_VERTICES.at(path.field("positions")).saying(found));
    }
    let flat = triangles.iter().filter(|triangle| length(triangle.cross()) == 0.0).count();
    if flat > 0 {
        let found = format!("{flat} of {} triangles have no area", triangles.len());
        report.push(DEGENERATE.at(path.field("triangles")).saying(found));
    }
}
