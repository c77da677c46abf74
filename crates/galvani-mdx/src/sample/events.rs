//! Events: what happens when playback passes a moment (facts §5.16).

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
    pub fn of(document: &Document, window: Window) -> Self {
        Events::with(document, window, |global| global < 0)
    }

    /// The moments of each global sequence.
    pub fn globals(document: &Document) -> Vec<Events> {
        let each = (0_i32..).zip(document.globals());
        each.map(|(id, length)| Events::with(document, Window::global(length), |global| global == id))
            .collect()
    }

    fn with(document: &Document, window: Window, is_it: impl Fn(i32) -> bool) -> Self {
        let mut moments = Vec::new();
        for (_, first, chunk) in document.placed() {
            let Content::Events(rows) = &chunk.content else { continue };
            for (i, event) in rows.typed() {
                let track = event.track.iter().filter(|track| is_it(track.global));
                let times = track.flat_map(|track| &track.times).filter(|time| window.holds(**time));
                moments.extend(times.map(|time| (*time, first.saturating_add(i))));
            }
        }
        moments.sort_unstable();
        Events { window, moments }
    }

    /// Calls `each` with the moments passed from one time to a later one, both in milliseconds since the
    /// window began and over all its rounds: those after the first up to and with the second, in the order in
    /// which they come first. Every round passes both its ends. A beginning is any negative `from`.
    pub fn crossed(&self, from: f64, to: f64, mut each: impl FnMut(Crossing)) {
        let length = if self.window.is_looping { self.window.length } else { 0.0 };
        // Where the round stands: what comes later in it comes first.
        let here = if length > 0.0 && from >= 0.0 { from.rem_euclid(length) } else { from };
        let offset = |time: i32| f64::from(time) - self.window.start;
        let next = self.moments.partition_point(|(time, _)| offset(*time) <= here);
        let (before, after) = self.moments.split_at_checked(next).unwrap_or_default();
        for (time, event) in after.iter().chain(before) {
            let count = rounds(offset(*time), length, from, to);
            if count > 0 {
                each(Crossing { event: *event, time: *time, count });
            }
        }
    }
}

/// How many of `offset`, `offset + length`, `offset + 2·length`… lie after `from` and not after `to`.
#[allow(
    clippy::as_conversions,
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "a whole number that is not negative; more rounds than 64 bits count are as many as they do"
)]
fn rounds(offset: f64, length: f64, from: f64, to: f64) -> u64 {
    if length <= 0.0 {
        return u64::from(from < offset && offset <= to);
    }
    let passed = |time: f64| if time < offset { 0.0 } else { ((time - offset) / length).floor() + 1.0 };
    (passed(to) - passed(from)).max(0.0) as u64
}
