//! `convert` finds what models of Parkan wear, and says where it looked for what it did not find.

use std::collections::BTreeSet;

use serde_json::Value;

use crate::common::Desk;
use crate::common::archive::archive;

fn desk() -> Desk {
    let desk = Desk::new();
    assert_eq!(desk.run(&["samples", "."]).code, 0);
    desk
}

/// The JSON of a `.glb`.
fn json(glb: &[u8]) -> Value {
    let len = u32::from_le_bytes(glb[12..16].try_into().unwrap()) as usize;
    serde_json::from_slice(&glb[20..20 + len]).unwrap()
}

/// What was not found.
fn lost(report: &Value) -> Vec<&str> {
    let findings = report["files"][0]["findings"].as_array().unwrap().iter();
    let lost = findings.filter(|finding| finding["code"] == "msh.lost-texture");
    lost.map(|finding| finding["message"].as_str().unwrap()).collect()
}

#[test]
fn the_walker_wears_its_own() {
    let desk = desk();
    let (code, report) = desk.json(&["convert", "walker.msh", "-o", "walker.glb", "--json"]);
    assert_eq!((code, lost(&report).len()), (0, 0), "{report:#}");
    let file = json(&desk.read("walker.glb"));
    let names: Vec<&str> =
        file["materials"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["ARMOUR", "STEEL", "STRIPES", "GLASS", "BURNT"]);
    assert_eq!(file["images"].as_array().unwrap().len(), 4);
    assert!(file["materials"].as_array().unwrap().iter().all(|one| {
        one["doubleSided"] == true && one["pbrMetallicRoughness"]["baseColorTexture"].is_object()
    }));
    assert_eq!(file["materials"][0].get("alphaMode"), None);
    assert_eq!(file["materials"][3]["alphaMode"], "BLEND");
    let scenes: Vec<&str> =
        file["scenes"].as_array().unwrap().iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(scenes[..2], ["walker", "walker_LOD1"]);
    assert!(
        scenes.contains(&"walker_destroyed_LOD3") && scenes.contains(&"walker_cockpit_LOD0"),
        "{scenes:?}"
    );
}

#[test]
fn the_way_back_has_all_that_the_scene_has_not() {
    let desk = desk();
    desk.run(&["convert", "walker.msh", "-o", "walker.glb"]);
    let file = json(&desk.read("walker.glb"));
    let text: Value = serde_json::from_str(file["scenes"][0]["extras"]["galvani"].as_str().unwrap()).unwrap();
    let source: BTreeSet<&String> = text["source"].as_object().unwrap().keys().collect();
    assert!(source.into_iter().eq(["beyond", "index", "rest"]));
    // Without the archives of materials and textures at hand, too.
    desk.put("away/walker.glb", desk.read("walker.glb"));
    desk.run(&["convert", "away/walker.glb", "-o", "away/walker.msh"]);
    assert!(desk.read("away/walker.msh") == desk.read("walker.msh"));
    assert!(desk.read("away/walker.wea") == desk.read("walker.wea"));
}

#[test]
fn every_place_is_named_where_something_is_missing() {
    let desk = desk();
    desk.put("away/walker.msh", desk.read("walker.msh"));
    let (code, report) = desk.json(&["convert", "away/walker.msh", "-o", "w.glb", "--json"]);
    assert_eq!((code, lost(&report).len()), (0, 1), "{report:#}");
    assert!(lost(&report)[0].contains("`walker.wea` is none of away/walker.wea"), "{report:#}");
    let (code, report) =
        desk.json(&["convert", "away/walker.msh", "-o", "x.glb", "--textures", ".", "--json"]);
    assert_eq!((code, lost(&report).len()), (0, 0), "{report:#}");

    desk.put("away/walker.wea", desk.read("walker.wea"));
    let (_, report) = desk.json(&["convert", "away/walker.msh", "-o", "y.glb", "--json"]);
    let told = lost(&report);
    assert_eq!(told.len(), 5, "once for each name: {report:#}");
    assert!(told[0].contains("`ARMOUR` is none of away/Material.lib/ARMOUR, away/ARMOUR"), "{report:#}");
    let file = json(&desk.read("y.glb"));
    assert!(file.get("images").is_none());
}

#[test]
fn what_the_game_takes_instead_is_taken_and_told() {
    let desk = desk();
    desk.put("walker.wea", b"5\n0 ARMOUR\n1 STEEL\n2 NOWHERE\n3 STRIPES\n4 nowhere\n");
    let (code, report) = desk.json(&["convert", "walker.msh", "-o", "w.glb", "--json"]);
    let told = lost(&report);
    assert_eq!((code, told.len()), (0, 1), "{report:#}");
    assert!(
        told[0].contains("`./Material.lib/DEFAULT` is taken")
            || told[0].contains("`Material.lib/DEFAULT` is taken"),
        "{report:#}"
    );
}

#[test]
fn a_member_wears_what_lies_beside_its_archive() {
    let desk = desk();
    let [walker, table] = ["walker.msh", "walker.wea"].map(|name| desk.read(name));
    desk.put("units.rlb", archive(&[("WALKER.MSH", &walker), ("walker.wea", &table)]));
    let (code, report) = desk.json(&["convert", "units.rlb/walker.msh", "-o", "w.glb", "--json"]);
    assert_eq!((code, lost(&report).len()), (0, 0), "{report:#}");
    assert_eq!(json(&desk.read("w.glb"))["images"].as_array().unwrap().len(), 4);
}
