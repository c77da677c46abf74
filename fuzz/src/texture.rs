//! Textures of both formats under the fuzzer.

use arbitrary::{Arbitrary, Unstructured};
use galvani_core::history::History;
use galvani_core::{EditError, Image, Read, ReadError, ReadOptions, Report, Strictness, WriteError};
use galvani_testkit::{every_byte_is_owned, reads_or_refuses};
use galvani_texture::mips::{Mips, level_size};
use galvani_texture::quantise::Dither;
use galvani_texture::{blp, dds, tga};

/// Most pixels of a picture that is decoded.
const PIXELS: u64 = 1 << 16;

/// Longest file that is edited: every step is written and read again.
const EDITED: usize = 1 << 12;

/// Most edits of one file, and how long it may grow.
const EDITS: usize = 8;
const GROWN: usize = 1 << 16;

/// Reads in both strictnesses, checks, places the findings, dumps every value and decodes every level; a level that is
/// given its own picture stays as it is.
pub(crate) fn read_blp(data: &[u8]) {
    for options in options() {
        let Ok(found) = blp::read(data, &options) else { continue };
        check_report(data, &found, blp::check(&found.document));
        let (width, height) = found.document.header.size();
        for level in 0..blp::LEVELS {
            let Ok(image) = blp::decode(&found.document, level, PIXELS) else { continue };
            assert!(
                image.width <= width && image.height <= height,
                "nothing beyond what the header promises"
            );
            whole(&image);
            let mut again = found.document.clone();
            if blp::edit::set_mip(&mut again, level, &image, None).is_ok() {
                assert_eq!(again, found.document, "a picture that is shown already changes nothing");
            }
        }
    }
}

/// What reads is written back byte for byte, what does not says why under the format's name.
pub(crate) fn round_trip_blp(data: &[u8]) {
    for options in options() {
        reads_or_refuses("blp", data, |file| blp::read(file, &options), blp::write);
    }
}

/// The same of DDS; and any bytes are a TGA or not.
pub(crate) fn read_dds(data: &[u8]) {
    if let Ok(image) = tga::decode(data, PIXELS) {
        whole(&image);
    }
    for options in options() {
        let Ok(found) = dds::read(data, &options) else { continue };
        check_report(data, &found, dds::check(&found.document));
        for (layer, level, slice) in [(0, 0, 0), (0, 1, 0), (1, 0, 0), (5, 3, 0), (0, 0, 2)] {
            let spot = dds::ImageIndex { layer, level, slice };
            let Ok(image) = dds::decode(&found.document, spot, PIXELS) else { continue };
            whole(&image);
            let mut again = found.document.clone();
            if slice == 0 && dds::edit::set_mip(&mut again, layer, level, &image).is_ok() {
                assert_eq!(again, found.document, "a picture that is shown already changes nothing");
            }
        }
    }
}

/// What reads is written back byte for byte, what does not says why under the format's name.
pub(crate) fn round_trip_dds(data: &[u8]) {
    for options in options() {
        reads_or_refuses("dds", data, |file| dds::read(file, &options), dds::write);
    }
}

/// One edit; pictures are of one colour and a little noise.
#[derive(Debug, Arbitrary)]
enum Edit {
    Replace { kind: u8, width: u8, height: u8, colour: [u8; 4], quality: u8, alpha_bits: Option<u8> },
    SetMip { layer: u8, level: u8, colour: [u8; 4], quality: u8 },
    Rebuild(u8),
    AlphaBits(u8),
    Canonical,
}

/// A first byte says how many bytes of edits follow; the rest is a file. After every edit the file is written and reads
/// back as the same document; taking all edits back gives the first bytes.
pub(crate) fn edit_blp(data: &[u8]) {
    edit(data, blp::read, blp::write, "blp.", |document: &mut blp::Document, edit| match *edit {
        Edit::Replace { kind, width, height, colour, quality, alpha_bits } => {
            let like = blp::Options::like(document);
            let kinds = [like.kind, blp::LevelKind::Jpeg, blp::LevelKind::Palette, blp::LevelKind::Plain];
            let dither = if kind >= 128 { Dither::Diffuse } else { Dither::None };
            let kind = kinds[usize::from(kind) % kinds.len()];
            let alpha_bits = alpha_bits.map(|bits| u32::from(bits % 10));
            let options = blp::Options { kind, quality, alpha_bits, dither, ..like };
            blp::edit::replace_image(document, &painted(width % 40, height % 40, colour), &options)
        }
        Edit::SetMip { level, colour, quality, .. } => {
            let level = usize::from(level % 18);
            let (width, height) = document.header.size();
            let (width, height) = level_size(width, height, level);
            let image = painted(small(width), small(height), colour);
            blp::edit::set_mip(document, level, &image, Some(quality))
        }
        Edit::Rebuild(quality) => {
            let (width, height) = document.header.size();
            if u64::from(width) * u64::from(height) > PIXELS {
                return Ok(());
            }
            blp::edit::rebuild_mips(document, Some(quality))
        }
        Edit::AlphaBits(bits) => blp::edit::set_alpha_bits(document, u32::from(bits % 10)),
        Edit::Canonical => blp::edit::make_canonical(document).map(drop),
    });
}

/// The same of DDS.
pub(crate) fn edit_dds(data: &[u8]) {
    edit(data, dds::read, dds::write, "dds.", |document: &mut dds::Document, edit| match *edit {
        Edit::Replace { kind, width, height, colour, quality, .. } => {
            let mips = [None, Some(Mips::Full), Some(Mips::One)][usize::from(kind % 3)];
            let image = painted(width % 40, height % 40, colour);
            dds::edit::replace_image(document, u64::from(quality % 3), &image, mips)
        }
        Edit::SetMip { layer, level, colour, .. } => {
            let level = usize::from(level % 6);
            let (width, height) =
                level_size(document.header.width.get(), document.header.height.get(), level);
            let image = painted(small(width), small(height), colour);
            dds::edit::set_mip(document, u64::from(layer % 7), level, &image)
        }
        Edit::Rebuild(_) | Edit::AlphaBits(_) => dds::edit::rebuild_mips(document),
        Edit::Canonical => dds::edit::make_canonical(document).map(drop),
    });
}

fn edit<D: Clone + PartialEq + std::fmt::Debug>(
    data: &[u8],
    read: impl Fn(&[u8], &ReadOptions) -> Result<Read<D>, ReadError>,
    write: impl Fn(&D) -> Result<Vec<u8>, WriteError>,
    prefix: &str,
    apply: impl Fn(&mut D, &Edit) -> Result<(), EditError>,
) {
    let Some((&len, rest)) = data.split_first() else { return };
    let Some((edits, file)) = rest.split_at_checked(usize::from(len)) else { return };
    if file.len() > EDITED {
        return;
    }
    let Ok(found) = read(file, &ReadOptions::default()) else { return };
    let mut history = History::new(found.document);
    let edits = Vec::<Edit>::arbitrary_take_rest(Unstructured::new(edits)).unwrap_or_default();
    for edit in edits.into_iter().take(EDITS) {
        let before = history.now().clone();
        let made = history.edit(|document| {
            let made = apply(document, &edit);
            assert!(made.is_ok() || *document == before, "what is refused changes nothing");
            made
        });
        if let Err(refused) = made {
            assert!(refused.cause.code.name.starts_with(prefix), "{refused}");
        }
        let written = write(history.now()).expect("what was edited is written");
        let again = read(&written, &ReadOptions::default()).expect("what was written reads");
        assert_eq!(again.document, *history.now());
        if written.len() > GROWN {
            break;
        }
    }
    while history.undo() {}
    assert_eq!(write(history.now()).expect("what was read is written"), file);
}

/// A picture of a colour and what follows from the place.
fn painted(width: u8, height: u8, colour: [u8; 4]) -> Image {
    let pixel = |i: u32| colour.map(|value| value.wrapping_add(i.to_le_bytes()[0] & 15));
    let (width, height) = (u32::from(width), u32::from(height));
    Image { width, height, rgba: (0..width * height).map(pixel).collect() }
}

/// A side that is not too long to be painted.
fn small(side: u32) -> u8 {
    u8::try_from(side).unwrap_or(40).min(64)
}

fn whole(image: &Image) {
    assert_eq!(image.rgba.len() as u64, u64::from(image.width) * u64::from(image.height));
}

/// Every finding has its place, and a dump shows every byte once.
fn check_report<D>(data: &[u8], found: &Read<D>, mut report: Report) {
    every_byte_is_owned(&found.map, data.len());
    report.locate(&found.map);
    for finding in report.findings() {
        assert!(finding.offset.is_some(), "{finding} has no place");
    }
    let mut dumped = 0;
    found.map.rows(data, |row| dumped += row.len);
    assert_eq!(dumped, data.len(), "a dump shows every byte once");
}

fn options() -> [ReadOptions; 2] {
    [Strictness::Tolerant, Strictness::Strict]
        .map(|strictness| ReadOptions { strictness, ..ReadOptions::default() })
}
