//! A file of glTF as a folder: its text, its chunks, and what stands between them.

use std::collections::BTreeMap;

use galvani_core::{Exhausted, Meter, Path, WriteError, room};
use galvani_gltf::Document;
use galvani_gltf::document::{
    BYTE_ORDER_MARK, Binary, CHUNK_HEAD_LEN, Data, Frame, HEADER_LEN, Items, JSON, MAGIC, VERSION,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::number;
use crate::codes;
use crate::formats::{Comparable, Folder, List, Packing};

const TEXT: &str = "document.json";

/// What the manifest says. Lengths are there only where the file says other ones than it has.
#[derive(Debug, Serialize, Deserialize)]
struct Manifest {
    format: String,
    /// The file of the text.
    text: String,
    /// Whether a byte order mark stands before it.
    #[serde(default, skip_serializing_if = "is_default")]
    mark: bool,
    /// What stands around it in a `.glb`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    frame: Option<FrameRow>,
}

#[derive(Debug, Serialize, Deserialize)]
struct FrameRow {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stated_length: Option<u32>,
    /// Zeros behind the text.
    #[serde(default, skip_serializing_if = "is_default")]
    zeros: usize,
    /// Whether the text is not filled up to a multiple of four.
    #[serde(default, skip_serializing_if = "is_default")]
    is_ragged: bool,
    chunks: Vec<ChunkRow>,
    /// The file of what stands behind the last chunk.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    trailing: Option<String>,
}

#[derive(Debug, Serialize, Deserialize)]
struct ChunkRow {
    /// Its kind as a number.
    kind: u32,
    /// Its bytes.
    file: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    stated_length: Option<u32>,
}

fn is_default<T: Default + PartialEq>(value: &T) -> bool {
    *value == T::default()
}

fn other(stated: u32, found: usize) -> Option<u32> {
    (usize::try_from(stated) != Ok(found)).then_some(stated)
}

/// Everything in a document.
pub(super) fn unpack(document: &Document) -> Result<Folder, Exhausted> {
    let text = document.json().text();
    let mut files = BTreeMap::from([(TEXT.to_owned(), room::copied(text)?)]);
    let (mark, frame) = match &document.frame {
        Frame::Text { has_mark } => (*has_mark, None),
        Frame::Binary(binary) => (false, Some(frame_row(document, binary, text.len(), &mut files)?)),
    };
    let manifest = Manifest { format: super::INFO.id.to_owned(), text: TEXT.to_owned(), mark, frame };
    Ok(Folder { manifest: json!(manifest), files })
}

fn frame_row(
    document: &Document,
    binary: &Binary,
    text_len: usize,
    files: &mut BTreeMap<String, Vec<u8>>,
) -> Result<FrameRow, Exhausted> {
    let mut chunks = Vec::new();
    for (i, chunk) in binary.chunks.iter().enumerate() {
        let file = format!("chunk_{}.bin", i.saturating_add(1));
        files.insert(file.clone(), room::copied(&chunk.bytes)?);
        let stated_length = other(chunk.stated_len, chunk.bytes.len());
        chunks.push(ChunkRow { kind: u32::from_le_bytes(chunk.kind), file, stated_length });
    }
    let trailing = (!binary.trailing.is_empty()).then(|| "trailing.bin".to_owned());
    if let Some(file) = &trailing {
        files.insert(file.clone(), room::copied(&binary.trailing)?);
    }
    Ok(FrameRow {
        stated_length: other(binary.stated_len, document.file_len()),
        zeros: binary.zeros,
        is_ragged: !text_len.is_multiple_of(4),
        chunks,
        trailing,
    })
}

/// The same with the text as values, so that what differs goes by its JSON path, and with the numbers of lists.
pub(super) fn comparable(document: &Document) -> Result<Comparable<'_>, Exhausted> {
    let mut folder = unpack(document)?;
    let Some(text) = folder.files.remove(TEXT) else { return Ok(folder.into()) };
    let Ok(Value::Object(mut said)) = serde_json::from_slice(&text) else {
        // What another reader does not take is compared as it stands.
        folder.files.insert(TEXT.to_owned(), text);
        return Ok(folder.into());
    };
    drop(text);
    if let Value::Object(manifest) = &folder.manifest {
        for (key, value) in manifest.iter().filter(|(key, _)| *key != "text") {
            said.entry(key.clone()).or_insert_with(|| value.clone());
        }
    }
    folder.manifest = Value::Object(said);
    let mut told = Comparable::from(folder);
    for (i, numbers) in lists(document)?.into_iter().enumerate() {
        let numbers = numbers.map_or(Value::Null, |numbers| told.list(&format!("accessors {i}"), numbers));
        let accessor = told.manifest.get_mut("accessors").and_then(|accessors| accessors.get_mut(i));
        if let Some(Value::Object(accessor)) = accessor {
            accessor.insert("values".to_owned(), numbers);
        }
    }
    Ok(told)
}

/// The numbers of every list, as long as there are no more than bytes.
fn lists(document: &Document) -> Result<Vec<Option<List<'static>>>, Exhausted> {
    let view = document.view()?;
    let data = Data::new(document, &view, &Meter::unlimited())?;
    let mut left = document.file_len();
    let mut lists = Vec::new();
    for i in 0..view.accessors.len() {
        let items = data.items(i).ok().filter(|items| {
            let numbers = items.count().saturating_mul(items.shape().numbers());
            left.checked_sub(numbers).map(|rest| left = rest).is_some()
        });
        let list = items.map(|items| match items.shape().numbers() {
            1 => rows::<1>(&items),
            2 => rows::<2>(&items),
            3 => rows::<3>(&items),
            4 => rows::<4>(&items),
            9 => rows::<9>(&items),
            _ => rows::<16>(&items),
        });
        lists.push(list.transpose()?);
    }
    Ok(lists)
}

fn rows<const N: usize>(items: &Items<'_>) -> Result<List<'static>, Exhausted> {
    let rows: Vec<[f32; N]> = items.floats(&Meter::unlimited(), |row| row)?;
    let item = move |i: usize| {
        let row = rows.get(i).map(<[f32; N]>::as_slice).unwrap_or_default();
        match row {
            [one] => number(*one),
            row => row.iter().map(|part| number(*part)).collect(),
        }
    };
    Ok(List::new(items.count(), item))
}

/// The file that a folder builds.
pub(super) fn pack(folder: &Packing<'_>) -> Result<Vec<u8>, WriteError> {
    let manifest: Manifest = folder.manifest_as()?;
    let wrong = |said: String| WriteError::from(codes::MANIFEST.at(Path::named("manifest")).saying(said));
    if manifest.format != super::INFO.id {
        return Err(wrong(format!("format: `{}` is wanted", super::INFO.id)));
    }
    let file = |name: &str| folder.part(name);
    let text = file(&manifest.text)?;
    let mut made = Vec::new();
    let Some(frame) = &manifest.frame else {
        room::append(&mut made, if manifest.mark { &BYTE_ORDER_MARK[..] } else { &[] })?;
        room::append(&mut made, text)?;
        return Ok(made);
    };
    let blanks = if frame.is_ragged { 0 } else { text.len().next_multiple_of(4).saturating_sub(text.len()) };
    let text_len = text.len().saturating_add(blanks).saturating_add(frame.zeros);
    let mut len = HEADER_LEN.saturating_add(CHUNK_HEAD_LEN).saturating_add(text_len);
    let mut chunks = Vec::new();
    for row in &frame.chunks {
        let bytes = file(&row.file)?;
        len = len.saturating_add(CHUNK_HEAD_LEN).saturating_add(bytes.len());
        chunks.push((row, bytes));
    }
    let trailing = frame.trailing.as_deref().map_or(Ok(&[][..]), file)?;
    len = len.saturating_add(trailing.len());
    let short = |len: usize| u32::try_from(len).map_err(|_| wrong(format!("{len} bytes are too many")));
    folder.charge(frame.zeros)?;
    room::reserve_exact(&mut made, len)?;
    made.extend(MAGIC);
    made.extend(VERSION.to_le_bytes());
    made.extend(frame.stated_length.map_or_else(|| short(len), Ok)?.to_le_bytes());
    made.extend(short(text_len)?.to_le_bytes());
    made.extend(JSON);
    made.extend_from_slice(text);
    made.resize(made.len().saturating_add(blanks), b' ');
    made.resize(made.len().saturating_add(frame.zeros), 0);
    for (row, bytes) in chunks {
        made.extend(row.stated_length.map_or_else(|| short(bytes.len()), Ok)?.to_le_bytes());
        made.extend(row.kind.to_le_bytes());
        made.extend_from_slice(bytes);
    }
    made.extend_from_slice(trailing);
    Ok(made)
}
