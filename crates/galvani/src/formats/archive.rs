//! Archives as folders: what the manifests of all of them say in the same way.

use std::collections::BTreeMap;

use galvani_core::archive::{Block, Entry, Extent, Layout};
use galvani_core::{Path, WriteError, text};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::Packing;
use crate::codes;
use crate::render::text::counted;

/// Bytes up to this many stand in the manifest.
const INLINE: usize = 64;

/// Files of a folder by name.
pub(super) type Files = BTreeMap<String, Vec<u8>>;

/// Text with zeros behind it, or all bytes in hex where they say more.
#[derive(Serialize, Deserialize)]
#[serde(untagged, deny_unknown_fields)]
pub(super) enum TextRow {
    Text(String),
    Hex { hex: String },
}

/// A table that is what its rule gives.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Computed {
    Computed,
}

/// A layout as the game's own writer would choose it.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Canonical {
    Canonical,
}

/// A block: its file, and what stands behind it.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BlockRow<G> {
    pub(super) file: String,
    pub(super) gap: G,
}

/// Bytes that are nobody's.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Bytes {
    /// A few.
    Hex(String),
    /// Many.
    File(String),
}

impl TextRow {
    /// The row of a text in its room.
    pub(super) fn new(room: &[u8]) -> Self {
        if text::says_all(room) {
            TextRow::Text(text::shown(room).into_owned())
        } else {
            TextRow::Hex { hex: text::hex(room) }
        }
    }

    /// The room of `what`; `wanted` says how its hex is to look.
    pub(super) fn room<const N: usize>(&self, what: &str, wanted: &str) -> Result<[u8; N], WriteError> {
        match self {
            TextRow::Text(text) => {
                let mut room = [0; N];
                let start = room
                    .get_mut(..text.len())
                    .ok_or_else(|| wrong(format!("{what} `{text}`: longer than {N} bytes")))?;
                start.copy_from_slice(text.as_bytes());
                Ok(room)
            }
            TextRow::Hex { hex } => fixed_hex(hex, what, wanted),
        }
    }
}

impl Bytes {
    /// The row of some bytes; many become a file of that name.
    pub(super) fn new(bytes: &[u8], file: String, files: &mut Files) -> Self {
        if bytes.len() <= INLINE {
            return Bytes::Hex(text::hex(bytes));
        }
        files.insert(file.clone(), bytes.to_vec());
        Bytes::File(file)
    }

    /// The bytes of the row.
    pub(super) fn bytes(&self, folder: &Packing<'_>) -> Result<Vec<u8>, WriteError> {
        match self {
            Bytes::Hex(hex) => gap_hex(hex),
            Bytes::File(file) => folder.copied(file),
        }
    }
}

/// The bytes of a gap that stands in the manifest.
pub(super) fn gap_hex(hex: &str) -> Result<Vec<u8>, WriteError> {
    text::from_hex(hex).ok_or_else(|| wrong(format!("gap {hex}: not hex")))
}

/// A fixed number of bytes from hex; `wanted` says how it is to look.
pub(super) fn fixed_hex<const N: usize>(hex: &str, what: &str, wanted: &str) -> Result<[u8; N], WriteError> {
    let bytes = text::from_hex(hex).and_then(|bytes| bytes.try_into().ok());
    bytes.ok_or_else(|| wrong(format!("{what} {hex}: not {wanted}")))
}

/// A file name for every block: the place and name of the first entry in it, below a folder of the block.
pub(super) fn block_files<E: Entry>(
    entries: &[E],
    blocks: &[Block],
    folder: impl Fn(usize) -> &'static str,
) -> Vec<String> {
    let mut names: Vec<Option<String>> = vec![None; blocks.len()];
    for (i, entry) in entries.iter().enumerate() {
        if let Some(extent) = entry.extent()
            && let Some(name) = names.get_mut(extent.block)
        {
            name.get_or_insert_with(|| format!("{}/{i:04}-{}", folder(extent.block), safe(entry.name())));
        }
    }
    let unnamed =
        |(i, name): (usize, Option<String>)| name.unwrap_or_else(|| format!("{}/block-{i:04}", folder(i)));
    names.into_iter().enumerate().map(unnamed).collect()
}

/// A name as every file system takes it.
pub(super) fn safe(name: &[u8]) -> String {
    let keep = |c: char| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' };
    text::shown(name).chars().map(keep).collect()
}

/// The lead and every block of a layout; `row` is given offset, bytes and file name of a gap.
pub(super) fn listed_blocks<G>(
    layout: Layout<'_>,
    names: &[String],
    mut row: impl FnMut(usize, &[u8], String) -> G,
) -> (G, Vec<BlockRow<G>>) {
    let lead = row(layout.start, layout.lead, "gaps/lead.bin".to_owned());
    let block = |(i, ((file, block), at)): (usize, ((&String, &Block), usize))| {
        let gap = row(at + block.bytes.len(), &block.gap, format!("gaps/{i:04}.bin"));
        BlockRow { file: file.clone(), gap }
    };
    let blocks = names.iter().zip(layout.blocks).zip(layout.positions()).enumerate();
    (lead, blocks.map(block).collect())
}

/// How an archive is laid out, in words: in which order its entries lie, what stands before them and behind each.
/// `is_usual` is given where a gap begins and its bytes; what the game's own writer leaves there goes without saying.
pub(super) fn layout_in_words<E: Entry>(
    entries: &[E],
    layout: Layout<'_>,
    is_usual: impl Fn(usize, &[u8]) -> bool,
) -> Value {
    let mut order: Vec<(Extent, usize)> =
        entries.iter().enumerate().filter_map(|(i, entry)| Some((entry.extent()?, i))).collect();
    order.sort_by_key(|(extent, i)| (extent.block, extent.start, *i));
    let name =
        |i: &usize| entries.get(*i).map(|entry| text::shown(entry.name()).into_owned()).unwrap_or_default();
    let mut told = Map::new();
    let places: Vec<usize> = order.iter().map(|(_, i)| *i).collect();
    let in_order =
        if places.is_sorted() { json!("as in the directory") } else { places.iter().map(name).collect() };
    told.insert("order".to_owned(), in_order);
    if !is_usual(layout.start, layout.lead) {
        told.insert("before the first entry".to_owned(), json!(bytes_in_words(layout.lead)));
    }
    let last: BTreeMap<usize, usize> = order.iter().map(|(extent, i)| (extent.block, *i)).collect();
    let mut taken: BTreeMap<String, usize> = BTreeMap::new();
    for (i, (block, at)) in layout.blocks.iter().zip(layout.positions()).enumerate() {
        if is_usual(at + block.bytes.len(), &block.gap) {
            continue;
        }
        let behind =
            last.get(&i).map_or_else(|| format!("behind block {i}"), |i| format!("behind {}", name(i)));
        // Of several of one name each but the first says which one it is.
        let count = taken.entry(behind.clone()).or_default();
        *count += 1;
        let key = if *count == 1 { behind } else { format!("{behind} ({count})") };
        told.insert(key, json!(bytes_in_words(&block.gap)));
    }
    Value::Object(told)
}

/// Bytes that nobody understands: how many, and enough of them to tell them from others.
pub(super) fn bytes_in_words(bytes: &[u8]) -> String {
    let count = counted(u64::try_from(bytes.len()).unwrap_or(u64::MAX), "byte");
    match bytes.get(..SHOWN) {
        _ if bytes.is_empty() => "no padding".to_owned(),
        Some(start) if bytes.len() > SHOWN => {
            format!("{count} ({}…, checksum {:08x})", text::hex(start), checksum(bytes))
        }
        _ => format!("{count} ({})", text::hex(bytes)),
    }
}

/// Bytes that are shown of many.
const SHOWN: usize = 16;

/// FNV-1a: two runs of bytes that differ hardly ever have the same.
fn checksum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811c_9dc5, |sum: u32, &byte| (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

/// Refuses the manifest of another format.
pub(super) fn expect_format(wanted: &str, found: &str) -> Result<(), WriteError> {
    if found != wanted {
        return Err(wrong(format!("format: `{wanted}` wanted, `{found}` found")));
    }
    Ok(())
}

/// The refusal of a block that no file is for.
pub(super) fn no_block(file: &str) -> WriteError {
    wrong(format!("layout: no block `{file}`"))
}

/// What is wrong with a folder.
pub(super) fn wrong(message: String) -> WriteError {
    codes::MANIFEST.at(Path::named("manifest")).saying(message).into()
}
