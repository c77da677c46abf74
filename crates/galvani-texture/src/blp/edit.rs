//! Edits of a BLP file: each changes nothing when it is refused.
//!
//! An edit that gives a level other bytes lays all levels out anew: in order, each with bytes of its own. The bytes of
//! the others stay what they are; of JPEG that is their streams, the cut of the shared header may move.

use std::collections::BTreeMap;

use galvani_core::budget::is_exhaustion;
use galvani_core::{Diagnostic, EditError, Exhausted, Image, Path, Report, codes, room};

use super::decode::{alpha_plane, decode, is_plane};
use super::new::{ENCODING, Options, extra};
use super::{Document, Header, LEVELS, Level, LevelKind, Shared, Version, check};
use crate::bc::Coding;
use crate::mips::{chain, level_size};
use crate::numbers::{byte, room_to_encode};
use crate::quantise::Dither;

codes! {
    VERSION = Error, "blp.edit-version",
        "files of the beta are not edited",
        "make a new file of the picture";
    KIND = Error, "blp.edit-kind",
        "levels of this kind cannot be made",
        "JPEG and palettes are for both games, blocks and plain pixels only for World of Warcraft";
    SIZE = Error, "blp.edit-size",
        "the picture does not have the size that it must have",
        "each level is half as large as the one before";
    LEVEL = Error, "blp.edit-level",
        "there is no such level, nor one that it could follow",
        "give the file the larger levels first";
    ALPHA = Error, "blp.edit-alpha",
        "such levels cannot have so many bits of alpha",
        "JPEG has 0 or 8, palettes 0, 1, 4 or 8, blocks what they are";
}

/// Gives the file another picture, and smaller levels made from it. [`Options::like`] the file keeps its kind.
///
/// A picture that it shows already, asked for as it is, leaves it as it is.
pub fn replace_image(document: &mut Document, image: &Image, options: &Options) -> Result<(), EditError> {
    editable(document)?;
    if *options == Options::like(document) && shows(document, 0, image)? {
        return Ok(());
    }
    let mut new = Document::new(image, options)?;
    // A word that nobody understands stays unless it is one of the usual ones and alpha is another.
    if let (Header::One(old), Header::One(new)) = (&document.header, &mut new.header)
        && old.extra.get() != extra(old.alpha_bits.get())
    {
        new.extra = old.extra;
    }
    *document = new;
    Ok(())
}

/// Gives one level another picture of the level's size, of JPEG in this quality or that of the file. A picture that it
/// shows already leaves it as it is.
pub fn set_mip(
    document: &mut Document,
    level: usize,
    image: &Image,
    quality: Option<u8>,
) -> Result<(), EditError> {
    editable(document)?;
    let (width, height) = document.header.size();
    let follows = level.checked_sub(1).is_none_or(|before| document.level(before).is_some());
    if level >= LEVELS || !follows {
        let said = format!("level {level} of {}", document.stored().count());
        return Err(LEVEL.at(Path::named("levels").index(level)).saying(said).into());
    }
    let (width, height) = level_size(width, height, level);
    if (image.width, image.height) != (width, height) {
        let said = format!("{width} × {height} wanted, {} × {} found", image.width, image.height);
        return Err(SIZE.at(Path::named("levels").index(level)).saying(said).into());
    }
    if shows(document, level, image)? {
        return Ok(());
    }
    replace_levels(document, &[(level, image)], LEVELS, quality)
}

/// Makes every level but the largest anew from it, down to a single pixel.
pub fn rebuild_mips(document: &mut Document, quality: Option<u8>) -> Result<(), EditError> {
    editable(document)?;
    let image = decode(document, 0, u64::MAX).map_err(|cause| EditError { cause })?;
    room_to_encode(&image, ENCODING)?;
    let levels = chain(image, LEVELS);
    let smaller: Vec<(usize, &Image)> = levels.iter().enumerate().skip(1).collect();
    replace_levels(document, &smaller, levels.len(), quality)
}

/// Gives alpha another number of bits. Of JPEG only the header says it; palettes keep their indices and get a plane
/// of the nearest values.
pub fn set_alpha_bits(document: &mut Document, alpha_bits: u32) -> Result<(), EditError> {
    editable(document)?;
    let is_known = match document.kind() {
        Some(LevelKind::Jpeg) => matches!(alpha_bits, 0 | 8),
        Some(LevelKind::Palette) => is_plane(alpha_bits),
        Some(LevelKind::Blocks(Coding::Bc1 { .. })) => alpha_bits <= 1,
        Some(LevelKind::Plain) => matches!(alpha_bits, 0 | 8),
        Some(LevelKind::Blocks(_)) | None => false,
    };
    if !is_known {
        let said = format!("{alpha_bits} bits for {:?}", document.kind());
        return Err(ALPHA.at(Path::named("header").field("alpha_bits")).saying(said).into());
    }
    if alpha_bits == document.header.alpha_bits() {
        return Ok(());
    }
    room_to_copy(document)?;
    let mut new = document.clone();
    if document.kind() == Some(LevelKind::Palette) {
        let replaned = |level: usize| replaned(document, level, alpha_bits);
        let payloads = (0..LEVELS).map(replaned).collect::<Result<Vec<_>, _>>()?;
        say_alpha(&mut new.header, alpha_bits);
        new.lay_out(payloads);
    } else {
        say_alpha(&mut new.header, alpha_bits);
    }
    *document = new;
    Ok(())
}

/// Levels in order without gaps or sharing, a whole palette, no junk in the tables. A file without a good level 0 has no
/// such form; of `BLP0`, whose levels are elsewhere, only what belongs to nothing falls away.
pub fn make_canonical(document: &mut Document) -> Result<Report, EditError> {
    let mut cost = Report::default();
    if document.header.version() == Version::Beta {
        dropped(document, &mut cost);
        document.lead.clear();
        return Ok(cost);
    }
    let mut damage = Report::default();
    check::damage(document, &mut damage);
    let is_error = |finding: &&Diagnostic| finding.severity == galvani_core::Severity::Error;
    if let Some(first) = damage.findings().iter().find(is_error) {
        return Err(Diagnostic::clone(first).into());
    }
    room_to_copy(document)?;
    let before = document.clone();
    // JPEG bytes stay as they are, and so does the cut.
    let payloads = (0..LEVELS).map(|level| before.level(level).map(<[u8]>::to_vec)).collect();
    document.place(payloads);
    dropped(&before, &mut cost);
    for (i, level) in before.levels.iter().enumerate() {
        match level {
            Level::Astray { offset, size } => {
                let said = format!("a row of {size} bytes at {offset} dropped");
                cost.push(check::LEVEL_OUTSIDE.at(Path::named("offsets").index(i)).saying(said).as_note());
            }
            Level::Absent { offset } if *offset != 0 => {
                let said = format!("offset {offset} dropped");
                cost.push(check::OFFSET_ALONE.at(Path::named("offsets").index(i)).saying(said));
            }
            Level::Absent { .. } | Level::Stored(_) => {}
        }
    }
    Ok(cost)
}

/// Tells of the bytes that belong to nothing and are no zeros.
fn dropped(document: &Document, cost: &mut Report) {
    for (i, (_, gap)) in document.layout().gaps().enumerate() {
        if gap.iter().any(|&byte| byte != 0) {
            let said = format!("{} bytes dropped", gap.len());
            cost.push(check::GAP.at(Path::named("gaps").index(i)).saying(said));
        }
    }
}

/// Refuses what is never made new.
fn editable(document: &Document) -> Result<(), EditError> {
    if document.header.version() == Version::Beta {
        return Err(VERSION.at(Path::named("header").field("magic")).saying("`BLP0` found").into());
    }
    Ok(())
}

/// Whether a level shows just this.
fn shows(document: &Document, level: usize, image: &Image) -> Result<bool, EditError> {
    let pixels = u64::try_from(image.rgba.len()).unwrap_or(u64::MAX);
    match decode(document, level, pixels) {
        Ok(shown) => Ok(shown == *image),
        Err(cause) if is_exhaustion(&cause) => Err(EditError { cause }),
        Err(_) => Ok(false),
    }
}

/// Fails where there is no room for two more of all levels.
fn room_to_copy(document: &Document) -> Result<(), Exhausted> {
    room::probe(document.layout().end().saturating_mul(2))
}

/// Gives some levels other pictures; those from `end` on fall away.
fn replace_levels(
    document: &mut Document,
    pictures: &[(usize, &Image)],
    end: usize,
    quality: Option<u8>,
) -> Result<(), EditError> {
    if document.kind() == Some(LevelKind::Jpeg) && !matches!(document.shared, Shared::Jpeg(_)) {
        return Err(KIND.at(Path::named("header").field("content")).saying("JPEG without its header").into());
    }
    let quality = quality.unwrap_or_else(|| Options::like(document).quality);
    let encode =
        |&(level, image): &(usize, &Image)| Ok((level, document.encoded(image, quality, Dither::None)?));
    let mut new = pictures.iter().map(encode).collect::<Result<BTreeMap<_, _>, EditError>>()?;
    room_to_copy(document)?;
    let mut payloads = payloads(document);
    payloads.truncate(end);
    payloads.resize(LEVELS, None);
    for (level, payload) in payloads.iter_mut().enumerate() {
        if let Some(bytes) = new.remove(&level) {
            *payload = Some(bytes);
        }
    }
    document.lay_out(payloads);
    Ok(())
}

/// The bytes of every level; of JPEG whole streams.
fn payloads(document: &Document) -> Vec<Option<Vec<u8>>> {
    let payload = |level: usize| match document.stream(level) {
        Some(stream) => Some(stream.joined()),
        None => document.level(level).map(<[u8]>::to_vec),
    };
    (0..LEVELS).map(payload).collect()
}

/// The bytes of a palette's level with another alpha.
fn replaned(document: &Document, level: usize, alpha_bits: u32) -> Result<Option<Vec<u8>>, EditError> {
    let Some(bytes) = document.level(level) else { return Ok(None) };
    let image = match decode(document, level, u64::MAX) {
        Ok(image) => image,
        // Only level 0 must be good.
        Err(cause) if level > 0 && !is_exhaustion(&cause) => return Ok(None),
        Err(cause) => return Err(EditError { cause }),
    };
    let indices = bytes.iter().copied().take(image.rgba.len());
    Ok(Some(indices.chain(alpha_plane(&image.rgba, alpha_bits)).collect()))
}

fn say_alpha(header: &mut Header, alpha_bits: u32) {
    match header {
        Header::One(header) => {
            if header.extra.get() == extra(header.alpha_bits.get()) {
                header.extra = extra(alpha_bits).into();
            }
            header.alpha_bits = alpha_bits.into();
        }
        Header::Two(header) => header.alpha_bits = byte(alpha_bits),
    }
}
