//! Builds an MSH model from plain geometry and writes it: `cargo run --example build_msh -- sail.msh`.
#![allow(clippy::print_stdout, reason = "an example talks")]

use std::error::Error;
use std::path::PathBuf;

use galvani::fs::{Output, Overwrite};
use galvani::parkan::msh::build::{GeometryPlan, KeyPlan, NodePlan, PartPlan, Plan, TrianglePlan, build};
use galvani::parkan::msh::write;

fn main() -> Result<(), Box<dyn Error>> {
    let sail = GeometryPlan {
        positions: vec![[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 2.0]],
        parts: vec![PartPlan {
            triangles: vec![TrianglePlan { vertices: [0, 1, 2], flags: 0 }],
            ..PartPlan::default()
        }],
        ..GeometryPlan::default()
    };
    let key = |time, x| KeyPlan { time, position: [x, 0.0, 0.0], ..KeyPlan::default() };
    let mut node =
        NodePlan { name: b"sail".to_vec(), track: vec![key(0, 0.0), key(10, 1.0)], ..NodePlan::default() };
    node.slots[0][0] = Some(sail);

    // Slots, batches, faces, bounds and the map from frames to keys are computed.
    let built = build(&Plan { name: b"boat".to_vec(), nodes: vec![node], ..Plan::default() })?;
    let file = std::env::args_os().nth(1).map_or_else(|| PathBuf::from("sail.msh"), PathBuf::from);
    let bytes = write(&built.document)?;
    Output::new(&file, &Overwrite::default())?.write(&bytes)?;
    println!("{}: {} bytes", file.display(), bytes.len());
    Ok(())
}
