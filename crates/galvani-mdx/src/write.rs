//! [`Document`] → bytes.

use galvani_core::{Path, WriteError, room};

use crate::model::Write;
use crate::out::Out;
use crate::{Document, MAGIC, check};

/// Room that every file gets at once: a small model does not grow step by step.
const SMALL: usize = 1 << 16;

/// Writes a model from its document alone.
pub fn write(document: &Document) -> Result<Vec<u8>, WriteError> {
    let mut out = Out { bytes: room::with_capacity(SMALL)?, ..Out::default() };
    out.bytes(&MAGIC);
    for chunk in &document.chunks {
        out.bytes(&chunk.tag);
        out.chunk(|out| chunk.content.write(out));
    }
    out.raw(&document.tail);
    if let Some(problem) = out.problem {
        return Err(problem.into());
    }
    // Every size and count in the file is smaller than the file.
    if u32::try_from(out.bytes.len()).is_err() {
        let found = format!("{} bytes", out.bytes.len());
        return Err(check::TOO_LARGE.at(Path::named("chunks")).saying(found).into());
    }
    Ok(out.bytes)
}
