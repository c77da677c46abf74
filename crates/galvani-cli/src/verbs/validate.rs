//! `validate`: everything that is wrong.

use galvani::fs::Input;
use galvani::nested::{self, Checked};
use galvani::render::text::counted;
use galvani::{Severity, render};
use serde_json::json;

use crate::args::{Common, Validate};
use crate::batch::{Batch, Loaded};
use crate::failure::{REFUSED, UNREADABLE};
use crate::out;

pub(crate) fn run(args: &Validate, common: &Common) -> u8 {
    let batch = Batch::new(&args.inputs.inputs, common);
    let work = |input: &Input| Some(check(input, args, common)).filter(|rows| !rows.is_empty());
    let results = batch.each(common, work, |rows| exit(rows, args) > 0);
    let skipped = results.iter().filter(|rows| rows.is_none()).count();
    let mut rows: Vec<(bool, Checked)> = results.into_iter().flatten().flatten().collect();
    rows.sort_by(|(_, a), (_, b)| a.path.cmp(&b.path));
    let code = exit(&rows, args);
    if common.json {
        let files: Vec<_> = rows.iter().map(|(_, row)| render::json::checked(row)).collect();
        out::json(&json!({"files": files}));
    } else if args.github {
        for (_, row) in &rows {
            out::text(&render::github::checked(row));
        }
    } else {
        for (_, row) in rows.iter().filter(|row| args.verbose || is_worth_showing(row)) {
            out::text(&render::text::checked(row));
        }
        out::text(&summary(&rows, skipped));
    }
    code
}

/// The rows of an input, each with whether somebody pointed at it. None for a folder's file of no known format.
fn check(input: &Input, args: &Validate, common: &Common) -> Vec<(bool, Checked)> {
    let loaded = match Loaded::new(input, common) {
        Ok(Some(loaded)) => loaded,
        Ok(None) => return Vec::new(),
        Err(failure) => {
            let cause = failure.report().findings().first().cloned();
            let row = cause.map(|cause| (true, Checked::unreadable(input.shown.clone(), cause)));
            return row.into_iter().collect();
        }
    };
    let rows = nested::check(&input.shown, loaded.format, &loaded.source.bytes, &common.options());
    let outermost = |i: usize, row: Checked| if i == 0 { row.with_notes(&loaded.source.notes) } else { row };
    let rows = rows.into_iter().enumerate().map(|(i, row)| (i == 0 && input.explicit, outermost(i, row)));
    rows.map(|(pointed_at, row)| (pointed_at, row.without(&args.allow))).collect()
}

fn is_worth_showing((pointed_at, row): &(bool, Checked)) -> bool {
    *pointed_at || !row.readable || !row.report.findings().is_empty()
}

fn exit(rows: &[(bool, Checked)], args: &Validate) -> u8 {
    let denied = |row: &Checked| {
        let bar = |word: &str, severity| {
            args.deny.iter().any(|deny| deny == word) && row.report.tally(severity) > 0
        };
        row.report.tally(Severity::Error) > 0
            || bar("warnings", Severity::Warning)
            || bar("notes", Severity::Note)
            || bar("notes", Severity::Warning)
            || row
                .report
                .findings()
                .iter()
                .any(|finding| args.deny.iter().any(|deny| deny == finding.code.name))
    };
    let code = |(_, row): &(bool, Checked)| match (row.readable, denied(row)) {
        (false, _) => UNREADABLE,
        (true, true) => REFUSED,
        (true, false) => 0,
    };
    rows.iter().map(code).max().unwrap_or(0)
}

fn summary(rows: &[(bool, Checked)], skipped: usize) -> String {
    let sum = |severity| rows.iter().map(|(_, row)| row.report.tally(severity)).sum::<u64>();
    let tally = |severity: Severity| counted(sum(severity), severity.word());
    let tallies = [Severity::Error, Severity::Warning, Severity::Note].map(tally).join(", ");
    let skipped = if skipped > 0 { format!("; {skipped} of unknown format left out") } else { String::new() };
    let files = counted(u64::try_from(rows.len()).unwrap_or(u64::MAX), "file");
    format!("{files} checked: {tallies}{skipped}\n")
}
