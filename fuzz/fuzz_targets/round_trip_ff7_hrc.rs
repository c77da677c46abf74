//! A field skeleton that reads is written back; what does not says why.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| galvani_fuzz::field::round_trip_hrc(data));
