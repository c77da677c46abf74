//! Vectors of the format's own descriptions, to the bit.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

#[path = "common/pack.rs"]
mod common;

use common::raw::Bits;
use galvani_core::{ReadOptions, text};
use galvani_ff7::pack::codec::{Frames, Stop, Stream, angle, encode, reduced};
use galvani_ff7::pack::{AngleKey, EntryContent, Surveyed, read, survey, write};

/// docs/formats/ff7-pack.md#example: three entries, an empty one between them.
const SYNTHETIC: &str = "\
    030000000300000004000000380000000400330000000aff38001e0000000000\
    64fff7ff800200007000100128942cc010100042ff3fd0743d040103c38e80f4\
    0078207fdff82012030000000100000004000000301a00000100000003000000\
    1c00000003001400040000fe2e000010ff4001007f889004010801e800000000";

/// Position and rotations of a frame, and the bit it ends at.
type Row = (usize, [i16; 3], &'static [[i16; 3]]);

const BODY: &[Row] = &[
    (156, [10, -200, 30], &[[0, 0, 0], [100, -1, 2047], [-2048, 512, 7]]),
    (209, [10, -199, 30], &[[0, 0, 0], [101, -2, 2048], [-2049, 512, 12]]),
    (293, [74, -263, 31], &[[0, 0, 0], [101, -7, 2111], [-2113, 449, -52]]),
    (408, [138, -8000, -33], &[[0, 1024, 0], [165, -72, 2175], [-2113, 449, -51]]),
];

const WEAPON: &[Row] = &[
    (72, [0, -466, 0], &[[256, -16, 1024]]),
    (109, [1, -466, -1], &[[240, -32, 1040]]),
    (156, [1, -400, -1], &[[240, 992, 1040]]),
];

#[test]
fn the_synthetic_pack_says_what_it_should() {
    let file = text::from_hex(SYNTHETIC).unwrap();
    let document = read(&file, &ReadOptions::default()).unwrap().document;
    let survey = survey(&document, None);
    let kinds: Vec<&str> = survey.entries.iter().map(Surveyed::kind).collect();
    assert_eq!(kinds, ["body", "empty", "weapon"]);
    for (entry, rows) in [(0, BODY), (2, WEAPON)] {
        let EntryContent::Animation(clip) = &survey.entries[entry].content else { panic!("entry {entry}") };
        let frames = clip.frames(&document.entries[entry], Stop::Engine);
        assert_eq!(frames.len(), rows.len());
        for (frame, &(_, position, bones)) in frames.iter().zip(rows) {
            assert_eq!((frame.position, frame.bones), (position, bones));
        }
        let stream = clip.stream(&document.entries[entry]);
        let starts: Vec<usize> = stream.frames(Stop::Engine).map(|(bit, _)| bit).collect();
        let ends: Vec<usize> = rows.iter().map(|row| row.0).collect();
        assert_eq!((starts[0], &starts[1..]), (0, &ends[..ends.len() - 1]));
        assert_eq!(Some(&clip.engine.bit), ends.last());
        let coded = encode(&frames, clip.key, clip.slack(&document.entries[entry]));
        assert_eq!(coded.bytes, document.entries[entry].payload[clip.range(&document.entries[entry])]);
        assert_eq!(coded.bits, clip.engine.bit);
    }
    assert_eq!(write(&document).unwrap(), file);
}

/// The frames of a stream of one rotation: a first frame of zeros, and what stands in those bits.
fn second_frame(key: AngleKey, bits: &str) -> Frames {
    let mut stream = Bits::default();
    stream.put(0, 16).put(0, 16).put(0, 16).put(0, key.bits()).put(0, key.bits()).put(0, key.bits());
    let bytes = stream.text(bits).bytes(0);
    let size = u16::try_from(bytes.len()).unwrap();
    let mut frames = Frames::default();
    let end = Stream { bytes: &bytes, size, key, rotations: 1 }.decode(Stop::Engine, &mut frames);
    assert_eq!((end.frames, end.bit, end.is_cut), (2, stream.0.len(), false), "{bits}");
    // Whatever we read, we write in the same bits.
    assert_eq!(encode(&frames, key, 0).bytes, bytes, "{bits}");
    frames
}

/// What a rotation's difference in those bits is, in units of an angle.
fn turn(key: AngleKey, bits: &str) -> i16 {
    let frames = second_frame(key, &format!("00000000 00000000 00000000 0 {bits} 0"));
    frames.get(1).unwrap().bones[0][1]
}

/// docs/formats/ff7-pack.md#codes: differences in steps of the key, and their bits.
const TURNS: &[(i16, &str)] = &[
    (0, "0"),
    (-1, "1 000"),
    (1, "1 001 0"),
    (-2, "1 001 1"),
    (2, "1 010 00"),
    (3, "1 010 01"),
    (-3, "1 010 11"),
    (-4, "1 010 10"),
    (4, "1 011 000"),
    (-5, "1 011 111"),
    (-8, "1 011 100"),
    (15, "1 100 0111"),
    (-9, "1 100 1111"),
    (-13, "1 100 1011"),
    (-16, "1 100 1000"),
    (16, "1 101 00000"),
    (30, "1 101 01110"),
    (-17, "1 101 11111"),
    (-32, "1 101 10000"),
    (32, "1 110 000000"),
    (63, "1 110 011111"),
    (-33, "1 110 111111"),
    (-64, "1 110 100000"),
];

#[test]
fn every_example_of_a_code_is_what_it_says_at_every_key() {
    for &(step, bits) in TURNS {
        for key in AngleKey::ALL {
            assert_eq!(turn(key, bits), step << key.shift(), "{bits} at key {key}");
        }
    }
    assert_eq!(turn(AngleKey::Two, "1 100 1011"), -52);
}

#[test]
fn a_raw_code_is_a_difference_of_as_many_bits_as_the_key_leaves() {
    assert_eq!(turn(AngleKey::Zero, "1 111 000001000000"), 64);
    assert_eq!(turn(AngleKey::Zero, "1 111 000010000000"), 128);
    assert_eq!(turn(AngleKey::Two, "1 111 0010000000"), 128 << 2);
    // 128 does not fit into 8 signed bits: the same angle the other way round.
    let half = turn(AngleKey::Four, "1 111 10000000");
    assert_eq!((half, angle(half), reduced(half)), (-128 << 4, 2048, -2048));
    assert_eq!(angle(half), angle(128 << 4));
}

#[test]
fn cloud_stands_where_the_format_s_description_says() {
    let bytes = text::from_hex("0000fe2e0000000000").unwrap();
    let mut frames = Frames::default();
    Stream { bytes: &bytes, size: 9, key: AngleKey::Four, rotations: 1 }.decode(Stop::Engine, &mut frames);
    assert_eq!(frames.get(0).unwrap().position, [0, -466, 0]);
    assert_eq!(encode(&frames, AngleKey::Four, 0).bytes, bytes);
}

#[test]
fn a_position_moves_in_8_bits_or_in_17() {
    for (bits, value) in [
        ("0 0000000", 0),
        ("0 0111111", 63),
        ("0 1000000", -64),
        ("1 0000000001000000", 64),
        ("1 1111111110111111", -65),
        ("1 1000000000000000", -32768),
    ] {
        let frames = second_frame(AngleKey::Two, &format!("0 0000001 {bits} 0 1111111 000"));
        assert_eq!(frames.get(1).unwrap().position, [1, value, -1], "{bits}");
    }
}

#[test]
fn eight_bits_of_a_first_frame_are_a_whole_turn() {
    // docs/formats/ff7-pack.md#key: 0xff becomes 0xff0, which is the angle of −16.
    let bytes = text::from_hex("000000000000ff7f80").unwrap();
    let mut frames = Frames::default();
    Stream { bytes: &bytes, size: 9, key: AngleKey::Four, rotations: 1 }.decode(Stop::Engine, &mut frames);
    let angles = frames.get(0).unwrap().bones[0];
    assert_eq!((angles, angles.map(angle)), ([-16, 2032, -2048], [0xff0, 2032, 2048]));
}
