//! Records as they lie in the file (docs/formats/nres.md#header, #directory).

use galvani_core::record;
use galvani_core::record::{Tag, Text};
use zerocopy::little_endian::{I32, U32};

record! {
    /// The first 16 bytes.
    pub struct Header: 16 {
        /// `NRes`.
        pub magic: Tag,
        /// 0x100.
        pub version: U32,
        /// Records of the directory, not negative.
        pub entry_count: I32,
        /// Bytes of the file, where the directory ends.
        pub total_size: U32,
    }
}

record! {
    /// One record of the directory.
    pub struct Entry: 64 {
        /// FourCC, or the number of a stream.
        pub type_id: Tag,
        /// Count of elements, or flags.
        pub attr1: U32,
        /// Second count, or a version.
        pub attr2: U32,
        /// Payload bytes.
        pub size: U32,
        /// Size of an element, or 1.
        pub attr3: U32,
        /// Name, ended by NUL.
        pub name: Text<36>,
        /// Payload place, from the start of the file.
        pub data_offset: U32,
        /// Slot of the sort table.
        pub sort_index: U32,
    }
}
