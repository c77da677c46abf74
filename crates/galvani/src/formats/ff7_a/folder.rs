//! An animation as a folder: what its header says, and a list of frames.

use std::collections::BTreeMap;

use galvani_core::budget::unless_exhausted;
use galvani_core::record::Record;
use galvani_core::{Exhausted, Path, WriteError, room};
use galvani_ff7::field::a::{self, BONE_LEN, Document, HEADER_LEN, ROOT_LEN, wire};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::codes;
use crate::formats::{Comparable, Folder, List, Packing, records};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    format: String,
    version: u32,
    bones: u32,
    rotation_order: [u8; 3],
    unknown_0f: u8,
    run_time: [u32; 5],
    /// The list of the frames.
    frames: String,
    /// Frames that the header counts and the file does not have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    missing: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rest: Option<String>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct FrameRow {
    root: Value,
    bones: Vec<Value>,
}

const FRAMES: &str = "frames.json";
const REST: &str = "rest.bin";

/// Takes an animation apart.
pub(super) fn unpack(document: &Document) -> Result<Folder, Exhausted> {
    let mut files = BTreeMap::new();
    let frames = frames(document)?;
    let rows: Vec<Value> = (0..frames.len).map(|i| frames.item(i)).collect();
    files.insert(FRAMES.to_owned(), records::lines(&rows, "").into_bytes());
    if !document.rest.is_empty() {
        files.insert(REST.to_owned(), room::copied(&document.rest)?);
    }
    Ok(Folder { manifest: manifest(document), files })
}

/// The same for comparing.
pub(super) fn comparable(document: &Document) -> Result<Comparable<'_>, Exhausted> {
    let mut told = Comparable::new(manifest(document));
    told.manifest["frames"] = told.list(FRAMES, frames(document)?);
    told.name_bytes(REST.to_owned(), document.rest.as_slice());
    Ok(told)
}

fn manifest(document: &Document) -> Value {
    let manifest = Manifest {
        format: "ff7-a".to_owned(),
        version: document.version,
        bones: document.frames.bones(),
        rotation_order: document.rotation_order,
        unknown_0f: document.unknown_0f,
        run_time: document.run_time,
        frames: FRAMES.to_owned(),
        missing: Some(document.missing).filter(|&missing| missing > 0),
        rest: (!document.rest.is_empty()).then(|| REST.to_owned()),
    };
    serde_json::to_value(manifest).unwrap_or(Value::Null)
}

/// The frames as they would be written.
fn frames(document: &Document) -> Result<List<'static>, Exhausted> {
    let file = unless_exhausted(a::write(document).map_err(|error| error.cause))?.unwrap_or_default();
    let bones = document.frames.get(0).map_or(0, |frame| frame.bones.len());
    let len = bones.saturating_mul(BONE_LEN).saturating_add(ROOT_LEN);
    let whole = file.len().saturating_sub(HEADER_LEN).checked_div(len).unwrap_or(0);
    let frame = move |i: usize| {
        let start = i.saturating_mul(len).saturating_add(HEADER_LEN);
        let row = file.get(start..start.saturating_add(len)).unwrap_or_default();
        let (root, bones) = row.split_at_checked(ROOT_LEN).unwrap_or_default();
        json!({
            "root": records::record_to_json(root, wire::FrameRoot::FIELDS),
            "bones": records::to_json(bones, wire::Bone::FIELDS, BONE_LEN),
        })
    };
    Ok(List::new(whole.min(document.frames.len()), frame))
}

/// The animation that a folder describes.
pub(super) fn pack(folder: &Packing<'_>) -> Result<Vec<u8>, WriteError> {
    let manifest: Manifest = folder.manifest_as()?;
    if manifest.format != "ff7-a" {
        return Err(wrong("format: `ff7-a` is wanted".to_owned()));
    }
    let rows: Vec<FrameRow> = serde_json::from_slice(folder.text(&manifest.frames)?)
        .map_err(|error| wrong(format!("{}: {error}", manifest.frames)))?;
    let missing = manifest.missing.unwrap_or(0);
    let count = u32::try_from(rows.len()).ok().and_then(|count| count.checked_add(missing));
    let count = count.ok_or_else(|| wrong(format!("{} frames and {missing} more", rows.len())))?;
    let [ox, oy, oz] = manifest.rotation_order;
    let mut made = [manifest.version, count, manifest.bones].map(u32::to_le_bytes).concat();
    made.extend([ox, oy, oz, manifest.unknown_0f]);
    made.extend(manifest.run_time.map(u32::to_le_bytes).concat());
    for (i, row) in rows.iter().enumerate() {
        if u32::try_from(row.bones.len()) != Ok(manifest.bones) {
            let found = format!("frames[{i}]: {} bones wanted, {} found", manifest.bones, row.bones.len());
            return Err(wrong(found));
        }
        let place = |message: String| wrong(format!("frames[{i}]: {message}"));
        made.extend(records::record_from_json(&row.root, wire::FrameRoot::FIELDS).map_err(place)?);
        for bone in &row.bones {
            made.extend(records::record_from_json(bone, wire::Bone::FIELDS).map_err(place)?);
        }
    }
    if let Some(rest) = &manifest.rest {
        room::append(&mut made, folder.part(rest)?)?;
    }
    Ok(made)
}

fn wrong(message: String) -> WriteError {
    codes::MANIFEST.at(Path::named("manifest")).saying(message).into()
}
