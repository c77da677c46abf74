//! Battle animation packs: `**da` of battle.lgp, `.a00` of magic.lgp.
//!
//! ```text
//! 0x00  u32 count
//! 0x04  entries, back to back:
//!         12 bytes  dwBones, dwFrames, dwChunkSize
//!         payload   dwChunkSize bytes; below 11 of them an empty slot, otherwise
//!                     5 bytes   sFrames, sSize, bKey
//!                     stream    sSize bytes, see `codec`
//!                     padding   to a multiple of 4 as a rule
//! ```
//! Entries of the body come first, those of its weapon behind them. A [`Document`] keeps every payload as it
//! is; [`survey`] says what each one holds, and [`Clip::frames`] decodes it.

mod bones;
pub mod check;
pub mod codec;
pub mod edit;
mod key;
mod payload;
pub mod quantise;
pub(crate) mod read;
pub mod rotation;
mod survey;
pub mod unfold;
pub mod wire;
mod write;

pub use bones::{KnownSkeleton, ModelHints, Word};
pub use check::check;
pub use key::AngleKey;
pub use read::{FRAMES, WALK, is_shaped, read, read_of};
pub use survey::{Bones, Clip, Damage, EntryContent, Header, Role, Survey, Surveyed, survey};
pub use write::write;

use galvani_core::Reading;

use crate::skeleton;

use codec::Stop;

/// Bytes of a pack's count.
pub const COUNT_LEN: usize = 4;

/// Bytes before an entry's payload.
pub const HEADER_LEN: usize = size_of::<wire::EntryHeader>();

/// Bytes before an animation's stream.
pub const MINI_LEN: usize = size_of::<wire::MiniHeader>();

/// Payloads shorter than this are empty slots.
pub const EMPTY_BELOW: u32 = 11;

/// The shortest payload that can hold an animation: one rotation at the coarsest key.
pub const ANIMATION_LEN: usize = 14;

/// Bytes that the format's first description skips behind the header of an empty slot.
pub const DOCUMENTED_SKIP: usize = 8;

/// What the game's own files have in an empty slot: the end of an empty text file, padded.
pub const EMPTY_PAYLOAD: [u8; 4] = [0x30, 0x1a, 0, 0];

/// Animations start at multiples of this in the game's own files, counted from one entry to the next.
pub const ALIGN: usize = 4;

/// A pack as a value: every byte of it, and how it is read.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The entries in order.
    pub entries: Vec<Entry>,
    /// How many more entries the count names than could be found.
    pub missing: u32,
    /// Bytes behind the last entry. Kept, not understood.
    pub rest: Vec<u8>,
    /// How empty slots are stepped over: by their size, or by 8 bytes as documented.
    pub walk: Reading,
    /// Which rule says where a stream's frames end.
    pub frames: Reading,
    /// The skeleton that it moves, if somebody knows it. Not in the file.
    pub skeleton: Option<KnownSkeleton>,
    /// That skeleton bone by bone, for places in the model. Not in the file.
    pub rig: Option<skeleton::Document>,
}

/// One entry.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    /// Rotations per frame, the root's among them.
    pub dw_bones: u32,
    /// Frames the game plays.
    pub dw_frames: u32,
    /// Bytes of the payload as the header counts them.
    pub dw_chunk_size: u32,
    /// What stands behind the header.
    pub payload: Vec<u8>,
}

impl Default for Document {
    /// A pack without entries.
    fn default() -> Self {
        Document {
            entries: Vec::new(),
            missing: 0,
            rest: Vec::new(),
            walk: Reading::Observed,
            frames: Reading::Observed,
            skeleton: None,
            rig: None,
        }
    }
}

impl Document {
    /// The rule that says where a stream's frames end.
    pub fn stop(&self) -> Stop {
        match self.frames {
            Reading::Documented => Stop::Printed,
            Reading::Observed => Stop::Engine,
        }
    }
}

impl Entry {
    /// An entry whose header counts its payload.
    pub fn new(dw_bones: u32, dw_frames: u32, payload: Vec<u8>) -> Self {
        let dw_chunk_size = u32::try_from(payload.len()).unwrap_or(u32::MAX);
        Entry { dw_bones, dw_frames, dw_chunk_size, payload }
    }

    /// Whether it is an empty slot.
    pub fn is_empty(&self) -> bool {
        self.dw_chunk_size < EMPTY_BELOW
    }
}

/// Bytes behind a header that says `dw_chunk_size`.
pub(crate) fn payload_len(dw_chunk_size: u32, walk: Reading) -> usize {
    match walk {
        Reading::Documented if dw_chunk_size < EMPTY_BELOW => DOCUMENTED_SKIP,
        _ => usize::try_from(dw_chunk_size).unwrap_or(usize::MAX),
    }
}
