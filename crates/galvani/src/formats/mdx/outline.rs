//! What a model holds: its family, chunks, sequences under both readings, nodes, tracks.

use std::collections::BTreeMap;

use galvani_core::text;
use galvani_mdx::wire::{SequenceDocumented, SequenceWarcraft, SequenceWow, Texture};
use galvani_mdx::{Content, Document, Placed, Sequence, write};
use serde_json::{Map, Value, json};
use zerocopy::little_endian::F32;

use crate::formats::{Outline, Table, Unknown, tag_value, text_value};
use crate::render::json::float;

/// Bytes of a chunk before its payload.
const HEAD_LEN: usize = 8;

pub(super) fn outline(document: &Document) -> Outline {
    let (nodes, sequences, geosets) = (document.nodes(), document.sequences(), geosets(document));
    let (mut tracks, mut keys) = (BTreeMap::<String, u64>::new(), 0);
    document.each_track(|_, track| {
        let tag = text::shown(&track.tag).into_owned();
        let count = tracks.entry(tag).or_default();
        *count = count.saturating_add(1);
        keys = track.times.len().saturating_add(keys);
    });
    let track_count = tracks.values().fold(0, |sum: u64, &count| sum.saturating_add(count));
    let vertices = geosets.iter().fold(0, |sum: usize, geoset| sum.saturating_add(geoset.vertices));
    let records = |tag: &str| {
        let of = document.chunks.iter().filter(|chunk| chunk.content.name() == Some(tag));
        of.fold(0, |sum: usize, chunk| sum.saturating_add(chunk.content.len()))
    };
    let counts = [
        ("chunks", document.chunks.len()),
        ("sequences", sequences.len()),
        ("global_sequences", records("GLBS")),
        ("textures", records("TEXS")),
        ("materials", records("MTLS")),
        ("texture_animations", records("TXAN")),
        ("geosets", geosets.len()),
        ("geoset_animations", records("GEOA")),
        ("vertices", vertices),
        ("nodes", nodes.len()),
        ("pivots", records("PIVT")),
        ("cameras", records("CAMS")),
        ("keys", keys),
        ("tail_bytes", document.tail.bytes.len()),
    ];
    let mut counts: Vec<(&'static str, u64)> = counts.map(|(name, count)| (name, wide(count))).to_vec();
    counts.push(("tracks", track_count));
    let tracks: Map<String, Value> = tracks.into_iter().map(|(tag, count)| (tag, json!(count))).collect();
    Outline {
        counts,
        facts: vec![
            ("family", json!(document.family().word())),
            ("version", json!(document.version)),
            ("model", model(document)),
            ("tracks", Value::Object(tracks)),
        ],
        tables: vec![
            sequence_table(document, &sequences),
            node_table(document, &nodes),
            texture_table(&document.textures()),
            geoset_table(&geosets),
            chunk_table(document),
        ],
        unknown: unknown(document),
    }
}

fn wide(count: usize) -> u64 {
    u64::try_from(count).unwrap_or(u64::MAX)
}

/// What the model says of itself, and what its family was told by.
fn model(document: &Document) -> Value {
    let model = document.chunks.iter().find_map(|chunk| match &chunk.content {
        Content::Model(model) => Some(model),
        _ => None,
    });
    let name = model.map(|model| text::shown(&model.fixed.name.0).into_owned());
    json!({"name": name, "family_by": document.told.by.word()})
}

fn sequence_table(document: &Document, sequences: &[Sequence<'_>]) -> Table {
    let row = |(i, sequence): (usize, &Sequence<'_>)| {
        let (name, hex) = text_value(sequence.name());
        let (speed, observed, documented) = match sequence {
            Sequence::Warcraft(row) => (row.move_speed, warcraft(row), Value::Null),
            Sequence::Wow(row) => (row.move_speed, wow(row), as_documented(&row.documented())),
        };
        let (start, end) = sequence.written();
        vec![
            json!(i),
            name,
            hex,
            json!(start),
            json!(end),
            float(speed.get()),
            json!(sequence.flags()),
            json!(sequence.is_looping()),
            json!(document.seqs.word()),
            observed,
            documented,
        ]
    };
    Table {
        key: "sequences",
        columns: &[
            "index",
            "name",
            "name_hex",
            "start",
            "end",
            "move_speed",
            "flags",
            "looping",
            "reading",
            "observed",
            "documented",
        ],
        optional: &["name_hex", "documented"],
        rows: sequences.iter().enumerate().map(row).collect(),
    }
}

fn floats(list: &[F32]) -> Value {
    list.iter().map(|one| float(one.get())).collect()
}

/// What only Warcraft III has.
fn warcraft(row: &SequenceWarcraft) -> Value {
    json!({
        "rarity": float(row.rarity.get()),
        "sync_point": row.sync_point.get(),
        "radius": float(row.radius.get()),
        "min": floats(&row.min),
        "max": floats(&row.max),
    })
}

/// The fields of WoW as real files have them.
fn wow(row: &SequenceWow) -> Value {
    json!({
        "radius": float(row.radius.get()),
        "min": floats(&row.min),
        "max": floats(&row.max),
        "frequency": float(row.frequency.get()),
        "replay_min": row.replay_min.get(),
        "replay_max": row.replay_max.get(),
        "blend_time": row.blend_time.get(),
    })
}

/// The same bytes as the 0.9.0 document names them.
fn as_documented(row: &SequenceDocumented) -> Value {
    json!({
        "anim_id": row.anim_id.get(),
        "sub_id": row.sub_id.get(),
        "min": floats(&row.min),
        "max": floats(&row.max),
        "blend_time": float(row.blend_time.get()),
        "playback_speed": row.playback_speed.get(),
        "frequency": row.frequency.get(),
        "unknown_84": row.unknown_84.get(),
        "unknown_88": row.unknown_88.get(),
    })
}

/// Nodes in file order. A parent is the index of the first node of its number here.
fn node_table(document: &Document, nodes: &[Placed<'_>]) -> Table {
    let mut places = BTreeMap::new();
    for (i, placed) in nodes.iter().enumerate() {
        places.entry(placed.node.fixed.object_id.get()).or_insert(i);
    }
    let row = |(i, placed): (usize, &Placed<'_>)| {
        let fixed = &placed.node.fixed;
        let (name, hex) = text_value(&fixed.name.0);
        let inherits = document.inherits(placed.node);
        let kept = [
            ("translation", inherits.translation),
            ("rotation", inherits.rotation),
            ("scaling", inherits.scaling),
        ];
        let kept: Vec<&str> = kept.iter().filter(|(_, inherits)| !inherits).map(|(what, _)| *what).collect();
        vec![
            json!(i),
            json!(fixed.object_id.get()),
            json!(places.get(&fixed.parent_id.get())),
            json!(fixed.parent_id.get()),
            name,
            hex,
            json!(placed.kind.word()),
            json!(fixed.flags.get()),
            if kept.is_empty() { Value::Null } else { json!(kept) },
        ]
    };
    Table {
        key: "nodes",
        columns: &[
            "index",
            "object_id",
            "parent",
            "parent_id",
            "name",
            "name_hex",
            "kind",
            "flags",
            "not_inherited",
        ],
        optional: &["name_hex", "not_inherited"],
        rows: nodes.iter().enumerate().map(row).collect(),
    }
}

fn texture_table(textures: &[&Texture]) -> Table {
    let row = |(i, texture): (usize, &&Texture)| {
        let (path, hex) = text_value(&texture.path.0);
        vec![json!(i), path, hex, json!(texture.replaceable_id.get()), json!(texture.flags.get())]
    };
    Table {
        key: "textures",
        columns: &["index", "path", "path_hex", "replaceable_id", "flags"],
        optional: &["path_hex"],
        rows: textures.iter().enumerate().map(row).collect(),
    }
}

/// A geoset of any layout in numbers.
struct Numbers {
    vertices: usize,
    corners: usize,
    material: u32,
}

fn geosets(document: &Document) -> Vec<Numbers> {
    let mut found = Vec::new();
    for chunk in &document.chunks {
        match &chunk.content {
            Content::Geosets(records) => found.extend(records.typed().map(|(_, geoset)| Numbers {
                vertices: geoset.vertices.len(),
                corners: geoset.indices.len(),
                material: geoset.traits.material_id.get(),
            })),
            Content::Batches(batches) => found.extend(batches.iter().map(|batch| Numbers {
                vertices: batch.vertices.len(),
                corners: batch.indices.len(),
                material: batch.head.material_id.get(),
            })),
            _ => {}
        }
    }
    found
}

fn geoset_table(geosets: &[Numbers]) -> Table {
    let row = |(i, geoset): (usize, &Numbers)| {
        vec![json!(i), json!(geoset.vertices), json!(geoset.corners / 3), json!(geoset.material)]
    };
    Table {
        key: "geosets",
        columns: &["index", "vertices", "triangles", "material"],
        optional: &[],
        rows: geosets.iter().enumerate().map(row).collect(),
    }
}

/// Tags with the places and sizes of their payloads' heads; what is written is what was read.
fn chunk_table(document: &Document) -> Table {
    let file = write(document).unwrap_or_default();
    let mut rows = Vec::with_capacity(document.chunks.len());
    for (tag, offset, payload) in heads(&file).take(document.chunks.len()) {
        rows.push(vec![tag_value(u32::from_le_bytes(tag)), json!(offset), json!(payload.len())]);
    }
    Table { key: "chunks", columns: &["tag", "offset", "size"], optional: &[], rows }
}

/// The chunks of a sound file: tag, offset of the head, payload.
pub(super) fn heads(file: &[u8]) -> impl Iterator<Item = ([u8; 4], usize, &[u8])> {
    let mut offset = size_of_val(&galvani_mdx::MAGIC);
    std::iter::from_fn(move || {
        let tag = file.get(offset..)?.first_chunk::<4>()?;
        let start = offset.checked_add(HEAD_LEN)?;
        let size = file.get(offset.checked_add(tag.len())?..)?.first_chunk::<4>()?;
        let end = start.checked_add(usize::try_from(u32::from_le_bytes(*size)).ok()?)?;
        let found = (*tag, offset, file.get(start..end)?);
        offset = end;
        Some(found)
    })
}

/// Chunks that nobody knows, and those that could not be read.
fn unknown(document: &Document) -> Vec<Unknown> {
    let raw = document.chunks.iter().filter_map(|chunk| match &chunk.content {
        Content::Raw(raw) => Some((chunk.tag, raw)),
        _ => None,
    });
    raw.map(|(tag, raw)| Unknown { kind: tag_value(u32::from_le_bytes(tag)), size: wide(raw.bytes.len()) })
        .collect()
}
