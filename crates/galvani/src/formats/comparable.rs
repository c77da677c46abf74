//! What a document says of itself to be compared: values, and long lists of which an item is made when it is looked at.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt;

#[cfg(any(feature = "parkan", feature = "ff7", feature = "texture"))]
use galvani_core::record::Field;
use serde_json::Value;

use super::Folder;
#[cfg(any(feature = "parkan", feature = "ff7", feature = "texture"))]
use super::records;

/// Named values, and what some of them name.
#[derive(Debug)]
pub struct Comparable<'d> {
    /// Values; a text may be the name of something.
    pub(crate) manifest: Value,
    /// What is named.
    pub(crate) named: BTreeMap<String, NamedContent<'d>>,
}

/// What a value names.
#[derive(Debug)]
pub(crate) enum NamedContent<'d> {
    /// Bytes that nobody takes apart here.
    Bytes(Cow<'d, [u8]>),
    /// Bytes that are records.
    Records(Records<'d>),
    /// A list that stands where its name does.
    List(List<'d>),
}

/// A file of records.
#[derive(Debug)]
pub(crate) struct Records<'d> {
    /// The bytes of all of them.
    pub(crate) bytes: Cow<'d, [u8]>,
    /// What they are taken for: the same bytes taken for the same are the same records.
    pub(crate) kind: String,
    /// What they say; the lists in it are named.
    pub(crate) said: Value,
    /// What stands behind their text in a folder.
    pub(crate) close: &'static str,
}

/// A list of values that are not held.
pub(crate) struct List<'d> {
    /// How many there are.
    pub(crate) len: usize,
    /// Whether each has a name.
    pub(crate) has_names: bool,
    item: Box<dyn Fn(usize) -> Value + 'd>,
}

impl<'d> List<'d> {
    /// As many items as somebody makes.
    pub(crate) fn new(len: usize, item: impl Fn(usize) -> Value + 'd) -> Self {
        List { len, has_names: false, item: Box::new(item) }
    }

    /// The same, of items that all have a name.
    pub(crate) fn with_names(self) -> Self {
        List { has_names: true, ..self }
    }

    #[cfg(any(feature = "parkan", feature = "ff7", feature = "texture"))]
    /// Records that lie one behind the other; what follows the last whole one is left out.
    pub(crate) fn of_records(bytes: Cow<'d, [u8]>, fields: &'d [Field], stride: usize) -> Self {
        let (stride, has_names) = (stride.max(1), fields.len() > 1);
        let len = bytes.len().checked_div(stride).unwrap_or(0);
        let item = move |i: usize| {
            let start = i.saturating_mul(stride);
            let record = bytes.get(start..start.saturating_add(stride)).unwrap_or_default();
            records::record_to_json(record, fields)
        };
        List {
            has_names: has_names && fields.iter().any(|field| field.name == "name"),
            ..List::new(len, item)
        }
    }

    /// One of its items; nothing behind the last.
    pub(crate) fn item(&self, index: usize) -> Value {
        if index < self.len { (self.item)(index) } else { Value::Null }
    }
}

impl fmt::Debug for List<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "List({})", self.len)
    }
}

impl<'d> Comparable<'d> {
    /// Values that name nothing yet.
    pub(crate) fn new(manifest: Value) -> Self {
        Comparable { manifest, named: BTreeMap::new() }
    }

    /// Gives some bytes a name.
    pub(crate) fn name_bytes(&mut self, name: String, bytes: impl Into<Cow<'d, [u8]>>) {
        self.named.insert(name, NamedContent::Bytes(bytes.into()));
    }

    /// The value that stands for a list. No text of a file is one: it begins with a NUL.
    pub(crate) fn list(&mut self, name: &str, list: List<'d>) -> Value {
        let name = format!("\0{name}");
        self.named.insert(name.clone(), NamedContent::List(list));
        Value::String(name)
    }

    /// Gives one list of records a name, as a file of the folder.
    pub(crate) fn records(&mut self, name: &str, bytes: impl Into<Cow<'d, [u8]>>, list: List<'d>) {
        let said = self.list(name, list);
        let records = Records { bytes: bytes.into(), kind: name.to_owned(), said, close: "\n" };
        self.named.insert(name.to_owned(), NamedContent::Records(records));
    }
}

impl From<Folder> for Comparable<'_> {
    fn from(folder: Folder) -> Self {
        let bytes = |(name, bytes)| (name, NamedContent::Bytes(Cow::Owned(bytes)));
        Comparable { manifest: folder.manifest, named: folder.files.into_iter().map(bytes).collect() }
    }
}

impl NamedContent<'_> {
    /// Its bytes; a list that is no file has none.
    pub(crate) fn bytes(&self) -> &[u8] {
        match self {
            NamedContent::Bytes(bytes) => bytes,
            NamedContent::Records(records) => &records.bytes,
            NamedContent::List(_) => &[],
        }
    }
}

impl Records<'_> {
    /// Whether both hold the same.
    pub(crate) fn is_same(&self, other: &Records<'_>) -> bool {
        self.kind == other.kind && self.bytes == other.bytes
    }

    /// Bytes of the text that a folder has of them.
    pub(crate) fn text_len(&self, named: &BTreeMap<String, NamedContent<'_>>) -> usize {
        let lines = |value: &Value, indent: usize| match value.as_str().and_then(|name| named.get(name)) {
            Some(NamedContent::List(list)) if list.len > 0 => {
                let row = |i: usize| list.item(i).to_string().len().saturating_add(indent).saturating_add(4);
                // The brackets have lines of their own, and the last row has no comma.
                (0..list.len).map(row).fold(indent.saturating_add(2), usize::saturating_add)
            }
            Some(_) => 2,
            None => value.to_string().len(),
        };
        let len = match &self.said {
            Value::Object(parts) => {
                let part = |(name, value): (&String, &Value)| {
                    let head = Value::from(name.as_str()).to_string().len();
                    head.saturating_add(lines(value, 2)).saturating_add("  : ,\n".len())
                };
                parts.iter().map(part).fold("{\n}".len() - 1, usize::saturating_add)
            }
            said => lines(said, 0),
        };
        len.saturating_add(self.close.len())
    }
}
