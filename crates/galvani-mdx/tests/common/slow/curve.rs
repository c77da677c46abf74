//! From key to key (docs/notes/mdx-runtime.md#curves).

use super::clock::Window;
use super::math::slerp;

/// A key; its turns have length one.
#[derive(Debug, Clone)]
pub struct Key {
    pub time: f64,
    pub value: Vec<f64>,
    /// The tangent before it; empty if it has none.
    pub arriving: Vec<f64>,
    /// The tangent behind it.
    pub leaving: Vec<f64>,
}

/// How a curve goes from one key to the next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SlowShape {
    Step,
    Linear,
    Hermite,
    Bezier,
}

/// The value at a time of the window whose keys these are, in order of time.
pub fn curve(
    keys: &[Key],
    way: SlowShape,
    rotates: bool,
    window: Window,
    time: f64,
    wraps: bool,
) -> Option<Vec<f64>> {
    let between = |a: &Key, b: &Key, t: f64| if rotates { turn(a, b, way, t) } else { mix(a, b, way, t) };
    let (first, last) = (keys.first()?, keys.last()?);
    let alone = |key: &Key| Some(between(key, key, 0.0));
    if keys.len() == 1 {
        return alone(first);
    }
    let is_before = time < first.time;
    if !is_before && time < last.time {
        let (mut a, mut b) = (first, last);
        for key in keys {
            if key.time <= time {
                a = key;
            } else {
                b = key;
                break;
            }
        }
        return Some(between(a, b, (time - a.time) / (b.time - a.time)));
    }
    if !wraps {
        return alone(if is_before { first } else { last });
    }
    let span = first.time - last.time + window.length();
    if span <= 0.0 {
        return alone(last);
    }
    let gone = time - last.time + if is_before { window.length() } else { 0.0 };
    Some(between(last, first, gone / span))
}

/// Between two keys of numbers.
fn mix(a: &Key, b: &Key, way: SlowShape, t: f64) -> Vec<f64> {
    let s = 1.0 - t;
    let each = |f: &dyn Fn(usize) -> f64| (0..a.value.len()).map(f).collect();
    match way {
        _ if t == 0.0 => a.value.clone(),
        SlowShape::Step => a.value.clone(),
        SlowShape::Linear => each(&|i| s * a.value[i] + t * b.value[i]),
        SlowShape::Hermite => each(&|i| {
            (2.0 * t.powi(3) - 3.0 * t.powi(2) + 1.0) * a.value[i]
                + (t.powi(3) - 2.0 * t.powi(2) + t) * a.leaving[i]
                + (t.powi(3) - t.powi(2)) * b.arriving[i]
                + (-2.0 * t.powi(3) + 3.0 * t.powi(2)) * b.value[i]
        }),
        SlowShape::Bezier => each(&|i| {
            s.powi(3) * a.value[i]
                + 3.0 * t * s.powi(2) * a.leaving[i]
                + 3.0 * t.powi(2) * s * b.arriving[i]
                + t.powi(3) * b.value[i]
        }),
    }
}

/// Between two keys of turns.
fn turn(a: &Key, b: &Key, way: SlowShape, t: f64) -> Vec<f64> {
    let (from, to) = (quaternion(&a.value), quaternion(&b.value));
    let found = match way {
        _ if t == 0.0 => from,
        SlowShape::Step => from,
        SlowShape::Linear => slerp(from, to, t),
        SlowShape::Hermite | SlowShape::Bezier => {
            let tangents = slerp(quaternion(&a.leaving), quaternion(&b.arriving), t);
            slerp(slerp(from, to, t), tangents, 2.0 * t * (1.0 - t))
        }
    };
    found.to_vec()
}

fn quaternion(numbers: &[f64]) -> [f64; 4] {
    [numbers[0], numbers[1], numbers[2], numbers[3]]
}
