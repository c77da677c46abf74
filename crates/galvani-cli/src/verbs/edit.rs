//! `edit`: operations on a document, all of them or none.

use std::path::Path;

use galvani::formats::{FORMATS, Format, Step, StepError};
use galvani::fs::{read, read_stdin};
use galvani::{Code, Report, Severity, render};
use serde_json::{Value, json};

use super::put;
use crate::args::{Common, Edit};
use crate::batch::single;
use crate::failure::{Failure, REFUSED, warn};
use crate::{Outcome, out};

pub(crate) fn run(args: &Edit, common: &Common) -> Outcome {
    if args.list {
        list(common);
        return Ok(0);
    }
    if args.output.is_none() && !args.in_place {
        return Err(Failure::Usage("where to? -o OUT or --in-place".to_owned()));
    }
    let (input, loaded) = single(args.input.as_deref().unwrap_or_default(), common)?;
    let steps = steps(args, loaded.format, common)?;
    if steps.is_empty() {
        return Err(Failure::Usage("no operation given; `edit --list` shows all".to_owned()));
    }
    let mut opened = loaded.open(common)?;
    let sound = opened.document.check();
    for step in &steps {
        opened.document.edit(step)?;
    }
    refuse_new_errors(&sound, &opened.document.check())?;
    let bytes = opened.document.write()?;
    let (before, after) = (loaded.source.bytes.len(), bytes.len());
    let written = put(args.output.as_deref(), &input, bytes, common)?;
    warn(&opened.report, &input.shown);
    if args.output.as_deref() == Some(Path::new("-")) {
        return Ok(0);
    }
    if common.json {
        let operations: Vec<&str> = steps.iter().map(|step| step.operation.name).collect();
        let report = render::json::report(&opened.document.check());
        out::json(&json!({
            "path": input.shown, "written": written, "operations": operations,
            "before": before, "after": after, "report": report,
        }));
    } else {
        let done = render::text::counted(u64::try_from(steps.len()).unwrap_or(u64::MAX), "operation");
        out::text(&format!("{written}: {done}, {before} → {after} bytes\n"));
    }
    Ok(0)
}

/// An edit may leave errors that were there, but not add any: nothing is written then.
fn refuse_new_errors(before: &Report, after: &Report) -> Result<(), Failure> {
    let count = |report: &Report, code: &Code| -> u64 {
        report.findings().iter().filter(|finding| finding.code == code).map(|finding| finding.count).sum()
    };
    let errors = after.findings().iter().filter(|finding| finding.code.severity == Severity::Error);
    let mut new = errors.filter(|finding| count(after, finding.code) > count(before, finding.code));
    new.next().map_or(Ok(()), |finding| Err(Failure::Found(REFUSED, Box::new(finding.clone()))))
}

/// The recipe's operations, then those of the command line.
fn steps(args: &Edit, format: &dyn Format, common: &Common) -> Result<Vec<Step>, Failure> {
    let limits = common.options().limits;
    let usage = |error: StepError| Failure::Usage(error.to_string());
    let mut steps = Vec::new();
    if let Some(recipe) = &args.recipe {
        let folder = recipe.parent().unwrap_or(Path::new(""));
        let mut open = |name: &str| read(&folder.join(name), &limits).map_err(|error| error.cause.message);
        for (i, row) in recipe_rows(recipe, common)?.iter().enumerate() {
            let name = row.get("op").and_then(Value::as_str);
            let name = name
                .ok_or_else(|| Failure::Usage(format!("{}: operation {i} has no `op`", recipe.display())))?;
            let mut given =
                |arg: &str| row.get(arg).map(|value| value.as_str().map_or(value.to_string(), str::to_owned));
            steps.push(Step::with_args(format, name, &mut given, &mut open).map_err(usage)?);
        }
    }
    let mut words = args.words.iter().cloned();
    let mut stdin_is_spent = args.input.as_deref() == Some("-");
    let mut open = |name: &str| match name {
        "-" if std::mem::replace(&mut stdin_is_spent, true) => {
            Err("`-`: standard input can be read only once".to_owned())
        }
        "-" => read_stdin(&limits).map_err(|error| error.cause.message),
        _ => read(Path::new(name), &limits).map_err(|error| error.cause.message),
    };
    while let Some(step) = Step::next(format, &mut words, &mut open).map_err(usage)? {
        steps.push(step);
    }
    Ok(steps)
}

fn recipe_rows(recipe: &Path, common: &Common) -> Result<Vec<Value>, Failure> {
    let text = read(recipe, &common.options().limits).map_err(|error| Failure::Usage(error.cause.message))?;
    serde_json::from_slice(&text).map_err(|error| Failure::Usage(format!("{}: {error}", recipe.display())))
}

fn list(common: &Common) {
    if common.json {
        let operation = |operation: &galvani::formats::Operation| {
            let args: Vec<&str> = operation.args.iter().map(|arg| arg.name).collect();
            json!({"name": operation.name, "args": args, "summary": operation.summary})
        };
        let formats = FORMATS.iter().map(|format| format.info());
        let rows: Vec<Value> = formats
            .map(|info| json!({"format": info.id, "operations": info.operations.iter().map(operation).collect::<Vec<_>>()}))
            .collect();
        out::json(&json!({"formats": rows}));
        return;
    }
    let bold = anstyle::Style::new().bold();
    for info in FORMATS.iter().map(|format| format.info()) {
        out::text(&format!("{bold}{}{bold:#}: {}\n", info.id, info.name));
        for operation in info.operations {
            let usage = format!("{} {}", operation.name, operation.usage());
            out::text(&format!("  {usage:<34} {}\n", operation.summary));
        }
    }
}
