//! `validate`: everything that is wrong.

pub(crate) mod rules;
mod tally;

use galvani::fs::{Input, Spool, Spooled};
use galvani::nested::{self, Checked};
use galvani::{Scrutiny, render};
use serde_json::json;

use crate::args::{Common, Validate};
use crate::batch::{Batch, Known};
use crate::failure::{Failure, REFUSED, UNREADABLE};
use crate::surroundings::Surroundings;
use crate::table::printable;
use crate::{Outcome, out};
use rules::{Rule, Rules};
use tally::Tally;

/// What an input came to: it and the members inside, as they are shown, by their paths.
#[derive(Default)]
struct Findings {
    tally: Tally,
    /// What the command ends with for it.
    code: u8,
    rows: Spool,
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
        Some(check(input, rules.for_input(input), args, common)).filter(|found| !found.tally.is_empty())
    };
    let (mut tally, mut code) = (Tally::default(), 0);
    let mut rows = common.json.then(|| Rows::new(batch.inputs()));
    let tell = if args.quiet { out::error } else { out::text };
    let show = |found: Option<Findings>| {
        tally.skipped += u64::from(found.is_none());
        let Findings { tally: more, code: worst, rows: spool } = found.unwrap_or_default();
        tally.join(more);
        code = code.max(worst);
        match &mut rows {
            Some(rows) => rows.next(spool.by_name()),
            None => spool.by_name().for_each(|text| out::noted(text.map(|text| tell(&text)))),
        }
    };
    batch.stream(common, work, |found| found.code > 0, show);
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
    waiting: Vec<Spooled>,
    /// The inputs that are not shown yet, in order.
    inputs: &'a [Input],
}

impl<'a> Rows<'a> {
    fn new(inputs: &'a [Input]) -> Self {
        Rows { list: out::JsonList::begin("files"), waiting: Vec::new(), inputs }
    }

    /// One input more has given all its rows.
    fn next(&mut self, rows: Spooled) {
        self.waiting.push(rows);
        self.inputs = self.inputs.get(1..).unwrap_or_default();
        if let Some(input) = self.inputs.first() {
            self.print(|name| name < input.shown.as_str());
        }
    }

    fn end(mut self) {
        self.print(|_| true);
        self.list.end(&json!({}));
    }

    /// Prints the rows with these names; of one name first what came first.
    fn print(&mut self, is_next: impl Fn(&str) -> bool) {
        loop {
            let first = |(i, rows): (usize, &mut Spooled)| Some((rows.name()?.to_owned(), i));
            let Some((name, i)) = self.waiting.iter_mut().enumerate().filter_map(first).min() else { break };
            if !is_next(&name) {
                break;
            }
            if let Some(row) = self.waiting.get_mut(i).and_then(Iterator::next) {
                out::noted(row.map(|row| self.list.push_text(&row)));
            }
        }
        self.waiting.retain_mut(|rows| rows.name().is_some());
    }
}

/// How a file or member is shown: as a row for machines, or to people, who want to be told of what is wrong.
fn shown(checked: &Checked, place: InputOrigin, args: &Validate, common: &Common) -> Option<String> {
    if common.json {
        return Some(format!("{:#}", render::json::checked(checked)));
    }
    if args.quiet {
        let is_told = !checked.readable && place != InputOrigin::Member;
        return is_told.then(|| why_unreadable(checked));
    }
    if args.github {
        return Some(render::github::checked(checked));
    }
    let is_told = !args.summary && (args.verbose || is_worth_showing(checked, place));
    is_told.then(|| render::text::checked(checked))
}

fn why_unreadable(checked: &Checked) -> String {
    let why = checked.report.findings().last().map_or(String::new(), galvani::Diagnostic::sentence);
    format!("{}: {}\n", printable(&checked.path), printable(&why))
}

/// What is found in an input and its members. Nothing for a folder's file of no known format.
fn check(input: &Input, rule: Rule<'_>, args: &Validate, common: &Common) -> Findings {
    let own = if input.explicit { InputOrigin::Named } else { InputOrigin::Walked };
    let mut found = Findings::default();
    let mut add = |checked: Checked, place: InputOrigin| {
        let is_denied = checked.report.findings().iter().any(|finding| rule.is_denied(finding));
        found.code = found.code.max(exit(&checked, place, is_denied));
        let checked = checked.showing(args.severity);
        found.tally.add(&checked, place == InputOrigin::Member);
        if let Some(text) = shown(&checked, place, args, common) {
            found.rows.push(checked.path, &text);
        }
    };
    if let Err(failure) = look(input, rule, args, common, &mut |checked, is_member| {
        add(checked, if is_member { InputOrigin::Member } else { own });
    }) {
        let cause = failure.report().findings().first().cloned();
        if let Some(cause) = cause {
            add(Checked::unreadable(input.shown.clone(), cause), own);
        }
    }
    found
}

/// Looks at an input and its members, those first, and tells what the rule wants to be told.
fn look(
    input: &Input,
    rule: Rule<'_>,
    args: &Validate,
    common: &Common,
    tell: &mut dyn FnMut(Checked, bool),
) -> Result<(), Failure> {
    let Some(known) = Known::new(input, common)? else { return Ok(()) };
    let around = Surroundings::new(input, &args.textures, common)?;
    let scrutiny = if args.pedantic { Scrutiny::Pedantic } else { Scrutiny::Usual };
    let (bytes, options) = (&known.source.bytes, common.options());
    let mut row = |row: Checked| {
        let is_member = row.path != input.shown;
        let row = if is_member { row } else { row.with_notes(&known.source.notes) };
        tell(row.only(|finding| rule.is_wanted(finding)), is_member);
    };
    around.at(&known, |site| {
        nested::check_each(&input.shown, site, known.format, bytes, &options, scrutiny, &mut row);
    });
    Ok(())
}

fn is_worth_showing(checked: &Checked, place: InputOrigin) -> bool {
    place == InputOrigin::Named || !checked.readable || !checked.report.findings().is_empty()
}

/// 3 for an input that does not read; a member that does not read is an error of its archive.
fn exit(checked: &Checked, place: InputOrigin, is_denied: bool) -> u8 {
    match (checked.readable || place == InputOrigin::Member, is_denied) {
        (false, _) => UNREADABLE,
        (true, true) => REFUSED,
        (true, false) => 0,
    }
}
