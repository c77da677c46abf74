//! Records as they lie in the file (docs/formats/rsli.md#header, #table, #trailer).

use galvani_core::record;
use galvani_core::record::{Raw, Text};
use zerocopy::little_endian::{I16, U16, U32};

record! {
    /// The first 32 bytes.
    pub struct Header: 32 {
        /// `NL`.
        pub magic: Text<2>,
        /// 0 and 1.
        pub version: [u8; 2],
        /// Records of the table, not negative.
        pub entry_count: I16,
        /// The same again.
        pub count_again: I16,
        /// Unknown.
        pub unknown_08: Raw<6>,
        /// 0xABBA where the sort table can be used as it stands.
        pub presorted: U16,
        /// Bytes of all contents.
        pub unpacked_total: U32,
        /// The table's key, of which the low half counts.
        pub seed: U32,
        /// 0.
        pub unknown_18: [U32; 2],
    }
}

record! {
    /// One record of the table, in the clear.
    pub struct Entry: 32 {
        /// Name, ended by NUL unless it fills its room.
        pub name: Text<12>,
        /// Unknown; the game does not look at it.
        pub unknown_0c: Raw<4>,
        /// How the payload is packed, and more.
        pub flags: U16,
        /// Slot of the sort table, and the key of this entry's payload.
        pub sort_index: I16,
        /// Bytes of the content.
        pub unpacked_size: U32,
        /// Payload place, less the overlay.
        pub data_offset: U32,
        /// Bytes of the payload.
        pub packed_size: U32,
    }
}

record! {
    /// What may stand at the end of the file.
    pub struct Trailer: 6 {
        /// `AO`.
        pub magic: Text<2>,
        /// What every place of a payload is counted from.
        pub overlay: U32,
    }
}
