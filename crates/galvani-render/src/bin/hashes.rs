//! Draws what the tests draw, and ends badly where a picture is not the same to the byte. On machines without a system, where tests
//! do not run, this does: `cargo xtask wasm` runs it in Node, and finds in its memory what it has to say.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a failed step is what this is for")]

#[path = "../../tests/common/mod.rs"]
mod common;

use common::pinned::{PINNED, all};

fn main() {
    let differing: Vec<_> = all().into_iter().filter(|one| !PINNED.contains(one)).collect();
    let told = std::hint::black_box(format!("pictures differ: {differing:?}"));
    assert!(differing.is_empty(), "{told}");
}
