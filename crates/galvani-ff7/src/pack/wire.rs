//! Records as they lie in a pack, under the names the format's first description gave them
//! (docs/formats/ff7-pack.md#header, #payload).

use galvani_core::record;
use zerocopy::little_endian::{U16, U32};

record! {
    /// What stands before every entry's payload.
    pub struct EntryHeader: 12 {
        /// Rotations per frame: bones of the skeleton and one for the root; 1 for a weapon.
        pub dw_bones: U32,
        /// Frames the game plays.
        pub dw_frames: U32,
        /// Bytes of the payload; below 11 there is no animation in it.
        pub dw_chunk_size: U32,
    }
}

record! {
    /// What stands before an animation's stream.
    pub struct MiniHeader: 5 {
        /// Frames in the stream. The game does not look at it.
        pub s_frames: U16,
        /// Bytes of the stream.
        pub s_size: U16,
        /// How many low bits of every angle are left out: 0, 2 or 4.
        pub b_key: u8,
    }
}

record! {
    /// The same without its first field, as one entry of the game's own files has it.
    pub struct ShortHeader: 3 {
        /// Bytes of the stream.
        pub s_size: U16,
        /// How many low bits of every angle are left out: 0, 2 or 4.
        pub b_key: u8,
    }
}

record! {
    /// The first bytes of a pack.
    pub struct Count: 4 {
        /// Entries, empty ones included.
        pub count: U32,
    }
}
