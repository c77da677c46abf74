//! What can be wrong with a texture.

use galvani_core::diag::ByteCodes;
use galvani_core::{Path, Report, codes};
use zerocopy::little_endian::U32;

use super::{Document, MOST_PIXEL_BYTES, TexPart, VERSION, Wanted, wanted};

codes! {
    TRUNCATED = Error, "ff7-tex.truncated",
        "the bytes end inside the header",
        "the file was cut short";
    VERSION_UNKNOWN = Error, "ff7-tex.version",
        "the version is not 1",
        "the game knows no other version; the rest is read as if it were 1";
    CUT = Error, "ff7-tex.cut",
        "the file ends inside the palette, the pixels or the colour keys",
        "what is there stays readable; the file was cut short or a size is damaged";
    NO_COLOUR_KEYS = Note, "ff7-tex.no-colour-keys",
        "the colour keys of the palettes are missing",
        "some of the game's own files end before them; the header's flag counts for every palette";
    REST = Warning, "ff7-tex.rest",
        "bytes follow the last part",
        "the game does not look at them; the canonical form drops them";
    PIXEL_BYTES = Error, "ff7-tex.pixel-bytes",
        "pixels of this size are no colours and no indices",
        "indices have one byte, colours two to four";
    BIT_DEPTH = Note, "ff7-tex.bit-depth",
        "the bits of a pixel do not give its bytes",
        "the bytes count; set the bits";
    EMPTY = Warning, "ff7-tex.empty",
        "the picture has no pixels",
        "its width or height is 0";
    PALETTE_COUNT = Warning, "ff7-tex.palette-count",
        "the colours are not palettes times colours per palette",
        "palettes lie one after the other; the last one may not be whole";
    PALETTE_MISSING = Error, "ff7-tex.palette-missing",
        "pixels are indices, but there is no palette",
        "give it a palette, or pixels of two bytes or more";
    PALETTE_UNUSED = Note, "ff7-tex.palette-unused",
        "there are colours in a palette, but pixels are no indices",
        "nobody looks at them";
    PALETTE_INDEX = Note, "ff7-tex.palette-index",
        "the palette to draw with is not there",
        "the game sets it while it runs";
    INDEX = Error, "ff7-tex.index",
        "a pixel has an index beyond its palette",
        "the game would read behind the palette; it shows as transparent here";
    MASK_BITS = Warning, "ff7-tex.mask-bits",
        "a channel's mask, shift, bits and highest value do not agree",
        "mask and highest value count";
    MASK_OVERLAP = Warning, "ff7-tex.mask-overlap",
        "two channels share bits of a pixel, or lie outside it",
        "no picture can have all colours so";
    COUNT = Error, "ff7-tex.count",
        "the header does not count what is there",
        "the document was put together wrongly; set the header's sizes";
}

/// The byte layer's codes under this format's name.
pub(super) static BYTES: ByteCodes = ByteCodes { truncated: &TRUNCATED };

/// Every rule the document can break, in the order of the file.
pub fn check(document: &Document) -> Report {
    let mut report = Report::default();
    let header = |field| Path::named("header").field(field);
    let version = document.header.version.get();
    if version != VERSION {
        report
            .push(VERSION_UNKNOWN.at(header("version")).saying(format!("{VERSION} wanted, {version} found")));
    }
    pixel_size(document, &mut report);
    palette(document, &mut report);
    if !document.is_paletted() {
        masks(document, &mut report);
    }
    damage(document, &mut report);
    indices(document, &mut report);
    if document.lacks_colour_keys() {
        let said = format!("{} keys wanted, the file ends", document.header.palettes);
        report.push(NO_COLOUR_KEYS.at(Path::named("colour_keys")).saying(said));
    }
    if !document.rest.is_empty() && document.cut().is_none() {
        report.push(REST.at(Path::named("rest")).saying(format!("{} bytes", document.rest.len())));
    }
    report
}

/// The rules without which a part cannot be read.
pub(super) fn damage(document: &Document, report: &mut Report) {
    let Some(part) = document.cut().filter(|_| !document.lacks_colour_keys()) else { return };
    let Wanted { colours, pixels, stride, keys } = wanted(&document.header);
    let (wanted, found) = match part {
        TexPart::Palette => (u128::from(colours), document.palette.len()),
        TexPart::Pixels => (pixels, document.pixels.len().checked_div(stride).unwrap_or(0)),
        TexPart::ColourKeys => (u128::from(keys), document.colour_keys.len()),
    };
    let said = format!("{wanted} records wanted, {found} found and {} bytes", document.rest.len());
    report.push(CUT.at(Path::named(part.name())).saying(said));
}

fn pixel_size(document: &Document, report: &mut Report) {
    let header = &document.header;
    let path = |field| Path::named("header").field(field);
    let bytes = header.bytes_per_pixel.get();
    let known = if document.is_paletted() { 1..=1 } else { 2..=MOST_PIXEL_BYTES };
    if !known.contains(&bytes) {
        let said = format!("{} to {} bytes wanted, {bytes} found", known.start(), known.end());
        report.push(PIXEL_BYTES.at(path("bytes_per_pixel")).saying(said));
    }
    let bits = [("bit_depth", header.bit_depth), ("bits_per_pixel", header.bits_per_pixel)];
    for (field, bits) in bits {
        if bits.get().div_ceil(8) != bytes {
            let said = format!("bits of {bytes} bytes wanted, {bits} found");
            report.push(BIT_DEPTH.at(path(field)).saying(said));
        }
    }
    for (field, side) in [("width", header.width), ("height", header.height)] {
        if side.get() == 0 {
            report.push(EMPTY.at(path(field)).saying("0 found"));
        }
    }
}

fn palette(document: &Document, report: &mut Report) {
    let header = &document.header;
    let path = |field| Path::named("header").field(field);
    let (palettes, entries) = (header.palettes.get(), header.palette_entries.get());
    if !document.is_paletted() {
        if entries > 0 {
            report.push(PALETTE_UNUSED.at(path("palette_entries")).saying(format!("{entries} colours")));
        }
        return;
    }
    if entries == 0 || palettes == 0 {
        let said = format!("{palettes} palettes, {entries} colours");
        report.push(PALETTE_MISSING.at(path("palette_entries")).saying(said));
        return;
    }
    let colours = [("colours", header.colours), ("colours_again", header.colours_again)];
    for (field, colours) in colours {
        let all = u64::from(palettes).saturating_mul(colours.get().into());
        // The second number may be left out.
        if all != u64::from(entries) && (field == "colours" || colours.get() != 0) {
            let said = format!("{entries} colours wanted, {palettes} palettes of {colours} found");
            report.push(PALETTE_COUNT.at(path(field)).saying(said));
        }
    }
    let taken = header.palette_index.get();
    if taken >= palettes {
        let said = format!("a palette below {palettes} wanted, {taken} found");
        report.push(PALETTE_INDEX.at(path("palette_index")).saying(said));
    }
}

/// Indices lie in their palette.
fn indices(document: &Document, report: &mut Report) {
    let len = document.palette_len();
    if !document.is_paletted() || document.header.bytes_per_pixel.get() != 1 || len == 0 {
        return;
    }
    // A palette of 256 colours or more has them all.
    if len > usize::from(u8::MAX) {
        return;
    }
    for (i, &index) in document.pixels.iter().enumerate() {
        if usize::from(index) >= len {
            let said = format!("an index below {len} wanted, {index} found");
            report.push(INDEX.at(Path::named("pixels").index(i)).saying(said));
        }
    }
}

/// The channels in the header's order.
const CHANNELS: [&str; 4] = ["red", "green", "blue", "alpha"];

/// Channels stand where they say.
fn masks(document: &Document, report: &mut Report) {
    let header = &document.header;
    let path = |field| Path::named("header").field(field);
    let words = |words: [U32; 4]| words.map(U32::get);
    let (masks, shifts, bits, highest) =
        (words(header.masks), words(header.shifts), words(header.channel_bits), words(header.highest));
    let channels = masks.into_iter().zip(shifts).zip(bits).zip(highest);
    for (i, (name, (((mask, shift), bits), highest))) in CHANNELS.into_iter().zip(channels).enumerate() {
        let wanted = 1_u64.checked_shl(bits).unwrap_or(0).saturating_sub(1);
        let placed = wanted.checked_shl(shift).unwrap_or(0);
        if u64::from(mask) != placed || u64::from(highest) != wanted {
            let said = format!(
                "{name}: {bits} bits from bit {shift} on wanted, mask 0x{mask:08x} and {highest} found"
            );
            report.push(MASK_BITS.at(path("masks").index(i)).saying(said));
        }
    }
    let pixel_bits = header.bytes_per_pixel.get().saturating_mul(8);
    let mut taken = u64::MAX.checked_shl(pixel_bits).unwrap_or(0);
    for (i, (name, mask)) in CHANNELS.into_iter().zip(masks).enumerate() {
        if taken & u64::from(mask) != 0 {
            let said = format!("{name}: free bits of {pixel_bits} wanted, 0x{mask:08x} found");
            report.push(MASK_OVERLAP.at(path("masks").index(i)).saying(said));
        }
        taken |= u64::from(mask);
    }
}
