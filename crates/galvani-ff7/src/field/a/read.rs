//! Bytes → [`Document`].

use galvani_core::record::FieldKind;
use galvani_core::{FileMap, Path, Read, ReadError, ReadOptions, Reader, Report, room};
use zerocopy::FromBytes;
use zerocopy::little_endian::{F32, U32};

use super::{Document, Frames, HEADER_LEN, ORDER, ROOT_LEN, VERSION, check, frame_len, wire};

/// Whether a file is just as long as its header says, and the header is one.
pub fn is_shaped(file: &[u8]) -> bool {
    let Ok((header, rest)) = wire::Header::ref_from_prefix(file) else { return false };
    let wanted = u64::from(header.frame_count.get()).checked_mul(frame_len(header.bone_count.get()));
    header.version.get() == VERSION
        && header.rotation_order == ORDER
        && wanted.is_some()
        && wanted == u64::try_from(rest.len()).ok()
}

/// Reads an animation. Frames that are not there are counted and left to [`check`](check::check); under
/// strictness they end the reading.
pub fn read(file: &[u8], options: &ReadOptions) -> Result<Read<Document>, ReadError> {
    let mut r = Reader::new(file, &check::BYTES);
    let header: &wire::Header = r.record("header")?;
    let bones = header.bone_count.get();
    let left = u64::try_from(r.remaining()).unwrap_or(u64::MAX);
    let whole = left.checked_div(frame_len(bones)).unwrap_or(0);
    let found = u64::from(header.frame_count.get()).min(whole);
    let missing = u64::from(header.frame_count.get()).saturating_sub(found);
    let mut map = FileMap::new(file.len());
    map.record::<wire::Header>(Path::root(), 0);
    let mut frames = Frames::with_room(bones, found)?;
    let mut turns = match found {
        0 => Vec::new(),
        _ => room::with_capacity(usize::try_from(bones).unwrap_or(usize::MAX))?,
    };
    for i in 0..usize::try_from(found).unwrap_or(0) {
        frame(&mut r, i, &mut turns, &mut frames, &mut map)?;
    }
    if bones == 0 && !frames.is_empty() {
        map.table::<wire::FrameRoot>(Path::named("frames"), HEADER_LEN, frames.len());
    }
    let (at, rest) = (r.offset(), r.rest());
    if !rest.is_empty() {
        map.run(Path::named("rest"), at, rest.len(), FieldKind::Raw);
    }
    let document = Document {
        version: header.version.get(),
        rotation_order: header.rotation_order,
        unknown_0f: header.unknown_0f,
        run_time: header.run_time.map(U32::get),
        frames,
        missing: u32::try_from(missing).unwrap_or(u32::MAX),
        rest: room::copied(rest)?,
    };
    options.strictness.enforce(|report| check::damage(&document, report), || map.clone())?;
    Ok(Read { document, map, report: Report::default(), readings: Vec::new() })
}

/// Reads a frame; `turns` is room for its bones.
fn frame(
    r: &mut Reader<'_>,
    index: usize,
    turns: &mut Vec<[f32; 3]>,
    frames: &mut Frames,
    map: &mut FileMap,
) -> Result<(), ReadError> {
    let start = r.offset();
    let count = usize::try_from(frames.bones()).unwrap_or(usize::MAX);
    let root: &wire::FrameRoot = r.record("frames")?;
    let bones: &[wire::Bone] = r.table("bones", count)?;
    turns.clear();
    turns.extend(bones.iter().map(|bone| bone.rotation.map(F32::get)));
    frames.push(root.rotation.map(F32::get), root.position.map(F32::get), turns);
    // Frames without bones are one table.
    if count > 0 {
        let path = Path::named("frames").index(index);
        map.record::<wire::FrameRoot>(path, start);
        map.table::<wire::Bone>(path.field("bones"), start.saturating_add(ROOT_LEN), count);
    }
    Ok(())
}
