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

/// The account of a format that is followed where its documentation and real files disagree.
/// The bytes are kept either way.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Reading {
    /// As the original documentation says.
    Documented,
    /// As real files and later findings show.
    #[default]
    Observed,
}

impl Reading {
    /// The word for this reading on the command line and in JSON.
    pub fn word(self) -> &'static str {
        match self {
            Reading::Documented => "documented",
            Reading::Observed => "observed",
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
        [Reading::Documented, Reading::Observed]
            .into_iter()
            .find(|reading| reading.word() == word)
            .ok_or_else(|| format!("`{word}` is no reading: documented or observed"))
    }
}

/// The reading that a caller wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum WantedReading {
    /// The one that the file itself gives evidence for.
    #[default]
    Auto,
    /// This one, whatever the file.
    Fixed(Reading),
}

impl WantedReading {
    /// Everything that can be wanted.
    pub const ALL: [WantedReading; 3] = [
        WantedReading::Auto,
        WantedReading::Fixed(Reading::Documented),
        WantedReading::Fixed(Reading::Observed),
    ];

    /// The reading to take: the fixed one, or what the evidence says.
    pub fn or_by(self, evidence: impl FnOnce() -> Reading) -> Reading {
        match self {
            WantedReading::Auto => evidence(),
            WantedReading::Fixed(reading) => reading,
        }
    }
}

impl From<Reading> for WantedReading {
    fn from(reading: Reading) -> Self {
        WantedReading::Fixed(reading)
    }
}

impl FromStr for WantedReading {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, String> {
        if word == "auto" {
            return Ok(WantedReading::Auto);
        }
        let no_reading = |_| format!("`{word}` is no reading: documented, observed or auto");
        word.parse().map(WantedReading::Fixed).map_err(no_reading)
    }
}

/// The readings asked for: one for all topics, and exceptions by topic.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Readings {
    /// For every topic without an exception.
    pub all: WantedReading,
    /// Topic and reading; the last one of a topic counts.
    pub topics: Vec<(String, WantedReading)>,
}

impl Readings {
    /// What was asked for on this topic.
    pub fn wanted(&self, topic: &str) -> WantedReading {
        let exception = self.topics.iter().rev().find(|(name, _)| name == topic);
        exception.map_or(self.all, |(_, reading)| *reading)
    }

    /// Settles a topic: what was asked for, or what the evidence says where that was left to it.
    pub fn settle(&self, topic: &'static str, evidence: impl FnOnce() -> (Reading, String)) -> Verdict {
        match self.wanted(topic) {
            WantedReading::Auto => {
                let (taken, why) = evidence();
                Verdict { topic, taken, why }
            }
            WantedReading::Fixed(taken) => Verdict { topic, taken, why: "asked for".to_owned() },
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
            all: Reading::Observed.into(),
            topics: vec![
                ("walk".to_owned(), WantedReading::Auto),
                ("walk".to_owned(), Reading::Documented.into()),
            ],
        };
        assert_eq!(readings.settle("walk", evidence).taken, Reading::Documented);
        assert_eq!(readings.settle("walk", evidence).why, "asked for");
        assert_eq!(readings.wanted("frames"), Reading::Observed.into());
    }

    #[test]
    fn a_word_that_is_no_reading_is_refused() {
        assert_eq!("observed".parse(), Ok(Reading::Observed));
        assert!("auto".parse::<Reading>().is_err());
        assert_eq!("auto".parse(), Ok(WantedReading::Auto));
        assert_eq!("observed".parse(), Ok(WantedReading::Fixed(Reading::Observed)));
        assert!("guess".parse::<WantedReading>().is_err());
    }
}
