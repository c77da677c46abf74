//! Reading, checking, placing and dumping any bytes as a polygon file.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| galvani_fuzz::ff7_parts::read_p(data));
