//! Textures: cases with their reports, pictures beside a slow reference, edits, laws and damage.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a failed test")]

use galvani_core::{EditError, Image, Strictness};
use galvani_parkan::texm::edit::{
    Field, Levels, make_canonical, rebuild_mips, replace_image, set_colour, set_field, set_mip, set_page,
};
use galvani_parkan::texm::{
    DecodeOptions, Document, Format, HEADER_LEN, Match, Rect, Surface, check, decode, full_count, read, write,
};
use galvani_testkit::{Dice, Subject, differences, snapshot_beside};
use proptest::prelude::*;

const TEXM: Subject<Document> = Subject { id: "texm", read, write, check, codes: check::ALL };

#[test]
fn every_case_has_the_report_beside_it() {
    insta::glob!("../../../testdata/texm", "*/build.txt", |listing| {
        snapshot_beside!(listing, TEXM.report_text(listing));
    });
}

fn example(case: &str) -> Document {
    TEXM.document(&TEXM.case(case))
}

fn code<T: std::fmt::Debug>(result: Result<T, EditError>) -> &'static str {
    result.unwrap_err().cause.code.name
}

fn picture(document: &Document, level: usize) -> Image {
    decode(document, level, &DecodeOptions::default()).unwrap()
}

/// A picture of many colours.
fn painted(width: u32, height: u32, dice: &mut Dice) -> Image {
    Image { width, height, rgba: (0..width * height).map(|_| [0; 4].map(|_: u8| dice.byte())).collect() }
}

#[test]
fn every_code_is_provoked_by_a_case_or_an_edit() {
    let mut dice = Dice(1);
    let mut miscounted = example("plain");
    miscounted.pixels.pop();
    miscounted.rest.push(0);
    let look = DecodeOptions::default();
    let missing = set_mip(&mut example("cut-pixels"), 1, &painted(4, 4, &mut dice), Match::Nearest, &look);
    let limited =
        decode(&example("plain"), 0, &DecodeOptions { most_pixels: 63, ..DecodeOptions::default() })
            .unwrap_err();
    let many = Document::from_image(&painted(32, 32, &mut dice), Format::Indexed, Levels::Same, Match::Exact);
    TEXM.every_code_is_provoked(&[
        write(&miscounted).unwrap_err().cause.code.name,
        code(missing),
        limited.code.name,
        code(many),
        code(rebuild_mips(&mut example("plain"), Levels::Count(5))),
        code(replace_image(&mut example("mips"), &painted(8, 8, &mut dice), Match::Exact, &look)),
        code(set_colour(&mut example("plain"), 3, [1, 2, 3])),
        code(set_mip(&mut example("mips"), 1, &painted(8, 8, &mut dice), Match::Nearest, &look)),
    ]);
}

#[test]
fn good_textures_have_no_findings() {
    for case in ["plain", "mips", "palette", "page", "opaque"] {
        assert_eq!(TEXM.outcome(&TEXM.case(case)).findings(), [], "{case}");
        assert!(TEXM.obeys(&TEXM.case(case), Strictness::Strict), "{case}");
    }
}

#[test]
fn a_file_cut_anywhere_keeps_what_is_there() {
    TEXM.stands_truncation(HEADER_LEN);
}

#[test]
fn a_file_with_any_word_damaged_comes_back_or_is_refused() {
    TEXM.stands_word_damage();
}

#[test]
fn formats_show_what_the_page_says() {
    let first = |case: &str| picture(&example(case), 0).rgba[1];
    assert_eq!(first("plain"), [3, 254, 1, 4]);
    assert_eq!(first("opaque"), [3, 2, 1, 255]);
    // 0x5b25: five bits of red, six of green, five of blue.
    assert_eq!(first("mips"), [0x5a, 0x65, 0x29, 255]);
    // 0x0b05: nothing of alpha, eleven of red, nothing of green, five of blue.
    assert_eq!(first("page"), [0xbb, 0x00, 0x55, 0x00]);
    assert_eq!(first("palette"), [7, 5, 3, 255]);
    assert_eq!(first("external"), [4, 4, 4, 255]);
    assert_eq!(first("rare-88"), [5, 5, 5, 11]);
}

#[test]
fn surfaces_decide_about_alpha() {
    let look = |surface| DecodeOptions { surface, ..DecodeOptions::default() };
    let zeroth = |case: &str, surface| decode(&example(case), 0, &look(surface)).unwrap().rgba[0];
    assert_eq!(zeroth("palette", Surface::File), [0, 0, 0, 0], "the header wants alpha");
    assert_eq!(zeroth("palette", Surface::Opaque), [0, 0, 0, 255]);
    let mut plain = example("palette");
    set_field(&mut plain, Field::Flags14, 0);
    assert_eq!(picture(&plain, 0).rgba[0], [0, 0, 0, 255]);
    assert_eq!(decode(&plain, 0, &look(Surface::Alpha)).unwrap().rgba[0], [0, 0, 0, 0]);
    assert_eq!(zeroth("plain", Surface::Opaque), [0, 255, 0, 255], "gloss is no alpha");
    let palette = Some((0..=255).map(|i| [i, 0, 0, 255]).collect());
    let red =
        decode(&example("external"), 0, &DecodeOptions { palette, ..DecodeOptions::default() }).unwrap();
    assert_eq!(red.rgba[1], [4, 0, 0, 255]);
}

#[test]
fn pictures_that_are_not_there_or_too_large_are_refused() {
    let refusal =
        |case: &str, level| decode(&example(case), level, &DecodeOptions::default()).unwrap_err().to_string();
    assert_eq!(refusal("huge", 0), "header.width: texm.pixel-limit: 65535 × 65535, 67108864 pixels at most");
    assert_eq!(refusal("largest", 40), "levels[40]: texm.level-missing: level 40 ends early");
    assert_eq!(refusal("empty", 0), "header.width: texm.empty: 0 × 0");
    assert_eq!(refusal("plain", 1), "levels[1]: texm.no-level: level 1 of 1");
    assert_eq!(refusal("cut-pixels", 1), "levels[1]: texm.level-missing: level 1 ends early");
    assert_eq!(refusal("cut-palette", 0), "levels[0]: texm.level-missing: level 0 ends early");
    assert_eq!(refusal("format", 0), "header.format: texm.format: 1555 found");
}

/// A level as the page says, one pixel at a time, straight from the bytes of a file.
fn slowly(file: &[u8], level: u32) -> Vec<[u8; 4]> {
    let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap());
    let (width, height, flags, format) = (word(4), word(8), word(20), word(28));
    let bytes = match format {
        0 | 2 => 1,
        565 | 556 | 4444 | 88 => 2,
        _ => 4,
    };
    let mut at = if format == 0 { 32 + 1024 } else { 32 };
    for before in 0..level {
        at += (width >> before).max(1) as usize * (height >> before).max(1) as usize * bytes;
    }
    let mut made = Vec::new();
    let spread = |value: u16, bits: u32| -> u8 {
        let mut out = 0_u8;
        for bit in 0..8 {
            // The bits from the top, over and over.
            let from = bits - 1 - (bit % bits);
            out = out << 1 | u8::try_from(value >> from & 1).unwrap();
        }
        out
    };
    for _ in 0..(width >> level).max(1) * (height >> level).max(1) {
        let pixel = &file[at..at + bytes];
        let half = if bytes == 2 { u16::from(pixel[0]) | u16::from(pixel[1]) << 8 } else { 0 };
        made.push(match format {
            0 => {
                let colour = 32 + 4 * usize::from(pixel[0]);
                let keyed = flags & 0x0300_0000 != 0 && pixel[0] == 0;
                [file[colour + 2], file[colour + 1], file[colour], if keyed { 0 } else { 255 }]
            }
            2 => [
                pixel[0],
                pixel[0],
                pixel[0],
                if flags & 0x0300_0000 != 0 && pixel[0] == 0 { 0 } else { 255 },
            ],
            565 => [spread(half >> 11, 5), spread(half >> 5 & 63, 6), spread(half & 31, 5), 255],
            556 => [spread(half >> 11, 5), spread(half >> 6 & 31, 5), spread(half & 63, 6), 255],
            4444 => [8, 4, 0, 12].map(|shift| spread(half >> shift & 15, 4)),
            88 => [pixel[0], pixel[0], pixel[0], pixel[1]],
            888 => [pixel[2], pixel[1], pixel[0], 255],
            _ => [pixel[2], pixel[1], pixel[0], pixel[3]],
        });
        at += bytes;
    }
    made
}

/// A texture of random pixels, by hand.
fn random(dice: &mut Dice, format: u32, width: u32, height: u32, levels: u32) -> Vec<u8> {
    let mut file = b"Texm".to_vec();
    let flags = [0, 0x0100_0000, 0x0200_0000][dice.below(3) as usize];
    for word in [width, height, levels, if levels > 1 { 32 } else { 0 }, flags, dice.word(), format] {
        file.extend(word.to_le_bytes());
    }
    if format == 0 {
        file.extend((0..1024).map(|_| dice.byte()));
    }
    let bytes = Format::from_number(format).unwrap().pixel_bytes();
    for level in 0..levels {
        let pixels = (width >> level).max(1) as usize * (height >> level).max(1) as usize;
        file.extend((0..pixels * bytes).map(|_| dice.byte()));
    }
    if dice.below(3) == 0 {
        file.extend(b"Page\x01\0\0\0\0\0\x01\0\0\0\x01\0");
    }
    file
}

const NUMBERS: [u32; 8] = [0, 2, 565, 556, 4444, 88, 888, 8888];

#[test]
fn every_format_decodes_as_the_reference_does_and_encodes_back() {
    let mut dice = Dice(5);
    for format in NUMBERS {
        for (width, height) in [(1, 1), (8, 8), (5, 3), (16, 2)] {
            let levels = full_count(width, height);
            let file = random(&mut dice, format, width, height, levels);
            let document = TEXM.round_trip(&file);
            for level in 0..levels {
                let image = picture(&document, level as usize);
                assert_eq!(image.rgba, slowly(&file, level), "{format}, level {level}");
                let mut again = document.clone();
                set_mip(&mut again, level as usize, &image, Match::Exact, &DecodeOptions::default()).unwrap();
                assert_eq!(again, document, "{format}, level {level}");
            }
            let mut again = document.clone();
            replace_image(&mut again, &picture(&document, 0), Match::Exact, &DecodeOptions::default())
                .unwrap();
            assert_eq!(again, document, "the picture it shows changes nothing");
        }
    }
}

/// A smaller level as the page says: channels as stored, sums of blocks of the first level, rounded down.
#[test]
fn smaller_levels_are_the_means_of_blocks_of_the_first() {
    let mut dice = Dice(9);
    for (format, shifts) in [
        (565, &[(0, 5), (5, 6), (11, 5)][..]),
        (4444, &[(0, 4), (4, 4), (8, 4), (12, 4)]),
        (8888, &[(0, 8), (8, 8), (16, 8), (24, 8)]),
    ] {
        let mut document = TEXM.document(&random(&mut dice, format, 16, 4, 1));
        rebuild_mips(&mut document, Levels::Full).unwrap();
        let bytes = Format::from_number(format).unwrap().pixel_bytes();
        assert_eq!((document.header.mip_count.get(), document.header.flags_10.get()), (5, 32));
        let word = |level: usize, at: usize| {
            let pixel = &document.level(level).unwrap()[at * bytes..(at + 1) * bytes];
            pixel.iter().rev().fold(0_u64, |word, &byte| word << 8 | u64::from(byte))
        };
        for level in 1..5_usize {
            let (step, width, height) = (1 << level, 16_usize >> level, (4_usize >> level).max(1));
            for y in 0..height {
                for x in 0..width {
                    for &(shift, bits) in shifts {
                        let channel = |word: u64| word >> shift & ((1 << bits) - 1);
                        let (mut sum, mut count) = (0, 0);
                        for from_y in y * step..((y + 1) * step).min(4) {
                            for from_x in x * step..(x + 1) * step {
                                sum += channel(word(0, from_y * 16 + from_x));
                                count += 1;
                            }
                        }
                        assert_eq!(
                            channel(word(level, y * width + x)),
                            sum / count,
                            "{format}, level {level}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn levels_of_indices_go_by_their_colours() {
    let palette: Vec<[u8; 3]> = (0..=255).map(|i| [i, i, i]).collect();
    let indices = vec![0, 100, 200, 100];
    let document = Document::from_indices([2, 2], &palette, indices, Levels::Full).unwrap();
    assert_eq!(document.level(1).unwrap(), [100]);
    assert_eq!(check(&document).seen(galvani_core::Scrutiny::Usual).findings(), []);
}

#[test]
fn another_picture_keeps_format_and_flags_and_rebuilds_its_levels() {
    let mut dice = Dice(2);
    let image = painted(16, 16, &mut dice);
    let mut edited = example("mips");
    replace_image(&mut edited, &image, Match::Nearest, &DecodeOptions::default()).unwrap();
    assert_eq!(edited.header.mip_count.get(), 4, "as many as it had");
    assert_eq!((edited.header.width.get(), edited.pixels.len()), (16, (256 + 64 + 16 + 4) * 2));
    let mut rebuilt = edited.clone();
    rebuild_mips(&mut rebuilt, Levels::Same).unwrap();
    assert_eq!(rebuilt, edited);
    TEXM.round_trip(&write(&edited).unwrap());
    replace_image(&mut edited, &painted(2, 1, &mut dice), Match::Nearest, &DecodeOptions::default()).unwrap();
    assert_eq!((edited.header.mip_count.get(), edited.pixels.len()), (2, 6), "no more than there can be");
    let mut cut = example("cut-pixels");
    replace_image(&mut cut, &painted(8, 8, &mut dice), Match::Exact, &DecodeOptions::default()).unwrap();
    assert_eq!(cut.cut(), None);
}

#[test]
fn one_pixel_changes_its_bytes_alone() {
    let before = example("page");
    let mut image = picture(&before, 0);
    image.rgba[9] = [0x11, 0x22, 0x33, 0x44];
    let mut edited = before.clone();
    set_mip(&mut edited, 0, &image, Match::Exact, &DecodeOptions::default()).unwrap();
    assert_eq!(differences(&write(&before).unwrap(), &write(&edited).unwrap()), [50, 51]);
    let mut refused = before.clone();
    image.rgba[9] = [0x12, 0x22, 0x33, 0x44];
    let error = set_mip(&mut refused, 0, &image, Match::Exact, &DecodeOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), "levels: texm.colours: 1 pixels, the first of #122233 with alpha 68");
    assert_eq!(refused, before);
}

#[test]
fn a_picture_seen_without_alpha_leaves_the_gloss() {
    let before = example("plain");
    let look = DecodeOptions { surface: Surface::Opaque, ..DecodeOptions::default() };
    let mut image = decode(&before, 0, &look).unwrap();
    image.rgba[1] = [9, 9, 9, 255];
    let mut edited = before.clone();
    replace_image(&mut edited, &image, Match::Exact, &look).unwrap();
    assert_eq!(differences(&write(&before).unwrap(), &write(&edited).unwrap()), [36, 37, 38]);
}

#[test]
fn new_textures_have_the_games_own_form() {
    let mut dice = Dice(4);
    let image = painted(8, 8, &mut dice);
    assert_eq!(Format::fitting(&image), Format::Argb8888);
    for format in Format::ALL {
        let how = if format == Format::Argb8888 { Match::Exact } else { Match::Nearest };
        let made = Document::from_image(&image, format, Levels::Full, how).unwrap();
        let report = TEXM.outcome(&write(&made).unwrap());
        let told: Vec<_> = report.findings().iter().map(|finding| finding.code.name).collect();
        assert!(told.is_empty() || told == ["texm.rare-format"], "{format}: {told:?}");
        TEXM.round_trip(&write(&made).unwrap());
    }
    let made = Document::from_image(&image, Format::Argb8888, Levels::Same, Match::Exact).unwrap();
    assert_eq!(picture(&made, 0), image);
    let flat = Image { rgba: vec![[1, 2, 3, 255]; 64], ..image };
    assert_eq!(Format::fitting(&flat), Format::Rgb888);
    let made = Document::from_image(&flat, Format::Indexed, Levels::Count(2), Match::Exact).unwrap();
    assert_eq!((picture(&made, 0).rgba, made.palette.len()), (flat.rgba, 256));
}

#[test]
fn rectangles_colours_and_words_are_set_alone() {
    let rect = |x: i16| Rect { x: x.into(), width: 4.into(), y: 0.into(), height: 8.into() };
    let mut edited = example("page");
    set_page(&mut edited, Some(vec![rect(0), rect(4)])).unwrap();
    assert_eq!(edited, example("page"));
    set_page(&mut edited, None).unwrap();
    assert_eq!(write(&edited).unwrap().len(), 32 + 128);
    assert_eq!(code(set_page(&mut example("cut-pixels"), None)), "texm.level-missing");
    let mut edited = example("palette");
    set_colour(&mut edited, 2, [1, 2, 3]).unwrap();
    assert_eq!(picture(&edited, 0).rgba[2], [1, 2, 3, 255]);
    set_field(&mut edited, Field::Unknown18, 7);
    assert_eq!(edited.header.unknown_18.get(), 7);
}

#[test]
fn the_plain_form_drops_what_follows_and_says_so() {
    for case in ["rest", "page-end"] {
        let mut edited = example(case);
        assert_eq!(make_canonical(&mut edited).unwrap().findings()[0].code.name, "texm.rest");
        assert_eq!(TEXM.outcome(&write(&edited).unwrap()).findings(), []);
        assert_eq!(make_canonical(&mut edited).unwrap().findings(), []);
    }
    assert_eq!(code(make_canonical(&mut example("cut-page"))), "texm.level-missing");
    assert_eq!(code(make_canonical(&mut example("format"))), "texm.format");
}

#[test]
fn a_tiny_file_that_promises_a_huge_picture_allocates_next_to_nothing() {
    for case in ["huge", "largest", "levels-cut", "page-count"] {
        let file = TEXM.case(case);
        let used = allocation_counter::measure(|| {
            let document = TEXM.document(&file);
            drop(check(&document));
            decode(&document, 0, &DecodeOptions { most_pixels: u64::MAX, ..DecodeOptions::default() }).ok();
        });
        assert!(used.bytes_max < 1 << 16, "{case}: {} bytes", used.bytes_max);
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, ..ProptestConfig::default() })]

    #[test]
    fn any_texture_comes_back_and_stays_whole_under_edits(
        seed in any::<u64>(),
        sides in (0..20_u32, 0..20_u32),
        levels in 0..7_u32,
        format in 0..8_usize,
        cut in 0..3000_usize,
    ) {
        let mut dice = Dice(seed);
        let mut file = random(&mut dice, NUMBERS[format], sides.0.max(1), sides.1.max(1), levels);
        if cut % 3 == 0 {
            file.truncate(32 + cut % (file.len() - 31));
        }
        if cut % 5 == 0 {
            file[4..8].copy_from_slice(&sides.0.to_le_bytes());
        }
        TEXM.obeys(&file, Strictness::Tolerant);
        TEXM.obeys(&file, Strictness::Strict);
        let document = TEXM.document(&file);
        let image = painted(1 + dice.below(9), 1 + dice.below(9), &mut dice);
        let mut edited = document.clone();
        if replace_image(&mut edited, &image, Match::Nearest, &DecodeOptions::default()).is_ok() {
            prop_assert_eq!(&TEXM.round_trip(&write(&edited).unwrap()), &edited);
            prop_assert_eq!(edited.level_size(0), Some([image.width, image.height]));
        }
        let mut edited = document.clone();
        if rebuild_mips(&mut edited, Levels::Full).is_ok() {
            prop_assert_eq!(&TEXM.round_trip(&write(&edited).unwrap()), &edited);
            prop_assert_eq!(edited.level(0), document.level(0));
        }
        let mut edited = document.clone();
        if make_canonical(&mut edited).is_ok() {
            prop_assert_eq!(&TEXM.round_trip(&write(&edited).unwrap()), &edited);
        }
    }
}
