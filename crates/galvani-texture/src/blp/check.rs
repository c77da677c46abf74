//! What can be wrong with a BLP file.

use galvani_core::archive::Extent;
use galvani_core::budget::is_exhaustion;
use galvani_core::diag::ByteCodes;
use galvani_core::image::{MOST_LOOKED_AT, MOST_PIXELS};
use galvani_core::{Path, Report, codes};

use super::decode::{decode, is_plane, room_to_decode, wanted_len};
use super::{COLOURS, Document, Header, Level, LevelKind, Shared, Version};
use crate::jpeg::COMPONENTS;
use crate::mips::{full_count, level_size};
use crate::numbers::{area, count};

codes! {
    TRUNCATED = Error, "blp.truncated",
        "the bytes end inside the header",
        "the file was cut short";
    MAGIC = Error, "blp.magic",
        "the file does not begin as a BLP file does",
        "names of such files are often wrong; look at what it is";
    CONTENT = Error, "blp.content",
        "nobody knows levels of this kind",
        "what is there is kept; it cannot be shown";
    ALPHA_BITS = Note, "blp.alpha-bits",
        "JPEG with an odd number of alpha bits",
        "anything but 0 takes the alpha of the stream";
    ALPHA_PLANE = Error, "blp.alpha-plane",
        "a palette's alpha cannot have so many bits",
        "0, 1, 4 and 8 are known; it is shown without alpha";
    EXTRA = Note, "blp.extra",
        "a word that is 3, 4 or 5 in real files is something else",
        "no reader needs it";
    MIPS_FLAG = Note, "blp.mips-flag",
        "the header does not say rightly whether there are smaller levels",
        "the tables count; set the flag";
    EMPTY = Error, "blp.empty",
        "the picture has no pixels",
        "its width or height is 0";
    PIXELS = Error, "blp.pixels",
        "the picture has more pixels than a picture may have",
        "it is decoded only under a larger limit";
    POWER_OF_TWO = Note, "blp.power-of-two",
        "a side is no power of two",
        "old hardware scales such a picture; most files avoid it";
    NO_PICTURE = Error, "blp.no-picture",
        "there is no level 0",
        "give the file a picture";
    BESIDE = Note, "blp.levels-beside",
        "the levels are files of their own",
        "they are called as this file, with the endings b00 to b15";
    LEVEL_OUTSIDE = Error, "blp.level-outside",
        "a level leads out of the file",
        "the file was cut short, or the tables are damaged; only level 0 is needed";
    LEVEL_IN_HEADER = Error, "blp.level-in-header",
        "a level begins before the place where levels may be",
        "the tables are damaged; only level 0 is needed";
    OFFSET_ALONE = Note, "blp.offset-alone",
        "a level that is not there has an offset",
        "nobody looks at it; the canonical form has none";
    LEVEL_HOLE = Warning, "blp.level-hole",
        "a level is missing between others",
        "make the smaller levels anew";
    LEVEL_PAST = Note, "blp.level-past",
        "a level follows that of a single pixel",
        "nobody looks at it";
    SHARED = Note, "blp.shared-level",
        "a level is the bytes of a larger one",
        "it shows the larger picture; make the smaller levels anew";
    OVERLAP = Warning, "blp.level-overlap",
        "levels share some of their bytes",
        "the tables may be damaged; the canonical form gives each its own";
    SHORT = Error, "blp.level-short",
        "a level has fewer bytes than its pixels need",
        "the file was cut short, or a size is damaged; only level 0 is needed";
    LONG = Note, "blp.level-long",
        "a level has more bytes than its pixels need",
        "the first ones count";
    JPEG_HEADER = Error, "blp.jpeg-header",
        "the file does not have the header that its JPEG levels share",
        "no level can be shown";
    JPEG = Error, "blp.jpeg",
        "the JPEG stream of a level cannot be decoded",
        "its bytes are kept; give the level another picture";
    JPEG_COMPONENTS = Error, "blp.jpeg-components",
        "a JPEG stream has not the four components blue, green, red and alpha",
        "the game shows something else; give the level another picture";
    JPEG_SIZE = Error, "blp.jpeg-size",
        "a JPEG stream has another size than its level",
        "of smaller levels the stream's own size counts, as far as it is not larger than level 0";
    JPEG_ADOBE = Warning, "blp.jpeg-adobe",
        "a marker in a JPEG stream says that its colours are to be converted",
        "no file of the game has one; others may show other colours";
    HIDDEN_ALPHA = Note, "blp.hidden-alpha",
        "the header says that there is no alpha, but the JPEG stream has some",
        "it is shown without; eight bits of alpha bring it out";
    PALETTE_SHORT = Note, "blp.palette-short",
        "the palette has fewer than 256 colours",
        "level 0 begins where the rest would be; the canonical form has all";
    PALETTE_PAD = Note, "blp.palette-pad",
        "the fourth byte of a colour is not 0",
        "it is no alpha; nobody looks at it";
    INDEX = Error, "blp.index",
        "a pixel has an index beyond the palette",
        "it shows as transparent here; the game would read the level's own bytes";
    GAP = Note, "blp.gap",
        "there are bytes that belong to nothing",
        "nobody looks at them; the canonical form drops them";
    LAYOUT = Error, "blp.layout",
        "levels, blocks and what they share do not make a file",
        "the document was put together wrongly";
}

/// The byte layer's codes under this format's name.
pub(super) static BYTES: ByteCodes = ByteCodes { truncated: &TRUNCATED };

/// Every rule the document can break, in the order of the file.
pub fn check(document: &Document) -> Report {
    let mut report = Report::default();
    header(document, &mut report);
    tables(document, &mut report);
    palette(document, &mut report);
    damage(document, &mut report);
    for level in document.stored() {
        sharing(document, level, &mut report);
        match document.kind() {
            Some(LevelKind::Jpeg) => hidden_alpha(document, level, &mut report),
            Some(LevelKind::Palette) => indices(document, level, &mut report),
            Some(LevelKind::Blocks(_) | LevelKind::Plain) | None => {}
        }
    }
    for (i, (_, gap)) in document.layout().gaps().enumerate() {
        let finding = GAP.at(Path::named("gaps").index(i)).saying(format!("{} bytes", gap.len()));
        let is_room = gap.iter().all(|&byte| byte == 0);
        report.push(if is_room { finding.pedantic() } else { finding });
    }
    report
}

/// The rules without which a level cannot be shown.
pub(super) fn damage(document: &Document, report: &mut Report) {
    let at = |field| Path::named("header").field(field);
    let (width, height) = document.header.size();
    if width == 0 || height == 0 {
        report.push(EMPTY.at(at("height")).saying(format!("{width} × {height} pixels")));
    }
    if document.kind().is_none() {
        let (field, said) = match &document.header {
            Header::One(header) => ("content", format!("0 or 1 wanted, {} found", header.content)),
            Header::Two(header) => {
                let said = format!(
                    "content {}, encoding {}, alpha type {}",
                    header.content, header.encoding, header.alpha_type
                );
                ("content", said)
            }
        };
        report.push(CONTENT.at(at(field)).saying(said));
    }
    let is_jpeg = document.kind() == Some(LevelKind::Jpeg);
    match document.shared {
        Shared::Lost(len) => {
            report.push(
                JPEG_HEADER.at(Path::named("jpeg_len")).saying(format!("{len} bytes wanted, the file ends")),
            );
        }
        Shared::None if is_jpeg => report.push(JPEG_HEADER.at(Path::named("end")).saying("no length found")),
        _ => {}
    }
    levels(document, report);
    for level in document.stored().filter(|_| area(width, height) > 0) {
        match &document.shared {
            Shared::Jpeg(_) => stream(document, level, report),
            _ => lengths(document, level, report),
        }
    }
}

/// Rows of the tables lead to levels.
fn levels(document: &Document, report: &mut Report) {
    if let Some(Level::Absent { .. }) = document.levels.first() {
        report.push(NO_PICTURE.at(Path::named("sizes").index(0)).saying("0 bytes found"));
    }
    let start = document.head_len();
    for (i, level) in document.levels.iter().enumerate() {
        let Level::Astray { offset, size } = *level else { continue };
        let (code, said) = if count(offset) < start {
            (&LEVEL_IN_HEADER, format!("{start} or more wanted, {offset} found"))
        } else {
            let end = document.layout().end();
            (&LEVEL_OUTSIDE, format!("{size} bytes from {offset} on wanted, the file ends at {end}"))
        };
        let finding = code.at(Path::named("offsets").index(i)).saying(said);
        report.push(if i == 0 { finding } else { finding.as_note() });
    }
}

/// A level that is no JPEG has the bytes that its pixels need.
fn lengths(document: &Document, level: usize, report: &mut Report) {
    let Some((wanted, bytes)) = wanted_len(document, level).zip(document.level(level)) else { return };
    let found = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
    let said = format!("{wanted} bytes wanted, {found} found");
    let path = Path::named("levels").index(level);
    if found < wanted {
        let finding = SHORT.at(path).saying(said);
        report.push(if level == 0 { finding } else { finding.as_note() });
    } else if found > wanted {
        report.push(LONG.at(path).saying(said));
    }
}

/// A JPEG stream shows what its level must.
fn stream(document: &Document, level: usize, report: &mut Report) {
    let Some(stream) = document.stream(level) else { return };
    let path = Path::named("levels").index(level);
    let only_first = |finding: galvani_core::Diagnostic| if level == 0 { finding } else { finding.as_note() };
    let Some(frame) = stream.frame() else {
        let said = format!("{} bytes without a frame", stream.len());
        report.push(only_first(JPEG.at(path).saying(said)));
        return;
    };
    if frame.components != COMPONENTS {
        let said = format!("{COMPONENTS} wanted, {} found", frame.components);
        report.push(only_first(JPEG_COMPONENTS.at(path).saying(said)));
        return;
    }
    if frame.has_adobe {
        report.push(JPEG_ADOBE.at(path).saying("a marker APP14 found"));
    }
    let (whole_width, whole_height) = document.header.size();
    let (width, height) = level_size(whole_width, whole_height, level);
    let found = (u32::from(frame.width), u32::from(frame.height));
    if found != (width, height) {
        let said = format!("{width} × {height} wanted, {} × {} found", found.0, found.1);
        report.push(only_first(JPEG_SIZE.at(path).saying(said)));
    }
    if document.same_as(level) == level
        && found.0 <= whole_width
        && found.1 <= whole_height
        // Larger than any game's it is not worth the room that looking at it takes.
        && area(found.0, found.1) <= MOST_LOOKED_AT
        && let Err(refused) = decode(document, level, MOST_LOOKED_AT)
    {
        let lacking = is_exhaustion(&refused);
        report.push(if lacking { *refused } else { only_first(JPEG.at(path).saying(refused.message)) });
    }
}

fn header(document: &Document, report: &mut Report) {
    let at = |field| Path::named("header").field(field);
    let (width, height) = document.header.size();
    let alpha_bits = document.header.alpha_bits();
    match document.kind() {
        Some(LevelKind::Jpeg) if alpha_bits != 0 && alpha_bits != 8 => {
            report.push(ALPHA_BITS.at(at("alpha_bits")).saying(format!("0 or 8 wanted, {alpha_bits} found")));
        }
        Some(LevelKind::Palette) if !is_plane(alpha_bits) => {
            let said = format!("0, 1, 4 or 8 wanted, {alpha_bits} found");
            report.push(ALPHA_PLANE.at(at("alpha_bits")).saying(said));
        }
        _ => {}
    }
    if area(width, height) > MOST_PIXELS {
        let said = format!("at most {MOST_PIXELS} pixels wanted, {width} × {height} found");
        report.push(PIXELS.at(at("height")).saying(said));
    }
    for (field, side) in [("width", width), ("height", height)] {
        if side > 0 && !side.is_power_of_two() {
            report.push(POWER_OF_TWO.at(at(field)).saying(format!("{side} found")).pedantic());
        }
    }
    if let Header::One(header) = &document.header
        && !(3..=5).contains(&header.extra.get())
    {
        report.push(EXTRA.at(at("extra")).saying(format!("{} found", header.extra)));
    }
    let (flag, smaller) = (document.header.has_mips(), document.stored().any(|level| level > 0));
    if flag > 1 && document.header.version() != Version::Two || (flag == 0 && smaller) {
        let said = format!("{} wanted, {flag} found", u32::from(smaller));
        report.push(MIPS_FLAG.at(at("has_mips")).saying(said));
    }
    if document.header.version() == Version::Beta {
        report.push(BESIDE.at(at("magic")).saying("`BLP0` found"));
    }
}

/// What the tables say beside where levels are.
fn tables(document: &Document, report: &mut Report) {
    let (width, height) = document.header.size();
    let full = full_count(width, height);
    let last = document.stored().last().unwrap_or(0);
    for (i, level) in document.levels.iter().enumerate() {
        match level {
            Level::Absent { offset } if *offset != 0 => {
                report
                    .push(OFFSET_ALONE.at(Path::named("offsets").index(i)).saying(format!("{offset} found")));
            }
            Level::Absent { .. } if i > 0 && i < last => {
                report.push(
                    LEVEL_HOLE.at(Path::named("sizes").index(i)).saying(format!("level {i} of {last}")),
                );
            }
            Level::Stored(_) if i >= full => {
                let said = format!("at most {full} levels wanted, level {i} found");
                report.push(LEVEL_PAST.at(Path::named("sizes").index(i)).saying(said).pedantic());
            }
            _ => {}
        }
    }
}

fn palette(document: &Document, report: &mut Report) {
    let Shared::Palette(colours) = &document.shared else { return };
    if colours.len() < COLOURS {
        let said = format!("{COLOURS} wanted, {} found", colours.len());
        report.push(PALETTE_SHORT.at(Path::named("palette")).saying(said));
    }
    // In other files nobody looks at the palette at all.
    for (i, colour) in colours.iter().enumerate().filter(|_| document.kind() == Some(LevelKind::Palette)) {
        let [.., pad] = colour.bgrx;
        if pad != 0 {
            report.push(
                PALETTE_PAD.at(Path::named("palette").index(i)).saying(format!("0 wanted, {pad} found")),
            );
        }
    }
}

/// Whether a level has bytes of its own.
fn sharing(document: &Document, level: usize, report: &mut Report) {
    let path = Path::named("levels").index(level);
    let first = document.same_as(level);
    if first != level {
        report.push(SHARED.at(path).saying(format!("level {level} is level {first}")));
        return;
    }
    let Some(own) = document.extent(level) else { return };
    let meets = |other: &Extent| other.block == own.block && other.start < own.end && own.start < other.end;
    let others = (0..level).filter_map(|other| Some((other, document.extent(other)?)));
    if let Some((other, _)) = others.filter(|(_, extent)| *extent != own).find(|(_, extent)| meets(extent)) {
        report.push(OVERLAP.at(path).saying(format!("levels {other} and {level}")));
    }
}

/// Alpha that the header says is not there.
fn hidden_alpha(document: &Document, level: usize, report: &mut Report) {
    if level > 0 || document.header.alpha_bits() > 0 {
        return;
    }
    let Some(stream) = document.stream(level) else { return };
    let (width, height) = document.header.size();
    if area(width, height) > MOST_LOOKED_AT || !stream.can_hold(width, height) {
        return;
    }
    if let Err(end) = room_to_decode(&stream, (width, height)) {
        return report.push(*end.cause);
    }
    let Ok(image) = stream.decode((width, height), true) else { return };
    let hidden = image.rgba.iter().filter(|[.., alpha]| *alpha != 255).count();
    if hidden > 0 {
        report.push(HIDDEN_ALPHA.at(Path::named("levels").index(level)).saying(format!("{hidden} pixels")));
    }
}

/// Indices lie in the palette.
fn indices(document: &Document, level: usize, report: &mut Report) {
    let Shared::Palette(colours) = &document.shared else { return };
    let (width, height) = document.header.size();
    let (width, height) = level_size(width, height, document.same_as(level));
    let pixels = usize::try_from(area(width, height)).unwrap_or(usize::MAX);
    let indices = document.level(level).unwrap_or_default().iter().take(pixels);
    if colours.len() >= COLOURS || document.same_as(level) != level {
        return;
    }
    let beyond: Vec<u8> = indices.copied().filter(|&index| usize::from(index) >= colours.len()).collect();
    if let Some(first) = beyond.first() {
        let said = format!("an index below {} wanted, {first} found, {} pixels", colours.len(), beyond.len());
        report.push(INDEX.at(Path::named("levels").index(level)).saying(said));
    }
}
