//! The golden inputs of `testdata/nres`.

/// Name and bytes of every case, by name.
pub fn all() -> Vec<(String, Vec<u8>)> {
    galvani_testkit::cases("nres", 10)
}

/// The bytes of one case.
pub fn case(name: &str) -> Vec<u8> {
    galvani_testkit::case("nres", name)
}
