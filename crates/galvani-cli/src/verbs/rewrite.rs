//! `rewrite`: read, and write from the document alone.

use galvani::Report;
use galvani::fs::Input;

use super::outcome;
use super::remake::{self, Made};
use crate::Outcome;
use crate::args::{Common, Rewrite};
use crate::batch::Known;
use crate::failure::Failure;

pub(crate) fn run(args: &Rewrite, common: &Common) -> Outcome {
    let make = |input: &Input, known: &Known| rewrite(input, known, args.canonical, common).map(Some);
    remake::run(&args.inputs, &args.target, "rewrite", common, make)
}

fn rewrite(input: &Input, known: &Known, canonical: bool, common: &Common) -> Result<Made, Failure> {
    let mut opened = known.open(input, common)?;
    let mut findings = Report::default();
    known.source.notes.iter().for_each(|note| findings.push(note.clone()));
    let mut costs = opened.report.clone();
    if canonical {
        let cost = opened.document.make_canonical()?;
        costs.append(cost.clone());
        findings.append(cost);
    }
    let bytes = opened.document.write()?;
    let report = outcome(opened.format, &bytes, costs, common);
    let before = known.source.bytes.len();
    Ok(Made { bytes, before, operations: Vec::new(), findings, report, skipped: Vec::new(), mended: None })
}
