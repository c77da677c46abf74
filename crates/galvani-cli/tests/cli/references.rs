//! Which files models mean by the names in them.

use serde_json::{Value, json};

use crate::common::Desk;

fn sample(name: &str) -> Vec<u8> {
    let samples = galvani::samples::all();
    samples.into_iter().find(|sample| sample.name == name).unwrap().bytes
}

/// What a file names, and where that is.
fn found(desk: &Desk, words: &[&str]) -> Vec<(String, Value)> {
    let (code, json) = desk.json(&[&["list"], words, &["--json"]].concat());
    assert_eq!(code, 0, "{json}");
    let rows = json["files"]
        .as_array()
        .unwrap()
        .iter()
        .flat_map(|file| file["references"].as_array().unwrap().clone());
    rows.map(|row| (row["name"].as_str().unwrap().to_owned(), row["found"].clone())).collect()
}

fn lantern() -> Vec<u8> {
    sample("lantern.mdx")
}

const SKIN: &str = r"Textures\Lantern.blp";

#[test]
fn a_texture_is_found_in_any_case_of_letters_below_the_model() {
    let desk = Desk::new()
        .with("lantern.mdx", lantern())
        .with("TEXTURES/lantern.BLP", sample("Textures/Lantern.blp"));
    let all = found(&desk, &["lantern.mdx", "--textures"]);
    assert_eq!(all[0], (SKIN.to_owned(), json!("Textures/Lantern.blp")));
    assert_eq!(all[1], (r"Textures\LanternGlow.blp".to_owned(), Value::Null));
}

#[test]
fn other_extensions_and_bare_names_count_after_the_path_as_written() {
    let picture = sample("Textures/Lantern.blp");
    let desk = Desk::new().with("lantern.mdx", lantern()).with("lantern.dds", picture.clone());
    let at = |desk: &Desk| found(desk, &["lantern.mdx", "--textures"])[0].1.clone();
    assert_eq!(at(&desk), "Lantern.dds");
    desk.put("lantern.blp", picture.clone());
    assert_eq!(at(&desk), "Lantern.blp");
    desk.put("textures/lantern.tga", picture);
    assert_eq!(at(&desk), "Textures/Lantern.tga");
}

#[test]
fn folders_and_archives_that_somebody_points_at_come_first() {
    let picture = sample("Textures/Lantern.blp");
    let desk = Desk::new().with("lantern.mdx", lantern()).with("lantern.blp", picture.clone());
    desk.put("skins/Lantern.blp", picture);
    assert_eq!(found(&desk, &["lantern.mdx", "--textures=skins"])[0].1, "skins/Lantern.blp");
    let (_, json) = desk.json(&["info", "lantern.mdx", "--textures", "skins", "--json"]);
    assert_eq!(json["files"][0]["references"][0]["found"], "skins/Lantern.blp");
    let desk = desk.with("walker.msh", sample("walker.msh")).with("walker.wea", sample("walker.wea"));
    desk.put("game/material.lib", sample("material.lib"));
    let words = ["walker.msh", "--textures=game"];
    assert!(found(&desk, &words).contains(&("STEEL".to_owned(), json!("game/Material.lib/STEEL"))));
    let words = ["walker.msh", "--textures=game/material.lib"];
    assert!(found(&desk, &words).contains(&("STEEL".to_owned(), json!("game/material.lib/STEEL"))));
    assert_eq!(desk.run(&["info", "walker.msh", "--textures", "nowhere"]).code, 3);
}

#[test]
fn nothing_outside_is_found() {
    let desk = Desk::new();
    desk.put("secret.blp", sample("Textures/Lantern.blp"));
    desk.put("in/lantern.mdx", lantern());
    let words = ["edit", "in/lantern.mdx", "set-texture", "0", r"..\secret.blp", "--in-place"];
    assert_eq!(desk.run(&words).code, 0, "{}", desk.run(&words).all());
    let (_, json) = desk.json(&["list", "in/lantern.mdx", "--textures", "--json"]);
    let row = &json["files"][0]["references"][0];
    assert_eq!((&row["name"], &row["found"]), (&json!(r"..\secret.blp"), &Value::Null));
    assert_eq!(row["looked"][0], "in/secret.blp");
    // Of a folder that was pointed at every folder on the way counts, and no other.
    assert_eq!(found(&desk, &["in", "--textures"])[0].1, Value::Null);
    assert_eq!(found(&desk, &[".", "--textures"])[0].1, "./secret.blp");
}

#[test]
fn a_model_in_an_archive_has_its_table_there_and_its_libraries_beside_the_archive() {
    let desk = Desk::new().with("depot.rlb", sample("depot.rlb"));
    desk.put("material.lib", sample("material.lib"));
    desk.put("textures.lib", sample("textures.lib"));
    desk.put("walker.msh", sample("walker.msh"));
    desk.put("walker.wea", sample("walker.wea"));
    for (member, tag) in [("walker.msh", "MESH"), ("walker.wea", "WEAR")] {
        let words = ["edit", "depot.rlb", "add", &format!("new-{member}"), tag, member, "--in-place"];
        assert_eq!(desk.run(&words).code, 0, "{}", desk.run(&words).all());
    }
    let all = found(&desk, &["depot.rlb/new-walker.msh", "--textures"]);
    assert_eq!(all[0], ("new-walker.wea".to_owned(), json!("depot.rlb/new-walker.wea")));
    assert_eq!(all[1], ("ARMOUR".to_owned(), json!("./Material.lib/ARMOUR")));
    assert_eq!(all[2], ("PLATES.0".to_owned(), json!("./Textures.lib/PLATES.0")));
}

#[test]
fn what_is_missing_is_a_finding_of_the_pedantic() {
    let desk = Desk::new().with("lantern.mdx", lantern());
    desk.put("Textures/Lantern.blp", sample("Textures/Lantern.blp"));
    let missing = |words: &[&str]| {
        let (_, json) = desk.json(&[&["validate", "--json"], words].concat());
        let row = json["files"].as_array().unwrap().last().unwrap().clone();
        let all = row["diagnostics"].as_array().unwrap().clone();
        all.into_iter().filter(|one| one["code"] == "file.missing-texture").collect::<Vec<Value>>()
    };
    assert_eq!(missing(&["lantern.mdx"]), Vec::<Value>::new());
    let told = missing(&["lantern.mdx", "--pedantic"]);
    assert_eq!((told.len(), &told[0]["path"]), (1, &json!("TEXS[1]")));
    let message = told[0]["message"].as_str().unwrap();
    assert!(
        message.contains(r"`Textures\LanternGlow.blp`") && message.contains("LanternGlow.png"),
        "{message}"
    );
    // The game shows another material where one is missing; that is told all the same.
    for name in ["walker.msh", "walker.wea", "material.lib", "textures.lib"] {
        desk.put(name, sample(name));
    }
    assert_eq!(missing(&["walker.msh", "--pedantic"]), Vec::<Value>::new());
    assert_eq!(desk.run(&["edit", "walker.wea", "set-name", "materials", "1", "RUST", "--in-place"]).code, 0);
    let told = missing(&["walker.msh", "--pedantic"]);
    assert_eq!(told.len(), 1, "{told:?}");
    let (_, json) = desk.json(&["list", "--textures", "walker.msh", "--json"]);
    let rows = json["files"][0]["references"].as_array().unwrap();
    let row = rows.iter().find(|row| row["name"] == "RUST").unwrap();
    assert_eq!((&row["is_fallback"], &row["found"]), (&json!(true), &json!("Material.lib/DEFAULT")));
}

#[test]
fn a_list_of_textures_of_what_names_none_says_so() {
    let desk = Desk::new().with("textures.lib", sample("textures.lib"));
    let done = desk.run(&["list", "--textures", "textures.lib"]);
    assert_eq!(done.code, 1);
    assert!(done.all().contains("no input names textures or materials"), "{}", done.all());
}
