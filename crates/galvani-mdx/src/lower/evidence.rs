//! Enough tracks for whoever reads a model of WoW to know the form of their heads (docs/formats/mdx.md#readings).

use glam::Vec3;

use super::Lower;
use super::clip::{Span, resting};
use crate::track::Track;
use crate::{Chunk, Content, Held};

/// Records with tracks from which on readers are sure.
const ENOUGH: usize = 3;

/// Gives tracks in which everything rests to records that have none, as long as there are some tracks, but too few.
pub(super) fn add(lower: &mut Lower<'_>, chunks: &mut [Chunk], spans: &[Span<'_>]) {
    let mut lists: Vec<(&mut Vec<Track>, Track)> = Vec::new();
    let still = resting(lower, *b"KGTR", spans, Vec3::ZERO);
    for chunk in chunks {
        match &mut chunk.content {
            Content::Materials(rows) => {
                let materials = rows.items.iter_mut().filter_map(Held::typed_mut);
                for layer in materials.flat_map(|it| it.layers.iter_mut()).filter_map(Held::typed_mut) {
                    let opaque = resting(lower, *b"KMTA", spans, layer.fixed.alpha.get());
                    lists.push((&mut layer.tracks, opaque));
                }
            }
            Content::Bones(rows) => {
                let bones = rows.items.iter_mut().filter_map(Held::typed_mut);
                lists.extend(bones.map(|bone| (&mut bone.node.tracks, still.clone())));
            }
            Content::Helpers(rows) => {
                let helpers = rows.items.iter_mut().filter_map(Held::typed_mut);
                lists.extend(helpers.map(|node| (&mut node.tracks, still.clone())));
            }
            Content::GeosetAnimations(rows) => {
                let seen = resting(lower, *b"KGAO", spans, 1.0);
                let rows = rows.items.iter_mut().filter_map(Held::typed_mut);
                lists.extend(rows.map(|row| (&mut row.tracks, seen.clone())));
            }
            _ => {}
        }
    }
    let count = lists.iter().filter(|(tracks, _)| !tracks.is_empty()).count();
    if count == 0 {
        return;
    }
    let bare = lists.into_iter().filter(|(tracks, _)| tracks.is_empty());
    for (tracks, track) in bare.take(ENOUGH.saturating_sub(count)) {
        tracks.push(track);
    }
}
