//! Records as they lie in a DDS file (docs/formats/dds.md#header).

use galvani_core::record;
use galvani_core::record::Tag;
use zerocopy::little_endian::{U16, U32};

record! {
    /// The magic and what stands behind it.
    pub struct Header: 128 {
        /// `DDS `.
        pub magic: Tag,
        /// 124, the bytes from here to the end of the header.
        pub size: U32,
        /// Which of the fields count.
        pub flags: U32,
        /// Rows.
        pub height: U32,
        /// Pixels in a row.
        pub width: U32,
        /// Bytes of a row, or of the whole first level where that is compressed.
        pub pitch: U32,
        /// Slices of a volume.
        pub depth: U32,
        /// Levels; 0 is 1.
        pub mip_count: U32,
        /// Free words; some tools leave their name here.
        pub reserved: [U32; 11],
        /// 32, the bytes of the eight words from here on.
        pub pixel_size: U32,
        /// What pixels are.
        pub pixel_flags: U32,
        /// A name for what they are.
        pub four_cc: Tag,
        /// Bits of a pixel.
        pub pixel_bits: U32,
        /// Where red, green, blue and alpha stand in it.
        pub masks: [U32; 4],
        /// What the file holds.
        pub caps: U32,
        /// Which faces of a cube, or whether a volume.
        pub caps2: U32,
        /// Unused.
        pub caps3: U32,
        /// Unused.
        pub caps4: U32,
        /// Unused.
        pub reserved2: U32,
    }
}

record! {
    /// What stands behind the header of newer files.
    pub struct Dx10: 20 {
        /// What pixels are, by number.
        pub format: U32,
        /// 3 for pictures, 4 for volumes.
        pub dimension: U32,
        /// 4 for cubes.
        pub misc: U32,
        /// Pictures, or cubes.
        pub array_size: U32,
        /// What alpha means.
        pub misc2: U32,
    }
}

record! {
    /// A pixel of one byte.
    pub struct Pixel1: 1 {
        /// Channels as the masks say.
        pub value: u8,
    }
}

record! {
    /// A pixel of two bytes.
    pub struct Pixel2: 2 {
        /// Channels as the masks say.
        pub value: U16,
    }
}

record! {
    /// A pixel of three bytes.
    pub struct Pixel3: 3 {
        /// Channels as the masks say, the lowest byte first.
        pub value: [u8; 3],
    }
}

record! {
    /// A pixel of four bytes.
    pub struct Pixel4: 4 {
        /// Channels as the masks say.
        pub value: U32,
    }
}
