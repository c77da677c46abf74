//! Block compression beside decoders that take one bit at a time, and how good the encoders are.
#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::needless_for_each,
    reason = "a helper that fails is a failed test, and references are written plainly"
)]

#[path = "common/blocks.rs"]
mod blocks;
mod common;
#[path = "common/pictures.rs"]
mod pictures;

use common::Dice;
use galvani_core::Image;
use galvani_core::image::difference;
use galvani_texture::bc::{Coding, decode, encode};
use pictures::{opaque, painted};
use proptest::prelude::*;

const CODINGS: [Coding; 9] = [
    Coding::Bc1 { cutout: true },
    Coding::Bc1 { cutout: false },
    Coding::Bc2,
    Coding::Bc3,
    Coding::Bc4 { signed: false },
    Coding::Bc4 { signed: true },
    Coding::Bc5 { signed: false },
    Coding::Bc5 { signed: true },
    Coding::Bc7,
];

fn slowly(coding: Coding, block: &[u8]) -> Vec<[u8; 4]> {
    match coding {
        Coding::Bc1 { cutout } => blocks::bc1(block, cutout),
        Coding::Bc2 => blocks::bc2(block),
        Coding::Bc3 => blocks::bc3(block),
        Coding::Bc4 { signed } => blocks::bc4(block, signed),
        Coding::Bc5 { signed } => blocks::bc5(block, signed),
        Coding::Bc7 => blocks::bc7(block),
    }
}

#[test]
fn every_mode_and_partition_of_bc7_is_as_the_specification_says() {
    let mut dice = Dice(3);
    for mode in 0..8 {
        for partition in 0..64_u32 {
            for _ in 0..16 {
                let mut block: Vec<u8> = (0..16).map(|_| dice.byte()).collect();
                let head = ((partition << (mode + 1)) | (1 << mode)) as u16;
                let kept = ((1_u16 << (mode + 1)) - 1) | (63 << (mode + 1));
                let word = (u16::from_le_bytes([block[0], block[1]]) & !kept) | (head & kept);
                block[..2].copy_from_slice(&word.to_le_bytes());
                assert_eq!(
                    decode(Coding::Bc7, 4, 4, &block).unwrap().rgba,
                    blocks::bc7(&block),
                    "mode {mode}: {block:?}"
                );
            }
        }
    }
    assert_eq!(decode(Coding::Bc7, 4, 4, &[0; 16]).unwrap().rgba, vec![[0; 4]; 16], "no mode shows nothing");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, ..ProptestConfig::default() })]

    #[test]
    fn blocks_are_those_of_a_slow_decoder(block in prop::collection::vec(any::<u8>(), 16)) {
        for coding in CODINGS {
            let block = &block[..coding.block_len()];
            prop_assert_eq!(decode(coding, 4, 4, block).unwrap().rgba, slowly(coding, block), "{:?}", coding);
        }
    }

    #[test]
    fn blocks_stand_in_their_places_and_edges_are_cut(seed in any::<u64>(), width in 1..14_u32, height in 1..14_u32) {
        let mut dice = Dice(seed);
        for coding in CODINGS {
            let len = coding.len(width, height) as usize;
            let data: Vec<u8> = (0..len).map(|_| dice.byte()).collect();
            let image = decode(coding, width, height, &data).unwrap();
            prop_assert_eq!((image.width, image.height), (width, height));
            let across = width.div_ceil(4);
            for y in 0..height {
                for x in 0..width {
                    let block = (y / 4 * across + x / 4) as usize * coding.block_len();
                    let wanted = slowly(coding, &data[block..])[(y % 4 * 4 + x % 4) as usize];
                    prop_assert_eq!(image.rgba[(y * width + x) as usize], wanted);
                }
            }
        }
    }

    #[test]
    fn a_picture_of_any_size_is_encoded_to_as_many_blocks_as_it_needs(width in 1..11_u32, height in 1..11_u32) {
        let image = painted(width, height);
        for coding in CODINGS {
            let blocks = encode(coding, &image).unwrap();
            prop_assert_eq!(blocks.len() as u64, coding.len(width, height));
        }
    }
}

#[test]
fn missing_blocks_show_nothing_and_are_no_reason_to_stop() {
    let image = decode(Coding::Bc3, 8, 8, &[0xff; 16]).unwrap();
    assert_eq!(image.rgba.len(), 64);
    assert_eq!(image.rgba[63], [0; 4]);
    assert_eq!(
        encode(Coding::Bc1 { cutout: true }, &Image { width: 4, height: 4, rgba: vec![[0; 4]; 3] }),
        None
    );
}

#[test]
fn a_picture_of_one_long_row_is_shown_like_any_other() {
    let block = [0x40, 0xff, 0x80, 0xff, 0x80, 0xff, 0x80, 0xff, 0x80, 0, 0, 0, 0, 0, 0, 0];
    let width = 9 << 20;
    let image = decode(Coding::Bc7, width, 1, &block.repeat(width as usize / 4)).unwrap();
    let wanted = &blocks::bc7(&block)[..4];
    assert_ne!(wanted[0], [0; 4]);
    assert!(image.rgba.chunks(4).all(|pixels| pixels == wanted));
}

/// The least decibels of each encoder over a picture of 256 × 256, a little below what it reaches.
#[test]
fn encoders_keep_their_quality() {
    let (painted, opaque) = (painted(256, 256), opaque(256, 256));
    let reached = |coding, image: &Image| {
        let blocks = encode(coding, image).unwrap();
        difference(image, &decode(coding, 256, 256, &blocks).unwrap()).unwrap().psnr
    };
    let found = [
        (reached(Coding::Bc1 { cutout: true }, &opaque), 36.5),
        (reached(Coding::Bc2, &painted), 35.0),
        (reached(Coding::Bc3, &painted), 36.5),
        (reached(Coding::Bc7, &painted), 39.4),
        (reached(Coding::Bc7, &opaque), 42.3),
    ];
    assert!(found.iter().all(|(reached, least)| reached >= least), "{found:.2?}");
}

/// The crate that encodes, left to its defaults, is not better than we ask it to be.
#[test]
fn encoders_are_at_least_as_good_as_the_defaults_of_their_crate() {
    let image = painted(64, 64);
    for (coding, format) in [
        (Coding::Bc1 { cutout: true }, dds::Format::BC1_UNORM),
        (Coding::Bc3, dds::Format::BC3_UNORM),
        (Coding::Bc7, dds::Format::BC7_UNORM),
    ] {
        let size = dds::Size::new(64, 64);
        let view = dds::ImageView::new(image.rgba.as_flattened(), size, dds::ColorFormat::RGBA_U8).unwrap();
        let mut theirs = Vec::new();
        dds::encode(&mut theirs, view, format, None, &dds::EncodeOptions::default()).unwrap();
        let psnr = |blocks: &[u8]| difference(&image, &decode(coding, 64, 64, blocks).unwrap()).unwrap().psnr;
        let (ours, theirs) = (psnr(&encode(coding, &image).unwrap()), psnr(&theirs));
        assert!(ours >= theirs, "{coding:?}: {ours:.2} dB, {theirs:.2} dB");
    }
}

#[test]
fn grey_and_two_channels_are_encoded_from_the_channels_that_show_them() {
    let painted = painted(32, 32);
    let grey: Vec<[u8; 4]> = painted.rgba.iter().map(|&[red, ..]| [red, red, red, 255]).collect();
    let two: Vec<[u8; 4]> = painted.rgba.iter().map(|&[red, green, ..]| [red, green, 0, 255]).collect();
    for signed in [false, true] {
        for (coding, rgba) in [(Coding::Bc4 { signed }, &grey), (Coding::Bc5 { signed }, &two)] {
            let image = Image { width: 32, height: 32, rgba: rgba.clone() };
            let shown = decode(coding, 32, 32, &encode(coding, &image).unwrap()).unwrap();
            let found = difference(&image, &shown).unwrap();
            assert!(found.psnr > 38.0, "{coding:?}: {found:?}");
        }
    }
}
