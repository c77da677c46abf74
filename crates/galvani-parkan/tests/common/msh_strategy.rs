//! Models for the laws: good ones of every shape the format allows, and the same with something wrong.

use super::raw::{RawBatch, RawKey, RawModel, RawNode, RawSlot, RawStream};

/// Throws of dice that come again with the same seed.
#[derive(Debug, Clone)]
pub struct Dice(pub u64);

impl Dice {
    /// A number below `sides`.
    pub fn below(&mut self, sides: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        usize::try_from((mixed ^ (mixed >> 31)) % (sides.max(1) as u64)).unwrap()
    }

    fn small(&mut self) -> f32 {
        f32::from(i16::try_from(self.below(17)).unwrap() - 8)
    }

    fn point(&mut self) -> [f32; 3] {
        [self.small(), self.small(), self.small()]
    }

    /// A good model of up to `most` nodes.
    pub fn model(&mut self, most: usize) -> RawModel {
        let mut model = RawModel {
            nodes: vec![],
            slots: vec![],
            lightmapped: self.below(4) == 0,
            tangents: self.below(4) == 0,
            waypoints: number(self.below(4)),
        };
        for i in 0..=self.below(most) {
            let node = self.node(i, &mut model.slots);
            model.nodes.push(node);
        }
        model
    }

    fn node(&mut self, index: usize, slots: &mut Vec<RawSlot>) -> RawNode {
        let mut own = [None; 15];
        let cockpit = self.below(8) == 0;
        for variant in 0..self.below(4) {
            // A damage state has at least one level; a cockpit only the last.
            let levels: Vec<usize> = if cockpit { vec![4] } else { (0..=self.below(4)).collect() };
            for level in levels {
                let reused = own.iter().flatten().copied().last().filter(|_| self.below(4) == 0);
                own[variant * 5 + level] = Some(reused.unwrap_or_else(|| {
                    slots.push(self.slot());
                    slots.len() - 1
                }));
            }
        }
        let mut time = 0;
        let count = [1, 1, 2, 5][self.below(4)];
        let mut keys = vec![];
        for _ in 0..count {
            keys.push(RawKey { position: self.point(), time, rotation: self.rotation() });
            time += 1 + number(self.below(4));
        }
        let label = ["", "", "central", "e_tur_bb"][self.below(4)].to_owned();
        let parent = (index > 0 && self.below(5) > 0).then(|| self.below(index));
        let flags = if cockpit && own.iter().any(Option::is_some) { 0x20 } else { 0 };
        RawNode { flags, parent, keys, slots: own, label }
    }

    fn rotation(&mut self) -> [i16; 4] {
        let all = [
            [32767, 0, 0, 0],
            [23170, 0, 0, 23170],
            [0, 32767, 0, 0],
            [16384, -16384, 16384, 16384],
            [23170, -23170, 0, 0],
        ];
        all[self.below(all.len())]
    }

    fn slot(&mut self) -> RawSlot {
        let batches = (0..self.below(3)).map(|_| self.batch());
        RawSlot { batches: batches.collect() }
    }

    /// A strip, so that triangles have neighbours; every point is used.
    fn batch(&mut self) -> RawBatch {
        let count = 3 + self.below(6);
        let points = (0..count).map(|_| self.point()).collect();
        let corner = |i: usize| u16::try_from(i).unwrap();
        let triangles = (2..count).map(|i| [corner(i - 2), corner(i - 1), corner(i)]).collect();
        RawBatch { points, triangles }
    }

    /// Something wrong with some streams.
    pub fn damage(&mut self, streams: &mut Vec<RawStream>) {
        for _ in 0..=self.below(4) {
            if streams.is_empty() {
                return;
            }
            let at = self.below(streams.len());
            let stream = &mut streams[at];
            match self.below(9) {
                0 => stream.attr[self.below(3)] = self.word(),
                1 => stream.id = number(self.below(24)),
                2 => stream.bytes.truncate(self.below(stream.bytes.len() + 1)),
                3 => stream.bytes.extend((0..self.below(80)).map(|i| i.to_le_bytes()[0])),
                4 => {
                    let copy = stream.clone();
                    streams.insert(self.below(at + 1), copy);
                }
                5 => drop(streams.remove(at)),
                6 => {
                    let to = self.below(streams.len());
                    streams.swap(at, to);
                }
                _ => self.overwrite(&mut stream.bytes),
            }
        }
    }

    fn overwrite(&mut self, bytes: &mut [u8]) {
        for _ in 0..=self.below(3) {
            if bytes.len() < 4 {
                return;
            }
            let (at, len) = (self.below(bytes.len() - 3), [1, 2, 4][self.below(3)]);
            bytes[at..at + len].copy_from_slice(&self.word().to_le_bytes()[..len]);
        }
    }

    fn word(&mut self) -> u32 {
        let near = number(self.below(40));
        [0, 1, near, near, u32::MAX, 0x7fff_ffff, 0x7fc0_0000, 24][self.below(8)]
    }
}

fn number(value: usize) -> u32 {
    u32::try_from(value).unwrap()
}
