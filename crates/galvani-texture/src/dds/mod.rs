//! DDS, the container of textures as graphics hardware takes them: a header, and every level of every layer behind
//! one another (docs/formats/dds.md#header).

pub mod check;
mod decode;
pub mod edit;
mod format;
mod new;
mod plain;
mod read;
mod wire;
mod write;

pub use check::check;
pub use decode::{ALL as DECODE_CODES, ImageIndex, decode};
pub use format::{Format, PixelFormat};
pub use new::{Options, encode_level};
pub use plain::Plain;
pub use read::{is_shaped, read};
pub use wire::{Dx10, Header};
pub use write::write;

use std::ops::Range;

use galvani_core::record::Tag;
use zerocopy::FromZeros;

use crate::mips::{full_count, level_size};

/// The first four bytes.
pub const MAGIC: [u8; 4] = *b"DDS ";

/// Bytes of the header with its magic.
pub const HEADER_LEN: usize = size_of::<Header>();

/// What the header says of its own size.
const HEADER_SIZE: u32 = 124;

/// What the header says of the size of the pixels' description.
const PIXEL_SIZE: u32 = 32;

/// Header flags: fields that count.
pub(crate) mod flag {
    /// Size, pixels and caps, which every file has.
    pub(crate) const REQUIRED: u32 = 0x1007;
    pub(crate) const PITCH: u32 = 0x8;
    pub(crate) const MIP_COUNT: u32 = 0x2_0000;
    pub(crate) const LINEAR_SIZE: u32 = 0x8_0000;
    /// Caps: a texture, and one of several surfaces.
    pub(crate) const TEXTURE: u32 = 0x1000;
    pub(crate) const COMPLEX: u32 = 0x8;
    pub(crate) const MIPMAP: u32 = 0x40_0000;
    /// Second caps.
    pub(crate) const CUBE: u32 = 0x200;
    pub(crate) const FACES: u32 = 0xfc00;
    pub(crate) const VOLUME: u32 = 0x20_0000;
    /// Of the DX10 header.
    pub(crate) const DX10_CUBE: u32 = 0x4;
}

/// What the DX10 header calls pictures and volumes.
const PICTURE: u32 = 3;
const VOLUME: u32 = 4;

/// Faces of a cube.
const FACES: u32 = 6;

/// A file: its headers, and everything behind them.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The header with its magic.
    pub header: Header,
    /// The second header, in files whose pixels are named `DX10`.
    pub dx10: Option<Dx10>,
    /// Layer by layer, each from its largest level to its smallest; then whatever follows.
    pub data: Vec<u8>,
}

/// What a file says that it holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Shape {
    /// Pixels in a row of the largest level.
    pub width: u32,
    /// Its rows.
    pub height: u32,
    /// Its slices, 1 unless this is a volume.
    pub depth: u32,
    /// Levels, as many as such a picture can have at most.
    pub levels: usize,
    /// Pictures, six for each cube.
    pub layers: u64,
    /// What pixels are.
    pub format: Format,
}

impl Shape {
    /// Width, height and depth of a level.
    pub fn size(&self, level: usize) -> (u32, u32, u32) {
        let (width, height) = level_size(self.width, self.height, level);
        (width, height, level_size(self.depth, 1, level).0)
    }

    /// Bytes of a level.
    pub fn level_len(&self, level: usize) -> u64 {
        let (width, height, depth) = self.size(level);
        self.format.len(width, height).saturating_mul(depth.into())
    }

    /// Bytes of the levels before this one.
    fn lens_before(&self, level: usize) -> u64 {
        (0..level.min(self.levels)).map(|level| self.level_len(level)).fold(0, u64::saturating_add)
    }

    /// Bytes of a layer.
    pub fn layer_len(&self) -> u64 {
        self.lens_before(self.levels)
    }

    /// Bytes of all.
    pub fn len(&self) -> u64 {
        self.layers.saturating_mul(self.layer_len())
    }

    /// Whether there is nothing to be shown.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Where a level lies behind the headers, whether the file goes that far or not.
    fn range(&self, layer: u64, level: usize) -> Option<Range<usize>> {
        if layer >= self.layers || level >= self.levels {
            return None;
        }
        let start = layer.checked_mul(self.layer_len())?.checked_add(self.lens_before(level))?;
        let end = start.checked_add(self.level_len(level))?;
        Some(usize::try_from(start).ok()?..usize::try_from(end).ok()?)
    }
}

impl Document {
    /// How pixels are described.
    pub fn pixel_format(&self) -> PixelFormat {
        PixelFormat::from_header(&self.header, self.dx10.as_ref())
    }

    /// What the file says that it holds; none where nobody knows such pixels, or where there are none.
    pub fn shape(&self) -> Option<Shape> {
        let header = &self.header;
        let (width, height) = (header.width.get(), header.height.get());
        if width == 0 || height == 0 {
            return None;
        }
        let depth = if self.is_volume() { header.depth.get().max(1) } else { 1 };
        let format = self.pixel_format().format()?;
        let stated = usize::try_from(header.mip_count.get()).unwrap_or(usize::MAX).max(1);
        let levels = stated.min(full_count(width.max(depth), height));
        Some(Shape { width, height, depth, levels, layers: self.layers(), format })
    }

    /// The bytes of a level, if the file has them all.
    pub fn level(&self, layer: u64, level: usize) -> Option<&[u8]> {
        self.data.get(self.shape()?.range(layer, level)?)
    }

    /// Bytes behind the last level.
    pub fn rest(&self) -> &[u8] {
        let shown = self.shape().map_or(0, |shape| shape.len());
        usize::try_from(shown).ok().and_then(|shown| self.data.get(shown..)).unwrap_or_default()
    }

    /// Whether the pictures are slices of a volume.
    pub fn is_volume(&self) -> bool {
        match &self.dx10 {
            Some(dx10) => dx10.dimension.get() == VOLUME,
            None => self.header.caps2.get() & flag::VOLUME != 0,
        }
    }

    /// Whether the pictures are faces of cubes.
    pub fn is_cube(&self) -> bool {
        match &self.dx10 {
            Some(dx10) => dx10.misc.get() & flag::DX10_CUBE != 0,
            None => self.header.caps2.get() & flag::CUBE != 0,
        }
    }

    fn layers(&self) -> u64 {
        match &self.dx10 {
            Some(dx10) => {
                let each = if self.is_cube() { FACES } else { 1 };
                u64::from(dx10.array_size.get().max(1)).saturating_mul(each.into())
            }
            // Older files may leave faces out.
            None if self.is_cube() => (self.header.caps2.get() & flag::FACES).count_ones().max(1).into(),
            None => 1,
        }
    }
}

impl Default for Header {
    /// A header of no pixels.
    fn default() -> Self {
        Header {
            magic: Tag(u32::from_le_bytes(MAGIC).into()),
            size: HEADER_SIZE.into(),
            flags: flag::REQUIRED.into(),
            pixel_size: PIXEL_SIZE.into(),
            caps: flag::TEXTURE.into(),
            ..Header::new_zeroed()
        }
    }
}
