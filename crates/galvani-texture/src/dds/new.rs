//! Pictures → new files.

use galvani_core::{EditError, Exhausted, Image, Path, room};
use zerocopy::FromZeros;

use super::edit::{FORMAT, SIZE, pitch};
use super::{Document, Dx10, Format, Header, PICTURE, PixelFormat, flag};
use crate::bc;
use crate::mips::{Mips, chain};
use crate::numbers::{copied, is_whole, room_to_encode};

/// How a new file is made.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Options {
    /// What pixels are.
    pub pixels: PixelFormat,
    /// How many levels.
    pub mips: Mips,
}

impl Options {
    /// As another file was made.
    pub fn like(old: &Document) -> Self {
        let mips = if old.shape().is_some_and(|shape| shape.levels > 1) { Mips::Full } else { Mips::One };
        Options { pixels: old.pixel_format(), mips }
    }
}

impl Document {
    /// A file of one picture.
    pub fn new(image: &Image, options: &Options) -> Result<Document, EditError> {
        let mut header =
            Header { width: image.width.into(), height: image.height.into(), ..Header::default() };
        options.pixels.store(&mut header);
        let dx10 = options.pixels.dxgi.map(|format| Dx10 {
            format: format.into(),
            dimension: PICTURE.into(),
            array_size: 1.into(),
            ..Dx10::new_zeroed()
        });
        let mut document = Document { header, dx10, data: Vec::new() };
        let levels = encoded(&document, image, options.mips)?;
        document.data = joined(&levels, &[])?;
        document.count_levels(levels.len());
        Ok(document)
    }

    /// Says in the header how many levels there are, and how long the first is.
    pub(super) fn count_levels(&mut self, levels: usize) {
        let header = &mut self.header;
        header.mip_count = u32::try_from(levels).unwrap_or(u32::MAX).into();
        let (mut flags, mut caps) = (header.flags.get() | flag::REQUIRED, header.caps.get() | flag::TEXTURE);
        if levels > 1 {
            flags |= flag::MIP_COUNT;
            caps |= flag::COMPLEX | flag::MIPMAP;
        }
        (header.flags, header.caps) = (flags.into(), caps.into());
        self.say_pitch();
    }

    /// Says in the header how long a row is, or the first level.
    pub(super) fn say_pitch(&mut self) {
        let Some((pitch, shape)) = pitch(self).zip(self.shape()) else { return };
        let other = flag::PITCH | flag::LINEAR_SIZE;
        let is_plain = matches!(shape.format, Format::Plain(_));
        let which = if is_plain { flag::PITCH } else { flag::LINEAR_SIZE };
        self.header.flags = ((self.header.flags.get() & !other) | which).into();
        self.header.pitch = pitch.into();
    }
}

/// Every level of a picture in the pixels of a document.
pub(super) fn encoded(document: &Document, image: &Image, mips: Mips) -> Result<Vec<Vec<u8>>, EditError> {
    if !is_whole(image) {
        let (width, height, found) = (image.width, image.height, image.rgba.len());
        let said = format!("{width} × {height} pixels wanted, {found} found");
        return Err(SIZE.at(Path::named("header").field("height")).saying(said).into());
    }
    let most = if mips == Mips::Full { usize::MAX } else { 1 };
    room_to_encode(image, ENCODING)?;
    let levels = chain(copied(image)?, most);
    levels.iter().map(|level| encode_level(document, level)).collect()
}

/// Copies of a picture that its levels take together with what is made of them.
pub(super) const ENCODING: usize = 3;

/// The bytes of levels one behind the other, and some more.
pub(super) fn joined(levels: &[Vec<u8>], more: &[u8]) -> Result<Vec<u8>, Exhausted> {
    let len = levels.iter().map(Vec::len).fold(more.len(), usize::saturating_add);
    let mut bytes = room::with_capacity(len)?;
    for level in levels {
        bytes.extend_from_slice(level);
    }
    bytes.extend_from_slice(more);
    Ok(bytes)
}

/// One level in the pixels of a document.
pub fn encode_level(document: &Document, level: &Image) -> Result<Vec<u8>, EditError> {
    let pixels = document.pixel_format();
    let encoded = match pixels.format() {
        Some(Format::Plain(plain)) => Some(plain.encode(&level.rgba)?),
        Some(Format::Blocks(coding)) => bc::encode(coding, level),
        Some(Format::Wide) | None => None,
    };
    encoded.ok_or_else(|| {
        let said = format!("`{}` found", pixels.four_cc.escape_ascii());
        FORMAT.at(Path::named("header").field("four_cc")).saying(said).into()
    })
}
