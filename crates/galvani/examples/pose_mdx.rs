//! Loads a model of Warcraft III and poses it: `cargo run --example pose_mdx -- samples/lantern.mdx Walk`.
#![allow(clippy::print_stdout, reason = "an example talks")]

use std::error::Error;

use galvani::OpenOptions;
use galvani::formats::{Sampling, Selector};

fn main() -> Result<(), Box<dyn Error>> {
    let mut words = std::env::args().skip(1);
    let file = words.next().unwrap_or_else(|| "samples/lantern.mdx".to_owned());
    let clip = words.next().unwrap_or_else(|| "all".to_owned());

    let model = galvani::open(file, &OpenOptions::default())?;
    let wanted =
        Sampling { clip: Some(Selector::new(&clip)), times: "0..1000:250".parse()?, ..Sampling::default() };
    for pose in model.as_animated()?.sample(&wanted)?.poses {
        let pose = pose?;
        for node in &pose.nodes {
            println!("{:?} {:?} {:?}", pose.time, node.name, node.position);
        }
    }
    Ok(())
}
