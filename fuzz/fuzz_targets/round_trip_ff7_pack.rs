//! A pack that reads is written back, its streams encode to themselves; what does not read says why.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| galvani_fuzz::pack::round_trip(data));
