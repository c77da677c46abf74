//! Reading, checking, placing, dumping and decoding any bytes as a BLP file.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| galvani_fuzz::texture::read_blp(data));
