//! What the tests of MDX share.
#![allow(dead_code, unreachable_pub, reason = "each test file uses its part of this")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    clippy::as_conversions,
    reason = "a helper that fails is a failed test"
)]

pub mod animated;
pub mod make;
pub mod naive;
pub mod raw;
pub mod refused;
pub mod shown;
pub mod slow;
pub mod sound;

use std::path::{Path, PathBuf};

use galvani_core::{Read, ReadOptions, Readings, Report, Strictness, WantedReading};
use galvani_mdx::{Document, check, read};
use galvani_testkit::{assemble_file, located};

/// Name and bytes of every case of `testdata/mdx`, by name.
pub fn cases() -> Vec<(String, Vec<u8>)> {
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(root()).unwrap().map(|folder| folder.unwrap().path()).collect();
    folders.retain(|folder| folder.join("build.txt").exists());
    folders.sort();
    assert!(folders.len() > 30, "the cases are not where they should be");
    let name = |folder: &Path| folder.file_name().unwrap().display().to_string();
    folders.iter().map(|folder| (name(folder), assemble_file(&folder.join("build.txt")))).collect()
}

/// The bytes of one case.
pub fn case(name: &str) -> Vec<u8> {
    assemble_file(&root().join(name).join("build.txt"))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/mdx")
}

/// The options for a strictness.
pub fn strictly(strictness: Strictness) -> ReadOptions {
    ReadOptions { strictness, ..ReadOptions::default() }
}

/// The options for a reading.
pub fn reading(all: impl Into<WantedReading>) -> ReadOptions {
    ReadOptions { readings: Readings { all: all.into(), topics: vec![] }, ..ReadOptions::default() }
}

/// A file that must read.
pub fn found(file: &[u8]) -> Read<Document> {
    read(file, &ReadOptions::default()).unwrap()
}

/// Everything that is wrong with a file that reads, each finding in its place.
pub fn report(found: &Read<Document>) -> Report {
    located(found, check)
}

/// The codes of everything that is wrong with a file that reads.
pub fn codes(file: &[u8]) -> Vec<&'static str> {
    report(&found(file)).findings().iter().map(|finding| finding.code.name).collect()
}
