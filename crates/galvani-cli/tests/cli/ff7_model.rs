//! `convert` of models of Final Fantasy VII, by any of their files.

use serde_json::{Value, json};

use crate::common::Desk;

fn desk() -> Desk {
    let desk = Desk::new();
    assert_eq!(desk.run(&["samples", "."]).code, 0);
    desk
}

/// The JSON of what a file becomes, and what was told.
fn converted(desk: &Desk, words: &[&str]) -> (Value, Vec<String>) {
    let all = [&["convert"], words, &["-o", "out.glb", "--force", "--json"]].concat();
    let (code, report) = desk.json(&all);
    assert_eq!(code, 0, "{report:#}");
    let glb = desk.read("out.glb");
    let len = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    let findings = report["files"][0]["findings"].as_array().unwrap().iter();
    let told = findings
        .map(|one| format!("{}: {}", one["code"].as_str().unwrap(), one["message"].as_str().unwrap()));
    (serde_json::from_slice(&glb[20..20 + len]).unwrap(), told.collect())
}

/// The names of what there is of a kind.
fn names(file: &Value, kind: &str) -> Vec<String> {
    let all = file[kind].as_array().map_or(&[][..], Vec::as_slice);
    all.iter().map(|one| one["name"].as_str().unwrap().to_owned()).collect()
}

/// Those of findings that are about lost files.
fn lost(told: &[String]) -> Vec<&str> {
    let is_file = |one: &&String| one.contains("lost-texture") || one.contains("lost-part");
    told.iter().filter(is_file).map(String::as_str).collect()
}

#[test]
fn the_boat_is_whole() {
    let desk = desk();
    let (file, told) = converted(&desk, &["boat.hrc"]);
    assert_eq!(names(&file, "nodes"), ["root", "hull", "mast", "lantern"]);
    assert_eq!(names(&file, "animations"), ["boat"]);
    assert_eq!(names(&file, "images"), ["paper.tex", "glow.tex"]);
    assert_eq!((file["meshes"].as_array().unwrap().len(), lost(&told).len()), (3, 0), "{told:?}");
    let glow = &file["materials"].as_array().unwrap()[2];
    assert_eq!((&glow["alphaMode"], &glow["doubleSided"]), (&json!("BLEND"), &json!(true)));
    let text: Value = serde_json::from_str(file["scenes"][0]["extras"]["galvani"].as_str().unwrap()).unwrap();
    let files = text["source"]["files"].as_array().unwrap();
    assert_eq!((files.len(), &files[0][0], &files[1][0]), (8, &json!("boat.hrc"), &json!("boat.a")));
}

#[test]
fn animations_are_those_that_fit_or_that_somebody_names() {
    let desk = desk();
    desk.run(&["edit", "boat.a", "trim", "0", "9", "-o", "short.a"]);
    assert_eq!(desk.run(&["edit", "boat.a", "reverse", "-o", "back"]).code, 0);
    desk.put("elsewhere/back.a", desk.read("back"));
    let mut other = desk.read("boat.a");
    other.truncate(36);
    other[4..12].copy_from_slice(&[1, 0, 0, 0, 1, 0, 0, 0]);
    other.extend([0; 36]);
    desk.put("other.a", other);
    let (file, _) = converted(&desk, &["boat.hrc"]);
    assert_eq!(names(&file, "animations"), ["boat", "short"]);
    let words = ["boat.hrc", "--animation", "elsewhere/back.a", "--animation", "short.a"];
    assert_eq!(names(&converted(&desk, &words).0, "animations"), ["back", "short"]);
    let (file, told) = converted(&desk, &["boat.hrc", "--animation", "other.a", "--animation", "paper.tex"]);
    assert!(names(&file, "animations").is_empty());
    assert!(
        told.iter().any(|one| one.contains("`other`: 1 frames of 1 bones for a skeleton of 3")),
        "{told:?}"
    );
    assert!(told.iter().any(|one| one.contains("`paper.tex` is no animation")), "{told:?}");
}

#[test]
fn every_place_is_named_where_something_is_missing() {
    let desk = desk();
    desk.put("away/boat.hrc", desk.read("boat.hrc"));
    let (_, told) = converted(&desk, &["away/boat.hrc"]);
    assert_eq!(lost(&told).len(), 3, "{told:?}");
    assert!(lost(&told)[0].contains("`boat.rsd` is none of away/boat.rsd"), "{told:?}");
    for name in ["boat.rsd", "mast.rsd", "boat.p", "mast.p"] {
        desk.put(&format!("away/{name}"), desk.read(name));
    }
    let (file, told) = converted(&desk, &["away/boat.hrc"]);
    assert_eq!(file["meshes"].as_array().unwrap().len(), 2);
    let told = lost(&told);
    assert_eq!(told.len(), 2, "{told:?}");
    assert!(
        told[1].contains("ff7-hrc.lost-texture") && told[1].contains("`paper.tex` is none of away/paper.tex"),
        "{told:?}"
    );
    let (file, told) = converted(&desk, &["away/boat.hrc", "--textures", "."]);
    assert_eq!((lost(&told).len(), names(&file, "images").len()), (0, 2), "{told:?}");
}

#[test]
fn a_resource_and_a_mesh_by_themselves_stand_still() {
    let desk = desk();
    for name in ["boat.rsd", "boat.p"] {
        let (file, told) = converted(&desk, &[name]);
        assert_eq!((names(&file, "images"), lost(&told)), (vec!["paper.tex".to_owned()], vec![]), "{name}");
        assert!(file.get("animations").is_none());
    }
    desk.put("alone/boat.p", desk.read("boat.p"));
    let (file, told) = converted(&desk, &["alone/boat.p"]);
    assert!(
        names(&file, "images").is_empty() && lost(&told)[0].starts_with("ff7-p.lost-texture"),
        "{told:?}"
    );
    desk.put("alone/boat.rsd", desk.read("boat.rsd"));
    std::fs::remove_file(desk.path("alone/boat.p")).unwrap();
    let (_, told) = converted(&desk, &["alone/boat.rsd"]);
    assert!(lost(&told)[0].starts_with("ff7-rsd.lost-part"), "{told:?}");
}

#[test]
fn an_animation_alone_names_its_skeleton() {
    let desk = desk();
    let (code, report) = desk.json(&["convert", "boat.a", "-o", "x.glb", "--json"]);
    assert_eq!((code, &report["refused"][0]["code"]), (1, &"file.no-scene".into()));
    assert!(report["refused"][0]["message"].as_str().unwrap().contains("`boat.hrc`"), "{report:#}");
    desk.put("alone/boat.a", desk.read("boat.a"));
    let (_, report) = desk.json(&["convert", "alone/boat.a", "-o", "x.glb", "--json"]);
    assert!(
        report["refused"][0]["message"].as_str().unwrap().contains("no skeleton of 3 bones"),
        "{report:#}"
    );
}

#[test]
fn a_battle_model_goes_by_any_of_its_files() {
    let desk = desk();
    let (whole, _) = converted(&desk, &["frog/zgaa"]);
    assert_eq!(names(&whole, "animations").len(), 3);
    for name in ["frog/zgda", "frog/zgam", "frog/zgck", "frog/zgac", "frog.lgp/zgaa", "frog.lgp/ZGDA"] {
        let (file, _) = converted(&desk, &[name]);
        for kind in ["nodes", "meshes", "animations", "images"] {
            assert_eq!(
                file[kind].as_array().unwrap().len(),
                whole[kind].as_array().unwrap().len(),
                "{name}: {kind}"
            );
        }
    }
    for name in ["zgda", "zgac", "zgam"] {
        desk.put(&format!("alone/{name}"), desk.read(&format!("frog/{name}")));
    }
    assert_eq!(names(&converted(&desk, &["alone/zgam"]).0, "images"), ["zgac"]);
    for name in ["alone/zgda", "alone/zgac"] {
        let (code, report) = desk.json(&["convert", name, "-o", "x.glb", "--json"]);
        assert_eq!((code, &report["refused"][0]["code"]), (1, &"file.no-scene".into()));
        assert!(report["refused"][0]["message"].as_str().unwrap().contains("`zgaa`"), "{report:#}");
    }
}

#[test]
fn pieces_become_one_file_with_the_rest() {
    let desk = desk();
    let made = |words: &[&str]| -> Vec<String> {
        let (code, report) = desk.json(&[&["convert"], words, &["-o", "out/", "--force", "--json"]].concat());
        assert_eq!(code, 0, "{report:#}");
        let files = report["files"].as_array().unwrap().iter();
        files.map(|file| file["output"].as_str().unwrap().to_owned()).collect()
    };
    assert_eq!(made(&["frog"]), ["out/zgaa.glb"]);
    assert_eq!(made(&["frog.lgp"]), ["out/zgaa.glb"]);
    assert_eq!(made(&["boat.hrc", "boat.rsd", "boat.p", "boat.a"]), ["out/boat.glb"]);
}
