//! MSH models under the fuzzer.

use galvani_core::{ReadOptions, Readings, Strictness, WantedReading};
use galvani_parkan::msh;
use galvani_testkit::{every_byte_is_owned, reads_or_refuses};

/// Reads in both strictnesses under every reading, checks, places the findings, and dumps every value; a model in
/// borrowed bytes is told the same.
pub(crate) fn read(data: &[u8]) {
    for options in options() {
        let Ok(found) = msh::read(data, &options) else { continue };
        every_byte_is_owned(&found.map, data.len());
        let mut report = msh::check(&found.document);
        report.locate(&found.map);
        for finding in report.findings() {
            assert!(finding.offset.is_some(), "{finding} has no place");
        }
        let model = msh::view(data, &options.readings).expect("what reads can be viewed");
        let mut borrowed = galvani_parkan::nres::check(&found.document.archive);
        borrowed.append(msh::check::model(&model));
        borrowed.locate(&found.map);
        assert_eq!(borrowed, report);
        let mut dumped = 0;
        found.map.rows(data, |row| dumped += row.len);
        assert_eq!(dumped, data.len(), "a dump shows every byte once");
    }
}

/// What reads is written back byte for byte, what does not says why under the format's name.
pub(crate) fn round_trip(data: &[u8]) {
    for options in options() {
        reads_or_refuses("msh", data, |file| msh::read(file, &options), msh::write);
    }
}

/// Every strictness with every reading.
fn options() -> impl Iterator<Item = ReadOptions> {
    let readings = WantedReading::ALL;
    [Strictness::Tolerant, Strictness::Strict].into_iter().flat_map(move |strictness| {
        readings.map(|all| ReadOptions {
            strictness,
            readings: Readings { all, topics: vec![] },
            ..ReadOptions::default()
        })
    })
}
