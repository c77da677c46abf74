//! When something fades, and when it is not seen at all.

use galvani_scene::Curve;

use super::surface::SEEN;
use super::{milliseconds, seconds};

/// Into how many parts the way between two keys is cut to see whether something appears in it.
const PROBES: u16 = 16;

/// How often the place is halved in which something comes nearest to appearing or going.
const HALVINGS: u16 = 24;

/// When something is seen whose opacity changes; `stops` rise and have every time at which it jumps.
pub(super) fn seen(stops: &[f32], opacity: impl Fn(f32) -> f32) -> Curve<bool> {
    let is_seen = |time: f32| opacity(time) >= SEEN;
    let mut curve = Curve::step(Vec::new(), Vec::new());
    let mut push = |time: f32, value: bool| {
        let is_later = curve.times.last().is_none_or(|last| *last < time);
        if curve.values.last() != Some(&value) && is_later {
            curve.times.push(time);
            curve.values.push(value);
        } else if let Some(last) = curve.values.last_mut().filter(|_| !is_later) {
            *last = value;
        }
    };
    let mut before: Option<f32> = None;
    for &stop in stops {
        let parts = before.map(|from| looks(from, stop, &opacity)).unwrap_or_default();
        for time in parts.into_iter().chain([stop]) {
            if let Some(earlier) = before.filter(|earlier| is_seen(*earlier) != is_seen(time)) {
                let turning = turning(earlier, time, is_seen);
                push(on_grid(turning, is_seen(time), earlier, time), is_seen(time));
            }
            before = Some(time);
        }
        push(stop, is_seen(stop));
    }
    curve
}

/// Times between two at which to look: evenly apart, and wherever it comes nearest to appearing or going between those.
fn looks(from: f32, to: f32, opacity: &impl Fn(f32) -> f32) -> Vec<f32> {
    if from.next_up() >= to {
        return Vec::new();
    }
    let even = |i: u16| from + (to - from) * f32::from(i) / f32::from(PROBES);
    let mut looks = Vec::new();
    for i in 0..=PROBES {
        let [before, time, behind] = [i.saturating_sub(1), i, i.saturating_add(1).min(PROBES)].map(even);
        let is_seen = opacity(time) >= SEEN;
        // How far it is from changing sides, where it is on the same side all along.
        let margin = |time: f32| if is_seen { opacity(time) - SEEN } else { SEEN - opacity(time) };
        let [first, here, last] = [before, time, behind].map(margin);
        let turns = (0.0..=first).contains(&here) && here <= last;
        let nearest = turns.then(|| nearest(before, behind, margin)).filter(|it| margin(*it) <= 0.0);
        looks.extend(nearest.filter(|nearest| *nearest < time));
        looks.push(time);
        looks.extend(nearest.filter(|nearest| *nearest > time));
    }
    looks
}

/// Where a margin that falls and rises again is least.
fn nearest(mut from: f32, mut to: f32, margin: impl Fn(f32) -> f32) -> f32 {
    for _ in 0..HALVINGS {
        let (low, high) = (from + (to - from) * 0.45, from + (to - from) * 0.55);
        if margin(low) <= margin(high) {
            to = high;
        } else {
            from = low;
        }
    }
    from + (to - from) * 0.5
}

/// A whole millisecond at which something may appear or be gone: it is hidden rather too long than too short.
fn on_grid(time: f32, appears: bool, from: f32, to: f32) -> f32 {
    let exact = milliseconds(time);
    let whole = seconds(if appears { exact.ceil() } else { exact.floor() });
    if (from..=to).contains(&whole) { whole } else { time }
}

/// The first time between two at which something is seen as it is at the second.
fn turning(mut from: f32, mut to: f32, is_seen: impl Fn(f32) -> bool) -> f32 {
    let wanted = is_seen(to);
    loop {
        let middle = from + (to - from) * 0.5;
        if middle <= from || middle >= to {
            return to;
        }
        if is_seen(middle) == wanted {
            to = middle;
        } else {
            from = middle;
        }
    }
}

/// A curve times a number, which is exact whatever its interpolation.
pub(super) fn scaled(curve: &Curve<f32>, by: f32) -> Curve<f32> {
    Curve {
        times: curve.times.clone(),
        values: curve.values.iter().map(|value| value * by).collect(),
        tangents: curve.tangents.iter().map(|both| both.map(|value| value * by)).collect(),
        interp: curve.interp,
    }
}
