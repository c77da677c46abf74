//! The golden inputs of `testdata`, put together by the assembler.

use std::path::{Path, PathBuf};

use crate::asm::assemble_file;

/// Name and bytes of every case of a format, by name; there are more than `least`.
pub fn cases(format: &str, least: usize) -> Vec<(String, Vec<u8>)> {
    let root = root(format);
    let entries = std::fs::read_dir(&root).unwrap_or_else(|error| panic!("{}: {error}", root.display()));
    let mut names: Vec<String> = entries
        .map(|entry| entry.unwrap_or_else(|error| panic!("{}: {error}", root.display())))
        .map(|entry| entry.file_name().display().to_string())
        .collect();
    names.sort();
    assert!(names.len() > least, "the cases are not where they should be");
    names.into_iter().map(|name| (name.clone(), case(format, &name))).collect()
}

/// The bytes of one case of a format.
pub fn case(format: &str, name: &str) -> Vec<u8> {
    assemble_file(&root(format).join(name).join("build.txt"))
}

fn root(format: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(format)
}
