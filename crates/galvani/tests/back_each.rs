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

use galvani::core::maths::Wxyz;
use galvani::parkan::msh::build::{GeometryPlan, KeyPlan, NodePlan, PartPlan, Plan, TrianglePlan, build};
use galvani::parkan::msh::write;
use way_back::{again, glb, only_the_change, sample};

/// Every number of the smallest model; of the others every so many, another one in each list.
#[test]
fn every_number_of_the_boat() {
    let (count, taken) = only_the_change(&glb("boat.hrc", &sample("boat.hrc"), &[]), 1, &again);
    assert!(count > 1000 && taken * 3 > count, "{taken} of {count}");
}

/// A triangle, smaller by a part at another level.
fn cloth(size: f32) -> GeometryPlan {
    GeometryPlan {
        positions: vec![[0.0, 0.0, 0.0], [size, 0.0, 0.0], [0.0, 0.0, 2.0 * size]],
        uv: vec![[0.0, 0.0], [0.5, 0.0], [0.0, 0.75]],
        parts: vec![PartPlan {
            triangles: vec![TrianglePlan { vertices: [0, 1, 2], flags: 0 }],
            ..PartPlan::default()
        }],
        ..GeometryPlan::default()
    }
}

/// Two nodes that hang on each other, one that turns and one that goes, two levels of detail, and a damaged state.
#[test]
fn every_number_of_a_sail() {
    let key = |time, x: f32, turn: f32| {
        let (sin, cos) = turn.sin_cos();
        KeyPlan { time, position: [x, 0.0, 0.0], rotation: Wxyz([cos, 0.0, sin, 0.0]) }
    };
    let track = vec![key(0, 0.0, 0.0), key(6, 0.0, 0.5), key(10, 0.0, 0.25)];
    let mut mast = NodePlan { name: b"mast".to_vec(), track, ..NodePlan::default() };
    mast.slots[0][0] = Some(cloth(0.25));
    let track = vec![key(0, 0.5, 0.125), key(10, 1.0, 0.125)];
    let mut sail = NodePlan { name: b"sail".to_vec(), parent: Some(0), track, ..NodePlan::default() };
    (sail.slots[0][0], sail.slots[0][1]) = (Some(cloth(1.0)), Some(cloth(0.75)));
    sail.slots[1][0] = Some(cloth(0.5));
    let nodes = vec![mast, sail];
    let built = build(&Plan { name: b"boat".to_vec(), nodes, ..Plan::default() }).unwrap();
    let glb = glb("sail.msh", &write(&built.document).unwrap(), &[]);
    let (count, taken) = only_the_change(&glb, 1, &again);
    assert!(count > 90 && taken * 3 > count, "{taken} of {count}");
}

#[test]
fn numbers_of_all_models() {
    for (name, every) in [("walker.msh", 397), ("zgaa", 211), ("lantern.mdx", 61), ("lantern-wow.mdx", 67)] {
        let (count, taken) = only_the_change(&glb(name, &sample(name), &[]), every, &again);
        assert!(count > 20 && taken * 3 > count, "{name}: {taken} of {count}");
    }
}
