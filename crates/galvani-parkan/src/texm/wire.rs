//! Records as they lie in the file (docs/formats/texm.md#header, #formats, #page).

use galvani_core::record;
use galvani_core::record::Tag;
use zerocopy::little_endian::{I16, U16, U32};

record! {
    /// The first 32 bytes.
    pub struct Header: 32 {
        /// `Texm`.
        pub magic: Tag,
        /// Pixels in a row.
        pub width: U32,
        /// Rows.
        pub height: U32,
        /// Levels, the picture itself included.
        pub mip_count: U32,
        /// 32 with smaller levels, 0 without.
        pub flags_10: U32,
        /// Flags of which the game looks at two.
        pub flags_14: U32,
        /// A colour that nobody looks at.
        pub unknown_18: U32,
        /// What a pixel is: 0, 2, 88, 556, 565, 888, 4444 or 8888.
        pub format: U32,
    }
}

record! {
    /// A colour of the palette.
    pub struct Colour: 4 {
        /// Blue, green, red and a byte without meaning.
        pub bgrx: [u8; 4],
    }
}

record! {
    /// A pixel of one byte.
    pub struct Pixel1: 1 {
        /// The colour's place in its palette.
        pub index: u8,
    }
}

record! {
    /// A pixel of two bytes.
    pub struct Pixel2: 2 {
        /// Channels as the format says.
        pub value: U16,
    }
}

record! {
    /// A pixel of four bytes.
    pub struct Pixel4: 4 {
        /// Blue, green, red, and alpha or a byte without meaning.
        pub bgra: [u8; 4],
    }
}

record! {
    /// What stands before the rectangles.
    pub struct PageHead: 8 {
        /// `Page`.
        pub magic: Tag,
        /// Rectangles.
        pub count: U32,
    }
}

record! {
    /// A rectangle of the texture, in pixels.
    pub struct Rect: 8 {
        /// Its left side.
        pub x: I16,
        /// Its width.
        pub width: I16,
        /// Its upper side.
        pub y: I16,
        /// Its height.
        pub height: I16,
    }
}
