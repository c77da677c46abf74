//! A picture in memory: what textures are decoded to and encoded from.

mod color;
mod compare;
mod fit;

pub use color::{Additive, added, light, linear, shown};
pub use compare::{Difference, difference};
pub use fit::{Lost, Match, distance, nearest};

/// Red, green, blue and alpha of every pixel, row by row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Image {
    /// Pixels in a row.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// Four bytes per pixel.
    pub rgba: Vec<[u8; 4]>,
}

/// Most pixels of a picture that is only looked at to tell of it: 64 MiB, the most of old games.
pub const MOST_LOOKED_AT: u64 = 1 << 24;

/// Most pixels of a picture unless somebody asks for more: far above any old game's, and no more than 256 MiB.
pub const MOST_PIXELS: u64 = 1 << 26;
