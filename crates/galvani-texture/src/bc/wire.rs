//! Blocks as they lie in files (docs/formats/dds.md#blocks).

use galvani_core::record;
use zerocopy::little_endian::{U16, U32};

record! {
    /// Two colours, and two bits for each pixel.
    pub struct ColourBlock: 8 {
        /// Five, six and five bits of red, green and blue.
        pub colours: [U16; 2],
        /// The lowest bits are the first pixel.
        pub indices: U32,
    }
}

record! {
    /// A block of colours behind four bits of alpha for each pixel.
    pub struct AlphaColourBlock: 16 {
        /// A row of pixels each.
        pub alpha: [U16; 4],
        /// Two colours.
        pub colours: [U16; 2],
        /// The lowest bits are the first pixel.
        pub indices: U32,
    }
}

record! {
    /// A block of colours behind one of alpha.
    pub struct RampColourBlock: 16 {
        /// Two values of alpha.
        pub ends: [u8; 2],
        /// Three bits for each pixel.
        pub steps: [u8; 6],
        /// Two colours.
        pub colours: [U16; 2],
        /// The lowest bits are the first pixel.
        pub indices: U32,
    }
}

record! {
    /// One channel between two values.
    pub struct RampBlock: 8 {
        /// The two values.
        pub ends: [u8; 2],
        /// Three bits for each pixel.
        pub steps: [u8; 6],
    }
}

record! {
    /// Two channels between two values each.
    pub struct TwoRampBlock: 16 {
        /// The two values of the first.
        pub red_ends: [u8; 2],
        /// Three bits for each pixel.
        pub red_steps: [u8; 6],
        /// The two values of the second.
        pub green_ends: [u8; 2],
        /// Three bits for each pixel.
        pub green_steps: [u8; 6],
    }
}

record! {
    /// A block that is read bit by bit.
    pub struct BitBlock: 16 {
        /// The bits, the lowest of the first byte first.
        pub bits: [u8; 16],
    }
}
