//! The golden inputs of `testdata/nres`, put together by the assembler.

use std::path::{Path, PathBuf};

use galvani_testkit::assemble;

/// Name and bytes of every case, by name.
pub fn all() -> Vec<(String, Vec<u8>)> {
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
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/nres")
}

fn at(folder: &Path) -> Vec<u8> {
    let listing = folder.join("build.txt");
    assemble(
        &std::fs::read_to_string(&listing).unwrap_or_else(|error| panic!("{}: {error}", listing.display())),
    )
}
