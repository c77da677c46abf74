//! A format under test: its cases, their reports, and the laws held against all of them.

use std::fmt::Debug;
use std::path::Path;

use galvani_core::{Code, Read, ReadError, ReadOptions, Report, Severity, Strictness, WriteError};

use crate::{
    assemble_file, case, cases, codes_are_sound, dumps_every_byte, every_code_is_provoked, located, options,
    reads_or_refuses, report_text, round_trips, truncations, word_damage,
};

/// A format under test.
#[derive(Debug)]
pub struct Subject<D> {
    /// Its id, which is also the folder of its cases and the prefix of its codes.
    pub id: &'static str,
    /// Its reader.
    pub read: fn(&[u8], &ReadOptions) -> Result<Read<D>, ReadError>,
    /// Its writer.
    pub write: fn(&D) -> Result<Vec<u8>, WriteError>,
    /// Its checks.
    pub check: fn(&D) -> Report,
    /// Its table of codes.
    pub codes: &'static [&'static Code],
}

/// Fewest cases of a format: where there are fewer, they are not where they should be.
const FEWEST: usize = 10;

impl<D: PartialEq + Debug + Clone> Subject<D> {
    /// The bytes of one case.
    pub fn case(&self, name: &str) -> Vec<u8> {
        case(self.id, name)
    }

    /// Name and bytes of every case, by name.
    pub fn cases(&self) -> Vec<(String, Vec<u8>)> {
        cases(self.id, FEWEST)
    }

    /// The document of a file that must read.
    pub fn document(&self, file: &[u8]) -> D {
        let found = (self.read)(file, &ReadOptions::default());
        found.unwrap_or_else(|error| panic!("does not read: {error}")).document
    }

    /// Everything found in a file, each finding in its place.
    pub fn outcome(&self, file: &[u8]) -> Report {
        let found = match (self.read)(file, &ReadOptions::default()) {
            Ok(found) => found,
            Err(error) => return error.into_report(),
        };
        let report = located(&found, self.check);
        for finding in report.findings() {
            for offset in finding.more.iter().map(|spot| spot.offset).chain([finding.offset]) {
                assert!(offset.is_some_and(|offset| offset <= file.len() as u64), "{finding} has no place");
            }
            assert!(!finding.message.is_empty() && !finding.help.is_empty(), "{finding}");
        }
        report
    }

    /// What a reader of a case is told.
    pub fn report_text(&self, listing: &Path) -> String {
        let file = assemble_file(listing);
        let say = |_: &Read<D>| ("reads\n".to_owned(), self.outcome(&file));
        report_text(&file, self.read, say)
    }

    /// Every code of the table is provoked by a case, but those that only edits and documents that were put
    /// together wrongly meet.
    pub fn every_code_is_provoked(&self, others: &[&'static str]) {
        let reports = self.cases().into_iter().map(|(_, file)| self.outcome(&file));
        every_code_is_provoked(self.codes, reports, others.iter().copied());
        codes_are_sound(self.id, self.codes);
    }

    /// Whether a file reads; if so it must come back with every finding in its place, and if not say why.
    pub fn obeys(&self, file: &[u8], strictness: Strictness) -> bool {
        let options = options(strictness);
        let found = reads_or_refuses(self.id, file, |file| (self.read)(file, &options), self.write);
        if let Some(found) = &found {
            let before = found.document.clone();
            let report = self.outcome(file);
            assert_eq!(found.document, before, "a check changes nothing");
            assert_eq!(report, self.outcome(file), "a check says the same twice");
            dumps_every_byte(&found.map, file);
            let is_error = strictness == Strictness::Strict;
            assert!(!is_error || found.report.tally(Severity::Error) == 0);
        }
        found.is_some()
    }

    /// Every case cut at every byte: of one that reads only the header is needed.
    pub fn stands_truncation(&self, header: usize) {
        for (name, file) in self.cases() {
            let reads = self.obeys(&file, Strictness::Tolerant);
            for cut in truncations(&file) {
                let tolerant = self.obeys(cut, Strictness::Tolerant);
                assert_eq!(tolerant, reads && cut.len() >= header, "{name} cut at {}", cut.len());
                assert!(tolerant || !self.obeys(cut, Strictness::Strict), "strictness read more");
            }
        }
    }

    /// Every case with every word damaged.
    pub fn stands_word_damage(&self) {
        for (name, file) in self.cases() {
            // Most cases are the plain one with a few other bytes.
            let step = if name == "plain" || name == "direct" { 1 } else { 7 };
            word_damage(&file, |at, damaged| {
                if at % step == 0 {
                    let tolerant = self.obeys(damaged, Strictness::Tolerant);
                    assert!(tolerant || !self.obeys(damaged, Strictness::Strict), "strictness read more");
                }
            });
        }
    }

    /// Reading then writing gives the file back.
    pub fn round_trip(&self, file: &[u8]) -> D {
        round_trips(file, |file| (self.read)(file, &ReadOptions::default()), self.write).document
    }
}

/// Numbers that look random, the same every time.
#[derive(Debug, Clone)]
pub struct Dice(pub u64);

impl Dice {
    /// 31 bits.
    pub fn word(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        u32::try_from(self.0 >> 33).unwrap_or(0)
    }

    /// A number below another.
    pub fn below(&mut self, end: u32) -> u32 {
        self.word() % end
    }

    /// A byte.
    pub fn byte(&mut self) -> u8 {
        self.word().to_le_bytes()[1]
    }
}
