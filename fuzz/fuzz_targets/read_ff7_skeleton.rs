//! Bytes as a skeleton, posed and edited.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| galvani_fuzz::skeleton::read(data));
