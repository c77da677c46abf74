//! What a model holds: its family, chunks, sequences under both readings, nodes, materials, cameras, tracks.

mod materials;
mod sequences;

use std::borrow::Cow;
use std::collections::BTreeMap;

use galvani_core::{FileMap, text};
use galvani_mdx::model::{Camera, ModelEnd};
use galvani_mdx::{Content, Document, Family, Placed, flags};
use zerocopy::little_endian::F32;

pub(super) use materials::{filter, replaced_by, texture_name};

use super::laid::{LaidChunk, chunks};
use crate::formats::outline::{in_a_line, wide};
use crate::formats::{Cell, Column, Fact, Flags, ListStyle, Outline, OutlineCount, Section, Span, Unknown};

pub(super) fn outline(document: &Document, map: &FileMap) -> Outline {
    let (nodes, geosets) = (document.nodes(), geosets(document));
    let (mut tracks, mut keys) = (BTreeMap::<String, u64>::new(), 0);
    document.each_track(|_, track| {
        let tag = text::shown(&track.tag).into_owned();
        let count = tracks.entry(tag).or_default();
        *count = count.saturating_add(1);
        keys = track.times.len().saturating_add(keys);
    });
    let track_count = tracks.values().fold(0, |sum: u64, &count| sum.saturating_add(count));
    // A pivot for every node goes without saying.
    let pivots = match document.pivots().len() {
        count if count == nodes.len() => OutlineCount::machines("pivots", count),
        count => OutlineCount::new("pivots", "pivot", count),
    };
    let mut counts = vec![
        OutlineCount::machines("chunks", document.chunks.len()),
        OutlineCount::new("sequences", "sequence", document.sequences().len()),
        OutlineCount::machines("global_sequences", document.globals().len()),
        OutlineCount::new("nodes", "node", nodes.len()),
        pivots,
        OutlineCount::new("geosets", "geoset", geosets.len()),
        OutlineCount::new("vertices", "vertex", sum(geosets.iter().map(|geoset| geoset.vertices))),
        OutlineCount::new("triangles", "triangle", sum(geosets.iter().map(Numbers::triangles))),
    ];
    counts.extend(document.record_counts().iter().map(|of| OutlineCount::new(of.many, of.one, of.count)));
    counts.extend([
        OutlineCount { count: track_count, ..OutlineCount::new("tracks", "track", 0) },
        OutlineCount::new("keys", "key", keys),
        OutlineCount::new("tail_bytes", "byte behind the last chunk", document.tail.bytes.len())
            .many("bytes behind the last chunk"),
    ]);
    let mut facts = model(document);
    let tracks = tracks.into_iter().map(|(tag, count)| (Cow::Owned(tag), Cell::Count(count)));
    facts.push(Fact::new("tracks", "tracks", Cell::Parts(tracks.collect())));
    let mut sections = sequences::sections(document);
    sections.extend([
        node_section(document, &nodes),
        materials::layers(document),
        materials::textures(document),
        geoset_section(document, &geosets),
        camera_section(document),
        chunk_section(document, map),
    ]);
    Outline { counts, facts, sections, unknown: unknown(document) }
}

/// What tells most in a line.
pub(super) fn summary(document: &Document) -> String {
    let counts = in_a_line(&[
        OutlineCount::new("sequences", "sequence", document.sequences().len()),
        OutlineCount::new("nodes", "node", document.nodes().len()),
        OutlineCount::new("triangles", "triangle", sum(geosets(document).iter().map(Numbers::triangles))),
    ]);
    let name = document.model().map(|model| text::shown(&model.fixed.name.0).into_owned());
    match name.filter(|name| !name.is_empty()) {
        Some(name) => format!("{name}: {counts}"),
        None => counts,
    }
}

fn sum(counts: impl Iterator<Item = usize>) -> usize {
    counts.fold(0, usize::saturating_add)
}

/// What the model says of itself, and what its family was told by.
fn model(document: &Document) -> Vec<Fact> {
    let name = document.model().map(|model| text::shown(&model.fixed.name.0).into_owned());
    let by = document.family_verdict.by.word();
    let family = match document.family() {
        Family::Warcraft => "Warcraft III",
        Family::Wow => "World of Warcraft",
    };
    let said = vec![Cell::part("name", name.clone()), Cell::part("family_by", by)];
    let globals = document.globals().into_iter();
    let globals = globals.map(|length| Cell::Span(Span { milliseconds: length.into() })).collect();
    let mut facts = vec![
        Fact::people("name", name.into()),
        Fact::people("made for", format!("{family}, version {} (told by {by})", document.version).into()),
        Fact::machines("family", document.family().word().into()),
        Fact::machines("version", document.version.into()),
        Fact::machines("model", Cell::Parts(said)),
        Fact::new("globals", "global sequences", Cell::List(globals)),
    ];
    match document.model().map(|model| model.end) {
        Some(ModelEnd::Warcraft(end)) => {
            let blend = Span { milliseconds: end.blend_time.get().into() };
            facts.push(Fact::new("blend", "blends over", Cell::Span(blend)));
        }
        Some(ModelEnd::Wow(end)) => {
            let follows = match end.flags & 3 {
                0 => "yaw",
                1 => "pitch and yaw",
                2 => "pitch, yaw and roll",
                _ => "3 (unknown)",
            };
            facts.push(Fact::new("ground", "follows the ground in", follows.into()));
            let flags = Flags::new(end.flags.into(), &[(1, ""), (2, ""), (4, "always animated")]);
            facts.push(Fact::new("model_flags", "flags", Cell::Flags(flags)));
        }
        None => {}
    }
    facts
}

/// Nodes in file order. A parent is the index of the first node of its number here.
fn node_section(document: &Document, nodes: &[Placed<'_>]) -> Section {
    let mut places = BTreeMap::new();
    for (i, placed) in nodes.iter().enumerate() {
        places.entry(placed.node.fixed.object_id.get()).or_insert(i);
    }
    let parent = |placed: &Placed<'_>| places.get(&placed.node.fixed.parent_id.get()).copied();
    let row = |(i, placed): (usize, &Placed<'_>)| {
        let fixed = &placed.node.fixed;
        let [name, hex] = Cell::room(&fixed.name.0);
        let inherits = document.inherits(placed.node);
        let kept = [
            ("translation", inherits.translation),
            ("rotation", inherits.rotation),
            ("scaling", inherits.scaling),
        ];
        let kept: Vec<&str> = kept.iter().filter(|(_, inherits)| !inherits).map(|(what, _)| *what).collect();
        let names = flags::node(document.family(), placed.kind, document.inherit);
        vec![
            i.into(),
            fixed.object_id.get().into(),
            parent(placed).into(),
            fixed.parent_id.get().into(),
            name,
            hex,
            placed.kind.word().into(),
            Cell::Flags(Flags::new(fixed.flags.get(), &names)),
            if kept.is_empty() { Cell::Nothing } else { kept.into() },
        ]
    };
    let columns = [
        Column::machines("index"),
        Column::new("object_id", "id"),
        Column::machines("parent"),
        Column::machines("parent_id"),
        Column::new("name", "name"),
        Column::machines("name_hex").optional(),
        Column::new("kind", "kind"),
        Column::new("flags", "flags").quiet(),
        Column::machines("not_inherited").optional(),
    ];
    let look = ListStyle::Tree { column: 4, parents: nodes.iter().map(parent).collect() };
    Section::new("nodes", "Nodes", &columns, nodes.iter().enumerate().map(row).collect()).looking(look)
}

/// A geoset of any layout in numbers.
struct Numbers {
    vertices: usize,
    corners: usize,
    material: u32,
    flags: u32,
}

impl Numbers {
    fn triangles(&self) -> usize {
        self.corners / 3
    }
}

fn geosets(document: &Document) -> Vec<Numbers> {
    let mut found = Vec::new();
    for chunk in &document.chunks {
        match &chunk.content {
            Content::Geosets(records) => found.extend(records.typed().map(|(_, geoset)| Numbers {
                vertices: geoset.vertices.len(),
                corners: geoset.indices.len(),
                material: geoset.traits.material_id.get(),
                flags: geoset.traits.flags.get(),
            })),
            Content::Batches(batches) => found.extend(batches.iter().map(|batch| Numbers {
                vertices: batch.vertices.len(),
                corners: batch.indices.len(),
                material: batch.head.material_id.get(),
                flags: batch.head.flags.get(),
            })),
            _ => {}
        }
    }
    found
}

fn geoset_section(document: &Document, geosets: &[Numbers]) -> Section {
    let names = flags::geoset(document.family());
    let row = |(i, geoset): (usize, &Numbers)| {
        vec![
            i.into(),
            geoset.vertices.into(),
            geoset.triangles().into(),
            geoset.material.into(),
            Cell::Flags(Flags::new(geoset.flags, names)),
        ]
    };
    let columns = [
        Column::new("index", "#"),
        Column::new("vertices", "vertices"),
        Column::new("triangles", "triangles"),
        Column::new("material", "material"),
        Column::new("flags", "flags").quiet(),
    ];
    Section::new("geosets", "Geosets", &columns, geosets.iter().enumerate().map(row).collect())
}

fn camera_section(document: &Document) -> Section {
    let cameras = document.chunks.iter().filter_map(|chunk| match &chunk.content {
        Content::Cameras(records) => Some(records.typed()),
        _ => None,
    });
    let row = |(i, (_, camera)): (usize, (usize, &Camera))| {
        let fixed = &camera.fixed;
        let [name, hex] = Cell::room(&fixed.name.0);
        vec![
            i.into(),
            name,
            hex,
            Cell::Point(fixed.position.map(F32::get)),
            Cell::Point(fixed.target.map(F32::get)),
            Cell::Angle(fixed.fov.get()),
            fixed.near_clip.get().into(),
            fixed.far_clip.get().into(),
        ]
    };
    let columns = [
        Column::new("index", "#"),
        Column::new("name", "name"),
        Column::machines("name_hex").optional(),
        Column::new("position", "stands at"),
        Column::new("target", "looks at"),
        Column::new("fov", "view"),
        Column::new("near_clip", "from"),
        Column::new("far_clip", "to"),
    ];
    Section::new("cameras", "Cameras", &columns, cameras.flatten().enumerate().map(row).collect())
}

/// Tags with the places of their heads and the sizes of their payloads.
fn chunk_section(document: &Document, map: &FileMap) -> Section {
    let row = |chunk: &LaidChunk| {
        vec![Cell::Tag(u32::from_le_bytes(chunk.tag)), chunk.offset().into(), chunk.payload.len().into()]
    };
    let rows = chunks(document, map).iter().map(row).collect();
    let columns = [Column::new("tag", "tag"), Column::machines("offset"), Column::new("size", "bytes")];
    Section::new("chunks", "Chunks and their bytes", &columns, rows)
        .looking(ListStyle::Line { columns: vec![0, 2] })
}

/// Chunks that nobody knows, and those that could not be read.
fn unknown(document: &Document) -> Vec<Unknown> {
    let raw = document.chunks.iter().filter_map(|chunk| match &chunk.content {
        Content::Raw(raw) => Some((chunk.tag, raw)),
        _ => None,
    });
    raw.map(|(tag, raw)| Unknown { kind: u32::from_le_bytes(tag), size: wide(raw.bytes.len()) }).collect()
}
