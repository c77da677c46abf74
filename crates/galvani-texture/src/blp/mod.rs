//! BLP, the textures of Warcraft III and World of Warcraft: up to sixteen levels as JPEG, indices of a palette, blocks or
//! plain pixels (docs/formats/blp.md#header).

pub mod check;
mod decode;
pub mod edit;
mod new;
mod read;
mod wire;
mod write;

pub use check::check;
pub use decode::{ALL as DECODE_CODES, decode, decode_beside};
pub use new::Options;
pub use read::{is_shaped, read};
pub use wire::{Colour, Header1, Header2};
pub use write::write;

use galvani_core::archive::{Block, Extent, Layout, bytes_at};

use crate::bc::Coding;
use crate::jpeg;

/// Rows of the tables, and so levels at most.
pub const LEVELS: usize = 16;

/// Colours of a whole palette.
pub const COLOURS: usize = 256;

/// What `content` says of JPEG, and of everything else.
const JPEG: u32 = 0;
const DIRECT: u32 = 1;

/// A file: what it says of itself, what its levels share, and their bytes.
#[derive(Debug, Clone, PartialEq)]
pub struct Document {
    /// The header with its magic.
    pub header: Header,
    /// The rows of the tables; none in `BLP0`, whose levels are files of their own.
    pub levels: Vec<Level>,
    /// What stands before the levels and belongs to all.
    pub shared: Shared,
    /// Bytes before the first level.
    pub lead: Vec<u8>,
    /// The levels' bytes in file order, each with what follows it; levels that overlap share a block.
    pub blocks: Vec<Block>,
    /// Of `BLP0` the levels, as far as the files that hold them were found. No part of this file.
    pub beside: Vec<Option<Vec<u8>>>,
}

/// The header of either game.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Header {
    /// `BLP0` and `BLP1`, of Warcraft III.
    One(Header1),
    /// `BLP2`, of World of Warcraft.
    Two(Header2),
}

/// Which of the formats.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Version {
    /// Of Warcraft III before it was sold; its levels lie beside it. Never made new.
    Beta,
    /// Of Warcraft III.
    One,
    /// Of World of Warcraft.
    Two,
}

/// What the tables say of a level.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Level {
    /// There is none; its offset may still be something.
    Absent {
        /// The offset that counts for nothing.
        offset: u32,
    },
    /// It leads out of the file, or into what stands before the levels.
    Astray {
        /// Where it would be.
        offset: u32,
        /// How long it would be.
        size: u32,
    },
    /// These bytes.
    Stored(Extent),
}

/// What stands before the levels and belongs to all.
#[derive(Debug, Clone, PartialEq)]
pub enum Shared {
    /// Nothing that is known.
    None,
    /// What the JPEG stream of each level begins with.
    Jpeg(Vec<u8>),
    /// The same, of so many bytes that the file does not have.
    Lost(u32),
    /// Colours, 256 or fewer.
    Palette(Vec<Colour>),
}

/// What the levels are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LevelKind {
    /// JPEG of four components.
    Jpeg,
    /// Indices, and alpha behind them.
    Palette,
    /// Blocks of four by four pixels.
    Blocks(Coding),
    /// Blue, green, red, alpha.
    Plain,
}

impl Header {
    /// Which of the formats.
    pub fn version(&self) -> Version {
        match self {
            Header::One(header) if header.magic.0.get().to_le_bytes() == read::BETA => Version::Beta,
            Header::One(_) => Version::One,
            Header::Two(_) => Version::Two,
        }
    }

    /// Width and height.
    pub fn size(&self) -> (u32, u32) {
        match self {
            Header::One(header) => (header.width.get(), header.height.get()),
            Header::Two(header) => (header.width.get(), header.height.get()),
        }
    }

    /// Bits of alpha.
    pub fn alpha_bits(&self) -> u32 {
        match self {
            Header::One(header) => header.alpha_bits.get(),
            Header::Two(header) => header.alpha_bits.into(),
        }
    }

    /// Whether it says that there are smaller levels.
    pub fn has_mips(&self) -> u32 {
        match self {
            Header::One(header) => header.has_mips.get(),
            Header::Two(header) => header.has_mips.into(),
        }
    }

    fn content(&self) -> u32 {
        match self {
            Header::One(header) => header.content.get(),
            Header::Two(header) => header.content.get(),
        }
    }

    /// What the levels are, if anybody knows.
    pub fn kind(&self) -> Option<LevelKind> {
        match (self, self.content()) {
            (_, JPEG) => Some(LevelKind::Jpeg),
            (Header::One(_), DIRECT) => Some(LevelKind::Palette),
            (Header::Two(header), DIRECT) => match (header.encoding, header.alpha_type) {
                (1, _) => Some(LevelKind::Palette),
                (2, 0) => Some(LevelKind::Blocks(Coding::Bc1 { cutout: header.alpha_bits > 0 })),
                (2, 1) => Some(LevelKind::Blocks(Coding::Bc2)),
                (2, 7) => Some(LevelKind::Blocks(Coding::Bc3)),
                (3 | 4, _) => Some(LevelKind::Plain),
                _ => None,
            },
            _ => None,
        }
    }

    /// Bytes of the header and the tables.
    fn len(&self) -> usize {
        match self.version() {
            Version::Beta => size_of::<Header1>(),
            Version::One => size_of::<Header1>().saturating_add(LEVELS.saturating_mul(8)),
            Version::Two => size_of::<Header2>().saturating_add(LEVELS.saturating_mul(8)),
        }
    }
}

impl Document {
    /// What the levels are, if anybody knows.
    pub fn kind(&self) -> Option<LevelKind> {
        self.header.kind()
    }

    /// The bytes of a level, if the file has them; of JPEG without the shared header.
    pub fn level(&self, level: usize) -> Option<&[u8]> {
        bytes_at(&self.blocks, self.extent(level)?)
    }

    /// The bytes of a level wherever they are: here, or in a file beside this one.
    fn found(&self, level: usize) -> Option<&[u8]> {
        self.level(level).or_else(|| self.beside.get(level)?.as_deref())
    }

    /// The JPEG stream of a level.
    pub fn stream(&self, level: usize) -> Option<jpeg::Stream<'_>> {
        let Shared::Jpeg(head) = &self.shared else { return None };
        Some(jpeg::Stream { head, body: self.level(level)? })
    }

    /// The levels that the file has.
    pub fn stored(&self) -> impl Iterator<Item = usize> {
        (0..self.levels.len()).filter(|&level| self.extent(level).is_some())
    }

    fn extent(&self, level: usize) -> Option<Extent> {
        match self.levels.get(level) {
            Some(Level::Stored(extent)) => Some(*extent),
            _ => None,
        }
    }

    /// The first level whose bytes are just those of this one.
    fn same_as(&self, level: usize) -> usize {
        let extent = self.extent(level);
        let first = (0..level).find(|&other| extent.is_some() && self.extent(other) == extent);
        first.unwrap_or(level)
    }

    /// Bytes before the lead.
    fn head_len(&self) -> usize {
        let shared = match &self.shared {
            Shared::None => 0,
            Shared::Jpeg(head) => head.len().saturating_add(4),
            Shared::Lost(_) => 4,
            Shared::Palette(colours) => size_of_val(colours.as_slice()),
        };
        self.header.len().saturating_add(shared)
    }

    /// Where the blocks lie.
    fn layout(&self) -> Layout<'_> {
        Layout { start: self.head_len(), lead: &self.lead, blocks: &self.blocks }
    }
}

/// The name of the file beside a `BLP0` that holds one of its levels.
pub fn sibling_name(name: &str, level: usize) -> String {
    let stem = name.rsplit_once('.').map_or(name, |(stem, _)| stem);
    format!("{stem}.b{level:02}")
}
