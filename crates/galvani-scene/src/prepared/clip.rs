//! Clips whose keys lie as lanes take them.

use fearless_simd::Level;
use glam::{Quat, Vec3};

use super::pose::{JointPoses, PoseBlock};
use super::sample::PreparedSampler;
use super::time::{LaneTimes, Times};
use super::{BLOCK, Row, arc, blocks};
use crate::{Clip, Curve, Interp, Scene, Track};

/// A clip made ready: what it does to the nodes of a scene.
///
/// Where joints of a block have their keys at the same times, one load serves all of them; where each has times of its
/// own, each has a cursor, and what lies around it is kept in lanes. Curves with tangents are sampled one by one. What
/// changes looks or what is seen is not here: that is [`Sampler`](crate::Sampler)'s.
#[derive(Debug, Clone, PartialEq)]
pub struct PreparedClip {
    /// For its time, and its curves with tangents.
    pub(super) clip: Clip,
    pub(super) level: SameLevel,
    pub(super) rest: JointPoses,
    pub(super) bases: Vec<Times>,
    pub(super) lane_times: Vec<LaneTimes>,
    pub(super) rotations: Channel<6, 10>,
    pub(super) translations: Channel<3, 6>,
    pub(super) scales: Channel<3, 6>,
}

/// The instructions used; no two are unlike in what comes of them.
#[derive(Debug, Clone, Copy)]
pub(super) struct SameLevel(pub(super) Level);

impl PartialEq for SameLevel {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

/// Rotations, places or scales: `KEY` numbers to a key, and `PAIR` to what is needed between it and the next.
#[derive(Debug, Clone, PartialEq, Default)]
pub(super) struct Channel<const KEY: usize, const PAIR: usize> {
    /// Blocks in which nothing moves.
    pub(super) still: Vec<usize>,
    pub(super) shared: Vec<Shared<KEY>>,
    pub(super) own: Vec<Own<KEY>>,
}

/// Blocks whose joints all have their keys at the same times.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Shared<const KEY: usize> {
    pub(super) base: usize,
    pub(super) blocks: Vec<usize>,
    /// Key after key, in each block after block; the last key twice.
    pub(super) keys: Vec<KeyBlock<KEY>>,
}

/// A key of sixteen joints.
#[derive(Debug, Clone, Copy, PartialEq)]
#[repr(C, align(64))]
pub(super) struct KeyBlock<const ROWS: usize>(pub(super) [Row; ROWS]);

/// A block whose joints have times of their own.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Own<const KEY: usize> {
    pub(super) block: usize,
    pub(super) times: usize,
    /// Where the keys of each joint begin.
    pub(super) first: [usize; BLOCK],
    /// Joint after joint, key after key; each joint's last key twice.
    pub(super) keys: Vec<[f32; KEY]>,
}

impl PreparedClip {
    /// A clip of a scene whose [check](crate::check()) finds no error.
    pub fn new(scene: &Scene, clip: &Clip) -> Self {
        PreparedClip::with_level(Level::new(), scene, clip)
    }

    /// The same with instructions that somebody chose. What comes of it is the same.
    pub fn with_level(level: Level, scene: &Scene, clip: &Clip) -> Self {
        let has_tangents = |track: &Track| track.interp().has_tangents() && !track.times().is_empty();
        let (curved, plain): (Vec<_>, Vec<_>) =
            clip.tracks.iter().filter(|track| is_of_node(track)).partition(|track| has_tangents(track));
        let mut made = PreparedClip {
            clip: Clip {
                duration: clip.duration,
                looping: clip.looping,
                tracks: curved.into_iter().cloned().collect(),
                ..Clip::default()
            },
            level: SameLevel(level),
            rest: JointPoses::at_rest(scene),
            bases: Vec::new(),
            lane_times: Vec::new(),
            rotations: Channel::default(),
            translations: Channel::default(),
            scales: Channel::default(),
        };
        let joints = scene.nodes.len();
        let (mut rotations, mut translations, mut scales) =
            (vec![None; joints], vec![None; joints], vec![None; joints]);
        for track in plain {
            match track {
                Track::Rotation(node, curve) => rotations[node.index()] = Lane::of(curve),
                Track::Translation(node, curve) => translations[node.index()] = Lane::of(curve),
                Track::Scale(node, curve) => scales[node.index()] = Lane::of(curve),
                _ => {}
            }
        }
        let mut times = Found { bases: &mut made.bases, lanes: &mut made.lane_times };
        let rest = &mut made.rest.blocks;
        made.rotations = channel(&rotations, rest, |block| &mut block.rotation, turns, &mut times);
        made.translations = channel(&translations, rest, |block| &mut block.translation, places, &mut times);
        made.scales = channel(&scales, rest, |block| &mut block.scale, places, &mut times);
        made
    }

    /// A sampler at its beginning.
    pub fn sampler(&self) -> PreparedSampler<'_> {
        PreparedSampler::new(self)
    }

    /// How many joints the poses have.
    pub fn joint_count(&self) -> usize {
        self.rest.len()
    }

    /// How long it is, in seconds.
    pub fn duration(&self) -> f32 {
        self.clip.duration
    }
}

fn is_of_node(track: &Track) -> bool {
    matches!(track, Track::Translation(..) | Track::Rotation(..) | Track::Scale(..))
}

/// A curve without tangents, at least one key long.
#[derive(Debug)]
struct Lane<'c, V> {
    times: &'c [f32],
    values: &'c [V],
    is_step: bool,
}

impl<V> Clone for Lane<'_, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V> Copy for Lane<'_, V> {}

impl<'c, V: PartialEq> Lane<'c, V> {
    fn of(curve: &'c Curve<V>) -> Option<Self> {
        let keys = curve.times.len().min(curve.values.len());
        let (times, values) = (&curve.times[..keys], &curve.values[..keys]);
        (keys > 0).then_some(Lane { times, values, is_step: curve.interp == Interp::Step })
    }

    fn moves(&self) -> bool {
        self.values.iter().any(|value| *value != self.values[0])
    }

    fn has_times_of(&self, other: &Self) -> bool {
        self.times == other.times && self.is_step == other.is_step
    }
}

/// The times found so far.
struct Found<'c> {
    bases: &'c mut Vec<Times>,
    lanes: &'c mut Vec<LaneTimes>,
}

/// The place of a value in a list; put there if it is new.
fn place_of<T: PartialEq>(list: &mut Vec<T>, value: T) -> usize {
    list.iter().position(|it| *it == value).unwrap_or_else(|| {
        list.push(value);
        list.len() - 1
    })
}

/// Sorts the joints of a kind by blocks and lays out their keys. What stands still goes into the pose at rest.
fn channel<V: PartialEq + Copy, const KEY: usize, const PAIR: usize, const PARTS: usize>(
    lanes: &[Option<Lane<'_, V>>],
    rest: &mut [PoseBlock],
    rows: fn(&mut PoseBlock) -> &mut [Row; PARTS],
    keys: fn(&[V]) -> Vec<[f32; KEY]>,
    found: &mut Found<'_>,
) -> Channel<KEY, PAIR> {
    let mut made = Channel::default();
    let mut shared: Vec<(Lane<'_, V>, Vec<usize>)> = Vec::new();
    for block in 0..blocks(lanes.len()) {
        let lanes = &lanes[block * BLOCK..lanes.len().min((block + 1) * BLOCK)];
        for (i, lane) in lanes.iter().enumerate() {
            if let Some(first) = lane.as_ref().map(|lane| keys(&lane.values[..1])[0]) {
                (0..PARTS).for_each(|part| rows(&mut rest[block])[part][i] = first[part]);
            }
        }
        let mut moving = lanes.iter().flatten().filter(|lane| lane.moves());
        let Some(first) = moving.next() else {
            made.still.push(block);
            continue;
        };
        if moving.all(|lane| lane.has_times_of(first)) {
            match shared.iter_mut().find(|(lane, _)| lane.has_times_of(first)) {
                Some((_, blocks)) => blocks.push(block),
                None => shared.push((*first, vec![block])),
            }
        } else {
            made.own.push(own(block, lanes, rows(&mut rest[block]), keys, found));
        }
    }
    for (first, blocks) in shared {
        let base = place_of(found.bases, Times::new(first.times, first.is_step));
        let count = first.times.len() + 1;
        let mut all = vec![KeyBlock([[0.0; BLOCK]; KEY]); count * blocks.len()];
        for (i, &block) in blocks.iter().enumerate() {
            let rest = *rows(&mut rest[block]);
            for joint in 0..BLOCK {
                let lane = lanes.get(block * BLOCK + joint).copied().flatten().filter(Lane::moves);
                let values = lane.map_or_else(Vec::new, |lane| keys(lane.values));
                let still = still(&rest, joint);
                for key in 0..count {
                    let value = values.get(key).or(values.last()).unwrap_or(&still);
                    let rows = &mut all[key * blocks.len() + i].0;
                    rows.iter_mut().zip(value).for_each(|(row, value)| row[joint] = *value);
                }
            }
        }
        made.shared.push(Shared { base, blocks, keys: all });
    }
    made
}

/// A block whose joints have times of their own.
fn own<V: PartialEq, const KEY: usize, const PARTS: usize>(
    block: usize,
    lanes: &[Option<Lane<'_, V>>],
    rest: &[Row; PARTS],
    keys: fn(&[V]) -> Vec<[f32; KEY]>,
    found: &mut Found<'_>,
) -> Own<KEY> {
    let mut made = Own { block, times: 0, first: [0; BLOCK], keys: Vec::new() };
    let mut times = LaneTimes { lanes: [const { None }; BLOCK] };
    for joint in 0..BLOCK {
        made.first[joint] = made.keys.len();
        match lanes.get(joint).and_then(Option::as_ref).filter(|lane| lane.moves()) {
            Some(lane) => {
                times.lanes[joint] = Some(Times::new(lane.times, lane.is_step));
                made.keys.extend(keys(lane.values));
            }
            None => made.keys.push(still(rest, joint)),
        }
        made.keys.extend(made.keys.last().copied());
    }
    made.times = place_of(found.lanes, times);
    made
}

/// The key of a joint that stands still.
fn still<const KEY: usize, const PARTS: usize>(rest: &[Row; PARTS], joint: usize) -> [f32; KEY] {
    // Of rotations also the square of no angle, and its ratio.
    let beside = [0.0, 1.0];
    std::array::from_fn(|i| rest.get(i).map_or_else(|| beside[i - PARTS], |row| row[joint]))
}

/// Keys of rotations: each as near to the one before as it can be, with what lies between it and the next.
fn turns(values: &[Quat]) -> Vec<[f32; 6]> {
    let mut before = arc::unit(values[0]).as_quat();
    let turns: Vec<Quat> = values
        .iter()
        .map(|value| {
            before = arc::nearer(before, arc::unit(*value).as_quat());
            before
        })
        .collect();
    let key = |(i, turn): (usize, &Quat)| {
        let [square, ratio] = turns.get(i + 1).map_or([0.0, 1.0], |next| arc::between(*turn, *next));
        [turn.x, turn.y, turn.z, turn.w, square, ratio]
    };
    turns.iter().enumerate().map(key).collect()
}

/// Keys of places or scales.
fn places(values: &[Vec3]) -> Vec<[f32; 3]> {
    values.iter().map(Vec3::to_array).collect()
}
