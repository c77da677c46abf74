//! Slots as meshes: one per slot that is shown, a primitive per batch.

use std::collections::BTreeMap;

use galvani_core::maths::single;
use galvani_core::{Exhausted, LiftError, Path, Reading, room};
use galvani_scene::{Id, Material, Mesh, Primitive};
use glam::{Vec2, Vec3, Vec4};
use zerocopy::little_endian::{F32, U16};

use super::{
    BATCH_OUTSIDE, COCKPIT_FLAG, COCKPIT_GROUP, ENTANGLED, INDEX_OUTSIDE, LOST_INDICES, LOST_NORMAL, Lift,
    NOT_FINITE, SLOT_OUTSIDE, VERTEX_OUTSIDE, axes,
};
use crate::msh::check::budget::Budget;
use crate::msh::{NONE, values};

/// What stands for a normal without a direction: up.
const UP: Vec3 = Vec3::Y;

/// Gives every node what it shows in a cell of its slots.
pub(super) fn attach(lift: &mut Lift<'_, '_>, cell: usize) -> Result<(), LiftError> {
    let model = lift.model;
    let indices = model.indices.as_ref().map_or(0, |table| table.rows.len());
    let batches = model.batches.as_ref().map_or(0, |table| table.rows.len());
    let mut making = Making {
        budget: Budget::over(indices.saturating_add(batches)),
        meshes: BTreeMap::new(),
        materials: BTreeMap::new(),
    };
    for (i, node) in model.nodes.iter().flat_map(|nodes| nodes.rows).enumerate() {
        let slot = node.slot_index.get(cell).map_or(NONE, |slot| slot.get());
        let cockpit = node.flags.get() & COCKPIT_FLAG != 0;
        if slot == NONE || (cockpit && lift.options.group != COCKPIT_GROUP) {
            continue;
        }
        let mesh = making.mesh(lift, slot, Path::named("nodes").index(i).field("slot_index"))?;
        if let Some(node) = lift.scene.nodes.get_mut(i) {
            node.mesh = mesh;
        }
    }
    Ok(())
}

struct Making {
    budget: Budget,
    /// By slot; none where a slot has no triangles.
    meshes: BTreeMap<u16, Option<Id<Mesh>>>,
    /// By row.
    materials: BTreeMap<u16, Id<Material>>,
}

impl Making {
    /// The mesh of a slot, made once.
    fn mesh(&mut self, lift: &mut Lift<'_, '_>, slot: u16, at: Path) -> Result<Option<Id<Mesh>>, LiftError> {
        if let Some(known) = self.meshes.get(&slot) {
            return Ok(*known);
        }
        let slots = lift.model.slots.as_ref().map_or(&[][..], |table| table.rows);
        let Some(record) = slots.get(usize::from(slot)) else {
            let found = format!("slot {slot} of {}", slots.len());
            return Err(SLOT_OUTSIDE.at(at).saying(found).into());
        };
        let first = usize::from(record.batch_start.get());
        let end = first.saturating_add(record.batch_count.get().into());
        let count = lift.model.batches.as_ref().map_or(0, |table| table.rows.len());
        if end > count {
            let found = format!("batches {first} to {end} of {count}");
            let path = Path::named("slots").index(slot.into()).field("batch_start");
            return Err(BATCH_OUTSIDE.at(path).saying(found).into());
        }
        let mut primitives = Vec::new();
        for batch in first..end {
            primitives.extend(self.primitive(lift, batch)?);
        }
        let new = (!primitives.is_empty()).then(|| Id::new(lift.scene.meshes.len()));
        if new.is_some() {
            lift.scene.meshes.push(Mesh { name: format!("slot_{slot}"), primitives, ..Mesh::default() });
        }
        self.meshes.insert(slot, new);
        Ok(new)
    }

    /// The triangles of a batch; none where it has none.
    fn primitive(&mut self, lift: &mut Lift<'_, '_>, index: usize) -> Result<Option<Primitive>, LiftError> {
        let path = Path::named("batches").index(index);
        let Some(batch) = lift.model.batches.as_ref().and_then(|table| table.rows.get(index)) else {
            return Ok(None);
        };
        let count = usize::from(batch.index_count.get());
        if !self.budget.pays(count) {
            return Err(ENTANGLED.at(path).into());
        }
        let rows = lift.model.indices.as_ref().map_or(&[][..], |table| table.rows);
        let start = usize::try_from(batch.index_start.get()).unwrap_or(usize::MAX);
        let Some(indices) = rows.get(start..start.saturating_add(count)) else {
            let found = format!("{count} indices from {start} on, of {}", rows.len());
            return Err(INDEX_OUTSIDE.at(path.field("index_start")).saying(found).into());
        };
        let whole = count.saturating_sub(count % 3);
        if whole < count {
            lift.report.push(LOST_INDICES.at(path.field("index_count")).saying(format!("{count} indices")));
        }
        let base = usize::try_from(batch.base_vertex.get()).unwrap_or(usize::MAX);
        let used = indices.iter().take(whole).map(|row| base.saturating_add(row.index.get().into()));
        let (vertices, indices) = compact(used)?;
        if vertices.is_empty() {
            return Ok(None);
        }
        let row = material_row(batch.head, lift.model.reading);
        let material = *self.materials.entry(row).or_insert_with(|| {
            lift.scene.materials.push(material(row));
            Id::new(lift.scene.materials.len().saturating_sub(1))
        });
        Ok(Some(Primitive {
            material: Some(material),
            positions: positions(lift, &vertices, path)?,
            normals: normals(lift, &vertices)?,
            uvs: uvs(lift, &vertices)?.into_iter().collect(),
            indices,
            ..Primitive::default()
        }))
    }
}

/// The vertices that are used, in the order of their first use, and the indices among them.
fn compact(used: impl Iterator<Item = usize>) -> Result<(Vec<usize>, Vec<u32>), Exhausted> {
    let mut places: BTreeMap<usize, u32> = BTreeMap::new();
    let (mut vertices, mut indices) = (Vec::new(), Vec::new());
    for vertex in used {
        let next = u32::try_from(vertices.len()).unwrap_or(u32::MAX);
        let place = *places.entry(vertex).or_insert(next);
        if place == next {
            room::push(&mut vertices, vertex)?;
        }
        room::push(&mut indices, place)?;
    }
    Ok((vertices, indices))
}

fn positions(lift: &Lift<'_, '_>, vertices: &[usize], batch: Path) -> Result<Vec<Vec3>, LiftError> {
    let rows = lift.model.positions.as_ref().map_or(&[][..], |table| table.rows);
    let position = |&vertex: &usize| {
        let Some(row) = rows.get(vertex) else {
            let found = format!("vertex {vertex} of {}", rows.len());
            return Err(VERTEX_OUTSIDE.at(batch.field("base_vertex")).saying(found).into());
        };
        let position = row.position.map(F32::get);
        if !position.iter().all(|part| part.is_finite()) {
            let path = Path::named("positions").index(vertex);
            return Err(NOT_FINITE.at(path).saying(format!("position {position:?}")).into());
        }
        Ok(Vec3::from_array(axes(position)))
    };
    room::try_collected(vertices.iter().map(position))
}

/// A normal for each vertex, or none at all where the stream is missing or too short.
fn normals(lift: &mut Lift<'_, '_>, vertices: &[usize]) -> Result<Vec<Vec3>, Exhausted> {
    let rows = lift.model.normals.as_ref().map_or(&[][..], |table| table.rows);
    let mut lost = Vec::new();
    let normal = |&vertex: &usize| {
        let packed = rows.get(vertex)?.normal;
        Some(direction(packed.map(values::normal)).unwrap_or_else(|| {
            lost.push(vertex);
            UP
        }))
    };
    let normals: Vec<Vec3> = room::collected(vertices.iter().map_while(normal))?;
    for vertex in lost {
        lift.report.push(LOST_NORMAL.at(Path::named("normals").index(vertex)));
    }
    Ok(if normals.len() == vertices.len() { normals } else { Vec::new() })
}

/// The same direction in the scene's axes, of length 1.
fn direction(normal: [f32; 3]) -> Option<Vec3> {
    let length = normal.iter().map(|part| f64::from(*part).powi(2)).sum::<f64>().sqrt();
    (length > 0.0).then(|| Vec3::from_array(axes(normal).map(|part| single(f64::from(part) / length))))
}

/// Texture coordinates for each vertex, or none at all where the stream is missing or too short.
fn uvs(lift: &Lift<'_, '_>, vertices: &[usize]) -> Result<Option<Vec<Vec2>>, Exhausted> {
    let rows = lift.model.uv0.as_ref().map_or(&[][..], |table| table.rows);
    let uv = |&vertex: &usize| {
        let row = rows.get(vertex)?;
        Some(Vec2::from_array(row.uv.map(|word| values::uv(word.get(), lift.model.reading))))
    };
    let uvs = room::collected(vertices.iter().map_while(uv))?;
    Ok((uvs.len() == vertices.len()).then_some(uvs))
}

/// The row of the material table that a batch names.
fn material_row(head: [U16; 4], reading: Reading) -> u16 {
    let [_, documented, observed, _] = head;
    match reading {
        Reading::Observed => observed.get() & 0xFF,
        Reading::Documented => documented.get(),
    }
}

/// A plain colour of its own for every row: what it looks like stands in other files. The engine draws both
/// sides.
fn material(row: u16) -> Material {
    /// A golden section of the circle: neighbouring rows are far apart, and no two hues are the same.
    const STEP: f64 = 0.618_033_988_749_895;
    let hue = (f64::from(row) * STEP).fract() * 6.0;
    // How much of a colour whose own hue is there, between dull and bright.
    let part = |at: f64| {
        let away = (hue - at).abs();
        let near = 2.0 - away.min(6.0 - away);
        single(0.15 + 0.55 * near.clamp(0.0, 1.0))
    };
    let base_color = Vec4::new(part(0.0), part(2.0), part(4.0), 1.0);
    Material { name: format!("material_{row}"), base_color, two_sided: true, ..Material::default() }
}
