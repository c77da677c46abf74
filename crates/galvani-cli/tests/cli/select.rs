//! Selectors: the same words name the same things in every verb.

use std::path::Path;

use serde_json::{Value, json};

use crate::common::Desk;

fn sample(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples").join(name)).unwrap()
}

fn desk() -> Desk {
    Desk::new().with("lantern.mdx", sample("lantern.mdx")).with("wow.mdx", sample("lantern-wow.mdx"))
}

/// Edits the lantern and gives what that said.
fn edit(desk: &Desk, words: &[&str]) -> Value {
    let (code, json) = desk.json(&[&["edit", "lantern.mdx", "-o", "out.mdx", "--json"], words].concat());
    assert_eq!(code, 0, "{words:?}: {json:#}");
    json
}

fn names(desk: &Desk, words: &[&str], list: &str) -> Vec<String> {
    let (code, json) = desk.json(&[&["info", "--json"], words].concat());
    assert_eq!(code, 0, "{json:#}");
    let rows = json["files"][0][list].as_array().unwrap().clone();
    rows.iter().map(|row| row["name"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn sequences_go_by_name_index_and_number_in_sample_and_edit_alike() {
    let desk = desk();
    for word in ["Walk", "wALK", "2", "#2"] {
        assert_eq!(desk.samples(&["lantern.mdx", "--clip", word])[0]["clip"], 2, "{word}");
        edit(&desk, &["rename-sequence", word, "Run"]);
        assert_eq!(names(&desk, &["out.mdx"], "sequences")[2], "Run", "{word}");
    }
    // A name wins over a number.
    edit(&desk, &["rename-sequence", "Walk", "0", "move-sequence", "0", "90000"]);
    let (_, json) = desk.json(&["info", "out.mdx", "--json"]);
    let starts: Vec<&Value> =
        json["files"][0]["sequences"].as_array().unwrap().iter().map(|row| &row["start"]).collect();
    assert_eq!((starts[0], starts[2]), (&json!(0), &json!(90000)));
    assert_eq!(desk.samples(&["out.mdx", "--clip", "0"])[0]["clip"], 2);
    assert_eq!(desk.samples(&["out.mdx", "--clip", "#0"])[0]["clip"], 0);
    assert_eq!(desk.samples(&["lantern.mdx", "--clip", "all"]).len(), 4);
    edit(&desk, &["remove-sequence", "all", "keep"]);
    assert_eq!(names(&desk, &["out.mdx"], "sequences"), [""; 0]);
    for (word, code) in [("Dance", 1), ("4", 1), ("#4", 1)] {
        assert_eq!(desk.run(&["sample", "lantern.mdx", "--clip", word]).code, code, "{word}");
        let words = ["edit", "lantern.mdx", "rename-sequence", word, "x", "-o", "out.mdx"];
        let refused = desk.run(&words);
        assert_eq!(refused.code, code, "{word}");
        assert!(refused.stderr.contains("mdx.edit-no-sequence"), "{}", refused.stderr);
    }
}

#[test]
fn documented_sequences_go_by_their_two_numbers_and_are_shown_so() {
    // The document's numbers where names would be: 4.1 and 0.0; bounds in order its way only.
    let mut file = sample("lantern-wow.mdx");
    let at = file.windows(4).position(|tag| tag == b"SEQS").unwrap() + 12;
    let row = 0x8c;
    for (i, (id, sub)) in [(4_u32, 1_u32), (0, 0), (77, 12), (4, 2)].into_iter().enumerate() {
        let name = at + i * row;
        file[name..name + 80].fill(0);
        file[name..name + 4].copy_from_slice(&id.to_le_bytes());
        file[name + 4..name + 8].copy_from_slice(&sub.to_le_bytes());
    }
    let desk = Desk::new().with("lantern.mdx", file);
    let read = ["--reading", "seqs=documented"];
    let shown = names(&desk, &[&["lantern.mdx"], &read[..]].concat(), "sequences");
    assert_eq!(shown, ["4.1", "0.0", "77.12", "4.2"]);
    for (word, clip) in [("4.1", 0), ("0.0", 1), ("77.12", 2), ("4.2", 3), ("0", 0), ("#3", 3)] {
        let samples = desk.samples(&[&["lantern.mdx", "--clip", word], &read[..]].concat());
        assert_eq!((&samples[0]["clip"], &samples[0]["name"]), (&json!(clip), &json!(shown[clip])), "{word}");
    }
    let words = [&["rename-sequence", "77.12", "77.13"], &read[..]].concat();
    edit(&desk, &words);
    assert_eq!(names(&desk, &[&["out.mdx"], &read[..]].concat(), "sequences")[2], "77.13");
    let (_, diff) = desk.json(&[&["diff", "lantern.mdx", "out.mdx", "--json"], &read[..]].concat());
    assert_eq!(diff["changes"].as_array().unwrap().len(), 1, "{diff:#}");
    let path = diff["changes"][0]["path"].as_str().unwrap();
    assert!(path.starts_with("sequences[77.12]."), "{path}");
    assert_eq!(desk.run(&[&["sample", "lantern.mdx", "--clip", "4.3"], &read[..]].concat()).code, 1);
}

#[test]
fn nodes_go_by_name_own_number_index_and_path_in_sample_and_edit_alike() {
    let desk = desk();
    // The light is the sixth node and has the number 5; another number tells the two apart.
    let (_, rows) = desk.json(&["dump", "lantern.mdx", "--json"]);
    let id = rows.as_array().unwrap().iter().find(|row| row["path"] == "LITE[0].node.object_id").unwrap();
    let at = usize::try_from(id["offset"].as_u64().unwrap()).unwrap();
    let mut file = desk.read("lantern.mdx");
    file[at..at + 4].copy_from_slice(&40_u32.to_le_bytes());
    desk.put("lantern.mdx", file);
    for word in ["Light", "LIGHT", "40", "#5", "LITE[0]", "lite[0]"] {
        let samples = desk.samples(&["lantern.mdx", "--clip", "0", "--node", word]);
        assert_eq!(samples[0]["nodes"][0]["name"], "Light", "{word}");
        let done = desk.run(&["edit", "lantern.mdx", "rename-node", word, "Lamp", "-o", "out.mdx"]);
        assert_eq!(done.code, 0, "{word}: {}", done.stderr);
        assert_eq!(names(&desk, &["out.mdx"], "nodes")[5], "Lamp", "{word}");
    }
    assert_eq!(desk.run(&["sample", "lantern.mdx", "--node", "5"]).code, 1);
    assert_eq!(desk.samples(&["lantern.mdx", "--clip", "0", "--node", "all"])[0]["nodes"][12]["index"], 12);
    // Of several of one name the first, with a note.
    edit(&desk, &["rename-node", "Wick", "Body"]);
    let (_, json) = desk.json(&["sample", "out.mdx", "--clip", "0", "--node", "body", "--json"]);
    assert_eq!(json["samples"][0]["nodes"][0]["node"], 1);
    assert_eq!(json["findings"][0]["code"], "file.ambiguous-name");
    let told = desk.run(&["sample", "out.mdx", "--clip", "0", "--node", "body"]);
    assert!(told.stderr.contains("file.ambiguous-name"), "{}", told.stderr);
    let words = ["edit", "out.mdx", "rename-node", "body", "Trunk", "-o", "next.mdx", "--json"];
    let (code, json) = desk.json(&words);
    assert_eq!(code, 0);
    assert!(json.to_string().contains("file.ambiguous-name"), "{json:#}");
    assert_eq!(names(&desk, &["next.mdx"], "nodes")[1], "Trunk");
}

#[test]
fn tracks_go_by_path_and_by_node() {
    let desk = desk();
    let changed = |words: &[&str]| {
        edit(&desk, words);
        let (_, json) = desk.json(&["diff", "lantern.mdx", "out.mdx", "--json"]);
        let rows = json["changes"].as_array().unwrap().clone();
        rows.iter().map(|row| row["path"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    for word in [
        "BONE[1].KGTR",
        "BONE[1].node.KGTR.keys[0].time",
        "bone[1].kgtr",
        "Body.KGTR",
        "body.kgtr",
        "1.KGTR",
        "#1.KGTR",
    ] {
        let wanted = ["nodes[Body].KGTR.keys[0].value[0]"];
        assert_eq!(changed(&["set-key", word, "0", "5,0,0"]), wanted, "{word}");
    }
    assert_eq!(changed(&["remove-track", "all.KGSC"]), ["nodes[Body].KGSC"]);
    assert!(changed(&["remove-track", "Body.all"]).iter().all(|path| path.starts_with("nodes[Body].KG")));
    edit(&desk, &["remove-track", "all"]);
    let (_, json) = desk.json(&["info", "out.mdx", "--json"]);
    // Only events cannot be without.
    assert_eq!(json["files"][0]["tracks"], json!({"KEVT": 1}));
    assert_eq!(changed(&["add-track", "Wick.KGSC", "linear", "0", "1,1,1"]), ["nodes[Wick].KGSC"]);
    assert_eq!(changed(&["add-track", "mtls[0].lays[1].kmta", "linear", "0", "1"]).len(), 1);
    for (word, code) in [
        ("Nobody.KGTR", "mdx.edit-no-track"),
        ("Body.KMTA", "mdx.edit-no-track"),
        ("BONE[9].KGTR", "mdx.edit-no-track"),
        ("Body", "mdx.edit-track-name"),
        ("#999", "mdx.edit-no-track"),
    ] {
        let refused = desk.run(&["edit", "lantern.mdx", "remove-track", word, "-o", "no.mdx"]);
        assert_eq!(refused.code, 1, "{word}");
        assert!(refused.stderr.contains(code), "{word}: {}", refused.stderr);
    }
}

#[test]
fn what_is_done_to_all_is_done_to_all_or_to_none() {
    let desk = desk();
    edit(&desk, &["retime-sequence", "all", "2"]);
    let (_, json) = desk.json(&["info", "out.mdx", "--json"]);
    let rows = json["files"][0]["sequences"].as_array().unwrap();
    let length = |row: &Value| row["end"].as_i64().unwrap() - row["start"].as_i64().unwrap();
    assert_eq!(rows.iter().map(length).collect::<Vec<_>>()[2..], [1600, 3200]);
    // Two sequences cannot be in one place.
    let refused = desk.run(&["edit", "lantern.mdx", "move-sequence", "all", "90000", "-o", "no.mdx"]);
    assert_eq!(refused.code, 1, "{}", refused.stderr);
    assert!(!desk.files().contains(&"no.mdx".to_owned()));
}

#[test]
fn textures_go_by_their_files() {
    let desk = desk();
    edit(&desk, &["set-texture", r"textures\lantern.blp", "New.blp"]);
    let (_, json) = desk.json(&["info", "out.mdx", "--json"]);
    assert_eq!(json["files"][0]["textures"][0]["path"], "New.blp");
}

#[test]
fn other_formats_take_the_same_words() {
    let desk = Desk::new();
    assert_eq!(desk.run(&["samples", "."]).code, 0);
    // MSH nodes.
    let node = |word: &str| desk.samples(&["walker.msh", "--node", word]);
    let (_, json) = desk.json(&["info", "walker.msh", "--json"]);
    let name = json["files"][0]["nodes"][1]["name"].as_str().unwrap().to_owned();
    for word in ["1", "#1", &name, &name.to_lowercase()] {
        assert_eq!(node(word)[0]["node"], 1, "{word}");
        let words = ["edit", "walker.msh", "offset", word, "1", "0", "0", "-o", "out.msh"];
        assert_eq!(desk.run(&words).code, 0, "{word}");
    }
    assert_eq!(node("all").len(), json["files"][0]["nodes"].as_array().unwrap().len());
    // Entries of archives, in paths and in edits.
    let archive = "depot.rlb";
    let (_, json) = desk.json(&["list", archive, "--json"]);
    let first = json["files"][0]["members"][0]["name"].as_str().unwrap().to_owned();
    for word in ["0", "#0", &first, &first.to_uppercase()] {
        let (code, json) = desk.json(&["info", &format!("{archive}/{word}"), "--json"]);
        assert!(code == 0 || json.to_string().contains("file.unknown-format"), "{word}: {json:#}");
        let done = desk.run(&["edit", archive, "rename", word, "other.bin", "-o", "out.rlb"]);
        assert_eq!(done.code, 0, "{word}: {}", done.stderr);
    }
    let done = desk.run(&["edit", archive, "remove", "all", "-o", "out.rlb"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert_eq!(desk.json(&["list", "out.rlb", "--json"]).1["files"][0]["members"], json!([]));
}

#[test]
fn what_has_no_name_goes_by_its_place_in_either_spelling() {
    let desk = Desk::new();
    assert_eq!(desk.run(&["samples", "."]).code, 0);
    let changed = |file: &str, words: &[&str]| {
        let out = format!("out.{file}");
        let done = desk.run(&[&["edit", file], words, &["-o", &out]].concat());
        assert_eq!(done.code, 0, "{words:?}: {}", done.stderr);
        let (_, json) = desk.json(&["diff", file, &out, "--json"]);
        json["changes"].as_array().unwrap().iter().map(|row| row["path"].to_string()).collect::<Vec<_>>()
    };
    let alike: [(&str, &[&str], &[&str]); 7] = [
        ("glass.mat0", &["set-mode", "0", "once", "0"], &["set-mode", "#0", "once", "0"]),
        ("glass.mat0", &["set-key", "0", "1", "0", "900"], &["set-key", "#0", "#1", "0", "900"]),
        ("glass.mat0", &["set-power", "1", "3"], &["set-power", "#1", "3"]),
        ("walker.msh", &["material", "1", "9"], &["material", "#1", "9"]),
        ("walker.wea", &["set-name", "materials", "1", "RUST"], &["set-name", "materials", "#1", "RUST"]),
        ("lantern.mdx", &["set-alpha", "0", "1", "0.25"], &["set-alpha", "#0", "#1", "0.25"]),
        ("lantern.mdx", &["set-path", "ATCH[0]", "x.mdx"], &["set-path", "overhead ref", "x.mdx"]),
    ];
    for (file, plain, other) in alike {
        let (plain, other) = (changed(file, plain), changed(file, other));
        assert!(!plain.is_empty() && plain == other, "{file}: {plain:?} {other:?}");
    }
    // Every phase at once, and the textures of a resource by what they are called.
    assert!(changed("glass.mat0", &["set-power", "all", "3"]).len() > 1);
    let (_, json) = desk.json(&["info", "boat.rsd", "--json"]);
    let texture = json["files"][0]["textures"][0]["name"].as_str().unwrap().to_owned();
    for word in ["0", "#0", &texture.to_lowercase()] {
        assert_eq!(changed("boat.rsd", &["set-texture", word, "other.tim"]).len(), 1, "{word}");
    }
}

#[test]
fn of_several_records_of_one_name_the_first_gets_the_path_with_a_note() {
    let desk = desk();
    edit(&desk, &["rename-node", "Origin Ref", "Overhead Ref"]);
    let done = desk.run(&["edit", "out.mdx", "set-path", "Overhead Ref", "x.mdx", "-o", "two.mdx"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    assert!(done.stderr.contains("file.ambiguous-name"), "{}", done.stderr);
}

#[test]
fn two_formats_are_not_compared_nor_is_standard_input_twice() {
    let desk = desk();
    desk.put("a.rlb", sample("depot.rlb"));
    let (code, json) = desk.json(&["diff", "lantern.mdx", "a.rlb", "--json"]);
    assert_eq!((code, &json["error"]["code"]), (1, &json!("file.two-formats")), "{json:#}");
    let message = json["error"]["message"].as_str().unwrap();
    assert!(message.contains("mdx") && message.contains("nres"), "{message}");
    let twice = desk.run(&["diff", "-", "-"]);
    assert_eq!(twice.code, 2);
    assert!(twice.stderr.contains("only once"), "{}", twice.stderr);
}

#[test]
fn files_of_the_same_bytes_are_read_and_not_compared() {
    let desk = desk();
    let file = desk.read("lantern.mdx");
    desk.put("same.mdx", &file);
    edit(&desk, &["rename-node", "Wick", "Fuse"]);
    // Enough to read both, and not to take them apart.
    let work = (file.len() * 4).to_string();
    let compared = |other: &str| desk.run(&["diff", "lantern.mdx", other, "--limit-work", &work]);
    let same = compared("same.mdx");
    assert_eq!((same.code, same.text()), (0, "equal\n"), "{}", same.stderr);
    assert_eq!(compared("out.mdx").code, 1);
    assert_eq!(
        desk.json(&["diff", "lantern.mdx", "same.mdx", "--json"]).1,
        json!({"equal": true, "changes": []})
    );
}

#[test]
fn people_see_where_nodes_are() {
    let desk = desk();
    let words = ["sample", "lantern.mdx", "--clip", "Walk", "--time", "200", "--node", "Foot Left"];
    let (model, local) = (desk.run(&words), desk.run(&[&words[..], &["--space", "local"]].concat()));
    let node = &desk.samples(&words[1..])[0]["nodes"][0];
    let place: Vec<f64> =
        node["position"].as_array().unwrap().iter().map(|it| it.as_f64().unwrap()).collect();
    // Nothing turns it: it is where its pivot is moved to.
    let moved: Vec<f64> =
        { node["matrix"].as_array().unwrap() }.iter().map(|it| it.as_f64().unwrap()).collect();
    for (axis, pivot) in [2.0, 14.0, 9.0].into_iter().enumerate() {
        assert!((place[axis] - pivot - moved[axis * 4 + 3]).abs() < 1e-4, "{node:#}");
    }
    assert!(model.text().contains("x y z") && model.text().contains(" 14 "), "{}", model.text());
    assert_eq!(local.code, 0);
}
