//! The frame of a `.glb`: a header, the JSON, the bytes.

use galvani_core::{Path, WriteError};

use crate::TOO_LARGE;
use crate::buffer::Bin;

const MAGIC: [u8; 4] = *b"glTF";
const VERSION: u32 = 2;
const JSON: [u8; 4] = *b"JSON";
const BIN: [u8; 4] = *b"BIN\0";
/// Magic, version, length.
const HEADER_LEN: usize = 12;
/// Length and kind before each chunk.
const CHUNK_HEAD_LEN: usize = 8;
/// Chunks start and end on a multiple of this.
pub(crate) const ALIGNMENT: usize = 4;

/// Puts JSON and bytes together; without bytes there is no second chunk.
pub(crate) fn frame(mut json: Vec<u8>, bin: &Bin) -> Result<Vec<u8>, WriteError> {
    pad(&mut json, b' ');
    let chunk = |len: usize| len.saturating_add(CHUNK_HEAD_LEN);
    let bin_len = if bin.len() == 0 { 0 } else { chunk(bin.len()) };
    let len = HEADER_LEN.saturating_add(chunk(json.len())).saturating_add(bin_len);
    let mut file = Vec::with_capacity(len);
    file.extend(MAGIC);
    file.extend(VERSION.to_le_bytes());
    file.extend(short(len)?.to_le_bytes());
    head(&mut file, JSON, json.len())?;
    file.extend_from_slice(&json);
    if bin.len() > 0 {
        head(&mut file, BIN, bin.len())?;
        bin.write(&mut file);
    }
    Ok(file)
}

/// What stands before a chunk.
fn head(file: &mut Vec<u8>, kind: [u8; 4], len: usize) -> Result<(), WriteError> {
    file.extend(short(len)?.to_le_bytes());
    file.extend(kind);
    Ok(())
}

/// Fills up to the next multiple of [`ALIGNMENT`].
pub(crate) fn pad(bytes: &mut Vec<u8>, with: u8) {
    bytes.resize(bytes.len().next_multiple_of(ALIGNMENT), with);
}

fn short(len: usize) -> Result<u32, WriteError> {
    let found = || TOO_LARGE.at(Path::root()).saying(format!("{len} bytes wanted, {} at most", u32::MAX));
    u32::try_from(len).map_err(|_| found().into())
}
