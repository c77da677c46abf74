//! Edits of any file of that format.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| galvani_fuzz::door::edit(data));
