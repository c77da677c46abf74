//! What the geometry itself says: vertices, triangles, boxes.

use galvani_core::{Path, Report};
use zerocopy::little_endian::{F32, U16};

use super::budget::Budget;
use super::ranges::{batches_of, places};
use super::spans::Spans;
use super::{ENTANGLED, NOT_FINITE, SLOT_BOX, VERTEX_SHARED, VERTEX_UNUSED, faces, pose};
use crate::msh::{ModelView, NONE, wire};

/// How far a box may be off, for its size.
const SLOT_TOLERANCE: f32 = 1e-4;

/// Numbers, vertices, triangles, boxes of slots and of the posed model.
pub fn geometry(model: &ModelView<'_>, report: &mut Report) {
    finite(model, report);
    faces::count(model, report);
    let Some(mesh) = Mesh::new(model) else { return };
    if !mesh.is_affordable() {
        report.push(ENTANGLED.at(Path::named("batches")).saying("batches that share no indices wanted"));
        return;
    }
    unused(&mesh, report);
    shared(model, &mesh, report);
    faces::neighbours(model, &mesh, report);
    slot_boxes(model, &mesh, report);
    pose::model_box(model, &mesh, report);
}

/// The streams that geometry is made of.
#[derive(Debug, Clone, Copy)]
pub(in crate::msh) struct Mesh<'a> {
    pub(super) positions: &'a [wire::Position],
    pub(super) indices: &'a [wire::Index],
    pub(super) batches: &'a [wire::Batch],
}

impl<'a> Mesh<'a> {
    pub(in crate::msh) fn new(model: &ModelView<'a>) -> Option<Self> {
        Some(Mesh {
            positions: model.positions.as_ref()?.rows,
            indices: model.indices.as_ref()?.rows,
            batches: model.batches.as_ref()?.rows,
        })
    }

    /// Whether all batches together cost no more than a few looks at all indices.
    fn is_affordable(&self) -> bool {
        let mut budget = self.budget(0);
        self.batches
            .iter()
            .all(|batch| budget.pays(places(batch, self.indices.len()).map_or(0, |here| here.len())))
    }

    /// What walks over so many ranges of batches and indices may cost.
    pub(in crate::msh) fn budget(&self, ranges: usize) -> Budget {
        Budget::over(self.indices.len().saturating_add(self.batches.len()).saturating_add(ranges))
    }

    /// The vertices of a batch in the order of its indices; none if the indices are not there.
    pub(super) fn vertices(&self, batch: &wire::Batch) -> impl Iterator<Item = usize> + use<'a> {
        let base = usize::try_from(batch.base_vertex.get()).unwrap_or(usize::MAX);
        let here = places(batch, self.indices.len()).and_then(|places| self.indices.get(places));
        here.unwrap_or_default().iter().map(move |index| base.saturating_add(usize::from(index.index.get())))
    }

    /// The batches of a slot, as far as they are there.
    pub(in crate::msh) fn batches_of(&self, slot: &wire::Slot) -> &'a [wire::Batch] {
        batches_of(slot, self.batches)
    }

    /// The positions of a batch, as far as they are there.
    pub(in crate::msh) fn points(&self, batch: &wire::Batch) -> impl Iterator<Item = [f32; 3]> + use<'a> {
        let positions = self.positions;
        self.vertices(batch).filter_map(move |vertex| positions.get(vertex)).map(point)
    }
}

pub(super) fn point(position: &wire::Position) -> [f32; 3] {
    position.position.map(F32::get)
}

/// Least and greatest coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(in crate::msh) struct Extent {
    pub(super) min: [f32; 3],
    pub(super) max: [f32; 3],
}

impl Extent {
    pub(super) const NOTHING: Extent = Extent { min: [f32::INFINITY; 3], max: [f32::NEG_INFINITY; 3] };

    /// Around both. Numbers that are none count for nothing.
    pub(super) fn join(self, other: Extent) -> Extent {
        let [ax, ay, az] = self.min;
        let [bx, by, bz] = other.min;
        let [cx, cy, cz] = self.max;
        let [dx, dy, dz] = other.max;
        Extent { min: [ax.min(bx), ay.min(by), az.min(bz)], max: [cx.max(dx), cy.max(dy), cz.max(dz)] }
    }

    pub(super) fn around(points: impl Iterator<Item = [f32; 3]>) -> Extent {
        points.fold(Extent::NOTHING, |all, point| all.join(Extent { min: point, max: point }))
    }

    /// Longest side.
    pub(super) fn size(&self) -> f32 {
        self.max.iter().zip(self.min).map(|(max, min)| max - min).fold(0.0, f32::max)
    }

    pub(super) fn is_finite(&self) -> bool {
        self.min.iter().chain(&self.max).all(|value| value.is_finite())
    }
}

fn finite(model: &ModelView<'_>, report: &mut Report) {
    if let Some(bounds) = model.bounds {
        let mut look = |field, values: &[F32]| look(values, report, || Path::named("bounds").field(field));
        look("hull", bounds.hull.as_flattened());
        look("sphere_center", &bounds.sphere_center);
        look("sphere_radius", &[bounds.sphere_radius]);
        look("capsule_a", &bounds.capsule_a);
        look("capsule_b", &bounds.capsule_b);
        look("capsule_radius", &[bounds.capsule_radius]);
    }
    for (i, slot) in model.slots.as_ref().map_or(&[][..], |slots| slots.rows).iter().enumerate() {
        let mut look =
            |field, values: &[F32]| look(values, report, || Path::named("slots").index(i).field(field));
        look("aabb_min", &slot.aabb_min);
        look("aabb_max", &slot.aabb_max);
        look("sphere_center", &slot.sphere_center);
        look("sphere_radius", &[slot.sphere_radius]);
    }
    let positions = model.positions.as_ref().map_or(&[][..], |positions| positions.rows);
    for (i, position) in positions.iter().enumerate() {
        look(&position.position, report, || Path::named("positions").index(i).field("position"));
    }
}

fn look(values: &[F32], report: &mut Report, path: impl Fn() -> Path) {
    if let Some(found) = values.iter().map(|value| value.get()).find(|value| !value.is_finite()) {
        report.push(NOT_FINITE.at(path()).saying(format!("a number wanted, {found} found")));
    }
}

/// Runs of vertices that no batch uses.
fn unused(mesh: &Mesh<'_>, report: &mut Report) {
    let mut used = vec![false; mesh.positions.len()];
    for vertex in mesh.batches.iter().flat_map(|batch| mesh.vertices(batch)) {
        if let Some(used) = used.get_mut(vertex) {
            *used = true;
        }
    }
    let mut reached: usize = 0;
    for run in used.chunk_by(|a, b| a == b) {
        let end = reached.saturating_add(run.len());
        if run.first() == Some(&false) {
            let mut finding = VERTEX_UNUSED.at(Path::named("positions").index(reached));
            finding.count = u64::try_from(run.len()).unwrap_or(u64::MAX);
            let found = format!("a batch wanted for each of {} vertices, none found", run.len());
            report.push(finding.saying(found));
        }
        reached = end;
    }
}

/// Vertices that move with two nodes.
fn shared(model: &ModelView<'_>, mesh: &Mesh<'_>, report: &mut Report) {
    let (Some(nodes), Some(slots)) = (&model.nodes, &model.slots) else { return };
    let mut budget = mesh.budget(slots.rows.len());
    let mut owners: Vec<Option<usize>> = vec![None; mesh.positions.len()];
    for (i, node) in nodes.rows.iter().enumerate() {
        for slot in own_slots(node).filter_map(|slot| slots.rows.get(slot)) {
            let batches = batches_of(slot, mesh.batches);
            let cost = batches
                .iter()
                .fold(batches.len(), |cost, batch| cost.saturating_add(usize::from(batch.index_count.get())));
            if !budget.pays(cost) {
                let path = Path::named("nodes").index(i).field("slot_index");
                report.push(ENTANGLED.at(path).saying("batches of other nodes wanted elsewhere, found here"));
                return;
            }
            for vertex in batches.iter().flat_map(|batch| mesh.vertices(batch)) {
                let Some(owner) = owners.get_mut(vertex) else { continue };
                if let Some(other) = owner.replace(i).filter(|&other| other != i) {
                    let found = format!("one node wanted, nodes {other} and {i} found");
                    report.push(VERTEX_SHARED.at(Path::named("positions").index(vertex)).saying(found));
                }
            }
        }
    }
}

/// The slots of a node, each once.
fn own_slots(node: &wire::Node) -> impl Iterator<Item = usize> {
    let slots = node.slot_index.map(U16::get);
    let is_first =
        move |(choice, slot): &(usize, u16)| !slots.iter().take(*choice).any(|other| other == slot);
    slots
        .into_iter()
        .enumerate()
        .filter(is_first)
        .filter(|(_, slot)| *slot != NONE)
        .map(|(_, slot)| slot.into())
}

/// The extent of the vertices of every slot.
pub(in crate::msh) fn slot_extents(
    mesh: &Mesh<'_>,
    slots: &[wire::Slot],
) -> impl Iterator<Item = Extent> + use<> {
    let extents: Vec<Extent> = mesh.batches.iter().map(|batch| Extent::around(mesh.points(batch))).collect();
    let tree = Spans::new(extents.into_iter(), Extent::NOTHING, Extent::join);
    let over = |slot: &wire::Slot| {
        let start = usize::from(slot.batch_start.get());
        tree.over(start..start.saturating_add(usize::from(slot.batch_count.get())))
    };
    slots.iter().map(over).collect::<Vec<_>>().into_iter()
}

/// Whether the box of a slot is not the extent of its vertices.
pub(in crate::msh) fn is_slot_box_wrong(slot: &wire::Slot, wanted: &Extent) -> bool {
    wrong_corners(slot, wanted).next().is_some()
}

/// The corners of a slot's box that are not those of the extent: their field, what is wanted, what is found.
fn wrong_corners(
    slot: &wire::Slot,
    wanted: &Extent,
) -> impl Iterator<Item = (&'static str, [f32; 3], [f32; 3])> + use<> {
    let tolerance = SLOT_TOLERANCE * wanted.size().max(1.0);
    let is_known = wanted.is_finite();
    let corners = [
        ("aabb_min", wanted.min, slot.aabb_min.map(F32::get)),
        ("aabb_max", wanted.max, slot.aabb_max.map(F32::get)),
    ];
    corners.into_iter().filter(move |(_, wanted, found)| {
        is_known && wanted.iter().zip(found).any(|(wanted, found)| (wanted - found).abs() > tolerance)
    })
}

/// Boxes of slots are those of their vertices.
fn slot_boxes(model: &ModelView<'_>, mesh: &Mesh<'_>, report: &mut Report) {
    let Some(slots) = &model.slots else { return };
    for (i, (slot, wanted)) in slots.rows.iter().zip(slot_extents(mesh, slots.rows)).enumerate() {
        for (field, wanted, found) in wrong_corners(slot, &wanted) {
            let path = Path::named("slots").index(i).field(field);
            report.push(SLOT_BOX.at(path).saying(format!("{wanted:?} wanted, {found:?} found")));
        }
    }
}
