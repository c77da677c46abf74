//! Formats of Final Fantasy VII as it was sold for the PC.
//!
//! Each has a module of its own with a `Document`, `read`, `check`, edits and `write`; those of [`field`] are texts, in which an edit
//! changes a word and no other byte.
//!
//! ```
//! use galvani_core::ReadOptions;
//! use galvani_ff7::field::hrc;
//!
//! let file = b":HEADER_BLOCK 2\r\n:SKELETON lamp\r\n:BONES 1\r\n\r\nfoot\r\nroot\r\n4.5\r\n1 AAAB\r\n";
//! let mut lamp = hrc::read(file, &ReadOptions::default())?.document;
//! assert_eq!(lamp.skeleton().bones[0].length(), Some(4.5));
//! hrc::edit::set_length(&mut lamp, 0, 12.0)?;
//! assert_eq!(hrc::write(&lamp)?, String::from_utf8(file.to_vec())?.replace("4.5", "12").into_bytes());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg_attr(
    not(test),
    warn(clippy::arithmetic_side_effects, clippy::as_conversions, clippy::indexing_slicing)
)]

pub mod field;
pub mod lgp;
pub mod lift;
pub mod lower;
pub mod names;
pub mod p;
pub mod pack;
pub mod pose;
pub mod skeleton;
pub mod tex;
