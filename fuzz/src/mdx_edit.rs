//! Edits of MDX models under the fuzzer.

use std::collections::BTreeMap;

use arbitrary::{Arbitrary, Unstructured};
use galvani_core::history::History;
use galvani_core::{EditError, ReadOptions, Reading, Readings, Severity, WantedReading};
use galvani_mdx::edit::{self, Interpolation, Keys, TrackRef};
use galvani_mdx::{Document, check, write};
use galvani_testkit::every_byte_is_owned;

/// Longest model that is edited: every step is written and read again.
const EDITED_MODEL: usize = 1 << 14;

/// Longest model that an edited one may grow to.
const GROWN: usize = 1 << 17;

/// Most edits of one model.
const EDITS: usize = 12;

/// Kinds of tracks that are added and the numbers of their values.
const KINDS: [(&str, usize); 16] = [
    ("KGTR", 3),
    ("KGRT", 4),
    ("KGSC", 3),
    ("KMTA", 1),
    ("KMTF", 1),
    ("KFC3", 3),
    ("KTAR", 4),
    ("KGAO", 1),
    ("KGAC", 3),
    ("KLAE", 1),
    ("KVIS", 1),
    ("KP2E", 1),
    ("KPLN", 1),
    ("KRTX", 1),
    ("KCRL", 1),
    ("KEVT", 0),
];

/// One edit; places are taken modulo a little more than what is there.
#[derive(Debug, Arbitrary)]
enum Edit {
    AddSequence(String, i32, u16),
    RemoveSequence(u8, bool),
    RenameSequence(u8, String),
    MoveSequence(u8, i32),
    RetimeSequence(u8, u8),
    AddTrack(u8, u8, u8, u16, [i16; 4]),
    RemoveTrack(u8),
    InsertKey(u8, u16, Option<[i16; 4]>),
    DeleteKey(u8, u8),
    MoveKey(u8, u8, i32),
    SetKey(u8, u8, [f32; 4]),
    SetTangents(u8, u8, [f32; 3], [f32; 3]),
    Reduce(u8, u8),
    SetInterpolation(u8, u8, u8),
    SetTexture(u8, String),
    SetReplaceable(u8, u32),
    TextureFlags(u8, u8),
    AddTexture(String, u8),
    RemoveTexture(u8, Option<u8>),
    AttachmentPath(u8, String),
    EmitterPath(u8, String),
    RenameNode(u8, String),
    ReparentNode(u8, Option<u8>),
    Alpha(u8, u8, f32),
    Filter(u8, u8, u8),
}

/// A first byte says how many bytes of edits follow, and its lowest bits the reading; the rest is a model. After
/// every edit the model is written, reads back as the same document and has no errors that it did not have; a
/// refused edit changes nothing; taking all edits back gives the first bytes, making them again the last ones.
pub(crate) fn edit(data: &[u8]) {
    let Some((&len, rest)) = data.split_first() else { return };
    let Some((edits, file)) = rest.split_at_checked(usize::from(len)) else { return };
    if file.len() > EDITED_MODEL {
        return;
    }
    let options = options(len);
    let Ok(found) = galvani_mdx::read(file, &options) else { return };
    let mut history = History::new(found.document);
    let edits = Vec::<Edit>::arbitrary_take_rest(Unstructured::new(edits)).unwrap_or_default();
    for edit in edits.into_iter().take(EDITS) {
        let before = history.now().clone();
        let made = history.edit(|document| {
            let made = apply(&edit, document);
            assert!(made.is_ok() || *document == before, "what is refused changes nothing: {edit:?}");
            made
        });
        if let Err(refused) = made {
            assert!(refused.cause.code.name.starts_with("mdx.edit-"), "{refused}");
            continue;
        }
        let len = comes_back(history.now(), &options);
        no_new_errors(&before, history.now());
        if len > GROWN {
            break;
        }
    }
    let last = history.now().clone();
    while history.undo() {}
    assert!(write(history.now()).expect("what was read is written") == file, "undone");
    while history.redo() {}
    assert!(*history.now() == last, "done again");
}

fn options(byte: u8) -> ReadOptions {
    let all = match byte & 3 {
        1 => Reading::Observed.into(),
        2 => Reading::Documented.into(),
        _ => WantedReading::Auto,
    };
    ReadOptions { readings: Readings { all, ..Readings::default() }, ..ReadOptions::default() }
}

/// Written and read again by the same rules it has the same chunks; says how long it is.
fn comes_back(document: &Document, options: &ReadOptions) -> usize {
    let written = write(document).expect("what was edited is written");
    let again = galvani_mdx::read(&written, options).expect("what was written reads");
    every_byte_is_owned(&again.map, written.len());
    assert!(again.document.chunks == document.chunks, "it reads as another document");
    written.len()
}

/// No code of severity error is found more often than before.
fn no_new_errors(before: &Document, after: &Document) {
    let old = errors(before);
    for (code, count) in errors(after) {
        assert!(count <= old.get(code).copied().unwrap_or(0), "{code} is new");
    }
}

fn errors(document: &Document) -> BTreeMap<&'static str, u64> {
    let mut all = BTreeMap::new();
    for finding in check(document).findings() {
        if finding.severity == Severity::Error {
            *all.entry(finding.code.name).or_insert(0) += finding.count;
        }
    }
    all
}

#[allow(clippy::too_many_lines)]
fn apply(edit: &Edit, document: &mut Document) -> Result<(), EditError> {
    let tracks = edit::tracks(document);
    let named = |at: u8| tracks.get(usize::from(at) % (tracks.len() + 1)).cloned();
    // A track that is not there is refused as one that is.
    let track = |at: u8| named(at).map_or_else(|| "BONE[999].KGTR".parse(), Ok);
    let time = |document: &Document, name: &TrackRef, key: u8| {
        let mut times = Vec::new();
        document.each_track(|path, track| {
            if TrackRef::from(path) == *name {
                times.clone_from(&track.times);
            }
        });
        times.get(usize::from(key) % (times.len() + 1)).copied().unwrap_or(i32::from(key))
    };
    let index = |at: u8| usize::from(at % 5);
    let wide = |values: &[f32]| values.iter().copied().map(f64::from).collect::<Vec<_>>();
    match edit {
        Edit::AddSequence(name, start, len) => {
            let (start, len) = (i64::from(*start), i64::from(*len));
            edit::add_sequence(document, name, start, start + len).map(drop)
        }
        Edit::RemoveSequence(at, drops) => {
            let keys = if *drops { Keys::Drop } else { Keys::Keep };
            edit::remove_sequence(document, index(*at), keys).map(drop)
        }
        Edit::RenameSequence(at, name) => edit::rename_sequence(document, index(*at), name),
        Edit::MoveSequence(at, to) => edit::move_sequence(document, index(*at), i64::from(*to)),
        Edit::RetimeSequence(at, by) => edit::retime_sequence(document, index(*at), f64::from(*by) / 32.0),
        Edit::AddTrack(beside, kind, shape, time, values) => {
            let (name, count) = beside_of(document, &tracks, *beside, *kind)?;
            // Events and indices take steps alone.
            let shape = if count == 1 && shape & 4 == 0 { 0 } else { *shape };
            edit::add_track(document, &name, interpolation(shape), i32::from(*time), &small(values, count))
                .map(drop)
        }
        Edit::RemoveTrack(at) => edit::remove_track(document, &track(*at)?),
        Edit::InsertKey(at, time, values) => {
            let name = track(*at)?;
            let values = values.as_ref().map(|values| small(values, numbers(document, &name)));
            edit::insert_key(document, &name, i32::from(*time), values.as_deref()).map(drop)
        }
        Edit::DeleteKey(at, key) => {
            let name = track(*at)?;
            let time = time(document, &name, *key);
            edit::delete_key(document, &name, time)
        }
        Edit::MoveKey(at, key, to) => {
            let name = track(*at)?;
            let time = time(document, &name, *key);
            edit::move_key(document, &name, time, *to)
        }
        Edit::SetKey(at, key, values) => {
            let name = track(*at)?;
            let time = time(document, &name, *key);
            let count = numbers(document, &name);
            edit::set_key(document, &name, time, &wide(&values[..count])).map(drop)
        }
        Edit::SetTangents(at, key, arriving, leaving) => {
            let name = track(*at)?;
            let time = time(document, &name, *key);
            edit::set_tangents(document, &name, time, &wide(arriving), &wide(leaving)).map(drop)
        }
        Edit::Reduce(at, by) => edit::reduce(document, &track(*at)?, f64::from(*by) / 64.0).map(drop),
        Edit::SetInterpolation(at, kind, by) => {
            let (kind, by) = (interpolation(*kind), 0.01 + f64::from(*by) / 16.0);
            edit::set_interpolation(document, &track(*at)?, kind, by).map(drop)
        }
        Edit::SetTexture(at, path) => edit::set_texture(document, index(*at), path),
        Edit::SetReplaceable(at, id) => edit::set_texture_replaceable(document, index(*at), *id),
        Edit::TextureFlags(at, flags) => edit::set_texture_flags(document, index(*at), u32::from(*flags % 5)),
        Edit::AddTexture(path, flags) => {
            edit::add_texture(document, path, 0, u32::from(*flags % 5)).map(drop)
        }
        Edit::RemoveTexture(at, instead) => edit::remove_texture(document, index(*at), instead.map(index)),
        Edit::AttachmentPath(at, path) => edit::set_attachment_path(document, index(*at), path),
        Edit::EmitterPath(at, path) => edit::set_emitter_path(document, index(*at), path),
        Edit::RenameNode(at, name) => edit::rename_node(document, usize::from(*at % 16), name),
        Edit::ReparentNode(at, parent) => {
            edit::reparent_node(document, usize::from(*at % 16), parent.map(|at| usize::from(at % 16)))
        }
        Edit::Alpha(material, layer, alpha) => {
            edit::set_layer_alpha(document, index(*material), index(*layer), *alpha)
        }
        Edit::Filter(material, layer, filter) => {
            edit::set_layer_filter(document, index(*material), index(*layer), u32::from(*filter % 8))
        }
    }
}

/// A track in the record of another or in one with a node, mostly of a kind that the record may have; and the
/// numbers of its values.
fn beside_of(
    document: &Document,
    tracks: &[TrackRef],
    at: u8,
    kind: u8,
) -> Result<(TrackRef, usize), EditError> {
    let nodes = document.nodes();
    let at = usize::from(at) % (tracks.len() + nodes.len() + 1);
    let record = match (tracks.get(at), nodes.get(at.saturating_sub(tracks.len()))) {
        (Some(track), _) => track.to_string().rsplit_once('.').map(|(record, _)| record.to_owned()),
        (None, Some(placed)) => Some(placed.path.to_string()),
        (None, None) => Some("MTLS[0].LAYS[0].textures[0]".to_owned()),
    };
    let record = record.unwrap_or_default();
    let own = match record.get(..4) {
        _ if kind & 7 == 7 => 0..KINDS.len(),
        Some("MTLS") => 3..6,
        Some("TXAN") => 6..7,
        Some("GEOA") => 7..9,
        Some("LITE") => 9..11,
        Some("ATCH") => 10..11,
        Some("PRE2") => 10..13,
        Some("PREM") => 12..13,
        Some("RIBB") => 13..14,
        Some("CAMS") => 14..15,
        Some("EVTS") if kind & 1 == 1 => 15..16,
        _ => 0..3,
    };
    let own = if kind & 0x40 == 0 || own.start == 0 { own } else { 0..3 };
    let (kind, count) = KINDS[own.start + usize::from(kind) % own.len()];
    Ok((format!("{record}.{kind}").parse()?, count))
}

/// The numbers of a value of a track.
fn numbers(document: &Document, name: &TrackRef) -> usize {
    let mut count = 0;
    document.each_track(|path, track| {
        if TrackRef::from(path) == *name {
            count = if track.value.is_rotation() { 4 } else { track.value.words() };
        }
    });
    count
}

/// As many numbers, none of them large.
fn small(values: &[i16; 4], count: usize) -> Vec<f64> {
    values[..count].iter().map(|value| f64::from(*value) / 64.0).collect()
}

fn interpolation(number: u8) -> Interpolation {
    let all = [Interpolation::Step, Interpolation::Linear, Interpolation::Hermite, Interpolation::Bezier];
    all[usize::from(number) % all.len()]
}
