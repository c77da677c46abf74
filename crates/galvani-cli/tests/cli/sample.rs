//! `sample`: where nodes are, at which times, in which space, and why not.

use serde_json::{Value, json};

use crate::common::archive::archive;
use crate::common::{Desk, model};

/// The walker that ships with galvani, alone and in an archive, and models damaged in one place each.
fn desk() -> Desk {
    let walker = walker();
    let desk = Desk::new().with("walker.msh", &walker);
    desk.put("units.rlb", archive(&[("note.txt", b"no model"), ("WALKER.MSH", &walker)]));
    for name in ["legacy-nodes", "map-range", "fallback-range", "parent-cycle"] {
        desk.put(&format!("{name}.msh"), model(name));
    }
    desk
}

fn walker() -> Vec<u8> {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../samples");
    std::fs::read(folder.join("walker.msh")).unwrap()
}

fn samples(words: &[&str]) -> Vec<Value> {
    desk().samples(words)
}

fn refused(words: &[&str]) -> (u8, Value) {
    desk().no_samples(words)
}

#[test]
fn flags_of_other_formats_are_refused() {
    for words in [
        &["--tracks"][..],
        &["--edges", "wrap"],
        &["--global-time", "3"],
        &["--camera", "1,0,0,0"],
        &["--y", "reversed"],
    ] {
        assert_eq!(refused(&[&["walker.msh"], words].concat()), (2, json!("file.no-flag")), "{words:?}");
    }
}

fn column(samples: &[Value], key: &str) -> Vec<Value> {
    samples.iter().map(|sample| sample[key].clone()).collect()
}

#[test]
fn a_sample_has_the_shape_of_the_contract() {
    let samples = samples(&["walker.msh", "--time", "4", "--node", "hull"]);
    let [sample] = samples.as_slice() else { panic!("{samples:?}") };
    assert_eq!((&sample["node"], &sample["name"], &sample["time"]), (&json!(1), &json!("hull"), &json!(4.0)));
    assert_eq!(sample["branch"], "key");
    assert_eq!(sample["position"], json!([0.04, -0.1185226, 1.7985411]));
    assert_eq!(sample["rotation"].as_array().unwrap().len(), 4);
    let matrix = sample["matrix"].as_array().unwrap();
    let translation = [3, 7, 11].map(|i: usize| matrix[i].clone());
    assert_eq!((matrix.len(), json!(translation)), (16, sample["position"].clone()));
    assert_eq!(matrix[12..], [json!(0.0), json!(0.0), json!(0.0), json!(1.0)]);
    assert!(sample.get("time_b").is_none());
}

#[test]
fn samples_come_by_time_and_then_by_node() {
    let all = samples(&["walker.msh", "--time", "2", "--time", "-1..1", "--time", "0.5", "--time", "1"]);
    let times = [-1.0, 0.0, 0.5, 1.0, 2.0];
    assert_eq!(all.len(), times.len() * 19);
    let wanted: Vec<Value> = times.iter().flat_map(|&time| vec![json!(time); 19]).collect();
    assert_eq!(column(&all, "time"), wanted);
    let nodes: Vec<Value> = (0..times.len()).flat_map(|_| (0..19).map(|node| json!(node))).collect();
    assert_eq!(column(&all, "node"), nodes);
}

#[test]
fn ranges_have_both_ends_and_times_may_be_negative() {
    let times = |words: &[&str]| column(&samples(&[&["walker.msh", "--node", "1"], words].concat()), "time");
    assert_eq!(times(&["--time", "0..1:0.25"]), [0.0, 0.25, 0.5, 0.75, 1.0].map(|time| json!(time)));
    assert_eq!(times(&["--time", "3..5"]), [3.0, 4.0, 5.0].map(|time| json!(time)));
    assert_eq!(times(&["--time", "-0.5"]), [json!(-0.5)]);
    assert_eq!(times(&["--time=-1..0:0.5"]), [-1.0, -0.5, 0.0].map(|time| json!(time)));
    assert_eq!(times(&["--time", "NaN", "--time", "-inf"]), [json!("-Infinity"), json!("NaN")]);
}

#[test]
fn branches_say_how_a_pose_came_about() {
    let of = |time: &str| samples(&["walker.msh", "--node", "hull", "--time", time])[0]["branch"].clone();
    assert_eq!(
        [of("0"), of("1.5"), of("8"), of("40"), of("-1")],
        ["key", "segment", "key", "fallback", "fallback"]
    );
}

#[test]
fn a_node_is_named_by_index_or_by_name_in_any_case() {
    let by_index = samples(&["walker.msh", "--time", "3", "--node", "3"]);
    for node in ["#3", "turret", "TURRET"] {
        assert_eq!(samples(&["walker.msh", "--time", "3", "--node", node]), by_index, "{node}");
    }
}

#[test]
fn without_a_time_the_model_is_at_rest() {
    let rest = samples(&["walker.msh"]);
    assert_eq!(rest, samples(&["walker.msh", "--time", "0"]));
    assert_eq!(rest, samples(&["walker.msh", "--rest", "frame0"]));
    let last = samples(&["walker.msh", "--rest", "fallback"]);
    assert!(last.iter().all(|sample| sample["branch"] == "fallback" && sample["time"].is_null()));
    let end = samples(&["walker.msh", "--time", "40"]);
    assert_eq!(column(&last, "matrix"), column(&end, "matrix"));
}

#[test]
fn a_blend_names_both_sides() {
    let blend = |time: &str, time_b: &str, blend: &str| {
        let words = ["walker.msh", "--node", "1", "--time", time, "--time-b", time_b, "--blend", blend];
        samples(&words)[0].clone()
    };
    let both = blend("1", "12", "0.5");
    let keys = ["time", "time_b", "blend", "branch", "branch_b"].map(|key| both[key].clone());
    assert_eq!(keys, [json!(1.0), json!(12.0), json!(0.5), json!("segment"), json!("key")]);
    let only_b = blend("-1", "12", "0.5");
    assert_eq!((&only_b["branch"], &only_b["branch_b"]), (&Value::Null, &json!("key")));
    assert_eq!(only_b["matrix"], samples(&["walker.msh", "--node", "1", "--time", "12"])[0]["matrix"]);
    let only_a = blend("1", "12", "0");
    assert_eq!((&only_a["branch"], &only_a["branch_b"]), (&json!("segment"), &Value::Null));
    assert_eq!(only_a["matrix"], samples(&["walker.msh", "--node", "1", "--time", "1"])[0]["matrix"]);
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|number| number.as_f64().unwrap()).collect()
}

/// In the model's space matrices multiply down the tree, and the rotation is the matrix's own.
#[test]
fn the_space_of_the_model_composes() {
    let parents = [None, Some(0), Some(1), Some(1), Some(3), Some(1), Some(2)];
    let local = samples(&["walker.msh", "--time", "5.5"]);
    let model = samples(&["walker.msh", "--time", "5.5", "--space", "model"]);
    assert_eq!(column(&local, "branch"), column(&model, "branch"));
    for (node, parent) in parents.into_iter().enumerate() {
        let (below, found) = (numbers(&local[node]["matrix"]), numbers(&model[node]["matrix"]));
        let above = parent.map(|parent: usize| numbers(&model[parent]["matrix"]));
        for (i, found) in found.iter().enumerate() {
            let cell =
                |k: usize| above.as_ref().map_or(0.0, |above| above[i / 4 * 4 + k] * below[k * 4 + i % 4]);
            let wanted = if parent.is_some() { (0..4).map(cell).sum() } else { below[i] };
            assert!((wanted - found).abs() < 1e-5, "node {node}, cell {i}: {wanted} {found}");
        }
        let [w, x, y, z] = numbers(&model[node]["rotation"]).try_into().unwrap();
        let corner = [1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y + w * z), 2.0 * (x * z - w * y)];
        for (i, wanted) in corner.into_iter().enumerate() {
            assert!((wanted - found[i]).abs() < 1e-5, "node {node}: {wanted} {}", found[i]);
        }
        let alone =
            samples(&["walker.msh", "--time", "5.5", "--space", "model", "--node", &node.to_string()]);
        assert_eq!(alone, model[node..=node]);
    }
}

#[test]
fn the_root_is_kept_or_cleared() {
    let desk = desk();
    assert_eq!(desk.run(&["edit", "walker.msh", "offset", "base", "1", "2", "3", "-o", "moved.msh"]).code, 0);
    let at = |node: &str, words: &[&str]| {
        let words = [&["sample", "moved.msh", "--json", "--node", node], words].concat();
        desk.json(&words).1["samples"][0]["position"].clone()
    };
    for words in [&[][..], &["--root", "keep"], &["--root", "keep", "--space", "model"]] {
        assert_eq!(at("base", words), json!([1.0, 2.0, 3.0]), "{words:?}");
    }
    for words in [&["--root", "clear"][..], &["--root", "clear", "--space", "model"]] {
        assert_eq!(at("base", words), json!([0.0, 0.0, 0.0]), "{words:?}");
    }
    let [kept, cleared] = ["keep", "clear"].map(|root| at("cabin", &["--root", root, "--space", "model"]));
    let moved = numbers(&kept).into_iter().zip(numbers(&cleared)).map(|(a, b)| a - b);
    assert!(moved.zip([1.0, 2.0, 3.0]).all(|(a, b)| (a - b).abs() < 1e-5), "{kept} {cleared}");
    assert_eq!(at("cabin", &["--root", "clear"]), at("cabin", &[]), "others keep theirs");
}

#[test]
fn a_member_of_an_archive_is_sampled_like_a_file() {
    let alone = samples(&["walker.msh", "--time", "0..4:0.5", "--space", "model"]);
    for member in ["units.rlb/walker.msh", "units.rlb/#1"] {
        assert_eq!(samples(&[member, "--time", "0..4:0.5", "--space", "model"]), alone, "{member}");
    }
    let piped =
        desk().run_with(&["sample", "-", "--time", "0..4:0.5", "--space", "model", "--json"], &walker());
    assert_eq!(piped.json()["samples"], json!(alone));
}

#[test]
fn a_readable_file_that_refuses_says_1() {
    let code = |name: &str| json!(format!("msh.sample-{name}"));
    assert_eq!(refused(&["legacy-nodes.msh"]), (1, code("legacy-nodes")));
    assert_eq!(refused(&["legacy-nodes.msh", "--node", "0"]), (1, code("legacy-nodes")));
    assert_eq!(refused(&["legacy-nodes.msh", "--node", "hull"]), (1, code("legacy-nodes")));
    assert_eq!(refused(&["fallback-range.msh", "--time", "99"]), (1, code("key-outside")));
    assert_eq!(refused(&["map-range.msh", "--time", "0..20"]), (1, code("map-outside")));
    assert_eq!(refused(&["parent-cycle.msh", "--space", "model"]), (1, code("parent")));
    assert_eq!(refused(&["walker.msh", "--node", "19"]), (1, code("no-node")));
    assert_eq!(refused(&["walker.msh", "--node", "nobody"]), (1, code("no-node")));
    assert_eq!(refused(&["units.rlb"]), (1, json!("file.no-poses")));
}

#[test]
fn what_makes_no_sense_says_2() {
    let neither = ["walker.msh", "--time", "-1", "--time-b", "-1", "--blend", "0.5"];
    assert_eq!(refused(&neither), (2, json!("msh.sample-neither")));
    assert_eq!(refused(&["walker.msh", "--time", "1", "--time-b", "2", "--blend", "NaN"]).0, 2);
    for half in [
        &["walker.msh", "--time", "1", "--blend", "0.5"][..],
        &["walker.msh", "--time", "1", "--time-b", "2"],
        &["walker.msh", "--time-b", "2", "--blend", "0.5"],
    ] {
        assert_eq!(refused(half), (2, json!("file.half-blend")), "{half:?}");
    }
    for words in [
        &["walker.msh", "--time", "soon"][..],
        &["walker.msh", "--time", "2..1"],
        &["walker.msh", "--time", "0..1:0"],
        &["walker.msh", "--space", "world"],
        &["walker.msh", "--root", "cut"],
        &["walker.msh", "--rest", "frame1"],
        &[],
    ] {
        assert_eq!(refused(words), (2, Value::Null), "{words:?}");
    }
}

#[test]
fn what_cannot_be_read_says_3() {
    assert_eq!(refused(&["missing.msh"]).0, 3);
    assert_eq!(refused(&["units.rlb/note.txt"]).0, 3);
}

#[test]
fn people_get_a_table() {
    let words = ["sample", "walker.msh", "--node", "hull", "--time", "0..8:3.5", "--color", "never"];
    insta::assert_snapshot!(desk().run(&words).all());
    let words = [&words[..], &["--time-b", "12", "--blend", "0.25"]].concat();
    insta::assert_snapshot!(desk().run(&words).all());
}
