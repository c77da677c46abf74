//! What can be wrong with a DDS file.

use galvani_core::diag::ByteCodes;
use galvani_core::image::MOST_PIXELS;
use galvani_core::{Path, Report, codes};

use super::decode::{ImageIndex, path};
use super::{Document, Format, HEADER_SIZE, PICTURE, PIXEL_SIZE, VOLUME, edit, flag};
use crate::mips::full_count;
use crate::numbers::area;

codes! {
    TRUNCATED = Error, "dds.truncated",
        "the bytes end inside a header",
        "the file was cut short";
    MAGIC = Error, "dds.magic",
        "the file does not begin as a DDS file does",
        "its name may be wrong; look at what it is";
    HEADER_LEN = Warning, "dds.header-size",
        "a header does not have the size that it says",
        "programs that look at it refuse the file; the canonical form has it right";
    FORMAT = Error, "dds.format",
        "nobody knows such pixels",
        "what is behind the header is kept; it cannot be shown";
    NOT_SHOWN = Note, "dds.not-shown",
        "the pixels are wider than 8 bits and are kept, not shown",
        "convert them with a tool that knows such pixels";
    EMPTY = Error, "dds.empty",
        "the picture has no pixels",
        "its width or height is 0";
    PIXELS = Error, "dds.pixels",
        "the picture has more pixels than a picture may have",
        "it is decoded only under a larger limit";
    CUT = Error, "dds.cut",
        "the file ends before its last level does",
        "levels that are there stay readable; the file was cut short or a size is damaged";
    REST = Warning, "dds.rest",
        "bytes follow the last level",
        "nobody looks at them; the canonical form drops them";
    MIP_COUNT = Warning, "dds.mip-count",
        "there are more levels than such a picture can have",
        "levels end at a single pixel; what follows is taken for other bytes";
    NO_MIP_COUNT = Note, "dds.no-mip-count",
        "the number of levels is 0",
        "it stands for 1; the canonical form says so";
    PITCH = Note, "dds.pitch",
        "the bytes of a row, or of the first level, are not what they must be",
        "readers reckon them themselves; the canonical form has them right";
    FLAGS = Note, "dds.flags",
        "the header does not say that fields count which every file has",
        "readers look at them all the same; the canonical form says it";
    FACES = Warning, "dds.faces",
        "a cube lacks faces",
        "newer programs refuse it";
    DIMENSION = Error, "dds.dimension",
        "the second header says neither picture nor volume",
        "it is taken for a picture";
    ARRAY = Warning, "dds.array",
        "the second header counts no pictures",
        "it is taken to count one";
    PREMULTIPLIED = Note, "dds.premultiplied",
        "colours were multiplied by alpha before they were stored",
        "they are shown as stored";
    EDGE = Note, "dds.edge",
        "the sides are no multiples of four",
        "blocks at the edge are whole ones; some programs refuse such sizes";
    SECOND_HEADER = Error, "dds.second-header",
        "the first header does not say whether there is a second one",
        "the document was put together wrongly; set the name of the pixels";
}

/// The byte layer's codes under this format's name.
pub(super) static BYTES: ByteCodes = ByteCodes { truncated: &TRUNCATED };

/// Every rule the document can break, in the order of the file.
pub fn check(document: &Document) -> Report {
    let mut report = Report::default();
    header(document, &mut report);
    pixels(document, &mut report);
    layers(document, &mut report);
    damage(document, &mut report);
    let rest = document.rest();
    if document.shape().is_some() && !rest.is_empty() {
        report.push(REST.at(Path::named("rest")).saying(format!("{} bytes", rest.len())));
    }
    report
}

/// The rules without which a level cannot be read.
pub(super) fn damage(document: &Document, report: &mut Report) {
    let at = |field| Path::named("header").field(field);
    let (width, height) = (document.header.width.get(), document.header.height.get());
    if width == 0 || height == 0 {
        report.push(EMPTY.at(at("height")).saying(format!("{width} × {height} pixels")));
        return;
    }
    let Some(shape) = document.shape() else {
        let pixels = document.pixel_format();
        let found = match pixels.dxgi {
            Some(number) => {
                let path = Path::named("dx10").field("format");
                FORMAT.at(path).saying(format!("a number below 116 of a known kind wanted, {number} found"))
            }
            None => FORMAT.at(at("pixel_flags")).saying(format!(
                "flags 0x{:x}, `{}`, {} bits found",
                pixels.flags,
                pixels.four_cc.escape_ascii(),
                pixels.bits
            )),
        };
        report.push(found);
        return;
    };
    let (wanted, found) = (shape.len(), u64::try_from(document.data.len()).unwrap_or(u64::MAX));
    if found < wanted {
        let whole = found.checked_div(shape.layer_len()).unwrap_or(0);
        let left = found.checked_rem(shape.layer_len()).unwrap_or(0);
        let level = (0..shape.levels).find(|&level| shape.lens_before(level.saturating_add(1)) > left);
        let spot = ImageIndex { layer: whole, level: level.unwrap_or(0), slice: 0 };
        // A map names so many levels only, but the layers always.
        let path = if whole > 1000 { Path::named("layers") } else { path(spot) };
        report.push(CUT.at(path).saying(format!("{wanted} bytes wanted, {found} found")));
    }
}

fn header(document: &Document, report: &mut Report) {
    let header = &document.header;
    let at = |field| Path::named("header").field(field);
    for (field, found, wanted) in
        [("size", header.size, HEADER_SIZE), ("pixel_size", header.pixel_size, PIXEL_SIZE)]
    {
        if found.get() != wanted {
            report.push(HEADER_LEN.at(at(field)).saying(format!("{wanted} wanted, {found} found")));
        }
    }
    if header.flags.get() & flag::REQUIRED != flag::REQUIRED {
        let said = format!("0x{:x} wanted, 0x{:x} found", flag::REQUIRED, header.flags);
        report.push(FLAGS.at(at("flags")).saying(said).pedantic());
    }
    if header.mip_count.get() == 0 {
        report.push(NO_MIP_COUNT.at(at("mip_count")).saying("0 found").pedantic());
    }
    if let Some(wanted) = edit::pitch(document).filter(|&wanted| wanted != header.pitch.get()) {
        report.push(
            PITCH.at(at("pitch")).saying(format!("{wanted} wanted, {} found", header.pitch)).pedantic(),
        );
    }
}

fn pixels(document: &Document, report: &mut Report) {
    let header = &document.header;
    let at = |field| Path::named("header").field(field);
    let (width, height) = (header.width.get(), header.height.get());
    if area(width, height) > MOST_PIXELS {
        let said = format!("at most {MOST_PIXELS} pixels wanted, {width} × {height} found");
        report.push(PIXELS.at(at("height")).saying(said));
    }
    let Some(shape) = document.shape() else { return };
    let most = full_count(width.max(shape.depth), height);
    if usize::try_from(header.mip_count.get()).unwrap_or(usize::MAX) > most {
        let said = format!("at most {most} wanted, {} found", header.mip_count);
        report.push(MIP_COUNT.at(at("mip_count")).saying(said));
    }
    if document.pixel_format().is_premultiplied() {
        let name = document.pixel_format().four_cc;
        report.push(PREMULTIPLIED.at(at("four_cc")).saying(format!("`{}` found", name.escape_ascii())));
    }
    match shape.format {
        Format::Wide => report.push(NOT_SHOWN.at(Path::named("dx10").field("format")).saying("BC6H found")),
        Format::Blocks(_) if width % 4 != 0 || height % 4 != 0 => {
            report.push(EDGE.at(at("height")).saying(format!("{width} × {height} pixels")).pedantic());
        }
        Format::Blocks(_) | Format::Plain(_) => {}
    }
}

fn layers(document: &Document, report: &mut Report) {
    let faces = document.header.caps2.get() & flag::FACES;
    if document.dx10.is_none() && document.is_cube() && faces != flag::FACES {
        let said = format!("6 wanted, {} found", faces.count_ones());
        report.push(FACES.at(Path::named("header").field("caps2")).saying(said));
    }
    let Some(dx10) = &document.dx10 else { return };
    let at = |field| Path::named("dx10").field(field);
    let dimension = dx10.dimension.get();
    if dimension != PICTURE && dimension != VOLUME {
        let said = format!("{PICTURE} or {VOLUME} wanted, {dimension} found");
        report.push(DIMENSION.at(at("dimension")).saying(said));
    }
    if dx10.array_size.get() == 0 {
        report.push(ARRAY.at(at("array_size")).saying("0 found"));
    }
}
