//! A model as rows of tables.

use std::collections::BTreeSet;

use galvani_core::{FileMap, Path, text};
use galvani_mdx::{Content, Document, Held, Sequence, Track};

use super::laid::chunks;
use super::outline::{filter, texture_name};
use crate::formats::outline::wide;
use crate::formats::tabular::{ClipRow, LayerRow, NodeRow, SectionRow, TableRow, TimeUnit, TrackRow};
use crate::formats::{Tabular, Variety};

impl Tabular for Document {
    fn variety(&self) -> Variety {
        Variety { family: Some(self.family().word()), version: Some(self.version) }
    }

    fn rows(&self, map: &FileMap, tell: &mut dyn FnMut(TableRow<'_>)) {
        for (chunk, laid) in self.chunks.iter().zip(chunks(self, map)) {
            let count = match &chunk.content {
                Content::Raw(_) => None,
                known => Some(wide(known.len())),
            };
            let tag = text::shown(&chunk.tag);
            let (offset, size) = (Some(wide(laid.offset())), wide(laid.payload.len()));
            tell(TableRow::Section(SectionRow { tag, offset, size, count }));
        }
        nodes(self, tell);
        clips(self, tell);
        self.each_track(|path, track| tell(TableRow::Track(track_row(path, track))));
        materials(self, tell);
    }
}

fn nodes(document: &Document, tell: &mut dyn FnMut(TableRow<'_>)) {
    let nodes = document.nodes();
    let mut places = std::collections::BTreeMap::new();
    for (i, placed) in nodes.iter().enumerate() {
        places.entry(placed.node.fixed.object_id.get()).or_insert(wide(i));
    }
    for placed in &nodes {
        let fixed = &placed.node.fixed;
        tell(TableRow::Node(NodeRow {
            name: text::shown(&fixed.name.0),
            kind: placed.kind.word(),
            parent: places.get(&fixed.parent_id.get()).copied(),
            flags: Some(fixed.flags.get()),
        }));
    }
}

/// What moves in each sequence: tracks of global sequences run by clocks of their own and are not counted.
fn clips(document: &Document, tell: &mut dyn FnMut(TableRow<'_>)) {
    let sequences = document.sequences();
    let owners: BTreeSet<_> = document.nodes().iter().map(|placed| placed.path.first()).collect();
    let mut counts: Vec<MovedIn> = sequences.iter().map(|_| MovedIn::default()).collect();
    document.each_track(|path, track| {
        if track.global >= 0 {
            return;
        }
        let owner = path.first();
        for (sequence, count) in sequences.iter().zip(&mut counts) {
            let keys = keys_within(&track.times, sequence.window());
            count.keys = count.keys.saturating_add(wide(keys));
            if keys > 0 && count.last != owner && owners.contains(&owner) {
                (count.nodes, count.last) = (count.nodes.saturating_add(1), owner);
            }
        }
    });
    for (sequence, count) in sequences.iter().zip(counts) {
        tell(TableRow::Clip(clip_row(document, *sequence, &count)));
    }
}

/// What a sequence moves.
#[derive(Default)]
struct MovedIn {
    keys: u64,
    nodes: u64,
    /// Tracks of one node come one after the other.
    last: Option<(&'static str, Option<u32>)>,
}

fn clip_row<'a>(document: &Document, sequence: Sequence<'a>, moved: &MovedIn) -> ClipRow<'a> {
    let (start, end) = sequence.window();
    ClipRow {
        name: document.sequence_name(sequence),
        start: milliseconds(start),
        end: milliseconds(end),
        unit: TimeUnit::Milliseconds,
        is_looping: Some(sequence.is_looping()),
        keys: moved.keys,
        animated_nodes: moved.nodes,
    }
}

#[allow(clippy::cast_precision_loss, reason = "windows come from 32 bits")]
fn milliseconds(time: i64) -> f64 {
    time as f64
}

/// How many keys lie in a window, its ends included.
fn keys_within(times: &[i32], (start, end): (i64, i64)) -> usize {
    if times.is_sorted() {
        let before = times.partition_point(|&time| i64::from(time) < start);
        let until = times.partition_point(|&time| i64::from(time) <= end);
        return until.saturating_sub(before);
    }
    times.iter().filter(|&&time| (start..=end).contains(&i64::from(time))).count()
}

fn track_row(path: Path, track: &Track) -> TrackRow<'_> {
    let time = |time: Option<&i32>| time.copied().map(f64::from);
    let words = ["step", "linear", "hermite", "bezier"];
    let word = usize::try_from(track.interpolation).ok().and_then(|mode| words.get(mode));
    TrackRow {
        owner: path.parent().to_string().into(),
        tag: text::shown(&track.tag),
        interpolation: word.map_or_else(|| track.interpolation.to_string().into(), |word| (*word).into()),
        keys: wide(track.times.len()),
        first: time(track.times.first()),
        last: time(track.times.last()),
    }
}

/// A row for each layer, called after its texture; one for a material without layers.
fn materials(document: &Document, tell: &mut dyn FnMut(TableRow<'_>)) {
    let textures = document.textures();
    let lists = document.chunks.iter().filter_map(|chunk| match &chunk.content {
        Content::Materials(records) => Some(&records.items),
        _ => None,
    });
    for (i, material) in lists.flatten().enumerate() {
        let layers = match material {
            Held::Typed(material) => material.layers.as_slice(),
            Held::Raw(_) => &[],
        };
        let bare =
            LayerRow { material: wide(i), layer: None, name: "".into(), blend: "".into(), flags: None };
        if layers.is_empty() {
            tell(TableRow::Material(bare.clone()));
        }
        for (j, layer) in layers.iter().enumerate() {
            let row = LayerRow { layer: Some(wide(j)), ..bare.clone() };
            let Held::Typed(layer) = layer else {
                tell(TableRow::Material(row));
                continue;
            };
            let first = layer.textures.as_ref().and_then(|list| list.list.first());
            let id = first
                .map_or(layer.fixed.texture_id.get().into(), |texture| texture.fixed.texture_id.get().into());
            let mode = layer.fixed.filter_mode.get();
            tell(TableRow::Material(LayerRow {
                name: texture_name(document.family(), &textures, id).words().into(),
                blend: filter(mode).map_or_else(|| mode.to_string().into(), Into::into),
                flags: Some(layer.fixed.flags.get()),
                ..row
            }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_ends_of_a_window_count_whatever_the_order_of_keys() {
        assert_eq!(keys_within(&[0, 10, 10, 20, 21], (10, 20)), 3);
        assert_eq!(keys_within(&[20, 0, 10, 21, 10], (10, 20)), 3);
        assert_eq!(keys_within(&[], (0, 1)), 0);
    }
}
