//! Tables as Parquet files in a folder.

use std::collections::BTreeMap;
use std::fmt;

use arrow_array::RecordBatch;
use galvani::fs::{GrowingFile, Overwrite, Saved, Tree};
use parquet::arrow::ArrowWriter;
use parquet::basic::{Compression, Encoding, ZstdLevel};
use parquet::file::properties::WriterProperties;

use crate::resume::EarlierSurvey;
use crate::run::Sink;
use crate::{ColumnKind, SurveyError, Table};

/// Rows of a row group.
const GROUP: usize = 100_000;

/// Parquet files in the making, one for each table. They take their places together at the end; dropped before, they leave
/// no trace.
#[derive(Debug)]
pub struct ParquetFolder {
    files: BTreeMap<Table, GrowingTable>,
}

/// A table in the making.
struct GrowingTable {
    writer: ArrowWriter<GrowingFile>,
    rows: u64,
}

impl fmt::Debug for GrowingTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "GrowingTable({} rows)", self.rows)
    }
}

impl ParquetFolder {
    /// Begins the files of these tables.
    pub fn begin(
        tree: &Tree,
        tables: impl IntoIterator<Item = Table>,
        overwrite: &Overwrite,
    ) -> Result<Self, SurveyError> {
        let begin = |table: Table| {
            let file = tree.grow_file(&table.file_name(), overwrite)?;
            let writer = ArrowWriter::try_new(file, table.schema(), Some(properties(table)));
            Ok((table, GrowingTable { writer: writer.map_err(SurveyError::unwritable)?, rows: 0 }))
        };
        let files: Result<_, SurveyError> = tables.into_iter().map(begin).collect();
        Ok(ParquetFolder { files: files? })
    }

    /// Writes the rows again that are there already, of the files that still count: after the survey, which knows which do.
    pub fn copy(&mut self, tree: &Tree, surveyed: &EarlierSurvey) -> Result<(), SurveyError> {
        let tables: Vec<Table> = self.files.keys().copied().collect();
        for table in tables {
            surveyed.rows(tree, table, |rows| self.take(table, rows))?;
        }
        Ok(())
    }

    /// Puts the files into their places, with how many rows each has; that of the files last, since it says what is in the
    /// others.
    pub fn finish(self) -> Result<Vec<(Table, u64, Saved)>, SurveyError> {
        let mut files = self.files;
        let last = files.remove_entry(&Table::Files);
        let finish = |(table, GrowingTable { writer, rows })| {
            let file: GrowingFile = writer.into_inner().map_err(SurveyError::unwritable)?;
            Ok((table, rows, file.finish()?))
        };
        files.into_iter().chain(last).map(finish).collect()
    }
}

impl Sink for ParquetFolder {
    fn take(&mut self, table: Table, rows: RecordBatch) -> Result<(), SurveyError> {
        let Some(growing) = self.files.get_mut(&table) else { return Ok(()) };
        let count = u64::try_from(rows.num_rows()).unwrap_or(u64::MAX);
        growing.rows = growing.rows.saturating_add(count);
        growing.writer.write(&rows).map_err(SurveyError::unwritable)
    }
}

/// Whole numbers and long texts differ from row to row; everything else repeats itself.
fn properties(table: Table) -> WriterProperties {
    let zstd = Compression::ZSTD(ZstdLevel::default());
    let mut properties = WriterProperties::builder()
        .set_compression(zstd)
        .set_max_row_group_row_count(Some(GROUP))
        .set_created_by(concat!("galvani ", env!("CARGO_PKG_VERSION")).to_owned());
    for column in table.columns() {
        if column.name == "offset" && column.kind == ColumnKind::Int {
            properties = properties
                .set_column_dictionary_enabled(column.name.into(), false)
                .set_column_encoding(column.name.into(), Encoding::DELTA_BINARY_PACKED);
        }
    }
    properties.build()
}
