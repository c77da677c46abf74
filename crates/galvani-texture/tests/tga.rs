//! TGA: every type beside the `image` crate, runs, corners, damage and refusals.
#![allow(
    clippy::unwrap_used,
    clippy::cast_possible_truncation,
    reason = "a helper that fails is a failed test, and references are written plainly"
)]

mod common;

use std::collections::BTreeSet;

use common::Dice;
use galvani_core::Image;
use galvani_core::image::MOST_PIXELS;
use galvani_testkit::{truncations, word_damage};
use galvani_texture::tga::{self, decode, is_shaped};
use proptest::prelude::*;

/// What a file is made of.
#[derive(Debug, Clone, Copy)]
struct Plan {
    kind: u8,
    bits: u8,
    descriptor: u8,
    size: (u16, u16),
    map: Option<(u16, u16, u8)>,
}

const PLANS: [Plan; 9] = [
    Plan { kind: 2, bits: 32, descriptor: 0x08, size: (5, 3), map: None },
    Plan { kind: 2, bits: 32, descriptor: 0x28, size: (5, 3), map: None },
    Plan { kind: 2, bits: 24, descriptor: 0x20, size: (4, 4), map: None },
    Plan { kind: 10, bits: 32, descriptor: 0x28, size: (9, 7), map: None },
    Plan { kind: 10, bits: 24, descriptor: 0x00, size: (9, 7), map: None },
    Plan { kind: 3, bits: 8, descriptor: 0x20, size: (6, 2), map: None },
    Plan { kind: 11, bits: 8, descriptor: 0x20, size: (6, 2), map: None },
    Plan { kind: 1, bits: 8, descriptor: 0x20, size: (6, 2), map: Some((0, 20, 24)) },
    Plan { kind: 9, bits: 8, descriptor: 0x00, size: (6, 4), map: Some((0, 20, 24)) },
];

/// A file by its plan: an id of some bytes, colours and pixels by dice, a footer.
fn file(plan: Plan, dice: &mut Dice) -> Vec<u8> {
    let Plan { kind, bits, descriptor, size, map } = plan;
    let (first, count, map_bits) = map.unwrap_or_default();
    let mut file = vec![13, u8::from(map.is_some()), kind];
    file.extend([first.to_le_bytes(), count.to_le_bytes()].concat());
    file.push(map_bits);
    file.extend([0; 4]);
    file.extend([size.0.to_le_bytes(), size.1.to_le_bytes()].concat());
    file.extend([bits, descriptor]);
    file.extend([b'i'; 13]);
    file.extend(
        (0..usize::from(count) * usize::from(map_bits / 8)).map(|_| dice.byte()).collect::<Vec<u8>>(),
    );
    let mut pixel = || -> Vec<u8> {
        if map.is_some() {
            return vec![u8::try_from(u32::from(first) + dice.below(count.into())).unwrap()];
        }
        (0..bits.div_ceil(8)).map(|_| dice.byte()).collect()
    };
    let mut left = u32::from(size.0) * u32::from(size.1);
    let mut lengths = Dice(99);
    while left > 0 {
        if kind < 8 {
            file.extend(pixel());
            left -= 1;
            continue;
        }
        let run = 1 + lengths.below(left.min(7));
        if lengths.below(2) == 0 {
            file.push(0x80 | u8::try_from(run - 1).unwrap());
            file.extend(pixel());
        } else {
            file.push(u8::try_from(run - 1).unwrap());
            (0..run).for_each(|_| file.extend(pixel()));
        }
        left -= run;
    }
    file.extend(b"\0\0\0\0\0\0\0\0TRUEVISION-XFILE.\0");
    file
}

#[test]
fn pictures_are_those_of_another_reader() {
    for (seed, plan) in (1..).zip(PLANS) {
        let file = file(plan, &mut Dice(seed));
        let theirs = image::load_from_memory_with_format(&file, image::ImageFormat::Tga).unwrap().to_rgba8();
        let ours = decode(&file, MOST_PIXELS).unwrap();
        assert_eq!((ours.width, ours.height), theirs.dimensions(), "{plan:?}");
        assert_eq!(ours.rgba.as_flattened(), theirs.as_raw().as_slice(), "{plan:?}");
        assert!(is_shaped(&file));
    }
}

#[test]
fn a_file_by_hand_is_the_picture_it_says() {
    let head = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 2, 0, 32, 0x08];
    let file = [&head[..], &[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16]].concat();
    let wanted = vec![[11, 10, 9, 12], [15, 14, 13, 16], [3, 2, 1, 4], [7, 6, 5, 8]];
    assert_eq!(decode(&file, 4).unwrap(), Image { width: 2, height: 2, rgba: wanted.clone() });
    // From the right and the top.
    let mut turned = file.clone();
    turned[17] = 0x38;
    assert_eq!(decode(&turned, 4).unwrap().rgba, [wanted[3], wanted[2], wanted[1], wanted[0]]);
    // A descriptor that says nothing of alpha: it is there, unless it is 0 everywhere.
    let mut silent = file;
    silent[17] = 0;
    assert_eq!(decode(&silent, 4).unwrap().rgba, wanted);
    (0..4).for_each(|i| silent[18 + 4 * i + 3] = 0);
    assert!(decode(&silent, 4).unwrap().rgba.iter().all(|&[.., alpha]| alpha == 255));
}

#[test]
fn five_bits_are_spread_and_their_alpha_counts_if_it_is_said() {
    let mut file = vec![0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 1, 0, 16, 0x21];
    file.extend([0x00, 0x80, 0xff, 0x7f, 0x10, 0x82]);
    assert_eq!(decode(&file, 9).unwrap().rgba, [[0, 0, 0, 255], [255, 255, 255, 0], [0, 132, 132, 255]]);
    file[17] = 0x20;
    assert!(decode(&file, 9).unwrap().rgba.iter().all(|&[.., alpha]| alpha == 255));
}

#[test]
fn a_map_that_does_not_begin_at_0_counts_from_there() {
    let mut file = vec![0, 1, 1, 5, 0, 2, 0, 32, 0, 0, 0, 0, 2, 0, 1, 0, 8, 0x20];
    file.extend([1, 2, 3, 4, 5, 6, 7, 8, 6, 5]);
    assert_eq!(decode(&file, 9).unwrap().rgba, [[7, 6, 5, 8], [3, 2, 1, 4]]);
}

#[test]
fn every_refusal_has_its_code() {
    let good = file(PLANS[3], &mut Dice(1));
    let mapped = file(PLANS[7], &mut Dice(1));
    let with = |file: &[u8], at: usize, byte: u8| {
        let mut file = file.to_vec();
        file[at] = byte;
        file
    };
    let refused = [
        decode(&good[..40], MOST_PIXELS),
        decode(&with(&good, 2, 32), MOST_PIXELS),
        decode(&with(&good, 16, 12), MOST_PIXELS),
        decode(&good, 62),
        decode(&with(&mapped, 5, 1), MOST_PIXELS),
        decode(&with(&with(&good, 12, 1), 14, 1), MOST_PIXELS),
    ];
    let codes: BTreeSet<&str> =
        refused.into_iter().filter_map(|refused| Some(refused.err()?.code.name)).collect();
    assert_eq!(codes, tga::ALL.iter().map(|code| code.name).collect());
}

#[test]
fn a_file_with_damage_is_decoded_or_refused_and_costs_no_more_than_it_may() {
    for plan in PLANS {
        let file = file(plan, &mut Dice(5));
        let whole = file.len() - 26;
        for cut in truncations(&file) {
            assert_eq!(decode(cut, MOST_PIXELS).is_ok(), cut.len() >= whole, "{plan:?} cut at {}", cut.len());
        }
        word_damage(&file, |_, damaged| {
            if let Ok(image) = decode(damaged, 1 << 16) {
                assert_eq!(image.rgba.len(), image.width as usize * image.height as usize);
            }
        });
    }
    // A size that the bytes cannot fill takes no memory.
    let mut file = file(PLANS[3], &mut Dice(1));
    file[12..16].copy_from_slice(&[0, 32, 0, 32]);
    let used = allocation_counter::measure(|| drop(decode(&file, MOST_PIXELS)));
    assert!(used.bytes_max < 1 << 16, "{}", used.bytes_max);
}

proptest! {
    #[test]
    fn any_bytes_are_decoded_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        if let Err(refused) = decode(&bytes, 1 << 20) {
            prop_assert!(refused.code.name.starts_with("tga."));
        }
    }
}
