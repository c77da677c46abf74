//! Tracks from and to streams 1, 8 and 19.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

#[path = "common/msh_edit.rs"]
mod msh_edit;
#[path = "common/raw.rs"]
#[allow(dead_code, unreachable_pub, reason = "each test file uses its part of this")]
mod raw;

use galvani_core::{EditError, Reading};
use galvani_parkan::msh::animation::{self, AnimKey, AnimModel, Layout, NodeAnimTrack, frame_map};
use galvani_parkan::msh::edit;
use galvani_parkan::msh::streams::{FRAME_MAP, KEYS, NODES};
use galvani_parkan::msh::{Document, write};
use msh_edit::{RawModel, any_bits, document, key_bytes, model, naive_map, plain_number, sample, u16_of};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::Index;

fn tracks(document: &Document) -> AnimModel {
    animation::read(&document.model()).unwrap()
}

/// What a list of keys says the tracks are.
fn wanted(raw: &RawModel) -> AnimModel {
    let frame_count = raw.frame_count();
    let track = |(node_index, keys): (usize, Vec<AnimKey>)| {
        let has_map = keys.len() > 1;
        let times: Vec<f32> = keys.iter().map(|key| key.time).collect();
        let words = if has_map { naive_map(&times, frame_count) } else { Vec::new() };
        let frame_map = words.into_iter().map(|word| i32::try_from(word).unwrap()).collect();
        NodeAnimTrack { node_index, has_map, keys, frame_map }
    };
    AnimModel { frame_count, tracks: raw.tracks().into_iter().enumerate().map(track).collect() }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, ..ProptestConfig::default() })]

    #[test]
    fn tracks_are_the_keys_and_maps_of_the_nodes(raw in model(any_bits())) {
        prop_assert_eq!(tracks(&raw.document()), wanted(&raw));
    }

    #[test]
    fn tracks_written_back_leave_every_bit_as_it_was(raw in model(any_bits())) {
        for layout in [Layout::Keep, Layout::Canonical] {
            let mut written = raw.document();
            animation::write(&tracks(&written), &mut written, layout).unwrap();
            prop_assert_eq!(&written, &raw.document());
            prop_assert_eq!(write(&written).unwrap(), raw.file());
        }
    }

    #[test]
    fn tracks_written_into_a_bare_model_make_what_the_facts_would_write(raw in model(any_bits())) {
        let mut bare = document(&raw.file_without_animation(), raw.observed);
        animation::write(&wanted(&raw), &mut bare, Layout::Keep).unwrap();
        prop_assert_eq!(write(&bare).unwrap(), raw.file());
    }

    #[test]
    fn a_map_is_what_the_rule_says(
        first in 0..40_u16, gaps in vec(1..60_u16, 0..12), frames in 0..300_u32,
    ) {
        let quarters = std::iter::once(first).chain(gaps).scan(0, |at, gap| {
            *at += gap;
            Some(f32::from(*at) / 4.0)
        });
        let times: Vec<f32> = quarters.collect();
        let keys: Vec<AnimKey> = times.iter().map(|&time| AnimKey { time, ..AnimKey::default() }).collect();
        let map: Vec<usize> =
            frame_map(&keys, frames).unwrap().into_iter().map(|i| usize::try_from(i).unwrap()).collect();
        prop_assert_eq!(map, naive_map(&times, frames));
    }

    #[test]
    fn odd_models_come_back_from_their_tracks_unchanged(odd in odd()) {
        let mut written = odd.document();
        animation::write(&tracks(&written), &mut written, Layout::Keep).unwrap();
        prop_assert_eq!(written, odd.document());
    }

    /// Other nodes keep the bits of their keys, show the same on every frame, and keep what lies above the
    /// fallback above it; the rest of the file stays as it is.
    #[test]
    fn an_edit_of_one_node_leaves_the_others_alone(
        odd in odd(), node in any::<Index>(), frame in 0..80_u16, delete in any::<bool>(),
    ) {
        let before = odd.document();
        let old = tracks(&before);
        let node = node.index(old.tracks.len());
        let mut after = before.clone();
        let done = if delete {
            edit::delete_key(&mut after, node, usize::from(frame) % old.tracks[node].keys.len())
        } else {
            edit::insert_key(&mut after, node, f32::from(frame), Some([1.0; 3]), None).map(drop)
        };
        if done.is_err() {
            prop_assert_eq!(after, before);
            return Ok(());
        }
        let new = tracks(&after);
        for (i, (old_track, track)) in old.tracks.iter().zip(&new.tracks).enumerate() {
            if i == node {
                continue;
            }
            prop_assert_eq!(&track.keys, &old_track.keys);
            prop_assert_eq!(track.has_map, old_track.has_map);
            let fallback = i32::try_from(track.keys.len()).unwrap() - 1;
            for (word, old_word) in track.frame_map.iter().zip(&old_track.frame_map) {
                prop_assert_eq!((*word).clamp(-1, fallback), (*old_word).clamp(-1, fallback));
            }
            // A map that names keys of the edited node may show something else.
            let foreign = old_track.frame_map.iter().any(|&word| word < 0) && node <= i;
            for frame in (0..old.frame_count.max(new.frame_count) + 2).filter(|_| !foreign) {
                let observed = raw_reading(&before);
                let [a, b] = [&old, &new].map(|anim| format!("{:?}", sample(anim, i, frame, observed)));
                prop_assert_eq!(a, b, "node {} on frame {}", i, frame);
            }
        }
        rest_is_untouched(&before, &after);
    }
}

fn raw_reading(document: &Document) -> bool {
    document.reading == Reading::Observed
}

/// All but the keys, the map, and the two fields of a node that point into them.
fn rest_is_untouched(before: &Document, after: &Document) {
    assert_eq!(before.archive.entries.len(), after.archive.entries.len());
    for (i, (old, new)) in before.archive.entries.iter().zip(&after.archive.entries).enumerate() {
        let [a, b] = [before, after].map(|document| document.archive.payload(i).unwrap().to_vec());
        assert_eq!((old.type_id, old.name, old.sort_index), (new.type_id, new.name, new.sort_index));
        match old.type_id {
            KEYS => assert_eq!((old.attr2, 4), (new.attr2, new.attr3)),
            FRAME_MAP => assert_eq!(new.attr3, 2),
            NODES => {
                assert_eq!((old.attr1, old.attr2, old.attr3), (new.attr1, new.attr2, new.attr3));
                assert_eq!(unpointed(&a), unpointed(&b));
            }
            _ => assert_eq!((old.attr1, old.attr2, old.attr3, a), (new.attr1, new.attr2, new.attr3, b)),
        }
    }
}

/// Nodes without `map_start` and `fallback_key`.
fn unpointed(nodes: &[u8]) -> Vec<u8> {
    let pointer = |i: usize| (4..8).contains(&(i % 38)) && i < nodes.len() / 38 * 38;
    nodes.iter().enumerate().filter(|(i, _)| !pointer(*i)).map(|(_, byte)| *byte).collect()
}

/// A model with all that a reader must bear: maps of any words and in any order, words and keys that nobody
/// owns, bytes behind the last record.
#[derive(Debug, Clone)]
struct Odd {
    raw: RawModel,
    words: Vec<u16>,
    order: Vec<usize>,
    spare_words: usize,
    spare_keys: Vec<AnimKey>,
    rests: [Vec<u8>; 3],
}

fn odd() -> impl Strategy<Value = Odd> {
    let raw = model(prop_oneof![3 => plain_number(), 1 => any_bits()].boxed());
    let key = Just(AnimKey { position: [9.0; 3], time: f32::NAN, rotation: [1, 2, 3, 4] });
    let rest = || vec(any::<u8>(), 0..2);
    let order = Just((0..6).collect::<Vec<usize>>()).prop_shuffle();
    let words = vec(prop_oneof![8 => Just(0), 1 => any::<u16>(), 1 => 0..30_u16], 1..40);
    (raw, words, order, 0..4_usize, vec(key, 0..3), [rest(), rest(), rest()]).prop_map(
        |(raw, words, order, spare_words, spare_keys, rests)| Odd {
            raw,
            words,
            order,
            spare_words,
            spare_keys,
            rests,
        },
    )
}

impl Odd {
    fn document(&self) -> Document {
        let mut entries = self.raw.entries();
        let frames = usize::try_from(self.raw.frame_count()).unwrap();
        let mapped: Vec<usize> =
            (0..self.raw.nodes.len()).filter(|&i| self.raw.nodes[i].keys.len() > 1).collect();
        let runs: Vec<usize> = self.order.iter().copied().filter(|i| mapped.contains(i)).collect();
        let mut old = entries[5].bytes.clone();
        // Some words are others: 0 in the list leaves one as it is.
        for (word, odd) in old.chunks_mut(2).zip(self.words.iter().cycle()) {
            if *odd > 0 {
                word.copy_from_slice(&odd.to_le_bytes());
            }
        }
        let mut map = vec![0xAB; self.spare_words * 2];
        for node in runs {
            let run = mapped.iter().position(|&other| other == node).unwrap();
            let start = u16_of(map.len() / 2);
            entries[0].bytes[node * 38 + 4..node * 38 + 6].copy_from_slice(&start.to_le_bytes());
            map.extend(&old[run * frames * 2..(run + 1) * frames * 2]);
            map.extend(vec![0xCD; self.spare_words * 2]);
        }
        entries[5].bytes = map;
        entries[4].bytes.extend(self.spare_keys.iter().flat_map(key_bytes));
        for (rest, place) in self.rests.iter().zip([0, 4, 5]) {
            entries[place].bytes.extend(rest);
        }
        document(&raw::canonical(0x100, &entries), self.raw.observed)
    }
}

#[test]
fn a_static_model_has_an_empty_map_of_one_frame() {
    let mut animated = example(&[&[0.0, 10.0], &[0.0]]);
    edit::make_static(&mut animated, 0, 0.0).unwrap();
    let map = animated.model().frame_map.unwrap();
    assert_eq!((map.stream.attr, map.stream.bytes.len()), ([0, 1, 2], 0));
    let nodes = animated.model().nodes.unwrap().rows;
    assert_eq!(nodes.iter().map(|node| node.map_start.get()).collect::<Vec<_>>(), [0xFFFF; 2]);
    assert_eq!(nodes.iter().map(|node| node.fallback_key.get()).collect::<Vec<_>>(), [0, 1]);
}

#[test]
fn canonical_layout_drops_what_no_run_has() {
    let mut odd = example(&[&[0.0, 3.0], &[0.0, 2.0]]);
    let canonical = odd.clone();
    let swapped: Vec<u8> = {
        let words = odd.model().frame_map.unwrap().stream.bytes.to_vec();
        [&words[8..], &[9, 9], &words[..8], &[1]].concat()
    };
    put(&mut odd, FRAME_MAP, swapped);
    point(&mut odd, 0, Some(5), None);
    point(&mut odd, 1, Some(0), None);
    assert_eq!(tracks(&odd), tracks(&canonical));
    edit::rebuild_maps(&mut odd).unwrap();
    assert_eq!(odd, canonical);
}

#[test]
fn what_is_above_the_fallback_stays_above_it() {
    let mut odd = example(&[&[0.0, 1.0], &[0.0, 2.0]]);
    put(&mut odd, FRAME_MAP, [0_u16, 1, 1, 2, 0xFFFF, 4].into_iter().flat_map(u16::to_le_bytes).collect());
    edit::insert_key(&mut odd, 0, 2.0, None, None).unwrap();
    let words: Vec<u16> = odd.model().frame_map.unwrap().rows.iter().map(|word| word.key.get()).collect();
    assert_eq!(words, [0, 1, 2, 3, 0xFFFF, 5]);
}

#[test]
fn what_has_no_tracks_is_refused_by_its_place() {
    let damaged = |damage: &dyn Fn(&mut Document)| {
        let mut document = example(&[&[0.0, 3.0], &[0.0, 2.0]]);
        damage(&mut document);
        refusal(animation::read(&document.model()))
    };
    let legacy = damaged(&|document| {
        let nodes = document.model().nodes.unwrap().stream.bytes.to_vec();
        document.set_stream(NODES, nodes, [None, None, Some(24)]).unwrap();
    });
    assert_eq!(legacy, "streams[0]: msh.edit-legacy-nodes: records of 38 bytes wanted, of 24 found");
    assert_eq!(
        damaged(&|document| point(document, 1, None, Some(1))),
        "nodes[1].fallback_key: msh.edit-fallback-order: 2 or more wanted behind the keys \
         of the node before, 1 found"
    );
    assert_eq!(
        damaged(&|document| point(document, 1, None, Some(4))),
        "nodes[1].fallback_key: msh.edit-keys-outside: key 4 wanted, there are 4"
    );
    assert_eq!(
        damaged(&|document| point(document, 1, Some(5), None)),
        "nodes[1].map_start: msh.edit-map-outside: 4 words from 5 on wanted, there are 8"
    );
    assert_eq!(
        damaged(&|document| put(document, KEYS, vec![0; 24])),
        "nodes[0].fallback_key: msh.edit-keys-outside: key 1 wanted, there are 1"
    );
    let shared = damaged(&|document| {
        document.set_stream(FRAME_MAP, vec![0; 140_000], [None, Some(70_000), None]).unwrap();
        point(document, 0, Some(0), None);
        point(document, 1, Some(0), None);
    });
    assert_eq!(
        shared,
        "frame_map: msh.edit-map-shared: 2 runs of 70000 words cannot stand one behind the other"
    );
}

#[test]
fn tracks_that_do_not_fit_are_refused_and_change_nothing() {
    let refused = |change: &dyn Fn(&mut AnimModel)| {
        let mut document = example(&[&[0.0, 3.0], &[0.0, 2.0]]);
        let (before, mut anim) = (document.clone(), tracks(&document));
        change(&mut anim);
        let refusal = refusal(animation::write(&anim, &mut document, Layout::Keep));
        assert_eq!(document, before);
        refusal
    };
    assert_eq!(refused(&|anim| anim.tracks.truncate(1)), "nodes: msh.edit-track-count: 1 tracks for 2 nodes");
    assert_eq!(
        refused(&|anim| anim.tracks[1].frame_map.truncate(3)),
        "nodes[1].map_start: msh.edit-map-length: 3 words for 4 frames"
    );
    assert_eq!(
        refused(&|anim| anim.tracks[1].keys.clear()),
        "nodes[1]: msh.edit-last-key: a node needs at least one key"
    );
    assert_eq!(
        refused(&|anim| anim.tracks[1].keys.resize(65_534, AnimKey::default())),
        "keys: msh.edit-too-many-keys: at most 65535 keys fit, 65536 wanted"
    );
    assert_eq!(
        refused(&|anim| anim.set_frame_count(65_535).unwrap()),
        "frame_map: msh.edit-map-full: 2 animated nodes of 65535 frames: the last run would start at 65535, \
         65534 is the last place"
    );
    assert_eq!(
        refused(&|anim| anim.set_frame_count(8_388_609).unwrap()),
        "frame_map: msh.edit-too-many-frames: at most 8388608 frames fit, 8388609 wanted"
    );
}

#[test]
fn limits_are_reached_exactly() {
    let mut document = example(&[&[0.0, 3.0], &[0.0, 2.0]]);
    let mut anim = tracks(&document);
    anim.tracks[1].keys.resize(65_533, AnimKey::default());
    anim.tracks[1].rebuild_map(4).unwrap();
    anim.set_frame_count(65_534).unwrap();
    animation::write(&anim, &mut document, Layout::Keep).unwrap();
    assert_eq!(tracks(&document), anim);
    let nodes = document.model().nodes.unwrap().rows.to_vec();
    assert_eq!((nodes[1].map_start.get(), nodes[1].fallback_key.get()), (65_534, 65_534));
}

/// A model of keys at these times, their positions numbered.
fn example(times: &[&[f32]]) -> Document {
    let mut number = 0.0;
    let mut key = |time: &f32| {
        number += 1.0;
        AnimKey { position: [number, 0.5, -number], time: *time, rotation: [32767, 0, 0, 0] }
    };
    let node = |keys| msh_edit::RawNode {
        flags: 1,
        parent: 0xFFFF,
        slots: [2; 15],
        keys,
        name: b"node".to_vec(),
        label: Vec::new(),
    };
    let nodes = times.iter().map(|times| times.iter().map(&mut key).collect()).map(node).collect();
    RawModel { observed: true, nodes, batches: Vec::new(), geometry: vec![1; 24] }.document()
}

fn put(document: &mut Document, stream: u32, bytes: Vec<u8>) {
    document.set_stream(stream, bytes, [None; 3]).unwrap();
}

/// Points a node elsewhere.
fn point(document: &mut Document, node: usize, map_start: Option<u16>, fallback: Option<u16>) {
    let mut bytes = document.model().nodes.unwrap().stream.bytes.to_vec();
    for (at, word) in [(4, map_start), (6, fallback)] {
        if let Some(word) = word {
            bytes[node * 38 + at..node * 38 + at + 2].copy_from_slice(&word.to_le_bytes());
        }
    }
    put(document, NODES, bytes);
}

fn refusal<T: std::fmt::Debug>(result: Result<T, EditError>) -> String {
    result.unwrap_err().to_string()
}
