//! `edit`: operations on a document, all of them or none.

use std::ffi::OsStr;
use std::path::Path;

use galvani::formats::{FORMATS, Format, Step, StepError};
use galvani::fs::{read, read_stdin};
use galvani::render;
use serde_json::{Map, Value, json};

use super::{outcome, put};
use crate::args::{Common, Edit};
use crate::batch::single;
use crate::failure::{Failure, warn};
use crate::table::printable;
use crate::{Outcome, out};

pub(crate) fn run(args: &Edit, common: &Common) -> Outcome {
    if args.list {
        list(common);
        return Ok(0);
    }
    if args.output.is_none() && !args.in_place {
        return Err(Failure::Usage("where to? -o OUT or --in-place".to_owned()));
    }
    let (input, known) = single(args.input.as_deref().unwrap_or_default(), common)?;
    let steps = steps(args, known.format, common)?;
    if steps.is_empty() {
        return Err(Failure::Usage("no operation given; `edit --list` shows all".to_owned()));
    }
    let opened = known.open(common)?;
    let (document, cost) = galvani::edit::run(opened.document, &steps)?;
    let mut costs = opened.report;
    costs.append(cost);
    let bytes = document.write()?;
    let (before, after) = (known.source.bytes.len(), bytes.len());
    warn(costs.findings(), &input.shown);
    let report = outcome(opened.format, &bytes, costs, common);
    let written = put(args.output.as_deref(), &input, bytes, common)?;
    if args.output.as_deref() == Some(Path::new("-")) {
        return Ok(0);
    }
    if common.json {
        let operations: Vec<&str> = steps.iter().map(|step| step.operation.name).collect();
        out::json(&json!({
            "path": input.shown, "written": written, "operations": operations,
            "before": before, "after": after, "report": render::json::report(&report),
        }));
    } else {
        let done = render::text::counted(u64::try_from(steps.len()).unwrap_or(u64::MAX), "operation");
        out::text(&format!("{}: {done}, {before} → {after} bytes\n", printable(&written)));
    }
    Ok(0)
}

/// The recipe's operations, then those of the command line.
fn steps(args: &Edit, format: &dyn Format, common: &Common) -> Result<Vec<Step>, Failure> {
    let usage = |error: StepError| Failure::Usage(error.to_string());
    let mut files = Files { common, stdin_is_spent: args.input.as_deref() == Some(OsStr::new("-")) };
    let mut steps = Vec::new();
    if let Some(recipe) = &args.recipe {
        let text = files.bytes(recipe).map_err(Failure::Usage)?;
        steps = recipe_steps(recipe, &text, format, &mut files)?;
    }
    let mut words = args.words.iter().cloned();
    let mut open = |name: &str| files.bytes(Path::new(name));
    while let Some(step) = Step::next(format, &mut words, &mut open).map_err(usage)? {
        steps.push(step);
    }
    Ok(steps)
}

/// Files that operations name, standard input once.
struct Files<'a> {
    common: &'a Common,
    stdin_is_spent: bool,
}

impl Files<'_> {
    fn bytes(&mut self, path: &Path) -> Result<Vec<u8>, String> {
        let limits = self.common.options().limits;
        let read = if path != Path::new("-") {
            read(path, &limits)
        } else if std::mem::replace(&mut self.stdin_is_spent, true) {
            return Err("`-`: standard input can be read only once".to_owned());
        } else {
            read_stdin(&limits)
        };
        read.map_err(|error| error.cause.message)
    }
}

/// The operations of a recipe; files are looked for beside it.
fn recipe_steps(
    recipe: &Path,
    text: &[u8],
    format: &dyn Format,
    files: &mut Files<'_>,
) -> Result<Vec<Step>, Failure> {
    let wrong = |what: String| Failure::Usage(format!("{}: {what}", recipe.display()));
    let rows: Vec<Map<String, Value>> =
        serde_json::from_slice(text).map_err(|error| wrong(error.to_string()))?;
    let folder = recipe.parent().unwrap_or(Path::new(""));
    let mut steps = Vec::new();
    for (i, mut row) in rows.into_iter().enumerate() {
        let name = row.shift_remove("op");
        let name = name.as_ref().and_then(Value::as_str);
        let name = name.ok_or_else(|| wrong(format!("operation {i} has no `op`")))?;
        let mut given = |arg: &str| {
            let value = row.shift_remove(arg)?;
            Some(value.as_str().map_or(value.to_string(), str::to_owned))
        };
        let mut open = |file: &str| files.bytes(&folder.join(file));
        let step = Step::with_args(format, name, &mut given, &mut open);
        steps.push(step.map_err(|error| wrong(format!("operation {i}: {error}")))?);
        if let Some(stranger) = row.keys().next() {
            return Err(wrong(format!("operation {i}: `{stranger}` is no argument of `{name}`")));
        }
    }
    Ok(steps)
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
