//! Edits on a model and on its plain list, where they are obvious.
#![allow(dead_code, unreachable_pub, reason = "each test file uses its part of this")]
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

use std::collections::BTreeMap;

use galvani_core::EditError;
use galvani_parkan::msh::animation::{self, AnimKey};
use galvani_parkan::msh::edit::{self, Rotation};
use galvani_parkan::msh::{Document, edit::reduce};
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;
use proptest::sample::{Index, select};

use crate::msh_edit::{RawModel, RawNode, f32_of, rotation, sample_keys, u16_of, u32_of};

/// One edit; places are settled when it is made.
#[derive(Debug, Clone)]
pub enum Op {
    Insert(Index, u32, [f32; 3], [i16; 4]),
    InsertShown(Index, u32),
    Move(Index, Index, u32),
    Delete(Index, Index),
    Set(Index, Index, Option<[f32; 3]>, Option<[i16; 4]>),
    Retime(Index, f32, f32),
    Trim(Index, u32, u32),
    Reverse(Index),
    Offset(Index, [f32; 3]),
    MakeStatic(Index, u32),
    MakeAnimated(Index, Option<u32>),
    Reduce(Index, f32, f32),
    RebuildMaps,
    Rename(Index, Vec<u8>),
    Label(Index, Vec<u8>),
    Reparent(Index, Option<Index>),
    Material(Index, u32),
    AddNode(Option<Index>, Vec<u8>),
    RemoveNode(Index),
}

pub fn op() -> impl Strategy<Value = Op> {
    let index = any::<Index>;
    let position = || [0, 1, 2].map(|_| crate::msh_edit::plain_number());
    let frame = || 0..50_u32;
    let name = || vec(1..=255_u8, 0..34);
    let scale = select(vec![0.1, 0.25, 0.5, 0.75, 1.0, 1.3, 2.0]);
    let shift = (-8..8_i8).prop_map(|halves| f32::from(halves) / 2.0);
    let tolerance = || select(vec![0.0, 0.01, 1.0, 100.0]);
    prop_oneof![
        4 => (index(), frame(), position(), rotation()).prop_map(|(n, at, p, q)| Op::Insert(n, at, p, q)),
        3 => (index(), frame()).prop_map(|(n, at)| Op::InsertShown(n, at)),
        3 => (index(), index(), frame()).prop_map(|(n, key, to)| Op::Move(n, key, to)),
        2 => (index(), index()).prop_map(|(n, key)| Op::Delete(n, key)),
        2 => (index(), index(), option::of(position()), option::of(rotation()))
            .prop_map(|(n, key, p, q)| Op::Set(n, key, p, q)),
        2 => (index(), scale, shift).prop_map(|(n, scale, shift)| Op::Retime(n, scale, shift)),
        2 => (index(), frame(), frame()).prop_map(|(n, a, b)| Op::Trim(n, a, b)),
        1 => index().prop_map(Op::Reverse),
        1 => (index(), position()).prop_map(|(n, by)| Op::Offset(n, by)),
        1 => (index(), frame()).prop_map(|(n, at)| Op::MakeStatic(n, at)),
        2 => (index(), option::of(frame())).prop_map(|(n, last)| Op::MakeAnimated(n, last)),
        2 => (index(), tolerance(), tolerance()).prop_map(|(n, by, turn)| Op::Reduce(n, by, turn)),
        1 => Just(Op::RebuildMaps),
        1 => (index(), name()).prop_map(|(n, name)| Op::Rename(n, name)),
        1 => (index(), name()).prop_map(|(n, label)| Op::Label(n, label)),
        1 => (index(), option::of(index())).prop_map(|(n, parent)| Op::Reparent(n, parent)),
        1 => (index(), 0..300_u32).prop_map(|(batch, material)| Op::Material(batch, material)),
        1 => (option::of(index()), name()).prop_map(|(parent, name)| Op::AddNode(parent, name)),
        1 => index().prop_map(Op::RemoveNode),
    ]
}

/// Makes an edit on a document.
pub fn make(op: &Op, document: &mut Document) -> Result<(), EditError> {
    let anim = animation::read(&document.model()).unwrap();
    let node = |index: &Index| index.index(anim.tracks.len());
    let key = |n: &Index, key: &Index| key.index(anim.tracks[node(n)].keys.len());
    let batches = document.model().batches.map_or(0, |batches| batches.rows.len());
    match op {
        Op::Insert(n, at, p, q) => {
            edit::insert_key(document, node(n), f32_of(*at), Some(*p), Some(Rotation::Raw(*q))).map(drop)
        }
        Op::InsertShown(n, at) => edit::insert_key(document, node(n), f32_of(*at), None, None).map(drop),
        Op::Move(n, k, to) => edit::move_key(document, node(n), key(n, k), f32_of(*to)).map(drop),
        Op::Delete(n, k) => edit::delete_key(document, node(n), key(n, k)),
        Op::Set(n, k, p, q) => edit::set_key(document, node(n), key(n, k), *p, q.map(Rotation::Raw)),
        Op::Retime(n, scale, offset) => edit::retime(document, node(n), *scale, *offset),
        Op::Trim(n, a, b) => edit::trim(document, node(n), f32_of(*a), f32_of(*b)),
        Op::Reverse(n) => edit::reverse(document, node(n)),
        Op::Offset(n, by) => edit::offset(document, node(n), *by),
        Op::MakeStatic(n, at) => edit::make_static(document, node(n), f32_of(*at)),
        Op::MakeAnimated(n, last) => edit::make_animated(document, node(n), last.map(f32_of)),
        Op::Reduce(n, by, turn) => reduce(document, node(n), *by, *turn).map(drop),
        Op::RebuildMaps => edit::rebuild_maps(document),
        Op::Rename(n, name) => edit::rename(document, node(n), name),
        Op::Label(n, label) => edit::set_label(document, node(n), label),
        Op::Reparent(n, parent) => edit::reparent(document, node(n), parent.as_ref().map(node)),
        Op::Material(batch, material) => edit::set_material(document, batch.index(batches.max(1)), *material),
        Op::AddNode(parent, name) => edit::add_node(document, name, parent.as_ref().map(node)).map(drop),
        // A list of nodes is never empty here.
        Op::RemoveNode(_) if anim.tracks.len() == 1 => Ok(()),
        Op::RemoveNode(n) => {
            edit::remove_node(document, node(n))?;
            // The timeline stays as long as it was, which the list does not know.
            let last = |keys: &[AnimKey]| keys.last().map_or(0, |key| u32_of(key.time));
            let left = animation::read(&document.model()).unwrap();
            let moving = left.tracks.iter().filter(|track| track.keys.len() > 1);
            let needed = moving.map(|track| last(&track.keys)).max().unwrap_or(0) + 1;
            if left.frame_count == needed { Ok(()) } else { edit::rebuild_maps(document) }
        }
    }
}

/// A node without geometry, as a model gets it.
fn new_node(observed: bool, parent: u16, name: &[u8]) -> RawNode {
    let rotation = if observed { [32767, 0, 0, 0] } else { [0, 0, 0, 32767] };
    let (name, label) = if observed { (name.to_vec(), Vec::new()) } else { (Vec::new(), name.to_vec()) };
    let keys = vec![AnimKey { rotation, ..AnimKey::default() }];
    RawNode { flags: 0, parent, slots: [0xFFFF; 15], keys, name, label }
}

/// The list without a node, if none hangs on it.
fn without(raw: &mut RawModel, node: usize) -> Option<()> {
    if raw.nodes.iter().any(|other| usize::from(other.parent) == node) {
        return None;
    }
    raw.nodes.remove(node);
    for other in raw.nodes.iter_mut().filter(|other| other.parent != 0xFFFF) {
        other.parent -= u16::from(usize::from(other.parent) > node);
    }
    Some(())
}

/// What the list becomes; `None` if the edit must be refused. Keys that come from sampling are taken from the
/// document once they are near what a plain sampler says.
pub fn expected(op: &Op, raw: &RawModel, document: &Document) -> Option<RawModel> {
    let mut raw = raw.clone();
    let count = raw.nodes.len();
    let frame_count = raw.frame_count();
    match op {
        Op::RebuildMaps => {}
        Op::AddNode(_, name) if raw.observed && name.len() > 31 => return None,
        Op::AddNode(parent, name) => {
            let parent = parent.as_ref().map_or(0xFFFF, |parent| u16_of(parent.index(count)));
            raw.nodes.push(new_node(raw.observed, parent, name));
        }
        Op::RemoveNode(_) if count == 1 => {}
        Op::RemoveNode(n) => without(&mut raw, n.index(count))?,
        Op::Rename(n, name) if raw.observed => {
            raw.nodes[n.index(count)].name = Some(name.clone()).filter(|name| name.len() <= 31)?;
        }
        Op::Rename(n, label) | Op::Label(n, label) => raw.nodes[n.index(count)].label.clone_from(label),
        Op::Reparent(n, parent) => {
            let (node, parent) = (n.index(count), parent.as_ref().map(|parent| parent.index(count)));
            raw.nodes[node].parent = match parent {
                None => 0xFFFF,
                Some(parent) => u16_of(Some(parent).filter(|&parent| parent < node)?),
            };
        }
        Op::Material(batch, material) => {
            let batches = raw.batches.len();
            let batch = raw.batches.get_mut(batch.index(batches.max(1)))?;
            if raw.observed {
                batch[4] = u8::try_from(*material).ok()?;
            } else {
                batch[2..4].copy_from_slice(&u16::try_from(*material).ok()?.to_le_bytes());
            }
        }
        Op::Insert(n, ..) | Op::InsertShown(n, ..) | Op::Move(n, ..) | Op::Delete(n, ..) => {
            on_keys(op, n.index(count), &mut raw, frame_count, document)?;
        }
        Op::Set(n, ..) | Op::Retime(n, ..) | Op::Trim(n, ..) | Op::Reverse(n) | Op::Offset(n, ..) => {
            on_keys(op, n.index(count), &mut raw, frame_count, document)?;
        }
        Op::MakeStatic(n, ..) | Op::MakeAnimated(n, ..) | Op::Reduce(n, ..) => {
            on_keys(op, n.index(count), &mut raw, frame_count, document)?;
        }
    }
    Some(raw)
}

fn on_keys(op: &Op, node: usize, raw: &mut RawModel, frame_count: u32, document: &Document) -> Option<()> {
    let old = raw.nodes[node].keys.clone();
    let actual = animation::read(&document.model()).unwrap().tracks[node].keys.clone();
    let observed = raw.observed;
    let mut keys = naive(op, &old, frame_count)?;
    if let Op::Reduce(_, by, turn) = op {
        stays_near(&old, &actual, f64::from(*by), f64::from(*turn), observed);
        keys.clone_from(&actual);
    }
    if let [key] = &mut keys[..] {
        key.time = 0.0;
    }
    if keys[0].time > 0.0 {
        return None;
    }
    // Sampled keys are marked by a rotation that no list has.
    for (i, key) in keys.iter_mut().enumerate().filter(|(_, key)| key.rotation == SAMPLED) {
        let actual = actual.get(i).copied().unwrap_or_default();
        is_near(&actual, sample_keys(&old, u32_of(key.position[0]), observed), observed);
        *key = AnimKey { time: key.time, ..actual };
    }
    raw.nodes[node].keys = keys;
    Some(())
}

/// What a key says that is to be sampled at the frame its x names.
const SAMPLED: [i16; 4] = [i16::MIN; 4];

fn sampled(keys: &[AnimKey], at: u32, time: u32) -> AnimKey {
    let there = keys.iter().find(|key| u32_of(key.time) == at);
    match there.or(keys.last().filter(|last| u32_of(last.time) <= at)) {
        Some(key) => AnimKey { time: f32_of(time), ..*key },
        None => AnimKey { position: [f32_of(at); 3], time: f32_of(time), rotation: SAMPLED },
    }
}

/// The edit on a list of keys; their order is settled by their times.
fn naive(op: &Op, old: &[AnimKey], frame_count: u32) -> Option<Vec<AnimKey>> {
    let mut keys = old.to_vec();
    let place = |keys: &mut Vec<AnimKey>, key: AnimKey| {
        let free = keys.iter().all(|other| u32_of(other.time) != u32_of(key.time));
        keys.push(key);
        keys.sort_by_key(|key| u32_of(key.time));
        free.then_some(())
    };
    match op {
        Op::Insert(_, at, position, rotation) => {
            place(&mut keys, AnimKey { position: *position, time: f32_of(*at), rotation: *rotation })?;
        }
        Op::InsertShown(_, at) => place(&mut keys, sampled(old, *at, *at))?,
        Op::Move(_, key, to) => {
            let moved = keys.remove(key.index(old.len()));
            if keys.is_empty() && *to > 0 {
                return None;
            }
            place(&mut keys, AnimKey { time: f32_of(*to), ..moved })?;
        }
        Op::Delete(_, key) => {
            keys.remove(key.index(old.len()));
            keys.first()?;
        }
        Op::Set(_, key, position, rotation) => {
            let key = &mut keys[key.index(old.len())];
            key.position = position.unwrap_or(key.position);
            key.rotation = rotation.unwrap_or(key.rotation);
        }
        Op::Retime(_, scale, offset) if old.len() > 1 => keys = retimed(old, *scale, *offset)?,
        Op::Trim(_, first, last) => {
            if last < first {
                return None;
            }
            if old.len() > 1 {
                keys = trimmed(old, *first, *last);
            }
        }
        Op::Reverse(_) => {
            let last = u32_of(old[old.len() - 1].time);
            keys = old
                .iter()
                .rev()
                .map(|key| AnimKey { time: f32_of(last - u32_of(key.time)), ..*key })
                .collect();
        }
        Op::Offset(_, by) => {
            for (position, by) in keys.iter_mut().flat_map(|key| key.position.iter_mut().zip(by)) {
                *position = if *by == 0.0 { *position } else { *position + by };
            }
        }
        Op::MakeStatic(_, at) => keys = vec![sampled(old, *at, 0)],
        Op::MakeAnimated(_, last) => {
            let last = Some(last.unwrap_or(frame_count - 1)).filter(|&last| last > 0 && old.len() == 1)?;
            keys = vec![old[0], AnimKey { time: f32_of(last), ..old[0] }];
        }
        _ => {}
    }
    Some(keys)
}

fn retimed(old: &[AnimKey], scale: f32, offset: f32) -> Option<Vec<AnimKey>> {
    let mut frames: BTreeMap<u32, Vec<(usize, f64)>> = BTreeMap::new();
    for (i, key) in old.iter().enumerate() {
        let exact = f64::from(key.time) * f64::from(scale) + f64::from(offset);
        if exact <= -0.5 {
            return None;
        }
        let frame = (0..1000).find(|&frame| exact < f64::from(frame) + 0.5).unwrap();
        frames.entry(frame).or_default().push((i, (exact - f64::from(frame)).abs()));
    }
    let mut keys = Vec::new();
    for (frame, candidates) in frames {
        let has = |wanted: usize| candidates.iter().any(|(i, _)| *i == wanted);
        let chosen = match (has(0), has(old.len() - 1)) {
            (true, true) => return None,
            (true, false) => 0,
            (false, true) => old.len() - 1,
            _ => candidates.iter().min_by(|a, b| a.1.total_cmp(&b.1)).unwrap().0,
        };
        keys.push(AnimKey { time: f32_of(frame), ..old[chosen] });
    }
    if keys[0].time > 0.0 {
        keys.insert(0, AnimKey { time: 0.0, ..old[0] });
    }
    Some(keys)
}

fn trimmed(old: &[AnimKey], first: u32, last: u32) -> Vec<AnimKey> {
    let last = last.min(u32_of(old[old.len() - 1].time));
    let mut keys = vec![sampled(old, first, 0)];
    let inner = old.iter().filter(|key| (first + 1..last).contains(&u32_of(key.time)));
    keys.extend(inner.map(|key| AnimKey { time: f32_of(u32_of(key.time) - first), ..*key }));
    if last > first {
        keys.push(sampled(old, last, last - first));
    }
    keys
}

fn is_near(key: &AnimKey, (position, rotation): ([f64; 3], [f64; 4]), observed: bool) {
    let [a, b, c, d] = key.rotation.map(|component| f64::from(component) / 32767.0);
    let stored = if observed { [a, b, c, d] } else { [d, a, b, c] };
    let near = |(a, b): (f64, f64)| (a - b).abs() < 1e-3 * (1.0 + b.abs());
    assert!(key.position.map(f64::from).into_iter().zip(position).all(near), "{key:?} {position:?}");
    assert!(stored.into_iter().zip(rotation).all(near), "{key:?} {rotation:?}");
}

/// Every frame is as near as the tolerance says, and nothing but keys is gone.
fn stays_near(old: &[AnimKey], new: &[AnimKey], by: f64, turn: f64, observed: bool) {
    assert_eq!((old.first(), old.last()), (new.first(), new.last()));
    let mut left = old.iter();
    assert!(new.iter().all(|key| left.any(|other| other == key)), "keys are only deleted, in order");
    for frame in 0..=u32_of(old[old.len() - 1].time) {
        let ((p, q), (r, s)) = (sample_keys(old, frame, observed), sample_keys(new, frame, observed));
        let distance = p.iter().zip(r).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
        let length = |q: [f64; 4]| q.iter().map(|c| c * c).sum::<f64>().sqrt();
        let dot = q.iter().zip(s).map(|(a, b)| a * b).sum::<f64>().abs() / length(q) / length(s);
        let angle = 2.0 * dot.min(1.0).acos();
        assert!(distance <= by + 1e-3, "frame {frame} is {distance} off");
        assert!(angle <= turn + 1e-3, "frame {frame} is turned by {angle}");
    }
}
