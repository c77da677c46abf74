//! FF7 battle skeletons on the command line: shown, held against the files beside them, and poses of whole models.

use serde_json::{Value, json};

use crate::common::{Desk, codes, refusal};

#[path = "../../../galvani-ff7/tests/common/chain.rs"]
mod slow;

/// The frog that ships, as a folder and as an archive.
fn desk() -> Desk {
    let desk = Desk::new();
    assert_eq!(desk.run(&["samples", "."]).code, 0);
    desk
}

/// A desk with some of the frog's files and nothing else.
fn with(names: &[&str]) -> Desk {
    let desk = Desk::new();
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples/frog");
    for name in names {
        desk.put(name, std::fs::read(folder.join(name)).unwrap());
    }
    desk
}

const PARTS: [&str; 13] =
    ["zgam", "zgan", "zgao", "zgaq", "zgar", "zgat", "zgau", "zgaw", "zgax", "zgay", "zgba", "zgbb", "zgbc"];

fn info(desk: &Desk, path: &str) -> Value {
    let (code, json) = desk.json(&["info", "--json", path]);
    assert_eq!(code, 0, "{json:#}");
    json["files"][0].clone()
}

/// The codes of one file, by what lies beside it.
fn found(desk: &Desk, path: &str) -> Vec<String> {
    let (_, json) = desk.json(&["validate", "--json", path]);
    codes(&json["files"][0]).into_iter().map(str::to_owned).collect()
}

#[test]
fn a_skeleton_says_its_bones_their_parts_and_the_files_of_its_model() {
    let desk = desk();
    for path in ["frog/zgaa", "frog.lgp/zgaa", "frog.lgp/ZGAA"] {
        let file = info(&desk, path);
        assert_eq!((&file["format"], &file["kind"]), (&json!("ff7-skeleton"), &json!("enemy")), "{path}");
        let counts = json!({
            "bones": 17, "pieces": 0, "textures": 1, "body_animations": 4, "weapons": 1, "weapon_animations": 4,
        });
        assert_eq!(file["counts"], counts);
        let nodes = file["nodes"].as_array().unwrap();
        assert_eq!(nodes.len(), 17);
        let first = json!({
            "index": 0, "parent": null, "name": null, "length": -34.0, "has_model": 1, "part": "zgam",
        });
        assert_eq!(nodes[0], first);
        // A bone without a model takes its turn in the names all the same.
        assert_eq!((&nodes[3]["has_model"], &nodes[3].get("part")), (&json!(0), &None));
        assert_eq!((&nodes[4]["parent"], &nodes[4]["part"]), (&json!(3), &json!("zgaq")));
        let parts: Vec<&str> = nodes.iter().filter_map(|node| node["part"].as_str()).collect();
        assert_eq!(parts, PARTS);
        let model = json!({
            "skeleton": null, "pack": "zgda", "parts": PARTS, "textures": ["zgac"], "weapons": ["zgck"],
        });
        assert_eq!(file["model"], model);
    }
}

#[test]
fn a_pack_names_the_files_of_its_model() {
    let (alone, beside) = (with(&["zgda"]), desk());
    let nothing = json!({"skeleton": null, "pack": null, "parts": [], "textures": [], "weapons": []});
    assert_eq!(info(&alone, "zgda")["model"], nothing);
    let model = json!({
        "skeleton": "zgaa", "pack": null, "parts": PARTS, "textures": ["zgac"], "weapons": ["zgck"],
    });
    for path in ["frog/zgda", "frog.lgp/zgda"] {
        let file = info(&beside, path);
        assert_eq!(file["model"], model, "{path}");
        assert_eq!(file["entries"], info(&alone, "zgda")["entries"]);
    }
}

/// The samples of a pack in the model's space.
fn posed(desk: &Desk, path: &str, words: &[&str]) -> Vec<Value> {
    let (code, json) = desk.json(&[&["sample", path, "--space", "model", "--json"], words].concat());
    assert_eq!(code, 0, "{json:#}");
    json["samples"].as_array().unwrap().clone()
}

fn numbers<const N: usize>(value: &Value) -> [i16; N] {
    std::array::from_fn(|i| i16::try_from(value[i].as_i64().unwrap()).unwrap())
}

/// The matrices of a sample beside those of the slow way.
#[track_caller]
fn assert_matrices(sample: &Value, wanted: &[slow::Slow]) {
    let bones = sample["bones"].as_array().unwrap();
    assert_eq!(bones.len(), wanted.len());
    for (bone, wanted) in bones.iter().zip(wanted) {
        let matrix = bone["matrix"].as_array().unwrap();
        assert_eq!(matrix.len(), 16);
        for (found, wanted) in matrix.iter().zip(wanted.iter().flatten()) {
            let off = (found.as_f64().unwrap() - wanted).abs();
            assert!(off <= 1e-5 * wanted.abs().max(1.0), "{found} found, {wanted} wanted in {bone}");
        }
    }
}

#[test]
fn the_places_of_bones_are_what_the_matrices_multiply_to() {
    let desk = desk();
    let nodes = info(&desk, "frog/zgaa")["nodes"].as_array().unwrap().clone();
    let bones: Vec<(i32, f32)> = nodes
        .iter()
        .map(|node| {
            let parent = node["parent"].as_i64().map_or(-1, |parent| i32::try_from(parent).unwrap());
            (parent, node["length"].to_string().parse().unwrap())
        })
        .collect();
    for path in ["frog.lgp/zgda", "frog/zgda"] {
        let samples = posed(&desk, path, &["--clip", "0", "--frame", "0..29:7"]);
        assert_eq!(samples.len(), 5);
        for sample in samples {
            let rotations: Vec<[i16; 3]> =
                sample["bones"].as_array().unwrap().iter().map(|bone| numbers(&bone["raw"])).collect();
            assert_eq!(rotations.len(), 18);
            assert_matrices(&sample, &slow::chain(&bones, numbers(&sample["position"]), &rotations));
        }
    }
}

#[test]
fn people_see_where_the_bones_are() {
    let desk = desk();
    let all = |words: &[&str]| desk.run(words).text().to_owned();
    let words = ["--clip", "0", "--frame", "0", "--bone", "12"];
    let posed = posed(&desk, "frog/zgda", &words);
    let matrix = &posed[0]["bones"][0]["matrix"];
    let text = all(&[&["sample", "frog/zgda", "--space", "model"], &words[..]].concat());
    assert!(text.contains("in model x y z"), "{text}");
    let found = |index: usize| {
        let number = format!("{:.5}", matrix[index].as_f64().unwrap());
        text.contains(number.trim_end_matches('0'))
    };
    assert!(found(3) && found(7) && found(11), "{text} {matrix}");
    let local = all(&[&["sample", "frog/zgda"], &words[..]].concat());
    assert!(!local.contains("in model"), "{local}");
}

#[test]
fn one_bone_stands_where_it_does_among_all() {
    let desk = desk();
    let all = posed(&desk, "frog/zgda", &["--clip", "1", "--frame", "3"]);
    let one = posed(&desk, "frog/zgda", &["--clip", "1", "--frame", "3", "--bone", "12"]);
    assert_eq!(one[0]["bones"], json!([all[0]["bones"][12]]));
    let (_, local) = desk.json(&["sample", "frog/zgda", "--clip", "1", "--frame", "3", "--json"]);
    assert_eq!(local["samples"][0]["bones"][12].get("matrix"), None, "only who asks is told");
}

#[test]
fn a_weapon_needs_no_skeleton_and_a_body_does() {
    let alone = with(&["zgda"]);
    for sample in posed(&alone, "zgda", &["--clip", "4"]) {
        let raw = numbers(&sample["bones"][0]["raw"]);
        assert_matrices(&sample, &[slow::placed(numbers(&sample["position"]), raw)]);
    }
    for words in [&["--clip", "0", "--frame", "0"][..], &[]] {
        let (code, json) = alone.json(&[&["sample", "zgda", "--space", "model", "--json"], words].concat());
        assert_eq!((code, &json["error"]["code"]), (1, &json!("ff7-pack.no-skeleton")));
    }
    assert_eq!(posed(&desk(), "frog.lgp/zgda", &["--clip", "4"]), posed(&alone, "zgda", &["--clip", "4"]));
}

#[test]
fn a_skeleton_that_does_not_fit_is_refused_by_name() {
    let desk = with(&["zgaa", "zgda"]);
    let pose = |desk: &Desk| {
        let (code, json) = desk.json(&["sample", "zgda", "--space", "model", "--clip", "0", "--json"]);
        (code, json["error"]["code"].clone())
    };
    let whole = desk.read("zgaa");
    let mut fewer = whole[..whole.len() - 12].to_vec();
    fewer[12] = 16;
    desk.put("zgaa", fewer);
    assert_eq!(pose(&desk), (1, json!("ff7-skeleton.rotations")));
    assert_eq!(found(&desk, "zgda"), ["ff7-pack.skeleton-bones"]);
    let mut cycle = whole;
    cycle[52] = 5;
    cycle[53..56].fill(0);
    desk.put("zgaa", cycle);
    assert_eq!(pose(&desk), (1, json!("ff7-skeleton.chain")));
}

#[test]
fn the_rate_of_a_whole_model_follows_in_a_folder_and_in_an_archive() {
    let desk = desk();
    let counts = |path: &str| -> Vec<u64> {
        let file = info(&desk, path);
        let frames = |row: &Value| row["frames"]["engine"].as_u64().unwrap_or(0);
        file["entries"].as_array().unwrap().iter().map(frames).collect()
    };
    let before = counts("frog/zgda");
    let doubled: Vec<u64> = before.iter().map(|frames| 2 * frames).collect();
    let words = |path: &'static str, out: &'static str| {
        ["edit", path, "resample-model", "all", "2", "loop", "0.2", "-o", out]
    };
    for (path, out, pack) in [
        ("frog/zgda", "out/zgda", "out/zgda"),
        ("frog.lgp", "out.lgp", "out.lgp/zgda"),
        ("frog", "all", "all/zgda"),
    ] {
        std::fs::create_dir_all(desk.path("out")).unwrap();
        let done = desk.run(&words(path, out));
        assert_eq!(done.code, 0, "{path}: {}", done.stderr);
        assert_eq!(counts(pack), doubled, "{path}");
    }
    assert_eq!(desk.read("all/zgda"), desk.read("out/zgda"));
    // The frames that were there stand where they did, seen from outside.
    let (old, new) = (posed(&desk, "frog.lgp/zgda", &[]), posed(&desk, "out.lgp/zgda", &[]));
    for old in &old {
        let frame = json!(2 * old["frame"].as_u64().unwrap());
        let new = new.iter().find(|new| new["clip"] == old["clip"] && new["frame"] == frame).unwrap();
        let places = |sample: &Value| -> Vec<Value> {
            sample["bones"].as_array().unwrap().iter().map(|bone| bone["matrix"].clone()).collect()
        };
        assert_eq!(places(old), places(new), "{frame} of {}", old["clip"]);
    }
    // What moves inside the body moves otherwise than bone by bone.
    assert_eq!(desk.run(&["edit", "frog/zgda", "resample", "all", "2", "loop", "0.2", "-o", "each"]).code, 0);
    assert_ne!(desk.read("each"), desk.read("out/zgda"));
}

#[test]
fn the_rate_of_a_whole_model_needs_its_skeleton() {
    let alone = with(&["zgda"]);
    let words = ["edit", "zgda", "resample-model", "all", "2", "loop", "0.2", "-o", "out", "--json"];
    let (code, json) = alone.json(&words);
    assert_eq!((code, refusal(&json)), (1, &json!("ff7-pack.no-skeleton")), "{json:#}");
    assert!(!alone.path("out").exists());
}

#[test]
fn what_is_wrong_between_the_files_of_a_model_is_said() {
    let desk = desk();
    assert_eq!(found(&desk, "frog/zgaa"), Vec::<String>::new());
    assert_eq!(found(&desk, "frog.lgp/zgaa"), Vec::<String>::new());
    std::fs::remove_file(desk.path("frog/zgaq")).unwrap();
    let (code, json) = desk.json(&["validate", "--json", "frog/zgaa"]);
    let finding = &json["files"][0]["diagnostics"][0];
    assert_eq!((code, &finding["code"]), (0, &json!("ff7-skeleton.missing")), "{json:#}");
    assert_eq!(
        (&finding["path"], &finding["message"]),
        (
            &json!("bones[4].has_model"),
            &json!("A file that the skeleton counts on is not beside it: part 4 is not there.")
        )
    );
    assert_eq!(desk.run(&["validate", "frog/zgaa", "--deny", "warnings"]).code, 1);
    assert_eq!(desk.run(&["edit", "frog/zgda", "remove", "7", "--in-place"]).code, 0);
    assert_eq!(found(&desk, "frog/zgaa"), ["ff7-skeleton.missing", "ff7-skeleton.animations"]);
    // In the archive nothing has changed; without a part it is missed there, too.
    assert_eq!(desk.run(&["edit", "frog.lgp", "remove", "zgck", "--in-place"]).code, 0);
    assert_eq!(found(&desk, "frog.lgp/zgaa"), ["ff7-skeleton.missing"]);
    // By itself it has nothing to say about its neighbours.
    assert_eq!(found(&with(&["zgaa"]), "zgaa"), Vec::<String>::new());
}

#[test]
fn a_skeleton_taken_apart_can_be_changed_by_hand() {
    let desk = with(&["zgaa"]);
    assert_eq!(desk.run(&["unpack", "zgaa", "-o", "folder"]).code, 0);
    assert_eq!(desk.run(&["pack", "folder", "-o", "same"]).code, 0);
    assert_eq!(desk.read("same"), desk.read("zgaa"));
    let mut manifest: Value = serde_json::from_slice(&desk.read("folder/manifest.json")).unwrap();
    assert_eq!(
        (&manifest["format"], &manifest["header"]["bone_count"]),
        (&json!("ff7-skeleton"), &json!("count"))
    );
    manifest["bones"][1]["length"] = json!(-21.5);
    desk.put("folder/manifest.json", manifest.to_string());
    assert_eq!(desk.run(&["pack", "folder", "-o", "longer"]).code, 0);
    let mut wanted = desk.read("zgaa");
    wanted[68..72].copy_from_slice(&(-21.5_f32).to_le_bytes());
    assert_eq!(desk.read("longer"), wanted);
    let (_, diff) = desk.json(&["diff", "zgaa", "longer", "--json"]);
    assert_eq!(diff["changes"].as_array().unwrap().len(), 1, "{diff:#}");
}

#[test]
fn a_skeleton_is_edited_to_the_byte() {
    let desk = with(&["zgaa"]);
    let words = ["edit", "zgaa", "set-length", "1", "-21.5", "reparent", "9", "0", "set-model", "3", "yes"];
    let done = desk.run(&[&words[..], &["-o", "new"]].concat());
    assert_eq!(done.code, 0, "{}", done.stderr);
    let mut wanted = desk.read("zgaa");
    wanted[68..72].copy_from_slice(&(-21.5_f32).to_le_bytes());
    wanted[160..164].copy_from_slice(&0_i32.to_le_bytes());
    wanted[96] = 1;
    assert_eq!(desk.read("new"), wanted);
    assert_eq!(desk.run(&["edit", "new", "reparent", "9", "root", "--in-place"]).code, 0);
    assert_eq!(desk.read("new")[160..164], desk.read("zgaa")[160..164]);
    for (words, code) in [
        (["reparent", "9", "9"], "ff7-skeleton.parent-refused"),
        (["reparent", "9", "tail"], "file.no-names"),
        (["set-length", "17", "1"], "ff7-skeleton.no-bone"),
        (["set-length", "1", "inf"], "ff7-skeleton.value"),
    ] {
        let (exit, json) = desk.json(&[&["edit", "zgaa"], &words[..], &["-o", "x", "--json"]].concat());
        assert_eq!((exit, refusal(&json)), (1, &json!(code)), "{words:?} {json:#}");
    }
}

#[test]
fn every_byte_of_a_dump_has_a_name() {
    let (code, json) = with(&["zgaa"]).json(&["dump", "zgaa", "--json"]);
    let rows = json.as_array().unwrap();
    let total: u64 = rows.iter().map(|row| row["length"].as_u64().unwrap()).sum();
    assert_eq!((code, total), (0, 52 + 12 * 17));
    assert!(rows.iter().all(|row| row["type"] != "raw"), "{json:#}");
    let length = rows.iter().find(|row| row["path"] == "bones[1].length").unwrap();
    assert_eq!((&length["offset"], &length["value"]), (&json!(68), &json!(-20.0)));
}

#[test]
fn no_other_sample_is_taken_for_a_skeleton() {
    let desk = desk();
    for file in desk.files() {
        let (_, json) = desk.json(&["info", &file, "--json"]);
        let is_skeleton = json["files"][0]["format"] == "ff7-skeleton";
        assert_eq!(is_skeleton, file == "frog/zgaa", "{file}");
    }
}
