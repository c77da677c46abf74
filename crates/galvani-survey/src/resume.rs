//! What an earlier survey has told already.

use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use arrow_array::cast::AsArray;
use arrow_array::types::Int32Type;
use arrow_array::{BooleanArray, RecordBatch};
use arrow_select::filter::filter_record_batch;
use galvani::fs::Tree;
use parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder;
use sha2::{Digest, Sha256};

use crate::{SurveyError, Table};

/// Half of a hash: of a path, or of a path and its bytes.
type Mark = [u8; 16];

fn mark(parts: [&[u8]; 2]) -> Mark {
    let mut hash = Sha256::new();
    for part in parts {
        hash.update(part.len().to_le_bytes());
        hash.update(part);
    }
    let mut mark = Mark::default();
    mark.iter_mut().zip(hash.finalize()).for_each(|(to, from)| *to = from);
    mark
}

/// What an earlier survey has told already, and which of it counts no longer.
#[derive(Debug, Default)]
pub struct EarlierSurvey {
    /// Paths of files with their bytes.
    files: BTreeSet<Mark>,
    /// Paths of files and members.
    paths: BTreeSet<Mark>,
    /// Paths of inputs that were looked at again.
    again: Mutex<BTreeSet<Mark>>,
}

impl EarlierSurvey {
    /// What a folder of tables has; nothing if there is none.
    pub fn look(tree: &Tree) -> Result<Self, SurveyError> {
        let mut surveyed = EarlierSurvey::default();
        each_batch(tree, Table::Files, |batch| {
            for (path, hash) in texts(&batch, "path").into_iter().zip(texts(&batch, "sha256")) {
                let path = path.unwrap_or_default();
                surveyed.files.insert(mark([path.as_bytes(), hash.unwrap_or_default().as_bytes()]));
                surveyed.paths.insert(mark([path.as_bytes(), b""]));
            }
            Ok(())
        })?;
        Ok(surveyed)
    }

    /// The tables that a folder has; none unless there is that of the files, which is written last.
    pub fn tables(tree: &Tree) -> Result<BTreeSet<Table>, SurveyError> {
        let mut found = BTreeSet::new();
        if tree.open_file(&Table::Files.file_name())?.is_some() {
            for table in Table::ALL {
                if tree.open_file(&table.file_name())?.is_some() {
                    found.insert(*table);
                }
            }
        }
        Ok(found)
    }

    /// Whether an input with these bytes is there already. If not, what was told of it counts no longer.
    pub(crate) fn has(&self, path: &str, bytes: &[u8]) -> bool {
        if self.paths.is_empty() {
            return false;
        }
        let is_there = self.files.contains(&mark([path.as_bytes(), hex_of(bytes).as_bytes()]));
        if !is_there {
            let mut again = self.again.lock().unwrap_or_else(PoisonError::into_inner);
            again.insert(mark([path.as_bytes(), b""]));
        }
        is_there
    }

    /// The rows of a table that still count: those of files that the earlier survey knew to the end, unless they, or the
    /// archive that they are in, were looked at again.
    pub(crate) fn rows(
        &self,
        tree: &Tree,
        table: Table,
        mut take: impl FnMut(RecordBatch) -> Result<(), SurveyError>,
    ) -> Result<(), SurveyError> {
        let again = self.again.lock().unwrap_or_else(PoisonError::into_inner);
        let counts = |path: &str| {
            let mut above = path.match_indices('/').filter_map(|(end, _)| path.get(..end));
            let own = mark([path.as_bytes(), b""]);
            self.paths.contains(&own)
                && !again.contains(&own)
                && !above.any(|archive| again.contains(&mark([archive.as_bytes(), b""])))
        };
        each_batch(tree, table, |batch| {
            // Rows of one file stand together.
            let mut last: (Option<String>, bool) = (None, false);
            let mut stays = |path: Option<String>| {
                if path != last.0 {
                    let so = path.as_deref().is_some_and(counts);
                    last = (path, so);
                }
                last.1
            };
            let paths = texts(&batch, table.path_column());
            let stays: BooleanArray = paths.into_iter().map(|path| Some(stays(path))).collect();
            take(filter_record_batch(&batch, &stays).map_err(SurveyError::unreadable)?)
        })
    }
}

fn hex_of(bytes: &[u8]) -> String {
    galvani::core::text::hex(&Sha256::digest(bytes))
}

/// The rows of a table as they were written, some at a time.
fn each_batch(
    tree: &Tree,
    table: Table,
    mut each: impl FnMut(RecordBatch) -> Result<(), SurveyError>,
) -> Result<(), SurveyError> {
    let Some(file) = tree.open_file(&table.file_name())? else { return Ok(()) };
    let reader = ParquetRecordBatchReaderBuilder::try_new(file).map_err(SurveyError::unreadable)?;
    if reader.schema().fields() != table.schema().fields() {
        let said = format!("`{}` has other columns than this version writes", table.file_name());
        return Err(SurveyError::unreadable(said));
    }
    for batch in reader.build().map_err(SurveyError::unreadable)? {
        each(batch.map_err(SurveyError::unreadable)?)?;
    }
    Ok(())
}

/// The texts of a column.
fn texts(batch: &RecordBatch, column: &str) -> Vec<Option<String>> {
    let Some(column) = batch.column_by_name(column) else { return Vec::new() };
    if let Some(plain) = column.as_string_opt::<i32>() {
        return plain.iter().map(|text| text.map(str::to_owned)).collect();
    }
    let Some(named) = column.as_dictionary_opt::<Int32Type>() else { return Vec::new() };
    let Some(values) = named.values().as_string_opt::<i32>() else { return Vec::new() };
    let text = |key: Option<usize>| key.map(|key| values.value(key).to_owned());
    (0..named.len()).map(|row| text(named.key(row))).collect()
}
