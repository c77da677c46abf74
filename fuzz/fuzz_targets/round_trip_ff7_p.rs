//! A polygon file that reads is written back; what does not says why.
#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| galvani_fuzz::ff7_parts::round_trip_p(data));
