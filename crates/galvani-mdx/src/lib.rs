//! Blizzard's MDX: models of Warcraft III (versions 800 and above) and of World of Warcraft before it was
//! sold (versions 1300 to 1500).
//!
//! ```text
//! 0x00  MDLX
//! 0x04  chunks, back to back:
//!         4 bytes  tag
//!         u32      size of the payload, without these 8 bytes
//!         payload
//! ```
//!
//! A [`Document`] holds the chunks in file order, each typed as far as it could be read. What could not be
//! read is there as its bytes, with the reason. Fixed parts are the records of [`wire`] themselves, whose
//! floats compare by their bits: what reads is written back byte by byte.
//!
//! ```
//! use galvani_core::ReadOptions;
//! use galvani_mdx::{Family, check, edit, read, write};
//!
//! let file = [&b"MDLXVERS"[..], &4_u32.to_le_bytes(), &800_u32.to_le_bytes()].concat();
//! let mut model = read(&file, &ReadOptions::default())?.document;
//! assert_eq!(model.family(), Family::Warcraft);
//! assert_eq!(write(&model)?, file);
//! edit::add_sequence(&mut model, "Stand", 0, 1000)?;
//! assert_eq!(model.sequence_name(model.sequences()[0]), "Stand");
//! // What is wrong with it, each finding with its place and advice.
//! for finding in check(&model).findings() {
//!     println!("{finding}: {}", finding.help);
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![cfg_attr(
    not(test),
    warn(clippy::arithmetic_side_effects, clippy::as_conversions, clippy::indexing_slicing)
)]

pub mod check;
mod chunk;
mod container;
mod cursor;
pub mod edit;
mod family;
pub mod flags;
mod held;
pub mod lift;
pub mod lower;
pub mod mdl;
pub mod model;
mod out;
pub mod quaternion;
mod read;
mod readings;
pub mod sample;
pub mod track;
mod view;
mod visit;
pub mod wire;
mod write;

pub use check::check;
pub use chunk::{Content, NodeKind, RecordCount};
pub use family::{Evidence, Family, FamilyVerdict, MODEL_WARCRAFT, MODEL_WOW};
pub use glam;
pub use held::{Damage, Held, Raw, Records};
pub use read::read;
pub use readings::{INHERIT, SEQS, TRACKS};
pub use track::Track;
pub use view::{Inherit, Sequence};
pub use visit::Placed;
pub use write::write;

use galvani_core::Reading;

/// The first bytes of every model.
pub const MAGIC: [u8; 4] = *b"MDLX";

/// A model as a value: every byte of it, and how it is read.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// Which family its layouts are those of, and how one knows.
    pub family_verdict: FamilyVerdict,
    /// The version its layouts are those of: what VERS says, else the first of the family.
    pub version: u32,
    /// The chunks in file order.
    pub chunks: Vec<Chunk>,
    /// Bytes behind the last chunk.
    pub tail: Raw,
    /// Which account of sequences counts.
    pub seqs: Reading,
    /// Which account of the heads of tracks counts: one for all of them.
    pub tracks: Reading,
    /// Which form the first track of a document gets: the document's only where that was asked for.
    pub new_tracks: Reading,
    /// Which account of two bits of nodes counts.
    pub inherit: Reading,
}

impl Document {
    /// Its family.
    pub fn family(&self) -> Family {
        self.family_verdict.family
    }
}

/// A chunk.
#[derive(Debug, Clone, PartialEq)]
pub struct Chunk {
    /// What it is.
    pub tag: [u8; 4],
    /// What it holds.
    pub content: Content,
}
