//! Payloads put together from a stream.

use galvani_core::{Exhausted, Writer};
use zerocopy::little_endian::U16;

use super::{ALIGN, AngleKey, Clip, Entry, MINI_LEN, wire};

/// What follows a stream.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Trailing<'a> {
    /// Zeros up to a multiple of 4.
    Padding,
    /// Bytes that another tool left. Kept.
    Bytes(&'a [u8]),
}

impl<'a> Trailing<'a> {
    /// What follows the stream of an entry.
    pub(super) fn after_stream(clip: &Clip, entry: &'a Entry) -> Self {
        match clip.trailing(entry) {
            [] | [0] | [0, 0] | [0, 0, 0] => Trailing::Padding,
            bytes => Trailing::Bytes(bytes),
        }
    }
}

/// The payload of an animation: its header, the stream, and what follows.
pub(super) fn animation(
    s_frames: u16,
    s_size: u16,
    key: AngleKey,
    stream: &[u8],
    trailing: Trailing<'_>,
) -> Result<Vec<u8>, Exhausted> {
    let end = MINI_LEN.saturating_add(stream.len());
    let behind = match trailing {
        Trailing::Padding => [0; ALIGN].get(..end.wrapping_neg() % ALIGN).unwrap_or_default(),
        Trailing::Bytes(bytes) => bytes,
    };
    let mut w = Writer::with_capacity(end.saturating_add(behind.len()))?;
    w.record(&wire::MiniHeader { s_frames: U16::new(s_frames), s_size: U16::new(s_size), b_key: key.byte() });
    w.bytes(stream);
    w.bytes(behind);
    Ok(w.finish())
}
