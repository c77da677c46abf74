//! What a scene does not hold of its model, as one text, for the way back (docs/formats/mdx.md#scene-source).

use galvani_core::{Exhausted, text};
use galvani_mdx::{Document, Family, lift};
use serde_json::{Value, json};

use super::folder;

/// The model without what the scene holds: its fields, chunk by chunk, as folders have them.
pub(super) fn text(document: &Document) -> Result<String, Exhausted> {
    let folder = folder::unpack(&lift::rest(document)?)?;
    let chunk = |row: &Value| {
        let name = row["file"].as_str()?;
        let (bytes, is_bare) =
            (folder.files.get(name)?, name.rsplit_once('.').is_some_and(|(_, kind)| kind == "bin"));
        let fields = serde_json::from_slice::<Value>(bytes).ok().filter(|_| !is_bare);
        Some(match fields {
            Some(fields) => json!({"tag": row["tag"], "fields": fields}),
            None => json!({"tag": row["tag"], "hex": text::hex(bytes)}),
        })
    };
    let rows = folder.manifest["chunks"].as_array().map(Vec::as_slice).unwrap_or_default();
    let family = match document.family() {
        Family::Warcraft => "warcraft",
        Family::Wow => "wow",
    };
    let source = json!({
        "family": family,
        "version": document.version,
        "readings": {
            "seqs": document.seqs.word(),
            "tracks": document.tracks.word(),
            "inherit": document.inherit.word(),
        },
        "axes": "x, y, z of the model are z, x, y of the scene",
        "milliseconds": 1000,
        "chunks": rows.iter().filter_map(chunk).collect::<Vec<Value>>(),
        "tail": text::hex(&document.tail.bytes),
    });
    Ok(source.to_string())
}
