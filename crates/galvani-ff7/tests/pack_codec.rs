//! The decoder beside the format's first description read bit by bit, the encoder beside every code there is.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

#[path = "common/pack.rs"]
mod common;

use std::collections::BTreeMap;

use allocation_counter::measure;
use common::raw::{Bits, Coder, stream};
use common::reference::{RefEnd, Rule, get_dynamic_frame_offset_bits, get_encrypted_rotation_bits, load_all};
use common::strategy::{Said, clip, coded, noise};
use galvani_ff7::pack::AngleKey;
use galvani_ff7::pack::codec::{
    Coded, End, Frame, Frames, Stop, Stream, encode, first_frame_bits, least_frame_bits,
};
use proptest::prelude::*;

const RULES: [(Stop, Rule); 2] = [(Stop::Engine, Rule::Engine), (Stop::Printed, Rule::Printed)];

impl Said {
    fn stream(&self) -> Stream<'_> {
        Stream { bytes: &self.bytes, size: self.size, key: self.key, rotations: self.rotations }
    }

    fn reference(&self, rule: Rule) -> RefEnd {
        load_all(&self.bytes, self.size, self.key.shift(), self.rotations, rule)
    }
}

fn decoded(stream: &Stream<'_>, stop: Stop) -> (Frames, End) {
    let mut frames = Frames::default();
    let end = stream.decode(stop, &mut frames);
    (frames, end)
}

/// All ways to read a stream give what the reference gives.
fn agrees(said: &Said) {
    for (stop, rule) in RULES {
        let (stream, wanted) = (said.stream(), said.reference(rule));
        let (frames, end) = decoded(&stream, stop);
        assert_eq!(frames.len(), wanted.frames.len(), "{stop:?}");
        for (frame, wanted) in frames.iter().zip(&wanted.frames) {
            assert_eq!((frame.position, frame.bones), (wanted.position, &wanted.rotations[..]), "{stop:?}");
        }
        let bit = wanted.frames.last().map_or(0, |frame| frame.end);
        assert_eq!(end, End { frames: wanted.frames.len(), bit, is_cut: wanted.is_cut }, "{stop:?}");
        assert_eq!(stream.end(stop, &mut Frames::default()), end, "counted, {stop:?}");
        let one_by_one: Vec<(usize, Frame)> = stream.frames(stop).collect();
        assert_eq!(one_by_one.len(), frames.len(), "one by one, {stop:?}");
        for ((start, frame), wanted) in one_by_one.iter().zip(&wanted.frames) {
            assert_eq!(
                (*start, frame.position, &frame.bones),
                (wanted.start, wanted.position, &wanted.rotations)
            );
        }
        assert_eq!(
            chain(&stream, stop, frames.len()),
            one_by_one.into_iter().map(|it| it.1).collect::<Vec<_>>()
        );
    }
}

/// So many frames, each loaded into the one before, as the description's loop does it.
fn chain(stream: &Stream<'_>, stop: Stop, count: usize) -> Vec<Frame> {
    let (mut bit, mut frame) = (0, Frame::default());
    (0..count)
        .map(|i| {
            assert!(i == 0 || bit != 0, "the chain ended before frame {i}");
            bit = stream.load_frame(stop, bit, &mut frame);
            frame.clone()
        })
        .collect()
}

/// What was decoded is encoded to a stream that decodes to the same, and is never longer.
fn comes_back(said: &Said) {
    for stop in [Stop::Engine, Stop::Printed] {
        let (frames, end) = decoded(&said.stream(), stop);
        let Coded { bytes, bits } = encode(&frames, said.key, 0xff);
        assert!(bits <= end.bit, "{bits} bits, {} before", end.bit);
        assert_eq!(bytes.len(), bits.div_ceil(8));
        let Ok(size) = u16::try_from(bytes.len()) else { continue };
        if frames.is_empty() {
            continue;
        }
        let again = Stream { bytes: &bytes, size, ..said.stream() };
        assert_eq!(decoded(&again, Stop::Engine), (frames, End { bit: bits, is_cut: false, ..end }));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 1500, ..ProptestConfig::default() })]

    #[test]
    fn noise_is_read_as_the_description_reads_it(said in noise()) {
        agrees(&said);
    }

    #[test]
    fn every_kind_of_code_is_read_as_the_description_reads_it(said in coded()) {
        agrees(&said);
    }

    #[test]
    fn what_was_decoded_is_encoded_and_decoded_to_the_same(said in prop_oneof![noise(), coded()]) {
        comes_back(&said);
    }

    #[test]
    fn the_encoder_writes_the_shortest_codes_and_the_slack((key, raw) in clip(1..=12, 8), slack: u8) {
        let mut frames = Frames::new(raw[0].rotations.len());
        for frame in &raw {
            frames.push(frame.position, &frame.rotations);
        }
        let wanted = stream(&raw, key, Coder::Shortest);
        let coded = encode(&frames, key, slack);
        prop_assert_eq!(&coded, &Coded { bytes: wanted.bytes(slack), bits: wanted.0.len() });
        let kimera = stream(&raw, key, Coder::Kimera).bytes(0);
        let size = u16::try_from(kimera.len()).unwrap();
        let other = Stream { bytes: &kimera, size, key, rotations: frames.rotations() };
        prop_assert_eq!(decoded(&other, Stop::Engine).0, frames);
    }
}

/// A stream of so many bytes in which every frame is the same.
fn long(size: u16, rotations: usize, byte: u8) -> Said {
    Said { bytes: vec![byte; usize::from(size)], size, key: AngleKey::Four, rotations }
}

#[test]
fn half_of_all_sizes_are_long_streams_to_the_game_and_one_frame_as_printed() {
    for size in [32767, 32768, 40_000, 65535] {
        let said = long(size, 9, 0x5a);
        agrees(&said);
        let (frames, _) = decoded(&said.stream(), Stop::Printed);
        assert_eq!(frames.len() > 1, size < 32768, "{size}");
        assert!(decoded(&said.stream(), Stop::Engine).0.len() > 100);
    }
}

#[test]
fn where_the_printed_counter_overflows_reading_stops() {
    // All codes are raw, so that one frame of 3000 rotations reaches from before byte 32 767 to behind it.
    let mut said = long(32767, 3000, 0xff);
    said.bytes.extend([0xff; 9000]);
    let wanted = said.reference(Rule::Printed);
    assert!(wanted.overflows, "the reference would go on for ever");
    agrees(&said);
    let (_, end) = decoded(&said.stream(), Stop::Printed);
    assert!(end.bit / 8 > 32767 && !end.is_cut);
}

#[test]
fn zeros_behind_the_entry_are_counted_as_they_are_read() {
    for rotations in [1, 2, 7] {
        for size in [20, 100, 1000, 32766, 32767, 32768] {
            agrees(&Said { bytes: vec![0; 70], size, key: AngleKey::Four, rotations });
            agrees(&Said { bytes: vec![0xf1; 70], size, key: AngleKey::Zero, rotations });
        }
    }
}

/// Frames of one rotation.
fn walk(positions: impl Iterator<Item = [i16; 3]>, angles: impl Iterator<Item = [i16; 3]>) -> Frames {
    let mut frames = Frames::new(1);
    positions.zip(angles).for_each(|(position, angles)| frames.push(position, &[angles]));
    frames
}

/// Sums that wrap around in 16 bits.
fn sums(deltas: impl Iterator<Item = i16>) -> Vec<i16> {
    let running = deltas.scan(0_i16, |sum, delta| {
        *sum = sum.wrapping_add(delta);
        Some(*sum)
    });
    std::iter::once(0).chain(running).collect()
}

/// Encodes, decodes, compares, and gives the bits behind the first frame.
fn bits_of(frames: &Frames, key: AngleKey) -> usize {
    let coded = encode(frames, key, 0);
    let size = u16::try_from(coded.bytes.len()).unwrap();
    let stream = Stream { bytes: &coded.bytes, size, key, rotations: 1 };
    let (again, end) = decoded(&stream, Stop::Engine);
    assert_eq!((&again, end.bit, end.is_cut), (frames, coded.bits, false));
    coded.bits - first_frame_bits(1, key)
}

/// docs/formats/ff7-pack.md#codes: how long the code of a difference in steps of the key is.
fn length(step: i16, key: AngleKey) -> usize {
    match step {
        0 => 1,
        -1 => 4,
        1 | -2 => 5,
        2..=3 | -4..=-3 => 6,
        4..=7 | -8..=-5 => 7,
        8..=15 | -16..=-9 => 8,
        16..=31 | -32..=-17 => 9,
        32..=63 | -64..=-33 => 10,
        _ => 16 - usize::from(key.byte()),
    }
}

#[test]
fn every_difference_of_an_angle_comes_back_in_the_code_it_should_have() {
    for key in AngleKey::ALL {
        let all = || (-2048_i16..=2047).filter(|delta| key.holds(*delta));
        // One value runs down and up again, another up and down: both leave the 16 bits on both sides.
        let (down, up) = (sums(all()), sums(all().rev()));
        for run in [&down, &up] {
            let leaps = |by: fn(i32) -> bool| run.windows(2).any(|p| by(i32::from(p[1]) - i32::from(p[0])));
            assert!(leaps(|by| by > 60_000) && leaps(|by| by < -60_000), "no wrap at key {key}");
        }
        let angles: Vec<[i16; 3]> = down.iter().zip(&up).map(|(&x, &y)| [x, y, 0]).collect();
        let frames = walk(std::iter::repeat([0; 3]), angles.into_iter());
        let codes: usize = all().map(|delta| 2 * length(delta >> key.shift(), key)).sum();
        assert_eq!(bits_of(&frames, key), codes + all().count() * (24 + 1), "key {key}");
        for delta in all() {
            let frames = walk([[0; 3]; 2].into_iter(), [[0; 3], [0, delta, 0]].into_iter());
            assert_eq!(bits_of(&frames, key), 24 + 2 + length(delta >> key.shift(), key), "{delta} at {key}");
        }
    }
}

#[test]
fn every_difference_of_a_position_comes_back_in_the_code_it_should_have() {
    let all: Vec<i16> = (i16::MIN..=i16::MAX).collect();
    for deltas in all.chunks(4096) {
        let positions = sums(deltas.iter().copied()).into_iter().map(|z| [7, -7, z]);
        let frames = walk(positions, std::iter::repeat([0; 3]));
        let codes: usize = deltas.iter().map(|delta| if (-64..=63).contains(delta) { 8 } else { 17 }).sum();
        assert_eq!(bits_of(&frames, AngleKey::Two), codes + deltas.len() * (16 + 3));
    }
}

/// The shortest way to say each number, found by reading every string of as many bits as a code can have.
fn shortest(longest: u32, read: impl Fn(&[u8], &mut usize) -> i16) -> BTreeMap<i16, usize> {
    let mut shortest = BTreeMap::new();
    for word in 0..1_i32 << longest {
        let bytes = Bits::default().put(word, longest).bytes(0);
        let mut bit = 0;
        let best = shortest.entry(read(&bytes, &mut bit)).or_insert(bit);
        *best = bit.min(*best);
    }
    shortest
}

#[test]
fn no_coding_of_any_difference_is_shorter_than_ours() {
    for key in AngleKey::ALL {
        let codes = shortest(16, |bytes, bit| get_encrypted_rotation_bits(bytes, bit, key.shift()));
        assert_eq!(codes.len(), 1 << key.bits(), "differences that can be said at key {key}");
        for (delta, bits) in codes {
            let frames = walk([[0; 3]; 2].into_iter(), [[0; 3], [delta, 0, 0]].into_iter());
            assert_eq!(bits_of(&frames, key), 24 + bits + 2, "{delta} at key {key}");
        }
    }
    let codes = shortest(17, get_dynamic_frame_offset_bits);
    assert_eq!(codes.len(), 1 << 16);
    for (delta, bits) in codes {
        let frames = walk([[0; 3], [0, delta, 0]].into_iter(), [[0; 3]; 2].into_iter());
        assert_eq!(bits_of(&frames, AngleKey::Four), 16 + bits + 3, "{delta}");
    }
}

#[test]
fn angles_that_the_key_does_not_hold_never_drift() {
    for key in AngleKey::ALL {
        let angles = (0..500_i16).map(|i| [i * 7 % 2048, -i, i * 37 % 900]);
        let frames = walk(std::iter::repeat_n([0; 3], 500), angles);
        let coded = encode(&frames, key, 0);
        let size = u16::try_from(coded.bytes.len()).unwrap();
        let (again, _) = decoded(&Stream { bytes: &coded.bytes, size, key, rotations: 1 }, Stop::Engine);
        for (now, was) in again.iter().zip(frames.iter()) {
            assert_eq!(now.bones[0], was.bones[0].map(|angle| angle >> key.shift() << key.shift()));
        }
    }
}

#[test]
fn the_coarsest_key_that_loses_nothing_is_found() {
    for (angles, key) in [
        ([16, -32, 4080], AngleKey::Four),
        ([16, -32, 4], AngleKey::Two),
        ([16, -2, 4], AngleKey::Zero),
        ([0, 0, 0], AngleKey::Four),
        ([0, -1, 0], AngleKey::Zero),
    ] {
        let frames = walk([[3; 3]; 2].into_iter(), [[0; 3], angles].into_iter());
        assert_eq!(frames.coarsest_key(), key, "{angles:?}");
    }
}

#[test]
fn rows_that_were_used_before_are_filled_without_allocation() {
    let said = long(5000, 20, 0x5a);
    let mut rows = Frames::default();
    said.stream().decode(Stop::Engine, &mut rows);
    assert!(rows.len() > 100, "{} frames", rows.len());
    for stop in [Stop::Engine, Stop::Printed] {
        let info = measure(|| {
            said.stream().decode(Stop::Engine, &mut rows);
            said.stream().end(stop, &mut rows);
        });
        assert_eq!(info.count_total, 0, "{stop:?}");
    }
    let fresh = measure(|| drop(decoded(&said.stream(), Stop::Engine)));
    assert!(fresh.count_total < 40, "{} allocations for {} frames", fresh.count_total, rows.len());
}

#[test]
fn a_claim_of_many_rotations_costs_nothing() {
    for rotations in [usize::MAX, usize::MAX / 6, 1 << 30] {
        let stream = Stream { bytes: &[0xff; 64], size: 64, key: AngleKey::Zero, rotations };
        for stop in [Stop::Engine, Stop::Printed] {
            let info = measure(|| {
                let mut rows = Frames::default();
                assert_eq!(stream.decode(stop, &mut rows), End { is_cut: true, ..End::default() });
                assert_eq!(stream.frames(stop).count(), 0);
            });
            assert_eq!(info.count_total, 0);
        }
    }
    assert_eq!((first_frame_bits(1, AngleKey::Four), least_frame_bits(1)), (72, 27));
}
