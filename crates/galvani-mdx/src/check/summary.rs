//! What the chunks of one kind hold together, for rules that hold one kind against another.

use std::collections::BTreeSet;

use crate::model::Sequences;
use crate::visit::Seen;
use crate::{Chunk, Content, Document, Placed, Sequence, chunk};

/// A document at a glance. Chunks that are there twice count as one.
pub(super) struct Summary<'a> {
    /// The chunks, each with its index and that of its first record among all of its tag.
    pub(super) chunks: Vec<(usize, usize, &'a Chunk)>,
    pub(super) textures: usize,
    pub(super) materials: usize,
    pub(super) texture_animations: usize,
    pub(super) geosets: usize,
    pub(super) sequences: usize,
    pub(super) pivots: usize,
    /// Lengths of the global sequences.
    pub(super) globals: Vec<u32>,
    pub(super) nodes: Vec<Placed<'a>>,
    /// The numbers of the nodes in order, each once.
    pub(super) ids: Vec<i32>,
    /// Parts of the timeline that belong to sequences, in order, none touching another.
    pub(super) windows: Vec<(i64, i64)>,
    /// The tags of chunks of which a part could not be read.
    broken: BTreeSet<[u8; 4]>,
    /// Whether the file ends before its chunks do.
    is_cut: bool,
}

impl<'a> Summary<'a> {
    pub(super) fn from_document(document: &'a Document) -> Self {
        let nodes = document.nodes();
        let mut ids: Vec<i32> = nodes.iter().map(|placed| placed.node.fixed.object_id.get()).collect();
        ids.sort_unstable();
        ids.dedup();
        let mut summary = Summary {
            chunks: document.placed().collect(),
            textures: 0,
            materials: 0,
            texture_animations: 0,
            geosets: 0,
            sequences: 0,
            pivots: 0,
            globals: Vec::new(),
            nodes,
            ids,
            windows: Vec::new(),
            broken: BTreeSet::new(),
            is_cut: document.tail.damage.is_some(),
        };
        for chunk in &document.chunks {
            summary.add(&chunk.content);
            if is_broken(&chunk.content) {
                summary.broken.insert(chunk.tag);
            }
        }
        summary.windows = merged(summary.windows);
        summary
    }

    /// Where among the numbers of the nodes this one is.
    pub(super) fn find(&self, id: i32) -> Option<usize> {
        self.ids.binary_search(&id).ok()
    }

    /// Whether everything in chunks of these tags could be read: then what is missing is missing.
    pub(super) fn is_whole(&self, tags: &[&[u8; 4]]) -> bool {
        !self.is_cut && !tags.iter().any(|tag| self.broken.contains(*tag))
    }

    /// Whether everything could be read.
    pub(super) fn is_sound(&self) -> bool {
        !self.is_cut && self.broken.is_empty()
    }

    /// Whether every node could be read.
    pub(super) fn has_all_nodes(&self) -> bool {
        !self.is_cut && !self.broken.iter().any(|tag| chunk::has_nodes(*tag))
    }

    fn add(&mut self, content: &Content) {
        let total = match content {
            Content::Textures(_) => &mut self.textures,
            Content::Materials(_) => &mut self.materials,
            Content::TextureAnimations(_) => &mut self.texture_animations,
            Content::Geosets(_) | Content::Batches(_) => &mut self.geosets,
            Content::Pivots(_) => &mut self.pivots,
            Content::Sequences(rows) => {
                self.windows.extend(windows(rows));
                &mut self.sequences
            }
            Content::Globals(lengths) => {
                self.globals.extend(lengths.iter().map(|length| length.get()));
                return;
            }
            _ => return,
        };
        *total = total.saturating_add(content.len());
    }
}

/// Whether a part of a chunk could not be read.
fn is_broken(content: &Content) -> bool {
    let mut found = matches!(content, Content::Raw(raw) if raw.damage.is_some());
    content.held(0, &mut |at, seen| match seen {
        Seen::Raw(_) => found = true,
        Seen::Typed(record) => record.broken(at, &mut |_, _| found = true),
    });
    found
}

/// First and last moment of every sequence.
pub(super) fn windows(sequences: &Sequences) -> Vec<(i64, i64)> {
    sequences.rows().into_iter().map(Sequence::window).collect()
}

/// The same in order, with those that meet made one and those that end before they start left out.
fn merged(mut windows: Vec<(i64, i64)>) -> Vec<(i64, i64)> {
    windows.retain(|(start, end)| start <= end);
    windows.sort_unstable();
    let mut found: Vec<(i64, i64)> = Vec::new();
    for (start, end) in windows {
        match found.last_mut() {
            Some(last) if start <= last.1 => last.1 = last.1.max(end),
            _ => found.push((start, end)),
        }
    }
    found
}
