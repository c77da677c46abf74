//! The laws that every format obeys.

use std::fmt::Debug;

use galvani_core::{FileMap, Read, ReadError, Report, Severity, WriteError};

/// Reading then writing gives the file back, the map owns every byte once, and reading again gives the
/// same document. Returns the document.
pub fn round_trips<D: PartialEq + Debug>(
    file: &[u8],
    read: impl Fn(&[u8]) -> Result<Read<D>, ReadError>,
    write: impl Fn(&D) -> Result<Vec<u8>, WriteError>,
) -> Read<D> {
    let found = read(file).unwrap_or_else(|error| panic!("does not read: {error}"));
    let written = write(&found.document).unwrap_or_else(|error| panic!("does not write: {error}"));
    assert!(written == file, "written back differently at byte {:?}", first_difference(&written, file));
    every_byte_is_owned(&found.map, file.len());
    let again = read(&written).unwrap_or_else(|error| panic!("does not read again: {error}"));
    assert_eq!(again.document, found.document);
    found
}

/// What reads round-trips; what does not read says what is wrong and where, under the format's name.
pub fn reads_or_refuses<D: PartialEq + Debug>(
    format: &str,
    file: &[u8],
    read: impl Fn(&[u8]) -> Result<Read<D>, ReadError>,
    write: impl Fn(&D) -> Result<Vec<u8>, WriteError>,
) -> Option<Read<D>> {
    match read(file) {
        Ok(_) => Some(round_trips(file, read, write)),
        Err(error) => {
            let cause = &error.cause;
            assert!(
                cause.code.name.starts_with(&format!("{format}.")),
                "{error}: not under the format's name"
            );
            assert_eq!(cause.severity, Severity::Error, "{error}");
            assert!(cause.offset.is_some() || !cause.path.is_root(), "{error}: no place");
            None
        }
    }
}

/// No byte unowned, none owned twice.
pub fn every_byte_is_owned(map: &FileMap, len: usize) {
    let mut regions: Vec<_> = map.regions().filter(|region| region.len > 0).collect();
    regions.sort_by_key(|region| region.start);
    let mut reached = 0;
    for region in regions {
        assert_eq!(region.start, reached, "{} starts where nobody left off", region.path);
        reached = region.start + region.len;
    }
    assert_eq!(reached, len, "the map ends before the file does");
    assert_eq!(map.gaps(), [], "nobody owns these bytes");
}

/// A dump shows every byte once.
pub fn dumps_every_byte(map: &FileMap, file: &[u8]) {
    let mut dumped = 0;
    map.rows(file, |row| dumped += row.len);
    assert_eq!(dumped, file.len(), "a dump shows every byte once");
}

/// Every finding of a check has its places in a file of so many bytes, and says what is wrong and what to do.
/// Returns the findings.
pub fn findings_are_placed<D>(found: &Read<D>, len: usize, check: impl Fn(&D) -> Report) -> Report {
    let mut report = check(&found.document);
    report.locate(&found.map);
    for finding in report.findings() {
        let offsets = finding.more.iter().map(|place| place.offset).chain([finding.offset]);
        for offset in offsets {
            let is_inside = offset.is_some_and(|offset| usize::try_from(offset).is_ok_and(|at| at <= len));
            assert!(is_inside, "{finding} has no place");
        }
        assert!(!finding.message.is_empty() && !finding.help.is_empty(), "{finding}");
    }
    report
}

/// Where two files of one length differ.
pub fn differences(before: &[u8], after: &[u8]) -> Vec<usize> {
    assert_eq!(before.len(), after.len());
    (0..before.len()).filter(|&i| before[i] != after[i]).collect()
}

fn first_difference(a: &[u8], b: &[u8]) -> Option<usize> {
    a.iter().zip(b).position(|(a, b)| a != b).or((a.len() != b.len()).then_some(a.len().min(b.len())))
}
