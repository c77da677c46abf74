//! The flat list of chunks (docs/formats/mdx.md#container): tag, size without its head, payload.

use galvani_core::{Diagnostic, Path, Reader, text};

use crate::check;
use crate::wire;

/// A chunk as it stands in the file.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Head<'a> {
    pub(crate) tag: [u8; 4],
    pub(crate) payload: &'a [u8],
}

/// The chunks of a file up to where there is none, and why there is none.
pub(crate) struct Walk<'a> {
    pub(crate) chunks: Vec<Head<'a>>,
    /// Bytes behind the last chunk.
    pub(crate) tail: &'a [u8],
    /// Why they are no chunk; nothing if they are only zeros.
    pub(crate) damage: Option<Diagnostic>,
}

/// Walks the chunks behind the magic.
pub(crate) fn walk(file: &[u8]) -> Walk<'_> {
    let mut r = Reader::new(file, &check::BYTES);
    let mut chunks = Vec::new();
    let mut damage = None;
    // The magic was there.
    let _ = r.bytes("magic", size_of::<wire::Magic>());
    while r.remaining() > 0 {
        let before = r.clone();
        let Ok(head) = r.record::<wire::ChunkHead>("chunk") else {
            damage = trailing(&before);
            r = before;
            break;
        };
        let size = usize::try_from(head.size.get()).unwrap_or(usize::MAX);
        let tag = head.tag.0.to_bytes();
        let Ok(payload) = r.bytes("payload", size) else {
            let found = format!("`{}` of {size} bytes, {} bytes left", text::shown(&tag), r.remaining());
            damage = Some(check::CHUNK_OVERRUN.at(Path::named("tail")).offset(before.offset()).saying(found));
            r = before;
            break;
        };
        chunks.push(Head { tag, payload });
    }
    Walk { chunks, tail: r.rest(), damage }
}

/// Fewer bytes than a head are nothing if they are zeros, and damage if they are not.
fn trailing(r: &Reader<'_>) -> Option<Diagnostic> {
    let bytes = r.clone().rest();
    let found = format!("a chunk or the end wanted, {} bytes found", bytes.len());
    let zeros = bytes.iter().all(|&byte| byte == 0);
    (!zeros).then(|| check::TRAILING.at(Path::named("tail")).offset(r.offset()).saying(found))
}
