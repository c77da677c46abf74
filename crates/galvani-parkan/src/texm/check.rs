//! What can be wrong with a texture.

use galvani_core::diag::ByteCodes;
use galvani_core::{Diagnostic, Path, Report, codes};

use super::edit::mip_flag;
use super::levels::{MOST_SIZES, full_count, wanted_bytes};
use super::{ALPHA_FLAGS, Document, Format, PALETTE_LEN, Rect, TexmPart};

codes! {
    TRUNCATED = Error, "texm.truncated",
        "the bytes end inside the header",
        "the file was cut short";
    MAGIC_WRONG = Error, "texm.magic",
        "the file does not start with `Texm`",
        "this is no texture of the game";
    FORMAT = Error, "texm.format",
        "nobody knows pixels of this format",
        "known are 0, 2, 88, 556, 565, 888, 4444 and 8888; all behind the header is kept";
    EMPTY = Error, "texm.empty",
        "the picture has no pixels",
        "its width or height is 0";
    NO_LEVELS = Error, "texm.no-levels",
        "the texture counts no level, not even the picture itself",
        "a texture has at least one; the header is damaged";
    LEVELS_MANY = Warning, "texm.levels-many",
        "there are more levels than lead to a single pixel",
        "those behind are all of one pixel; the header may be damaged";
    CUT = Error, "texm.cut",
        "the file ends inside the palette, the pixels or the rectangles",
        "what is there stays readable; the file was cut short or a size is damaged";
    PAGE_END = Error, "texm.page-end",
        "bytes follow the last rectangle",
        "the game wants the rectangles to end the file; the plain form drops what follows";
    REST = Warning, "texm.rest",
        "bytes follow the last level",
        "every texture of the game ends there; the plain form drops them";
    PAGE_RECT = Warning, "texm.page-rect",
        "a rectangle is empty or leaves the texture",
        "materials that show it show something else; correct it";
    MIP_FLAG_ODD = Note, "texm.mip-flag",
        "the word before the flags is not 32 with smaller levels, or 0 without",
        "every texture of the game has it so; the game does not look at it";
    FLAGS = Note, "texm.flags",
        "flags are set that no texture of the game has",
        "the game looks at 0x01000000 and 0x02000000; the rest is kept";
    RARE_FORMAT = Note, "texm.rare-format",
        "no texture of the game has this format",
        "the loader knows it; of 88 nobody knows which byte is alpha, the upper one is taken";
    SIDES = Note, "texm.sides",
        "the picture is no square of 8 to 256 pixels, a power of two",
        "every texture of the game is; others may not be drawn by its machine";
    PALETTE_BYTE = Note, "texm.palette-byte",
        "the bytes without meaning in a palette are not all the same",
        "they are in the game's textures; nobody looks at them";
    PIXEL_BYTE = Note, "texm.pixel-byte",
        "bytes without meaning in pixels are not 0",
        "they are in the game's textures; nobody looks at them";
    NO_LEVEL = Error, "texm.no-level",
        "there is no such level, or there cannot be so many",
        "levels are counted from 0, which is the picture itself, down to a single pixel";
    LEVEL_MISSING = Error, "texm.level-missing",
        "the file ends before what this needs",
        "the file was cut short; give it whole pictures first";
    PIXEL_LIMIT = Error, "texm.pixel-limit",
        "the picture is larger than allowed",
        "allow more pixels if the file can be trusted";
    COLOURS = Error, "texm.colours",
        "the picture has colours that the texture cannot have",
        "take the nearest ones, or a format with more";
    TOO_MANY_COLOURS = Error, "texm.too-many-colours",
        "a palette has 256 colours at most",
        "give the picture fewer colours, or another format";
    NO_COLOUR = Error, "texm.no-colour",
        "there is no such colour",
        "only textures of format 0 have a palette";
    SIZE = Error, "texm.size",
        "the picture does not have the size that is wanted",
        "give it at least one pixel, and a level exactly its size";
    COUNT = Error, "texm.count",
        "the header does not count what is there",
        "the document was put together wrongly; its edits keep this right";
}

/// The byte layer's codes under this format's name.
pub(super) static BYTES: ByteCodes = ByteCodes { truncated: &TRUNCATED };

/// Flags that textures of the game have.
const KNOWN_FLAGS: u32 = ALPHA_FLAGS | 0x0400_0000 | 0x0080_0000;

/// Sides that textures of the game have.
const SIDES_KNOWN: std::ops::RangeInclusive<u32> = 8..=256;

/// Every rule the document can break, in the order of the file.
pub fn check(document: &Document) -> Report {
    let mut report = Report::default();
    damage(document, &mut report);
    header(document, &mut report);
    colours(document, &mut report);
    pages(document, &mut report);
    if !document.rest.is_empty() && document.format().is_some() && document.cut().is_none() {
        let code = if document.page.is_some() { &PAGE_END } else { &REST };
        report.push(code.at(Path::named("rest")).saying(format!("{} bytes", document.rest.len())));
    }
    report
}

/// The rules without which a part cannot be read.
pub(super) fn damage(document: &Document, report: &mut Report) {
    let header = &document.header;
    let path = |field| Path::named("header").field(field);
    for (field, side) in [("width", header.width), ("height", header.height)] {
        if side.get() == 0 {
            report.push(EMPTY.at(path(field)).saying("at least 1 wanted, 0 found"));
        }
    }
    if header.mip_count.get() == 0 {
        report.push(NO_LEVELS.at(path("mip_count")).saying("at least 1 wanted, 0 found"));
    }
    let Some(format) = document.format() else { return report.push(unknown_format(document)) };
    let Some(part) = document.cut() else { return };
    let found = match part {
        TexmPart::Palette => format!("{PALETTE_LEN} colours wanted, {} found", document.palette.len()),
        TexmPart::Pixels => {
            format!("{} bytes wanted, {} found", wanted_bytes(header, format), document.pixels.len())
        }
        TexmPart::Page => {
            let rects = document.page.as_ref().map_or((0, 0), |page| (page.count, page.rects.len()));
            format!("{} rectangles wanted, {} found", rects.0, rects.1)
        }
    };
    report.push(CUT.at(cut_path(document, part)).saying(found));
}

/// Where a part is cut short: the first level that is not whole.
fn cut_path(document: &Document, part: TexmPart) -> Path {
    let path = Path::named(part.name());
    if part != TexmPart::Pixels {
        return path;
    }
    let levels = usize::try_from(document.header.mip_count.get().min(MOST_SIZES)).unwrap_or(0);
    let first = (0..levels).find(|&level| document.level(level).is_none());
    first.map_or(Path::named("more_levels"), |level| path.index(level))
}

/// The finding of a format that nobody knows.
pub(super) fn unknown_format(document: &Document) -> Diagnostic {
    let found = format!("{} found", document.header.format);
    FORMAT.at(Path::named("header").field("format")).saying(found)
}

fn header(document: &Document, report: &mut Report) {
    let header = &document.header;
    let path = |field| Path::named("header").field(field);
    let (width, height) = (header.width.get(), header.height.get());
    let (count, most) = (header.mip_count.get(), full_count(width, height));
    if count > most {
        let found = format!("{most} at most for {width} × {height}, {count} found");
        report.push(LEVELS_MANY.at(path("mip_count")).saying(found));
    }
    let (wanted, found) = (mip_flag(count), header.flags_10.get());
    if wanted != found {
        let found = format!("{wanted} wanted with {count} levels, {found} found");
        report.push(MIP_FLAG_ODD.at(path("flags_10")).saying(found));
    }
    let odd = header.flags_14.get() & !KNOWN_FLAGS;
    if odd != 0 {
        report.push(FLAGS.at(path("flags_14")).saying(format!("0x{odd:08x} beside known ones")));
    }
    if let Some(format @ (Format::Rgb556 | Format::LumAlpha88)) = document.format() {
        report.push(RARE_FORMAT.at(path("format")).saying(format!("{format} found")));
    }
    let is_usual = width == height && width.is_power_of_two() && SIDES_KNOWN.contains(&width);
    if !is_usual && width > 0 && height > 0 {
        report.push(SIDES.at(path("width")).saying(format!("{width} × {height}")).pedantic());
    }
}

/// Bytes without meaning are as everywhere.
fn colours(document: &Document, report: &mut Report) {
    let first = document.palette.first().map(|colour| colour.bgrx);
    for (i, colour) in document.palette.iter().enumerate() {
        if let (Some([.., wanted]), [.., found]) = (first, colour.bgrx)
            && wanted != found
        {
            let said = format!("{wanted} in the first colour, {found} here");
            report.push(PALETTE_BYTE.at(Path::named("palette").index(i)).saying(said).pedantic());
        }
    }
    if document.format() == Some(Format::Rgb888) {
        let odd = |pixel: &&[u8]| matches!(pixel, [_, _, _, odd] if *odd != 0);
        let count = document.pixels.chunks_exact(4).filter(odd).count();
        if count > 0 {
            let said = format!("in {count} pixels");
            report.push(PIXEL_BYTE.at(Path::named(TexmPart::Pixels.name()).index(0)).saying(said).pedantic());
        }
    }
}

/// Rectangles lie in the texture.
fn pages(document: &Document, report: &mut Report) {
    let (width, height) = (i64::from(document.header.width.get()), i64::from(document.header.height.get()));
    let inside = |start: i16, len: i16, side: i64| {
        let (start, len) = (i64::from(start), i64::from(len));
        start >= 0 && len > 0 && start.saturating_add(len) <= side
    };
    let rects = document.page.iter().flat_map(|page| &page.rects);
    for (i, Rect { x, width: across, y, height: down }) in rects.enumerate() {
        if !inside(x.get(), across.get(), width) || !inside(y.get(), down.get(), height) {
            let found = format!("{across} × {down} at {x}, {y} of {width} × {height}");
            report.push(PAGE_RECT.at(Path::named("page").field("rects").index(i)).saying(found));
        }
    }
}
