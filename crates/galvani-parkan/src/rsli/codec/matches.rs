//! Where content repeats itself.

use super::{BLANK, SHORTEST, WINDOW};

/// How many places with the same first bytes are looked at: content that repeats without end must not take without end.
const MOST_TRIES: usize = 256;

/// Blanks before the content that are looked at: more of them than the longest match has.
const BLANKS: usize = 64;

/// Slots of the table of first bytes, a power of two.
const SLOTS: usize = 1 << 14;

/// No place.
const NONE: u32 = u32::MAX;

/// Bytes that stood before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Match {
    /// How far before.
    pub(super) distance: usize,
    /// How many.
    pub(super) len: usize,
}

/// Content, and the places where its bytes stood before.
pub(super) struct Matches {
    /// Blanks, then the content.
    bytes: Vec<u8>,
    /// The last place of each slot.
    last: Vec<u32>,
    /// The place before each place in its slot.
    before: Vec<u32>,
    /// The place that is entered next.
    entered: usize,
    longest: usize,
    farthest: usize,
}

impl Matches {
    /// Content of which matches have `longest` bytes at most.
    pub(super) fn new(content: &[u8], longest: usize) -> Self {
        let bytes = [&[BLANK; BLANKS], content].concat();
        Matches {
            last: vec![NONE; SLOTS],
            before: Vec::with_capacity(bytes.len()),
            bytes,
            entered: 0,
            longest,
            // What is being written next is out of reach, so that nobody need ask which comes first.
            farthest: WINDOW.saturating_sub(longest),
        }
    }

    /// The longest match at a place of the content, of several the nearest. Places must be asked for in order.
    pub(super) fn at(&mut self, place: usize) -> Option<Match> {
        let here = place.saturating_add(BLANKS);
        self.enter(here);
        let wanted = self.bytes.get(here..)?;
        let wanted = wanted.get(..self.longest).unwrap_or(wanted);
        let mut best: Option<Match> = None;
        let mut candidate = self.last.get(slot(wanted)?).copied().unwrap_or(NONE);
        for _ in 0..MOST_TRIES {
            let Ok(at) = usize::try_from(candidate) else { break };
            let Some(distance) = here.checked_sub(at).filter(|&distance| distance <= self.farthest) else {
                break;
            };
            let there = self.bytes.get(at..).unwrap_or_default();
            let len = wanted.iter().zip(there).take_while(|(a, b)| a == b).count();
            if len >= SHORTEST && best.is_none_or(|best| len > best.len) {
                best = Some(Match { distance, len });
                if len == wanted.len() {
                    break;
                }
            }
            candidate = self.before.get(at).copied().unwrap_or(NONE);
        }
        best
    }

    /// Enters every place before this one.
    fn enter(&mut self, here: usize) {
        while self.entered < here {
            let first = self.bytes.get(self.entered..).and_then(slot);
            let last = first.and_then(|slot| self.last.get_mut(slot));
            let place = u32::try_from(self.entered).unwrap_or(NONE);
            self.before.push(last.map_or(NONE, |last| std::mem::replace(last, place)));
            self.entered = self.entered.saturating_add(1);
        }
    }
}

/// The slot of a place's first bytes, if there are enough for a match.
fn slot(bytes: &[u8]) -> Option<usize> {
    let &[a, b, c] = bytes.first_chunk::<SHORTEST>()?;
    let mixed = u32::from_le_bytes([a, b, c, 0]).wrapping_mul(0x9e37_79b1) >> 18;
    usize::try_from(mixed).ok()
}
