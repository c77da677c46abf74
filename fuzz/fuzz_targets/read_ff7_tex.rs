//! Reading, checking, placing, dumping and decoding any bytes as a texture.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| galvani_fuzz::ff7_parts::read_tex(data));
