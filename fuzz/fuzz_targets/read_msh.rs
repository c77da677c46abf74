//! Reading, checking, placing and dumping any bytes as a model.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| galvani_fuzz::msh::read(data));
