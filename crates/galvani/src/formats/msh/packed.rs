//! What the packed numbers of a model stand for: normals, texture coordinates and rotations, shown beside the
//! integers that the file has.
//!
//! In a folder the integers count, because some of them mean the same: -127 and -128 are both -1. Only a record
//! without them is made from what they stood for.

use galvani_core::Reading;
use galvani_core::map::{FieldValue, MapRow};
use galvani_core::maths::single;
use galvani_core::record::Field;
use galvani_parkan::msh::values;
use serde_json::{Map, Value, json};

use crate::formats::DECODED;
use crate::render::json::float;

/// How a field is packed.
#[derive(Clone, Copy)]
enum Packed {
    /// A component of a vertex's normal.
    Normal,
    /// A component of a triangle's normal.
    FaceNormal,
    /// A component of a rotation.
    Rotation,
    /// A texture coordinate.
    Uv,
}

impl Packed {
    fn from_field(table: &str, field: &str) -> Option<Self> {
        Some(match (table, field) {
            ("normals", "normal") => Packed::Normal,
            ("faces", "normal") => Packed::FaceNormal,
            ("keys", "qw" | "qx" | "qy" | "qz") => Packed::Rotation,
            ("uv0" | "lightmap_uv", "uv") => Packed::Uv,
            _ => return None,
        })
    }

    fn unpack(self, number: i64, reading: Reading) -> Option<f32> {
        Some(match self {
            Packed::Normal => values::normal(i8::try_from(number).ok()?),
            Packed::FaceNormal => values::face_normal(i16::try_from(number).ok()?),
            Packed::Rotation => values::component(i16::try_from(number).ok()?),
            Packed::Uv => {
                let signed = i16::try_from(number).map(i16::cast_unsigned);
                values::uv(signed.or_else(|_| u16::try_from(number)).ok()?, reading)
            }
        })
    }

    fn pack(self, number: f32, reading: Reading) -> i64 {
        match self {
            Packed::Normal => values::pack_normal(number).into(),
            Packed::FaceNormal => values::pack_face_normal(number).into(),
            Packed::Rotation => values::pack_component(number).into(),
            Packed::Uv => match (values::pack_uv(number, reading), reading) {
                (word, Reading::Observed) => word.into(),
                (word, _) => word.cast_signed().into(),
            },
        }
    }

    /// A number or a list of them.
    fn shown(self, stored: &Value, reading: Reading) -> Option<Value> {
        match stored {
            Value::Array(list) => list.iter().map(|one| self.shown(one, reading)).collect(),
            one => Some(float(self.unpack(one.as_i64()?, reading)?)),
        }
    }

    /// The integers of a number or a list of them.
    fn stored(self, shown: &Value, reading: Reading) -> Option<Value> {
        match shown {
            Value::Array(list) => list.iter().map(|one| self.stored(one, reading)).collect(),
            one => Some(json!(self.pack(single(one.as_f64()?), reading))),
        }
    }
}

/// What a row of `dump` stands for.
pub(super) fn of_row(row: &MapRow<'_>, reading: Reading) -> Option<Value> {
    let (table, field) = row.path.ends()?;
    Packed::from_field(table, field)?.shown(&integers(&row.value)?, reading)
}

fn integers(stored: &FieldValue<'_>) -> Option<Value> {
    match stored {
        FieldValue::Int(number) => Some(json!(number)),
        FieldValue::List(list) => list.iter().map(integers).collect(),
        _ => None,
    }
}

/// The packed fields of a record, w first.
fn packed(table: &str, fields: &[Field]) -> Vec<(&'static str, Packed)> {
    let mut packed: Vec<_> = fields
        .iter()
        .filter_map(|field| Some((field.name, Packed::from_field(table, field.name)?)))
        .collect();
    packed.sort_unstable_by_key(|(name, _)| *name);
    packed
}

/// Shows in every record of a list what its packed fields stand for.
pub(super) fn show(table: &str, fields: &[Field], list: &mut [Value], reading: Reading) {
    let packed = packed(table, fields);
    for record in list.iter_mut().filter(|_| !packed.is_empty()) {
        if let [field] = fields {
            *record = json!({ field.name: record.take() });
        }
        let shown = decoded(record, &packed, reading);
        if let (Some(object), Some(shown)) = (record.as_object_mut(), shown) {
            object.insert(DECODED.to_owned(), shown);
        }
    }
}

/// The one packed field's value, or those of several as a list.
fn decoded(record: &Value, packed: &[(&'static str, Packed)], reading: Reading) -> Option<Value> {
    let mut shown = packed.iter().map(|(name, packed)| packed.shown(record.get(name)?, reading));
    match packed {
        [_] => shown.next().flatten(),
        _ => shown.collect(),
    }
}

/// The record that [`show`] was given; or what is wrong with it.
pub(super) fn hide(table: &str, fields: &[Field], record: &Value, reading: Reading) -> Result<Value, String> {
    let (packed, mut record) = (packed(table, fields), record.clone());
    let Some(object) = record.as_object_mut().filter(|_| !packed.is_empty()) else { return Ok(record) };
    let shown = object.shift_remove(DECODED);
    if let Some(shown) = shown.filter(|_| !packed.iter().any(|(name, _)| object.contains_key(*name))) {
        restore(object, &packed, &shown, reading)?;
    }
    let [only] = fields else { return Ok(record) };
    if let Some(stranger) = object.keys().find(|key| *key != only.name) {
        return Err(format!("`{stranger}` is no field here"));
    }
    object.shift_remove(only.name).ok_or_else(|| format!("`{}` is missing", only.name))
}

/// Packs what a record shows into the fields that it has lost.
fn restore(
    object: &mut Map<String, Value>,
    packed: &[(&'static str, Packed)],
    shown: &Value,
    reading: Reading,
) -> Result<(), String> {
    let several = shown.as_array().filter(|list| list.len() == packed.len());
    for (i, (name, packed_as)) in packed.iter().enumerate() {
        let own = if packed.len() == 1 { Some(shown) } else { several.and_then(|list| list.get(i)) };
        let stored = own.and_then(|own| packed_as.stored(own, reading));
        let stored =
            stored.ok_or_else(|| format!("`{DECODED}`: {shown} is not what `{name}` can be made of"))?;
        object.insert((*name).to_owned(), stored);
    }
    Ok(())
}
