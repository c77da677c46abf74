//! MDX models on the command line: shown under both readings, checked, dumped, taken apart, compared.

use std::path::Path;

use galvani_testkit::assemble_file;
use serde_json::{Value, json};

use crate::common::{Desk, codes};

fn lantern(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    std::fs::read(folder.join(name)).unwrap()
}

fn case(name: &str) -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/mdx");
    assemble_file(&folder.join(name).join("build.txt"))
}

fn desk() -> Desk {
    Desk::new().with("lantern.mdx", lantern("lantern.mdx")).with("wow.mdx", lantern("lantern-wow.mdx"))
}

fn info(desk: &Desk, words: &[&str]) -> Value {
    let (code, json) = desk.json(&[&["info", "--json"], words].concat());
    assert_eq!(code, 0, "{json:#}");
    json["files"][0].clone()
}

#[test]
fn info_of_both_families_has_the_contracts_shape() {
    for (name, family, version, chunks) in
        [("lantern.mdx", "warcraft", 800, 19), ("wow.mdx", "wow", 1300, 20)]
    {
        let file = info(&desk(), &[name]);
        assert_eq!((&file["format"], &file["errors"]), (&json!("mdx"), &json!(0)));
        assert_eq!((&file["family"], &file["version"]), (&json!(family), &json!(version)));
        let topics = file["readings"].as_array().unwrap().iter().map(|row| row["topic"].clone());
        assert_eq!(topics.collect::<Vec<_>>(), ["seqs", "tracks", "inherit"]);
        let rows = file["chunks"].as_array().unwrap();
        assert_eq!(rows.len(), chunks);
        assert_eq!(rows[0], json!({"tag": "VERS", "offset": 4, "size": 4}));
        assert_eq!(rows[1]["offset"], 16);
        let nodes = file["nodes"].as_array().unwrap();
        assert_eq!(nodes.len(), 13);
        assert_eq!((&nodes[0]["name"], &nodes[0]["parent"]), (&json!("Root"), &Value::Null));
        assert_eq!((&nodes[2]["name"], &nodes[2]["parent"]), (&json!("Handle"), &json!(1)));
        let kinds: Vec<&Value> = nodes.iter().map(|node| &node["kind"]).collect();
        let last = if family == "wow" { "hit test" } else { "collision shape" };
        assert_eq!(
            kinds[5..],
            ["light", "helper", "attachment", "attachment", "particle emitter", "ribbon", "event", last]
        );
        assert_eq!((&file["tracks"]["KGRT"], &file["tracks"]["KEVT"]), (&json!(3), &json!(1)));
        let death = &file["sequences"][3];
        assert_eq!((&death["name"], &death["start"]), (&json!("Death"), &json!(5500)));
        assert_eq!((&death["end"], &death["looping"]), (&json!(7100), &json!(false)));
    }
}

#[test]
fn a_sequence_of_wow_is_shown_under_both_readings() {
    let stand = &info(&desk(), &["wow.mdx"])["sequences"][0];
    assert_eq!(stand["reading"], "observed");
    assert_eq!(stand["observed"]["frequency"], json!(0.8));
    assert_eq!(stand["observed"]["blend_time"], 150);
    // The first word of the name, and the bits of a float.
    assert_eq!(stand["documented"]["anim_id"], u32::from_le_bytes(*b"Stan"));
    assert_eq!(stand["documented"]["playback_speed"], 0.8_f32.to_bits());
    assert_eq!(stand["documented"]["unknown_88"], 150);
    assert_eq!(info(&desk(), &["lantern.mdx"])["sequences"][0].get("documented"), None);
}

#[test]
fn readings_that_are_asked_for_change_what_is_shown() {
    let desk = desk().with("inherit.mdx", {
        let mut file = lantern("lantern.mdx");
        let name = file.windows(6).position(|name| name == b"Handle").unwrap();
        file[name + 88] |= 2;
        file
    });
    for (reading, what) in [("documented", "rotation"), ("observed", "scaling"), ("auto", "scaling")] {
        let flag = format!("inherit={reading}");
        let file = info(&desk, &["inherit.mdx", "--reading", &flag]);
        assert_eq!(file["nodes"][2]["not_inherited"], json!([what]));
    }
    let dump = |reading: &str| {
        let rows = desk.json(&["dump", "wow.mdx", "--json", "--reading", reading]).1.to_string();
        (rows.contains("SEQS[0].anim_id"), rows.contains("SEQS[0].replay_min"))
    };
    assert_eq!((dump("seqs=documented"), dump("seqs=observed")), ((true, false), (false, true)));
    assert_eq!(
        info(&desk, &["wow.mdx", "--reading", "seqs=documented"])["sequences"][0]["reading"],
        "documented"
    );
}

/// The file with a word put in another's place, counted from the first `mark`.
fn poked(file: &[u8], mark: &[u8], after: usize, word: u32) -> Vec<u8> {
    let mut file = file.to_vec();
    let place = file.windows(mark.len()).position(|here| here == mark).unwrap() + after;
    file[place..place + 4].copy_from_slice(&word.to_le_bytes());
    file
}

#[test]
fn what_other_readers_accept_is_reported_with_its_place() {
    for name in ["lantern.mdx", "lantern-wow.mdx"] {
        let good = lantern(name);
        let size = |tag: &[u8]| {
            let place = good.windows(4).position(|here| here == tag).unwrap() + 4;
            u32::from_le_bytes(good[place..place + 4].try_into().unwrap())
        };
        let keys = |tag: &[u8]| size(tag) + 1;
        let cases = [
            (poked(&good, b"SEQS", 4, size(b"SEQS") - 1), "mdx.seqs-size"),
            (poked(&good, b"SEQS", 4, 0x7fff_ffff), "mdx.chunk-overrun"),
            (poked(&good, b"KGRT", 8, 7), "mdx.interpolation"),
            (poked(&good, b"KGRT", 12, 9), "mdx.global-range"),
            (poked(&good, b"KGAO", 4, keys(b"KGAO")), "mdx."),
            (poked(&good, b"Handle", 84, 2), "mdx.parent-self"),
            (poked(&good, b"Body", 84, 2), "mdx.parent-cycle"),
            (poked(&good, b"KGSC", 20, 0x7fc0_0000), "mdx.key-not-finite"),
            (good[..good.len() - 1].to_vec(), "mdx.chunk-overrun"),
            (poked(&good, b"MDLX", 0, 7), "mdx.magic"),
        ];
        for (file, wanted) in cases {
            let (code, json) = Desk::new().with("x.mdx", file).json(&["validate", "x.mdx", "--json"]);
            let row = &json["files"][0];
            let found = row["diagnostics"].as_array().unwrap();
            let found = found.iter().find(|found| found["code"].as_str().unwrap().starts_with(wanted));
            let found = found.unwrap_or_else(|| panic!("{name}: no {wanted} in {:?}", codes(row)));
            assert!(found["offset"].is_u64() && !found["path"].as_str().unwrap().is_empty(), "{found:#}");
            let warning = wanted == "mdx.global-range";
            let expected = if wanted == "mdx.magic" { 3 } else { u8::from(!warning) };
            assert_eq!(code, expected, "{name}: {wanted}: {json:#}");
        }
    }
}

#[test]
fn strictness_gives_up_at_the_first_part_that_does_not_read() {
    let desk = Desk::new().with("x.mdx", case("seqs-size"));
    assert_eq!(desk.json(&["validate", "x.mdx", "--json"]).0, 1);
    let (code, json) = desk.json(&["validate", "x.mdx", "--strict", "--json"]);
    assert_eq!((code, codes(&json["files"][0])), (3, vec!["mdx.seqs-size"]));
}

#[test]
fn a_dump_names_every_byte_once() {
    for name in ["lantern.mdx", "wow.mdx"] {
        let desk = desk();
        let (code, rows) = desk.json(&["dump", name, "--json"]);
        let mut at = 0;
        for row in rows.as_array().unwrap() {
            assert_eq!(row["offset"], at, "{row}");
            assert_ne!(row["type"], "raw", "{row}");
            at += row["length"].as_u64().unwrap();
        }
        assert_eq!((code, at), (0, desk.read(name).len() as u64));
    }
}

#[test]
fn a_model_is_taken_apart_changed_and_put_together() {
    let desk = desk();
    assert_eq!(desk.run(&["unpack", "wow.mdx", "-o", "parts"]).code, 0);
    assert_eq!(desk.run(&["pack", "parts", "-o", "same.mdx"]).code, 0);
    assert!(desk.read("same.mdx") == desk.read("wow.mdx"));
    let name = "parts/chunks/002-SEQS.json";
    let fields = String::from_utf8(desk.read(name)).unwrap();
    assert!(fields.contains(r#"["SEQS[2].name","text[80]","Walk"]"#), "{fields}");
    desk.put(name, fields.replace(r#""Walk""#, r#""Run""#));
    assert_eq!(desk.run(&["pack", "parts", "-o", "other.mdx"]).code, 0);
    let (code, diff) = desk.json(&["diff", "wow.mdx", "other.mdx", "--json"]);
    assert_eq!(code, 0);
    let changes = diff["changes"].as_array().unwrap();
    let wanted = json!([{"path": "sequences[Walk].name", "old": "Walk", "new": "Run", "distance": null}]);
    assert_eq!(json!(changes), wanted);
    assert_eq!(info(&desk, &["other.mdx"])["sequences"][2]["name"], "Run");
    assert_eq!(desk.json(&["diff", "wow.mdx", "same.mdx", "--json"]).1["equal"], true);
}

#[test]
fn every_case_comes_back_through_rewrite() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/mdx");
    for entry in std::fs::read_dir(folder).unwrap() {
        let name = entry.unwrap().file_name().to_string_lossy().into_owned();
        if name == "magic" {
            continue;
        }
        let file = case(&name);
        let desk = Desk::new().with("in.mdx", &file);
        for flags in [&[][..], &["--canonical"]] {
            let done = desk.run(&[&["rewrite", "in.mdx", "-o", "out.mdx"], flags].concat());
            assert_eq!(done.code, 0, "{name}: {}", done.stderr);
            assert!(desk.read("out.mdx") == file, "{name}");
        }
    }
}

#[test]
fn what_people_see_of_a_model() {
    insta::assert_snapshot!("info_of_a_model", desk().run(&["info", "lantern.mdx"]).all());
}

#[test]
fn edits_change_what_they_name_and_say_how_exact_they_were() {
    let desk = Desk::new();
    assert_eq!(desk.run(&["samples", "."]).code, 0);
    let names = |file: &str| -> Vec<String> {
        let (_, json) = desk.json(&["info", file, "--json"]);
        let rows = json["files"][0]["sequences"].as_array().unwrap().clone();
        rows.iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect()
    };
    for model in ["lantern.mdx", "lantern-wow.mdx"] {
        let words =
            ["edit", model, "rename-sequence", "0", "Wait", "remove-sequence", "3", "drop", "-o", "new.mdx"];
        let done = desk.run(&words);
        assert_eq!(done.code, 0, "{}", done.stderr);
        assert_eq!(names("new.mdx").len(), names(model).len() - 1);
        assert_eq!(names("new.mdx")[0], "Wait");
        let words =
            ["edit", model, "set-interpolation", "BONE[1].KGRT", "step", "3", "-o", "new.mdx", "--json"];
        let (code, json) = desk.json(&words);
        assert_eq!(code, 0, "{json:#}");
        let found = json["files"][0]["report"]["diagnostics"].as_array().unwrap();
        assert!(found.iter().any(|finding| finding["code"] == "mdx.edit-inexact"), "{json:#}");
        // A key into wild tangents cannot keep the turn; into a straight way it can.
        let wild = ["set-tangents", "BONE[2].KGRT", "0", "0.9,0.1,0.3,0.2", "-0.5,0.5,0.5,0.5"];
        let insert = ["insert-key", "BONE[2].KGRT", "301", "-o", "new.mdx", "--json"];
        let bent = ["edit", model, "set-interpolation", "BONE[2].KGRT", "hermite", "0.01"];
        let (code, json) = desk.json(&[&bent[..], &wild, &insert].concat());
        assert_eq!(code, 0, "{json:#}");
        assert!(json["files"][0]["findings"].to_string().contains("mdx.edit-inexact"), "{json:#}");
        let straight = ["edit", model, "insert-key", "BONE[1].KGTR", "301"];
        let (_, json) = desk.json(&[&straight[..], &insert[3..]].concat());
        assert!(!json["files"][0]["findings"].to_string().contains("mdx.edit-inexact"), "{json:#}");
        let refused = desk.run(&["edit", model, "delete-key", "BONE[1].KGRT", "1", "-o", "new.mdx"]);
        assert_eq!(refused.code, 1, "{}", refused.stderr);
        assert!(refused.stderr.contains("mdx.edit-no-key"), "{}", refused.stderr);
    }
}

#[test]
fn a_rotation_that_is_not_of_length_1_is_normalised_and_told_or_refused() {
    let desk = desk();
    for model in ["lantern.mdx", "wow.mdx"] {
        let words = ["edit", model, "add-key", "BONE[1].KGRT", "301", "0,0,3,4", "-o", "long.mdx"];
        let done = desk.run(&words);
        assert_eq!(done.code, 0, "{}", done.stderr);
        assert!(done.stderr.contains("note[mdx.rotation-normalised]"), "{}", done.stderr);
        assert!(done.stderr.contains("a length of 1 wanted, 5 found"), "{}", done.stderr);
        let strict = desk.run(&[&words[..], &["--strict"]].concat());
        assert_eq!(strict.code, 1, "{}", strict.stderr);
        assert!(strict.stderr.contains("error[mdx.rotation-normalised]"), "{}", strict.stderr);
        let unit =
            ["edit", model, "add-key", "BONE[1].KGRT", "301", "0,0,0.6,0.8", "-o", "unit.mdx", "--strict"];
        assert_eq!(desk.run(&unit).code, 0);
        assert!(desk.read("long.mdx") == desk.read("unit.mdx"), "{model}");
        let none = ["edit", model, "set-key", "BONE[1].KGRT", "0", "0,0,0,0", "-o", "none.mdx"];
        assert!(desk.run(&none).stderr.contains("error[mdx.edit-value]"));
    }
}

#[test]
fn a_new_sequence_gets_tracks_and_keys_of_its_own() {
    let desk = Desk::new();
    assert_eq!(desk.run(&["samples", "."]).code, 0);
    let tracks = |file: &str, tag: &str| {
        let (_, json) = desk.json(&["info", file, "--json"]);
        json["files"][0]["tracks"][tag].as_u64().unwrap_or(0)
    };
    for model in ["lantern.mdx", "lantern-wow.mdx"] {
        let words = "add-sequence Attack 900000 901000 \
            add-track BONE[0].KGSC hermite 900000 1,1,1 \
            set-tangents BONE[0].KGSC 900000 0,0,0 1,0,0 \
            move-key BONE[0].KGSC 900000 900250 \
            add-key BONE[1].KGTR 900500 0,0,1 \
            remove-track GEOA[0].KGAO texture-flags 0 3";
        let words = [&["edit", model, "-o", "new.mdx"][..], &words.split_whitespace().collect::<Vec<_>>()];
        let done = desk.run(&words.concat());
        assert_eq!(done.code, 0, "{}", done.stderr);
        assert_eq!(tracks("new.mdx", "KGSC"), tracks(model, "KGSC") + 1);
        assert_eq!(tracks("new.mdx", "KGAO"), tracks(model, "KGAO") - 1);
        assert_eq!(desk.run(&["validate", "new.mdx"]).code, 0);
        for (words, code) in [
            (&["add-track", "BONE[0].KMTA", "step", "0", "1"][..], "mdx.edit-track-owner"),
            (&["add-track", "BONE[99].KGTR", "step", "0", "1,1,1"], "mdx.edit-no-record"),
            (&["add-track", "EVTS[0].KEVT", "step", "0", "none"], "mdx.edit-track-there"),
            (&["remove-texture", "0", "other"], "mdx.edit-no-texture"),
        ] {
            let refused = desk.run(&[&["edit", model, "-o", "no.mdx"][..], words].concat());
            assert_eq!(refused.code, 1, "{}", refused.stderr);
            assert!(refused.stderr.contains(code), "{}", refused.stderr);
        }
    }
}

#[test]
fn lists_of_numbers_may_begin_with_a_minus() {
    let desk = desk();
    let words = ["edit", "lantern.mdx", "set-key", "BONE[1].KGTR", "0", "-1,2,-3", "-o", "out.mdx"];
    let done = desk.run(&words);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let samples = desk.samples(&["out.mdx", "--clip", "0", "--node", "Body"]);
    assert_eq!(samples[0]["nodes"][0]["translation"], json!([-1.0, 2.0, -3.0]));
}

/// The changes that edits of the lantern make: path, old, new.
fn changes(desk: &Desk, words: &[&str]) -> Vec<(String, Value, Value)> {
    let done = desk.run(&[&["edit", "lantern.mdx", "-o", "out.mdx"], words].concat());
    assert_eq!(done.code, 0, "{}", done.stderr);
    let (_, json) = desk.json(&["diff", "lantern.mdx", "out.mdx", "--json"]);
    let rows = json["changes"].as_array().unwrap().clone();
    let row =
        |row: &Value| (row["path"].as_str().unwrap().to_owned(), row["old"].clone(), row["new"].clone());
    rows.iter().map(row).collect()
}

fn change(path: &str, old: Value, new: Value) -> (String, Value, Value) {
    (path.to_owned(), old, new)
}

#[test]
fn differences_have_the_names_of_what_differs() {
    let desk = desk();
    let moved = "nodes[Body].KGTR.keys[0].value[2]";
    let changed = changes(&desk, &["set-key", "BONE[1].KGTR", "0", "0,0,7.5"]);
    assert_eq!(changed, [change(moved, json!(0.0), json!(7.5))]);
    let signed = changes(&desk, &["set-key", "BONE[1].KGTR", "0", "0,0,-0.0"]);
    assert_eq!(signed.len(), 1, "{signed:?}");
    assert_eq!(signed[0].0, moved);
    let layer = "materials[replaceable 1, Textures\\Lantern.blp].LAYS[1].alpha";
    let changed = changes(&desk, &["set-alpha", "0", "1", "0.25", "rename-node", "Wick", "Fuse"]);
    assert_eq!(
        changed,
        [change(layer, json!(1.0), json!(0.25)), change("nodes[Wick].name", json!("Wick"), json!("Fuse")),]
    );
    let pivot = changes(&desk, &["reparent-node", "Foot Left", "none"]);
    assert_eq!(pivot, [change("nodes[Foot Left].parent_id", json!(0), json!(-1))]);
    let mut file = desk.read("lantern.mdx");
    let (_, rows) = desk.json(&["dump", "lantern.mdx", "--json"]);
    let row = rows.as_array().unwrap().iter().find(|row| row["path"] == "PIVT[3].z").unwrap();
    let at = usize::try_from(row["offset"].as_u64().unwrap()).unwrap();
    file[at..at + 4].copy_from_slice(&f32::NEG_INFINITY.to_le_bytes());
    desk.put("odd.mdx", file);
    let (_, json) = desk.json(&["diff", "lantern.mdx", "odd.mdx", "--json"]);
    let change = &json["changes"][0];
    assert_eq!((&change["path"], &change["new"]), (&json!("nodes[Foot Left].pivot.z"), &json!("-Infinity")));
}

#[test]
fn what_is_added_or_removed_is_one_difference() {
    let desk = desk();
    let added = changes(&desk, &["add-texture", "new.blp"]);
    let texture = json!({"replaceable_id": 0, "path": "new.blp", "flags": 0});
    assert_eq!(added, [change("textures[new.blp]", Value::Null, texture)]);
    let removed = changes(&desk, &["remove-sequence", "Walk", "keep"]);
    assert_eq!((removed[0].0.as_str(), &removed[0].2), ("sequences[Walk]", &Value::Null));
    assert_eq!(removed[0].1["move_speed"], 120.0);
    assert!(removed.iter().skip(1).all(|(path, ..)| path.starts_with("GEOS[")), "{removed:?}");
    let key = changes(&desk, &["add-key", "Body.KGTR", "301", "1,2,3"]);
    let tangent = json!([0.0, 0.0, 0.0]);
    let of_key = |part: &str| format!("nodes[Body].KGTR.keys[301 ms].{part}");
    assert_eq!(key[0], change(&of_key("value"), Value::Null, json!([1.0, 2.0, 3.0])));
    assert!(
        key.iter().skip(1).all(|(path, ..)| path.starts_with("nodes[Body].KGTR.keys[")),
        "{key:?} {tangent}"
    );
    let track = changes(&desk, &["remove-track", "Body.KGSC"]);
    assert_eq!((track.len(), track[0].0.as_str(), &track[0].2), (1, "nodes[Body].KGSC", &Value::Null));
    let text = desk.run(&["diff", "lantern.mdx", "out.mdx"]);
    assert!(!text.text().contains(".json") && !text.text().contains("chunks"), "{}", text.text());
}

#[test]
fn any_one_byte_of_a_model_makes_a_difference() {
    let good = lantern("lantern-wow.mdx");
    let mut compared = 0;
    for at in (0..good.len()).step_by(97) {
        let mut other = good.clone();
        other[at] ^= 1;
        let desk = Desk::new().with("a.mdx", &good).with("b.mdx", &other);
        let (code, json) = desk.json(&["diff", "a.mdx", "b.mdx", "--json"]);
        if code == 0 {
            assert_eq!(json["equal"], false, "byte {at}");
            compared += 1;
        }
    }
    assert!(compared > 100, "only {compared} models read");
}

#[test]
fn numbers_of_differences_are_short() {
    let desk = desk();
    let words = ["edit", "lantern.mdx", "set-key", "Body.KGTR", "0", "0.1,0,0.33333334", "-o", "out.mdx"];
    assert_eq!(desk.run(&words).code, 0);
    let done = desk.run(&["diff", "lantern.mdx", "out.mdx"]);
    let wanted = "nodes[Body].KGTR.keys[0].value[0]  (by 0.1)\n  - 0\n  + 0.1\n\
        nodes[Body].KGTR.keys[0].value[2]  (by 0.333333)\n  - 0\n  + 0.333333\n";
    assert_eq!(done.text(), wanted);
}

#[test]
fn a_start_before_0_is_shown_as_the_file_has_it() {
    let desk = Desk::new().with("negative.mdx", case("sequence-negative"));
    let row = &info(&desk, &["negative.mdx"])["sequences"][0];
    assert_eq!((&row["start"], &row["end"]), (&json!(4_294_967_129_u32), &json!(1000)));
}

#[test]
fn tangents_of_rotations_are_normalised_and_told_or_refused() {
    let desk = desk();
    let words = "edit lantern.mdx add-track BONE[3].KGRT hermite 0 0,0,0,1 set-tangents BONE[3].KGRT 0 0,0,0,3 0,0,0,1 -o q.mdx";
    let words: Vec<&str> = words.split(' ').collect();
    let done = desk.run(&words);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(done.stderr.contains("a length of 1 wanted, 3 found"), "{}", done.stderr);
    assert_eq!(desk.run(&[&words[..], &["--strict"]].concat()).code, 1);
}

#[test]
fn a_recipe_takes_lists_as_lists() {
    let recipe = r#"[{"op": "set-key", "track": "BONE[1].KGTR", "time": 0, "values": [1, 2.5, -3]}]"#;
    let desk = desk().with("list.json", recipe);
    let done = desk.run(&["edit", "lantern.mdx", "--recipe", "list.json", "-o", "a.mdx"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    desk.run(&["edit", "lantern.mdx", "set-key", "BONE[1].KGTR", "0", "1,2.5,-3", "-o", "b.mdx"]);
    assert_eq!(desk.read("a.mdx"), desk.read("b.mdx"));
}

#[test]
fn differences_of_times_have_their_sign() {
    let desk = desk();
    desk.run(&["edit", "lantern.mdx", "move-sequence", "Stand", "-5000", "-o", "early.mdx"]);
    let (_, json) = desk.json(&["diff", "lantern.mdx", "early.mdx", "--json"]);
    let changes = json["changes"].as_array().unwrap();
    let start = changes.iter().find(|change| change["path"] == "sequences[Stand].start").unwrap();
    assert_eq!((&start["new"], &start["distance"]), (&json!(-5000), &json!(5000.0)));
}
