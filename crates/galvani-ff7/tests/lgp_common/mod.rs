//! What the tests of LGP share.
#![allow(dead_code, unreachable_pub, reason = "each test file uses its part of this")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a failed test")]

pub mod raw;
pub mod strategy;

use std::path::{Path, PathBuf};

use galvani_core::{ReadOptions, Strictness};
use galvani_ff7::lgp::{Document, Name, read};
use galvani_testkit::assemble_file;

/// The document of a file that must read.
pub fn document(file: &[u8]) -> Document {
    read(file, &ReadOptions::default()).unwrap().document
}

/// The options for a strictness.
pub fn options(strictness: Strictness) -> ReadOptions {
    ReadOptions { strictness, ..ReadOptions::default() }
}

/// A name that fits.
pub fn name(text: &str) -> Name {
    Name::new(text.as_bytes()).unwrap()
}

/// Name and bytes of every case of `testdata/lgp`, by name.
pub fn cases() -> Vec<(String, Vec<u8>)> {
    let mut folders: Vec<PathBuf> =
        std::fs::read_dir(root()).unwrap().map(|folder| folder.unwrap().path()).collect();
    folders.sort();
    assert!(folders.len() > 10, "the cases are not where they should be");
    folders.iter().map(|folder| (folder.file_name().unwrap().display().to_string(), at(folder))).collect()
}

/// The bytes of one case.
pub fn case(name: &str) -> Vec<u8> {
    at(&root().join(name))
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/lgp")
}

fn at(folder: &Path) -> Vec<u8> {
    assemble_file(&folder.join("build.txt"))
}
