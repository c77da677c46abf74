//! A file of that format and everything in it.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| galvani_fuzz::door::nested(data));
