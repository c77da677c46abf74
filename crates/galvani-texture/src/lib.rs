//! Pictures in the formats that games keep them in: BLP and DDS as documents, TGA as a picture to be taken in.
//!
//! A format's folder reads, checks, edits and writes its files; what they share is beside them: block compression,
//! mip levels, palettes, JPEG streams of four stored components.
//!
//! ```
//! use galvani_core::{Image, ReadOptions};
//! use galvani_texture::blp::{self, Document, LevelKind, Options};
//!
//! // Red and green pixels by turns, as a BLP with a palette and all smaller levels.
//! let rgba = (0..64).map(|i| if i % 2 == 0 { [255, 0, 0, 255] } else { [0, 255, 0, 255] }).collect();
//! let picture = Image { width: 8, height: 8, rgba };
//! let made = Document::new(&picture, &Options { kind: LevelKind::Palette, ..Options::default() })?;
//! let file = blp::write(&made)?;
//!
//! let found = blp::read(&file, &ReadOptions::default())?;
//! assert!(found.report.findings().is_empty() && blp::check(&found.document).findings().is_empty());
//! let shown = blp::decode(&found.document, 0, 1 << 20).map_err(|wrong| wrong.to_string())?;
//! assert_eq!(shown, picture);
//! assert_eq!(blp::write(&found.document)?, file);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg_attr(
    not(test),
    warn(clippy::arithmetic_side_effects, clippy::as_conversions, clippy::indexing_slicing)
)]

pub mod bc;
pub mod blp;
pub mod dds;
pub mod jpeg;
pub mod mips;
mod numbers;
pub mod quantise;
pub mod tga;
