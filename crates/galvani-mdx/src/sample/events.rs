//! Events: what happens when playback passes a moment (docs/notes/mdx-runtime.md#events).

use std::collections::BTreeMap;

use super::window::Window;
use crate::{Content, Document};

/// A moment that was passed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Crossing {
    /// Which event, by its place among all EVTS records.
    pub event: usize,
    /// The moment on the timeline, in milliseconds.
    pub time: i32,
    /// How often it was passed: more than once if more than a round was.
    pub count: u64,
}

/// The moments of a sequence, or of a global sequence, in order.
#[derive(Debug, Clone, PartialEq)]
pub struct Events {
    window: Window,
    moments: Vec<(i32, usize)>,
}

impl Events {
    /// The moments that lie in a sequence's window. Events of global sequences are not its own.
    pub fn in_window(document: &Document, window: Window) -> Self {
        let mut moments = Vec::new();
        each_moment(document, |global, moment| {
            if global < 0 {
                moments.push(moment);
            }
        });
        Events::with(window, moments)
    }

    /// The moments of each global sequence that has any. One that is not there has no length.
    pub fn globals(document: &Document) -> Vec<Events> {
        let lengths = document.globals();
        let mut found: BTreeMap<i32, Vec<(i32, usize)>> = BTreeMap::new();
        each_moment(document, |global, moment| found.entry(global).or_default().push(moment));
        let globals = found.into_iter().filter_map(|(global, moments)| {
            let id = usize::try_from(global).ok()?;
            let window = Window::global(lengths.get(id).copied().unwrap_or(0));
            Some(Events::with(window, moments))
        });
        globals.collect()
    }

    /// Those of its moments that lie in another window.
    pub(super) fn within(&self, window: Window) -> Self {
        let first = self.moments.partition_point(|(time, _)| f64::from(*time) < window.start);
        let end = self.moments.partition_point(|(time, _)| f64::from(*time) <= window.end());
        Events { window, moments: self.moments.get(first..end).unwrap_or_default().to_vec() }
    }

    /// How many moments there are.
    pub(super) fn len(&self) -> usize {
        self.moments.len()
    }

    /// Those of the moments that lie in a window, in order.
    fn with(window: Window, mut moments: Vec<(i32, usize)>) -> Self {
        moments.retain(|(time, _)| window.holds(*time));
        moments.sort_unstable();
        Events { window, moments }
    }

    /// Calls `each` with the moments passed from one time to a later one, both in milliseconds since the
    /// window began and over all its rounds: those after the first up to and with the second, in the order in
    /// which they come first. Every round passes both its ends. A beginning is any negative `from`.
    pub fn crossed(&self, from: f64, to: f64, each: impl FnMut(Crossing)) {
        self.each_passed(from, to, f64::INFINITY, each);
    }

    /// The same up to the end of the last of so many rounds: no other one begins there.
    pub(super) fn ended(&self, from: f64, rounds: f64, each: impl FnMut(Crossing)) {
        self.each_passed(from, rounds * self.window.length, rounds, each);
    }

    fn each_passed(&self, from: f64, to: f64, rounds: f64, mut each: impl FnMut(Crossing)) {
        let length = if self.window.is_looping { self.window.length } else { 0.0 };
        // Where the round stands: what comes later in it comes first.
        let here = if length > 0.0 && from >= 0.0 { from.rem_euclid(length) } else { from };
        let offset = |time: i32| f64::from(time) - self.window.start;
        let next = self.moments.partition_point(|(time, _)| offset(*time) <= here);
        let (before, after) = self.moments.split_at_checked(next).unwrap_or_default();
        let later = if length > 0.0 { before } else { &[] };
        let coming = after.iter().map(|row| (row, 0.0)).chain(later.iter().map(|row| (row, length)));
        for ((time, event), lap) in coming {
            // Those that follow come later still; the millisecond is for rounding.
            if offset(*time) + lap - here > to - from + 1.0 {
                break;
            }
            let count = passes(offset(*time), length, (from, to), rounds);
            if count > 0 {
                each(Crossing { event: *event, time: *time, count });
            }
        }
    }
}

/// Calls `each` with every moment of every event: its global sequence, its time, and which event.
fn each_moment(document: &Document, mut each: impl FnMut(i32, (i32, usize))) {
    for (_, first, chunk) in document.placed() {
        let Content::Events(rows) = &chunk.content else { continue };
        for (i, event) in rows.typed() {
            if let Some(track) = &event.track {
                track.times.iter().for_each(|time| each(track.global, (*time, first.saturating_add(i))));
            }
        }
    }
}

/// How many of `offset`, `offset + length`, `offset + 2·length`… lie after the first time and not after the
/// second, of the first so many.
#[allow(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a whole number that is not negative; more rounds than 64 bits count are as many as they do"
)]
fn passes(offset: f64, length: f64, (from, to): (f64, f64), rounds: f64) -> u64 {
    if length <= 0.0 {
        return u64::from(from < offset && offset <= to);
    }
    let passed = |time: f64| {
        let count = if time < offset { 0.0 } else { ((time - offset) / length).floor() + 1.0 };
        count.min(rounds)
    };
    (passed(to) - passed(from)).max(0.0) as u64
}
