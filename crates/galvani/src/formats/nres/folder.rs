//! An archive as a folder of named values and files, and back.
//!
//! What the game's own writer would compute is left out of the manifest where the archive agrees with it:
//! `"sort_table": "computed"`, `"layout": "canonical"`. What disagrees is spelled out and written back.

use std::collections::BTreeMap;

use galvani_core::{WriteError, archive, text};
use galvani_parkan::nres::{
    Block, Document, Entry, HEADER_LEN, NAME_LEN, Name, Payload, is_padding, padding, sorted,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::formats::archive::{
    BlockRow, Bytes, Canonical, Computed, Files, TextRow, block_files, bytes_in_words, expect_format,
    gap_hex, layout_in_words, listed_blocks, no_block, wrong,
};
use crate::formats::{Comparable, Folder, List, Packing};

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
    name: TextRow,
    r#type: TypeRow,
    attr1: u32,
    attr2: u32,
    attr3: u32,
    payload: PayloadRow,
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
#[serde(untagged, deny_unknown_fields)]
enum Layout {
    Rule(Canonical),
    Listed { lead: Gap, blocks: Vec<BlockRow<Gap>> },
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

/// Takes an archive apart.
pub(in crate::formats) fn unpack(document: &Document) -> Folder {
    let mut files = BTreeMap::new();
    let names = block_files(&document.entries, &document.blocks, |_| "payloads");
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

/// The same for comparing: in words what only builds the archive. `tell` may say an entry otherwise.
pub(in crate::formats) fn comparable<'d>(
    document: &'d Document,
    tell: impl Fn(usize, &mut Value) + 'd,
) -> Comparable<'d> {
    let names = block_files(&document.entries, &document.blocks, |_| "payloads");
    let table: Vec<u32> = document.entries.iter().map(|entry| entry.sort_index).collect();
    let computed = table == sorted(&document.entries);
    let layout = archive::Layout { start: HEADER_LEN, lead: &document.lead, blocks: &document.blocks };
    let mut manifest = json!({"format": "nres", "version": document.version, "entries": null});
    manifest["sort_table"] = if computed { json!("in order of names") } else { json!(table) };
    manifest["layout"] = layout_in_words(&document.entries, layout, is_padding);
    if !document.tail.is_empty() {
        manifest["tail"] = json!(format!("{} behind the directory", bytes_in_words(&document.tail)));
    }
    let mut told = Comparable::new(manifest);
    for (name, block) in names.iter().zip(&document.blocks) {
        told.name_bytes(name.clone(), block.bytes.as_slice());
    }
    let row = move |i: usize| {
        let Some(entry) = document.entries.get(i) else { return Value::Null };
        let mut row = json!(entry_row(entry, document, &names));
        if let Payload::Outside { offset, size } = entry.payload {
            row["payload"] = json!(format!("{size} bytes at {offset}, outside the archive"));
        }
        tell(i, &mut row);
        row
    };
    told.manifest["entries"] = told.list("entries", List::new(document.entries.len(), row).with_names());
    told
}

fn listed_layout(document: &Document, names: &[String], files: &mut Files) -> Layout {
    let row = |at: usize, gap: &[u8], file: String| {
        if is_padding(at, gap) {
            return Gap::Align;
        }
        match Bytes::new(gap, file, files) {
            Bytes::Hex(hex) => Gap::Hex(hex),
            Bytes::File(file) => Gap::File(file),
        }
    };
    let layout = archive::Layout { start: HEADER_LEN, lead: &document.lead, blocks: &document.blocks };
    let (lead, blocks) = listed_blocks(layout, names, row);
    Layout::Listed { lead, blocks }
}

fn entry_row(entry: &Entry, document: &Document, names: &[String]) -> EntryRow {
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
        name: TextRow::new(&entry.name.0),
        r#type: text::four_cc(entry.type_id).map_or(TypeRow::Number(entry.type_id), TypeRow::Tag),
        attr1: entry.attr1,
        attr2: entry.attr2,
        attr3: entry.attr3,
        payload,
    }
}

/// Puts an archive together.
pub(super) fn pack(folder: &Packing<'_>) -> Result<Document, WriteError> {
    let manifest: Manifest = folder.manifest_as()?;
    expect_format("nres", &manifest.format)?;
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
        let bytes = folder.copied(file)?;
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
        document.tail = folder.copied(file)?;
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
    let place = |file: &String| places.get(file).copied().ok_or_else(|| no_block(file));
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
        name: Name(row.name.room::<NAME_LEN>("name", "72 hex digits")?),
        payload,
        sort_index: 0,
    })
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

fn gap_bytes(folder: &Packing<'_>, gap: &Gap, at: usize) -> Result<Vec<u8>, WriteError> {
    match gap {
        Gap::Align => Ok(vec![0; padding(at)]),
        Gap::Hex(hex) => gap_hex(hex),
        Gap::File(file) => folder.copied(file),
    }
}
