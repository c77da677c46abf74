//! Findings in the order they were made, repeats folded.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

use super::{Code, ReadError, Severity};
use crate::map::FileMap;
use crate::path::Path;

/// How many different findings a report keeps; a hostile file must not grow it without end.
const FINDINGS: usize = 10_000;

/// How many further places a folded finding names.
const SPOTS: usize = 15;

/// One finding, or several of one kind folded into the first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Diagnostic {
    /// What is wrong.
    pub code: &'static Code,
    /// How bad it is here; the code's own severity unless the place makes it harmless.
    pub severity: Severity,
    /// Whether only those who asked to be told everything are told.
    pub pedantic: bool,
    /// Whether it says what no other does, so that it is never folded.
    pub apart: bool,
    /// Where in the document.
    pub path: Path,
    /// Where in the file, counted from the start of the document.
    pub offset: Option<u64>,
    /// The same in a text: line and column, both from 1.
    pub line: Option<(usize, usize)>,
    /// What was expected and what was found.
    pub message: String,
    /// What to do about it; the code's own advice unless the place knows better.
    pub help: Cow<'static, str>,
    /// How often it occurred.
    pub count: u64,
    /// Further places, the first few.
    pub more: Vec<Location>,
}

/// A further place of a folded finding.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Location {
    /// Where in the document.
    pub path: Path,
    /// Where in the file.
    pub offset: Option<u64>,
}

impl Diagnostic {
    pub(super) fn new(code: &'static Code, path: Path) -> Self {
        Diagnostic {
            code,
            severity: code.severity,
            pedantic: false,
            apart: false,
            path,
            offset: None,
            line: None,
            message: code.summary.to_owned(),
            help: Cow::Borrowed(code.help),
            count: 1,
            more: Vec::new(),
        }
    }

    /// What is wrong and what was found, as one sentence that stands alone: the code's own and what the place says,
    /// or where that is.
    pub fn sentence(&self) -> String {
        let summary = self.code.summary;
        let mut letters = summary.chars();
        let first: String = letters.next().into_iter().flat_map(char::to_uppercase).collect();
        let said = match (self.message == summary, self.path == Path::root()) {
            (true, true) => String::new(),
            (true, false) => format!(", at {}", self.path),
            (false, _) => format!(": {}", self.message.trim_end_matches('.')),
        };
        format!("{first}{}{said}.", letters.as_str())
    }

    /// The same finding with its place in the file.
    #[must_use]
    pub fn offset(mut self, offset: usize) -> Self {
        self.offset = u64::try_from(offset).ok();
        self
    }

    /// The same finding with its place in a text: line and column, both from 1.
    #[must_use]
    pub fn in_line(mut self, line: usize, column: usize) -> Self {
        self.line = Some((line, column));
        self
    }

    /// The same finding with what was expected and what was found; where there is nothing to show, what it says stays.
    #[must_use]
    pub fn saying(mut self, message: impl Into<String>) -> Self {
        let message = message.into();
        if !message.is_empty() {
            self.message = message;
        }
        self
    }

    /// The same finding where it does no harm: worth knowing, no more.
    #[must_use]
    pub fn as_note(mut self) -> Self {
        self.severity = Severity::Note;
        self
    }

    /// The same finding where nobody would change anything: a note for those who asked for [`Scrutiny::Pedantic`].
    #[must_use]
    pub fn pedantic(mut self) -> Self {
        self.pedantic = true;
        self.as_note()
    }

    /// The same, never folded with others of its kind: its message names what only it is about.
    #[must_use]
    pub fn apart(mut self) -> Self {
        self.apart = true;
        self
    }

    /// The same finding with advice that only this place can give.
    #[must_use]
    pub fn advising(mut self, help: impl Into<Cow<'static, str>>) -> Self {
        self.help = help.into();
        self
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(offset) = self.offset {
            write!(f, "0x{offset:08x} ")?;
        }
        if let Some((line, column)) = self.line {
            write!(f, "line {line}, column {column} ")?;
        }
        write!(f, "{}: {}: {}", self.path, self.code.name, self.message)
    }
}

/// How much of what was found is told.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Scrutiny {
    /// What a careful author wants to know.
    #[default]
    Usual,
    /// Also what is harmless and common.
    Pedantic,
}

/// What is wrong with a file.
#[derive(Debug, Clone, Default)]
pub struct Report {
    findings: Vec<Diagnostic>,
    /// Which finding repeats of a kind fold into, by index.
    folds: BTreeMap<(&'static str, Severity, bool, Path), usize>,
    tally: [u64; 3],
    truncated: bool,
}

impl Report {
    /// Adds a finding, or folds it into the first of its code and kind of place.
    pub fn push(&mut self, finding: Diagnostic) {
        self.count(finding.severity, finding.count);
        let key = (finding.code.name, finding.severity, finding.pedantic, finding.path.shape());
        let first = self.folds.get(&key).filter(|_| !finding.apart);
        if let Some(first) = first.and_then(|&i| self.findings.get_mut(i)) {
            first.count = first.count.saturating_add(finding.count);
            if first.more.len() < SPOTS {
                first.more.push(Location { path: finding.path, offset: finding.offset });
            }
            return;
        }
        if self.findings.len() >= FINDINGS {
            self.truncated = true;
            return;
        }
        if !finding.apart {
            self.folds.insert(key, self.findings.len());
        }
        self.findings.push(finding);
    }

    /// Ends reading at the first error found so far.
    pub(crate) fn stop_at_error(mut self) -> Result<(), ReadError> {
        let is_error = |finding: &Diagnostic| finding.severity == Severity::Error;
        let Some(first) = self.findings.iter().position(is_error) else { return Ok(()) };
        let cause = Box::new(self.findings.swap_remove(first));
        let mut before = Report::default();
        self.findings.into_iter().take(first).for_each(|finding| before.push(finding));
        Err(ReadError { cause, before })
    }

    /// Adds every finding of another report.
    pub fn append(&mut self, other: Report) {
        self.truncated |= other.truncated;
        for finding in other.findings {
            self.push(finding);
        }
    }

    /// Fills in the offsets that a check, which knows no bytes, left open.
    pub fn locate(&mut self, map: &FileMap) {
        self.locate_by(|path| map.offset_of(path));
    }

    /// Says of every finding that has an offset in a text, and no line yet, in which line and column that is.
    pub fn in_lines(&mut self, mut position: impl FnMut(usize) -> (usize, usize)) {
        for finding in &mut self.findings {
            let offset = finding.offset.and_then(|offset| usize::try_from(offset).ok());
            finding.line = finding.line.or_else(|| offset.map(&mut position));
        }
    }

    /// Fills in offsets by what else knows where a path is.
    pub fn locate_by(&mut self, offset_of: impl Fn(&Path) -> Option<u64>) {
        for finding in &mut self.findings {
            finding.offset = finding.offset.or_else(|| offset_of(&finding.path));
            for spot in &mut finding.more {
                spot.offset = spot.offset.or_else(|| offset_of(&spot.path));
            }
        }
    }

    /// The findings in order.
    pub fn findings(&self) -> &[Diagnostic] {
        &self.findings
    }

    /// How often findings of this severity occurred, folded ones included.
    pub fn tally(&self, severity: Severity) -> u64 {
        let [notes, warnings, errors] = self.tally;
        match severity {
            Severity::Note => notes,
            Severity::Warning => warnings,
            Severity::Error => errors,
        }
    }

    /// Whether there were more kinds of findings than a report keeps.
    pub fn is_truncated(&self) -> bool {
        self.truncated
    }

    /// The same report with only those findings.
    #[must_use]
    pub fn only(self, keep: impl Fn(&Diagnostic) -> bool) -> Self {
        let mut kept = Report { truncated: self.truncated, ..Report::default() };
        self.findings.into_iter().filter(keep).for_each(|finding| kept.push(finding));
        kept
    }

    /// The same report, holding only findings at least so bad; its tally still counts the others.
    #[must_use]
    pub fn showing(self, least: Severity) -> Self {
        let tally = self.tally;
        Report { tally, ..self.only(|finding| finding.severity >= least) }
    }

    /// The same report where findings that do no harm are notes.
    #[must_use]
    pub fn lowered(self, harmless: impl Fn(&Diagnostic) -> bool) -> Self {
        let mut lowered = Report { truncated: self.truncated, ..Report::default() };
        let each = |finding: Diagnostic| if harmless(&finding) { finding.as_note() } else { finding };
        self.findings.into_iter().map(each).for_each(|finding| lowered.push(finding));
        lowered
    }

    /// The same report as somebody who looks so closely wants it.
    #[must_use]
    pub fn seen(self, scrutiny: Scrutiny) -> Self {
        match scrutiny {
            Scrutiny::Usual => self.only(|finding| !finding.pedantic),
            Scrutiny::Pedantic => self,
        }
    }

    fn count(&mut self, severity: Severity, count: u64) {
        let [notes, warnings, errors] = &mut self.tally;
        let tally = match severity {
            Severity::Note => notes,
            Severity::Warning => warnings,
            Severity::Error => errors,
        };
        *tally = tally.saturating_add(count);
    }
}

impl Extend<Diagnostic> for Report {
    fn extend<I: IntoIterator<Item = Diagnostic>>(&mut self, findings: I) {
        findings.into_iter().for_each(|finding| self.push(finding));
    }
}

impl PartialEq for Report {
    fn eq(&self, other: &Self) -> bool {
        self.findings == other.findings && self.tally == other.tally && self.truncated == other.truncated
    }
}

#[cfg(test)]
#[allow(unreachable_pub, reason = "the macros declare for other crates")]
mod tests {
    use super::*;
    use crate::options::Strictness;
    use crate::record::FieldKind;

    crate::codes! {
        SHORT = Warning, "toy.short", "too short", "make it longer";
        LOST = Error, "toy.lost", "lost", "look again";
    }

    #[test]
    fn what_stands_apart_is_never_folded() {
        let mut report = Report::default();
        for name in ["a", "b"] {
            report.push(SHORT.at(Path::named("keys")).saying(name).apart());
            report.push(SHORT.at(Path::named("keys")).saying("others"));
        }
        let mut again = Report::default();
        again.append(report);
        let told: Vec<(&str, u64)> =
            again.findings().iter().map(|finding| (finding.message.as_str(), finding.count)).collect();
        assert_eq!(told, [("a", 1), ("others", 2), ("b", 1)]);
    }

    #[test]
    fn repeats_fold_into_the_first_with_a_count() {
        let mut report = Report::default();
        for i in 0..40 {
            report.push(SHORT.at(Path::named("keys").index(i)).saying(format!("{i} bytes")));
        }
        report.push(SHORT.at(Path::named("tail")));
        let [keys, tail] = report.findings() else { panic!("two findings wanted") };
        assert_eq!((keys.count, keys.path.to_string()), (40, "keys[0]".to_owned()));
        assert_eq!((keys.message.as_str(), keys.more.len()), ("0 bytes", SPOTS));
        assert_eq!(tail.count, 1);
        assert_eq!(report.tally(Severity::Warning), 41);
    }

    #[test]
    fn a_sentence_has_the_codes_own_words_and_the_figures_of_the_place() {
        let finding = SHORT.at(Path::named("keys").index(3));
        assert_eq!(SHORT.at(Path::root()).sentence(), "Too short.");
        assert_eq!(finding.sentence(), "Too short, at keys[3].");
        assert_eq!(finding.clone().saying("4 wanted, 3 found").sentence(), "Too short: 4 wanted, 3 found.");
        assert_eq!(finding.saying("it ends in a stop.").sentence(), "Too short: it ends in a stop.");
    }

    #[test]
    fn reading_stops_at_the_first_error_and_keeps_what_came_before() {
        let mut report = Report::default();
        report.push(SHORT.at(Path::named("keys")));
        assert!(report.clone().stop_at_error().is_ok());
        report.push(LOST.at(Path::named("tail")));
        report.push(SHORT.at(Path::named("end")));
        let error = report.stop_at_error().unwrap_err();
        assert_eq!(error.before.findings().len(), 1);
        assert_eq!(error.to_string(), "tail: toy.lost: lost");
        assert_eq!(error.into_report().tally(Severity::Error), 1);
    }

    #[test]
    fn strictness_places_the_damage_that_ends_the_reading() {
        let damage = |report: &mut Report| report.push(LOST.at(Path::named("tail")));
        let map = || {
            let mut map = FileMap::new(9);
            map.run(Path::named("tail"), 4, 5, FieldKind::Raw);
            map
        };
        assert!(Strictness::Tolerant.enforce(|_| panic!("nobody wants to know"), map).is_ok());
        assert!(Strictness::Strict.enforce(|_| (), || panic!("nothing to place")).is_ok());
        assert_eq!(Strictness::Strict.enforce(damage, map).unwrap_err().cause.offset, Some(4));
    }

    #[test]
    fn silenced_codes_leave_the_report_and_its_tally() {
        let mut report = Report::default();
        report.push(SHORT.at(Path::named("a")));
        report.push(LOST.at(Path::named("b")));
        let kept = report.only(|finding| finding.code != &LOST);
        assert_eq!(kept.findings().len(), 1);
        assert_eq!(kept.tally(Severity::Error), 0);
    }

    #[test]
    fn what_is_not_shown_still_counts() {
        let mut report = Report::default();
        report.push(SHORT.at(Path::named("a")));
        report.push(LOST.at(Path::named("b")));
        let shown = report.showing(Severity::Error);
        assert_eq!((shown.findings().len(), shown.tally(Severity::Warning)), (1, 1));
    }

    #[test]
    fn a_place_can_make_a_finding_harmless_and_only_the_pedantic_are_told_of_trifles() {
        let mut report = Report::default();
        report.push(LOST.at(Path::named("keys").index(0)));
        report.push(LOST.at(Path::named("keys").index(1)).as_note());
        report.push(LOST.at(Path::named("keys").index(2)).pedantic());
        assert_eq!((report.tally(Severity::Error), report.tally(Severity::Note)), (1, 2));
        let usual = report.clone().seen(Scrutiny::Usual);
        assert_eq!((usual.findings().len(), usual.tally(Severity::Note)), (2, 1));
        assert_eq!(report.clone().seen(Scrutiny::Pedantic), report);
    }

    #[test]
    fn a_table_lists_its_codes_in_order() {
        let names: Vec<&str> = ALL.iter().map(|code| code.name).collect();
        assert_eq!(names, ["toy.short", "toy.lost"]);
    }
}
