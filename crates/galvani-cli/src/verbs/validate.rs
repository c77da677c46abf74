//! `validate`: everything that is wrong.

use galvani::fs::Input;
use galvani::nested::{self, Checked};
use galvani::render::text::counted;
use galvani::{Diagnostic, Scrutiny, Severity, render};
use serde_json::json;

use crate::args::{Common, Validate};
use crate::batch::{Batch, Known, links};
use crate::failure::{REFUSED, UNREADABLE};
use crate::out;

/// A file or member, checked.
struct Line {
    place: Place,
    checked: Checked,
}

/// How a file came to be checked.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    /// Somebody pointed at it.
    Asked,
    /// It is in a folder somebody pointed at.
    Walked,
    /// It is in an archive.
    Member,
}

pub(crate) fn run(args: &Validate, common: &Common) -> u8 {
    let batch = Batch::new(&args.inputs.inputs, common);
    let work = |input: &Input| Some(check(input, args, common)).filter(|lines| !lines.is_empty());
    let results = batch.each(common, work, |lines| exit(lines, args) > 0);
    let skipped = results.iter().filter(|lines| lines.is_none()).count();
    let mut lines: Vec<Line> = results.into_iter().flatten().flatten().collect();
    lines.sort_by(|a, b| a.checked.path.cmp(&b.checked.path));
    if common.json {
        let files: Vec<_> = lines.iter().map(|line| render::json::checked(&line.checked)).collect();
        out::json(&json!({"files": files}));
    } else if args.github {
        for line in &lines {
            out::text(&render::github::checked(&line.checked));
        }
    } else {
        for line in lines.iter().filter(|line| args.verbose || is_worth_showing(line)) {
            out::text(&render::text::checked(&line.checked));
        }
        out::text(&summary(&lines, skipped));
    }
    exit(&lines, args)
}

/// The lines of an input, its own first. None for a folder's file of no known format.
fn check(input: &Input, args: &Validate, common: &Common) -> Vec<Line> {
    let place = if input.explicit { Place::Asked } else { Place::Walked };
    let known = match Known::new(input, common) {
        Ok(Some(known)) => known,
        Ok(None) => return Vec::new(),
        Err(failure) => {
            let cause = failure.report().findings().first().cloned();
            let unreadable = |cause| Line { place, checked: Checked::unreadable(input.shown.clone(), cause) };
            return cause.map(unreadable).into_iter().collect();
        }
    };
    let options = common.options();
    let links = links(input, common);
    let scrutiny = if args.pedantic { Scrutiny::Pedantic } else { Scrutiny::Usual };
    let bytes = &known.source.bytes;
    let rows = nested::check(&input.shown, &known.site(&*links), known.format, bytes, &options, scrutiny);
    let is_wanted = |finding: &Diagnostic| !args.allow.iter().any(|name| name == finding.code.name);
    let line = |(i, row): (usize, Checked)| match i {
        0 => Line { place, checked: row.with_notes(&known.source.notes).only(is_wanted) },
        _ => Line { place: Place::Member, checked: row.only(is_wanted) },
    };
    rows.into_iter().enumerate().map(line).collect()
}

fn is_worth_showing(line: &Line) -> bool {
    line.place == Place::Asked || !line.checked.readable || !line.checked.report.findings().is_empty()
}

/// 3 for an input that does not read; a member that does not read is an error of its archive.
fn exit(lines: &[Line], args: &Validate) -> u8 {
    let code =
        |line: &Line| match (line.checked.readable || line.place == Place::Member, is_denied(line, args)) {
            (false, _) => UNREADABLE,
            (true, true) => REFUSED,
            (true, false) => 0,
        };
    lines.iter().map(code).max().unwrap_or(0)
}

fn is_denied(line: &Line, args: &Validate) -> bool {
    let report = &line.checked.report;
    let is_named = |word: &str| args.deny.iter().any(|deny| deny == word);
    let bar = match (is_named("notes"), is_named("warnings")) {
        (true, _) => Severity::Note,
        (false, true) => Severity::Warning,
        (false, false) => Severity::Error,
    };
    report.findings().iter().any(|finding| finding.severity >= bar || is_named(finding.code.name))
}

fn summary(lines: &[Line], skipped: usize) -> String {
    let sum = |severity| lines.iter().map(|line| line.checked.report.tally(severity)).sum::<u64>();
    let tally = |severity: Severity| counted(sum(severity), severity.word());
    let tallies = [Severity::Error, Severity::Warning, Severity::Note].map(tally).join(", ");
    let count = |is_member: bool| {
        let lines = lines.iter().filter(|line| (line.place == Place::Member) == is_member);
        u64::try_from(lines.count()).unwrap_or(u64::MAX)
    };
    let members = match count(true) {
        0 => String::new(),
        members => format!(" and {}", counted(members, "member")),
    };
    let skipped = if skipped > 0 { format!("; {skipped} of unknown format left out") } else { String::new() };
    format!("{}{members} checked: {tallies}{skipped}\n", counted(count(false), "file"))
}
