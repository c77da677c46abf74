//! DDS: cases with their reports, pictures beside a slow reader, laws, damage and edits.
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
use galvani_core::{Diagnostic, EditError, Image, Strictness};
use galvani_testkit::{truncations, word_damage};
use galvani_texture::dds::edit::{make_canonical, rebuild_mips, replace_image, set_mip};
use galvani_texture::dds::{
    self, Document, Format, ImageIndex, Options, PixelFormat, check, decode, is_shaped, read, write,
};
use galvani_texture::mips::{Mips, chain, level_size};
use pictures::{opaque, painted};
use proptest::prelude::*;

const DDS: Subject<Document> = Subject { id: "dds", read, write, check, codes: check::ALL };

#[test]
fn every_case_has_the_report_beside_it() {
    insta::glob!("../../../testdata/dds", "*/build.txt", |listing| DDS.snapshot(listing));
}

#[test]
fn every_code_is_provoked() {
    let mut document = DDS.document(&DDS.case("bc7"));
    document.dx10 = None;
    let refused = write(&document).unwrap_err();
    DDS.every_code_is_provoked(&[refused.cause.code.name]);
}

#[test]
fn good_files_have_no_findings() {
    for case in
        ["plain", "bc7", "arrays", "cube", "volume", "rgb565", "argb1555", "grey", "grey-alpha", "rgb10"]
    {
        assert_eq!(DDS.outcome(&DDS.case(case)).findings(), Vec::<Diagnostic>::new(), "{case}");
    }
}

#[test]
fn a_file_cut_anywhere_keeps_what_is_there() {
    for (name, file) in DDS.cases() {
        for cut in truncations(&file) {
            let header = if cut.get(84..88) == Some(b"DX10") { 148 } else { 128 };
            let tolerant = DDS.obeys(cut, Strictness::Tolerant);
            assert_eq!(
                tolerant,
                cut.len() >= header && cut.starts_with(b"DDS "),
                "{name} cut at {}",
                cut.len()
            );
            assert!(tolerant || !DDS.obeys(cut, Strictness::Strict), "strictness read more");
        }
    }
}

#[test]
fn a_file_with_any_word_damaged_comes_back_or_is_refused() {
    for (_, file) in DDS.cases() {
        word_damage(&file, |_, damaged| {
            let tolerant = DDS.obeys(damaged, Strictness::Tolerant);
            assert!(tolerant || !DDS.obeys(damaged, Strictness::Strict), "strictness read more");
            pictures_or_reasons(damaged);
        });
    }
}

/// Every picture is shown in full or refused under the format's name.
fn pictures_or_reasons(file: &[u8]) {
    let Ok(found) = read(file, &common::strictly(Strictness::Tolerant)) else { return };
    for (layer, level, slice) in
        [(0, 0, 0), (0, 1, 0), (1, 0, 0), (2, 3, 0), (0, 0, 1), (u64::MAX, usize::MAX, u32::MAX)]
    {
        match decode(&found.document, ImageIndex { layer, level, slice }, 1 << 16) {
            Ok(image) => {
                assert_eq!(image.rgba.len() as u64, u64::from(image.width) * u64::from(image.height));
            }
            Err(refused) => assert!(refused.code.name.starts_with("dds.decode-"), "{refused}"),
        }
    }
}

/// A picture of one pixel at a time, straight from the bytes of a file without a second header or volume.
fn slowly(file: &[u8], layer: usize, level: usize) -> Vec<[u8; 4]> {
    let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap());
    let four_cc = &file[84..88];
    let second = if four_cc == b"DX10" { 20 } else { 0 };
    let name: &[u8] = if second > 0 { b"BC7" } else { four_cc };
    let block_len = match name {
        b"DXT1" | b"BC4U" | b"BC4S" => 8,
        _ => 16,
    };
    let is_blocks = word(80) & 4 != 0;
    let stride = word(88) as usize / 8;
    let side = |at: usize, level: usize| (word(at) as usize >> level).max(1);
    let len = |level: usize| {
        let (width, height) = (side(16, level), side(12, level));
        if is_blocks { width.div_ceil(4) * height.div_ceil(4) * block_len } else { width * height * stride }
    };
    let levels = word(28).max(1) as usize;
    let layer_len: usize = (0..levels).map(len).sum();
    let start = 128 + second + layer * layer_len + (0..level).map(len).sum::<usize>();
    let (width, height) = (side(16, level), side(12, level));
    let mut image = Vec::new();
    for y in 0..height {
        for x in 0..width {
            if is_blocks {
                let block = &file[start + (y / 4 * width.div_ceil(4) + x / 4) * block_len..];
                let pixels = match name {
                    b"DXT1" => blocks::bc1(block, true),
                    b"DXT3" => blocks::bc2(block),
                    b"DXT5" => blocks::bc3(block),
                    b"BC4U" => blocks::bc4(block, false),
                    b"BC5S" => blocks::bc5(block, true),
                    _ => blocks::bc7(block),
                };
                image.push(pixels[y % 4 * 4 + x % 4]);
                continue;
            }
            let at = start + (y * width + x) * stride;
            let value: u64 = (0..stride).map(|i| u64::from(file[at + i]) << (8 * i)).sum();
            let channel = |mask: u32| {
                let mask = u64::from(mask);
                let lowest = mask & mask.wrapping_neg();
                ((value & mask) / lowest.max(1) * 255).checked_div(mask / lowest.max(1)).unwrap_or(0) as u8
            };
            let (flags, masks) = (word(80), [92, 96, 100, 104].map(word));
            let alpha = if flags & 3 != 0 { channel(masks[3]) } else { 255 };
            image.push(if flags & 0x20000 != 0 {
                [channel(masks[0]), channel(masks[0]), channel(masks[0]), alpha]
            } else if flags & 0x40 != 0 {
                [channel(masks[0]), channel(masks[1]), channel(masks[2]), alpha]
            } else {
                [0, 0, 0, alpha]
            });
        }
    }
    image
}

#[test]
fn pictures_of_the_cases_are_those_of_a_slow_reader() {
    for (case, layers, levels) in [
        ("plain", 1, 4),
        ("bc7", 1, 1),
        ("cube", 6, 1),
        ("rgb565", 1, 1),
        ("argb1555", 1, 1),
        ("grey", 1, 1),
        ("grey-alpha", 1, 1),
        ("alpha", 1, 1),
        ("rgb10", 1, 1),
        ("rest", 1, 4),
        ("no-mip-count", 1, 1),
    ] {
        let file = DDS.case(case);
        let document = DDS.document(&file);
        let shape = document.shape().unwrap();
        assert_eq!((shape.layers as usize, shape.levels), (layers, levels), "{case}");
        for (layer, level) in (0..layers).flat_map(|layer| (0..levels).map(move |level| (layer, level))) {
            let shown =
                decode(&document, ImageIndex { layer: layer as u64, level, slice: 0 }, MOST_PIXELS).unwrap();
            assert_eq!(shown.rgba, slowly(&file, layer, level), "{case}, layer {layer}, level {level}");
        }
    }
}

#[test]
fn slices_of_a_volume_are_shown_one_by_one() {
    let document = DDS.document(&DDS.case("volume"));
    let shown = |level, slice| {
        decode(&document, ImageIndex { layer: 0, level, slice }, MOST_PIXELS).map(|image| image.rgba[0])
    };
    assert_eq!(shown(0, 3).unwrap(), [0x30, 0x20, 0x10, 255]);
    assert_eq!(shown(1, 1).unwrap(), [0x66, 0x55, 0x44, 255]);
    assert_eq!(shown(2, 0).unwrap(), [0x99, 0x88, 0x77, 255]);
    assert!(shown(0, 4).is_err() && shown(2, 1).is_err());
}

#[test]
fn decoding_says_why_it_cannot() {
    let of = |case: &str| DDS.document(&DDS.case(case));
    let first = ImageIndex::default();
    let codes = [
        decode(&of("bc6h"), first, MOST_PIXELS),
        decode(&of("plain"), ImageIndex { level: 4, ..first }, MOST_PIXELS),
        decode(&of("cut"), first, MOST_PIXELS),
        decode(&of("plain"), first, 31),
    ];
    let codes: Vec<&str> = codes.into_iter().map(|refused| refused.unwrap_err().code.name).collect();
    assert_eq!(codes, dds::DECODE_CODES.iter().map(|code| code.name).collect::<Vec<_>>());
    for case in ["format", "format-none", "empty", "pixels", "dx10-format"] {
        assert!(decode(&of(case), first, MOST_PIXELS).is_err(), "{case}");
    }
    assert!(is_shaped(&DDS.case("plain")) && !is_shaped(&DDS.case("magic")));
}

#[test]
fn memory_follows_the_input_whatever_the_header_says() {
    for case in ["pixels", "array-huge", "cut"] {
        let file = DDS.case(case);
        let used = allocation_counter::measure(|| {
            let document = DDS.document(&file);
            drop(check(&document));
            drop(decode(&document, ImageIndex::default(), MOST_PIXELS));
        });
        assert!(used.bytes_max < 1 << 20, "{case}: {} bytes", used.bytes_max);
    }
}

const NEW: [PixelFormat; 4] = [PixelFormat::BC1, PixelFormat::BC3, PixelFormat::BC7, PixelFormat::PLAIN];

fn named(four_cc: [u8; 4]) -> PixelFormat {
    PixelFormat { four_cc, ..PixelFormat::BC1 }
}

#[test]
fn a_new_file_of_every_kind_is_good_and_like_itself() {
    let image = painted(16, 8);
    for pixels in NEW.into_iter().chain([named(*b"DXT3"), named(*b"BC4U"), named(*b"BC5S")]) {
        for mips in [Mips::Full, Mips::One] {
            let options = Options { pixels, mips };
            let document = Document::new(&image, &options).unwrap();
            let file = write(&document).unwrap();
            assert_eq!(DDS.round_trip(&file), document);
            assert_eq!(check(&document).findings(), Vec::<Diagnostic>::new(), "{options:?}");
            assert_eq!(Options::like(&document), options);
            assert_eq!(document.shape().unwrap().levels, if mips == Mips::Full { 5 } else { 1 });
            for level in 0..document.shape().unwrap().levels {
                let shown =
                    decode(&document, ImageIndex { level, ..ImageIndex::default() }, MOST_PIXELS).unwrap();
                assert_eq!(shown.rgba, slowly(&file, 0, level), "{options:?}");
            }
            let mut again = document.clone();
            replace_image(&mut again, 0, &decode(&document, ImageIndex::default(), 1 << 20).unwrap(), None)
                .unwrap();
            assert_eq!(again, document, "a picture that is shown already changes nothing");
        }
    }
    let plain = Document::new(&image, &Options { pixels: PixelFormat::PLAIN, mips: Mips::One }).unwrap();
    assert_eq!(decode(&plain, ImageIndex::default(), MOST_PIXELS).unwrap(), image);
}

#[test]
fn a_picture_of_another_size_takes_the_header_along() {
    for pixels in NEW {
        let mut document = Document::new(&painted(16, 8), &Options { pixels, mips: Mips::Full }).unwrap();
        document.data.extend(b"tail");
        let image = opaque(5, 3);
        replace_image(&mut document, 0, &image, None).unwrap();
        assert_eq!(document.rest(), b"tail");
        let shape = document.shape().unwrap();
        assert_eq!((shape.width, shape.height, shape.levels), (5, 3, 3));
        let shown = decode(&document, ImageIndex::default(), MOST_PIXELS).unwrap();
        assert!(difference(&image, &shown).unwrap().psnr > 25.0);
        replace_image(&mut document, 0, &image, Some(Mips::One)).unwrap();
        assert_eq!(document.shape().unwrap().levels, 1);
        DDS.round_trip(&write(&document).unwrap());
    }
}

#[test]
fn one_level_of_one_layer_is_replaced_and_nothing_else() {
    let mut document = DDS.document(&DDS.case("cube"));
    let before = document.clone();
    set_mip(&mut document, 4, 0, &Image { width: 1, height: 1, rgba: vec![[9, 8, 7, 6]] }).unwrap();
    assert_eq!(document.data[16..20], [7, 8, 9, 6]);
    assert_eq!((&document.data[..16], &document.data[20..]), (&before.data[..16], &before.data[20..]));
    replace_image(&mut document, 5, &Image { width: 1, height: 1, rgba: vec![[1, 1, 1, 1]] }, None).unwrap();
    assert_eq!(document.data[20..], [1; 4]);
    assert_eq!(document.header, before.header);
}

#[test]
fn smaller_levels_are_made_anew_from_the_largest() {
    for pixels in NEW {
        let one = Document::new(&painted(16, 8), &Options { pixels, mips: Mips::One }).unwrap();
        let mut edited = one.clone();
        rebuild_mips(&mut edited).unwrap();
        DDS.round_trip(&write(&edited).unwrap());
        assert_eq!(edited.level(0, 0), one.level(0, 0));
        assert_eq!(check(&edited).findings(), Vec::<Diagnostic>::new());
        let largest = decode(&one, ImageIndex::default(), MOST_PIXELS).unwrap();
        for (level, wanted) in chain(largest, 16).iter().enumerate() {
            let shown = decode(&edited, ImageIndex { level, ..ImageIndex::default() }, MOST_PIXELS).unwrap();
            assert_eq!((shown.width, shown.height), level_size(16, 8, level));
            assert!(pixels != PixelFormat::PLAIN || shown == *wanted);
        }
    }
    let mut cube = DDS.document(&DDS.case("cube"));
    let before = cube.clone();
    rebuild_mips(&mut cube).unwrap();
    assert_eq!(cube.data, before.data);
}

#[test]
fn the_canonical_form_has_the_same_pictures_and_nothing_else() {
    let plain = DDS.case("plain");
    for (case, costs) in [("plain", 0), ("rest", 1), ("header-size", 1), ("pitch", 1), ("flags", 1)] {
        let mut document = DDS.document(&DDS.case(case));
        assert_eq!(make_canonical(&mut document).unwrap().findings().len(), costs, "{case}");
        let written = write(&document).unwrap();
        if case != "flags" {
            assert_eq!(written, plain, "{case}");
        }
        assert_eq!(check(&document).findings(), Vec::<Diagnostic>::new(), "{case}");
    }
    for case in ["cut", "format", "empty"] {
        let mut document = DDS.document(&DDS.case(case));
        assert!(make_canonical(&mut document).is_err(), "{case}");
        assert_eq!(write(&document).unwrap(), DDS.case(case));
    }
}

#[test]
fn edits_that_cannot_be_made_say_why_and_change_nothing() {
    let of = |case: &str| DDS.document(&DDS.case(case));
    let one = Image { width: 1, height: 1, rgba: vec![[1, 2, 3, 4]] };
    let short = Image { width: 8, height: 4, rgba: vec![[0; 4]; 7] };
    let mut codes = BTreeSet::new();
    let mut refuse = |case: &str, edit: &dyn Fn(&mut Document) -> Result<(), EditError>| {
        let mut document = of(case);
        codes.insert(edit(&mut document).unwrap_err().cause.code.name);
        assert_eq!(document, of(case), "{case}");
    };
    refuse("bc6h", &|document| replace_image(document, 0, &one, None));
    refuse("volume", &|document| rebuild_mips(document));
    refuse("plain", &|document| replace_image(document, 0, &short, None));
    refuse("plain", &|document| set_mip(document, 0, 0, &short));
    refuse("plain", &|document| set_mip(document, 0, 0, &one));
    refuse("plain", &|document| replace_image(document, 1, &one, None));
    refuse("cube", &|document| replace_image(document, 0, &short, None));
    refuse("cut", &|document| set_mip(document, 0, 1, &painted(8, 8)));
    refuse("cut", &|document| rebuild_mips(document));
    refuse("cube", &|document| replace_image(document, 0, &opaque(2, 2), None));
    assert_eq!(codes, dds::edit::ALL.iter().map(|code| code.name).collect());
}

#[test]
fn formats_have_names() {
    let name = |case: &str| DDS.document(&DDS.case(case)).shape().map(|shape| shape.format.name());
    assert_eq!(name("plain").as_deref(), Some("BC1"));
    assert_eq!(name("bc6h").as_deref(), Some("BC6H"));
    assert_eq!(name("rgb565").as_deref(), Some("16 bits"));
    assert_eq!(named(*b"BC5S").format().map(Format::name).as_deref(), Some("BC5 signed"));
}

/// Headers from a seed: every name, number, size, count and flag that leads somewhere.
fn anything(dice: &mut Dice) -> Vec<u8> {
    let names: [&[u8; 4]; 8] = [b"DXT1", b"DXT3", b"DXT5", b"ATI1", b"BC5S", b"DX10", b"DX10", b"ABCD"];
    let mut words = [0_u32; 32];
    words[0] = u32::from_le_bytes(*b"DDS ");
    (words[1], words[2], words[3], words[4]) = (124, 0x1007, dice.below(12), dice.below(12));
    (words[6], words[7], words[19]) = (dice.below(5), dice.below(7), 32);
    let flags = [4, 4, 4, 0x40, 0x41, 0x2_0001, 2, 0];
    (words[20], words[22]) = (flags[dice.below(8) as usize], [8, 16, 24, 32, 7][dice.below(5) as usize]);
    words[21] = u32::from_le_bytes(*names[dice.below(8) as usize]);
    for mask in &mut words[23..27] {
        let bits = dice.below(10);
        *mask = ((1_u32 << bits) - 1) << dice.below(24);
    }
    words[28] = [0, 0x200, 0xfe00, 0x20_0000][dice.below(4) as usize];
    let mut file: Vec<u8> = words.iter().flat_map(|word| word.to_le_bytes()).collect();
    if words[20] & 4 != 0 && words[21] == u32::from_le_bytes(*b"DX10") {
        for word in [dice.below(118), dice.below(6), dice.below(8), dice.below(4), 0] {
            file.extend(word.to_le_bytes());
        }
    }
    let len = dice.below(2500);
    file.extend((0..len).map(|_| dice.byte()));
    file
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1000, ..ProptestConfig::default() })]

    #[test]
    fn headers_of_anything_come_back_and_edits_of_them_are_files(seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let file = anything(&mut dice);
        DDS.obeys(&file, Strictness::Tolerant);
        DDS.obeys(&file, Strictness::Strict);
        pictures_or_reasons(&file);
        let Ok(found) = read(&file, &common::strictly(Strictness::Tolerant)) else { return Ok(()) };
        let mut document = found.document;
        let before = document.clone();
        let (layer, level) = (u64::from(dice.below(3)), dice.below(3) as usize);
        let (width, height) = (before.header.width.get().max(1), before.header.height.get().max(1));
        let (width, height) = level_size(width, height, level);
        let image = painted(width, height);
        let made = match dice.below(4) {
            0 => replace_image(&mut document, layer, &image, None),
            1 => set_mip(&mut document, layer, level, &image),
            2 => rebuild_mips(&mut document),
            _ => make_canonical(&mut document).map(drop),
        };
        if let Err(refused) = made {
            prop_assert!(refused.cause.code.name.starts_with("dds."));
            prop_assert_eq!(&document, &before);
        }
        DDS.round_trip(&write(&document).unwrap());
    }

    #[test]
    fn pictures_that_are_not_changed_keep_every_byte(seed in any::<u64>()) {
        let mut dice = Dice(seed);
        let file = anything(&mut dice);
        let Ok(found) = read(&file, &common::strictly(Strictness::Tolerant)) else { return Ok(()) };
        let mut edited = found.document.clone();
        for (layer, level) in [(0, 0), (0, 1), (1, 0)] {
            if let Ok(shown) = decode(&found.document, ImageIndex { layer, level, slice: 0 }, MOST_PIXELS)
                && !found.document.is_volume()
            {
                set_mip(&mut edited, layer, level, &shown).unwrap();
            }
        }
        prop_assert_eq!(edited, found.document);
    }
}
