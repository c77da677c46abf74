//! [`Document`] → bytes.

use galvani_core::{Path, WriteError, Writer};
use zerocopy::little_endian::{F32, I32, U32};

use super::{BONE_LEN, Document, HEADER_LEN, check, wire};

/// Writes a skeleton from its document alone.
pub fn write(document: &Document) -> Result<Vec<u8>, WriteError> {
    let count = u32::try_from(document.bones.len()).ok().and_then(|len| len.checked_add(document.missing));
    let Some(count) = count else {
        let found = format!("{} bones and {} missing ones", document.bones.len(), document.missing);
        return Err(check::TOO_LARGE.at(Path::named("bone_count")).saying(found).into());
    };
    let bones = document.bones.len().saturating_mul(BONE_LEN);
    let mut w = Writer::with_capacity(HEADER_LEN.saturating_add(bones).saturating_add(document.rest.len()))?;
    w.record(&wire::Header {
        kind: U32::new(document.kind),
        unknown_04: U32::new(document.unknown_04),
        unknown_08: U32::new(document.unknown_08),
        bone_count: U32::new(count),
        unknown_10: U32::new(document.unknown_10),
        piece_count: U32::new(document.piece_count),
        texture_count: U32::new(document.texture_count),
        body_animation_count: U32::new(document.body_animation_count),
        weapon_animation_start: U32::new(document.weapon_animation_start),
        weapon_count: U32::new(document.weapon_count),
        weapon_animation_count: U32::new(document.weapon_animation_count),
        unknown_2c: U32::new(document.unknown_2c),
        unknown_30: U32::new(document.unknown_30),
    });
    for bone in &document.bones {
        w.record(&wire::Bone {
            parent: I32::new(bone.parent),
            length: F32::new(bone.length),
            has_model: U32::new(bone.has_model),
        });
    }
    w.bytes(&document.rest);
    Ok(w.finish())
}
