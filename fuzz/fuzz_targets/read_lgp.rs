//! Reading, checking, placing and dumping any bytes.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| galvani_fuzz::lgp::read(data));
