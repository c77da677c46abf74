//! A model as a folder: the archive's manifest, and every stream that can be read as a list of its records.
//!
//! An attribute that counts the records is `"count"` in the manifest, so that adding one is one change. What packed
//! integers stand for is shown beside them as `"decoded"`.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use galvani_core::record::{Field, Record};
use galvani_core::{Path, Reading, WriteError, room, text};
use galvani_parkan::msh::streams::{ALL, BOUNDS_LEN, HALLWAYS, LABELS, LEGACY_NODE, NODES, SLOTS};
use galvani_parkan::msh::{Document, Labels, Stream, fields, wire};
use galvani_parkan::nres::{Entry, Payload};
use serde_json::{Map, Value, json};

use super::packed;
use crate::codes;
use crate::formats::{Comparable, Folder, List, NamedContent, Packing, Records, nres, records};

/// Where lists of records are.
const STREAMS: &str = "streams/";

/// A stream as lists.
struct Lists<'d> {
    bytes: &'d [u8],
    /// What stands before them.
    bounds: Option<Value>,
    /// Each under its name if there is more than one thing. What `attr1` and, with two lists, `attr2` count.
    parts: Vec<(&'static str, List<'d>)>,
}

impl<'d> Lists<'d> {
    fn one(bytes: &'d [u8], list: List<'d>) -> Self {
        Lists { bytes, bounds: None, parts: vec![("", list)] }
    }

    /// All of it, with lists as `tell` has them.
    fn said(self, mut tell: impl FnMut(&str, List<'d>) -> Value) -> Value {
        let mut said = Map::new();
        if let Some(bounds) = self.bounds {
            said.insert("bounds".to_owned(), bounds);
        }
        for (name, list) in self.parts {
            if name.is_empty() {
                return tell(name, list);
            }
            said.insert(name.to_owned(), tell(name, list));
        }
        Value::Object(said)
    }
}

/// Takes a model apart.
pub(super) fn unpack(document: &Document) -> Folder {
    let mut folder = nres::folder::unpack(&document.archive);
    folder.manifest["format"] = json!("msh");
    folder.manifest["reading"] = json!(document.reading.word());
    // Only the first stream of a number counts; what else there is stays a file of bytes.
    for (spec, i) in ALL.iter().filter_map(|spec| Some((spec, document.find(spec.id)?))) {
        let row = &mut folder.manifest["entries"][i];
        let Some((old, lists)) = row["payload"].as_str().map(str::to_owned).zip(to_lists(document, i)) else {
            continue;
        };
        if is_shared(document, i) {
            continue;
        }
        put_counts(row, &counts(&lists));
        let new = list_file(i, spec.name);
        row["payload"] = json!(new);
        let blocks = folder.manifest["layout"].get_mut("blocks").and_then(Value::as_array_mut);
        for block in blocks.into_iter().flatten().filter(|block| block["file"] == json!(old)) {
            block["file"] = json!(new);
        }
        folder.files.remove(&old);
        let shown = lists.said(|_, list| (0..list.len).map(|i| list.item(i)).collect());
        folder.files.insert(new, text_of(&shown).into_bytes());
    }
    folder
}

/// The same for comparing.
pub(super) fn comparable(document: &Document) -> Comparable<'_> {
    // Files of streams that are lists, and what these count.
    let mut streams = BTreeMap::new();
    let mut files = Vec::new();
    for (spec, i) in ALL.iter().filter_map(|spec| Some((spec, document.find(spec.id)?))) {
        if let Some(lists) = to_lists(document, i).filter(|_| !is_shared(document, i)) {
            let file = list_file(i, spec.name);
            streams.insert(i, (file.clone(), counts(&lists)));
            files.push((file, format!("{} {}", spec.name, document.reading.word()), lists));
        }
    }
    let mut told = nres::folder::comparable(&document.archive, move |i, row| {
        if let Some((file, counts)) = streams.get(&i).filter(|_| row["payload"].is_string()) {
            put_counts(row, counts);
            row["payload"] = json!(file);
        }
    });
    told.manifest["format"] = json!("msh");
    told.manifest["reading"] = json!(document.reading.word());
    for (file, kind, lists) in files {
        let bytes = Cow::Borrowed(lists.bytes);
        let said = lists.said(|name, list| told.list(&format!("{file} {name}"), list));
        told.named.insert(file, NamedContent::Records(Records { bytes, kind, said, close: "\n" }));
    }
    told
}

fn list_file(stream: usize, name: &str) -> String {
    format!("{STREAMS}{stream:04}-{name}.json")
}

fn counts(lists: &Lists<'_>) -> Vec<usize> {
    lists.parts.iter().map(|(_, list)| list.len).collect()
}

/// Attributes that count the records say so.
fn put_counts(row: &mut Value, counts: &[usize]) {
    for (attr, count) in ["attr1", "attr2"].into_iter().zip(counts) {
        if row[attr] == json!(count) {
            row[attr] = json!("count");
        }
    }
}

/// Whether other entries have the bytes of this one, too: then they stay a file of bytes.
fn is_shared(document: &Document, i: usize) -> bool {
    let block = |entry: &Entry| match entry.payload {
        Payload::Held { block, .. } => Some(block),
        Payload::Outside { .. } => None,
    };
    let own = document.archive.entries.get(i).and_then(block);
    own.is_some() && document.archive.entries.iter().filter(|entry| block(entry) == own).count() > 1
}

/// The archive and the reading that a folder describes.
pub(super) fn pack(folder: &Packing<'_>) -> Result<Vec<u8>, WriteError> {
    if folder.manifest.get("format") != Some(&json!("msh")) {
        return Err(wrong("format: `msh` is wanted".to_owned()));
    }
    room::probe(folder.size())?;
    let mut archive = folder.folder.clone();
    let reading = archive.manifest.as_object_mut().and_then(|manifest| manifest.shift_remove("reading"));
    let reading = reading.as_ref().and_then(Value::as_str).and_then(|word| word.parse::<Reading>().ok());
    let reading = reading.ok_or_else(|| wrong("reading: `documented` or `observed` is wanted".to_owned()))?;
    archive.manifest["format"] = json!("nres");
    let mut done = BTreeSet::new();
    let rows = archive.manifest.get_mut("entries").and_then(Value::as_array_mut);
    for row in rows.into_iter().flatten() {
        let Some(file) = row["payload"].as_str().filter(|file| file.starts_with(STREAMS)).map(str::to_owned)
        else {
            continue;
        };
        let text =
            archive.files.get(&file).ok_or_else(|| wrong(format!("no file `{file}` in the folder")))?;
        let at = |message: String| wrong(format!("{file}: {message}"));
        if !done.insert(file.clone()) {
            return Err(at("already the file of another entry".to_owned()));
        }
        folder.charge_text(text)?;
        let value: Value = serde_json::from_slice(text).map_err(|error| at(error.to_string()))?;
        let stream = row["type"].as_u64().and_then(|id| u32::try_from(id).ok()).unwrap_or(0);
        let (bytes, counts) = from_lists(stream, &value, reading).map_err(at)?;
        for (attr, count) in ["attr1", "attr2"].into_iter().zip(counts) {
            if row[attr] == json!("count") {
                row[attr] = json!(count);
            }
        }
        archive.files.insert(file, bytes);
    }
    nres::write_folder(&Packing { folder: &archive, meter: folder.meter })
}

/// A stream as lists; `None` if it cannot be read as records to its last byte.
fn to_lists(document: &Document, i: usize) -> Option<Lists<'_>> {
    let entry = document.archive.entries.get(i)?;
    let bytes = document.archive.payload(i)?;
    let attr = [entry.attr1, entry.attr2, entry.attr3];
    if entry.type_id == NODES && entry.attr3 == LEGACY_NODE {
        return None;
    }
    match entry.type_id {
        SLOTS => {
            let (bounds, slots) = bytes.split_at_checked(BOUNDS_LEN)?;
            let (_, fields, stride) = fields::fields_of(SLOTS, document.reading)?;
            let bounds = Some(records::record_to_json(bounds, wire::Bounds::FIELDS));
            Some(Lists { bytes, bounds, parts: vec![("slots", whole_list(slots, fields, stride)?)] })
        }
        LABELS => {
            let labels = Labels::new(Stream { entry: i, type_id: LABELS, attr, bytes });
            let rooms: Vec<&[u8]> = labels.rows.iter().map(|label| label.room).collect();
            let label = |room: &&[u8]| label_to_json(room);
            let list = List::new(rooms.len(), move |i| rooms.get(i).map_or(Value::Null, label));
            labels.rest.is_empty().then(|| Lists::one(bytes, list))
        }
        HALLWAYS => {
            let points = usize::try_from(entry.attr1).ok()?.checked_mul(size_of::<wire::Waypoint>())?;
            let (points, links) = bytes.split_at_checked(points)?;
            let points = whole_list(points, wire::Waypoint::FIELDS, size_of::<wire::Waypoint>())?;
            let links = whole_list(links, wire::Hallway::FIELDS, size_of::<wire::Hallway>())?;
            Some(Lists { bytes, bounds: None, parts: vec![("waypoints", points), ("hallways", links)] })
        }
        id => {
            let (name, fields, stride) = fields::fields_of(id, document.reading)?;
            let (list, reading) = (whole_list(bytes, fields, stride)?, document.reading);
            let has_names = list.has_names;
            let item = move |i: usize| {
                let mut record = [list.item(i)];
                packed::show(name, fields, &mut record, reading);
                record.into_iter().next().unwrap_or_default()
            };
            let shown = List::new(bytes.len().checked_div(stride).unwrap_or(0), item);
            Some(Lists::one(bytes, if has_names { shown.with_names() } else { shown }))
        }
    }
}

fn whole_list<'d>(bytes: &'d [u8], fields: &'static [Field], stride: usize) -> Option<List<'d>> {
    let is_whole = bytes.len().is_multiple_of(stride);
    is_whole.then(|| List::of_records(Cow::Borrowed(bytes), fields, stride))
}

/// The bytes of a stream, and what its attributes count.
fn from_lists(stream: u32, value: &Value, reading: Reading) -> Result<(Vec<u8>, Vec<usize>), String> {
    match stream {
        SLOTS => {
            let (_, fields, _) = fields::fields_of(SLOTS, reading).ok_or("no stream 2")?;
            let [bounds, slots] = parts(value, ["bounds", "slots"])?;
            let bounds = records::record_from_json(bounds, wire::Bounds::FIELDS);
            let mut bytes = bounds.map_err(|error| format!("bounds: {error}"))?;
            let count = list_bytes("slots", slots, fields, &mut bytes)?;
            Ok((bytes, vec![count]))
        }
        LABELS => {
            let labels = value.as_array().ok_or("a list is wanted")?;
            let mut bytes = Vec::new();
            for (i, label) in labels.iter().enumerate() {
                label_from_json(label, &mut bytes).ok_or_else(|| format!("[{i}]: {label} is no label"))?;
            }
            Ok((bytes, vec![labels.len()]))
        }
        HALLWAYS => {
            let mut bytes = Vec::new();
            let [points, links] = parts(value, ["waypoints", "hallways"])?;
            let points = list_bytes("waypoints", points, wire::Waypoint::FIELDS, &mut bytes)?;
            let links = list_bytes("hallways", links, wire::Hallway::FIELDS, &mut bytes)?;
            Ok((bytes, vec![points, links]))
        }
        id => {
            let (name, fields, _) =
                fields::fields_of(id, reading).ok_or_else(|| format!("stream {id} has no records"))?;
            let list = value.as_array().ok_or("a list is wanted")?;
            let plain = |(i, record): (usize, &Value)| {
                packed::hide(name, fields, record, reading).map_err(|error| format!("[{i}]: {error}"))
            };
            let list = list.iter().enumerate().map(plain).collect::<Result<Value, String>>()?;
            let mut bytes = Vec::new();
            let count = list_bytes("", &list, fields, &mut bytes)?;
            Ok((bytes, vec![count]))
        }
    }
}

/// The two parts of a stream, and nothing beside them.
fn parts<'v>(value: &'v Value, names: [&str; 2]) -> Result<[&'v Value; 2], String> {
    let object = value.as_object().ok_or("an object is wanted")?;
    if let Some(stranger) = object.keys().find(|key| !names.contains(&key.as_str())) {
        return Err(format!("`{stranger}` is no part of this stream"));
    }
    let [a, b] = names.map(|name| object.get(name).ok_or_else(|| format!("`{name}` is missing")));
    Ok([a?, b?])
}

fn list_bytes(name: &str, value: &Value, fields: &[Field], bytes: &mut Vec<u8>) -> Result<usize, String> {
    let list = value.as_array().ok_or_else(|| format!("{name}: a list is wanted"))?;
    for (i, item) in list.iter().enumerate() {
        let record = records::record_from_json(item, fields);
        bytes.extend(record.map_err(|error| format!("{name}[{i}]: {error}"))?);
    }
    Ok(list.len())
}

/// Text if a NUL and nothing else follows it; else its bytes.
fn label_to_json(room: &[u8]) -> Value {
    match room.split_last() {
        None => json!(""),
        Some((0, label)) if !label.contains(&0) && text::says_all(label) => json!(text::shown(label)),
        Some(_) => json!({"hex": text::hex(room)}),
    }
}

fn label_from_json(label: &Value, bytes: &mut Vec<u8>) -> Option<()> {
    let room = match label.get("hex") {
        Some(hex) => text::from_hex(hex.as_str()?).filter(|room| !room.is_empty())?,
        None => match label.as_str()? {
            "" => Vec::new(),
            label => [label.as_bytes(), &[0]].concat(),
        },
    };
    let len = u32::try_from(room.len().saturating_sub(1)).ok()?;
    bytes.extend(len.to_le_bytes());
    bytes.extend(room);
    Some(())
}

/// One record a line, and each list of two under its name.
fn text_of(lists: &Value) -> String {
    match lists {
        Value::Array(list) => records::lines(list, "") + "\n",
        Value::Object(parts) => {
            let part = |(name, value): (&String, &Value)| match value {
                Value::Array(list) => format!("  {}: {}", json!(name), records::lines(list, "  ")),
                other => format!("  {}: {other}", json!(name)),
            };
            format!("{{\n{}\n}}\n", parts.iter().map(part).collect::<Vec<_>>().join(",\n"))
        }
        other => other.to_string(),
    }
}

fn wrong(message: String) -> WriteError {
    codes::MANIFEST.at(Path::named("manifest")).saying(message).into()
}
