//! BLP: cases with their reports, pictures beside a slow reader, laws, damage and edits.
#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "a helper that fails is a failed test, and references are written plainly"
)]

#[path = "common/blocks.rs"]
mod blocks;
mod common;
#[path = "common/pictures.rs"]
mod pictures;

use std::collections::BTreeSet;

use common::{Dice, Subject};
use galvani_core::image::MOST_PIXELS;
use galvani_core::image::difference;
use galvani_core::{Diagnostic, Image, Severity, Strictness};
use galvani_testkit::{truncations, word_damage};
use galvani_texture::bc::Coding;
use galvani_texture::blp::edit::{make_canonical, rebuild_mips, replace_image, set_alpha_bits, set_mip};
use galvani_texture::blp::{
    self, Document, Header, Level, LevelKind, Options, Shared, Version, check, decode, decode_beside,
    is_shaped, read, sibling_name, write,
};
use galvani_texture::jpeg;
use galvani_texture::mips::{Mips, chain, level_size};
use galvani_texture::quantise::Dither;
use pictures::{opaque, painted};
use proptest::prelude::*;

const BLP: Subject<Document> = Subject { id: "blp", read, write, check, codes: check::ALL };

#[test]
fn every_case_has_the_report_beside_it() {
    insta::glob!("../../../testdata/blp", "*/build.txt", |listing| BLP.snapshot(listing));
}

#[test]
fn every_code_is_provoked() {
    let mut document = BLP.document(&BLP.case("plain"));
    document.levels.pop();
    let refused = write(&document).unwrap_err();
    BLP.every_code_is_provoked(&[refused.cause.code.name]);
}

#[test]
fn good_files_have_no_findings() {
    for case in
        ["plain", "jpeg", "alpha-0", "alpha-1", "alpha-4", "two-palette", "two-dxt1", "two-dxt3", "two-plain"]
    {
        assert_eq!(BLP.outcome(&BLP.case(case)).findings(), Vec::<Diagnostic>::new(), "{case}");
    }
}

#[test]
fn a_file_cut_anywhere_keeps_what_is_there() {
    for (name, file) in BLP.cases() {
        for cut in truncations(&file) {
            let header = match cut.get(..4) {
                Some(b"BLP0") => 28,
                Some(b"BLP1") => 156,
                Some(b"BLP2") => 148,
                _ => usize::MAX,
            };
            let tolerant = BLP.obeys(cut, Strictness::Tolerant);
            assert_eq!(tolerant, cut.len() >= header, "{name} cut at {}", cut.len());
            assert!(tolerant || !BLP.obeys(cut, Strictness::Strict), "strictness read more");
        }
    }
}

#[test]
fn a_file_with_any_word_damaged_comes_back_or_is_refused() {
    for (name, file) in BLP.cases() {
        let step = if ["plain", "jpeg", "two-jpeg"].contains(&name.as_str()) { 1 } else { 7 };
        word_damage(&file, |at, damaged| {
            // Most of a palette is alike.
            if at % step == 0 && !(200..1150).contains(&(at * step)) {
                let tolerant = BLP.obeys(damaged, Strictness::Tolerant);
                assert!(tolerant || !BLP.obeys(damaged, Strictness::Strict), "strictness read more");
                pictures_or_reasons(damaged);
            }
        });
    }
}

/// Every level is shown, no larger than the header promises, or refused under the format's name.
fn pictures_or_reasons(file: &[u8]) {
    let Ok(found) = read(file, &common::strictly(Strictness::Tolerant)) else { return };
    let (width, height) = found.document.header.size();
    for level in 0..17 {
        match decode(&found.document, level, 1 << 16) {
            Ok(image) => {
                assert!(
                    image.width <= width && image.height <= height,
                    "nothing beyond what the header promises"
                );
                assert_eq!(image.rgba.len() as u64, u64::from(image.width) * u64::from(image.height));
            }
            Err(refused) => assert!(refused.code.name.starts_with("blp.decode-"), "{refused}"),
        }
    }
}

/// A level of a palette, blocks or plain pixels, one pixel at a time, straight from the bytes of the file and
/// docs/formats/blp.md#palette and #blocks.
fn slowly(file: &[u8], level: usize) -> Vec<[u8; 4]> {
    let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
    let is_two = &file[..4] == b"BLP2";
    let (encoding, bits, kind) =
        if is_two { (file[8], usize::from(file[9]), file[10]) } else { (1, word(8), 0) };
    let (tables, palette) = if is_two { (20, 148) } else { (28, 156) };
    let (width, height) = ((word(12) >> level).max(1), (word(16) >> level).max(1));
    let start = word(tables + 4 * level);
    let first = word(tables);
    let mut image = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let i = y * width + x;
            image.push(match encoding {
                1 => {
                    let colour = palette + 4 * usize::from(file[start + i]);
                    let plane = start + width * height;
                    let alpha = match bits {
                        8 => file[plane + i],
                        4 => (file[plane + i / 2] >> (4 * (i % 2)) & 15) * 17,
                        1 => (file[plane + i / 8] >> (i % 8) & 1) * 255,
                        _ => 255,
                    };
                    if colour + 4 > first.max(palette) {
                        [0; 4]
                    } else {
                        [file[colour + 2], file[colour + 1], file[colour], alpha]
                    }
                }
                2 => {
                    let len = if kind == 0 { 8 } else { 16 };
                    let block = &file[start + (y / 4 * width.div_ceil(4) + x / 4) * len..];
                    let pixels = match kind {
                        0 => blocks::bc1(block, bits > 0),
                        1 => blocks::bc2(block),
                        _ => blocks::bc3(block),
                    };
                    pixels[y % 4 * 4 + x % 4]
                }
                _ => {
                    let at = start + 4 * i;
                    [file[at + 2], file[at + 1], file[at], file[at + 3]]
                }
            });
        }
    }
    image
}

#[test]
fn pictures_of_the_cases_are_those_of_a_slow_reader() {
    let cases = [
        "plain",
        "alpha-0",
        "alpha-1",
        "alpha-4",
        "gap",
        "palette-short",
        "index",
        "palette-pad",
        "gap-tail",
        "two-palette",
        "two-dxt1",
        "two-dxt1-cutout",
        "two-dxt3",
        "two-plain",
    ];
    for case in cases {
        let file = BLP.case(case);
        let document = BLP.document(&file);
        for level in 0..3 {
            let shown = decode(&document, level, MOST_PIXELS).unwrap();
            assert_eq!(shown.rgba, slowly(&file, level), "{case}, level {level}");
        }
    }
}

#[test]
fn components_of_a_jpeg_are_shown_as_they_are_stored() {
    for case in ["jpeg", "jpeg-gap", "two-jpeg", "alpha-bits"] {
        let document = BLP.document(&BLP.case(case));
        let shown = decode(&document, 0, MOST_PIXELS).unwrap();
        assert_eq!((shown.width, shown.height), (4, 4), "{case}");
        assert!(shown.rgba.iter().all(|&pixel| pixel == [128, 78, 228, 255]), "{case}: {:?}", shown.rgba[0]);
    }
    // A level that holds a larger picture shows that, but never more than level 0 has.
    let document = BLP.document(&BLP.case("jpeg-size"));
    let shown = decode(&document, 1, MOST_PIXELS).unwrap();
    assert_eq!((shown.width, shown.height), (4, 4));
    assert_eq!(decode(&document, 2, MOST_PIXELS).unwrap_err().code, blp::DECODE_CODES[4]);
    // Alpha that the header denies is not shown, and found.
    let document = BLP.document(&BLP.case("hidden-alpha"));
    assert!(decode(&document, 0, MOST_PIXELS).unwrap().rgba.iter().all(|&[.., alpha]| alpha == 255));
}

#[test]
fn a_level_that_repeats_a_larger_one_shows_it() {
    let document = BLP.document(&BLP.case("shared-level"));
    let first = decode(&document, 0, MOST_PIXELS).unwrap();
    assert_eq!(decode(&document, 2, MOST_PIXELS).unwrap(), first);
}

#[test]
fn levels_of_the_beta_lie_beside_it() {
    let document = BLP.document(&BLP.case("beta"));
    assert_eq!(document.header.version(), Version::Beta);
    let bytes = [0, 1, 2, 3, 3, 2, 1, 0, 255, 128, 0, 1, 2, 3, 4, 5];
    let shown = decode_beside(&document, 0, &bytes, MOST_PIXELS).unwrap();
    let plain = BLP.document(&BLP.case("plain"));
    assert_eq!(shown, decode(&plain, 0, MOST_PIXELS).unwrap());
    assert_eq!(sibling_name("Textures\\Peon.blp", 0), "Textures\\Peon.b00");
    assert_eq!(sibling_name("peon", 15), "peon.b15");
}

#[test]
fn decoding_says_why_it_cannot() {
    let of = |case: &str| BLP.document(&BLP.case(case));
    let codes = [
        decode(&of("plain"), 5, MOST_PIXELS),
        decode(&of("content"), 0, MOST_PIXELS),
        decode(&of("plain"), 0, 7),
        decode(&of("level-short"), 0, MOST_PIXELS),
        decode(&of("jpeg-components"), 0, MOST_PIXELS),
    ];
    let codes: Vec<&str> = codes.into_iter().map(|refused| refused.unwrap_err().code.name).collect();
    assert_eq!(codes, blp::DECODE_CODES.iter().map(|code| code.name).collect::<Vec<_>>());
    for case in ["empty", "pixels", "jpeg-header", "jpeg-no-header"] {
        assert!(decode(&of(case), 0, MOST_PIXELS).is_err(), "{case}");
    }
}

#[test]
fn memory_follows_the_input_whatever_the_header_says() {
    for case in ["pixels", "jpeg-size", "level-outside"] {
        let file = BLP.case(case);
        let used = allocation_counter::measure(|| {
            let document = BLP.document(&file);
            drop(check(&document));
            for level in 0..16 {
                drop(decode(&document, level, MOST_PIXELS));
            }
        });
        assert!(used.bytes_max < 1 << 20, "{case}: {} bytes", used.bytes_max);
    }
}

/// Every kind of file, made from a picture.
fn kinds() -> Vec<Options> {
    let mut all = Vec::new();
    for alpha_bits in [0, 1, 4, 8] {
        for version in [Version::One, Version::Two] {
            all.push(Options {
                version,
                kind: LevelKind::Palette,
                alpha_bits: Some(alpha_bits),
                ..Options::default()
            });
        }
    }
    for version in [Version::One, Version::Two] {
        all.push(Options { version, ..Options::default() });
        all.push(Options { version, mips: Mips::One, alpha_bits: Some(0), ..Options::default() });
    }
    let two = Options { version: Version::Two, ..Options::default() };
    all.push(Options { kind: LevelKind::Blocks(Coding::Bc1 { cutout: true }), alpha_bits: Some(1), ..two });
    all.push(Options { kind: LevelKind::Blocks(Coding::Bc1 { cutout: false }), alpha_bits: Some(0), ..two });
    all.push(Options { kind: LevelKind::Blocks(Coding::Bc2), alpha_bits: Some(8), ..two });
    all.push(Options { kind: LevelKind::Blocks(Coding::Bc3), alpha_bits: Some(8), ..two });
    all.push(Options { kind: LevelKind::Plain, alpha_bits: Some(8), ..two });
    all
}

#[test]
fn a_new_file_of_every_kind_is_good_and_like_itself() {
    let image = painted(16, 8);
    for options in kinds() {
        let document = Document::new(&image, &options).unwrap();
        let file = write(&document).unwrap();
        assert!(is_shaped(&file));
        assert_eq!(BLP.round_trip(&file), document, "{options:?}");
        let findings: Vec<Diagnostic> =
            check(&document).findings().iter().filter(|finding| !finding.pedantic).cloned().collect();
        assert_eq!(findings, [], "{options:?}");
        assert_eq!(document.stored().count(), if options.mips == Mips::Full { 5 } else { 1 });
        let like = Options::like(&document);
        let said = Options { alpha_bits: options.alpha_bits.or(Some(8)), ..options };
        assert_eq!(like, said);
        if options.kind != LevelKind::Jpeg {
            for level in document.stored() {
                let shown = decode(&document, level, MOST_PIXELS).unwrap();
                assert_eq!(shown.rgba, slowly(&file, level), "{options:?}");
            }
        }
        let mut again = document.clone();
        replace_image(&mut again, &decode(&document, 0, MOST_PIXELS).unwrap(), &like).unwrap();
        assert_eq!(again, document, "a picture that is shown already changes nothing");
    }
}

#[test]
fn without_more_a_file_is_a_jpeg_with_alpha_where_there_is_some() {
    let options = Options::default();
    assert_eq!(Document::new(&painted(8, 8), &options).unwrap().header.alpha_bits(), 8);
    let file = Document::new(&opaque(8, 8), &options).unwrap();
    assert_eq!(file.header.alpha_bits(), 0);
    let Header::One(header) = file.header else { panic!("BLP1 wanted") };
    assert_eq!((header.extra.get(), header.has_mips.get()), (5, 1));
    // The header is cut before the frame.
    assert!(file.level(0).unwrap().starts_with(&[0xff, 0xc0]));
    let frame = file.stream(0).unwrap().frame().unwrap();
    assert!(frame.is_full && !frame.has_adobe && !frame.is_progressive);
}

#[test]
fn another_reader_shows_the_same() {
    for (kind, most) in [(LevelKind::Palette, 0), (LevelKind::Jpeg, 2)] {
        let document = Document::new(&painted(32, 16), &Options { kind, ..Options::default() }).unwrap();
        let file = write(&document).unwrap();
        let theirs = wc3::blp::BlpRef::read(&file).unwrap();
        for level in document.stored() {
            let shown = theirs.decode_mip(level).unwrap();
            let (width, height) = shown.dimensions();
            let theirs = Image { width, height, rgba: shown.as_raw().as_chunks::<4>().0.to_vec() };
            let ours = decode(&document, level, MOST_PIXELS).unwrap();
            assert!(difference(&ours, &theirs).unwrap().most <= most, "{kind:?}, level {level}");
        }
    }
}

/// Decibels and bytes of new files over a picture of 256 × 256, a little below and above what is reached.
#[test]
fn new_files_keep_their_quality() {
    let image = painted(256, 256);
    let reached = |options: &Options| {
        let document = Document::new(&image, options).unwrap();
        let shown = decode(&document, 0, MOST_PIXELS).unwrap();
        (difference(&image, &shown).unwrap().psnr, document.level(0).unwrap().len())
    };
    let jpeg = |quality| Options { quality, mips: Mips::One, ..Options::default() };
    let palette = Options { kind: LevelKind::Palette, mips: Mips::One, ..Options::default() };
    let found = [
        (reached(&jpeg(75)), 40.7, 25_000),
        (reached(&jpeg(90)), 42.2, 46_000),
        (reached(&jpeg(95)), 44.3, 76_000),
        (reached(&palette), 29.0, 131_072),
    ];
    assert!(found.iter().all(|((psnr, len), least, most)| psnr >= least && len <= most), "{found:.2?}");
}

#[test]
fn few_colours_are_exact_and_many_may_be_dithered() {
    let mut few = painted(16, 16);
    for pixel in &mut few.rgba {
        *pixel = [pixel[0] & 0xe0, pixel[1] & 0xc0, pixel[2] & 0xc0, pixel[3]];
    }
    let palette = Options { kind: LevelKind::Palette, alpha_bits: Some(8), ..Options::default() };
    let document = Document::new(&few, &palette).unwrap();
    assert_eq!(decode(&document, 0, MOST_PIXELS).unwrap(), few);
    let many = painted(64, 64);
    let plain = Document::new(&many, &palette).unwrap();
    let dithered = Document::new(&many, &Options { dither: Dither::Diffuse, ..palette }).unwrap();
    assert_ne!(plain.level(0), dithered.level(0));
    for document in [plain, dithered] {
        let shown = decode(&document, 0, MOST_PIXELS).unwrap();
        let alphas = |image: &Image| image.rgba.iter().map(|pixel| pixel[3]).collect::<Vec<u8>>();
        assert_eq!(alphas(&shown), alphas(&many), "alpha is exact");
    }
}

#[test]
fn a_level_can_be_replaced_and_the_streams_of_the_others_stay() {
    for case in ["jpeg", "two-jpeg", "jpeg-size"] {
        let document = BLP.document(&BLP.case(case));
        let mut edited = document.clone();
        let image = Image { width: 2, height: 2, rgba: vec![[10, 20, 30, 255]; 4] };
        set_mip(&mut edited, 1, &image, Some(95)).unwrap();
        BLP.round_trip(&write(&edited).unwrap());
        for level in [0, 2] {
            let streams = (document.stream(level).unwrap(), edited.stream(level).unwrap());
            assert_eq!(streams.0.joined(), streams.1.joined(), "{case}, level {level}");
        }
        let shown = decode(&edited, 1, MOST_PIXELS).unwrap();
        assert!(difference(&shown, &image).unwrap().most <= 3, "{shown:?}");
    }
}

#[test]
fn smaller_levels_are_made_anew_from_the_largest() {
    let image = painted(16, 8);
    for options in kinds() {
        let document = Document::new(&image, &Options { mips: Mips::One, ..options }).unwrap();
        let mut edited = document.clone();
        rebuild_mips(&mut edited, None).unwrap();
        BLP.round_trip(&write(&edited).unwrap());
        assert_eq!(edited.stored().count(), 5);
        assert_eq!(edited.header.has_mips(), 1);
        assert_eq!(decode(&edited, 0, 1 << 20).unwrap(), decode(&document, 0, 1 << 20).unwrap());
        let largest = decode(&document, 0, MOST_PIXELS).unwrap();
        for (level, wanted) in chain(largest, 16).iter().enumerate() {
            let shown = decode(&edited, level, MOST_PIXELS).unwrap();
            assert_eq!((shown.width, shown.height), level_size(16, 8, level));
            let found = difference(wanted, &shown).unwrap();
            assert!(options.kind != LevelKind::Plain || found.pixels == 0, "{options:?}");
        }
        let once = edited.clone();
        rebuild_mips(&mut edited, None).unwrap();
        assert_eq!(edited, once, "what was made anew stays when it is made anew");
    }
}

#[test]
fn alpha_gets_other_bits_and_colours_stay() {
    let image = painted(7, 5);
    let start = Options { kind: LevelKind::Palette, alpha_bits: Some(8), ..Options::default() };
    let document = Document::new(&image, &start).unwrap();
    for bits in [0, 1, 4, 8] {
        let mut edited = document.clone();
        set_alpha_bits(&mut edited, bits).unwrap();
        let file = write(&edited).unwrap();
        BLP.round_trip(&file);
        let shown = decode(&edited, 0, MOST_PIXELS).unwrap();
        assert_eq!(shown.rgba, slowly(&file, 0));
        let before = decode(&document, 0, MOST_PIXELS).unwrap();
        for (shown, before) in shown.rgba.iter().zip(&before.rgba) {
            assert_eq!(shown[..3], before[..3]);
            let wanted = match bits {
                0 => 255,
                1 => {
                    if before[3] >= 128 {
                        255
                    } else {
                        0
                    }
                }
                4 => (u16::from(before[3]) + 8) as u8 / 17 * 17,
                _ => before[3],
            };
            if bits == 4 {
                assert!(shown[3].abs_diff(before[3]) <= 8);
            } else {
                assert_eq!(shown[3], wanted);
            }
        }
        let Header::One(header) = edited.header else { panic!("BLP1 wanted") };
        assert_eq!(header.extra.get(), if bits == 0 { 5 } else { 4 });
    }
    // Of JPEG only the header says it.
    let mut jpeg = BLP.document(&BLP.case("hidden-alpha"));
    let before = jpeg.clone();
    set_alpha_bits(&mut jpeg, 8).unwrap();
    assert_eq!((jpeg.levels, jpeg.blocks), (before.levels, before.blocks));
}

#[test]
fn the_canonical_form_has_the_same_pictures_and_nothing_else() {
    let refused = [
        "content",
        "empty",
        "no-picture",
        "level-outside",
        "level-in-header",
        "level-short",
        "jpeg-header",
        "jpeg-no-header",
        "jpeg-broken",
        "jpeg-components",
        "jpeg-size",
        "two-type",
    ];
    for (name, file) in BLP.cases() {
        let Ok(found) = read(&file, &common::strictly(Strictness::Tolerant)) else { continue };
        let mut edited = found.document.clone();
        let Ok(cost) = make_canonical(&mut edited) else {
            assert_eq!(edited, found.document, "{name}");
            assert!(refused.contains(&name.as_str()) || name == "pixels", "{name}");
            continue;
        };
        assert!(!refused.contains(&name.as_str()), "{name}");
        assert!(cost.tally(Severity::Error) == 0);
        let canonical = write(&edited).unwrap();
        BLP.round_trip(&canonical);
        let mut again = edited.clone();
        assert_eq!(make_canonical(&mut again).unwrap().findings(), [], "{name}");
        assert_eq!(again, edited, "{name}");
        for level in found
            .document
            .stored()
            .filter(|&level| found.document.header.kind() == Some(LevelKind::Jpeg) || level == 0)
        {
            let pair = (decode(&found.document, level, 99), decode(&edited, level, 99));
            // Indices beyond a short palette now show what stands in for the colours it lacks.
            if name != "index" {
                assert_eq!(pair.0.ok(), pair.1.ok(), "{name}, level {level}");
            }
        }
        let gaps: BTreeSet<&str> =
            check(&edited).findings().iter().map(|finding| finding.code.name).collect();
        for gone in ["blp.shared-level", "blp.level-overlap", "blp.offset-alone", "blp.palette-short"] {
            assert!(!gaps.contains(gone), "{name}: {gone}");
        }
    }
    let plain = BLP.case("plain");
    for case in ["gap", "gap-tail"] {
        let mut document = BLP.document(&BLP.case(case));
        assert_eq!(make_canonical(&mut document).unwrap().findings().len(), 1);
        assert_eq!(write(&document).unwrap(), plain, "{case}");
    }
}

#[test]
fn edits_that_cannot_be_made_say_why_and_change_nothing() {
    let of = |case: &str| BLP.document(&BLP.case(case));
    let one = Image { width: 1, height: 1, rgba: vec![[1, 2, 3, 4]] };
    let short = Image { width: 4, height: 2, rgba: vec![[0; 4]; 7] };
    let options = Options::default();
    let mut codes = BTreeSet::new();
    let mut refuse = |case: &str, edit: &dyn Fn(&mut Document) -> Result<(), galvani_core::EditError>| {
        let mut document = of(case);
        codes.insert(edit(&mut document).unwrap_err().cause.code.name);
        assert_eq!(document, of(case), "{case}");
    };
    refuse("beta", &|document| replace_image(document, &one, &options));
    refuse("beta", &|document| set_alpha_bits(document, 8));
    refuse("plain", &|document| {
        replace_image(document, &one, &Options { kind: LevelKind::Plain, ..options })
    });
    refuse("jpeg-header", &|document| {
        set_mip(document, 0, &Image { width: 4, height: 4, rgba: vec![[0; 4]; 16] }, None)
    });
    refuse("plain", &|document| replace_image(document, &short, &options));
    refuse("plain", &|document| set_mip(document, 0, &one, None));
    refuse("plain", &|document| set_mip(document, 5, &one, None));
    refuse("plain", &|document| set_mip(document, 16, &one, None));
    refuse("plain", &|document| set_alpha_bits(document, 3));
    refuse("jpeg", &|document| set_alpha_bits(document, 4));
    refuse("two-dxt5", &|document| set_alpha_bits(document, 0));
    refuse("plain", &|document| {
        replace_image(document, &one, &Options { kind: LevelKind::Palette, alpha_bits: Some(7), ..options })
    });
    assert_eq!(codes, blp::edit::ALL.iter().map(|code| code.name).collect());
    let mut broken = of("jpeg-components");
    assert!(rebuild_mips(&mut broken, None).is_err());
    let mut wide = opaque(1, 1);
    wide.width = 70_000;
    wide.rgba = vec![[0; 4]; 70_000];
    assert!(Document::new(&wide, &options).is_err());
}

#[test]
fn a_level_may_be_added_behind_the_last() {
    let mut document = BLP.document(&BLP.case("jpeg-gap"));
    assert_eq!(document.stored().count(), 1);
    set_mip(&mut document, 1, &Image { width: 2, height: 2, rgba: vec![[9; 4]; 4] }, None).unwrap();
    assert_eq!((document.stored().count(), document.header.has_mips()), (2, 1));
    BLP.round_trip(&write(&document).unwrap());
}

/// A file of any kind with levels anywhere: tables, gaps and sizes from a seed.
fn anywhere(dice: &mut Dice) -> Vec<u8> {
    let magic: &[u8; 4] = [b"BLP1", b"BLP2", b"BLP0"][dice.below(5).min(2) as usize % 3];
    let mut file = magic.to_vec();
    file.extend(dice.below(3).to_le_bytes());
    if magic == b"BLP2" {
        let kinds = [1, 2, 3, 4, 9];
        file.extend([
            kinds[dice.below(5) as usize],
            dice.byte() & 9,
            [0, 1, 7, 8][dice.below(4) as usize],
            1,
        ]);
    } else {
        file.extend(dice.below(10).to_le_bytes());
    }
    let (width, height) = (dice.below(9), dice.below(9));
    file.extend([width.to_le_bytes(), height.to_le_bytes()].concat());
    if magic != b"BLP2" {
        file.extend([dice.below(7).to_le_bytes(), dice.below(3).to_le_bytes()].concat());
    }
    if magic != b"BLP0" {
        let levels = dice.below(17);
        let offsets: Vec<u32> =
            (0..16).map(|i| if i < levels { dice.below(1600) } else { dice.below(2) }).collect();
        let sizes: Vec<u32> = (0..16).map(|i| if i < levels { dice.below(90) } else { 0 }).collect();
        file.extend(offsets.iter().chain(&sizes).flat_map(|word| word.to_le_bytes()));
    }
    file.extend(dice.below(40).to_le_bytes());
    let len = dice.below(1500);
    file.extend((0..len).map(|_| dice.byte()));
    file
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn levels_anywhere_come_back_and_edits_of_them_are_files(seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let file = anywhere(&mut dice);
        BLP.obeys(&file, Strictness::Tolerant);
        BLP.obeys(&file, Strictness::Strict);
        pictures_or_reasons(&file);
        let Ok(found) = read(&file, &common::strictly(Strictness::Tolerant)) else { return Ok(()) };
        let mut document = found.document;
        let (width, height) = document.header.size();
        let level = dice.below(4) as usize;
        let (width, height) = level_size(width.max(1), height.max(1), level);
        let image = painted(width, height);
        let before = document.clone();
        let made = match dice.below(5) {
            0 => replace_image(&mut document, &image, &Options::like(&before)),
            1 => set_mip(&mut document, level, &image, None),
            2 => rebuild_mips(&mut document, Some(50)),
            3 => set_alpha_bits(&mut document, [0, 1, 4, 8][dice.below(4) as usize]),
            _ => make_canonical(&mut document).map(drop),
        };
        if let Err(refused) = made {
            prop_assert!(refused.cause.code.name.starts_with("blp."));
            prop_assert_eq!(&document, &before);
        }
        BLP.round_trip(&write(&document).unwrap());
    }

    #[test]
    fn arbitrary_bytes_behind_a_magic_come_back_or_are_refused(mut bytes in prop::collection::vec(any::<u8>(), 0..600), which in 0..3_u8) {
        if let Some(magic) = bytes.get_mut(..4) {
            magic.copy_from_slice(&[b'B', b'L', b'P', b'0' + which]);
        }
        BLP.obeys(&bytes, Strictness::Tolerant);
        BLP.obeys(&bytes, Strictness::Strict);
        pictures_or_reasons(&bytes);
    }

    #[test]
    fn pictures_that_are_not_changed_keep_every_byte(width in 1..20_u32, height in 1..20_u32, kind in 0..17_usize) {
        let options = kinds()[kind];
        let document = Document::new(&painted(width, height), &options).unwrap();
        let mut edited = document.clone();
        for level in document.stored() {
            let shown = decode(&document, level, MOST_PIXELS).unwrap();
            set_mip(&mut edited, level, &shown, None).unwrap();
        }
        prop_assert_eq!(edited, document);
    }

    #[test]
    fn a_stream_with_damage_anywhere_is_decoded_or_refused(seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let mut stream = jpeg::encode(&painted(16, 16), 80, true).unwrap();
        for _ in 0..dice.below(6) {
            let at = dice.below(stream.len() as u32) as usize;
            stream[at] = dice.byte();
        }
        stream.truncate(stream.len() - dice.below(40) as usize);
        let cut = dice.below(stream.len() as u32) as usize;
        let (head, body) = stream.split_at(cut);
        let found = jpeg::Stream { head, body };
        if let Ok(image) = found.decode((64, 64), true) {
            prop_assert!(image.width <= 64 && image.height <= 64);
        }
    }
}

#[test]
fn what_is_read_is_what_the_file_says() {
    let document = BLP.document(&BLP.case("palette-short"));
    let Shared::Palette(colours) = &document.shared else { panic!("a palette wanted") };
    assert_eq!((colours.len(), document.lead.len()), (3, 1));
    let document = BLP.document(&BLP.case("level-outside-small"));
    assert_eq!(document.levels[2], Level::Astray { offset: 0xffff_fff0, size: 2 });
    let document = BLP.document(&BLP.case("offset-alone"));
    assert_eq!(document.levels[5], Level::Absent { offset: 1234 });
    let document = BLP.document(&BLP.case("shared-level"));
    assert_eq!((document.blocks.len(), document.levels[0]), (1, document.levels[2]));
    assert!(!is_shaped(b"MDLX") && is_shaped(b"BLP0"));
}
