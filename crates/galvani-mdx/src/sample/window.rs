//! When keys count, and what the clock says (docs/notes/mdx-runtime.md#time, #windows).

use crate::Sequence;

/// What lies before the first key of a window and behind the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WindowEdges {
    /// [`Wrap`](WindowEdges::Wrap) where the clock loops, else [`Hold`](WindowEdges::Hold).
    #[default]
    Auto,
    /// The way from the last key over the seam to the first, as the client has it.
    Wrap,
    /// The first key, and the last.
    Hold,
}

/// A stretch of the timeline, both ends included, and whether its clock begins anew at the end.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Window {
    /// Its first millisecond.
    pub start: f64,
    /// Milliseconds to its last; negative in a sequence that is reversed.
    pub length: f64,
    /// Whether the clock begins anew at the end.
    pub is_looping: bool,
}

impl Window {
    /// A window that no key lies in: that of a model without sequences.
    pub const NONE: Window = Window { start: 0.0, length: -1.0, is_looping: false };

    /// The window of every key: their times have 32 bits.
    pub(super) const ALL: Window =
        Window { start: -2_147_483_648.0, length: 4_294_967_295.0, is_looping: false };

    /// The window of a sequence.
    #[allow(
        clippy::as_conversions,
        clippy::cast_precision_loss,
        reason = "starts and ends have 32 bits, which a float of 64 holds"
    )]
    pub fn from_sequence(sequence: Sequence<'_>) -> Self {
        let (start, end) = (sequence.start() as f64, sequence.end() as f64);
        Window { start, length: end - start, is_looping: sequence.is_looping() }
    }

    /// The window of a global sequence.
    pub fn global(length: u32) -> Self {
        Window { start: 0.0, length: f64::from(length), is_looping: true }
    }

    /// What the timeline shows when so many milliseconds have passed: up to and with its end the window as it is,
    /// and beyond it a looping one again from its start, while another one stays there.
    pub fn at(&self, time: f64) -> f64 {
        if self.length <= 0.0 || !time.is_finite() {
            return self.start;
        }
        if !self.is_looping {
            return self.start + time.clamp(0.0, self.length);
        }
        if (0.0..=self.length).contains(&time) {
            return self.start + time;
        }
        self.round(time)
    }

    /// The same for a clock that runs on and on: where a round ends, the next begins
    /// (docs/notes/mdx-runtime.md#time).
    pub(super) fn round(&self, time: f64) -> f64 {
        if self.length <= 0.0 || !time.is_finite() {
            return self.start;
        }
        let passed = time.rem_euclid(self.length);
        // The remainder of a number just below 0 rounds up to the length itself.
        self.start + if passed < self.length { passed } else { 0.0 }
    }

    /// Its last millisecond.
    pub fn end(&self) -> f64 {
        self.start + self.length
    }

    /// Whether a key counts in it.
    pub fn holds(&self, time: i32) -> bool {
        (self.start..=self.end()).contains(&f64::from(time))
    }

    /// Whether edges wrap in it.
    pub(super) fn wraps(&self, edges: WindowEdges) -> bool {
        match edges {
            WindowEdges::Auto => self.is_looping,
            WindowEdges::Wrap => true,
            WindowEdges::Hold => false,
        }
    }
}
