//! What the tests of NRes share.
#![allow(dead_code, unreachable_pub, reason = "each test file uses its part of this")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a failed test")]

pub mod cases;
pub mod model;
pub mod raw;
pub mod strategy;

use galvani_core::{ReadOptions, Severity};
use galvani_parkan::nres::{Document, Name, NewEntry, check, read};

/// The document of a file that must read.
pub fn document(file: &[u8]) -> Document {
    read(file, &ReadOptions::default()).unwrap().document
}

/// How many errors a check finds.
pub fn error_count(document: &Document) -> u64 {
    check(document).tally(Severity::Error)
}

/// A plain entry of that name.
pub fn named(name: &str) -> NewEntry {
    NewEntry {
        type_id: u32::from_le_bytes(*b"TEXT"),
        attr1: 0,
        attr2: 0,
        attr3: 1,
        name: Name::new(name.as_bytes()).unwrap(),
    }
}
