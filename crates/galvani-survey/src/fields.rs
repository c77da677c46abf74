//! Values of records as rows: by far the most of all rows, so their columns are made run by run.

use std::collections::BTreeMap;
use std::sync::Arc;

use arrow_array::builder::{Float64Builder, Int64Builder, StringBuilder};
use arrow_array::types::Int32Type;
use arrow_array::{ArrayRef, DictionaryArray, Int32Array, RecordBatch, StringArray};
use galvani::FileMap;
use galvani::core::map::{InOrder, Region, Shape};
use galvani::core::record::{Field, FieldKind};
use galvani::core::{Path, text};

use crate::SurveyError;
use crate::table::Table;

/// The longest run of bytes that stands in a row.
const MOST_HEX: usize = 256;

/// Texts of which each has a number.
#[derive(Default)]
struct Names {
    numbers: BTreeMap<String, i32>,
    texts: Vec<String>,
    rows: Vec<i32>,
}

impl Names {
    fn number(&mut self, text: &str) -> i32 {
        if let Some(number) = self.numbers.get(text) {
            return *number;
        }
        let number = i32::try_from(self.texts.len()).unwrap_or(i32::MAX);
        self.numbers.insert(text.to_owned(), number);
        self.texts.push(text.to_owned());
        number
    }

    fn finish(&mut self) -> Result<ArrayRef, SurveyError> {
        let Names { texts, rows, .. } = std::mem::take(self);
        let values = Arc::new(StringArray::from_iter_values(texts));
        let keys = Int32Array::from(rows);
        let made = DictionaryArray::<Int32Type>::try_new(keys, values).map_err(SurveyError::unwritable)?;
        Ok(Arc::new(made))
    }
}

/// Rows of `fields`.
#[derive(Default)]
pub(crate) struct FieldRows {
    file: Names,
    section: Names,
    place: Names,
    record: Int64Builder,
    field: Names,
    element: Int64Builder,
    offset: Int64Builder,
    kind: Names,
    int: Int64Builder,
    number: Float64Builder,
    text: StringBuilder,
}

/// What all rows of a record's list have in common, as numbers of names.
struct Stand {
    file: i32,
    section: i32,
    place: i32,
    /// The field and its type, for each field of a record.
    fields: Vec<(i32, i32)>,
}

impl FieldRows {
    pub(crate) fn len(&self) -> usize {
        self.file.rows.len()
    }

    /// Every value of a file, in file order; `full` is called with what there is whenever that is much.
    pub(crate) fn file(
        &mut self,
        path: &str,
        map: &FileMap,
        bytes: &[u8],
        most: usize,
        full: &mut dyn FnMut(RecordBatch),
    ) -> Result<(), SurveyError> {
        let regions = map.in_file_order();
        for (i, region) in (0..regions.len()).filter_map(|i| Some((i, regions.region(i)?))) {
            self.region(path, &regions, (i, &region), bytes, most, full)?;
        }
        Ok(())
    }

    fn region(
        &mut self,
        path: &str,
        regions: &InOrder<'_>,
        (number, region): (usize, &Region),
        bytes: &[u8],
        most: usize,
        full: &mut dyn FnMut(RecordBatch),
    ) -> Result<(), SurveyError> {
        let (fields, stride): (&[Field], usize) = match region.shape {
            Shape::Record(fields) => (fields, region.len),
            Shape::Table { fields, stride } => (fields, stride),
            Shape::Run(kind) => {
                self.run(path, region, kind, bytes);
                return self.drain(most, full);
            }
        };
        let is_table = matches!(region.shape, Shape::Table { .. });
        let own = region.path.last().and_then(|(_, index)| index).map(i64::from);
        let place = if is_table { region.path } else { region.path.unindexed() };
        let mut stand = self.stand(path, place, fields);
        for record in 0..regions.records(number) {
            if self.len() >= most {
                self.drain(most, full)?;
                stand = self.stand(path, place, fields);
            }
            let start = region.start.saturating_add(record.saturating_mul(stride));
            let index = if is_table { i64::try_from(record).ok() } else { own };
            for (field, names) in fields.iter().zip(&stand.fields) {
                let at = start.saturating_add(field.offset);
                self.field(&stand, *names, index, (at, field), bytes);
            }
        }
        self.drain(most, full)
    }

    fn stand(&mut self, file: &str, place: Path, fields: &[Field]) -> Stand {
        let shown = |path: Path| if path.is_root() { String::new() } else { path.to_string() };
        Stand {
            file: self.file.number(file),
            section: self.section.number(&shown(place.shape())),
            place: self.place.number(&shown(place)),
            fields: fields
                .iter()
                .map(|field| (self.field.number(field.name), self.kind.number(field.kind.word())))
                .collect(),
        }
    }

    /// A run of bytes with one meaning: the last step of its path is what it is called.
    fn run(&mut self, file: &str, region: &Region, kind: FieldKind, bytes: &[u8]) {
        let record = region.path.parent();
        let index = record.last().and_then(|(_, index)| index).map(i64::from);
        let name = region.path.last().map_or("", |(name, _)| name);
        let field = Field { name, offset: 0, size: region.len, kind, count: 1 };
        let stand = self.stand(file, record.unindexed(), &[]);
        let names = (self.field.number(name), self.kind.number(kind.word()));
        let element = region.path.last().and_then(|(_, index)| index).map(i64::from);
        let value = bytes.get(region.start..region.start.saturating_add(region.len)).unwrap_or_default();
        self.row(&stand, names, index, element, region.start);
        self.value(value, field.kind);
    }

    fn field(
        &mut self,
        stand: &Stand,
        names: (i32, i32),
        record: Option<i64>,
        (at, field): (usize, &Field),
        bytes: &[u8],
    ) {
        let whole = bytes.get(at..at.saturating_add(field.size)).unwrap_or_default();
        let size = match field.kind {
            FieldKind::Text | FieldKind::Raw => field.size,
            _ => field.size.checked_div(field.count).unwrap_or(0),
        };
        if size == field.size || size == 0 {
            self.row(stand, names, record, None, at);
            return self.value(whole, field.kind);
        }
        for (i, value) in whole.chunks_exact(size).enumerate() {
            self.row(stand, names, record, i64::try_from(i).ok(), at.saturating_add(i.saturating_mul(size)));
            self.value(value, field.kind);
        }
    }

    fn row(
        &mut self,
        stand: &Stand,
        (field, kind): (i32, i32),
        record: Option<i64>,
        element: Option<i64>,
        at: usize,
    ) {
        self.file.rows.push(stand.file);
        self.section.rows.push(stand.section);
        self.place.rows.push(stand.place);
        self.record.append_option(record);
        self.field.rows.push(field);
        self.element.append_option(element);
        self.offset.append_value(i64::try_from(at).unwrap_or(i64::MAX));
        self.kind.rows.push(kind);
    }

    fn value(&mut self, bytes: &[u8], kind: FieldKind) {
        match kind {
            FieldKind::Text => return self.text(&text::shown(bytes)),
            FieldKind::Raw | FieldKind::Payload | FieldKind::Bits | FieldKind::Padding => {
                if bytes.len() <= MOST_HEX {
                    return self.text(&text::hex(bytes));
                }
                self.int.append_null();
                self.number.append_null();
                return self.text.append_null();
            }
            _ => {}
        }
        let word = bytes.iter().rev().fold(0_u32, |word, &byte| (word << 8) | u32::from(byte));
        let narrow = |bits: u32| i64::from(word.wrapping_shl(bits).cast_signed().wrapping_shr(bits));
        if kind == FieldKind::F32 {
            self.int.append_null();
            self.number.append_value(f32::from_bits(word).into());
            return self.text.append_null();
        }
        self.int.append_value(match kind {
            FieldKind::I8 => narrow(24),
            FieldKind::I16 => narrow(16),
            FieldKind::I32 => narrow(0),
            _ => word.into(),
        });
        self.number.append_null();
        match text::four_cc(word).filter(|_| kind == FieldKind::Tag) {
            Some(tag) => self.text.append_value(tag),
            None => self.text.append_null(),
        }
    }

    fn text(&mut self, text: &str) {
        self.int.append_null();
        self.number.append_null();
        self.text.append_value(text);
    }

    fn drain(&mut self, most: usize, full: &mut dyn FnMut(RecordBatch)) -> Result<(), SurveyError> {
        if self.len() >= most {
            full(self.finish()?);
        }
        Ok(())
    }

    /// The rows so far; it begins anew.
    pub(crate) fn finish(&mut self) -> Result<RecordBatch, SurveyError> {
        let columns: Vec<ArrayRef> = vec![
            self.file.finish()?,
            self.section.finish()?,
            self.place.finish()?,
            Arc::new(self.record.finish()),
            self.field.finish()?,
            Arc::new(self.element.finish()),
            Arc::new(self.offset.finish()),
            self.kind.finish()?,
            Arc::new(self.int.finish()),
            Arc::new(self.number.finish()),
            Arc::new(self.text.finish()),
        ];
        RecordBatch::try_new(Table::Fields.schema(), columns).map_err(SurveyError::unwritable)
    }
}
