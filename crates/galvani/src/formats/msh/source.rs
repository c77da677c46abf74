//! What a model says beyond its scene, for the way back: its tables as they are, and the bytes of streams that neither
//! the scene nor a table holds (docs/formats/msh.md#scene).

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use galvani_core::budget::unless_exhausted;
use galvani_core::record::Record;
use galvani_core::{Exhausted, room};
use galvani_parkan::mat0;
use galvani_parkan::msh::fields::fields_of;
use galvani_parkan::msh::lift::{Attire, Options, Row};
use galvani_parkan::msh::{Document, Model, wire};
use serde_json::{Value, json};
use zerocopy::IntoBytes;

use crate::budget::FOLDED;
use crate::formats::records;

/// Streams that the scene or a table has all of: nodes, slots, positions, coordinates, indices, batches.
const HELD: [u32; 6] = [1, 2, 3, 5, 6, 13];

/// The text.
pub(super) fn text(document: &Document, attire: &Attire, options: Options) -> Result<String, Exhausted> {
    let model = document.model();
    // Many small pieces of text, of which none can say that there is no room.
    let entries = 0..document.archive.entries.len();
    let bytes: usize = entries.filter_map(|i| document.archive.payload(i)).map(<[u8]>::len).sum();
    room::probe(bytes.saturating_mul(FOLDED))?;
    let text = json!({
        "format": "msh",
        "reading": model.reading.word(),
        "axes": "x, z, -y",
        "lod": options.lod,
        "group": options.group,
        "frame_rate": options.frame_rate,
        "frame_count": model.frame_count(),
        "nodes": nodes(&model),
        "bounds": model.bounds.map(|bounds| records::record_to_json(bounds.as_bytes(), wire::Bounds::FIELDS)),
        "slots": table(&model, 2, model.slots.as_ref().map(|table| table.rows.as_bytes())),
        "batches": table(&model, 13, model.batches.as_ref().map(|table| table.rows.as_bytes())),
        "materials": attire.rows.iter().map(material).collect::<Result<Value, Exhausted>>()?,
        "lightmaps": attire.lightmaps,
        "streams": streams(document),
    });
    Ok(text.to_string())
}

/// Every node: its record, its place, name and label.
fn nodes(model: &Model<'_>) -> Value {
    let rows = model.nodes.as_ref().map_or(&[][..], |table| table.rows);
    let node = |(i, row): (usize, &wire::Node)| {
        let mut node = records::record_to_json(row.as_bytes(), wire::Node::FIELDS);
        node["index"] = json!(i);
        node["name"] = json!(galvani_core::text::shown(model.node_name(i)));
        node["label"] = json!(galvani_core::text::shown(model.label(i)));
        node
    };
    rows.iter().enumerate().map(node).collect()
}

/// The records of a stream under the names of the model's reading.
fn table(model: &Model<'_>, stream: u32, rows: Option<&[u8]>) -> Value {
    let Some((_, fields, stride)) = fields_of(stream, model.reading) else { return Value::Null };
    rows.map_or(Value::Null, |rows| records::to_json(rows, fields, stride).into())
}

fn material(row: &Row) -> Result<Value, Exhausted> {
    let Row { name, coat } = row;
    let written = coat.as_ref().map(|coat| mat0::write(&coat.material).map_err(|error| error.cause));
    let bytes = written.map(unless_exhausted).transpose()?.flatten();
    Ok(json!({
        "name": name,
        "flags": coat.as_ref().and_then(|coat| coat.flags),
        "mat0": bytes.map(|bytes| BASE64_STANDARD.encode(bytes)),
    }))
}

/// The streams in the order of the file.
fn streams(document: &Document) -> Value {
    let stream = |(i, entry): (usize, &galvani_parkan::nres::Entry)| {
        let mut stream = json!({
            "type": entry.type_id,
            "name": galvani_core::text::shown(entry.name.text()),
            "attr": [entry.attr1, entry.attr2, entry.attr3],
        });
        let bytes = document.archive.payload(i).filter(|_| !HELD.contains(&entry.type_id));
        if let Some(bytes) = bytes {
            stream["base64"] = json!(BASE64_STANDARD.encode(bytes));
        }
        stream
    };
    document.archive.entries.iter().enumerate().map(stream).collect()
}
