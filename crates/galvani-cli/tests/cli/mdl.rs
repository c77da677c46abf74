//! MDL through the command: texts become models and models texts, and every verb takes both.

use std::fs;

use crate::common::Desk;

/// A desk with the shipped samples and the lantern as text.
fn desk() -> Desk {
    let desk = Desk::new();
    assert_eq!(desk.run(&["samples", "."]).code, 0);
    let done = desk.run(&["convert", "lantern.mdx", "-o", "lantern.mdl"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    desk
}

#[test]
fn a_model_comes_back_from_its_text_byte_by_byte() {
    let desk = desk();
    let done = desk.run(&["convert", "lantern.mdl", "-o", "again.mdx"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let [before, after] = ["lantern.mdx", "again.mdx"].map(|name| fs::read(desk.path(name)).unwrap());
    assert_eq!(before, after);
    let (code, json) = desk.json(&["diff", "lantern.mdx", "lantern.mdl", "--json"]);
    assert_eq!((code, &json["equal"]), (0, &true.into()), "{json}");
}

#[test]
fn a_number_changed_in_a_text_is_what_differs_from_the_model() {
    let desk = desk();
    let text = fs::read_to_string(desk.path("lantern.mdl")).unwrap();
    desk.put("other.mdl", text.replacen("MoveSpeed 120", "MoveSpeed 90", 1));
    let (_, json) = desk.json(&["diff", "lantern.mdx", "other.mdl", "--json"]);
    assert_eq!(json["changes"].as_array().unwrap().len(), 1, "{json}");
    let change = &json["changes"][0];
    assert_eq!((&change["old"], &change["new"]), (&120.0.into(), &90.0.into()), "{json}");
    let (_, json) = desk.json(&["diff", "lantern.mdl", "other.mdl", "--json"]);
    assert_eq!(json["changes"][0]["new"], 90.0, "{json}");
}

#[test]
fn texts_are_posed_shown_and_converted_as_their_models_are() {
    let desk = desk();
    let poses = |file: &str| {
        desk.json(&["sample", file, "--clip", "Walk", "--time", "0..800:100", "--tracks", "--json"]).1
    };
    assert_eq!(poses("lantern.mdx"), poses("lantern.mdl"));
    let (code, json) = desk.json(&["info", "lantern.mdl", "--json"]);
    assert_eq!((code, &json["files"][0]["format"]), (0, &"mdl".into()), "{json}");
    assert_eq!(desk.run(&["convert", "lantern.mdl", "-o", "lantern.glb"]).code, 0);
    assert_eq!(desk.run(&["convert", "windmill.glb", "-o", "windmill.mdl"]).code, 0);
    let (code, json) =
        desk.json(&["validate", "windmill.mdl", "lantern.mdl", "--json", "--deny", "warnings"]);
    assert_eq!(code, 0, "{json:#}");
}

#[test]
fn world_of_warcraft_has_no_texts() {
    let desk = desk();
    let done = desk.run(&["convert", "lantern-wow.mdx", "-o", "wow.mdl"]);
    assert_eq!(done.code, 1, "{}", done.stderr);
    assert!(done.stderr.contains("mdl.family"), "{}", done.stderr);
    let done = desk.run(&["convert", "lantern-wow.mdx", "--to", "mdl:800", "-o", "wow.mdl"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
}

#[test]
fn findings_in_a_text_have_line_and_column() {
    let desk = desk();
    desk.put("bad.mdl", "Version {\n\tFormatVersion 800,\n}\nModel \"a\" {\n\tBlendTime none,\n}\n");
    let (_, json) = desk.json(&["validate", "bad.mdl", "--json"]);
    let found = json["files"][0]["diagnostics"].as_array().unwrap();
    let value = found.iter().find(|row| row["code"] == "mdl.value").unwrap();
    assert_eq!(
        (&value["line"], &value["column"], &value["offset"]),
        (&5.into(), &12.into(), &55.into()),
        "{value}"
    );
    let told = desk.run(&["validate", "bad.mdl"]);
    assert!(told.text().contains("in line 5, column 12"), "{}", told.text());
}

#[test]
fn an_edit_changes_one_word_of_a_text() {
    let desk = desk();
    let before = fs::read_to_string(desk.path("lantern.mdl")).unwrap().replacen(
        "BlendTime 150",
        "BlendTime   150.0 // ms",
        1,
    );
    desk.put("mine.mdl", &before);
    let done = desk.run(&["edit", "mine.mdl", "rename-sequence", "Walk", "Walk Fast", "--in-place"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let after = fs::read_to_string(desk.path("mine.mdl")).unwrap();
    assert_eq!(after, before.replace("Anim \"Walk\"", "Anim \"Walk Fast\""));
}

#[test]
fn every_dialect_becomes_a_model_that_is_sound() {
    let desk = Desk::new();
    let mut count = 0;
    for (name, file) in galvani_testkit::cases("mdl", 10) {
        if !name.starts_with("dialect") && name != "plain" {
            continue;
        }
        count += 1;
        desk.put(&format!("{name}.mdl"), file);
        let (text, model) = (format!("{name}.mdl"), format!("{name}.mdx"));
        let done = desk.run(&["convert", &text, "-o", &model]);
        assert_eq!(done.code, 0, "{name}: {}", done.stderr);
        let done = desk.run(&["validate", &model]);
        assert_eq!(done.code, 0, "{name}: {}", done.text());
        let (code, json) = desk.json(&["diff", &text, &model, "--json"]);
        assert_eq!((code, &json["equal"]), (0, &true.into()), "{name}: {json}");
    }
    assert!(count >= 6, "{count}");
}

#[test]
fn a_text_is_drawn_played_and_mended_as_its_model_is() {
    let desk = desk();
    for (name, file) in [("text.png", "lantern.mdl"), ("model.png", "lantern.mdx")] {
        let words = ["render", file, "-o", name, "--size", "48x48", "--clip", "Walk", "--time", "200"];
        let done = desk.run(&words);
        assert_eq!(done.code, 0, "{}", done.stderr);
    }
    assert_eq!(fs::read(desk.path("text.png")).unwrap(), fs::read(desk.path("model.png")).unwrap());
    let play = |file: &str| desk.json(&["play", file, "--clip", "Walk", "--time", "900", "--json"]).1;
    assert_eq!(play("lantern.mdl"), play("lantern.mdx"));
    let text = fs::read_to_string(desk.path("lantern.mdl")).unwrap();
    let (before, pivots) = text.split_once("PivotPoints ").unwrap();
    let (count, rest) = pivots.split_once(" {\n").unwrap();
    let more: usize = count.parse::<usize>().unwrap() + 1;
    let spoilt = format!("{before}PivotPoints {more} {{\n\t{{ 9, 9, 9 }},\n{rest}");
    desk.put("spoilt.mdl", spoilt);
    let done = desk.run(&["fix", "spoilt.mdl", "-o", "mended.mdl"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let mended = fs::read_to_string(desk.path("mended.mdl")).unwrap();
    assert!(mended.contains(&format!("PivotPoints {count} {{\n\t{{ 9, 9, 9 }},\n")), "{mended}");
}
