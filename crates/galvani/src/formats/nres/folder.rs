//! An archive as a folder of named values and files, and back.
//!
//! What the game's own writer would compute is left out of the manifest where the archive agrees with it:
//! `"sort_table": "computed"`, `"layout": "canonical"`. What disagrees is spelled out and written back.

use std::collections::BTreeMap;

use galvani_core::{Path, WriteError, text};
use galvani_parkan::nres::{
    Block, Document, Entry, HEADER_LEN, NAME_LEN, Name, Payload, is_padding, padding, sorted,
};
use serde::{Deserialize, Serialize};

use crate::codes;
use crate::formats::Folder;

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    format: String,
    version: u32,
    entries: Vec<EntryRow>,
    sort_table: SortTable,
    layout: Layout,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    tail: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryRow {
    name: NameRow,
    r#type: TypeRow,
    attr1: u32,
    attr2: u32,
    attr3: u32,
    payload: PayloadRow,
}

/// Text with zeros behind it, or all 36 bytes in hex where they say more.
#[derive(Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum NameRow {
    Text(String),
    Hex { hex: String },
}

/// A FourCC, or a number.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum TypeRow {
    Tag(String),
    Number(u32),
}

#[derive(Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum PayloadRow {
    /// All of a file.
    Whole(String),
    /// Part of a file, where payloads overlap.
    Part { file: String, start: usize, len: usize },
    /// No file: a record that points nowhere.
    Outside { offset: u32, size: u32 },
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum SortTable {
    Rule(Computed),
    Listed(Vec<u32>),
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Computed {
    Computed,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Layout {
    Rule(Canonical),
    Listed { lead: Gap, blocks: Vec<BlockRow> },
}

#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Canonical {
    Canonical,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct BlockRow {
    file: String,
    gap: Gap,
}

/// What stands behind a payload.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Gap {
    /// Zeros up to a multiple of 8.
    Align,
    /// A few bytes.
    Hex(String),
    /// Many bytes.
    File(String),
}

/// Gaps up to this size stand in the manifest.
const INLINE: usize = 64;

/// Takes an archive apart.
pub(in crate::formats) fn unpack(document: &Document) -> Folder {
    let mut files = BTreeMap::new();
    let names = block_files(document);
    for (name, block) in names.iter().zip(&document.blocks) {
        files.insert(name.clone(), block.bytes.clone());
    }
    let layout = if document.has_canonical_layout() {
        Layout::Rule(Canonical::Canonical)
    } else {
        listed_layout(document, &names, &mut files)
    };
    let table: Vec<u32> = document.entries.iter().map(|entry| entry.sort_index).collect();
    let computed = table == sorted(&document.entries);
    let sort_table = if computed { SortTable::Rule(Computed::Computed) } else { SortTable::Listed(table) };
    let tail = (!document.tail.is_empty()).then(|| {
        files.insert("tail.bin".to_owned(), document.tail.clone());
        "tail.bin".to_owned()
    });
    let entries = document.entries.iter().map(|entry| entry_row(entry, document, &names)).collect();
    let manifest =
        Manifest { format: "nres".to_owned(), version: document.version, entries, sort_table, layout, tail };
    Folder { manifest: serde_json::to_value(manifest).unwrap_or_default(), files }
}

/// A file name for every block: the place and name of the first entry in it.
fn block_files(document: &Document) -> Vec<String> {
    let mut names: Vec<Option<String>> = vec![None; document.blocks.len()];
    for (i, entry) in document.entries.iter().enumerate() {
        if let Payload::Held { block, .. } = entry.payload
            && let Some(name) = names.get_mut(block)
        {
            name.get_or_insert_with(|| format!("payloads/{i:04}-{}", safe(&entry.name)));
        }
    }
    let unnamed =
        |(i, name): (usize, Option<String>)| name.unwrap_or_else(|| format!("payloads/block-{i:04}"));
    names.into_iter().enumerate().map(unnamed).collect()
}

/// A name as every file system takes it.
fn safe(name: &Name) -> String {
    let keep = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
    text::shown(&name.0).chars().map(keep).collect()
}

fn listed_layout(document: &Document, names: &[String], files: &mut BTreeMap<String, Vec<u8>>) -> Layout {
    let mut at = HEADER_LEN;
    let mut gap_row = |at: usize, gap: &[u8], file: String| {
        if is_padding(at, gap) {
            Gap::Align
        } else if gap.len() <= INLINE {
            Gap::Hex(text::hex(gap))
        } else {
            files.insert(file.clone(), gap.to_vec());
            Gap::File(file)
        }
    };
    let lead = gap_row(at, &document.lead, "gaps/lead.bin".to_owned());
    at += document.lead.len();
    let mut blocks = Vec::with_capacity(names.len());
    for (i, (file, block)) in names.iter().zip(&document.blocks).enumerate() {
        at += block.bytes.len();
        let gap = gap_row(at, &block.gap, format!("gaps/{i:04}.bin"));
        at += block.gap.len();
        blocks.push(BlockRow { file: file.clone(), gap });
    }
    Layout::Listed { lead, blocks }
}

fn entry_row(entry: &Entry, document: &Document, names: &[String]) -> EntryRow {
    let name = if text::says_all(&entry.name.0) {
        NameRow::Text(entry.name.to_string())
    } else {
        NameRow::Hex { hex: text::hex(&entry.name.0) }
    };
    let payload = match entry.payload {
        Payload::Outside { offset, size } => PayloadRow::Outside { offset, size },
        Payload::Held { block, start, len } => {
            let file = names.get(block).cloned().unwrap_or_default();
            let whole =
                document.blocks.get(block).is_some_and(|block| start == 0 && len == block.bytes.len());
            if whole { PayloadRow::Whole(file) } else { PayloadRow::Part { file, start, len } }
        }
    };
    EntryRow {
        name,
        r#type: text::four_cc(entry.type_id).map_or(TypeRow::Number(entry.type_id), TypeRow::Tag),
        attr1: entry.attr1,
        attr2: entry.attr2,
        attr3: entry.attr3,
        payload,
    }
}

/// Puts an archive together.
pub(super) fn pack(folder: &Folder) -> Result<Document, WriteError> {
    let manifest = Manifest::deserialize(&folder.manifest).map_err(|error| wrong(error.to_string()))?;
    if manifest.format != "nres" {
        return Err(wrong(format!("format: `nres` wanted, `{}` found", manifest.format)));
    }
    let mut document = Document { version: manifest.version, ..Document::default() };
    let blocks = match &manifest.layout {
        Layout::Rule(Canonical::Canonical) => canonical_blocks(&manifest.entries)?,
        Layout::Listed { lead, blocks } => {
            document.lead = gap_bytes(folder, lead, HEADER_LEN)?;
            blocks.iter().map(|row| (row.file.as_str(), &row.gap)).collect()
        }
    };
    let mut places = BTreeMap::new();
    let mut at = HEADER_LEN + document.lead.len();
    for (i, (file, gap)) in blocks.into_iter().enumerate() {
        let bytes = file_bytes(folder, file)?;
        at += bytes.len();
        let gap = gap_bytes(folder, gap, at)?;
        at += gap.len();
        places.insert(file.to_owned(), (i, bytes.len()));
        document.blocks.push(Block { bytes, gap });
    }
    for row in &manifest.entries {
        document.entries.push(entry(row, &places)?);
    }
    let table = match manifest.sort_table {
        SortTable::Rule(Computed::Computed) => sorted(&document.entries),
        SortTable::Listed(table) => table,
    };
    if table.len() != document.entries.len() {
        return Err(wrong(format!(
            "sort_table: {} slots for {} entries",
            table.len(),
            document.entries.len()
        )));
    }
    for (entry, index) in document.entries.iter_mut().zip(table) {
        entry.sort_index = index;
    }
    if let Some(file) = &manifest.tail {
        document.tail = file_bytes(folder, file)?;
    }
    Ok(document)
}

fn canonical_blocks(entries: &[EntryRow]) -> Result<Vec<(&str, &Gap)>, WriteError> {
    let mut seen = BTreeMap::new();
    let mut blocks = Vec::with_capacity(entries.len());
    for (i, row) in entries.iter().enumerate() {
        let PayloadRow::Whole(file) = &row.payload else {
            return Err(wrong(format!("entries[{i}].payload: a canonical layout wants a file of its own")));
        };
        if let Some(first) = seen.insert(file, i) {
            return Err(wrong(format!("entries[{i}].payload: already the file of entries[{first}]")));
        }
        blocks.push((file.as_str(), &Gap::Align));
    }
    Ok(blocks)
}

fn entry(row: &EntryRow, places: &BTreeMap<String, (usize, usize)>) -> Result<Entry, WriteError> {
    let place =
        |file: &String| places.get(file).copied().ok_or_else(|| wrong(format!("layout: no block `{file}`")));
    let payload = match &row.payload {
        PayloadRow::Whole(file) => {
            let (block, len) = place(file)?;
            Payload::Held { block, start: 0, len }
        }
        PayloadRow::Part { file, start, len } => {
            let (block, room) = place(file)?;
            if start.checked_add(*len).is_none_or(|end| end > room) {
                return Err(wrong(format!("payload: {len} bytes at {start} of `{file}`, which has {room}")));
            }
            Payload::Held { block, start: *start, len: *len }
        }
        PayloadRow::Outside { offset, size } => Payload::Outside { offset: *offset, size: *size },
    };
    Ok(Entry {
        type_id: type_id(&row.r#type)?,
        attr1: row.attr1,
        attr2: row.attr2,
        attr3: row.attr3,
        name: name(&row.name)?,
        payload,
        sort_index: 0,
    })
}

fn name(row: &NameRow) -> Result<Name, WriteError> {
    match row {
        NameRow::Text(name) => {
            let mut room = [0; NAME_LEN];
            let start = room
                .get_mut(..name.len())
                .ok_or_else(|| wrong(format!("name `{name}`: longer than 36 bytes")))?;
            start.copy_from_slice(name.as_bytes());
            Ok(Name(room))
        }
        NameRow::Hex { hex } => {
            let bytes = text::from_hex(hex).and_then(|bytes| bytes.try_into().ok());
            bytes.map(Name).ok_or_else(|| wrong(format!("name {hex}: not 72 hex digits")))
        }
    }
}

fn type_id(row: &TypeRow) -> Result<u32, WriteError> {
    match row {
        TypeRow::Number(number) => Ok(*number),
        TypeRow::Tag(tag) => {
            let bytes: Result<[u8; 4], _> = tag.as_bytes().try_into();
            bytes.map(u32::from_le_bytes).map_err(|_| wrong(format!("type `{tag}`: not four characters")))
        }
    }
}

fn gap_bytes(folder: &Folder, gap: &Gap, at: usize) -> Result<Vec<u8>, WriteError> {
    match gap {
        Gap::Align => Ok(vec![0; padding(at)]),
        Gap::Hex(hex) => text::from_hex(hex).ok_or_else(|| wrong(format!("gap {hex}: not hex"))),
        Gap::File(file) => file_bytes(folder, file),
    }
}

fn file_bytes(folder: &Folder, name: &str) -> Result<Vec<u8>, WriteError> {
    folder.files.get(name).cloned().ok_or_else(|| wrong(format!("no file `{name}` in the folder")))
}

fn wrong(message: String) -> WriteError {
    codes::MANIFEST.at(Path::of("manifest")).saying(message).into()
}
