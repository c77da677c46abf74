//! Bytes → [`Document`].

use galvani_core::record::FieldKind;
use galvani_core::{FileMap, Path, Read, ReadError, ReadOptions, Reader, Report, room, text};

use super::levels::{MOST_SIZES, level_size, wanted_bytes};
use super::wire::{PageHead, Pixel1, Pixel2, Pixel4};
use super::{Colour, Document, Format, HEADER_LEN, Header, MAGIC, PAGE, PALETTE_LEN, Page, Rect, check};

/// Width and height in pixels, or `None` where the bytes are no texture.
pub fn size(file: &[u8]) -> Option<[u32; 2]> {
    let sides = file.strip_prefix(&MAGIC)?;
    let (width, sides) = sides.split_first_chunk()?;
    Some([u32::from_le_bytes(*width), u32::from_le_bytes(*sides.first_chunk()?)])
}

/// Reads a texture. A file that ends early is kept as far as it goes and left to [`check`](super::check()); under
/// strictness that ends the reading, as does a format that nobody knows.
pub fn read(file: &[u8], options: &ReadOptions) -> Result<Read<Document>, ReadError> {
    let mut r = Reader::new(file, &check::BYTES);
    let header: Header = *r.record("header")?;
    let magic = header.magic.0.get().to_le_bytes();
    if magic != MAGIC {
        let found = format!("`Texm` wanted, {} found", text::hex(&magic));
        return Err(check::MAGIC_WRONG
            .at(Path::named("header").field("magic"))
            .offset(0)
            .saying(found)
            .into());
    }
    let mut document = Document::with_header(header);
    if let Some(format) = document.format() {
        parts(&mut r, format, &mut document)?;
    }
    document.rest = room::copied(r.rest())?;
    let map = map(file.len(), &document);
    options.strictness.enforce(|report| check::damage(&document, report), || map.clone())?;
    Ok(Read { document, map, report: Report::default(), readings: Vec::new() })
}

fn parts(r: &mut Reader<'_>, format: Format, document: &mut Document) -> Result<(), ReadError> {
    if format == Format::Indexed {
        let colours = PALETTE_LEN.min(whole::<Colour>(r));
        document.palette = room::copied(r.table("palette", colours)?)?;
        if colours < PALETTE_LEN {
            return Ok(());
        }
    }
    let wanted = usize::try_from(wanted_bytes(&document.header, format)).unwrap_or(usize::MAX);
    document.pixels = room::copied(r.bytes("levels", wanted.min(r.remaining()))?)?;
    if document.pixels.len() == wanted && begins_page(r.clone().rest()) {
        let head: &PageHead = r.record("page")?;
        let count = head.count.get();
        let rects = usize::try_from(count).unwrap_or(usize::MAX).min(whole::<Rect>(r));
        document.page = Some(Page { count, rects: room::copied(r.table("rects", rects)?)? });
    }
    Ok(())
}

/// How many whole records are left.
fn whole<T>(r: &Reader<'_>) -> usize {
    r.remaining().checked_div(size_of::<T>()).unwrap_or(0)
}

/// Whether rectangles follow.
pub(super) fn begins_page(rest: &[u8]) -> bool {
    rest.starts_with(&PAGE) && rest.len() >= size_of::<PageHead>()
}

fn map(len: usize, document: &Document) -> FileMap {
    let mut map = FileMap::new(len);
    map.record::<Header>(Path::named("header"), 0);
    let mut at = HEADER_LEN;
    map.table::<Colour>(Path::named("palette"), at, document.palette.len());
    at = at.saturating_add(size_of_val(document.palette.as_slice()));
    if let Some(format) = document.format() {
        levels(&mut map, at, format, document);
    }
    at = at.saturating_add(document.pixels.len());
    if let Some(page) = &document.page {
        map.record::<PageHead>(Path::named("page"), at);
        at = at.saturating_add(size_of::<PageHead>());
        map.table::<Rect>(Path::named("page").field("rects"), at, page.rects.len());
        at = at.saturating_add(size_of_val(page.rects.as_slice()));
    }
    map.run(Path::named("rest"), at, document.rest.len(), FieldKind::Raw);
    map
}

/// One table per level as far as levels differ in size, one for all behind them, and what is left of a pixel.
fn levels(map: &mut FileMap, start: usize, format: Format, document: &Document) {
    let stride = format.pixel_bytes();
    let mut left = document.pixels.len().checked_div(stride).unwrap_or(0);
    let whole = left.saturating_mul(stride);
    let mut at = start;
    let mut table = |map: &mut FileMap, path: Path, pixels: usize| {
        match stride {
            1 => map.table::<Pixel1>(path, at, pixels),
            2 => map.table::<Pixel2>(path, at, pixels),
            _ => map.table::<Pixel4>(path, at, pixels),
        }
        at = at.saturating_add(pixels.saturating_mul(stride));
    };
    let sized = document.header.mip_count.get().min(MOST_SIZES);
    for level in 0..usize::try_from(sized).unwrap_or(0) {
        let [width, height] = level_size(&document.header, level);
        let wanted = u64::from(width).saturating_mul(height.into());
        let pixels = usize::try_from(wanted).unwrap_or(usize::MAX).min(left);
        table(map, Path::named("levels").index(level), pixels);
        left = left.saturating_sub(pixels);
    }
    if left > 0 || document.header.mip_count.get() > MOST_SIZES {
        table(map, Path::named("more_levels"), left);
    }
    let cut = document.pixels.len().saturating_sub(whole);
    if cut > 0 {
        map.run(Path::named("pixel_cut"), start.saturating_add(whole), cut, FieldKind::Raw);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_size_stands_behind_the_magic() {
        assert_eq!(size(b"Texm\x40\0\0\0\x20\0\0\0\x01\0\0\0"), Some([64, 32]));
        assert_eq!(size(b"Texm\x40\0\0\0\x20\0\0"), None);
        assert_eq!(size(b"Page\x40\0\0\0\x20\0\0\0"), None);
    }
}
