//! Meshes as lists of triangles: which vertex came back as which.

use std::collections::{BTreeMap, BTreeSet};

use galvani_core::{Diagnostic, Path};
use glam::Vec3;

use super::faces::paired;
use super::{ABSENT, Measure, NOT_TAKEN, OTHER_SHAPE, Tolerances, Trip, level, pull, surface};
use crate::{Blend, Id, Mesh, Primitive, Scene};

/// A corner of a triangle: the number of its primitive, and of its vertex there.
pub(super) type Corner = (usize, usize);

/// The triangles of a mesh that show one material.
pub(super) type Faces = Vec<[Corner; 3]>;

/// A mesh that went out and one that came back, by the nodes that show them.
#[derive(Debug, Clone, Copy)]
pub(super) struct Shown {
    pub(super) old: Id<Mesh>,
    pub(super) new: Id<Mesh>,
    pub(super) node: usize,
    pub(super) came: usize,
}

/// Takes what was changed of the vertices of every mesh, whichever state and level shows it.
pub(super) fn all(trip: &mut Trip<'_>) -> Result<(), Box<Diagnostic>> {
    let mut all = Vec::new();
    for node in 0..trip.base.nodes.len() {
        let (old, Some(came)) = (&trip.base.nodes[node], trip.nodes[node]) else { continue };
        match (old.mesh, trip.found.nodes[came].mesh) {
            (Some(old), Some(new)) => all.push(Shown { old, new, node, came }),
            (Some(_), None) => {
                trip.tell(&NOT_TAKEN, "meshes", format!("`{}` shows nothing any more", old.name));
            }
            (None, Some(_)) => trip.tell(&NOT_TAKEN, "meshes", format!("`{}` shows something now", old.name)),
            (None, None) => {}
        }
    }
    all.extend(level::shown(trip));
    let mut done = BTreeSet::new();
    for shown in all {
        // Several nodes show one mesh; of those that came back as several each is looked at.
        if done.insert((shown.old, shown.new)) {
            of_mesh(trip, shown)?;
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

fn of_mesh(trip: &mut Trip<'_>, shown: Shown) -> Result<(), Box<Diagnostic>> {
    let Shown { old, new, .. } = shown;
    let (Some(old_mesh), Some(new_mesh)) = (old.find_in(&trip.base.meshes), new.find_in(&trip.found.meshes))
    else {
        return Ok(());
    };
    let (before, mut after) = (faces(old_mesh, trip.base), faces(new_mesh, trip.found));
    let names = surface::shown(trip, shown, (old_mesh, &before), (new_mesh, &after));
    let path = || Path::named("meshes").index(old.index());
    let mut vertices: BTreeMap<Corner, Corner> = BTreeMap::new();
    let mut split = Torn::default();
    for (material, before) in before {
        let after = names.get(&material).and_then(|name| after.remove(name)).unwrap_or_default();
        if before.len() != after.len() {
            let said = format!("`{material}`: {} triangles wanted, {} found", before.len(), after.len());
            return Err(Box::new(OTHER_SHAPE.at(path()).saying(said)));
        }
        let mut pairs = paired(trip.tolerances.length, (old_mesh, &before), (new_mesh, &after));
        // Programs split a vertex where a triangle has no side: the others say what it is.
        pairs.sort_by_key(|(corners, _)| is_flat(old_mesh, *corners));
        for (old, new) in pairs {
            for (old, new) in old.into_iter().zip(new) {
                let first = *vertices.entry(old).or_insert(new);
                if place(new_mesh, first).distance(place(new_mesh, new)) > trip.tolerances.length {
                    let said = format!("`{material}`: vertex {} is torn apart", old.1);
                    return Err(Box::new(OTHER_SHAPE.at(path()).saying(said)));
                }
                if first != new {
                    split.corners(new_mesh, [first, new], trip.tolerances);
                }
            }
        }
    }
    if let Some(material) = after.keys().next() {
        return Err(Box::new(OTHER_SHAPE.at(path()).saying(format!("triangles of `{material}` are new"))));
    }
    if let Some(said) = split.said() {
        let name = &trip.base.nodes[shown.node].name;
        trip.tell(&NOT_TAKEN, "meshes", format!("`{name}` differs at corners of one vertex: {said}"));
    }
    let flat = flat(old_mesh);
    take_vertices(trip, shown, (old_mesh, new_mesh), (&vertices, &flat));
    pull::take(trip, shown, (old_mesh, new_mesh), &vertices);
    Ok(())
}

/// The vertices of triangles without a side: programs give them normals of their own.
fn flat(mesh: &Mesh) -> BTreeSet<Corner> {
    let mut flat = BTreeSet::new();
    for (i, primitive) in mesh.primitives.iter().enumerate() {
        for triangle in primitive.indices.as_chunks::<3>().0 {
            let corners = triangle.map(|corner| (i, usize::try_from(corner).unwrap_or(usize::MAX)));
            if is_flat(mesh, corners) {
                flat.extend(corners);
            }
        }
    }
    flat
}

fn is_flat(mesh: &Mesh, corners: [Corner; 3]) -> bool {
    let [a, b, c] = corners.map(|corner| place(mesh, corner));
    let side = (b - a).cross(c - a).length();
    side <= FLAT * (b - a).length().max((c - a).length()).powi(2)
}

/// Twice the area of a triangle that has no side, of the square of its length.
const FLAT: f32 = 1e-6;

pub(super) fn place(mesh: &Mesh, (primitive, vertex): Corner) -> Vec3 {
    let primitive = mesh.primitives.get(primitive);
    primitive.and_then(|it| it.positions.get(vertex)).copied().unwrap_or(Vec3::NAN)
}

/// Takes what was changed of the vertices; tells which lists are not there any more or new, and what changed in another way than
/// where another node shows the same mesh.
fn take_vertices(
    trip: &mut Trip<'_>,
    shown: Shown,
    (old, new): (&Mesh, &Mesh),
    (vertices, flat): (&BTreeMap<Corner, Corner>, &BTreeSet<Corner>),
) {
    let (mut torn, mut pairs) = (Torn::default(), BTreeSet::new());
    for (&(primitive, vertex), &(other, there)) in vertices {
        let (Some(old), Some(new)) = (old.primitives.get(primitive), new.primitives.get(other)) else {
            continue;
        };
        pairs.insert((primitive, other));
        let at = VertexPlace { mesh: shown.old.index(), primitive, vertex, there };
        torn.value(trip, at, (old, new), (|it| &it.positions, |it| &mut it.positions), Measure::Place);
        if !flat.contains(&(primitive, vertex)) {
            torn.value(trip, at, (old, new), (|it| &it.normals, |it| &mut it.normals), Measure::Direction);
            torn.value(trip, at, (old, new), (|it| &it.tangents, |it| &mut it.tangents), Measure::Direction);
        }
        torn.value(trip, at, (old, new), (|it| &it.colors, |it| &mut it.colors), Measure::Part);
        for set in 0..old.uvs.len() {
            let after = new.uvs.get(set).and_then(|it| it.get(there));
            if let Some((before, after)) = old.uvs[set].get(vertex).zip(after) {
                torn.settle(trip, (*before, *after), Measure::Part, |made| {
                    &mut made.meshes[at.mesh].primitives[primitive].uvs[set][vertex]
                });
            }
        }
    }
    let name = &trip.base.nodes[shown.node].name;
    if let Some(said) = torn.said() {
        trip.tell(&NOT_TAKEN, "meshes", format!("`{name}` differs from what shows the same: {said}"));
    }
    let parts = pairs
        .into_iter()
        .filter_map(|(old_at, new_at)| Some((old.primitives.get(old_at)?, new.primitives.get(new_at)?)));
    let most = most_lists(old);
    let lists: BTreeSet<_> = parts.flat_map(|(old, new)| other_lists(old, new, most)).collect();
    for (is_gone, what) in lists {
        let (code, word) = if is_gone { (&ABSENT, "has no") } else { (&NOT_TAKEN, "has new") };
        trip.tell(code, "meshes", format!("`{name}` {word} {what}"));
    }
}

/// Lists of colours and of coordinates that a primitive of a mesh has at most.
fn most_lists(mesh: &Mesh) -> [usize; 2] {
    let most = |count: fn(&Primitive) -> usize| mesh.primitives.iter().map(count).max().unwrap_or_default();
    [most(|it| it.colors.len().min(1)), most(|it| it.uvs.len())]
}

/// Lists that are not there any more, and those that no primitive of the mesh had: programs give all of them the same. Normals and
/// tangents they make themselves.
fn other_lists(old: &Primitive, new: &Primitive, [colors, uvs]: [usize; 2]) -> Vec<(bool, &'static str)> {
    let is_there = |list: usize| list.min(1);
    let lens = [
        (is_there(old.normals.len()), is_there(new.normals.len()), 1, "normals"),
        (is_there(old.tangents.len()), is_there(new.tangents.len()), 1, "tangents"),
        (is_there(old.colors.len()), is_there(new.colors.len()), colors, "colours"),
        (old.uvs.len(), new.uvs.len(), uvs, "coordinates"),
    ];
    let others = lens.into_iter().filter(|(old, new, most, _)| new < old || new > most);
    others.map(|(old, new, _, what)| (new < old, what)).collect()
}

/// A vertex that went out, and its number among those that came back.
#[derive(Clone, Copy)]
struct VertexPlace {
    mesh: usize,
    primitive: usize,
    vertex: usize,
    there: usize,
}

/// The list of a primitive that is meant, to be read and to be changed.
type List<V> = (fn(&Primitive) -> &Vec<V>, fn(&mut Primitive) -> &mut Vec<V>);

/// Values of a mesh that changed where one node or corner shows it, and in another way where another does.
#[derive(Debug, Default)]
struct Torn {
    count: usize,
    most: f32,
}

impl Torn {
    /// Takes a value of a vertex if it was changed.
    fn value<V: Blend + PartialEq>(
        &mut self,
        trip: &mut Trip<'_>,
        at: VertexPlace,
        (old, new): (&Primitive, &Primitive),
        (list, list_mut): List<V>,
        measure: Measure,
    ) {
        if let Some((before, after)) = list(old).get(at.vertex).zip(list(new).get(at.there)) {
            self.settle(trip, (*before, *after), measure, |made| {
                &mut list_mut(&mut made.meshes[at.mesh].primitives[at.primitive])[at.vertex]
            });
        }
    }

    fn settle<V: Blend + PartialEq>(
        &mut self,
        trip: &mut Trip<'_>,
        (before, after): (V, V),
        measure: Measure,
        slot: impl Fn(&mut Scene) -> &mut V,
    ) {
        let value = trip.nearest(before, after, measure);
        if value == before {
            return;
        }
        let made = slot(&mut trip.made);
        if *made == before {
            *made = value;
            return;
        }
        let off = made.distance(value);
        if off.is_nan() || off > measure.tolerance(trip.tolerances) {
            self.count += 1;
            self.most = self.most.max(off);
        }
    }

    /// Adds what corners say differently that were one vertex; programs split normals where they think fit.
    fn corners(&mut self, mesh: &Mesh, corners: [Corner; 2], tolerances: Tolerances) {
        let [Some(one), Some(other)] = corners.map(|(primitive, _)| mesh.primitives.get(primitive)) else {
            return;
        };
        let [at, there] = corners.map(|(_, vertex)| vertex);
        let colors = one.colors.get(at).zip(other.colors.get(there)).map(|(a, b)| a.distance(*b));
        let uvs = one.uvs.iter().zip(&other.uvs);
        let uvs = uvs.filter_map(|(one, other)| Some(one.get(at)?.distance(*other.get(there)?)));
        for off in uvs.chain(colors).filter(|off| *off > tolerances.part) {
            self.count += 1;
            self.most = self.most.max(off);
        }
    }

    /// In words; nothing if it is nothing.
    fn said(&self) -> Option<String> {
        (self.count > 0).then(|| format!("{} values, {:.1e} at most", self.count, self.most))
    }
}
