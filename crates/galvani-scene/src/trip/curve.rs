//! A curve of which samples came back: whether it is still the same, and if not, which of its keys were changed.

use std::ops::Range;

use glam::{Quat, Vec3};

use crate::{Blend, Curve, Interp};

/// Seconds within which two times are the same.
const MOMENT: f32 = 5e-4;

/// How much farther than the tolerance a motion may be from the keys that were found for it: each is as far off itself.
const SLACK: f32 = 4.0;

/// How much of the way to the next key a curve with tangents may be off between two samples.
const UNSURE: f32 = 0.1;

/// The same where a sample stands at every key: programs round the tangents that they make.
const ROUGH: f32 = 0.01;

/// Times, which rise, and values.
pub(super) type Samples<V> = [(f32, V)];

/// The samples between two times.
fn within<V>(samples: &Samples<V>, from: f32, to: f32) -> &Samples<V> {
    let start = samples.partition_point(|(time, _)| *time <= from);
    let end = samples.partition_point(|(time, _)| *time < to);
    samples.get(start..end).unwrap_or_default()
}

/// The value of the sample that stands at a time.
fn exact<V: Copy>(samples: &Samples<V>, time: f32) -> Option<V> {
    within(samples, time - MOMENT, time + MOMENT).first().map(|sample| sample.1)
}

/// Another way between two values than a scene's: some programs blend the parts of rotations one by one.
#[derive(Debug, Clone, Copy)]
pub(super) struct Joining<V> {
    /// A part of the way from one to another.
    between: fn(V, V, f32) -> V,
    /// Where a way ends that begins here and leads there after a part of it.
    end: fn(V, V, f32) -> V,
    /// The same keys with the tangents that programs give them which make their own.
    smooth: fn(&Curve<V>) -> Vec<Curve<V>>,
}

impl Joining<Vec3> {
    pub(super) const STRAIGHT: Self =
        Joining { between: Blend::linear, end: |a, b, part| a + (b - a) / part, smooth };
}

impl Joining<Quat> {
    pub(super) const BY_PARTS: Self =
        Joining { between: by_parts, end: end_by_parts, smooth: |_| Vec::new() };
}

/// The same keys with tangents as Blender makes them: level, halfway between both sides, and such that nothing jerks; at both ends all
/// are level.
fn smooth(curve: &Curve<Vec3>) -> Vec<Curve<Vec3>> {
    let steps: Vec<f32> = curve.times.windows(2).map(|span| span[1] - span[0]).collect();
    let ways = curve.values.windows(2).zip(&steps).map(|(ends, step)| (ends[1] - ends[0]) / *step);
    let ways: Vec<Vec3> = ways.collect();
    let level = vec![Vec3::ZERO; curve.values.len()];
    let mut halfway = level.clone();
    for (slope, sides) in halfway.iter_mut().skip(1).zip(ways.windows(2)) {
        *slope = (sides[0] + sides[1]) / 2.0;
    }
    let all = [steady(&steps, &ways), halfway, level];
    all.into_iter().map(|slopes| with_slopes(curve, &steps, &slopes)).collect()
}

/// The slopes of keys at which what changes them does not jump: each equation has three in a row.
fn steady(steps: &[f32], ways: &[Vec3]) -> Vec<Vec3> {
    let mut slopes = vec![Vec3::ZERO; steps.len() + 1];
    // What each slope takes of the next, and its own part.
    let mut rows: Vec<(f32, Vec3)> = vec![(0.0, Vec3::ZERO)];
    for (steps, ways) in steps.windows(2).zip(ways.windows(2)) {
        let [before, behind] = [1.0 / steps[0], 1.0 / steps[1]];
        let (taken, own) = rows.last().copied().unwrap_or_default();
        let whole = 2.0 * (before + behind) - before * taken;
        let sum = 3.0 * (ways[0] * before + ways[1] * behind);
        rows.push((behind / whole, (sum - own * before) / whole));
    }
    for key in (1..rows.len()).rev() {
        slopes[key] = rows[key].1 - slopes[key + 1] * rows[key].0;
    }
    slopes
}

/// The same keys with other tangents.
fn with_slopes(curve: &Curve<Vec3>, steps: &[f32], slopes: &[Vec3]) -> Curve<Vec3> {
    let step = |key: Option<usize>| key.and_then(|key| steps.get(key)).copied().unwrap_or_default();
    let pair = |(key, slope): (usize, &Vec3)| [*slope * step(key.checked_sub(1)), *slope * step(Some(key))];
    let tangents = slopes.iter().enumerate().map(pair).collect();
    Curve { tangents, interp: Interp::Hermite, ..curve.clone() }
}

/// How far samples between the keys of a curve with tangents are from it, if that is farther than they are that programs make which
/// give keys tangents of their own.
pub(super) fn unexplained<V: Blend>(
    curve: &Curve<V>,
    samples: &Samples<V>,
    (tolerance, joining): (f32, Joining<V>),
) -> Option<f32> {
    let ways = (joining.smooth)(curve);
    let mut most: Option<f32> = None;
    for (key, span) in curve.times.windows(2).enumerate() {
        let chord = curve.values[key].distance(curve.values[key + 1]);
        let is_unsure = span.iter().any(|time| exact(samples, *time).is_none());
        let allowed = tolerance * SLACK + chord * if is_unsure { UNSURE } else { ROUGH };
        for sample in within(samples, span[0] + MOMENT, span[1] - MOMENT) {
            let own = off(curve, *sample, joining);
            let far = ways.iter().map(|way| off(way, *sample, joining)).fold(own, f32::min);
            if far > allowed {
                most = Some(most.unwrap_or_default().max(own));
            }
        }
    }
    most
}

/// How far two curves with keys at the same times are apart between those; nothing if they have other keys.
pub(super) fn between_keys<V: Blend>(old: &Curve<V>, new: &Curve<V>, joining: Joining<V>) -> Option<f32> {
    let is_same = |(old, new): (&f32, &f32)| (old - new).abs() <= MOMENT;
    let is_kept = old.times.len() == new.times.len() && old.times.iter().zip(&new.times).all(is_same);
    let parts = [0.25, 0.5, 0.75];
    let times = new.times.windows(2).flat_map(|span| parts.map(|part| span[0] + (span[1] - span[0]) * part));
    let off = |time: f32| Some(off(old, (time, new.at(time)?), joining));
    is_kept.then(|| times.filter_map(off).fold(0.0, f32::max))
}

fn by_parts(a: Quat, b: Quat, part: f32) -> Quat {
    let b = if a.dot(b) < 0.0 { -b } else { b };
    (a + (b - a) * part).normalize()
}

/// The unit quaternion of which a part, and the rest of the first one, point to the second.
fn end_by_parts(a: Quat, b: Quat, part: f32) -> Quat {
    let b = if a.dot(b) < 0.0 { -b } else { b };
    let (rest, along) = (1.0 - part, a.dot(b));
    let square = part * part - rest * rest * (1.0 - along * along);
    let length = rest * along + square.max(0.0).sqrt();
    ((b * length - a * rest) / part).normalize()
}

/// A curve that was changed.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Changed<V> {
    pub(super) curve: Curve<V>,
    /// Whether some of its keys had to be found between samples.
    pub(super) is_off_grid: bool,
}

/// How far the farthest sample is from a curve; what is no number is infinitely far.
pub(super) fn farthest<V: Blend>(curve: &Curve<V>, samples: &Samples<V>, joining: Joining<V>) -> f32 {
    samples.iter().map(|sample| off(curve, *sample, joining)).fold(0.0, f32::max)
}

/// How far two curves are apart at the keys of the second; where that has no more than the first, it was not sampled anew, so that the
/// keys of the first and what lies between those count, too.
pub(super) fn apart<V: Blend>(old: &Curve<V>, new: &Curve<V>) -> f32 {
    let off = |time: f32, value: V| {
        let sides = [time, time - MOMENT, time + MOMENT].map(|time| old.at(time));
        sides.into_iter().flatten().map(|it| it.distance(value)).fold(f32::INFINITY, f32::min)
    };
    let mut times = new.times.clone();
    if new.times.len() <= old.times.len() {
        times.extend(&old.times);
        times.extend(old.times.windows(2).map(|span| f32::midpoint(span[0], span[1])));
    }
    times.into_iter().filter_map(|time| Some(off(time, new.at(time)?))).fold(0.0, f32::max)
}

/// How far a sample is from a curve, whichever way that takes between its keys.
fn off<V: Blend>(curve: &Curve<V>, (time, value): (f32, V), joining: Joining<V>) -> f32 {
    let sides = [time, time - MOMENT, time + MOMENT].map(|time| curve.at(time));
    let all = sides.into_iter().chain([straight(curve, time, joining)]).flatten();
    let far = all.map(|other| other.distance(value)).fold(f32::INFINITY, f32::min);
    if value.is_finite() { far } else { f32::INFINITY }
}

/// A value between two keys, whatever the way between them is said to be.
fn straight<V: Blend>(curve: &Curve<V>, time: f32, joining: Joining<V>) -> Option<V> {
    let behind = curve.times.partition_point(|at| *at <= time);
    let key = behind.checked_sub(1)?;
    let (from, to) = (curve.times.get(key)?, curve.times.get(behind)?);
    Some((joining.between)(*curve.values.get(key)?, *curve.values.get(behind)?, (time - from) / (to - from)))
}

/// The curve with other values at as few keys as make the motion that came back; nothing if no values do.
pub(super) fn refitted<V: Blend>(
    old: &Curve<V>,
    samples: &Samples<V>,
    (tolerance, joining): (f32, Joining<V>),
) -> Option<Changed<V>> {
    let evidence = Evidence::new(old, samples, (tolerance, joining));
    let [seen, certain, possible] = [evidence.seen(), evidence.certain(), evidence.possible()];
    let mut made = Changed { curve: old.clone(), is_off_grid: false };
    for run in crate::origin::runs((0..possible.len()).filter(|key| possible[*key])) {
        let part = CurveStretch::new(old, samples, run);
        let found = part.refitted([&seen, &certain, &possible], (tolerance, joining))?;
        part.put_back(&found, &mut made);
    }
    (farthest(&made.curve, samples, joining) <= tolerance * SLACK).then_some(made)
}

/// Keys in a row that may have been changed, with those beside them, and the samples among them.
struct CurveStretch<'s, V> {
    /// Where it begins in the whole curve.
    start: usize,
    /// Which of its keys may have been changed.
    keys: Range<usize>,
    curve: Curve<V>,
    samples: &'s Samples<V>,
}

impl<'s, V: Blend> CurveStretch<'s, V> {
    fn new(old: &Curve<V>, samples: &'s Samples<V>, run: Range<usize>) -> Self {
        let start = run.start.saturating_sub(1);
        let all = start..old.times.len().min(run.end + 1);
        let (first, last) = (run.start - start, run.end - start);
        let (from, to) = (around(&old.times, run.start)[0], around(&old.times, run.end - 1)[2]);
        let curve = Curve {
            times: old.times[all.clone()].to_vec(),
            values: old.values[all].to_vec(),
            tangents: Vec::new(),
            interp: old.interp,
        };
        CurveStretch { start, keys: first..last, curve, samples: within(samples, from, to) }
    }

    /// The part with other values where samples show them, and at one key more, or a few in a row, or at those that are likely.
    fn refitted(
        &self,
        [seen, certain, possible]: [&[bool]; 3],
        fit: (f32, Joining<V>),
    ) -> Option<Changed<V>> {
        let few = if self.keys.len() > MOST_TRIED { 0 } else { MOST_TOUCHED };
        for count in 0..=few {
            let windows = self.keys.clone().map(|first| first..first + count);
            let windows = windows.filter(|window| window.end <= self.keys.end);
            let with_seen = |window: Range<usize>| {
                self.fitted(|key| window.contains(&key) || seen[self.start + key], fit)
            };
            let found = windows.filter_map(with_seen);
            // Where several would do, whoever changed something changed little.
            if let Some(least) = found.min_by(|a, b| self.change(a).total_cmp(&self.change(b))) {
                return Some(least);
            }
        }
        [certain, possible].into_iter().find_map(|all| self.fitted(|key| all[self.start + key], fit))
    }

    fn fitted(&self, is_touched: impl Fn(usize) -> bool, fit: (f32, Joining<V>)) -> Option<Changed<V>> {
        let touched: Vec<bool> =
            (0..self.curve.times.len()).map(|key| self.keys.contains(&key) && is_touched(key)).collect();
        let found = fitted(&self.curve, self.samples, &touched, fit);
        (farthest(&found.curve, self.samples, fit.1) <= fit.0 * SLACK).then_some(found)
    }

    /// How far the keys of a fit are from the old ones, all together.
    fn change(&self, found: &Changed<V>) -> f32 {
        found.curve.values.iter().zip(&self.curve.values).map(|(new, old)| new.distance(*old)).sum()
    }

    fn put_back(&self, found: &Changed<V>, made: &mut Changed<V>) {
        made.is_off_grid |= found.is_off_grid;
        for key in self.keys.clone() {
            made.curve.values[self.start + key] = found.curve.values[key];
        }
    }
}

/// Keys in a row up to which few of them are tried: beyond it somebody has changed everything.
const MOST_TRIED: usize = 64;

/// Keys that are tried to be all that was changed in a row.
const MOST_TOUCHED: usize = 3;

/// What samples say about keys: of each key, and of each span from a key to the next, whether it was changed. Nothing where no
/// sample stands.
struct Evidence {
    keys: Vec<Option<bool>>,
    spans: Vec<Option<bool>>,
}

impl Evidence {
    fn new<V: Blend>(old: &Curve<V>, samples: &Samples<V>, (tolerance, joining): (f32, Joining<V>)) -> Self {
        let mut found =
            Evidence { keys: vec![None; old.times.len()], spans: vec![None; old.times.len() + 1] };
        for sample in samples {
            let behind = old.times.partition_point(|at| *at <= sample.0);
            let near = [behind.checked_sub(1), Some(behind)].into_iter().flatten();
            let is_at = |key: &usize| old.times.get(*key).is_some_and(|at| (at - sample.0).abs() < MOMENT);
            let slot = match near.into_iter().find(is_at) {
                Some(key) => &mut found.keys[key],
                None => &mut found.spans[behind],
            };
            let off = off(old, *sample, joining);
            // What is no number is near nothing.
            let is_changed = off.is_nan() || off > tolerance;
            *slot = Some(slot.unwrap_or(false) || is_changed);
        }
        found
    }

    /// Keys at which samples stand that are others.
    fn seen(&self) -> Vec<bool> {
        self.keys.iter().map(|key| *key == Some(true)).collect()
    }

    /// Keys that nothing speaks for any more: a span that is as it was speaks for both of its keys.
    fn certain(&self) -> Vec<bool> {
        self.judged(|spans| spans.contains(&Some(true)) && !spans.contains(&Some(false)))
    }

    /// Keys that something speaks against.
    fn possible(&self) -> Vec<bool> {
        self.judged(|spans| spans.contains(&Some(true)))
    }

    fn judged(&self, by_spans: impl Fn(&[Option<bool>]) -> bool) -> Vec<bool> {
        let beside = self.spans.windows(2);
        self.keys.iter().zip(beside).map(|(key, beside)| key.unwrap_or_else(|| by_spans(beside))).collect()
    }
}

/// The curve with other values at some keys: those of samples that stand there, else what the samples beside them lead to.
fn fitted<V: Blend>(
    old: &Curve<V>,
    samples: &Samples<V>,
    touched: &[bool],
    (tolerance, joining): (f32, Joining<V>),
) -> Changed<V> {
    let mut made = Changed { curve: old.clone(), is_off_grid: false };
    for key in (0..old.times.len()).filter(|key| touched.get(*key) == Some(&true)) {
        let exact = exact(samples, old.times[key]);
        made.is_off_grid |= exact.is_none();
        let is_next_known = touched.get(key + 1) != Some(&true);
        let value = exact.or_else(|| led_to(&made.curve, (key, is_next_known), samples, joining));
        if let Some(value) = value.filter(|value| value.distance(old.values[key]) > tolerance) {
            made.curve.values[key] = value;
        }
    }
    made
}

/// The value of a key that the samples beside it are nearest to: one before it leads there from the key before, one behind it back
/// from the key behind, if that is known.
fn led_to<V: Blend>(
    curve: &Curve<V>,
    (key, is_next_known): (usize, bool),
    samples: &Samples<V>,
    joining: Joining<V>,
) -> Option<V> {
    let [from, at, to] = around(&curve.times, key);
    let [before, behind] = [within(samples, from, at), within(samples, at, to)];
    let start = key.checked_sub(1).map(|start| curve.values[start]);
    let end = curve.values.get(key + 1).copied().filter(|_| is_next_known);
    let mut all: Vec<V> = behind.first().map(|sample| sample.1).into_iter().collect();
    if let (Some((time, value)), Some(start)) = (before.last(), start) {
        let part = (time - from) / (at - from);
        all.extend([V::linear(start, *value, part.recip()), (joining.end)(start, *value, part)]);
    }
    if let (Some((time, value)), Some(end)) = (behind.first(), end) {
        let part = (to - time) / (to - at);
        all.extend([V::linear(end, *value, part.recip()), (joining.end)(end, *value, part)]);
    }
    // Where the next key is not known, only what lies before this one can tell.
    let behind = if is_next_known { behind } else { &[] };
    let far = |value: V| {
        let tried = beside(curve, key, value);
        farthest(&tried, before, joining).max(farthest(&tried, behind, joining))
    };
    let rated = all.into_iter().filter(|it| it.is_finite()).map(|it| (far(it), it));
    rated.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, value)| value)
}

/// A key of a curve with another value, and the keys beside it.
fn beside<V: Blend>(curve: &Curve<V>, key: usize, value: V) -> Curve<V> {
    let keys = key.saturating_sub(1)..curve.times.len().min(key + 2);
    let value = |other: usize| if other == key { value } else { curve.values[other] };
    let (times, values) = keys.map(|other| (curve.times[other], value(other))).unzip();
    Curve { times, values, tangents: Vec::new(), interp: curve.interp }
}

/// The times of a key and of those beside it.
fn around(times: &[f32], key: usize) -> [f32; 3] {
    let before = key.checked_sub(1).map_or(f32::NEG_INFINITY, |before| times[before]);
    [before, times[key], times.get(key + 1).copied().unwrap_or(f32::INFINITY)]
}

/// The same of a curve with tangents, which some programs replace by their own: only what it is at its keys counts. Where no sample
/// stands at a key, what lies between two may be off by a part of the way to the next key.
pub(super) fn at_keys<V: Blend>(old: &Curve<V>, samples: &Samples<V>, tolerance: f32) -> Changed<V> {
    let (times, values) = samples.iter().copied().unzip();
    let came = Curve::linear(times, values);
    let mut made = Changed { curve: old.clone(), is_off_grid: false };
    for (key, (&time, &before)) in old.times.iter().zip(&old.values).enumerate() {
        let exact = exact(samples, time);
        let beside = [key.checked_sub(1), key.checked_add(1)].into_iter().flatten();
        let ways = beside.filter_map(|other| Some(old.values.get(other)?.distance(before)));
        let unsure = if exact.is_some() { 0.0 } else { UNSURE * ways.fold(0.0, f32::max) };
        let value = exact.or_else(|| came.at(time));
        if let Some(value) = value.filter(|value| value.distance(before) > tolerance + unsure) {
            made.curve.values[key] = value;
            made.is_off_grid |= exact.is_none();
        }
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_way_by_parts_leads_to_its_end() {
        let (a, b) = (Quat::from_rotation_x(0.3), Quat::from_rotation_y(1.4));
        for part in [0.1, 0.5, 0.875] {
            let found = end_by_parts(a, by_parts(a, b, part), part);
            assert!(found.distance(b) < 1e-5 / part, "{part}: {found}");
        }
    }
}
