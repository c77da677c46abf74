//! Edits, then writing and reading again.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| galvani_fuzz::lgp::edit(data));
