//! Pictures → new files (docs/formats/blp.md#edits).

use galvani_core::archive::{Block, Extent};
use galvani_core::record::Tag;
use galvani_core::{EditError, Image, Path};
use zerocopy::FromZeros;

use super::decode::{alpha_plane, is_plane};
use super::edit::{ALPHA, KIND, SIZE};
use super::{
    COLOURS, Colour, DIRECT, Document, Header, Header1, Header2, JPEG, LEVELS, Level, LevelKind, Shared,
    Version, read,
};
use crate::bc::{self, Coding};
use crate::jpeg;
use crate::mips::{Mips, chain};
use crate::numbers::{byte, copied, is_whole, room_to_encode};
use crate::quantise::{Dither, indices, palette};

/// What a new file says of `extra`, with alpha and without, as most real ones do.
const EXTRA: (u32, u32) = (4, 5);

/// How a new file is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// For which game.
    pub version: Version,
    /// What the levels are.
    pub kind: LevelKind,
    /// How many levels.
    pub mips: Mips,
    /// Of JPEG, 1 to 100.
    pub quality: u8,
    /// Bits of alpha; without a word 8, or 0 if every pixel is to be seen.
    pub alpha_bits: Option<u32>,
    /// What to do about colours that a palette does not have.
    pub dither: Dither,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            version: Version::One,
            kind: LevelKind::Jpeg,
            mips: Mips::Full,
            quality: jpeg::QUALITY,
            alpha_bits: None,
            dither: Dither::None,
        }
    }
}

impl Options {
    /// As another file was made. What nobody knows becomes JPEG, what is never made new a `BLP1`.
    pub fn like(old: &Document) -> Self {
        let version = if old.header.version() == Version::Two { Version::Two } else { Version::One };
        let mips = if old.header.has_mips() > 0 { Mips::Full } else { Mips::One };
        let quality = old.stream(0).and_then(|stream| stream.quality()).unwrap_or(jpeg::QUALITY);
        let kind = old.kind().unwrap_or(LevelKind::Jpeg);
        Options {
            version,
            kind,
            mips,
            quality,
            alpha_bits: Some(old.header.alpha_bits()),
            dither: Dither::None,
        }
    }
}

impl Document {
    /// A file of a picture and its smaller levels.
    pub fn new(image: &Image, options: &Options) -> Result<Document, EditError> {
        whole(image)?;
        let is_opaque = image.rgba.iter().all(|&[.., alpha]| alpha == 255);
        let alpha_bits = options.alpha_bits.unwrap_or(if is_opaque { 0 } else { 8 });
        let header = header(image, options, alpha_bits)?;
        let most = if options.mips == Mips::Full { LEVELS } else { 1 };
        room_to_encode(image, ENCODING)?;
        let levels = chain(copied(image)?, most);
        let shared = match options.kind {
            LevelKind::Palette => Shared::Palette(colours(&palette(image))),
            LevelKind::Jpeg => Shared::Jpeg(Vec::new()),
            LevelKind::Blocks(_) | LevelKind::Plain => Shared::Palette(Vec::new()),
        };
        let mut document = Document {
            header,
            levels: Vec::new(),
            shared,
            lead: Vec::new(),
            blocks: Vec::new(),
            beside: Vec::new(),
        };
        let encode = |level: &Image| document.encoded(level, options.quality, options.dither);
        let payloads = levels.iter().map(encode).collect::<Result<Vec<_>, _>>()?;
        document.lay_out(payloads.into_iter().map(Some).collect());
        Ok(document)
    }

    /// A picture as a level of this document; of JPEG the whole stream.
    pub fn encoded(&self, level: &Image, quality: u8, dither: Dither) -> Result<Vec<u8>, EditError> {
        whole(level)?;
        room_to_encode(level, ENCODING)?;
        let alpha_bits = self.header.alpha_bits();
        let encoded = match (self.kind(), &self.shared) {
            (Some(LevelKind::Jpeg), _) => jpeg::encode(level, quality, alpha_bits > 0),
            (Some(LevelKind::Palette), Shared::Palette(colours)) => {
                let known: Vec<[u8; 3]> =
                    colours.iter().map(|Colour { bgrx: [b, g, r, _] }| [*r, *g, *b]).collect();
                let indices = indices(level, &known, dither);
                (!known.is_empty()).then(|| [indices, alpha_plane(&level.rgba, alpha_bits)].concat())
            }
            (Some(LevelKind::Blocks(coding)), _) => bc::encode(coding, level),
            (Some(LevelKind::Plain), _) => {
                let has_alpha = alpha_bits > 0;
                let stored = |&[r, g, b, a]: &[u8; 4]| [b, g, r, if has_alpha { a } else { 255 }];
                Some(level.rgba.iter().flat_map(stored).collect())
            }
            _ => None,
        };
        encoded.ok_or_else(|| KIND.at(Path::named("header").field("content")).into())
    }

    /// Gives the document these levels in order, each with bytes of its own and nothing between; of JPEG whole
    /// streams, of which it finds the common header.
    pub(super) fn lay_out(&mut self, mut payloads: Vec<Option<Vec<u8>>>) {
        if self.kind() == Some(LevelKind::Jpeg) {
            let streams: Vec<Vec<u8>> = payloads.iter().flatten().cloned().collect();
            // No level is nothing but the header.
            let least = streams.iter().map(|stream| stream.len().saturating_sub(1)).min().unwrap_or(0);
            let cut = jpeg::shared_head(&streams).min(least);
            let head = streams.first().and_then(|stream| stream.get(..cut)).unwrap_or_default();
            self.shared = Shared::Jpeg(head.to_vec());
            for stream in payloads.iter_mut().flatten() {
                stream.drain(..cut);
            }
        }
        self.place(payloads);
    }

    /// The same, of JPEG without the header, which stays.
    pub(super) fn place(&mut self, mut payloads: Vec<Option<Vec<u8>>>) {
        payloads.truncate(LEVELS);
        self.lead.clear();
        match &mut self.shared {
            Shared::Palette(colours) => colours.resize(COLOURS, Colour { bgrx: [0; 4] }),
            // The levels of World of Warcraft begin behind the room that a palette would have.
            Shared::Jpeg(head) if self.header.version() == Version::Two => {
                let room = size_of::<Colour>().saturating_mul(COLOURS).saturating_sub(4);
                self.lead.resize(room.saturating_sub(head.len()), 0);
            }
            Shared::Jpeg(_) | Shared::Lost(_) | Shared::None => {}
        }
        self.blocks.clear();
        self.levels.clear();
        for bytes in payloads.into_iter().map(Option::unwrap_or_default) {
            if bytes.is_empty() {
                self.levels.push(Level::Absent { offset: 0 });
                continue;
            }
            let extent = Extent { block: self.blocks.len(), start: 0, end: bytes.len() };
            self.levels.push(Level::Stored(extent));
            self.blocks.push(Block { bytes, gap: Vec::new() });
        }
        self.levels.resize(LEVELS, Level::Absent { offset: 0 });
        let has_mips = self.stored().any(|level| level > 0);
        match &mut self.header {
            Header::One(header) => header.has_mips = u32::from(has_mips).into(),
            Header::Two(header) => header.has_mips = has_mips.into(),
        }
    }
}

fn header(image: &Image, options: &Options, alpha_bits: u32) -> Result<Header, EditError> {
    let Options { version, kind, .. } = *options;
    let is_known = match kind {
        LevelKind::Jpeg => true,
        LevelKind::Blocks(Coding::Bc1 { .. }) => alpha_bits <= 1 || alpha_bits == 8,
        LevelKind::Palette | LevelKind::Blocks(_) | LevelKind::Plain => is_plane(alpha_bits),
    };
    if !is_known {
        let said = format!("0, 1, 4 or 8 wanted, {alpha_bits} found");
        return Err(ALPHA.at(Path::named("header").field("alpha_bits")).saying(said).into());
    }
    let content = if kind == LevelKind::Jpeg { JPEG } else { DIRECT };
    let magic = |magic: [u8; 4]| Tag(u32::from_le_bytes(magic).into());
    match (version, kind) {
        (Version::One, LevelKind::Jpeg | LevelKind::Palette) => Ok(Header::One(Header1 {
            magic: magic(read::ONE),
            content: content.into(),
            alpha_bits: alpha_bits.into(),
            width: image.width.into(),
            height: image.height.into(),
            extra: extra(alpha_bits).into(),
            has_mips: 0.into(),
        })),
        (Version::Two, _) => {
            let (encoding, alpha_type) = match kind {
                LevelKind::Jpeg => (0, 0),
                LevelKind::Palette => (1, 8),
                LevelKind::Blocks(Coding::Bc1 { .. }) => (2, 0),
                LevelKind::Blocks(Coding::Bc2) => (2, 1),
                LevelKind::Blocks(Coding::Bc3) => (2, 7),
                LevelKind::Plain => (3, 8),
                LevelKind::Blocks(_) => {
                    return Err(KIND.at(Path::named("header").field("alpha_bits")).into());
                }
            };
            Ok(Header::Two(Header2 {
                magic: magic(read::TWO),
                content: content.into(),
                encoding,
                alpha_bits: byte(alpha_bits),
                alpha_type,
                width: image.width.into(),
                height: image.height.into(),
                ..Header2::new_zeroed()
            }))
        }
        (Version::Beta, _) | (Version::One, LevelKind::Blocks(_) | LevelKind::Plain) => {
            let said = format!("{kind:?} for {version:?}");
            Err(KIND.at(Path::named("header").field("content")).saying(said).into())
        }
    }
}

/// Copies of a picture that its levels take together with what is made of them and what the quantiser looks at.
pub(super) const ENCODING: usize = 4;

/// What `extra` usually is.
pub(super) fn extra(alpha_bits: u32) -> u32 {
    let (with, without) = EXTRA;
    if alpha_bits > 0 { with } else { without }
}

fn colours(palette: &[[u8; 3]]) -> Vec<Colour> {
    palette.iter().map(|&[red, green, blue]| Colour { bgrx: [blue, green, red, 0] }).collect()
}

/// Refuses a picture without pixels, or with another number of them than its size says.
fn whole(image: &Image) -> Result<(), EditError> {
    let (width, height, found) = (image.width, image.height, image.rgba.len());
    if is_whole(image) && width <= jpeg::MOST_SIDE && height <= jpeg::MOST_SIDE {
        return Ok(());
    }
    let most = jpeg::MOST_SIDE;
    let said = format!("sides of 1 to {most} wanted, {width} × {height} and {found} pixels found");
    Err(SIZE.at(Path::named("header").field("height")).saying(said).into())
}
