//! Animated models as plain lists, laid out by hand: a second, slow account of streams 1, 8, 19, 9, 10 and
//! 13.
#![allow(dead_code, unreachable_pub, reason = "each test file uses its part of this")]
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

use galvani_core::{ReadOptions, Reading, Readings};
use galvani_parkan::msh::animation::{AnimKey, AnimModel};
use galvani_parkan::msh::{Document, read};
use proptest::collection::vec;
use proptest::prelude::*;

use crate::raw::{Plain, canonical, number, room};

/// A model before it is bytes. Its streams are laid out as in the game's files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawModel {
    pub observed: bool,
    pub nodes: Vec<RawNode>,
    pub batches: Vec<[u8; 20]>,
    /// Streams that animation does not touch, as they lie in the file.
    pub geometry: Vec<u8>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RawNode {
    pub flags: u16,
    pub parent: u16,
    pub slots: [u16; 15],
    pub keys: Vec<AnimKey>,
    pub name: Vec<u8>,
    pub label: Vec<u8>,
}

impl RawModel {
    /// One more than the last frame of an animated node.
    pub fn frame_count(&self) -> u32 {
        let last = |node: &RawNode| u32_of(node.keys.last().unwrap().time);
        self.nodes.iter().filter(|node| node.keys.len() > 1).map(last).max().unwrap_or(0) + 1
    }

    /// The file: everything as docs/formats/msh-animation.md#writing has it.
    pub fn file(&self) -> Vec<u8> {
        canonical(0x100, &self.entries())
    }

    /// The file without keys and frame map, its nodes knowing nothing of them.
    pub fn file_without_animation(&self) -> Vec<u8> {
        let mut entries = self.entries();
        for node in entries[0].bytes.chunks_mut(38) {
            node[4..8].fill(0x77);
        }
        entries.retain(|entry| ![8, 19].contains(&entry.words[0]));
        canonical(0x100, &entries)
    }

    pub fn entries(&self) -> Vec<Plain> {
        let frames = self.frame_count();
        let (mut nodes, mut keys, mut map) = (Vec::new(), Vec::new(), Vec::new());
        let (mut names, mut labels) = (Vec::new(), Vec::new());
        for node in &self.nodes {
            let first = keys.len() / 24;
            for key in &node.keys {
                keys.extend(key_bytes(key));
            }
            let start = if node.keys.len() > 1 { map.len() / 2 } else { 0xFFFF };
            let words = [u16_of(start), u16_of(keys.len() / 24 - 1)];
            let words = [node.flags, node.parent].into_iter().chain(words).chain(node.slots);
            nodes.extend(words.flat_map(u16::to_le_bytes));
            if node.keys.len() > 1 {
                let times: Vec<f32> = node.keys.iter().map(|key| key.time).collect();
                let words = naive_map(&times, frames).into_iter().map(|word| u16_of(first + word));
                map.extend(words.flat_map(u16::to_le_bytes));
            }
            let mut name = node.name.clone();
            name.resize(32, 0);
            names.extend(name);
            labels.extend(label_bytes(&node.label));
        }
        let count = number(self.nodes.len());
        let mut entries = vec![
            entry([1, count, 7, 38], nodes),
            entry([2, 0, 0, 68], vec![3; 140]),
            entry([3, number(self.geometry.len() / 12), 0, 12], self.geometry.clone()),
            entry([13, number(self.batches.len()), 0, 20], self.batches.concat()),
            entry([8, number(keys.len() / 24), 0, 4], keys),
            entry([19, number(map.len() / 2), frames, 2], map),
            entry([10, count, 0, 0], labels),
            entry([77, 1, 2, 3], self.geometry.clone()),
        ];
        if self.observed {
            entries.insert(6, entry([9, count, 5, 6], names));
        }
        entries
    }

    /// The document of the file.
    pub fn document(&self) -> Document {
        document(&self.file(), self.observed)
    }

    /// The same as tracks.
    pub fn tracks(&self) -> Vec<Vec<AnimKey>> {
        self.nodes.iter().map(|node| node.keys.clone()).collect()
    }
}

/// The document of a file, under one reading.
pub fn document(file: &[u8], observed: bool) -> Document {
    let all = if observed { Reading::Observed } else { Reading::Documented };
    let readings = Readings { all: all.into(), ..Readings::default() };
    read(file, &ReadOptions { readings, ..ReadOptions::default() }).unwrap().document
}

fn entry(words: [u32; 4], bytes: Vec<u8>) -> Plain {
    Plain { words, name: room(b"tank"), bytes }
}

pub fn key_bytes(key: &AnimKey) -> Vec<u8> {
    let [x, y, z] = key.position;
    let floats = [x, y, z, key.time].into_iter().flat_map(f32::to_le_bytes);
    floats.chain(key.rotation.into_iter().flat_map(i16::to_le_bytes)).collect()
}

pub fn label_bytes(label: &[u8]) -> Vec<u8> {
    let mut bytes = number(label.len()).to_le_bytes().to_vec();
    if !label.is_empty() {
        bytes.extend(label);
        bytes.push(0);
    }
    bytes
}

/// docs/formats/msh-animation.md#map-words, word by word: the key for every frame, counted from the node's
/// first.
pub fn naive_map(times: &[f32], frames: u32) -> Vec<usize> {
    let end = times.len() - 1;
    let word = |frame: u32| {
        let frame = f64::from(frame);
        let at = |i: usize| f64::from(times[i]);
        if frame < at(0) || frame >= at(end) {
            return end;
        }
        (0..end).find(|&i| at(i) <= frame && frame < at(i + 1)).unwrap()
    };
    (0..frames).map(word).collect()
}

/// What the engine shows of a node at a whole frame, in double precision: position, and w, x, y, z.
pub fn sample(anim: &AnimModel, node: usize, frame: u32, observed: bool) -> ([f64; 3], [f64; 4]) {
    let track = &anim.tracks[node];
    let pool: Vec<&AnimKey> = anim.tracks.iter().flat_map(|track| &track.keys).collect();
    let first: usize = anim.tracks[..node].iter().map(|track| track.keys.len()).sum();
    let fallback = first + track.keys.len() - 1;
    // Halves go to the even neighbour: an odd frame looks at the word before it.
    let looked = if frame % 2 == 1 { frame - 1 } else { frame };
    let local = track.frame_map.get(usize::try_from(looked).unwrap()).filter(|_| looked < anim.frame_count);
    let word = local.map_or(i64::MAX, |&local| i64::try_from(first).unwrap() + i64::from(local));
    if !track.has_map || word >= i64::try_from(fallback).unwrap() {
        return plain(pool[fallback], observed);
    }
    let at = usize::try_from(word).unwrap();
    blend(pool[at], pool[at + 1], f64::from(frame), observed)
}

/// The pose of keys at a whole frame, searched from the start.
pub fn sample_keys(keys: &[AnimKey], frame: u32, observed: bool) -> ([f64; 3], [f64; 4]) {
    let time = f64::from(frame);
    let last = keys.last().unwrap();
    let inside = |pair: &[AnimKey]| f64::from(pair[0].time) <= time && time < f64::from(pair[1].time);
    match keys.windows(2).find(|pair| inside(pair)) {
        Some(pair) => blend(&pair[0], &pair[1], time, observed),
        None => plain(last, observed),
    }
}

fn blend(a: &AnimKey, b: &AnimKey, time: f64, observed: bool) -> ([f64; 3], [f64; 4]) {
    let (start, end) = (f64::from(a.time), f64::from(b.time));
    let ((pa, qa), (pb, qb)) = (plain(a, observed), plain(b, observed));
    let alpha = (time - start) / (end - start);
    if time.to_bits() == start.to_bits() {
        return (pa, qa);
    }
    if time.to_bits() == end.to_bits() {
        return (pb, qb);
    }
    let position = [0, 1, 2].map(|i| pa[i] + (pb[i] - pa[i]) * alpha);
    let dot: f64 = (0..4).map(|i| qa[i] * qb[i]).sum();
    let sign = if dot < 0.0 { -1.0 } else { 1.0 };
    let (wa, wb) = if 1.0 - dot.abs() <= 9.9999997e-6 {
        (1.0 - alpha, alpha)
    } else {
        let theta = dot.abs().acos();
        let wb = (alpha * theta).sin() / theta.sin();
        ((alpha * theta).cos() - wb * dot.abs(), wb)
    };
    (position, [0, 1, 2, 3].map(|i| wa * qa[i] + sign * wb * qb[i]))
}

fn plain(key: &AnimKey, observed: bool) -> ([f64; 3], [f64; 4]) {
    let [a, b, c, d] = key.rotation.map(|component| f64::from(component) / 32767.0);
    (key.position.map(f64::from), if observed { [a, b, c, d] } else { [d, a, b, c] })
}

/// A time that is a whole frame.
pub fn u32_of(time: f32) -> u32 {
    (0..=1 << 20).find(|&frame| f64::from(frame) >= f64::from(time)).unwrap()
}

pub fn u16_of(index: usize) -> u16 {
    u16::try_from(index).unwrap()
}

pub fn f32_of(frame: u32) -> f32 {
    f32::from(u16::try_from(frame).unwrap())
}

/// A model as in the game's files. Positions are any bits, or plain numbers.
pub fn model(positions: BoxedStrategy<f32>) -> impl Strategy<Value = RawModel> {
    let batches = vec(any::<[u8; 20]>(), 0..3);
    let geometry = (0..4_usize).prop_flat_map(|count| vec(any::<u8>(), count * 12));
    (any::<bool>(), vec(node(positions), 1..6), batches, geometry).prop_map(
        |(observed, mut nodes, batches, geometry)| {
            for (i, node) in nodes.iter_mut().enumerate() {
                node.parent = if i == 0 { 0xFFFF } else { node.parent % u16_of(i) };
            }
            RawModel { observed, nodes, batches, geometry }
        },
    )
}

fn node(positions: BoxedStrategy<f32>) -> impl Strategy<Value = RawNode> {
    let name = || vec(1..=255_u8, 0..20);
    let gaps = prop_oneof![1 => vec(1..9_u32, 0..1), 2 => vec(1..9_u32, 1..7)];
    (any::<[u16; 17]>(), keys(gaps.boxed(), positions), name(), name()).prop_map(
        |(words, keys, name, label)| RawNode {
            flags: words[0],
            parent: words[1],
            slots: std::array::from_fn(|i| words[i + 2]),
            keys,
            name,
            label,
        },
    )
}

/// Keys on frame 0 and after each gap.
fn keys(gaps: BoxedStrategy<Vec<u32>>, positions: BoxedStrategy<f32>) -> impl Strategy<Value = Vec<AnimKey>> {
    gaps.prop_flat_map(move |gaps| {
        let count = gaps.len() + 1;
        let poses = vec(([positions.clone(), positions.clone(), positions.clone()], rotation()), count);
        poses.prop_map(move |poses| {
            let frames = std::iter::once(0).chain(gaps.iter().scan(0, |at, gap| {
                *at += gap;
                Some(*at)
            }));
            let key = |(frame, (position, rotation)): (u32, ([f32; 3], [i16; 4]))| AnimKey {
                position,
                time: f32_of(frame),
                rotation,
            };
            frames.zip(poses).map(key).collect()
        })
    })
}

/// Any bits, among them numbers that are none.
pub fn any_bits() -> BoxedStrategy<f32> {
    any::<u32>().prop_map(f32::from_bits).boxed()
}

/// Plain numbers.
pub fn plain_number() -> BoxedStrategy<f32> {
    (-4000..4000_i16).prop_map(|number| f32::from(number) / 16.0).boxed()
}

/// A unit quaternion as stored.
pub fn rotation() -> impl Strategy<Value = [i16; 4]> {
    any::<[i8; 4]>().prop_map(|parts| {
        let length = parts.iter().map(|&part| f32::from(part).powi(2)).sum::<f32>().sqrt();
        if length < 1.0 {
            return [i16::MAX, 0, 0, 0];
        }
        parts.map(|part| i16_of(f32::from(part) / length))
    })
}

/// The nearest stored form of a component.
pub fn i16_of(component: f32) -> i16 {
    let nearest = |raw: &i16| (f32::from(*raw) / 32767.0 - component).abs();
    let (mut low, mut high) = (-32767_i16, 32767_i16);
    while i32::from(high) - i32::from(low) > 1 {
        let middle = low.midpoint(high);
        if f32::from(middle) / 32767.0 < component { low = middle } else { high = middle }
    }
    [low, high].into_iter().min_by(|a, b| nearest(a).total_cmp(&nearest(b))).unwrap()
}
