//! What is wrong with a document put right, as far as its format declares how.

use std::collections::{BTreeMap, BTreeSet};

use galvani_core::{Diagnostic, EditError, Meter, Path, Report, Severity};

use crate::edit::{self, FindingShape, MemberAt};
use crate::formats::{Archive, Consent, Document, Mend, OpenOptions, Opened};
use crate::nested;
use crate::{budget, codes};

/// Which mends are done.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub enum MendChoice {
    /// All that take no guess and remove nothing.
    #[default]
    Safe,
    /// Those of codes with these names, whatever they remove.
    Named(BTreeSet<&'static str>),
}

impl MendChoice {
    fn has(&self, mend: &Mend) -> bool {
        match self {
            MendChoice::Safe => mend.consent == Consent::Given,
            MendChoice::Named(names) => mend.codes.iter().any(|code| names.contains(code.name)),
        }
    }

    /// Whether a finding is one that is to be mended.
    fn means(&self, mend: &Mend, finding: &Diagnostic) -> bool {
        let is_chosen = match self {
            MendChoice::Safe => true,
            MendChoice::Named(names) => names.contains(finding.code.name),
        };
        is_chosen && mend.codes.contains(&finding.code)
    }
}

/// What became of a document.
#[derive(Debug, Default)]
pub struct Fixed {
    /// What is no longer wrong: the findings as notes, which say how that was done.
    pub mended: Report,
    /// What mending cost.
    pub costs: Report,
    /// What could not be mended, or would have left another error: why.
    pub refused: Vec<Diagnostic>,
    /// What became of its members, by how they are addressed: of those that were changed or refused.
    pub members: Vec<(String, Fixed)>,
}

impl Fixed {
    /// Whether anything was changed.
    pub fn has_changed(&self) -> bool {
        !self.mended.findings().is_empty() || self.members.iter().any(|(_, member)| member.has_changed())
    }

    /// The first reason for which something was not mended, here or in a member.
    pub fn refusal(&self) -> Option<&Diagnostic> {
        self.refused.first().or_else(|| self.members.iter().find_map(|(_, member)| member.refusal()))
    }

    fn is_worth_telling(&self) -> bool {
        self.has_changed() || self.refusal().is_some()
    }
}

/// Whether anything in a document of a format could be mended: its own, or that of its members.
pub fn can_mend(opened: &Opened) -> bool {
    !opened.format.info().mends.is_empty() || opened.as_archive().is_ok()
}

/// Mends what is wrong with a document of a file of so many bytes, and with the members of an archive before the archive
/// itself; gives the document back, and says what was done.
///
/// A mend that would leave an error which was not there before is not done, and neither is one after which there is as much
/// wrong as before. Done twice, the second time changes nothing.
pub fn run(
    opened: Opened,
    choice: &MendChoice,
    file_len: usize,
    options: &OpenOptions,
) -> Result<(Box<dyn Document>, Fixed), EditError> {
    let meter = options.read.budget.meter(&budget::EDITING, file_len);
    Mending { choice, options, meter: &meter }.document(opened, file_len, options.read.limits.depth)
}

struct Mending<'a> {
    choice: &'a MendChoice,
    options: &'a OpenOptions,
    meter: &'a Meter,
}

impl Mending<'_> {
    fn document(
        &self,
        opened: Opened,
        file_len: usize,
        depth: u8,
    ) -> Result<(Box<dyn Document>, Fixed), EditError> {
        let Opened { format, mut document, .. } = opened;
        let mut fixed = Fixed::default();
        if format.info().is_archive
            && let Some(archive) = document.as_archive_mut()
        {
            fixed.members = self.members(archive, file_len, depth)?;
        }
        let mends = || format.info().mends.iter().filter(|mend| self.choice.has(mend));
        // One mend may bring out what another mends. Each round leaves less wrong, so there are not more than mends.
        for _ in mends() {
            let mut has_changed = false;
            let mut refused = Vec::new();
            for mend in mends() {
                match self.mend(&*document, mend, &mut fixed) {
                    Ok(None) => {}
                    Ok(Some(made)) => (document, has_changed) = (made, true),
                    Err(error) if codes::is_exhaustion(error.cause.code) => return Err(error),
                    Err(error) => refused.push(not_mended(mend, *error.cause)),
                }
            }
            fixed.refused = refused;
            if !has_changed {
                break;
            }
        }
        Ok((document, fixed))
    }

    /// The document with a mend done, if that leaves less wrong than before.
    fn mend(
        &self,
        document: &dyn Document,
        mend: &Mend,
        fixed: &mut Fixed,
    ) -> Result<Option<Box<dyn Document>>, EditError> {
        let before = document.check();
        let is_meant = |finding: &&Diagnostic| self.choice.means(mend, finding);
        if !before.findings().iter().any(|finding| is_meant(&finding)) {
            return Ok(None);
        }
        let (made, costs) = (mend.call)(document, self.meter)?;
        let after = made.check();
        if let Some(new) = edit::new_errors(&edit::errors(&before), &after).next() {
            return Err(new.clone().into());
        }
        let left = counts(&after);
        let mended = before.findings().iter().filter(is_meant).filter_map(|finding| {
            let left = left.get(&edit::kind(finding)).copied().unwrap_or(0);
            let gone = finding.count.checked_sub(left).filter(|gone| *gone > 0)?;
            Some(as_mended(finding, gone, left, mend))
        });
        let mended: Vec<Diagnostic> = mended.collect();
        if mended.is_empty() {
            return Ok(None);
        }
        fixed.mended.extend(mended);
        fixed.costs.append(costs);
        Ok(Some(made))
    }

    fn members(
        &self,
        archive: &mut dyn Archive,
        archive_len: usize,
        depth: u8,
    ) -> Result<Vec<(String, Fixed)>, EditError> {
        let labels = nested::labels(archive);
        let mut change = |member: &MemberAt<'_>| {
            // What does not read, or is packed too deep, stays as it is: `validate` says what is wrong with it.
            let Some(depth) = depth.checked_sub(1) else { return Ok(None) };
            let Ok(opened) = member.format.read_at(member.bytes, self.options, &member.site) else {
                return Ok(None);
            };
            if !can_mend(&opened) {
                return Ok(None);
            }
            let (document, fixed) = self.document(opened, member.bytes.len(), depth)?;
            let made = fixed.has_changed().then(|| document.write()).transpose();
            let made = made.map_err(|error| EditError { cause: error.cause })?;
            self.meter.memory(made.as_ref().map_or(0, Vec::len).saturating_mul(2))?;
            Ok(fixed.is_worth_telling().then_some((made, fixed)))
        };
        let rows = edit::change_members(archive, archive_len, self.options, &mut change)?;
        let mut members = Vec::new();
        for (indices, fixed) in rows {
            members.extend(indices.first().and_then(|i| labels.get(*i)).map(|label| (label.clone(), fixed)));
        }
        Ok(members)
    }
}

/// How often each code was found at each kind of place.
fn counts(report: &Report) -> BTreeMap<FindingShape, u64> {
    let mut counts = BTreeMap::new();
    for finding in report.findings() {
        let count: &mut u64 = counts.entry(edit::kind(finding)).or_default();
        *count = count.saturating_add(finding.count);
    }
    counts
}

/// A finding that is no longer there.
fn as_mended(finding: &Diagnostic, gone: u64, left: u64, mend: &Mend) -> Diagnostic {
    let left = if left > 0 { format!(", {left} left") } else { String::new() };
    let said = if finding.message == finding.code.summary {
        format!("mended{left}")
    } else {
        format!("{}; mended{left}", finding.message)
    };
    let mut mended = finding.clone().saying(said).advising(mend.how);
    (mended.severity, mended.pedantic, mended.count) = (Severity::Note, false, gone);
    let more = usize::try_from(gone.saturating_sub(1)).unwrap_or(usize::MAX);
    mended.more.truncate(more);
    mended
}

/// Why something was not mended.
fn not_mended(mend: &Mend, cause: Diagnostic) -> Diagnostic {
    let names: Vec<&str> = mend.codes.iter().map(|code| code.name).collect();
    let place = if cause.path == Path::root() { String::new() } else { format!(" at {}", cause.path) };
    let said = format!("{}: {}{place}: {}", names.join(", "), cause.code.name, cause.message);
    codes::NOT_MENDED.at(cause.path).saying(said).advising(cause.help)
}

/// The codes that words name, each with a mend that is declared for it: a glob means those of which the mends wait for
/// nobody, a full name any.
#[cfg(feature = "fs")]
pub fn named(words: &[String]) -> Result<MendChoice, String> {
    let mut names = BTreeSet::new();
    for word in words {
        let before = names.len();
        let found = codes::matching(word).map_err(|error| error.to_string())?;
        let is_mended = |code: &&crate::Code| {
            let mut mends = crate::formats::mends_of(code);
            mends.any(|(_, mend)| code.name == word || mend.consent == Consent::Given)
        };
        names.extend(found.into_iter().filter(is_mended).map(|code| code.name));
        if names.len() == before && !names.contains(word.as_str()) {
            return Err(format!("nothing mends `{word}`; the page of codes says what is mended"));
        }
    }
    Ok(MendChoice::Named(names))
}
