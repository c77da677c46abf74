//! Edits of a DDS file, then writing and reading again, then undoing all.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| galvani_fuzz::texture::edit_dds(data));
