//! `convert`: models for other programs.

use galvani::{ReadOptions, mdx};
use glam::Quat;
use serde_json::{Value, json};

use crate::common::Desk;
use crate::common::archive::archive;

/// A desk with the walker, alone and in an archive, and an archive without models.
fn desk() -> Desk {
    let desk = Desk::new();
    desk.run(&["samples", "."]);
    let walker = desk.read("walker.msh");
    desk.with("units.rlb", archive(&[("A.MSH", &walker), ("note.txt", b"hi"), ("b.msh", &walker)]))
}

#[test]
fn a_gltf_with_its_bytes_beside_it_goes_back_too() {
    let desk = desk().with("there/beside.txt", "");
    let there = desk.run(&["convert", "walker.msh", "-o", "there/walker.gltf"]);
    let said = String::from_utf8_lossy(&there.stdout);
    assert!(said.contains("for the way back"), "{said}");
    let (code, json) = desk.json(&["convert", "there", "-o", "again/", "--to", "msh", "--json"]);
    assert_eq!((code, &json["files"][0]["output"]), (0, &json!("again/walker.msh")), "{json:#}");
    assert!(desk.read("again/walker.msh") == desk.read("walker.msh"));
    let (code, json) = desk.json(&["convert", "walker.msh", "-o", "other.msh", "--json"]);
    assert_eq!((code, &json["refused"][0]["code"]), (1, &json!("file.no-way-back")), "{json:#}");
}

#[test]
fn a_glb_goes_back_into_the_model() {
    let desk = desk();
    let (_, json) = desk.json(&["convert", "walker.msh", "-o", "walker.glb", "--json"]);
    let glb = desk.read("walker.glb");
    let len = usize::try_from(u32::from_le_bytes(glb[12..16].try_into().unwrap())).unwrap();
    let text: Value = serde_json::from_slice(&glb[20..20 + len]).unwrap();
    let extras = text["scenes"][0]["extras"]["galvani"].as_str().unwrap();
    assert_eq!(json["files"][0]["kept"], extras.len(), "all of it is told, not only what makes the file");
    let done = desk.run(&["convert", "walker.glb", "-o", "again.msh"]);
    assert_eq!(done.code, 0);
    assert!(desk.read("again.msh") == desk.read("walker.msh"));
    let stream = desk.run(&["convert", "walker.glb", "--to", "msh", "-o", "-"]);
    assert!(stream.stdout == desk.read("walker.msh"));
    assert!(stream.stderr.contains("file.not-in-stream"), "{}", stream.stderr);
    desk.run(&["convert", "lantern.mdx", "-o", "lantern.glb"]);
    assert_eq!(desk.run(&["convert", "lantern.glb", "-o", "again.mdx"]).code, 0);
    assert!(desk.read("again.mdx") == desk.read("lantern.mdx"));
}

/// A texture whose pixels are packed with a loss is copied if it is at hand; else people are told in a line that it is not there.
#[test]
fn pictures_that_are_not_written_are_told() {
    let shipped = desk();
    shipped.run(&["convert", "lantern-wow.mdx", "-o", "lantern.glb"]);
    let skin = shipped.read("Textures/Lantern.blp");
    let desk = Desk::new()
        .with("lantern.glb", shipped.read("lantern.glb"))
        .with("skins/Lantern.blp", &skin)
        .with("base/lantern-wow.mdx", shipped.read("lantern-wow.mdx"))
        .with("base/Textures/Lantern.blp", &skin)
        .with("base/Textures/LanternGlow.blp", shipped.read("Textures/LanternGlow.blp"));
    let back = |words: &[&str]| {
        let done = desk.run(&[&["convert", "lantern.glb", "-o", "again.mdx", "--force"], words].concat());
        assert_eq!(done.code, 0, "{}", done.stderr);
        assert!(desk.read("again.mdx") == shipped.read("lantern-wow.mdx"), "{words:?}");
        let copied = desk.files().into_iter().find(|file| file == "Textures/Lantern.blp");
        let is_left = done.stderr.lines().any(|line| {
            line.starts_with("lantern.glb: pictures not written") && line.contains("Lantern.blp`")
        });
        (copied.map(|file| desk.read(&file)), is_left)
    };
    assert_eq!(back(&[]), (None, true));
    let (copied, is_left) = back(&["--textures", "skins"]);
    assert!(copied.as_ref() == Some(&skin) && !is_left);
    std::fs::remove_dir_all(desk.path("Textures")).unwrap();
    let (copied, is_left) = back(&["--base", "base/lantern-wow.mdx"]);
    assert!(copied.as_ref() == Some(&skin) && !is_left);
}

#[test]
fn any_model_becomes_one_of_another_game() {
    let desk = desk();
    for (input, word) in [
        ("windmill.glb", "msh"),
        ("windmill.glb", "ff7"),
        ("windmill.glb", "ff7-field"),
        ("lantern.mdx", "msh"),
        ("walker.msh", "mdx-wow:1500"),
        ("boat.hrc", "mdx:900"),
    ] {
        let folder = format!("{word}-{input}").replace(':', "-");
        let done = desk.run(&["convert", input, "-o", &format!("{folder}/"), "--to", word]);
        assert_eq!(done.code, 0, "{input} to {word}: {}", done.stderr);
        let (code, json) = desk.json(&["validate", &folder, "--json", "--deny", "warnings"]);
        assert_eq!(code, 0, "{input} to {word}: {json:#}");
    }
    // A single file has the name that it was given, and what it names lies beside it.
    assert_eq!(desk.run(&["convert", "windmill.glb", "-o", "made/mill.msh"]).code, 1, "no such folder");
    desk.put("made/beside.txt", "");
    assert_eq!(desk.run(&["convert", "windmill.glb", "-o", "made/mill.msh"]).code, 0);
    let files: Vec<String> = desk.files().into_iter().filter(|name| name.starts_with("made/mill")).collect();
    assert_eq!(files, ["made/mill.msh", "made/mill.wea"]);
}

#[test]
fn a_new_model_is_of_the_version_that_was_asked_for() {
    let desk = desk();
    let version = |words: &[&str]| {
        let done = desk.run(&[&["convert", "windmill.glb", "-o", "made.mdx", "--force"], words].concat());
        assert_eq!(done.code, 0, "{}", done.stderr);
        desk.json(&["info", "made.mdx", "--json"]).1["files"][0]["version"].clone()
    };
    assert_eq!(version(&[]), json!(800));
    assert_eq!(version(&["--to", "mdx:1000"]), json!(1000));
    assert_eq!(version(&["--like", "lantern-wow.mdx"]), json!(1300));
    assert_eq!(desk.run(&["convert", "windmill.glb", "-o", "x.mdx", "--like", "walker.msh"]).code, 2);
    assert_eq!(desk.run(&["convert", "windmill.glb", "-o", "x.mdx", "--to", "mdx:700"]).code, 2);
}

#[test]
fn a_base_says_what_a_gltf_lost_and_without_one_a_new_model_is_made() {
    let desk = desk();
    desk.run(&["convert", "walker.msh", "-o", "walker.glb"]);
    // Another program drops what it does not know, and samples motions anew.
    let bytes = desk.read("walker.glb");
    let len = usize::try_from(u32::from_le_bytes(bytes[12..16].try_into().unwrap())).unwrap();
    let mut text: Value = serde_json::from_slice(&bytes[20..20 + len]).unwrap();
    text["animations"][0]["channels"].as_array_mut().unwrap().truncate(1);
    let mut glb = serde_json::to_vec(&text).unwrap();
    glb.resize(len, b' ');
    desk.put("other.glb", [&bytes[..20], &glb, &bytes[20 + len..]].concat());
    let (code, json) = desk.json(&["convert", "other.glb", "-o", "new.msh", "--json"]);
    let codes = |json: &Value| {
        let findings = json["files"][0]["findings"].as_array().unwrap().iter();
        findings.map(|it| it["code"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(code, 0, "{json:#}");
    assert!(codes(&json).contains(&"file.rebuilt".to_owned()), "{json:#}");
    assert_eq!(desk.run(&["validate", "new.msh"]).code, 0);
    text["scenes"][0].as_object_mut().unwrap().remove("extras");
    let mut glb =
        serde_json::to_vec(&serde_json::from_slice::<Value>(&bytes[20..20 + len]).unwrap()).unwrap();
    glb.resize(len, b' ');
    desk.put("bare.glb", [&bytes[..20], &glb, &bytes[20 + len..]].concat());
    let done = desk.run(&["convert", "bare.glb", "-o", "again.msh", "--base", "walker.msh"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(desk.read("again.msh") == desk.read("walker.msh"));
    assert_eq!(desk.run(&["convert", "bare.glb", "-o", "x.msh", "--base", "nowhere.msh"]).code, 3);
}

#[test]
fn a_model_of_several_files_goes_back_into_all_of_them() {
    let desk = desk();
    desk.run(&["convert", "boat.hrc", "-o", "boat.glb"]);
    let done = desk.run(&["convert", "boat.glb", "-o", "again/", "--to", "ff7-field"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    for name in ["boat.hrc", "boat.a", "boat.p", "boat.rsd", "mast.p", "mast.rsd"] {
        assert!(desk.read(&format!("again/{name}")) == desk.read(name), "{name}");
    }
    // Several files are no stream, and none of them is left about.
    desk.put("alone/boat.glb", desk.read("boat.glb"));
    let before = desk.files();
    assert_eq!(desk.run(&["convert", "alone/boat.glb", "-o", "-", "--to", "ff7-field"]).code, 2);
    assert_eq!(desk.files(), before);
    desk.run(&["convert", "frog/zgaa", "-o", "frog.glb"]);
    let done = desk.run(&["convert", "frog.glb", "-o", "again/", "--to", "ff7"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    for name in ["zgaa", "zgda", "zgam"] {
        assert!(desk.read(&format!("again/{name}")) == desk.read(&format!("frog/{name}")), "{name}");
    }
}

#[test]
fn a_model_becomes_a_glb() {
    let desk = desk();
    let done = desk.run(&["convert", "walker.msh", "-o", "walker.glb"]);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""));
    let file = desk.read("walker.glb");
    let said = format!("walker.glb: 78376 → {} bytes, ", file.len());
    let kept = done.text().strip_prefix(&said).and_then(|rest| rest.split(' ').next()?.parse().ok());
    let source: usize =
        ["walker.msh", "walker.wea", "textures.lib"].map(|name| desk.read(name).len()).iter().sum();
    assert!(kept.is_some_and(|kept: usize| kept * 3 < source), "{}", done.text());
    assert!(file.starts_with(b"glTF\x02\0\0\0"));
    assert_eq!(u32::from_le_bytes(file[8..12].try_into().unwrap()) as usize, file.len());
}

#[test]
fn the_same_model_gives_the_same_bytes_wherever_it_comes_from() {
    let desk = desk();
    desk.run(&["convert", "walker.msh", "-o", "walker.GLB"]);
    let stream = desk.run(&["convert", "walker.msh", "--to", "glb", "-o", "-"]);
    assert!(stream.stdout == desk.read("walker.GLB"));
    desk.run(&["convert", "units.rlb/a.msh", "-o", "a.glb"]);
    desk.run(&["convert", "units.rlb/a.msh", "-o", "again.glb"]);
    assert!(desk.read("a.glb") == desk.read("again.glb"));
}

#[test]
fn several_models_go_into_a_folder_under_names_of_their_own() {
    let desk = desk();
    let (code, json) = desk.json(&["convert", "units.rlb/*.msh", "walker.msh", "-o", "out", "--json"]);
    assert_eq!(code, 0, "{json:#}");
    let mut files = desk.files();
    files.retain(|file| file.starts_with("out/"));
    assert_eq!(files, ["out/A.glb", "out/b.glb", "out/walker.glb"]);
    desk.put("sub/walker.msh", desk.read("walker.msh"));
    assert_eq!(desk.run(&["convert", "walker.msh", "sub/walker.msh", "-o", "two"]).code, 0);
    assert!(desk.path("two/walker~2.glb").exists());
}

#[test]
fn a_folder_is_searched_for_models() {
    let desk = desk();
    let (code, json) = desk.json(&["convert", ".", "-o", "out/", "--json"]);
    let made: Vec<&str> =
        json["files"].as_array().unwrap().iter().map(|file| file["output"].as_str().unwrap()).collect();
    let lanterns = ["out/lantern-text.glb", "out/lantern-wow.glb", "out/lantern.glb"];
    let wanted = [&["out/boat.glb", "out/zgaa.glb"][..], &lanterns, &["out/walker.glb"]].concat();
    assert_eq!((code, made.as_slice()), (0, &wanted[..]), "{json:#}");
}

#[test]
fn a_gltf_has_its_bytes_and_pictures_beside_it() {
    let desk = desk().with("there/frog.gltf", "what was there");
    let done = desk.run(&["convert", "frog/zgaa", "-o", "there/frog.gltf"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let text = gltf(&desk.read("there/frog.gltf"));
    let mut beside: Vec<String> = Vec::new();
    for list in ["buffers", "images"] {
        for one in text[list].as_array().unwrap() {
            beside.push(format!("there/{}", one["uri"].as_str().unwrap()));
        }
    }
    beside.push("there/frog.gltf".to_owned());
    let mut files = desk.files();
    files.retain(|file| file.starts_with("there/"));
    beside.sort();
    assert_eq!(files, beside);
    // What stands beside a named file is spared, unless somebody insists.
    desk.put("there/frog.bin", b"somebody's");
    assert_eq!(desk.run(&["convert", "frog/zgaa", "-o", "there/frog.gltf"]).code, 1);
    assert_eq!(desk.read("there/frog.bin"), b"somebody's");
    assert_eq!(desk.run(&["convert", "frog/zgaa", "-o", "there/frog.gltf", "--force"]).code, 0);
    let several = desk.run(&["convert", "walker.msh", "units.rlb/a.msh", "--to", "gltf", "-o", "two/"]);
    assert_eq!(several.code, 0, "{}", several.stderr);
    assert!(desk.path("two/walker.bin").exists() && desk.path("two/A.gltf").exists());
    assert_eq!(desk.run(&["convert", "walker.msh", "--to", "gltf", "-o", "-"]).code, 2);
}

/// The text of a `.gltf`.
fn gltf(file: &[u8]) -> Value {
    serde_json::from_slice(file).unwrap()
}

/// What the one text in the extras says.
fn own(text: &Value) -> Value {
    serde_json::from_str(text["scenes"][0]["extras"]["galvani"].as_str().unwrap()).unwrap()
}

#[test]
fn the_files_of_a_model_are_known_and_travel_along_if_wanted() {
    let desk = desk();
    desk.run(&["convert", "frog/zgaa", "-o", "frog.gltf"]);
    let files = own(&gltf(&desk.read("frog.gltf")))["files"].clone();
    let names: Vec<&str> =
        files.as_array().unwrap().iter().map(|file| file["name"].as_str().unwrap()).collect();
    // What comes back from what the glTF says needs no digest.
    assert_eq!(names, ["zgaa", "zgac"]);
    assert!(files[0].get("base64").is_none());
    desk.run(&["convert", "walker.msh", "-o", "walker.gltf", "--embed-source"]);
    let files = own(&gltf(&desk.read("walker.gltf")))["files"].clone();
    assert!(files[0]["base64"].as_str().unwrap().len() > desk.read("walker.msh").len());
}

#[test]
fn clips_are_chosen_by_name_or_place() {
    let desk = desk();
    let animations = |words: &[&str]| {
        let done = desk.run(&[&["convert", "frog/zgaa", "-o", "frog.gltf", "--force"], words].concat());
        let text = || gltf(&desk.read("frog.gltf"));
        (done.code, if done.code == 0 { text()["animations"].as_array().unwrap().len() } else { 0 })
    };
    let (_, all) = animations(&[]);
    assert!(all > 2);
    assert_eq!(animations(&["--clip", "#0", "--clip", "2"]), (0, 2));
    assert_eq!(animations(&["--clip", "nothing of the kind"]), (1, 0));
    assert_eq!(animations(&["--clip", "all"]), (0, all));
}

#[test]
fn a_report_says_what_the_command_would() {
    let desk = desk();
    let (code, json) =
        desk.json(&["convert", "boat.a", "frog/zgaa", "-o", "out/", "--report", "r.json", "--json"]);
    assert_eq!(code, 1);
    assert_eq!(serde_json::from_slice::<Value>(&desk.read("r.json")).unwrap(), json);
}

#[test]
fn how_models_are_written_is_up_to_the_caller() {
    let desk = desk();
    let text = |words: &[&str]| {
        let done = desk.run(&[&["convert", "frog/zgaa", "-o", "frog.gltf", "--force"], words].concat());
        assert_eq!(done.code, 0, "{}", done.stderr);
        gltf(&desk.read("frog.gltf"))
    };
    assert!(text(&[]).get("skins").is_none() && text(&[]).get("extensionsUsed").is_none());
    assert!(text(&["--rig", "skin"]).get("skins").is_some());
    for (flag, word) in
        [("--rig", "bones"), ("--tolerance", "-0.5"), ("--fps", "0"), ("--visibility", "none")]
    {
        assert_eq!(desk.run(&["convert", "frog/zgaa", "-o", "x.glb", flag, word]).code, 2, "{flag}");
    }
}

/// What hides in clips is scaled away, or an extension says it, or nothing but the extras.
#[test]
fn how_the_hidden_is_hidden_is_up_to_the_caller() {
    let desk = desk();
    let text = |words: &[&str]| {
        let done = desk.run(&[&["convert", "frog/zgaa", "-o", "frog.gltf", "--force"], words].concat());
        assert_eq!(done.code, 0, "{}", done.stderr);
        gltf(&desk.read("frog.gltf"))
    };
    let scaled = |text: &Value| {
        let spear =
            text["nodes"].as_array().unwrap().iter().find(|node| node["name"] == "weapon_shown").unwrap();
        let animations = text["animations"].as_array().unwrap().iter();
        let channels = animations.flat_map(|animation| animation["channels"].as_array().unwrap());
        let count = channels.filter(|channel| channel["target"]["path"] == "scale").count();
        (spear["scale"].clone(), count)
    };
    let told = |text: &Value| own(text)["clips"].to_string().matches("visibility").count();
    let (usual, joints) = (text(&[]), text(&["--visibility", "joints"]));
    assert!(usual == joints && joints.get("extensionsUsed").is_none());
    assert_eq!((scaled(&joints), told(&joints)), ((json!([0.0, 0.0, 0.0]), 3), 0));
    let extension = text(&["--visibility", "extension"]);
    let used = extension["extensionsUsed"].as_array().unwrap();
    assert!(used.contains(&json!("KHR_node_visibility")), "{used:?}");
    assert_eq!((scaled(&extension), told(&extension)), ((Value::Null, 0), 0));
    let extras = text(&["--visibility", "extras"]);
    assert!(extras.get("extensionsUsed").is_none());
    assert_eq!((scaled(&extras), told(&extras)), ((Value::Null, 0), 3));
}

/// The lantern, a bone of which turns along a curve that glTF has no word for.
fn curved(lantern: &[u8]) -> Vec<u8> {
    let mut document = mdx::read(lantern, &ReadOptions::default()).unwrap().document;
    let bones = document.chunks.iter_mut().find_map(|chunk| match &mut chunk.content {
        mdx::Content::Bones(rows) => Some(&mut rows.items),
        _ => None,
    });
    let turns = bones.unwrap().iter_mut().find_map(|bone| match bone {
        mdx::Held::Typed(bone) => bone.node.tracks.iter_mut().find(|track| &track.tag == b"KGRT"),
        mdx::Held::Raw(..) => None,
    });
    let turns = turns.unwrap();
    let beside = |value: &[u32; 4], angle: f32| {
        let turn = Quat::from_array(value.map(f32::from_bits)) * Quat::from_rotation_x(angle);
        turn.to_array().map(f32::to_bits)
    };
    let values = turns.values.as_chunks().0.to_vec();
    turns.in_tangents = values.iter().flat_map(|value| beside(value, 0.4)).collect();
    turns.out_tangents = values.iter().flat_map(|value| beside(value, -0.4)).collect();
    turns.interpolation = 2;
    mdx::write(&document).unwrap()
}

/// A turn that glTF cannot say has the more keys the less it may be off.
#[test]
fn how_far_turns_may_be_off_is_up_to_the_caller() {
    let desk = desk();
    desk.put("curved.mdx", curved(&desk.read("lantern.mdx")));
    let baked = |words: &[&str]| {
        let words = [&["convert", "curved.mdx", "-o", "curved.glb", "--force", "--json"], words].concat();
        let (code, json) = desk.json(&words);
        assert_eq!(code, 0, "{json:#}");
        let findings = json["files"][0]["findings"].as_array().unwrap();
        let baked = findings.iter().find(|finding| finding["code"] == "gltf.baked").unwrap();
        // So many tracks, so many keys, and how far the farthest is off.
        let said = baked["message"].as_str().unwrap().split(' ');
        let numbers: Vec<f64> = said.filter_map(|word| word.parse().ok()).collect();
        (numbers[1], numbers[2])
    };
    let usual = baked(&[]);
    assert_eq!(baked(&["--tolerance", "0.0001"]), usual);
    let ([coarse, fine], most) =
        ([baked(&["--tolerance", "0.01"]), baked(&["--tolerance", "1e-5"])], 1.0 + 1e-3);
    assert!(coarse.0 < usual.0 && usual.0 < fine.0, "{coarse:?}, {usual:?}, {fine:?}");
    for ((_, off), tolerance) in [(coarse, 1e-2), (usual, 1e-4), (fine, 1e-5)] {
        assert!(off > 0.0 && off <= tolerance * most, "{off} off, {tolerance} at most");
    }
}

/// Levels of detail are scenes of their own, or hang on their nodes by an extension.
#[test]
fn where_levels_of_detail_hang_is_up_to_the_caller() {
    let desk = desk();
    let text = |words: &[&str]| {
        let done = desk.run(&[&["convert", "walker.msh", "-o", "walker.gltf", "--force"], words].concat());
        assert_eq!(done.code, 0, "{}", done.stderr);
        gltf(&desk.read("walker.gltf"))
    };
    let names = |text: &Value| -> Vec<String> {
        let scenes = text["scenes"].as_array().unwrap();
        scenes.iter().map(|scene| scene["name"].as_str().unwrap().to_owned()).collect()
    };
    let (usual, hung) = (text(&[]), text(&["--lod-ext"]));
    assert!(usual.get("extensionsUsed").is_none());
    assert_eq!(hung["extensionsUsed"], json!(["MSFT_lod"]));
    let nodes = hung["nodes"].as_array().unwrap();
    let levels = nodes.iter().find_map(|node| node["extensions"]["MSFT_lod"]["ids"].as_array()).unwrap();
    assert!(levels.iter().all(|id| !nodes[usize::try_from(id.as_u64().unwrap()).unwrap()]["mesh"].is_null()));
    // The finest of another state still is a scene, the coarse ones of the intact state are none.
    let coarse = |text: &Value| names(text).iter().any(|name| name == "walker_LOD1");
    assert!(coarse(&usual) && !coarse(&hung), "{:?} {:?}", names(&usual), names(&hung));
}

#[test]
fn what_is_no_model_is_refused_and_the_others_are_converted() {
    let desk = desk();
    let (code, json) = desk.json(&["convert", "boat.a", "walker.msh", "-o", "out", "--json"]);
    assert_eq!(code, 1);
    assert_eq!(json["refused"][0]["code"], "file.no-scene");
    assert!(desk.path("out/walker.glb").exists());
    assert_eq!(desk.run(&["convert", "missing.msh", "-o", "x.glb"]).code, 3);
}

#[test]
fn wrong_words_are_usage() {
    let desk = desk();
    let wrong: [&[&str]; 8] = [
        &["walker.msh", "-o", "walker.fbx"],
        &["walker.msh", "b.msh", "-o", "one.glb"],
        &["walker.msh", "-o", "w.glb", "--lod", "3"],
        &["walker.msh", "-o", "w.glb", "--group", "5"],
        &["walker.msh", "-o", "w.glb", "--to", "obj"],
        &["walker.msh", "-o", "w.glb", "--root", "maybe"],
        &["frog/zgac", "-o", "w.png", "--palette", "-1"],
        &["frog/zgac", "-o", "-"],
    ];
    for words in wrong {
        assert_eq!(desk.run(&[&["convert"], words].concat()).code, 2, "{words:?}");
    }
    let done = desk.run(&["convert", "walker.msh", "-o", "w.glb", "--fps", "0"]);
    assert_eq!(done.code, 1, "{}", done.stderr);
    assert!(!desk.path("w.glb").exists());
}

#[test]
fn the_options_change_the_picture() {
    let desk = desk();
    let convert = |flags: &[&str]| {
        let done = desk.run(&[&["convert", "walker.msh", "--to", "glb", "-o", "-"], flags].concat());
        assert_eq!(done.code, 0, "{flags:?}: {}", done.stderr);
        done.stdout
    };
    let plain = convert(&[]);
    assert!(plain == convert(&["--lod", "0", "--group", "0", "--fps", "15", "--root", "keep"]));
    for flags in [["--lod", "2"], ["--group", "3"], ["--group", "4"], ["--fps", "30"]] {
        assert!(plain != convert(&flags), "{flags:?}");
    }
}

#[test]
fn a_texture_becomes_a_picture_by_each_of_its_palettes() {
    let desk = desk();
    let done = desk.run(&["convert", "frog/zgac", "-o", "skin.png"]);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""));
    let picture = desk.read("skin.png");
    assert!(picture.starts_with(b"\x89PNG\r\n"));
    assert_eq!(
        done.text(),
        format!("skin.png: {} → {} bytes\n", desk.read("frog/zgac").len(), picture.len())
    );
    assert!(desk.run(&["convert", "frog/zgac", "--to", "png", "-o", "-"]).stdout == picture);
    assert_eq!(desk.run(&["convert", "frog/zgac", "-o", "angry.PNG", "--palette", "1"]).code, 0);
    assert!(desk.read("angry.PNG") != picture);
    let (code, json) = desk.json(&["convert", "frog/zgac", "-o", "no.png", "--palette", "2", "--json"]);
    assert_eq!((code, &json["refused"][0]["code"]), (1, &"ff7-tex.decode-palette".into()));
}

#[test]
fn a_folder_is_searched_for_pictures_where_they_are_asked_for() {
    let desk = desk();
    let (code, json) = desk.json(&["convert", "frog", "--to", "png", "-o", "out/", "--json"]);
    assert_eq!((code, json["files"].as_array().unwrap().len()), (0, 1), "{json:#}");
    assert_eq!(json["files"][0]["output"], "out/zgac.png");
    let (code, json) =
        desk.json(&["convert", "frog/zgam", "walker.msh", "--to", "png", "-o", "out/", "--json"]);
    assert_eq!((code, &json["refused"][0]["code"]), (1, &"file.no-image".into()));
    let (code, json) = desk.json(&["convert", "paper.tex", "-o", "out/", "--json"]);
    assert_eq!((code, &json["refused"][0]["code"]), (1, &"file.no-scene".into()));
}

#[test]
fn a_picture_becomes_a_texture_and_a_picture_again() {
    let desk = desk();
    desk.run(&["convert", "frog/zgac", "-o", "skin.png"]);
    for words in [&["-o", "skin.tex"][..], &["--to", "ff7-tex", "-o", "skin.tex"]] {
        let done = desk.run(&[&["convert", "skin.png"], words].concat());
        assert_eq!((done.code, done.stderr.as_str()), (0, ""), "{words:?}");
        desk.run(&["convert", "skin.tex", "-o", "again.png"]);
        assert!(desk.read("again.png") == desk.read("skin.png"), "{words:?}");
    }
    let done = desk.run(&["convert", "skin.png", "--like", "frog/zgac", "-o", "out/"]);
    assert_eq!((done.code, done.stderr.as_str()), (0, ""));
    assert!(desk.read("out/skin.tex") == desk.read("skin.tex"));
    let refused = desk.run(&["convert", "skin.png", "--like", "walker.msh", "-o", "x.tex"]);
    assert_eq!(refused.code, 2, "{}", refused.stderr);
    assert!(refused.stderr.contains("file.example"), "{}", refused.stderr);
}

#[test]
fn the_members_of_an_archive_are_converted_like_the_files_of_a_folder() {
    let desk = desk();
    let (code, json) = desk.json(&["convert", "units.rlb", "-o", "out/", "--json"]);
    assert_eq!((code, json["files"].as_array().unwrap().len()), (0, 2), "{json:#}");
    let (code, json) = desk.json(&["convert", "frog.lgp", "--to", "png", "-o", "skins/", "--json"]);
    assert_eq!((code, &json["files"][0]["output"]), (0, &"skins/zgac.png".into()), "{json:#}");
    let nothing = desk.run(&["convert", "depot.rlb", "-o", "none/"]);
    assert_eq!(nothing.code, 1);
    assert!(nothing.stderr.contains("nothing to convert"), "{}", nothing.stderr);
}

/// A TGA of two by one plain pixels.
fn tga() -> Vec<u8> {
    let header = [0, 0, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 0, 1, 0, 24, 0];
    [&header[..], &[3, 2, 1, 6, 5, 4]].concat()
}

#[test]
fn a_tga_is_a_picture_too() {
    let desk = desk().with("two.tga", tga());
    assert_eq!(desk.run(&["convert", "two.tga", "-o", "two.png"]).code, 0);
    assert_eq!(desk.run(&["convert", "two.tga", "-o", "two.tex"]).code, 0);
    desk.run(&["convert", "two.tex", "-o", "again.png"]);
    assert!(desk.read("two.png") == desk.read("again.png"));
    desk.put("cut.tga", &tga()[..20]);
    let (code, json) = desk.json(&["convert", "cut.tga", "-o", "cut.png", "--json"]);
    assert_eq!((code, &json["refused"][0]["code"]), (1, &"tga.truncated".into()), "{json:#}");
}

#[test]
fn a_picture_is_put_back_into_its_texture() {
    let desk = desk();
    let before = desk.read("frog/zgac");
    desk.run(&["convert", "frog/zgac", "-o", "skin.png"]);
    desk.run(&["convert", "frog/zgac", "-o", "angry.png", "--palette", "1"]);
    let edit = |words: &[&str]| desk.run(&[&["edit", "frog/zgac"], words, &["-o", "new.tex"]].concat());
    for words in [
        &["replace-image", "skin.png"][..],
        &["match-image", "skin.png"],
        &["replace-image-by", "1", "angry.png"],
    ] {
        assert_eq!(edit(words).code, 0, "{words:?}");
        assert!(desk.read("new.tex") == before, "{words:?}");
    }
    let refused = edit(&["replace-image", "angry.png"]);
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.contains("ff7-tex.edit-colours"), "{}", refused.stderr);
    assert_eq!(edit(&["new-image", "angry.png"]).code, 0);
    desk.run(&["convert", "new.tex", "-o", "again.png"]);
    assert!(desk.read("again.png") == desk.read("angry.png"));
    let refused = edit(&["replace-image", "walker.msh"]);
    assert_eq!((refused.code, refused.stderr.contains("file.image")), (1, true), "{}", refused.stderr);
}

#[test]
fn what_cannot_be_done_says_what_the_file_is_and_what_the_verb_needs() {
    let desk = desk();
    let (lgp, frog) = (
        "it is of the format lgp, LGP archive (Final Fantasy VII)",
        "a member of the archive may be: ARCHIVE/NAME",
    );
    let cases: [(&[&str], &str, [&str; 2]); 5] = [
        (&["convert", "frog.lgp", "-o", "x.glb"], "This is no model", [lgp, "a model is needed"]),
        (&["convert", "frog.lgp", "-o", "x.png"], "This is no picture", [lgp, frog]),
        (&["draw", "frog.lgp"], "Nothing in this file can be drawn", [lgp, "a model is needed"]),
        (&["pick", "frog.lgp", "--ray", "0,0,1,0,0,-1"], "Nothing in this file can be drawn", [lgp, frog]),
        (
            &["sample", "frog.lgp"],
            "Nothing in this file has a pose",
            [lgp, "a model or an animation is needed"],
        ),
    ];
    for (words, title, parts) in cases {
        let (code, json) = desk.json(&[words, &["--json"]].concat());
        let found = if words[0] == "convert" { &json["refused"][0] } else { &json["error"] };
        let said = format!("{} {}", found["message"].as_str().unwrap(), found["help"].as_str().unwrap());
        assert!(code == 1 && said.starts_with(title), "{words:?}: {said}");
        assert!(parts.iter().all(|part| said.contains(part)), "{words:?}: {said}");
        assert!(!said.contains("holds no model"), "{said}");
    }
}
