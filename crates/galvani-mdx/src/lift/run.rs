//! The keys of a track over a whole clip, and the curve of the scene that they make (docs/formats/mdx.md#scene-curves).

use std::ops::Range;

use galvani_core::LiftError;
use galvani_core::maths::single;
use galvani_scene::{Blend, Curve, Id, Interp, SceneImage};
use glam::{Quat, Vec2, Vec3};

use super::spend::{Measure, Spent};
use super::{milliseconds, seconds};
use crate::sample::{Animated, Keys, Window};
use crate::track::Shape;

/// What a track runs by in a clip.
#[derive(Debug, Clone, Copy)]
pub(super) struct Clock {
    /// Which keys count.
    pub(super) window: Window,
    /// Whether it is that of a global sequence, which goes round and round.
    pub(super) is_global: bool,
    /// Milliseconds of the clip.
    pub(super) duration: f64,
}

/// Keys at milliseconds of a clip. The first may lie before it and the last behind it; equal times are a jump.
#[derive(Debug, Clone)]
pub(super) struct Run<V> {
    keys: Vec<RunKey<V>>,
    interp: Interp,
    duration: f64,
}

#[derive(Debug, Clone, Copy)]
struct RunKey<V> {
    time: f64,
    value: V,
    arriving: V,
    leaving: V,
}

/// Values of which a part of the way between two keys can be cut out.
pub(super) trait Cut: Blend + PartialEq {
    /// What baked curves of it are measured by.
    const MEASURE: Measure = Measure::Part;

    /// The ends and tangents of a part of a way, in the order of [`Blend::hermite`]; nothing if it is no such way itself.
    fn cut(way: [Self; 4], part: [f32; 2], interp: Interp) -> Option<[Self; 4]>;

    /// The tangents of a straight way.
    fn straight(a: Self, b: Self, interp: Interp) -> [Self; 2];

    /// Whether so little decides between two ways that clients may go either: then a key in the middle says which.
    fn has_two_ways(_: Self, _: Self) -> bool {
        false
    }
}

impl<V: Cut> Run<V> {
    /// The keys of a track that count in a clip; nothing if none does.
    pub(super) fn new<T: Animated>(
        keys: &Keys<T>,
        shape: Shape,
        clock: &Clock,
        spent: &mut Spent,
        value: impl Fn(T) -> V,
    ) -> Result<Option<Self>, LiftError> {
        let interp =
            if keys.tangents.is_empty() && shape != Shape::Step { Interp::Linear } else { interp(shape) };
        let mut run = Run { keys: Vec::new(), interp, duration: clock.duration };
        let window = &clock.window;
        let first = keys.times.partition_point(|time| f64::from(*time) < window.start);
        let end = keys.times.partition_point(|time| f64::from(*time) <= window.end());
        let key = |index: usize, late: f64| {
            let at = *keys.values.get(index)?;
            let (arriving, leaving) = keys.tangents.get(index).copied().unwrap_or((at, at));
            let time = f64::from(*keys.times.get(index)?) - window.start + late;
            Some(RunKey { time, value: value(at), arriving: value(arriving), leaving: value(leaving) })
        };
        if first >= end {
            // A first key behind the end of a global sequence holds always.
            let is_beyond = keys.times.first().is_some_and(|time| f64::from(*time) > window.end());
            run.keys.extend(key(0, 0.0).filter(|_| clock.is_global && is_beyond));
            return Ok(Some(run).filter(|run| !run.keys.is_empty()).map(Run::held));
        }
        let count = end.saturating_sub(first);
        if count == 1 || window.length <= 0.0 {
            run.keys.extend(key(end.saturating_sub(1), 0.0));
            return Ok(Some(run.held()));
        }
        let rounds = if clock.is_global { clock.duration / window.length } else { 0.0 };
        spent.keys(count.saturating_mul(whole(rounds).saturating_add(2)))?;
        let mut before: Option<T> = None;
        let time = |index, late| key(index, late).map(|key: RunKey<V>| key.time);
        for (index, late) in order(first..end, clock, interp, time) {
            let (Some(next), Some(&stored)) = (key(index, late), keys.values.get(index)) else { continue };
            if let Some((last, before)) = run.keys.last().zip(before)
                && interp == Interp::Linear
                && V::has_two_ways(last.value, next.value)
            {
                spent.keys(1)?;
                let way = T::way(before, stored, None);
                let (time, value) =
                    (f64::midpoint(last.time, next.time), value(T::linear(before, stored, &way, 0.5)));
                run.keys.push(RunKey { time, value, arriving: value, leaving: value });
            }
            run.keys.push(next);
            before = Some(stored);
        }
        Ok(Some(run))
    }

    /// Only its last key, from the start on.
    fn held(mut self) -> Self {
        self.keys.drain(..self.keys.len().saturating_sub(1));
        self.keys.iter_mut().for_each(|key| key.time = 0.0);
        self.interp = Interp::Step;
        self
    }

    /// Its value at a millisecond.
    pub(super) fn at(&self, time: f64) -> Option<V> {
        let after = self.keys.partition_point(|key| key.time <= time);
        let before = after.checked_sub(1).and_then(|before| self.keys.get(before));
        match (before, self.keys.get(after)) {
            (Some(a), Some(b)) => {
                Some(between(self.interp, a, b, single((time - a.time) / (b.time - a.time))))
            }
            (Some(one), None) | (None, Some(one)) => Some(one.value),
            (None, None) => None,
        }
    }

    /// The curve that it is, baked where no curve is; and whether keys lay too close together.
    pub(super) fn curve(mut self, spent: &mut Spent, tolerance: f32) -> Result<(Curve<V>, bool), LiftError> {
        if let Some(keys) = self.cut() {
            self.keys = keys;
            return Ok(self.written());
        }
        let Some(first) = self.keys.first().map(|key| key.value) else { return Ok(self.written()) };
        let motion = |time: f32| self.at(milliseconds(time)).unwrap_or(first);
        let curve = spent.baked(&self.stops(), (V::MEASURE, tolerance), 1, motion)?;
        Ok((curve, false))
    }

    /// The seconds of its keys and of the clip's ends, and just before where it jumps.
    pub(super) fn stops(&self) -> Vec<f32> {
        let end = seconds(self.duration);
        let mut stops = vec![0.0, end];
        stops.extend(self.keys.iter().map(|key| seconds(key.time)));
        let jumps = self.keys.windows(2).filter(|two| matches!(two, [a, b] if a.time >= b.time));
        stops.extend(jumps.flatten().map(|key| seconds(key.time).next_down()));
        stops.retain(|stop| (0.0..=end).contains(stop));
        stops.sort_by(f32::total_cmp);
        stops.dedup();
        stops
    }

    /// The values of its keys.
    pub(super) fn values(&self) -> impl Iterator<Item = V> {
        self.keys.iter().map(|key| key.value)
    }

    /// How it goes from key to key.
    pub(super) fn interp(&self) -> Interp {
        self.interp
    }

    /// The keys from the start of the clip to its end; nothing where an end cuts a way of which no part is one.
    fn cut(&self) -> Option<Vec<RunKey<V>>> {
        let from = self.keys.partition_point(|key| key.time <= 0.0).saturating_sub(1);
        let mut keys: Vec<RunKey<V>> = self.keys.get(from..).unwrap_or_default().to_vec();
        let behind = keys.iter().position(|key| key.time > self.duration);
        keys.truncate(behind.map_or(keys.len(), |behind| behind.saturating_add(1)));
        let cuts_start = keys.first().is_some_and(|key| key.time < 0.0);
        let cuts_end = behind.is_some();
        if self.interp == Interp::Step {
            keys.truncate(behind.unwrap_or(keys.len()));
            keys.iter_mut().take(1).filter(|key| key.time < 0.0).for_each(|key| key.time = 0.0);
            return Some(keys);
        }
        let last = keys.len().saturating_sub(1);
        if cuts_start && cuts_end && last == 1 {
            slice(&mut keys, 0, [0.0, self.duration], self.interp)?;
            return Some(keys);
        }
        if cuts_start {
            let until = keys.get(1)?.time;
            slice(&mut keys, 0, [0.0, until], self.interp)?;
        }
        if cuts_end {
            let before = last.checked_sub(1)?;
            let since = keys.get(before)?.time;
            slice(&mut keys, before, [since, self.duration], self.interp)?;
        }
        Some(keys)
    }

    /// As a curve of seconds that rise: of a jump the value before it stands as shortly before it as can be.
    fn written(self) -> (Curve<V>, bool) {
        let interp = if self.keys.len() < 2 { Interp::Step } else { self.interp };
        let (mut made, mut is_crowded) = (Vec::<RunKey<V>>::with_capacity(self.keys.len()), false);
        let mut exact = f64::NEG_INFINITY;
        for key in self.keys {
            let time = f64::from(seconds(key.time));
            is_crowded |= made.last().is_some_and(|before| before.time >= time) && key.time > exact;
            exact = key.time;
            let key = RunKey { time, ..key };
            match made.pop() {
                None => made.push(key),
                Some(before) if before.time < time => made.extend([before, key]),
                // What jumps at the start has jumped.
                Some(before) => jump(&mut made, before, key, interp),
            }
        }
        let has_tangents = interp.has_tangents();
        let tangents = made.iter().filter(|_| has_tangents).map(|key| [key.arriving, key.leaving]).collect();
        let times = made.iter().map(|key| single(key.time)).collect();
        (Curve { times, values: made.iter().map(|key| key.value).collect(), tangents, interp }, is_crowded)
    }
}

/// Which keys stand in a clip one after the other, each with how much later than in its window; they may begin with one from
/// before it and end with one from behind it.
fn order(
    keys: Range<usize>,
    clock: &Clock,
    interp: Interp,
    time: impl Fn(usize, f64) -> Option<f64>,
) -> Vec<(usize, f64)> {
    let (window, first, last) = (&clock.window, keys.start, keys.end.saturating_sub(1));
    let wraps = clock.is_global || window.is_looping;
    let starts_late = time(first, 0.0).is_some_and(|time| time > 0.0);
    let mut order = Vec::new();
    order.extend((wraps && starts_late).then_some((last, -window.length)));
    let mut late = 0.0;
    loop {
        order.extend(keys.clone().map(|index| (index, late)));
        late += window.length;
        if !clock.is_global || late > clock.duration {
            break;
        }
    }
    let end = order.last().and_then(|&(index, late)| time(index, late));
    // What steps holds to the very end of a sequence.
    let goes_on = clock.is_global || interp != Interp::Step;
    order.extend((wraps && goes_on && end.is_some_and(|end| end < clock.duration)).then_some((first, late)));
    order
}

/// Puts a key in the place of another of the same time, which is left just before it if that is seen.
fn jump<V: Cut>(made: &mut Vec<RunKey<V>>, before: RunKey<V>, key: RunKey<V>, interp: Interp) {
    let earlier = f64::from(single(key.time).next_down());
    let has_room = earlier >= 0.0 && made.last().is_none_or(|one| one.time < earlier);
    if before.value == key.value {
        made.push(RunKey { arriving: before.arriving, ..key });
    } else if has_room && (interp != Interp::Step || made.is_empty()) {
        let [leaving, arriving] = V::straight(before.value, key.value, interp);
        made.extend([RunKey { time: earlier, leaving, ..before }, RunKey { arriving, ..key }]);
    } else {
        made.push(key);
    }
}

/// Leaves of the way from a key to the next only what lies between two times.
fn slice<V: Cut>(keys: &mut [RunKey<V>], at: usize, times: [f64; 2], interp: Interp) -> Option<()> {
    let next = at.checked_add(1)?;
    let (a, b) = (*keys.get(at)?, *keys.get(next)?);
    let part = times.map(|time| single((time - a.time) / (b.time - a.time)));
    let [from, leaving, arriving, to] = V::cut([a.value, a.leaving, b.arriving, b.value], part, interp)?;
    let [start, end] = times;
    *keys.get_mut(at)? = RunKey { time: start, value: from, leaving, ..a };
    *keys.get_mut(next)? = RunKey { time: end, value: to, arriving, ..b };
    Some(())
}

/// A part of the way from a key to the next.
fn between<V: Blend>(interp: Interp, a: &RunKey<V>, b: &RunKey<V>, part: f32) -> V {
    let keys = [a.value, a.leaving, b.arriving, b.value];
    match interp {
        // On a key nothing of the next one counts.
        _ if part <= 0.0 => a.value,
        Interp::Step => a.value,
        Interp::Linear => V::linear(a.value, b.value, part),
        Interp::Hermite => V::hermite(keys, part),
        Interp::Bezier => V::bezier(keys, part),
    }
}

fn interp(shape: Shape) -> Interp {
    match shape {
        Shape::Step => Interp::Step,
        Shape::Linear => Interp::Linear,
        Shape::Hermite | Shape::Squad => Interp::Hermite,
        Shape::Bezier => Interp::Bezier,
    }
}

/// Rounds as a whole number.
#[allow(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "what is too large for a count is paid for by nobody"
)]
fn whole(rounds: f64) -> usize {
    rounds.ceil() as usize
}

/// Values that can be added and scaled: a part of a cubic is a cubic.
macro_rules! cut_cubics {
    ($($value:ty, $measure:ident;)*) => { $(
        impl Cut for $value {
            const MEASURE: Measure = Measure::$measure;

            fn cut(way: [Self; 4], [from, to]: [f32; 2], interp: Interp) -> Option<[Self; 4]> {
                let [a, leaving, arriving, b] = way;
                // A Bézier curve is Hermite's with slopes thrice as long as its control points are away.
                let slopes = match interp {
                    Interp::Bezier => [a, (leaving - a) * 3.0, (b - arriving) * 3.0, b],
                    _ => way,
                };
                if !interp.has_tangents() {
                    let ends = [Blend::linear(a, b, from), Blend::linear(a, b, to)];
                    return Some([ends[0], ends[0], ends[1], ends[1]]);
                }
                let [start, end] = [from, to].map(|part| Blend::hermite(slopes, part));
                let [out, into] = [from, to].map(|part| {
                    let (weights, [a, leaving, arriving, b]) = (slope_weights(part), slopes);
                    let [wa, wl, wr, wb] = weights.map(|weight| weight * (to - from));
                    a * wa + leaving * wl + arriving * wr + b * wb
                });
                Some(match interp {
                    Interp::Bezier => [start, start + out / 3.0, end - into / 3.0, end],
                    _ => [start, out, into, end],
                })
            }

            fn straight(a: Self, b: Self, interp: Interp) -> [Self; 2] {
                if interp == Interp::Bezier { [a, b] } else { [b - a, b - a] }
            }
        }
    )* };
}
cut_cubics! {
    f32, Part;
    Vec2, Part;
    Vec3, Length;
}

/// How much the ends and slopes of Hermite's cubic count in how fast it changes.
fn slope_weights(t: f32) -> [f32; 4] {
    let square = t * t;
    let ends = 6.0 * square - 6.0 * t;
    [ends, 3.0 * square - 4.0 * t + 1.0, 3.0 * square - 2.0 * t, -ends]
}

/// A part of an arc is an arc, a part of a squad is no squad.
impl Cut for Quat {
    const MEASURE: Measure = Measure::Angle;

    fn cut([a, _, _, b]: [Self; 4], part: [f32; 2], interp: Interp) -> Option<[Self; 4]> {
        let [from, to] = part.map(|part| Blend::linear(a, b, part));
        (!interp.has_tangents()).then_some([from, from, to, to])
    }

    fn straight(a: Self, b: Self, _: Interp) -> [Self; 2] {
        [a, b]
    }

    /// Half a turn: which way is shorter is a matter of the last bit.
    fn has_two_ways(a: Self, b: Self) -> bool {
        a.dot(b).abs() < HALF_TURN
    }
}

/// The cosine of half an arc below which it is as good as half a turn.
const HALF_TURN: f32 = 1e-5;

/// Nothing lies between pictures, nor between seen and not seen.
macro_rules! cut_steps {
    ($($value:ty),*) => { $(
        impl Cut for $value {
            fn cut([a, _, _, b]: [Self; 4], _: [f32; 2], _: Interp) -> Option<[Self; 4]> {
                Some([a, a, b, b])
            }

            fn straight(a: Self, b: Self, _: Interp) -> [Self; 2] {
                [a, b]
            }
        }
    )* };
}
cut_steps!(bool, Option<Id<SceneImage>>);
