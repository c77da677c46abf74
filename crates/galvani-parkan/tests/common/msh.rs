//! What the tests of MSH share.
#![allow(dead_code, unreachable_pub, reason = "each test file uses its part of this")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a failed test")]

#[path = "msh_raw.rs"]
pub mod raw;
#[path = "msh_strategy.rs"]
pub mod strategy;

use std::path::{Path, PathBuf};

use galvani_core::{Read, ReadOptions, Readings, Report, Strictness, WantedReading};
use galvani_parkan::msh::{Document, check, read};
use galvani_testkit::assemble_file;

/// Name and bytes of every case of `testdata/msh`, by name.
pub fn cases() -> Vec<(String, Vec<u8>)> {
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(root()).unwrap().map(|folder| folder.unwrap().path()).collect();
    folders.sort();
    assert!(folders.len() > 30, "the cases are not where they should be");
    let name = |folder: &Path| folder.file_name().unwrap().display().to_string();
    folders.iter().map(|folder| (name(folder), assemble_file(&folder.join("build.txt")))).collect()
}

/// The bytes of one case.
pub fn case(name: &str) -> Vec<u8> {
    assemble_file(&root().join(name).join("build.txt"))
}

/// The material table beside the listing of a case, which few have.
pub fn table(name: &str) -> Option<Vec<u8>> {
    std::fs::read_to_string(root().join(name).join("model.wea")).ok().map(String::into_bytes)
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/msh")
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
    report_beside(found, file, None)
}

/// The same, held also against a material table.
pub fn report_beside(found: &Read<Document>, file: &[u8], table: Option<&[u8]>) -> Report {
    let mut report = found.report.clone();
    report.append(check(&found.document));
    if let Some(table) = table {
        check::materials(&found.document.model(), table, &mut report);
    }
    report.locate(&found.map);
    for finding in report.findings() {
        for offset in finding.more.iter().map(|spot| spot.offset).chain([finding.offset]) {
            assert!(offset.is_some_and(|offset| offset <= file.len() as u64), "{finding} has no place");
        }
        assert!(!finding.message.is_empty() && !finding.help.is_empty(), "{finding}");
    }
    report
}
