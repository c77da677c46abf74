//! Any bytes as a file of the format that GALVANI_FORMAT names.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| galvani_fuzz::door::read(data));
