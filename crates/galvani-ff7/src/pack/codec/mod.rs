//! The bit stream of an animation: a first frame of plain values, then differences from frame to frame.
//!
//! ```text
//! first frame   3 × 16 bits position, then per rotation 3 × (12 − bKey) bits, all signed
//! after that    per axis of the position   0 + 7 bits, or 1 + 16 bits
//!               per axis of each rotation  0                        no change
//!                                          1 000                    −1
//!                                          1 nnn + n bits, n = 1–6  ±2^(n−1) and the rest of the difference
//!                                          1 111 + (12 − bKey) bits the difference itself
//! ```
//! Rotations count in units of `1 << bKey`; everything adds up in 16 bits that wrap around.

mod codes;
mod decode;
mod encode;
mod frames;

#[cfg(test)]
pub(crate) use decode::DECODED;
pub use decode::{End, Frame, FrameIter, Stop, Stream};
pub use encode::{Coded, encode};
pub use frames::{FrameRef, Frames, angle, reduced};

use super::AngleKey;

/// Bits of the position in the first frame.
const FIRST_POSITION: usize = 48;

/// The fewest bits of a position in a later frame.
const LEAST_POSITION: usize = 24;

/// Bits of a first frame.
pub fn first_frame_bits(rotations: usize, key: AngleKey) -> usize {
    let bits = usize::try_from(key.bits()).unwrap_or(usize::MAX);
    rotations.saturating_mul(bits.saturating_mul(3)).saturating_add(FIRST_POSITION)
}

/// The fewest bits of a later frame: nothing moves.
pub fn least_frame_bits(rotations: usize) -> usize {
    rotations.saturating_mul(3).saturating_add(LEAST_POSITION)
}
