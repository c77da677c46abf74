//! Reading, checking, placing and dumping any bytes as a texture of Parkan.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| galvani_fuzz::parkan::read_texm(data));
