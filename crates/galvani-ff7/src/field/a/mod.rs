//! Animations of field models: `.a`.
//!
//! ```text
//! 0x00  header, 36 bytes
//! 0x24  frames: rotation and position of the root, and a rotation per bone, in degrees
//! ```
//! 30 frames a second. A rotation turns about Z first, then X, then Y, as in battle.

pub mod check;
pub mod edit;
mod frames;
mod read;
pub mod sample;
pub mod wire;
mod write;

pub use check::check;
pub use frames::{Frame, Frames};
pub use read::{is_shaped, read};
pub use write::write;

/// Bytes before the frames.
pub const HEADER_LEN: usize = size_of::<wire::Header>();

/// Bytes of a frame before its bones.
pub const ROOT_LEN: usize = size_of::<wire::FrameRoot>();

/// Bytes of a bone in a frame.
pub const BONE_LEN: usize = size_of::<wire::Bone>();

/// The only version there is.
pub const VERSION: u32 = 1;

/// Axes in the order in which a rotation is put together: Y, X, Z, the last turning first.
pub const ORDER: [u8; 3] = [1, 0, 2];

/// Frames a second.
pub const FRAME_RATE: f32 = 30.0;

/// An animation as a value: every byte of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Document {
    /// 1.
    pub version: u32,
    /// Axes in the order in which a rotation is put together.
    pub rotation_order: [u8; 3],
    /// 0 in the game's own files.
    pub unknown_0f: u8,
    /// Words that the game fills in when it loads the file.
    pub run_time: [u32; 5],
    /// The frames, and how many bones each has.
    pub frames: Frames,
    /// How many more frames the header counts than could be found.
    pub missing: u32,
    /// Bytes behind the last whole frame. Kept, not understood.
    pub rest: Vec<u8>,
}

impl Document {
    /// An animation of these frames.
    pub fn new(frames: Frames) -> Self {
        Document {
            version: VERSION,
            rotation_order: ORDER,
            unknown_0f: 0,
            run_time: [0; 5],
            frames,
            missing: 0,
            rest: Vec::new(),
        }
    }
}

/// Bytes of a frame of so many bones.
pub(crate) fn frame_len(bones: u32) -> u64 {
    let wide = |len: usize| u64::try_from(len).unwrap_or(u64::MAX);
    u64::from(bones).saturating_mul(wide(BONE_LEN)).saturating_add(wide(ROOT_LEN))
}
