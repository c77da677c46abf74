//! The tables themselves, as Parquet files or as a stream.

use std::collections::BTreeSet;
use std::path::Path;

use galvani::fs::{Force, Input, Overwrite, Saved, Tree};
use galvani_survey::{
    EarlierSurvey, Options, ParquetFolder, Progress, Stream, Summary, SurveyError, Table, run as survey,
};
use indicatif::ProgressBar;
use serde_json::{Value, json};

use super::{Common, Outcome, Survey};
use crate::batch::{self, Batch};
use crate::failure::{Failure, REFUSED, UNREADABLE};
use crate::{out, results, stop};

impl From<SurveyError> for Failure {
    fn from(error: SurveyError) -> Self {
        Failure::Found(REFUSED, error.cause)
    }
}

pub(crate) fn run(args: &Survey, common: &Common) -> Outcome {
    let tables = tables(args)?;
    let batch = Batch::new(&args.inputs.inputs, common).by_path();
    if batch.len() == 0 {
        out::error("nothing to survey: no file here\n");
        return Ok(REFUSED);
    }
    let asked = Asked { batch: &batch, tables, common };
    if args.output == Path::new("-") { asked.stream(args) } else { asked.folder(args) }
}

fn tables(args: &Survey) -> Result<BTreeSet<Table>, Failure> {
    if args.tables.is_empty() {
        return Ok(Table::usual().collect());
    }
    args.tables.iter().map(|word| word.parse().map_err(Failure::Usage)).collect()
}

/// What is to be surveyed.
struct Asked<'a> {
    batch: &'a Batch,
    tables: BTreeSet<Table>,
    common: &'a Common,
}

impl Asked<'_> {
    /// One table on standard output.
    fn stream(self, args: &Survey) -> Outcome {
        let mut tables = self.tables.iter();
        let (Some(table), None, false) = (tables.next().copied(), tables.next(), args.resume) else {
            let how = "`-o -` streams one table: name it with --tables, and leave out --resume";
            return Err(Failure::Usage(how.to_owned()));
        };
        let options = self.options(EarlierSurvey::default());
        let mut stream = Stream::begin(table, out::stream(true))?;
        let summary = self.survey(&options, &mut stream)?;
        stream.finish()?;
        Ok(exit(&summary))
    }

    /// All tables into a folder. That of the files is always among them: it says what the others are of.
    fn folder(mut self, args: &Survey) -> Outcome {
        let tree = Tree::new(&args.output);
        self.tables.insert(Table::Files);
        let (surveyed, overwrite) = if args.resume {
            let force = Overwrite { force: Force::Yes, ..self.common.overwrite() };
            self.go_on_with(EarlierSurvey::tables(&tree)?, args)?;
            (EarlierSurvey::look(&tree)?, force)
        } else {
            (EarlierSurvey::default(), self.common.overwrite())
        };
        let mut folder = ParquetFolder::begin(&tree, self.tables.iter().copied(), &overwrite)?;
        let options = self.options(surveyed);
        let summary = self.survey(&options, &mut folder)?;
        folder.copy(&tree, &options.surveyed)?;
        let _all_of_them = results::writing();
        let written = folder.finish()?;
        self.tell(&summary, &written);
        Ok(exit(&summary))
    }

    /// The tables that are there are those that are wanted: of others nothing is known of the files that are passed over.
    fn go_on_with(&mut self, there: BTreeSet<Table>, args: &Survey) -> Result<(), Failure> {
        if there.is_empty() || there == self.tables {
            return Ok(());
        }
        if args.tables.is_empty() {
            self.tables = there;
            return Ok(());
        }
        let words: Vec<&str> = there.iter().map(|table| table.word()).collect();
        let how = format!("--resume goes on with the tables that are there: {}", words.join(", "));
        Err(Failure::Usage(how))
    }

    fn options(&self, surveyed: EarlierSurvey) -> Options {
        Options { tables: self.tables.clone(), open: self.common.options(), threads: None, surveyed }
    }

    /// Until all is done, or somebody interrupts: what was looked at until then counts.
    fn survey(
        &self,
        options: &Options,
        sink: &mut (dyn galvani_survey::Sink + Send),
    ) -> Result<Summary, SurveyError> {
        let inputs: &[Input] = self.batch.inputs();
        let bar: ProgressBar = batch::progress(inputs.len());
        let is_stopped = stop::asked();
        let go_on = |progress: Progress| {
            bar.set_position(progress.done.try_into().unwrap_or(u64::MAX));
            !is_stopped()
        };
        let summary = survey(inputs, options, sink, &go_on);
        bar.finish_and_clear();
        summary
    }

    fn tell(&self, summary: &Summary, written: &[(Table, u64, Saved)]) {
        if self.common.json {
            return out::json(&row(summary, written));
        }
        let table = |(table, rows, saved): &(Table, u64, Saved)| {
            format!("{}: {rows} rows of {}\n", saved.path.display(), table.word())
        };
        let tables: String = written.iter().map(table).collect();
        let Summary { files, skipped, unreadable, .. } = summary;
        let closing = format!("{files} files looked at, {skipped} there already, {unreadable} unreadable\n");
        out::text(&(tables + &closing));
        if summary.is_stopped {
            out::error("interrupted: the tables hold what was looked at so far; --resume adds the rest\n");
        }
    }
}

fn row(summary: &Summary, written: &[(Table, u64, Saved)]) -> Value {
    let table = |(table, rows, saved): &(Table, u64, Saved)| json!({"table": table.word(), "path": saved.path.to_string_lossy(), "rows": rows});
    json!({
        "files": summary.files, "skipped": summary.skipped, "unreadable": summary.unreadable,
        "stopped": summary.is_stopped, "tables": written.iter().map(table).collect::<Vec<Value>>(),
    })
}

/// An input that does not read is a row, and shows in the code as everywhere.
fn exit(summary: &Summary) -> u8 {
    match (summary.is_stopped, summary.unreadable_inputs) {
        (true, _) => stop::STOPPED,
        (false, 0) => 0,
        (false, _) => UNREADABLE,
    }
}
