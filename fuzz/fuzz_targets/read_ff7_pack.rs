//! Reading, checking, placing and dumping any bytes as a pack of animations.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| galvani_fuzz::pack::read(data));
