//! From keys to poses.

use fearless_simd::{dispatch, prelude::*};

use super::clip::{Channel, KeyBlock, Own, PreparedClip, Shared};
use super::pose::{JointPoses, PoseBlock};
use super::time::{LaneCursor, lane, load};
use super::{BLOCK, Row, arc};
use crate::Track;

/// Gives the poses of a prepared clip; what it remembers makes the next one cheap.
#[derive(Debug, Clone)]
pub struct PreparedSampler<'c> {
    clip: &'c PreparedClip,
    /// For each list of shared times the key found last, and the part of the way to the next.
    found: Vec<(usize, f32)>,
    cursors: Vec<LaneCursor>,
    rotations: Vec<KeyBlock<10>>,
    translations: Vec<KeyBlock<6>>,
    scales: Vec<KeyBlock<6>>,
    /// For each curve with tangents the key found last.
    curves: Vec<usize>,
}

impl<'c> PreparedSampler<'c> {
    /// A sampler at the beginning of a clip.
    pub fn new(clip: &'c PreparedClip) -> Self {
        PreparedSampler {
            clip,
            found: vec![(0, 0.0); clip.bases.len()],
            cursors: vec![LaneCursor::NOWHERE; clip.lane_times.len()],
            rotations: pairs(&clip.rotations),
            translations: pairs(&clip.translations),
            scales: pairs(&clip.scales),
            curves: vec![0; clip.clip.tracks.len()],
        }
    }

    /// The clip.
    pub fn clip(&self) -> &'c PreparedClip {
        self.clip
    }

    /// The joints at a time of the clip, in seconds. Nothing is allocated if the pose has as many joints as the clip.
    pub fn sample(&mut self, time: f32, into: &mut JointPoses) {
        let clip = self.clip;
        if into.joints != clip.rest.joints {
            into.copy_from(&clip.rest);
        }
        let time = clip.clip.time(time);
        for (times, found) in clip.bases.iter().zip(&mut self.found) {
            *found = times.find(time, &mut found.0);
        }
        dispatch!(clip.level.0, simd => self.fill(simd, time, &mut into.blocks));
        for (track, found) in clip.clip.tracks.iter().zip(&mut self.curves) {
            sample_curve(track, time, found, into);
        }
    }

    #[inline(always)]
    fn fill<S: Simd>(&mut self, simd: S, time: f32, into: &mut [PoseBlock]) {
        let clip = self.clip;
        for (times, cursor) in clip.lane_times.iter().zip(&mut self.cursors) {
            cursor.go(simd, times, time);
        }
        // All are gathered before any is used: what was written in parts is not yet there to be read whole.
        gather(&clip.rotations.own, &self.cursors, &mut self.rotations);
        gather(&clip.translations.own, &self.cursors, &mut self.translations);
        gather(&clip.scales.own, &self.cursors, &mut self.scales);

        for shared in &clip.rotations.shared {
            let (from, to, part) = around(shared, &self.found);
            let part = S::f32s::splat(simd, part);
            for ((&block, from), to) in shared.blocks.iter().zip(from).zip(to) {
                let [x, y, z, w, square, ratio] = &from.0;
                let [a, b, c, d, ..] = &to.0;
                turn(
                    simd,
                    [x, y, z, w],
                    [a, b, c, d],
                    [square, ratio],
                    #[inline(always)]
                    |_| part,
                    &mut into[block].rotation,
                );
            }
        }
        for (own, KeyBlock(rows)) in clip.rotations.own.iter().zip(&self.rotations) {
            let [x, y, z, w, square, ratio, a, b, c, d] = rows;
            let part = &self.cursors[own.times].part;
            let into = &mut into[own.block].rotation;
            turn(
                simd,
                [x, y, z, w],
                [a, b, c, d],
                [square, ratio],
                #[inline(always)]
                |at| load(simd, part, at),
                into,
            );
        }
        self.places(
            simd,
            &clip.translations,
            &self.translations,
            into,
            #[inline(always)]
            |block| &mut block.translation,
        );
        self.places(
            simd,
            &clip.scales,
            &self.scales,
            into,
            #[inline(always)]
            |block| &mut block.scale,
        );

        let rest = &clip.rest.blocks;
        clip.rotations.still.iter().for_each(|&block| into[block].rotation = rest[block].rotation);
        clip.translations.still.iter().for_each(|&block| into[block].translation = rest[block].translation);
        clip.scales.still.iter().for_each(|&block| into[block].scale = rest[block].scale);
    }

    /// Places or scales.
    #[inline(always)]
    fn places<S: Simd>(
        &self,
        simd: S,
        channel: &Channel<3, 6>,
        pairs: &[KeyBlock<6>],
        into: &mut [PoseBlock],
        rows: impl Fn(&mut PoseBlock) -> &mut [Row; 3],
    ) {
        for shared in &channel.shared {
            let (from, to, part) = around(shared, &self.found);
            let part = S::f32s::splat(simd, part);
            for ((&block, from), to) in shared.blocks.iter().zip(from).zip(to) {
                let ([x, y, z], [a, b, c]) = (&from.0, &to.0);
                line(
                    simd,
                    [x, y, z],
                    [a, b, c],
                    #[inline(always)]
                    |_| part,
                    rows(&mut into[block]),
                );
            }
        }
        for (own, KeyBlock([x, y, z, a, b, c])) in channel.own.iter().zip(pairs) {
            let part = &self.cursors[own.times].part;
            let into = rows(&mut into[own.block]);
            line(
                simd,
                [x, y, z],
                [a, b, c],
                #[inline(always)]
                |at| load(simd, part, at),
                into,
            );
        }
    }
}

/// Room for what lies around each joint with times of its own.
fn pairs<const KEY: usize, const PAIR: usize>(channel: &Channel<KEY, PAIR>) -> Vec<KeyBlock<PAIR>> {
    vec![KeyBlock([[0.0; BLOCK]; PAIR]); channel.own.len()]
}

/// The blocks of a key and of the next, and the part of the way between them.
#[inline(always)]
fn around<'s, const KEY: usize>(
    shared: &'s Shared<KEY>,
    found: &[(usize, f32)],
) -> (&'s [KeyBlock<KEY>], &'s [KeyBlock<KEY>], f32) {
    let (key, part) = found[shared.base];
    let count = shared.blocks.len();
    let (from, to) = shared.keys[key * count..][..2 * count].split_at(count);
    (from, to, part)
}

/// Puts into lanes what lies around the joints whose keys are others than before.
#[inline(always)]
fn gather<const KEY: usize, const PAIR: usize>(
    own: &[Own<KEY>],
    cursors: &[LaneCursor],
    pairs: &mut [KeyBlock<PAIR>],
) {
    for (own, KeyBlock(rows)) in own.iter().zip(pairs) {
        let cursor = &cursors[own.times];
        let mut changed = cursor.changed;
        while changed != 0 {
            let joint = lane(changed);
            changed &= changed - 1;
            let first = own.first[joint] + cursor.key[joint];
            let around = &own.keys[first..first + 2].as_flattened()[..PAIR];
            for (row, value) in rows.iter_mut().zip(around) {
                row[joint] = *value;
            }
        }
    }
}

/// Rotations on the arc between two.
#[inline(always)]
fn turn<S: Simd>(
    simd: S,
    from: [&Row; 4],
    to: [&Row; 4],
    [square, ratio]: [&Row; 2],
    part: impl Fn(usize) -> S::f32s,
    into: &mut [Row; 4],
) {
    for at in (0..BLOCK).step_by(S::f32s::LEN) {
        let [left, right] = arc::weights(simd, load(simd, square, at), load(simd, ratio, at), part(at));
        for i in 0..4 {
            let turned = load(simd, from[i], at) * left + load(simd, to[i], at) * right;
            turned.store_slice(&mut into[i][at..at + S::f32s::LEN]);
        }
    }
}

/// Places on the line between two.
#[inline(always)]
fn line<S: Simd>(
    simd: S,
    from: [&Row; 3],
    to: [&Row; 3],
    part: impl Fn(usize) -> S::f32s,
    into: &mut [Row; 3],
) {
    for at in (0..BLOCK).step_by(S::f32s::LEN) {
        let part = part(at);
        for i in 0..3 {
            let from = load(simd, from[i], at);
            let place = (load(simd, to[i], at) - from) * part + from;
            place.store_slice(&mut into[i][at..at + S::f32s::LEN]);
        }
    }
}

/// What a curve with tangents says at a time.
pub(super) fn sample_curve(track: &Track, time: f32, found: &mut usize, into: &mut JointPoses) {
    match track {
        Track::Translation(node, curve) => {
            curve.at_near(time, found).into_iter().for_each(|at| into.set_translation(node.index(), at));
        }
        Track::Rotation(node, curve) => {
            curve.at_near(time, found).into_iter().for_each(|at| into.set_rotation(node.index(), at));
        }
        Track::Scale(node, curve) => {
            curve.at_near(time, found).into_iter().for_each(|at| into.set_scale(node.index(), at));
        }
        _ => {}
    }
}
