//! Records as they lie in the file (docs/formats/lgp.md#header, #toc, #record).

use galvani_core::record;
use galvani_core::record::Text;
use zerocopy::little_endian::{U16, U32};

record! {
    /// The first 16 bytes.
    pub struct Header: 16 {
        /// 0, 0.
        pub zeros: [u8; 2],
        /// `SQUARESOFT`.
        pub creator: Text<10>,
        /// Rows of the table of contents.
        pub file_count: U32,
    }
}

record! {
    /// One row of the table of contents.
    pub struct Entry: 27 {
        /// Name, ended by NUL.
        pub name: Text<20>,
        /// RecordPlace of the record, from the start of the file.
        pub offset: U32,
        /// 14.
        pub check: u8,
        /// Group of the conflict table, counted from 1; 0 for none.
        pub conflict: U16,
    }
}

record! {
    /// One slot of the lookup table.
    pub struct Slot: 4 {
        /// First row of the table of contents, counted from 1; 0 for none.
        pub first: U16,
        /// Rows from there on.
        pub count: U16,
    }
}

record! {
    /// The start of the conflict table.
    pub struct Conflicts: 2 {
        /// Groups that follow.
        pub group_count: U16,
    }
}

record! {
    /// The start of a group: entries of one name.
    pub struct Group: 2 {
        /// Rows that follow.
        pub row_count: U16,
    }
}

record! {
    /// An entry whose name is there more than once, and where it belongs.
    pub struct Conflict: 130 {
        /// The folder of the entry.
        pub directory: Text<128>,
        /// Row of the table of contents, counted from 0.
        pub toc_index: U16,
    }
}

record! {
    /// What stands before the bytes of a file.
    pub struct Record: 24 {
        /// Its name once more.
        pub name: Text<20>,
        /// Bytes that follow.
        pub size: U32,
    }
}
