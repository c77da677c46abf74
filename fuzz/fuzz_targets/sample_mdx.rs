//! Posing, skinning and playing any bytes as an MDX model at any moment.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| galvani_fuzz::mdx_sample::sample(data));
