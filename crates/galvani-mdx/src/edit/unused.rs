//! What nobody uses, removed: textures, materials, sequences, global sequences, tracks.

use galvani_core::{EditError, room};

use super::sequences::{Keys, remove_sequence, windows};
use super::textures::each_use;
use super::{whole, whole_timeline};
use crate::check::unused_sequences;
use crate::{Content, Document};

/// How much was removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Removed {
    /// Materials.
    pub materials: usize,
    /// Textures.
    pub textures: usize,
    /// Global sequences.
    pub globals: usize,
}

/// Removes the materials that nobody uses, then the textures, then the global sequences.
pub fn remove_unused(document: &mut Document) -> Result<Removed, EditError> {
    // All are asked before any is removed.
    whole(document, &[b"MTLS", b"GEOS", b"RIBB", b"TEXS", b"PRE2", b"GLBS"])?;
    whole_timeline(document)?;
    Ok(Removed {
        materials: remove_unused_materials(document)?,
        textures: remove_unused_textures(document)?,
        globals: remove_unused_globals(document)?,
    })
}

/// Removes the materials that no geoset and no ribbon has, and says how many.
pub fn remove_unused_materials(document: &mut Document) -> Result<usize, EditError> {
    whole(document, &[b"MTLS", b"GEOS", b"RIBB"])?;
    let count = total(document, |content| matches!(content, Content::Materials(_)));
    let mut used = Used::new(count)?;
    each_material(document, &mut |id| used.meet(id));
    let kept = used.kept();
    each_material(document, &mut |id| kept.follow(id));
    let mut at = 0;
    for chunk in &mut document.chunks {
        if let Content::Materials(records) = &mut chunk.content {
            let before = records.items.len();
            records.items.retain(|_| kept.stays(next(&mut at)));
            let gone = before.saturating_sub(records.items.len());
            records.count = records.count.map(|count| less(count, gone));
        }
    }
    Ok(kept.gone)
}

/// Removes the textures that no layer and no emitter shows, and says how many.
pub fn remove_unused_textures(document: &mut Document) -> Result<usize, EditError> {
    whole(document, &[b"TEXS", b"MTLS", b"PRE2"])?;
    let mut used = Used::new(document.textures().len())?;
    each_use(document, &mut |_, id, is_used| if is_used { used.meet(id) } else { id });
    let kept = used.kept();
    each_use(document, &mut |_, id, _| kept.follow(id));
    let mut at = 0;
    for chunk in &mut document.chunks {
        if let Content::Textures(rows) = &mut chunk.content {
            rows.retain(|_| kept.stays(next(&mut at)));
        }
    }
    Ok(kept.gone)
}

/// Removes the global sequences by which no track runs, and says how many.
pub fn remove_unused_globals(document: &mut Document) -> Result<usize, EditError> {
    whole(document, &[b"GLBS"])?;
    whole_timeline(document)?;
    let mut used = Used::new(document.globals().len())?;
    document.each_track(|_, track| {
        used.meet(track.global.into());
    });
    let kept = used.kept();
    document.change_tracks(|track| {
        track.global = i32::try_from(kept.follow(track.global.into())).unwrap_or(track.global);
        true
    });
    let mut at = 0;
    for chunk in &mut document.chunks {
        if let Content::Globals(lengths) = &mut chunk.content {
            lengths.retain(|_| kept.stays(next(&mut at)));
        }
    }
    Ok(kept.gone)
}

/// Removes the sequences that no key lies in, where keys lie in others, and says how many.
pub fn remove_unused_sequences(document: &mut Document) -> Result<usize, EditError> {
    whole_timeline(document)?;
    let unused = unused_sequences(document);
    for index in unused.iter().rev() {
        remove_sequence(document, *index, Keys::Keep)?;
    }
    Ok(unused.len())
}

/// Removes the tracks that have no key in any sequence, and says how many. Events of Warcraft III keep theirs.
pub fn remove_outside_tracks(document: &mut Document) -> Result<usize, EditError> {
    whole(document, &[b"SEQS"])?;
    let windows = windows(document);
    if windows.is_empty() {
        return Ok(0);
    }
    let is_inside = |time: &i32| windows.iter().any(|(start, end)| (*start..=*end).contains(&(*time).into()));
    let before = track_count(document);
    document.change_tracks(|track| {
        track.global != -1 || track.times.is_empty() || track.times.iter().any(is_inside)
    });
    Ok(before.saturating_sub(track_count(document)))
}

/// Removes the tracks that have no keys, and says how many. Events of Warcraft III keep theirs.
pub fn remove_empty_tracks(document: &mut Document) -> usize {
    let before = track_count(document);
    document.change_tracks(|track| !track.times.is_empty());
    before.saturating_sub(track_count(document))
}

fn track_count(document: &Document) -> usize {
    let mut count: usize = 0;
    document.each_tracks(|_, tracks| count = count.saturating_add(tracks.len()));
    count
}

fn total(document: &Document, is_one: impl Fn(&Content) -> bool) -> usize {
    let chunks = document.chunks.iter().map(|chunk| &chunk.content).filter(|content| is_one(content));
    chunks.map(Content::len).fold(0, usize::saturating_add)
}

/// Every index of a material.
fn each_material(document: &mut Document, follow: &mut dyn FnMut(i64) -> i64) {
    let mut word = |word: u32| u32::try_from(follow(word.into())).unwrap_or(word);
    for chunk in &mut document.chunks {
        match &mut chunk.content {
            Content::Geosets(records) => records.typed_mut().for_each(|(_, geoset)| {
                let id = &mut geoset.traits.material_id;
                id.set(word(id.get()));
            }),
            Content::Batches(batches) => batches.iter_mut().for_each(|batch| {
                let id = &mut batch.head.material_id;
                id.set(word(id.get()));
            }),
            Content::Ribbons(records) => records.typed_mut().for_each(|(_, ribbon)| {
                let id = &mut ribbon.fixed.material_id;
                id.set(word(id.get().cast_unsigned()).cast_signed());
            }),
            _ => {}
        }
    }
}

/// Which rows of a table somebody names.
struct Used(Vec<bool>);

impl Used {
    fn new(count: usize) -> Result<Self, EditError> {
        Ok(Used(room::filled(false, count)?))
    }

    /// Somebody names a row; gives the index back.
    fn meet(&mut self, id: i64) -> i64 {
        if let Some(used) = usize::try_from(id).ok().and_then(|id| self.0.get_mut(id)) {
            *used = true;
        }
        id
    }

    fn kept(self) -> Kept {
        let gone = self.0.iter().filter(|used| !**used).count();
        Kept { used: self.0, gone }
    }
}

/// Rows that stay, and what becomes of the indices of those.
struct Kept {
    used: Vec<bool>,
    gone: usize,
}

impl Kept {
    fn stays(&self, index: usize) -> bool {
        self.used.get(index).copied().unwrap_or(true)
    }

    /// The new index of a row. One that leads nowhere leads nowhere afterwards; −1, whatever its width, means nothing.
    fn follow(&self, id: i64) -> i64 {
        let Some(index) = i32::try_from(id).ok().and_then(|id| usize::try_from(id).ok()) else { return id };
        let before = self.used.get(..index).unwrap_or(&self.used);
        let gone = before.iter().filter(|used| !**used).count();
        id.saturating_sub(i64::try_from(gone).unwrap_or(0))
    }
}

/// A counter's next number.
fn next(at: &mut usize) -> usize {
    let now = *at;
    *at = at.saturating_add(1);
    now
}

fn less(count: u32, gone: usize) -> u32 {
    count.saturating_sub(u32::try_from(gone).unwrap_or(u32::MAX))
}
