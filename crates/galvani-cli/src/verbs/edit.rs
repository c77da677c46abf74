//! `edit`: operations on a document, all of them or none; also on every file of a folder, and on the members of an
//! archive.

mod plans;

use std::path::{Path, PathBuf};

use galvani::formats::{FORMATS, Format};
use galvani::fs::{Input, write_inside};
use galvani::{Report, render};
use serde_json::{Value, json};

use super::{outcome, put};
use crate::args::{Common, Edit};
use crate::batch::{Batch, Known, Row, single, worst};
use crate::failure::{Failure, tell, warn};
use crate::table::printable;
use crate::{Outcome, out};
use plans::Plans;

pub(crate) fn run(args: &Edit, common: &Common) -> Outcome {
    if args.list {
        list(common);
        return Ok(0);
    }
    if args.output.is_none() && !args.in_place {
        return Err(Failure::Usage("where to? -o OUT or --in-place".to_owned()));
    }
    let plans = Plans::new(args, common)?;
    let word = args.input.clone().unwrap_or_default();
    if Path::new(&word).is_dir() {
        return folder(args, Path::new(&word), &plans, common);
    }
    let (input, known) = single(&word, common)?;
    let Some(edited) = edit(&input, &known, &plans, common)? else { return Err(plans.refusal(known.format)) };
    tell(edited.costs.findings(), &input.shown);
    let report = outcome(known.format, &edited.bytes, edited.costs, common);
    let after = edited.bytes.len();
    let written = put(args.output.as_deref(), &input, edited.bytes, common)?;
    if args.output.as_deref() == Some(Path::new("-")) {
        return Ok(0);
    }
    let done = Done { written, operations: edited.operations, before: edited.before, after, report };
    if common.json {
        out::json(&done.json(&input.shown));
    } else {
        out::text(&done.text());
    }
    Ok(0)
}

/// A file as its edits leave it.
struct Edited {
    bytes: Vec<u8>,
    before: usize,
    /// What was done, once for each member it was done to.
    operations: Vec<&'static str>,
    costs: Report,
}

/// Edits a file, or the members of an archive that knows no such operations; `None` if nothing here does.
fn edit(input: &Input, known: &Known, plans: &Plans, common: &Common) -> Result<Option<Edited>, Failure> {
    let mut opened = known.open(input, common)?;
    let before = known.source.bytes.len();
    let mut costs = opened.report;
    if let Some(steps) = plans.of(known.format) {
        let (document, cost) = galvani::edit::run(opened.document, steps, common.options().strictness)?;
        costs.append(cost);
        let operations = steps.iter().map(|step| step.operation.name).collect();
        return Ok(Some(Edited { bytes: document.write()?, before, operations, costs }));
    }
    let steps = |format: &dyn Format| plans.of(format);
    let (done, cost) = galvani::edit::members(&mut *opened.document, &steps, &common.options())?;
    if done.is_empty() {
        return Ok(None);
    }
    costs.append(cost);
    Ok(Some(Edited { bytes: opened.document.write()?, before, operations: done, costs }))
}

/// An edited file that was written.
struct Done {
    written: String,
    operations: Vec<&'static str>,
    before: usize,
    after: usize,
    report: Report,
}

impl Done {
    fn json(&self, path: &str) -> Value {
        json!({
            "path": path, "written": self.written, "operations": self.operations,
            "before": self.before, "after": self.after, "report": render::json::report(&self.report),
        })
    }

    fn text(&self) -> String {
        let count = u64::try_from(self.operations.len()).unwrap_or(u64::MAX);
        let done = render::text::counted(count, "operation");
        format!("{}: {done}, {} → {} bytes\n", printable(&self.written), self.before, self.after)
    }
}

/// Edits every file below a folder that knows the operations, on all cores; the others are passed over.
fn folder(args: &Edit, from: &Path, plans: &Plans, common: &Common) -> Outcome {
    plans.any()?;
    let work = |input: &Input| {
        let path = input.shown.clone();
        let known = match Known::new(input, common) {
            Ok(known) => known?,
            Err(failure) => return Some(Row { path, format: None, result: Err(failure) }),
        };
        let result = match edit(input, &known, plans, common) {
            Ok(edited) => write(args, from, input, &known, edited?, common),
            Err(failure) => Err(failure),
        };
        Some(Row { path, format: Some(known.format.info().id), result })
    };
    let batch = Batch::new(&[from.as_os_str().to_owned()], common);
    let rows = batch.each(common, work, |row| row.result.is_err());
    let rows: Vec<Row<Done>> = rows.into_iter().flatten().collect();
    show(&rows, common);
    Ok(worst(&rows))
}

/// Writes a folder's file back, or under the same name below another folder.
fn write(
    args: &Edit,
    from: &Path,
    input: &Input,
    known: &Known,
    edited: Edited,
    common: &Common,
) -> Result<Done, Failure> {
    let Edited { bytes, before, operations, costs } = edited;
    let (after, report) = (bytes.len(), outcome(known.format, &bytes, costs, common));
    let written = match &args.output {
        None => put(None, input, bytes, common)?,
        Some(to) => write_inside(to, &below(from, input), &bytes)?.display().to_string(),
    };
    Ok(Done { written, operations, before, after, report })
}

/// The path of a file below a folder.
fn below(folder: &Path, input: &Input) -> String {
    let file = input.home().map_or_else(PathBuf::new, |(file, _)| file.to_path_buf());
    let parts = file.strip_prefix(folder).unwrap_or(&file).iter();
    parts.map(|part| part.to_string_lossy().into_owned()).collect::<Vec<_>>().join("/")
}

fn show(rows: &[Row<Done>], common: &Common) {
    if common.json {
        let row = |row: &Row<Done>| match &row.result {
            Ok(done) => done.json(&row.path),
            Err(failure) => row.failure_json(failure),
        };
        out::json(&json!({"files": rows.iter().map(row).collect::<Vec<_>>()}));
        return;
    }
    for row in rows {
        match &row.result {
            Ok(done) => {
                warn(done.report.findings(), &row.path);
                out::text(&done.text());
            }
            Err(failure) => drop(failure.show(common)),
        }
    }
    if rows.is_empty() {
        out::text("nothing to edit\n");
    }
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
