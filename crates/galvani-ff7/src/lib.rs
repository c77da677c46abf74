//! Formats of Final Fantasy VII as it was sold for the PC.
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
