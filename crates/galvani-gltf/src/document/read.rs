//! Bytes → [`Document`].

use std::collections::BTreeMap;

use galvani_core::bytes::Reader;
use galvani_core::{Path, Read, ReadError, ReadOptions, Report, room};

use super::check::{self, BYTES, FRAME, NO_JSON};
use super::json::{Json, Refusal};
use super::{
    BYTE_ORDER_MARK, Binary, CHUNK_HEAD_LEN, Chunk, Document, Frame, HEADER_LEN, JSON, MAGIC, VERSION, map,
};

/// Whether a file begins as a `.glb` does.
pub fn is_marked(file: &[u8]) -> bool {
    file.starts_with(&MAGIC)
}

/// Reads a file. What is no JSON, alone or in glTF's own frame, is refused; everything else is left to
/// [`check`](check::check), and its errors end the reading under strictness.
pub fn read(file: &[u8], options: &ReadOptions) -> Result<Read<Document>, ReadError> {
    let document = document(file)?;
    let map = map::file_map(&document, file.len())?;
    let mut lacking = None;
    let damage = |report: &mut Report| lacking = check::run(&document, report).err();
    options.strictness.enforce(damage, || map.clone())?;
    match lacking {
        Some(lacking) => Err(lacking.into()),
        None => Ok(Read { document, map, report: Report::default(), readings: Vec::new() }),
    }
}

/// Reads a file without the map of its bytes.
pub(super) fn document(file: &[u8]) -> Result<Document, ReadError> {
    let (text, start, frame) = if is_marked(file) { framed(file)? } else { bare(file) };
    let json = Json::read(text).map_err(|refusal| refused(refusal, start))?;
    Ok(Document { json, frame, beside: BTreeMap::new() })
}

fn refused(refusal: Refusal, start: usize) -> ReadError {
    match refusal {
        Refusal::Exhausted(exhausted) => exhausted.into(),
        Refusal::Flaw(flaw) => {
            let said = format!("{} wanted", flaw.wanted);
            NO_JSON.at(Path::named("json")).offset(start.saturating_add(flaw.at)).saying(said).into()
        }
    }
}

/// A text without a frame: where it is and where it begins.
fn bare(file: &[u8]) -> (&[u8], usize, Frame) {
    match file.strip_prefix(&BYTE_ORDER_MARK) {
        Some(text) => (text, BYTE_ORDER_MARK.len(), Frame::Text { has_mark: true }),
        None => (file, 0, Frame::Text { has_mark: false }),
    }
}

/// A text in a frame.
fn framed(file: &[u8]) -> Result<(&[u8], usize, Frame), ReadError> {
    let mut r = Reader::new(file, &BYTES);
    r.bytes("magic", MAGIC.len())?;
    let version = r.u32("version")?;
    if version != VERSION {
        let said = format!("version {VERSION} wanted, {version} found");
        return Err(FRAME.at(Path::named("version")).offset(4).saying(said).into());
    }
    let stated_len = r.u32("length")?;
    let mut head = r.region("chunks", 0, CHUNK_HEAD_LEN)?;
    let stated_text_len = head.u32("length")?;
    let kind = head.bytes("kind", JSON.len())?;
    if kind != JSON {
        let said = format!("`JSON` wanted, `{}` found", kind.escape_ascii());
        let place = Path::named("chunks").index(0).field("kind");
        return Err(FRAME.at(place).offset(HEADER_LEN.saturating_add(4)).saying(said).into());
    }
    let start = r.offset();
    let text = r.bytes("json", wide(stated_text_len))?;
    let zeros = text.iter().rev().take_while(|byte| **byte == 0).count();
    let (text, _) = text.split_at_checked(text.len().saturating_sub(zeros)).unwrap_or((text, &[]));
    let chunks = chunks(&mut r)?;
    let trailing = room::copied(r.rest())?;
    let binary = Binary { stated_len, stated_text_len, zeros, chunks, trailing };
    Ok((text, start, Frame::Binary(binary)))
}

/// Chunks as long as there are whole heads; of the last there may be less than it says.
fn chunks(r: &mut Reader<'_>) -> Result<Vec<Chunk>, ReadError> {
    let mut chunks = Vec::new();
    while r.remaining() >= CHUNK_HEAD_LEN {
        let stated_len = r.u32("length")?;
        let mut kind = [0; 4];
        kind.copy_from_slice(r.bytes("kind", 4)?);
        let bytes = r.bytes("chunk", wide(stated_len).min(r.remaining()))?;
        room::push(&mut chunks, Chunk { kind, stated_len, bytes: room::copied(bytes)? })?;
    }
    Ok(chunks)
}

/// A length of 32 bits.
pub(super) fn wide(len: u32) -> usize {
    usize::try_from(len).unwrap_or(usize::MAX)
}
