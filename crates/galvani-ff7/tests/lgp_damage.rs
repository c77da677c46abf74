//! Damaged files: cut, words overwritten, and files made to be costly.
#![allow(clippy::unwrap_used, reason = "a helper that fails is a failed test")]

mod lgp_common;

use galvani_core::Strictness;
use galvani_ff7::lgp::{Archive, check, read, write};
use galvani_testkit::{
    findings_are_placed, options, reads_or_refuses, round_trips, truncations, word_damage,
};
use lgp_common::raw::{RawArchive, RawRow, number, record, room, tables};
use lgp_common::{case, cases, document, name};

/// Whether a file reads; if so it must come back, and if not say why.
fn reads(file: &[u8], strictness: Strictness) -> bool {
    let options = options(strictness);
    let found = reads_or_refuses("lgp", file, |file| read(file, &options), write);
    if let Some(found) = &found {
        findings_are_placed(found, file.len(), check);
    }
    found.is_some()
}

/// Whether a place is worth its own damage: one slot of the lookup table is as good as another.
fn is_worth(at: usize, rows: usize) -> bool {
    let lookup = 16 + 27 * rows;
    !(lookup + 16..lookup + 3590).contains(&at) || at.is_multiple_of(101)
}

#[test]
fn a_file_cut_anywhere_reads_as_far_as_its_tables_go() {
    for (case, file) in cases() {
        let Ok(archive) = Archive::open(&file) else { continue };
        let rows = archive.entries().len();
        for cut in truncations(&file).filter(|cut| is_worth(cut.len(), rows)) {
            assert_eq!(
                reads(cut, Strictness::Tolerant),
                cut.len() >= tables(rows),
                "{case} cut at {}",
                cut.len()
            );
            reads(cut, Strictness::Strict);
        }
    }
}

#[test]
fn a_cut_says_which_files_are_lost() {
    let file = case("worked-example");
    let whole = document(&file);
    for cut in truncations(&file).filter(|cut| cut.len() >= tables(3) + 2) {
        let found = document(cut);
        for (i, offset) in whole.offsets().into_iter().enumerate() {
            let end = offset + 24 + whole.payload(i).unwrap().len();
            let wanted = whole.payload(i).filter(|_| end <= cut.len());
            assert_eq!(found.payload(i), wanted, "entry {i} cut at {}", cut.len());
        }
    }
}

#[test]
fn a_file_with_any_word_damaged_comes_back_or_is_refused() {
    let mut outcomes = [0_u32; 2];
    for (_, file) in cases() {
        let rows = Archive::open(&file).map_or(0, |archive| archive.entries().len());
        word_damage(&file, |at, damaged| {
            if is_worth(at, rows) {
                let tolerant = reads(damaged, Strictness::Tolerant);
                let strict = reads(damaged, Strictness::Strict);
                assert!(tolerant || !strict, "strictness read more");
                outcomes[usize::from(tolerant)] += 1;
            }
        });
    }
    let [refused, read] = outcomes;
    assert!(refused > 100 && read > 1000, "{refused} refused, {read} read");
}

#[test]
fn no_count_is_believed_before_the_bytes_were_counted() {
    let mut file = case("empty");
    file[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
    let error = read(&file, &options(Strictness::Tolerant)).unwrap_err();
    assert_eq!((error.cause.code, error.cause.offset), (&check::TRUNCATED, Some(16)));
    let used = allocation_counter::measure(|| drop(read(&file, &options(Strictness::Tolerant))));
    assert!(used.bytes_max < 10_000, "{used:?}");
    let mut file = case("empty");
    file[3616..3618].copy_from_slice(&u16::MAX.to_le_bytes());
    let used = allocation_counter::measure(|| drop(Archive::open(&file)));
    assert!(used.bytes_max < 10_000, "{used:?}");
}

const CROWD: usize = 60_000;

/// An archive of `CROWD` entries whose records start where `claim` says in some bytes.
fn crowd(rest: &[u8], claim: impl Fn(usize) -> usize) -> RawArchive {
    let row = |i: usize| RawRow {
        name: room(format!("aa{i:05}").as_bytes()),
        offset: number(tables(CROWD) + 2 + claim(i)),
        check: 14,
        conflict: 0,
    };
    let mut archive = RawArchive {
        magic: *b"\0\0SQUARESOFT",
        rows: (0..CROWD).map(row).collect(),
        lookup: vec![[0, 0]; 900],
        rest: [&[0, 0][..], rest, b"FINAL FANTASY7"].concat(),
    };
    archive.index();
    archive
}

fn stands_the_crowd(raw: &RawArchive) -> galvani_ff7::lgp::Document {
    let file = raw.bytes();
    let options = options(Strictness::Strict);
    let found = round_trips(&file, |file| read(file, &options), write);
    let held: usize = found.document.blocks.iter().map(|block| block.bytes.len()).sum();
    assert!(held <= raw.rest.len());
    let mut report = check(&found.document);
    report.locate(&found.map);
    assert_eq!(Archive::open(&file).unwrap().find(b"AA59999"), Some(CROWD - 1));
    found.document
}

#[test]
fn a_crowd_that_shares_one_record_costs_no_more_than_its_file() {
    let raw = crowd(&record(room(b"one"), &vec![7; 1 << 20]), |_| 0);
    let mut document = stands_the_crowd(&raw);
    document.make_canonical().unwrap();
    assert_eq!(document.blocks.len(), 1, "a shared record stays shared");
    document.replace(7, b"seven").unwrap();
    document.remove(0).unwrap();
    document.add(name("ab"), b"new").unwrap();
    let again = lgp_common::document(&write(&document).unwrap());
    assert_eq!(again, document);
    assert_eq!(again.payload(6), Some(&b"seven"[..]));
    assert_eq!(again.payload(8).unwrap().len(), 1 << 20);
}

#[test]
fn a_crowd_whose_records_overlap_costs_no_more_than_its_file() {
    // Every fourth byte begins a record of so many bytes.
    let size = 200_000_u32.to_le_bytes();
    let bytes: Vec<u8> = (0..4 * CROWD + 200_100).map(|i| size[i % 4]).collect();
    let raw = crowd(&bytes, |i| 4 * i);
    let mut document = stands_the_crowd(&raw);
    let before = document.clone();
    assert_eq!(document.make_canonical().unwrap_err().cause.code, &check::TOO_LARGE);
    assert_eq!(document, before);
}
