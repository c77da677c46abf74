//! Records as JSON and back, from the one declaration they have. Exact to the last bit.

#[cfg(feature = "parkan")]
use galvani_core::WriteError;
use galvani_core::maths::single;
#[cfg(feature = "parkan")]
use galvani_core::record::Record;
use galvani_core::record::{Field, FieldKind};
use galvani_core::text;
use serde_json::{Map, Number, Value};

#[cfg(feature = "parkan")]
use super::archive::wrong;

/// Records one after the other as a list; what follows the last whole one is left out.
pub(super) fn to_json(bytes: &[u8], fields: &[Field], stride: usize) -> Vec<Value> {
    bytes.chunks_exact(stride.max(1)).map(|record| record_to_json(record, fields)).collect()
}

/// One record: an object by field, or the bare value where there is only one.
pub(super) fn record_to_json(record: &[u8], fields: &[Field]) -> Value {
    let value = |field: &Field| {
        let end = field.offset.saturating_add(field.size);
        field_to_json(record.get(field.offset..end).unwrap_or_default(), field)
    };
    match fields {
        [field] => value(field),
        _ => Value::Object(fields.iter().map(|field| (field.name.to_owned(), value(field))).collect()),
    }
}

/// The bytes of a record, or what is wrong with it.
pub(super) fn record_from_json(value: &Value, fields: &[Field]) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    if let [field] = fields {
        field_from_json(value, field, &mut bytes)?;
        return Ok(bytes);
    }
    let object = value.as_object().ok_or("an object is wanted")?;
    refuse_strangers(object, fields)?;
    for field in fields {
        let value = object.get(field.name).ok_or_else(|| format!("`{}` is missing", field.name))?;
        field_from_json(value, field, &mut bytes)?;
    }
    Ok(bytes)
}

/// A list of records as their type; what is wrong is said of its place in `what`.
#[cfg(feature = "parkan")]
pub(super) fn typed_list<R: Record>(what: &str, values: &[Value]) -> Result<Vec<R>, WriteError> {
    values.iter().enumerate().map(|(i, value)| typed(&format!("{what}[{i}]"), value)).collect()
}

/// A record as its type.
#[cfg(feature = "parkan")]
pub(super) fn typed<R: Record>(what: &str, value: &Value) -> Result<R, WriteError> {
    let bytes = record_from_json(value, R::FIELDS);
    let bytes = bytes.map_err(|error| wrong(format!("{what}: {error}")))?;
    R::read_from_bytes(&bytes).map_err(|_| wrong(format!("{what}: {} bytes", bytes.len())))
}

fn refuse_strangers(object: &Map<String, Value>, fields: &[Field]) -> Result<(), String> {
    match object.keys().find(|key| !fields.iter().any(|field| field.name == key.as_str())) {
        Some(stranger) => Err(format!("`{stranger}` is no field here")),
        None => Ok(()),
    }
}

/// One field.
pub(super) fn field_to_json(bytes: &[u8], field: &Field) -> Value {
    match field.kind {
        FieldKind::Text if text::says_all(bytes) => Value::String(text::shown(bytes).into_owned()),
        FieldKind::Text => serde_json::json!({"hex": text::hex(bytes)}),
        FieldKind::Raw | FieldKind::Payload | FieldKind::Bits | FieldKind::Padding => {
            Value::String(text::hex(bytes))
        }
        kind if field.count == 1 => number_to_json(bytes, kind),
        kind => bytes.chunks_exact(size_of(kind)).map(|element| number_to_json(element, kind)).collect(),
    }
}

/// The bytes of a field, or what is wrong with it.
pub(super) fn field_from_json(value: &Value, field: &Field, bytes: &mut Vec<u8>) -> Result<(), String> {
    let wrong = || format!("`{}`: {value} does not fit {}", field.name, field.kind.word());
    match field.kind {
        FieldKind::Text => bytes.extend(text_room(value, field.size).ok_or_else(wrong)?),
        FieldKind::Raw | FieldKind::Payload | FieldKind::Bits | FieldKind::Padding => {
            let raw = value.as_str().and_then(text::from_hex).filter(|raw| raw.len() == field.size);
            bytes.extend(raw.ok_or_else(wrong)?);
        }
        kind if field.count == 1 => number_from_json(value, kind, bytes).ok_or_else(wrong)?,
        kind => {
            let elements =
                value.as_array().filter(|elements| elements.len() == field.count).ok_or_else(wrong)?;
            for element in elements {
                number_from_json(element, kind, bytes).ok_or_else(wrong)?;
            }
        }
    }
    Ok(())
}

/// Text with zeros behind it, or all bytes of its room in hex.
fn text_room(value: &Value, size: usize) -> Option<Vec<u8>> {
    if let Some(hex) = value.get("hex") {
        return text::from_hex(hex.as_str()?).filter(|bytes| bytes.len() == size);
    }
    let mut bytes = value.as_str()?.as_bytes().to_vec();
    if bytes.len() > size {
        return None;
    }
    bytes.resize(size, 0);
    Some(bytes)
}

fn size_of(kind: FieldKind) -> usize {
    match kind {
        FieldKind::U16 | FieldKind::I16 => 2,
        FieldKind::U32 | FieldKind::I32 | FieldKind::F32 | FieldKind::Tag => 4,
        _ => 1,
    }
}

fn number_to_json(bytes: &[u8], kind: FieldKind) -> Value {
    let word = bytes.iter().rev().fold(0_u32, |word, &byte| (word << 8) | u32::from(byte));
    let narrow = |bits: u32| word.wrapping_shl(bits).cast_signed().wrapping_shr(bits);
    match kind {
        FieldKind::I8 => narrow(24).into(),
        FieldKind::I16 => narrow(16).into(),
        FieldKind::I32 => word.cast_signed().into(),
        FieldKind::F32 => float_to_json(f32::from_bits(word)),
        _ => word.into(),
    }
}

/// A float as its shortest number; what is no number keeps its bits.
fn float_to_json(value: f32) -> Value {
    let shortest = value.to_string().parse().ok().and_then(Number::from_f64);
    shortest.map_or_else(|| Value::String(format!("bits:{:08x}", value.to_bits())), Value::Number)
}

fn number_from_json(value: &Value, kind: FieldKind, bytes: &mut Vec<u8>) -> Option<()> {
    if kind == FieldKind::F32 {
        let bits = match value.as_str() {
            Some(text) => u32::from_str_radix(text.strip_prefix("bits:")?, 16).ok()?,
            // What is too large for any number would become an infinity that nobody wrote.
            None => Some(single(value.as_f64()?)).filter(|number| number.is_finite())?.to_bits(),
        };
        bytes.extend(bits.to_le_bytes());
        return Some(());
    }
    let number = value.as_i64()?;
    match kind {
        FieldKind::U8 => bytes.extend(u8::try_from(number).ok()?.to_le_bytes()),
        FieldKind::I8 => bytes.extend(i8::try_from(number).ok()?.to_le_bytes()),
        FieldKind::U16 => bytes.extend(u16::try_from(number).ok()?.to_le_bytes()),
        FieldKind::I16 => bytes.extend(i16::try_from(number).ok()?.to_le_bytes()),
        FieldKind::I32 => bytes.extend(i32::try_from(number).ok()?.to_le_bytes()),
        _ => bytes.extend(u32::try_from(number).ok()?.to_le_bytes()),
    }
    Some(())
}

/// A list with one item a line: readable, and still small where there are thousands.
pub(super) fn lines(items: &[Value], indent: &str) -> String {
    if items.is_empty() {
        return "[]".to_owned();
    }
    let rows: Vec<String> = items.iter().map(|item| format!("{indent}  {item}")).collect();
    format!("[\n{}\n{indent}]", rows.join(",\n"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FIELDS: &[Field] = &[
        Field { name: "a", offset: 0, size: 2, kind: FieldKind::I16, count: 1 },
        Field { name: "b", offset: 2, size: 8, kind: FieldKind::F32, count: 2 },
        Field { name: "c", offset: 10, size: 4, kind: FieldKind::Text, count: 1 },
        Field { name: "d", offset: 14, size: 1, kind: FieldKind::I8, count: 1 },
        Field { name: "e", offset: 15, size: 2, kind: FieldKind::Raw, count: 1 },
    ];

    #[test]
    fn a_record_comes_back_bit_for_bit() {
        let mut record = vec![0xfe, 0xff];
        record.extend(0.1_f32.to_le_bytes());
        record.extend(0x7fc0_0001_u32.to_le_bytes());
        record.extend(b"a\0x\0\x80\x01\x02");
        let json = record_to_json(&record, FIELDS);
        assert_eq!(
            json.to_string(),
            r#"{"a":-2,"b":[0.1,"bits:7fc00001"],"c":{"hex":"61007800"},"d":-128,"e":"0102"}"#
        );
        assert_eq!(record_from_json(&json, FIELDS), Ok(record));
    }

    #[test]
    fn every_float_comes_back() {
        let field = &FIELDS[1..2];
        for bits in (0..=u32::MAX).step_by(104_729).chain([0x8000_0000, 1, 0x7f7f_ffff, 0x7f80_0000]) {
            let record = [bits.to_le_bytes(), bits.to_le_bytes()].concat();
            let one = [Field { offset: 0, ..field[0] }];
            assert_eq!(record_from_json(&record_to_json(&record, &one), &one), Ok(record), "{bits:08x}");
        }
    }

    #[test]
    fn what_does_not_fit_is_named() {
        let json = |a: i64| serde_json::json!({"a": a, "b": [0, 0], "c": "", "d": 0, "e": "0000"});
        assert!(record_from_json(&json(32767), FIELDS).is_ok());
        assert_eq!(record_from_json(&json(32768), FIELDS), Err("`a`: 32768 does not fit i16".to_owned()));
        assert_eq!(record_from_json(&serde_json::json!({"a": 1}), FIELDS), Err("`b` is missing".to_owned()));
        assert_eq!(
            record_from_json(&serde_json::json!({"z": 1}), FIELDS),
            Err("`z` is no field here".to_owned())
        );
    }
}
