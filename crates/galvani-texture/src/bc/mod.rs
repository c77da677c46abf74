//! Block compression: pictures as blocks of four by four pixels (docs/formats/dds.md#blocks).

mod decode;
mod encode;
mod wire;

pub use decode::decode;
pub use encode::encode;

use galvani_core::record::Record;
use galvani_core::{FileMap, Path};

use crate::numbers::count;

/// Pixels in a row of a block, and rows.
const SIDE: u32 = 4;

/// A way to pack sixteen pixels.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Coding {
    /// Two colours and what lies between, or black. DXT1.
    Bc1 {
        /// Whether that black is transparent.
        cutout: bool,
    },
    /// The same and four bits of alpha for each pixel. DXT3.
    Bc2,
    /// The same and alpha between two values. DXT5.
    Bc3,
    /// One channel between two values; shown as grey.
    Bc4 {
        /// Whether the values are signed.
        signed: bool,
    },
    /// Two such channels, shown as red and green.
    Bc5 {
        /// Whether the values are signed.
        signed: bool,
    },
    /// Eight ways to pack colour and alpha, chosen block by block.
    Bc7,
}

impl Coding {
    /// Bytes of a block.
    pub fn block_len(self) -> usize {
        match self {
            Coding::Bc1 { .. } | Coding::Bc4 { .. } => 8,
            Coding::Bc2 | Coding::Bc3 | Coding::Bc5 { .. } | Coding::Bc7 => 16,
        }
    }

    /// Bytes of a picture: blocks at the edge are whole ones.
    pub fn len(self, width: u32, height: u32) -> u64 {
        let blocks = |side: u32| u64::from(side.div_ceil(SIDE));
        let len = u64::try_from(self.block_len()).unwrap_or(u64::MAX);
        blocks(width).saturating_mul(blocks(height)).saturating_mul(len)
    }
}

/// Blocks side by side that a row of pixels needs.
fn blocks_across(width: u32) -> usize {
    count(width.div_ceil(SIDE))
}

/// Claims the blocks of a picture.
pub(crate) fn claim(map: &mut FileMap, path: Path, at: usize, len: usize, coding: Coding) {
    match coding {
        Coding::Bc1 { .. } => table::<wire::ColourBlock>(map, path, at, len),
        Coding::Bc2 => table::<wire::AlphaColourBlock>(map, path, at, len),
        Coding::Bc3 => table::<wire::RampColourBlock>(map, path, at, len),
        Coding::Bc4 { .. } => table::<wire::RampBlock>(map, path, at, len),
        Coding::Bc5 { .. } => table::<wire::TwoRampBlock>(map, path, at, len),
        Coding::Bc7 => table::<wire::BitBlock>(map, path, at, len),
    }
}

fn table<T: Record>(map: &mut FileMap, path: Path, at: usize, len: usize) {
    map.table::<T>(path, at, len.checked_div(size_of::<T>()).unwrap_or(0));
}
