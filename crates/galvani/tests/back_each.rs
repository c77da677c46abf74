//! The way back, number by number: each that the glTF states is a number of a file, and no other byte follows it.
#![cfg(all(feature = "parkan", feature = "ff7", feature = "mdx", feature = "gltf", feature = "fs"))]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed step is a failed test"
)]

#[path = "common/way_back.rs"]
mod way_back;

use galvani::parkan::msh::build::{GeometryPlan, KeyPlan, NodePlan, PartPlan, Plan, TrianglePlan, build};
use galvani::parkan::msh::write;
use way_back::{glb, only_the_change, sample};

/// Packs of animations are folded: a frame is told by the one before it.
fn is_pack(name: &str) -> bool {
    name.ends_with("da")
}

/// Every number of the smallest model; of the others every so many, another one in each list.
#[test]
fn every_number_of_the_boat() {
    let (count, taken) = only_the_change(&glb("boat.hrc", &sample("boat.hrc"), &[]), 1, is_pack);
    assert!(count > 1000 && taken * 2 > count, "{taken} of {count}");
}

#[test]
fn every_number_of_a_sail() {
    let sail = GeometryPlan {
        positions: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 2.0]],
        parts: vec![PartPlan {
            triangles: vec![TrianglePlan { vertices: [0, 1, 2], flags: 0 }],
            ..PartPlan::default()
        }],
        ..GeometryPlan::default()
    };
    let key = |time, x| KeyPlan { time, position: [x, 0.0, 0.0], ..KeyPlan::default() };
    let track = vec![key(0, 0.0), key(10, 1.0)];
    let mut node = NodePlan { name: b"sail".to_vec(), track, ..NodePlan::default() };
    node.slots[0][0] = Some(sail);
    let built = build(&Plan { name: b"boat".to_vec(), nodes: vec![node], ..Plan::default() }).unwrap();
    let (count, taken) = only_the_change(&glb("sail.msh", &write(&built.document).unwrap(), &[]), 1, is_pack);
    assert!(count > 20 && taken * 2 > count, "{taken} of {count}");
}

#[test]
fn numbers_of_all_models() {
    for (name, every) in [("walker.msh", 97), ("zgaa", 61), ("lantern.mdx", 13), ("lantern-wow.mdx", 13)] {
        let (count, taken) = only_the_change(&glb(name, &sample(name), &[]), every, is_pack);
        assert!(count > 100 && taken * 2 > count, "{name}: {taken} of {count}");
    }
}
