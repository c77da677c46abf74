//! `sample` of MDX models: sequences, clocks, edges, properties, billboards, and what is refused.

use std::path::Path;

use serde_json::{Value, json};

use crate::common::Desk;

fn desk() -> Desk {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    let lantern = |name: &str| std::fs::read(folder.join(name)).unwrap();
    let desk =
        Desk::new().with("lantern.mdx", lantern("lantern.mdx")).with("wow.mdx", lantern("lantern-wow.mdx"));
    desk.with("still.mdx", [&b"MDLX"[..], b"VERS", &4_u32.to_le_bytes(), &800_u32.to_le_bytes()].concat())
}

fn samples(words: &[&str]) -> Vec<Value> {
    desk().samples(words)
}

fn refused(words: &[&str]) -> (u8, Value) {
    desk().no_samples(words)
}

/// The value of a property in the only sample.
fn value(words: &[&str], path: &str) -> Value {
    let samples = samples(&[words, &["--tracks"]].concat());
    let [sample] = samples.as_slice() else { panic!("{} samples", samples.len()) };
    let track = sample["tracks"].as_array().unwrap().iter().find(|track| track["path"] == path);
    track.unwrap_or_else(|| panic!("no {path}"))["value"].clone()
}

#[test]
fn a_sample_of_a_sequence_has_the_shape_of_the_contract() {
    let samples = samples(&["lantern.mdx", "--clip", "walk", "--time", "200", "--node", "Foot Left"]);
    let [sample] = samples.as_slice() else { panic!("{samples:?}") };
    assert_eq!((&sample["clip"], &sample["name"], &sample["time"]), (&json!(2), &json!("Walk"), &json!(200)));
    assert_eq!((&sample["global_time"], sample.get("tracks")), (&json!(200), None));
    let [node] = sample["nodes"].as_array().unwrap().as_slice() else { panic!("{sample:?}") };
    assert_eq!((&node["node"], &node["index"], &node["name"]), (&json!(3), &json!(3), &json!("Foot Left")));
    // The foot is moved, not turned: its matrix moves as far as its parents do and it does.
    let matrix = node["matrix"].as_array().unwrap();
    let moved: Vec<&Value> = [3, 7, 11].map(|i: usize| &matrix[i]).to_vec();
    assert_eq!(json!(moved), node["translation"]);
    assert_eq!(node["rotation"], json!([1.0, 0.0, 0.0, 0.0]));
    assert_eq!(node["scale"], json!([1.0, 1.0, 1.0]));
}

#[test]
fn sequences_are_found_by_index_and_by_name_and_taken_in_order() {
    let clips = |words: &[&str]| -> Vec<(Value, Value)> {
        samples(words).iter().map(|sample| (sample["clip"].clone(), sample["time"].clone())).collect()
    };
    assert_eq!(clips(&["lantern.mdx", "--clip", "DEATH"]), [(json!(3), json!(0))]);
    assert_eq!(
        clips(&["wow.mdx", "--time", "20", "--time", "0..1:0.5", "--clip", "1"]),
        [(1, json!(0)), (1, json!(0.5)), (1, json!(1)), (1, json!(20))]
            .map(|(clip, time)| (json!(clip), time))
    );
    assert_eq!(clips(&["lantern.mdx"]).len(), 4);
    let both = clips(&["lantern.mdx", "--time", "5", "--time", "0"]);
    assert_eq!(
        both[..5],
        [(0, 0), (1, 0), (2, 0), (3, 0), (0, 5)].map(|(clip, time)| (json!(clip), json!(time)))
    );
    // A number that is no index may be a name.
    let desk = desk();
    let words = ["edit", "lantern.mdx", "rename-sequence", "2", "77", "rename-node", "Wick", "99"];
    assert_eq!(desk.run(&[&words[..], &["-o", "named.mdx"]].concat()).code, 0);
    let named = desk.samples(&["named.mdx", "--clip", "77", "--node", "99"]);
    assert_eq!((&named[0]["clip"], &named[0]["nodes"][0]["node"]), (&json!(2), &json!(6)));
    assert_eq!(clips(&["lantern.mdx", "--clip", "0", "--time", "-0", "--time", "0"]).len(), 1);
    assert_eq!(clips(&["still.mdx"]), [(Value::Null, json!(0))]);
}

#[test]
fn a_looping_clock_begins_anew_and_another_one_stays() {
    let light = |clip: &str, time: &str| {
        value(&["lantern.mdx", "--clip", clip, "--time", time, "--global-time", "0"], "BONE[1].node.KGTR")
    };
    for clip in ["Stand", "Walk"] {
        let length = if clip == "Stand" { 2000 } else { 800 };
        assert_eq!(light(clip, &(2 * length).to_string()), light(clip, "0"));
        assert_eq!(light(clip, &(length + 130).to_string()), light(clip, "130"));
        assert_eq!(light(clip, "-70"), light(clip, &(length - 70).to_string()));
        assert_ne!(light(clip, "130"), light(clip, "0"));
    }
    // The end of a looping sequence is its end's pose.
    let desk = desk();
    let words = ["edit", "lantern.mdx", "set-key", "Body.KGTR", "5400", "1,2,3", "-o", "ends.mdx"];
    let done = desk.run(&words);
    assert_eq!(done.code, 0, "{}", done.stderr);
    let moved = |time: &str| {
        desk.samples(&["ends.mdx", "--clip", "Walk", "--time", time, "--node", "Body"])[0]["nodes"][0]
            ["translation"]
            .clone()
    };
    assert_eq!(moved("800"), json!([1.0, 2.0, 3.0]));
    assert_ne!(moved("0"), moved("800"));
    assert_eq!(moved("801"), moved("1"));
    let angle = |time: &str| value(&["lantern.mdx", "--clip", "Death", "--time", time], "BONE[0].node.KGRT");
    assert_eq!(angle("1600"), angle("99999"));
    assert_eq!(angle("-5"), angle("0"));
    assert_ne!(angle("1600"), angle("0"));
}

#[test]
fn global_sequences_have_a_clock_of_their_own() {
    let uv = |words: &[&str]| value(&[&["lantern.mdx", "--clip", "0"], words].concat(), "TXAN[0].KTAT");
    assert_eq!(uv(&["--time", "300"]), uv(&["--time", "900", "--global-time", "300"]));
    assert_ne!(uv(&["--time", "300"]), uv(&["--time", "300", "--global-time", "900"]));
    assert_eq!(uv(&["--time", "0", "--global-time", "-10"]), uv(&["--time", "2990"]));
}

#[test]
fn edges_wrap_or_hold() {
    // Death shows its colour up to a key and has none behind it.
    let at = |edges: &[&str]| {
        value(&[&["lantern.mdx", "--clip", "Death", "--time", "1590"], edges].concat(), "GEOA[0].KGAC")
    };
    assert_eq!(at(&[]), at(&["--edges", "hold"]));
    assert_ne!(at(&["--edges", "wrap"]), at(&["--edges", "hold"]));
}

#[test]
fn spaces_and_cameras_change_the_matrix_alone() {
    let node = |words: &[&str]| {
        let words = [&["lantern.mdx", "--clip", "Walk", "--time", "333", "--node", "Handle"], words].concat();
        samples(&words)[0]["nodes"][0].clone()
    };
    let (model, local) = (node(&[]), node(&["--space", "local"]));
    assert_eq!(model, node(&["--space", "model"]));
    assert_ne!(model["matrix"], local["matrix"]);
    assert_eq!(model["translation"], local["translation"]);
    // The lantern has no billboards.
    assert_eq!(model, node(&["--camera", "0.5,0.5,0.5,0.5"]));
}

/// The lantern with its wick a billboard.
#[test]
fn billboards_face_the_camera() {
    let desk = desk();
    let (_, rows) = desk.json(&["dump", "lantern.mdx", "--json"]);
    let flags = rows.as_array().unwrap().iter().find(|row| row["path"] == "HELP[0].node.flags").unwrap();
    let offset = usize::try_from(flags["offset"].as_u64().unwrap()).unwrap();
    let mut file = desk.read("lantern.mdx");
    file[offset] |= 8;
    desk.put("billboard.mdx", file);
    let matrix = |camera: &str| -> Vec<f64> {
        let words = ["billboard.mdx", "--clip", "0", "--node", "Wick", "--camera", camera];
        let samples = desk.samples(&words);
        let matrix = samples[0]["nodes"][0]["matrix"].as_array().unwrap();
        matrix.iter().map(|number| number.as_f64().unwrap()).collect()
    };
    // A view along −Z of a camera that is not turned: +X of the node looks up along +Z, its +Z along +Y.
    let found = matrix("1,0,0,0");
    let axes = [0, 4, 8, 2, 6, 10].map(|i: usize| found[i]);
    let wanted = [0.0, 0.0, 1.0, 0.0, 1.0, 0.0];
    assert!(
        axes.iter().zip(wanted).all(|(axis, wanted): (&f64, f64)| (axis - wanted).abs() < 1e-5),
        "{axes:?}"
    );
    // Whatever its length.
    assert_eq!(matrix("0,1e-22,0,0"), matrix("0,3,0,0"));
    assert_ne!(matrix("0,3,0,0"), found);
}

#[test]
fn what_is_not_there_is_refused() {
    let cases = [
        (&["lantern.mdx", "--clip", "9"][..], 1, json!("mdx.sample-no-sequence")),
        (&["lantern.mdx", "--clip", "Dance"], 1, json!("mdx.sample-no-sequence")),
        (&["lantern.mdx", "--clip", "-1"], 1, json!("mdx.sample-no-sequence")),
        (&["lantern.mdx", "--node", "99"], 1, json!("mdx.sample-no-node")),
        (&["lantern.mdx", "--node", "Hat"], 1, json!("mdx.sample-no-node")),
        (&["lantern.mdx", "--time", "NaN"], 2, json!("mdx.sample-time")),
        (&["lantern.mdx", "--global-time", "inf"], 2, json!("mdx.sample-time")),
        (&["lantern.mdx", "--camera", "0,0,0,0"], 2, json!("mdx.sample-camera")),
        (&["lantern.mdx", "--camera", "NaN,0,0,1"], 2, json!("mdx.sample-camera")),
        (&["lantern.mdx", "--camera", "0,0,1"], 2, Value::Null),
        (&["lantern.mdx", "--node", "-1"], 1, json!("mdx.sample-no-node")),
        (&["lantern.mdx", "--time", "1", "--time-b", "2", "--blend", "0.5"], 2, json!("file.no-flag")),
        (&["lantern.mdx", "--root", "clear"], 2, json!("file.no-flag")),
        (&["lantern.mdx", "--rest", "fallback"], 2, json!("file.no-flag")),
        (&["lantern.mdx", "--y", "reversed"], 2, json!("file.no-flag")),
        (&["lantern.mdx", "--edges", "round"], 2, Value::Null),
    ];
    for (words, code, error) in cases {
        assert_eq!(refused(words), (code, error), "{words:?}");
    }
}

#[test]
fn people_see_a_table_of_nodes_and_one_of_properties() {
    let done = desk().run(&["sample", "lantern.mdx", "--clip", "Stand", "--time", "500", "--tracks"]);
    insta::assert_snapshot!("sample_of_a_model", done.all());
}
