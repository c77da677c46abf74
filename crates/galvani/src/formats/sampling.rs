//! What is asked of documents that move, and what they answer.

use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fmt;
use std::str::FromStr;

use galvani_core::{Report, SampleError};

use super::{Pose, Selector, Settings};

/// Which poses are wanted.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Sampling {
    /// At these times; without any, the pose of rest, or every frame of an animation of frames.
    pub times: Times,
    /// One node or bone; without it, all of them.
    pub node: Option<Selector>,
    /// One animation of several; without it, all of them.
    pub clip: Option<Selector>,
    /// What only some formats have.
    pub settings: Settings,
}

/// Poses as an engine samples them, made as they are asked for.
pub struct Samples<'a> {
    /// What was odd about finding them.
    pub notes: Report,
    /// By time, of one time in the file's order.
    pub poses: Box<dyn Iterator<Item = Result<Pose, SampleError>> + 'a>,
}

impl fmt::Debug for Samples<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Samples").field("notes", &self.notes).finish_non_exhaustive()
    }
}

/// Times, single ones and ranges.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Times(Vec<Range>);

/// Times at equal distances, both ends included.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Range {
    first: f64,
    last: f64,
    step: f64,
    /// How many steps there are.
    steps: u64,
}

/// A step that misses the end by less than this part of itself has reached it: 0..0.3:0.1 ends at 0.3.
const SLACK: f64 = 1e-6;

/// More steps than doubles can count.
const MOST_STEPS: f64 = 9e15;

impl Times {
    /// One time, whatever number it is.
    pub fn at(time: f64) -> Self {
        Times(vec![Range { first: time, last: time, step: 1.0, steps: 0 }])
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// How many there are, those named twice counted twice.
    pub fn len(&self) -> u64 {
        self.0.iter().fold(0, |sum, range| sum.saturating_add(range.steps.saturating_add(1)))
    }

    /// The ends of every range: all of them lie between.
    pub fn ends(&self) -> impl Iterator<Item = f64> {
        self.0.iter().flat_map(|range| [range.first, range.last])
    }

    /// The times in order, each once.
    pub fn in_order(&self) -> impl Iterator<Item = f64> + use<> {
        let ranges = self.0.clone();
        let next = |ranges: &[Range], which: usize, i: u64| {
            let time = ranges.get(which)?.time(i)?;
            Some(Reverse((rank(time), which, i)))
        };
        // The next of each range, the earliest on top: there may be a range for each time.
        let mut waiting: BinaryHeap<_> =
            (0..ranges.len()).filter_map(|which| next(&ranges, which, 0)).collect();
        std::iter::from_fn(move || {
            let Reverse((earliest, which, i)) = *waiting.peek()?;
            let time = ranges.get(which)?.time(i)?;
            while let Some(&Reverse((rank, which, i))) = waiting.peek()
                && rank == earliest
            {
                waiting.pop();
                waiting.extend(next(&ranges, which, i.saturating_add(1)));
            }
            Some(time)
        })
    }
}

/// A number that is larger than another where the time is later, in the order of `total_cmp`.
fn rank(time: f64) -> i64 {
    let bits = time.to_bits().cast_signed();
    if bits < 0 { bits ^ i64::MAX } else { bits }
}

impl Extend<Times> for Times {
    fn extend<I: IntoIterator<Item = Times>>(&mut self, all: I) {
        self.0.extend(all.into_iter().flat_map(|times| times.0));
    }
}

impl FromIterator<f64> for Times {
    fn from_iter<I: IntoIterator<Item = f64>>(times: I) -> Self {
        Times(times.into_iter().flat_map(|time| Times::at(time).0).collect())
    }
}

impl Range {
    #[allow(clippy::cast_precision_loss, clippy::as_conversions, reason = "no range has 2^53 steps")]
    fn time(&self, i: u64) -> Option<f64> {
        match i {
            i if i > self.steps => None,
            i if i == self.steps => Some(self.last),
            i => Some(self.first + i as f64 * self.step),
        }
    }
}

impl FromStr for Times {
    type Err = String;

    /// `T`, or `A..B:STEP` with both ends, STEP being 1 if absent.
    #[allow(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        clippy::as_conversions,
        reason = "a whole number from 0 on, below 2^53"
    )]
    fn from_str(word: &str) -> Result<Self, String> {
        let Some((first, rest)) = word.split_once("..") else {
            return word.parse().map(Times::at).map_err(|_| format!("`{word}` is no time"));
        };
        let (last, step) = rest.split_once(':').unwrap_or((rest, "1"));
        let number = |word: &str| match word.parse::<f64>() {
            Ok(number) if number.is_finite() => Ok(number),
            _ => Err(format!("`{word}` is no end or step of a range")),
        };
        let (first, last, step) = (number(first)?, number(last)?, number(step)?);
        if step <= 0.0 || last < first {
            return Err("a range goes up, from A to B by a STEP above 0".to_owned());
        }
        let count = (last - first) / step;
        let whole = (count + SLACK).floor();
        if whole >= MOST_STEPS {
            return Err(format!("a range of {whole} times"));
        }
        let reaches_end = (count - whole).abs() <= SLACK;
        let last = if reaches_end { last } else { first + whole * step };
        Ok(Times(vec![Range { first, last, step, steps: whole as u64 }]))
    }
}

/// The number of a frame as a time.
#[cfg(feature = "ff7")]
#[allow(clippy::cast_precision_loss, reason = "no animation has 2^53 frames")]
pub(crate) fn as_time(frame: usize) -> f64 {
    frame as f64
}

/// The whole frames that times name, below a count; every one of them where no time is given.
#[cfg(feature = "ff7")]
pub(crate) fn frames(
    times: &Times,
    count: usize,
    missing: &dyn Fn(f64) -> SampleError,
) -> Result<impl Iterator<Item = usize> + use<>, SampleError> {
    let number = move |time: f64| {
        // A whole number is written without a point.
        time.to_string().parse().ok().filter(|&frame: &usize| frame < count)
    };
    for time in times.in_order() {
        if number(time).is_none() {
            return Err(missing(time));
        }
    }
    let all = if times.is_empty() { 0..count } else { 0..0 };
    let named = times.in_order().filter_map(number);
    Ok(all.chain(named))
}

/// Which way up positions are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Y {
    /// As the file has them: down is positive.
    #[default]
    Stored,
    /// With the sign of Y turned, as the format's first description does.
    Reversed,
}

/// What lies before the first key of a sequence and behind the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum EdgesOption {
    /// The way from the last key over the seam to the first.
    Wrap,
    /// The first key, and the last.
    Hold,
}

/// Relative to what a pose is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Space {
    /// The node's parent.
    #[default]
    Local,
    /// The model.
    Model,
}

/// What to do with the translation of a first node without a parent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RootOption {
    /// As the file says.
    #[default]
    Keep,
    /// None, as the engine poses.
    Clear,
}

/// Which pose a model has when nobody gives a time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum RestOption {
    /// The pose at time 0.
    #[default]
    Frame0,
    /// Every node on its fallback key.
    Fallback,
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a failed step is a failed test")]
mod tests {
    use super::Times;

    fn times(word: &str) -> Vec<f64> {
        word.parse::<Times>().unwrap().in_order().collect()
    }

    #[test]
    fn a_range_has_both_its_ends() {
        assert_eq!(times("0..3"), [0.0, 1.0, 2.0, 3.0]);
        assert_eq!(times("-1..0.5:0.5"), [-1.0, -0.5, 0.0, 0.5]);
        assert_eq!(times("-2..-1"), [-2.0, -1.0]);
        assert_eq!(times("0..0.3:0.1"), [0.0, 0.1, 0.2, 0.3]);
        assert_eq!(times("0..1:0.1").len(), 11);
        assert_eq!(times("5..5"), [5.0]);
        assert_eq!(times("0..1:0.4"), [0.0, 0.4, 0.8]);
        assert_eq!(times("1.5..3.5:1e0"), [1.5, 2.5, 3.5]);
    }

    #[test]
    fn a_time_may_be_any_number() {
        assert_eq!(times("-0.5"), [-0.5]);
        assert_eq!(times("1e3"), [1000.0]);
        assert_eq!(times("-inf"), [f64::NEG_INFINITY]);
        assert!(times("NaN")[0].is_nan());
    }

    #[test]
    fn times_come_in_order_and_each_once() {
        let mut all: Times = "2..4".parse().unwrap();
        all.extend(["0..3:1.5", "3", "-1", "NaN"].map(|word| word.parse().unwrap()));
        let found: Vec<f64> = all.in_order().collect();
        assert_eq!(found[..6], [-1.0, 0.0, 1.5, 2.0, 3.0, 4.0]);
        assert!(found.len() == 7 && found[6].is_nan());
        assert_eq!(all.len(), 9);
    }

    #[test]
    fn a_range_costs_nothing_until_it_is_walked() {
        let all: Times = "0..1e15".parse().unwrap();
        assert_eq!((all.len(), all.in_order().nth(2)), (1_000_000_000_000_001, Some(2.0)));
    }

    #[test]
    fn what_is_no_range_is_refused() {
        for word in
            ["", "x", "1..", "..2", "2..1", "0..1:0", "0..1:-1", "0..inf", "0..1e30", "0..1:", "1...2"]
        {
            assert!(word.parse::<Times>().is_err(), "{word}");
        }
    }
}
