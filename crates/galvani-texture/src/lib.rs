//! Pictures in the formats that games keep them in: BLP and DDS as documents, TGA as a picture to be taken in.
//!
//! A format's folder reads, checks, edits and writes its files; what they share is beside them: block compression,
//! mip levels, palettes, JPEG streams of four stored components.
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
