//! Meshes: triangles, however they are joined.

use galvani_core::{Code, Diagnostic, Exhausted, room};
use galvani_scene::{Id, Influences, MOST_UV_SETS, Material, Mesh, Primitive, Pull};
use glam::{Vec2, Vec3, Vec4};

use super::{FLAT, From, LOST_COLORS, LOST_MORPH, LOST_SHAPE, Outcome, kept};
use crate::document::Items;
use crate::document::check::{ATTRIBUTE, DRACO, INDEX, INDICES};
use crate::document::view::{self, At, Component, Mode, Shape};

/// Takes all meshes; for each of the file its place in the scene, if anything of it is shown.
pub(super) fn import(from: &mut From<'_, '_>) -> Outcome<Vec<Option<Id<Mesh>>>> {
    let meshes = &from.view.meshes;
    let mut places = room::with_capacity(meshes.len())?;
    for mesh in meshes.iter() {
        let mut primitives = Vec::new();
        for (i, primitive) in mesh.primitives.iter().enumerate() {
            let reading = Reading { primitive: &primitive, at: mesh.primitives.at(i) };
            primitives.extend(reading.import(from)?);
        }
        let place = Id::new(from.scene.meshes.len());
        places.push((!primitives.is_empty()).then_some(place));
        if !primitives.is_empty() {
            let (name, extras) = (mesh.name.clone().into_owned(), kept::facts(mesh.extras, &[]));
            from.scene.meshes.push(Mesh { name, primitives, extras });
        }
    }
    Ok(places)
}

/// Four joints and four weights for each vertex.
type Set = (Vec<[u32; 4]>, Vec<[f32; 4]>);

/// A part of a mesh where it stands.
struct Reading<'v, 'a> {
    primitive: &'v view::Primitive<'a>,
    at: At<'v, 'a>,
}

impl Reading<'_, '_> {
    fn note(&self, from: &mut From<'_, '_>, code: &'static Code, said: impl Into<String>) {
        from.note(code, self.at.path(), self.at.value(), said);
    }

    /// Something is wrong with a part of it.
    fn wrong(
        &self,
        from: &From<'_, '_>,
        code: &'static Code,
        step: &'static str,
        said: String,
    ) -> Box<Diagnostic> {
        from.lists.wrong(code, self.at.path().field(step), self.at.value(), said)
    }

    /// The part, if it is of triangles.
    fn import(&self, from: &mut From<'_, '_>) -> Outcome<Option<Primitive>> {
        let Reading { primitive, at } = self;
        if primitive.extensions.draco.is_some() {
            return Err(from.lists.wrong(&DRACO, at.path(), at.value(), String::new()));
        }
        if primitive.targets.is_some_and(|targets| targets.elements().next().is_some()) {
            self.note(from, &LOST_MORPH, "");
        }
        if !matches!(primitive.mode, Mode::Triangles | Mode::TriangleStrip | Mode::TriangleFan) {
            self.note(from, &LOST_SHAPE, format!("{:?}", primitive.mode));
            return Ok(None);
        }
        let Some(positions) = self.list(from, "POSITION", &[Shape::Vec3])? else { return Ok(None) };
        let count = positions.count();
        let made = Primitive {
            material: self.material(from)?,
            positions: positions.floats(from.meter, Vec3::from_array)?,
            normals: self.vectors(from, "NORMAL", Shape::Vec3, count, |row| unit(Vec3::from_array(row)))?,
            tangents: self.vectors(from, "TANGENT", Shape::Vec4, count, tangent)?,
            uvs: self.uvs(from, count)?,
            colors: self.colors(from, count)?,
            influences: self.influences(from, count)?,
            indices: self.indices(from, count)?,
        };
        if made.indices.is_empty() {
            return Ok(None);
        }
        // Our own files lack normals only where their sources do.
        if made.normals.is_empty() && from.kept.is_none() {
            self.note(from, &FLAT, "");
            return Ok(Some(flat(from, &made)?));
        }
        Ok(Some(made))
    }

    /// The list of that name, of one of these shapes.
    fn list<'d>(&self, from: &From<'d, '_>, name: &str, shapes: &[Shape]) -> Outcome<Option<Items<'d>>> {
        self.primitive.attribute(name).map(|index| self.shaped(from, (name, index), shapes)).transpose()
    }

    /// A list by its name and number.
    fn shaped<'d>(
        &self,
        from: &From<'d, '_>,
        (name, index): (&str, usize),
        shapes: &[Shape],
    ) -> Outcome<Items<'d>> {
        let items = from.lists.get(index)?;
        if !shapes.contains(&items.shape()) {
            let said = format!("`{name}` of {}", items.shape().word());
            return Err(self.wrong(from, &ATTRIBUTE, "attributes", said));
        }
        Ok(items)
    }

    /// The same with one element for each vertex.
    fn per_vertex<'d>(
        &self,
        from: &From<'d, '_>,
        name: &str,
        shapes: &[Shape],
        count: usize,
    ) -> Outcome<Option<Items<'d>>> {
        let index = self.primitive.attribute(name);
        index.map(|index| self.counted(from, (name, index), shapes, count)).transpose()
    }

    /// A list by its name and number with one element for each vertex.
    fn counted<'d>(
        &self,
        from: &From<'d, '_>,
        (name, index): (&str, usize),
        shapes: &[Shape],
        count: usize,
    ) -> Outcome<Items<'d>> {
        let items = self.shaped(from, (name, index), shapes)?;
        let found = items.count();
        if found != count {
            let said = format!("`{name}`: {count} vertices wanted, {found} found");
            return Err(self.wrong(from, &ATTRIBUTE, "attributes", said));
        }
        Ok(items)
    }

    fn vectors<const N: usize, T>(
        &self,
        from: &From<'_, '_>,
        name: &str,
        shape: Shape,
        count: usize,
        make: impl Fn([f32; N]) -> T,
    ) -> Outcome<Vec<T>> {
        let items = self.per_vertex(from, name, &[shape], count)?;
        Ok(items.map_or(Ok(Vec::new()), |items| items.floats(from.meter, make))?)
    }

    fn uvs(&self, from: &mut From<'_, '_>, count: usize) -> Outcome<Vec<Vec<Vec2>>> {
        let mut sets = Vec::new();
        for set in 0..MOST_UV_SETS {
            let name = format!("TEXCOORD_{set}");
            if self.primitive.attribute(&name).is_none() {
                break;
            }
            sets.push(self.vectors(from, &name, Shape::Vec2, count, Vec2::from_array)?);
        }
        let more = format!("TEXCOORD_{MOST_UV_SETS}");
        if self.primitive.attribute(&more).is_some() || self.primitive.attribute("COLOR_1").is_some() {
            self.note(from, &LOST_COLORS, "");
        }
        Ok(sets)
    }

    fn colors(&self, from: &From<'_, '_>, count: usize) -> Outcome<Vec<Vec4>> {
        let items = self.per_vertex(from, "COLOR_0", &[Shape::Vec3, Shape::Vec4], count)?;
        let Some(items) = items else { return Ok(Vec::new()) };
        Ok(if items.shape() == Shape::Vec3 {
            items.floats(from.meter, |row| Vec3::from_array(row).extend(1.0))?
        } else {
            items.floats(from.meter, Vec4::from_array)?
        })
    }

    /// What pulls at each vertex: all sets of joints and weights, those that pull not at all left out.
    fn influences(&self, from: &From<'_, '_>, count: usize) -> Outcome<Influences> {
        let mut sets: Vec<Set> = Vec::new();
        let pairs = self.primitive.sets("JOINTS").into_iter().zip(self.primitive.sets("WEIGHTS"));
        for (set, (joints, weights)) in pairs.enumerate() {
            let list = |name: &str, index: usize| {
                self.counted(from, (&format!("{name}_{set}"), index), &[Shape::Vec4], count)
            };
            let (joints, weights) = (list("JOINTS", joints)?, list("WEIGHTS", weights)?);
            sets.push((joints.integers(from.meter, |row| row)?, weights.floats(from.meter, |row| row)?));
        }
        let mut influences = Influences::default();
        if sets.is_empty() {
            return Ok(influences);
        }
        let bytes = count.saturating_mul(sets.len()).saturating_mul(size_of::<[Pull; 4]>());
        from.meter.memory(bytes)?;
        room::probe(bytes)?;
        for vertex in 0..count {
            let rows =
                sets.iter().filter_map(|(joints, weights)| joints.get(vertex).zip(weights.get(vertex)));
            let pulls = rows.flat_map(|(joints, weights)| joints.iter().zip(weights));
            influences.push(pulls.filter(|(_, weight)| **weight != 0.0).map(|(joint, weight)| Pull {
                joint: usize::try_from(*joint).unwrap_or(usize::MAX),
                weight: *weight,
            }));
        }
        Ok(influences)
    }

    fn material(&self, from: &From<'_, '_>) -> Outcome<Option<Id<Material>>> {
        let count = from.scene.materials.len();
        match self.primitive.material {
            Some(material) if material >= count => {
                let said = format!("{material} of {count}");
                Err(self.wrong(from, &INDEX, "material", said))
            }
            material => Ok(material.map(Id::new)),
        }
    }

    /// Three for each triangle.
    fn indices(&self, from: &From<'_, '_>, count: usize) -> Outcome<Vec<u32>> {
        let joined = if let Some(index) = self.primitive.indices {
            let items = from.lists.get(index)?;
            let is_index = matches!(items.component(), Component::U8 | Component::U16 | Component::U32);
            if items.shape() != Shape::Scalar || !is_index {
                let said = format!("{} of {}", items.shape().word(), items.component().word());
                return Err(self.wrong(from, &ATTRIBUTE, "indices", said));
            }
            items.integers(from.meter, |[index]: [u32; 1]| index)?
        } else {
            from.meter.memory(count.saturating_mul(4))?;
            room::collected(0..u32::try_from(count).unwrap_or(u32::MAX))?
        };
        let most = joined.iter().fold(0, |most, index| most.max(*index));
        if !joined.is_empty() && usize::try_from(most).map_or(true, |most| most >= count) {
            let said = format!("vertex {most} of {count}");
            return Err(self.wrong(from, &INDICES, "indices", said));
        }
        from.meter.memory(joined.len().saturating_mul(12))?;
        Ok(triangles(joined, self.primitive.mode)?)
    }
}

/// Triangles, however their corners are joined; what makes no whole one is left out.
fn triangles(mut joined: Vec<u32>, mode: Mode) -> Result<Vec<u32>, Exhausted> {
    match mode {
        Mode::TriangleStrip => {
            let corners = joined.windows(3).enumerate().flat_map(|(i, corners)| match *corners {
                [a, b, c] if i.is_multiple_of(2) => [a, b, c],
                // Every second one is turned, so that all show the same side.
                [a, b, c] => [b, a, c],
                _ => [0; 3],
            });
            room::collected(corners)
        }
        Mode::TriangleFan => {
            let first = joined.first().copied().unwrap_or_default();
            let rest = joined.get(1..).unwrap_or_default();
            room::collected(rest.windows(2).flat_map(|pair| match *pair {
                [a, b] => [a, b, first],
                _ => [0; 3],
            }))
        }
        _ => {
            let whole = joined.len().saturating_sub(joined.len() % 3);
            joined.truncate(whole);
            Ok(joined)
        }
    }
}

/// The same with vertices of their own for each triangle, and its direction for theirs.
fn flat(from: &From<'_, '_>, of: &Primitive) -> Outcome<Primitive> {
    let count = of.indices.len();
    let vertex_len = size_of::<Vec3>()
        .saturating_mul(2)
        .saturating_add(of.uvs.len().saturating_mul(size_of::<Vec2>()))
        .saturating_add(size_of::<Vec4>().saturating_mul(2));
    from.meter.memory(count.saturating_mul(vertex_len))?;
    let positions = spread(&of.positions, &of.indices)?;
    let mut normals = room::with_capacity(count)?;
    for [a, b, c] in positions.as_chunks::<3>().0 {
        let normal = (*b - *a).cross(*c - *a).normalize_or(Vec3::Y);
        normals.extend([normal; 3]);
    }
    let mut uvs = Vec::new();
    for set in &of.uvs {
        uvs.push(spread(set, &of.indices)?);
    }
    let runs: Vec<&[Pull]> = of.influences.iter().collect();
    let pulls = of.indices.iter().filter_map(|index| runs.get(usize::try_from(*index).ok()?));
    Ok(Primitive {
        material: of.material,
        normals,
        // What they are relative to was not there.
        tangents: Vec::new(),
        colors: spread(&of.colors, &of.indices)?,
        influences: pulls.map(|run| run.iter().copied()).collect(),
        indices: room::collected(0..u32::try_from(count).unwrap_or(u32::MAX))?,
        positions,
        uvs,
    })
}

fn spread<T: Copy>(values: &[T], indices: &[u32]) -> Result<Vec<T>, Exhausted> {
    let mut made = room::with_capacity(if values.is_empty() { 0 } else { indices.len() })?;
    made.extend(indices.iter().filter_map(|index| values.get(usize::try_from(*index).ok()?)));
    Ok(made)
}

/// A direction of length 1: integers that stand for parts of 1 miss it by a little.
fn unit(direction: Vec3) -> Vec3 {
    if galvani_scene::check::is_unit(direction.to_array()) {
        return direction;
    }
    direction.normalize_or(Vec3::Y)
}

fn tangent(row: [f32; 4]) -> Vec4 {
    let tangent = Vec4::from_array(row);
    let direction = tangent.truncate();
    if galvani_scene::check::is_unit(direction.to_array()) {
        return tangent;
    }
    direction.normalize_or(Vec3::X).extend(if tangent.w < 0.0 { -1.0 } else { 1.0 })
}
