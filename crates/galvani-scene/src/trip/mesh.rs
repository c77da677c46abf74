//! Meshes as lists of triangles: which vertex came back as which.

use std::collections::{BTreeMap, BTreeSet};

use galvani_core::{Diagnostic, Path};
use glam::Vec3;

use super::{Measure, NOT_TAKEN, OTHER_SHAPE, Trip};
use crate::{Blend, Id, Mesh, Primitive, Scene};

/// A corner of a triangle: the number of its primitive, and of its vertex there.
type Corner = (usize, usize);

/// The triangles of a mesh that show one material.
type Faces = Vec<[Corner; 3]>;

pub(super) fn all(trip: &mut Trip<'_>) -> Result<(), Box<Diagnostic>> {
    let mut done = BTreeSet::new();
    for i in 0..trip.base.nodes.len() {
        let (Some(old), Some(new)) = (trip.base.nodes[i].mesh, trip.nodes[i]) else { continue };
        if !done.insert(old) {
            continue;
        }
        if let Some(new) = trip.found.nodes[new].mesh {
            of_mesh(trip, old, new)?;
        } else {
            let what = format!("`{}` shows nothing any more", trip.base.nodes[i].name);
            trip.tell(&NOT_TAKEN, "meshes", what);
        }
    }
    Ok(())
}

/// Triangles by the names of the materials that they show.
fn faces(mesh: &Mesh, scene: &Scene) -> BTreeMap<String, Faces> {
    let mut faces: BTreeMap<String, Faces> = BTreeMap::new();
    for (i, primitive) in mesh.primitives.iter().enumerate() {
        let material = primitive.material.and_then(|material| material.find_in(&scene.materials));
        let own = faces.entry(material.map_or_else(String::new, |it| it.name.clone())).or_default();
        let corner = |corner: u32| (i, usize::try_from(corner).unwrap_or(usize::MAX));
        own.extend(primitive.indices.as_chunks::<3>().0.iter().map(|it| it.map(corner)));
    }
    faces
}

fn of_mesh(trip: &mut Trip<'_>, old: Id<Mesh>, new: Id<Mesh>) -> Result<(), Box<Diagnostic>> {
    let (Some(old_mesh), Some(new_mesh)) = (old.find_in(&trip.base.meshes), new.find_in(&trip.found.meshes))
    else {
        return Ok(());
    };
    let (before, mut after) = (faces(old_mesh, trip.base), faces(new_mesh, trip.found));
    let path = || Path::named("meshes").index(old.index());
    let mut vertices: BTreeMap<Corner, Corner> = BTreeMap::new();
    for (material, before) in before {
        let after = after.remove(&material).unwrap_or_default();
        if before.len() != after.len() {
            let said = format!("`{material}`: {} triangles wanted, {} found", before.len(), after.len());
            return Err(Box::new(OTHER_SHAPE.at(path()).saying(said)));
        }
        for (old, new) in paired(trip, (old_mesh, &before), (new_mesh, after)) {
            for (old, new) in old.into_iter().zip(new) {
                let first = *vertices.entry(old).or_insert(new);
                if place(new_mesh, first).distance(place(new_mesh, new)) > trip.tolerances.length {
                    let said = format!("`{material}`: vertex {} is torn apart", old.1);
                    return Err(Box::new(OTHER_SHAPE.at(path()).saying(said)));
                }
            }
        }
    }
    if let Some(material) = after.keys().next() {
        return Err(Box::new(OTHER_SHAPE.at(path()).saying(format!("triangles of `{material}` are new"))));
    }
    let flat = flat(old_mesh);
    taken(trip, (old, old_mesh), new_mesh, (&vertices, &flat));
    Ok(())
}

/// The vertices of triangles without a side: programs give them normals of their own.
fn flat(mesh: &Mesh) -> BTreeSet<Corner> {
    let mut flat = BTreeSet::new();
    for (i, primitive) in mesh.primitives.iter().enumerate() {
        for triangle in primitive.indices.as_chunks::<3>().0 {
            let corners = triangle.map(|corner| (i, usize::try_from(corner).unwrap_or(usize::MAX)));
            let [a, b, c] = corners.map(|corner| place(mesh, corner));
            let side = (b - a).cross(c - a).length();
            if side <= FLAT * (b - a).length().max((c - a).length()).powi(2) {
                flat.extend(corners);
            }
        }
    }
    flat
}

/// Twice the area of a triangle that has no side, of the square of its length.
const FLAT: f32 = 1e-6;

fn place(mesh: &Mesh, (primitive, vertex): Corner) -> Vec3 {
    let primitive = mesh.primitives.get(primitive);
    primitive.and_then(|it| it.positions.get(vertex)).copied().unwrap_or(Vec3::NAN)
}

/// Which triangle came back as which. Programs keep their order; where they do not, triangles of the same places belong together, and
/// what is left goes in order.
fn paired(
    trip: &Trip<'_>,
    (old_mesh, old): (&Mesh, &Faces),
    (new_mesh, new): (&Mesh, Faces),
) -> Vec<([Corner; 3], [Corner; 3])> {
    let length = trip.tolerances.length;
    let apart = |old: &[Corner; 3], new: &[Corner; 3]| {
        let far = old.iter().zip(new).map(|(old, new)| place(old_mesh, *old).distance(place(new_mesh, *new)));
        far.fold(0.0, f32::max)
    };
    let turned = |old: &[Corner; 3], [a, b, c]: [Corner; 3]| {
        let turns = [[a, b, c], [b, c, a], [c, a, b]];
        turns.into_iter().find(|turn| apart(old, turn) <= length).unwrap_or([a, b, c])
    };
    let in_order: Vec<_> = old.iter().zip(&new).map(|(old, new)| (*old, turned(old, *new))).collect();
    let is_same = |(old, new): &&([Corner; 3], [Corner; 3])| apart(old, new) <= length;
    if in_order.iter().filter(is_same).count() * 2 >= old.len() {
        return in_order;
    }
    let key = |mesh: &Mesh, corners: &[Corner; 3]| {
        let grid = |part: f32| (part / (length * 16.0).max(f32::MIN_POSITIVE)).round().to_bits();
        let mut key = corners.map(|corner| place(mesh, corner).to_array().map(grid));
        key.sort_unstable();
        key
    };
    let mut known: BTreeMap<[[u32; 3]; 3], Vec<usize>> = BTreeMap::new();
    for (i, corners) in new.iter().enumerate().rev() {
        known.entry(key(new_mesh, corners)).or_default().push(i);
    }
    let found: Vec<Option<usize>> = old.iter().map(|it| known.get_mut(&key(old_mesh, it))?.pop()).collect();
    let taken: BTreeSet<usize> = found.iter().flatten().copied().collect();
    let mut left = (0..new.len()).filter(|i| !taken.contains(i));
    let mut pair = |old: &[Corner; 3], found: Option<usize>| {
        let new = found.or_else(|| left.next()).and_then(|i| new.get(i)).copied().unwrap_or(*old);
        (*old, turned(old, new))
    };
    old.iter().zip(found).map(|(old, found)| pair(old, found)).collect()
}

/// Takes what was changed of the vertices.
fn taken(
    trip: &mut Trip<'_>,
    (id, old): (Id<Mesh>, &Mesh),
    new: &Mesh,
    (vertices, flat): (&BTreeMap<Corner, Corner>, &BTreeSet<Corner>),
) {
    for (&(primitive, vertex), &(other, there)) in vertices {
        let (Some(old), Some(new)) = (old.primitives.get(primitive), new.primitives.get(other)) else {
            continue;
        };
        let at = Place { mesh: id.index(), primitive, vertex, there };
        value(trip, at, (old, new), (|it| &it.positions, |it| &mut it.positions), Measure::Place);
        if !flat.contains(&(primitive, vertex)) {
            value(trip, at, (old, new), (|it| &it.normals, |it| &mut it.normals), Measure::Direction);
            value(trip, at, (old, new), (|it| &it.tangents, |it| &mut it.tangents), Measure::Direction);
        }
        value(trip, at, (old, new), (|it| &it.colors, |it| &mut it.colors), Measure::Part);
        for set in 0..old.uvs.len() {
            let Some((before, after)) =
                old.uvs[set].get(vertex).zip(new.uvs.get(set).and_then(|it| it.get(there)))
            else {
                continue;
            };
            let uv = trip.nearest(*before, *after, Measure::Part);
            trip.made.meshes[id.index()].primitives[primitive].uvs[set][vertex] = uv;
        }
    }
}

/// A vertex that went out, and its number among those that came back.
#[derive(Clone, Copy)]
struct Place {
    mesh: usize,
    primitive: usize,
    vertex: usize,
    there: usize,
}

/// The list of a primitive that is meant, to be read and to be changed.
type List<V> = (fn(&Primitive) -> &Vec<V>, fn(&mut Primitive) -> &mut Vec<V>);

/// Takes a value of a vertex if it was changed.
fn value<V: Blend + PartialEq>(
    trip: &mut Trip<'_>,
    at: Place,
    (old, new): (&Primitive, &Primitive),
    (list, list_mut): List<V>,
    measure: Measure,
) {
    if let Some((before, after)) = list(old).get(at.vertex).zip(list(new).get(at.there)) {
        let value = trip.nearest(*before, *after, measure);
        list_mut(&mut trip.made.meshes[at.mesh].primitives[at.primitive])[at.vertex] = value;
    }
}
