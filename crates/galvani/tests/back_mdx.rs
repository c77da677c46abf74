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
    at, back, converted, extras_and_source, glb, joined, nothing_is_lost, parts, restored, sample,
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
