//! A model as rows of tables.

use galvani_core::{FileMap, text};
use galvani_parkan::msh::{Document, ModelView, NONE, streams};

use super::outline::{label_room, name_room};
use crate::formats::outline::wide;
use crate::formats::tabular::{ClipRow, NodeRow, SectionRow, TableRow, TimeUnit, TrackRow, counts_at};
use crate::formats::{Tabular, nres};

impl Tabular for Document {
    fn rows(&self, map: &FileMap, tell: &mut dyn FnMut(TableRow<'_>)) {
        let counts = counts_at(map);
        for (entry, offset) in self.archive.entries.iter().zip(self.archive.offsets()) {
            let known = streams::by_id(entry.type_id).map(|spec| spec.name);
            tell(TableRow::Section(SectionRow {
                tag: known.map_or_else(|| nres::tag(entry.type_id).into(), Into::into),
                offset: Some(wide(offset)),
                size: nres::size(entry),
                count: counts.get(&offset).copied(),
            }));
        }
        let model = self.model();
        nodes(&model, tell);
        motion(&model, tell);
    }
}

fn nodes(model: &ModelView<'_>, tell: &mut dyn FnMut(TableRow<'_>)) {
    let nodes = model.nodes.as_ref().map_or(&[][..], |nodes| nodes.rows);
    for (i, node) in nodes.iter().enumerate() {
        let own = text::shown(name_room(model, i));
        let name = if own.is_empty() { text::shown(label_room(model, i)) } else { own };
        let parent = Some(node.parent.get()).filter(|&parent| parent != NONE).map(u64::from);
        tell(TableRow::Node(NodeRow { name, kind: "node", parent, flags: Some(node.flags.get().into()) }));
    }
}

/// The one clip of a model that moves, and the keys of each node: those from behind the fallback of the node before it to
/// its own.
fn motion(model: &ModelView<'_>, tell: &mut dyn FnMut(TableRow<'_>)) {
    let nodes = model.nodes.as_ref().map_or(&[][..], |nodes| nodes.rows);
    let keys = model.keys.as_ref().map_or(&[][..], |keys| keys.rows);
    let moving = nodes.iter().filter(|node| node.map_start.get() != NONE).count();
    if !keys.is_empty() {
        tell(TableRow::Clip(ClipRow {
            name: "".into(),
            start: 0.0,
            end: f64::from(model.frame_count().saturating_sub(1)),
            unit: TimeUnit::Frames,
            is_looping: None,
            keys: wide(keys.len()),
            animated_nodes: wide(moving),
        }));
    }
    let mut first = 0;
    for (i, node) in nodes.iter().enumerate() {
        let end = usize::from(node.fallback_key.get()).saturating_add(1);
        let own = keys.get(first..end).unwrap_or_default();
        if own.is_empty() {
            continue;
        }
        first = end;
        tell(TableRow::Track(TrackRow {
            owner: format!("nodes[{i}]").into(),
            tag: "keys".into(),
            interpolation: "slerp".into(),
            keys: wide(own.len()),
            first: own.first().map(|key| key.time.get().into()),
            last: own.last().map(|key| key.time.get().into()),
        }));
    }
}
