//! Textures, and the indices of those who use them.

use galvani_core::record::Text;
use galvani_core::{EditError, Path};
use zerocopy::little_endian::{I32, U32};

use super::{DAMAGED, NO_TEXTURE, TEXTURE_USED, VALUE, put_chunk, text, whole};
use crate::model::{Block2, Layer};
use crate::track::TrackValue;
use crate::wire::Texture;
use crate::{Content, Document};

/// Bits of a texture that are known: wrapping across and down.
const FLAGS: u32 = 3;

/// Gives a texture a file, which the game then takes: the id of a texture that it puts there becomes 0.
pub fn set_texture(document: &mut Document, index: usize, path: &str) -> Result<(), EditError> {
    let room = text(place(index).field("path"), path)?;
    let row = texture_mut(document, index)?;
    row.path = Text(room);
    row.replaceable_id = U32::new(0);
    Ok(())
}

/// Says which texture the game puts there, 0 for none. The path stays.
pub fn set_texture_replaceable(document: &mut Document, index: usize, id: u32) -> Result<(), EditError> {
    texture_mut(document, index)?.replaceable_id = U32::new(id);
    Ok(())
}

/// Says whether a texture wraps, 1 across and 2 down. Bits that nobody knows stay.
pub fn set_texture_flags(document: &mut Document, index: usize, flags: u32) -> Result<(), EditError> {
    known(index, flags)?;
    let row = texture_mut(document, index)?;
    row.flags = U32::new(row.flags.get() & !FLAGS | flags);
    Ok(())
}

/// Adds a texture behind the others and says its index. Of the flags, 1 wraps across and 2 down.
pub fn add_texture(
    document: &mut Document,
    path: &str,
    replaceable: u32,
    flags: u32,
) -> Result<usize, EditError> {
    let index = document.textures().len();
    let path = Text(text(place(index).field("path"), path)?);
    known(index, flags)?;
    whole(document, &[b"TEXS"])?;
    let row = Texture { replaceable_id: U32::new(replaceable), path, flags: U32::new(flags) };
    let last = document.chunks.iter_mut().rev().find_map(|chunk| match &mut chunk.content {
        Content::Textures(rows) => Some(rows),
        _ => None,
    });
    match last {
        Some(rows) => rows.push(row),
        None => put_chunk(document, *b"TEXS", Content::Textures(vec![row])),
    }
    Ok(index)
}

/// Removes a texture; the indices of those behind it follow. One that is used is only removed if `instead`
/// says which other one its users get.
pub fn remove_texture(
    document: &mut Document,
    index: usize,
    instead: Option<usize>,
) -> Result<(), EditError> {
    texture_mut(document, index)?;
    let count = document.textures().len();
    if let Some(other) = instead.filter(|other| *other == index || *other >= count) {
        return Err(no_texture(other, count));
    }
    whole(document, &[b"TEXS", b"MTLS", b"PRE2"])?;
    let plan = Plan { removed: number(index)?, instead: instead.map(number).transpose()? };
    if plan.instead.is_none() {
        let mut user = None;
        each_use(document, &mut |path, id, is_used| {
            if is_used && id == plan.removed {
                user.get_or_insert(path);
            }
            id
        });
        if let Some(path) = user {
            return Err(TEXTURE_USED.at(path).saying(format!("texture {index}")).into());
        }
    }
    each_use(document, &mut |_, id, _| plan.follow(id));
    let mut before: usize = 0;
    for chunk in &mut document.chunks {
        if let Content::Textures(rows) = &mut chunk.content {
            let len = rows.len();
            if let Some(at) = index.checked_sub(before).filter(|at| *at < len) {
                rows.remove(at);
                break;
            }
            before = before.saturating_add(len);
        }
    }
    Ok(())
}

/// What becomes of indices.
struct Plan {
    removed: i64,
    instead: Option<i64>,
}

impl Plan {
    fn follow(&self, id: i64) -> i64 {
        let id = if id == self.removed { self.instead.unwrap_or(id) } else { id };
        if id > self.removed { id.saturating_sub(1) } else { id }
    }
}

/// What becomes of one index: where it stands, the index, and whether the game looks at it.
pub(super) type Follow<'a> = &'a mut dyn FnMut(Path, i64, bool) -> i64;

/// Every index of a texture.
pub(super) fn each_use(document: &mut Document, follow: Follow<'_>) {
    let (mut materials, mut emitters) = (0_usize, 0_usize);
    for chunk in &mut document.chunks {
        match &mut chunk.content {
            Content::Materials(records) => {
                for (i, material) in records.typed_mut() {
                    let path = Path::named("MTLS").index(materials.saturating_add(i)).field("LAYS");
                    for (i, layer) in material.layers.iter_mut().enumerate() {
                        if let Some(layer) = layer.typed_mut() {
                            layer_uses(path.index(i), layer, follow);
                        }
                    }
                }
                materials = materials.saturating_add(records.items.len());
            }
            Content::Emitters2(records) => {
                for (i, emitter) in records.typed_mut() {
                    let path = Path::named("PRE2").index(emitters.saturating_add(i)).field("texture_id");
                    let id = match &mut emitter.block {
                        Block2::Warcraft(fixed) => &mut fixed.texture_id,
                        Block2::Wow { fixed, .. } => &mut fixed.texture_id,
                    };
                    signed(path, id, true, follow);
                }
                emitters = emitters.saturating_add(records.items.len());
            }
            _ => {}
        }
    }
}

fn layer_uses(path: Path, layer: &mut Layer, follow: Follow<'_>) {
    let mut has_list = false;
    for (i, texture) in layer.textures.iter_mut().flat_map(|textures| textures.list.iter_mut().enumerate()) {
        has_list = true;
        let path = path.field("textures").index(i);
        let id = follow(path.field("texture_id"), i64::from(texture.fixed.texture_id.get()), true);
        texture.fixed.texture_id.set(u32::try_from(id).unwrap_or(u32::MAX));
        if let Some(track) = &mut texture.track {
            words(path.field(track.name()), &mut track.values, follow);
        }
    }
    // From 1100 on the list says it, and the old field is left over.
    signed(path.field("texture_id"), &mut layer.fixed.texture_id, !has_list, follow);
    for track in layer.tracks.iter_mut().filter(|track| track.value == TrackValue::Number) {
        words(path.field(track.name()), &mut track.values, follow);
    }
}

fn signed(path: Path, id: &mut I32, is_used: bool, follow: Follow<'_>) {
    let new = follow(path, i64::from(id.get()), is_used);
    id.set(i32::try_from(new).unwrap_or(i32::MAX));
}

fn words(path: Path, ids: &mut [u32], follow: Follow<'_>) {
    for id in ids {
        *id = u32::try_from(follow(path, i64::from(*id), true)).unwrap_or(u32::MAX);
    }
}

/// Refuses flags that nobody knows.
fn known(index: usize, flags: u32) -> Result<(), EditError> {
    if flags & !FLAGS == 0 {
        return Ok(());
    }
    let found = format!("0 to {FLAGS} wanted, {flags} found");
    Err(VALUE.at(place(index).field("flags")).saying(found).into())
}

fn texture_mut(document: &mut Document, index: usize) -> Result<&mut Texture, EditError> {
    let count = document.textures().len();
    let rows = document.chunks.iter_mut().flat_map(|chunk| match &mut chunk.content {
        Content::Textures(rows) => rows.iter_mut(),
        _ => [].iter_mut(),
    });
    { rows }.nth(index).ok_or_else(|| no_texture(index, count))
}

/// An index as users store it; a table that has more is no table that was read.
fn number(index: usize) -> Result<i64, EditError> {
    i64::try_from(index).map_err(|_| DAMAGED.at(Path::named("TEXS")).into())
}

fn no_texture(index: usize, count: usize) -> EditError {
    NO_TEXTURE.at(place(index)).saying(format!("texture {index} of {count}")).into()
}

fn place(index: usize) -> Path {
    Path::named("TEXS").index(index)
}
