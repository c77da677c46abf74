//! The way back of names: what was renamed in the glTF is renamed in the file, and nothing else is changed.
#![cfg(all(feature = "parkan", feature = "ff7", feature = "mdx", feature = "gltf", feature = "fs"))]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed step is a failed test"
)]

#[path = "common/way_back.rs"]
mod way_back;

use serde_json::json;
use way_back::{all_restored, glb, joined, parts, sample};

/// Everything that a file says, by its path.
fn dumped(name: &str, file: &[u8]) -> std::collections::BTreeMap<String, String> {
    let format = galvani::formats::recognise(file, Some(name)).unwrap();
    let opened = format.open(file, &galvani::OpenOptions::default()).unwrap();
    let mut all = std::collections::BTreeMap::new();
    opened.map.rows(file, |row| {
        all.insert(row.path.to_string(), format!("{:?}", row.value));
    });
    all
}

/// The same file but for a few values.
fn differing(name: &str, old: &[u8], new: &[u8]) -> Vec<String> {
    let (old, new) = (dumped(name, old), dumped(name, new));
    let keys: std::collections::BTreeSet<&String> = old.keys().chain(new.keys()).collect();
    keys.into_iter().filter(|key| old.get(*key) != new.get(*key)).cloned().collect()
}

/// A glTF with another name somewhere.
fn renamed(glb: &[u8], list: &str, index: usize, name: &str) -> Vec<u8> {
    let (mut text, bytes) = parts(glb);
    text[list][index]["name"] = json!(name);
    joined(&text, &bytes)
}

/// The nodes of a glTF that have numbers of the file.
fn numbered(glb: &[u8]) -> Vec<usize> {
    let (text, _) = parts(glb);
    let nodes = text["nodes"].as_array().unwrap();
    let scene = text["scenes"][0]["nodes"].as_array().unwrap();
    let mut shown: Vec<usize> = Vec::new();
    let mut waiting: Vec<usize> =
        scene.iter().map(|it| usize::try_from(it.as_u64().unwrap()).unwrap()).collect();
    while let Some(node) = waiting.pop() {
        shown.push(node);
        let below = nodes[node]["children"].as_array().into_iter().flatten();
        waiting.extend(below.map(|it| usize::try_from(it.as_u64().unwrap()).unwrap()));
    }
    shown.retain(|node| nodes[*node]["extras"]["galvani_id"].is_i64());
    shown.sort_unstable();
    shown
}

#[test]
fn a_renamed_node_is_renamed_in_its_file() {
    for (model, least) in [("walker.msh", 8), ("lantern.mdx", 8), ("lantern-wow.mdx", 8), ("boat.hrc", 3)] {
        let file = sample(model);
        let glb = glb(model, &file, &[]);
        let mut count = 0;
        for node in numbered(&glb) {
            for name in ["Other", "a rather long name of a node"] {
                let name = if model == "boat.hrc" { name.replace(' ', "-") } else { name.to_owned() };
                let (files, told) = all_restored(&renamed(&glb, "nodes", node, &name)).unwrap();
                let told: Vec<_> = told.into_iter().filter(|told| *told != "file.picture-left").collect();
                // The root of a field model is nothing of its file.
                if told == ["file.lost-change"] {
                    assert!(files[0].1 == file, "{model}: node {node}");
                    continue;
                }
                assert_eq!(told, Vec::<&str>::new(), "{model}: node {node}");
                let paths = differing(model, &file, &files[0].1);
                let is_name = |path: &String| {
                    path.contains("name")
                        || path.ends_with("parent")
                        || path.starts_with("labels")
                        || path.starts_with("entries")
                        || path.starts_with("text")
                };
                assert!(!paths.is_empty() && paths.iter().all(is_name), "{model}: node {node}: {paths:?}");
                for (other, bytes) in files.iter().skip(1) {
                    let is_own = model == "boat.hrc" && *bytes == sample(other);
                    assert!(model != "boat.hrc" || is_own, "{model}: {other}");
                }
                count += 1;
            }
        }
        assert!(count >= 2 * least, "{model}: {count}");
    }
}

#[test]
fn a_renamed_clip_is_renamed_in_its_file() {
    for model in ["lantern.mdx", "lantern-wow.mdx"] {
        let file = sample(model);
        let glb = glb(model, &file, &[]);
        let (text, _) = parts(&glb);
        let clips = text["animations"].as_array().unwrap();
        for (clip, row) in clips.iter().enumerate() {
            let (files, told) = all_restored(&renamed(&glb, "animations", clip, "Dance Wildly")).unwrap();
            assert!(told.iter().all(|told| *told == "file.picture-left"), "{model}: {told:?}");
            let paths = differing(model, &file, &files[0].1);
            let index = row["extras"]["galvani_clip"].as_u64().unwrap();
            assert_eq!(paths, [format!("SEQS[{index}].name")], "{model}");
        }
    }
}

/// What the nodes of a file are called.
fn called(name: &str, file: &[u8]) -> Vec<String> {
    let format = galvani::formats::recognise(file, Some(name)).unwrap();
    let opened = format.open(file, &galvani::OpenOptions::default()).unwrap();
    let site = galvani::formats::Site::named(name, &way_back::Samples);
    let (scene, _) = opened.as_model().unwrap().lift(&galvani::formats::Settings::default(), &site).unwrap();
    scene.nodes.into_iter().map(|node| node.name).collect()
}

/// Of a name without room as much is taken as fits, and nothing else is changed.
#[test]
fn a_name_without_room_is_cut_and_told() {
    let long = "ж".repeat(150);
    for (model, letters) in [("walker.msh", 15), ("lantern.mdx", 39), ("lantern-wow.mdx", 39)] {
        let file = sample(model);
        let glb = glb(model, &file, &[]);
        let (_, unchanged) = all_restored(&glb).unwrap();
        for node in numbered(&glb) {
            let (files, told) = all_restored(&renamed(&glb, "nodes", node, &long)).unwrap();
            assert_eq!(told.len(), unchanged.len() + 1, "{model}: {told:?}");
            assert!(told.contains(&"file.fitted-name"), "{model}: {told:?}");
            let names = called(model, &files[0].1);
            assert!(names.contains(&"ж".repeat(letters)), "{model}: {names:?}");
            let (old, new) = (file.len(), files[0].1.len());
            assert_eq!(old, new, "{model}");
            let differing = file.iter().zip(&files[0].1).filter(|(old, new)| old != new).count();
            assert!((1..80).contains(&differing), "{model}: {differing} bytes");
        }
    }
}

/// A node without a name is called as glTF calls such nodes, never by what stood in for a name meanwhile.
#[test]
fn a_name_that_is_none_is_replaced_and_told() {
    for model in ["walker.msh", "lantern.mdx", "boat.hrc"] {
        let glb = glb(model, &sample(model), &[]);
        for (name, wanted) in [("", "node_"), ("\0tail", "node_"), ("head\0tail", "head")] {
            let (files, told) = all_restored(&renamed(&glb, "nodes", numbered(&glb)[1], name)).unwrap();
            assert!(told.contains(&"file.fitted-name"), "{model}: {told:?}");
            let names = called(model, &files[0].1);
            assert!(names.iter().any(|name| name.starts_with(wanted)), "{model}: {names:?}");
            assert!(names.iter().all(|name| !name.starts_with('_')), "{model}: {names:?}");
        }
    }
}

/// In a text a name may not be another bone's, nor the word for what hangs on nothing, nor a remark, nor several lines.
#[test]
fn a_name_that_means_something_else_in_a_text_is_changed_and_told() {
    let (model, file) = ("boat.hrc", sample("boat.hrc"));
    let glb = glb(model, &file, &[]);
    let (text, _) = parts(&glb);
    let nodes = numbered(&glb);
    let [one, other] = [nodes[1], nodes[2]];
    let taken = text["nodes"][other]["name"].as_str().unwrap();
    let tree = |bytes: &[u8]| {
        let format = galvani::formats::recognise(bytes, Some(model)).unwrap();
        let opened = format.open(bytes, &galvani::OpenOptions::default()).unwrap();
        let site = galvani::formats::Site::named(model, &way_back::Samples);
        let (scene, _) =
            opened.as_model().unwrap().lift(&galvani::formats::Settings::default(), &site).unwrap();
        scene.nodes.iter().map(|node| node.parent.map(galvani::scene::Id::index)).collect::<Vec<_>>()
    };
    for (name, wanted) in [
        (taken, format!("{taken}_2")),
        ("Root", "Root_2".to_owned()),
        ("#arm", "_#arm".to_owned()),
        ("an\narm", "an_arm".to_owned()),
        (" arm ", "_arm".to_owned()),
    ] {
        let (files, told) = all_restored(&renamed(&glb, "nodes", one, name)).unwrap();
        assert_eq!(told, ["file.fitted-name"], "{name:?}");
        let names = called(model, &files[0].1);
        assert!(names.contains(&wanted), "{name:?}: {names:?}");
        assert_eq!(tree(&files[0].1), tree(&file), "{name:?}");
    }
    let (files, told) = all_restored(&renamed(&glb, "nodes", one, "an arm")).unwrap();
    assert_eq!(told, Vec::<&str>::new());
    assert!(called(model, &files[0].1).contains(&"an arm".to_owned()));
}

/// The extras have no name that a node or a clip has.
#[test]
fn names_are_not_said_twice() {
    for model in ["walker.msh", "lantern.mdx", "lantern-wow.mdx", "boat.hrc"] {
        let (text, bytes) = parts(&glb(model, &sample(model), &[]));
        let mut other = text.clone();
        for (i, node) in other["nodes"].as_array_mut().unwrap().iter_mut().enumerate() {
            node["name"] = json!(format!("n{i}"));
        }
        let (files, _) = all_restored(&joined(&other, &bytes)).unwrap();
        let made = String::from_utf8_lossy(&files[0].1).into_owned();
        for node in numbered(&joined(&text, &bytes)) {
            let name = text["nodes"][node]["name"].as_str().unwrap();
            // What else may be called so: the resources of a field model, and its root, which is nothing of its file.
            let is_short = name.len() < 5 || model == "boat.hrc";
            assert!(is_short || !made.contains(name), "{model}: {name}");
        }
    }
}
