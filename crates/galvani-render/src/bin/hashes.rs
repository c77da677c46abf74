//! Draws what the tests draw, and ends badly where a picture is not the same to the byte. On machines without a system, where tests
//! do not run, this does: `cargo xtask wasm` runs it in Node.
#![allow(clippy::unwrap_used, reason = "a failed step is what this is for")]

#[path = "../../tests/common/mod.rs"]
mod common;

fn main() {
    assert_eq!(common::pinned::all(), common::pinned::PINNED);
}
