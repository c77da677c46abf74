//! Records as they lie in an animation (docs/formats/ff7-field.md#a).

use galvani_core::record;
use zerocopy::little_endian::{F32, U32};

record! {
    /// The first bytes of an animation.
    pub struct Header: 36 {
        /// 1.
        pub version: U32,
        /// Frames.
        pub frame_count: U32,
        /// Bones in a frame, the root not among them.
        pub bone_count: U32,
        /// Axes in the order in which a rotation is put together: 1, 0, 2.
        pub rotation_order: [u8; 3],
        /// 0 in the game's own files.
        pub unknown_0f: u8,
        /// Words that the game fills in when it loads the file.
        pub run_time: [U32; 5],
    }
}

record! {
    /// The root in a frame.
    pub struct FrameRoot: 24 {
        /// X, Y and Z in degrees.
        pub rotation: [F32; 3],
        /// Where it is.
        pub position: [F32; 3],
    }
}

record! {
    /// A bone in a frame.
    pub struct Bone: 12 {
        /// X, Y and Z in degrees.
        pub rotation: [F32; 3],
    }
}
