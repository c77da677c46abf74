//! Galvani brings the models and animations of old games back to life.
//!
//! One door to every format: recognise a file, open it, check it, edit it, write it back byte for byte.
//!
//! ```
//! use galvani::{OpenOptions, formats};
//!
//! // An archive of one entry, made from nothing.
//! let mut archive = formats::by_id("nres").unwrap().open(&EMPTY, &OpenOptions::default())?;
//! let add = formats::Step::from_words(archive.format, &["add", "hello.txt", "TEXT", "hello"])?;
//! add.run(&mut *archive.document)?;
//! let file = archive.document.write()?;
//!
//! // What is it, is it sound, and does it come back the same?
//! let format = formats::recognise(&file, None).unwrap();
//! let opened = format.open(&file, &OpenOptions::default())?;
//! assert!(opened.check().findings().is_empty());
//! assert_eq!(opened.document.write()?, file);
//! # const EMPTY: [u8; 16] = *b"NRes\0\x01\0\0\0\0\0\0\x10\0\0\0";
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

pub mod codes;
pub mod contents;
pub mod convert;
pub mod diff;
pub mod edit;
pub mod formats;
#[cfg(feature = "fs")]
pub mod fs;
pub mod image;
pub mod nested;
pub mod render;
#[cfg(all(feature = "parkan", feature = "ff7", feature = "mdx"))]
pub mod samples;

pub use formats::OpenOptions;
pub use glam;

pub use galvani_core::{
    Code, Diagnostic, EditError, FileMap, LiftError, Limits, Path, ReadError, ReadOptions, Reading, Readings,
    Report, SampleError, Scrutiny, Severity, Strictness, Verdict, WriteError, diag, map, record, text,
};
