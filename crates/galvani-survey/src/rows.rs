//! Rows in the making: a builder for each column of a table.

use std::sync::Arc;

use arrow_array::builder::{
    ArrayBuilder, BooleanBuilder, Float64Builder, Int64Builder, ListBuilder, StringBuilder,
    StringDictionaryBuilder, StructBuilder,
};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, RecordBatch};
use galvani::Verdict;

use crate::SurveyError;
use crate::table::{ColumnKind, Table, TableColumn, reading_fields};

/// What stands in a column.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Cell<'a> {
    Nothing,
    Text(&'a str),
    Int(i64),
    Number(f64),
    Truth(bool),
    Readings(&'a [Verdict]),
}

impl<'a> From<&'a str> for Cell<'a> {
    fn from(text: &'a str) -> Self {
        Cell::Text(text)
    }
}

impl From<u64> for Cell<'_> {
    fn from(count: u64) -> Self {
        Cell::Int(i64::try_from(count).unwrap_or(i64::MAX))
    }
}

impl From<usize> for Cell<'_> {
    fn from(count: usize) -> Self {
        Cell::Int(i64::try_from(count).unwrap_or(i64::MAX))
    }
}

impl From<u32> for Cell<'_> {
    fn from(bits: u32) -> Self {
        Cell::Int(bits.into())
    }
}

impl From<f64> for Cell<'_> {
    fn from(number: f64) -> Self {
        Cell::Number(number)
    }
}

impl From<bool> for Cell<'_> {
    fn from(so: bool) -> Self {
        Cell::Truth(so)
    }
}

impl<'a, T: Into<Cell<'a>>> From<Option<T>> for Cell<'a> {
    fn from(value: Option<T>) -> Self {
        value.map_or(Cell::Nothing, Into::into)
    }
}

/// A column in the making.
enum ColumnBuilder {
    Name(StringDictionaryBuilder<Int32Type>),
    Text(StringBuilder),
    Int(Int64Builder),
    Number(Float64Builder),
    Truth(BooleanBuilder),
    Readings(ListBuilder<StructBuilder>),
}

impl ColumnBuilder {
    fn new(column: &TableColumn) -> Self {
        match column.kind {
            ColumnKind::Name => ColumnBuilder::Name(StringDictionaryBuilder::new()),
            ColumnKind::Text => ColumnBuilder::Text(StringBuilder::new()),
            ColumnKind::Int => ColumnBuilder::Int(Int64Builder::new()),
            ColumnKind::Number => ColumnBuilder::Number(Float64Builder::new()),
            ColumnKind::Truth => ColumnBuilder::Truth(BooleanBuilder::new()),
            ColumnKind::Readings => {
                ColumnBuilder::Readings(ListBuilder::new(StructBuilder::from_fields(reading_fields(), 0)))
            }
        }
    }

    /// Takes a cell. One of another kind than the column's is nothing.
    fn push(&mut self, cell: Cell<'_>) {
        match (self, cell) {
            (ColumnBuilder::Name(column), Cell::Text(text)) => column.append_value(text),
            (ColumnBuilder::Name(column), _) => column.append_null(),
            (ColumnBuilder::Text(column), Cell::Text(text)) => column.append_value(text),
            (ColumnBuilder::Text(column), _) => column.append_null(),
            (ColumnBuilder::Int(column), Cell::Int(number)) => column.append_value(number),
            (ColumnBuilder::Int(column), _) => column.append_null(),
            (ColumnBuilder::Number(column), Cell::Number(number)) => column.append_value(number),
            (ColumnBuilder::Number(column), _) => column.append_null(),
            (ColumnBuilder::Truth(column), Cell::Truth(so)) => column.append_value(so),
            (ColumnBuilder::Truth(column), _) => column.append_null(),
            (ColumnBuilder::Readings(column), Cell::Readings(readings)) => {
                push_readings(column.values(), readings);
                column.append(true);
            }
            (ColumnBuilder::Readings(column), _) => column.append(true),
        }
    }

    fn finish(&mut self) -> ArrayRef {
        match self {
            ColumnBuilder::Name(column) => Arc::new(column.finish()),
            ColumnBuilder::Text(column) => Arc::new(column.finish()),
            ColumnBuilder::Int(column) => Arc::new(column.finish()),
            ColumnBuilder::Number(column) => Arc::new(column.finish()),
            ColumnBuilder::Truth(column) => Arc::new(column.finish()),
            ColumnBuilder::Readings(column) => Arc::new(column.finish()),
        }
    }

    fn len(&self) -> usize {
        match self {
            ColumnBuilder::Name(column) => column.len(),
            ColumnBuilder::Text(column) => column.len(),
            ColumnBuilder::Int(column) => column.len(),
            ColumnBuilder::Number(column) => column.len(),
            ColumnBuilder::Truth(column) => column.len(),
            ColumnBuilder::Readings(column) => column.len(),
        }
    }
}

fn push_readings(rows: &mut StructBuilder, readings: &[Verdict]) {
    for verdict in readings {
        let words = [verdict.topic, verdict.taken.word(), verdict.why.as_ref()];
        for (i, word) in words.into_iter().enumerate() {
            if let Some(column) = rows.field_builder::<StringBuilder>(i) {
                column.append_value(word);
            }
        }
        rows.append(true);
    }
}

/// Rows of one table.
pub(crate) struct Rows {
    table: Table,
    columns: Vec<ColumnBuilder>,
}

impl Rows {
    pub(crate) fn new(table: Table) -> Self {
        Rows { table, columns: table.columns().iter().map(ColumnBuilder::new).collect() }
    }

    /// Takes a row: a cell for each column.
    pub(crate) fn push(&mut self, cells: &[Cell<'_>]) {
        debug_assert_eq!(cells.len(), self.columns.len(), "{:?}", self.table);
        for (column, cell) in self.columns.iter_mut().zip(cells) {
            column.push(*cell);
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.columns.first().map_or(0, ColumnBuilder::len)
    }

    /// The rows so far; it begins anew.
    pub(crate) fn finish(&mut self) -> Result<RecordBatch, SurveyError> {
        let columns = self.columns.iter_mut().map(ColumnBuilder::finish).collect();
        RecordBatch::try_new(self.table.schema(), columns).map_err(SurveyError::unwritable)
    }
}
