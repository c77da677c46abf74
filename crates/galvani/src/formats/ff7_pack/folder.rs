//! A pack as a folder: what its headers say, and every animation as a list of frames.
//!
//! An animation of which the stream is not what our encoder writes stays a file of bytes, so that nothing
//! is lost; `edit canonical` turns it into one of frames.

use std::collections::BTreeMap;

use galvani_core::{Meter, Path, Reading, WriteError, text};
use galvani_ff7::pack::codec::{Frames, Stop, encode};
use galvani_ff7::pack::{self, ALIGN, AngleKey, Clip, Document, Entry, Header, survey};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::animation;
use crate::codes;
use crate::formats::{Folder, Packing};

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Manifest {
    format: String,
    walk: String,
    frames: String,
    entries: Vec<EntryRow>,
    /// Entries that the count names and the file does not have.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    missing: Option<u32>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    rest: Option<String>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct EntryRow {
    dw_bones: u32,
    dw_frames: Counted,
    /// Only where it does not count the payload.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    dw_chunk_size: Option<u32>,
    /// This, or
    #[serde(default, skip_serializing_if = "Option::is_none")]
    animation: Option<AnimationRow>,
    /// this.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    payload: Option<Bytes>,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct AnimationRow {
    s_frames: Counted,
    b_key: u8,
    /// The list of its frames.
    file: String,
    /// What the unused bits of the last byte are.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    slack: Option<u8>,
    trailing: Trailing,
}

/// How many frames there are, or another number.
#[derive(Serialize, Deserialize, Clone, Copy)]
#[serde(untagged)]
enum Counted {
    Rule(Count),
    Stated(u32),
}

#[derive(Serialize, Deserialize, Clone, Copy)]
#[serde(rename_all = "lowercase")]
enum Count {
    Count,
}

/// What stands behind a stream: zeros up to a multiple of 4, or these bytes.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Trailing {
    Align,
    Hex(String),
}

/// A few bytes, or a file of many.
#[derive(Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Bytes {
    Hex(String),
    File(String),
}

/// Payloads up to this size stand in the manifest.
const INLINE: usize = 16;

const REST: &str = "rest.bin";

/// Takes a pack apart.
pub(super) fn unpack(document: &Document) -> Folder {
    let mut files = BTreeMap::new();
    let survey = survey(document, document.skeleton.as_ref());
    let entries = document.entries.iter().zip(&survey.entries).enumerate();
    let entries = entries.map(|(i, (entry, surveyed))| {
        let animation = surveyed.clip().and_then(|clip| animation_row(i, entry, clip));
        match animation {
            Some((row, frames)) => {
                files.insert(file_name(i), animation::to_json(&frames).into_bytes());
                row
            }
            None => payload_row(i, entry, &mut files),
        }
    });
    let entries = entries.collect();
    let rest = (!document.rest.is_empty()).then(|| REST.to_owned());
    if rest.is_some() {
        files.insert(REST.to_owned(), document.rest.clone());
    }
    let [walk, frames] = [document.walk, document.frames].map(|reading| reading.word().to_owned());
    let missing = Some(document.missing).filter(|&missing| missing > 0);
    let manifest = Manifest { format: "ff7-pack".to_owned(), walk, frames, entries, missing, rest };
    Folder { manifest: serde_json::to_value(manifest).unwrap_or(Value::Null), files }
}

fn file_name(i: usize) -> String {
    format!("animations/{i:03}.json")
}

/// An entry as frames, if packing them gives its bytes again.
fn animation_row(i: usize, entry: &Entry, clip: &Clip) -> Option<(EntryRow, Frames)> {
    let Header::Whole { s_frames } = clip.header else { return None };
    let frames = clip.frames(entry, Stop::Engine);
    let counted = |number: u32| match u32::try_from(frames.len()) {
        Ok(len) if len == number => Counted::Rule(Count::Count),
        _ => Counted::Stated(number),
    };
    let trailing = clip.trailing(entry);
    let is_padding = trailing == padding(clip.range(entry).end);
    let trailing = if is_padding { Trailing::Align } else { Trailing::Hex(text::hex(trailing)) };
    let row = EntryRow {
        dw_bones: entry.dw_bones,
        dw_frames: counted(entry.dw_frames),
        dw_chunk_size: None,
        animation: Some(AnimationRow {
            s_frames: counted(u32::from(s_frames)),
            b_key: clip.key.byte(),
            file: file_name(i),
            slack: Some(clip.slack(entry)).filter(|&slack| slack > 0),
            trailing,
        }),
        payload: None,
    };
    let files = BTreeMap::from([(file_name(i), animation::to_json(&frames).into_bytes())]);
    let folder = Folder { manifest: Value::Null, files };
    let again = from_row(&row, &Packing { folder: &folder, meter: &Meter::unlimited() }, wrong);
    (again.ok().as_ref() == Some(entry)).then_some((row, frames))
}

fn payload_row(i: usize, entry: &Entry, files: &mut BTreeMap<String, Vec<u8>>) -> EntryRow {
    let payload = if entry.payload.len() <= INLINE {
        Bytes::Hex(text::hex(&entry.payload))
    } else {
        let file = format!("payloads/{i:03}.bin");
        files.insert(file.clone(), entry.payload.clone());
        Bytes::File(file)
    };
    let counts = usize::try_from(entry.dw_chunk_size) == Ok(entry.payload.len());
    EntryRow {
        dw_bones: entry.dw_bones,
        dw_frames: Counted::Stated(entry.dw_frames),
        dw_chunk_size: (!counts).then_some(entry.dw_chunk_size),
        animation: None,
        payload: Some(payload),
    }
}

/// The pack that a folder describes.
pub(super) fn pack(folder: &Packing<'_>) -> Result<Vec<u8>, WriteError> {
    let manifest: Manifest = folder.manifest_as()?;
    if manifest.format != "ff7-pack" {
        return Err(wrong("format: `ff7-pack` is wanted".to_owned()));
    }
    let reading = |topic: &str, word: &str| {
        word.parse::<Reading>().map_err(|_| wrong(format!("{topic}: `documented` or `observed` is wanted")))
    };
    let mut entries = Vec::with_capacity(manifest.entries.len());
    for (i, row) in manifest.entries.iter().enumerate() {
        entries.push(from_row(row, folder, |message| wrong(format!("entries[{i}]: {message}")))?);
    }
    let rest = match &manifest.rest {
        Some(file) => folder.copied(file)?,
        None => Vec::new(),
    };
    let document = Document {
        entries,
        missing: manifest.missing.unwrap_or(0),
        rest,
        walk: reading("walk", &manifest.walk)?,
        frames: reading("frames", &manifest.frames)?,
        skeleton: None,
        rig: None,
    };
    pack::write(&document)
}

fn from_row(
    row: &EntryRow,
    folder: &Packing<'_>,
    wrong: impl Fn(String) -> WriteError,
) -> Result<Entry, WriteError> {
    let (frames, payload) = match (&row.animation, &row.payload) {
        (Some(animation), None) => {
            let list = animation::from_json(folder.text(&animation.file)?);
            let frames = list.map_err(|error| wrong(format!("{}: {error}", animation.file)))?;
            (frames.len(), animation_payload(animation, &frames).map_err(&wrong)?)
        }
        (None, Some(Bytes::Hex(hex))) => {
            (0, text::from_hex(hex).ok_or_else(|| wrong(format!("payload: `{hex}` is no hex")))?)
        }
        (None, Some(Bytes::File(file))) => (0, folder.copied(file)?),
        _ => return Err(wrong("an `animation` or a `payload` is wanted".to_owned())),
    };
    let mut entry = Entry::new(row.dw_bones, row.dw_frames.number(frames).map_err(wrong)?, payload);
    if let Some(stated) = row.dw_chunk_size {
        entry.dw_chunk_size = stated;
    }
    Ok(entry)
}

fn animation_payload(row: &AnimationRow, frames: &Frames) -> Result<Vec<u8>, String> {
    let key = AngleKey::from_byte(row.b_key)
        .ok_or_else(|| format!("b_key: 0, 2 or 4 wanted, {} found", row.b_key))?;
    if frames.coarsest_key() < key {
        return Err(format!("b_key: an angle is no multiple of {}, which key {key} wants", key.step()));
    }
    let coded = encode(frames, key, row.slack.unwrap_or(0));
    let size = u16::try_from(coded.bytes.len());
    let size = size.map_err(|_| format!("a stream of {} bytes; 65535 is the most", coded.bytes.len()))?;
    let s_frames = u16::try_from(row.s_frames.number(frames.len())?);
    let s_frames = s_frames.map_err(|_| format!("s_frames: {} frames; 65535 is the most", frames.len()))?;
    let mut payload =
        [&s_frames.to_le_bytes()[..], &size.to_le_bytes(), &[key.byte()], &coded.bytes].concat();
    match &row.trailing {
        Trailing::Align => payload.extend(padding(payload.len())),
        Trailing::Hex(hex) => {
            payload.extend(text::from_hex(hex).ok_or_else(|| format!("trailing: `{hex}` is no hex"))?);
        }
    }
    Ok(payload)
}

impl Counted {
    fn number(self, frames: usize) -> Result<u32, String> {
        match self {
            Counted::Stated(number) => Ok(number),
            Counted::Rule(Count::Count) => u32::try_from(frames).map_err(|_| "too many frames".to_owned()),
        }
    }
}

/// Zeros up to a multiple of 4.
fn padding(end: usize) -> Vec<u8> {
    vec![0; end.next_multiple_of(ALIGN).saturating_sub(end)]
}

fn wrong(message: String) -> WriteError {
    codes::MANIFEST.at(Path::named("manifest")).saying(message).into()
}
