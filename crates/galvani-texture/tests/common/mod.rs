//! What the tests of textures share.
#![allow(dead_code, unreachable_pub, reason = "each test file uses its part of this")]
#![allow(clippy::unwrap_used, clippy::panic, reason = "a helper that fails is a failed test")]

use std::collections::BTreeSet;
use std::fmt::Debug;
use std::path::{Path, PathBuf};

use galvani_core::{Code, Read, ReadError, ReadOptions, Report, Severity, Strictness, WriteError};
use galvani_testkit::{
    assemble_file, located, reads_or_refuses, report_text, round_trips, snapshot_beside, truncations,
    word_damage,
};

/// A format under test.
pub struct Subject<D> {
    pub id: &'static str,
    pub read: fn(&[u8], &ReadOptions) -> Result<Read<D>, ReadError>,
    pub write: fn(&D) -> Result<Vec<u8>, WriteError>,
    pub check: fn(&D) -> Report,
    pub codes: &'static [&'static Code],
}

/// The options for a strictness.
pub fn strictly(strictness: Strictness) -> ReadOptions {
    ReadOptions { strictness, ..ReadOptions::default() }
}

impl<D: PartialEq + Debug + Clone> Subject<D> {
    fn root(&self) -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../testdata").join(self.id)
    }

    /// The bytes of one case.
    pub fn case(&self, name: &str) -> Vec<u8> {
        assemble_file(&self.root().join(name).join("build.txt"))
    }

    /// Name and bytes of every case, by name.
    pub fn cases(&self) -> Vec<(String, Vec<u8>)> {
        let mut folders: Vec<PathBuf> =
            std::fs::read_dir(self.root()).unwrap().map(|folder| folder.unwrap().path()).collect();
        folders.sort();
        assert!(folders.len() > 10, "the cases are not where they should be");
        let name = |folder: &Path| folder.file_name().unwrap().display().to_string();
        folders.iter().map(|folder| (name(folder), assemble_file(&folder.join("build.txt")))).collect()
    }

    /// The document of a file that must read.
    pub fn document(&self, file: &[u8]) -> D {
        (self.read)(file, &ReadOptions::default()).unwrap().document
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

    /// Every case has the report beside it.
    pub fn snapshot(&self, listing: &Path) {
        let file = assemble_file(listing);
        let say = |_: &Read<D>| ("reads\n".to_owned(), self.outcome(&file));
        snapshot_beside!(listing, report_text(&file, self.read, say));
    }

    /// Every code of the table is provoked by a case, but those of documents that were put together wrongly.
    pub fn every_code_is_provoked(&self, by_writing: &[&str]) {
        let outcomes = self.cases().into_iter().map(|(_, file)| self.outcome(&file));
        let provoked: BTreeSet<&str> = outcomes
            .flat_map(|report| report.findings().iter().map(|finding| finding.code.name).collect::<Vec<_>>())
            .chain(by_writing.iter().copied())
            .collect();
        let all: BTreeSet<&str> = self.codes.iter().map(|code| code.name).collect();
        assert_eq!(provoked, all);
        assert_eq!(all.len(), self.codes.len(), "a name is there twice");
        for code in self.codes {
            assert!(code.name.starts_with(&format!("{}.", self.id)), "{}", code.name);
            assert!(!code.summary.is_empty() && !code.help.is_empty(), "{}", code.name);
        }
    }

    /// Whether a file reads; if so it must come back with every finding in its place, and if not say why.
    pub fn obeys(&self, file: &[u8], strictness: Strictness) -> bool {
        let options = strictly(strictness);
        let found = reads_or_refuses(self.id, file, |file| (self.read)(file, &options), self.write);
        if let Some(found) = &found {
            let before = found.document.clone();
            let report = self.outcome(file);
            assert_eq!(found.document, before, "a check changes nothing");
            assert_eq!(report, self.outcome(file), "a check says the same twice");
            let mut dumped = 0;
            found.map.rows(file, |row| dumped += row.len);
            assert_eq!(dumped, file.len(), "a dump shows every byte once");
            let is_error = strictness == Strictness::Strict;
            assert!(!is_error || found.report.tally(Severity::Error) == 0);
        }
        found.is_some()
    }

    /// Every case cut at every byte: only the header is needed to read.
    pub fn stands_truncation(&self, header: usize) {
        for (name, file) in self.cases() {
            for cut in truncations(&file) {
                let tolerant = self.obeys(cut, Strictness::Tolerant);
                assert_eq!(tolerant, cut.len() >= header, "{name} cut at {}", cut.len());
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
pub struct Dice(pub u64);

impl Dice {
    pub fn word(&mut self) -> u32 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        u32::try_from(self.0 >> 33).unwrap()
    }

    pub fn below(&mut self, end: u32) -> u32 {
        self.word() % end
    }

    pub fn byte(&mut self) -> u8 {
        self.word().to_le_bytes()[1]
    }
}
