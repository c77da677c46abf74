//! Whole entries: replace, add, clear, remove.

use galvani_core::{EditError, Path};

use super::{
    Document, ENTRY_COUNT, Frames, NOT_AN_ANIMATION, OTHER_ROTATIONS, coded, look, no_entry, other_rotations,
    place, put,
};
use crate::pack::payload::Trailing;
use crate::pack::read::MOST_ENTRIES;
use crate::pack::{Clip, Content, EMPTY_PAYLOAD, Entry, Key, Role, check, payload_len, survey};

/// An entry of frames, for [`add`].
pub fn new_entry(frames: &Frames, key: Key) -> Result<Entry, EditError> {
    let rotations = u32::try_from(frames.rotations()).unwrap_or(u32::MAX);
    coded(0, rotations, frames, key, Trailing::Padding)
}

/// Gives an entry the payload of another animation, which must be sound and have as many rotations.
pub fn replace(document: &mut Document, entry: usize, payload: Vec<u8>) -> Result<(), EditError> {
    let (old, wanted) = rotations(document, entry)?;
    let mut made = Entry::new(old.dw_bones, old.dw_frames, payload);
    let clip = sound_clip(entry, &made)?;
    if clip.rotations != wanted {
        return Err(other_rotations(entry, wanted, clip.rotations));
    }
    made.dw_frames = u32::try_from(clip.engine.frames).unwrap_or(u32::MAX);
    put(document, entry, made);
    Ok(())
}

/// The animation of an entry that is in no pack yet; refused if it is not sound.
fn sound_clip(index: usize, entry: &Entry) -> Result<Clip, EditError> {
    let alone = Document { entries: vec![entry.clone()], ..Document::default() };
    let content = survey(&alone, None).entries.into_iter().next().map(|surveyed| surveyed.content);
    let Some(Content::Animation(clip)) = content else {
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
    key: Key,
) -> Result<(), EditError> {
    let (old, wanted) = rotations(document, entry)?;
    if frames.rotations() != wanted {
        return Err(other_rotations(entry, wanted, frames.rotations()));
    }
    let made = coded(entry, old.dw_bones, frames, key, Trailing::Padding)?;
    put(document, entry, made);
    Ok(())
}

/// Adds an empty slot or a sound animation and says its index: behind the last one of the body, or behind all.
pub fn add(document: &mut Document, role: Role, entry: Entry) -> Result<usize, EditError> {
    let count = document.entries.len();
    countable(document)?;
    if count >= MOST_ENTRIES {
        let found = format!("there are {count} already");
        return Err(ENTRY_COUNT.at(Path::of("count")).saying(found).into());
    }
    let border = survey(document, document.skeleton.as_ref()).border();
    let at = if role == Role::Body { border } else { count };
    let stepped = payload_len(entry.dw_chunk_size, document.walk);
    if stepped != entry.payload.len() {
        let found = format!("the header steps over {stepped} bytes, the payload has {}", entry.payload.len());
        return Err(check::CHUNK_SIZE.at(place(at)).saying(found).into());
    }
    let wanted = match role {
        Role::Body => document.entries.first().map_or(entry.dw_bones, |first| first.dw_bones),
        Role::Weapon => 1,
    };
    if entry.dw_bones != wanted {
        let found = format!("{wanted} wanted, {} found", entry.dw_bones);
        return Err(OTHER_ROTATIONS.at(place(at)).saying(found).into());
    }
    if !entry.is_empty() {
        sound_clip(at, &entry)?;
    }
    document.entries.insert(at, entry);
    Ok(at)
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
    countable(document)?;
    Ok(document.entries.remove(entry))
}

/// Refuses packs whose count names more entries than there are.
fn countable(document: &Document) -> Result<(), EditError> {
    if document.missing > 0 {
        let found = format!("{} entries that the count names are missing", document.missing);
        return Err(ENTRY_COUNT.at(Path::of("count")).saying(found).into());
    }
    Ok(())
}

/// An entry, and the rotations that a frame of it has, or would have.
fn rotations(document: &Document, entry: usize) -> Result<(&Entry, usize), EditError> {
    let (old, content) = look(document, entry)?;
    let rotations = match content {
        Content::Animation(clip) => clip.rotations,
        _ => usize::try_from(old.dw_bones).unwrap_or(usize::MAX),
    };
    Ok((old, rotations))
}
