//! The target that GALVANI_TARGET names, on any bytes.
#![no_main]

use std::sync::LazyLock;

use galvani_fuzz::{Target, targets};

static TARGET: LazyLock<Target> = LazyLock::new(|| {
    let name = std::env::var("GALVANI_TARGET").expect("GALVANI_TARGET names a target");
    targets().into_iter().find(|target| target.name == name).unwrap_or_else(|| panic!("no target {name}"))
});

libfuzzer_sys::fuzz_target!(init: LazyLock::force(&TARGET), |data: &[u8]| TARGET.run(data));
