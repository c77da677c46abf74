//! The way back of MDX: a glTF of ours, untouched, is the model's file again; changed, only the change has changed.
#![cfg(all(feature = "mdx", feature = "texture", feature = "gltf", feature = "fs"))]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed step is a failed test"
)]

#[path = "../../galvani-mdx/tests/common/mod.rs"]
mod common;
#[path = "common/way_back.rs"]
mod way_back;

use common::animated::animated;
use galvani::mdx::{Family, write};
use proptest::prelude::*;
use serde_json::Value;
use way_back::{
    at, back, converted, doubled, extras_and_source, glb, joined, nothing_is_lost, parts, restored, sample,
};

const LANTERNS: [&str; 2] = ["lantern.mdx", "lantern-wow.mdx"];

#[test]
fn untouched_lanterns_are_themselves_again() {
    for name in LANTERNS {
        let file = sample(name);
        for words in [
            &[][..],
            &[("rig", "skin")],
            &[("pointer", "yes")],
            &[("layers", "stack")],
            &[("visibility", "extension")],
            &[("visibility", "extras")],
            &[("fps", "30")],
            &[("variants", "yes")],
            &[("variants", "yes"), ("layers", "stack"), ("pointer", "yes"), ("team", "#123456")],
        ] {
            let made = restored(&glb(name, &file, words));
            let same = made.as_ref().map(|(made, told)| (made == &file, told.clone()));
            let told = same.as_ref().map(|(_, told)| told.iter().all(|told| *told == "file.picture-left"));
            assert_eq!(
                (same.as_ref().map(|(same, _)| *same), told),
                (Ok(true), Ok(true)),
                "{name} {words:?}"
            );
        }
    }
}

/// Whatever is wrong with a model.
#[test]
fn damaged_models_come_back_too() {
    let all = common::cases();
    let made = all.iter().filter_map(|(name, file)| Some((name, file, converted("case.mdx", file, &[])?)));
    let count = made.map(|(name, file, glb)| assert!(back(&glb).as_ref() == Ok(file), "{name}")).count();
    assert!(count > 40, "{count} of {} have scenes", all.len());
}

#[test]
fn the_extras_are_small() {
    for name in LANTERNS {
        let (extras, source) = extras_and_source(name);
        assert!(extras * 3 <= source, "{name}: {extras} of {source} bytes");
    }
}

#[test]
fn no_change_is_lost_without_a_word() {
    for name in LANTERNS {
        let file = sample(name);
        for words in [&[][..], &[("variants", "yes")]] {
            let taken = nothing_is_lost(name, &file, &glb(name, &file, words));
            assert!(taken > 10, "{name} {words:?}: {taken}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 16, ..ProptestConfig::default() })]

    #[test]
    fn so_is_every_model(model in prop_oneof![animated(Family::Warcraft), animated(Family::Wow)]) {
        let file = write(&model.document).unwrap();
        for words in [&[][..], &[("variants", "yes")]] {
            if let Some(glb) = converted("made.mdx", &file, words) {
                prop_assert!(back(&glb).as_ref() == Ok(&file), "{:?}", words);
            }
        }
    }
}

/// One that once did not.
#[test]
fn a_model_of_nodes_in_odd_order_comes_back() {
    let file = write(&common::animated::model(Family::Wow, 14_933_919_510_299_235_099, 6)).unwrap();
    assert!(back(&converted("made.mdx", &file, &[]).unwrap()).as_ref() == Ok(&file));
}

/// A changed key of a node changes its own bytes, and no other.
#[test]
fn a_changed_key_is_a_changed_key() {
    for name in LANTERNS {
        let file = sample(name);
        let (text, bytes) = parts(&glb(name, &file, &[]));
        for path in ["translation", "rotation"] {
            let is_meant = |channel: &&Value| channel["target"]["path"] == path;
            let channels = text["animations"][2]["channels"].as_array().unwrap();
            let channel = channels.iter().find(is_meant).unwrap();
            let sampler = usize::try_from(channel["sampler"].as_u64().unwrap()).unwrap();
            let place = at(&text, &text["animations"][2]["samplers"][sampler]["output"]);
            let mut changed = bytes.clone();
            let width = if path == "rotation" { 16 } else { 12 };
            let place = place + width;
            let number = f32::from_le_bytes(changed[place..place + 4].try_into().unwrap());
            changed[place..place + 4].copy_from_slice(&(number + 0.125).to_le_bytes());
            let other = back(&joined(&text, &changed)).unwrap();
            let differing: Vec<usize> = (0..file.len()).filter(|i| file[*i] != other[*i]).collect();
            let span = differing.last().unwrap() - differing[0];
            assert!(span < 16, "{name} {path}: bytes {differing:?}");
        }
    }
}

/// A lantern whose left foot moves by a global sequence, which every clip repeats.
fn restless() -> Vec<u8> {
    let mut file = sample("lantern.mdx");
    let find =
        |from: usize, word: &[u8]| from + file[from..].windows(word.len()).position(|it| it == word).unwrap();
    // Tag, count, kind and global sequence, then a time and three numbers for each key.
    let track = find(find(0, b"Foot Left"), b"KGTR");
    file[track + 12..track + 16].copy_from_slice(&0_i32.to_le_bytes());
    let second = track + 16 + 16 + 4;
    file[second..second + 4].copy_from_slice(&3.0_f32.to_le_bytes());
    file
}

/// What stands once in the file and in every clip of the scene: one changed copy counts, two different ones are refused.
#[test]
fn copies_of_a_global_sequence_that_differ_are_refused() {
    let file = restless();
    let (mut text, mut bytes) = parts(&glb("lantern.mdx", &file, &[]));
    let number = |value: &Value| usize::try_from(value.as_u64().unwrap()).unwrap();
    let foot = text["nodes"].as_array().unwrap().iter().position(|node| node["name"] == "Foot Left").unwrap();
    let mut places = Vec::new();
    for clip in 0..text["animations"].as_array().unwrap().len() {
        let channels = text["animations"][clip]["channels"].as_array().unwrap();
        let is_meant = |it: &&Value| it["target"]["node"] == foot && it["target"]["path"] == "translation";
        let sampler = number(&channels.iter().find(is_meant).unwrap()["sampler"]);
        let list = text["animations"][clip]["samplers"][sampler]["output"].clone();
        let own = doubled(&mut text, &mut bytes, &list);
        places.push(at(&text, &own));
        text["animations"][clip]["samplers"][sampler]["output"] = own;
    }
    assert_eq!(places.len(), 4);
    // The first key of each clip is the first of the track.
    let changed = |changes: &[(usize, f32)]| {
        let mut bytes = bytes.clone();
        for (place, by) in changes {
            let number = f32::from_le_bytes(bytes[*place..place + 4].try_into().unwrap());
            bytes[*place..place + 4].copy_from_slice(&(number + by).to_le_bytes());
        }
        back(&joined(&text, &bytes))
    };
    assert_eq!(changed(&[]).as_ref(), Ok(&file));
    let one = changed(&[(places[0], 0.5)]).unwrap();
    let differing = one.iter().zip(&file).filter(|(a, b)| a != b).count();
    assert!((1..=4).contains(&differing), "{differing}");
    assert_eq!(changed(&[(places[3], 0.5)]).as_ref(), Ok(&one));
    let all: Vec<(usize, f32)> = places.iter().map(|place| (*place, 0.5)).collect();
    assert_eq!(changed(&all).as_ref(), Ok(&one));
    assert_eq!(changed(&[(places[0], 0.5), (places[2], 0.25)]), Err("file.copies-differ"));
}
