//! Reading, checking, placing, dumping and decoding any bytes as a DDS file.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| galvani_fuzz::texture::read_dds(data));
