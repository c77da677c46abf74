//! What a model holds: nodes as a tree, streams, how it moves.

use galvani_core::Reading;
use galvani_parkan::msh::{self, Document, ModelView, NONE, flags, streams, wire};

use crate::formats::outline::{in_a_line, wide};
use crate::formats::{
    Cell, Column, Fact, Flags, ListStyle, Outline, OutlineCount, Section, Span, Unknown, nres,
};

pub(super) fn outline(document: &Document) -> Outline {
    let model = document.model();
    Outline {
        counts: counts(&model),
        facts: animation(&model),
        sections: vec![nodes(&model), names(&model), stream_section(document)],
        unknown: model.others.iter().map(unknown).collect(),
    }
}

/// What tells most in a line.
pub(super) fn summary(document: &Document) -> String {
    let model = document.model();
    let frames =
        OutlineCount { count: model.frame_count().into(), ..OutlineCount::new("frames", "frame", 0) };
    in_a_line(&[
        OutlineCount::new("nodes", "node", model.node_count()),
        OutlineCount::new("triangles", "triangle", rows(model.indices.as_ref()) / 3),
        frames,
    ])
}

fn rows<T>(table: Option<&msh::StreamTable<'_, T>>) -> usize {
    table.map_or(0, |table| table.rows.len())
}

fn counts(model: &ModelView<'_>) -> Vec<OutlineCount> {
    vec![
        OutlineCount::new("nodes", "node", rows(model.nodes.as_ref())),
        OutlineCount::new("slots", "slot", rows(model.slots.as_ref())),
        OutlineCount::new("batches", "batch", rows(model.batches.as_ref())),
        OutlineCount::new("vertices", "vertex", rows(model.positions.as_ref())),
        OutlineCount::new("triangles", "triangle", rows(model.indices.as_ref()) / 3),
        OutlineCount::machines("indices", rows(model.indices.as_ref())),
        OutlineCount::new("faces", "face", rows(model.faces.as_ref())),
        OutlineCount::machines("keys", rows(model.keys.as_ref())),
        OutlineCount::new("waypoints", "waypoint", rows(model.waypoints.as_ref())),
        OutlineCount::new("hallways", "hallway", rows(model.hallways.as_ref())),
        OutlineCount::new("probes", "probe", rows(model.probes.as_ref())),
    ]
}

/// How it moves. The file has no clock: seconds are those of the rate that scenes are made with.
fn animation(model: &ModelView<'_>) -> Vec<Fact> {
    let nodes = model.nodes.as_ref().map_or(&[][..], |nodes| nodes.rows);
    let animated = nodes.iter().filter(|node| node.map_start.get() != NONE).count();
    let (frames, keys) = (model.frame_count(), rows(model.keys.as_ref()));
    let parts =
        vec![Cell::part("frames", frames), Cell::part("keys", keys), Cell::part("animated_nodes", animated)];
    let last = usize::try_from(frames.saturating_sub(1)).unwrap_or(usize::MAX);
    let span = Cell::Span(Span::frames(last, msh::lift::FRAME_RATE)).words();
    let told = match animated {
        0 => "none, it stands still".to_owned(),
        _ => format!(
            "{frames} frames ({span} at {} a second), {keys} keys, {animated} of {} nodes move",
            msh::lift::FRAME_RATE,
            nodes.len()
        ),
    };
    vec![Fact::machines("animation", Cell::Parts(parts)), Fact::people("animation", told.into())]
}

fn nodes(model: &ModelView<'_>) -> Section {
    let nodes = model.nodes.as_ref().map_or(&[][..], |nodes| nodes.rows);
    let row = |(i, node): (usize, &wire::Node)| {
        let [label, label_hex] = Cell::room(label_room(model, i));
        let [name, name_hex] = Cell::room(name_room(model, i));
        let slots = slots(node, model.reading);
        vec![
            i.into(),
            index(node.parent.get()).into(),
            name,
            name_hex,
            if label.is_idle() { Cell::Nothing } else { label },
            label_hex,
            (node.map_start.get() != NONE).into(),
            slots.len().into(),
            Cell::Flags(Flags::new(node.flags.get().into(), flags::NODE)),
            index(node.map_start.get()).into(),
            node.fallback_key.get().into(),
            Cell::List(slots),
        ]
    };
    let columns = [
        Column::new("index", "#"),
        Column::machines("parent"),
        Column::new("name", "name"),
        Column::machines("name_hex").optional(),
        Column::new("label", "label"),
        Column::machines("label_hex").optional(),
        Column::people("moves").quiet(),
        Column::people("slots").quiet(),
        Column::new("flags", "flags").quiet(),
        Column::machines("map_start"),
        Column::machines("fallback_key"),
        Column::machines("slots"),
    ];
    let parents = nodes.iter().map(|node| index(node.parent.get()).map(usize::from)).collect();
    let look = ListStyle::Tree { column: 2, parents };
    Section::new("nodes", "Nodes", &columns, nodes.iter().enumerate().map(row).collect()).looking(look)
}

/// What either reading calls the nodes.
fn names(model: &ModelView<'_>) -> Section {
    let row = |i: usize| {
        let observed = model.names.as_ref().and_then(|names| names.rows.get(i));
        let [observed, _] = Cell::room(observed.map_or(&[][..], |row| &row.name.0));
        let [documented, _] = Cell::room(label_room(model, i));
        vec![i.into(), observed, documented]
    };
    let rows = (0..rows(model.nodes.as_ref())).map(row).collect();
    let columns = ["#", "observed (stream 9)", "documented (stream 10)"].map(Column::people);
    Section::of_reading("Names as each account has them", &columns, rows)
}

/// All bytes of a node's name: those of stream 9 as observed, else those of its label.
pub(super) fn name_room<'a>(model: &ModelView<'a>, node: usize) -> &'a [u8] {
    match (model.reading, &model.names) {
        (Reading::Observed, Some(names)) => names.rows.get(node).map_or(&[], |row| &row.name.0),
        (Reading::Observed, None) => &[],
        _ => label_room(model, node),
    }
}

/// All bytes of a node's label.
pub(super) fn label_room<'a>(model: &ModelView<'a>, node: usize) -> &'a [u8] {
    model.labels.as_ref().and_then(|labels| labels.rows.get(node)).map_or(&[], |label| label.room)
}

/// The slots of a node as the documentation numbers them; as observed also what later findings call them.
fn slots(node: &wire::Node, reading: Reading) -> Vec<Cell> {
    let slot = |(i, slot): (usize, u16)| {
        let (lod, group) = (i / 5, i % 5);
        let mut parts = vec![Cell::part("lod", lod), Cell::part("group", group), Cell::part("slot", slot)];
        if reading == Reading::Observed {
            parts.extend([Cell::part("damage_state", lod), Cell::part("level_of_detail", group)]);
        }
        Cell::Parts(parts)
    };
    let slots = node.slot_index.iter().map(|slot| slot.get()).enumerate();
    slots.filter(|(_, slot)| *slot != NONE).map(slot).collect()
}

fn index(word: u16) -> Option<u16> {
    (word != NONE).then_some(word)
}

fn unknown(stream: &msh::Stream<'_>) -> Unknown {
    Unknown { kind: stream.type_id, size: wide(stream.bytes.len()) }
}

/// The streams as members of the archive that a model is, each with what it holds.
fn stream_section(document: &Document) -> Section {
    let rows = nres::entry_rows(&document.archive).into_iter().zip(&document.archive.entries);
    let rows = rows.map(|(mut row, entry)| {
        row.push(streams::by_id(entry.type_id).map(|spec| spec.name.replace('_', " ")).into());
        row
    });
    let columns = [
        Column::new("index", "#"),
        Column::new("name", "name"),
        Column::machines("name_hex").optional(),
        Column::new("type", "stream"),
        Column::new("size", "bytes"),
        Column::machines("offset"),
        Column::machines("attr1"),
        Column::machines("attr2"),
        Column::machines("attr3"),
        Column::new("summary", "holds").optional(),
    ];
    Section::new("entries", "Streams and their bytes", &columns, rows.collect())
        .looking(ListStyle::Line { columns: vec![3, 9, 4] })
}
