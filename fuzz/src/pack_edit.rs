//! Edits of FF7 battle animation packs under the fuzzer.

use arbitrary::{Arbitrary, Unstructured};
use galvani_core::history::History;
use galvani_core::{EditError, Meter, ReadOptions, Readings};
use galvani_ff7::pack::codec::Frames;
use galvani_ff7::pack::edit::{self, Edge};
use galvani_ff7::pack::quantise::{Precision, Rounding};
use galvani_ff7::pack::{self, AngleKey, Document, Entry, Role};
use galvani_ff7::skeleton;

/// Longest pack that is edited: every step is written and read again.
const EDITED_PACK: usize = 1 << 12;

/// Most edits of one pack.
const EDITS: usize = 12;

/// Longest payload that an edited pack may grow to.
const GROWN: usize = 1 << 13;

/// One edit; entries, frames and rotations are taken modulo a little more than there are.
#[derive(Debug, Arbitrary)]
enum Edit {
    Insert(u8, u8),
    Delete(u8, u8, u8),
    Move(u8, u8, u8, u8),
    Copy(u8, u8, u8, u8, u8),
    Blend(u8, u8, u8),
    Trim(u8, u8, u8),
    Reverse(u8),
    SetPosition(u8, u8, [i16; 3]),
    SetRotation(u8, u8, u8, [f32; 3]),
    OffsetRotation(u8, u8, [f32; 3]),
    ScaleRotation(u8, u8, f32),
    OffsetPosition(u8, [f32; 3]),
    ScalePosition(u8, f32),
    Quantise(u8, u8, bool),
    Resample(u8, u8, bool, u8, bool),
    Replace(u8, Vec<u8>),
    ReplaceFrames(u8, u8, Vec<[i16; 3]>),
    Add(bool, Vec<[i16; 3]>, u8),
    AddEmpty(bool),
    Clear(u8),
    Remove(u8),
    Repair(u8),
    CanonicalEntry(u8),
    Canonical,
}

/// What an edit may change: all other entries keep their bytes.
enum Touched {
    One(usize),
    Added(usize),
    Removed(usize),
    All,
}

/// A first byte says how many bytes of edits follow; the rest is a pack. After every edit the pack is written, reads
/// back as the same document, and entries that were not meant are what they were; taking all edits back gives the
/// first bytes, making them again the last ones.
pub(crate) fn edit(data: &[u8]) {
    let Some((&len, rest)) = data.split_first() else { return };
    let Some((edits, file)) = rest.split_at_checked(usize::from(len)) else { return };
    if file.len() > EDITED_PACK {
        return;
    }
    let Ok(found) = pack::read(file, &ReadOptions::default()) else { return };
    let mut history = History::new(found.document);
    let edits = Vec::<Edit>::arbitrary_take_rest(Unstructured::new(edits)).unwrap_or_default();
    for edit in edits.into_iter().take(EDITS) {
        let before = history.now().clone();
        match history.edit(|document| {
            let made = apply(edit, document);
            assert!(made.is_ok() || *document == before, "what is refused changes nothing");
            made
        }) {
            Ok(touched) => kept(&before.entries, &history.now().entries, &touched),
            Err(refused) => {
                assert!(refused.cause.code.name.starts_with("ff7-pack."), "{refused}");
                assert_eq!(*history.now(), before);
            }
        }
        comes_back(history.now());
        if history.now().entries.iter().any(|entry| entry.payload.len() > GROWN) {
            break;
        }
    }
    let last = history.now().clone();
    while history.undo() {}
    assert_eq!(pack::write(history.now()).expect("what was read is written"), file);
    while history.redo() {}
    assert_eq!(*history.now(), last);
}

/// Entries that were not meant keep every byte.
fn kept(before: &[Entry], after: &[Entry], touched: &Touched) {
    let mut before: Vec<&Entry> = before.iter().collect();
    let mut after: Vec<&Entry> = after.iter().collect();
    match *touched {
        Touched::One(at) => {
            before.remove(at);
            after.remove(at);
        }
        Touched::Added(at) => drop(after.remove(at)),
        Touched::Removed(at) => drop(before.remove(at)),
        Touched::All => {
            assert_eq!(before.len(), after.len());
            return;
        }
    }
    assert_eq!(before, after);
}

/// Written and read again by the same rules it is the same document.
fn comes_back(document: &Document) {
    let written = pack::write(document).expect("what was edited is written");
    let topics = vec![
        (pack::WALK.to_owned(), document.walk.into()),
        (pack::FRAMES.to_owned(), document.frames.into()),
    ];
    let readings = Readings { topics, ..Readings::default() };
    let options = ReadOptions { readings, ..ReadOptions::default() };
    let again = pack::read(&written, &options).expect("what was written reads");
    assert_eq!(again.document, *document);
}

#[allow(clippy::too_many_lines)]
fn apply(wanted: Edit, document: &mut Document) -> Result<Touched, EditError> {
    let count = document.entries.len();
    // One place in sixteen or so is behind the last.
    let entry = |at: u8| usize::from(at) % (count + 1);
    let frames = |at: usize| edit::frames_of(document, at).map_or(0, |(frames, _)| frames.len());
    let place = |at: usize, frame: u8| usize::from(frame) % (frames(at) + 2);
    let rotation = |at: usize, bone: u8| {
        let rotations = edit::frames_of(document, at).map_or(0, |(frames, _)| frames.rotations());
        usize::from(bone) % (rotations + 1)
    };
    let wide = |numbers: [f32; 3]| numbers.map(f64::from);
    let one = |at: usize| move |()| Touched::One(at);
    match wanted {
        Edit::Insert(at, frame) => {
            let (at, frame) = (entry(at), place(entry(at), frame));
            edit::insert_frame(document, at, frame).map(one(at))
        }
        Edit::Delete(at, first, last) => {
            let at = entry(at);
            let (first, last) = (place(at, first), place(at, last));
            edit::delete_frames(document, at, first, last).map(one(at))
        }
        Edit::Move(at, first, last, to) => {
            let at = entry(at);
            let (first, last, to) = (place(at, first), place(at, last), place(at, to));
            edit::move_frames(document, at, first, last, to).map(one(at))
        }
        Edit::Copy(from, first, last, to, at) => {
            let (from, to) = (entry(from), entry(to));
            let (first, last, at) = (place(from, first), place(from, last), place(to, at));
            edit::copy_frames(document, from, first, last, to, at).map(one(to))
        }
        Edit::Blend(at, first, last) => {
            let at = entry(at);
            let (first, last) = (place(at, first), place(at, last));
            edit::blend_frames(document, at, first, last).map(one(at))
        }
        Edit::Trim(at, first, last) => {
            let at = entry(at);
            let (first, last) = (place(at, first), place(at, last));
            edit::trim(document, at, first, last).map(one(at))
        }
        Edit::Reverse(at) => edit::reverse(document, entry(at)).map(one(entry(at))),
        Edit::SetPosition(at, frame, position) => {
            let (at, frame) = (entry(at), place(entry(at), frame));
            edit::set_position(document, at, frame, position).map(one(at))
        }
        Edit::SetRotation(at, frame, bone, degrees) => {
            let at = entry(at);
            let (frame, bone) = (place(at, frame), rotation(at, bone));
            edit::set_rotation(document, at, frame, bone, wide(degrees)).map(one(at))
        }
        Edit::OffsetRotation(at, bone, degrees) => {
            let (at, bone) = (entry(at), rotation(entry(at), bone));
            edit::offset_rotation(document, at, bone, wide(degrees)).map(one(at))
        }
        Edit::ScaleRotation(at, bone, factor) => {
            let (at, bone) = (entry(at), rotation(entry(at), bone));
            edit::scale_rotation(document, at, bone, f64::from(factor)).map(one(at))
        }
        Edit::OffsetPosition(at, offset) => {
            edit::offset_position(document, entry(at), wide(offset)).map(one(entry(at)))
        }
        Edit::ScalePosition(at, factor) => {
            edit::scale_position(document, entry(at), f64::from(factor)).map(one(entry(at)))
        }
        Edit::Quantise(at, to, is_down) => {
            let rounding = if is_down { Rounding::Down } else { Rounding::Nearest };
            let made = edit::quantise(document, entry(at), Precision::Key(key(to)), rounding);
            made.map(|_| Touched::One(entry(at)))
        }
        Edit::Resample(at, factor, is_loop, tolerance, has_skeleton) => {
            let at = entry(at);
            let edge = if is_loop { Edge::Loop } else { Edge::Once };
            let tolerance = [0.05, 0.2, 0.75][usize::from(tolerance) % 3];
            let skeleton = has_skeleton.then(|| chained(document, at));
            let factor = u32::from(factor % 5);
            edit::resample(document, &[at], factor, edge, tolerance, skeleton.as_ref(), &Meter::unlimited())
                .map(|_| Touched::One(at))
        }
        Edit::Replace(at, payload) => edit::replace(document, entry(at), payload).map(one(entry(at))),
        Edit::ReplaceFrames(at, to, angles) => {
            let at = entry(at);
            let wanted = document.entries.get(at).map_or(1, |entry| entry.dw_bones);
            let rotations = usize::try_from(wanted).unwrap_or(1).clamp(1, 64);
            edit::replace_frames(document, at, &made(rotations, &angles), key(to)).map(one(at))
        }
        Edit::Add(is_body, angles, to) => {
            let role = if is_body { Role::Body } else { Role::Weapon };
            let wanted = document.entries.first().map_or(1, |entry| entry.dw_bones);
            let rotations = if is_body { usize::try_from(wanted).unwrap_or(1).clamp(1, 64) } else { 1 };
            let entry = edit::new_entry(&made(rotations, &angles), key(to))?;
            edit::add(document, role, entry).map(Touched::Added)
        }
        Edit::AddEmpty(is_body) => {
            let role = if is_body { Role::Body } else { Role::Weapon };
            let entry = Entry::new(1, 1, pack::EMPTY_PAYLOAD.to_vec());
            edit::add(document, role, entry).map(Touched::Added)
        }
        Edit::Clear(at) => edit::clear(document, entry(at)).map(one(entry(at))),
        Edit::Remove(at) => edit::remove(document, entry(at)).map(|_| Touched::Removed(entry(at))),
        Edit::Repair(at) => edit::repair(document, entry(at)).map(|_| Touched::One(entry(at))),
        Edit::CanonicalEntry(at) => {
            edit::canonical_entry(document, entry(at)).map(|_| Touched::One(entry(at)))
        }
        Edit::Canonical => edit::make_canonical(document).map(|_| Touched::All),
    }
}

fn key(byte: u8) -> AngleKey {
    AngleKey::ALL[usize::from(byte) % AngleKey::ALL.len()]
}

/// Frames of those angles, at least one; what is missing of the last is 0.
fn made(rotations: usize, angles: &[[i16; 3]]) -> Frames {
    let mut frames = Frames::new(rotations);
    for bones in angles.chunks(rotations).take(64) {
        frames.push(bones[0], bones);
    }
    frames
}

/// A skeleton whose bones hang on one another, as many as an entry has rotations.
fn chained(document: &Document, at: usize) -> skeleton::Document {
    let rotations = edit::frames_of(document, at).map_or(0, |(frames, _)| frames.rotations());
    let bone = |parent: i32| skeleton::Bone { parent, length: -1.0, has_model: 0 };
    let bones = (0_i32..).take(rotations.saturating_sub(1)).map(|i| bone(i - 1)).collect();
    skeleton::Document { bones, ..skeleton::Document::default() }
}
