//! Several edits of one document: all of them or none, and no new errors.

use std::collections::BTreeMap;

use galvani_core::{Diagnostic, EditError, Meter, Path, Report, Severity, Strictness};

use crate::formats::recognition::{Payload, Recogniser};
use crate::formats::{Archive, Document, Format, MemberLinks, OpenOptions, Site, Step};
use crate::{budget, nested};

/// Does the steps in order; gives the document back, and what they cost.
///
/// Refused is also what would leave errors that were not there before. Edits move indices, so errors of one code
/// at one kind of place (`nodes[].parent`) are counted, not matched. Of a kind that was there from the start no
/// step may add one, or mending one error would make room for another; of any other kind none may be left.
///
/// Strictly, a step that costs anything is refused too: it would not do quite what was asked.
///
/// What multiplies its content charges the meter before it does.
pub fn run(
    mut document: Box<dyn Document>,
    steps: &[Step],
    strictness: Strictness,
    meter: &Meter,
) -> Result<(Box<dyn Document>, Report), EditError> {
    let mut costs = Report::default();
    let mut left = errors(&document.check());
    for step in steps {
        let cost = step.run_within(&mut *document, meter)?;
        if strictness == Strictness::Strict {
            refuse_cost(&cost)?;
        }
        costs.append(cost);
        if left.is_empty() {
            continue;
        }
        let now = document.check();
        refuse(new_errors(&left, &now).find(|error| left.contains_key(&kind(error))))?;
        lower(&mut left, &errors(&now));
    }
    refuse(new_errors(&left, &document.check()).next())?;
    Ok((document, costs))
}

/// What becomes of an archive of which a member refuses.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Refusals {
    /// It refuses as a whole.
    #[default]
    End,
    /// The member stays as it is.
    Skip,
}

/// What was done to the members of an archive.
#[derive(Debug, Default)]
pub struct MembersEdited {
    /// The names of the operations, once for each member they were done to.
    pub operations: Vec<&'static str>,
    /// What that cost.
    pub costs: Report,
    /// The members that refused and stay as they are: how each is addressed, and why it does.
    pub skipped: Vec<(String, Box<Diagnostic>)>,
}

/// Edits every member of an archive of so many bytes for whose format there are steps. If one refuses and none may, the archive is of
/// no use afterwards.
pub fn members<'s>(
    archive: &mut dyn Archive,
    steps: &dyn Fn(&'static dyn Format) -> Option<&'s [Step]>,
    refusals: Refusals,
    archive_len: usize,
    options: &OpenOptions,
) -> Result<MembersEdited, EditError> {
    let mut done = MembersEdited::default();
    // What is made of members is held until all are done, and then once more.
    let making = options.read.budget.meter(&budget::EDITING, archive_len);
    let mut change = |member: &MemberAt<'_>| {
        let Some(steps) = steps(member.format) else { return Ok(None) };
        match edit_member(member.format, member.bytes, &member.site, steps, options, &making) {
            Ok((bytes, cost)) => {
                done.costs.append(cost);
                Ok(Some((Some(bytes), steps)))
            }
            Err(cause) if refusals == Refusals::Skip => {
                done.skipped.push((member.label.to_owned(), cause));
                Ok(None)
            }
            Err(cause) => {
                let message = format!("{}: {}", member.site.name, cause.message);
                Err(EditError { cause: Box::new(cause.saying(message)) })
            }
        }
    };
    for (indices, steps) in change_members(archive, archive_len, options, &mut change)? {
        for _ in indices {
            done.operations.extend(steps.iter().map(|step| step.operation.name));
        }
    }
    Ok(done)
}

/// A member of a known format.
pub(crate) struct MemberAt<'a> {
    pub(crate) format: &'static dyn Format,
    /// How it is addressed.
    pub(crate) label: &'a str,
    pub(crate) bytes: &'a [u8],
    pub(crate) site: Site<'a>,
}

/// What is made of a member: its new bytes, if it has any, and what there is to say of it; nothing where nobody minds it.
pub(crate) type MemberMade<T> = Result<Option<(Option<Vec<u8>>, T)>, EditError>;

/// Changes the members of an archive of so many bytes that are of a known format, and gives what there is to say with the
/// indices of those that it is said of: members that share their bytes are made once, and share them again.
pub(crate) fn change_members<T>(
    archive: &mut dyn Archive,
    archive_len: usize,
    options: &OpenOptions,
    change: &mut dyn FnMut(&MemberAt<'_>) -> MemberMade<T>,
) -> Result<Vec<(Vec<usize>, T)>, EditError> {
    let mut changed = Vec::<(Vec<usize>, Option<Vec<u8>>, T)>::new();
    // What was made of payloads whose members have no neighbours: nothing but their bytes decides.
    let mut known: BTreeMap<Payload, usize> = BTreeMap::new();
    let links = MemberLinks::new(archive);
    let labels = nested::labels(archive);
    let meter = options.read.budget.meter(&budget::LOOKING, nested::allowance(archive, archive_len));
    let mut recogniser = Recogniser::new(&meter);
    for (i, (member, label)) in archive.members().iter().zip(&labels).enumerate() {
        archive.prepare(i)?;
        let (name, Some(bytes)) = (member.shown(), archive.member(i)) else { continue };
        let payload = Payload::new(bytes, member);
        let Some(format) = recogniser.recognise(&payload, bytes, member)? else { continue };
        let is_alone = links.is_alone(&name);
        if let Some(made) = known.get(&payload).filter(|_| is_alone).and_then(|&made| changed.get_mut(made)) {
            made.0.push(i);
            continue;
        }
        meter.work(bytes.len())?;
        let _held = meter.hold(bytes.len())?;
        let site = Site { name: &name, links: &links, declared: member.declared, ..Site::NOWHERE };
        let Some((bytes, said)) = change(&MemberAt { format, label, bytes, site })? else { continue };
        if is_alone {
            known.insert(payload, changed.len());
        }
        changed.push((vec![i], bytes, said));
    }
    let mut told = Vec::with_capacity(changed.len());
    for (indices, bytes, said) in changed {
        if let Some(bytes) = bytes {
            archive.set_members(&indices, bytes)?;
        }
        told.push((indices, said));
    }
    Ok(told)
}

fn edit_member(
    format: &dyn Format,
    bytes: &[u8],
    site: &Site<'_>,
    steps: &[Step],
    options: &OpenOptions,
    meter: &Meter,
) -> Result<(Vec<u8>, Report), Box<Diagnostic>> {
    let opened = format.read_at(bytes, options, site).map_err(|error| error.cause)?;
    let (document, cost) =
        run(opened.document, steps, options.read.strictness, meter).map_err(|error| error.cause)?;
    let made = document.write().map_err(|error| error.cause)?;
    meter.memory(made.len().saturating_mul(2))?;
    Ok((made, cost))
}

/// What there is more of in the second report than in the first.
///
/// Edits move indices, so findings of one code at one kind of place are counted, not matched.
pub fn caused(before: &Report, after: Report) -> Report {
    let mut had: BTreeMap<FindingShape, u64> = BTreeMap::new();
    for finding in before.findings() {
        *had.entry(kind(finding)).or_default() += finding.count;
    }
    after.only(|finding| finding.count > had.get(&kind(finding)).copied().unwrap_or(0))
}

/// Refuses the first thing that a step would cost.
fn refuse_cost(cost: &Report) -> Result<(), EditError> {
    cost.findings().first().map_or(Ok(()), |finding| {
        let help = format!("{}; tolerantly this is done and told", finding.help);
        Err(Diagnostic { severity: Severity::Error, ..finding.clone().advising(help) }.into())
    })
}

fn refuse(new: Option<&Diagnostic>) -> Result<(), EditError> {
    new.map_or(Ok(()), |new| Err(new.clone().advising(HELP).into()))
}

/// What to do about an error that edits would leave.
const HELP: &str =
    "the edits would leave this error, which was not there before; leave out the one that does";

/// A code, and a path without indices.
pub(crate) type FindingShape = (&'static str, Path);

/// How many errors of each kind there are.
pub(crate) fn errors(report: &Report) -> BTreeMap<FindingShape, u64> {
    let errors = report.findings().iter().filter(|finding| finding.severity == Severity::Error);
    errors.map(|finding| (kind(finding), finding.count)).collect()
}

pub(crate) fn kind(finding: &Diagnostic) -> FindingShape {
    (finding.code.name, finding.path.shape())
}

/// Takes off what is no longer there.
fn lower(left: &mut BTreeMap<FindingShape, u64>, now: &BTreeMap<FindingShape, u64>) {
    for (kind, count) in left {
        *count = now.get(kind).copied().unwrap_or(0);
    }
}

/// The errors of kinds of which there are more than before.
pub(crate) fn new_errors<'a>(
    before: &BTreeMap<FindingShape, u64>,
    after: &'a Report,
) -> impl Iterator<Item = &'a Diagnostic> {
    let had = |finding: &Diagnostic| before.get(&kind(finding)).copied().unwrap_or(0);
    let errors = after.findings().iter().filter(|finding| finding.severity == Severity::Error);
    errors.filter(move |finding| finding.count > had(finding))
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use galvani_core::{Exhausted, WriteError};

    use super::*;
    use crate::codes::{AMBIGUOUS, MANIFEST, NO_SCENE};
    use galvani_core::FileMap;

    use crate::formats::operation::{Editable, operations};
    use crate::formats::{ArgumentValue, Folder, Operation, Outline};

    /// Rows, of which some are broken and some only odd, which a step says of those it makes so. Real formats refuse to break theirs.
    #[derive(Debug, Clone, Default)]
    struct Toy {
        broken: BTreeSet<u32>,
        odd: BTreeSet<u32>,
    }

    impl Document for Toy {
        fn check(&self) -> Report {
            let mut report = Report::default();
            let row = |row: u32| Path::named("rows").index(usize::try_from(row).unwrap());
            self.broken.iter().for_each(|i| report.push(MANIFEST.at(row(*i))));
            self.odd.iter().for_each(|i| report.push(AMBIGUOUS.at(row(*i))));
            report
        }

        fn write(&self) -> Result<Vec<u8>, WriteError> {
            Ok(Vec::new())
        }

        fn make_canonical(&mut self) -> Result<Report, EditError> {
            Ok(Report::default())
        }

        fn outline(&self, _map: &FileMap, _site: &Site<'_>) -> Outline {
            unreachable!("nobody looks")
        }

        fn summary(&self) -> String {
            unreachable!("nobody looks")
        }

        fn folder(&self) -> Result<Folder, Exhausted> {
            unreachable!("nobody looks")
        }
    }

    impl Editable for Toy {}

    static OPERATIONS: &[Operation] = operations! { Toy;
        "breaks a row"
        "break" (row: u32 = "which")
        |toy| {
            toy.broken.insert(row);
        };

        "mends a row"
        "mend" (row: u32 = "which")
        |toy| {
            toy.broken.remove(&row);
        };

        "makes a row odd"
        "spoil" (row: u32 = "which")
        |toy| {
            toy.odd.insert(row);
            let mut cost = Report::default();
            cost.push(AMBIGUOUS.at(Path::named("rows")));
            cost
        };

        "moves broken rows on, as entries behind one that was removed get its index"
        "shift" (rows: u32 = "by how many")
        |toy| toy.broken = toy.broken.iter().map(|row| row + rows).collect();

        "is refused"
        "refuse" (row: u32 = "which")
        |_toy| {
            let _: u32 = row;
            Err::<(), EditError>(NO_SCENE.at(Path::root()).into())
        };
    };

    /// How many rows are broken after these steps, of a document with such rows; or why they are refused.
    fn edited(broken: &[u32], steps: &[(&str, u32)]) -> Result<u64, String> {
        edited_as(Strictness::Tolerant, broken, steps)
    }

    fn edited_as(strictness: Strictness, broken: &[u32], steps: &[(&str, u32)]) -> Result<u64, String> {
        let toy = Toy { broken: broken.iter().copied().collect(), ..Toy::default() };
        let operation = |name: &str| OPERATIONS.iter().find(|operation| operation.name == name).unwrap();
        let step = |(name, row): &(&str, u32)| Step {
            operation: operation(name),
            values: vec![ArgumentValue::Number(*row)],
        };
        let steps: Vec<Step> = steps.iter().map(step).collect();
        let made = run(Box::new(toy), &steps, strictness, &Meter::unlimited());
        made.map(|(document, _)| document.check().tally(Severity::Error)).map_err(|error| error.to_string())
    }

    #[test]
    fn what_leaves_a_new_error_is_refused() {
        let refused = "rows[7]: file.manifest: the folder does not say how to build the file";
        assert_eq!(edited(&[], &[("break", 7)]), Err(refused.to_owned()));
        assert!(edited(&[3], &[("break", 7)]).is_err());
        assert_eq!(edited(&[], &[("spoil", 7)]), Ok(0), "a note is no error");
        let toy: Box<dyn Document> = Box::new(Toy::default());
        let step = Step { operation: &OPERATIONS[0], values: vec![ArgumentValue::Number(7)] };
        assert_eq!(
            run(toy, &[step], Strictness::Tolerant, &Meter::unlimited()).unwrap_err().cause.help,
            HELP
        );
    }

    #[test]
    fn errors_that_were_there_may_stay_move_and_go() {
        assert_eq!(edited(&[1, 2], &[("spoil", 7)]), Ok(2));
        assert_eq!(edited(&[1, 2], &[("shift", 4)]), Ok(2));
        assert_eq!(edited(&[1, 2], &[("shift", 4), ("mend", 5)]), Ok(1));
    }

    #[test]
    fn an_error_on_the_way_does_not_count_where_none_was() {
        assert_eq!(edited(&[], &[("break", 7), ("mend", 7)]), Ok(0));
    }

    #[test]
    fn mending_one_error_makes_no_room_for_another() {
        assert!(edited(&[1], &[("mend", 1), ("break", 7)]).is_err());
        assert!(edited(&[1], &[("break", 7), ("mend", 1)]).is_err());
        assert!(edited(&[1, 2], &[("mend", 1), ("shift", 1), ("break", 7)]).is_err());
    }

    #[test]
    fn an_edit_causes_what_there_was_less_of_before() {
        let odd = |rows: &[u32]| Toy { odd: rows.iter().copied().collect(), ..Toy::default() }.check();
        assert!(caused(&odd(&[1, 2]), odd(&[3, 4])).findings().is_empty(), "they only moved");
        assert_eq!(caused(&odd(&[1, 2]), odd(&[1, 2, 3])).findings().len(), 1);
        assert_eq!(caused(&odd(&[]), odd(&[7])).findings().len(), 1);
    }

    #[test]
    fn strictly_a_step_that_costs_anything_is_refused() {
        let steps = [("shift", 1), ("spoil", 7)];
        assert_eq!(edited(&[1], &steps), Ok(1));
        let refused = AMBIGUOUS.at(Path::named("rows")).to_string();
        assert_eq!(edited_as(Strictness::Strict, &[1], &steps), Err(refused));
        assert_eq!(edited_as(Strictness::Strict, &[1], &steps[..1]), Ok(1));
    }

    #[test]
    fn a_step_that_is_refused_ends_it() {
        assert_eq!(edited(&[], &[("refuse", 0)]), Err(NO_SCENE.at(Path::root()).to_string()));
    }
}
