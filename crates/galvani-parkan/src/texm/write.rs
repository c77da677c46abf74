//! [`Document`] → bytes.

use galvani_core::record::Tag;
use galvani_core::{Path, WriteError, Writer};
use zerocopy::little_endian::U32;

use super::levels::wanted_bytes;
use super::read::begins_page;
use super::wire::PageHead;
use super::{Colour, Document, Format, HEADER_LEN, PAGE, PALETTE_LEN, Rect, TexmPart, check};

/// Writes a texture from its document alone.
///
/// The header must count what is there; only a file that ends early may have less, and then nothing in the parts
/// behind it.
pub fn write(document: &Document) -> Result<Vec<u8>, WriteError> {
    if let Some((part, said)) = miscounted(document) {
        return Err(check::COUNT.at(Path::named(part)).saying(said).into());
    }
    let lens = [HEADER_LEN, document.pixels.len(), document.rest.len()];
    let mut w = Writer::with_capacity(lens.into_iter().fold(0, usize::saturating_add))?;
    w.record(&document.header);
    w.record(document.palette.as_slice());
    w.bytes(&document.pixels);
    if let Some(page) = &document.page {
        w.record(&PageHead { magic: Tag(U32::from_bytes(PAGE)), count: U32::new(page.count) });
        w.record(page.rects.as_slice());
    }
    w.bytes(&document.rest);
    Ok(w.finish())
}

/// What would be read back as something else.
fn miscounted(document: &Document) -> Option<(&'static str, String)> {
    let Document { header, palette, pixels, page, rest } = document;
    let typed = !palette.is_empty() || !pixels.is_empty() || page.is_some();
    let Some(format) = document.format() else {
        return typed.then(|| ("header", format!("format {} has no parts", header.format)));
    };
    let wanted = if format == Format::Indexed { PALETTE_LEN } else { 0 };
    let behind = !pixels.is_empty() || page.is_some() || rest.len() >= size_of::<Colour>();
    if palette.len() > wanted || (palette.len() < wanted && behind) {
        return Some((
            TexmPart::Palette.name(),
            format!("{wanted} colours counted, {} there", palette.len()),
        ));
    }
    if palette.len() < wanted {
        return None;
    }
    let (wanted, found) = (wanted_bytes(header, format), pixels.len());
    let there = u128::try_from(found).unwrap_or(u128::MAX);
    if there > wanted || (there < wanted && (page.is_some() || !rest.is_empty())) {
        return Some((TexmPart::Pixels.name(), format!("{wanted} bytes counted, {found} there")));
    }
    let Some(page) = page else {
        return begins_page(rest)
            .then(|| (TexmPart::Page.name(), "the rest begins as rectangles do".to_owned()));
    };
    let (wanted, found) = (page.count, page.rects.len());
    let missing = u32::try_from(found).is_ok_and(|found| found < wanted);
    let over = u32::try_from(found).is_ok_and(|found| found > wanted) || u32::try_from(found).is_err();
    let wrong = over || (missing && rest.len() >= size_of::<Rect>());
    wrong.then(|| (TexmPart::Page.name(), format!("{wanted} rectangles counted, {found} there")))
}
