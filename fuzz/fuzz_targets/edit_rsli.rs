//! Edits of an RsLi archive, then writing and reading again.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| galvani_fuzz::rsli::edit(data));
