//! Geosets: triangles of one material in the model's space, in parts that the games can count.

use std::collections::BTreeMap;

use galvani_core::{LowerError, Path};
use galvani_scene::Primitive;
use glam::{Vec2, Vec3};
use zerocopy::little_endian::{F32, U16, U32};

use super::node::Rig;
use super::reach::Reach;
use super::skin::{self, Pulls, Resting, Weighted};
use super::{Lower, PARTED, TOO_MANY_NODES, look};
use crate::Content;
use crate::lift::axes_back;
use crate::model::{Batch, Geoset, PrimitiveTypes, StoredSkin, Texcoords, Weights};
use crate::wire::geoset;

/// A triangle, as PTYP has it.
const TRIANGLES: u8 = 4;

/// The same in batches of WoW 1500.
const BATCH_TRIANGLES: u32 = 3;

/// The most vertices of a geoset, and the most groups of nodes.
const MOST_VERTICES: usize = 65_535;
const MOST_GROUPS: usize = 256;

/// The most corners of a batch of WoW 1500.
const MOST_CORNERS: usize = 65_535;

/// Indices of WoW 1500 are filled up to a multiple of this.
const INDEX_GROUP: usize = 8;

/// What a part may be.
#[derive(Debug, Clone, Copy)]
struct Limits {
    /// Whether weights say which nodes pull, so that groups need not.
    holds_weights: bool,
    corners: usize,
}

/// A geoset, in the games' axes.
#[derive(Debug, Default)]
pub(super) struct Surface {
    pub(super) name: String,
    pub(super) material: Option<usize>,
    /// The node of the scene that shows it.
    pub(super) node: usize,
    pub(super) positions: Vec<Vec3>,
    pub(super) pulls: Vec<Pulls>,
    normals: Vec<Vec3>,
    uvs: Vec<Vec<Vec2>>,
    indices: Vec<u16>,
    /// The group of each vertex, and the nodes of each group.
    groups: Vec<u8>,
    nodes: Vec<Vec<i32>>,
}

impl Lower<'_> {
    /// Whether vertices follow nodes by different amounts.
    pub(super) fn holds_weights(&self) -> bool {
        self.since(900) || self.is_batched()
    }

    fn limits(&self) -> Limits {
        let corners = if self.is_batched() { MOST_CORNERS } else { usize::MAX };
        Limits { holds_weights: self.holds_weights(), corners }
    }

    fn is_batched(&self) -> bool {
        self.is_wow() && self.options.version >= 1500
    }
}

/// Every surface of the scene.
pub(super) fn all(lower: &mut Lower<'_>, rig: &Rig) -> Result<Vec<Surface>, LowerError> {
    let scene = lower.scene;
    let mut made = Vec::new();
    for (i, node) in scene.nodes.iter().enumerate() {
        let Some(mesh) = node.mesh.and_then(|mesh| mesh.find_in(&scene.meshes)) else { continue };
        let skin = node.skin.and_then(|skin| skin.find_in(&scene.skins));
        for (at, primitive) in mesh.primitives.iter().enumerate() {
            let normals = normals(primitive);
            let rest = rig.rests.get(i).copied().unwrap_or_default();
            let mut resting = match skin {
                Some(skin) => skin::bent(lower, primitive, &normals, skin, rig),
                None => skin::hung(primitive, &normals, rest, rig.numbers.get(i).copied().flatten()),
            };
            skin::reduced(lower, &mut resting.pulls);
            let most = resting.pulls.iter().flatten().map(|(number, _)| *number).max().unwrap_or(0);
            if lower.holds_weights() && most > u8::MAX.into() {
                let said = format!("node {most}, {} at most", u8::MAX);
                return Err(TOO_MANY_NODES.at(Path::named("nodes")).saying(said).into());
            }
            let name = if mesh.name.is_empty() { node.name.clone() } else { mesh.name.clone() };
            let limits = lower.limits();
            let parts = parts(primitive, &resting, limits);
            if parts.len() > 1 {
                let path = Path::named("nodes").index(i).field("primitives").index(at);
                lower.report.push(PARTED.at(path).saying(format!("`{name}`: {}", parts.len())));
            }
            for part in parts {
                let material = primitive.material.map(galvani_scene::Id::index);
                made.push(Surface { name: name.clone(), material, node: i, ..part });
            }
        }
    }
    Ok(made)
}

/// The normals of a primitive; if it has none, those of the faces around each vertex.
fn normals(primitive: &Primitive) -> Vec<Vec3> {
    if primitive.normals.len() == primitive.positions.len() {
        return primitive.normals.clone();
    }
    let mut sums = vec![Vec3::ZERO; primitive.positions.len()];
    let place = |corner: u32| usize::try_from(corner).unwrap_or(usize::MAX);
    for triangle in primitive.indices.as_chunks::<3>().0 {
        let [a, b, c] = triangle.map(|it| primitive.positions.get(place(it)).copied().unwrap_or_default());
        let face = (b - a).cross(c - a);
        for corner in triangle {
            sums.get_mut(place(*corner)).into_iter().for_each(|sum| *sum += face);
        }
    }
    sums.into_iter().map(|sum| sum.normalize_or(Vec3::Y)).collect()
}

/// The triangles of a primitive in parts that can be counted. Where nodes pull alike, their groups are counted too.
fn parts(primitive: &Primitive, resting: &Resting, limits: Limits) -> Vec<Surface> {
    let mut parts: Vec<Surface> = Vec::new();
    let mut part = GeosetPart::default();
    for triangle in primitive.indices.as_chunks::<3>().0 {
        let mut corners = triangle.map(|corner| usize::try_from(corner).unwrap_or(usize::MAX));
        if resting.is_mirrored {
            corners.swap(1, 2);
        }
        if !part.has_room(&corners, resting, limits) {
            parts.push(std::mem::take(&mut part).made);
        }
        for corner in corners {
            part.add(corner, primitive, resting, limits);
        }
    }
    if !part.made.indices.is_empty() {
        parts.push(part.made);
    }
    parts
}

/// A part in the making.
#[derive(Debug, Default)]
struct GeosetPart {
    made: Surface,
    /// Its vertices by those of the primitive.
    vertices: BTreeMap<usize, u16>,
    groups: BTreeMap<Vec<i32>, u8>,
}

/// The nodes of a vertex as a group; one for all where weights say it.
fn group(pulls: &[(i32, f32)], limits: Limits) -> Vec<i32> {
    let mut nodes: Vec<i32> = pulls.iter().map(|(number, _)| *number).collect();
    nodes.sort_unstable();
    nodes.truncate(if limits.holds_weights { 1 } else { usize::MAX });
    nodes
}

impl GeosetPart {
    fn has_room(&self, corners: &[usize; 3], resting: &Resting, limits: Limits) -> bool {
        let is_new = |corner: &&usize| !self.vertices.contains_key(*corner);
        let fresh = corners.iter().filter(is_new);
        let pulls = |corner: &usize| resting.pulls.get(*corner).map_or(&[][..], Vec::as_slice);
        let groups = fresh.clone().map(|corner| group(pulls(corner), limits));
        let groups = groups.filter(|group| !self.groups.contains_key(group)).count();
        self.vertices.len().saturating_add(fresh.count()) <= MOST_VERTICES
            && self.groups.len().saturating_add(groups) <= MOST_GROUPS
            && self.made.indices.len().saturating_add(3) <= limits.corners
    }

    fn add(&mut self, corner: usize, primitive: &Primitive, resting: &Resting, limits: Limits) {
        let next = u16::try_from(self.vertices.len()).unwrap_or(u16::MAX);
        let number = *self.vertices.entry(corner).or_insert(next);
        self.made.indices.push(number);
        if number != next {
            return;
        }
        let made = &mut self.made;
        let pulls = resting.pulls.get(corner).cloned().unwrap_or_default();
        let nodes = group(&pulls, limits);
        let free = u8::try_from(self.groups.len()).unwrap_or(u8::MAX);
        let own = *self.groups.entry(nodes.clone()).or_insert_with(|| {
            made.nodes.push(nodes);
            free
        });
        made.groups.push(own);
        made.pulls.push(pulls);
        made.positions.push(axes_back(resting.positions.get(corner).copied().unwrap_or_default()));
        made.normals.push(axes_back(resting.normals.get(corner).copied().unwrap_or(Vec3::Y)));
        made.uvs.resize_with(primitive.uvs.len().max(1), Vec::new);
        for (i, set) in made.uvs.iter_mut().enumerate() {
            let stored = primitive.uvs.get(i).and_then(|set| set.get(corner));
            set.push(stored.copied().unwrap_or_default());
        }
    }
}

/// The chunk of all geosets.
pub(super) fn chunk(lower: &Lower<'_>, surfaces: &[Surface], reach: &Reach) -> Content {
    if lower.is_batched() {
        let batches = (0..).zip(surfaces).map(|(i, surface)| batch(lower, i, surface)).collect();
        return Content::Batches(batches);
    }
    let made = surfaces.iter().enumerate().map(|(i, surface)| Box::new(record(lower, i, surface, reach)));
    Content::Geosets(lower.records(made.collect()))
}

fn record(lower: &Lower<'_>, index: usize, surface: &Surface, reach: &Reach) -> Geoset {
    let (is_wow, count) = (lower.is_wow(), |len: usize| U32::new(u32::try_from(len).unwrap_or(u32::MAX)));
    let sets: Vec<Vec<geoset::Vec2>> = uvs(lower, surface);
    let matrices = surface.nodes.iter().flatten().map(|node| U32::new(node.cast_unsigned()));
    let (bounds, extents) = reach.of_surface(index);
    Geoset {
        vertices: surface.positions.iter().copied().map(look::vector).collect(),
        normals: surface.normals.iter().copied().map(look::vector).collect(),
        primitive_types: lower.either(
            PrimitiveTypes::Words(vec![U32::new(TRIANGLES.into())]),
            PrimitiveTypes::Bytes(vec![TRIANGLES]),
        ),
        primitive_counts: vec![count(surface.indices.len())],
        indices: surface.indices.iter().copied().map(U16::new).collect(),
        vertex_groups: surface.groups.clone(),
        group_sizes: surface.nodes.iter().map(|nodes| count(nodes.len())).collect(),
        matrices: matrices.collect(),
        traits: geoset::Traits {
            material_id: count(look::material(lower, surface)),
            selection_group: U32::new(0),
            flags: U32::new(0),
        },
        detail: lower.since(900).then(|| geoset::Detail {
            lod: zerocopy::little_endian::I32::new(0),
            lod_name: look::cut_text(&surface.name),
        }),
        bounds,
        extents,
        tangents: None,
        skin: lower
            .since(900)
            .then(|| StoredSkin::Bytes(weights(surface).flat_map(|(b, w)| b.into_iter().chain(w)).collect())),
        texcoords: if is_wow {
            Texcoords::Flat { sets: u32::try_from(sets.len()).unwrap_or(0), places: sets.concat() }
        } else {
            Texcoords::Sets(sets)
        },
        weights: is_wow.then(|| listed(surface)),
    }
}

fn weights(surface: &Surface) -> impl Iterator<Item = Weighted> {
    surface.pulls.iter().map(|pulls| skin::bytes(pulls))
}

/// Bones and weights group by group, the first weight last, as WoW lists them beside the groups.
fn listed(surface: &Surface) -> Weights {
    let mut vertices: Vec<(u8, Weighted)> = surface.groups.iter().copied().zip(weights(surface)).collect();
    vertices.sort_by_key(|(group, _)| *group);
    let bones = vertices.iter().map(|(_, (bones, _))| geoset::Influences { bytes: *bones });
    let weights = vertices.iter().map(|(_, (_, weights))| {
        let [a, b, c, d] = *weights;
        geoset::Influences { bytes: [d, c, b, a] }
    });
    Weights { bones: bones.collect(), weights: weights.collect() }
}

/// Places on the picture, moved as the material moves them at rest.
fn uvs(lower: &Lower<'_>, surface: &Surface) -> Vec<Vec<geoset::Vec2>> {
    let material = surface.material.and_then(|material| lower.scene.materials.get(material));
    let texture = material.and_then(|material| material.texture.as_ref());
    let placed = |set: usize, uv: Vec2| match texture.filter(|texture| texture.uv_set == set) {
        Some(texture) => texture.transform.apply(uv),
        None => uv,
    };
    let wired = |uv: Vec2| geoset::Vec2 { u: F32::new(uv.x), v: F32::new(uv.y) };
    let set = |(i, set): (usize, &Vec<Vec2>)| set.iter().map(|uv| wired(placed(i, *uv))).collect();
    surface.uvs.iter().enumerate().map(set).collect()
}

fn batch(lower: &Lower<'_>, index: u32, surface: &Surface) -> Batch {
    let count = |len: usize| u32::try_from(len).unwrap_or(u32::MAX);
    let bounds = super::reach::bounds(surface.positions.iter().copied());
    let [low, high] = [bounds.min, bounds.max].map(|corner| Vec3::from_array(corner.map(F32::get)));
    let centre = (low + high) * 0.5;
    let sets = uvs(lower, surface);
    let uv = |set: usize, vertex: usize| {
        let found = sets.get(set).and_then(|set| set.get(vertex));
        found.map_or([F32::new(0.0); 2], |uv| [uv.u, uv.v])
    };
    let floats = |place: Vec3| place.to_array().map(F32::new);
    let rows = surface.positions.iter().zip(&surface.normals).zip(weights(surface)).enumerate();
    let vertices = rows.map(|(i, ((position, normal), (bones, weights)))| geoset::BatchVertex {
        position: floats(*position),
        weights,
        bones,
        normal: floats(*normal),
        uv0: uv(0, i),
        uv1: uv(1, i),
    });
    let most = surface.positions.len().saturating_sub(1);
    let filled = surface.indices.len().next_multiple_of(INDEX_GROUP).saturating_sub(surface.indices.len());
    Batch {
        head: geoset::BatchHead {
            material_id: U32::new(count(look::material(lower, surface))),
            centre: floats(centre),
            radius: F32::new(low.distance(high) * 0.5),
            selection_group: U32::new(0),
            geoset_index: U32::new(index),
            flags: U32::new(0),
            vertex_tag: tag(*b"PVTX"),
            vertex_count: U32::new(count(surface.positions.len())),
            type_tag: tag(*b"PTYP"),
            type_count: U32::new(1),
            index_tag: tag(*b"PVTX"),
            index_count: U32::new(count(surface.indices.len())),
            zero_38: [U32::new(0); 2],
        },
        vertices: vertices.collect(),
        faces: geoset::BatchFaces {
            primitive_type: U32::new(BATCH_TRIANGLES),
            zero_04: U32::new(0),
            index_count: U16::new(u16::try_from(surface.indices.len()).unwrap_or(u16::MAX)),
            min_vertex: U16::new(0),
            max_vertex: U16::new(u16::try_from(most).unwrap_or(u16::MAX)),
            zero_0e: U16::new(0),
        },
        indices: surface.indices.iter().copied().map(U16::new).collect(),
        padding: vec![0; filled.saturating_mul(size_of::<geoset::Index>())],
    }
}

fn tag(letters: [u8; 4]) -> galvani_core::record::Tag {
    galvani_core::record::Tag(U32::from_bytes(letters))
}
