//! Edits of a texture of Parkan, then writing and reading again.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| galvani_fuzz::parkan::edit_texm(data));
