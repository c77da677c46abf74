//! Edits of models under the fuzzer.

use arbitrary::{Arbitrary, Unstructured};
use galvani_core::history::History;
use galvani_core::{EditError, ReadOptions, Reading, Readings};
use galvani_parkan::msh::animation::{self, AnimModel, Layout};
use galvani_parkan::msh::edit::{self, Rotation};
use galvani_parkan::msh::{self, Document};
use galvani_testkit::every_byte_is_owned;

/// Longest model that is edited.
const EDITED_MODEL: usize = 1 << 14;

/// Longest timeline an edit may ask for: longer ones only cost time.
const FRAMES: f32 = 3000.0;

/// One edit; places are taken modulo a little more than what is there.
#[derive(Debug, Arbitrary)]
enum Edit {
    Insert(u8, u16, Option<[f32; 3]>, Option<[i16; 4]>),
    Move(u8, u8, u16),
    Delete(u8, u8),
    Set(u8, u8, Option<[f32; 3]>, Option<[f32; 4]>),
    Retime(u8, u8, i8),
    Trim(u8, u8, u8),
    Reverse(u8),
    Offset(u8, [f32; 3]),
    MakeStatic(u8, u16),
    MakeAnimated(u8, Option<u8>),
    Reduce(u8, u8, u8),
    RebuildMaps,
    Rename(u8, Vec<u8>),
    Label(u8, Vec<u8>),
    Reparent(u8, Option<u8>),
    Material(u8, u32),
    Undo,
    Redo,
}

/// A first byte says how many bytes of edits follow, and its lowest bit the reading; the rest is a model.
/// After every edit the model is written and read again as the same; a refused edit changes nothing; other
/// nodes keep their keys.
pub(crate) fn edit(data: &[u8]) {
    let Some((&len, rest)) = data.split_first() else { return };
    let Some((edits, file)) = rest.split_at_checked(usize::from(len)) else { return };
    let readings = readings(len);
    let options = ReadOptions { readings, ..ReadOptions::default() };
    if file.len() > EDITED_MODEL {
        return;
    }
    let Ok(found) = msh::read(file, &options) else { return };
    written_back(&found.document);
    let mut history = History::new(found.document);
    for edit in Vec::<Edit>::arbitrary_take_rest(Unstructured::new(edits)).unwrap_or_default() {
        let before = history.clone();
        let made = match &edit {
            Edit::Undo | Edit::Redo => {
                step(&mut history, matches!(edit, Edit::Undo));
                continue;
            }
            _ => history.edit(|document| apply(&edit, document)),
        };
        if let Err(error) = made {
            assert!(error.cause.code.name.starts_with("msh.edit-"), "{error}");
            assert_eq!(history, before, "a refused edit changes nothing");
            let mut document = before.now().clone();
            apply(&edit, &mut document).expect_err("refused again");
            assert_eq!(document, *before.now(), "a refused edit changes nothing");
            continue;
        }
        others_keep_their_keys(&edit, before.now(), history.now());
        comes_back(history.now(), &options);
    }
}

fn readings(len: u8) -> Readings {
    let all = if len & 1 == 0 { Reading::Documented } else { Reading::Observed };
    Readings { all: all.into(), ..Readings::default() }
}

/// A step and its opposite lead back.
fn step(history: &mut History<Document>, back: bool) {
    let before = history.clone();
    if if back { history.undo() } else { history.redo() } {
        let after = history.clone();
        assert!(if back { history.redo() } else { history.undo() });
        assert_eq!(*history, before);
        *history = after;
    }
}

/// Tracks written back as they are leave the model as it is. One without keys would get some.
fn written_back(document: &Document) {
    let Ok(anim) = animation::read(&document.model()) else { return };
    if document.model().is_still() {
        return;
    }
    let mut written = document.clone();
    if animation::write(&anim, &mut written, Layout::Keep).is_ok() && runs_are_apart(document) {
        assert_eq!(written, *document);
    }
}

/// Whether no two nodes share words of the frame map; those that do get their own.
fn runs_are_apart(document: &Document) -> bool {
    let model = document.model();
    let rows = model.nodes.as_ref().map_or(&[][..], |nodes| nodes.rows);
    let mut starts: Vec<u32> = rows.iter().map(|node| u32::from(node.map_start.get())).collect();
    starts.retain(|&start| start != u32::from(msh::NONE));
    starts.sort_unstable();
    starts.windows(2).all(|pair| pair[1] - pair[0] >= model.frame_count())
}

fn apply(edit: &Edit, document: &mut Document) -> Result<(), EditError> {
    let tracks = animation::read(&document.model()).map(|anim| anim.tracks).unwrap_or_default();
    let node = |at: u8| usize::from(at) % (tracks.len() + 1);
    let key =
        |at: u8, key: u8| usize::from(key) % (tracks.get(node(at)).map_or(0, |track| track.keys.len()) + 1);
    let frame = |at: u16| if at & 7 == 7 { f32::from(at) / 64.0 } else { f32::from(at) % FRAMES };
    match edit {
        Edit::Insert(n, at, p, q) => {
            edit::insert_key(document, node(*n), frame(*at), *p, q.map(Rotation::Raw)).map(drop)
        }
        Edit::Move(n, k, to) => edit::move_key(document, node(*n), key(*n, *k), frame(*to)).map(drop),
        Edit::Delete(n, k) => edit::delete_key(document, node(*n), key(*n, *k)),
        Edit::Set(n, k, p, q) => edit::set_key(document, node(*n), key(*n, *k), *p, q.map(Rotation::Wxyz)),
        Edit::Retime(n, scale, offset) => {
            edit::retime(document, node(*n), f32::from(*scale) / 32.0, f32::from(*offset) / 4.0)
        }
        Edit::Trim(n, a, b) => edit::trim(document, node(*n), f32::from(*a), f32::from(*b)),
        Edit::Reverse(n) => edit::reverse(document, node(*n)),
        Edit::Offset(n, by) => edit::offset(document, node(*n), *by),
        Edit::MakeStatic(n, at) => edit::make_static(document, node(*n), f32::from(*at) / 16.0),
        Edit::MakeAnimated(n, last) => edit::make_animated(document, node(*n), last.map(f32::from)),
        Edit::Reduce(n, by, turn) => {
            edit::reduce(document, node(*n), f32::from(*by), f32::from(*turn) / 64.0).map(drop)
        }
        Edit::RebuildMaps => edit::rebuild_maps(document),
        Edit::Rename(n, name) => edit::rename(document, node(*n), name),
        Edit::Label(n, label) => edit::set_label(document, node(*n), label),
        Edit::Reparent(n, parent) => edit::reparent(document, node(*n), parent.map(node)),
        Edit::Material(batch, material) => edit::set_material(document, usize::from(*batch % 4), *material),
        Edit::Undo | Edit::Redo => Ok(()),
    }
}

/// The node an edit is about, if it is about keys.
fn edited(edit: &Edit, count: usize) -> Option<usize> {
    let node = match edit {
        Edit::Insert(n, ..) | Edit::Move(n, ..) | Edit::Delete(n, ..) | Edit::Set(n, ..) => n,
        Edit::Retime(n, ..) | Edit::Trim(n, ..) | Edit::Reverse(n) | Edit::Offset(n, ..) => n,
        Edit::MakeStatic(n, ..) | Edit::MakeAnimated(n, ..) | Edit::Reduce(n, ..) => n,
        _ => return None,
    };
    Some(usize::from(*node) % (count + 1))
}

/// Only the edited node has other keys; of the others, maps keep their words relative to their keys.
fn others_keep_their_keys(edit: &Edit, before: &Document, after: &Document) {
    let read = |document: &Document| animation::read(&document.model()).ok();
    let (Some(old), Some(new)) = (read(before), read(after)) else { return };
    let edited = edited(edit, old.tracks.len());
    let whole = |anim: &AnimModel| anim.tracks.len();
    assert_eq!(whole(&old), whole(&new));
    for (old, new) in old.tracks.iter().zip(&new.tracks).filter(|(old, _)| Some(old.node_index) != edited) {
        assert_eq!(old.keys, new.keys);
        if matches!(edit, Edit::RebuildMaps) {
            continue;
        }
        assert_eq!(old.has_map, new.has_map);
        let fallback = i32::try_from(old.keys.len()).expect("few keys") - 1;
        for (old, new) in old.frame_map.iter().zip(&new.frame_map) {
            assert_eq!((*old).clamp(-1, fallback), (*new).clamp(-1, fallback));
        }
    }
    let rebuilt = edited.and_then(|node| Some((old.tracks.get(node)?, new.tracks.get(node)?)));
    if let Some((old, new)) = rebuilt
        && new.has_map
        && old.keys.iter().map(|key| key.time.to_bits()).ne(new.keys.iter().map(|key| key.time.to_bits()))
    {
        let map = animation::frame_map(&new.keys, after.model().frame_count()).expect("there is room");
        assert_eq!(new.frame_map, map);
    }
}

/// Written and read again it is the same document, but for entries that lead outside the file.
fn comes_back(document: &Document, options: &ReadOptions) {
    let Some(file) = crate::nres::written(msh::write(document)) else { return };
    let again = msh::read(&file, options).expect("what was written reads");
    every_byte_is_owned(&again.map, file.len());
    let held = (0..document.archive.entries.len()).all(|i| document.archive.payload(i).is_some());
    if held {
        assert_eq!(again.document, *document);
    }
}
