//! Pictures are the same to the byte on every machine; so says `src/bin/hashes.rs` where tests do not run.
#![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]

mod common;

use common::pinned;

#[test]
fn pictures_are_what_they_are_on_every_machine() {
    assert_eq!(pinned::all(), pinned::PINNED);
}
