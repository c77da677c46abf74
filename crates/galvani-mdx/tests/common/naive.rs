//! Curves by the letter of the facts, §5: slow, plain, and nothing of the crate's own arithmetic in it.

use galvani_mdx::Track;
use galvani_mdx::track::floats;

/// A sequence.
#[derive(Debug, Clone, Copy)]
pub struct Span {
    pub start: f64,
    pub end: f64,
    pub loops: bool,
}

struct Key {
    time: f64,
    value: Vec<f64>,
    inn: Vec<f64>,
    out: Vec<f64>,
}

/// The value of a track in a sequence at a moment of it.
pub fn at(track: &Track, span: Span, time: f64) -> Option<Vec<f64>> {
    let words = |words: &[u32]| -> Vec<f64> {
        let numbers: Vec<f64> =
            floats(track.value, words).unwrap().as_slice().iter().map(|number| f64::from(*number)).collect();
        if track.value.is_rotation() { unit(&numbers) } else { numbers }
    };
    let mut keys = Vec::new();
    for (i, key) in track.times.iter().enumerate() {
        let time = f64::from(*key);
        if time < span.start || time > span.end {
            continue;
        }
        let value = words(track.words(i).unwrap());
        let tangents = track.tangents(i).filter(|_| track.has_tangents());
        let (inn, out) = tangents.map_or((vec![], vec![]), |(inn, out)| (words(inn), words(out)));
        keys.push(Key { time, value, inn, out });
    }
    let (first, last) = (keys.first()?, keys.last()?);
    if keys.len() == 1 {
        return Some(first.value.clone());
    }
    for pair in keys.windows(2) {
        let (a, b) = (&pair[0], &pair[1]);
        if time >= a.time && time < b.time {
            return Some(between(track, a, b, (time - a.time) / (b.time - a.time)));
        }
    }
    let way = first.time - last.time + span.end - span.start;
    if !span.loops || way <= 0.0 {
        return Some(if time < first.time { first.value.clone() } else { last.value.clone() });
    }
    let gone = if time < first.time { time - span.start + span.end - last.time } else { time - last.time };
    Some(between(track, last, first, gone / way))
}

fn between(track: &Track, a: &Key, b: &Key, t: f64) -> Vec<f64> {
    let rotates = track.value.is_rotation();
    let mix = |f: &dyn Fn(usize) -> f64| (0..a.value.len()).map(f).collect::<Vec<f64>>();
    match track.interpolation {
        0 => a.value.clone(),
        1 if rotates => slerp(&a.value, &b.value, t),
        1 => mix(&|i| a.value[i] * (1.0 - t) + b.value[i] * t),
        _ if rotates => slerp(&slerp(&a.value, &b.value, t), &slerp(&a.out, &b.inn, t), 2.0 * t * (1.0 - t)),
        2 => {
            let (t2, t3) = (t * t, t * t * t);
            mix(&|i| {
                (2.0 * t3 - 3.0 * t2 + 1.0) * a.value[i]
                    + (t3 - 2.0 * t2 + t) * a.out[i]
                    + (t3 - t2) * b.inn[i]
                    + (-2.0 * t3 + 3.0 * t2) * b.value[i]
            })
        }
        3 => mix(&|i| {
            let s = 1.0 - t;
            s * s * s * a.value[i]
                + 3.0 * t * s * s * a.out[i]
                + 3.0 * t * t * s * b.inn[i]
                + t * t * t * b.value[i]
        }),
        other => panic!("interpolation {other}"),
    }
}

fn unit(q: &[f64]) -> Vec<f64> {
    let len = q.iter().map(|number| number * number).sum::<f64>().sqrt();
    q.iter().map(|number| number / len).collect()
}

fn slerp(a: &[f64], b: &[f64], t: f64) -> Vec<f64> {
    let dot: f64 = a.iter().zip(b).map(|(a, b)| a * b).sum();
    let sign = if dot < 0.0 { -1.0 } else { 1.0 };
    let angle = (dot * sign).min(1.0).acos();
    let (from, to) = if angle < 1e-6 {
        (1.0 - t, t)
    } else {
        (((1.0 - t) * angle).sin() / angle.sin(), (t * angle).sin() / angle.sin())
    };
    unit(&a.iter().zip(b).map(|(a, b)| from * a + to * sign * b).collect::<Vec<f64>>())
}

/// How far two values are from each other: in units, or in radians.
pub fn apart(track: &Track, a: &[f64], b: &[f64]) -> f64 {
    let length = |sign: f64| a.iter().zip(b).map(|(a, b)| (a - sign * b).powi(2)).sum::<f64>().sqrt();
    if track.value.is_rotation() {
        return 4.0 * length(1.0).min(length(-1.0)).atan2(length(1.0).max(length(-1.0)));
    }
    length(1.0)
}

/// The furthest that two tracks are from each other at steps of a sequence, `parts` of a millisecond each.
pub fn furthest(one: &Track, other: &Track, span: Span, parts: u32) -> f64 {
    let mut most: f64 = 0.0;
    let mut time = span.start;
    while time <= span.end {
        if let (Some(a), Some(b)) = (at(one, span, time), at(other, span, time)) {
            most = most.max(apart(one, &a, &b));
        }
        time += 1.0 / f64::from(parts);
    }
    most
}
