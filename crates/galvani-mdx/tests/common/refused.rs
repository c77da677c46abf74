//! Edits that are refused, each for a reason that takes some preparing.
#![allow(clippy::unwrap_used, clippy::indexing_slicing, reason = "a helper that fails is a failed test")]

use galvani_core::EditError;
use galvani_mdx::edit::{self, TrackRef};
use galvani_mdx::{Content, Document};

/// Copies a sequence of a model whose nodes have other names.
pub fn shares_no_node(document: &mut Document) -> Result<edit::Copied, EditError> {
    let mut other = document.clone();
    for node in 0..other.nodes().len() {
        edit::rename_node(&mut other, node, &format!("Other {node}")).unwrap();
    }
    edit::copy_sequence(document, &other, 0)
}

/// Renumbers nodes of which one hangs on one that is not there.
pub fn names_nobody(document: &mut Document) -> Result<bool, EditError> {
    for chunk in &mut document.chunks {
        if let Content::Bones(records) = &mut chunk.content {
            records.typed_mut().next().unwrap().1.node.fixed.parent_id.set(70);
        }
    }
    edit::renumber_nodes(document)
}

/// Renumbers the nodes of a model with bind poses.
pub fn bound(document: &mut Document) -> Result<bool, EditError> {
    let pose = galvani_mdx::wire::BindPose { matrix: [0.0.into(); 12] };
    document.chunks.push(galvani_mdx::Chunk { tag: *b"BPOS", content: Content::BindPoses(vec![pose]) });
    edit::renumber_nodes(document)
}

/// Names a track that a record has twice.
pub fn repeated(document: &mut Document) -> Result<usize, EditError> {
    let all = edit::tracks(document);
    let twice = all.iter().find(|one| all.iter().filter(|other| other == one).count() > 1).unwrap();
    edit::reduce(document, twice, 0.1)
}

/// Names a track whose keys are out of order.
pub fn disordered(document: &mut Document) -> Result<usize, EditError> {
    let mut odd = None;
    document.each_track(|path, track| {
        if !track.times.is_sorted() {
            odd = Some(TrackRef::from(path));
        }
    });
    edit::reduce(document, &odd.unwrap(), 0.1)
}

/// Hangs a node on one whose number another has, too.
pub fn ambiguous(document: &mut Document) -> Result<(), EditError> {
    let ids: Vec<i32> = document.nodes().iter().map(|placed| placed.node.fixed.object_id.get()).collect();
    let twice = ids.iter().position(|id| ids.iter().filter(|other| other == &id).count() > 1).unwrap();
    let other = ids.iter().position(|id| *id != ids[twice]).unwrap();
    edit::reparent_node(document, other, Some(twice))
}
