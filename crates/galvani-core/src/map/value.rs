//! What stands at a place: the rows of a dump.

use zerocopy::FromBytes;
use zerocopy::little_endian::{F32, I16, I32, U16, U32};

use super::{Claim, FileMap, Region, Shape};
use crate::path::Path;
use crate::record::{Field, FieldKind};

/// One value of a file with its place and meaning.
#[derive(Debug, Clone, PartialEq)]
pub struct MapRow<'a> {
    /// First byte.
    pub offset: usize,
    /// Bytes.
    pub len: usize,
    /// Its name.
    pub path: Path,
    /// What one element is.
    pub kind: FieldKind,
    /// How many elements, 1 for a plain value or a run.
    pub count: usize,
    /// What stands there.
    pub value: FieldValue<'a>,
}

/// What stands at a place.
#[derive(Debug, Clone, PartialEq)]
pub enum FieldValue<'a> {
    /// An integer.
    Int(i64),
    /// A float.
    Float(f32),
    /// A type id, perhaps a FourCC.
    Tag(u32),
    /// Text with its whole room.
    Text(&'a [u8]),
    /// Bytes.
    Bytes(&'a [u8]),
    /// Several of one kind.
    List(Vec<FieldValue<'a>>),
}

impl FileMap {
    /// Every value of the file that this map was made for, in file order.
    pub fn rows<'a>(&self, file: &'a [u8], mut each: impl FnMut(MapRow<'a>)) {
        for region in self.in_file_order().owners {
            let path = self.places.path(region.place);
            for record in 0..records(region) {
                region_rows(file, region, path, record, &mut each);
            }
        }
    }

    /// Its regions in file order, for who looks at some of them, or more than once.
    pub fn in_file_order(&self) -> InOrder<'_> {
        let mut owners: Vec<&Claim> = self.owners.iter().collect();
        owners.sort_by_key(|region| region.start);
        InOrder { map: self, owners }
    }
}

/// The regions of a map in file order. Each has records: a table as many as there are, anything else one.
#[derive(Debug)]
pub struct InOrder<'m> {
    map: &'m FileMap,
    owners: Vec<&'m Claim>,
}

impl InOrder<'_> {
    /// How many regions there are.
    pub fn len(&self) -> usize {
        self.owners.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.owners.is_empty()
    }

    /// A region by its number.
    pub fn region(&self, number: usize) -> Option<Region> {
        let &&Claim { place, start, len, shape } = self.owners.get(number)?;
        Some(Region { path: self.map.places.path(place), start, len, shape })
    }

    /// How many records a region has.
    pub fn records(&self, region: usize) -> usize {
        self.owners.get(region).map_or(0, |region| records(region))
    }

    /// Every value of one record of a region.
    pub fn rows<'a>(&self, file: &'a [u8], region: usize, record: usize, mut each: impl FnMut(MapRow<'a>)) {
        if let Some(region) = self.owners.get(region) {
            region_rows(file, region, self.map.places.path(region.place), record, &mut each);
        }
    }
}

fn records(region: &Claim) -> usize {
    match region.shape {
        Shape::Table { stride, .. } => region.len.div_ceil(stride.max(1)),
        Shape::Record(_) | Shape::Run(_) => 1,
    }
}

fn region_rows<'a>(
    file: &'a [u8],
    region: &Claim,
    path: Path,
    record: usize,
    each: &mut impl FnMut(MapRow<'a>),
) {
    match region.shape {
        Shape::Record(fields) => record_rows(file, region.start, path, fields, each),
        Shape::Table { fields, stride } => {
            let start = region.start.saturating_add(record.saturating_mul(stride.max(1)));
            record_rows(file, start, path.index(record), fields, each);
        }
        Shape::Run(kind) => {
            let bytes = at(file, region.start, region.len);
            let text = kind == FieldKind::Text;
            each(MapRow {
                offset: region.start,
                len: region.len,
                path,
                kind,
                count: 1,
                value: if text { FieldValue::Text(bytes) } else { FieldValue::Bytes(bytes) },
            });
        }
    }
}

fn record_rows<'a>(
    file: &'a [u8],
    start: usize,
    path: Path,
    fields: &[Field],
    each: &mut impl FnMut(MapRow<'a>),
) {
    for field in fields {
        let offset = start.saturating_add(field.offset);
        let bytes = at(file, offset, field.size);
        each(MapRow {
            offset,
            len: field.size,
            path: path.field(field.name),
            kind: field.kind,
            count: field.count,
            value: value_of(bytes, field),
        });
    }
}

fn value_of<'a>(bytes: &'a [u8], field: &Field) -> FieldValue<'a> {
    let one = |bytes: &'a [u8]| element(field.kind, bytes).unwrap_or(FieldValue::Bytes(bytes));
    match (field.kind, field.size.checked_div(field.count)) {
        (FieldKind::Text | FieldKind::Raw, _) | (_, None | Some(0)) => one(bytes),
        (_, Some(_)) if field.count == 1 => one(bytes),
        (_, Some(size)) => FieldValue::List(bytes.chunks_exact(size).map(one).collect()),
    }
}

fn element(kind: FieldKind, bytes: &[u8]) -> Option<FieldValue<'_>> {
    Some(match kind {
        FieldKind::U8 => FieldValue::Int(u8::read_from_bytes(bytes).ok()?.into()),
        FieldKind::I8 => FieldValue::Int(i8::read_from_bytes(bytes).ok()?.into()),
        FieldKind::U16 => FieldValue::Int(U16::read_from_bytes(bytes).ok()?.get().into()),
        FieldKind::I16 => FieldValue::Int(I16::read_from_bytes(bytes).ok()?.get().into()),
        FieldKind::U32 => FieldValue::Int(U32::read_from_bytes(bytes).ok()?.get().into()),
        FieldKind::I32 => FieldValue::Int(I32::read_from_bytes(bytes).ok()?.get().into()),
        FieldKind::F32 => FieldValue::Float(F32::read_from_bytes(bytes).ok()?.get()),
        FieldKind::Tag => FieldValue::Tag(U32::read_from_bytes(bytes).ok()?.get()),
        FieldKind::Text => FieldValue::Text(bytes),
        FieldKind::Payload | FieldKind::Bits | FieldKind::Padding | FieldKind::Raw => {
            FieldValue::Bytes(bytes)
        }
    })
}

fn at(file: &[u8], start: usize, len: usize) -> &[u8] {
    start.checked_add(len).and_then(|end| file.get(start..end)).unwrap_or_default()
}
