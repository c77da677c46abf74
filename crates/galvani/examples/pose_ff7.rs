//! Poses a battle model of Final Fantasy VII in its own space: `cargo run --example pose_ff7 -- battle.lgp/rtda`.
#![allow(clippy::print_stdout, reason = "an example talks")]

use std::error::Error;

use galvani::OpenOptions;
use galvani::formats::{Sampling, Settings, ff7_pack};

fn main() -> Result<(), Box<dyn Error>> {
    let file = std::env::args().nth(1).unwrap_or_else(|| "samples/frog.lgp/zgda".to_owned());
    // The skeleton is found beside the pack, in its archive or its folder.
    let pack = galvani::open(file, &OpenOptions::default())?;
    let settings = Settings::from_words(ff7_pack::Posing::SETTINGS, &[("space", "model")])?;
    for pose in pack.as_animated()?.sample(&Sampling { settings, ..Sampling::default() })?.poses {
        println!("{:?}", pose?.nodes.iter().filter_map(|bone| bone.position).collect::<Vec<_>>());
    }
    Ok(())
}
