//! Edits and mends: each does what it says and nothing else, and can be taken back.
#![cfg(all(
    feature = "parkan",
    feature = "ff7",
    feature = "mdx",
    feature = "texture",
    feature = "gltf",
    feature = "fs"
))]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    clippy::indexing_slicing,
    reason = "a failed step is a failed test"
)]

#[path = "../common/beside.rs"]
mod beside;
mod cases;
mod damage;
mod fix;
mod operations;
mod poses;
#[path = "../common/steps.rs"]
mod steps;

use galvani::formats::{self, Format, OpenOptions, Opened};

/// The bytes of a sample that ships.
fn sample(name: &str) -> Vec<u8> {
    beside::SAMPLES.iter().find(|sample| sample.name == name).unwrap().bytes.clone()
}

fn format(id: &str) -> &'static dyn Format {
    formats::by_id(id).unwrap()
}

fn open(format: &'static dyn Format, file: &[u8]) -> Opened {
    format.open(file, &OpenOptions::default()).unwrap()
}
