//! Slots as meshes: a primitive per batch. Vertices stand in the order of the file, so that those of a batch of the game
//! are its own from its base on.

use std::collections::{BTreeMap, BTreeSet};

use galvani_core::image::linear;
use galvani_core::maths::single;
use galvani_core::{Exhausted, LiftError, Path, Reading, room};
use galvani_scene::{Id, Mesh, Primitive};
use glam::{Vec2, Vec3, Vec4};
use zerocopy::little_endian::{F32, U16};

use super::look::{Looks, Named};
use super::{
    ENTANGLED, LOST_BATCH, LOST_INDICES, LOST_NORMAL, LOST_SLOT, LOST_TANGENT, LOST_TRIANGLES, Lift, axes,
    origin,
};
use crate::msh::check::budget::Budget;
use crate::msh::{ModelView, values};

/// What stands for a normal without a direction: up.
pub(super) const UP: Vec3 = Vec3::Y;

/// The lightmap of a batch that has none.
const NO_LIGHTMAP: u8 = 0xFF;

/// Meshes, each made once.
pub(super) struct MeshPlan {
    budget: Budget,
    /// By slot; none where a slot has no triangles.
    meshes: BTreeMap<u16, Option<Id<Mesh>>>,
    looks: Looks,
}

impl MeshPlan {
    pub(super) fn new(model: &ModelView<'_>) -> Self {
        let indices = model.indices.as_ref().map_or(0, |table| table.rows.len());
        let batches = model.batches.as_ref().map_or(0, |table| table.rows.len());
        let budget = Budget::over(indices.saturating_add(batches));
        MeshPlan { budget, meshes: BTreeMap::new(), looks: Looks::default() }
    }

    /// The mesh of a slot.
    pub(super) fn mesh(
        &mut self,
        lift: &mut Lift<'_, '_>,
        slot: u16,
        at: Path,
    ) -> Result<Option<Id<Mesh>>, LiftError> {
        if let Some(known) = self.meshes.get(&slot) {
            return Ok(*known);
        }
        let mut primitives = Vec::new();
        let mesh = lift.scene.meshes.len();
        for batch in batches(lift, slot, at) {
            let made = self.primitive(lift, batch, (mesh, primitives.len()))?;
            primitives.extend(made);
        }
        let new = (!primitives.is_empty()).then(|| Id::new(mesh));
        if new.is_some() {
            lift.scene.meshes.push(Mesh { name: format!("slot_{slot}"), primitives, ..Mesh::default() });
        }
        self.meshes.insert(slot, new);
        Ok(new)
    }

    /// The triangles of a batch, as a primitive of a mesh; none where it has none.
    fn primitive(
        &mut self,
        lift: &mut Lift<'_, '_>,
        index: usize,
        new: (usize, usize),
    ) -> Result<Option<Primitive>, LiftError> {
        let path = Path::named("batches").index(index);
        let Some(batch) = lift.model.batches.as_ref().and_then(|table| table.rows.get(index)) else {
            return Ok(None);
        };
        let count = usize::from(batch.index_count.get());
        let rows = lift.model.indices.as_ref().map_or(&[][..], |table| table.rows);
        let start = usize::try_from(batch.index_start.get()).unwrap_or(usize::MAX);
        let Some(indices) = rows.get(start..start.saturating_add(count)) else {
            let found = format!("{count} indices from {start} on, of {}", rows.len());
            lift.report.push(LOST_BATCH.at(path.field("index_start")).saying(found));
            return Ok(None);
        };
        if !self.budget.pays(count) {
            return Err(ENTANGLED.at(path).into());
        }
        if !count.is_multiple_of(3) {
            lift.report.push(LOST_INDICES.at(path.field("index_count")).saying(format!("{count} indices")));
        }
        let base = usize::try_from(batch.base_vertex.get()).unwrap_or(usize::MAX);
        let corners = indices.iter().map(|row| base.saturating_add(row.index.get().into()));
        let corners: Vec<usize> = room::collected(corners)?;
        let used = sound(lift, &corners, path)?;
        let (vertices, indices) = compact(&used)?;
        if vertices.is_empty() {
            return Ok(None);
        }
        let material = self.looks.material(lift, named(batch.head, lift.model.reading), path)?;
        let normals = normals(lift, &vertices)?;
        let primitive = Primitive {
            material: Some(material),
            positions: positions(lift, &vertices)?,
            tangents: tangents(lift, &vertices, &normals)?,
            normals,
            uvs: uvs(lift, &vertices)?,
            colors: colors(lift, &vertices)?,
            indices,
            ..Primitive::default()
        };
        origin::of_vertices(lift, new, &vertices);
        if used.len() == corners.len() {
            origin::of_indices(lift, new, start..start.saturating_add(count), (&vertices, base));
        }
        Ok(Some(primitive))
    }
}

/// The batches of a slot; none where the slot or they are not there.
fn batches(lift: &mut Lift<'_, '_>, slot: u16, at: Path) -> std::ops::Range<usize> {
    let slots = lift.model.slots.as_ref().map_or(&[][..], |table| table.rows);
    let Some(record) = slots.get(usize::from(slot)) else {
        lift.report.push(LOST_SLOT.at(at).saying(format!("slot {slot} of {}", slots.len())));
        return 0..0;
    };
    let first = usize::from(record.batch_start.get());
    let end = first.saturating_add(record.batch_count.get().into());
    let count = lift.model.batches.as_ref().map_or(0, |table| table.rows.len());
    if end > count {
        let path = Path::named("slots").index(slot.into()).field("batch_start");
        lift.report.push(LOST_SLOT.at(path).saying(format!("batches {first} to {end} of {count}")));
        return 0..0;
    }
    first..end
}

/// The corners of triangles that are there and numbers.
fn sound(lift: &mut Lift<'_, '_>, corners: &[usize], batch: Path) -> Result<Vec<usize>, Exhausted> {
    let rows = lift.model.positions.as_ref().map_or(&[][..], |table| table.rows);
    let is_sound = |corner: &usize| {
        rows.get(*corner).is_some_and(|row| row.position.iter().all(|part| part.get().is_finite()))
    };
    let (triangles, _) = corners.as_chunks::<3>();
    let sound = triangles.iter().filter(|triangle| triangle.iter().all(is_sound));
    let used: Vec<usize> = room::collected(sound.flatten().copied())?;
    let lost = triangles.len().saturating_sub(used.len() / 3);
    if lost > 0 {
        let found = format!("{lost} of {} triangles; {} vertices", triangles.len(), rows.len());
        lift.report.push(LOST_TRIANGLES.at(batch.field("base_vertex")).saying(found));
    }
    Ok(used)
}

/// The vertices that are used, in the order of the file, and the indices among them.
fn compact(used: &[usize]) -> Result<(Vec<usize>, Vec<u32>), Exhausted> {
    let mut vertices = room::copied(used)?;
    vertices.sort_unstable();
    vertices.dedup();
    let place = |vertex: &usize| {
        let place = vertices.binary_search(vertex).unwrap_or_default();
        u32::try_from(place).unwrap_or(u32::MAX)
    };
    let indices = room::collected(used.iter().map(place))?;
    Ok((vertices, indices))
}

fn positions(lift: &Lift<'_, '_>, vertices: &[usize]) -> Result<Vec<Vec3>, Exhausted> {
    let rows = lift.model.positions.as_ref().map_or(&[][..], |table| table.rows);
    let position = |&vertex: &usize| {
        let position = rows.get(vertex).map(|row| row.position.map(F32::get));
        Vec3::from_array(axes(position.unwrap_or_default()))
    };
    room::collected(vertices.iter().map(position))
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
    let normals = each(vertices, normal)?.unwrap_or_default();
    for vertex in lost {
        lift.report.push(LOST_NORMAL.at(Path::named("normals").index(vertex)));
    }
    Ok(normals)
}

/// A tangent for each vertex, or none at all where there are none, or no normals. The fourth number is the side on
/// which the stream's bitangent lies.
fn tangents(lift: &mut Lift<'_, '_>, vertices: &[usize], normals: &[Vec3]) -> Result<Vec<Vec4>, Exhausted> {
    let rows = lift.model.tangents.as_ref().map_or(&[][..], |table| table.rows);
    let mut lost = Vec::new();
    let tangent = |(&vertex, &normal): (&usize, &Vec3)| {
        let row = rows.get(vertex)?;
        let xyz = |[x, y, z, _]: [i8; 4]| [x, y, z].map(values::normal);
        let tangent = direction(xyz(row.tangent)).unwrap_or_else(|| {
            lost.push(vertex);
            normal.any_orthonormal_vector()
        });
        let bitangent = Vec3::from_array(axes(xyz(row.bitangent)));
        let side = if normal.cross(tangent).dot(bitangent) < 0.0 { -1.0 } else { 1.0 };
        Some(tangent.extend(side))
    };
    let made: Vec<Vec4> = room::collected(vertices.iter().zip(normals).map_while(tangent))?;
    for vertex in lost {
        lift.report.push(LOST_TANGENT.at(Path::named("tangents").index(vertex)));
    }
    Ok(if made.len() == vertices.len() { made } else { Vec::new() })
}

/// The same direction in the scene's axes, of length 1.
pub(super) fn direction(normal: [f32; 3]) -> Option<Vec3> {
    let length = normal.iter().map(|part| f64::from(*part).powi(2)).sum::<f64>().sqrt();
    (length > 0.0).then(|| Vec3::from_array(axes(normal).map(|part| single(f64::from(part) / length))))
}

/// Texture coordinates for each vertex and, as observed, those in the lightmap; a set whose stream is missing or too
/// short is not there.
fn uvs(lift: &Lift<'_, '_>, vertices: &[usize]) -> Result<Vec<Vec<Vec2>>, Exhausted> {
    let reading = lift.model.reading;
    let lightmap = lift.model.stream18.as_ref().filter(|_| reading == Reading::Observed);
    let mut sets = Vec::new();
    for table in [lift.model.uv0.as_ref(), lightmap] {
        let uv = |&vertex: &usize| {
            let row = table?.rows.get(vertex)?;
            Some(Vec2::from_array(row.uv.map(|word| values::uv(word.get(), reading))))
        };
        // The second set has no number without the first.
        let Some(set) = each(vertices, uv)? else { break };
        sets.push(set);
    }
    Ok(sets)
}

/// As documented, a colour for each vertex, or none at all where the stream is missing or too short.
fn colors(lift: &Lift<'_, '_>, vertices: &[usize]) -> Result<Vec<Vec4>, Exhausted> {
    let documented = lift.model.stream18.as_ref().filter(|_| lift.model.reading == Reading::Documented);
    let rows = documented.map_or(&[][..], |table| table.rows);
    let color = |&vertex: &usize| {
        let [[blue, green], [red, alpha]] = rows.get(vertex)?.uv.map(|word| word.get().to_le_bytes());
        let [red, green, blue] = [red, green, blue].map(linear);
        Some(Vec4::new(red, green, blue, f32::from(alpha) / 255.0))
    };
    Ok(each(vertices, color)?.unwrap_or_default())
}

/// One for each vertex, or nothing if one has none.
fn each<T>(vertices: &[usize], of: impl FnMut(&usize) -> Option<T>) -> Result<Option<Vec<T>>, Exhausted> {
    let made: Vec<T> = room::collected(vertices.iter().map_while(of))?;
    Ok((made.len() == vertices.len()).then_some(made))
}

/// The rows of the material table that the batches of a model name.
pub fn material_rows(model: &ModelView<'_>) -> BTreeSet<u16> {
    let batches = model.batches.iter().flat_map(|table| table.rows);
    batches.map(|batch| named(batch.head, model.reading).material).collect()
}

/// The rows of the material table that a batch names.
fn named(head: [U16; 4], reading: Reading) -> Named {
    let [_, documented, observed, _] = head;
    match reading {
        Reading::Observed => {
            let [material, lightmap] = observed.get().to_le_bytes();
            let lightmap = (lightmap != NO_LIGHTMAP).then_some(lightmap);
            Named { material: material.into(), lightmap }
        }
        Reading::Documented => Named { material: documented.get(), lightmap: None },
    }
}
