//! Stops if poses have other bits here than on other machines. Run by `tests/wasm/run`.

#[path = "../../crates/galvani-scene/tests/common/checksum.rs"]
mod checksum;
#[allow(dead_code, reason = "the tests of the crate use the rest")]
#[path = "../../crates/galvani-scene/tests/common/motions.rs"]
mod motions;

use checksum::{WANTED, checksum};
use motions::KEYS;
use galvani_scene::prepared::Level;

fn main() {
    assert_eq!(Level::new().is_fallback(), cfg!(not(target_feature = "simd128")));
    assert_eq!(KEYS.map(checksum), WANTED);
}
