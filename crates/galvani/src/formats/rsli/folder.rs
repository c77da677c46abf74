//! A packed archive as a folder: named values, the payloads as they are packed, and their contents.
//!
//! A content that was not changed keeps its packed bytes; another one is packed by the entry's method. What is computed
//! is left out of the manifest where the archive agrees with it.

use std::collections::BTreeMap;

use galvani_core::{Exhausted, WriteError, archive, room, text};
use galvani_parkan::rsli::{
    Block, Document as Archive, Entry, HEADER_LEN, NAME_LEN, Name, Payload, RECORD_LEN, sorted,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use super::Document;
use crate::formats::archive::{
    BlockRow, Bytes, Canonical, Computed, TextRow, block_files, bytes_in_words, expect_format, fixed_hex,
    layout_in_words, listed_blocks, no_block, safe, wrong,
};
use crate::formats::{Comparable, Folder, List, Packing};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    format: String,
    version: [u8; 2],
    /// Where it is not the number of entries.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    count_again: Option<i16>,
    unknown_08: String,
    presorted: u16,
    /// Where it is not the sum of the contents' sizes.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    unpacked_total: Option<u32>,
    seed: u32,
    unknown_18: [u32; 2],
    entries: Vec<EntryRow>,
    sort_table: SortTable,
    layout: Layout,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    overlay: Option<u32>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryRow {
    name: TextRow,
    unknown_0c: String,
    flags: u16,
    unpacked_size: u32,
    packed: PackedRow,
    /// The content, where it can be unpacked.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    payload: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum PackedRow {
    /// All of a file.
    Whole(String),
    /// Part of a file, where payloads overlap; perhaps counted one byte too long.
    Part { file: String, start: usize, len: usize, beyond: bool },
    /// No file: a record that points nowhere.
    Outside { offset: u32, size: u32 },
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum SortTable {
    Rule(Computed),
    Listed(Vec<i16>),
}

#[derive(Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Layout {
    Rule(Canonical),
    Listed { lead: Bytes, blocks: Vec<BlockRow<Bytes>> },
}

/// Takes an archive apart.
pub(super) fn unpack(document: &Document) -> Result<Folder, Exhausted> {
    let archive = &document.archive;
    let mut files = BTreeMap::new();
    let names = block_files(&archive.entries, &archive.blocks, |_| "packed");
    for (name, block) in names.iter().zip(&archive.blocks) {
        files.insert(name.clone(), block.bytes.clone());
    }
    let layout = if archive.has_canonical_layout() {
        Layout::Rule(Canonical::Canonical)
    } else {
        let (lead, blocks) =
            listed_blocks(layout(archive), &names, |_, gap, file| Bytes::new(gap, file, &mut files));
        Layout::Listed { lead, blocks }
    };
    let mut entries = Vec::with_capacity(archive.entries.len());
    for (i, entry) in archive.entries.iter().enumerate() {
        let content = document.unpacked(i)?.map(room::copied).transpose()?;
        let payload = content.map(|content| {
            let file = content_file(i, entry);
            files.insert(file.clone(), content);
            file
        });
        entries.push(entry_row(entry, packed_row(archive, entry, &names), payload));
    }
    let manifest = manifest(archive, entries, layout);
    Ok(Folder { manifest: serde_json::to_value(manifest).unwrap_or_default(), files })
}

fn manifest(archive: &Archive, entries: Vec<EntryRow>, layout: Layout) -> Manifest {
    let table: Vec<i16> = archive.entries.iter().map(|entry| entry.sort_index).collect();
    let computed = table == sorted(&archive.entries);
    let count_again = archive.count_again;
    let is_right = usize::try_from(count_again) == Ok(archive.entries.len());
    Manifest {
        format: "rsli".to_owned(),
        version: archive.version,
        count_again: (!is_right).then_some(count_again),
        unknown_08: text::hex(&archive.unknown_08),
        presorted: archive.presorted,
        unpacked_total: (archive.unpacked_total != archive.content_total()).then_some(archive.unpacked_total),
        seed: archive.seed,
        unknown_18: archive.unknown_18,
        entries,
        sort_table: if computed { SortTable::Rule(Computed::Computed) } else { SortTable::Listed(table) },
        layout,
        overlay: archive.overlay,
    }
}

/// The same for comparing: contents instead of packed bytes, and in words how they lie.
pub(super) fn comparable(document: &Document) -> Result<Comparable<'_>, Exhausted> {
    let archive = &document.archive;
    let mut manifest = json!(manifest(archive, Vec::new(), Layout::Rule(Canonical::Canonical)));
    manifest["layout"] = layout_in_words(&archive.entries, layout(archive), |_, gap| gap.is_empty());
    let mut told = Comparable::new(manifest);
    let mut contents = Vec::with_capacity(archive.entries.len());
    for (i, entry) in archive.entries.iter().enumerate() {
        let content = document.unpacked(i)?;
        contents.push(content.map(|content| {
            let file = content_file(i, entry);
            told.name_bytes(file.clone(), content);
            file
        }));
    }
    let row = move |i: usize| {
        let Some(entry) = archive.entries.get(i) else { return Value::Null };
        let content = contents.get(i).cloned().flatten();
        let packed = match entry.payload {
            _ if content.is_some() => Value::Null,
            Payload::Outside { offset, size } => {
                json!(format!("{size} bytes at {offset}, outside the archive"))
            }
            Payload::Held { .. } => json!(bytes_in_words(archive.packed(i).unwrap_or_default())),
        };
        let mut row = json!(entry_row(entry, PackedRow::Whole(String::new()), content));
        row["packed"] = packed;
        row
    };
    told.manifest["entries"] = told.list("entries", List::new(archive.entries.len(), row).with_names());
    Ok(told)
}

fn layout(archive: &Archive) -> archive::Layout<'_> {
    let start = archive.entries.len().saturating_mul(RECORD_LEN).saturating_add(HEADER_LEN);
    archive::Layout { start, lead: &archive.lead, blocks: &archive.blocks }
}

/// Where the packed bytes of an entry are.
fn packed_row(archive: &Archive, entry: &Entry, names: &[String]) -> PackedRow {
    match entry.payload {
        Payload::Outside { offset, size } => PackedRow::Outside { offset, size },
        Payload::Held { block, start, len, beyond } => {
            let file = names.get(block).cloned().unwrap_or_default();
            let whole = archive.blocks.get(block).is_some_and(|block| start == 0 && len == block.bytes.len());
            if whole && !beyond {
                PackedRow::Whole(file)
            } else {
                PackedRow::Part { file, start, len, beyond }
            }
        }
    }
}

/// The file that the content of an entry is.
fn content_file(i: usize, entry: &Entry) -> String {
    format!("contents/{i:04}-{}", safe(entry.name.text()))
}

fn entry_row(entry: &Entry, packed: PackedRow, payload: Option<String>) -> EntryRow {
    EntryRow {
        name: TextRow::new(&entry.name.0),
        unknown_0c: text::hex(&entry.unknown_0c),
        flags: entry.flags,
        unpacked_size: entry.unpacked_size,
        packed,
        payload,
    }
}

/// Puts an archive together.
pub(super) fn pack(folder: &Packing<'_>) -> Result<Archive, WriteError> {
    let manifest: Manifest = folder.manifest_as()?;
    expect_format("rsli", &manifest.format)?;
    let mut archive = Archive {
        version: manifest.version,
        unknown_08: fixed_hex(&manifest.unknown_08, "unknown_08", "12 hex digits")?,
        presorted: manifest.presorted,
        seed: manifest.seed,
        unknown_18: manifest.unknown_18,
        overlay: manifest.overlay,
        ..Archive::default()
    };
    let places = blocks(folder, &manifest, &mut archive)?;
    for row in &manifest.entries {
        archive.entries.push(entry(row, &places)?);
    }
    sort(&manifest.sort_table, &mut archive)?;
    let count = i16::try_from(archive.entries.len()).unwrap_or(i16::MAX);
    archive.count_again = manifest.count_again.unwrap_or(count);
    archive.unpacked_total = manifest.unpacked_total.unwrap_or_else(|| archive.content_total());
    for (i, row) in manifest.entries.iter().enumerate() {
        if let Some(file) = &row.payload {
            archive.replace(i, &folder.copied(file)?).map_err(|error| WriteError { cause: error.cause })?;
        }
    }
    Ok(archive)
}

/// Puts the packed payloads in and says where each file's are.
fn blocks(
    folder: &Packing<'_>,
    manifest: &Manifest,
    archive: &mut Archive,
) -> Result<BTreeMap<String, (usize, usize)>, WriteError> {
    let mut rows: Vec<(&str, Vec<u8>)> = Vec::new();
    match &manifest.layout {
        Layout::Rule(Canonical::Canonical) => {
            for (i, row) in manifest.entries.iter().enumerate() {
                let PackedRow::Whole(file) = &row.packed else {
                    return Err(wrong(format!(
                        "entries[{i}].packed: a canonical layout wants a file of its own"
                    )));
                };
                rows.push((file, Vec::new()));
            }
        }
        Layout::Listed { lead, blocks } => {
            archive.lead = lead.bytes(folder)?;
            for block in blocks {
                rows.push((&block.file, block.gap.bytes(folder)?));
            }
        }
    }
    let mut places = BTreeMap::new();
    for (i, (file, gap)) in rows.into_iter().enumerate() {
        let bytes = folder.copied(file)?;
        if places.insert(file.to_owned(), (i, bytes.len())).is_some() {
            return Err(wrong(format!("`{file}` stands there twice")));
        }
        archive.blocks.push(Block { bytes, gap });
    }
    Ok(places)
}

fn entry(row: &EntryRow, places: &BTreeMap<String, (usize, usize)>) -> Result<Entry, WriteError> {
    let place = |file: &String| places.get(file).copied().ok_or_else(|| no_block(file));
    let payload = match &row.packed {
        PackedRow::Outside { offset, size } => Payload::Outside { offset: *offset, size: *size },
        PackedRow::Whole(file) => {
            let (block, len) = place(file)?;
            Payload::Held { block, start: 0, len, beyond: false }
        }
        PackedRow::Part { file, start, len, beyond } => {
            let (block, room) = place(file)?;
            if start.checked_add(*len).is_none_or(|end| end > room) {
                return Err(wrong(format!("packed: {len} bytes at {start} of `{file}`, which has {room}")));
            }
            Payload::Held { block, start: *start, len: *len, beyond: *beyond }
        }
    };
    Ok(Entry {
        name: Name(row.name.room::<NAME_LEN>("name", "24 hex digits")?),
        unknown_0c: fixed_hex(&row.unknown_0c, "unknown_0c", "8 hex digits")?,
        flags: row.flags,
        sort_index: 0,
        unpacked_size: row.unpacked_size,
        payload,
    })
}

fn sort(row: &SortTable, archive: &mut Archive) -> Result<(), WriteError> {
    let table = match row {
        SortTable::Rule(Computed::Computed) => sorted(&archive.entries),
        SortTable::Listed(table) => table.clone(),
    };
    if table.len() != archive.entries.len() {
        return Err(wrong(format!(
            "sort_table: {} slots for {} entries",
            table.len(),
            archive.entries.len()
        )));
    }
    for (entry, index) in archive.entries.iter_mut().zip(table) {
        entry.sort_index = index;
    }
    Ok(())
}
