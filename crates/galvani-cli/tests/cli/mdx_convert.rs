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

/// A model as a `.glb`, and the codes of what that cost.
fn made(desk: &Desk, input: &str, words: &[&str]) -> (Value, Vec<String>) {
    let usual = ["convert", input, "-o", "made.glb", "--force", "--json"];
    let (code, json) = desk.json(&[&usual[..], words].concat());
    assert_eq!(code, 0, "{json:#}");
    let codes = told(&json).into_iter().map(|(code, _)| code.to_owned()).collect();
    (gltf(&desk.read("made.glb")), codes)
}

fn uses(root: &Value, extension: &str) -> bool {
    root["extensionsUsed"].as_array().is_some_and(|all| all.iter().any(|name| name == extension))
}

#[test]
fn extensions_say_what_core_gltf_cannot_where_they_are_asked_for() {
    let desk = desk();
    for (input, flag, name, lost) in [
        ("lantern.mdx", "--lights", "KHR_lights_punctual", "gltf.lost-light"),
        ("lantern.mdx", "--pointer", "KHR_animation_pointer", "gltf.lost-track"),
        ("frog/zgaa", "--unlit", "KHR_materials_unlit", "gltf.lost-unlit"),
    ] {
        let (plain, codes) = made(&desk, input, &[]);
        assert!(plain.get("extensionsUsed").is_none(), "{input}: {}", plain["extensionsUsed"]);
        assert!(codes.iter().any(|code| code == lost), "{input}: {codes:?}");
        let (said, codes) = made(&desk, input, &[flag]);
        assert!(uses(&said, name) && said.get("extensionsRequired").is_none(), "{input} {flag}");
        assert!(codes.iter().all(|code| code != lost), "{input} {flag}: {codes:?}");
    }
}

#[test]
fn lights_hang_on_their_nodes() {
    let (root, _) = made(&desk(), "lantern.mdx", &["--lights"]);
    let lights = root["extensions"]["KHR_lights_punctual"]["lights"].as_array().unwrap();
    assert_eq!(lights.len(), 1);
    assert_eq!(lights[0]["type"], "point");
    let nodes = root["nodes"].as_array().unwrap().iter();
    let lit: Vec<&Value> = nodes.filter_map(|node| node["extensions"].get("KHR_lights_punctual")).collect();
    assert_eq!(lit, [&serde_json::json!({"light": 0})]);
}

#[test]
fn pointers_name_what_moves_in_materials() {
    let desk = desk();
    let (root, _) = made(&desk, "lantern.mdx", &["--pointer"]);
    let clips = root["animations"].as_array().unwrap().iter();
    let channels = clips.flat_map(|clip| clip["channels"].as_array().unwrap());
    let targets = channels.map(|channel| &channel["target"]);
    let pointers: Vec<&str> = targets
        .filter(|target| target["path"] == "pointer")
        .map(|target| target["extensions"]["KHR_animation_pointer"]["pointer"].as_str().unwrap())
        .collect();
    assert!(!pointers.is_empty());
    for pointer in pointers {
        assert!(pointer.starts_with("/materials/"), "{pointer}");
        // What is animated is there: its value at rest, or that of an extension that is used.
        let owner = pointer.rsplit_once('/').unwrap().0;
        assert!(root.pointer(owner).is_some(), "{pointer}");
    }
}

#[test]
fn every_surface_of_a_frog_is_unlit() {
    let (root, _) = made(&desk(), "frog/zgaa", &["--unlit"]);
    let materials = root["materials"].as_array().unwrap();
    assert!(!materials.is_empty());
    assert!(materials.iter().all(|it| it["extensions"].get("KHR_materials_unlit").is_some()));
}
