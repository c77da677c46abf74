//! Archives to test with, and doors to open them.
#![allow(dead_code, reason = "each test binary uses its own part")]
#![allow(clippy::disallowed_methods, reason = "tests look at the disk themselves")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]

pub(crate) mod archive;
#[cfg(all(feature = "parkan", feature = "ff7", feature = "mdx", feature = "texture"))]
pub(crate) mod beside;
#[cfg(all(feature = "parkan", feature = "ff7", feature = "mdx", feature = "texture"))]
pub(crate) mod blender;
pub(crate) mod model;
#[cfg(all(feature = "parkan", feature = "ff7", feature = "mdx", feature = "texture"))]
pub(crate) mod steps;

use std::path::Path;

use galvani::formats::{self, Format, Opened};
use galvani::{OpenOptions, formats::Folder};
use galvani_testkit::{assemble, assemble_file};

pub(crate) fn nres() -> &'static dyn Format {
    formats::by_id("nres").unwrap()
}

pub(crate) fn open(file: &[u8]) -> Opened {
    nres().open(file, &OpenOptions::default()).unwrap_or_else(|error| panic!("does not read: {error}"))
}

pub(crate) fn unpack(file: &[u8]) -> Folder {
    open(file).document.unpack().unwrap()
}

/// Everything odd at once that still reads: bytes before the first payload, payloads that overlap, lie
/// in each other, are empty, lie nowhere; gaps of zeros, of a few bytes and of many; names that are no
/// text; a sort table of nonsense; bytes behind the directory.
pub(crate) fn oddest() -> Vec<u8> {
    assemble(
        "tag NRes\nu32 0x101\ni32 9\nu32 @end\n\
         bytes aabbcc\n\
         label one\nbytes 0102030405\nlabel two\nbytes 060708\nlabel three\nbytes 090a\n\
         bytes 00 00 00\n\
         label empty\n\
         label four\nbytes 11121314\n\
         bytes ff\n\
         label five\nbytes 2122232425262728\n\
         bytes 303132333435363738393a3b3c3d3e3f303132333435363738393a3b3c3d3e3f\n\
         bytes 303132333435363738393a3b3c3d3e3f303132333435363738393a3b3c3d3e3f\n\
         bytes 303132333435363738393a3b3c3d3e3f303132333435363738393a3b3c3d3e3f\n\
         label six\nbytes 41\nlabel records\n\
         tag Texm\nu32 1 2 8 3\ntext 36 \"one\"\nu32 @one 5\n\
         tag MAT0\nu32 0 0 5 1\ntext 36 \"two\"\nu32 @two 5\n\
         u32 19 0 0 2 1\ntext 36 \"THREE\"\nu32 @three 0\n\
         u32 0x01020304 0 0 0 1\ntext 36 \"empty\"\nu32 @empty 77\n\
         tag DATA\nu32 0 0 4 1\nbytes f4ee\nzero 34\nu32 @four 1\n\
         tag DATA\nu32 0 0 8 1\ntext 5 \"five\"\nbytes cc\nzero 30\nu32 @five 2\n\
         tag DATA\nu32 0 0 1 1\nbytes ffffffffffffffffffffffffffffffffffff\n\
         bytes ffffffffffffffffffffffffffffffffffff\n\
         u32 @six 3\n\
         tag DATA\nu32 0 0 64 1\ntext 36 \"before\"\nu32 3 4\n\
         tag DATA\nu32 0 0 0xffffffff 1\ntext 36 \"behind\"\nu32 0xfffffff0 4\n\
         label end\nbytes 7461696c",
    )
}

/// Archives that read, from as good as the game's own to as odd as can be, by name.
pub(crate) fn archives() -> Vec<(String, Vec<u8>)> {
    let reads = |(_, bytes): &(String, Vec<u8>)| nres().open(bytes, &OpenOptions::default()).is_ok();
    let mut archives: Vec<_> = cases("nres").into_iter().filter(reads).collect();
    assert!(archives.len() > 8, "only {} listings read", archives.len());
    archives.push(("oddest".to_owned(), oddest()));
    archives
        .push(("good".to_owned(), archive::archive(&[("b_1", b"xyz"), ("AA", b"12345678"), ("ab", b"")])));
    archives
}

/// Every listing of a format, by name.
pub(crate) fn cases(format: &str) -> Vec<(String, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(format);
    let mut cases: Vec<_> = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    cases.sort();
    let case = |path: &std::path::PathBuf| {
        let bytes = assemble_file(&path.join("build.txt"));
        (path.file_name().unwrap().to_string_lossy().into_owned(), bytes)
    };
    cases.iter().map(case).collect()
}
