//! Reading, checking, placing and dumping any bytes as an RsLi archive.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| galvani_fuzz::rsli::read(data));
