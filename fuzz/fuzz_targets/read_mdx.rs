//! Reading, checking, placing and dumping any bytes as an MDX model, under every reading.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| galvani_fuzz::mdx::read(data));
