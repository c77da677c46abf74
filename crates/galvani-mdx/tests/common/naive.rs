//! How far tracks are from each other, by the slow reference.

use galvani_mdx::Track;

pub use super::slow::{Window as Span, at};

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
