//! A material as a folder: all of it in the manifest.
//!
//! Counts that agree with what is there say `"count"`, so that adding a phase is one change.

use std::collections::BTreeMap;

use galvani_core::WriteError;
use galvani_core::record::Record;
use galvani_parkan::mat0::wire::{Counts, Damage, Speed, Surface};
use galvani_parkan::mat0::{Document, Head, Phase, Track};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use zerocopy::IntoBytes;

use crate::formats::archive::expect_format;
use crate::formats::{Folder, Packing, records, sections};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    format: String,
    version: u32,
    head: Value,
    surface: Value,
    /// Has one field only.
    ground_speed: Value,
    damage_rate: Value,
    phases: Vec<Value>,
    tracks: Vec<TrackRow>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rest: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct TrackRow {
    /// How it is played: the lowest three bits, and above them what goes over gradually.
    word: u32,
    keys: Vec<Value>,
}

/// Takes a material apart.
pub(super) fn unpack(document: &Document) -> Folder {
    let Document { version, head, phases, tracks, rest } = document;
    let counts = [("phase_count", phases.len()), ("track_count", tracks.len())];
    let keys = |track: &Track| TrackRow { word: track.word, keys: list(&track.keys) };
    let mut files = BTreeMap::new();
    if !rest.is_empty() {
        files.insert(sections::REST.to_owned(), rest.clone());
    }
    let manifest = Manifest {
        format: "mat0".to_owned(),
        version: *version,
        head: sections::header(head.counts.as_bytes(), Counts::FIELDS, &counts),
        surface: records::record_to_json(head.surface.as_bytes(), Surface::FIELDS),
        ground_speed: records::record_to_json(head.speed.as_bytes(), Speed::FIELDS),
        damage_rate: records::record_to_json(head.damage.as_bytes(), Damage::FIELDS),
        phases: list(phases),
        tracks: tracks.iter().map(keys).collect(),
        rest: (!rest.is_empty()).then(|| sections::REST.to_owned()),
    };
    Folder { manifest: serde_json::to_value(manifest).unwrap_or_default(), files }
}

fn list<R: Record>(rows: &[R]) -> Vec<Value> {
    rows.iter().map(|row| records::record_to_json(row.as_bytes(), R::FIELDS)).collect()
}

/// Puts a material together.
pub(super) fn pack(folder: &Packing<'_>) -> Result<Document, WriteError> {
    let manifest: Manifest = folder.manifest_as()?;
    expect_format("mat0", &manifest.format)?;
    let phases = records::typed_list::<Phase>("phases", &manifest.phases)?;
    let mut head = manifest.head;
    for (field, found) in [("phase_count", phases.len()), ("track_count", manifest.tracks.len())] {
        if head.get(field) == Some(&Value::from("count")) {
            head[field] = found.into();
        }
    }
    let track = |(i, track): (usize, &TrackRow)| {
        Ok(Track { word: track.word, keys: records::typed_list(&format!("tracks[{i}].keys"), &track.keys)? })
    };
    Ok(Document {
        version: manifest.version,
        head: Head {
            counts: records::typed("head", &head)?,
            surface: records::typed("surface", &manifest.surface)?,
            speed: records::typed("ground_speed", &manifest.ground_speed)?,
            damage: records::typed("damage_rate", &manifest.damage_rate)?,
        },
        phases,
        tracks: manifest.tracks.iter().enumerate().map(track).collect::<Result<_, WriteError>>()?,
        rest: manifest.rest.map_or(Ok(Vec::new()), |file| folder.copied(&file))?,
    })
}
