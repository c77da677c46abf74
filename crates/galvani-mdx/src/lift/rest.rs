//! What of a document no scene holds.

use galvani_core::{Exhausted, room};
use zerocopy::little_endian::{U16, U32};

use crate::model::{Batch, Geoset, PrimitiveTypes, Skin, Texcoords};
use crate::{Chunk, Content, Document, Held, Records};

/// What a scene of a document does not hold, for the way back: the document without the vertices and faces of its geosets
/// and without the tracks by which its nodes move.
pub fn rest(document: &Document) -> Result<Document, Exhausted> {
    room::probe(document.keys_len())?;
    let mut chunks = Vec::with_capacity(document.chunks.len());
    for chunk in &document.chunks {
        let content = match &chunk.content {
            Content::Geosets(rows) => Content::Geosets(bare(rows)),
            Content::Batches(rows) => Content::Batches(rows.iter().map(bare_batch).collect()),
            other => other.clone(),
        };
        chunks.push(Chunk { tag: chunk.tag, content });
    }
    let Document { told, version, seqs, tracks, new_tracks, inherit, tail, .. } = document;
    let mut rest = Document {
        told: *told,
        version: *version,
        chunks,
        tail: tail.clone(),
        seqs: *seqs,
        tracks: *tracks,
        new_tracks: *new_tracks,
        inherit: *inherit,
    };
    rest.change_nodes(|node| node.tracks.clear());
    Ok(rest)
}

fn bare(rows: &Records<Box<Geoset>>) -> Records<Box<Geoset>> {
    let item = |item: &Held<Box<Geoset>>| match item {
        Held::Typed(geoset) => Held::Typed(Box::new(bare_geoset(geoset))),
        Held::Raw(raw) => Held::Raw(raw.clone()),
    };
    let items = rows.items.iter().map(item).collect();
    Records { count: rows.count, unused: rows.unused, items, rest: rows.rest.clone() }
}

fn bare_geoset(geoset: &Geoset) -> Geoset {
    Geoset {
        vertices: Vec::new(),
        normals: Vec::new(),
        primitive_types: match &geoset.primitive_types {
            PrimitiveTypes::Words(_) => PrimitiveTypes::Words(Vec::new()),
            PrimitiveTypes::Bytes(_) => PrimitiveTypes::Bytes(Vec::new()),
        },
        primitive_counts: Vec::new(),
        indices: Vec::new(),
        vertex_groups: Vec::new(),
        group_sizes: Vec::new(),
        matrices: Vec::new(),
        traits: geoset.traits,
        detail: geoset.detail,
        bounds: geoset.bounds,
        extents: geoset.extents.clone(),
        tangents: geoset.tangents.as_ref().map(|_| Vec::new()),
        skin: geoset.skin.as_ref().map(|skin| match skin {
            Skin::Bytes(_) => Skin::Bytes(Vec::new()),
            Skin::Words(_) => Skin::Words(Vec::new()),
        }),
        texcoords: match &geoset.texcoords {
            Texcoords::Sets(sets) => Texcoords::Sets(sets.iter().map(|_| Vec::new()).collect()),
            Texcoords::Flat { sets, .. } => Texcoords::Flat { sets: *sets, places: Vec::new() },
        },
        weights: geoset.weights.clone(),
    }
}

fn bare_batch(batch: &Batch) -> Batch {
    let (mut head, mut faces) = (batch.head, batch.faces);
    head.vertex_count = U32::new(0);
    faces.index_count = U16::new(0);
    Batch { head, vertices: Vec::new(), faces, indices: Vec::new(), padding: Vec::new() }
}
