//! Twice the input costs about twice the work, however it is made. Work is counted in allocations, never in time.
#![allow(clippy::unwrap_used, reason = "a failed step is a failed test")]
#![allow(clippy::disallowed_methods, reason = "tests look at the disk themselves")]

mod common;

use std::ffi::OsString;

use allocation_counter::measure;
use galvani::formats::{self, Site};
use galvani::fs::{Extraction, Follow, Overwrite, expand};
use galvani::{OpenOptions, Scrutiny, nested};

use common::archive::{archive, poke, record};

/// An archive of so many members.
fn many(count: usize, name: impl Fn(usize) -> String) -> Vec<u8> {
    let names: Vec<String> = (0..count).map(name).collect();
    let entries: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b"payload!"[..])).collect();
    archive(&entries)
}

/// Fails unless twice as many cost at most two and a half times as much.
fn grows_evenly(what: &str, cost: impl Fn(usize) -> u64) {
    let (one, two) = (cost(150), cost(300));
    assert!(two * 2 < one * 5, "{what}: {one} allocations for 150, {two} for 300");
}

#[test]
fn every_member_of_an_archive_is_found_once() {
    for (what, name) in [("the same name", "same"), ("a name each", "")] {
        grows_evenly(what, |count| {
            let folder = tempfile::tempdir().unwrap();
            let file = folder.path().join("a.lib");
            let named = |i| if name.is_empty() { format!("{i}") } else { name.to_owned() };
            std::fs::write(&file, many(count, named)).unwrap();
            let word = OsString::from(file.join("*"));
            let found = || {
                let inputs = expand(std::slice::from_ref(&word), Follow::No, &OpenOptions::default());
                assert_eq!(inputs.len(), count);
            };
            measure(found).count_total
        });
    }
}

#[test]
fn namesakes_are_extracted_beside_each_other() {
    grows_evenly("extracting", |count| {
        let folder = tempfile::tempdir().unwrap();
        let mut out = Extraction::new(folder.path());
        let put =
            || (0..count).for_each(|_| drop(out.write_member("same", b"", &Overwrite::default()).unwrap()));
        measure(put).count_total
    });
}

#[test]
fn overlapping_entries_are_checked_in_passing() {
    grows_evenly("overlapping", |count| {
        let mut file = many(count, |i| format!("{i}"));
        for i in 0..count {
            let at = record(&file, i);
            poke(&mut file, at + common::archive::DATA_OFFSET, 16);
            poke(&mut file, at + common::archive::SIZE, 8 + i % 2000);
        }
        let format = formats::recognise(&file, None).unwrap();
        let check = || {
            let options = OpenOptions::default();
            nested::check("a", &Site::NOWHERE, format, &file, &options, Scrutiny::Pedantic);
        };
        measure(check).count_total
    });
}
