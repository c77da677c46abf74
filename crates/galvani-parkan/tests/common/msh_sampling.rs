//! Models for sampling: streams of bytes in which nothing has to be right.
#![allow(dead_code, unreachable_pub, reason = "each test file uses its part of this")]
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

use galvani_core::Reading;
use galvani_parkan::msh::{ModelView, Stream};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

use crate::msh_reference::Reference;

/// Streams 1, 8 and 19.
#[derive(Debug, Clone)]
pub struct Raw {
    /// Parent, start of the map, fallback.
    pub nodes: Vec<[u16; 3]>,
    /// Position and time, then the raw rotation.
    pub keys: Vec<([f32; 4], [i16; 4])>,
    pub words: Vec<u16>,
    pub frame_count: u32,
    pub observed: bool,
}

impl Raw {
    pub fn reference(&self) -> Reference {
        let mut res1 = Vec::new();
        for [parent, start, fallback] in &self.nodes {
            res1.extend([1, *parent, *start, *fallback].into_iter().flat_map(u16::to_le_bytes));
            res1.extend([0xFF; 30]);
        }
        let mut res8 = Vec::new();
        for (floats, rotation) in &self.keys {
            res8.extend(floats.iter().flat_map(|float| float.to_le_bytes()));
            res8.extend(rotation.iter().flat_map(|word| word.to_le_bytes()));
        }
        let res19 = self.words.iter().flat_map(|word| word.to_le_bytes()).collect();
        Reference { res1, res8, res19, anim_frame_count: self.frame_count, w_first: self.observed }
    }
}

/// The model that lies in the reference's streams.
pub fn model(streams: &Reference) -> ModelView<'_> {
    let reading = if streams.w_first { Reading::Observed } else { Reading::Documented };
    let frames = streams.anim_frame_count;
    let streams = [
        Stream { entry: 0, type_id: 1, attr: [0, 0, 38], bytes: &streams.res1 },
        Stream { entry: 1, type_id: 8, attr: [0, 0, 4], bytes: &streams.res8 },
        Stream { entry: 2, type_id: 19, attr: [0, frames, 2], bytes: &streams.res19 },
    ];
    ModelView::new(streams.into_iter(), reading)
}

/// Any number at all, but often one that means something to a timeline.
pub fn time() -> impl Strategy<Value = f32> {
    let odd = [
        f32::NAN,
        f32::INFINITY,
        f32::NEG_INFINITY,
        -0.0,
        0.0,
        -0.5,
        -1.0,
        -1.5,
        0.5,
        1e-45,
        -1e-45,
        4_294_967_296.0,
        4_294_967_297.5,
        8_589_934_592.0,
        9.223_372e18,
        -9.223_372e18,
        9.3e18,
        1e30,
        f32::MAX,
        f32::MIN,
        8_388_607.5,
        8_388_608.5,
        16_777_217.0,
        0.499_999_97,
        0.500_000_06,
        1.499_999_9,
    ];
    prop_oneof![
        4 => (0..60_i16).prop_map(|quarter| f32::from(quarter) / 4.0),
        4 => -2.0..16.0_f32,
        1 => select(odd.to_vec()),
        1 => any::<u32>().prop_map(f32::from_bits),
    ]
}

fn component() -> impl Strategy<Value = i16> {
    prop_oneof![
        3 => any::<i16>(),
        1 => select(vec![0, 1, -1, 32767, -32767, -32768, 23170, -23170, 16384]),
    ]
}

/// Rotations: any bits, units, and such that lie near the one before or its opposite.
fn rotation() -> impl Strategy<Value = [i16; 4]> {
    prop_oneof![
        2 => [component(), component(), component(), component()],
        3 => (0.0..6.3_f32, -1.0..1.0_f32, -1.0..1.0_f32, any::<bool>()).prop_map(|(angle, x, y, w_first)| {
            let len = (x * x + y * y + 0.25).sqrt();
            let parts = [angle.cos(), x / len * angle.sin(), y / len * angle.sin(), 0.5 / len * angle.sin()];
            #[allow(clippy::cast_possible_truncation, reason = "a unit in words")]
            let [w, x, y, z] = parts.map(|part| (part * 32767.0).round() as i16);
            if w_first { [w, x, y, z] } else { [x, y, z, w] }
        }),
        2 => (select(vec![32767_i16, -32767]), -60..60_i16, 0..4_usize).prop_map(|(one, little, at)| {
            let mut parts = [little; 4];
            parts[at] = one;
            parts
        }),
    ]
}

fn key() -> impl Strategy<Value = ([f32; 4], [i16; 4])> {
    let number = || prop_oneof![6 => -50.0..50.0_f32, 1 => any::<u32>().prop_map(f32::from_bits)];
    (number(), number(), number(), time(), rotation())
        .prop_map(|(x, y, z, time, rotation)| ([x, y, z, time], rotation))
}

/// Models whose every index may be wrong, in a range where most are right.
pub fn wild() -> impl Strategy<Value = Raw> {
    let node = (0..8_u16, prop_oneof![3 => 0..24_u16, 1 => Just(0xFFFF)], 0..14_u16);
    let frames = prop_oneof![6 => 0..16_u32, 1 => select(vec![u32::MAX, u32::MAX - 1, 1 << 31, 70_000])];
    (vec(node, 1..7), vec(key(), 0..14), vec(0..14_u16, 0..40), frames, any::<bool>()).prop_map(
        |(nodes, keys, words, frame_count, observed)| {
            let nodes = nodes.into_iter().enumerate().map(|(i, (parent, start, fallback))| {
                let parent = if usize::from(parent) < i { parent } else { 0xFFFF };
                [parent, start, fallback]
            });
            Raw { nodes: nodes.collect(), keys, words, frame_count, observed }
        },
    )
}

/// Models without an index out of place: keys of each node in order, maps made by hand.
pub fn sound() -> impl Strategy<Value = Raw> {
    let node = (0..8_u16, vec((key(), 1..3_u16), 1..6), vec(0..8_u16, 12), any::<bool>());
    (vec(node, 1..7), 0..12_u32, any::<bool>(), any::<bool>()).prop_map(
        |(nodes, frame_count, observed, tidy)| {
            let mut raw =
                Raw { nodes: Vec::new(), keys: Vec::new(), words: Vec::new(), frame_count, observed };
            for (i, (parent, keys, words, mapped)) in nodes.into_iter().enumerate() {
                let first = u16::try_from(raw.keys.len()).unwrap();
                let mut time = 0;
                for ((mut floats, rotation), gap) in keys {
                    if tidy {
                        floats[3] = f32::from(time);
                    }
                    time += gap;
                    raw.keys.push((floats, rotation));
                }
                let fallback = u16::try_from(raw.keys.len() - 1).unwrap();
                let start = if mapped { u16::try_from(raw.words.len()).unwrap() } else { 0xFFFF };
                if mapped {
                    let len = usize::try_from(frame_count).unwrap();
                    raw.words.extend(words.iter().take(len).map(|word| first + word));
                }
                let parent = if usize::from(parent) < i { parent } else { 0xFFFF };
                raw.nodes.push([parent, start, fallback]);
            }
            raw
        },
    )
}

/// Bits, all NaN being one: which of them an operation gives is the processor's business.
pub fn bits<const N: usize>(numbers: [f32; N]) -> [u32; N] {
    numbers.map(|number| if number.is_nan() { 0x7fc0_0000 } else { number.to_bits() })
}
