//! Tangents where a material has a picture of directions and the mesh does not say how it lies: those that glTF has
//! readers make (`MikkTSpace`), so that all of them show the same.

use std::collections::BTreeMap;

use bevy_mikktspace::{Geometry, TangentSpace, generate_tangents};
use galvani_core::{Exhausted, room};
use galvani_scene::check::is_unit;
use galvani_scene::{Influences, Material, Primitive, Pull, Scene, Texture};
use glam::{Vec2, Vec3, Vec4};

/// The most triangles around one vertex: what is made of them takes the square of their number. No model of a game comes
/// near it.
const MOST_AROUND: usize = 256;

/// Whether some surface lacks tangents.
pub(crate) fn are_lacking(scene: &Scene) -> bool {
    let mut primitives = scene.meshes.iter().flat_map(|mesh| &mesh.primitives);
    primitives.any(|primitive| directions(primitive, &scene.materials).is_some())
}

/// Makes the tangents that are lacking. `moves` says whether texture coordinates are moved as the material wants them.
pub(crate) fn make(scene: &mut Scene, moves: bool) -> Result<(), Exhausted> {
    for primitive in scene.meshes.iter_mut().flat_map(|mesh| &mut mesh.primitives) {
        let Some(texture) = directions(primitive, &scene.materials) else { continue };
        // They are made of many lists, here and elsewhere.
        room::probe(primitive.indices.len().saturating_mul(CORNER))?;
        let corners = corners(primitive, texture, moves);
        give(primitive, &corners);
    }
    Ok(())
}

/// Bytes that a corner takes until its vertex has a tangent.
const CORNER: usize = 256;

/// The picture of directions that a primitive has no tangents for.
fn directions<'m>(primitive: &Primitive, materials: &'m [Material]) -> Option<&'m Texture> {
    let lacks = primitive.tangents.is_empty() && !primitive.normals.is_empty();
    primitive.material.filter(|_| lacks)?.find_in(materials)?.normal.as_ref()
}

/// The tangent of each corner of each triangle; nothing where its triangle has no extent.
fn corners(primitive: &Primitive, texture: &Texture, moves: bool) -> Vec<Option<Vec4>> {
    let uvs = primitive.uvs.get(texture.uv_set).map_or(&[][..], Vec::as_slice);
    let corner = |index: &u32| {
        let vertex = usize::try_from(*index).ok();
        let uv = vertex.and_then(|vertex| uvs.get(vertex)).copied().unwrap_or_default();
        let uv = if moves { texture.transform.apply(uv) } else { uv };
        let of = |list: &[Vec3]| vertex.and_then(|vertex| list.get(vertex)).copied().unwrap_or_default();
        Corner { position: of(&primitive.positions), normal: of(&primitive.normals), uv }
    };
    let all: Vec<Corner> = primitive.indices.iter().map(corner).collect();
    let (all, _) = all.as_chunks::<3>();
    let sound = all.iter().enumerate().filter(|(_, triangle)| has_extent(triangle));
    let (places, triangles): (Vec<usize>, Vec<[Corner; 3]>) = sound.unzip();
    let mut made = vec![[None; 3]; all.len()];
    if most_around(triangles.as_flattened()) <= MOST_AROUND {
        let mut job = Job { made: vec![[None; 3]; triangles.len()], triangles };
        let Ok(()) = generate_tangents(&mut job) else { return made.into_flattened() };
        for (place, tangents) in places.into_iter().zip(job.made) {
            if let Some(made) = made.get_mut(place) {
                *made = tangents;
            }
        }
    }
    made.into_flattened()
}

/// What tangents are made from.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Corner {
    position: Vec3,
    normal: Vec3,
    uv: Vec2,
}

/// Whether no two corners lie at one place: the others take long.
fn has_extent([a, b, c]: &[Corner; 3]) -> bool {
    a.position != b.position && b.position != c.position && c.position != a.position
}

/// How many corners are the same, at most.
fn most_around(corners: &[Corner]) -> usize {
    let key = |corner: &Corner| {
        let Corner { position, normal, uv } = corner;
        (
            position.to_array().map(f32::to_bits),
            normal.to_array().map(f32::to_bits),
            uv.to_array().map(f32::to_bits),
        )
    };
    let mut keys: Vec<_> = corners.iter().map(key).collect();
    keys.sort_unstable();
    keys.chunk_by(|a, b| a == b).map(<[_]>::len).max().unwrap_or_default()
}

/// Triangles, and the tangents of their corners.
struct Job {
    triangles: Vec<[Corner; 3]>,
    made: Vec<[Option<Vec4>; 3]>,
}

impl Job {
    fn corner(&self, face: usize, corner: usize) -> Option<&Corner> {
        self.triangles.get(face)?.get(corner)
    }
}

impl Geometry for Job {
    fn num_faces(&self) -> usize {
        self.triangles.len()
    }

    fn num_vertices_of_face(&self, _: usize) -> usize {
        3
    }

    fn position(&self, face: usize, corner: usize) -> [f32; 3] {
        self.corner(face, corner).map(|corner| corner.position.to_array()).unwrap_or_default()
    }

    fn normal(&self, face: usize, corner: usize) -> [f32; 3] {
        self.corner(face, corner).map(|corner| corner.normal.to_array()).unwrap_or_default()
    }

    fn tex_coord(&self, face: usize, corner: usize) -> [f32; 2] {
        // Here v goes up, in glTF down.
        self.corner(face, corner).map(|corner| [corner.uv.x, -corner.uv.y]).unwrap_or_default()
    }

    fn set_tangent(&mut self, tangent: Option<TangentSpace>, face: usize, corner: usize) {
        let sound = tangent.filter(|tangent| is_unit(tangent.tangent()));
        if let Some(place) = self.made.get_mut(face).and_then(|face| face.get_mut(corner)) {
            *place = sound.map(|tangent| Vec4::from_array(tangent.tangent_encoded()));
        }
    }
}

/// Gives vertices the tangents of their corners. A vertex whose corners disagree becomes several.
fn give(primitive: &mut Primitive, corners: &[Option<Vec4>]) {
    let count = primitive.positions.len();
    let mut tangents: Vec<Option<Vec4>> = vec![None; count];
    // Of which vertex each vertex behind the first ones is a copy, and where copies are.
    let mut copied = Vec::new();
    let mut copies = BTreeMap::new();
    for (index, tangent) in primitive.indices.iter_mut().zip(corners) {
        let Some((vertex, tangent)) = usize::try_from(*index).ok().zip(*tangent) else { continue };
        let Some(own) = tangents.get_mut(vertex) else { continue };
        if *own.get_or_insert(tangent) == tangent {
            continue;
        }
        let new = *copies.entry((vertex, tangent.to_array().map(f32::to_bits))).or_insert_with(|| {
            copied.push(vertex);
            tangents.push(Some(tangent));
            tangents.len().saturating_sub(1)
        });
        *index = u32::try_from(new).unwrap_or(*index);
    }
    copy_vertices(primitive, &copied);
    let any = |normal: &Vec3| normal.any_orthogonal_vector().normalize_or(Vec3::X).extend(1.0);
    let both = tangents.into_iter().zip(&primitive.normals);
    primitive.tangents = both.map(|(tangent, normal)| tangent.unwrap_or_else(|| any(normal))).collect();
}

/// Appends copies of vertices.
fn copy_vertices(primitive: &mut Primitive, copied: &[usize]) {
    fn append<V: Copy>(list: &mut Vec<V>, copied: &[usize]) {
        let new: Vec<V> = copied.iter().filter_map(|vertex| list.get(*vertex).copied()).collect();
        list.extend(new);
    }
    append(&mut primitive.positions, copied);
    append(&mut primitive.normals, copied);
    append(&mut primitive.colors, copied);
    primitive.uvs.iter_mut().for_each(|uvs| append(uvs, copied));
    let pulls: Vec<Vec<Pull>> = primitive.influences.iter().map(<[Pull]>::to_vec).collect();
    let new = copied.iter().filter_map(|vertex| pulls.get(*vertex));
    primitive.influences = pulls.iter().chain(new).cloned().collect::<Influences>();
}
