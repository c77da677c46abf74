//! What other people's readers make of our `.glb` and `.mdx`: Khronos' validator, three.js, war3-model and
//! mdx-m3-viewer, all in Node.
//!
//! Node and npm must be there; the packages are installed into the target folder, as `tests/clients` locks
//! them.
#![allow(clippy::disallowed_methods, reason = "tests look at the disk themselves")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]
#![allow(clippy::cast_precision_loss, reason = "counts are small")]

mod common;
#[path = "common/models.rs"]
mod models;

use std::path::Path;
use std::sync::OnceLock;

use common::Desk;
use galvani::{ReadOptions, Reading, samples};
use galvani_parkan::msh::sample::{RootTranslation, model_matrices, sample_node_pose};
use galvani_parkan::msh::{Document, lift, read};
use galvani_testkit::Clients;
use models::models;
use serde_json::Value;

/// The clients, installed once.
fn clients() -> &'static Clients {
    static CLIENTS: OnceLock<Clients> = OnceLock::new();
    CLIENTS.get_or_init(|| Clients::in_folder(Path::new(env!("CARGO_TARGET_TMPDIR"))))
}

fn node(script: &str, words: &[&str]) -> Value {
    let text = clients().ask(script, words, "");
    serde_json::from_str(&text).unwrap_or_else(|error| panic!("{script}: {error}: {text}"))
}

/// Name and bytes of every model to try: what ships, and what was built for it.
fn every_model() -> Vec<(String, Vec<u8>)> {
    let shipped = samples::all().into_iter().filter(|sample| sample.name.contains(".msh"));
    let shipped = shipped.map(|sample| (sample.name.replace(".msh", ""), sample.bytes));
    shipped.chain(models()).collect()
}

/// A desk with every model converted.
fn converted(flags: &[&str]) -> Desk {
    let desk = Desk::new();
    for (name, bytes) in every_model() {
        desk.put(&format!("{name}.msh"), bytes);
        let (input, output) = (format!("{name}.msh"), format!("{name}.glb"));
        let done = desk.run(&[&["convert", &input, "-o", &output], flags].concat());
        assert_eq!(done.code, 0, "{name}: {}", done.stderr);
    }
    desk
}

#[test]
fn khronos_finds_nothing_wrong() {
    for flags in
        [&[][..], &["--lod", "1", "--group", "3", "--fps", "30"], &["--group", "4", "--root", "clear"]]
    {
        let desk = converted(flags);
        let files: Vec<String> = every_model()
            .iter()
            .map(|(name, _)| desk.path(&format!("{name}.glb")).display().to_string())
            .collect();
        clients().validate(&files);
    }
}

#[test]
fn khronos_finds_nothing_wrong_with_what_models_wear() {
    let desk = Desk::new();
    assert_eq!(desk.run(&["samples", "."]).code, 0);
    let mut files = Vec::new();
    for (i, flags) in
        [&[][..], &["--lod-ext"], &["--rig", "skin"], &["--additive", "plain"]].into_iter().enumerate()
    {
        let output = format!("walker-{i}.glb");
        let done = desk.run(&[&["convert", "walker.msh", "-o", &output], flags].concat());
        assert_eq!((done.code, done.stderr.as_str()), (0, ""));
        files.push(desk.path(&output).display().to_string());
    }
    clients().validate(&files);
}

#[test]
fn khronos_finds_nothing_wrong_with_other_looks() {
    let desk = Desk::new();
    assert_eq!(desk.run(&["samples", "."]).code, 0);
    let mut files = Vec::new();
    for (input, output) in
        [("lantern.mdx", "lantern.glb"), ("frog/zgaa", "frog.glb"), ("frog.lgp/zgaa", "packed.glb")]
    {
        let done = desk.run(&["convert", input, "-o", output, "--variants"]);
        assert_eq!(done.code, 0, "{input}: {}", done.stderr);
        let glb = std::fs::read(desk.path(output)).unwrap();
        assert!(String::from_utf8_lossy(&glb).contains("KHR_materials_variants"), "{input}");
        files.push(desk.path(output).display().to_string());
    }
    clients().validate(&files);
}

#[test]
fn two_readers_see_what_info_says_of_the_lantern() {
    let desk = Desk::new();
    assert_eq!(desk.run(&["samples", "."]).code, 0);
    let (_, json) = desk.json(&["info", "lantern.mdx", "--json"]);
    let file = &json["files"][0];
    let table = |key: &str, columns: &[&str]| -> Value {
        let cells = |row: &Value| -> Value {
            match columns {
                [one] => row[one].clone(),
                _ => columns.iter().map(|column| row[column].clone()).collect(),
            }
        };
        file[key].as_array().unwrap().iter().map(cells).collect()
    };
    let wanted = serde_json::json!({
        "version": file["version"],
        "sequences": table("sequences", &["name", "start", "end"]),
        "nodes": table("nodes", &["object_id", "name"]),
        "geosets": table("geosets", &["vertices", "triangles"]),
        "textures": table("textures", &["path"]),
    });
    let seen = node("mdx.mjs", &[&desk.path("lantern.mdx").display().to_string()]);
    for reader in ["war3-model", "mdx-m3-viewer"] {
        assert_eq!(seen[reader], wanted, "{reader}");
    }
}

/// What a client and `sample` say of a model at a moment.
struct Compared {
    ours: Value,
    theirs: Value,
}

/// Moments all over every sequence of the lantern, its ends aside, and what both say of them.
fn compared(desk: &Desk, file: &str, client: &str, edges: &str) -> Vec<Compared> {
    let (_, info) = desk.json(&["info", file, "--json"]);
    let mut moments = Vec::new();
    for (i, row) in info["files"][0]["sequences"].as_array().unwrap().iter().enumerate() {
        let length = row["end"].as_i64().unwrap() - row["start"].as_i64().unwrap();
        let times = (0..24).map(|part| (length - 1) * part / 23);
        moments.extend(times.map(|time| (i, time, 3 * time + 40)));
    }
    let requests = moments
        .iter()
        .map(|(i, time, global)| serde_json::json!({"sequence": i, "time": time, "global": global}));
    let theirs = asked(&desk.path(file), &requests.collect());
    let ours = moments.iter().map(|(i, time, global)| {
        let [i, time, global] = [i.to_string(), time.to_string(), global.to_string()];
        let words = ["sample", file, "--clip", &i, "--time", &time, "--global-time", &global];
        desk.json(&[&words[..], &["--edges", edges, "--tracks", "--json"]].concat()).1["samples"][0].clone()
    });
    let pairs = ours.zip(theirs.as_array().unwrap());
    pairs.map(|(ours, theirs)| Compared { ours, theirs: theirs[client].clone() }).collect()
}

/// What the clients answer to requests for poses.
fn asked(file: &Path, requests: &Value) -> Value {
    let answer = clients().ask("mdx-pose.mjs", &[&file.display().to_string()], &requests.to_string());
    serde_json::from_str(&answer).unwrap()
}

fn floats(value: &Value) -> Vec<f64> {
    match value.as_array() {
        Some(list) => list.iter().map(|number| number.as_f64().unwrap()).collect(),
        None => value.as_f64().into_iter().collect(),
    }
}

fn apart(ours: &[f64], theirs: &[f64]) -> f64 {
    assert_eq!(ours.len(), theirs.len());
    ours.iter().zip(theirs).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max)
}

/// A lantern, and lanterns whose tracks run by other curves.
fn lanterns(desk: &Desk) -> Vec<String> {
    assert_eq!(desk.run(&["samples", "."]).code, 0);
    let mut files = vec!["lantern.mdx".to_owned()];
    for kind in ["hermite", "bezier"] {
        let file = format!("{kind}.mdx");
        let mut words = vec!["edit", "lantern.mdx", "-o", &file];
        for track in ["BONE[1].node.KGTR", "BONE[2].node.KGRT", "GEOA[0].KGAO", "TXAN[0].KTAT"] {
            words.extend(["set-interpolation", track, kind, "0.01"]);
        }
        let done = desk.run(&words);
        assert_eq!(done.code, 0, "{}", done.stderr);
        files.push(file);
    }
    files
}

#[test]
fn two_viewers_put_the_nodes_where_sample_does() {
    let desk = Desk::new();
    for file in lanterns(&desk) {
        for (client, edges) in [("war3-model", "hold"), ("mdx-m3-viewer", "wrap")] {
            let (mut worst, mut count): (f64, usize) = (0.0, 0);
            for Compared { ours, theirs } in compared(&desk, &file, client, edges) {
                let nodes = ours["nodes"].as_array().unwrap();
                assert_eq!(nodes.len(), theirs["nodes"].as_object().unwrap().len());
                for node in nodes {
                    let theirs = &theirs["nodes"][node["node"].to_string()];
                    worst = worst.max(apart(&floats(&node["matrix"]), &floats(theirs)));
                    count += 1;
                }
            }
            eprintln!("{file}, {client}: {count} nodes off by {worst:.1e}");
            assert!(count > 1000 && worst < 1e-4, "{file}, {client}: {count} nodes off by {worst}");
        }
    }
}

#[test]
fn two_viewers_sample_the_values_that_sample_does() {
    let desk = Desk::new();
    for file in lanterns(&desk) {
        for (client, edges) in [("war3-model", "hold"), ("mdx-m3-viewer", "wrap")] {
            let (mut worst, mut count): (f64, usize) = (0.0, 0);
            for Compared { ours, theirs } in compared(&desk, &file, client, edges) {
                for track in ours["tracks"].as_array().unwrap() {
                    // Without a key in the window they take other values than records have (docs/notes/mdx-peers.md#rules).
                    let theirs = &theirs["tracks"][track["path"].as_str().unwrap()];
                    if theirs.is_null() || track["keyed"] == false {
                        continue;
                    }
                    let mut ours = floats(&track["value"]);
                    if ours.len() == 4 {
                        ours.rotate_left(1);
                    }
                    worst = worst.max(apart(&ours, &floats(theirs)));
                    count += 1;
                }
            }
            eprintln!("{file}, {client}: {count} values off by {worst:.1e}");
            assert!(count > 500 && worst < 1e-4, "{file}, {client}: {count} values off by {worst}");
        }
    }
}

#[test]
fn three_js_shows_the_engines_poses() {
    for (flags, root) in [
        (&["--fps", "15"][..], RootTranslation::Keep),
        (&["--root", "clear", "--fps", "24"], RootTranslation::Clear),
    ] {
        let desk = converted(flags);
        let fps: f64 = flags.last().unwrap().parse().unwrap();
        for (name, bytes) in every_model() {
            let document = read(&bytes, &ReadOptions::default()).unwrap().document;
            let frames = times(&document);
            let seconds: Vec<f64> = frames.iter().map(|frame| f64::from(*frame) / fps).collect();
            let file = desk.path(&format!("{name}.glb")).display().to_string();
            let shown = node("world.mjs", &[&file, &serde_json::to_string(&seconds).unwrap()]);
            let mut worst: f64 = 0.0;
            for (frame, shown) in frames.iter().zip(shown.as_array().unwrap()) {
                worst = worst.max(distance(&document, root, *frame, shown));
            }
            let size = size(&document);
            eprintln!("{name}: {} poses, off by {:.1e} of its size", frames.len(), worst / size);
            assert!(worst <= 1e-5 * size, "{name}: off by {worst} in a model of {size}");
        }
    }
}

/// Times all over the timeline, on frames and between.
fn times(document: &Document) -> Vec<f32> {
    let last = document.model().frame_count().saturating_sub(1) as f32;
    let between = (0..=97_u16).map(|i| last * f32::from(i) / 97.0);
    let whole = (0..=64_u16).map(f32::from).filter(|frame| *frame <= last);
    between.chain(whole).collect()
}

/// The farthest that any number of three.js' matrices is from the engine's, turned into the same axes.
fn distance(document: &Document, root: RootTranslation, frame: f32, shown: &Value) -> f64 {
    let model = document.model();
    let pose = |node| sample_node_pose(&model, node, frame).map(|(pose, _)| pose);
    let wanted = model_matrices(&model, root, pose).unwrap();
    let shown = shown.as_array().unwrap();
    assert_eq!(shown.len(), wanted.len());
    let mut worst: f64 = 0.0;
    for (wanted, shown) in wanted.iter().zip(shown) {
        let shown: Vec<f64> = shown.as_array().unwrap().iter().map(|cell| cell.as_f64().unwrap()).collect();
        for (wanted, shown) in turned(wanted).iter().zip(&shown) {
            worst = worst.max((f64::from(*wanted) - shown).abs());
        }
    }
    worst
}

/// A matrix of the engine in glTF's axes: rows and columns through the same change.
fn turned(matrix: &[f32; 16]) -> [f32; 16] {
    let column = |c: usize| lift::axes([matrix[c], matrix[4 + c], matrix[8 + c]]);
    let [x, y, z, t] = [column(0), column(1), column(2), column(3)];
    let row = |r: usize| {
        let [a, b, c] = lift::axes([x[r], y[r], z[r]]);
        [a, b, c, t[r]]
    };
    let mut out = [0.0; 16];
    for (r, cells) in [row(0), row(1), row(2), [0.0, 0.0, 0.0, 1.0]].into_iter().enumerate() {
        out[r * 4..r * 4 + 4].copy_from_slice(&cells);
    }
    out
}

/// The diagonal of the model's box.
fn size(document: &Document) -> f64 {
    let hull = document.model().bounds.unwrap().hull.map(|corner| corner.map(|part| f64::from(part.get())));
    let side = |i: usize| {
        let along = hull.iter().map(|corner| corner[i]);
        along.clone().fold(f64::NEG_INFINITY, f64::max) - along.fold(f64::INFINITY, f64::min)
    };
    (side(0).powi(2) + side(1).powi(2) + side(2).powi(2)).sqrt()
}

#[test]
fn the_models_are_of_every_kind() {
    let documents: Vec<Document> = every_model()
        .iter()
        .map(|(_, bytes)| read(bytes, &ReadOptions::default()).unwrap().document)
        .collect();
    for reading in [Reading::Documented, Reading::Observed] {
        assert!(documents.iter().any(|document| document.reading == reading));
    }
    let frames = |document: &Document| document.model().frame_count();
    assert!(documents.iter().any(|document| frames(document) == 1));
    assert!(documents.iter().any(|document| frames(document) > 20));
    let batches = |document: &Document| document.model().batches.unwrap().rows.len();
    assert!(documents.iter().any(|document| batches(document) > 20));
}

/// The windmill as Warcraft III wants it: with names for its sequences, and a place to attach things to.
fn named_windmill(desk: &Desk) {
    desk.run(&["samples", "."]);
    let bytes = desk.read("windmill.glb");
    let len = usize::try_from(u32::from_le_bytes(bytes[12..16].try_into().unwrap())).unwrap();
    let mut text: Value = serde_json::from_slice(&bytes[20..20 + len]).unwrap();
    for (animation, name) in text["animations"].as_array_mut().unwrap().iter_mut().zip(["Stand", "Death"]) {
        animation["name"] = name.into();
    }
    let nodes = text["nodes"].as_array_mut().unwrap();
    nodes.push(serde_json::json!({"name": "Origin Ref"}));
    let last = nodes.len() - 1;
    text["scenes"][0]["nodes"].as_array_mut().unwrap().push(last.into());
    let mut json = serde_json::to_vec(&text).unwrap();
    json.resize(json.len().next_multiple_of(4), b' ');
    let word = |number: usize| u32::try_from(number).unwrap().to_le_bytes();
    let rest = &bytes[20 + len..];
    let whole = word(20 + json.len() + rest.len());
    desk.put("mill.glb", [&bytes[..8], &whole, &word(json.len()), &bytes[16..20], &json, rest].concat());
}

/// Both readers of Warcraft III's models read one that was made of a glTF, and the checker that modders must pass has nothing to say.
#[test]
fn others_read_a_model_that_was_made_of_a_gltf() {
    let desk = Desk::new();
    named_windmill(&desk);
    let done = desk.run(&["convert", "mill.glb", "-o", "mill.mdx"]);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let file = desk.path("mill.mdx").display().to_string();
    let read = node("mdx.mjs", &[&file]);
    assert_eq!(read["war3-model"], read["mdx-m3-viewer"], "{read:#}");
    let names = |list: &Value| list.as_array().unwrap().iter().map(|row| row[0].clone()).collect::<Vec<_>>();
    assert_eq!(names(&read["war3-model"]["sequences"]), ["Stand", "Death"]);
    assert!(read["war3-model"]["nodes"].as_array().unwrap().iter().any(|row| row[1] == "Origin Ref"));
    let found = node("sanity.mjs", &[&file]);
    for kind in ["errors", "severe", "warnings", "unused"] {
        assert_eq!(found[kind], 0, "{found:#}");
    }
}

/// What three.js exports becomes a model of every game.
#[test]
fn what_three_exports_becomes_a_model_of_every_game() {
    let desk = Desk::new();
    named_windmill(&desk);
    let [from, to] = ["mill.glb", "three.glb"].map(|name| desk.path(name).display().to_string());
    clients().ask("three-export.mjs", &[&from, &to], "");
    for word in ["msh", "ff7", "ff7-field", "mdx:800", "mdx:1000", "mdx-wow:1300", "mdx-wow:1500"] {
        let folder = word.replace(':', "-");
        let done = desk.run(&["convert", "three.glb", "-o", &format!("{folder}/"), "--to", word]);
        assert_eq!(done.code, 0, "{word}: {}", done.stderr);
        let (code, json) = desk.json(&["validate", &folder, "--json", "--deny", "warnings"]);
        assert_eq!(code, 0, "{word}: {json:#}");
    }
}
