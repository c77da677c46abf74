//! Bytes → [`Document`].

use galvani_core::record::FieldKind;
use galvani_core::{Exhausted, FileMap, Path, Read, ReadError, ReadOptions, Reader, Report, room};

use super::{BONE_LEN, Bone, Document, HEADER_LEN, LOCATION_KIND, check, wire};

/// Reads a skeleton. Bones that are not there are counted and left to [`check`](check::check); under
/// strictness they end the reading.
pub fn read(file: &[u8], options: &ReadOptions) -> Result<Read<Document>, ReadError> {
    let mut r = Reader::new(file, &check::BYTES);
    let header: &wire::Header = r.record("header")?;
    let counted = usize::try_from(header.bone_count.get()).unwrap_or(usize::MAX);
    let found = counted.min(r.remaining() / BONE_LEN);
    let bones: &[wire::Bone] = r.table("bones", found)?;
    let mut map = FileMap::new(file.len());
    map.record::<wire::Header>(Path::root(), 0);
    map.table::<wire::Bone>(Path::named("bones"), HEADER_LEN, found);
    let (at, rest) = (r.offset(), r.rest());
    if !rest.is_empty() {
        map.run(Path::named("rest"), at, rest.len(), FieldKind::Raw);
    }
    let missing = u32::try_from(counted.saturating_sub(found)).unwrap_or(u32::MAX);
    let document = document(header, bones, missing, rest)?;
    options.strictness.enforce(|report| check::damage(&document, report), || map.clone())?;
    Ok(Read { document, map, report: Report::default(), readings: Vec::new() })
}

/// Whether bytes look like a skeleton: a kind that exists, the words that all have, and exactly its bones.
pub fn is_shaped(file: &[u8]) -> bool {
    let Ok(read) = read(file, &ReadOptions::default()) else { return false };
    let document = read.document;
    let Document { kind, unknown_04, unknown_08, unknown_10, piece_count, .. } = document;
    let framed = kind <= 2 && [unknown_04, unknown_08, unknown_10] == [1, 1, 0];
    // A location is little more than a header, which proves less: its words must all be small.
    let small = file.as_chunks::<4>().0.iter().take(12).all(|word| u32::from_le_bytes(*word) < 256);
    let pieces = usize::try_from(piece_count).unwrap_or(usize::MAX).saturating_mul(BONE_LEN);
    let whole = document.missing == 0
        && (document.rest.is_empty() || (kind == LOCATION_KIND && document.rest.len() == pieces));
    framed && small && whole && (kind == LOCATION_KIND) == document.bones.is_empty()
}

fn document(
    header: &wire::Header,
    bones: &[wire::Bone],
    missing: u32,
    rest: &[u8],
) -> Result<Document, Exhausted> {
    Ok(Document {
        kind: header.kind.get(),
        unknown_04: header.unknown_04.get(),
        unknown_08: header.unknown_08.get(),
        bones: room::collected(bones.iter().map(bone))?,
        missing,
        unknown_10: header.unknown_10.get(),
        piece_count: header.piece_count.get(),
        texture_count: header.texture_count.get(),
        body_animation_count: header.body_animation_count.get(),
        weapon_animation_start: header.weapon_animation_start.get(),
        weapon_count: header.weapon_count.get(),
        weapon_animation_count: header.weapon_animation_count.get(),
        unknown_2c: header.unknown_2c.get(),
        unknown_30: header.unknown_30.get(),
        rest: room::copied(rest)?,
    })
}

fn bone(bone: &wire::Bone) -> Bone {
    Bone { parent: bone.parent.get(), length: bone.length.get(), has_model: bone.has_model.get() }
}
