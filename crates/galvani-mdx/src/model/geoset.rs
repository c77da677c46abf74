//! GEOS in its three layouts, and the collision mesh of WoW
//! (docs/formats/mdx-records.md#geos, #collision-mesh).

use galvani_core::budget::is_exhaustion;
use galvani_core::record::FieldKind;
use galvani_core::room;
use zerocopy::little_endian::{U16, U32};

use super::Write;
use crate::Family;
use crate::check;
use crate::chunk::{Layout, OwnLayout};
use crate::cursor::{Cursor, Outcome, ReadPart};
use crate::out::Out;
use crate::visit::{Texts, Visit, texts_of};
use crate::wire::geoset as wire;
use crate::wire::{Bounds, Count, Number, Vec3};

/// Indices of WoW 1500 are filled up to a multiple of this.
const INDEX_GROUP: usize = 8;

/// A geoset of Warcraft III, or of WoW up to 1400.
#[derive(Debug, Clone, PartialEq)]
pub struct Geoset {
    /// VRTX: where the vertices are.
    pub vertices: Vec<Vec3>,
    /// NRMS: where they face.
    pub normals: Vec<Vec3>,
    /// PTYP: kinds of faces, 4 for triangles.
    pub primitive_types: PrimitiveTypes,
    /// PCNT: corners of each kind.
    pub primitive_counts: Vec<U32>,
    /// PVTX: vertices at the corners of the faces.
    pub indices: Vec<U16>,
    /// GNDX: the matrix group of each vertex.
    pub vertex_groups: Vec<u8>,
    /// MTGC: how many matrices each group has.
    pub group_sizes: Vec<U32>,
    /// MATS: nodes, group after group.
    pub matrices: Vec<U32>,
    /// Material and selection.
    pub traits: wire::Traits,
    /// Level of detail, versions 900 and above.
    pub detail: Option<wire::Detail>,
    /// How far it reaches.
    pub bounds: Bounds,
    /// How far it reaches in each sequence.
    pub extents: Vec<Bounds>,
    /// TANG: versions 900 and above, not always there.
    pub tangents: Option<Vec<wire::Vec4>>,
    /// SKIN: versions 900 and above, not always there.
    pub skin: Option<StoredSkin>,
    /// UVAS: places on the textures.
    pub texcoords: Texcoords,
    /// BIDX and BWGT of WoW: not in the order of the vertices, and not what the game skins with.
    pub weights: Option<Weights>,
}

/// PTYP by family.
#[derive(Debug, Clone, PartialEq)]
pub enum PrimitiveTypes {
    /// In Warcraft III.
    Words(Vec<U32>),
    /// In WoW.
    Bytes(Vec<u8>),
}

impl PrimitiveTypes {
    /// The types in order.
    pub fn values(&self) -> Vec<u32> {
        match self {
            PrimitiveTypes::Words(words) => words.iter().map(|word| word.get()).collect(),
            PrimitiveTypes::Bytes(bytes) => bytes.iter().map(|byte| u32::from(*byte)).collect(),
        }
    }
}

/// Four bones and four weights per vertex.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StoredSkin {
    /// A byte each.
    Bytes(Vec<u8>),
    /// Two bytes each, versions 1400 and above.
    Words(Vec<U16>),
}

impl StoredSkin {
    /// Its numbers in order.
    pub fn values(&self) -> Vec<u32> {
        match self {
            StoredSkin::Bytes(bytes) => bytes.iter().map(|byte| u32::from(*byte)).collect(),
            StoredSkin::Words(words) => words.iter().map(|word| u32::from(word.get())).collect(),
        }
    }
}

/// UVAS by family.
#[derive(Debug, Clone, PartialEq)]
pub enum Texcoords {
    /// Sets with counts of their own, in Warcraft III.
    Sets(Vec<Vec<wire::Vec2>>),
    /// Sets of one place per vertex, one after the other, in WoW.
    Flat {
        /// How many sets.
        sets: u32,
        /// The places of all.
        places: Vec<wire::Vec2>,
    },
}

impl Texcoords {
    /// The places of one set.
    pub fn set(&self, index: usize, vertex_count: usize) -> Option<&[wire::Vec2]> {
        match self {
            Texcoords::Sets(sets) => sets.get(index).map(Vec::as_slice),
            Texcoords::Flat { places, .. } => {
                let start = index.checked_mul(vertex_count)?;
                places.get(start..start.checked_add(vertex_count)?)
            }
        }
    }
}

/// Bones and weights as WoW stores them beside the groups.
#[derive(Debug, Clone, PartialEq)]
pub struct Weights {
    /// BIDX: four bones.
    pub bones: Vec<wire::Influences>,
    /// BWGT: four weights, the first influence last.
    pub weights: Vec<wire::Influences>,
}

impl ReadPart for Geoset {
    const LEAST: usize = 120;

    fn read(c: &mut Cursor<'_, '_>) -> Outcome<Self> {
        match c.context.family {
            Family::Warcraft if c.context.since(1400) => {
                let start = c.mark();
                c.context.wide_skin = true;
                let wide = warcraft(c).and_then(|geoset| c.end().map(|()| geoset));
                c.context.wide_skin = false;
                match wide {
                    Err(error) if !is_exhaustion(&error) => {
                        c.back(&start);
                        warcraft(c)
                    }
                    wide => wide,
                }
            }
            Family::Warcraft => warcraft(c),
            Family::Wow => wow(c),
        }
    }
}

fn warcraft(c: &mut Cursor<'_, '_>) -> Outcome<Geoset> {
    let (vertices, normals) = (c.list("VRTX")?, c.list("NRMS")?);
    let types = c.values::<Number, _>("PTYP")?;
    let groups = groups(c)?;
    let traits = c.fixed()?;
    let detail = c.context.since(900).then(|| c.fixed()).transpose()?;
    let (bounds, extents) = (c.record("bounds")?, extents(c)?);
    let tangents = (c.peek() == Some(*b"TANG")).then(|| c.list("TANG")).transpose()?;
    let skin = (c.peek() == Some(*b"SKIN")).then(|| skin(c)).transpose()?;
    let count = c.list_head("UVAS")?;
    let count = c.counted("UVAS", count, size_of::<crate::wire::ListHead>())?;
    let outer = c.place;
    let mut sets = room::with_capacity(count)?;
    for i in 0..count {
        c.place = outer;
        c.place = c.element("UVAS", i);
        sets.push(c.list("UVBS")?);
    }
    c.place = outer;
    Ok(Geoset {
        vertices,
        normals,
        primitive_types: PrimitiveTypes::Words(types),
        primitive_counts: groups.primitive_counts,
        indices: groups.indices,
        vertex_groups: groups.vertex_groups,
        group_sizes: groups.group_sizes,
        matrices: groups.matrices,
        traits,
        detail,
        bounds,
        extents,
        tangents,
        skin,
        texcoords: Texcoords::Sets(sets),
        weights: None,
    })
}

fn wow(c: &mut Cursor<'_, '_>) -> Outcome<Geoset> {
    let (vertices, normals): (Vec<Vec3>, _) = (c.list("VRTX")?, c.list("NRMS")?);
    let sets = c.list_head("UVAS")?;
    let places = usize::try_from(sets).unwrap_or(usize::MAX).saturating_mul(vertices.len());
    let places = c.table("UVAS", places)?;
    let types = c.values::<wire::Byte, _>("PTYP")?;
    let groups = groups(c)?;
    let weights = Weights { bones: c.list("BIDX")?, weights: c.list("BWGT")? };
    let traits = c.fixed()?;
    let (bounds, extents) = (c.record("bounds")?, extents(c)?);
    Ok(Geoset {
        vertices,
        normals,
        primitive_types: PrimitiveTypes::Bytes(types),
        primitive_counts: groups.primitive_counts,
        indices: groups.indices,
        vertex_groups: groups.vertex_groups,
        group_sizes: groups.group_sizes,
        matrices: groups.matrices,
        traits,
        detail: None,
        bounds,
        extents,
        tangents: None,
        skin: None,
        texcoords: Texcoords::Flat { sets, places },
        weights: Some(weights),
    })
}

/// The lists that both families have in the middle.
#[allow(clippy::struct_field_names, reason = "the names of the lists")]
struct Groups {
    primitive_counts: Vec<U32>,
    indices: Vec<U16>,
    vertex_groups: Vec<u8>,
    group_sizes: Vec<U32>,
    matrices: Vec<U32>,
}

fn groups(c: &mut Cursor<'_, '_>) -> Outcome<Groups> {
    Ok(Groups {
        primitive_counts: c.values::<Number, _>("PCNT")?,
        indices: c.values::<wire::Index, _>("PVTX")?,
        vertex_groups: c.values::<wire::Byte, _>("GNDX")?,
        group_sizes: c.values::<Number, _>("MTGC")?,
        matrices: c.values::<Number, _>("MATS")?,
    })
}

fn extents(c: &mut Cursor<'_, '_>) -> Outcome<Vec<Bounds>> {
    let count: Count = c.record("extents")?;
    c.table("extents", usize::try_from(count.count.get()).unwrap_or(usize::MAX))
}

fn skin(c: &mut Cursor<'_, '_>) -> Outcome<StoredSkin> {
    if c.context.wide_skin {
        return Ok(StoredSkin::Words(c.values::<wire::Index, _>("SKIN")?));
    }
    Ok(StoredSkin::Bytes(c.values::<wire::Byte, _>("SKIN")?))
}

impl Write for Geoset {
    fn write(&self, out: &mut Out) {
        out.sized(|out| {
            out.list("VRTX", &self.vertices);
            out.list("NRMS", &self.normals);
            if let Texcoords::Flat { sets, places } = &self.texcoords {
                let wanted = usize::try_from(*sets).unwrap_or(usize::MAX).saturating_mul(self.vertices.len());
                if wanted != places.len() {
                    let found =
                        format!("{sets} sets of {} wanted, {} found", self.vertices.len(), places.len());
                    out.refuse(check::LISTS.at(galvani_core::Path::named("UVAS")).saying(found));
                }
                out.bytes(b"UVAS");
                out.u32(*sets);
                out.record(places.as_slice());
            }
            match &self.primitive_types {
                PrimitiveTypes::Words(words) => out.list("PTYP", words),
                PrimitiveTypes::Bytes(bytes) => out.list("PTYP", bytes),
            }
            out.list("PCNT", &self.primitive_counts);
            out.list("PVTX", &self.indices);
            out.list("GNDX", &self.vertex_groups);
            out.list("MTGC", &self.group_sizes);
            out.list("MATS", &self.matrices);
            self.write_end(out);
        });
    }
}

impl Visit for Geoset {
    fn texts<'a>(&'a self, each: Texts<'_, 'a>) {
        if let Some(detail) = &self.detail {
            texts_of(detail, each);
        }
    }
}

impl Geoset {
    fn write_end(&self, out: &mut Out) {
        if let Some(weights) = &self.weights {
            out.list("BIDX", &weights.bones);
            out.list("BWGT", &weights.weights);
        }
        out.record(&self.traits);
        if let Some(detail) = &self.detail {
            out.record(detail);
        }
        out.record(&self.bounds);
        out.count(self.extents.len());
        out.record(self.extents.as_slice());
        if let Some(tangents) = &self.tangents {
            out.list("TANG", tangents);
        }
        match &self.skin {
            Some(StoredSkin::Bytes(bytes)) => out.list("SKIN", bytes),
            Some(StoredSkin::Words(words)) => out.list("SKIN", words),
            None => {}
        }
        if let Texcoords::Sets(sets) = &self.texcoords {
            out.bytes(b"UVAS");
            out.count(sets.len());
            for set in sets {
                out.list("UVBS", set);
            }
        }
    }
}

/// A geoset of WoW 1500.
#[derive(Debug, Clone, PartialEq)]
pub struct Batch {
    /// What it says before the vertices of all.
    pub head: wire::BatchHead,
    /// Its vertices.
    pub vertices: Vec<wire::BatchVertex>,
    /// What stands between vertices and faces.
    pub faces: wire::BatchFaces,
    /// Vertices at the corners of the faces.
    pub indices: Vec<U16>,
    /// What fills the indices up.
    pub padding: Vec<u8>,
}

/// The geosets of WoW 1500: a count, all heads, then all bodies.
impl Layout<Vec<Batch>> for OwnLayout {
    const NEEDS_BYTES: bool = true;

    fn read(c: &mut Cursor<'_, '_>) -> Outcome<Vec<Batch>> {
        batches(c)
    }

    fn write(held: &Vec<Batch>, out: &mut Out) {
        write_batches(held, out);
    }

    fn len(held: &Vec<Batch>) -> usize {
        held.len()
    }
}

fn batches(c: &mut Cursor<'_, '_>) -> Outcome<Vec<Batch>> {
    let count: Count = c.fixed()?;
    let count = c.counted("count", count.count.get(), size_of::<wire::BatchHead>())?;
    let outer = c.place;
    let heads: Vec<wire::BatchHead> = c.table("", count)?;
    let mut found = room::with_capacity(count)?;
    for (i, head) in heads.into_iter().enumerate() {
        c.place = c.index(outer, i);
        let vertex_count = usize::try_from(head.vertex_count.get()).unwrap_or(usize::MAX);
        let vertices = c.table("vertices", vertex_count)?;
        let faces: wire::BatchFaces = c.record("faces")?;
        let index_count = usize::from(faces.index_count.get());
        let indices = c.column::<wire::Index, _>("indices", index_count)?;
        let filled = index_count.next_multiple_of(INDEX_GROUP).saturating_sub(index_count);
        let padding = c.run("padding", filled.saturating_mul(size_of::<U16>()), FieldKind::Padding)?;
        found.push(Batch { head, vertices, faces, indices, padding });
    }
    c.place = outer;
    Ok(found)
}

fn write_batches(batches: &[Batch], out: &mut Out) {
    out.count(batches.len());
    for batch in batches {
        let counts = (batch.head.vertex_count.get(), batch.faces.index_count.get());
        let real = (u32::try_from(batch.vertices.len()), u16::try_from(batch.indices.len()));
        if (Ok(counts.0), Ok(counts.1)) != real {
            let found = format!(
                "{} vertices and {} corners counted, {} and {} found",
                counts.0,
                counts.1,
                batch.vertices.len(),
                batch.indices.len()
            );
            out.refuse(check::LISTS.at(galvani_core::Path::named("GEOS")).saying(found));
        }
        out.record(&batch.head);
    }
    for batch in batches {
        out.record(batch.vertices.as_slice());
        out.record(&batch.faces);
        out.record(batch.indices.as_slice());
        out.bytes(&batch.padding);
    }
}

/// CLID of WoW.
#[derive(Debug, Clone, PartialEq)]
pub struct CollisionMesh {
    /// VRTX: its vertices.
    pub vertices: Vec<Vec3>,
    /// `TRI `: corners of its triangles.
    pub indices: Vec<U16>,
    /// NRMS: where each triangle faces.
    pub normals: Vec<Vec3>,
}

impl Layout<CollisionMesh> for OwnLayout {
    const NEEDS_BYTES: bool = true;

    fn read(c: &mut Cursor<'_, '_>) -> Outcome<CollisionMesh> {
        let (vertices, indices) = (c.list("VRTX")?, c.values::<wire::Index, _>("TRI ")?);
        Ok(CollisionMesh { vertices, indices, normals: c.list("NRMS")? })
    }

    fn write(mesh: &CollisionMesh, out: &mut Out) {
        out.list("VRTX", &mesh.vertices);
        out.list("TRI ", &mesh.indices);
        out.list("NRMS", &mesh.normals);
    }

    fn len(_: &CollisionMesh) -> usize {
        1
    }
}
