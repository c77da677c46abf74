//! What the command prints with `--json` is what the committed schemas say, for good and for bad input,
//! and the schemas say enough to notice when it is not.
#![allow(clippy::disallowed_methods, reason = "tests look at the disk themselves")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is a failed test")]

mod common;

use std::path::Path;

use common::archive::{DATA_OFFSET, archive, poke, record};
use common::{Desk, listings, model};
use jsonschema::Validator;
use serde_json::{Value, json};

fn schema_text(name: &str) -> Value {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas");
    let text = std::fs::read_to_string(folder.join(format!("{name}.schema.json"))).unwrap();
    serde_json::from_str(&text).unwrap()
}

fn schema(name: &str) -> Validator {
    jsonschema::draft202012::new(&schema_text(name)).unwrap()
}

#[track_caller]
fn assert_fits(name: &str, output: &Value) {
    let problems: Vec<String> =
        schema(name).iter_errors(output).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(problems.is_empty(), "{name}: {problems:#?}\n{output:#}");
}

/// A desk with a file of every condition: good, odd, damaged, unreadable, empty.
fn desk() -> Desk {
    let inner = archive(&[("deep.txt", b"deep")]);
    let good = archive(&[("b.txt", b"xyz"), ("A.txt", b"12345678"), ("in.rlb", &inner)]);
    let mut damaged = good.clone();
    let place = record(&good, 0) + DATA_OFFSET;
    poke(&mut damaged, place, 0xffff_0000);
    damaged.extend(b"behind");
    let desk = Desk::new().with("good.rlb", &good).with("damaged.rlb", damaged);
    let desk = desk.with("cut.rlb", &good[..40]).with("empty.rlb", b"").with("alien.bin", b"what is this?");
    let desk = desk.with("none.rlb", archive(&[]));
    for (name, bytes) in listings() {
        desk.put(&format!("odd/{name}.rlb"), bytes);
    }
    for (name, bytes) in model::cases() {
        desk.put(&format!("models/{name}.msh"), bytes);
    }
    for (name, bytes) in model::odd() {
        desk.put(&format!("models/odd-{name}.msh"), bytes);
    }
    for name in ["worked-example", "conflicts", "record-shared", "hostile", "truncated"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/lgp");
        let listing = folder.join(name).join("build.txt");
        desk.put(&format!("archives/{name}.lgp"), galvani_testkit::assemble_file(&listing));
    }
    for (name, bytes) in mdx() {
        desk.put(&format!("mdx/{name}.mdx"), bytes);
    }
    desk.put("full.msh", model::full());
    desk.put("walker.msh", model::walker());
    for (name, bytes) in packs() {
        desk.put(&format!("packs/{name}"), bytes);
    }
    desk
}

/// The lanterns that ship, and models of other layouts, readings and troubles.
fn mdx() -> Vec<(&'static str, Vec<u8>)> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let cases =
        ["plain-900", "plain-1500", "chunk-unknown", "name-tail", "seqs-size", "parent-missing", "magic"];
    let case = |name| {
        let listing = root.join("testdata/mdx").join(name).join("build.txt");
        (name, galvani_testkit::assemble_file(&listing))
    };
    let lantern = |name| (name, std::fs::read(root.join(format!("samples/{name}.mdx"))).unwrap());
    cases.map(case).into_iter().chain(["lantern", "lantern-wow"].map(lantern)).collect()
}

/// The pack that ships, and what can go wrong with one: an entry cut short, two entries damaged, the count too high.
fn packs() -> [(&'static str, Vec<u8>); 4] {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let frog = std::fs::read(folder.join("frog/zgda")).unwrap();
    let poked = |places: &[usize]| {
        let mut file = frog.clone();
        for &place in places {
            file[place] ^= 1;
        }
        file
    };
    [
        ("zgda", frog.clone()),
        ("cut.a00", frog[..900].to_vec()),
        ("damaged.a00", poked(&[16, 520])),
        ("counted.a00", poked(&[0])),
    ]
}

const EVERY_INPUT: [&str; 13] = [
    "good.rlb",
    "damaged.rlb",
    "cut.rlb",
    "empty.rlb",
    "alien.bin",
    "none.rlb",
    "missing.rlb",
    "odd/*.rlb",
    "models/*.msh",
    "archives/*.lgp",
    "full.msh",
    "packs/*",
    "mdx/*.mdx",
];

/// The outputs of a verb over every input, together and each alone, tolerant and strict.
fn outputs_over_inputs(verb: &str) -> Vec<Value> {
    let desk = desk();
    let mut outputs = vec![desk.json(&[&[verb, "--json"], &EVERY_INPUT[..]].concat()).1];
    for input in EVERY_INPUT {
        outputs.push(desk.json(&[verb, input, "--json"]).1);
        outputs.push(desk.json(&[verb, input, "--json", "--strict"]).1);
        outputs.push(desk.json(&[verb, "--format", "nres", input, "--json"]).1);
    }
    outputs.push(desk.json(&[verb, ".", "--json"]).1);
    outputs
}

#[test]
fn every_schema_is_a_schema() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../schemas");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().to_string_lossy().replace(".schema.json", ""))
        .collect();
    names.sort();
    let verbs = "convert diff draw dump edit edit-list error extract fix info list pack pick play render rewrite \
                 sample samples survey unpack validate view";
    assert_eq!(names.join(" "), verbs);
    for name in names {
        jsonschema::draft202012::meta::validate(&schema_text(&name))
            .unwrap_or_else(|e| panic!("{name}: {e}"));
    }
}

#[test]
fn validate_fits_its_schema() {
    for output in outputs_over_inputs("validate") {
        assert_fits("validate", &output);
    }
}

#[test]
fn info_fits_its_schema() {
    for output in outputs_over_inputs("info") {
        assert_fits("info", &output);
    }
}

#[test]
fn dump_fits_its_schema() {
    for output in outputs_over_inputs("dump") {
        assert_fits("dump", &output);
    }
}

#[test]
fn list_fits_its_schema() {
    for output in outputs_over_inputs("list") {
        assert_fits("list", &output);
    }
}

#[test]
fn extract_fits_its_schema() {
    let desk = desk();
    let (_, all) = desk.json(&[&["extract", "-o", "out", "--json"], &EVERY_INPUT[..]].concat());
    assert_fits("extract", &all);
    for input in EVERY_INPUT.iter().chain(&["good.rlb/b.txt", "good.rlb/in.rlb/#0", "damaged.rlb/#0"]) {
        assert_fits("extract", &desk.json(&["extract", input, "-o", "out", "--json"]).1);
    }
}

#[test]
fn diff_fits_its_schema() {
    let desk = desk();
    for other in ["good.rlb", "damaged.rlb", "none.rlb"] {
        assert_fits("diff", &desk.json(&["diff", "good.rlb", other, "--json"]).1);
    }
    assert_fits("error", &desk.json(&["diff", "good.rlb", "walker.msh", "--json"]).1);
    for other in ["full.msh", "walker.msh", "models/legacy-nodes.msh", "models/documented.msh"] {
        assert_fits("diff", &desk.json(&["diff", "full.msh", other, "--json"]).1);
    }
}

#[test]
fn rewrite_fits_its_schema() {
    let desk = desk();
    let models = ["walker.msh", "models/legacy-nodes.msh", "models/odd-twins.msh"];
    let archives = ["good.rlb", "damaged.rlb", "none.rlb", "odd/hostile.rlb", "odd/unindexed.rlb"];
    for input in archives.into_iter().chain(models) {
        assert_fits("rewrite", &desk.json(&["rewrite", input, "-o", "out.rlb", "--json"]).1);
        assert_fits("rewrite", &desk.json(&["rewrite", input, "-o", "c.rlb", "--canonical", "--json"]).1);
    }
}

#[test]
fn edit_fits_its_schema() {
    let desk = desk();
    for input in ["good.rlb", "damaged.rlb", "odd/names.rlb"] {
        let words =
            ["edit", input, "rename", "#0", "new", "set", "#0", "attr1", "7", "-o", "o.rlb", "--json"];
        assert_fits("edit", &desk.json(&words).1);
    }
    for input in ["walker.msh", "full.msh", "models/documented.msh", "models/stream-missing.msh"] {
        let words = ["edit", input, "material", "0", "3", "canonical", "-o", "o.msh", "--json"];
        assert_fits("edit", &desk.json(&words).1);
    }
    let words = ["edit", "packs", "trim", "2", "0", "9", "-o", "trimmed", "--json"];
    let (_, folder) = desk.json(&words);
    assert!(folder["files"].as_array().is_some_and(|files| files.len() > 1), "{folder:#}");
    assert_fits("edit", &folder);
    assert_fits("edit-list", &desk.json(&["edit", "--list", "--json"]).1);
}

#[test]
fn play_fits_its_schema() {
    let desk = desk();
    let clip = ["play", "mdx/lantern.mdx", "--clip", "Stand", "--json"];
    assert_fits("play", &desk.json(&[&clip[..], &["--time", "0..9000:700", "--tracks"]].concat()).1);
    let then = ["--then", "Walk", "--at", "1500", "--then", "#3", "--time", "2000", "--node", "Body"];
    assert_fits("play", &desk.json(&[&clip[..], &then].concat()).1);
    assert_fits(
        "error",
        &desk.json(&[&clip[..2], &["--clip", "Nowhere", "--time", "0", "--json"]].concat()).1,
    );
}

#[test]
fn fix_fits_its_schema() {
    let desk = desk();
    for input in ["good.rlb", "damaged.rlb", "odd/names.rlb", "models/map-words.msh", "packs/damaged.a00"] {
        assert_fits("fix", &desk.json(&["fix", input, "-o", "f.bin", "--json"]).1);
    }
    let (_, folder) = desk.json(&["fix", "models", "mdx", "packs", "odd", "-o", "fixed", "--json"]);
    assert!(folder["files"].as_array().is_some_and(|files| files.len() > 9), "{folder:#}");
    assert_fits("fix", &folder);
}

#[test]
fn unpack_and_pack_fit_their_schemas() {
    let desk = desk();
    for (i, input) in [
        "good.rlb",
        "damaged.rlb",
        "none.rlb",
        "full.msh",
        "models/legacy-nodes.msh",
        "packs/damaged.a00",
        "mdx/lantern-wow.mdx",
    ]
    .into_iter()
    .enumerate()
    {
        let folder = format!("folder{i}");
        assert_fits("unpack", &desk.json(&["unpack", input, "-o", &folder, "--json"]).1);
        assert_fits("pack", &desk.json(&["pack", &folder, "-o", "out.rlb", "--json"]).1);
    }
}

/// The model that ships with galvani, on a desk.
fn with_walker(desk: Desk) -> Desk {
    assert_eq!(desk.run(&["samples", "."]).code, 0);
    desk
}

#[test]
fn sample_fits_its_schema() {
    let desk = with_walker(Desk::new());
    let requests: [&[&str]; 5] = [
        &[],
        &["--rest", "fallback", "--root", "clear"],
        &["--time", "-1..40:0.5", "--space", "model"],
        &["--time", "NaN", "--time", "inf", "--time", "-1e30"],
        &["--time", "-1..3", "--time-b", "12", "--blend", "0.5"],
    ];
    for words in requests {
        assert_fits("sample", &desk.json(&[&["sample", "walker.msh", "--json"], words].concat()).1);
    }
    for (name, bytes) in packs().into_iter().take(3) {
        desk.put(name, bytes);
        let requests: [&[&str]; 3] =
            [&[], &["--clip", "0", "--frame", "0..2"], &["--y", "reversed", "--bone", "0"]];
        for words in requests {
            assert_fits("sample", &desk.json(&[&["sample", name, "--json"], words].concat()).1);
        }
    }
}

#[test]
fn moments_of_sequences_fit_the_schema_of_sample() {
    let desk = with_walker(Desk::new());
    for words in [&[][..], &["--clip", "1", "--time", "0..900:33.3", "--tracks"], &["--node", "Body"]] {
        for name in ["lantern.mdx", "lantern-wow.mdx"] {
            assert_fits("sample", &desk.json(&[&["sample", name, "--json"], words].concat()).1);
        }
    }
}

#[test]
fn poses_on_a_field_fit_the_schema_of_sample() {
    let desk = with_walker(Desk::new());
    for words in [&[][..], &["--frame", "0..3", "--bone", "2"], &["--y", "reversed"]] {
        assert_fits("sample", &desk.json(&[&["sample", "boat.a", "--json"], words].concat()).1);
    }
    for name in ["boat.hrc", "boat.rsd", "boat.a"] {
        for verb in ["info", "validate", "dump"] {
            assert_fits(verb, &desk.json(&[verb, name, "--json"]).1);
        }
    }
}

#[test]
fn textures_fit_the_schemas() {
    let desk = with_walker(Desk::new());
    for verb in ["info", "validate", "dump", "list"] {
        assert_fits(verb, &desk.json(&[verb, "Textures", "--json"]).1);
    }
    let (metal, glow) = ("Textures/Lantern.blp", "Textures/LanternGlow.blp");
    assert_fits("diff", &desk.json(&["diff", metal, glow, "--json"]).1);
    for (i, skin) in [metal, glow, "Textures/Lantern.dds"].into_iter().enumerate() {
        let folder = format!("skin{i}");
        assert_fits("unpack", &desk.json(&["unpack", skin, "-o", &folder, "--json"]).1);
        assert_fits("pack", &desk.json(&["pack", &folder, "-o", "x", "--json"]).1);
        assert_fits("convert", &desk.json(&["convert", skin, "--to", "blp", "-o", "y", "--json"]).1);
        assert_fits("edit", &desk.json(&["edit", skin, "rebuild-mips", "-o", "z", "--json"]).1);
    }
}

#[test]
fn skeletons_and_poses_of_whole_models_fit_their_schemas() {
    let desk = with_walker(Desk::new());
    for words in [&[][..], &["--clip", "4"], &["--clip", "0", "--frame", "0..3", "--bone", "2"]] {
        for path in ["frog/zgda", "frog.lgp/zgda"] {
            let sample = ["sample", path, "--space", "model", "--json"];
            assert_fits("sample", &desk.json(&[&sample, words].concat()).1);
        }
    }
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata/ff7-skeleton");
    for case in std::fs::read_dir(folder).unwrap() {
        let case = case.unwrap();
        let bytes = galvani_testkit::assemble_file(&case.path().join("build.txt"));
        desk.put(&format!("bones/{}.d", case.file_name().display()), bytes);
    }
    for path in ["frog/zgaa", "frog.lgp/zgaa", "bones/*", "frog", "frog.lgp"] {
        for verb in ["info", "validate", "dump"] {
            assert_fits(verb, &desk.json(&[verb, path, "--json"]).1);
        }
    }
    for name in ["plain", "rest", "count", "length"] {
        let unpacked = desk.json(&["unpack", &format!("bones/{name}.d"), "-o", name, "--json"]).1;
        assert_fits("unpack", &unpacked);
        assert_fits("pack", &desk.json(&["pack", name, "-o", "x.d", "--json"]).1);
        assert_eq!(desk.read("x.d"), desk.read(&format!("bones/{name}.d")), "{name}");
    }
}

#[test]
fn the_row_of_a_skeleton_says_all_of_its_bones_and_its_model() {
    let desk = with_walker(Desk::new());
    let (_, output) = desk.json(&["info", "frog/zgaa", "--json"]);
    assert_fits("info", &output);
    let schema = schema("info");
    let places = [("", "kind"), ("", "model"), ("/nodes/0", "length"), ("/nodes/0", "has_model")];
    for (place, key) in places
        .into_iter()
        .chain(["skeleton", "pack", "parts", "textures", "weapons"].map(|key| ("/model", key)))
    {
        let mut fewer = output.clone();
        let place = fewer.pointer_mut(&format!("/files/0{place}")).unwrap();
        place.as_object_mut().unwrap().remove(key).unwrap();
        assert!(!schema.is_valid(&fewer), "{key} is not missed");
    }
    for (place, wrong) in [("kind", json!("hero")), ("model/parts", json!([3])), ("nodes/0/part", json!(7))] {
        let mut other = output.clone();
        *other.pointer_mut(&format!("/files/0/{place}")).unwrap() = wrong;
        assert!(!schema.is_valid(&other), "{place} may be anything");
    }
}

/// A ray from above the walker down to it.
const DOWN: &str = "0,0,100,0,0,-1";

#[test]
fn draw_and_pick_fit_their_schemas() {
    let desk = Desk::new();
    desk.run(&["samples", "."]);
    for reading in ["documented", "observed"] {
        for (lod, group) in [("0", "0"), ("1", "0"), ("2", "4"), ("-1", "-1")] {
            let which = ["walker.msh", "--lod", lod, "--group", group, "--reading", reading, "--json"];
            assert_fits("draw", &desk.json(&[&["draw"], &which[..]].concat()).1);
            assert_fits("pick", &desk.json(&[&["pick", "--ray", DOWN], &which[..]].concat()).1);
        }
    }
    assert_fits("pick", &desk.json(&["pick", "walker.msh", "--ray", "0,0,100,0,0,1", "--json"]).1);
    assert_fits("error", &desk.json(&["pick", "walker.msh", "--ray", "0,0,100,0,0,0", "--json"]).1);
    assert_fits("error", &desk.json(&["draw", "depot.rlb", "--json"]).1);
}

#[test]
fn samples_fits_its_schema() {
    assert_fits("samples", &Desk::new().json(&["samples", ".", "--json"]).1);
}

#[test]
fn convert_fits_its_schema() {
    let desk = desk();
    desk.run(&["samples", "."]);
    let (_, all) = desk.json(&[&["convert", "walker.msh", "-o", "out", "--json"], &EVERY_INPUT[..]].concat());
    assert_fits("convert", &all);
    for input in EVERY_INPUT.iter().chain(&["walker.msh", "."]) {
        assert_fits("convert", &desk.json(&["convert", input, "-o", "out/", "--json"]).1);
    }
}

#[test]
fn render_fits_its_schema() {
    let desk = desk();
    desk.run(&["samples", "."]);
    let small = ["--size", "24", "--json"];
    for input in EVERY_INPUT.iter().chain(&["walker.msh", "lantern.mdx", "frog.lgp"]) {
        assert_fits("render", &desk.json(&[&["render", input, "-o", "out/"], &small[..]].concat()).1);
    }
    assert_fits(
        "render",
        &desk.json(&[&["render", "frog.lgp", "-o", "s.png", "--sheet"], &small[..]].concat()).1,
    );
}

#[test]
fn every_refusal_fits_the_schema_of_errors() {
    let desk = desk().with("not-a-folder/manifest.json", b"{\"format\": \"nres\"}");
    let refusals: [&[&str]; 17] = [
        &["edit", "walker.msh", "rename", "nobody", "x", "-o", "out.rlb"],
        &["edit", "models/legacy-nodes.msh", "reparent", "0", "none", "-o", "out.rlb"],
        &["rewrite", "models/rest-bytes.msh", "-o", "out.rlb", "--strict"],
        &["unpack", "models/truncated.msh", "--format", "msh", "-o", "folder"],
        &["rewrite", "cut.rlb", "-o", "out.rlb"],
        &["rewrite", "alien.bin", "-o", "out.rlb"],
        &["rewrite", "damaged.rlb", "-o", "out.rlb", "--strict"],
        &["rewrite", "good.rlb", "-o", "no/such/folder/out.rlb"],
        &["diff", "good.rlb", "missing.rlb"],
        &["diff", "empty.rlb", "good.rlb"],
        &["edit", "good.rlb", "remove", "#99", "-o", "out.rlb"],
        &["edit", "good.rlb", "remove", "no such entry", "-o", "out.rlb"],
        &["unpack", "cut.rlb", "-o", "folder"],
        &["pack", "not-a-folder", "-o", "out.rlb"],
        &["pack", "missing", "-o", "out.rlb"],
        &["sample", "good.rlb"],
        &["sample", "cut.rlb"],
    ];
    for words in refusals {
        let (code, output) = desk.json(&[words, &["--json"]].concat());
        assert!(code == 1 || code == 3, "{words:?} gave {code}");
        let shape = if ["edit", "rewrite"].contains(&words[0]) { words[0] } else { "error" };
        assert_fits(shape, &output);
        assert!(shape == "error" || output["refused"][0]["path"] == words[1], "{output:#}");
    }
    assert!(!desk.path("out.rlb").exists(), "a refusal writes nothing");
}

/// Keys that an object may lack, and values that may be of any type.
const OPTIONAL: [&str; 11] =
    ["truncated", "more", "hex", "file", "name_hex", "offset", "attr1", "attr2", "attr3", "type", "entries"];
const FREE: [&str; 4] = ["value", "old", "new", "type"];

/// Every way to leave out a key, add one, or change the type of a leaf, with the place.
fn mutants(output: &Value) -> Vec<(String, Value)> {
    let mut found = Vec::new();
    visit("", output, &mut |pointer, here| {
        let mut put = |what: &str, new: Value| {
            let mut mutant = output.clone();
            *mutant.pointer_mut(pointer).unwrap() = new;
            found.push((format!("{pointer} {what}"), mutant));
        };
        let key = pointer.rsplit('/').next().unwrap_or_default();
        match here {
            Value::Object(object) => {
                for key in object.keys().filter(|key| !OPTIONAL.contains(&key.as_str())) {
                    let mut fewer = object.clone();
                    fewer.remove(key);
                    put(&format!("without {key}"), Value::Object(fewer));
                }
                let mut more = object.clone();
                more.insert("surprise".to_owned(), json!(1));
                put("with a surprise", Value::Object(more));
                put("as a list", json!([]));
            }
            Value::Array(_) => put("as a word", json!("list")),
            _ if FREE.contains(&key) => {}
            _ => put("as an object", json!({"not": "a leaf"})),
        }
    });
    found
}

fn visit(pointer: &str, value: &Value, each: &mut impl FnMut(&str, &Value)) {
    let key = pointer.rsplit('/').next().unwrap_or_default();
    if !matches!(key, "old" | "new" | "value" | "counts") {
        each(pointer, value);
        let items: Vec<(String, &Value)> = match value {
            Value::Object(object) => object.iter().map(|(key, value)| (key.clone(), value)).collect(),
            Value::Array(list) => list.iter().enumerate().map(|(i, value)| (i.to_string(), value)).collect(),
            _ => Vec::new(),
        };
        for (key, value) in items {
            visit(&format!("{pointer}/{key}"), value, each);
        }
    }
}

#[test]
fn a_changed_output_no_longer_fits() {
    let desk = with_walker(desk());
    let blend = ["sample", "walker.msh", "--node", "1", "--time", "1", "--time-b", "12", "--blend", "0.5"];
    let cases: [(&str, &[&str]); 24] = [
        ("validate", &["validate", "models/neighbours.msh", "models/key-times.msh"]),
        ("edit", &["edit", "models/map-words.msh", "rename", "0", "x", "-o", "o.msh"]),
        ("validate", &["validate", "damaged.rlb", "cut.rlb"]),
        ("info", &["info", "cut.rlb"]),
        ("dump", &["dump", "good.rlb"]),
        ("diff", &["diff", "good.rlb", "damaged.rlb"]),
        ("list", &["list", "good.rlb", "cut.rlb"]),
        ("extract", &["extract", "good.rlb", "damaged.rlb", "cut.rlb", "-o", "out"]),
        ("rewrite", &["rewrite", "odd/unindexed.rlb", "--canonical", "-o", "o.rlb"]),
        ("edit", &["edit", "damaged.rlb", "remove", "#1", "-o", "o.rlb"]),
        ("fix", &["fix", "models/map-words.msh", "-o", "f.msh"]),
        ("edit-list", &["edit", "--list"]),
        ("unpack", &["unpack", "good.rlb", "-o", "folder"]),
        ("pack", &["pack", "folder", "-o", "o.rlb"]),
        ("sample", &["sample", "walker.msh", "--node", "1", "--time", "1"]),
        ("sample", &blend),
        ("sample", &["sample", "frog/zgda", "--clip", "0", "--frame", "0", "--bone", "1"]),
        ("play", &["play", "mdx/lantern.mdx", "--clip", "Walk", "--time", "900", "--node", "Body"]),
        ("samples", &["samples", "s"]),
        ("draw", &["draw", "s/walker.msh"]),
        ("pick", &["pick", "s/walker.msh", "--ray", DOWN]),
        ("convert", &["convert", "walker.msh", "cut.rlb", "-o", "glb"]),
        ("render", &["render", "walker.msh", "cut.rlb", "-o", "drawn/", "--size", "32"]),
        ("error", &["diff", "good.rlb", "cut.rlb"]),
    ];
    let survey: (&str, &[&str]) = ("survey", &["survey", "good.rlb", "cut.rlb", "-o", "tables"]);
    let cases = cases.into_iter().chain(cfg!(feature = "survey").then_some(survey));
    for (name, words) in cases {
        let output = desk.json(&[words, &["--json"]].concat()).1;
        assert_fits(name, &output);
        let schema = schema(name);
        for (what, mutant) in mutants(&output) {
            assert!(!schema.is_valid(&mutant), "{name}: {what} still fits");
        }
    }
}

#[test]
fn an_info_row_may_say_more_but_not_less() {
    let output = desk().json(&["info", "good.rlb", "--json"]).1;
    let mut more = output.clone();
    more["files"][0]["surplus"] = json!({"frames": 3});
    assert_fits("info", &more);
    for key in ["path", "format", "readings", "counts", "nodes", "unknown"] {
        let mut fewer = output.clone();
        fewer["files"][0].as_object_mut().unwrap().remove(key);
        assert!(!schema("info").is_valid(&fewer), "{key} is not missed");
    }
}

#[test]
fn the_row_of_a_model_says_all_of_its_nodes_and_its_animation() {
    let (_, output) = desk().json(&["info", "full.msh", "--json"]);
    let schema = schema("info");
    let row = &output["files"][0];
    assert_eq!(row["animation"], json!({"frames": 3, "keys": 3, "animated_nodes": 1}));
    for key in ["path", "format", "readings", "counts", "nodes", "unknown", "animation"] {
        let mut fewer = output.clone();
        fewer["files"][0].as_object_mut().unwrap().remove(key);
        assert!(!schema.is_valid(&fewer), "{key} is not missed");
    }
    for key in row["animation"].as_object().unwrap().keys() {
        let mut fewer = output.clone();
        fewer["files"][0]["animation"].as_object_mut().unwrap().remove(key);
        assert!(!schema.is_valid(&fewer), "animation.{key} is not missed");
    }
    for key in row["nodes"][0].as_object().unwrap().keys() {
        let mut fewer = output.clone();
        fewer["files"][0]["nodes"][0].as_object_mut().unwrap().remove(key);
        assert!(!schema.is_valid(&fewer), "nodes[0].{key} is not missed");
    }
}

#[test]
fn a_diff_that_contradicts_itself_does_not_fit() {
    let change = json!({"path": "version", "old": 1, "new": 2, "distance": 1.0});
    let schema = schema("diff");
    assert!(!schema.is_valid(&json!({"equal": true, "changes": [change]})));
    assert!(!schema.is_valid(&json!({"equal": false, "changes": []})));
}
