//! The frame of a `.glb`: a header, the JSON, the bytes.

use galvani_core::{Path, WriteError};

use crate::buffer::Bin;
use crate::schema::TopLevel;
use crate::{TOO_LARGE, text};

const MAGIC: [u8; 4] = *b"glTF";
const VERSION: u32 = 2;
const JSON: [u8; 4] = *b"JSON";
const BIN: [u8; 4] = *b"BIN\0";
/// Length and kind before each chunk.
const CHUNK_HEAD_LEN: usize = 8;
/// Where the text begins: behind magic, version, length and its own head.
const JSON_START: usize = 20;
/// Chunks start and end on a multiple of this.
pub(crate) const ALIGNMENT: usize = 4;

/// Puts JSON and bytes together; without bytes there is no second chunk.
pub(crate) fn frame(root: &TopLevel, bin: &Bin) -> Result<Vec<u8>, WriteError> {
    let bin_len = if bin.len() == 0 { 0 } else { bin.len().saturating_add(CHUNK_HEAD_LEN) };
    let mut file = vec![0; JSON_START];
    file.reserve_exact(text::about(root).saturating_add(bin_len));
    text::write(&mut file, root)?;
    pad(&mut file, b' ');
    let (len, json_len) = (file.len().saturating_add(bin_len), file.len().saturating_sub(JSON_START));
    let head = [MAGIC, VERSION.to_le_bytes(), short(len)?, short(json_len)?, JSON];
    for (place, word) in file.as_chunks_mut().0.iter_mut().zip(head) {
        *place = word;
    }
    if bin_len > 0 {
        file.extend(short(bin.len())?);
        file.extend(BIN);
        bin.write(&mut file);
    }
    Ok(file)
}

/// Fills up to the next multiple of [`ALIGNMENT`].
pub(crate) fn pad(bytes: &mut Vec<u8>, with: u8) {
    bytes.resize(bytes.len().next_multiple_of(ALIGNMENT), with);
}

/// A length as it is written.
fn short(len: usize) -> Result<[u8; 4], WriteError> {
    let found = || TOO_LARGE.at(Path::root()).saying(format!("{len} bytes wanted, {} at most", u32::MAX));
    u32::try_from(len).map(u32::to_le_bytes).map_err(|_| found().into())
}
