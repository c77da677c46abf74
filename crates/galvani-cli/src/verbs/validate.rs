//! `validate`: everything that is wrong.

pub(crate) mod rules;
mod tally;

use std::collections::BTreeMap;

use galvani::fs::Input;
use galvani::nested::{self, Checked};
use galvani::{Scrutiny, render};
use serde_json::{Value, json};

use crate::args::{Common, Validate};
use crate::batch::{Batch, Known};
use crate::failure::{Failure, REFUSED, UNREADABLE};
use crate::surroundings::Surroundings;
use crate::table::printable;
use crate::{Outcome, out};
use rules::{Rule, Rules};
use tally::Tally;

/// A file or member, checked.
struct Line {
    place: InputOrigin,
    checked: Checked,
    /// Whether it fails the command, whatever is shown of it.
    is_denied: bool,
}

/// How a file came to be checked.
#[derive(Clone, Copy, PartialEq)]
enum InputOrigin {
    /// Somebody pointed at it.
    Named,
    /// It is in a folder somebody pointed at.
    Walked,
    /// It is in an archive.
    Member,
}

pub(crate) fn run(args: &Validate, common: &Common) -> Outcome {
    let batch = Batch::new(&args.inputs.inputs, common).by_path();
    let rules = Rules::new(args, batch.inputs(), common)?;
    let work = |_: usize, input: &Input| {
        Some(check(input, rules.for_input(input), args, common)).filter(|lines| !lines.is_empty())
    };
    let (mut tally, mut code) = (Tally::default(), 0);
    let mut rows = common.json.then(|| Rows::new(batch.inputs()));
    let show = |lines: Option<Vec<Line>>| {
        tally.skipped += u64::from(lines.is_none());
        for line in lines.unwrap_or_default() {
            tally.add(&line.checked, line.place == InputOrigin::Member);
            code = code.max(exit(&line));
            match &mut rows {
                Some(rows) => rows.add(&line.checked),
                None => show(&line, args),
            }
        }
        rows.iter_mut().for_each(Rows::next);
    };
    batch.stream(common, work, |lines| lines.iter().any(|line| exit(line) > 0), show);
    if let Some(rows) = rows {
        rows.end();
    } else if !args.github && !args.quiet {
        out::text(&tally.text());
    }
    if tally.is_empty() {
        out::error("note: no file of a known format here\n");
    }
    Ok(code)
}

/// Rows for machines, in the order of their paths: one waits only for inputs that may have rows before it.
struct Rows<'a> {
    list: out::JsonList,
    waiting: BTreeMap<String, Vec<Value>>,
    /// The inputs that are not shown yet, in order.
    inputs: &'a [Input],
}

impl<'a> Rows<'a> {
    fn new(inputs: &'a [Input]) -> Self {
        Rows { list: out::JsonList::begin("files"), waiting: BTreeMap::new(), inputs }
    }

    fn add(&mut self, checked: &Checked) {
        self.waiting.entry(checked.path.clone()).or_default().push(render::json::checked(checked));
    }

    /// One input more has given all its rows.
    fn next(&mut self) {
        self.inputs = self.inputs.get(1..).unwrap_or_default();
        let Some(input) = self.inputs.first() else { return };
        let behind = self.waiting.split_off(&input.shown);
        let ready = std::mem::replace(&mut self.waiting, behind);
        ready.into_values().flatten().for_each(|row| self.list.push(&row));
    }

    fn end(mut self) {
        std::mem::take(&mut self.waiting).into_values().flatten().for_each(|row| self.list.push(&row));
        self.list.end(&json!({}));
    }
}

/// Tells people of a file or member.
fn show(line: &Line, args: &Validate) {
    if args.quiet {
        tell_unreadable(line);
    } else if args.github {
        out::text(&render::github::checked(&line.checked));
    } else if !args.summary && (args.verbose || is_worth_showing(line)) {
        out::text(&render::text::checked(&line.checked));
    }
}

fn tell_unreadable(line: &Line) {
    if line.checked.readable || line.place == InputOrigin::Member {
        return;
    }
    let why = line.checked.report.findings().last().map_or(String::new(), galvani::Diagnostic::sentence);
    out::error(&format!("{}: {}\n", printable(&line.checked.path), printable(&why)));
}

/// The lines of an input, its own first. None for a folder's file of no known format.
fn check(input: &Input, rule: Rule<'_>, args: &Validate, common: &Common) -> Vec<Line> {
    let place = if input.explicit { InputOrigin::Named } else { InputOrigin::Walked };
    let line = |place: InputOrigin, checked: Checked| {
        let is_denied = checked.report.findings().iter().any(|finding| rule.is_denied(finding));
        Line { place, checked: checked.showing(args.severity), is_denied }
    };
    let unreadable = |failure: &Failure| -> Vec<Line> {
        let cause = failure.report().findings().first().cloned();
        cause.map(|cause| line(place, Checked::unreadable(input.shown.clone(), cause))).into_iter().collect()
    };
    let known = match Known::new(input, common) {
        Ok(Some(known)) => known,
        Ok(None) => return Vec::new(),
        Err(failure) => return unreadable(&failure),
    };
    let options = common.options();
    let around = match Surroundings::new(input, &args.textures, common) {
        Ok(around) => around,
        Err(failure) => return unreadable(&failure),
    };
    let scrutiny = if args.pedantic { Scrutiny::Pedantic } else { Scrutiny::Usual };
    let bytes = &known.source.bytes;
    let rows =
        around.at(&known, |site| nested::check(&input.shown, site, known.format, bytes, &options, scrutiny));
    let row = |(i, row): (usize, Checked)| match i {
        0 => line(place, row.with_notes(&known.source.notes).only(|finding| rule.is_wanted(finding))),
        _ => line(InputOrigin::Member, row.only(|finding| rule.is_wanted(finding))),
    };
    let mut lines: Vec<Line> = rows.into_iter().enumerate().map(row).collect();
    lines.sort_by(|a, b| a.checked.path.cmp(&b.checked.path));
    lines
}

fn is_worth_showing(line: &Line) -> bool {
    line.place == InputOrigin::Named || !line.checked.readable || !line.checked.report.findings().is_empty()
}

/// 3 for an input that does not read; a member that does not read is an error of its archive.
fn exit(line: &Line) -> u8 {
    match (line.checked.readable || line.place == InputOrigin::Member, line.is_denied) {
        (false, _) => UNREADABLE,
        (true, true) => REFUSED,
        (true, false) => 0,
    }
}
