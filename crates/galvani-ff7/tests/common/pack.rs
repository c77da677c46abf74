//! What the tests of battle animation packs share.
#![allow(dead_code, unreachable_pub, reason = "each test file uses its part of this")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a failed test")]

#[path = "pack_raw.rs"]
pub mod raw;
#[path = "pack_reference.rs"]
pub mod reference;
#[path = "pack_strategy.rs"]
pub mod strategy;

use std::path::{Path, PathBuf};

use galvani_core::{Read, ReadOptions, Readings, Report, Strictness, WantedReading};
use galvani_ff7::pack::{Document, check, read};
use galvani_testkit::assemble_file;

/// Name and bytes of every case of `testdata/ff7-pack`, by name.
pub fn cases() -> Vec<(String, Vec<u8>)> {
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(root()).unwrap().map(|folder| folder.unwrap().path()).collect();
    folders.sort();
    assert!(folders.len() > 15, "the cases are not where they should be");
    let name = |folder: &Path| folder.file_name().unwrap().display().to_string();
    folders.iter().map(|folder| (name(folder), assemble_file(&folder.join("build.txt")))).collect()
}

/// The bytes of one case.
pub fn case(name: &str) -> Vec<u8> {
    assemble_file(&root().join(name).join("build.txt"))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/ff7-pack")
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
pub fn found(file: &[u8], reading: impl Into<WantedReading>) -> Read<Document> {
    read(file, &self::reading(reading)).unwrap()
}

/// Everything that is wrong with a file that reads, each finding in its place.
pub fn report(found: &Read<Document>, file: &[u8]) -> Report {
    let mut report = found.report.clone();
    report.append(check(&found.document, None));
    report.locate(&found.map);
    for finding in report.findings() {
        for offset in finding.more.iter().map(|spot| spot.offset).chain([finding.offset]) {
            assert!(offset.is_some_and(|offset| offset <= file.len() as u64), "{finding} has no place");
        }
        assert!(!finding.message.is_empty() && !finding.help.is_empty(), "{finding}");
    }
    report
}
