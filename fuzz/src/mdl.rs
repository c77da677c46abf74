//! MDL texts under the fuzzer.

use galvani_core::{ReadOptions, Strictness};
use galvani_mdx::{Family, mdl};
use galvani_testkit::{every_byte_is_owned, reads_or_refuses};

/// Every byte is owned, every finding has its line, and the model that a text says is written.
pub(crate) fn read(data: &[u8]) {
    for strictness in [Strictness::Tolerant, Strictness::Strict] {
        let options = ReadOptions { strictness, ..ReadOptions::default() };
        let Ok(found) = mdl::read(data, &options) else { continue };
        every_byte_is_owned(&found.map, data.len());
        for finding in mdl::check(&found.document).findings() {
            assert!(finding.line.is_some(), "{finding}: no line");
        }
        let _ = galvani_mdx::write(found.document.model());
    }
}

/// What reads is written back byte for byte, what does not says why under the format's name. Printed anew, a text says the same.
pub(crate) fn round_trip(data: &[u8]) {
    let found = reads_or_refuses("mdl", data, |file| mdl::read(file, &ReadOptions::default()), mdl::write);
    let Some(found) = found else { return };
    if let Ok(again) = mdl::from_model(found.document.model()) {
        let binary = |document: &mdl::Document| galvani_mdx::write(document.model()).ok();
        assert!(binary(&again) == binary(&found.document), "printed anew, it says something else");
    }
}

/// A model of Warcraft III that became a text and a model again is the same.
pub(crate) fn text(data: &[u8]) {
    let Ok(found) = galvani_mdx::read(data, &ReadOptions::default()) else { return };
    if found.document.family() != Family::Warcraft {
        return;
    }
    let text = mdl::from_model(&found.document).unwrap_or_else(|error| panic!("no text: {error}"));
    let again = galvani_mdx::write(text.model()).unwrap_or_else(|error| panic!("no model: {error}"));
    assert!(again == data, "another model comes back");
}
