//! Edits of a model, then writing and reading again.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| galvani_fuzz::msh_edit::edit(data));
