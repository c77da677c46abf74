//! From packed payloads to contents.

use galvani_core::{Diagnostic, Path, room};

use super::codec::{self, Failure, Unpacked};
use super::{Document, Entry, Payload, check};

/// Largest content that is unpacked unless somebody asks for more: far above any of the game's.
pub const MOST_CONTENT: usize = 1 << 28;

impl Document {
    /// The content of an entry, unpacked.
    pub fn content(&self, entry: usize) -> Result<Vec<u8>, Box<Diagnostic>> {
        self.content_within(entry, MOST_CONTENT)
    }

    /// The content of an entry if it has at most so many bytes.
    pub fn content_within(&self, entry: usize, most: usize) -> Result<Vec<u8>, Box<Diagnostic>> {
        let key = self.keys().get(entry).copied().unwrap_or(0);
        self.unpacked(entry, key, most).map(|unpacked| unpacked.bytes)
    }

    /// The same with the key known, and how many of the packed bytes were needed.
    pub(super) fn unpacked(&self, i: usize, key: u16, most: usize) -> Result<Unpacked, Box<Diagnostic>> {
        let path = Path::named("entries").index(i);
        let Some(entry) = self.entries.get(i) else {
            let found = format!("entry {i} of {}", self.entries.len());
            return Err(Box::new(check::NO_ENTRY.at(path).saying(found)));
        };
        let Some(packed) = self.packed(i) else { return Err(Box::new(outside(path, entry))) };
        let Some(method) = entry.method() else { return Err(Box::new(unknown_method(path, entry))) };
        let wanted = entry.unpacked_size;
        let Some(len) = usize::try_from(wanted).ok().filter(|&len| len <= most) else {
            let found = format!("{wanted} bytes, {most} at most");
            return Err(Box::new(check::CONTENT_LIMIT.at(path.field("unpacked_size")).saying(found)));
        };
        let said = |made: usize| format!("{method}: {wanted} bytes wanted, {made} come of {}", packed.len());
        let at = Path::named("payloads").index(i);
        let finding = match codec::unpack(method, key, packed, len) {
            Ok(unpacked) => return Ok(unpacked),
            Err(Failure::NoRoom { wanted }) => return Err(room::refusal(wanted).into()),
            Err(_) if method.keeps_len() => {
                let found = format!("{method}: {wanted} bytes wanted, {} there", packed.len());
                check::STORED_SIZE.at(path.field("packed_size")).saying(found)
            }
            Err(Failure::Short { made }) => check::UNPACK_SHORT.at(at).saying(said(made)),
            Err(Failure::Long) => {
                check::UNPACK_LONG.at(at).saying(format!("{method}: {wanted} bytes wanted, more come"))
            }
            Err(Failure::Corrupt { made }) => check::UNPACK_CORRUPT.at(at).saying(said(made)),
        };
        Err(Box::new(finding))
    }
}

/// The finding of a payload that the archive does not have.
pub(super) fn outside(path: Path, entry: &Entry) -> Diagnostic {
    let path = path.field("data_offset");
    match entry.payload {
        Payload::Outside { offset, size } => {
            check::PAYLOAD_OUTSIDE.at(path).saying(format!("{size} bytes at 0x{offset:x}"))
        }
        Payload::Held { .. } => check::PAYLOAD_LOST.at(path),
    }
}

/// The finding of a payload that nobody can unpack.
pub(super) fn unknown_method(path: Path, entry: &Entry) -> Diagnostic {
    let found = format!("0x{:03x} in flags 0x{:04x}", entry.flags & codec::METHOD_BITS, entry.flags);
    check::METHOD.at(path.field("flags")).saying(found)
}
