//! Clips that are long, short, dense, sparse and odd, made of operations that every machine rounds alike.

use galvani_scene::{Clip, Curve, Id, Interp, Looping, Node, Scene, Track};
use glam::{DQuat, Quat, Vec3};

/// Numbers in no order, the same on every machine.
#[derive(Debug, Clone)]
pub(crate) struct Numbers(u64);

impl Numbers {
    pub(crate) fn new(seed: u64) -> Self {
        Numbers(seed.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1)
    }

    /// A whole number below another.
    pub(crate) fn below(&mut self, end: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        u32::try_from(self.0 >> 40).unwrap_or_default() % end
    }

    /// From 0 to 1.
    pub(crate) fn part(&mut self) -> f32 {
        f32::from(u16::try_from(self.below(1 << 16)).unwrap_or_default()) / 65536.0
    }

    /// From -1 to 1.
    fn side(&mut self) -> f64 {
        f64::from(self.part()) * 2.0 - 1.0
    }

    pub(crate) fn vector(&mut self) -> Vec3 {
        Vec3::new(self.part() * 4.0 - 2.0, self.part() * 4.0 - 2.0, self.part() * 4.0 - 2.0)
    }

    pub(crate) fn quat(&mut self) -> Quat {
        loop {
            let quat = DQuat::from_xyzw(self.side(), self.side(), self.side(), self.side());
            if quat.length() > 0.1 {
                return (quat * (1.0 / quat.length())).as_quat();
            }
        }
    }

    /// A rotation so far from another, as a part of what lies between it and any.
    fn quat_near(&mut self, from: Quat, part: f64) -> Quat {
        let (from, other) = (from.as_dquat(), self.quat().as_dquat());
        let near = from * (1.0 - part) + other * part;
        (near * (1.0 / near.length())).as_quat()
    }
}

/// What the keys of a clip are like.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Keys {
    /// All joints at the same times, evenly.
    Dense,
    /// All joints at the same times, unevenly.
    Uneven,
    /// Each at times of its own.
    Sparse,
    /// Some of everything, and some of nothing.
    Mixed,
}

pub(crate) const KEYS: [Keys; 4] = [Keys::Dense, Keys::Uneven, Keys::Sparse, Keys::Mixed];

/// So many joints, each on one before it, none of them quite at rest.
pub(crate) fn skeleton(joints: usize) -> Scene {
    let mut numbers = Numbers::new(7);
    let node = |i: usize| Node {
        // A chain first, limbs behind it, and a second root.
        parent: (i > 0 && i != 5).then(|| Id::new(if i < 20 { i - 1 } else { i / 2 })),
        translation: numbers.vector() * 0.1,
        rotation: numbers.quat(),
        ..Node::default()
    };
    Scene { nodes: (0..joints).map(node).collect(), ..Scene::default() }
}

/// A clip of so many keys for each joint.
pub(crate) fn clip(joints: usize, keys: u16, kind: Keys, seed: u64) -> Clip {
    let mut numbers = Numbers::new(seed);
    let duration = f32::from(keys - 1) / 30.0;
    let shared: Vec<f32> = match kind {
        Keys::Uneven => times(&mut numbers, keys, duration),
        _ => (0..keys).map(|key| f32::from(key) / 30.0).collect(),
    };
    let mut tracks = Vec::new();
    for joint in 0..joints {
        for what in 0..3 {
            let odd = if kind == Keys::Mixed { numbers.below(8) } else { 7 };
            let own = match (kind, odd) {
                (_, 0) => continue,
                (_, 1) => vec![0.25 * duration],
                (Keys::Sparse, _) | (_, 2 | 3) => times(&mut numbers, keys, duration),
                _ => shared.clone(),
            };
            let interp = if odd == 4 { Interp::Step } else { Interp::Linear };
            let node = Id::new(joint);
            tracks.push(match what {
                0 => Track::Rotation(node, rotations(&mut numbers, own, interp)),
                1 => Track::Translation(node, vectors(&mut numbers, own, interp)),
                _ => Track::Scale(node, vectors(&mut numbers, own, interp)),
            });
        }
    }
    let looping = if seed.is_multiple_of(2) { Looping::Hold } else { Looping::Wrap };
    Clip { duration, looping, tracks, ..Clip::default() }
}

/// Rising, some of them close together.
fn times(numbers: &mut Numbers, keys: u16, duration: f32) -> Vec<f32> {
    let mut times: Vec<f32> = (0..keys).map(|_| numbers.part() * duration).collect();
    times.sort_by(f32::total_cmp);
    times.dedup();
    times
}

fn vectors(numbers: &mut Numbers, times: Vec<f32>, interp: Interp) -> Curve<Vec3> {
    let values = times.iter().map(|_| numbers.vector()).collect();
    Curve { times, values, tangents: Vec::new(), interp }
}

/// Equal keys, opposite ones, steps hardly there and steps of nearly half a turn.
fn rotations(numbers: &mut Numbers, times: Vec<f32>, interp: Interp) -> Curve<Quat> {
    let mut last = numbers.quat();
    let mut next = |_| {
        last = match numbers.below(8) {
            0 => last,
            1 => -last,
            2 => numbers.quat_near(last, 1e-7),
            3 => -numbers.quat_near(last, 1e-4),
            4 | 5 => numbers.quat_near(last, 0.1),
            _ => numbers.quat(),
        };
        last
    };
    let values = times.iter().map(&mut next).collect();
    Curve { times, values, tangents: Vec::new(), interp }
}

/// Times in and outside a clip, on keys and between them, forwards and in no order.
pub(crate) fn moments(clip: &Clip) -> Vec<f32> {
    let mut numbers = Numbers::new(3);
    let end = clip.duration;
    let forwards = (0..24_u8).map(|i| f32::from(i) / 20.0 * end);
    let keys = clip.tracks.iter().flat_map(Track::times).copied().take(12);
    let mut all: Vec<f32> = forwards.chain(keys).chain([-1.0, 0.0, end, end * 1.75, end * 2.5]).collect();
    all.extend((0..24).map(|_| numbers.part() * end));
    all
}
