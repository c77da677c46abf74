//! Edits of models: every operation with what it changes, refusals, recipes, nodes of the older form.

use serde_json::Value;

use crate::common::Desk;
use crate::common::model::{case, walker};

/// What an edit of the walking machine changes: paths of all differences.
fn changed(words: &[&str]) -> Vec<String> {
    let desk = Desk::new().with("a.msh", walker());
    let done = desk.run(&[&["edit", "a.msh"], words, &["-o", "b.msh"]].concat());
    assert_eq!(done.code, 0, "{words:?}: {}", done.stderr);
    assert!(desk.read("a.msh") == walker(), "the input was touched");
    assert_eq!(desk.run(&["validate", "b.msh"]).code, 0, "{words:?}");
    let (_, json) = desk.json(&["diff", "a.msh", "b.msh", "--json"]);
    let path = |change: &Value| change["path"].as_str().unwrap().to_owned();
    json["changes"].as_array().unwrap().iter().map(path).collect()
}

#[test]
fn edits_of_one_value_change_nothing_else() {
    for (words, paths) in [
        (&["rename", "gun", "cannon"][..], &["names[4]"][..]),
        (&["rename", "#4", "hex:e9"], &["names[4]"]),
        (&["label", "GUN", "barrel"], &["labels[4]"]),
        (&["reparent", "4", "hull"], &["nodes[4].parent"]),
        (&["reparent", "gun", "none"], &["nodes[4].parent"]),
        (&["material", "3", "9"], &["batches[3].material"]),
        (&["material", "3", "9", "--reading", "documented"], &["batches[3].flags"]),
        (&["set-position", "turret", "0", "1", "0", "0.68"], &["keys[11].position[0]"]),
        (&["set-rotation", "turret", "0", "0", "1", "0", "0"], &["keys[11].qw", "keys[11].qx"]),
        (&["offset", "base", "0", "0", "-1.5"], &["keys[0].position[2]"]),
        (&["move-key", "gun", "4", "5"], &["keys[21].time", "frame_map[70]"]),
        (&["rebuild-maps"], &[]),
        (&["canonical"], &[]),
    ] {
        assert_eq!(changed(words), paths, "{words:?}");
    }
}

#[test]
fn edits_of_keys_change_the_node_and_what_follows_from_it() {
    let cases: [(&[&str], &str); 8] = [
        (&["insert-key", "hull", "1"], "nodes[1].fallback_key"),
        (&["delete-key", "hull", "4"], "nodes[1].fallback_key"),
        (&["retime", "gun", "2", "0"], "nodes[3].map_start"),
        (&["trim", "gun", "0", "8"], "nodes[4].fallback_key"),
        (&["make-static", "gun", "3"], "nodes[4].map_start"),
        (&["make-animated", "cabin"], "nodes[2].map_start"),
        (&["reduce", "antenna", "0.5", "0.5"], "nodes[5].fallback_key"),
        (&["delete-key", "gun", "4", "reverse", "gun"], "nodes[4].fallback_key"),
    ];
    for (words, first) in cases {
        let paths = changed(words);
        assert_eq!(paths[0], first, "{words:?}");
        let other = |path: &&String| {
            let lists = ["nodes[", "keys[", "frame_map[", "entries[10].attr", "entries[9].attr"];
            !lists.iter().any(|list| path.starts_with(list))
        };
        assert_eq!(paths.iter().find(other), None, "{words:?}");
    }
}

#[test]
fn reversed_keys_play_backwards_and_twice_is_as_before() {
    let desk = Desk::new().with("a.msh", walker());
    let once = ["edit", "a.msh", "set-position", "gun", "0", "1", "2", "3", "reverse", "gun", "-o", "b.msh"];
    assert_eq!(desk.run(&once).code, 0);
    let (_, json) = desk.json(&["diff", "a.msh", "b.msh", "--json"]);
    assert!(
        json["changes"].as_array().unwrap().iter().any(|change| change["path"] == "keys[28].position[0]")
    );
    assert_eq!(desk.run(&["edit", "a.msh", "reverse", "gun", "reverse", "gun", "-o", "c.msh"]).code, 0);
    assert!(desk.read("c.msh") == walker());
}

#[test]
fn a_refusal_leaves_no_output() {
    let long = "x".repeat(32);
    let refusals: [&[&str]; 19] = [
        &["rename", "nobody", "x"],
        &["rename", "99", "x"],
        &["rename", "gun", &long],
        &["insert-key", "gun", "0"],
        &["insert-key", "gun", "1.5"],
        &["insert-key", "gun", "-1"],
        &["insert-key", "gun", "nan"],
        &["delete-key", "gun", "1"],
        &["delete-key", "base", "0"],
        &["move-key", "gun", "0", "1"],
        &["set-rotation", "gun", "0", "0", "0", "0", "0"],
        &["set-rotation", "gun", "0", "1", "nan", "0", "0"],
        &["set-rotation", "gun", "0", "2", "0", "0", "0", "--strict"],
        &["offset", "gun", "inf", "0", "0"],
        &["reparent", "hull", "gun"],
        &["reparent", "gun", "gun"],
        &["material", "3", "256"],
        &["material", "70", "0"],
        &["retime", "gun", "100000", "0"],
    ];
    for words in refusals {
        let desk = Desk::new().with("a.msh", walker());
        let done = desk.run(&[&["edit", "a.msh"], words, &["-o", "b.msh"]].concat());
        assert_eq!((done.code, desk.files()), (1, vec!["a.msh".to_owned()]), "{words:?}: {}", done.stderr);
        let strict = done.stderr.contains("error[msh.rotation-normalised]");
        assert_eq!(strict, words.contains(&"--strict"), "{words:?}: {}", done.stderr);
        assert!(strict || done.stderr.contains("error[msh.edit-"), "{words:?}: {}", done.stderr);
    }
}

#[test]
fn a_rotation_that_is_normalised_is_told() {
    let desk = Desk::new().with("a.msh", walker());
    let half = ["edit", "a.msh", "set-rotation", "turret", "0", "0.7", "0", "0", "0.7", "-o"];
    let done = desk.run(&[&half[..], &["b.msh"]].concat());
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(done.stderr.contains("note[msh.rotation-normalised]"), "{}", done.stderr);
    assert!(done.stderr.contains("a length of 1 wanted, 0.98994946 found"), "{}", done.stderr);
    let whole =
        ["edit", "a.msh", "set-rotation", "turret", "0", "0.7071", "0", "0", "0.7071", "--strict", "-o"];
    let done = desk.run(&[&whole[..], &["c.msh"]].concat());
    assert_eq!((done.code, done.stderr.as_str()), (0, ""));
    assert!(desk.read("b.msh") == desk.read("c.msh"));
}

#[test]
fn a_still_model_samples_draws_picks_converts_and_learns_to_move() {
    let desk = Desk::new().with("still.msh", case("still"));
    let (code, json) = desk.json(&["sample", "still.msh", "--time", "3", "--space", "model", "--json"]);
    assert_eq!(code, 0);
    for sample in json["samples"].as_array().unwrap() {
        assert_eq!(
            (&sample["branch"], &sample["position"]),
            (&"none".into(), &serde_json::json!([0.0, 0.0, 0.0]))
        );
        assert_eq!(sample["rotation"], serde_json::json!([1.0, 0.0, 0.0, 0.0]));
    }
    let (_, json) = desk.json(&["draw", "still.msh", "--lod", "0", "--group", "0", "--json"]);
    assert_eq!(json["draws"].as_array().unwrap().len(), 2);
    let (_, json) = desk.json(&["pick", "still.msh", "--ray", "1.5,1.5,5,0,0,-1", "--json"]);
    assert_eq!(json["hit"]["node"], 0, "{json}");
    assert_eq!(desk.run(&["convert", "still.msh", "-o", "still.glb"]).code, 0);
    assert_eq!(desk.run(&["validate", "still.msh"]).code, 0);
    let edit = ["edit", "still.msh", "insert-key", "lift", "2", "set-position", "lift", "2", "0", "0", "1"];
    assert_eq!(desk.run(&[&edit[..], &["-o", "moving.msh"]].concat()).code, 0);
    assert_eq!(desk.run(&["validate", "moving.msh", "--deny", "warnings"]).code, 0);
    let (_, json) = desk.json(&["sample", "moving.msh", "--node", "lift", "--time", "1", "--json"]);
    assert_eq!(json["samples"][0]["position"], serde_json::json!([0.0, 0.0, 0.5]));
    assert_eq!(json["samples"][0]["branch"], "segment");
}

#[test]
fn a_dump_says_what_packed_numbers_stand_for() {
    let desk = Desk::new().with("a.msh", case("plain"));
    let (_, rows) = desk.json(&["dump", "a.msh", "--json"]);
    let decoded = |path: &str| {
        let row = rows.as_array().unwrap().iter().find(|row| row["path"] == path);
        row.unwrap_or_else(|| panic!("no {path}"))["decoded"].clone()
    };
    assert_eq!(decoded("normals[0].normal"), serde_json::json!([0.0, 0.0, 1.0]));
    assert_eq!(decoded("uv0[6].uv"), serde_json::json!([0.0, 63.0]));
    assert_eq!((decoded("keys[0].qw"), decoded("keys[0].qx")), (1.0.into(), 0.0.into()));
    assert_eq!(decoded("faces[0].normal"), serde_json::json!([0.0, 0.0, 1.0]));
    assert_eq!(decoded("keys[0].position"), Value::Null);
    let text = String::from_utf8(desk.run(&["dump", "a.msh"]).stdout).unwrap();
    assert!(text.contains("[0,64512] = [0.0,63.0]"));
}

#[test]
fn wrong_words_are_a_usage_error() {
    let wrong: [&[&str]; 8] = [
        &["fly"],
        &["add", "x", "1", "a.msh"],
        &["rename", "gun"],
        &["insert-key", "gun", "soon"],
        &["set-position", "gun", "0", "1", "2"],
        &["material", "three", "0"],
        &["material", "-1", "0"],
        &["rename", "gun", "hex:6"],
    ];
    for words in wrong {
        let desk = Desk::new().with("a.msh", walker());
        let done = desk.run(&[&["edit", "a.msh"], words, &["-o", "b.msh"]].concat());
        assert_eq!((done.code, desk.files().len()), (2, 1), "{words:?}: {}", done.stderr);
    }
}

#[test]
fn a_refusal_after_good_operations_leaves_the_input_as_it_was() {
    let desk = Desk::new().with("a.msh", walker());
    let words = ["edit", "a.msh", "rename", "gun", "x", "delete-key", "hull", "4", "rename", "gun", "y"];
    assert_eq!(desk.run(&[&words[..], &["--in-place"]].concat()).code, 1);
    assert!(desk.read("a.msh") == walker());
}

#[test]
fn errors_that_were_there_may_stay_and_damage_in_the_way_is_refused() {
    for (file, words) in [
        ("parent-cycle", &["rename", "base", "still"][..]),
        ("map-words", &["rename", "base", "still"]),
        ("key-times", &["material", "0", "1"]),
    ] {
        let desk = Desk::new().with("a.msh", case(file));
        let done = desk.run(&[&["edit", "a.msh"], words, &["-o", "b.msh"]].concat());
        assert_eq!(done.code, 0, "errors that were there may stay: {file}: {}", done.stderr);
    }
    // Node 1 ends behind the last key, so nobody can say which keys are its own.
    let desk = Desk::new().with("a.msh", case("fallback-range"));
    let done = desk.run(&["edit", "a.msh", "insert-key", "lift", "1", "-o", "b.msh"]);
    assert_eq!((done.code, desk.path("b.msh").exists()), (1, false), "{}", done.stderr);
}

#[test]
fn a_recipe_does_the_same_as_the_words() {
    let recipe = r##"[
        {"op": "rename", "node": "gun", "name": "cannon"},
        {"op": "insert-key", "node": 1, "frame": 1},
        {"op": "set-position", "node": "#1", "frame": 1, "x": 0.5, "y": -0.25, "z": 2},
        {"op": "reparent", "node": "cannon", "parent": "none"},
        {"op": "material", "batch": 3, "material": 7},
        {"op": "rebuild-maps"}
    ]"##;
    let desk = Desk::new().with("a.msh", walker()).with("r.json", recipe);
    let done = desk.run(&["edit", "a.msh", "--recipe", "r.json", "-o", "b.msh"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let words = "rename gun cannon insert-key 1 1 set-position #1 1 0.5 -0.25 2 reparent cannon none \
                 material 3 7 rebuild-maps";
    let words: Vec<&str> = words.split_whitespace().collect();
    assert_eq!(desk.run(&[&["edit", "a.msh"], &words[..], &["-o", "c.msh"]].concat()).code, 0);
    assert!(desk.read("b.msh") == desk.read("c.msh"));
    for wrong in
        [r#"[{"op": "rename", "node": "gun"}]"#, r#"[{"op": "material", "batch": 1.5, "material": 1}]"#]
    {
        desk.put("r.json", wrong);
        let done = desk.run(&["edit", "a.msh", "--recipe", "r.json", "-o", "d.msh"]);
        assert_eq!((done.code, desk.path("d.msh").exists()), (2, false), "{wrong}");
    }
}

#[test]
fn nodes_of_the_older_form_are_carried_and_reported_and_only_materials_edited() {
    let old = case("legacy-nodes");
    let desk = Desk::new().with("a.msh", &old);
    let (code, json) = desk.json(&["info", "a.msh", "--json"]);
    assert_eq!((code, &json["files"][0]["nodes"]), (0, &serde_json::json!([])));
    let (code, json) = desk.json(&["validate", "a.msh", "--json"]);
    assert_eq!((code, crate::common::codes(&json["files"][0])), (0, vec!["msh.legacy-nodes"]));
    let refusals: [&[&str]; 17] = [
        &["insert-key", "0", "1"],
        &["delete-key", "1", "2"],
        &["move-key", "1", "2", "1"],
        &["set-position", "0", "0", "1", "1", "1"],
        &["set-rotation", "0", "0", "1", "0", "0", "0"],
        &["retime", "1", "2", "0"],
        &["trim", "1", "0", "1"],
        &["reverse", "1"],
        &["offset", "1", "1", "1", "1"],
        &["make-static", "1", "0"],
        &["make-animated", "0"],
        &["reduce", "1", "1", "1"],
        &["rebuild-maps"],
        &["rename", "0", "x"],
        &["label", "0", "x"],
        &["reparent", "1", "none"],
        &["material", "0", "1", "reparent", "1", "none"],
    ];
    for words in refusals {
        let done = desk.run(&[&["edit", "a.msh"], words, &["-o", "b.msh"]].concat());
        assert_eq!((done.code, desk.files().len()), (1, 1), "{words:?}: {}", done.stderr);
        assert!(done.stderr.contains("error[msh.edit-legacy-nodes]"), "{words:?}: {}", done.stderr);
    }
    assert_eq!(desk.run(&["rewrite", "a.msh", "--in-place"]).code, 0);
    assert_eq!(desk.run(&["unpack", "a.msh", "-o", "folder"]).code, 0);
    assert_eq!(desk.run(&["pack", "folder", "-o", "c.msh"]).code, 0);
    assert!(desk.read("a.msh") == old && desk.read("c.msh") == old);
    assert_eq!(desk.run(&["edit", "a.msh", "material", "1", "9", "-o", "d.msh"]).code, 0);
    let new = desk.read("d.msh");
    let changed = (0..old.len()).filter(|&i| old[i] != new[i]).count();
    assert_eq!((old.len(), changed), (new.len(), 1));
}
