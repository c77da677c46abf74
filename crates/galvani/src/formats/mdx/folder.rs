//! A model as a folder: one list of fields per chunk, in file order.
//!
//! `pack` strings the fields together and sets the sizes of the chunks; whoever adds a field also sets the
//! counts and sizes of the records around it.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write;

use galvani_core::map::MapRow;
use galvani_core::record::{Field, FieldKind};
use galvani_core::{Exhausted, Path, WriteError, room, text};
use galvani_mdx::{Content, Document, MAGIC};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::laid::{Laid, LaidChunk};
use crate::codes;
use crate::formats::{Folder, Packing, records};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    format: String,
    chunks: Vec<ChunkRow>,
    /// Bytes behind the last chunk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tail: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ChunkRow {
    /// Four characters, or four bytes in hex.
    tag: Value,
    /// Its fields (`.json`), or its bytes.
    file: String,
}

const TAIL: &str = "tail.bin";

/// Takes a model apart.
pub(super) fn unpack(document: &Document) -> Result<Folder, Exhausted> {
    let laid = Laid::new(document)?;
    let mut listings: Vec<Listing> = laid.chunks.iter().map(Listing::new).collect();
    laid.each_field(|i, row, field, bytes| {
        listings.get_mut(i).into_iter().for_each(|listing| listing.push(row, field, bytes));
    });
    let mut files = BTreeMap::new();
    let mut chunks = Vec::with_capacity(document.chunks.len());
    let rows = laid.chunks.iter().zip(listings).zip(&document.chunks);
    for (i, ((laid_chunk, listing), chunk)) in rows.enumerate() {
        let payload = laid.payload(laid_chunk);
        let is_typed = !matches!(chunk.content, Content::Raw(_));
        let (kind, bytes) = match listing.finish(laid_chunk) {
            Some(text) if is_typed => ("json", text.into_bytes()),
            _ => ("bin", room::copied(payload)?),
        };
        let tag = laid_chunk.tag;
        let name = format!("chunks/{i:03}-{}.{kind}", plain(tag));
        files.insert(name.clone(), bytes);
        chunks.push(ChunkRow { tag: tag_to_json(tag), file: name });
    }
    let tail = (!document.tail.bytes.is_empty()).then(|| TAIL.to_owned());
    if tail.is_some() {
        files.insert(TAIL.to_owned(), document.tail.bytes.clone());
    }
    let manifest = Manifest { format: "mdx".to_owned(), chunks, tail };
    Ok(Folder { manifest: serde_json::to_value(manifest).unwrap_or(Value::Null), files })
}

/// The fields of a chunk as a list with one a line: path, type, value.
struct Listing {
    text: String,
    /// The bytes of a field as they come back.
    again: Vec<u8>,
    /// Where the next field begins.
    next: usize,
    /// Whether the fields give back every byte so far.
    is_whole: bool,
}

impl Listing {
    fn new(chunk: &LaidChunk) -> Self {
        Listing { text: String::new(), again: Vec::new(), next: chunk.payload.start, is_whole: true }
    }

    fn push(&mut self, row: &MapRow<'_>, field: &Field, bytes: &[u8]) {
        let (kind, value) = (word(field), records::field_to_json(bytes, field));
        self.again.clear();
        let comes_back = field_of(&kind)
            .is_some_and(|field| records::field_from_json(&value, &field, &mut self.again).is_ok());
        self.is_whole &= comes_back && self.again == bytes && row.offset == self.next;
        self.next = row.offset.saturating_add(row.len);
        let before = if self.text.is_empty() { "[\n" } else { ",\n" };
        // Names of fields and types are plain words.
        let _ = write!(self.text, "{before}  [\"{}\",\"{kind}\",{value}]", row.path);
    }

    /// The whole list, if it gives back every byte of the chunk.
    fn finish(mut self, chunk: &LaidChunk) -> Option<String> {
        if !self.is_whole || self.next != chunk.payload.end {
            return None;
        }
        self.text.push_str(if self.text.is_empty() { "[]" } else { "\n]" });
        Some(self.text)
    }
}

/// The type of a field: `f32`, `f32[3]`, or a room of so many bytes, `text[80]`.
fn word(field: &Field) -> String {
    match (field.kind, field.count) {
        (FieldKind::Text | FieldKind::Raw | FieldKind::Payload | FieldKind::Bits | FieldKind::Padding, _) => {
            format!("{}[{}]", field.kind.word(), field.size)
        }
        (kind, 1) => kind.word().to_owned(),
        (kind, count) => format!("{}[{count}]", kind.word()),
    }
}

/// What a type means.
fn field_of(word: &str) -> Option<Field> {
    const KINDS: &[(FieldKind, usize)] = &[
        (FieldKind::U8, 1),
        (FieldKind::I8, 1),
        (FieldKind::U16, 2),
        (FieldKind::I16, 2),
        (FieldKind::U32, 4),
        (FieldKind::I32, 4),
        (FieldKind::F32, 4),
        (FieldKind::Tag, 4),
        (FieldKind::Text, 0),
        (FieldKind::Raw, 0),
        (FieldKind::Payload, 0),
        (FieldKind::Bits, 0),
        (FieldKind::Padding, 0),
    ];
    let (name, count) = match word.strip_suffix(']').and_then(|word| word.split_once('[')) {
        Some((name, count)) => (name, Some(count.parse::<usize>().ok()?)),
        None => (word, None),
    };
    let &(kind, size) = KINDS.iter().find(|(kind, _)| kind.word() == name)?;
    let (size, count) = match (size, count) {
        (0, room) => (room?, 1),
        (size, count) => (size.checked_mul(count.unwrap_or(1))?, count.unwrap_or(1)),
    };
    Some(Field { name: "value", offset: 0, size, kind, count })
}

/// The bytes of all rows, or what is wrong with one.
fn encode_all(rows: &[Value]) -> Result<Vec<u8>, String> {
    let mut bytes = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        let [Value::String(path), Value::String(kind), value] =
            row.as_array().map(Vec::as_slice).unwrap_or_default()
        else {
            return Err(format!("row {i}: a path, a type and a value are wanted, {row} found"));
        };
        let field = field_of(kind).ok_or_else(|| format!("{path}: `{kind}` is no type"))?;
        records::field_from_json(value, &field, &mut bytes).map_err(|error| format!("{path}: {error}"))?;
    }
    Ok(bytes)
}

/// The model that a folder describes.
pub(super) fn pack(folder: &Packing<'_>) -> Result<Vec<u8>, WriteError> {
    let manifest: Manifest = folder.manifest_as()?;
    if manifest.format != "mdx" {
        return Err(wrong("format: `mdx` is wanted".to_owned()));
    }
    let mut made = MAGIC.to_vec();
    for (i, row) in manifest.chunks.iter().enumerate() {
        let tag = tag_from_json(&row.tag)
            .ok_or_else(|| wrong(format!("chunks[{i}]: {} is no tag of four bytes", row.tag)))?;
        let place = |message: String| wrong(format!("{}: {message}", row.file));
        let is_json = row.file.rsplit_once('.').is_some_and(|(_, kind)| kind.eq_ignore_ascii_case("json"));
        let payload = if is_json {
            let rows: Vec<Value> =
                serde_json::from_slice(folder.text(&row.file)?).map_err(|error| place(error.to_string()))?;
            Cow::Owned(encode_all(&rows).map_err(place)?)
        } else {
            Cow::Borrowed(folder.part(&row.file)?)
        };
        let size = u32::try_from(payload.len()).map_err(|_| place(format!("{} bytes", payload.len())))?;
        for part in [&tag[..], &size.to_le_bytes(), &payload] {
            room::append(&mut made, part)?;
        }
    }
    if let Some(tail) = &manifest.tail {
        room::append(&mut made, folder.part(tail)?)?;
    }
    Ok(made)
}

/// A tag in the name of a file.
fn plain(tag: [u8; 4]) -> String {
    let plain = |byte: u8| if byte.is_ascii_alphanumeric() { char::from(byte) } else { '_' };
    tag.map(plain).iter().collect()
}

fn tag_to_json(tag: [u8; 4]) -> Value {
    match std::str::from_utf8(&tag) {
        Ok(word) if tag.iter().all(|byte| byte.is_ascii_graphic() || *byte == b' ') => json!(word),
        _ => json!({"hex": text::hex(&tag)}),
    }
}

fn tag_from_json(value: &Value) -> Option<[u8; 4]> {
    let bytes = match value.get("hex") {
        Some(hex) => text::from_hex(hex.as_str()?)?,
        None => value.as_str()?.as_bytes().to_vec(),
    };
    bytes.try_into().ok()
}

fn wrong(message: String) -> WriteError {
    codes::MANIFEST.at(Path::named("manifest")).saying(message).into()
}
