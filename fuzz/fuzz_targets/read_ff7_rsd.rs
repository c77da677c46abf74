//! Reading, checking, placing, editing and dumping any bytes as a field resource.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| galvani_fuzz::field::read_rsd(data));
