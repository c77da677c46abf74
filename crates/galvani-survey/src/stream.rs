//! One table as a stream of Arrow IPC, or all of it in memory.

use std::fmt;
use std::io::Write;

use arrow_array::RecordBatch;
use arrow_ipc::writer::StreamWriter;
use galvani::fs::Input;

use crate::run::{Options, Sink, Summary, run};
use crate::{Progress, SurveyError, Table};

/// A table as Arrow IPC.
pub struct Stream<W: Write> {
    table: Table,
    writer: StreamWriter<W>,
}

impl<W: Write> fmt::Debug for Stream<W> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Stream({})", self.table.word())
    }
}

impl<W: Write> Stream<W> {
    /// Begins it.
    pub fn begin(table: Table, to: W) -> Result<Self, SurveyError> {
        let writer = StreamWriter::try_new(to, &table.schema()).map_err(SurveyError::unwritable)?;
        Ok(Stream { table, writer })
    }

    /// Ends it.
    pub fn finish(mut self) -> Result<(), SurveyError> {
        self.writer.finish().map_err(SurveyError::unwritable)
    }
}

impl<W: Write> Sink for Stream<W> {
    fn take(&mut self, table: Table, rows: RecordBatch) -> Result<(), SurveyError> {
        if table == self.table {
            self.writer.write(&rows).map_err(SurveyError::unwritable)?;
        }
        Ok(())
    }
}

/// All rows of the tables that are wanted, in memory.
pub fn batches(
    inputs: &[Input],
    options: &Options,
    go_on: &(dyn Fn(Progress) -> bool + Sync),
) -> Result<(Vec<(Table, RecordBatch)>, Summary), SurveyError> {
    let mut all = Vec::new();
    let mut keep = |table: Table, rows: RecordBatch| {
        all.push((table, rows));
        Ok(())
    };
    let summary = run(inputs, options, &mut keep, go_on)?;
    Ok((all, summary))
}
