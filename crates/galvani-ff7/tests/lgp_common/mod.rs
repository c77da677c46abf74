//! What the tests of LGP share.
#![allow(dead_code, unreachable_pub, reason = "each test file uses its part of this")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a failed test")]

pub mod raw;
pub mod strategy;

use galvani_core::ReadOptions;
use galvani_ff7::lgp::{Document, Name, read};

/// The document of a file that must read.
pub fn document(file: &[u8]) -> Document {
    read(file, &ReadOptions::default()).unwrap().document
}

/// A name that fits.
pub fn name(text: &str) -> Name {
    Name::new(text.as_bytes()).unwrap()
}

/// Name and bytes of every case of `testdata/lgp`, by name.
pub fn cases() -> Vec<(String, Vec<u8>)> {
    galvani_testkit::cases("lgp", 10)
}

/// The bytes of one case.
pub fn case(name: &str) -> Vec<u8> {
    galvani_testkit::case("lgp", name)
}
