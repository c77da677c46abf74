//! What a caller may choose about reading: readings, strictness, limits.

use std::fmt;
use std::str::FromStr;

use crate::budget::Budget;
use crate::diag::{ReadError, Report};
use crate::map::FileMap;

/// Everything a reader may be told.
#[derive(Debug, Clone, Default)]
pub struct ReadOptions {
    /// Which account of the format to follow where two disagree.
    pub readings: Readings,
    /// What to do about a part that cannot be read.
    pub strictness: Strictness,
    /// How much a file may ask for.
    pub limits: Limits,
    /// How much memory and work an operation on it may take.
    pub budget: Budget,
}

/// Which account of a format to follow where its documentation and real files disagree.
/// The bytes are kept either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Reading {
    /// As the original documentation says.
    Documented,
    /// As real files and later findings show.
    Observed,
    /// By evidence in the file itself.
    #[default]
    Auto,
}

impl Reading {
    /// The word for this reading on the command line and in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Reading::Documented => "documented",
            Reading::Observed => "observed",
            Reading::Auto => "auto",
        }
    }
}

impl fmt::Display for Reading {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.word())
    }
}

impl FromStr for Reading {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        [Reading::Documented, Reading::Observed, Reading::Auto]
            .into_iter()
            .find(|reading| reading.word() == word)
            .ok_or_else(|| format!("`{word}` is no reading: documented, observed or auto"))
    }
}

/// The readings asked for: one for all topics, and exceptions by topic.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Readings {
    /// For every topic without an exception.
    pub all: Reading,
    /// Topic and reading; the last one of a topic counts.
    pub topics: Vec<(String, Reading)>,
}

impl Readings {
    /// What was asked for on this topic.
    pub fn of(&self, topic: &str) -> Reading {
        let exception = self.topics.iter().rev().find(|(name, _)| name == topic);
        exception.map_or(self.all, |(_, reading)| *reading)
    }

    /// Settles a topic: what was asked for, or what the evidence says where that was left to it.
    pub fn settle(&self, topic: &'static str, evidence: impl FnOnce() -> (Reading, String)) -> Verdict {
        match self.of(topic) {
            Reading::Auto => {
                let (taken, why) = evidence();
                Verdict { topic, taken, why }
            }
            asked => Verdict { topic, taken: asked, why: "asked for".to_owned() },
        }
    }
}

/// Which reading was taken on a topic, and why.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Verdict {
    /// What the readings disagree about.
    pub topic: &'static str,
    /// Documented or observed.
    pub taken: Reading,
    /// The evidence, with the counts that decided.
    pub why: String,
}

/// What to do about a part that cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Strictness {
    /// Keep it raw, report it, go on.
    #[default]
    Tolerant,
    /// Stop at the first.
    Strict,
}

impl Strictness {
    /// Looks for damage if that is to end the reading, and ends it at the first error, in its place.
    ///
    /// Nobody else needs the map, so it is made only for damage.
    pub fn enforce(
        self,
        damage: impl FnOnce(&mut Report),
        map: impl FnOnce() -> FileMap,
    ) -> Result<(), ReadError> {
        if self == Strictness::Tolerant {
            return Ok(());
        }
        let mut report = Report::default();
        damage(&mut report);
        if !report.findings().is_empty() {
            report.locate(&map());
        }
        report.stop_at_error()
    }
}

/// How much a file may ask for. Counts in a file are checked against its bytes as well.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// Longest file that is read at all.
    pub bytes: u64,
    /// How deep documents may nest in each other.
    pub depth: u8,
}

impl Default for Limits {
    /// 2 GiB, far above any game's file; eight levels, where games use two.
    fn default() -> Self {
        Limits { bytes: 1 << 31, depth: 8 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn evidence() -> (Reading, String) {
        (Reading::Observed, "12 of 12 records".to_owned())
    }

    #[test]
    fn auto_is_settled_by_evidence_and_says_so() {
        let verdict = Readings::default().settle("walk", evidence);
        assert_eq!(verdict.taken, Reading::Observed);
        assert_eq!(verdict.why, "12 of 12 records");
    }

    #[test]
    fn a_topic_overrides_the_rest_and_its_last_mention_counts() {
        let readings = Readings {
            all: Reading::Observed,
            topics: vec![("walk".to_owned(), Reading::Auto), ("walk".to_owned(), Reading::Documented)],
        };
        assert_eq!(readings.settle("walk", evidence).taken, Reading::Documented);
        assert_eq!(readings.settle("walk", evidence).why, "asked for");
        assert_eq!(readings.of("frames"), Reading::Observed);
    }

    #[test]
    fn a_word_that_is_no_reading_is_refused() {
        assert_eq!("observed".parse(), Ok(Reading::Observed));
        assert!("guess".parse::<Reading>().is_err());
    }
}
