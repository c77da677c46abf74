//! MDX models under the fuzzer.

use galvani_core::{ReadOptions, Reading, Readings, Strictness, WantedReading};
use galvani_mdx::{Family, INHERIT, check, write};
use galvani_testkit::{every_byte_is_owned, reads_or_refuses};

/// Every byte is owned and dumped once, every finding has its place, every node and track can be visited.
pub(crate) fn read(data: &[u8]) {
    for options in options() {
        let Ok(found) = galvani_mdx::read(data, &options) else { continue };
        every_byte_is_owned(&found.map, data.len());
        let mut report = check(&found.document);
        report.locate(&found.map);
        let mut dumped = 0;
        found.map.rows(data, |row| dumped += row.len);
        assert_eq!(dumped, data.len(), "a dump shows every byte once");
        for placed in found.document.nodes() {
            let _ = found.document.inherits(placed.node);
        }
        found.document.each_track(|_, track| {
            for key in 0..track.times.len() {
                let _ = track.floats(key);
            }
        });
    }
}

/// What reads is written back byte for byte, what does not says why under the format's name.
pub(crate) fn round_trip(data: &[u8]) {
    for options in options() {
        reads_or_refuses("mdx", data, |file| galvani_mdx::read(file, &options), write);
    }
}

/// Files of Warcraft III have one form: only two bits of nodes are read in two ways.
pub(crate) fn readings(data: &[u8]) {
    let [documented, observed] = [Reading::Documented, Reading::Observed].map(|all| {
        let topics = vec![(INHERIT.to_owned(), Reading::Observed.into())];
        let readings = Readings { all: all.into(), topics };
        galvani_mdx::read(data, &ReadOptions { readings, ..ReadOptions::default() })
    });
    let (Ok(documented), Ok(observed)) = (documented, observed) else { return };
    assert_eq!(documented.document.family(), observed.document.family());
    if observed.document.family() == Family::Warcraft {
        assert!(documented.document == observed.document, "another document");
        assert_eq!(documented.map, observed.map);
    }
}

fn options() -> impl Iterator<Item = ReadOptions> {
    let readings = WantedReading::ALL;
    let option =
        |all| ReadOptions { readings: Readings { all, ..Readings::default() }, ..ReadOptions::default() };
    let strict = ReadOptions { strictness: Strictness::Strict, ..ReadOptions::default() };
    readings.into_iter().map(option).chain([strict])
}
