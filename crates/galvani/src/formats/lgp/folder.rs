//! An archive as a folder of named values and files, and back.
//!
//! What is computed is left out of the manifest where the archive agrees with it: `"lookup": "computed"`,
//! `"layout": "canonical"`, the first bytes, check bytes, record names. What disagrees is spelled out and
//! written back. A file in the folder is the bytes of a file; where records overlap, or one is cut, it is the
//! run of bytes that they lie in.

use std::collections::BTreeMap;

use galvani_core::{WriteError, archive, text};
use galvani_ff7::lgp::{
    Block, CHECK, Conflict, DIRECTORY_LEN, Document, Entry, MAGIC, NAME_LEN, Name, RECORD_LEN, RecordPlace,
    SLOTS, Slot, build_lookup,
};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::formats::archive::{
    BlockRow, Bytes, Canonical, Computed, Files, TextRow, block_files, bytes_in_words, expect_format,
    fixed_hex, layout_in_words, listed_blocks, no_block, wrong,
};
use crate::formats::{Comparable, Folder, List, Packing};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    format: String,
    /// The first 12 bytes in hex, where they are not the game's.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    magic: Option<String>,
    entries: Vec<EntryRow>,
    lookup: Lookup,
    /// The conflict table, where it is not empty; null where it cannot be read and its bytes are in the lead.
    #[serde(default = "no_conflicts", skip_serializing_if = "is_empty")]
    conflicts: Option<Vec<Vec<ConflictRow>>>,
    layout: Layout,
}

#[allow(clippy::unnecessary_wraps, reason = "none is something else than an empty table")]
fn no_conflicts() -> Option<Vec<Vec<ConflictRow>>> {
    Some(Vec::new())
}

#[allow(clippy::ref_option, reason = "the signature that serde wants")]
fn is_empty(conflicts: &Option<Vec<Vec<ConflictRow>>>) -> bool {
    conflicts.as_ref().is_some_and(Vec::is_empty)
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryRow {
    name: TextRow,
    /// Where it is not 14.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    check: Option<u8>,
    /// Where it is not 0.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    conflict: Option<u16>,
    /// The name in the record, where it is not the name of the first entry that has it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    record_name: Option<TextRow>,
    payload: PayloadRow,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum PayloadRow {
    /// A file: the bytes behind a record's 24.
    Whole(String),
    /// A record in a run of bytes, which has its 24 bytes too.
    Part { run: String, start: usize },
    /// No record: a row that leads nowhere.
    Outside { offset: u32 },
}

#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Lookup {
    Rule(Computed),
    /// Slot, first and count of every slot that is not empty.
    Listed(Vec<[u16; 3]>),
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ConflictRow {
    directory: TextRow,
    entry: u16,
}

#[derive(Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
enum Layout {
    Rule(Canonical),
    Listed { lead: Bytes, blocks: Vec<BlockRow<Bytes>>, tail: Option<Bytes> },
}

/// Takes an archive apart.
pub(super) fn unpack(document: &Document) -> Folder {
    let mut files = BTreeMap::new();
    let whole = document.whole_blocks();
    let names = files_of(document, &whole);
    for ((name, block), whole) in names.iter().zip(&document.blocks).zip(&whole) {
        files.insert(name.clone(), content(block, *whole).to_vec());
    }
    let layout = if document.has_canonical_layout() {
        Layout::Rule(Canonical::Canonical)
    } else {
        listed_layout(document, &names, &mut files)
    };
    let computed = build_lookup(document.entries.iter().map(|entry| entry.name.text()));
    let lookup =
        if computed == document.lookup { Lookup::Rule(Computed::Computed) } else { listed(document) };
    let conflicts = document.conflicts.as_ref().map(|groups| {
        let row =
            |row: &Conflict| ConflictRow { directory: TextRow::new(&row.directory), entry: row.entry_index };
        groups.iter().map(|rows| rows.iter().map(row).collect()).collect()
    });
    let firsts = firsts(document);
    let row = |entry: (usize, &Entry)| entry_row(document, entry, &names, &whole, &firsts);
    let manifest = Manifest {
        format: "lgp".to_owned(),
        magic: (document.magic != MAGIC).then(|| text::hex(&document.magic)),
        entries: document.entries.iter().enumerate().map(row).collect(),
        lookup,
        conflicts,
        layout,
    };
    Folder { manifest: serde_json::to_value(manifest).unwrap_or_default(), files }
}

/// The same for comparing: in words what only builds the archive.
pub(super) fn comparable(document: &Document) -> Comparable<'_> {
    let whole = document.whole_blocks();
    let names = files_of(document, &whole);
    let layout = archive::Layout { start: 0, lead: &document.lead, blocks: &document.blocks };
    let mut manifest = json!({"format": "lgp"});
    if document.magic != MAGIC {
        manifest["magic"] = json!(text::hex(&document.magic));
    }
    manifest["entries"] = Value::Null;
    manifest["lookup"] = lookup_in_words(document);
    if document.conflicts.as_ref().is_none_or(|conflicts| !conflicts.is_empty()) {
        manifest["conflicts"] = conflicts_in_words(document);
    }
    manifest["layout"] = layout_in_words(&document.entries, layout, |_, gap| gap.is_empty());
    match &document.tail {
        None => manifest["tail"] = json!("no end marker"),
        Some(tail) if tail.is_empty() => {}
        Some(tail) => manifest["tail"] = json!(format!("{} behind the end marker", bytes_in_words(tail))),
    }
    let mut told = Comparable::new(manifest);
    for ((name, block), whole) in names.iter().zip(&document.blocks).zip(&whole) {
        told.name_bytes(name.clone(), content(block, *whole));
    }
    let firsts = firsts(document);
    let row = move |i: usize| {
        let Some(entry) = document.entries.get(i) else { return Value::Null };
        let mut row = json!(entry_row(document, (i, entry), &names, &whole, &firsts));
        if let RecordPlace::Outside { offset } = entry.place {
            row["payload"] = json!(format!("at {offset}, outside the archive"));
        }
        row
    };
    told.manifest["entries"] = told.list("entries", List::new(document.entries.len(), row).with_names());
    told
}

/// A file name for every block.
fn files_of(document: &Document, whole: &[bool]) -> Vec<String> {
    block_files(&document.entries, &document.blocks, |block| {
        if whole.get(block) == Some(&true) { "payloads" } else { "runs" }
    })
}

/// What of a block is its file: behind the record's 24 bytes, or all of a run.
fn content(block: &Block, is_whole: bool) -> &[u8] {
    if is_whole { block.bytes.get(RECORD_LEN..).unwrap_or_default() } else { &block.bytes }
}

/// The first entry in each block.
fn firsts(document: &Document) -> BTreeMap<usize, usize> {
    let mut firsts = BTreeMap::new();
    for (i, entry) in document.entries.iter().enumerate() {
        if let RecordPlace::Held { block, .. } = entry.place {
            firsts.entry(block).or_insert(i);
        }
    }
    firsts
}

/// The slots of the lookup table that the names do not give.
fn lookup_in_words(document: &Document) -> Value {
    let wanted = build_lookup(document.entries.iter().map(|entry| entry.name.text()));
    let words = |slot: &Slot| format!("{} from entry {} on", slot.count, slot.first);
    let slots = document.lookup.iter().zip(wanted.iter()).enumerate();
    let odd = slots.filter(|(_, (slot, wanted))| slot != wanted);
    let odd = odd.map(|(i, (slot, wanted))| {
        (format!("slot {i}"), json!(format!("{}; the names give {}", words(slot), words(wanted))))
    });
    Value::Object(odd.collect())
}

/// Entries of one name in several folders, by folder.
fn conflicts_in_words(document: &Document) -> Value {
    let Some(groups) = &document.conflicts else { return json!("cannot be read") };
    let row = |row: &Conflict| format!("entry {} in `{}`", row.entry_index, text::shown(&row.directory));
    groups.iter().map(|rows| rows.iter().map(row).collect::<Value>()).collect()
}

fn listed(document: &Document) -> Lookup {
    let slots = (0..).zip(document.lookup.iter()).filter(|(_, slot)| **slot != Slot::default());
    Lookup::Listed(slots.map(|(number, slot)| [number, slot.first, slot.count]).collect())
}

fn listed_layout(document: &Document, names: &[String], files: &mut Files) -> Layout {
    let layout = archive::Layout { start: 0, lead: &document.lead, blocks: &document.blocks };
    let (lead, blocks) = listed_blocks(layout, names, |_, gap, file| Bytes::new(gap, file, files));
    let tail = document.tail.as_ref().map(|tail| Bytes::new(tail, "tail.bin".to_owned(), files));
    Layout::Listed { lead, blocks, tail }
}

fn entry_row(
    document: &Document,
    (i, entry): (usize, &Entry),
    names: &[String],
    whole: &[bool],
    firsts: &BTreeMap<usize, usize>,
) -> EntryRow {
    let file = |block: usize| names.get(block).cloned().unwrap_or_default();
    let mut record_name = None;
    let payload = match entry.place {
        RecordPlace::Outside { offset } => PayloadRow::Outside { offset },
        RecordPlace::Held { block, .. } if whole.get(block) == Some(&true) => {
            let is_first = firsts.get(&block) == Some(&i);
            let other = document.record_name(i).filter(|name| is_first && *name != entry.name);
            record_name = other.map(|name| TextRow::new(&name.0));
            PayloadRow::Whole(file(block))
        }
        RecordPlace::Held { block, start, .. } | RecordPlace::Cut { block, start, .. } => {
            PayloadRow::Part { run: file(block), start }
        }
    };
    EntryRow {
        name: TextRow::new(&entry.name.0),
        check: (entry.check != CHECK).then_some(entry.check),
        conflict: (entry.conflict != 0).then_some(entry.conflict),
        record_name,
        payload,
    }
}

/// Puts an archive together.
pub(super) fn pack(folder: &Packing<'_>) -> Result<Document, WriteError> {
    let manifest: Manifest = folder.manifest_as()?;
    expect_format("lgp", &manifest.format)?;
    let mut document = Document::default();
    if let Some(hex) = &manifest.magic {
        document.magic = fixed_hex(hex, "magic", &hex_of(MAGIC.len()))?;
    }
    let mut records = Records::default();
    for (i, row) in manifest.entries.iter().enumerate() {
        records.mention(i, row)?;
    }
    match &manifest.layout {
        Layout::Rule(Canonical::Canonical) => {
            for (i, row) in manifest.entries.iter().enumerate() {
                let PayloadRow::Whole(file) = &row.payload else {
                    return Err(wrong(format!("entries[{i}].payload: a canonical layout wants a file")));
                };
                records.add_file(folder, file, Vec::new(), &mut document)?;
            }
        }
        Layout::Listed { lead, blocks, tail } => {
            document.lead = lead.bytes(folder)?;
            for (i, row) in blocks.iter().enumerate() {
                if records.places.contains_key(row.file.as_str()) {
                    return Err(wrong(format!("layout.blocks[{i}].file: `{}` stands there twice", row.file)));
                }
                records.add_file(folder, &row.file, row.gap.bytes(folder)?, &mut document)?;
            }
            document.tail = tail.as_ref().map(|tail| tail.bytes(folder)).transpose()?;
        }
    }
    for (i, row) in manifest.entries.iter().enumerate() {
        document.entries.push(entry(i, row, &records, &document)?);
    }
    document.lookup = lookup(&manifest.lookup, &document)?;
    document.conflicts = manifest.conflicts.map(conflicts).transpose()?;
    Ok(document)
}

/// Which files are records, and where they came to be.
#[derive(Default)]
struct Records<'a> {
    /// The name in the record of every file that is one.
    names: BTreeMap<&'a str, Name>,
    /// Block of every file.
    places: BTreeMap<&'a str, usize>,
}

impl<'a> Records<'a> {
    fn mention(&mut self, i: usize, row: &'a EntryRow) -> Result<(), WriteError> {
        let PayloadRow::Whole(file) = &row.payload else {
            return match row.record_name {
                Some(_) => Err(wrong(format!("entries[{i}].record_name: the name is in the run of bytes"))),
                None => Ok(()),
            };
        };
        if !self.names.contains_key(file.as_str()) {
            let name = name(row.record_name.as_ref().unwrap_or(&row.name))?;
            self.names.insert(file, name);
        } else if row.record_name.is_some() {
            return Err(wrong(format!("entries[{i}].record_name: an earlier entry has the same record")));
        }
        Ok(())
    }

    /// Puts a file at the end of the blocks, unless it is there.
    fn add_file(
        &mut self,
        folder: &Packing<'_>,
        file: &'a str,
        gap: Vec<u8>,
        document: &mut Document,
    ) -> Result<(), WriteError> {
        if self.places.contains_key(file) {
            return Ok(());
        }
        let mut bytes = folder.copied(file)?;
        if let Some(name) = self.names.get(file) {
            let size = u32::try_from(bytes.len()).map_err(|_| wrong(format!("`{file}`: too large")))?;
            bytes.splice(..0, name.0.into_iter().chain(size.to_le_bytes()));
        }
        self.places.insert(file, document.blocks.len());
        document.blocks.push(Block { bytes, gap });
        Ok(())
    }
}

fn entry(i: usize, row: &EntryRow, records: &Records<'_>, document: &Document) -> Result<Entry, WriteError> {
    let run = |file: &str| {
        let block = records.places.get(file).copied();
        let block = block.and_then(|block| Some((block, &document.blocks.get(block)?.bytes)));
        block.ok_or_else(|| no_block(file))
    };
    let place = match &row.payload {
        PayloadRow::Whole(file) => {
            let (block, bytes) = run(file)?;
            RecordPlace::Held { block, start: 0, len: bytes.len().saturating_sub(RECORD_LEN) }
        }
        PayloadRow::Part { run: file, start } => {
            let (block, bytes) = run(file)?;
            let behind = bytes.get(*start..).and_then(|bytes| bytes.split_at_checked(RECORD_LEN));
            let size = behind.and_then(|(header, _)| header.last_chunk().copied().map(u32::from_le_bytes));
            let (Some((_, behind)), Some(size)) = (behind, size) else {
                return Err(wrong(format!("entries[{i}].payload: no record at {start} of `{file}`")));
            };
            match usize::try_from(size).ok().filter(|&len| len <= behind.len()) {
                Some(len) => RecordPlace::Held { block, start: *start, len },
                None => RecordPlace::Cut { block, start: *start, size },
            }
        }
        PayloadRow::Outside { offset } => RecordPlace::Outside { offset: *offset },
    };
    let (check, conflict) = (row.check.unwrap_or(CHECK), row.conflict.unwrap_or(0));
    Ok(Entry { name: name(&row.name)?, check, conflict, place })
}

fn lookup(row: &Lookup, document: &Document) -> Result<Box<[Slot; SLOTS]>, WriteError> {
    let slots = match row {
        Lookup::Rule(Computed::Computed) => {
            return Ok(build_lookup(document.entries.iter().map(|entry| entry.name.text())));
        }
        Lookup::Listed(slots) => slots,
    };
    let mut table = Box::new([Slot::default(); SLOTS]);
    for &[number, first, count] in slots {
        let slot = table.get_mut(usize::from(number));
        *slot.ok_or_else(|| wrong(format!("lookup: slot {number} of {SLOTS}")))? = Slot { first, count };
    }
    Ok(table)
}

fn conflicts(groups: Vec<Vec<ConflictRow>>) -> Result<Vec<Vec<Conflict>>, WriteError> {
    let row = |row: ConflictRow| {
        let directory = row.directory.room::<DIRECTORY_LEN>("directory", &hex_of(DIRECTORY_LEN))?;
        Ok(Conflict { directory, entry_index: row.entry })
    };
    groups.into_iter().map(|rows| rows.into_iter().map(row).collect()).collect()
}

fn name(row: &TextRow) -> Result<Name, WriteError> {
    row.room::<NAME_LEN>("name", &hex_of(NAME_LEN)).map(Name)
}

/// How so many bytes are written in hex.
fn hex_of(len: usize) -> String {
    format!("{len} bytes of hex")
}
