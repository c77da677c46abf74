//! JSON for machines: the shapes of docs/cli.md#json, each with a schema in `schemas/`.

use std::borrow::Cow;

use galvani_core::map::{FieldValue, MapRow};
use galvani_core::{Diagnostic, Report, Scrutiny, Severity, Verdict, text};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};
use serde_json::{Map, Value, json};

use crate::diff::Change;
use crate::formats::{Arg, Document, Info, Opened, Operation, Outline, Section, Site, tag_value, text_value};
use crate::nested::Checked;

/// Bytes of a run that a dump shows.
const SHOWN: usize = 64;

/// One row of `validate`.
pub fn checked(row: &Checked) -> Value {
    let mut object = Map::new();
    object.insert("path".to_owned(), json!(row.path));
    object.insert("format".to_owned(), json!(row.format));
    object.insert("readable".to_owned(), json!(row.readable));
    object.extend(report(&row.report));
    Value::Object(object)
}

/// The counts and findings of a report.
pub fn report(report: &Report) -> Map<String, Value> {
    let mut object = Map::new();
    object.insert("errors".to_owned(), json!(report.tally(Severity::Error)));
    object.insert("warnings".to_owned(), json!(report.tally(Severity::Warning)));
    object.insert("notes".to_owned(), json!(report.tally(Severity::Note)));
    if report.is_truncated() {
        object.insert("truncated".to_owned(), json!(true));
    }
    object.insert("diagnostics".to_owned(), report.findings().iter().map(diagnostic).collect());
    object
}

/// One finding.
pub fn diagnostic(finding: &Diagnostic) -> Value {
    let more = finding.more.iter().map(|spot| json!({"path": spot.path.to_string(), "offset": spot.offset}));
    let mut object = json!({
        "code": finding.code.name,
        "severity": finding.severity.word(),
        "offset": finding.offset,
        "path": finding.path.to_string(),
        "title": finding.code.summary,
        "message": finding.sentence(),
        "help": finding.help,
        "count": finding.count,
    });
    if let Some((line, column)) = finding.line {
        (object["line"], object["column"]) = (json!(line), json!(column));
    }
    if let (Some(object), false) = (object.as_object_mut(), finding.more.is_empty()) {
        object.insert("more".to_owned(), more.collect());
    }
    object
}

/// One row of `info`.
pub fn info(path: &str, opened: &Opened, outline: Outline, site: &Site<'_>) -> FileInfo {
    let mut object = Map::new();
    object.insert("path".to_owned(), json!(path));
    object.insert("format".to_owned(), json!(opened.format.info().id));
    object.insert("readings".to_owned(), opened.readings.iter().map(verdict).collect());
    object.insert("size".to_owned(), json!(opened.map.len()));
    object.extend(outline.plain_json());
    let (head, mut tail) = (object, Map::new());
    let findings = opened.check_at(site, Scrutiny::Usual);
    tail.insert("errors".to_owned(), json!(findings.tally(Severity::Error)));
    tail.insert("warnings".to_owned(), json!(findings.tally(Severity::Warning)));
    if !opened.report.findings().is_empty() {
        tail.insert("diagnostics".to_owned(), opened.report.findings().iter().map(diagnostic).collect());
    }
    FileInfo { head, lists: outline.sections, tail }
}

/// What a file is and holds. Its lists are written row by row: as values they would take ten times their room.
#[derive(Debug)]
pub struct FileInfo {
    head: Map<String, Value>,
    lists: Vec<Section>,
    tail: Map<String, Value>,
}

impl Serialize for FileInfo {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        let list = |key: &str| self.lists.iter().rfind(|list| list.key == Some(key));
        for (key, value) in &self.head {
            // A list may stand in place of an empty one.
            match list(key) {
                Some(list) => map.serialize_entry(key, list)?,
                None => map.serialize_entry(key, value)?,
            }
        }
        let mut said: Vec<&str> = Vec::new();
        for key in self.lists.iter().filter_map(|list| list.key) {
            if !self.head.contains_key(key) && !said.contains(&key) {
                said.push(key);
                map.serialize_entry(key, &list(key))?;
            }
        }
        for (key, value) in &self.tail {
            map.serialize_entry(key, value)?;
        }
        map.end()
    }
}

/// A file that could not be read, where rows of files are wanted.
pub fn unreadable(path: &str, format: Option<&str>, found: &Report) -> Value {
    let mut object = Map::new();
    object.insert("path".to_owned(), json!(path));
    object.insert("format".to_owned(), json!(format));
    object.extend(report(found));
    Value::Object(object)
}

fn verdict(verdict: &Verdict) -> Value {
    json!({"topic": verdict.topic, "taken": verdict.taken.word(), "why": verdict.why})
}

/// One row of `dump`. It is written as it stands: as values a file would take twenty times its room.
#[derive(Debug)]
pub struct DumpRow<'a> {
    /// What stands where.
    pub row: &'a MapRow<'a>,
    file: Option<&'a str>,
    /// What the value stands for, where that is not the number itself.
    pub decoded: Option<Value>,
}

/// One row of `dump`, of a document; of several files each says which it is from.
pub fn row<'a>(row: &'a MapRow<'a>, document: &dyn Document, file: Option<&'a str>) -> DumpRow<'a> {
    DumpRow { row, file, decoded: document.decoded(row) }
}

impl DumpRow<'_> {
    /// What the value is: `u32`, or of several `u32[3]`.
    pub fn kind(&self) -> Cow<'static, str> {
        match self.row.count {
            1 => Cow::Borrowed(self.row.kind.word()),
            count => Cow::Owned(format!("{}[{count}]", self.row.kind.word())),
        }
    }

    /// What stands there.
    pub fn value(&self) -> Value {
        field(&self.row.value)
    }

    /// The raw bytes of a text where they say more.
    fn hex(&self) -> Option<Value> {
        let FieldValue::Text(room) = &self.row.value else { return None };
        Some(text_value(room).1).filter(Value::is_string)
    }
}

impl Serialize for DumpRow<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut object = serializer.serialize_map(None)?;
        object.serialize_entry("offset", &self.row.offset)?;
        object.serialize_entry("length", &self.row.len)?;
        object.serialize_entry("path", &format_args!("{}", self.row.path))?;
        object.serialize_entry("type", &self.kind())?;
        object.serialize_entry("value", &self.value())?;
        if let Some(hex) = self.hex() {
            object.serialize_entry("hex", &hex)?;
        }
        if let Some(decoded) = &self.decoded {
            object.serialize_entry("decoded", decoded)?;
        }
        if let Some(file) = self.file {
            object.serialize_entry("file", file)?;
        }
        object.end()
    }
}

fn field(value: &FieldValue<'_>) -> Value {
    match value {
        FieldValue::Int(number) => json!(number),
        FieldValue::Float(number) => float(*number),
        FieldValue::Tag(id) => tag_value(*id),
        FieldValue::Text(room) => text_value(room).0,
        FieldValue::Bytes(bytes) => match bytes.get(..SHOWN) {
            Some(start) if bytes.len() > SHOWN => json!(format!("{}…", text::hex(start))),
            _ => json!(text::hex(bytes)),
        },
        FieldValue::List(values) => values.iter().map(field).collect(),
    }
}

/// A float that reads back to the same f32; what JSON has no number for is a word.
pub fn float(number: f32) -> Value {
    if number.is_nan() {
        json!("NaN")
    } else if number.is_infinite() {
        json!(if number > 0.0 { "Infinity" } else { "-Infinity" })
    } else {
        // Through its shortest text: as an f64, 0.1 would become 0.10000000149011612.
        number.to_string().parse::<f64>().map_or(Value::Null, |number| json!(number))
    }
}

/// The operations of a format.
pub fn operations(info: &Info) -> Value {
    let operation = |operation: &Operation| {
        let args: Vec<&str> = operation.args.iter().map(|arg| arg.name).collect();
        let argument = |arg: &Arg| json!({"name": arg.name, "wanted": arg.kind.wanted(), "help": arg.help});
        let arguments: Vec<Value> = operation.args.iter().map(argument).collect();
        let form = format!("{} {}", operation.name, operation.form());
        json!({
            "name": operation.name, "args": args, "arguments": arguments, "form": form.trim_end(),
            "summary": operation.summary,
        })
    };
    json!({"format": info.id, "operations": info.operations.iter().map(operation).collect::<Vec<_>>()})
}

/// The whole of `diff`.
pub fn diff(changes: &[Change]) -> Value {
    json!({"equal": changes.is_empty(), "changes": changes.iter().map(change).collect::<Vec<_>>()})
}

/// One row of `diff`.
pub fn change(change: &Change) -> Value {
    let mut row =
        json!({"path": change.path, "old": change.old, "new": change.new, "distance": change.distance});
    if let Some(summary) = &change.summary {
        row["summary"] = json!(summary);
    }
    row
}

#[cfg(test)]
mod tests {
    use super::float;

    #[test]
    fn floats_read_back_to_the_same_bits() {
        for bits in (0..=u32::MAX).step_by(65_521).chain([0, 1, 0x8000_0000, 0x7f7f_ffff, 0x3dcc_cccd]) {
            let number = f32::from_bits(bits);
            let json = float(number);
            if number.is_finite() {
                #[allow(clippy::cast_possible_truncation, reason = "the value came from an f32")]
                let back = json.as_f64().unwrap() as f32;
                assert_eq!(back.to_bits(), bits, "{json}");
            } else {
                assert!(json.is_string());
            }
        }
        assert_eq!(float(0.1).to_string(), "0.1");
        assert_eq!(float(f32::NEG_INFINITY), "-Infinity");
    }
}
