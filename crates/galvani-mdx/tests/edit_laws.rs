//! What holds for every edit: curves keep their shape as far as they say, and files stay sound.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a failed test")]

mod common;

use std::collections::BTreeMap;

use common::make::{Dice, KINDS, Make};
use common::naive::{Span, furthest};
use common::raw::{
    bytes, chunk, file, head, modl_warcraft, modl_wow, node, sequence_warcraft, sequence_wow, vers,
};
use common::{case, cases, found};
use galvani_core::{EditError, ReadOptions, Severity};
use galvani_mdx::edit::{self, Interpolation, Keys, TrackRef};
use galvani_mdx::glam::Quat;
use galvani_mdx::{Chunk, Document, Track, check, quaternion, read, write};
use proptest::prelude::*;

const KINDS_OF: [Interpolation; 4] =
    [Interpolation::Step, Interpolation::Linear, Interpolation::Hermite, Interpolation::Bezier];

/// A sequence that loops and one that does not, with room around them.
const SPANS: [Span; 2] =
    [Span { start: 0.0, end: 400.0, loops: true }, Span { start: 500.0, end: 900.0, loops: false }];

/// What the track of a model is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct What {
    wow: bool,
    rotation: bool,
    interpolation: u32,
}

fn whats() -> impl Strategy<Value = What> {
    (any::<bool>(), any::<bool>(), 0_u32..4).prop_map(|(wow, rotation, interpolation)| What {
        wow,
        rotation,
        interpolation,
    })
}

/// A model with one bone and one track with these keys, each of them random within reason.
fn model(what: What, times: &[i32], seed: u64) -> Document {
    let mut dice = Dice::new(seed);
    let mut number =
        |reach: f32| (f32::from(u16::try_from(dice.below(20001)).unwrap()) / 10000.0 - 1.0) * reach;
    let tag = if what.rotation { "KGRT" } else { "KGTR" };
    let mut track = head(tag, u32::try_from(times.len()).unwrap(), what.interpolation, -1);
    let tangents = what.interpolation >= 2;
    for time in times {
        track = track.i32(*time);
        let values = if tangents { 3 } else { 1 };
        // Turns of some sixty degrees, and tangents not far from them.
        let centre = [number(0.5), number(0.5), number(0.5), 1.0];
        for i in 0..values {
            if !what.rotation {
                track = track.f32s(&[number(10.0), number(10.0), number(10.0)]);
                continue;
            }
            let near = centre.map(|part| part + if i == 0 { 0.0 } else { number(0.2) });
            let len = near.iter().map(|part| part * part).sum::<f32>().sqrt();
            let unit = near.map(|part| part / len);
            let words = quaternion::words(quaternion::encode(Quat::from_array(unit)));
            track = if what.wow { track.u32(words[0]).u32(words[1]) } else { track.f32s(&unit) };
        }
    }
    let bone = bytes().raw(node("Root", 0, -1, 0x100, track)).i32(-1).i32(-1);
    let file = if what.wow {
        let stand = sequence_wow("Stand", 0, 400).0;
        let mut death = sequence_wow("Death", 500, 900).0;
        death[0x5c] = 1;
        let bones = bytes().u32(1).raw(bone);
        file(&[
            vers(1300),
            modl_wow(),
            chunk("SEQS", bytes().u32(2).raw(stand).raw(death)),
            chunk("BONE", bones),
        ])
    } else {
        let stand = sequence_warcraft("Stand", 0, 400).0;
        let mut death = sequence_warcraft("Death", 500, 900).0;
        death[0x5c] = 1;
        file(&[vers(800), modl_warcraft(), chunk("SEQS", [stand, death].concat()), chunk("BONE", bone)])
    };
    found(&file).document
}

fn only(document: &Document) -> Track {
    let mut all = Vec::new();
    document.each_track(|_, track| all.push(track.clone()));
    assert_eq!(all.len(), 1);
    all.remove(0)
}

fn named(document: &Document) -> TrackRef {
    edit::tracks(document).remove(0)
}

fn off(one: &Track, other: &Track, parts: u32) -> f64 {
    SPANS.iter().map(|span| furthest(one, other, *span, parts)).fold(0.0, f64::max)
}

/// How far rounding takes a value: floats of some tens, or rotations; packed ones lose a little of w.
fn rounding(what: What) -> f64 {
    if what.rotation && what.wow { 2e-5 } else { 1e-4 }
}

fn times() -> impl Strategy<Value = Vec<i32>> {
    prop::collection::btree_set(0_i32..=900, 1..8).prop_map(|times| times.into_iter().collect())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]

    #[test]
    fn an_inserted_key_keeps_the_curve(what in whats(), times in times(), at in 0_i32..=900, seed: u64) {
        let before = model(what, &times, seed);
        let mut after = before.clone();
        let Ok(inserted) = edit::insert_key(&mut after, &named(&before), at, None) else {
            return Ok(());
        };
        let found = off(&only(&before), &only(&after), 2);
        prop_assert_eq!(only(&after).times[inserted.key], at);
        if what.rotation && what.interpolation >= 2 {
            prop_assert!(found <= inserted.off + 1e-3, "{found} where {inserted:?} was said");
            prop_assert!(found < 0.15, "{found}");
        } else {
            prop_assert!(found <= rounding(what), "{found}");
            prop_assert!(inserted.off <= rounding(what), "{inserted:?}");
        }
    }

    #[test]
    fn another_interpolation_is_as_near_as_it_says(
        what in whats(), times in times(), kind in prop::sample::select(&KINDS_OF[..]), seed: u64,
        tolerance in prop::sample::select(&[0.5, 0.05, 0.005][..]),
    ) {
        let before = model(what, &times, seed);
        let mut after = before.clone();
        let changed = edit::set_interpolation(&mut after, &named(&before), kind, tolerance).unwrap();
        let (old, new) = (only(&before), only(&after));
        prop_assert_eq!(new.interpolation, kind.number());
        prop_assert_eq!(new.times.len(), changed.keys);
        let found = off(&old, &new, 1);
        prop_assert!(found <= changed.off + 1e-6, "{found} where {changed:?} was said");
        if changed.is_exact {
            prop_assert!(found <= rounding(what), "{found}: {changed:?}");
        } else {
            prop_assert!(found <= tolerance + rounding(what), "{found}: {changed:?}");
        }
        prop_assert_eq!(read(&write(&after).unwrap(), &ReadOptions::default()).unwrap().document, after);
    }

    #[test]
    fn a_reduced_curve_is_within_the_tolerance(
        what in whats(), times in times(), seed: u64, tolerance in prop::sample::select(&[5.0, 0.5, 0.05, 0.0][..]),
        more in prop::collection::btree_set(0_i32..=900, 0..8),
    ) {
        let mut before = model(what, &times, seed);
        let name = named(&before);
        for at in more {
            let _ = edit::insert_key(&mut before, &name, at, None);
        }
        let mut after = before.clone();
        let removed = edit::reduce(&mut after, &name, tolerance).unwrap();
        let (old, new) = (only(&before), only(&after));
        prop_assert_eq!(old.times.len() - new.times.len(), removed);
        let found = off(&old, &new, 4);
        prop_assert!(found <= tolerance + 1e-9, "{found}");
    }
}

fn first_time(document: &Document, name: &TrackRef) -> i32 {
    let mut at = 0;
    document.each_track(|path, found| {
        if TrackRef::from(path) == *name {
            at = found.times.first().copied().unwrap_or(0);
        }
    });
    at
}

/// A track of another kind in the record of one.
fn other_kind(track: &TrackRef, dice: &mut Dice) -> TrackRef {
    const KINDS: [&str; 12] =
        ["KGTR", "KGSC", "KMTA", "KMTF", "KTAS", "KGAO", "KGAC", "KLAE", "KVIS", "KP2G", "KRTX", "KCRL"];
    let name = track.to_string();
    let record = name.rsplit_once('.').unwrap().0;
    let kind = KINDS[dice.below(u32::try_from(KINDS.len()).unwrap()) as usize];
    format!("{record}.{kind}").parse().unwrap()
}

/// One edit, by dice, and the tags of chunks that it may change; nothing for all that have tracks.
fn random(document: &mut Document, dice: &mut Dice) -> (Result<(), EditError>, Option<Vec<[u8; 4]>>) {
    let tracks = edit::tracks(document);
    let track = tracks.get(dice.below(u32::try_from(tracks.len().max(1)).unwrap()) as usize).cloned();
    let index = dice.below(4) as usize;
    let time = i32::try_from(dice.below(3000)).unwrap();
    let text = ["Stand", "Walk - Var1", "Textures\\x.blp"][dice.below(3) as usize];
    let whose =
        |track: &TrackRef| Some(vec![<[u8; 4]>::try_from(&track.to_string().as_bytes()[..4]).unwrap()]);
    let start = i64::from(dice.below(9000));
    let values: Vec<f64> = (0..=dice.below(4)).map(|i| f64::from(i) * 0.25).collect();
    let kind = KINDS_OF[dice.below(4) as usize];
    let choice = dice.below(22);
    let sequences = || None;
    if let (5..=10 | 17..=20, Some(track)) = (choice, &track) {
        let outcome = match choice {
            5 | 6 => edit::insert_key(document, track, time, None).map(drop),
            7 => edit::insert_key(document, track, time, Some(&values)).map(drop),
            8 => edit::delete_key(document, track, first_time(document, track)),
            9 => edit::reduce(document, track, 0.1).map(drop),
            17 => edit::move_key(document, track, first_time(document, track), time),
            18 => edit::remove_track(document, track),
            19 | 20 => {
                let name = other_kind(track, dice);
                let values: Vec<f64> = (0..=2 * dice.below(2)).map(|i| f64::from(i) * 0.25).collect();
                edit::add_track(document, &name, kind, time, &values).map(drop)
            }
            _ => edit::set_interpolation(document, track, kind, 0.1).map(drop),
        };
        return (outcome, whose(track));
    }
    let some = |tags: &[&[u8; 4]]| Some(tags.iter().map(|tag| **tag).collect());
    match choice {
        0 => (edit::add_sequence(document, text, start, start + 100).map(drop), some(&[b"SEQS", b"GEOS"])),
        1 => (edit::remove_sequence(document, index, Keys::Keep).map(drop), some(&[b"SEQS", b"GEOS"])),
        2 => (edit::remove_sequence(document, index, Keys::Drop).map(drop), sequences()),
        3 => (edit::move_sequence(document, index, start), sequences()),
        4 => (edit::retime_sequence(document, index, f64::from(1 + dice.below(40)) / 10.0), sequences()),
        11 => (edit::set_texture(document, index, text), some(&[b"TEXS"])),
        12 => (edit::add_texture(document, text, 0, 0).map(drop), some(&[b"TEXS"])),
        13 => {
            let instead = (dice.below(2) == 0).then_some(dice.below(3) as usize);
            (edit::remove_texture(document, index, instead), some(&[b"TEXS", b"MTLS", b"PRE2"]))
        }
        14 => {
            let parent = (dice.below(3) > 0).then_some(dice.below(9) as usize);
            let at = document.nodes().get(index).map_or([0; 4], |placed| {
                <[u8; 4]>::try_from(&placed.path.to_string().as_bytes()[..4]).unwrap()
            });
            (edit::reparent_node(document, index, parent), Some(vec![at]))
        }
        15 => (edit::set_layer_filter(document, index, 0, dice.below(7)), some(&[b"MTLS"])),
        21 => (edit::set_texture_flags(document, index, dice.below(4)), some(&[b"TEXS"])),
        _ => (edit::rename_sequence(document, index, text), some(&[b"SEQS"])),
    }
}

/// Errors by code.
fn errors(document: &Document) -> BTreeMap<&'static str, u64> {
    let mut all = BTreeMap::new();
    for finding in check(document).findings() {
        if finding.severity == Severity::Error {
            *all.entry(finding.code.name).or_insert(0) += finding.count;
        }
    }
    all
}

/// Makes edits and holds each against what every edit must keep.
fn keeps_the_laws(mut document: Document, dice: &mut Dice, edits: u32) -> u32 {
    let mut made = 0;
    for _ in 0..edits {
        let before = document.clone();
        let (outcome, may) = random(&mut document, dice);
        if let Err(error) = outcome {
            assert_eq!(document, before, "{error} changed something");
            continue;
        }
        made += 1;
        let alone =
            |chunk: &Chunk| write(&Document { chunks: vec![chunk.clone()], ..before.clone() }).unwrap();
        let old: Vec<Vec<u8>> = before.chunks.iter().map(alone).collect();
        let may = may.unwrap_or_else(|| {
            let without = [b"VERS", b"MODL", b"GLBS", b"TEXS", b"PIVT", b"FAFX", b"BPOS"];
            let with = before.chunks.iter().map(|chunk| chunk.tag);
            with.filter(|tag| !without.contains(&tag)).collect()
        });
        for chunk in document.chunks.iter().filter(|chunk| !may.contains(&chunk.tag)) {
            assert!(old.contains(&alone(chunk)), "{:?} changed", String::from_utf8_lossy(&chunk.tag));
        }
        let again = read(&write(&document).unwrap(), &ReadOptions::default()).unwrap().document;
        assert_eq!(again.chunks, document.chunks);
        let was = errors(&before);
        for (code, count) in errors(&document) {
            assert!(count <= was.get(code).copied().unwrap_or(0), "{code} is new");
        }
    }
    made
}

#[test]
fn edits_of_sound_models_keep_them_sound() {
    for name in ["plain-warcraft", "plain-wow", "plain-900", "plain-1500"] {
        let mut made = 0;
        for seed in 0..40 {
            made += keeps_the_laws(found(&case(name)).document, &mut Dice::new(seed), 20);
        }
        assert!(made > 50, "{name}: only {made} edits were made");
    }
}

#[test]
fn edits_of_damaged_models_are_refused_or_keep_the_laws() {
    for (_, file) in cases() {
        let Ok(found) = read(&file, &ReadOptions::default()) else { continue };
        for seed in 0..8 {
            keeps_the_laws(found.document.clone(), &mut Dice::new(seed), 12);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(60))]

    #[test]
    fn edits_of_any_model_keep_the_laws(kind in prop::sample::select(KINDS), seed: u64) {
        let model = Make::new(kind, seed, 3).model();
        keeps_the_laws(found(&model).document, &mut Dice::new(seed), 6);
    }
}
