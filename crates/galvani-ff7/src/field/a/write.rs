//! [`Document`] → bytes.

use galvani_core::{Path, WriteError, Writer};
use zerocopy::little_endian::{F32, U32};

use super::{Document, HEADER_LEN, check, frame_len, wire};

/// Writes an animation from its document alone.
pub fn write(document: &Document) -> Result<Vec<u8>, WriteError> {
    let frames = &document.frames;
    let count = u32::try_from(frames.len()).ok().and_then(|len| len.checked_add(document.missing));
    let Some(count) = count else {
        let found = format!("{} frames and {} missing ones", frames.len(), document.missing);
        return Err(check::TOO_LARGE.at(Path::named("frame_count")).saying(found).into());
    };
    let frame = usize::try_from(frame_len(frames.bones())).unwrap_or(0);
    let len = frames.len().saturating_mul(frame).saturating_add(HEADER_LEN);
    let mut w = Writer::with_capacity(len.saturating_add(document.rest.len()))?;
    w.record(&wire::Header {
        version: U32::new(document.version),
        frame_count: U32::new(count),
        bone_count: U32::new(frames.bones()),
        rotation_order: document.rotation_order,
        unknown_0f: document.unknown_0f,
        run_time: document.run_time.map(U32::new),
    });
    for frame in frames.iter() {
        let rotation = frame.rotation.map(F32::new);
        w.record(&wire::FrameRoot { rotation, position: frame.position.map(F32::new) });
        for bone in frame.bones {
            w.record(&wire::Bone { rotation: bone.map(F32::new) });
        }
    }
    w.bytes(&document.rest);
    Ok(w.finish())
}
