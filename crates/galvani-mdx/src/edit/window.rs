//! Which keys a moment is between: those of its sequence (docs/notes/mdx-runtime.md#keys).

use super::curve::{Curve, CurvePart, Point};
use crate::Document;
use crate::track::Track;

/// A part of the timeline that plays by itself.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Window {
    pub(super) start: i32,
    pub(super) end: i32,
    /// Whether the curve goes on from the last key to the first.
    pub(super) is_looping: bool,
}

/// All there is, for keys that no sequence holds.
pub(super) const EVERYTHING: Window = Window { start: i32::MIN, end: i32::MAX, is_looping: false };

/// Where a moment lies on the curve of a window.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) enum CurvePosition {
    /// On the way between two keys.
    Between { a: usize, b: usize, u: f64 },
    /// Before the first key, where the curve stands still.
    Before(usize),
    /// Behind the last one, or the only one.
    Behind(usize),
}

/// The windows in which a track plays.
pub(super) fn windows(document: &Document, track: &Track) -> Vec<Window> {
    if track.global != -1 {
        let lengths = document.globals();
        let len = usize::try_from(track.global).ok().and_then(|id| lengths.get(id).copied());
        let end = len.filter(|len| *len > 0).and_then(|len| i32::try_from(len).ok());
        return vec![end.map_or(EVERYTHING, |end| Window { start: 0, end, is_looping: true })];
    }
    let rows = document.sequences();
    if rows.is_empty() {
        return vec![EVERYTHING];
    }
    let window = |row: &crate::Sequence<'_>| {
        let (start, end) = row.window();
        let (start, end) = (i32::try_from(start).ok()?, i32::try_from(end).ok()?);
        (start <= end).then_some(Window { start, end, is_looping: row.is_looping() })
    };
    rows.iter().filter_map(window).collect()
}

/// The first window in which a moment lies.
pub(super) fn window_at(windows: &[Window], time: i32) -> Option<Window> {
    windows.iter().find(|window| window.holds(time)).copied()
}

impl Window {
    pub(super) fn holds(&self, time: i32) -> bool {
        (self.start..=self.end).contains(&time)
    }

    /// The first and the last key that lie in it, of keys in order.
    pub(super) fn ends(&self, curve: &Curve) -> Option<(usize, usize)> {
        let first = curve.keys.partition_point(|key| key.time < self.start);
        let last = curve.keys.partition_point(|key| key.time <= self.end).checked_sub(1)?;
        (first <= last).then_some((first, last))
    }

    /// Where a moment in it lies.
    pub(super) fn position_at(&self, curve: &Curve, time: f64) -> Option<CurvePosition> {
        let (first, last) = self.ends(curve)?;
        let at = |key: usize| curve.keys.get(key).map_or(0.0, |key| f64::from(key.time));
        let (begin, end) = (at(first), at(last));
        if time >= begin && time < end {
            let b = curve.keys.partition_point(|key| f64::from(key.time) <= time).clamp(first, last);
            let a = b.saturating_sub(1);
            return Some(CurvePosition::Between { a, b, u: part(time - at(a), at(b) - at(a)) });
        }
        let span = begin - end + f64::from(self.end) - f64::from(self.start);
        if !self.is_looping || first == last || span <= 0.0 {
            return Some(if time < begin {
                CurvePosition::Before(first)
            } else {
                CurvePosition::Behind(last)
            });
        }
        let way =
            if time < begin { time - f64::from(self.start) + f64::from(self.end) - end } else { time - end };
        Some(CurvePosition::Between { a: last, b: first, u: part(way, span) })
    }

    /// The value at a moment in it.
    pub(super) fn sample(&self, curve: &Curve, time: f64) -> Option<Point> {
        Some(match self.position_at(curve, time)? {
            CurvePosition::Between { a, b, u } => curve.segment(a, b).at(u),
            CurvePosition::Before(key) | CurvePosition::Behind(key) => curve.point(key, CurvePart::Value),
        })
    }
}

fn part(way: f64, span: f64) -> f64 {
    if span > 0.0 { way / span } else { 0.0 }
}

/// Moments in a window at which curves are held against each other.
const MOMENTS: u32 = 4096;

/// How far one curve of the same values is from another in all windows, at the keys of both and at moments
/// evenly between.
pub(super) fn apart(one: &Curve, other: &Curve, windows: &[Window]) -> f64 {
    let mut most: f64 = 0.0;
    for window in windows {
        let (Some(_), Some(_)) = (window.ends(one), window.ends(other)) else { continue };
        let inside = |curve: &Curve| {
            curve.keys.iter().map(|key| key.time).filter(|time| window.holds(*time)).collect::<Vec<_>>()
        };
        let keys = [inside(one), inside(other)].concat();
        let start = if *window == EVERYTHING { keys.iter().min().copied() } else { Some(window.start) };
        let end = if *window == EVERYTHING { keys.iter().max().copied() } else { Some(window.end) };
        let (start, end) = (start.unwrap_or(0), end.unwrap_or(0));
        let len = end.abs_diff(start);
        let steps = len.clamp(1, MOMENTS);
        let even = (0..=steps)
            .map(|step| (f64::from(start) + f64::from(len) * f64::from(step) / f64::from(steps)).floor());
        for time in even.chain(keys.iter().map(|time| f64::from(*time))) {
            if let (Some(a), Some(b)) = (window.sample(one, time), window.sample(other, time)) {
                most = most.max(one.distance(a, b));
            }
        }
    }
    most
}
