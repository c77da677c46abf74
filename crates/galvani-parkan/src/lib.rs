//! Formats of Parkan: Iron Strategy.
//!
//! Each has a module of its own with a `Document`, `read`, `check`, edits and `write`; a model ([`msh`]) is also posed, drawn, lifted
//! into a scene and made of one.
//!
//! ```
//! use galvani_core::ReadOptions;
//! use galvani_parkan::nres::{self, Name, NewEntry};
//!
//! let empty = b"NRes\x00\x01\x00\x00\x00\x00\x00\x00\x10\x00\x00\x00";
//! let mut archive = nres::read(empty, &ReadOptions::default())?.document;
//! let note = NewEntry { type_id: u32::from_le_bytes(*b"TEXT"), attr1: 0, attr2: 0, attr3: 1, name: Name::new(b"note.txt")? };
//! archive.insert(0, note, b"What is in here?".to_vec())?;
//! assert!(nres::check(&archive).findings().is_empty());
//! assert_eq!(nres::write(&archive)?.len(), 16 + 16 + 64);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg_attr(
    not(test),
    warn(clippy::arithmetic_side_effects, clippy::as_conversions, clippy::indexing_slicing)
)]

pub mod mat0;
pub mod msh;
pub mod nres;
pub mod rsli;
pub mod texm;
pub mod wear;
