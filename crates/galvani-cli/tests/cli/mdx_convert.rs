//! `convert` of MDX: a lantern as a file that other programs show.

use serde_json::Value;

use crate::common::Desk;

fn desk() -> Desk {
    let desk = Desk::new();
    assert_eq!(desk.run(&["samples", "."]).code, 0);
    desk
}

/// The JSON of a `.glb`.
fn gltf(file: &[u8]) -> Value {
    let len = u32::from_le_bytes(file[12..16].try_into().unwrap()) as usize;
    serde_json::from_slice(&file[20..20 + len]).unwrap()
}

fn names(list: &Value) -> Vec<&str> {
    list.as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect()
}

/// Codes and messages of what a conversion cost.
fn told(json: &Value) -> Vec<(&str, &str)> {
    let findings = json["files"][0]["findings"].as_array().unwrap();
    findings.iter().map(|one| (one["code"].as_str().unwrap(), one["message"].as_str().unwrap())).collect()
}

#[test]
fn a_lantern_becomes_a_glb_with_its_pictures_and_clips() {
    let desk = desk();
    let done = desk.run(&["convert", "lantern.mdx", "-o", "lantern.glb"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let root = gltf(&desk.read("lantern.glb"));
    assert_eq!(names(&root["animations"]), ["Stand", "Stand - 2", "Walk", "Death"]);
    assert_eq!(names(&root["images"]), ["Lantern", "LanternGlow"]);
    assert_eq!(root["materials"].as_array().unwrap().len(), 2);
    let walk = &root["animations"][2]["extras"];
    assert_eq!((&walk["galvani_clip"], &walk["galvani_loop"]), (&2.into(), &"wrap".into()));
    assert_eq!(walk["galvani_move_speed"], 120.0);
}

#[test]
fn a_picture_that_is_not_there_is_told_with_every_place_and_found_where_one_says() {
    let desk = desk();
    desk.put("alone/lantern.mdx", desk.read("lantern.mdx"));
    let (code, json) = desk.json(&["convert", "alone/lantern.mdx", "-o", "alone.glb", "--json"]);
    assert_eq!(code, 0);
    let lost: Vec<&str> =
        told(&json).iter().filter(|(code, _)| *code == "mdx.lost-texture").map(|(_, said)| *said).collect();
    assert_eq!(lost.len(), 1, "{json:#}");
    for place in
        ["Textures/Lantern.blp", "Textures/Lantern.dds", "alone/Lantern.png", "alone/LanternGlow.blp"]
    {
        assert!(lost[0].contains(place), "{place} in {}", lost[0]);
    }
    let words = ["convert", "alone/lantern.mdx", "--textures", "Textures", "-o", "found.glb", "--json"];
    let (_, json) = desk.json(&words);
    assert!(told(&json).iter().all(|(code, _)| *code != "mdx.lost-texture"), "{json:#}");
}

#[test]
fn the_choices_of_the_game_are_the_callers() {
    let desk = desk();
    let bytes = |name: &str, words: &[&str]| {
        let done = desk.run(&[&["convert", "lantern-wow.mdx", "-o", name], words].concat());
        assert_eq!(done.code, 0, "{}", done.stderr);
        gltf(&desk.read(name))
    };
    let usual = bytes("usual.glb", &[]);
    let skinned = bytes("skin.glb", &["--skin", "11=Textures/Lantern.dds"]);
    assert!(!names(&usual["images"]).contains(&"replaceable 11"));
    assert!(names(&skinned["images"]).contains(&"replaceable 11"));
    let stacked = bytes("stack.glb", &["--layers", "stack", "--additive", "plain", "--team", "#ff00ff"]);
    let primitives = |root: &Value| root["meshes"][0]["primitives"].as_array().unwrap().len();
    assert_eq!((primitives(&usual), primitives(&stacked)), (1, 2));
    for wrong in [&["--team", "13"][..], &["--team", "#12"], &["--skin", "boar.blp"], &["--layers", "some"]] {
        let done = desk.run(&[&["convert", "lantern.mdx", "-o", "wrong.glb"], wrong].concat());
        assert_eq!(done.code, 2, "{wrong:?}: {}", done.stderr);
    }
}
