//! The way back of small models of every kind, number by number: all that the glTF states.
#![cfg(all(feature = "ff7", feature = "mdx", feature = "texture", feature = "gltf", feature = "fs"))]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed step is a failed test"
)]

#[path = "common/kite.rs"]
mod kite;
#[path = "common/way_back.rs"]
mod way_back;

use galvani::mdx::Family;
use kite::Files;
use serde_json::{Value, json};
use way_back::{NamedFiles, all_restored, joined, only_the_change, parts};

/// Every number of a model, one by one; it comes back untouched, too.
fn every_number(files: &Files, least: usize) {
    let glb = files.glb();
    let (made, told) = all_restored(&glb).unwrap();
    assert!(!told.contains(&"file.lost-change"), "{told:?}");
    for (name, bytes) in &made {
        let own = files.0.iter().find(|(own, _)| own == name);
        assert!(own.is_some_and(|(_, own)| own == bytes), "{name}");
    }
    let again = |made: &NamedFiles| Files(made.clone()).glb();
    let (count, taken) = only_the_change(&glb, 1, &again);
    assert!(count > least && taken * 3 > count, "{taken} of {count}");
}

#[test]
fn every_number_of_a_kite_of_warcraft() {
    every_number(&kite::warcraft(Family::Warcraft, 800), 80);
}

#[test]
fn every_number_of_a_kite_of_warcraft_with_weights_and_tangents() {
    every_number(&kite::warcraft(Family::Warcraft, 1000), 80);
}

#[test]
fn every_number_of_a_kite_of_world_of_warcraft() {
    every_number(&kite::warcraft(Family::Wow, 1300), 80);
}

#[test]
fn every_number_of_a_kite_of_world_of_warcraft_in_batches() {
    every_number(&kite::warcraft(Family::Wow, 1500), 80);
}

#[test]
fn every_number_of_a_kite_in_battle() {
    every_number(&kite::battle(), 80);
}

#[test]
fn every_number_of_a_kite_on_a_field() {
    every_number(&kite::field(), 80);
}

/// The number of the node of a name.
fn node(text: &Value, name: &str) -> usize {
    let names: Vec<&str> =
        text["nodes"].as_array().unwrap().iter().map(|node| node["name"].as_str().unwrap()).collect();
    let found = names.iter().position(|own| own.eq_ignore_ascii_case(name));
    found.unwrap_or_else(|| panic!("`{name}` is none of {names:?}"))
}

/// Hangs a node on another.
fn hang(text: &mut Value, name: &str, parent: &str) {
    let (child, parent) = (json!(node(text, name)), node(text, parent));
    for node in text["nodes"].as_array_mut().unwrap() {
        if let Some(children) = node["children"].as_array_mut() {
            children.retain(|it| *it != child);
            if children.is_empty() {
                node.as_object_mut().unwrap().remove("children");
            }
        }
    }
    let above = &mut text["nodes"][parent];
    if above["children"].is_null() {
        above["children"] = json!([]);
    }
    above["children"].as_array_mut().unwrap().push(child);
}

/// What a model says by the words of `dump`, where it is another than it was.
fn differing(files: &Files, made: &[(String, Vec<u8>)]) -> Vec<(String, String)> {
    let rows = |name: &str, file: &[u8]| {
        let opened = galvani::formats::recognise(file, Some(name)).unwrap();
        let opened = opened.open(file, &galvani::OpenOptions::default()).unwrap();
        let mut all = Vec::new();
        opened.map.rows(file, |row| all.push((row.path.to_string(), format!("{:?}", row.value))));
        all
    };
    let mut differing = Vec::new();
    for (name, bytes) in made {
        let (_, old) = files.0.iter().find(|(own, _)| own == name).unwrap();
        let (old, new) = (rows(name, old), rows(name, bytes));
        assert_eq!(old.len(), new.len());
        differing.extend(old.into_iter().zip(new).filter(|(old, new)| old != new).map(|(_, new)| new));
    }
    differing
}

fn changed(
    files: &Files,
    change: impl Fn(&mut Value, &mut Vec<u8>),
) -> Result<Vec<(String, String)>, String> {
    let (mut text, mut bytes) = parts(&files.glb());
    change(&mut text, &mut bytes);
    let (made, told) = all_restored(&joined(&text, &bytes)).map_err(str::to_owned)?;
    let told: Vec<_> = told.into_iter().filter(|told| *told != "file.picture-left").collect();
    if !told.is_empty() {
        return Err(told.join(" "));
    }
    Ok(differing(files, &made))
}

#[test]
fn a_node_that_hangs_on_another_hangs_on_it_in_the_file() {
    // It turns where it did in what it hangs on now.
    for files in [kite::warcraft(Family::Warcraft, 800), kite::warcraft(Family::Wow, 1300)] {
        let made = changed(&files, |text, _| hang(text, "foot", "arm"));
        assert!(made.as_ref().is_ok_and(|made| made.len() == 2), "{made:?}");
        let made = made.unwrap();
        assert!(made[0].0.ends_with(".node.parent_id") && made[1].0.starts_with("PIVT["), "{made:?}");
    }
    // In battle one stands behind what it hangs on, as far from it as all others that hang there.
    let mut fates = std::collections::BTreeSet::new();
    for (child, parent) in (0..4).flat_map(|child| (0..4).map(move |parent| (child, parent))) {
        if child != parent {
            let [child, parent] = [child, parent].map(|bone| format!("bone {bone}"));
            let made = changed(&kite::battle(), |text, _| hang(text, &child, &parent));
            let is_own = |path: &str| path.ends_with(".parent") || path.ends_with(".length");
            assert!(made.iter().flatten().all(|(path, _)| is_own(path)), "{made:?}");
            fates.insert(made.map_or_else(|error| error, |made| format!("{} taken", made.len().min(1))));
        }
    }
    assert!(fates.contains("1 taken") && fates.contains("file.change-not-taken"), "{fates:?}");
}

#[test]
fn a_bone_is_as_long_as_its_children_are_away() {
    let longer = |name: &'static str| {
        move |text: &mut Value, _: &mut Vec<u8>| {
            let node = node(text, name);
            let z = &mut text["nodes"][node]["translation"][2];
            *z = json!(z.as_f64().unwrap() * 1.5);
        }
    };
    for made in [changed(&kite::battle(), longer("bone 2")), changed(&kite::field(), longer("arm"))] {
        assert!(
            made.as_ref().is_ok_and(|made| made.len() == 1 && made[0].0.ends_with(".length")),
            "{made:?}"
        );
    }
}
