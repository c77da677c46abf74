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
    let files: Vec<&str> =
        text["files"].as_array().unwrap().iter().map(|file| file["name"].as_str().unwrap()).collect();
    assert_eq!(files, ["boat.hrc", "glow.tex", "paper.tex"]);
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

/// Members of an archive with their bytes, by name.
fn members(desk: &Desk, archive: &str) -> Vec<String> {
    let (code, list) = desk.json(&["list", archive, "--json"]);
    assert_eq!(code, 0, "{list:#}");
    let members = list["files"][0]["members"].as_array().unwrap().iter();
    members.map(|member| member["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn a_model_goes_back_into_a_new_archive() {
    let desk = desk();
    for (name, word) in [("frog/zgaa", None), ("boat.hrc", None), ("boat.hrc", Some("ff7-field"))] {
        desk.run(&["convert", name, "-o", "model.glb", "--force"]);
        let to: Vec<&str> = word.iter().flat_map(|word| ["--to", *word]).collect();
        let done = desk.run(&[&["convert", "model.glb", "-o", "again.lgp"], &to[..]].concat());
        assert_eq!(done.code, 0, "{name}: {}", done.stderr);
        let (code, found) = desk.json(&["validate", "again.lgp", "--json"]);
        assert_eq!(code, 0, "{name}: {found:#}");
        desk.run(&["extract", "again.lgp", "-o", "out", "--force"]);
        let all = members(&desk, "again.lgp");
        assert!(all.len() > 5, "{name}: {all:?}");
        let folder = if name.starts_with("frog") { "frog/" } else { "" };
        for member in all {
            assert!(
                desk.read(&format!("out/{member}")) == desk.read(&format!("{folder}{member}")),
                "{member}"
            );
        }
    }
}

#[test]
fn a_new_model_goes_into_a_new_archive() {
    let desk = desk();
    for (words, first) in [(&[][..], "wiaa"), (&["--to", "ff7-field"], "windmil.hrc")] {
        let done = desk.run(&[&["convert", "windmill.glb", "-o", "mill.lgp"], words].concat());
        assert_eq!(done.code, 0, "{}", done.stderr);
        assert!(members(&desk, "mill.lgp").contains(&first.to_owned()), "{:?}", members(&desk, "mill.lgp"));
        let (code, found) = desk.json(&["validate", "mill.lgp", "--json", "--deny", "warnings"]);
        assert_eq!(code, 0, "{found:#}");
    }
    // A base may lie in an archive itself.
    desk.run(&["convert", "frog.lgp/zgaa", "-o", "frog.glb"]);
    let done = desk.run(&["convert", "frog.glb", "-o", "based.lgp", "--base", "frog.lgp/zgaa"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    desk.run(&["extract", "based.lgp", "-o", "based"]);
    assert!(desk.read("based/zgda") == desk.read("frog/zgda"));
    // Other models do not go into such an archive.
    assert_eq!(desk.run(&["convert", "windmill.glb", "-o", "other.lgp", "--to", "msh"]).code, 2);
}

#[test]
fn what_becomes_several_files_goes_into_a_folder() {
    let desk = desk();
    let done = desk.run(&["convert", "frog.lgp", "-o", "models", "--to", "glb"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let done = desk.run(&["convert", "models/zgaa.glb", "-o", "again", "--to", "ff7"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(desk.read("again/zgda") == desk.read("frog/zgda"));
    desk.run(&["convert", "boat.hrc", "-o", "alone/", "--to", "glb"]);
    assert_eq!(desk.run(&["convert", "alone", "-o", "back", "--to", "ff7-field"]).code, 0);
    assert!(desk.read("back/boat.a") == desk.read("boat.a"));
    // What is one file by its name cannot be several.
    let refused = desk.run(&["convert", "frog.lgp", "-o", "frog.glb"]);
    assert_eq!(refused.code, 1);
    assert!(refused.stderr.contains("-o DIR/"), "{}", refused.stderr);
    // One file of one model may be called anything.
    assert_eq!(desk.run(&["convert", "walker.msh", "-o", "walker", "--to", "glb"]).code, 0);
    assert!(desk.files().contains(&"walker".to_owned()));
}

#[test]
fn textures_may_be_named_on_the_way_back() {
    let desk = desk();
    desk.run(&["convert", "lantern.mdx", "-o", "lantern.glb"]);
    for base in [&[][..], &["--base", "lantern.mdx"]] {
        let words = ["convert", "lantern.glb", "-o", "again.mdx", "--textures", "Textures", "--force"];
        let done = desk.run(&[&words[..], base].concat());
        assert_eq!(done.code, 0, "{}", done.stderr);
        assert!(desk.read("again.mdx") == desk.read("lantern.mdx"));
    }
}
