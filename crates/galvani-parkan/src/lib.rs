//! Formats of Parkan: Iron Strategy.
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
