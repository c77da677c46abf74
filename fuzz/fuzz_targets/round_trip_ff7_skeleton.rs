//! Reading, then writing.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| galvani_fuzz::skeleton::round_trip(data));
