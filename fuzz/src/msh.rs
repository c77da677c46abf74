//! MSH models under the fuzzer.

use galvani_core::{ReadOptions, Reading, Readings, Strictness, WantedReading};
use galvani_parkan::msh::{self, Document};
use galvani_testkit::{every_byte_is_owned, reads_or_refuses};

/// Reads in both strictnesses under every reading, checks, places the findings, and dumps every value; a model in
/// borrowed bytes is told the same, and one that is read into a used document is the same.
pub(crate) fn read(data: &[u8]) {
    let mut used = Document::default();
    for options in options() {
        let Ok(found) = msh::read(data, &options) else { continue };
        msh::read_into(&mut used, data, &options).expect("what reads is read again");
        assert_eq!(used, found.document);
        every_byte_is_owned(&found.map, data.len());
        let mut report = msh::check(&found.document);
        report.locate(&found.map);
        for finding in report.findings() {
            assert!(finding.offset.is_some(), "{finding} has no place");
        }
        let model = msh::view(data, &options.readings).expect("what reads can be viewed");
        let mut borrowed = msh::check::archive(&found.document.archive);
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

/// Moments of a model that are compared.
const TIMES: [f32; 4] = [0.0, 0.5, 1.0, 7.25];

/// Nodes of a model that are compared.
const NODES: usize = 16;

/// Whichever reading is taken: nodes move along the same places in the same way, only their turns differ.
pub(crate) fn readings(data: &[u8]) {
    let [documented, observed] = [Reading::Documented, Reading::Observed]
        .map(|all| msh::view(data, &Readings { all: all.into(), topics: vec![] }));
    let (Ok(documented), Ok(observed)) = (documented, observed) else { return };
    for node in 0..documented.node_count().min(NODES) {
        for time in TIMES {
            let [one, other] =
                [&documented, &observed].map(|model| msh::sample::sample_node_pose(model, node, time));
            assert_eq!(one.is_ok(), other.is_ok());
            if let (Ok((one, by)), Ok((other, other_by))) = (one, other) {
                let bits = |place: [f32; 3]| place.map(f32::to_bits);
                assert_eq!((bits(one.position), by), (bits(other.position), other_by));
            }
        }
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
