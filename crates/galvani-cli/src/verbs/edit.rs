//! `edit`: operations on a document, all of them or none; also on every file of a folder, and on the members of an
//! archive.

mod list;
mod plans;

use std::ffi::{OsStr, OsString};
use std::path::Path;

use galvani::edit::{MembersEdited, Refusals, caused};
use galvani::formats::{FORMATS, Format};
use galvani::fs::Input;
use galvani::{Report, budget};

use super::outcome;
use super::remake::{self, Made};
use crate::Outcome;
use crate::args::{Common, Edit};
use crate::batch::Known;
use crate::failure::Failure;
pub(crate) use list::{man, names};
use plans::Plans;

pub(crate) fn run(args: &Edit, common: &Common) -> Outcome {
    if let Some(format) = &args.list {
        list::list(format, common);
        return Ok(0);
    }
    let (inputs, operations) = split(&args.words, args.recipe.is_some())?;
    let plans = Plans::new(inputs, operations, args.recipe.as_deref(), common)?;
    // One file says best itself what is wrong with the words; of many the first would not be meant.
    if !matches!(inputs, [input] if !Path::new(input).is_dir()) {
        plans.any()?;
    }
    let refusals = if args.skip_refused { Refusals::Skip } else { Refusals::End };
    let make = |input: &Input, known: &Known| match edit(input, known, &plans, refusals, common)? {
        None if input.explicit => Err(plans.refusal(known.format)),
        made => Ok(made),
    };
    remake::run(inputs, &args.target, "edit", common, make)
}

/// Inputs and operations: these begin with the first word that is the name of one and of no file.
fn split(words: &[OsString], has_recipe: bool) -> Result<(&[OsString], &[OsString]), Failure> {
    let is_operation = |word: &OsString| is_operation(word) && !Path::new(word).exists();
    let Some(at) = words.iter().position(is_operation) else {
        return if has_recipe { Ok((words, &[])) } else { Err(no_operation(words)) };
    };
    if at == 0 {
        let word = words.first().map(|word| word.to_string_lossy()).unwrap_or_default();
        return Err(Failure::Usage(format!("no input before the operation `{word}`")));
    }
    Ok(words.split_at(at))
}

fn is_operation(word: &OsStr) -> bool {
    let mut operations = FORMATS.iter().flat_map(|format| format.info().operations);
    operations.any(|operation| word == operation.name)
}

/// The first word behind the first input that can be no input is taken for the operation meant.
fn no_operation(words: &[OsString]) -> Failure {
    let is_input = |word: &OsString| {
        let is_pattern = word.to_string_lossy().contains(['*', '?', '[']);
        word == "-"
            || is_pattern
            || Path::new(word).ancestors().any(|path| path.exists() && path != Path::new(""))
    };
    Failure::Operation(match words.iter().skip(1).find(|word| !is_input(word)) {
        Some(word) => {
            format!("`{}` is no operation of any format; `edit --list` shows all", word.to_string_lossy())
        }
        None => "no operation given; `edit --list` shows all".to_owned(),
    })
}

/// Edits a file, or the members of an archive that knows no such operations; `None` if nothing here does.
fn edit(
    input: &Input,
    known: &Known,
    plans: &Plans,
    refusals: Refusals,
    common: &Common,
) -> Result<Option<Made>, Failure> {
    let mut opened = known.open(input, common)?;
    let mut costs = opened.report;
    let (document, done) = if let Some(steps) = plans.steps_for(known.format) {
        let read = common.options().read;
        let meter = read.budget.meter(&budget::EDITING, known.source.bytes.len());
        let (document, cost) = galvani::edit::run(opened.document, steps, read.strictness, &meter)?;
        let operations = steps.iter().map(|step| step.operation.name).collect();
        (document, MembersEdited { operations, costs: cost, skipped: Vec::new() })
    } else {
        let steps = |format: &dyn Format| plans.steps_for(format);
        let Some(archive) = opened.document.as_archive_mut() else { return Ok(None) };
        let done =
            galvani::edit::members(archive, &steps, refusals, known.source.bytes.len(), &common.options())?;
        (opened.document, done)
    };
    if done.operations.is_empty() {
        return match done.skipped.into_iter().next() {
            None => Ok(None),
            Some((member, cause)) => {
                let message = format!("{member}: {}", cause.message);
                Err(galvani::EditError { cause: Box::new(cause.saying(message)) }.into())
            }
        };
    }
    let bytes = document.write()?;
    let mut findings = Report::default();
    known.source.notes.iter().for_each(|note| findings.push(note.clone()));
    findings.append(done.costs.clone());
    // Both looked at alone: what lies beside the file has not changed.
    let wrong = |bytes: &[u8]| outcome(known.format, bytes, Report::default(), common);
    let after = wrong(&bytes);
    findings.append(caused(&wrong(&known.source.bytes), after.clone()));
    costs.append(done.costs);
    costs.append(after);
    let before = known.source.bytes.len();
    Ok(Some(Made {
        bytes,
        before,
        operations: done.operations,
        findings,
        report: costs,
        skipped: done.skipped,
        mended: None,
    }))
}
