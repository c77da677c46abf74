//! Reading, checking, placing and dumping any bytes as a material of Parkan.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| galvani_fuzz::parkan::read_mat0(data));
