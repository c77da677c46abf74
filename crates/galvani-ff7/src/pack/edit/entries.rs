//! Whole entries: replace, add, clear, remove.

use galvani_core::{EditError, Path};

use super::{
    Document, ENTRY_COUNT, Frames, NOT_AN_ANIMATION, OTHER_ROTATIONS, coded, no_entry, other_rotations,
    place, replace_entry, surveyor,
};
use crate::pack::payload::Trailing;
use crate::pack::read::MOST_ENTRIES;
use crate::pack::survey::Surveyor;
use crate::pack::{
    AngleKey, Clip, EMPTY_PAYLOAD, Entry, EntryContent, KnownSkeleton, Role, check, payload_len, survey,
};

/// An entry of frames, for [`add`].
pub fn new_entry(frames: &Frames, key: AngleKey) -> Result<Entry, EditError> {
    let rotations = u32::try_from(frames.rotations()).unwrap_or(u32::MAX);
    coded(0, rotations, frames, key, Trailing::Padding)
}

/// Gives an entry the payload of another animation, which must be sound and have as many rotations.
pub fn replace(document: &mut Document, entry: usize, payload: Vec<u8>) -> Result<(), EditError> {
    let (dw_bones, wanted) = rotations(document, entry)?;
    let mut made = Entry::new(dw_bones, 0, payload);
    let clip = sound_clip(document, entry, &made)?;
    if clip.rotations != wanted {
        return Err(other_rotations(entry, wanted, clip.rotations));
    }
    made.dw_frames = u32::try_from(clip.engine.frames).unwrap_or(u32::MAX);
    replace_entry(document, entry, made);
    Ok(())
}

/// The animation of an entry that is not in the pack yet; refused if it is not sound.
fn sound_clip(document: &Document, index: usize, entry: &Entry) -> Result<Clip, EditError> {
    let alone = Document { entries: vec![entry.clone()], ..Document::default() };
    let skeleton = document.skeleton.map(|skeleton| KnownSkeleton { body_animations: None, ..skeleton });
    let content =
        survey(&alone, skeleton.as_ref()).entries.into_iter().next().map(|surveyed| surveyed.content);
    let Some(EntryContent::Animation(clip)) = content else {
        let found = format!("{} bytes that are no sound animation", entry.payload.len());
        return Err(NOT_AN_ANIMATION.at(place(index)).saying(found).into());
    };
    Ok(clip)
}

/// Gives an entry, whatever it holds, frames at a key.
pub fn replace_frames(
    document: &mut Document,
    entry: usize,
    frames: &Frames,
    key: AngleKey,
) -> Result<(), EditError> {
    let (dw_bones, wanted) = rotations(document, entry)?;
    if frames.rotations() != wanted {
        return Err(other_rotations(entry, wanted, frames.rotations()));
    }
    let made = coded(entry, dw_bones, frames, key, Trailing::Padding)?;
    replace_entry(document, entry, made);
    Ok(())
}

/// Adds an empty slot or a sound animation and says its index: behind the last one of the body, or behind all.
pub fn add(document: &mut Document, role: Role, entry: Entry) -> Result<usize, EditError> {
    let count = document.entries.len();
    if count >= MOST_ENTRIES {
        let found = format!("there are {count} already");
        return Err(ENTRY_COUNT.at(Path::named("count")).saying(found).into());
    }
    let mut surveyor = surveyor(document);
    let at = if role == Role::Body { surveyor.border } else { count };
    if at == count {
        countable(document)?;
    }
    let stepped = payload_len(entry.dw_chunk_size, document.walk);
    if stepped != entry.payload.len() {
        let found = format!("the header steps over {stepped} bytes, the payload has {}", entry.payload.len());
        return Err(check::CHUNK_SIZE.at(place(at)).saying(found).into());
    }
    let wanted = match role {
        Role::Body => like(document, &mut surveyor, Role::Body)
            .map(|(dw_bones, _)| dw_bones)
            .or(document.entries.first().map(|first| first.dw_bones))
            .unwrap_or(entry.dw_bones),
        Role::Weapon => 1,
    };
    if entry.dw_bones != wanted {
        let found = format!("{wanted} wanted, {} found", entry.dw_bones);
        return Err(OTHER_ROTATIONS.at(place(at)).saying(found).into());
    }
    if !entry.is_empty() {
        sound_clip(document, at, &entry)?;
    }
    document.entries.insert(at, entry);
    Ok(at)
}

/// Adds a copy of another pack's animation and says its index: behind the last one of the body if it is the body's there, or behind
/// all. It must be sound, and have as many rotations as the animations here.
pub fn copy_clip(document: &mut Document, other: &Document, entry: usize) -> Result<usize, EditError> {
    let mut surveyor = surveyor(other);
    let (found, surveyed) =
        other.entries.get(entry).zip(surveyor.entry(entry)).ok_or_else(|| no_entry(other, entry))?;
    if !matches!(surveyed.content, EntryContent::Animation(_)) {
        return Err(NOT_AN_ANIMATION.at(place(entry)).saying("in the other pack").into());
    }
    add(document, surveyed.role, found.clone())
}

/// Makes an entry an empty slot. One that is empty stays as it is.
pub fn clear(document: &mut Document, entry: usize) -> Result<(), EditError> {
    let walk = document.walk;
    let Some(entry) = document.entries.get_mut(entry) else { return Err(no_entry(document, entry)) };
    if !entry.is_empty() {
        *entry = Entry::new(entry.dw_bones, 1, EMPTY_PAYLOAD.to_vec());
        // The documented walk steps over 8 bytes here.
        entry.payload.resize(payload_len(entry.dw_chunk_size, walk), 0);
    }
    Ok(())
}

/// Takes an entry away; those behind it move up.
pub fn remove(document: &mut Document, entry: usize) -> Result<Entry, EditError> {
    if entry >= document.entries.len() {
        return Err(no_entry(document, entry));
    }
    Ok(document.entries.remove(entry))
}

/// Refuses packs whose last entry is not the last that the count names: nobody knows what is behind it.
fn countable(document: &Document) -> Result<(), EditError> {
    if document.missing > 0 {
        let found = format!("{} entries that the count names are missing", document.missing);
        return Err(ENTRY_COUNT.at(Path::named("count")).saying(found).into());
    }
    Ok(())
}

/// What the header of an entry says, and the rotations that a frame of it has. A damaged entry may say anything: it
/// gets what the others of its kind have.
fn rotations(document: &Document, entry: usize) -> Result<(u32, usize), EditError> {
    let mut surveyor = surveyor(document);
    let old = document.entries.get(entry).zip(surveyor.entry(entry));
    let (old, surveyed) = old.ok_or_else(|| no_entry(document, entry))?;
    let own = (old.dw_bones, usize::try_from(old.dw_bones).unwrap_or(usize::MAX));
    Ok(match surveyed.content {
        EntryContent::Animation(clip) => (old.dw_bones, clip.rotations),
        EntryContent::Empty => own,
        EntryContent::Damaged { .. } => like(document, &mut surveyor, surveyed.role).unwrap_or(own),
    })
}

/// What the first sound animation of a kind has.
fn like(document: &Document, surveyor: &mut Surveyor<'_>, role: Role) -> Option<(u32, usize)> {
    let mut entries = document.entries.iter().enumerate();
    entries.find_map(|(i, entry)| match surveyor.entry_of(role, i)?.content {
        EntryContent::Animation(clip) => Some((entry.dw_bones, clip.rotations)),
        _ => None,
    })
}
