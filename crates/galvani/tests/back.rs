//! The way back: a glTF of ours, untouched, is the model's file again; changed, only the change has changed.
#![cfg(all(feature = "parkan", feature = "gltf", feature = "fs"))]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed step is a failed test"
)]

#[path = "../../galvani-parkan/tests/common/msh.rs"]
mod cases;
#[path = "../../galvani-parkan/tests/common/msh_build_plans.rs"]
mod plans;

#[path = "common/way_back.rs"]
mod way_back;

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use galvani::formats::{self, Site};
use galvani::parkan::msh::{self, build, write};
use galvani::{Budget, OpenOptions};
use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_to_vec;
use proptest::prelude::*;
use serde_json::{Value, json};
use way_back::{
    Samples, at, back, converted, doubled, extras_and_source, glb, joined, nothing_is_lost, parts, restored,
    sample,
};

#[test]
fn an_untouched_walker_is_itself_again() {
    let file = sample("walker.msh");
    for words in [&[][..], &[("rig", "skin")], &[("unlit", "yes")], &[("variants", "yes")], &[("fps", "30")]]
    {
        let glb = glb("walker.msh", &file, words);
        let made = back(&glb);
        let differing = made.as_ref().map(|made| made.iter().zip(&file).position(|(a, b)| a != b));
        assert_eq!(differing, Ok(None), "{words:?}");
        assert_eq!(made.map(|made| made.len()), Ok(file.len()));
    }
}

/// Whatever is wrong with a model.
#[test]
fn damaged_models_come_back_too() {
    let all = cases::cases();
    let made = all.iter().filter_map(|(name, file)| Some((name, file, converted("case.msh", file, &[])?)));
    let count = made.map(|(name, file, glb)| assert!(back(&glb).as_ref() == Ok(file), "{name}")).count();
    assert!(count > 20, "{count} of {} have scenes", all.len());
}

#[test]
fn the_extras_are_small() {
    let (extras, source) = extras_and_source("walker.msh");
    assert!(extras * 3 <= source, "{extras} of {source} bytes");
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn so_is_every_model(plan in plans::plans()) {
        let file = write(&build::build(&plan).unwrap().document).unwrap();
        prop_assert!(back(&glb("made.msh", &file, &[])) == Ok(file));
    }
}

/// Every number that the glTF states is a number of the file: changed, it changes its own bytes and no other.
#[test]
fn a_change_in_the_gltf_is_a_change_in_the_file() {
    let file = sample("walker.msh");
    let (text, bytes) = parts(&glb("walker.msh", &file, &[]));
    let primitive = &text["meshes"][0]["primitives"][0]["attributes"];
    let channels = text["animations"][0]["channels"].as_array().unwrap();
    let samplers = &text["animations"][0]["samplers"];
    let moving = channels.iter().find(|channel| channel["target"]["path"] == "translation").unwrap();
    let keys = &samplers[usize::try_from(moving["sampler"].as_u64().unwrap()).unwrap()]["output"];
    for (what, accessor) in
        [("position", &primitive["POSITION"]), ("uv", &primitive["TEXCOORD_0"]), ("key", keys)]
    {
        let mut changed = bytes.clone();
        let place = at(&text, accessor);
        let number = f32::from_le_bytes(changed[place..place + 4].try_into().unwrap());
        changed[place..place + 4].copy_from_slice(&(number + 0.5).to_le_bytes());
        let other = back(&joined(&text, &changed)).unwrap();
        let differing: Vec<usize> = (0..file.len()).filter(|i| file[*i] != other[*i]).collect();
        let span = differing.last().unwrap() - differing[0];
        assert!(span < 4, "{what}: bytes {differing:?}");
    }
}

#[test]
fn what_cannot_go_back_says_why() {
    let file = sample("walker.msh");
    let (text, bytes) = parts(&glb("walker.msh", &file, &[]));
    let changed = |change: &dyn Fn(&mut Value)| {
        let mut text = text.clone();
        change(&mut text);
        back(&joined(&text, &bytes))
    };
    assert_eq!(changed(&|_| {}), Ok(file.clone()));
    let mut scaled = text.clone();
    scaled["nodes"][1]["scale"] = json!([2.0, 2.0, 2.0]);
    let (made, told) = restored(&joined(&scaled, &bytes)).unwrap();
    // It no longer stands where the other states have it.
    assert_eq!((made == file, told), (true, vec!["file.lost-change", "gltf.lost-place"]));
    let dropped = changed(&|text| text["scenes"][0]["extras"] = json!({}));
    assert_eq!(dropped, Err("file.no-way-back"));
    let broken = changed(&|text| {
        let own = text["scenes"][0]["extras"]["galvani"].as_str().unwrap();
        let mut own: Value = serde_json::from_str(own).unwrap();
        own["source"]["rest"] = json!("AAAA");
        text["scenes"][0]["extras"]["galvani"] = json!(own.to_string());
    });
    assert_eq!(broken, Err("file.broken-way-back"));
    let old = changed(&|text| {
        let own = text["scenes"][0]["extras"]["galvani"].as_str().unwrap();
        let mut own: Value = serde_json::from_str(own).unwrap();
        own["schema"] = json!(1);
        text["scenes"][0]["extras"]["galvani"] = json!(own.to_string());
    });
    assert_eq!(old, Err("file.broken-way-back"));
    let fewer = changed(&|text| {
        let accessor = text["meshes"][0]["primitives"][0]["indices"].as_u64().unwrap();
        let count = &mut text["accessors"][usize::try_from(accessor).unwrap()]["count"];
        *count = json!(count.as_u64().unwrap() - 3);
    });
    assert_eq!(fewer, Err("file.other-count"));
}

/// What the extras claim is charged before anything is done for it.
#[test]
fn claims_are_charged() {
    let (text, bytes) = parts(&glb("walker.msh", &sample("walker.msh"), &[]));
    let claimed = |change: &dyn Fn(&mut Value)| {
        let mut text = text.clone();
        let own = text["scenes"][0]["extras"]["galvani"].as_str().unwrap();
        let mut own: Value = serde_json::from_str(own).unwrap();
        let index = BASE64_STANDARD.decode(own["source"]["index"].as_str().unwrap()).unwrap();
        let mut index: Value = serde_json::from_slice(&decompress_to_vec(&index).unwrap()).unwrap();
        change(&mut index);
        let index = compress_to_vec(&serde_json::to_vec(&index).unwrap(), 1);
        own["source"]["index"] = json!(BASE64_STANDARD.encode(index));
        text["scenes"][0]["extras"]["galvani"] = json!(own.to_string());
        let file = joined(&text, &bytes);
        let opened = formats::by_id("gltf").unwrap().open(&file, &OpenOptions::default()).unwrap();
        let meter = Budget::default().meter(&galvani::budget::CONVERTING, file.len());
        galvani::convert::restored(&opened, &Site::NOWHERE, &meter)
            .map(drop)
            .map_err(|refused| refused.cause.code.name)
    };
    assert_eq!(claimed(&|_| {}), Ok(()));
    let long = claimed(&|index| index["files"][0][1] = json!(1_u64 << 40));
    assert_eq!(long, Err("file.out-of-memory"));
    // One value that is said to stand everywhere, over and over.
    let row = |i: u32| {
        let seal = i.wrapping_mul(0x9E37_79B1);
        json!(["place", [0], "place", [0, 1], 1, null, [0, 78_000], [], null, [seal, seal, seal]])
    };
    let often = claimed(&|index| index["origins"] = (0..60_000).map(row).collect());
    assert_eq!(often, Err("file.out-of-work"));
}

#[test]
fn no_change_is_lost_without_a_word() {
    let file = sample("walker.msh");
    assert!(nothing_is_lost("walker", &file, &glb("walker.msh", &file, &[])) > 50);
}

/// As a skin the vertices stand where the model does, not where their node has them.
#[test]
fn what_is_said_in_another_way_must_stay() {
    let file = sample("walker.msh");
    let (text, bytes) = parts(&glb("walker.msh", &file, &[("rig", "skin")]));
    let meshes = text["meshes"].as_array().unwrap();
    let refused = meshes.iter().filter(|mesh| {
        let mut changed = bytes.clone();
        changed[at(&text, &mesh["primitives"][0]["attributes"]["POSITION"]) + 2] ^= 1;
        back(&joined(&text, &changed)).is_err_and(|code| code == "file.change-not-taken")
    });
    assert!(refused.count() > 0);
}

/// The walker with two slots that show the same batches.
fn twins() -> Vec<u8> {
    let mut file = sample("walker.msh");
    let site = Site::named("walker.msh", &Samples);
    let opened = formats::by_id("msh").unwrap().open_at(&file, &OpenOptions::default(), &site).unwrap();
    let document = opened.downcast::<msh::Document>().unwrap();
    let slots = document.model().slots.unwrap();
    let rows = slots.stream.bytes.len() - size_of_val(slots.rows);
    let batches = document.archive.offsets()[slots.stream.entry] + rows + 4;
    let size = size_of::<msh::wire::Slot>();
    file.copy_within(batches..batches + 4, batches + size);
    file
}

/// What stands once in the file and twice in the scene: one changed copy counts, two different ones are refused.
#[test]
fn copies_that_differ_are_refused() {
    let file = twins();
    let (mut text, mut bytes) = parts(&glb("walker.msh", &file, &[]));
    let mesh =
        |name| text["meshes"].as_array().unwrap().iter().position(|mesh| mesh["name"] == name).unwrap();
    let (one, other) = (mesh("slot_0"), mesh("slot_1"));
    let shared = text["meshes"][one]["primitives"][0]["attributes"]["POSITION"].clone();
    // Equal lists are written once; other programs write them twice.
    let twin = doubled(&mut text, &mut bytes, &shared);
    let [first, second] = [&shared, &twin].map(|list| at(&text, list));
    text["meshes"][other]["primitives"][0]["attributes"]["POSITION"] = twin;
    let places = [first, second];
    let changed = |changes: &[(usize, u8)]| {
        let mut bytes = bytes.clone();
        for (place, bits) in changes {
            bytes[place + 2] ^= bits;
        }
        back(&joined(&text, &bytes))
    };
    assert_eq!(changed(&[]).as_ref(), Ok(&file));
    let one = changed(&[(places[0], 1)]).unwrap();
    assert!(one != file);
    assert_eq!(changed(&[(places[1], 1)]).as_ref(), Ok(&one));
    assert_eq!(changed(&[(places[0], 1), (places[1], 1)]).as_ref(), Ok(&one));
    assert_eq!(changed(&[(places[0], 1), (places[1], 2)]), Err("file.copies-differ"));
}
