//! Edits of an MDX model, then writing and reading again, then undoing all.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| galvani_fuzz::mdx_edit::edit(data));
