//! Models: recognised by what they hold, read under both readings, every verb of the house.

use serde_json::{Value, json};

use crate::common::archive::{DATA_OFFSET, peek, poke, record};
use crate::common::model::{case, cases, full, odd, walker, with_stream};
use crate::common::{Desk, codes};

/// A model without some of its streams: their numbers become others.
fn without(streams: &[usize]) -> Vec<u8> {
    let mut file = case("plain");
    for i in 0..peek(&file, 8) {
        let at = record(&file, i);
        if streams.contains(&peek(&file, at)) {
            poke(&mut file, at, 1_000 + i);
        }
    }
    file
}

fn format_of(desk: &Desk, words: &[&str]) -> Value {
    desk.json(&[&["info", "--json"], words].concat()).1["files"][0]["format"].clone()
}

#[test]
fn a_model_is_recognised_by_its_streams() {
    let terrain = |stream| with_stream(&case("plain"), stream, [0, 0, 0], b"land");
    let files: [(&str, Vec<u8>, &str); 9] = [
        ("a.bin", case("plain"), "msh"),
        ("a.msh", case("plain"), "msh"),
        ("land.msh", terrain(11), "nres"),
        ("land2.msh", terrain(14), "nres"),
        ("land3.msh", terrain(21), "nres"),
        ("part.msh", without(&[2, 3]), "msh"),
        ("part.MSH", without(&[3]), "msh"),
        ("part.bin", without(&[3]), "nres"),
        ("none.msh", without(&[1]), "nres"),
    ];
    for (name, file, format) in files {
        let desk = Desk::new().with(name, file);
        assert_eq!(format_of(&desk, &[name]), format, "{name}");
        assert_eq!(format_of(&desk, &[name, "--format", "nres"]), "nres", "{name}");
        assert_eq!(format_of(&desk, &[name, "--format", "msh"]), "msh", "{name}");
    }
}

#[test]
fn a_model_forced_to_be_an_archive_is_one_to_every_verb() {
    let desk = Desk::new().with("a.msh", case("plain"));
    let (_, rows) = desk.json(&["dump", "a.msh", "--format", "nres", "--json"]);
    let payload = |row: &Value| row["path"].as_str().unwrap().starts_with("payloads");
    assert!(rows.as_array().unwrap().iter().any(payload));
    let words = ["edit", "a.msh", "--format", "nres", "set", "#1", "attr1", "9", "-o", "b.msh"];
    assert_eq!(desk.run(&words).code, 0);
    assert_eq!(desk.run(&["validate", "b.msh"]).code, 1, "attr1 is no longer the number of slots");
}

#[test]
fn a_reading_can_be_forced_and_info_says_why_it_was_taken() {
    let desk = Desk::new().with("a.msh", case("plain")).with("d.msh", case("documented"));
    for (file, words, taken, why) in [
        ("a.msh", &[][..], "observed", "stream 9 holds 32 bytes for each of 2 nodes"),
        ("d.msh", &[], "documented", "identity keys with w first: 0, with w last: 3"),
        ("d.msh", &["--reading", "auto"], "documented", "identity keys with w first: 0, with w last: 3"),
        ("a.msh", &["--reading", "documented"], "documented", ""),
        ("d.msh", &["--reading", "observed"], "observed", ""),
        ("d.msh", &["--reading", "msh=observed"], "observed", ""),
        ("a.msh", &["--reading", "observed", "--reading", "msh=documented"], "documented", ""),
    ] {
        let (code, json) = desk.json(&[&["info", file, "--json"], words].concat());
        let readings = json["files"][0]["readings"].as_array().unwrap().clone();
        let [reading] = &readings[..] else { panic!("{readings:?}") };
        assert_eq!(
            (code, &reading["topic"], &reading["taken"]),
            (0, &json!("msh"), &json!(taken)),
            "{words:?}"
        );
        let found = reading["why"].as_str().unwrap();
        assert!(if why.is_empty() { !found.is_empty() } else { found == why }, "{words:?}: {found}");
        let text = desk.run(&[&["info", file, "--readings"], words].concat());
        assert!(text.text().contains(&format!("reading of msh: {taken} ({found})")), "{}", text.text());
    }
    for wrong in ["guessed", "msh=guessed", "mesh=observed", "=observed", "msh="] {
        assert_eq!(desk.run(&["info", "a.msh", "--reading", wrong]).code, 2, "{wrong}");
    }
}

#[test]
fn the_reading_decides_what_a_dump_calls_things() {
    let desk = Desk::new().with("a.msh", full());
    let paths = |reading: &str| -> Vec<String> {
        let (_, rows) = desk.json(&["dump", "a.msh", "--reading", reading, "--json"]);
        rows.as_array().unwrap().iter().map(|row| row["path"].as_str().unwrap().to_owned()).collect()
    };
    let (documented, observed) = (paths("documented"), paths("observed"));
    let old = ["batches[0].material_index", "slots[0].opaque", "colours[0].bgra"];
    let new = ["batches[0].material", "slots[0].area", "lightmap_uv[0].uv"];
    for (old, new) in old.into_iter().zip(new) {
        assert!(documented.iter().any(|path| path == old) && !documented.iter().any(|path| path == new));
        assert!(observed.iter().any(|path| path == new) && !observed.iter().any(|path| path == old));
    }
}

#[test]
fn info_tells_nodes_streams_and_animation() {
    let desk = Desk::new().with("full.msh", full());
    let (code, json) = desk.json(&["info", "full.msh", "--json"]);
    let row = &json["files"][0];
    assert_eq!((code, &row["counts"]["waypoints"], &row["counts"]["probes"]), (0, &json!(1), &json!(1)));
    assert_eq!(row["animation"], json!({"frames": 3, "keys": 3, "animated_nodes": 1}));
    let nodes = &row["nodes"];
    assert_eq!(
        (&nodes[0]["parent"], &nodes[0]["name"], &nodes[0]["map_start"]),
        (&json!(null), &json!("base"), &json!(null))
    );
    assert_eq!((&nodes[1]["parent"], &nodes[1]["label"]), (&json!(0), &json!("central")));
    let slot = json!([{"lod": 0, "group": 0, "slot": 1, "damage_state": 0, "level_of_detail": 0}]);
    assert_eq!(nodes[1]["slots"], slot);
    assert_eq!(row["unknown"], json!([{"type": 98, "size": 0}, {"type": 99, "size": 12}]));
    let (_, json) = desk.json(&["info", "full.msh", "--json", "--reading", "documented"]);
    let nodes = &json["files"][0]["nodes"];
    assert_eq!((&nodes[0]["name"], &nodes[1]["name"]), (&json!(""), &json!("central")), "names are labels");
    assert_eq!(nodes[1]["slots"], json!([{"lod": 0, "group": 0, "slot": 1}]));
}

#[test]
fn info_shows_the_bytes_of_a_name_that_say_more() {
    let mut file = case("plain");
    let names = peek(&file, record(&file, 11) + DATA_OFFSET);
    file[names + 10] = b'!';
    file[names + 32] = 0xe9;
    let desk = Desk::new().with("a.msh", file);
    let (_, json) = desk.json(&["info", "a.msh", "--json"]);
    let nodes = &json["files"][0]["nodes"];
    assert_eq!((&nodes[0]["name"], &nodes[1]["name"]), (&json!("base"), &json!("\u{e9}ift")));
    assert!(nodes[0]["name_hex"].as_str().unwrap().starts_with("62617365000000000000210000"));
    assert!(nodes[1]["name_hex"].as_str().unwrap().starts_with("e9696674"));
    assert!(nodes[1].get("label_hex").is_none());
}

/// Whether bytes under a path may be without a meaning.
fn may_be_raw(path: &str) -> bool {
    let lists = ["extra15[", "rest[", "streams[", "gaps[", "tail"];
    lists.iter().any(|list| path.starts_with(list))
}

#[test]
fn a_dump_owns_every_byte_once_and_leaves_raw_only_what_nobody_knows() {
    let mut files = cases();
    files.extend(odd().into_iter().map(|(name, file)| (name.to_owned(), file)));
    files.push(("full".to_owned(), full()));
    files.push(("walker".to_owned(), walker()));
    for (name, file) in files {
        for reading in ["documented", "observed"] {
            let desk = Desk::new().with("a.msh", &file);
            let words = ["dump", "a.msh", "--format", "msh", "--json", "--reading", reading];
            let (code, rows) = desk.json(&words);
            if code == 3 {
                assert!(["frame", "truncated"].contains(&name.as_str()), "{name}");
                continue;
            }
            let mut at = 0;
            // An empty stream has a place, but no byte.
            let rows = rows.as_array().unwrap().iter().filter(|row| row["length"] != 0);
            for row in rows {
                assert_eq!(row["offset"], at, "{name}: {row}");
                at += row["length"].as_u64().unwrap();
                let path = row["path"].as_str().unwrap();
                // Records that share their bytes with others are nobody's records.
                let shared = matches!(name.as_str(), "partly" | "inside") && !path.contains('.');
                let raw = row["type"] == "raw";
                assert!(!raw || shared || may_be_raw(path), "{name} as {reading}: {path} is raw");
            }
            assert_eq!(at, u64::try_from(file.len()).unwrap(), "{name}");
        }
    }
}

#[test]
fn only_streams_that_nobody_knows_are_raw_streams() {
    let desk = Desk::new().with("full.msh", full()).with("old.msh", case("legacy-nodes"));
    let raw = |file: &str| -> Vec<String> {
        let (_, rows) = desk.json(&["dump", file, "--json"]);
        let rows = rows.as_array().unwrap().iter().filter(|row| row["type"] == "raw");
        let paths = rows.map(|row| row["path"].as_str().unwrap().to_owned());
        paths.filter(|path| !path.starts_with("extra15")).collect()
    };
    assert_eq!(raw("full.msh"), ["streams[13]", "streams[18]"]);
    assert_eq!(raw("old.msh"), ["streams[0]"]);
}

#[test]
fn validate_tells_errors_warnings_and_notes_apart() {
    for (name, code, denied) in [
        ("plain", 0, 0),
        ("documented", 0, 0),
        ("map-words", 0, 1),
        ("legacy-nodes", 0, 0),
        ("parent-cycle", 1, 1),
        ("key-times", 1, 1),
        ("rest-bytes", 1, 1),
        ("stream-missing", 1, 1),
        ("label-cut", 1, 1),
    ] {
        let desk = Desk::new().with("a.msh", case(name));
        assert_eq!(desk.run(&["validate", "a.msh"]).code, code, "{name}");
        assert_eq!(desk.run(&["validate", "a.msh", "--deny", "warnings"]).code, denied, "{name}");
    }
    let desk = Desk::new().with("a.msh", case("truncated")).with("b.msh", case("rest-bytes"));
    let (code, json) = desk.json(&["validate", "a.msh", "--format", "msh", "--json"]);
    assert_eq!((code, codes(&json["files"][0])), (3, vec!["msh.truncated"]));
    let (code, json) = desk.json(&["validate", "b.msh", "--strict", "--json"]);
    assert_eq!((code, codes(&json["files"][0])), (3, vec!["msh.rest-bytes"]));
    assert_eq!(json["files"][0]["readable"], false);
}

#[test]
fn all_findings_come_in_one_pass_with_their_places() {
    let desk = Desk::new().with("a.msh", case("attributes"));
    let (code, json) = desk.json(&["validate", "a.msh", "--json"]);
    let row = &json["files"][0];
    assert_eq!((code, &row["errors"], &row["warnings"]), (1, &json!(3), &json!(3)));
    for finding in row["diagnostics"].as_array().unwrap() {
        assert!(
            finding["offset"].is_u64() && finding["path"].as_str().unwrap().contains(".attr"),
            "{finding}"
        );
    }
}

#[test]
fn what_reads_comes_back_byte_for_byte_from_rewrite_and_folders() {
    let mut files = cases();
    files.extend(odd().into_iter().map(|(name, file)| (name.to_owned(), file)));
    files.push(("full".to_owned(), full()));
    files.push(("walker".to_owned(), walker()));
    for (name, file) in files {
        let desk = Desk::new().with("a.msh", &file);
        if desk.run(&["rewrite", "a.msh", "-o", "b.msh"]).code == 3 {
            continue;
        }
        assert!(desk.read("b.msh") == file, "{name}: rewrite");
        assert_eq!(desk.run(&["unpack", "a.msh", "-o", "folder"]).code, 0, "{name}");
        let done = desk.run(&["pack", "folder", "-o", "c.msh"]);
        assert_eq!(done.code, 0, "{name}: {}", done.stderr);
        assert!(desk.read("c.msh") == file, "{name}: pack");
    }
}

#[test]
fn a_changed_list_is_packed_and_a_wrong_one_is_unreadable() {
    let desk = Desk::new().with("a.msh", case("plain"));
    assert_eq!(desk.run(&["unpack", "a.msh", "-o", "folder"]).code, 0);
    let keys = String::from_utf8(desk.read("folder/streams/0009-keys.json")).unwrap();
    desk.put("folder/streams/0009-keys.json", keys.replace("[0.0,0.0,2.0]", "[0.0,0.0,1.5]"));
    assert_eq!(desk.run(&["pack", "folder", "-o", "b.msh"]).code, 0);
    let (_, json) = desk.json(&["diff", "a.msh", "b.msh", "--json"]);
    assert_eq!(
        json["changes"],
        json!([{"path": "keys[2].position[2]", "old": 2.0, "new": 1.5, "distance": 0.5}])
    );
    desk.put("folder/streams/0009-keys.json", keys.replace("2.0]", "\"two\"]"));
    let done = desk.run(&["pack", "folder", "-o", "c.msh"]);
    assert_eq!((done.code, desk.path("c.msh").exists()), (3, false));
    assert!(done.stderr.contains("streams/0009-keys.json: [2]: "), "{}", done.stderr);
}

#[test]
fn canonical_lays_a_model_out_and_keeps_its_streams() {
    for name in ["tail", "gap", "unsorted"] {
        let (_, file) = odd().into_iter().find(|(odd, _)| *odd == name).unwrap();
        let desk = Desk::new().with("odd.msh", file);
        assert_eq!(desk.run(&["rewrite", "odd.msh", "--canonical", "-o", "good.msh"]).code, 0, "{name}");
        assert!(desk.read("good.msh") == case("plain"), "{name}");
    }
}

#[test]
fn the_streams_of_a_model_are_listed_and_extracted() {
    let desk = Desk::new().with("a.msh", case("plain"));
    assert_eq!(desk.run(&["list", "a.msh"]).code, 0);
    let (code, json) = desk.json(&["extract", "a.msh/#7", "-o", "out", "--json"]);
    let file = json["files"][0]["output"].as_str().unwrap();
    assert_eq!((code, desk.read(file).len()), (0, 18));
}
