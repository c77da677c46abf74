//! Records as they lie in a texture file (docs/formats/ff7-tex.md#header).

use galvani_core::record;
use zerocopy::little_endian::{U16, U32};

record! {
    /// What stands before the palette.
    pub struct Header: 236 {
        /// 1.
        pub version: U32,
        /// Unknown.
        pub unknown_04: U32,
        /// Whether index 0 is transparent.
        pub colour_key: U32,
        /// Unknown.
        pub unknown_0c: U32,
        /// Unknown.
        pub unknown_10: U32,
        /// Fewest bits of a colour that the game may choose.
        pub min_colour_bits: U32,
        /// Most bits of a colour that the game may choose.
        pub max_colour_bits: U32,
        /// Fewest bits of alpha that the game may choose.
        pub min_alpha_bits: U32,
        /// Most bits of alpha that the game may choose.
        pub max_alpha_bits: U32,
        /// Fewest bits of a pixel that the game may choose.
        pub min_pixel_bits: U32,
        /// Most bits of a pixel that the game may choose.
        pub max_pixel_bits: U32,
        /// Unknown.
        pub unknown_2c: U32,
        /// Palettes.
        pub palettes: U32,
        /// Colours of one palette.
        pub colours: U32,
        /// Bits of a pixel as the game once had them.
        pub bit_depth: U32,
        /// Pixels in a row.
        pub width: U32,
        /// Rows.
        pub height: U32,
        /// Bytes of a row; 0 in many files.
        pub pitch: U32,
        /// Unknown.
        pub unknown_48: U32,
        /// Whether there is a palette.
        pub has_palette: U32,
        /// Bits of an index.
        pub index_bits: U32,
        /// Whether indices were widened to a byte.
        pub widened: U32,
        /// Colours of all palettes.
        pub palette_entries: U32,
        /// Colours of one palette again; may be 0.
        pub colours_again: U32,
        /// Room for the game while it runs.
        pub run_time_60: U32,
        /// Bits of a pixel.
        pub bits_per_pixel: U32,
        /// Bytes of a pixel. This one is right.
        pub bytes_per_pixel: U32,
        /// Bits of red, green, blue and alpha in a pixel.
        pub channel_bits: [U32; 4],
        /// Where they stand.
        pub masks: [U32; 4],
        /// How far up they stand.
        pub shifts: [U32; 4],
        /// How many bits a byte has more.
        pub missing_bits: [U32; 4],
        /// Their highest values.
        pub highest: [U32; 4],
        /// Whether every palette says itself if its index 0 is transparent.
        pub has_colour_keys: U32,
        /// Room for the game while it runs.
        pub run_time_c0: U32,
        /// The alpha that 0xFE in a palette stands for.
        pub reference_alpha: U32,
        /// Room for the game while it runs.
        pub run_time_c8: U32,
        /// Unknown.
        pub unknown_cc: U32,
        /// The palette that the game draws with.
        pub palette_index: U32,
        /// Room for the game while it runs.
        pub run_time_d4: U32,
        /// Room for the game while it runs.
        pub run_time_d8: U32,
        /// Unknown.
        pub unknown_dc: U32,
        /// Unknown.
        pub unknown_e0: U32,
        /// Unknown.
        pub unknown_e4: U32,
        /// Unknown.
        pub unknown_e8: U32,
    }
}

record! {
    /// A colour of a palette.
    pub struct Colour: 4 {
        /// Blue, green, red, alpha.
        pub bgra: [u8; 4],
    }
}

record! {
    /// What a palette says of its index 0.
    pub struct ColourKey: 1 {
        /// Whether it is transparent.
        pub transparent: u8,
    }
}

record! {
    /// A pixel of one byte: an index.
    pub struct Pixel1: 1 {
        /// The colour's place in its palette.
        pub index: u8,
    }
}

record! {
    /// A pixel of two bytes.
    pub struct Pixel2: 2 {
        /// Channels as the header's masks say.
        pub value: U16,
    }
}

record! {
    /// A pixel of three bytes.
    pub struct Pixel3: 3 {
        /// Channels as the header's masks say, the lowest byte first.
        pub value: [u8; 3],
    }
}

record! {
    /// A pixel of four bytes.
    pub struct Pixel4: 4 {
        /// Channels as the header's masks say.
        pub value: U32,
    }
}
