//! Vertices that follow the nodes (docs/notes/mdx-runtime.md#vertices).

use glam::{Affine3A, Mat3A, Vec3, Vec3A};
use zerocopy::little_endian::F32;

use super::rig::Rig;
use crate::model::{Batch, Geoset, StoredSkin, Weights};
use crate::{Content, Document};
use galvani_core::maths::single;

/// What says which nodes a vertex follows.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Influences {
    /// What the game skins with: the vertex's own in WoW 1500, SKIN where it is there, else the matrix groups.
    #[default]
    Game,
    /// BIDX and BWGT of WoW, which the game does not skin with: listed group by group, not vertex by vertex.
    /// What has none stays where it is.
    Listed,
}

/// A geoset made ready for skinning.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct GeosetSkin {
    positions: Vec<Vec3>,
    normals: Vec<Vec3>,
    /// The group of each vertex; nothing for one that no node moves.
    groups: Vec<Option<usize>>,
    /// Where the influences of each group end.
    ends: Vec<usize>,
    /// Nodes in file order and their weights, group after group; those of a group add up to 1.
    influences: Vec<(usize, f32)>,
}

/// The vertices of a geoset in the model's space: the caller's, filled again and again.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Skinned {
    /// Where they are.
    pub positions: Vec<Vec3>,
    /// Where they face, of length 1.
    pub normals: Vec<Vec3>,
    matrices: Vec<Affine3A>,
}

impl GeosetSkin {
    /// The geosets of a model in order, each made ready.
    pub fn all(document: &Document, rig: &Rig, influences: Influences) -> Vec<GeosetSkin> {
        let mut skins = Vec::new();
        for chunk in &document.chunks {
            match &chunk.content {
                Content::Geosets(rows) => {
                    // A record that could not be read keeps its number.
                    let made = rows.items.iter().map(|item| {
                        item.typed().map_or_else(GeosetSkin::default, |geoset| {
                            GeosetSkin::from_geoset(geoset, rig, influences)
                        })
                    });
                    skins.extend(made);
                }
                Content::Batches(rows) => {
                    skins.extend(rows.iter().map(|batch| GeosetSkin::of_batch(batch, rig, influences)));
                }
                _ => {}
            }
        }
        skins
    }

    /// A geoset of Warcraft III, or of WoW up to 1400.
    pub fn from_geoset(geoset: &Geoset, rig: &Rig, influences: Influences) -> Self {
        let point = |row: &crate::wire::Vec3| Vec3::new(row.x.get(), row.y.get(), row.z.get());
        let mut skin = GeosetSkin {
            positions: geoset.vertices.iter().map(point).collect(),
            normals: geoset.normals.iter().map(point).collect(),
            ..GeosetSkin::default()
        };
        match (&geoset.skin, &geoset.weights, influences) {
            (_, Some(weights), Influences::Listed) => skin.listed(geoset, weights, rig),
            (_, None, Influences::Listed) => skin.groups = vec![None; skin.positions.len()],
            (Some(weights), _, _) => skin.weighted(weights, rig),
            (None, _, _) => skin.grouped(geoset, rig),
        }
        skin
    }

    /// A geoset of WoW 1500.
    pub fn of_batch(batch: &Batch, rig: &Rig, influences: Influences) -> Self {
        let vertices = &batch.vertices;
        let mut skin = GeosetSkin {
            positions: vertices.iter().map(|vertex| Vec3::from(vertex.position.map(F32::get))).collect(),
            normals: vertices.iter().map(|vertex| Vec3::from(vertex.normal.map(F32::get))).collect(),
            ..GeosetSkin::default()
        };
        if influences == Influences::Listed {
            skin.groups = vec![None; vertices.len()];
            return skin;
        }
        for vertex in vertices {
            let group = skin.group(rig, pairs(vertex.bones, vertex.weights));
            skin.groups.push(group);
        }
        skin
    }

    /// How many vertices there are.
    pub fn len(&self) -> usize {
        self.positions.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.positions.is_empty()
    }

    /// Nodes in file order that a vertex follows, and how much; none where no node moves it.
    pub(crate) fn pulls(&self, vertex: usize) -> &[(usize, f32)] {
        let Some(group) = self.groups.get(vertex).copied().flatten() else { return &[] };
        let start = group.checked_sub(1).and_then(|before| self.ends.get(before)).copied().unwrap_or(0);
        let end = self.ends.get(group).copied().unwrap_or(start);
        self.influences.get(start..end).unwrap_or_default()
    }

    /// The vertices as the matrices of a pose move them, normals of length 1 with them. Allocates only if `out`
    /// has never held as many.
    pub fn apply(&self, model: &[Affine3A], out: &mut Skinned) {
        out.matrices.clear();
        let starts = std::iter::once(&0).chain(&self.ends);
        out.matrices.extend(starts.zip(&self.ends).map(|(start, end)| {
            let influences = self.influences.get(*start..*end).unwrap_or_default();
            blended(influences, model)
        }));
        let matrix = |group: &Option<usize>| group.and_then(|group| out.matrices.get(group));
        out.positions.clear();
        out.positions.extend(self.positions.iter().zip(&self.groups).map(|(position, group)| {
            matrix(group).map_or(*position, |matrix| matrix.transform_point3(*position))
        }));
        out.normals.clear();
        out.normals.extend(self.normals.iter().zip(&self.groups).map(|(normal, group)| {
            matrix(group).map_or(*normal, |matrix| matrix.transform_vector3(*normal).normalize_or_zero())
        }));
    }

    /// By matrix groups: every node of a group counts as much as the others.
    fn grouped(&mut self, geoset: &Geoset, rig: &Rig) {
        let mut start = 0_usize;
        let mut made = Vec::with_capacity(geoset.group_sizes.len());
        for size in &geoset.group_sizes {
            let end = start.saturating_add(usize::try_from(size.get()).unwrap_or(usize::MAX));
            let end = end.min(geoset.matrices.len());
            let nodes = geoset.matrices.get(start..end).unwrap_or_default();
            made.push(self.group(rig, nodes.iter().map(|node| (node.get(), 1.0))));
            start = end;
        }
        let group_of = |group: &u8| made.get(usize::from(*group)).copied().flatten();
        self.groups = geoset.vertex_groups.iter().map(group_of).collect();
        self.groups.resize(self.positions.len(), None);
    }

    /// By SKIN: four nodes and four weights a vertex.
    fn weighted(&mut self, skin: &StoredSkin, rig: &Rig) {
        let numbers = skin.values();
        let (rows, _) = numbers.as_chunks::<8>();
        for &[a, b, c, d, wa, wb, wc, wd] in rows.iter().take(self.positions.len()) {
            let group = self.group(rig, pairs([a, b, c, d], [wa, wb, wc, wd]));
            self.groups.push(group);
        }
        self.groups.resize(self.positions.len(), None);
    }

    /// By BIDX and BWGT: the first influence has the last weight, and entries follow the groups
    /// (docs/formats/mdx-records.md#geos).
    fn listed(&mut self, geoset: &Geoset, weights: &Weights, rig: &Rig) {
        let mut vertices: Vec<usize> = (0..self.positions.len().min(geoset.vertex_groups.len())).collect();
        vertices.sort_by_key(|vertex| geoset.vertex_groups.get(*vertex));
        self.groups = vec![None; self.positions.len()];
        for (vertex, (bones, weights)) in vertices.into_iter().zip(weights.bones.iter().zip(&weights.weights))
        {
            let [d, c, b, a] = weights.bytes;
            let group = self.group(rig, pairs(bones.bytes, [a, b, c, d]));
            if let Some(room) = self.groups.get_mut(vertex) {
                *room = group;
            }
        }
    }

    /// A new group of the nodes that are there; nothing if none of them counts.
    fn group(&mut self, rig: &Rig, nodes: impl Iterator<Item = (u32, f32)>) -> Option<usize> {
        let before = self.influences.len();
        let found = nodes.filter_map(|(id, weight)| Some((rig.find(i32::try_from(id).ok()?)?, weight)));
        self.influences.extend(found.filter(|(_, weight)| *weight > 0.0));
        let added = self.influences.get_mut(before..)?;
        let sum: f32 = added.iter().map(|(_, weight)| weight).sum();
        for (_, weight) in added.iter_mut() {
            *weight /= sum;
        }
        if added.is_empty() {
            return None;
        }
        self.ends.push(self.influences.len());
        self.ends.len().checked_sub(1)
    }
}

/// Nodes and their weights, side by side.
fn pairs<T: Into<u32>>(nodes: [T; 4], weights: [T; 4]) -> impl Iterator<Item = (u32, f32)> {
    let weight = |weight: T| single(f64::from(weight.into()));
    nodes.into_iter().map(Into::into).zip(weights.into_iter().map(weight))
}

/// The mean of what nodes do.
fn blended(influences: &[(usize, f32)], model: &[Affine3A]) -> Affine3A {
    let mut mean = Affine3A { matrix3: Mat3A::ZERO, translation: Vec3A::ZERO };
    for (node, weight) in influences {
        if let Some(matrix) = model.get(*node) {
            mean.matrix3 += matrix.matrix3 * *weight;
            mean.translation += matrix.translation * *weight;
        }
    }
    mean
}
