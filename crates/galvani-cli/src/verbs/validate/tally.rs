//! What was found in all files together.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write;

use galvani::nested::Checked;
use galvani::render::text::{self, counted};
use galvani::{Report, Severity};

/// What was found in all files together.
#[derive(Default)]
pub(super) struct Tally {
    files: u64,
    members: u64,
    /// Files of folders that nobody knows.
    pub(super) skipped: u64,
    counts: BTreeMap<Severity, u64>,
    codes: BTreeMap<(&'static str, Severity), Found>,
}

/// How often a code was found, and in how many files and members.
#[derive(Default, Clone, Copy)]
struct Found {
    times: u64,
    files: u64,
}

impl Tally {
    pub(super) fn add(&mut self, checked: &Checked, is_member: bool) {
        let count = if is_member { &mut self.members } else { &mut self.files };
        *count += 1;
        for severity in [Severity::Error, Severity::Warning, Severity::Note] {
            *self.counts.entry(severity).or_default() += checked.report.tally(severity);
        }
        self.add_codes(&checked.report);
    }

    /// Counts what another counted.
    pub(super) fn join(&mut self, other: Self) {
        self.files += other.files;
        self.members += other.members;
        self.skipped += other.skipped;
        for (severity, count) in other.counts {
            *self.counts.entry(severity).or_default() += count;
        }
        for (code, more) in other.codes {
            let found = self.codes.entry(code).or_default();
            *found = Found { times: found.times + more.times, files: found.files + more.files };
        }
    }

    fn add_codes(&mut self, report: &Report) {
        let mut here: BTreeMap<(&'static str, Severity), u64> = BTreeMap::new();
        for finding in report.findings() {
            *here.entry((finding.code.name, finding.severity)).or_default() += finding.count;
        }
        for (code, times) in here {
            let found = self.codes.entry(code).or_default();
            *found = Found { times: found.times + times, files: found.files + 1 };
        }
    }

    /// Whether no file was of a known format.
    pub(super) fn is_empty(&self) -> bool {
        self.files == 0
    }

    /// A line for each code, most frequent first, then one for all.
    pub(super) fn text(&self) -> String {
        let mut codes: Vec<_> = self.codes.iter().collect();
        codes.sort_by_key(|(code, found)| (Reverse(found.times), **code));
        let width = codes.iter().map(|((name, _), _)| name.len()).max().unwrap_or(0);
        let digits = codes.first().map_or(0, |(_, found)| found.times.to_string().len());
        let mut out = String::new();
        for ((name, severity), found) in codes {
            let paint = text::style(*severity);
            let word = format!("{paint}{:<7}{paint:#}", severity.word());
            let _ = writeln!(
                out,
                "{word}  {name:<width$}  {:>digits$} × in {}",
                found.times,
                counted(found.files, "file")
            );
        }
        let _ = writeln!(out, "{}", self.closing());
        out
    }

    fn closing(&self) -> String {
        let tally =
            |severity: Severity| counted(self.counts.get(&severity).copied().unwrap_or(0), severity.word());
        let tallies = [Severity::Error, Severity::Warning, Severity::Note].map(tally).join(", ");
        let members = match self.members {
            0 => String::new(),
            members => format!(" and {}", counted(members, "member")),
        };
        let skipped = match self.skipped {
            0 => String::new(),
            skipped => format!("; {skipped} of unknown format left out"),
        };
        format!("{}{members} checked: {tallies}{skipped}", counted(self.files, "file"))
    }
}
