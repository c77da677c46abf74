//! Random streams and packs, sound and otherwise.

use galvani_ff7::pack::AngleKey;
use proptest::collection::vec;
use proptest::prelude::*;

use super::raw::{Bits, Coder, RawEntry, RawFrame, RawPack, padding, payload, short_payload, stream};

/// A stream and what is said about it.
#[derive(Debug, Clone)]
pub struct Said {
    pub bytes: Vec<u8>,
    pub size: u16,
    pub key: AngleKey,
    pub rotations: usize,
}

pub fn key() -> impl Strategy<Value = AngleKey> {
    prop::sample::select(&AngleKey::ALL[..])
}

/// Bytes of any kind under any number of rotations.
pub fn noise() -> impl Strategy<Value = Said> {
    (vec(any::<u8>(), 0..400), key(), 1_usize..=40, -6_i32..=6).prop_map(said)
}

/// Any codes there are, each kind as likely as the others: not what a coder would write.
pub fn coded() -> impl Strategy<Value = Said> {
    (key(), 1_usize..=40).prop_flat_map(|(key, rotations)| {
        let first = vec(any::<bool>(), 48 + 3 * rotations * usize::try_from(key.bits()).unwrap());
        let shifts = vec((any::<bool>(), any::<i16>()), 3);
        let turns = vec((0_i32..=8, any::<i16>()), 3 * rotations);
        let frames = vec((shifts, turns), 0..12);
        let lie = prop_oneof![3 => Just(0), 1 => -4_i32..=12];
        (first, frames, any::<u8>(), vec(any::<u8>(), 0..6), lie).prop_map(
            move |(first, frames, slack, behind, lie)| {
                let mut bits = Bits(first);
                for (shifts, turns) in frames {
                    for (is_long, value) in shifts {
                        bits.put(is_long.into(), 1).put(value.into(), if is_long { 16 } else { 7 });
                    }
                    for (kind, value) in turns {
                        match kind {
                            8 => bits.text("0"),
                            7 => bits.text("1111").put(value.into(), key.bits()),
                            count => bits.text("1").put(count, 3).put(value.into(), count.cast_unsigned()),
                        };
                    }
                }
                let mut bytes = bits.bytes(slack);
                let size = i32::try_from(bytes.len()).unwrap() + lie;
                bytes.extend(behind);
                Said { bytes, size: u16::try_from(size).unwrap(), key, rotations }
            },
        )
    })
}

fn said((bytes, key, rotations, lie): (Vec<u8>, AngleKey, usize, i32)) -> Said {
    let size = u16::try_from(i32::try_from(bytes.len()).unwrap() + lie).unwrap_or(0);
    Said { bytes, size, key, rotations }
}

/// Frames that a stream of a key can say: every next one a small or a large step from the one before.
pub fn frames(key: AngleKey, rotations: usize, most: usize) -> impl Strategy<Value = Vec<RawFrame>> {
    let step = prop_oneof![
        4 => Just(0_i16),
        2 => -2_i16..=2,
        2 => -70_i16..=70,
        1 => (-2048_i16 >> key.shift())..=(2047 >> key.shift()),
    ];
    let shift = prop_oneof![2 => Just(0_i16), 4 => -70_i16..=70, 1 => any::<i16>()];
    let row = (vec(shift, 3), vec(step, 3 * rotations));
    let low = 4 + key.shift();
    let first = (vec(any::<i16>(), 3), vec(any::<i16>(), 3 * rotations));
    (first, vec(row, 0..most)).prop_map(move |((position, angles), rows)| {
        let three = |values: &[i16]| [values[0], values[1], values[2]];
        // A first frame has 12 signed bits, of which the key leaves some out.
        let angles: Vec<i16> = angles.iter().map(|angle| angle >> low << key.shift()).collect();
        let mut all =
            vec![RawFrame { position: three(&position), rotations: angles.chunks(3).map(three).collect() }];
        for (shifts, steps) in rows {
            let mut next = all.last().unwrap().clone();
            for (value, shift) in next.position.iter_mut().zip(shifts) {
                *value = value.wrapping_add(shift);
            }
            for (angle, step) in next.rotations.iter_mut().flatten().zip(steps) {
                *angle = angle.wrapping_add(step << key.shift());
            }
            all.push(next);
        }
        all
    })
}

/// Sound frames with their key.
pub fn clip(
    rotations: std::ops::RangeInclusive<usize>,
    most: usize,
) -> impl Strategy<Value = (AngleKey, Vec<RawFrame>)> {
    (key(), rotations).prop_flat_map(move |(key, rotations)| (Just(key), frames(key, rotations, most)))
}

pub fn coder() -> impl Strategy<Value = Coder> {
    prop_oneof![Just(Coder::Shortest), Just(Coder::Kimera)]
}

/// An animation: sound, with trailing bytes as tools leave them, with counts that lie, or without `sFrames`.
fn animation(rotations: usize) -> impl Strategy<Value = RawEntry> {
    let trailing = prop_oneof![3 => Just(None), 1 => vec(any::<u8>(), 0..34).prop_map(Some)];
    let lies =
        (prop_oneof![4 => Just(0_u16), 1 => 0_u16..3], prop_oneof![4 => Just(0_u32), 1 => any::<u32>()]);
    let form = prop_oneof![8 => Just(false), 1 => Just(true)];
    let bones = prop_oneof![6 => Just(0_u32), 1 => Just(1_u32)];
    (clip(rotations..=rotations, 6), coder(), any::<u8>(), trailing, lies, form, bones).prop_map(
        |((key, frames), coder, slack, trailing, (lie, played), is_short, more_bones)| {
            let stream = stream(&frames, key, coder).bytes(slack);
            let count = u16::try_from(frames.len()).unwrap();
            let bones = u32::try_from(frames[0].rotations.len()).unwrap() + more_bones;
            let header = if is_short { 3 } else { 5 };
            let trailing = trailing.unwrap_or_else(|| padding(header, stream.len()));
            let payload = if is_short {
                short_payload(key.byte(), &stream, &trailing)
            } else {
                payload(count.wrapping_add(lie), key.byte(), &stream, &trailing)
            };
            RawEntry::new(bones, u32::from(count).wrapping_add(played), payload)
        },
    )
}

/// An empty slot of any size, which takes as many bytes, or always 8.
fn empty(rotations: usize, by_eight: bool) -> impl Strategy<Value = RawEntry> {
    let size = prop_oneof![3 => Just(4_usize), 2 => 0_usize..=10];
    size.prop_flat_map(move |size| {
        let len = if by_eight { 8 } else { size };
        let (bones, size) = (u32::try_from(rotations).unwrap(), u32::try_from(size).unwrap());
        vec(any::<u8>(), len).prop_map(move |payload| RawEntry::empty(bones, size, payload))
    })
}

/// Something that is no animation.
fn garbage() -> impl Strategy<Value = RawEntry> {
    (0_u32..6, any::<u32>(), vec(any::<u8>(), 11..60))
        .prop_map(|(bones, frames, payload)| RawEntry::new(bones, frames, payload))
}

/// Entries of the body, then of its weapon, stepped over in one way.
pub fn pack() -> impl Strategy<Value = RawPack> {
    (any::<bool>(), 1_usize..6).prop_flat_map(|(by_eight, rotations)| {
        let entry = |rotations| {
            prop_oneof![
                5 => animation(rotations),
                2 => empty(rotations, by_eight),
                1 => garbage(),
            ]
        };
        let body = vec(entry(rotations), 0..6);
        let weapon = vec(entry(1), 0..4);
        let missing = prop_oneof![5 => Just(0_u32), 1 => 1_u32..4, 1 => (1_u32 << 31)..u32::MAX - 16];
        let rest = prop_oneof![3 => Just(Vec::new()), 1 => vec(any::<u8>(), 0..30)];
        (body, weapon, missing, rest).prop_map(|(body, weapon, missing, rest)| RawPack {
            missing,
            entries: [body, weapon].concat(),
            rest,
        })
    })
}
