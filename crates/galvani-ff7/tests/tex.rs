//! Textures: cases with their reports, pictures beside a slow reference, laws and damage.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

use galvani_core::{Diagnostic, ReadOptions, Severity, Strictness};
use galvani_ff7::tex::edit::replace_image;
use galvani_ff7::tex::{
    self, Colour, ColourKey, Document, Header, Image, Match, check, decode, is_shaped, read, write,
};
use galvani_testkit::{Dice, Subject, snapshot_beside};
use proptest::prelude::*;
use zerocopy::little_endian::U32;
use zerocopy::{FromZeros, IntoBytes};

const TEX: Subject<Document> = Subject { id: "ff7-tex", read, write, check, codes: check::ALL };

#[test]
fn every_case_has_the_report_beside_it() {
    insta::glob!("../../../testdata/ff7-tex", "*/build.txt", |listing| {
        snapshot_beside!(listing, TEX.report_text(listing));
    });
}

#[test]
fn every_code_is_provoked() {
    let mut document = TEX.document(&TEX.case("plain"));
    document.palette.clear();
    let refused = write(&document).unwrap_err();
    TEX.every_code_is_provoked(&[refused.cause.code.name]);
}

#[test]
fn good_files_have_no_findings() {
    for case in ["plain", "direct"] {
        assert_eq!(TEX.outcome(&TEX.case(case)).findings(), Vec::<Diagnostic>::new());
    }
}

#[test]
fn a_file_cut_anywhere_keeps_what_is_there() {
    TEX.stands_truncation(tex::HEADER_LEN);
}

#[test]
fn a_file_with_any_word_damaged_comes_back_or_is_refused() {
    TEX.stands_word_damage();
}

#[test]
fn the_bytes_read_as_the_value_and_the_value_writes_as_the_bytes() {
    let colour = |bgra| Colour { bgra };
    let palette = [
        [0, 0, 0, 255],
        [0, 0, 255, 255],
        [0, 255, 0, 254],
        [255, 0, 0, 128],
        [0, 0, 0, 0],
        [10, 20, 30, 255],
        [40, 50, 60, 254],
        [70, 80, 90, 1],
    ];
    let value = Document {
        palette: palette.map(colour).to_vec(),
        pixels: vec![0, 1, 2, 3, 3, 2, 1, 0],
        colour_keys: [1, 0].map(|transparent| ColourKey { transparent }).to_vec(),
        ..Document::with_header(Header {
            version: 1.into(),
            colour_key: 1.into(),
            unknown_10: 5.into(),
            min_colour_bits: 4.into(),
            max_colour_bits: 8.into(),
            max_alpha_bits: 8.into(),
            min_pixel_bits: 8.into(),
            max_pixel_bits: 32.into(),
            palettes: 2.into(),
            colours: 4.into(),
            bit_depth: 8.into(),
            width: 4.into(),
            height: 2.into(),
            pitch: 4.into(),
            has_palette: 1.into(),
            index_bits: 8.into(),
            palette_entries: 8.into(),
            colours_again: 4.into(),
            bits_per_pixel: 8.into(),
            bytes_per_pixel: 1.into(),
            has_colour_keys: 1.into(),
            reference_alpha: 0x7f.into(),
            ..Header::new_zeroed()
        })
    };
    let file = TEX.case("plain");
    assert_eq!(TEX.round_trip(&file), value);
    assert_eq!(write(&value).unwrap(), file);
}

#[test]
fn palettes_colour_keys_and_the_reference_alpha_show() {
    let document = TEX.document(&TEX.case("plain"));
    let image = decode::decode(&document, 0).unwrap();
    let row = [[0, 0, 0, 0], [255, 0, 0, 255], [0, 255, 0, 127], [0, 0, 255, 128]];
    assert_eq!((image.width, image.height), (4, 2));
    assert_eq!(image.rgba[..4], row);
    assert_eq!(image.rgba[4..], [row[3], row[2], row[1], row[0]]);
    // The second palette has no colour key of its own.
    let image = decode::decode(&document, 1).unwrap();
    assert_eq!(image.rgba[..4], [[0, 0, 0, 0], [30, 20, 10, 255], [60, 50, 40, 127], [90, 80, 70, 1]]);
    // Without keys the flag counts for every palette.
    let document = TEX.document(&TEX.case("no-colour-keys"));
    assert!(document.is_keyed(0) && document.is_keyed(1));
    let document = TEX.document(&TEX.case("direct"));
    let image = decode::decode(&document, 0).unwrap();
    assert_eq!(image.rgba[..4], [[255, 0, 0, 255], [0, 255, 0, 255], [0, 0, 255, 255], [255; 4]]);
    assert_eq!(image.rgba[5], [131, 129, 131, 255]);
}

/// The picture of one pixel at a time, straight from the bytes of the file and
/// docs/formats/ff7-tex.md#as-a-picture.
fn slowly(file: &[u8], palette: usize) -> Vec<[u8; 4]> {
    let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
    let (width, height, bytes, entries) = (word(0x3c), word(0x40), word(0x68), word(0x58));
    let pixels = 0xec + entries * 4;
    let keys = pixels + width * height * bytes;
    let mut image = Vec::new();
    for y in 0..height {
        for x in 0..width {
            let at = pixels + (y * width + x) * bytes;
            image.push(if word(0x4c) != 0 {
                let index = file[at] as usize;
                let colour = 0xec + (palette * word(0x34) + index) * 4;
                let [blue, green, red, mut alpha] = [0, 1, 2, 3].map(|i| file[colour + i]);
                if alpha == 0xfe {
                    alpha = u8::try_from(word(0xc4).min(255)).unwrap();
                }
                let has_key = word(0xbc) != 0 && keys + palette < file.len();
                let keyed = if has_key { file[keys + palette] != 0 } else { true };
                if index == 0 && word(8) != 0 && keyed {
                    alpha = 0;
                }
                [red, green, blue, alpha]
            } else {
                let value = (0..bytes).map(|i| (file[at + i] as usize) << (8 * i)).sum::<usize>();
                let channel = |i: usize| {
                    let (mask, shift, highest) = (word(0x7c + 4 * i), word(0x8c + 4 * i), word(0xac + 4 * i));
                    (((value & mask) >> shift) * 255)
                        .checked_div(highest)
                        .map_or(0, |shown| u8::try_from(shown).unwrap())
                };
                let alpha = if word(0x7c + 12) == 0 { 255 } else { channel(3) };
                [channel(0), channel(1), channel(2), alpha]
            });
        }
    }
    image
}

/// A texture with palettes, of any size, alpha, keys.
fn paletted(dice: &mut Dice) -> Document {
    let (palettes, colours) = (1 + dice.below(4), 1 + dice.below(256));
    let (width, height) = (1 + dice.below(9), 1 + dice.below(9));
    let mut palette = || -> Vec<Colour> {
        let mut colour = || {
            let alpha = [255, 254, 0, dice.byte()][dice.below(4) as usize];
            // Few colours, so that some are there twice.
            Colour { bgra: [dice.byte() & 0xc0, dice.byte() & 0xc0, dice.byte() & 0xc0, alpha] }
        };
        (0..colours).map(|_| colour()).collect()
    };
    let palettes: Vec<Vec<Colour>> = (0..palettes).map(|_| palette()).collect();
    let indices = (0..width * height).map(|_| u8::try_from(dice.below(colours)).unwrap()).collect();
    let keyed = dice.below(2) == 1;
    let mut document = Document::from_indices(width, height, &palettes, indices, keyed).unwrap();
    document.header.reference_alpha = dice.below(300).into();
    if dice.below(2) == 1 {
        document.header.has_colour_keys = 1.into();
        document.colour_keys =
            palettes.iter().map(|_| ColourKey { transparent: u8::from(dice.below(2) == 1) }).collect();
    }
    document
}

/// Bits, shifts of red, green, blue and alpha in pixels of so many bytes.
const LAYOUTS: [(u32, [u32; 4], [u32; 4]); 6] = [
    (2, [5, 6, 5, 0], [11, 5, 0, 0]),
    (2, [5, 5, 5, 1], [10, 5, 0, 15]),
    (2, [4, 4, 4, 4], [8, 4, 0, 12]),
    (3, [8, 8, 8, 0], [16, 8, 0, 0]),
    (4, [8, 8, 8, 8], [16, 8, 0, 24]),
    (4, [10, 10, 10, 2], [0, 10, 20, 30]),
];

/// A texture without palettes.
fn direct(dice: &mut Dice, (bytes, bits, shifts): (u32, [u32; 4], [u32; 4])) -> Document {
    let (width, height) = (1 + dice.below(9), 1 + dice.below(9));
    let highest = bits.map(|bits| (1_u32 << bits) - 1);
    let masks = [0, 1, 2, 3].map(|i| highest[i] << shifts[i]);
    let words = |words: [u32; 4]| words.map(U32::new);
    let header = Header {
        version: 1.into(),
        bit_depth: (bytes * 8).into(),
        width: width.into(),
        height: height.into(),
        bits_per_pixel: (bytes * 8).into(),
        bytes_per_pixel: bytes.into(),
        channel_bits: words(bits),
        masks: words(masks),
        shifts: words(shifts),
        highest: words(highest),
        ..Header::new_zeroed()
    };
    let pixels = (0..width * height * bytes).map(|_| dice.byte()).collect();
    Document { pixels, ..Document::with_header(header) }
}

/// Every texture that the tests of pictures look at, from one number.
fn textures(seed: u64) -> Vec<Document> {
    let mut dice = Dice(seed);
    let mut all: Vec<Document> = LAYOUTS.map(|layout| direct(&mut dice, layout)).to_vec();
    all.push(paletted(&mut dice));
    all
}

fn palettes(document: &Document) -> usize {
    usize::try_from(document.header.palettes.get()).unwrap().max(1)
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, ..ProptestConfig::default() })]

    #[test]
    fn arbitrary_bytes_come_back_or_are_refused(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        TEX.obeys(&bytes, Strictness::Tolerant);
        TEX.obeys(&bytes, Strictness::Strict);
    }

    #[test]
    fn arbitrary_sizes_come_back(seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let mut header = Header::new_zeroed();
        (header.version, header.palettes, header.colours) = (1.into(), dice.below(4).into(), dice.below(9).into());
        (header.width, header.height) = (dice.below(12).into(), dice.below(12).into());
        (header.has_palette, header.palette_entries) = (dice.below(2).into(), dice.below(30).into());
        (header.bytes_per_pixel, header.has_colour_keys) = (dice.below(7).into(), dice.below(2).into());
        let mut file = header.as_bytes().to_vec();
        file.extend((0..dice.below(900)).map(|_| dice.byte()).collect::<Vec<u8>>());
        prop_assert!(TEX.obeys(&file, Strictness::Tolerant));
        TEX.obeys(&file, Strictness::Strict);
        // Whatever it is, it is decoded or refused.
        let document = TEX.document(&file);
        for palette in 0..4 {
            if let Ok(image) = decode::decode(&document, palette) {
                prop_assert_eq!(image.rgba.len(), (image.width * image.height) as usize);
            }
        }
    }

    #[test]
    fn pictures_are_those_of_a_slow_reader(seed in any::<u64>()) {
        for document in textures(seed) {
            let file = write(&document).unwrap();
            prop_assert!(is_shaped(&file));
            prop_assert_eq!(check(&document).tally(Severity::Error), 0);
            for palette in 0..palettes(&document) {
                prop_assert_eq!(decode::decode(&document, palette).unwrap().rgba, slowly(&file, palette));
            }
            prop_assert!(decode::decode(&document, palettes(&document)).is_err());
        }
    }

    #[test]
    fn a_picture_of_a_texture_gives_the_same_texture(seed in any::<u64>()) {
        for document in textures(seed) {
            for palette in 0..palettes(&document) {
                for how in [Match::Exact, Match::Nearest] {
                    let image = decode::decode(&document, palette).unwrap();
                    let mut again = document.clone();
                    replace_image(&mut again, palette, &image, how).unwrap();
                    prop_assert_eq!(&again, &document);
                }
            }
        }
    }

    #[test]
    fn a_picture_of_the_same_colours_in_another_order_is_shown(seed in any::<u64>()) {
        for document in textures(seed) {
            let mut image = decode::decode(&document, 0).unwrap();
            image.rgba.reverse();
            (image.width, image.height) = (image.height, image.width);
            let mut turned = document.clone();
            replace_image(&mut turned, 0, &image, Match::Exact).unwrap();
            let shown = decode::decode(&turned, 0).unwrap();
            for (shown, wanted) in shown.rgba.iter().zip(&image.rgba) {
                prop_assert!(shown == wanted || (shown[3] == 0 && wanted[3] == 0));
            }
            prop_assert_eq!(shown.rgba.len(), image.rgba.len());
            prop_assert_eq!(check(&turned).tally(Severity::Error), 0);
        }
    }

    #[test]
    fn the_nearest_of_a_channel_is_the_nearest_there_is(seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let layout = LAYOUTS[dice.below(3) as usize];
        let mut document = direct(&mut dice, layout);
        let (width, height) = (document.header.width.get(), document.header.height.get());
        let rgba: Vec<[u8; 4]> =
            (0..width * height).map(|_| [dice.byte(), dice.byte(), dice.byte(), 255]).collect();
        let image = Image { width, height, rgba };
        replace_image(&mut document, 0, &image, Match::Nearest).unwrap();
        let shown = decode::decode(&document, 0).unwrap();
        for (shown, wanted) in shown.rgba.iter().zip(&image.rgba) {
            for i in 0..3 {
                let highest = document.header.highest[i].get();
                let off = |raw: u32| (raw * 255 / highest).abs_diff(wanted[i].into());
                let best = (0..=highest).map(off).min().unwrap();
                prop_assert_eq!(u32::from(shown[i].abs_diff(wanted[i])), best);
            }
        }
    }

    #[test]
    fn a_new_texture_shows_its_picture(seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let (width, height) = (1 + dice.below(20), 1 + dice.below(20));
        let step = [0x40, 0x10, 1][dice.below(3) as usize];
        let rgba: Vec<[u8; 4]> = (0..width * height)
            .map(|_| [dice.byte() / step * step, 7, dice.byte() / 0x80, [255, 0, 254, dice.byte()][dice.below(4) as usize]])
            .collect();
        let image = Image { width, height, rgba };
        let new = Document::direct(&image).unwrap();
        prop_assert_eq!(decode::decode(&new, 0).unwrap(), image.clone());
        prop_assert!(check(&new).findings().is_empty());
        prop_assert!(is_shaped(&write(&new).unwrap()));
        if let Ok(new) = Document::paletted(&image) {
            let shown = decode::decode(&new, 0).unwrap();
            for (shown, wanted) in shown.rgba.iter().zip(&image.rgba) {
                prop_assert!(shown == wanted || (shown[3] == 0 && wanted[3] == 0));
            }
            prop_assert!(check(&new).findings().is_empty(), "{:?}", check(&new));
            prop_assert!(is_shaped(&write(&new).unwrap()));
        }
    }
}

#[test]
fn edits_refuse_what_the_texture_cannot_show_and_count_it() {
    let mut document = TEX.document(&TEX.case("plain"));
    let before = document.clone();
    let mut image = decode::decode(&document, 0).unwrap();
    (image.rgba[1], image.rgba[6]) = ([250, 3, 0, 255], [250, 3, 0, 255]);
    let refused = replace_image(&mut document, 0, &image, Match::Exact).unwrap_err();
    assert_eq!(refused.cause.code, &tex::edit::COLOURS);
    assert_eq!(refused.cause.message, "2 pixels, the first of #fa0300 with alpha 255");
    assert_eq!(document, before);
    replace_image(&mut document, 0, &image, Match::Nearest).unwrap();
    assert_eq!(document.pixels, before.pixels, "red is the nearest");

    let mut codes = vec![refused.cause.code.name];
    let short = Image { width: 3, height: 3, rgba: vec![[0; 4]; 8] };
    codes.push(replace_image(&mut document, 0, &short, Match::Nearest).unwrap_err().cause.code.name);
    codes.push(Document::direct(&short).unwrap_err().cause.code.name);
    let many = Image {
        width: 257,
        height: 1,
        rgba: (0..257_u16).map(|i| [i.to_le_bytes()[0], i.to_le_bytes()[1], 0, 255]).collect(),
    };
    codes.push(Document::paletted(&many).unwrap_err().cause.code.name);
    let mut headless = TEX.document(&TEX.case("cut-palette"));
    codes.push(replace_image(&mut headless, 0, &image, Match::Nearest).unwrap_err().cause.code.name);
    let mut cut = TEX.document(&TEX.case("cut-pixels"));
    codes.push(tex::edit::make_canonical(&mut cut).unwrap_err().cause.code.name);
    codes.sort_unstable();
    codes.dedup();
    let mut all: Vec<&str> = tex::edit::ALL.iter().map(|code| code.name).collect();
    all.sort_unstable();
    assert_eq!(codes, all);

    let decoding = [
        decode::decode(&cut, 0),
        decode::decode(&TEX.document(&TEX.case("pixel-bytes")), 0),
        decode::decode(&before, 2),
    ];
    let codes: Vec<&str> = decoding.into_iter().map(|refused| refused.unwrap_err().code.name).collect();
    assert_eq!(codes, decode::ALL.iter().map(|code| code.name).collect::<Vec<_>>());
    let mut rest = TEX.document(&TEX.case("rest"));
    assert_eq!(tex::edit::make_canonical(&mut rest).unwrap().findings().len(), 1);
    assert_eq!(rest, before);
}

#[test]
fn pixels_that_are_cut_short_are_no_reason_to_refuse_others() {
    let mut document = TEX.document(&TEX.case("cut-pixels"));
    assert!(check(&document).tally(Severity::Error) > 0);
    let (width, height) = (document.header.width.get(), document.header.height.get());
    let rgba = vec![[255, 0, 0, 255]; usize::try_from(width * height).unwrap()];
    replace_image(&mut document, 0, &Image { width, height, rgba }, Match::Nearest).unwrap();
    assert_eq!(check(&document).tally(Severity::Error), 0, "{:?}", check(&document));
    assert_eq!(read(&write(&document).unwrap(), &ReadOptions::default()).unwrap().document, document);
}

#[test]
fn a_picture_of_another_size_takes_the_pitch_along() {
    let mut document = TEX.document(&TEX.case("plain"));
    let image = Image { width: 3, height: 1, rgba: vec![[255, 0, 0, 255], [9, 9, 9, 0], [0, 0, 255, 128]] };
    replace_image(&mut document, 0, &image, Match::Exact).unwrap();
    assert_eq!(document.pixels, [1, 0, 3]);
    let header = &document.header;
    assert_eq!((header.width.get(), header.height.get(), header.pitch.get()), (3, 1, 3));
    assert!(check(&document).findings().is_empty());
}

#[test]
fn only_sizes_that_add_up_are_a_shape() {
    let shaped: Vec<String> =
        TEX.cases().into_iter().filter(|(_, file)| is_shaped(file)).map(|(name, _)| name).collect();
    for case in ["truncated", "version", "cut-palette", "cut-pixels", "cut-huge", "cut-keys", "rest", "empty"]
    {
        assert!(!shaped.iter().any(|name| name == case), "{case}");
    }
    for case in ["plain", "direct", "no-colour-keys", "index", "masks"] {
        assert!(shaped.iter().any(|name| name == case), "{case}: {shaped:?}");
    }
    let file = TEX.case("plain");
    assert!(!is_shaped(&file[..file.len() - 1]) && !is_shaped(&[&file[..], &[0]].concat()));
}
