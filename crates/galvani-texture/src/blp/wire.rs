//! Records as they lie in a BLP file (docs/formats/blp.md#header).

use galvani_core::record;
use galvani_core::record::Tag;
use zerocopy::little_endian::U32;

record! {
    /// What stands before the tables of `BLP1`, and before everything else in `BLP0`.
    pub struct Header1: 28 {
        /// `BLP1` or `BLP0`.
        pub magic: Tag,
        /// 0 for JPEG, 1 for a palette.
        pub content: U32,
        /// Bits of alpha.
        pub alpha_bits: U32,
        /// Pixels in a row.
        pub width: U32,
        /// Rows.
        pub height: U32,
        /// 3, 4 or 5; nobody needs it.
        pub extra: U32,
        /// Whether there are smaller levels.
        pub has_mips: U32,
    }
}

record! {
    /// What stands before the tables of `BLP2`.
    pub struct Header2: 20 {
        /// `BLP2`.
        pub magic: Tag,
        /// 0 for JPEG, 1 for what `encoding` says.
        pub content: U32,
        /// 1 a palette, 2 blocks, 3 and 4 plain pixels.
        pub encoding: u8,
        /// Bits of alpha.
        pub alpha_bits: u8,
        /// Which blocks.
        pub alpha_type: u8,
        /// Whether there are smaller levels.
        pub has_mips: u8,
        /// Pixels in a row.
        pub width: U32,
        /// Rows.
        pub height: U32,
    }
}

record! {
    /// A number of a table.
    pub struct Word: 4 {
        /// Where a level is, or how long.
        pub value: U32,
    }
}

record! {
    /// A colour of a palette.
    pub struct Colour: 4 {
        /// Blue, green, red, and a byte that is 0.
        pub bgrx: [u8; 4],
    }
}

record! {
    /// A plain pixel.
    pub struct Pixel: 4 {
        /// Blue, green, red, alpha.
        pub bgra: [u8; 4],
    }
}
