//! Where a time lies between keys: once for all joints that share their times, or for each joint of a block.

use fearless_simd::prelude::*;

use super::{BLOCK, Row};

/// The times of keys, rising, and what lies between two of them.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Times {
    at: Vec<f32>,
    /// One by the span to the next; 0 behind the last, and wherever values wait for the next key.
    inverse: Vec<f32>,
    /// Keys in a second, if all spans are about as long: then a key is found by arithmetic.
    rate: f32,
}

/// How unlike two spans may be for keys to be found by arithmetic: the guess is mended anyway.
const EVEN: f32 = 0.01;

impl Times {
    /// Of at least one.
    pub(super) fn new(times: &[f32], is_step: bool) -> Self {
        let spans = || times.windows(2).map(|pair| pair[1] - pair[0]);
        let inverse = spans().map(|span| if is_step { 0.0 } else { span.recip() }).chain([0.0]).collect();
        let [first, .., last] = times else {
            return Times { at: times.to_vec(), inverse, rate: 0.0 };
        };
        let keys = u16::try_from(times.len() - 1).map_or(f32::INFINITY, f32::from);
        let span = (last - first) / keys;
        let is_even = spans().all(|it| (it - span).abs() <= span * EVEN);
        Times { at: times.to_vec(), inverse, rate: if is_even { span.recip() } else { 0.0 } }
    }

    /// The key at or before a time, and which part of the way to the next is done. Looked for first near the last one.
    pub(super) fn find(&self, time: f32, near: &mut usize) -> (usize, f32) {
        let key = self.key(time, *near);
        *near = key;
        (key, (time - self.at[key]).max(0.0) * self.inverse[key])
    }

    /// The key at or before a time; the first, if that is not there yet.
    fn key(&self, time: f32, near: usize) -> usize {
        let last = self.at.len() - 1;
        let guess = if self.rate > 0.0 { steps((time - self.at[0]) * self.rate).min(last) } else { near };
        for key in [guess, guess + 1, guess.saturating_sub(1)] {
            let is_here = self.at.get(key).is_some_and(|at| *at <= time)
                && self.at.get(key + 1).is_none_or(|next| time < *next);
            if is_here {
                return key;
            }
        }
        self.at.partition_point(|at| *at <= time).saturating_sub(1)
    }
}

/// How many whole steps; none below 0.
#[allow(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::as_conversions,
    reason = "`as` holds at both ends, and a wrong guess is mended"
)]
fn steps(number: f32) -> usize {
    number as u32 as usize
}

/// Times of their own for each joint of a block.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct LaneTimes {
    /// What has no times stands still.
    pub(super) lanes: [Option<Times>; BLOCK],
}

/// Between which keys each joint of a block was last.
#[derive(Debug, Clone)]
#[repr(C, align(64))]
pub(super) struct LaneCursor {
    /// From when on the keys are right.
    low: Row,
    /// Until when.
    high: Row,
    start: Row,
    inverse: Row,
    /// Which part of the way each has done.
    pub(super) part: Row,
    /// The key at or before the time.
    pub(super) key: [usize; BLOCK],
    /// A bit for each joint whose key is another than before.
    pub(super) changed: u64,
}

impl LaneCursor {
    /// That found no time yet.
    pub(super) const NOWHERE: LaneCursor = LaneCursor {
        low: [f32::INFINITY; BLOCK],
        high: [f32::NEG_INFINITY; BLOCK],
        start: [0.0; BLOCK],
        inverse: [0.0; BLOCK],
        part: [0.0; BLOCK],
        key: [0; BLOCK],
        changed: 0,
    };

    /// Goes to a time.
    #[inline(always)]
    pub(super) fn go<S: Simd>(&mut self, simd: S, times: &LaneTimes, time: f32) {
        let now = S::f32s::splat(simd, time);
        let mut changed = 0;
        for at in (0..BLOCK).step_by(S::f32s::LEN) {
            let outside = now.simd_lt(load(simd, &self.low, at)) | now.simd_ge(load(simd, &self.high, at));
            changed |= outside.to_bitmask() << at;
        }
        self.changed = changed;
        while changed != 0 {
            let lane = lane(changed);
            changed &= changed - 1;
            self.turn(lane, times.lanes[lane].as_ref(), time);
        }
        for at in (0..BLOCK).step_by(S::f32s::LEN) {
            let part = (now - load(simd, &self.start, at)) * load(simd, &self.inverse, at);
            part.store_slice(&mut self.part[at..at + S::f32s::LEN]);
        }
    }

    /// Finds the keys of one joint.
    fn turn(&mut self, lane: usize, times: Option<&Times>, time: f32) {
        let Some(Times { at: times, inverse, .. }) = times else {
            (self.low[lane], self.high[lane]) = (f32::NEG_INFINITY, f32::INFINITY);
            return;
        };
        let is_here = |key: usize| {
            times.get(key).is_some_and(|at| *at <= time) && times.get(key + 1).is_none_or(|next| time < *next)
        };
        let next = self.key[lane] + 1;
        let search = || times.partition_point(|at| *at <= time).checked_sub(1);
        let found = if is_here(next) { Some(next) } else { search() };
        let key = found.unwrap_or(0);
        self.key[lane] = key;
        self.low[lane] = found.map_or(f32::NEG_INFINITY, |key| times[key]);
        self.high[lane] = match found {
            None => times[0],
            Some(key) => times.get(key + 1).copied().unwrap_or(f32::INFINITY),
        };
        self.start[lane] = times[key];
        self.inverse[lane] = if found.is_some() { inverse[key] } else { 0.0 };
    }
}

/// The first joint of those that have a bit.
#[allow(clippy::as_conversions, reason = "at most 64")]
pub(super) fn lane(bits: u64) -> usize {
    bits.trailing_zeros() as usize
}

/// As many numbers of a row as a register holds.
#[inline(always)]
pub(super) fn load<S: Simd>(simd: S, row: &Row, at: usize) -> S::f32s {
    S::f32s::from_slice(simd, &row[at..at + S::f32s::LEN])
}
